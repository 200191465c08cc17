"""A small shop and its release, and how tests of `check` ask about them."""

from __future__ import annotations

from typing import Any

import pyarrow
import pytest

import singleout
from singleout import Verdict, check
from singleout.errors import SingleoutError

WHO = ["ann", "ann", "ann", "bob", "bob", "cid", "cid", "dot"]
SHOP = pyarrow.table(
    {
        "who": WHO,
        "date": [
            "2011-01-30", "2011-01-31", "2011-02-03", "2011-01-30", "2011-02-03", "2011-01-30", "2011-02-03",
            "2011-01-31",
        ],
        "time": ["08:30", "09:00", "08:30", "08:30", "10:00", "10:00", "09:00", "08:30"],
        "goods": ["tea", "milk", "tea", "tea", "salt", "tea", "salt", "milk"],
        "price": [1.5, 2.0, 1.5, 1.5, 7.0, 1.5, 9.0, 2.0],
        "age": [31, 31, 31, 35, 35, 40, 40, 40],
    }
)  # fmt: skip
NAMES = {"ann": "p", "bob": "q", "cid": "r", "dot": "s"}
RELEASE = SHOP.set_column(0, "who", pyarrow.array([NAMES[each] for each in WHO]))
TRUTH = {new: old for old, new in NAMES.items()}
STUDY = singleout.Study(
    {
        "who": "user", "date": "time", "time": "time", "goods": "item", "price": "amount",
        "age": "quasi-identifier",
    }
)  # fmt: skip
BESIDE: dict[str, Any] = {"original": SHOP, "truth": TRUTH, "user": "who", "item": "goods", "time": "date"}
DOMAINS = ["goods=goods", "price=price@goods=tea", "age=age@goods=salt"]


def asked(table: Any, *rules: dict[str, Any], **said: Any) -> Verdict:
    """Each rule is given a limit that everything keeps, unless it has its own."""
    limits = ("at_least", "at_most", "equals")
    told = [each if any(name in each for name in limits) else {**each, "at_least": -1e9} for each in rules]
    more: dict[str, Any] = {name: said.pop(name) for name in ("data", "attackers") if name in said}
    return check(table, {"rule": told, **more}, **said)


def value(data: Any, measure: str, said: dict[str, Any] | None = None, **rule: Any) -> float | int | None:
    (found,) = asked(data, {"measure": measure, **rule}, **(said or {})).rules
    return found.answer.value


def values(data: Any, wanted: dict[str, Any], **said: Any) -> None:
    """Several measures at once, each with the value that it should have."""
    found = asked(data, *({"measure": measure} for measure in wanted), **said)
    assert {each.rule.measure: each.answer.value for each in found.rules} == wanted


def reason(data: Any, measure: str, said: dict[str, Any] | None = None, **rule: Any) -> str:
    (found,) = asked(data, {"measure": measure, **rule}, **(said or {})).rules
    assert found.answer.value is None
    assert not found.passed
    return found.reason


def fault(data: Any, *rules: dict[str, Any], **said: Any) -> str:
    with pytest.raises(SingleoutError) as caught:
        asked(data, *rules, **said)
    assert "\n" not in str(caught.value)
    return str(caught.value)

"""Names of people in a header, and one person's written in several ways, do not pass."""

from __future__ import annotations

from typing import Any

import pyarrow
import pytest

from singleout.policy.check import check
from singleout.policy.result import Verdict

K2 = {"rule": [{"measure": "k", "at_least": 2}, {"measure": "people.k", "at_least": 2}]}
IN_HEADERS, WRITINGS = "names of people in the header", "people who may be one"


def judge(data: pyarrow.Table, **said: Any) -> Verdict:
    return check(data, K2, **{"user": "who", "sensitive": "none", **said})


def topics(verdict: Verdict) -> list[str]:
    return [each.topic for each in verdict.observations]


def bought(header: str, names: list[str]) -> pyarrow.Table:
    return pyarrow.table({"who": names, header: ["tea"] * len(names)})


@pytest.mark.parametrize(
    ("header", "names", "told"),
    [
        ("goods", ["p123", "p124"], False),
        ("goods p123=n01", ["p123", "p124"], True),
        ("goods_P124", ["p123", "p124"], True),
        ("goods p1234", ["p123", "p124"], False),
        ("goods Ann-Lee", ["ann lee", "bob lee"], True),
        ("goods lee", ["ann lee", "bob lee"], False),
        ("goods p1", ["p1", "p2"], False),
        ("goods 10", ["10", "11"], False),
        ("goods 2010", ["2010", "2011"], False),
        ("goods 17850", ["17850", "17851"], True),
        ("goods 17850", ["17850.0", "17851.0"], True),
    ],
)
def test_a_header_that_names_somebody_does_not_pass(header: str, names: list[str], told: bool) -> None:
    verdict = judge(bought(header, names))
    assert all(each.passed for each in verdict.rules)
    assert (IN_HEADERS in topics(verdict), verdict.passed) == (told, not told)
    if told:
        (found,) = (each.words for each in verdict.observations if each.topic == IN_HEADERS)
        assert found.startswith("the header of column 2 has a word")
        assert not any(name in found for name in (*names, header))
        assert verdict.decision.answer == "not_judged"


def test_a_header_that_names_somebody_of_the_original_does_not_pass() -> None:
    original = bought("goods", ["n0101", "n0102"])
    truth = {"p123": "n0101", "p124": "n0102"}
    for header, told in (("goods", False), ("goods N0102", True)):
        renamed = {} if header == "goods" else {"renamed": {"goods": header}}
        verdict = judge(bought(header, ["p123", "p124"]), original=original, truth=truth, **renamed)
        assert (IN_HEADERS in topics(verdict)) == told


def test_names_of_the_original_are_looked_for_where_the_release_names_nobody() -> None:
    original, release = bought("goods", ["n0101", "n0102"]), bought("n0101", ["a", "b"]).select(["n0101"])
    assert IN_HEADERS in topics(judge(release, original=original))


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["1001", "1002"], False),
        (["1001", "1001.0"], True),
        (["1001", " 1001"], True),
        (["ann", "Ann"], True),
        (["1001", "10010"], False),
        (["1001", "1001"], False),
    ],
)
def test_one_person_written_in_two_ways_hides_nobody(names: list[str], told: bool) -> None:
    verdict = judge(bought("goods", [*names, "x7", "x8"]))
    assert (WRITINGS in topics(verdict), verdict.passed) == (told, not told)
    if told:
        (found,) = (each.words for each in verdict.observations if each.topic == WRITINGS)
        assert found.startswith("1 of 4 names in who are others but for case")

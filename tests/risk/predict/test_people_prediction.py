"""A prediction counted in people, thresholds as options, groups of columns, and sample means."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from pathlib import Path

import numpy
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as some

from singleout import predict
from singleout.cli.main import main
from singleout.errors import UsageError
from singleout.risk.predict.people_prediction import people_risk
from tests.support.command_line import Captured
from tests.support.extracts import EXTRACTS

ROWS = some.lists(
    some.tuples(some.integers(0, 3), some.integers(0, 2), some.integers(0, 2)), min_size=1, max_size=12
)


@given(ROWS)
def test_risk_in_people_by_hand(rows: list[tuple[int, int, int]]) -> None:
    people = defaultdict(set)
    for who, one, other in rows:
        people[one, other].add(who)
    by_hand = sum(1 / len(people[one, other]) for _, one, other in rows) / len(rows)
    user, *columns = (numpy.array(column) for column in zip(*rows, strict=True))
    assert people_risk(columns, user) == pytest.approx(by_hand)


def test_people_are_many_records() -> None:
    """T1, date and number: 0.120 by records and 0.356 by people, of which the tree knows nearly all."""
    found = predict(EXTRACTS / "purchases.parquet", user="customer", columns=["date", "number"], samples=2)
    assert found.orr == pytest.approx(0.120, abs=5e-4)
    assert found.people_risk == pytest.approx(0.356, abs=5e-4)
    by_method = {each.method: each for each in found.people}
    assert abs(by_method["tree"].error) < 0.03
    assert by_method["random"].error < -0.15
    again = predict(
        EXTRACTS / "purchases.parquet", user="customer", columns=["date", "number"], samples=2, threads=2
    )
    assert found.people == again.people


@given(ROWS)
def test_one_column_of_a_history_is_exact(rows: list[tuple[int, int, int]]) -> None:
    """The tree keeps the only pair there is, of the column and the person."""
    table = pyarrow.table({"who": [f"p{who}" for who, *_ in rows], "a": [str(one) for _, one, _ in rows]})
    found = predict(table, user="who", columns=["a"])
    if found.people_risk is None:
        assert len({who for who, *_ in rows}) == len(rows)
        return
    tree = next(each for each in found.people if each.method == "tree")
    assert tree.risk == pytest.approx(found.people_risk)


def _entropy(rows: list[object]) -> float:
    counts = Counter(rows)
    return -sum(many / len(rows) * math.log2(many / len(rows)) for many in counts.values())


@given(ROWS)
def test_groups_by_hand(rows: list[tuple[int, int, int]]) -> None:
    table = pyarrow.table({name: [str(row[place]) for row in rows] for place, name in enumerate("abc")})
    found = predict(table, user="none", groups=[["a", "b"], ["c"]])
    one, other = _entropy([(a, b) for a, b, _ in rows]), _entropy([c for *_, c in rows])
    information = one + other - _entropy(list(rows))
    ratios = {each.of: each.gain_ratio for each in found.groups}
    assert ratios["a + b"] == pytest.approx(information / one if one > 1e-9 else 1.0, abs=1e-9)
    assert ratios["c"] == pytest.approx(information / other if other > 1e-9 else 1.0, abs=1e-9)


def test_groups_are_checked() -> None:
    table = pyarrow.table({"a": ["1", "2"], "b": ["x", "y"]})
    with pytest.raises(UsageError, match="'z' is none of the columns"):
        predict(table, user="none", groups=[["a"], ["z"]])
    with pytest.raises(UsageError, match="'a' is in two groups"):
        predict(table, user="none", groups=[["a"], ["a", "b"]])


def test_thresholds_change_what_is_strong_and_frequent() -> None:
    table = pyarrow.table({"a": list("xxxxyyyyzz"), "b": list("1111222233"), "c": list("pppqqqrrrr")})
    usual = predict(table, user="none")
    strict = predict(table, user="none", strong=1.0)
    strong = [sum(each.strong for each in found.dependencies) for found in (usual, strict)]
    assert strong[0] > strong[1] >= 2
    loose = predict(table, user="none", sure=0.3, likely=0.1)
    assert loose.frequent_total > usual.frequent_total
    with pytest.raises(UsageError, match="likely not above sure"):
        predict(table, user="none", sure=0.4, likely=0.6)


def test_sample_means_average_to_the_prediction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """Yang et al. 2020, Algorithm 1: its first output, one mean a sample."""
    monkeypatch.chdir(tmp_path)
    pyarrow.parquet.write_table(
        pyarrow.table({"a": ["1", "2", "2", "3", "3", "3"], "b": ["x", "x", "y", "y", "z", "z"]}), "t.parquet"
    )
    asked = ["predict", "t.parquet", "--user", "none", "--draws", "4", "--capacity", "5", "--together", "a"]
    assert main([*asked, "--together", "b", "--strong", "0.4", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    by_method = {each["method"]: each for each in document["predictions"]}
    means = by_method["random"]["sample_means"]
    assert len(means) == 4
    assert sum(means) / 4 == pytest.approx(by_method["random"]["orr"])
    assert by_method["closed_form"]["sample_means"] == []
    assert {each["of"] for each in document["groups"]} == {"a", "b"}


def test_a_large_history_is_shuffled_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is in records, unless somebody asks for so many."""
    table = pyarrow.table({"who": [1, 1, 2, 3] * 5, "day": [1, 2, 3, 4] * 5, "shop": [1, 1, 2, 2] * 5})
    assert {each.shuffles for each in predict(table, user="who", samples=2).people} == {20}
    monkeypatch.setattr("singleout.risk.predict.predict.VALUES_A_SAMPLE", 80)
    assert {each.shuffles for each in predict(table, user="who", samples=2).people} == {4}
    assert {each.shuffles for each in predict(table, user="who", samples=2, capacity=3).people} == {6}

"""Missing values that match everything, against a comparison of every record with every other."""

from __future__ import annotations

from typing import Any

import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout import assess
from singleout.engine.missing_values import Missing
from singleout.engine.open_engine import open_engine
from singleout.engine.protocol import Question
from singleout.read.source import source

Row = tuple[str | None, str | None, str | None]
CELL = st.sampled_from(["x", "y", None])


def compatible(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))


def table_of(rows: list[Row], people: list[int]) -> pyarrow.Table:
    columns = {name: [row[place] for row in rows] for place, name in enumerate("abc")}
    types = {name: pyarrow.array(values, pyarrow.string()) for name, values in columns.items()}
    return pyarrow.table({**types, "who": people})


@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=25), st.data())
def test_against_all_pairs_of_records(rows: list[Row], data: st.DataObject) -> None:
    people = data.draw(st.lists(st.integers(1, 4), min_size=len(rows), max_size=len(rows)))
    expected_records, expected_people = [], []
    for row in rows:
        matching = [place for place, other in enumerate(rows) if compatible(row, other)]
        expected_records.append(len(matching))
        expected_people.append(len({people[place] for place in matching}))
    with open_engine(source(table_of(rows, people))) as engine:
        sizes = engine.sizes(Question(("a", "b", "c"), "who", "wildcard"))
        alone = engine.sizes(Question(("a", "b", "c"), None, "wildcard"))
    pairs = zip(sizes.records.tolist(), sizes.people.tolist(), sizes.own.tolist(), strict=True)
    found = sorted((records, people) for records, people, own in pairs for _ in range(own))
    assert found == sorted(zip(expected_records, expected_people, strict=True))
    assert sorted(
        size for size, own in zip(alone.records.tolist(), alone.own.tolist(), strict=True) for _ in range(own)
    ) == sorted(expected_records)


def test_sdcmicro(golden: dict[str, Any]) -> None:
    want = golden["sdcmicro"]
    c = [None if place in want["wildcard_missing_c"] else value for place, value in enumerate(want["c"])]
    cases: list[tuple[Any, Missing, str]] = [(want["c"], "value", "sizes"), (c, "wildcard", "wildcard_sizes")]
    for values, rule, sizes in cases:
        found = assess(pyarrow.table({"a": want["a"], "b": want["b"], "c": values}), missing=rule)
        assert found.classes is not None
        expected = want[sizes]
        mean = sum(1 / size for size in expected) / len(expected)
        assert found.classes.by_records.average_risk.value == pytest.approx(mean)
        assert found.classes.by_records.unique.value == expected.count(1)
        assert found.classes.by_records.k.value == min(expected)


def test_what_overlapping_groups_cannot_tell_is_unknown_with_a_reason() -> None:
    found = assess(pyarrow.table({"a": ["x", None, "y"]}), missing="wildcard").to_dict()
    assert found["classes"]["classes"] is None
    assert found["classes"]["entropy"] is None
    assert "overlap" in found["classes"]["unknown"]["entropy"]
    assert found["attributes"][0]["low_cost"] is None
    assert found["attributes"][0]["sampling"] is None
    assert found["attributes"][0]["risk"] == pytest.approx((1 / 2 + 1 / 3 + 1 / 2) / 3)

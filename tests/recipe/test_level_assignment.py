"""The levels of each record in a diary: told without values, repeated exactly, refused for other tables."""

from __future__ import annotations

import numpy
import pyarrow
import pytest

from singleout.errors import SingleoutError, UsageError
from singleout.recipe.level_assignment import LevelAssignment, distinct_records, value_ranks
from singleout.recipe.record_table import RecordTable

AGES = [{"type": "raw"}, {"type": "interval", "width": 10}, {"type": "suppress"}]
TOWNS = [{"type": "raw"}, {"type": "suppress"}]
HIERARCHIES = {"age": {"levels": AGES}, "town": {"levels": TOWNS}}


def records(ages: list[str | int | None], towns: list[str | None]) -> RecordTable:
    table = pyarrow.table({"town": towns, "age": ages, "row": list(range(len(ages)))})
    return RecordTable(table, numpy.arange(len(ages)), len(ages))


def assignment(levels: list[list[int]]) -> LevelAssignment:
    """Of the records 9/Ueno, 10/Ueno, 35/Kobe, 35/Kobe, missing/Kobe."""
    values: list[list[str | None]] = [["10", "35", "9", None], ["Kobe", "Ueno"]]
    codes = [numpy.array([2, 0, 1, 1, 3]), numpy.array([1, 1, 0, 0, 0])]
    return LevelAssignment.of(HIERARCHIES, values, codes, numpy.array(levels))


LEVELS = [[2, 0], [1, 0], [0, 1], [0, 1], [-1, -1]]


def test_it_is_repeated_whatever_the_order_and_the_type() -> None:
    told = LevelAssignment.from_dict(assignment(LEVELS).to_dict())
    expected = {0: ("*", "Ueno"), 1: ("10-19", "Ueno"), 2: ("35", "*"), 3: ("35", "*")}
    ages: list[int | None] = [9, 10, 35, 35, None]
    towns = ["Ueno", "Ueno", "Kobe", "Kobe", "Kobe"]
    for turns in ([0, 1, 2, 3, 4], [4, 2, 0, 3, 1]):
        for write in (lambda age: age, lambda age: None if age is None else str(age)):
            given = records([write(ages[turn]) for turn in turns], [towns[turn] for turn in turns])
            found = told.replay(given).table.to_pydict()
            rows = {
                turns[row]: (age, town)
                for row, age, town in zip(found["row"], found["age"], found["town"], strict=True)
            }
            assert rows == expected


def test_no_value_is_told() -> None:
    told = str(assignment(LEVELS).to_dict())
    assert not [value for value in ("Ueno", "Kobe") if value in told]


@pytest.mark.parametrize(
    ("ages", "towns"),
    [
        (["9", "10", "35", "35"], ["Ueno", "Ueno", "Kobe", "Kobe"]),
        (["9", "10", "10", "35", None], ["Ueno", "Ueno", "Ueno", "Kobe", "Kobe"]),
    ],
)
def test_another_table_is_refused(ages: list[str | int | None], towns: list[str | None]) -> None:
    with pytest.raises(UsageError, match="another table"):
        assignment(LEVELS).replay(records(ages, towns))


def test_a_damaged_diary_is_refused() -> None:
    damaged = LevelAssignment.from_dict(assignment(LEVELS).to_dict() | {"numbers": "?"})
    with pytest.raises(SingleoutError, match="no whole diary"):
        damaged.replay(records(["9", "10", "35", "35", None], ["Ueno", "Ueno", "Kobe", "Kobe", "Kobe"]))


def test_values_have_turns_and_records_too() -> None:
    assert value_ranks(["2", "10", "1.0", None, "1"]).tolist() == [3, 2, 1, 4, 0]
    turn, many = distinct_records([numpy.array([1, 0, 1]), numpy.array([0, 5, 0])])
    assert (turn.tolist(), many.tolist()) == ([1, 0, 1], [1, 2])

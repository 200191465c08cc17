"""A release as a metric gets it: everything but who is who, and the same wherever it is made."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from singleout.errors import InputError
from singleout.platform.unlinked_release import write_unlinked

PEOPLE = [f"c{number % 30}" for number in range(90)]


def unlinked(folder: Path, table: pyarrow.Table, user: str | None = "who") -> pyarrow.Table:
    release, out = folder / "release.parquet", folder / "out.parquet"
    pyarrow.parquet.write_table(table, release)
    write_unlinked(release, user, out)
    return pyarrow.parquet.read_table(out)


def test_records_stay_together_under_fresh_names_and_in_another_order(tmp_path: Path) -> None:
    days = pyarrow.array([date(2026, 1, 1 + number % 28) for number in range(90)])
    table = pyarrow.table({"who": PEOPLE, "day": days, "number": range(90)})
    found = unlinked(tmp_path, table)
    assert found.schema.field("day").type == days.type
    assert found["number"].to_pylist() != table["number"].to_pylist()
    assert {*found["who"].to_pylist()} & {*PEOPLE} == set()
    fresh = {number: name for name, number in zip(*map(found.__getitem__, ("who", "number")), strict=True)}
    by_number = {number.as_py(): name.as_py() for number, name in fresh.items()}
    assert len({*by_number.values()}) == 30
    assert all(by_number[number] == by_number[number % 30] for number in range(90))
    assert unlinked(tmp_path, table).equals(found)


def test_nobody_stays_nobody_and_records_without_people_are_only_shuffled(tmp_path: Path) -> None:
    table = pyarrow.table({"who": [None, "a", None], "number": [1, 2, 3]})
    assert unlinked(tmp_path, table)["who"].null_count == 2
    numbers = unlinked(tmp_path, pyarrow.table({"number": range(50)}), None)["number"].to_pylist()
    assert numbers != [*range(50)]
    assert sorted(numbers) == [*range(50)]


@pytest.mark.parametrize("people", [pyarrow.array([1, 2, 1], pyarrow.timestamp("ns")), [["a"], ["b"], ["a"]]])
def test_people_of_any_type_stay_as_many(tmp_path: Path, people: Any) -> None:
    """Moments that differ in their last digit, and lists."""
    found = unlinked(tmp_path, pyarrow.table({"who": people, "number": [1, 2, 3]}))
    fresh = dict(zip(found["number"].to_pylist(), found["who"].to_pylist(), strict=True))
    assert fresh[1] == fresh[3] != fresh[2]


def test_a_column_of_people_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did you mean 'who'"):
        unlinked(tmp_path, pyarrow.table({"who": PEOPLE}), "Who")

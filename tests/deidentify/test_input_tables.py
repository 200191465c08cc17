"""The tables to change: whose each record is, the same whatever the engine and the order of the rows."""

from __future__ import annotations

import datetime
import hashlib
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.deidentify.input_tables import Subject, subject_of
from singleout.errors import InputError, SingleoutError, UsageError
from tests.support.home import Home

SHOP = pyarrow.table(
    {
        "who": ["bob", "ann", None, "bob", "Zoë", "ann"],
        "goods": ["tea", "milk", "tea", None, 'a "b"', "milk"],
        "price": [1.5, 2.0, -0.0, 1e20, None, 2.0],
        "number": [1, 2, None, 30, 4, 2],
        "card": [True, None, False, True, True, None],
    }
)
PEOPLE = pyarrow.table({"who": ["cid", "bob", "ann"], "sex": ["m", "m", "f"]})


def rows_of(table: pyarrow.Table) -> list[tuple[Any, ...]]:
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def by_person(subject: Subject) -> list[tuple[Any, ...]]:
    """Every record beside the name of the person it belongs to."""
    names = subject.names.to_pylist()
    persons = [names[person] for person in subject.history.person]
    return list(zip(persons, rows_of(subject.history.table), strict=True))


def test_people_are_numbered_by_their_names_in_both_tables() -> None:
    subject = subject_of(SHOP, user="who", people_table=PEOPLE)
    assert subject.names.to_pylist() == ["Zoë", "ann", "bob", "cid", None]
    assert all(row[0] == person for person, row in by_person(subject))
    assert sorted(map(repr, rows_of(subject.history.table))) == sorted(map(repr, rows_of(SHOP)))
    assert subject.people is not None
    names = [subject.names[int(person)].as_py() for person in subject.people.person]
    assert names == subject.people.column("who").to_pylist() == ["ann", "bob", "cid"]
    assert subject.history.people == subject.people.people == 5
    assert subject.remarks == (
        "1 records without a user count as one unknown person",
        "2 people of the history without a row in the person table",
        "1 person of the person table without records in the history",
    )


def test_every_engine_reads_the_same(home: Home) -> None:
    here, there = subject_of(SHOP, user="who"), subject_of(home.put(SHOP), user="who")
    assert there.digest == here.digest
    assert there.names.equals(here.names)
    assert list(map(repr, by_person(there))) == list(map(repr, by_person(here)))
    draws = [each.generator(1, 2).integers(0, 1 << 60) for each in (here, there)]
    assert draws[0] == draws[1]


def test_the_kind_of_a_file_does_not_matter_to_texts(tmp_path: Path) -> None:
    table = SHOP.select(["who", "goods"]).filter(SHOP["goods"].is_valid())
    (tmp_path / "a.csv").write_text('who,goods\nbob,tea\nann,milk\n,tea\nZoë,"a ""b"""\nann,milk\n')
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    found = [subject_of(tmp_path / name, user="who") for name in ("a.csv", "a.parquet")]
    assert found[0].digest == found[1].digest == subject_of(table, user="who").digest
    assert found[0].inputs() == [
        {
            "file": str(tmp_path / "a.csv"),
            "sha256": hashlib.sha256((tmp_path / "a.csv").read_bytes()).hexdigest(),
        }
    ]


VALUES = st.one_of(st.none(), st.sampled_from(["a", "b", "", "ä", "1", "1.0"]))
ROWS = st.lists(st.tuples(st.sampled_from(["p", "q", "r"]), VALUES, VALUES), min_size=1, max_size=7)


def table_of(rows: list[tuple[Any, ...]]) -> pyarrow.Table:
    kinds = pyarrow.schema([(name, pyarrow.string()) for name in "uvw"])
    return pyarrow.table([list(column) for column in zip(*rows, strict=True)], schema=kinds)


@settings(max_examples=25)
@given(rows=ROWS, seed=st.integers(0, 9))
def test_the_order_of_the_rows_does_not_matter(rows: list[tuple[Any, ...]], seed: int) -> None:
    shuffled = [rows[place] for place in numpy.random.default_rng(seed).permutation(len(rows))]
    one, other = (subject_of(table_of(each), user="u") for each in (rows, shuffled))
    assert one.digest == other.digest
    assert by_person(one) == by_person(other)
    kept = subject_of(table_of(shuffled), user="u", sort=False)
    assert rows_of(kept.history.table) == shuffled
    assert kept.digest == one.digest


@settings(max_examples=25)
@given(rows=ROWS, place=st.integers(0, 6), column=st.integers(0, 2), other=st.sampled_from(["a", "x", None]))
def test_another_value_is_another_digest(
    rows: list[tuple[Any, ...]], place: int, column: int, other: str | None
) -> None:
    changed = [list(row) for row in rows]
    changed[place % len(rows)][column] = other
    if all(row[0] is None for row in changed):
        return
    one, two = (
        subject_of(table_of(rows), user="u"),
        subject_of(table_of([(*row,) for row in changed]), user="u"),
    )
    assert (one.digest == two.digest) == (rows == [(*row,) for row in changed])
    assert (one.contents == two.contents) == (one.digest == two.digest)
    assert one.digest not in one.contents


def test_draws_need_the_seed_and_the_data() -> None:
    one, other = subject_of(SHOP, user="who"), subject_of(SHOP.slice(1), user="who")
    found = {
        int(subject.generator(*words).integers(0, 1 << 62))
        for subject in (one, other)
        for words in ((0,), (1,), (0, 0), (0, 1), (1, 0))
    }
    assert len(found) == 10


def test_values_of_every_type_are_kept() -> None:
    times = [datetime.datetime(2010, 12, 1, 8, 26), None, datetime.datetime(2010, 12, 1, 8, 26, 0, 5)]
    typed = pyarrow.table(
        {
            "time": times,
            "day": [datetime.date(2010, 12, 1), datetime.date(1, 1, 1), None],
            "fee": [Decimal("1.50"), Decimal("-3.00"), None],
            "raw": [b"\xff\x00", b"", None],
            "nothing": pyarrow.nulls(3),
            "strange": [float("nan"), float("-inf"), -0.0],
        }
    )
    subject = subject_of(typed)
    assert sorted(map(repr, rows_of(subject.history.table))) == sorted(map(repr, rows_of(typed)))
    assert subject.history.table.schema == typed.schema
    assert subject.remarks == ("no user column: each record is its own person",)
    assert subject.history.person.tolist() == [0, 1, 2]
    # sorted by their values, and called by where they stood
    stood = [int(name) - 1 for name in subject.names.to_pylist()]
    assert list(map(repr, rows_of(subject.history.table))) == [repr(rows_of(typed)[index]) for index in stood]


def test_numbers_name_the_same_people_however_they_are_written() -> None:
    people = pyarrow.table({"who": ["7", "8"], "sex": ["f", "m"]})
    subject = subject_of(pyarrow.table({"who": [8.0, 7.0, 8.0]}), user="who", people_table=people)
    assert subject.names.to_pylist() == ["7", "8"]
    assert subject.history.person.tolist() == [0, 1, 1]


WRONG: dict[str, tuple[Any, dict[str, Any], type[SingleoutError], str]] = {
    "no such user": (SHOP, {"user": "whom"}, UsageError, "there is no column 'whom'; did you mean 'who'?"),
    "user of another type": (SHOP, {"user": 3}, UsageError, "a column is named by text, not by 3"),
    "a user is needed": (SHOP, {"need_user": True}, UsageError, "by the user column; name it by --user"),
    "people without a user": (SHOP, {"people_table": PEOPLE}, UsageError, "a person table is matched by the"),
    "people lack the user": (
        SHOP, {"user": "who", "people_table": PEOPLE.select(["sex"])}, UsageError, "there is no column 'who'",
    ),
    "people twice": (
        SHOP, {"user": "who", "people_table": PEOPLE.take([0, 1, 1, 2, 2, 2])}, InputError,
        "2 people have more than one row; a person table has one row a person",
    ),
    "no people": (SHOP, {"user": "who", "people_table": PEOPLE.slice(3)}, InputError, "no records"),
    "no records": (SHOP.slice(6), {"user": "who"}, InputError, "has column names but no records"),
    "nobody": (
        pyarrow.table({"who": pyarrow.nulls(2, pyarrow.string())}), {"user": "who"}, InputError,
        "the user column 'who' holds nothing but missing values",
    ),
    "no order": (pyarrow.table({"a": [[1]]}), {}, InputError, "column 'a': values of the type list"),
    "no table": (5, {}, UsageError, "a int is not a table"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_one_line_says_what_is_wrong(case: str) -> None:
    data, words, kind, said = WRONG[case]
    with pytest.raises(kind) as failed:
        subject_of(data, **words)
    assert said in str(failed.value)
    assert "\n" not in str(failed.value)


def test_a_file_that_changes_afterwards_is_not_called_the_input(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("who\nann\n")
    subject = subject_of(file, user="who")
    file.write_text("who\nann\nbob\n")
    with pytest.raises(InputError, match="changed after it was read"):
        subject.inputs()


def test_the_draws_depend_on_who_has_what_and_not_only_on_how_often_it_occurs() -> None:
    """Frequencies of each column may be published; they must not be enough to repeat the draws."""
    one = pyarrow.table({"who": ["ann", "bob"], "goods": ["tea", "milk"]})
    other = pyarrow.table({"who": ["ann", "bob"], "goods": ["milk", "tea"]})
    first, second = (subject_of(each, user="who") for each in (one, other))
    assert first.digest != second.digest
    assert first.generator(0).random() != second.generator(0).random()

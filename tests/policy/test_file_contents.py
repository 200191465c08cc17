"""What a file holds beside what was counted: values that were read as one, notes, other tables."""

from __future__ import annotations

import json
import math
import sqlite3
import struct
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy
import pandas
import pyarrow
import pytest
import xlsxwriter
from pyarrow import parquet
from pyarrow.feather import write_feather

from singleout.policy.check import check
from singleout.policy.result import Verdict
from singleout.read.source import CsvFormat

K2 = {"rule": [{"measure": "k", "at_least": 2}]}
X = pyarrow.table({"a": ["x", "x"]})


def judge(data: Any, csv: CsvFormat | None = None, **policy: Any) -> Verdict:
    return check(data, {**K2, **policy}, user="none", sensitive="none", csv=csv)


@pytest.mark.parametrize(
    ("values", "csv", "merged"),
    [
        (["1", "01", "1", "01"], None, False),
        (["1", "01", "1", "01"], CsvFormat(types={"a": "integer"}), True),
        (["1", "1"], CsvFormat(types={"a": "integer"}), False),
        (["1.0", "1.0"], CsvFormat(types={"a": "number"}), False),
        (["1.0", "1"], CsvFormat(types={"a": "number"}), True),
        (["2024-01-02", "2024/1/2"], CsvFormat(types={"a": "date"}), True),
        (["", "NA", "x", "x"], None, True),
        (["", "", "x", "x"], None, False),
        (["NA", "NA"], None, False),
        (["none", "-", "x", "x"], CsvFormat(missing_text=("none", "-")), True),
        (["none", "none", "x", "x"], CsvFormat(missing_text=("none", "-")), False),
        (["1", "-"], CsvFormat(missing_text=("-",), types={"a": "integer"}), False),
    ],
)
def test_values_that_were_read_as_one_do_not_pass(
    tmp_path: Path, values: list[str], csv: CsvFormat | None, merged: bool
) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a,b\n" + "".join(f"{each},x\n" for each in values))
    verdict = judge(path, csv)
    assert ("values that were read as one" in [each.topic for each in verdict.observations]) == merged
    if merged:
        assert not verdict.passed
        assert verdict.decision.answer in ("not_judged", "do_not_release")


def nan_of(bits: int) -> float:
    (number,) = struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000000 | bits))
    return float(number)


@pytest.mark.parametrize(
    ("values", "merged"),
    [
        (pyarrow.array([0.0, -0.0]), True),
        (pyarrow.array([-0.0, -0.0]), False),
        (pyarrow.array([-0.0, 0.0], pyarrow.float32()), True),
        (pyarrow.array([[0.0], [-0.0]]), True),
        (pyarrow.array([{"x": 0.0}, {"x": 0.0}]), False),
        (pyarrow.array(numpy.array([nan_of(0), nan_of(0)])), False),
        (pyarrow.array(numpy.array([nan_of(0), nan_of(7)])), True),
    ],
)
def test_numbers_that_a_database_takes_for_equal_do_not_pass(
    tmp_path: Path, values: pyarrow.Array, merged: bool
) -> None:
    """Who opens the file sees a minus, or bits that no number needs."""
    path, table = tmp_path / "table.parquet", pyarrow.table({"a": values, "b": ["x", "x"]})
    parquet.write_table(table, path)
    for data in (path, table):
        verdict = judge(data)
        assert all(rule.passed for rule in verdict.rules) and verdict.passed != merged
        assert ["of a apart" in each.words for each in verdict.observations] == [True] * merged


def test_what_a_duckdb_file_takes_for_equal_is_told_apart(tmp_path: Path) -> None:
    """As in a file of the same data: texts that only a collation joins, a month and thirty days."""
    with duckdb.connect(str(tmp_path / "table.duckdb")) as duck:
        duck.execute("CREATE TABLE texts (a VARCHAR COLLATE NOCASE, b INTEGER)")
        duck.execute("INSERT INTO texts VALUES ('ann', 1), ('Ann', 1)")
        duck.execute("CREATE VIEW seen AS SELECT a FROM texts")
        duck.execute("CREATE TABLE spans (a INTERVAL)")
        duck.execute("INSERT INTO spans VALUES (INTERVAL 1 MONTH), (INTERVAL 30 DAYS)")
    for name in ("texts", "seen"):
        (rule,) = judge(f"{tmp_path / 'table.duckdb'}::{name}").rules
        assert rule.answer.value == 1
    verdict = judge(f"{tmp_path / 'table.duckdb'}::spans")
    assert not verdict.passed and "of a apart" in verdict.observations[0].words


@pytest.mark.parametrize("notes", [0, 1, 2])
def test_notes_of_a_parquet_file_do_not_pass(tmp_path: Path, notes: int) -> None:
    """Whoever gets the file reads them; somebody may answer for them in the policy."""
    path = tmp_path / "table.parquet"
    parquet.write_table(X.replace_schema_metadata({f"for {each}": "Ann" for each in range(notes)}), path)
    verdict = judge(path)
    told = [each.words for each in verdict.observations if each.topic == "what else the file holds"]
    assert bool(told) == bool(notes) == (not verdict.passed)
    assert all(f"also holds {notes} note" in each and "Ann" not in each for each in told)
    assert verdict.decision.answer == ("not_judged" if notes else "no_objection")
    answered = judge(path, allow_unjudged=["other contents"])
    assert answered.passed
    assert [f"also holds {notes} note" in each for each in answered.conditions] == [True] * bool(notes)
    assert answered.evidence()["allow_unjudged"] == ["other contents"]


@pytest.mark.parametrize(
    ("secret", "passes"),
    [("", True), ("x,1\n", True), ('"x",1\n', False), ("\nx,1\n", False), ("x,1,\n", False)],
)
def test_how_equal_values_of_a_csv_file_are_written_may_tell_who_it_is(
    tmp_path: Path, secret: str, passes: bool
) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a,b\n" + "x,1\n" * 4 + secret + "x,1\n")
    verdict = judge(path)
    assert (verdict.passed, "what else the file holds" in [each.topic for each in verdict.observations]) == (
        passes,
        not passes,
    )
    assert judge(path, allow_unjudged=["other contents"]).passed


@pytest.mark.parametrize(("said", "seen"), [({}, False), ({"comment": "Ann's"}, True)])
def test_what_spark_says_of_columns_is_no_note_unless_people_wrote_it(
    tmp_path: Path, said: dict[str, str], seen: bool
) -> None:
    path, field = (
        tmp_path / "table.parquet",
        {"name": "a", "type": "string", "nullable": True, "metadata": said},
    )
    row = {"org.apache.spark.sql.parquet.row.metadata": json.dumps({"type": "struct", "fields": [field]})}
    parquet.write_table(X.replace_schema_metadata({"org.apache.spark.version": "4.0.0", **row}), path)
    assert judge(path).passed != seen


def test_notes_of_a_column_and_of_an_arrow_file_too(tmp_path: Path) -> None:
    path, field = tmp_path / "table.arrow", X.schema.field("a").with_metadata({"said by": "Ann"})
    table = X.cast(pyarrow.schema([field]))
    with pyarrow.ipc.new_file(path, table.schema) as file:
        file.write_table(table)
    assert any("1 note in its metadata" in each.words for each in judge(path).observations)


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_categories_that_no_record_has_do_not_pass(tmp_path: Path, ending: str) -> None:
    """Who leaves out the records of Ann and Bob keeps their names, unless categories are made anew."""
    path, write = tmp_path / f"table.{ending}", {"parquet": parquet.write_table, "feather": write_feather}
    for words, unused in ((["x"], 0), (["x", "Ann", "Bob"], 2)):
        coded = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 0, None]), pyarrow.array(words))
        write[ending](pyarrow.table({"a": coded.slice(0, 2)}), path)
        verdict = judge(path)
        assert verdict.passed != bool(unused)
        assert [f"{unused} values that no record has" in each.words for each in verdict.observations] == (
            [True] if unused else []
        )


def _over(values: pyarrow.Array) -> pyarrow.Array:
    """The same values marked as missing, as pandas and others do it."""
    if values.type == pyarrow.null():
        return values
    marks = pyarrow.array([1, None, None]).buffers()[0]
    return pyarrow.Array.from_buffers(values.type, 3, [marks, *values.buffers()[1:]])


@pytest.mark.parametrize(
    ("values", "passes"),
    [
        (pyarrow.array([5, 41, 42]), False),
        (pyarrow.array([5, 41, 41]), False),
        (pyarrow.array([5, 0, 0]), True),
        (pyarrow.array([5, 1, 1]), True),
        (pyarrow.array([5.0, math.nan, math.nan]), True),
        (pyarrow.array([5.0, 41.0, 42.0]), False),
        (pyarrow.array([True, False, True]), False),
        (pyarrow.array(["x", "", ""]), True),
        (pyarrow.array(["x", "Ann", "Bob"]), False),
        (pyarrow.array(["x", "Ann", "Bob"], pyarrow.string_view()), False),
        (pyarrow.array([5, 0, 0], pyarrow.date32()), True),
        (pyarrow.array([5, 41, 42], pyarrow.timestamp("us", "UTC")), False),
        (pyarrow.array([Decimal(5), Decimal(0), Decimal(0)]), True),
        (pyarrow.array([Decimal(5), Decimal(41), Decimal(0)]), False),
        (pyarrow.array([b"x", b"Ann", b"Bob"]), False),
        (pyarrow.array([None, None, None]), True),
    ],
)
def test_what_a_missing_value_stands_on_does_not_pass(
    tmp_path: Path, values: pyarrow.Array, passes: bool
) -> None:
    """A blanked cell of an Arrow file may still hold what was blanked."""
    path = tmp_path / "table.feather"
    write_feather(pyarrow.table({"a": pyarrow.concat_arrays([_over(values)] * 2)}), path)
    told = [each.words for each in judge(path).observations if each.topic == "what else the file holds"]
    assert bool(told) != passes
    assert all("what stood in 1 column where values are missing now" in each for each in told)


def test_a_stream_and_what_pandas_writes_are_looked_through_too(tmp_path: Path) -> None:
    path, plain = tmp_path / "table.arrows", tmp_path / "plain.feather"
    table = pyarrow.table({"a": _over(pyarrow.array([5, 41, 42]))})
    with pyarrow.ipc.new_stream(path, table.schema) as file:
        file.write_table(table)
    assert any("what stood in 1 column" in each.words for each in judge(path).observations)
    frame = pandas.DataFrame({"a": pandas.Categorical(["x", "x", None, None]), "b": [1.5, 1.5, None, None]})
    frame["c"] = pandas.Series([7, 7, 8, 8], dtype="Int64")
    frame.to_feather(plain)
    assert judge(plain, allow_unjudged=[]).passed
    frame["c"] = frame["c"].mask(frame["c"] == 8)
    frame.to_feather(plain)
    assert not judge(plain).passed


def test_other_sheets_of_a_workbook_do_not_pass(tmp_path: Path) -> None:
    """The second sheet has the names of those whom the first hides."""
    for name, sheets in (("alone", 1), ("two", 2)):
        with xlsxwriter.Workbook(str(tmp_path / f"{name}.xlsx")) as book:
            book.add_worksheet().write_column(0, 0, ["a", "x", "x"])
            for _ in range(1, sheets):
                book.add_worksheet().write(0, 0, "Ann Smith")
    assert judge(tmp_path / "alone.xlsx").passed
    verdict = judge(f"{tmp_path / 'two.xlsx'}::Sheet1")
    assert not verdict.passed
    assert "also holds 1 other sheet, which no rule looked at" in verdict.decision.reasons[0]


def test_other_tables_of_a_database_are_a_condition(tmp_path: Path) -> None:
    """So is the file itself: the number of a record, which no table shows, may be that of its person."""
    with sqlite3.connect(tmp_path / "one.db") as lite:
        lite.execute("CREATE TABLE t (a TEXT)")
        lite.execute("INSERT INTO t VALUES ('x'), ('x')")
    (alone,) = judge(f"{tmp_path / 'one.db'}::t").conditions
    assert "this table alone" in alone and "rowid" in alone
    with lite:
        lite.execute("CREATE TABLE people (name TEXT)")
    lite.close()
    assert any("1 other table" in each for each in judge(f"{tmp_path / 'one.db'}::t").conditions)
    with duckdb.connect(str(tmp_path / "two.duckdb")) as duck:
        for name in ("t", "people", "more"):
            duck.execute(f"CREATE TABLE {name} AS SELECT 'x' AS a FROM range(2)")
    assert any("2 other tables" in each for each in judge(f"{tmp_path / 'two.duckdb'}::t").conditions)


def test_what_was_deleted_from_a_sqlite_file_is_told(tmp_path: Path) -> None:
    lite = sqlite3.connect(tmp_path / "table.db")
    with lite:
        lite.execute("CREATE TABLE t (a TEXT)")
        lite.executemany("INSERT INTO t VALUES (?)", [("Ann" * 500,)] * 100)
    with lite:
        lite.execute("DELETE FROM t")
        lite.execute("INSERT INTO t VALUES ('x'), ('x')")
    lite.close()
    assert any("what was deleted" in each for each in judge(f"{tmp_path / 'table.db'}::t").conditions)

"""Counting by codes gives what SQL gives: on any table, any thread count, and when memory is short."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.engine import coded, duckdb
from singleout.engine.coded import CodedTable
from singleout.engine.codes import TooManyValuesError, encode
from singleout.engine.opening import open_engine
from singleout.engine.protocol import Question
from singleout.engine.sql import SqlEngine
from singleout.read.source import source

MEMORY = 10**9
VALUES = st.one_of(
    st.lists(st.one_of(st.none(), st.text(max_size=3)), min_size=1, max_size=80),
    st.lists(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1)), min_size=1, max_size=80),
    st.lists(st.one_of(st.none(), st.sampled_from([0.0, -0.0, float("nan"), 0.1 + 0.2, 0.3])), min_size=1),
)


def batches(values: list[Any], size: int) -> Iterator[pyarrow.RecordBatch]:
    array = pyarrow.array(values)
    for start in range(0, len(values), size):
        yield pyarrow.record_batch({"x": array[start : start + size]})


@given(VALUES, st.integers(1, 30))
def test_equal_codes_exactly_where_values_are_equal(values: list[Any], size: int) -> None:
    if all(value is None for value in values):
        values = [*values, "x"]
    found = encode(batches(values, size), MEMORY)
    keys = [("nan",) if value != value else repr(value) for value in values]
    assert len(set(found.codes.tolist())) == found.count == len(set(keys))
    assert len(set(zip(found.codes.tolist(), keys, strict=True))) == found.count


def test_too_many_values_are_refused_not_swallowed() -> None:
    with pytest.raises(TooManyValuesError):
        encode(batches([f"value {number}" for number in range(1000)], 100), 500)


@st.composite
def tables(draw: st.DrawFn) -> pyarrow.Table:
    rows = draw(st.integers(1, 60))
    cells = {
        "who": st.one_of(st.none(), st.integers(1, 6)),
        "a": st.one_of(st.none(), st.sampled_from(["x", "y", "ÿ", ""])),
        "b": st.sampled_from([0.0, -0.0, 1.5, float("nan")]),
        "c": st.booleans(),
    }
    return pyarrow.table(
        {name: draw(st.lists(cell, min_size=rows, max_size=rows)) for name, cell in cells.items()},
        schema=pyarrow.schema(
            {"who": pyarrow.int64(), "a": pyarrow.string(), "b": pyarrow.float64(), "c": pyarrow.bool_()}
        ),
    )


@given(tables(), st.sampled_from([1, 2, 3]), st.booleans())
def test_codes_and_sql_agree(table: pyarrow.Table, threads: int, tiny_parts: bool) -> None:
    with pytest.MonkeyPatch.context() as patch, open_engine(source(table), threads=threads) as engine:
        if tiny_parts:
            patch.setattr(coded, "ROWS_A_PART", 4)
            patch.setattr(coded, "KEY_SPACE", 8 << 32)
            patch.setattr(coded, "SMALL", 2)
        for person in ("who", None):
            for columns in (("a",), ("b",), ("c",), ("a", "b"), ("c", "b", "a")):
                question = Question(columns, person)
                by_sql, alone = SqlEngine.sizes(engine, question), SqlEngine.people_alone(engine, question)
                patch.setattr(duckdb, "CODES_FROM", 1)
                assert engine.sizes(question).rows() == by_sql.rows()
                assert engine.people_alone(question) == alone
                patch.setattr(duckdb, "CODES_FROM", 10**9)


def test_keys_wider_than_64_bits_stay_exact() -> None:
    """Ten columns of 1,000 values need 100 bits: an overflowing key would merge different records."""
    random = numpy.random.default_rng(0)
    columns = {f"c{place}": random.integers(0, 1000, 5000) for place in range(10)}
    table = pyarrow.table(columns)

    def read(name: str) -> Iterator[pyarrow.RecordBatch]:
        yield from table.select([name]).to_batches()

    counted = CodedTable(read, 5000, MEMORY, 2).sizes(tuple(columns), None)
    assert counted.rows() == [(1, 1, 5000)]


def test_the_answer_is_the_same_when_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckdb, "CODES_FROM", 1)
    random = numpy.random.default_rng(0)
    columns = {"who": 50, "a": 9, "b": 700}
    table = pyarrow.table({name: random.integers(0, most, 3000) for name, most in columns.items()})
    read: list[str] = []

    def reader(name: str) -> Iterator[pyarrow.RecordBatch]:
        read.append(name)
        yield from table.select([name]).to_batches()

    roomy, tight = CodedTable(reader, 3000, MEMORY, 2), CodedTable(reader, 3000, 3000 * 20, 2)
    for asked in (("a",), ("b",), ("a", "b"), ("a",)):
        assert roomy.sizes(asked, "who").rows() == tight.sizes(asked, "who").rows()
        assert roomy.people_alone(asked, "who") == tight.people_alone(asked, "who")
    assert read.count("a") == 1 + 3


def test_a_column_that_cannot_be_coded_is_counted_by_sql(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckdb, "CODES_FROM", 1)
    table = pyarrow.table({"who": [1, 1, 2], "list": [[1, 2], [1, 2], [3]]})
    with open_engine(source(table)) as engine:
        assert engine.sizes(Question(("list",), "who")).rows() == [(1, 1, 1), (2, 1, 1)]


@pytest.mark.parametrize("rows_a_group", [3, 1000])
@pytest.mark.parametrize("dictionary", [True, False])
def test_text_columns_of_parquet_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows_a_group: int, dictionary: bool
) -> None:
    """Coded as they are stored: with missing values, an empty text, several files and row groups."""
    random = numpy.random.default_rng(0)
    values = numpy.array(["a", "b", "", "NA", None, "é"], dtype=object)
    for number in range(3):
        table = pyarrow.table(
            {
                "who": pyarrow.array(values[random.integers(0, 6, 200)]),
                "x": pyarrow.array(values[random.integers(number, 6, 200)]),
                "x.y": pyarrow.array([str(place % 7) for place in range(200)]),
                "category": pyarrow.array(values[random.integers(0, 6, 200)]).dictionary_encode(),
            }
        )
        pyarrow.parquet.write_table(
            table, tmp_path / f"{number}.parquet", row_group_size=rows_a_group, use_dictionary=dictionary
        )
    with open_engine(source(tmp_path)) as engine:
        for columns in (("x",), ("x.y",), ("category",), ("x", "x.y", "category")):
            for person in ("who", None):
                question = Question(columns, person)
                by_sql, alone = SqlEngine.sizes(engine, question), SqlEngine.people_alone(engine, question)
                monkeypatch.setattr(duckdb, "CODES_FROM", 1)
                assert engine.sizes(question).rows() == by_sql.rows()
                assert engine.people_alone(question) == alone
                monkeypatch.setattr(duckdb, "CODES_FROM", 10**9)


def test_a_column_without_records_has_no_codes() -> None:
    empty = pyarrow.record_batch({"x": pyarrow.array([], pyarrow.string())})
    assert (encode([], MEMORY).count, encode([empty], MEMORY).count) == (0, 0)
    found = encode([empty, pyarrow.record_batch({"x": ["a"]}), empty], MEMORY)
    assert (found.codes.tolist(), found.count) == ([0], 1)

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

from singleout import assess
from singleout.engine.codes import coded_table as coded
from singleout.engine.codes.coded_table import CodedTable
from singleout.engine.codes.dictionary import NotCodableError, encode
from singleout.engine.codes.parallel import map_units
from singleout.engine.databases import duckdb
from singleout.engine.databases import duckdb_parquet as parquet
from singleout.engine.databases.sql_engine import SqlEngine
from singleout.engine.open_engine import open_engine
from singleout.engine.protocol import Question
from singleout.errors import InputError
from singleout.read.source import source

MEMORY = 10**9
VALUES = st.one_of(
    st.lists(st.one_of(st.none(), st.text(max_size=3)), min_size=1, max_size=80),
    st.lists(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1)), min_size=1, max_size=80),
    st.lists(st.one_of(st.none(), st.sampled_from([0.0, -0.0, float("nan"), 0.1 + 0.2, 0.3])), min_size=1),
)


def agree(place: Any, questions: list[Question], patch: pytest.MonkeyPatch, threads: int = 2) -> None:
    """The engine's own way, with codes allowed from one record on, against plain SQL."""
    patch.setattr(duckdb, "CODES_FROM", 1)
    with open_engine(source(place), threads=threads) as engine:
        for question in questions:
            assert engine.sizes(question).rows() == SqlEngine.sizes(engine, question).rows()
            assert engine.people_alone(question) == SqlEngine.people_alone(engine, question)


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
    with pytest.raises(NotCodableError):
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
    sets = (("a",), ("b",), ("c",), ("a", "b"), ("c", "b", "a"))
    questions = [Question(columns, person) for columns in sets for person in ("who", None)]
    with pytest.MonkeyPatch.context() as patch:
        if tiny_parts:
            patch.setattr(coded, "MOST_ROWS_A_PART", 4)
            patch.setattr(coded, "KEY_SPACE", 8 << 32)
            patch.setattr(coded, "SMALL", 2)
        agree(table, questions, patch, threads)


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

    roomy = CodedTable(reader, 3000, MEMORY, 2)
    tight = CodedTable(reader, 3000, 3000 * coded.BYTES_A_RECORD + coded.BYTES_AT_LEAST, 2)
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
    by_dictionary = {"who", "x"} if dictionary and rows_a_group == 1000 else set()
    assert parquet.text_columns(sorted(tmp_path.iterdir())) == by_dictionary
    sets = (("x",), ("x.y",), ("category",), ("x", "x.y", "category"))
    agree(tmp_path, [Question(columns, person) for columns in sets for person in ("who", None)], monkeypatch)


def test_a_column_without_records_has_no_codes() -> None:
    empty = pyarrow.record_batch({"x": pyarrow.array([], pyarrow.string())})
    assert (encode([], MEMORY).count, encode([empty], MEMORY).count) == (0, 0)
    found = encode([empty, pyarrow.record_batch({"x": ["a"]}), empty], MEMORY)
    assert (found.codes.tolist(), found.count) == ([0], 1)


def test_a_view_has_no_order_to_rely_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns of a join that are read one by one do not fit together, record by record."""
    import duckdb as driver

    with driver.connect(str(tmp_path / "x.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT range AS id, range % 700 AS a FROM range(200000)")
        connection.execute("CREATE TABLE u AS SELECT range AS id, range % 311 AS b FROM range(200000)")
        connection.execute("CREATE VIEW v AS SELECT t.a, u.b FROM t JOIN u USING (id)")
        connection.execute("CREATE TABLE folded (a VARCHAR COLLATE NOCASE)")
        connection.execute("INSERT INTO folded VALUES ('a'), ('A'), ('b')")
    agree(f"{tmp_path / 'x.duckdb'}::v", [Question(("a", "b")), Question(("a",), "b")], monkeypatch)
    agree(f"{tmp_path / 'x.duckdb'}::folded", [Question(("a",))], monkeypatch)


def test_types_that_arrow_compares_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NaNs of different bits are one value to SQL, and 30 days are a month."""
    bits = numpy.array([0x7FF8000000000000, 0xFFF8000000000000, 0x7FF8000000000001], dtype=numpy.uint64)
    agree(pyarrow.table({"x": bits.view(numpy.float64)}), [Question(("x",))], monkeypatch)
    import duckdb as driver

    with driver.connect(str(tmp_path / "x.duckdb")) as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT INTERVAL '30 days' AS x UNION ALL SELECT INTERVAL '1 month'"
        )
    agree(f"{tmp_path / 'x.duckdb'}::t", [Question(("x",))], monkeypatch)


@pytest.mark.parametrize("records", [50, 2000])
def test_a_file_that_is_replaced_meanwhile_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, records: int
) -> None:
    """Codes of a shorter column would send the compiled loops past its end."""
    monkeypatch.setattr(duckdb, "CODES_FROM", 1)
    file = tmp_path / "x.parquet"

    def write(number: int) -> None:
        text = pyarrow.array([str(place % 9) for place in range(number)])
        pyarrow.parquet.write_table(pyarrow.table({"who": text, "a": text, "b": text}), file)

    def replace_once(doing: str, done: int, total: int) -> None:
        if (doing, done) == ("counting b", 1) and total:
            file.unlink()
            write(records)

    write(1000)
    with pytest.raises(InputError, match="changed while it was read"):
        assess(file, user="who", progress=replace_once)


def test_a_damaged_file_is_told_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckdb, "CODES_FROM", 1)
    file = tmp_path / "x.parquet"
    random = numpy.random.default_rng(0)
    pyarrow.parquet.write_table(
        pyarrow.table({"a": [f"{each}" for each in random.integers(0, 10**9, 5000)]}), file
    )
    content = bytearray(file.read_bytes())
    content[100:20_000] = bytes(19_900)
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"x\.parquet"):
        assess(file)


def test_a_column_of_different_texts_is_not_read_by_its_dictionary(tmp_path: Path) -> None:
    """Arrow would build one growing dictionary of all of it, for every piece anew."""
    texts = [f"a text that occurs once, number {number}" for number in range(20_000)]
    pyarrow.parquet.write_table(
        pyarrow.table({"x": texts}), tmp_path / "x.parquet", dictionary_pagesize_limit=9000
    )
    assert parquet.text_columns([tmp_path / "x.parquet"]) == frozenset()


@pytest.mark.parametrize("units", [0, 1, 31, 1000])
def test_units_of_work_keep_their_order_on_any_number_of_threads(units: int) -> None:
    for threads in (1, 2, 5):
        assert map_units(range(units), lambda unit: -unit, threads) == [-unit for unit in range(units)]

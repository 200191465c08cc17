"""What is said of a frame without a database is what the database says of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import pyarrow
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from singleout import generalise
from singleout.engine.databases import arrow_data
from singleout.engine.databases.duckdb import DuckDbEngine
from singleout.engine.databases.frame_columns import TYPES
from singleout.engine.databases.sql_engine import SqlEngine
from singleout.engine.open_engine import open_engine
from singleout.engine.protocol import Question
from singleout.errors import InputError
from singleout.read.source import source

TEXTS = st.one_of(st.none(), st.sampled_from(["", "a", "B", "b", "é", "ÿ\U0001f600", "a\0", "10", "9"]))


@st.composite
def plain_tables(draw: st.DrawFn) -> pyarrow.Table:
    """Several pieces of each kind of column."""
    rows = draw(st.integers(1, 12))
    cells: dict[str, tuple[pyarrow.DataType, Any]] = {
        "text": (pyarrow.string(), TEXTS),
        "long text": (pyarrow.large_string(), TEXTS),
        "whole": (pyarrow.int64(), st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1))),
        "small": (pyarrow.uint8(), st.integers(0, 12)),
        "truth": (pyarrow.bool_(), st.one_of(st.none(), st.booleans())),
    }
    columns = {
        name: pyarrow.array(draw(st.lists(cell, min_size=rows, max_size=rows)), kind)
        for name, (kind, cell) in cells.items()
    }
    table = pyarrow.table(columns)
    cut = draw(st.integers(0, rows))
    return pyarrow.concat_tables([table.slice(0, cut), table.slice(cut)])


@given(plain_tables(), st.sampled_from([1, 2]), st.booleans())
def test_a_frame_is_told_as_the_database_tells_it(table: pyarrow.Table, threads: int, person: bool) -> None:
    columns = tuple(table.column_names)
    question = Question(columns[1:], columns[0]) if person else Question(columns)
    with open_engine(source(table), threads=threads) as engine:
        assert isinstance(engine, DuckDbEngine)
        coded = engine.coded_records(question)
        values = [engine.values(name, question) for name in question.columns]
        looks = [engine.look(name) for name in columns]
        assert not engine._is_connected
        by_sql = SqlEngine.coded_records(engine, question)
        assert [each.tolist() for each in coded.codes] == [each.tolist() for each in by_sql.codes]
        assert (coded.values, coded.people) == (by_sql.values, by_sql.people)
        assert coded.record.tolist() == by_sql.record.tolist()
        if coded.person is not None and by_sql.person is not None:
            assert coded.person.tolist() == by_sql.person.tolist()
        assert values == [SqlEngine.values(engine, name, question) for name in question.columns]
        assert looks == [SqlEngine.look(engine, name) for name in columns]
        assert engine._is_connected


def test_each_type_is_called_as_the_database_calls_it() -> None:
    table = pyarrow.table({f"c{index}": pyarrow.nulls(1, kind) for index, kind in enumerate(TYPES)})
    with open_engine(source(table)) as engine:
        assert isinstance(engine, DuckDbEngine)
        assert not engine._is_connected
        assert engine.columns() == engine._describe_columns()


def test_text_is_generalised_without_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    table = pyarrow.table({"age": ["17", "18", "34", "35"], "sex": ["f", "m", "f", "m"]})
    rules = {"age": [{"type": "raw"}, {"type": "interval", "width": 10}, {"type": "suppress"}]}
    expected = generalise(table, hierarchies=rules, k=2)
    release = expected.release.to_arrow()

    def connect(**_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(duckdb, "connect", connect)
    assert generalise(table, hierarchies=rules, k=2).to_dict() == expected.to_dict()
    assert release.column("age").to_pylist() == ["10-19", "10-19", "30-39", "30-39"]


def test_a_closed_engine_does_not_open_again() -> None:
    with open_engine(source(pyarrow.table({"a": ["x"]}))) as engine:
        pass
    with pytest.raises(InputError):
        engine.rows("SELECT 1")


def text_array(content: bytes, offsets: list[int]) -> pyarrow.Array:
    buffers = [None, pyarrow.array(offsets, pyarrow.int32()).buffers()[1], pyarrow.py_buffer(content)]
    return pyarrow.Array.from_buffers(pyarrow.string(), len(offsets) - 1, buffers)


@pytest.mark.parametrize("told", [1, 3])
@pytest.mark.parametrize("kind", [pyarrow.string(), pyarrow.large_string()])
def test_a_wrong_number_of_missing_values_is_found(kind: pyarrow.DataType, told: int) -> None:
    """Two of these four are missing; what is told of them is what is counted elsewhere."""
    offsets = pyarrow.array(range(5), pyarrow.int64() if kind == pyarrow.large_string() else pyarrow.int32())
    buffers = [pyarrow.py_buffer(bytes([0b0011])), offsets.buffers()[1], pyarrow.py_buffer(b"abcd")]
    arrow_data._check_column("x", "a", pyarrow.Array.from_buffers(kind, 4, buffers, 2))
    for start in (0, 1):
        part = pyarrow.Array.from_buffers(kind, 4 - start, buffers, told, start)
        with pytest.raises(InputError, match="offsets or values that can't be"):
            arrow_data._check_column("x", "a", part)


@given(st.binary(max_size=6), st.lists(st.integers(0, 6), min_size=1, max_size=5), st.integers(0, 2))
def test_damaged_text_is_found_as_by_a_full_look(content: bytes, offsets: list[int], start: int) -> None:
    try:
        part = text_array(content, offsets)[start:]
    except pyarrow.ArrowInvalid:
        reject()
    assert is_refused(lambda: arrow_data._check_column("x", "a", part)) == is_refused(
        lambda: part.validate(full=True)
    )


def is_refused(look: Callable[[], object]) -> bool:
    try:
        look()
    except (InputError, pyarrow.ArrowInvalid):
        return True
    return False

"""Records as codes of their texts: on every engine the texts by hand, and numbers by one text each."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from singleout.engine.codes.number_texts import number_text, number_texts
from singleout.engine.codes.text_codes import TEXT, Texts, common_codes
from singleout.engine.columns import kind_of
from singleout.engine.databases import duckdb
from singleout.engine.open_engine import open_engine
from singleout.read.source import source
from tests.support.home import Home
from tests.support.odd_tables import SCHEMA, A, B, for_tables

ALL = tuple(SCHEMA.names)


def rows_of(texts: Texts) -> list[tuple[str | None, ...]]:
    """Every record's texts, read back from the codes."""
    columns = zip(texts.codes, texts.values, strict=True)
    return list(
        zip(*([values[int(code)].as_py() for code in codes] for codes, values in columns), strict=True)
    )


def by_hand(value: Any) -> str | None:
    """A value's text; numbers by value, for each database writes them in its own way."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return "nan" if value != value else str(Decimal(repr(value)).normalize() + 0)
    return str(value)


def comparable(row: tuple[str | None, ...]) -> tuple[str | None, ...]:
    """`who` and `select` hold numbers."""
    read = list(row)
    for place in (ALL.index("who"), ALL.index(B)):
        text = read[place]
        if text is not None and text.lower() != "nan":
            read[place] = str(Decimal(text).normalize() + 0)
        elif text is not None:
            read[place] = "nan"
    return tuple(read)


def test_texts_of_all_records_on_every_engine(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    for engine in ("duckdb", "postgres", "spark"):
        monkeypatch.setattr(f"singleout.engine.databases.{engine}.ROWS_A_BATCH", 3)

    def check(table: pyarrow.Table) -> None:
        with home.open(table) as engine:
            found = engine.texts(ALL)
            alone = engine.texts((A,))
        hand = [tuple(by_hand(value) for value in row.values()) for row in table.to_pylist()]
        assert Counter(map(comparable, rows_of(found))) == Counter(map(comparable, hand))
        assert Counter(rows_of(alone)) == Counter((row[ALL.index(A)],) for row in hand)
        for codes, values in zip(found.codes, found.values, strict=True):
            assert codes.dtype == numpy.uint32
            assert len(set(values.to_pylist())) == len(values) == len(set(codes.tolist()))

    for_tables(home, check, min(home.examples, 20))


def test_files_keep_their_order_and_cast_every_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckdb, "ROWS_A_BATCH", 2048)
    numbers = numpy.random.default_rng(0).permutation(20_000)
    table = pyarrow.table(
        {
            "number": numbers,
            "day": pyarrow.array(numbers % 900, pyarrow.int32()).cast(pyarrow.date32()),
            "at": pyarrow.array(numbers).cast(pyarrow.timestamp("s")),
            "kind": pyarrow.array((numbers % 3).astype(str)).dictionary_encode(),
            "price": pyarrow.array(numbers).cast(pyarrow.decimal128(21, 2)),
        }
    )
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    with open_engine(source(tmp_path / "t.parquet")) as engine:
        found = rows_of(engine.texts(tuple(table.column_names)))
    assert [row[0] for row in found] == [str(number) for number in numbers]
    assert [row[1] for row in found] == [str(day) for day in table["day"].to_pylist()]
    assert [row[2] for row in found] == [str(at) for at in table["at"].to_pylist()]
    assert [row[3] for row in found] == table["kind"].to_pylist()
    assert [row[4] for row in found] == [f"{number}.00" for number in numbers]


def test_a_table_without_records_has_no_codes(home: Home) -> None:
    with home.open(SCHEMA.empty_table() if home.name != "spark" else _emptied()) as engine:
        if home.name == "spark":
            engine.table = f"(SELECT * FROM {engine.table} WHERE who IS NULL)"
        found = engine.texts((A, "who"))
    assert [len(codes) for codes in found.codes] == [len(values) for values in found.values] == [0, 0]
    assert all(values.type == TEXT for values in found.values)


def _emptied() -> pyarrow.Table:
    """Spark can't tell the types of no rows."""
    return pyarrow.table({name: [value] for name, value in zip(ALL, (1, "x", 0.5, True, "y"), strict=True)})


DICTIONARIES = st.lists(
    st.lists(st.one_of(st.none(), st.text(max_size=2)), max_size=8), min_size=1, max_size=3
)


@given(DICTIONARIES)
@example([[], ["x"]])
@example([[]])
def test_codes_mean_the_same_in_all_dictionaries(dictionaries: list[list[str | None]]) -> None:
    codes, texts = common_codes([pyarrow.array(each, TEXT) for each in dictionaries])
    read = [[texts[int(code)].as_py() for code in each] for each in codes]
    assert read == dictionaries
    every = {text for each in dictionaries for text in each}
    filled = sorted(text for text in every if text is not None)
    assert texts.to_pylist() == [*filled, *([None] if None in every else [])]


NUMBERS = st.one_of(
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**60), max_value=10**60).map(str),
    st.integers(-(10**40), 10**40).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.from_regex(r"[+-]?[0-9]{1,4}\.[0-9]{0,4}([eE][+-]?[0-9]{1,2})?", fullmatch=True),
)


@given(NUMBERS, NUMBERS)
@example("1.50", "15e-1")
@example("-0.0", "0")
@example("1e50", "1" + "0" * 50)
@example("0.1000000000000000055511151231257827", "0.1")
def test_numbers_have_one_text_each(one: str, other: str) -> None:
    assert (number_text(one) == number_text(other)) == (Decimal(one) == Decimal(other))
    assert Decimal(number_text(one)) == Decimal(one)
    assert number_text(number_text(one)) == number_text(one)


@given(st.lists(st.one_of(st.none(), NUMBERS, st.text(max_size=3)), max_size=10))
@example(["1", None, "1.0", "x", "", "1,5", "12\n", " 1", "1e1000", "０"])
def test_a_list_of_numbers_is_read_one_by_one(texts: list[str | None]) -> None:
    found = number_texts(pyarrow.array(texts, TEXT))
    assert found.to_pylist() == [None if text is None else number_text(text) for text in texts]
    assert found.type == TEXT


def test_what_is_no_number_stays_as_it_is() -> None:
    for text in ("", "1,5", "12\n", " 1", "1e1000", "０", "x1", "0x10", "1_000", "--1"):
        assert number_text(text) == text
    assert [number_text(text) for text in ("NaN", "Infinity", "-inf")] == ["nan", "inf", "-inf"]


def test_kinds_of_values() -> None:
    numbers = [
        "BIGINT",
        "UTINYINT",
        "HUGEINT",
        "INTEGER",
        "int4",
        "int8",
        "double",
        "float8",
        "numeric(5, 2)",
    ]
    assert {kind_of(each) for each in [*numbers, "DECIMAL(18,3)", "double precision", "real"]} == {"numbers"}
    assert {kind_of(each) for each in ("VARCHAR", "text", "string", "bpchar(3)", "ENUM('a')")} == {"text"}
    assert {kind_of(each) for each in ("TIMESTAMP WITH TIME ZONE", "timestamp_ntz")} == {"times"}
    assert (kind_of("DATE"), kind_of("bool")) == ("dates", "yes or no")
    odd = ["INTERVAL", "INTEGER[]", "VARCHAR[]", "array<int>", "BLOB", "UUID", "int4range"]
    assert {kind_of(each) for each in odd} == {"other values"}

"""The release: what a plain loop makes of the records, in an order that tells nothing, read as written."""

from __future__ import annotations

import sqlite3
import struct
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from math import nan
from pathlib import Path
from typing import Any

import duckdb
import numpy
import pyarrow
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.deidentify.release_reader import AS_WRITTEN, reread
from singleout.deidentify.release_table import (
    LabelledColumn,
    Order,
    arrangement,
    released_table,
    write_release,
)
from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.numbering import join_codes
from singleout.engine.databases.sql_engine import SqlEngine
from singleout.engine.open_engine import open_engine
from singleout.engine.protocol import Question
from singleout.errors import OutputError, UsageError
from singleout.read.source import KIND_BY_ENDING, CsvFormat, Source, source
from tests.by_hand.coded_records_by_hand import check_codes, comparable, kept
from tests.support.home import Home
from tests.support.odd_tables import RULES, A, B, C, D, tables
from tests.support.postgres_server import load_into_postgres

ENDINGS = [".csv", ".parquet"]
ORDERS: list[Order] = ["sorted", "shuffled"]
HOSTILE = [
    '"',
    '""',
    'a"b',
    "a,b",
    ";",
    "\t",
    "a\nb",
    "\n",
    "a\r\nb",
    "\r",
    "*",
    "NA",
    "NULL",
    "nan",
    " ",
    " x ",
]
HOSTILE += [
    "é",
    "e\u0301",
    "\ufeff",
    "山",
    "\U0001f600",
    "'",
    "\\",
    "\\N",
    "#",
    "=1+1",
    "[30, 40)",
    "0",
    "00",
    "-",
]
LABELS = st.one_of(st.none(), st.sampled_from(HOSTILE))


Release = tuple[Any, list[LabelledColumn | str], pyarrow.Table]


@st.composite
def releases(draw: st.DrawFn) -> Release:
    rows = draw(st.integers(0, 20))

    def column(cell: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(cell, min_size=rows, max_size=rows))

    generalised = []
    for name in ('a "b"', "c,d"):
        labels = draw(st.lists(LABELS, min_size=1, max_size=4))
        codes = numpy.array(column(st.integers(0, len(labels) - 1)), dtype=numpy.uint32)
        generalised.append(LabelledColumn(name, codes, tuple(labels)))
    numbers = pyarrow.array(column(st.sampled_from([None, 0.0, -0.0, nan, 1.5])), pyarrow.float64())
    carried = pyarrow.table(
        {
            "illness": pyarrow.array(column(LABELS), pyarrow.string()).dictionary_encode(),
            "x": numbers,
            "unused": pyarrow.array(range(rows)),
        }
    )
    chosen = numpy.array(column(st.booleans()), dtype=bool)
    columns: list[LabelledColumn | str] = [generalised[0], "illness", generalised[1], "x"]
    return chosen, columns, carried


def rows_of(table: pyarrow.Table) -> list[tuple[Any, ...]]:
    """Rows that compare as they are written: -0.0 is not 0.0, and NaN is NaN."""
    return list(zip(*(map(_shown, column.to_pylist()) for column in table.columns), strict=True))


def _shown(value: Any) -> Any:
    return struct.pack("d", value) if isinstance(value, float) else value


def by_hand(
    chosen: Any, columns: list[LabelledColumn | str], carried: pyarrow.Table, star: bool
) -> list[tuple[Any, ...]]:
    found = []
    for place, is_kept in enumerate(chosen.tolist()):
        row = []
        for column in columns:
            if isinstance(column, str):
                row.append(_shown(carried[column][place].as_py()))
            else:
                row.append(column.labels[column.codes[place]] if is_kept else "*")
        if is_kept or star:
            found.append(tuple(row))
    return found


@given(releases(), st.booleans())
def test_rows_are_those_of_a_plain_loop(release: Release, star: bool) -> None:
    table = released_table(*release, star)
    assert table.column_names == ['a "b"', "illness", "c,d", "x"]
    assert rows_of(table) == by_hand(*release, star)


@given(releases(), st.randoms(use_true_random=False), st.integers(0, 9))
def test_the_order_depends_only_on_which_rows_there_are(release: Release, random: Any, seed: int) -> None:
    table = released_table(*release, star=True)
    mixed = list(range(table.num_rows))
    random.shuffle(mixed)
    other = table.take(pyarrow.array(mixed, pyarrow.int64()))
    for order in ORDERS:
        first, second = (each.take(arrangement(each, order, seed)) for each in (table, other))
        assert rows_of(first) == rows_of(second)
        assert Counter(rows_of(first)) == Counter(rows_of(table))


def sortable(row: tuple[Any, ...]) -> list[Any]:
    """Missing last; text by its characters' codes; NaN after all numbers, and beside it 0.0 before -0.0."""
    keys: list[Any] = []
    for value in row:
        if isinstance(value, bytes):
            number = struct.unpack("d", value)[0]
            keys.append((0, number != number, 0.0 if number != number else number, value[::-1]))
        else:
            keys.append((value is None, value or ""))
    return keys


@given(releases())
def test_sorted_is_from_left_to_right(release: Release) -> None:
    table = released_table(*release)
    ordered = rows_of(table.take(arrangement(table, "sorted")))
    assert ordered == sorted(rows_of(table), key=sortable)


def test_a_shuffle_undone_is_sorted() -> None:
    table = pyarrow.table({"a": [f"{number * 7919 % 100:02}" for number in range(100)]})
    places = {seed: arrangement(table, "shuffled", seed) for seed in (0, 0, 1)}
    assert places[0].tolist() != places[1].tolist()
    permuted = numpy.random.Generator(numpy.random.PCG64(0)).permutation(100)
    undone = numpy.empty(100, dtype=numpy.int64)
    undone[permuted] = places[0]
    assert undone.tolist() == arrangement(table, "sorted").tolist()
    assert arrangement(table, "shuffled", 0).tolist() == places[0].tolist()


def test_many_distinct_columns_need_more_than_one_number() -> None:
    """Two values, then seven columns of 5,000 values each: more tuples than 64 bits can number."""
    draw = numpy.random.default_rng(3)
    columns = {f"c{place}": draw.permutation(10_000) // 2 for place in range(8)}
    columns["c0"] //= 2_500
    table = pyarrow.table(columns)
    wanted = numpy.lexsort(tuple(reversed(list(columns.values()))))
    assert arrangement(table, "sorted").tolist() == wanted.tolist()


@pytest.mark.parametrize(
    "values",
    [
        [Decimal("1.50"), None, Decimal("-2.00")],
        [True, False, None],
        [b"\xff", b"", None],
        [None, None, None],
    ],
)
def test_kinds_that_can_be_sorted(values: list[Any]) -> None:
    table = pyarrow.table({"a": values})
    ordered = sorted(value for value in values if value is not None)
    found = table.take(arrangement(table, "sorted"))["a"].to_pylist()
    assert found == ordered + [None] * values.count(None)


@pytest.mark.parametrize("order", ORDERS)
def test_a_column_that_has_no_order_is_refused(order: Order) -> None:
    table = pyarrow.table({"a": ["x", "y"], "many": [[1], [2, 3]]})
    with pytest.raises(OutputError, match=r"column 'many': values of the type list<.*make it text"):
        arrangement(table, order)


def test_usage_that_can_not_be_meant() -> None:
    with pytest.raises(UsageError, match="'random' is no order of records; there are sorted and shuffled"):
        arrangement(pyarrow.table({"a": ["x"]}), "random")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="column 'illness': nothing is carried over"):
        released_table(numpy.array([True]), ["illness"])


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_value_of_a_suppressed_record_is_in_the_file(tmp_path: Path, ending: str) -> None:
    """An Arrow dictionary keeps values that no row has any more, and Parquet would write them all."""
    carried = pyarrow.table({"illness": pyarrow.array(["flu", "secret-illness"]).dictionary_encode()})
    town = LabelledColumn("town", numpy.array([0, 1]), ("Ulm", "secret-town"))
    table = released_table(numpy.array([True, False]), [town, "illness"], carried)
    assert table["town"].combine_chunks().dictionary.to_pylist() == ["Ulm"]
    write_release(table, tmp_path / f"out{ending}", lambda _: None)
    assert table["illness"].type == pyarrow.string()
    written = (tmp_path / f"out{ending}").read_bytes()
    assert b"Ulm" in written
    assert b"secret" not in written


def test_a_parquet_file_holds_plain_text(tmp_path: Path) -> None:
    town = pyarrow.array(["Ulm", "secret-town"]).dictionary_encode()
    write_release(pyarrow.table({"town": town[:1]}), tmp_path / "out.parquet", lambda _: None)
    assert pyarrow.parquet.read_schema(tmp_path / "out.parquet").types == [pyarrow.string()]
    assert b"secret" not in (tmp_path / "out.parquet").read_bytes()


def read_back(path: Path) -> list[tuple[Any, ...]]:
    """By our own reader, as it reads a file that it is told how is written."""
    kind = KIND_BY_ENDING[path.suffix]
    with open_engine(Source(kind, str(path), csv=AS_WRITTEN if kind == "csv" else CsvFormat())) as engine:
        return engine.rows(f"SELECT * FROM {engine.table}")


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("names", [("a",), ("a", 'b "c", d'), ("line\nbreak", "名前", "record")])
def test_hostile_texts_come_back(tmp_path: Path, ending: str, names: tuple[str, ...]) -> None:
    texts = [*HOSTILE, None, *reversed(HOSTILE), None]
    table = pyarrow.table({name: texts[place:] + texts[:place] for place, name in enumerate(names)})
    found: list[Codes] = []

    def check(draft: Path) -> None:
        found.append(join_codes(reread(draft, KIND_BY_ENDING[ending], names, names)))

    out = tmp_path / f"out [1]*{ending}"
    write_release(table, out, check)
    assert read_back(out) == rows_of(table)
    check_classes(found[0], table)


def test_in_csv_an_empty_text_is_a_missing_one(tmp_path: Path) -> None:
    table = pyarrow.table({"a": ["", None, "x"], "b": [1, 1, 1]})
    for ending, classes in ((".csv", 2), (".parquet", 3)):
        out = tmp_path / f"out{ending}"
        write_release(table, out, lambda _: None)
        assert reread(out, KIND_BY_ENDING[ending], ("a", "b"), ("a",))[0].count == classes


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("threads", [1, 2])
def test_classes_read_back_equal_a_grouping_by_hand(tmp_path: Path, ending: str, threads: int) -> None:
    @settings(max_examples=20)
    @given(releases(), st.sampled_from([('a "b"', "c,d"), ("c,d",), ("c,d", "illness", 'a "b"')]))
    def check_release(release: Release, columns: tuple[str, ...]) -> None:
        table = released_table(*release, star=True)
        placed = table.take(arrangement(table, "shuffled", 1))

        def check(draft: Path) -> None:
            found = reread(draft, KIND_BY_ENDING[ending], tuple(table.column_names), columns, threads)
            for name, codes in zip(columns, found, strict=True):
                check_classes(codes, placed.select([name]))
            check_classes(join_codes(found, threads), placed.select(columns))

        write_release(placed, tmp_path / f"out{ending}", check)

    check_release()


def check_classes(found: Codes, table: pyarrow.Table) -> None:
    """The same number where the rows are the same, in the order of the file, and all numbers are used."""
    rows = rows_of(table)
    assert len(found.codes) == len(rows)
    assert len(set(zip(found.codes.tolist(), rows, strict=True))) == len(set(rows))
    assert sorted(set(found.codes.tolist())) == list(range(found.count))
    assert found.count == len(set(rows))


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_failing_check_leaves_all_as_it_was(tmp_path: Path, ending: str) -> None:
    table = pyarrow.table({"a": ["x", "y"]})
    new, old = tmp_path / f"new{ending}", tmp_path / f"old{ending}"
    old.write_text("old")

    def refuse(draft: Path) -> None:
        assert reread(draft, KIND_BY_ENDING[ending], ("a",), ("a",))[0].codes.tolist() == [0, 1]
        raise OutputError("the smallest class has 1 record and not 2")

    for target in (new, old):
        with pytest.raises(OutputError, match=rf"{target.name}: the smallest class .*; nothing was written"):
            write_release(table, target, refuse)
    with pytest.raises(KeyboardInterrupt):
        write_release(table, old, interrupt)
    assert [path.name for path in tmp_path.iterdir()] == [old.name]
    assert old.read_text() == "old"


def interrupt(_: Path) -> None:
    raise KeyboardInterrupt


def test_a_file_that_is_not_what_was_declared(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    write_release(pyarrow.table({"a": ["x"], "b": ["y"]}), out, lambda _: None)
    with pytest.raises(OutputError, match="read back with the columns 'a', 'b' and not 'a'"):
        reread(out, "csv", ("a",), ("a",))
    zero = pyarrow.table({"a": ["x\0y"]})
    with pytest.raises(OutputError, match=r"out\.csv: the release can't be read back: holds zero bytes"):
        write_release(zero, out, check_as_csv)
    assert read_back(out) == [("x", "y")]


def check_as_csv(draft: Path) -> None:
    reread(draft, "csv", ("a",), ("a",))


def check_carried(
    engine: SqlEngine, table: pyarrow.Table, question: Question, carry: tuple[str, ...]
) -> None:
    coded, carried = engine.coded_records_and_columns(question, carry)
    rows = {row["record"]: row for row in kept(table, question)}
    assert carried.column_names == list(carry)
    assert coded.record.tolist() == sorted(rows)
    wanted = [rows[number] for number in sorted(rows)]
    for name, codes, values in zip(question.columns, coded.codes, coded.values, strict=True):
        check_codes(codes, values, [comparable(row[name]) for row in wanted])
    if question.person is not None:
        check_codes(coded.person, coded.people, [row[question.person] for row in wanted])
    for name in carry:
        found = [comparable(value) for value in carried[name].to_pylist()]
        assert found == [comparable(row[name]) for row in wanted]
    assert coded.record.tolist() == engine.coded_records(question).record.tolist()


def test_carried_columns_stand_beside_their_codes(home: Home) -> None:
    @settings(max_examples=home.examples // 2)
    @given(tables(), st.sampled_from(RULES), st.sampled_from([None, "who"]))
    def check(table: pyarrow.Table, rule: Any, person: str | None) -> None:
        question = Question((D, A), person, rule)
        with home.open(table) as engine:
            for carry in ((B, A, C, "who"), ()):
                check_carried(engine, table, question, carry)

    check()


def test_a_carried_column_may_be_called_like_ours(home: Home) -> None:
    table = pyarrow.table(
        {"record": ["x", "y", None], "v0": ["p", None, "q"], "c0": [3, 1, 2], "k0": [1, 1, 2]}
    )
    with home.open(table) as engine:
        coded, carried = engine.coded_records_and_columns(Question(("c0",), "k0"), ("v0", "record", "c0"))
    assert carried.to_pydict() == {"v0": ["p", None, "q"], "record": ["x", "y", None], "c0": [3, 1, 2]}
    assert coded.codes[0].tolist() == [2, 0, 1]
    assert coded.person is not None
    assert coded.person.tolist() == [0, 0, 1]


PLAIN = pyarrow.table({"id": list(range(40)), "town": [f"t{number * 7 % 5}" for number in range(40)]})


def stored(folder: Path) -> Iterator[Any]:
    """The same table in every kind of file."""
    pyarrow.csv.write_csv(PLAIN, folder / "t.csv")
    pyarrow.parquet.write_table(PLAIN, folder / "t.parquet", row_group_size=7)
    pyarrow.feather.write_feather(PLAIN, str(folder / "t.arrow"))
    with duckdb.connect(str(folder / "t.duckdb")) as connection:
        connection.register("plain", PLAIN)
        connection.execute("CREATE TABLE t AS FROM plain")
        connection.execute("CREATE VIEW v AS SELECT * FROM t ORDER BY town")
    with sqlite3.connect(folder / "t.sqlite") as file:
        file.execute("CREATE TABLE t (id INTEGER, town TEXT)")
        file.executemany("INSERT INTO t VALUES (?, ?)", [tuple(row.values()) for row in PLAIN.to_pylist()])
    file.close()
    yield from ("t.csv", "t.parquet", "t.arrow", "t.duckdb::t", "t.duckdb::v", "t.sqlite::t")


def test_every_kind_of_file(tmp_path: Path) -> None:
    towns = {str(row["id"]): row["town"] for row in PLAIN.to_pylist()}
    for name in stored(tmp_path):
        with open_engine(source(f"{tmp_path}/{name}")) as engine:
            coded, carried = engine.coded_records_and_columns(Question(("town",)), ("id",))
        found = [f"t{code}" for code in coded.codes[0].tolist()]
        assert found == [towns[str(number)] for number in carried["id"].to_pylist()]
        assert len(found) == 40


@pytest.mark.xdist_group("postgres")
def test_an_index_does_not_part_codes_from_what_they_carry(postgres_address: str) -> None:
    """PostgreSQL reads a narrow column from its index, in the order of that: asked twice, rows would mix."""
    import psycopg

    number = [place * 7919 % 1000 for place in range(5000)]
    table = pyarrow.table({"k": number, "name": [f"n{each}" for each in number], "wide": ["x" * 200] * 5000})
    address = load_into_postgres(postgres_address, table)
    name = address.rpartition("::")[2]
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        connection.execute(f"CREATE INDEX ON {name} (k)".encode())
        connection.execute(f"VACUUM ANALYZE {name}".encode())
    with open_engine(source(address)) as engine:
        assert engine.coded_records(Question(("k",))).codes[0].tolist() == sorted(number)
        coded, carried = engine.coded_records_and_columns(Question(("k",)), ("name",))
    assert [f"n{code}" for code in coded.codes[0].tolist()] == carried["name"].to_pylist()

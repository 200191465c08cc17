"""Every place a table can be in: typed values stay typed, and nothing but the table is counted."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.feather
import pyarrow.parquet
import pytest

from singleout import assess
from singleout.engine.databases.duckdb_tables import Loader
from singleout.engine.open_engine import open_engine
from singleout.errors import InputError, UsageError
from singleout.read.source import CsvFormat, source

TABLE = pyarrow.table({"word": ["a", "a", "b"], "x": [1, 2, 2], "y": ["p", None, "p"]})


def values(data: Any, **options: Any) -> dict[str, int]:
    """How many different values each column has, a missing one included."""
    found = assess(data, **options)
    return {each.name: int(each.risk.values.known) for each in found.attributes}


def rows(data: Any) -> list[tuple[Any, ...]]:
    with open_engine(source(data)) as engine:
        return engine.rows(f"SELECT * FROM {engine.table}")


def write_ipc(path: Path, new: Callable[..., Any], table: pyarrow.Table = TABLE) -> Path:
    with new(str(path), table.schema) as writer:
        writer.write_table(table)
    return path


@pytest.mark.parametrize("name", ["t.parquet", "t.pq", "without_ending", "p[1].parquet"])
def test_parquet_file(tmp_path: Path, name: str) -> None:
    pyarrow.parquet.write_table(TABLE.slice(0, 1), tmp_path / "p1.parquet")
    pyarrow.parquet.write_table(TABLE, tmp_path / name)
    assert values(tmp_path / name) == {"word": 2, "x": 2, "y": 2}


def test_parquet_folder_and_pattern(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "_temporary").mkdir()
    (tmp_path / "_SUCCESS").touch()
    for name in ("1.parquet", "deep/2.parquet", "_temporary/3.parquet"):
        pyarrow.parquet.write_table(TABLE, tmp_path / name)
    assert assess(tmp_path).records == 6
    assert assess(f"{tmp_path}/*.parquet").records == 3
    assert assess(f"{tmp_path}/**/[12].parquet").records == 6
    assert assess(f"{tmp_path}/1*").records == 3


def test_arrow_files_by_a_pattern(tmp_path: Path) -> None:
    for name in ("1.arrow", "2.arrow"):
        with pyarrow.ipc.new_file(tmp_path / name, TABLE.schema) as writer:
            writer.write_table(TABLE)
    assert assess(f"{tmp_path}/*.arrow").records == 6


def test_a_folder_that_is_called_like_a_file(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").mkdir()
    pyarrow.parquet.write_table(TABLE, tmp_path / "t.parquet" / "part-0.parquet")
    assert assess(tmp_path).records == assess(tmp_path / "t.parquet").records == 3


def test_parquet_files_of_other_types_are_widened(tmp_path: Path) -> None:
    """Pandas writes whole numbers as 1.0 where one of them is missing."""
    pyarrow.parquet.write_table(pyarrow.table({"x": [1, 2]}), tmp_path / "1.parquet")
    pyarrow.parquet.write_table(pyarrow.table({"x": [1.0, 1.5]}), tmp_path / "2.parquet")
    assert values(tmp_path) == {"x": 3}


def test_parquet_files_with_other_columns_are_refused(tmp_path: Path) -> None:
    pyarrow.parquet.write_table(TABLE.select(["x", "y"]), tmp_path / "1.parquet")
    pyarrow.parquet.write_table(TABLE.select(["y", "x"]), tmp_path / "2.parquet")
    assert values(tmp_path) == {"x": 2, "y": 2}
    pyarrow.parquet.write_table(TABLE, tmp_path / "3.parquet")
    with pytest.raises(InputError, match=r"3\.parquet: column 'word' is not in every file"):
        assess(tmp_path)


def test_folders_may_name_a_column(tmp_path: Path) -> None:
    for year in (2019, 2020):
        (tmp_path / f"year={year}").mkdir()
        pyarrow.parquet.write_table(TABLE, tmp_path / f"year={year}" / "1.parquet")
    assert values(tmp_path)["year"] == 2


@pytest.mark.parametrize("name", ["t.arrow", "t.ipc", "t.feather", "without_ending", "t.arrows"])
@pytest.mark.parametrize("new", [pyarrow.ipc.new_file, pyarrow.ipc.new_stream])
def test_arrow(tmp_path: Path, name: str, new: Callable[..., Any]) -> None:
    assert rows(write_ipc(tmp_path / name, new)) == [("a", 1, "p"), ("a", 2, None), ("b", 2, "p")]


@pytest.mark.parametrize("compression", ["zstd", "lz4", "uncompressed"])
def test_feather(tmp_path: Path, compression: str) -> None:
    pyarrow.feather.write_feather(TABLE, tmp_path / "t.feather", compression=compression)
    assert values(tmp_path / "t.feather") == {"word": 2, "x": 2, "y": 2}


def test_feather_of_version_1_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.feather").write_bytes(b"FEA1 and so on")
    with pytest.raises(InputError, match=r"t\.feather: is Feather of version 1"):
        assess(tmp_path / "t.feather")


@pytest.fixture
def duckdb_file(tmp_path: Path) -> Path:
    path = tmp_path / "base.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE SCHEMA aaa")
        connection.execute("CREATE TABLE t AS SELECT 1 AS x")
        connection.execute("CREATE TABLE aaa.t AS SELECT 1 AS y, 2 AS z")
        connection.execute("CREATE TABLE aaa.other AS SELECT 1 AS o")
        connection.execute('CREATE TABLE "odd ""na.me" AS SELECT 1 AS n')
        connection.execute("CREATE VIEW v AS SELECT * FROM aaa.t")
        connection.execute(
            "CREATE TABLE types AS SELECT [1, 2] AS l, {'a': 1} AS s, 1.5::DECIMAL(5, 2) AS d, "
            "INTERVAL 1 DAY AS i, uuid() AS u, 'x'::BLOB AS b, 'y'::ENUM('x', 'y') AS e FROM range(4)"
        )
    return path


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ("t", ["x"]),
        ("main.t", ["x"]),
        ("aaa.t", ["y", "z"]),
        ("other", ["o"]),
        ('odd "na.me', ["n"]),
        ("v", ["y", "z"]),
        ("types", ["l", "s", "d", "i", "u", "b", "e"]),
    ],
)
def test_duckdb_tables(duckdb_file: Path, table: str, columns: list[str]) -> None:
    assert list(values(f"{duckdb_file}::{table}")) == columns


@pytest.mark.parametrize(
    ("table", "ordered"),
    [("t", True), ("aaa.t", True), ("types", True), ("v", False), ("folded", False), ("aaa.folded", True)],
)
def test_what_must_not_be_read_column_by_column(
    duckdb_file: Path, tmp_path: Path, table: str, ordered: bool
) -> None:
    with duckdb.connect(str(duckdb_file)) as connection:
        connection.execute("CREATE TABLE folded (x VARCHAR COLLATE NOCASE, y INTEGER)")
        connection.execute("CREATE TABLE aaa.folded (x VARCHAR, y INTEGER)")
    origin = source(f"{duckdb_file}::{table}")
    with duckdb.connect() as connection:
        loader = Loader(origin)
        loader.use(connection, tmp_path)
        assert loader.ordered
        loader.table_of(origin)
        assert loader.ordered == ordered
        assert loader.remarks == []


def test_duckdb_file_is_not_written(duckdb_file: Path) -> None:
    before = duckdb_file.read_bytes()
    assess(f"{duckdb_file}::t")
    assert duckdb_file.read_bytes() == before
    assert sorted(each.name for each in duckdb_file.parent.iterdir()) == ["base.duckdb"]


@pytest.fixture
def sqlite_file(tmp_path: Path) -> Path:
    path = tmp_path / "base.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (whole INTEGER, mixed, bytes BLOB, empty, part REAL, word TEXT)")
    connection.executemany(
        "INSERT INTO t VALUES (?, ?, ?, NULL, ?, ?)",
        [
            (2**53, 1, b"\xff\x00", 0.5, "a"),
            (2**53 + 1, "1", b"\xff", 0.5, "A"),
            (-(2**63), b"1", None, 1e308, '"a"'),
            (2**63 - 1, 1.5, b"", None, "日本"),
            (None, None, b"\xff", 0.25, None),
            (2**53, b"\xff\xfe", b"\xff", 0.25, "a"),
        ],
    )
    connection.execute("CREATE TABLE many (x INTEGER, y TEXT)")
    connection.executemany("INSERT INTO many VALUES (?, ?)", ((i, f"v{i % 7}") for i in range(120_000)))
    connection.execute("CREATE TABLE latin (word TEXT)")
    connection.execute("INSERT INTO latin VALUES (CAST(x'e9' AS TEXT))")
    connection.execute('CREATE TABLE "odd ""name" (x)')
    connection.execute('INSERT INTO "odd ""name" VALUES (1)')
    connection.commit()
    connection.close()
    return path


def test_sqlite_values_keep_their_types(sqlite_file: Path) -> None:
    found = rows(f"{sqlite_file}::t")
    assert [row[0] for row in found] == [2**53, 2**53 + 1, -(2**63), 2**63 - 1, None, 2**53]
    assert [row[1] for row in found] == ["1", '"1"', "X31", "1.5", None, "XFFFE"]
    assert [row[2] for row in found] == [b"\xff\x00", b"\xff", None, b"", b"\xff", b"\xff"]
    assert [row[3] for row in found] == [None] * 6
    assert values(f"{sqlite_file}::t") == {
        "whole": 5, "mixed": 6, "bytes": 4, "empty": 1, "part": 4, "word": 5,
    }  # fmt: skip


def test_sqlite_tables(sqlite_file: Path) -> None:
    assert values(f"{sqlite_file}::many", threads=2) == {"x": 120_000, "y": 7}
    assert values(f'{sqlite_file}::odd "name') == {"x": 1}


def test_sqlite_text_that_is_not_utf_8(sqlite_file: Path) -> None:
    with pytest.raises(InputError, match="column 'word' holds text that is not UTF-8"):
        assess(f"{sqlite_file}::latin")


def test_a_database_without_a_known_ending(sqlite_file: Path, duckdb_file: Path) -> None:
    for path, table in ((sqlite_file, "many"), (duckdb_file, "t")):
        path.rename(path.with_suffix(".db"))
        assert "x" in values(f"{path.with_suffix('.db')}::{table}")


def test_pandas() -> None:
    frame = pandas.DataFrame(
        {
            "user": ["a", "a", "b", "b"],
            "whole": [1, None, 1, 2],
            "kind": pandas.Categorical(["x", None, "x", "z"], categories=["x", "y", "z"]),
            "day": pandas.to_datetime(["2020-01-01", None, "2020-01-01", "2020-01-02"]),
        }
    )
    expected = {"whole": 3, "kind": 3, "day": 3}
    assert values(frame, user="user") == expected
    for index in ([7, 7, 8, 9], ["q", "r", "s", 1]):
        frame.index = pandas.Index(index, name="user")
        assert values(frame, user="user") == expected


@pytest.mark.parametrize("mixed", [[1, "x"], ["x", 2.5], [object(), object()]])
def test_a_pandas_column_that_mixes_types(mixed: list[Any]) -> None:
    with pytest.raises(InputError) as caught:
        assess(pandas.DataFrame({"fine": [1, 2], "the bad one": mixed}))
    assert str(caught.value).startswith("DataFrame: column 'the bad one' (object) mixes types")
    assert "convert it first" in str(caught.value)


def test_polars() -> None:
    frame = polars.DataFrame(
        {
            "whole": [1, None, 1],
            "part": [float("nan"), None, 0.0],
            "kind": polars.Series(["x", None, "x"], dtype=polars.Categorical),
            "list": [[1], [2], None],
        }
    )
    assert values(frame) == {"whole": 2, "part": 3, "kind": 2, "list": 3}


@pytest.mark.parametrize(
    "shape",
    [
        lambda table: table,
        lambda table: table.to_reader(),
        lambda table: table.to_batches()[0],
        duckdb.from_arrow,
    ],
)
def test_arrow_in_memory(shape: Callable[[pyarrow.Table], Any]) -> None:
    assert values(shape(TABLE)) == {"word": 2, "x": 2, "y": 2}


def test_typed_values_group_by_value() -> None:
    table = pyarrow.table({"float": [0.0, -0.0, 1.0], "text": ["1", "1.0", "01"], "flag": [True, None, True]})
    assert values(table) == {"float": 2, "text": 3, "flag": 2}


@pytest.mark.parametrize("thing", [{"a": [1]}, [1], None, 3, polars.LazyFrame({"a": [1]}), b"t.csv"])
def test_what_is_no_table(thing: Any) -> None:
    with pytest.raises(UsageError, match="is not a table; give a path"):
        assess(thing)


def test_what_would_become_a_table_is_told_how() -> None:
    with pytest.raises(UsageError, match=r"pyarrow table; collect\(\) makes it one"):
        assess(polars.LazyFrame({"a": [1]}))
    for series in (pandas.Series(["x"], name="a"), polars.Series("a", ["x"])):
        with pytest.raises(InputError, match=r"is one column and no table; to_frame\(\) makes"):
            assess(series, user="none")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("postgresql://ann:secret@host/base::t", "postgresql://ann@host/base::t"),
        ("postgresql://ann:sec@ret@host/base::t", "postgresql://ann@host/base::t"),
        ("postgresql://ann:sec/ret@host/base::t", "postgresql://ann@host/base::t"),
        ("postgresql://ann:sec?r=et@host/base::t", "postgresql://ann@host/base::t"),
        ("postgresql://ann@corp:secret@host/base::t", "postgresql://ann@corp@host/base::t"),
        ("postgresql://ann@host:5432/base::t", "postgresql://ann@host:5432/base::t"),
        ("postgresql://host:5432/base::t", "postgresql://host:5432/base::t"),
        ("postgresql://ann@host/d?password=secret::t", "postgresql://ann@host/d?password=…::t"),
        (
            "postgresql://ann@host:1/d?sslmode=require&sslpassword=sec@ret&x=1::t",
            "postgresql://ann@host:1/d?sslmode=require&sslpassword=…&x=1::t",
        ),
        ("postgresql://ann:secret@host/d?PASSWORD=secret::t", "postgresql://ann@host/d?PASSWORD=…::t"),
        ("postgresql://ann:sec::ret@host/base", "postgresql://ann@host/base"),
        ("sc://host:1/;user_id=ann;token=secret::t", "sc://host:1/;user_id=ann;token=…::t"),
    ],
)
def test_a_password_is_not_shown(text: str, name: str) -> None:
    found = source(text)
    assert found.name == name
    assert "ret" not in repr(found).replace("require", "")


@pytest.mark.parametrize(
    "text", ["postgresql://ann:secret@host/base", "sc://h:1/;token=secret", "mysql://ann:secret@host/base::t"]
)
def test_a_password_is_not_shown_in_a_complaint(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        source(text)
    assert "secret" not in str(caught.value)
    assert "//ann@host/base" in str(caught.value) or "//h:1" in str(caught.value)


@pytest.mark.parametrize(
    ("wish", "name"),
    [
        (CsvFormat(delimiter=";"), "delimiter"),
        (CsvFormat(quote=""), "quote"),
        (CsvFormat(encoding="utf-8"), "encoding"),
        (CsvFormat(header=False), "header"),
        (CsvFormat(missing_text=("?",)), "missing-text"),
        (CsvFormat(types={"x": "text"}), "types"),
        (CsvFormat(delimiter=";", header=True), "delimiter, header"),
    ],
)
@pytest.mark.parametrize(
    "where", ["parquet", "arrow", "duckdb", "frame", "pandas", "postgres", "spark", "source"]
)
def test_csv_settings_are_for_csv_files(
    tmp_path: Path, duckdb_file: Path, where: str, wish: CsvFormat, name: str
) -> None:
    pyarrow.parquet.write_table(TABLE, tmp_path / "t.parquet")
    (tmp_path / "t.csv").write_text("a;b\n1;2\n")
    places: dict[str, Any] = {
        "parquet": tmp_path / "t.parquet",
        "arrow": write_ipc(tmp_path / "t.arrow", pyarrow.ipc.new_file),
        "duckdb": f"{duckdb_file}::t",
        "frame": TABLE,
        "pandas": TABLE.to_pandas(),
        "postgres": "postgresql://h/d::t",
        "spark": "spark::t",
        "source": source(tmp_path / "t.csv"),
    }
    with pytest.raises(UsageError) as caught:
        source(places[where], csv=wish)
    assert f": settings of CSV files were given ({name}), and it " in str(caught.value)
    assert source(places[where], csv=CsvFormat()) == source(places[where])


@pytest.mark.parametrize(
    ("text", "kind", "place", "table"),
    [
        ("postgres://h/d::s.t", "postgres", "postgres://h/d", "s.t"),
        ("spark::t", "spark", "spark", "t"),
        ("sc://h:1::t", "spark", "sc://h:1", "t"),
    ],
)
def test_database_addresses(text: str, kind: str, place: str, table: str) -> None:
    found = source(text)
    assert (found.kind, found.place, found.table) == (kind, place, table)


@pytest.mark.parametrize("target", ["in/1.parquet", "in/new.parquet", "in/deep/new.csv", "link.parquet"])
def test_a_source_knows_what_belongs_to_it(tmp_path: Path, target: str) -> None:
    (tmp_path / "in").mkdir()
    pyarrow.parquet.write_table(TABLE, tmp_path / "in" / "1.parquet")
    (tmp_path / "link.parquet").symlink_to(tmp_path / "in" / "1.parquet")
    assert source(tmp_path / "in").holds(tmp_path / target)
    assert source(f"{tmp_path}/in/*.parquet").holds(tmp_path / target) == ("deep" not in target)
    assert not source(tmp_path / "in").holds(tmp_path / "out.parquet")


def test_a_folder_called_like_a_frame_is_not_its_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Table").mkdir()
    assert source(TABLE).name == "Table"
    assert not source(TABLE).holds("Table/out.csv")


LONG = [10**44 + number for number in range(4)]
MERGED: dict[str, tuple[Any, str]] = {
    "long decimals": (
        pyarrow.table({"x": pyarrow.array(list(map(Decimal, LONG)), pyarrow.decimal256(50, 0))}),
        "column 'x': decimals of more than 38 digits can't be told apart here; write it as text",
    ),
    "long decimals inside": (
        pyarrow.table({"x": pyarrow.array([[Decimal(LONG[0])]], pyarrow.list_(pyarrow.decimal256(50, 0)))}),
        "column 'x': decimals of more than 38 digits",
    ),
    "nanoseconds": (
        pyarrow.table({"x": pyarrow.array([1000, 1001, 1002], pyarrow.duration("ns"))}),
        "column 'x': durations finer than a microsecond can't be told apart here; make them whole numbers",
    ),
    "pandas nanoseconds": (
        pandas.DataFrame({"x": pandas.to_timedelta([1000, 1001], unit="ns")}),
        "column 'x': durations finer than a microsecond",
    ),
    "whole numbers": (pandas.DataFrame({"x": [2**64, 2**64 + 1]}), "whole numbers of more than 64 bits"),
    "negative whole numbers": (pandas.DataFrame({"x": [-(2**63) - 1, 0]}), "of more than 64 bits"),
}


@pytest.mark.parametrize("name", MERGED)
@pytest.mark.parametrize("kind", ["frame", "arrow", "parquet"])
def test_values_that_would_be_counted_as_one_are_refused(tmp_path: Path, name: str, kind: str) -> None:
    data, said = MERGED[name]
    if kind != "frame":
        if not isinstance(data, pyarrow.Table) or (kind == "parquet" and name == "nanoseconds"):
            return  # Parquet has them as whole numbers
        path = tmp_path / f"t.{kind}"
        if kind == "parquet":
            pyarrow.parquet.write_table(data, path)
        else:
            with pyarrow.ipc.new_file(str(path), data.schema) as writer:
                writer.write_table(data)
        data = path
    with pytest.raises(InputError) as caught:
        assess(data)
    assert said in str(caught.value)


def test_objects_that_polars_has_only_by_their_addresses_are_refused() -> None:
    frame = polars.DataFrame({"x": polars.Series([(1, 2), (1, 2)], dtype=polars.Object)})
    with pytest.raises(InputError, match="column 'x' has objects of Python, which can't be compared"):
        assess(frame)


MOMENTS = [datetime(2024, 1, 1, 23, tzinfo=UTC), datetime(2024, 6, 1, tzinfo=UTC), None]


def zoned(unit: Any) -> pyarrow.Table:
    return pyarrow.table(
        {
            "when": pyarrow.array(MOMENTS, pyarrow.timestamp(unit, "Asia/Tokyo")),
            "all": pyarrow.array([[each] for each in MOMENTS], pyarrow.list_(pyarrow.timestamp(unit, "UTC"))),
        }
    )


@pytest.mark.parametrize("unit", ["us", "ns"])
@pytest.mark.parametrize("kind", ["arrow", "parquet", "pandas", "polars", "pyarrow"])
def test_moments_with_a_zone_need_no_further_package(tmp_path: Path, kind: str, unit: str) -> None:
    """DuckDB itself hands them over only where pytz is installed."""
    path, table = tmp_path / f"t.{kind}", zoned(unit)
    places: dict[str, Callable[[], Any]] = {
        "arrow": lambda: write_ipc(path, pyarrow.ipc.new_file, table),
        "parquet": lambda: [pyarrow.parquet.write_table(table, path), path][1],
        "pandas": table.to_pandas,
        "polars": lambda: polars.from_arrow(table),
        "pyarrow": lambda: table,
    }
    data = places[kind]()
    assert values(data) == {"when": 3, "all": 3}
    assert [when for when, _ in rows(data)] == MOMENTS
    assert len({str(each) for _, each in rows(data)}) == 3


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_durations_of_whole_microseconds_are_counted(unit: Any) -> None:
    step = 1000 if unit == "ns" else 1
    table = pyarrow.table({"x": pyarrow.array([step, 2 * step, 3 * step, None], pyarrow.duration(unit))})
    assert assess(table).to_dict()["attributes"][0]["values"] == 4

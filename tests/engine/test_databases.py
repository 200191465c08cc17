"""Tables that stay in PostgreSQL and Spark: found by name, never written to, assessed like a file."""

from __future__ import annotations

import csv
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy
import psycopg
import pyarrow
import pyarrow.parquet
import pytest

import singleout
from singleout import assess
from singleout.cli.main import main
from singleout.engine.databases import count_sql as counts
from singleout.engine.databases.sql_engine import SqlEngine
from singleout.engine.open_engine import open_engine
from singleout.engine.protocol import Question
from singleout.errors import InputError, UsageError
from singleout.read.source import source
from tests.support.home import Home
from tests.support.postgres_server import load_into_postgres, postgres_server, programs_with_icu

OF_THE_PLACE = ("source", "engine", "remarks", "memory", "threads")
COLUMNS = ["date", "time", "goods", "price", "number"]


@pytest.fixture(scope="session")
def shop() -> pyarrow.Table:
    table = singleout.sample("shop", people=60, seed=3)
    assert isinstance(table, pyarrow.Table)
    return table


def without_place(found: singleout.Assessment) -> dict[str, Any]:
    return {name: value for name, value in found.to_dict().items() if name not in ("source", "engine")}


def test_one_answer_on_every_engine(home: Home, shop: pyarrow.Table) -> None:
    """Every number, the sampled ones too: the same seed draws the same values everywhere."""
    data = home.put(shop)
    asked: dict[str, Any] = {"user": "customer", "columns": COLUMNS, "together": [("date", "goods")]}
    for missing in ("value", "drop"):
        found = assess(data, missing=missing, seed=5, **asked)
        reference = assess(shop, missing=missing, seed=5, threads=1, **asked)
        assert without_place(found) == without_place(reference)


def test_no_text_of_sql_has_two_result_columns_of_one_name() -> None:
    with open_engine(source(pyarrow.table({"a": [1, 1, 2], "person": [1, 2, 2]}))) as engine:
        rows = counts.renamed_rows(engine.table, Question(("a",), "person"), engine.quote)
        for sql in (
            counts.class_sizes(rows, 1),
            counts.value_sizes(rows, 1),
            counts.person_classes(rows, ["k0"]),
        ):
            names = next(engine.batches(sql)).schema.names
            assert len(set(names)) == len(names) == 3


BARE = re.compile(r"PARTITION BY [^()]*\bk0\b(?! \+ 0)")


def test_no_window_is_divided_by_floating_point_numbers(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some databases refuse that. 0 and -0 are one value, and so are numbers that are none."""
    bits = [0x7FF8 << 48, 0xFFF8 << 48, 1 << 63, 0, 0x3FF8 << 48, 0x3FF8 << 48]
    numbers = numpy.array(bits, dtype=numpy.uint64).view(numpy.float64)
    table = pyarrow.table({"a": numbers, "who": ["ann", "bob", "ann", "ann", "cid", "cid"]})
    question = Question(("a",), "who")
    asked: list[str] = []
    with home.open(table) as engine:
        for name in ("rows", "batches"):
            monkeypatch.setattr(engine, name, _noting(getattr(engine, name), asked))
        alone = SqlEngine.people_alone(engine, question)
        labels = pyarrow.Table.from_batches(list(SqlEngine.labels(engine, question))).to_pydict()
        classes = [row for batch in SqlEngine.person_classes(engine, question) for row in batch.to_pylist()]
        counted = SqlEngine.count_sets(engine, question, numpy.array([1], dtype=numpy.uint64), 1)
        parts = SqlEngine.parts_of_set(engine, question, 1).rows()
    assert alone == 2
    assert sorted(zip(labels["class"], labels["records"], labels["people"], strict=True)) == [
        (1, 2, 1), (1, 2, 1), (2, 2, 1), (2, 2, 1), (3, 2, 2), (3, 2, 2),
    ]  # fmt: skip
    assert [tuple(each.values()) for each in classes] == [
        ("ann", 1, 2), ("ann", 2, 1), ("bob", 2, 1), ("cid", 1, 2),
    ]  # fmt: skip
    assert counted.people_at_risk.tolist() == [2]
    assert parts == [(2, 1, 1, 2), (2, 2, 2, 1)]
    assert sum("PARTITION BY" in sql for sql in asked) == 5
    assert [sql for sql in asked if BARE.search(sql)] == []


def _noting(call: Callable[[str], Any], asked: list[str]) -> Callable[[str], Any]:
    def noted(sql: str) -> Any:
        asked.append(sql)
        return call(sql)

    return noted


pytest_postgres = pytest.mark.xdist_group("postgres")
pytest_spark = pytest.mark.xdist_group("spark")


@pytest_postgres
def test_postgres_by_the_command_line(
    postgres_address: str, shop: pyarrow.Table, capsys: pytest.CaptureFixture[str]
) -> None:
    place = load_into_postgres(postgres_address, shop)
    assert main(["assess", place, "--user", "customer", "--columns", "date"]) == 0
    assert "date" in capsys.readouterr().out


@pytest_postgres
def test_postgres_schemas_views_and_awkward_names(postgres_address: str) -> None:
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        connection.execute('CREATE SCHEMA IF NOT EXISTS "my schema"')
        connection.execute('CREATE TABLE "my schema"."My.Table" (id uuid, "A" text)')
        connection.execute(
            """INSERT INTO "my schema"."My.Table" VALUES (gen_random_uuid(), 'x'), (NULL, 'x'), (NULL, 'y')"""
        )
        connection.execute('CREATE VIEW "a view" AS SELECT * FROM "my schema"."My.Table"')
    for name in ("my schema.My.Table", "a view"):
        with open_engine(source(f"{postgres_address}::{name}")) as engine:
            assert engine.sizes(Question(("A",), "id")).rows() == [(1, 1, 1), (2, 2, 1)]
            assert engine.people_alone(Question(("A",), "id")) == 1
            assert sum(batch.num_rows for batch in engine.labels(Question(("A",), "id"), ("id", "A"))) == 3


@pytest_postgres
def test_postgres_is_never_written_to(postgres_address: str, shop: pyarrow.Table) -> None:
    place = load_into_postgres(postgres_address, shop)
    with open_engine(source(place)) as engine, pytest.raises(InputError, match="read-only"):
        engine.rows(f"DELETE FROM {engine.table}")


@pytest_postgres
def test_postgres_mistakes_are_one_line(postgres_address: str, shop: pyarrow.Table) -> None:
    place = load_into_postgres(postgres_address, shop)
    with pytest.raises(InputError, match="there is no table 't_nowhere'"):
        assess(f"{postgres_address}::t_nowhere")
    with pytest.raises(UsageError, match="did you mean 'goods'"):
        assess(place, user="customer", columns=["godds"])
    with pytest.raises(UsageError, match="say which table"):
        assess(postgres_address)
    with pytest.raises(UsageError, match="settings of the duckdb engine"):
        assess(place, memory="4GB")
    with pytest.raises(UsageError, match="can't read it where it is"):
        assess(place, engine="spark")


def test_an_address_without_a_server_is_one_line_and_hides_the_password() -> None:
    with pytest.raises(InputError) as caught:
        assess("postgresql://someone:secret@127.0.0.1:1/nothing::table")
    assert "can't connect" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def made_in_postgres(address: str, columns: str, *rows: str) -> str:
    """A new table with these rows; returns its address."""
    name = f"t_{uuid4().hex}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE TABLE {name} ({columns})".encode())
        for row in rows:
            connection.execute(f"INSERT INTO {name} VALUES ({row})".encode())
    return f"{address}::{name}"


def listed(
    write: Callable[..., int], data: Any, folder: Path, **asked: Any
) -> tuple[pyarrow.Table, list[dict[str, str]]]:
    """The list as Parquet and as CSV."""
    assert write(data, folder / "list.parquet", **asked) == write(data, folder / "list.csv", **asked)
    with (folder / "list.csv").open(newline="") as handle:
        return pyarrow.parquet.read_table(folder / "list.parquet"), list(csv.DictReader(handle))


@pytest.fixture
def two_rows_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    for engine in ("postgres", "spark"):
        monkeypatch.setattr(f"singleout.engine.databases.{engine}.ROWS_A_BATCH", 2)


POSTGRES_TYPES = (
    "person uuid, said text, price numeric, place inet, born date, seen timestamptz, at timestamp, "
    "key bytea, marks integer[], told jsonb, shift tsrange, visits smallint, share real, adult boolean"
)
NOTHING_IN_POSTGRES = ", ".join(["NULL"] * 14)
SOMEONE_IN_POSTGRES = (
    "'00000000-0000-0000-0000-000000000001', 'é', {price}, '10.0.0.1/8', '2020-02-29', "
    "'2020-02-29 12:00+02', '2020-02-29 12:00', '\\x0041', '{{1,NULL}}', '{{\"a\": null}}', "
    "'[2020-01-01,2020-01-02)', 7, 0.5, true"
)


@pytest_postgres
@pytest.mark.usefixtures("two_rows_a_batch")
def test_postgres_lists_have_one_type_a_column(postgres_address: str, tmp_path: Path) -> None:
    someone = [SOMEONE_IN_POSTGRES.format(price=price) for price in ("1.50", "0.00000001", "'NaN'")]
    rows = [NOTHING_IN_POSTGRES, NOTHING_IN_POSTGRES, *someone]
    place = made_in_postgres(postgres_address, POSTGRES_TYPES, *rows)
    table, lines = listed(singleout.record_risks, place, tmp_path, user="person", show_values=True)
    values = table.select(range(5, 19))
    assert set(values.slice(0, 2).to_pylist()[0].values()) == {None}
    assert values["price"].to_pylist()[2:] == ["1.50", "0.00000001", "NaN"]
    assert values.slice(2, 1).to_pylist() == [
        {
            "person": "00000000-0000-0000-0000-000000000001",
            "said": "é",
            "price": "1.50",
            "place": "10.0.0.1/8",
            "born": date(2020, 2, 29),
            "seen": datetime(2020, 2, 29, 10, tzinfo=UTC),
            "at": datetime(2020, 2, 29, 12),
            "key": b"\x00A",
            "marks": "{1,NULL}",
            "told": '{"a": null}',
            "shift": '["2020-01-01 00:00:00","2020-01-02 00:00:00")',
            "visits": 7,
            "share": 0.5,
            "adult": True,
        }
    ]
    assert [line["price"] for line in lines] == ["", "", "1.50", "0.00000001", "NaN"]


@pytest_postgres
@pytest.mark.usefixtures("two_rows_a_batch")
@pytest.mark.parametrize("user", ["person", "price", "place", "marks", "seen", "visits"])
def test_postgres_people_of_any_type_with_unknown_ones_first(
    postgres_address: str, tmp_path: Path, user: str
) -> None:
    someone = SOMEONE_IN_POSTGRES.format(price="12345678901234567890.5")
    rows = [NOTHING_IN_POSTGRES, NOTHING_IN_POSTGRES, NOTHING_IN_POSTGRES, someone, someone]
    place = made_in_postgres(postgres_address, POSTGRES_TYPES, *rows)
    table, lines = listed(singleout.person_risks, place, tmp_path, user=user, columns=["said"])
    assert sorted(table["records"].to_pylist()) == [2, 3]
    assert sorted(line["records"] for line in lines) == ["2", "3"]
    assert table[user].null_count == 1


@pytest_postgres
def test_postgres_dates_beyond_python_are_counted(postgres_address: str) -> None:
    rows = ["'infinity', '24:00'", "'-infinity', '24:00'", "'4000-01-01 BC', NULL", "'infinity', NULL"]
    place = made_in_postgres(postgres_address, "until timestamptz, at time", *rows)
    with open_engine(source(place)) as engine:
        assert engine.sizes(Question(("until",))).rows() == [(1, 1, 2), (2, 2, 1)]
        assert "infinity" in engine.look("until").examples
        assert engine.look("at").examples == ("24:00:00", "24:00:00")


@pytest_postgres
def test_postgres_counts_are_of_one_moment(postgres_address: str) -> None:
    place = made_in_postgres(postgres_address, "a text", "'x'", "'y'")
    with open_engine(source(place)) as engine:
        before = engine.sizes(Question(("a",))).rows()
        with psycopg.connect(postgres_address, autocommit=True) as other:
            other.execute(f"INSERT INTO {engine.table} VALUES ('x')".encode())
        assert engine.sizes(Question(("a",))).rows() == before
        assert sum(batch.num_rows for batch in engine.labels(Question(("a",)))) == 2
    with open_engine(source(place)) as engine:
        assert engine.sizes(Question(("a",))).rows() == [(1, 1, 1), (2, 2, 1)]


@pytest_postgres
@pytest.mark.usefixtures("two_rows_a_batch")
def test_postgres_long_answers_can_be_left_and_read_side_by_side(postgres_address: str) -> None:
    place = made_in_postgres(postgres_address, "a text", *["'x'"] * 5)
    with open_engine(source(place)) as engine:
        first, second = engine.labels(Question(("a",))), engine.labels(Question(("a",)))
        assert next(first) == next(second)
        assert sum(batch.num_rows for batch in first) == 3
    with psycopg.connect(postgres_address) as other:
        other.execute(f"DROP TABLE {engine.table}".encode())  # waits for ever if the engine still reads


@pytest_postgres
def test_postgres_refusals_are_one_line_that_names_the_table(postgres_address: str) -> None:
    place = made_in_postgres(postgres_address, "a text", "'x'")
    name = place.rpartition("::")[2]
    role = f"role_{uuid4().hex}"
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN".encode())
    with pytest.raises(InputError, match="permission denied for table") as caught:
        assess(place.replace("postgres@", f"{role}@"))
    assert name in str(caught.value).partition("permission")[0]
    slow = source(f"{postgres_address}&options=-cstatement_timeout%3D200::{name}")
    with open_engine(slow) as engine, pytest.raises(InputError, match="statement timeout") as caught:
        engine.rows("SELECT pg_sleep(30)")
    assert name in str(caught.value)
    with (
        open_engine(source(place)) as engine,
        pytest.raises(InputError, match="terminating connection") as caught,
    ):
        with psycopg.connect(postgres_address, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state LIKE 'idle in%'"
            )
        engine.sizes(Question(("a",)))
    assert "\n" not in str(caught.value)


@pytest_postgres
def test_postgres_texts_that_only_a_collation_takes_for_equal_are_different(postgres_address: str) -> None:
    """This PostgreSQL has no ICU, so that the collation is only said to be loose; the next one has."""
    name = f"t_{uuid4().hex}"
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        for sql in (
            f"CREATE COLLATION loose_{name} (provider = libc, locale = 'C')",
            f"UPDATE pg_collation SET collisdeterministic = false WHERE collname = 'loose_{name}'",
            f'CREATE TABLE {name} ("a ""b" text COLLATE loose_{name}, plain text, number int)',
            f"INSERT INTO {name} VALUES ('ann', 'x', 1), ('ANN', 'x', 1), ('bob', 'x', 2), ('bob', 'x', 2)",
        ):
            connection.execute(sql.encode())
    with open_engine(source(f"{postgres_address}::{name}")) as engine:
        assert engine.table.count("COLLATE") == 1
        assert '"a ""b" COLLATE "C" AS "a ""b", "plain", "number"' in engine.table
        assert [column.type for column in engine.columns()] == ["text", "text", "int4"]
        assert len(engine.values('a "b', Question(('a "b',)))) == 3
    found = assess(f"{postgres_address}::{name}", columns=['a "b', "number"]).to_dict()
    assert found["classes"]["classes"] == 3


@pytest_postgres
def test_postgres_values_that_are_equal_and_written_apart_are_told(postgres_address: str) -> None:
    name = f"t_{uuid4().hex}"
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        for sql in (
            f"CREATE TABLE {name} (a numeric, b numeric(9, 2), c float8, d interval, e jsonb, f float8)",
            f"INSERT INTO {name} VALUES (1.0, 1.0, 0.0, '1 month', '1.0', 1.0)",
            f"INSERT INTO {name} VALUES (1.00, 1.00, '-0.0', '30 days', '1.00', 1.00)",
        ):
            connection.execute(sql.encode())
    with open_engine(source(f"{postgres_address}::{name}")) as engine:
        assert engine.merged_columns() == ("a", "c", "d", "e")


LOOSE = ["ann,X,1", "Ann,x,2", "ANN,y,3", "bob,Y,4", "bob,y,5"]


@pytest_postgres
def test_texts_that_a_real_collation_takes_for_equal_count_as_in_a_file(tmp_path: Path) -> None:
    programs = programs_with_icu()
    if programs is None:
        pytest.skip("no PostgreSQL with ICU is installed here; that of the tests has none")
    file = tmp_path / "loose.csv"
    file.write_text("\n".join(["a,b,n", *LOOSE, ""]))
    levels = tmp_path / "levels"
    levels.mkdir()
    (levels / "a.csv").write_text("".join(f"{name};*\n" for name in ("ann", "Ann", "ANN", "bob")))
    with postgres_server(programs) as address:
        with psycopg.connect(address, autocommit=True) as connection:
            for sql in (
                "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
                "CREATE TABLE t (a text COLLATE loose, b text COLLATE loose, n text)",
                f"INSERT INTO t VALUES {', '.join(str(tuple(each.split(','))) for each in LOOSE)}",
            ):
                connection.execute(sql.encode())
            found = connection.execute("SELECT count(DISTINCT a) FROM t").fetchone()
        assert found == (2,)
        for job in (
            partial(assess, user="none"),
            partial(singleout.predict, user="none"),
            partial(singleout.generalise, user="none", hierarchies=levels, k=2),
        ):
            here, there = (
                {name: value for name, value in job(place).to_dict().items() if name not in OF_THE_PLACE}
                for place in (file, f"{address}::t")
            )
            assert here == there


@pytest_postgres
@pytest.mark.parametrize("setting", ["standard_conforming_strings=off", "extra_float_digits=-15"])
def test_postgres_settings_of_a_role_change_no_value(postgres_address: str, setting: str) -> None:
    table = pyarrow.table({"town": ["a\\b", "it's", "c"], "share": [0.1234567, 0.1234568, 0.5]})
    address, _, name = load_into_postgres(postgres_address, table).rpartition("::")
    odd = f"{address}&options=-c%20{setting.replace('=', '%3D')}::{name}"
    with open_engine(source(odd)) as engine:
        for text in ("a\\", "\\' OR true --", "it's"):
            assert engine.rows(f"SELECT {engine.literal(text)}") == [(text,)]
        assert len(engine.texts(("share",)).values[0]) == 3


@pytest_postgres
def test_postgres_reads_a_materialized_view(postgres_address: str) -> None:
    place = made_in_postgres(postgres_address, "a text", "'x'", "'x'")
    name = place.rpartition("::")[2]
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        connection.execute(f"CREATE MATERIALIZED VIEW m_{name} AS SELECT * FROM {name}".encode())
    with open_engine(source(f"{postgres_address}::m_{name}")) as engine:
        assert engine.sizes(Question(("a",))).rows() == [(2, 2, 1)]


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://someone@127.0.0.1:1/nothing?password=secret",
        "postgresql://someone@127.0.0.1:1/nothing?sslpassword=secret&connect_timeout=5",
        "postgresql://someone@127.0.0.1:1/nothing?passwort=secret",
        "postgresql://someone@127.0.0.1:1/nothing?password=secret word",
        "postgresql://someone:a@secret@127.0.0.1:1/nothing",
        "postgresql://someone:a/secret@127.0.0.1:1/nothing",
        "postgresql://someone:%secret@127.0.0.1:1/nothing",
    ],
)
def test_no_password_is_shown_however_it_is_written(address: str) -> None:
    with pytest.raises(InputError, match="can't connect") as caught:
        assess(f"{address}::table")
    assert "secret" not in str(caught.value)
    assert "nothing" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest_spark
def test_spark_tables_files_and_connect(
    spark: Any, spark_and_address: tuple[Any, str], shop: pyarrow.Table, tmp_path: Path
) -> None:
    pyarrow.parquet.write_table(shop, tmp_path / "shop.parquet")
    spark.createDataFrame(shop).write.mode("overwrite").saveAsTable("shop_table")
    places: list[tuple[str, dict[str, Any]]] = [
        ("spark::shop_table", {}),
        ("spark::default.shop_table", {}),
        (f"{spark_and_address[1]}::shop_table", {}),
        (str(tmp_path / "shop.parquet"), {"engine": "spark"}),
    ]
    expected = without_place(assess(shop, user="customer", columns=["goods"]))
    for place, settings in places:
        found = assess(place, user="customer", columns=["goods"], **settings)
        assert found.engine == "spark"
        assert without_place(found) == expected
    assert spark.sql("SHOW VIEWS").collect() == []


@pytest_spark
def test_spark_mistakes_are_one_line(spark: Any, tmp_path: Path) -> None:
    assert spark is not None
    with pytest.raises(InputError, match="TABLE_OR_VIEW_NOT_FOUND") as caught:
        assess("spark::nowhere")
    assert "\n" not in str(caught.value)
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    with pytest.raises(UsageError, match="can't read it where it is"):
        assess(tmp_path / "x.csv", engine="spark")


SPARK_VALUES: dict[str, tuple[str, Any]] = {
    "person": ("CAST(0.00000001 AS decimal(20, 8))", "0.00000001"),
    "said": ("'é'", "é"),
    "marks": ("array('a, b', NULL)", "['a, b', None]"),
    "born": ("date'2020-02-29'", date(2020, 2, 29)),
    "seen": ("timestamp'2020-02-29 12:00:00+02:00'", datetime(2020, 2, 29, 10, tzinfo=UTC)),
    "ends": ("timestamp'9999-12-31 23:59:59Z'", datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
    "at": ("timestamp_ntz'2020-02-29 12:00:00'", datetime(2020, 2, 29, 12)),
    "key": ("x'0041'", b"\x00A"),
    "span": ("interval '14' month", "INTERVAL '14' MONTH"),
    "size": ("named_struct('a', 1)", "Row(a=1)"),
    "visits": ("CAST(7 AS tinyint)", 7),
    "share": ("CAST(0.5 AS float)", 0.5),
    "adult": ("true", True),
}


def made_in_spark(session: Any) -> Any:
    """Three records without any value, then two with all."""
    columns = ", ".join(f"if(id < 3, NULL, {value}) AS {name}" for name, (value, _) in SPARK_VALUES.items())
    return session.sql(f"SELECT {columns} FROM range(0, 5, 1, 1)")


@pytest.fixture(params=["spark", "spark_connect"])
def any_spark(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue(request.param)


@pytest_spark
@pytest.mark.usefixtures("two_rows_a_batch")
def test_spark_lists_have_one_type_a_column(
    any_spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")  # no instant may pass through the time of this machine
    time.tzset()
    try:
        found = listed(
            singleout.record_risks, made_in_spark(any_spark), tmp_path, user="person", show_values=True
        )
    finally:
        monkeypatch.undo()
        time.tzset()
    table, lines = found
    values = table.select(range(5, 5 + len(SPARK_VALUES))).to_pylist()
    assert values[:3] == [dict.fromkeys(SPARK_VALUES)] * 3
    assert values[3:] == [{name: value for name, (_, value) in SPARK_VALUES.items()}] * 2
    assert [line["said"] for line in lines] == ["", "", "", "é", "é"]


@pytest_spark
@pytest.mark.usefixtures("two_rows_a_batch")
@pytest.mark.parametrize("user", ["person", "marks", "ends"])
def test_spark_people_of_any_type_with_unknown_ones_first(any_spark: Any, tmp_path: Path, user: str) -> None:
    data = made_in_spark(any_spark)
    table, lines = listed(singleout.person_risks, data, tmp_path, user=user, columns=["said"])
    assert table["records"].to_pylist() == [3, 2]
    assert [line["records"] for line in lines] == ["3", "2"]
    assert table[user].to_pylist() == [None, SPARK_VALUES[user][1]]


@pytest_spark
def test_spark_numbers_records_without_gaps(any_spark: Any) -> None:
    data = any_spark.sql("SELECT if(id % 3 = 0, NULL, id % 2) AS a FROM range(0, 9, 1, 3)")
    with open_engine(source(data)) as engine:
        for missing, records in (("value", [1, 2, 3, 4, 5, 6, 7, 8, 9]), ("drop", [2, 3, 5, 6, 8, 9])):
            batches = engine.labels(Question(("a",), missing=missing))  # type: ignore[arg-type]
            assert [number for batch in batches for number in batch["record"].to_pylist()] == records


def test_an_answer_without_rows_has_types(home: Home) -> None:
    table = pyarrow.table({"a": ["x"], "b": [1], "none": pyarrow.array([None], pyarrow.string())})
    with home.open(table) as engine:
        batches = list(engine.labels(Question(("none",), missing="drop"), ("b", "a")))
    assert [batch.num_rows for batch in batches] == [0]
    assert batches[0].schema.field("b").type == pyarrow.int64()
    assert batches[0].schema.field("a").type == pyarrow.string()


@pytest_spark
def test_spark_stops_only_the_session_it_started(
    spark: Any, spark_and_address: tuple[Any, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pyspark.sql.connect.session import SparkSession

    stopped: list[Any] = []
    stop = SparkSession.stop

    def stop_and_note(session: Any) -> None:
        stop(session)
        stopped.append(session)

    monkeypatch.setattr(SparkSession, "stop", stop_and_note)
    with pytest.raises(InputError, match="TABLE_OR_VIEW_NOT_FOUND"):
        assess(f"{spark_and_address[1]}::nowhere")
    assert [session.is_stopped for session in stopped] == [True]
    with pytest.raises(InputError, match="two columns are called 'a'"):
        assess(spark.sql("SELECT 1 AS a, 2 AS a"))
    with pytest.raises(InputError, match="TABLE_OR_VIEW_NOT_FOUND"):
        assess("spark::nowhere")
    with ThreadPoolExecutor(1) as thread, pytest.raises(InputError, match="TABLE_OR_VIEW_NOT_FOUND"):
        thread.submit(assess, "spark::nowhere").result()  # no session is active in a new thread
    assert spark.sql("SELECT 1").collect() == [(1,)]


def test_no_spark_connect_server_is_told_at_once() -> None:
    with pytest.raises(InputError, match=r"no Spark Connect server answers at 127\.0\.0\.1:1"):
        assess("sc://127.0.0.1:1/;token=secret::table")

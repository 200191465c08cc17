"""Tables that stay in PostgreSQL and Spark: found by name, never written to, assessed like a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
import pyarrow
import pytest

import singleout
from conftest import Home, load_into_postgres
from singleout import assess
from singleout.cli.main import main
from singleout.engine.opening import open_engine
from singleout.engine.protocol import Question
from singleout.errors import InputError, UsageError
from singleout.read.source import source

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
        assess(place, columns=["godds"])
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


@pytest_spark
def test_spark_tables_files_and_connect(
    spark: Any, spark_and_address: tuple[Any, str], shop: pyarrow.Table, tmp_path: Path
) -> None:
    import pyarrow.parquet

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

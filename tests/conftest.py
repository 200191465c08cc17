"""What every test may use: the engines, the real data where it is, and the golden numbers."""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import duckdb
import pyarrow
import pyarrow.csv
import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser

from singleout.attacks.paired_tables import paired
from singleout.engine.codes.histories import Histories
from singleout.engine.databases.sql_engine import SqlEngine
from singleout.engine.opening import open_engine
from singleout.read.source import source
from tests.support.browser import chromium
from tests.support.postgres_server import postgres_server
from tests.support.spark_server import spark_server

SHARED_DATA = Path(__file__).parents[2] / "shared" / "data"

settings.register_profile(
    "house", deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True
)
settings.load_profile("house")


@pytest.fixture(scope="session")
def golden() -> dict[str, Any]:
    """Numbers from papers and other tools, each with its source."""
    with (Path(__file__).parent / "golden.toml").open("rb") as handle:
        return tomllib.load(handle)


@pytest.fixture(scope="session")
def real_data() -> Path:
    if not SHARED_DATA.is_dir():
        pytest.skip(
            "the public data sets are not beside the project; docs/data.md says where they are published"
        )
    return SHARED_DATA


@pytest.fixture(scope="session")
def t1(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The 400 customers of papers 0 and 2, by the published rule."""
    file = tmp_path_factory.mktemp("t1") / "t1.csv"
    retail = f"read_parquet('{real_data / 'online_retail' / 'online_retail.parquet'}')"
    kept = "CustomerID IS NOT NULL AND InvoiceNo NOT LIKE 'C%' AND Quantity > 0 AND UnitPrice > 0"
    duckdb.sql(
        f"""COPY (SELECT CAST(CAST(CustomerID AS INT) AS VARCHAR) AS customer, InvoiceNo AS receipt,
                  strftime(InvoiceDate, '%Y/%m/%d') AS date, strftime(InvoiceDate, '%H:%M') AS time,
                  StockCode AS goods, UnitPrice AS price, Quantity AS number
            FROM {retail} WHERE {kept} AND CustomerID IN (
                SELECT DISTINCT CustomerID FROM {retail} WHERE {kept} AND Country <> 'Unspecified'
                ORDER BY CAST(CustomerID AS INT) LIMIT 400)) TO '{file}'"""
    )
    return file


@pytest.fixture(scope="session")
def purchases(t1: Path) -> Histories:
    """The same as a release of itself."""
    return paired(t1, t1, user="customer", columns=["date", "time", "goods", "price", "number"]).histories


@pytest.fixture(scope="session")
def postgres_address() -> Iterator[str]:
    with postgres_server() as address:
        yield address


@pytest.fixture(scope="session")
def spark_and_address() -> Iterator[tuple[Any, str]]:
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    with spark_server() as both:
        yield both


@pytest.fixture(scope="session")
def spark(spark_and_address: tuple[Any, str]) -> Any:
    return spark_and_address[0]


@pytest.fixture(scope="session")
def spark_connect(spark_and_address: tuple[Any, str]) -> Iterator[Any]:
    from pyspark.sql.connect.session import SparkSession

    session = SparkSession.builder.remote(spark_and_address[1]).create()
    yield session
    session.stop()  # before the server: a client that outlives it waits for it at exit


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """For one file of tests only: while it runs, the thread has an event loop that others would meet."""
    with chromium() as running:
        yield running


@dataclass(frozen=True)
class Home:
    """An engine to put tables into; `examples` is how many of them a property test can afford there."""

    name: str
    examples: int
    put: Callable[[pyarrow.Table], Any]

    def open(self, table: pyarrow.Table) -> SqlEngine:
        return open_engine(source(self.put(table)))


HOMES = [
    pytest.param("duckdb"),
    pytest.param("postgres", marks=pytest.mark.xdist_group("postgres")),
    pytest.param("spark", marks=pytest.mark.xdist_group("spark")),
    pytest.param("spark_connect", marks=pytest.mark.xdist_group("spark")),
]


@pytest.fixture(params=HOMES)
def home(request: pytest.FixtureRequest) -> Home:
    """Each engine in turn: a test that uses this runs on all of them."""
    if request.param == "duckdb":
        return Home("duckdb", 60, lambda table: table)
    if request.param == "postgres":
        address = request.getfixturevalue("postgres_address")
        return Home("postgres", 30, lambda table: load_into_postgres(address, table))
    session = request.getfixturevalue(request.param)
    return Home("spark", 4, session.createDataFrame)


POSTGRES_TYPES = {
    pyarrow.string(): "text",
    pyarrow.int64(): "bigint",
    pyarrow.float64(): "double precision",
    pyarrow.bool_(): "boolean",
}


def load_into_postgres(address: str, table: pyarrow.Table) -> str:
    """Copy a table into PostgreSQL under a new name; returns its address."""
    import psycopg

    name = f"t_{uuid4().hex}"
    columns = ", ".join(
        '"' + field.name.replace('"', '""') + '" ' + POSTGRES_TYPES[field.type] for field in table.schema
    )
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE TABLE {name} ({columns})".encode())
        with connection.cursor().copy(f"COPY {name} FROM STDIN".encode()) as copy:
            for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
                copy.write_row(row)
    return f"{address}::{name}"

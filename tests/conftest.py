"""What every test may use: the engines, the real data where it is, and the golden numbers."""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser

from singleout.attacks.paired_tables import pair_tables
from singleout.engine.codes.histories import Histories
from tests.support.browser import chromium
from tests.support.extracts import write_arx_adult, write_purchases
from tests.support.home import Home
from tests.support.postgres_server import load_into_postgres, postgres_server
from tests.support.sandbox_walls import left_out_here
from tests.support.spark_server import spark_server
from tests.support.whole_files import left_out, whole_files

settings.register_profile(
    "house", deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True
)
settings.load_profile("house")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Below pytest's own last line: what was left out. Workers of pytest-xdist have no terminal."""
    terminal: pytest.TerminalReporter | None = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is None:
        return
    skipped = terminal.stats.get("skipped", [])
    for line in (left_out(skipped), *left_out_here(skipped)):
        if line is not None:
            terminal.write_line(line)


@pytest.fixture(scope="session")
def golden() -> dict[str, Any]:
    """Numbers from papers and other tools, each with its source."""
    with (Path(__file__).parent / "golden.toml").open("rb") as handle:
        return tomllib.load(handle)


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The whole public data sets; a test that asks for them is left out where they are not."""
    return whole_files()


@pytest.fixture(scope="session")
def t1(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The 400 customers of Ito et al. 2019 and 2020, by the published rule."""
    file = tmp_path_factory.mktemp("t1") / "t1.csv"
    write_purchases(file)
    return file


@pytest.fixture(scope="session", params=["extract", "whole_file"])
def arx_adult(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ARX's Adult and its hierarchies: from the extract, and as ARX has them."""
    if request.param == "whole_file":
        return whole_files() / "arx_adult"
    folder = tmp_path_factory.mktemp("arx_adult")
    write_arx_adult(folder)
    return folder


@pytest.fixture(scope="session")
def purchases(t1: Path) -> Histories:
    """The same as a release of itself."""
    return pair_tables(
        t1, t1, user="customer", columns=["date", "time", "goods", "price", "number"]
    ).histories


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

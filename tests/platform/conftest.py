"""What tests of the platform use: its database on both servers, and a clock that stands still."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from singleout.platform.store import accounts
from singleout.platform.store.database import Database, database_address, open_database
from singleout.platform.store.files import FileShelf, open_shelf
from singleout.platform.store.migration import migrate
from tests.support.postgres_server import new_schema
from tests.support.small_platform import StandingClock

DATABASES = [
    pytest.param("sqlite"),
    pytest.param("postgres", marks=pytest.mark.xdist_group("postgres")),
]


@pytest.fixture(autouse=True)
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real ones take a tenth of a second each, as they should."""
    cheap = PasswordHash((Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1),))
    monkeypatch.setattr(accounts, "HASHER", cheap)


@pytest.fixture(params=DATABASES)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database: a file, and one of a real PostgreSQL."""
    if request.param == "sqlite":
        return database_address(None, tmp_path)
    return database_address(new_schema(request.getfixturevalue("postgres_address")), tmp_path)


@pytest.fixture
def clock() -> StandingClock:
    return StandingClock()


@pytest.fixture
def database(address: str, clock: StandingClock) -> Iterator[Database]:
    opened = open_database(address, clock=clock)
    migrate(opened)
    yield opened
    opened.close()


@pytest.fixture
def shelf(tmp_path: Path) -> FileShelf:
    return open_shelf(tmp_path)

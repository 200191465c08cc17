"""The schema brought up to date, on SQLite without losing rows that depend on others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from singleout.errors import InputError
from singleout.platform.store.database import Clock, Database, now_in_utc, open_database
from singleout.platform.store.schema import Base

MIGRATIONS = Path(__file__).parent.parent / "migrations"


def migrate(database: Database, folders: Sequence[Path] = (MIGRATIONS,)) -> None:
    """Every change of the schema that the database lacks, in one transaction."""
    with database.engine.execution_options(singleout_writing=True).connect() as connection:
        on_sqlite = connection.dialect.name == "sqlite"
        if on_sqlite:
            # with them on, rebuilding a table deletes the rows that point to it
            _set_foreign_keys(connection, "OFF")
        try:
            with connection.begin():
                if not on_sqlite:
                    # two servers that start at once: one waits for the other
                    connection.exec_driver_sql("SELECT pg_advisory_xact_lock(73149)")
                _upgrade(connection, folders)
                if on_sqlite:
                    _check_foreign_keys(connection)
        finally:
            if on_sqlite:
                _set_foreign_keys(connection, "ON")


def open_platform(address: str, *, clock: Clock = now_in_utc) -> Database:
    """The database with its schema up to date."""
    database = open_database(address, clock=clock)
    migrate(database)
    return database


def is_empty(database: Database) -> bool:
    """Whether nothing was ever stored there."""
    return not inspect(database.engine).has_table("accounts")


def schema_revision(database: Database) -> str | None:
    """Of the last migration that the database has."""
    with database.engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def _upgrade(connection: Connection, folders: Sequence[Path]) -> None:
    # Alembic looks for files named `versions` below this folder unless it is told others
    script = ScriptDirectory(str(MIGRATIONS), version_locations=[str(each) for each in folders])

    def steps(revision: Any, _context: Any) -> Any:
        return script._upgrade_revs("head", revision)

    with EnvironmentContext(Config(), script, fn=steps) as environment:
        environment.configure(
            connection=connection,
            target_metadata=Base.metadata,
            render_as_batch=True,
            transactional_ddl=False,  # the transaction is ours
        )
        environment.run_migrations()


def _set_foreign_keys(connection: Connection, state: str) -> None:
    raw = connection.connection.dbapi_connection
    assert raw is not None
    raw.cursor().execute(f"PRAGMA foreign_keys={state}")


def _check_foreign_keys(connection: Connection) -> None:
    if connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
        raise InputError("the database was left as it was: after the change some rows would point to nothing")

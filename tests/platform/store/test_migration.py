"""Migrations on both databases; rebuilding a table loses no row that depends on it."""

from __future__ import annotations

from pathlib import Path
from shutil import copy

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from singleout.errors import InputError
from singleout.platform.store.database import Database, open_database
from singleout.platform.store.files import FileShelf
from singleout.platform.store.migration import MIGRATIONS, migrate, schema_revision
from singleout.platform.store.schema import Base
from tests.support.small_platform import StandingClock, fill, submit

REBUILD = """
import sqlalchemy as sa
from alembic import op

revision = "later"
down_revision = "HEAD"


def upgrade():
    views = "SELECT name FROM sqlite_master WHERE type = 'view'"
    if op.get_bind().dialect.name == "sqlite":
        for view in [name for (name,) in op.get_bind().execute(sa.text(views)).all()]:
            op.execute(f"DROP VIEW {view}")
    with op.batch_alter_table("accounts", recreate="auto") as table:
        table.alter_column("name", type_=sa.String(300))
        table.add_column(sa.Column("language", sa.Text(), nullable=True))
"""
BREAK = REBUILD.replace("def upgrade():\n", "def upgrade():\n    op.execute('DELETE FROM accounts')\n")


def counts(database: Database) -> dict[str, int]:
    with database.reading() as session:
        return {
            each.name: session.execute(text(f"SELECT count(*) FROM {each.name}")).scalar_one()
            for each in Base.metadata.sorted_tables
        }


def test_the_schema_is_what_the_migrations_make(database: Database) -> None:
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    migrate(database)


OLD_ROWS = (
    "INSERT INTO accounts VALUES (1, 'Mia', 'mia', 'participant', NULL, true, '2026-12-01')",
    "INSERT INTO contests VALUES (1, 'old', 'Old', '', '', 'open', 1, 'everybody', 'everybody', 'everybody', "
    "1, 1, 1, 1, 1, '2026-12-01')",
    "INSERT INTO teams VALUES (1, 1, 'Blue', 'blue', 'code', '2026-12-01')",
    "INSERT INTO quota_entries VALUES (1, 1, NULL, 'granted', 3, 'why', '2026-12-01')",
)


def test_a_platform_of_the_first_schema_keeps_its_rows(
    address: str, clock: StandingClock, tmp_path: Path
) -> None:
    folder = tmp_path / "first"
    folder.mkdir()
    copy(MIGRATIONS / "first_schema.py", folder)
    database = open_database(address, clock=clock)
    migrate(database, [folder])
    with database.writing() as session:
        for statement in OLD_ROWS:
            session.execute(text(statement))
    migrate(database)
    found = counts(database)
    with database.reading() as session:
        purse = session.execute(text("SELECT purse, amount FROM quota_entries")).one()
        looks = session.execute(text("SELECT looks_in_all FROM contests")).scalar_one()
    database.close()
    assert (found["accounts"], found["contests"], found["teams"]) == (1, 1, 1)
    assert (tuple(purse), looks) == (("submissions", 3), 0)


def test_a_rebuilt_table_keeps_the_rows_that_depend_on_it(
    database: Database, shelf: FileShelf, tmp_path: Path
) -> None:
    """SQLite deletes them when foreign keys are on, for the old table is dropped."""
    with database.writing() as session:
        submit(session, shelf, fill(session, shelf))
    before = counts(database)
    assert before["members"] == 1
    folder = tmp_path / "later"
    folder.mkdir()
    (folder / "account_language.py").write_text(REBUILD.replace("HEAD", schema_revision(database) or ""))
    migrate(database, [MIGRATIONS, folder])
    assert schema_revision(database) == "later"
    assert counts(database) == before
    if database.engine.dialect.name == "sqlite":
        with database.reading() as session:
            assert session.execute(text("PRAGMA foreign_keys")).scalar_one() == 1


def test_a_migration_that_breaks_something_changes_nothing(
    database: Database, shelf: FileShelf, tmp_path: Path
) -> None:
    with database.writing() as session:
        fill(session, shelf)
    before, head = counts(database), schema_revision(database)
    folder = tmp_path / "later"
    folder.mkdir()
    (folder / "broken_change.py").write_text(BREAK.replace("HEAD", head or ""))
    with pytest.raises(Exception, match=r"point to nothing|foreign key") as fault:
        migrate(database, [MIGRATIONS, folder])
    if database.engine.dialect.name == "sqlite":
        assert fault.type is InputError
    assert counts(database) == before
    assert schema_revision(database) == head

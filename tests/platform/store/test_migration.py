"""Migrations on both databases; rebuilding a table loses no row that depends on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from singleout.errors import InputError
from singleout.platform.store.database import Database
from singleout.platform.store.files import FileShelf
from singleout.platform.store.migration import MIGRATIONS, migrate, schema_revision
from singleout.platform.store.schema import Base
from tests.support.small_platform import fill, submit

REBUILD = """
import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade():
    for view in ("v_submissions", "v_metric_values", "v_ranks"):
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
    (folder / "account_language.py").write_text(REBUILD)
    migrate(database, [MIGRATIONS, folder])
    assert schema_revision(database) == "0002"
    assert counts(database) == before
    if database.engine.dialect.name == "sqlite":
        with database.reading() as session:
            assert session.execute(text("PRAGMA foreign_keys")).scalar_one() == 1


def test_a_migration_that_breaks_something_changes_nothing(
    database: Database, shelf: FileShelf, tmp_path: Path
) -> None:
    with database.writing() as session:
        fill(session, shelf)
    before = counts(database)
    folder = tmp_path / "later"
    folder.mkdir()
    (folder / "broken_change.py").write_text(BREAK)
    with pytest.raises(Exception, match=r"point to nothing|foreign key") as fault:
        migrate(database, [MIGRATIONS, folder])
    if database.engine.dialect.name == "sqlite":
        assert fault.type is InputError
    assert counts(database) == before
    assert schema_revision(database) == "0001"

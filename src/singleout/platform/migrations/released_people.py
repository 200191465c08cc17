"""The table of people that goes with a release, where the contest has one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    # a column that points to another table can be added in place on SQLite too: no table is rebuilt
    column = sa.Column("people_digest", sa.String(length=64), nullable=True)
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "ALTER TABLE submissions ADD COLUMN people_digest VARCHAR(64) "
            "CONSTRAINT fk_submissions_people_digest REFERENCES files (digest)"
        )
        return
    op.add_column("submissions", column)
    op.create_foreign_key(
        op.f("fk_submissions_people_digest"), "submissions", "files", ["people_digest"], ["digest"]
    )

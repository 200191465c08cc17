"""The attack phase: publications, their people, guesses and what they came to, and a purse of looks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from alembic.operations import BatchOperations

revision = "0002"
down_revision = "0001"

# a team's or the house's name stands for whoever attacks
ATTACKER = "COALESCE(teams.name, 'house: ' || submissions.player)"
GUESSES = f"""
CREATE VIEW v_guesses AS
SELECT contests.name AS contest, submissions.id AS submission, teams.name AS team, {ATTACKER} AS attacker,
    submissions.target_id AS target, guesses.release_user, guesses.original_user, guesses.confidence
FROM guesses
JOIN submissions ON submissions.id = guesses.submission_id
JOIN contests ON contests.id = submissions.contest_id
LEFT JOIN teams ON teams.id = submissions.team_id
"""
ATTACK_SCORES = f"""
CREATE VIEW v_attack_scores AS
SELECT contests.name AS contest, submissions.id AS submission, teams.name AS team, {ATTACKER} AS attacker,
    submissions.team_id IS NULL AS house, submissions.target_id AS target, targets.name AS target_team,
    submissions.disqualified IS NOT NULL AS disqualified, attack_scores.final_rate AS rate,
    attack_scores.scored_at
FROM attack_scores
JOIN submissions ON submissions.id = attack_scores.submission_id
JOIN submissions AS releases ON releases.id = submissions.target_id
JOIN teams AS targets ON targets.id = releases.team_id
JOIN contests ON contests.id = submissions.contest_id
LEFT JOIN teams ON teams.id = submissions.team_id
"""
EXPOSURES = f"""
CREATE VIEW v_exposures AS
SELECT contests.name AS contest, published_people.person, COUNT(DISTINCT {ATTACKER}) AS attackers,
    COUNT(DISTINCT publications.id) AS releases
FROM guesses
JOIN submissions ON submissions.id = guesses.submission_id
JOIN publications ON publications.submission_id = submissions.target_id
JOIN published_people ON published_people.publication_id = publications.id
    AND published_people.release_user = guesses.release_user
    AND published_people.person = guesses.original_user
JOIN contests ON contests.id = submissions.contest_id
LEFT JOIN teams ON teams.id = submissions.team_id
WHERE guesses.confidence >= 0.5 AND submissions.disqualified IS NULL
GROUP BY contests.name, published_people.person
"""


def upgrade() -> None:
    _widen()
    _create_tables()
    for view in (GUESSES, ATTACK_SCORES, EXPOSURES):
        op.execute(view)


def _widen() -> None:
    """Tables are rebuilt on SQLite, where no view may look at them meanwhile."""
    definitions = _drop_views()
    with op.batch_alter_table("contests") as table:
        table.add_column(sa.Column("looks_a_day", sa.Integer(), nullable=False, server_default="0"))
        table.add_column(sa.Column("looks_in_all", sa.Integer(), nullable=False, server_default="0"))
        table.add_column(sa.Column("attack_seed", sa.Text(), nullable=True))
    with op.batch_alter_table("submissions") as table:
        table.add_column(sa.Column("recipe_digest", sa.String(length=64), nullable=True))
        table.add_column(sa.Column("target_id", sa.Integer(), nullable=True))
        table.add_column(sa.Column("player", sa.Text(), nullable=True))
        table.create_foreign_key(op.f("fk_submissions_recipe_digest"), "files", ["recipe_digest"], ["digest"])
        table.create_foreign_key(
            op.f("fk_submissions_target_id"), "submissions", ["target_id"], ["id"], ondelete="CASCADE"
        )
        table.create_index(op.f("ix_submissions_target_id"), ["target_id"])
        _allow(table, "submissions", "kind", "release", "original", "guesses", "house")
    with op.batch_alter_table("jobs") as table:
        _allow(table, "jobs", "kind", "validate", "score", "publish", "attack")
    with op.batch_alter_table("quota_entries") as table:
        purse = sa.Column("purse", sa.String(length=20), nullable=False, server_default="submissions")
        table.add_column(purse)
        table.create_check_constraint(op.f("ck_quota_entries_purse"), "purse IN ('submissions', 'looks')")
    for definition in definitions:
        op.execute(definition)


def _drop_views() -> list[str]:
    """Their definitions, to be made again; PostgreSQL alters what views look at."""
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        return []
    listed = sa.text("SELECT name, sql FROM sqlite_master WHERE type = 'view' ORDER BY rowid")
    views = [(str(name), str(sql)) for name, sql in connection.execute(listed)]
    for name, _ in views:
        op.execute(f"DROP VIEW {name}")
    return [sql for _, sql in views]


def _allow(table: BatchOperations, name: str, column: str, *values: str) -> None:
    listed = ", ".join(f"'{each}'" for each in values)
    table.drop_constraint(op.f(f"ck_{name}_{column}"), type_="check")
    table.create_check_constraint(op.f(f"ck_{name}_{column}"), f"{column} IN ({listed})")


def _create_tables() -> None:
    op.create_table(
        "publications",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("contest_id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("file_digest", sa.String(length=64), nullable=True),
        sa.Column("truth_digest", sa.String(length=64), nullable=True),
        sa.Column("people", sa.Integer(), nullable=True),
        sa.Column("records", sa.Integer(), nullable=True),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("state IN ('waiting', 'published', 'failed')", name=op.f("ck_publications_state")),
        sa.ForeignKeyConstraint(
            ["contest_id"], ["contests.id"], name=op.f("fk_publications_contest_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submissions.id"],
            name=op.f("fk_publications_submission_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["file_digest"], ["files.digest"], name=op.f("fk_publications_file_digest")),
        sa.ForeignKeyConstraint(
            ["truth_digest"], ["files.digest"], name=op.f("fk_publications_truth_digest")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_publications")),
        sa.UniqueConstraint("submission_id", name=op.f("uq_publications_submission_id")),
    )
    op.create_index(op.f("ix_publications_contest_id"), "publications", ["contest_id"])
    op.create_table(
        "published_people",
        sa.Column("publication_id", sa.Integer(), nullable=False),
        sa.Column("release_user", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("decides", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["publication_id"],
            ["publications.id"],
            name=op.f("fk_published_people_publication_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("publication_id", "release_user", name=op.f("pk_published_people")),
    )
    op.create_index(op.f("ix_published_people_person"), "published_people", ["person"])
    op.create_table(
        "guesses",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("release_user", sa.Text(), nullable=False),
        sa.Column("original_user", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_guesses_submission_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_guesses")),
    )
    op.create_index(op.f("ix_guesses_submission_id"), "guesses", ["submission_id"])
    op.create_table(
        "attack_scores",
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("look_rate", sa.Double(), nullable=False),
        sa.Column("final_rate", sa.Double(), nullable=False),
        sa.Column("shown", sa.Double(), nullable=True),
        sa.Column("scored_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submissions.id"],
            name=op.f("fk_attack_scores_submission_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("submission_id", name=op.f("pk_attack_scores")),
    )

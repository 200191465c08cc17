"""The first schema, and the views over it that people may query."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

SUBMISSIONS = """
CREATE VIEW v_submissions AS
SELECT contests.name AS contest, submissions.id AS submission, submissions.kind, teams.name AS team,
    submissions.state, submissions.pinned, submissions.disqualified IS NOT NULL AS disqualified,
    submissions.received_at, submissions.finished_at
FROM submissions
JOIN contests ON contests.id = submissions.contest_id
LEFT JOIN teams ON teams.id = submissions.team_id
"""
METRIC_VALUES = """
CREATE VIEW v_metric_values AS
SELECT contests.name AS contest, submissions.id AS submission, teams.name AS team, evaluations.family,
    evaluations.metric, evaluations.metric_version, evaluations.parameters,
    data_versions.number AS data_version, evaluations.value, evaluations.reason, evaluations.evaluated_at
FROM evaluations
JOIN submissions ON submissions.id = evaluations.submission_id
JOIN contests ON contests.id = submissions.contest_id
JOIN data_versions ON data_versions.id = evaluations.data_version_id
LEFT JOIN teams ON teams.id = submissions.team_id
"""
RANKS = """
CREATE VIEW v_ranks AS
SELECT contests.name AS contest, ranks.submission_id AS submission, teams.name AS team, ranks.ranked_at,
    ranks.position, ranks.privacy_rank, ranks.utility_rank, ranks.score
FROM ranks
JOIN contests ON contests.id = ranks.contest_id
JOIN submissions ON submissions.id = ranks.submission_id
LEFT JOIN teams ON teams.id = submissions.team_id
"""


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("role IN ('participant', 'organiser', 'admin')", name=op.f("ck_accounts_role")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("name_key", name=op.f("uq_accounts_name_key")),
    )
    op.create_table(
        "files",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_files")),
    )
    op.create_table(
        "one_time_links",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_one_time_links")),
        sa.UniqueConstraint("digest", name=op.f("uq_one_time_links_digest")),
    )
    op.create_table(
        "workers",
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_sign_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_workers")),
    )
    op.create_table(
        "audit_entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_audit_entries_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entries")),
    )
    op.create_index(op.f("ix_audit_entries_account_id"), "audit_entries", ["account_id"], unique=False)
    op.create_table(
        "contests",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("definition", sa.Text(), nullable=False),
        sa.Column("parameters", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("board_for", sa.String(length=20), nullable=False),
        sa.Column("values_for", sa.String(length=20), nullable=False),
        sa.Column("data_for", sa.String(length=20), nullable=False),
        sa.Column("submissions_a_day", sa.Integer(), nullable=False),
        sa.Column("submissions_in_all", sa.Integer(), nullable=False),
        sa.Column("failures_a_day", sa.Integer(), nullable=False),
        sa.Column("most_bytes", sa.BigInteger(), nullable=False),
        sa.Column("team_size", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "board_for IN ('everybody', 'participants', 'organiser')", name=op.f("ck_contests_board_for")
        ),
        sa.CheckConstraint(
            "data_for IN ('everybody', 'participants', 'organiser')", name=op.f("ck_contests_data_for")
        ),
        sa.CheckConstraint("state IN ('draft', 'open', 'closed')", name=op.f("ck_contests_state")),
        sa.CheckConstraint(
            "values_for IN ('everybody', 'participants', 'organiser')", name=op.f("ck_contests_values_for")
        ),
        sa.ForeignKeyConstraint(["owner_id"], ["accounts.id"], name=op.f("fk_contests_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contests")),
        sa.UniqueConstraint("name", name=op.f("uq_contests_name")),
    )
    op.create_index(op.f("ix_contests_owner_id"), "contests", ["owner_id"], unique=False)
    op.create_table(
        "sign_ins",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_sign_ins_account_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_ins")),
        sa.UniqueConstraint("digest", name=op.f("uq_sign_ins_digest")),
    )
    op.create_index(op.f("ix_sign_ins_account_id"), "sign_ins", ["account_id"], unique=False)
    op.create_table(
        "tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_tokens_account_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("digest", name=op.f("uq_tokens_digest")),
    )
    op.create_index(op.f("ix_tokens_account_id"), "tokens", ["account_id"], unique=False)
    op.create_table(
        "announcements",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("contest_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("announced_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_announcements_account_id")),
        sa.ForeignKeyConstraint(
            ["contest_id"], ["contests.id"], name=op.f("fk_announcements_contest_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_announcements")),
    )
    op.create_index(op.f("ix_announcements_contest_id"), "announcements", ["contest_id"], unique=False)
    op.create_table(
        "data_versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("contest_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["contest_id"], ["contests.id"], name=op.f("fk_data_versions_contest_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_data_versions")),
        sa.UniqueConstraint("contest_id", "number", name=op.f("uq_data_versions_contest_id")),
    )
    op.create_table(
        "phases",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("contest_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["contest_id"], ["contests.id"], name=op.f("fk_phases_contest_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_phases")),
        sa.UniqueConstraint("contest_id", "position", name=op.f("uq_phases_contest_id")),
    )
    op.create_table(
        "teams",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("contest_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("join_code", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["contest_id"], ["contests.id"], name=op.f("fk_teams_contest_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_teams")),
        sa.UniqueConstraint("contest_id", "name_key", name=op.f("uq_teams_contest_id")),
        sa.UniqueConstraint("join_code", name=op.f("uq_teams_join_code")),
    )
    op.create_table(
        "data_files",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("data_version_id", sa.Integer(), nullable=False),
        sa.Column("part", sa.Text(), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["data_version_id"],
            ["data_versions.id"],
            name=op.f("fk_data_files_data_version_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["digest"], ["files.digest"], name=op.f("fk_data_files_digest")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_data_files")),
        sa.UniqueConstraint("data_version_id", "part", name=op.f("uq_data_files_data_version_id")),
    )
    op.create_table(
        "members",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("contest_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_members_account_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["contest_id"], ["contests.id"], name=op.f("fk_members_contest_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_members_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_members")),
        sa.UniqueConstraint("contest_id", "account_id", name=op.f("uq_members_contest_id")),
    )
    op.create_index(op.f("ix_members_account_id"), "members", ["account_id"], unique=False)
    op.create_index(op.f("ix_members_team_id"), "members", ["team_id"], unique=False)
    op.create_table(
        "submissions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("contest_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=True),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("file_digest", sa.String(length=64), nullable=False),
        sa.Column("truth_digest", sa.String(length=64), nullable=True),
        sa.Column("problems", sa.JSON(), nullable=False),
        sa.Column("log", sa.Text(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("pinned", sa.Boolean(), nullable=False),
        sa.Column("disqualified", sa.Text(), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("kind IN ('release', 'original')", name=op.f("ck_submissions_kind")),
        sa.CheckConstraint(
            "state IN ('received', 'validated', 'refused', 'queued', 'running', 'scored', 'failed')",
            name=op.f("ck_submissions_state"),
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_submissions_account_id")),
        sa.ForeignKeyConstraint(
            ["contest_id"], ["contests.id"], name=op.f("fk_submissions_contest_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["file_digest"], ["files.digest"], name=op.f("fk_submissions_file_digest")),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_submissions_team_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["truth_digest"], ["files.digest"], name=op.f("fk_submissions_truth_digest")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submissions")),
    )
    op.create_index(op.f("ix_submissions_account_id"), "submissions", ["account_id"], unique=False)
    op.create_index("ix_submissions_contest_team", "submissions", ["contest_id", "team_id"], unique=False)
    op.create_table(
        "evaluations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("metric_version", sa.Text(), nullable=False),
        sa.Column("data_version_id", sa.Integer(), nullable=False),
        sa.Column("parameters", sa.Text(), nullable=False),
        sa.Column("family", sa.Text(), nullable=False),
        sa.Column("value", sa.Float(precision=53), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("evaluated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "value IS NOT NULL OR reason IS NOT NULL", name=op.f("ck_evaluations_known_or_why_not")
        ),
        sa.ForeignKeyConstraint(
            ["data_version_id"],
            ["data_versions.id"],
            name=op.f("fk_evaluations_data_version_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submissions.id"],
            name=op.f("fk_evaluations_submission_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evaluations")),
        sa.UniqueConstraint(
            "submission_id",
            "metric",
            "metric_version",
            "data_version_id",
            "parameters",
            name=op.f("uq_evaluations_submission_id"),
        ),
    )
    op.create_index(op.f("ix_evaluations_data_version_id"), "evaluations", ["data_version_id"], unique=False)
    op.create_table(
        "jobs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("worker", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_sign_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("progress", sa.JSON(), nullable=True),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("kind IN ('validate', 'score')", name=op.f("ck_jobs_kind")),
        sa.CheckConstraint("state IN ('waiting', 'running', 'done', 'failed')", name=op.f("ck_jobs_state")),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_jobs_submission_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    op.create_index("ix_jobs_kind_state", "jobs", ["kind", "state", "id"], unique=False)
    op.create_index(op.f("ix_jobs_submission_id"), "jobs", ["submission_id"], unique=False)
    op.create_table(
        "quota_entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("entered_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "kind IN ('spent', 'refunded', 'granted', 'failed')", name=op.f("ck_quota_entries_kind")
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submissions.id"],
            name=op.f("fk_quota_entries_submission_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_quota_entries_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_quota_entries")),
    )
    op.create_index(op.f("ix_quota_entries_submission_id"), "quota_entries", ["submission_id"], unique=False)
    op.create_index("ix_quota_entries_team", "quota_entries", ["team_id", "entered_at"], unique=False)
    op.create_table(
        "ranks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("contest_id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("ranked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("position", sa.Double(), nullable=True),
        sa.Column("privacy_rank", sa.Double(), nullable=True),
        sa.Column("utility_rank", sa.Double(), nullable=True),
        sa.Column("score", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["contest_id"], ["contests.id"], name=op.f("fk_ranks_contest_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_ranks_submission_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ranks")),
    )
    op.create_index(op.f("ix_ranks_contest_id"), "ranks", ["contest_id"], unique=False)
    op.create_index(op.f("ix_ranks_submission_id"), "ranks", ["submission_id"], unique=False)
    op.execute(SUBMISSIONS)
    op.execute(METRIC_VALUES)
    op.execute(RANKS)

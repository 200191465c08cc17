"""Metrics that users upload: their versions, each run of one on a submission; what a worker's walls hold."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

METRICS = """
CREATE VIEW v_metrics AS
SELECT contests.name AS contest, metrics.name AS metric, teams.name AS team,
    metric_versions.digest AS version, metric_versions.family, metric_versions.better,
    metric_versions.language, metric_versions.state, metric_versions.created_at
FROM metric_versions
JOIN metrics ON metrics.id = metric_versions.metric_id
JOIN contests ON contests.id = metrics.contest_id
LEFT JOIN teams ON teams.id = metrics.team_id
"""


def upgrade() -> None:
    op.add_column("workers", sa.Column("sandbox", sa.Text(), nullable=True))
    op.create_table(
        "metrics",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("contest_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["contest_id"], ["contests.id"], name=op.f("fk_metrics_contest_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_metrics_team_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_metrics")),
        sa.UniqueConstraint("contest_id", "name", name=op.f("uq_metrics_contest_id")),
    )
    op.create_index(op.f("ix_metrics_team_id"), "metrics", ["team_id"], unique=False)
    op.create_table(
        "metric_versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("metric_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("language", sa.String(length=20), nullable=False),
        sa.Column("family", sa.String(length=20), nullable=False),
        sa.Column("better", sa.String(length=20), nullable=False),
        sa.Column("secret", sa.Boolean(), nullable=False),
        sa.Column("approved", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "state IN ('unapproved', 'waiting', 'accepted', 'refused')",
            name=op.f("ck_metric_versions_state"),
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_metric_versions_account_id")),
        sa.ForeignKeyConstraint(
            ["metric_id"], ["metrics.id"], name=op.f("fk_metric_versions_metric_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_metric_versions")),
        sa.UniqueConstraint("metric_id", "digest", name=op.f("uq_metric_versions_metric_id")),
    )
    op.create_index(op.f("ix_metric_versions_account_id"), "metric_versions", ["account_id"], unique=False)
    op.create_table(
        "metric_runs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=True),
        sa.Column("data_version_id", sa.Integer(), nullable=False),
        sa.Column("parameters", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("worker", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("value", sa.Float(precision=53), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("log", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "state IN ('waiting', 'running', 'done', 'failed')", name=op.f("ck_metric_runs_state")
        ),
        sa.ForeignKeyConstraint(
            ["data_version_id"], ["data_versions.id"], name=op.f("fk_metric_runs_data_version_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_metric_runs_submission_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["metric_versions.id"], name=op.f("fk_metric_runs_version_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_metric_runs")),
        sa.UniqueConstraint(
            "version_id", "submission_id", "data_version_id", "parameters",
            name=op.f("uq_metric_runs_version_id"),
        ),
    )  # fmt: skip
    op.create_index("ix_metric_runs_state", "metric_runs", ["state", "id"], unique=False)
    op.create_index(op.f("ix_metric_runs_submission_id"), "metric_runs", ["submission_id"], unique=False)
    op.create_index(op.f("ix_metric_runs_data_version_id"), "metric_runs", ["data_version_id"], unique=False)
    op.execute(METRICS)

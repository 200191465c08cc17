"""The tables of the platform's database, the same on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

# named, so that a migration can name them too
CONSTRAINT_NAMES = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}

ROLES = ("participant", "organiser", "admin")
SEEN_BY = ("everybody", "participants", "organiser")
CONTEST_STATES = ("draft", "open", "closed")
SUBMISSION_STATES = ("received", "validated", "refused", "queued", "running", "scored", "failed")
JOB_KINDS = ("validate", "score", "publish", "attack")
JOB_STATES = ("waiting", "running", "done", "failed")
LEDGER_KINDS = ("spent", "refunded", "granted", "failed")
LEDGER_PURSES = ("submissions", "looks")
METRIC_STATES = ("unapproved", "waiting", "accepted", "refused")
SUBMISSION_KINDS = ("release", "original", "guesses", "house")
PUBLICATION_STATES = ("waiting", "published", "failed")


class UtcMoment(TypeDecorator[datetime]):
    """A moment in UTC; SQLite forgets the zone, so it is put back on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs its time zone")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=CONSTRAINT_NAMES)
    type_annotation_map = {datetime: UtcMoment, str: Text, dict[str, Any]: JSON, list[Any]: JSON}  # noqa: RUF012


def _one_of(column: str, values: tuple[str, ...]) -> CheckConstraint:
    listed = ", ".join(f"'{each}'" for each in values)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


class AccountRow(Base):
    """Somebody who signed up. `name_key` is the name without case, so that no two look alike."""

    __tablename__ = "accounts"
    __table_args__ = (_one_of("role", ROLES),)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    name_key: Mapped[str] = mapped_column(unique=True)
    role: Mapped[str] = mapped_column(String(20))
    password_hash: Mapped[str | None]
    active: Mapped[bool] = mapped_column(default=True)
    created_at: Mapped[datetime]


class SignInRow(Base):
    """A session of a browser: the cookie's digest, never the cookie."""

    __tablename__ = "sign_ins"

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]


class TokenRow(Base):
    """A bearer token for scripts: its digest, never the token."""

    __tablename__ = "tokens"

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    name: Mapped[str]
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class OneTimeLinkRow(Base):
    """A link that makes whoever opens it first an admin."""

    __tablename__ = "one_time_links"

    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class ContestRow(Base):
    """A contest: its definition (TOML), and what the store itself must know of it.

    `parameters` is all of the definition that values depend on: those measured by others no longer count.
    `attack_seed` is drawn when releases are shuffled, and never leaves the server. Without an attack phase
    there are no looks.
    """

    __tablename__ = "contests"
    __table_args__ = (
        _one_of("state", CONTEST_STATES),
        _one_of("board_for", SEEN_BY),
        _one_of("values_for", SEEN_BY),
        _one_of("data_for", SEEN_BY),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    title: Mapped[str]
    definition: Mapped[str]
    parameters: Mapped[str]
    state: Mapped[str] = mapped_column(String(20))
    owner_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    board_for: Mapped[str] = mapped_column(String(20))
    values_for: Mapped[str] = mapped_column(String(20))
    data_for: Mapped[str] = mapped_column(String(20))
    submissions_a_day: Mapped[int]
    submissions_in_all: Mapped[int]
    failures_a_day: Mapped[int]
    looks_a_day: Mapped[int] = mapped_column(default=0, server_default="0")
    looks_in_all: Mapped[int] = mapped_column(default=0, server_default="0")
    attack_seed: Mapped[str | None]
    most_bytes: Mapped[int] = mapped_column(BigInteger)
    team_size: Mapped[int]
    created_at: Mapped[datetime]


class PhaseRow(Base):
    """A phase of a contest; the last one that has started is the current one, the first if none has."""

    __tablename__ = "phases"
    __table_args__ = (UniqueConstraint("contest_id", "position"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    contest_id: Mapped[int] = mapped_column(ForeignKey("contests.id", ondelete="CASCADE"))
    position: Mapped[int]
    name: Mapped[str]
    kind: Mapped[str]
    starts_at: Mapped[datetime | None]


class FileRow(Base):
    """A file that was stored under the digest of its content."""

    __tablename__ = "files"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    size: Mapped[int] = mapped_column(BigInteger)
    created_at: Mapped[datetime]


class DataVersionRow(Base):
    """The data of a contest as of one moment; the highest number is the current one."""

    __tablename__ = "data_versions"
    __table_args__ = (UniqueConstraint("contest_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    contest_id: Mapped[int] = mapped_column(ForeignKey("contests.id", ondelete="CASCADE"))
    number: Mapped[int]
    created_at: Mapped[datetime]


class DataFileRow(Base):
    """One file of a version: `part` says what it is, such as original, people, example or hierarchy/age."""

    __tablename__ = "data_files"
    __table_args__ = (UniqueConstraint("data_version_id", "part"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    data_version_id: Mapped[int] = mapped_column(ForeignKey("data_versions.id", ondelete="CASCADE"))
    part: Mapped[str]
    file_name: Mapped[str]
    digest: Mapped[str] = mapped_column(ForeignKey("files.digest"))


class TeamRow(Base):
    """Who competes together in one contest; whoever knows the code can join."""

    __tablename__ = "teams"
    __table_args__ = (UniqueConstraint("contest_id", "name_key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    contest_id: Mapped[int] = mapped_column(ForeignKey("contests.id", ondelete="CASCADE"))
    name: Mapped[str]
    name_key: Mapped[str]
    join_code: Mapped[str] = mapped_column(unique=True)
    created_at: Mapped[datetime]


class MemberRow(Base):
    """An account in a team: in each contest in one at most."""

    __tablename__ = "members"
    __table_args__ = (UniqueConstraint("contest_id", "account_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    contest_id: Mapped[int] = mapped_column(ForeignKey("contests.id", ondelete="CASCADE"))
    team_id: Mapped[int] = mapped_column(ForeignKey("teams.id", ondelete="CASCADE"), index=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)


class SubmissionRow(Base):
    """A release that a team handed in, or the original itself, which fixes the boundary line.

    Or guesses at who is who in the release `target_id`, by a team or by the library's attack `player` of the
    house. `file_name` is shown and never used as a path. `problems` are validation messages in order.
    """

    __tablename__ = "submissions"
    __table_args__ = (
        _one_of("state", SUBMISSION_STATES),
        _one_of("kind", SUBMISSION_KINDS),
        Index("ix_submissions_contest_team", "contest_id", "team_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    contest_id: Mapped[int] = mapped_column(ForeignKey("contests.id", ondelete="CASCADE"))
    team_id: Mapped[int | None] = mapped_column(ForeignKey("teams.id", ondelete="CASCADE"))
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    kind: Mapped[str] = mapped_column(String(20), default="release")
    state: Mapped[str] = mapped_column(String(20))
    file_name: Mapped[str]
    file_digest: Mapped[str] = mapped_column(ForeignKey("files.digest"))
    truth_digest: Mapped[str | None] = mapped_column(ForeignKey("files.digest"))
    recipe_digest: Mapped[str | None] = mapped_column(ForeignKey("files.digest"))
    people_digest: Mapped[str | None] = mapped_column(ForeignKey("files.digest"))
    target_id: Mapped[int | None] = mapped_column(
        ForeignKey("submissions.id", ondelete="CASCADE"), index=True
    )
    player: Mapped[str | None]
    problems: Mapped[list[Any]] = mapped_column(default=list)
    log: Mapped[str] = mapped_column(default="")
    comment: Mapped[str] = mapped_column(default="")
    pinned: Mapped[bool] = mapped_column(default=False)
    disqualified: Mapped[str | None]
    received_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]


class JobRow(Base):
    """An evaluation to be done; a worker holds it until `lease_until`, longer while it gives signs."""

    __tablename__ = "jobs"
    __table_args__ = (
        _one_of("kind", JOB_KINDS),
        _one_of("state", JOB_STATES),
        Index("ix_jobs_kind_state", "kind", "state", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    submission_id: Mapped[int] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), index=True)
    kind: Mapped[str] = mapped_column(String(20))
    state: Mapped[str] = mapped_column(String(20))
    attempts: Mapped[int] = mapped_column(default=0)
    worker: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    last_sign_at: Mapped[datetime | None]
    progress: Mapped[dict[str, Any] | None]
    fault: Mapped[str | None]
    created_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]


class WorkerRow(Base):
    """A worker and its last sign of life; `sandbox` is what it found out about its walls."""

    __tablename__ = "workers"

    name: Mapped[str] = mapped_column(String(200), primary_key=True)
    started_at: Mapped[datetime]
    last_sign_at: Mapped[datetime]
    sandbox: Mapped[str | None]


class MetricRow(Base):
    """A metric that somebody uploaded; its name is a team's, or the organiser's if there is none."""

    __tablename__ = "metrics"
    __table_args__ = (UniqueConstraint("contest_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    contest_id: Mapped[int] = mapped_column(ForeignKey("contests.id", ondelete="CASCADE"))
    team_id: Mapped[int | None] = mapped_column(ForeignKey("teams.id", ondelete="CASCADE"), index=True)
    name: Mapped[str]


class MetricVersionRow(Base):
    """A metric's text as of one upload, named by its digest.

    A `secret` one reads who is who, and is unapproved until an organiser approved this very text. Others wait
    for their trial, which accepts or refuses them.
    """

    __tablename__ = "metric_versions"
    __table_args__ = (_one_of("state", METRIC_STATES), UniqueConstraint("metric_id", "digest"))

    id: Mapped[int] = mapped_column(primary_key=True)
    metric_id: Mapped[int] = mapped_column(ForeignKey("metrics.id", ondelete="CASCADE"))
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    digest: Mapped[str] = mapped_column(String(64))
    file_name: Mapped[str]
    text: Mapped[str]
    language: Mapped[str] = mapped_column(String(20))
    family: Mapped[str] = mapped_column(String(20))
    better: Mapped[str] = mapped_column(String(20))
    secret: Mapped[bool]
    approved: Mapped[bool] = mapped_column(default=False)
    state: Mapped[str] = mapped_column(String(20))
    created_at: Mapped[datetime]


class MetricRunRow(Base):
    """One run of a version on a submission, or without one its trial on the example.

    A worker holds it until `lease_until`. Values of secret metrics are only here, for the organiser.
    """

    __tablename__ = "metric_runs"
    __table_args__ = (
        _one_of("state", JOB_STATES),
        UniqueConstraint("version_id", "submission_id", "data_version_id", "parameters"),
        Index("ix_metric_runs_state", "state", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("metric_versions.id", ondelete="CASCADE"))
    submission_id: Mapped[int | None] = mapped_column(
        ForeignKey("submissions.id", ondelete="CASCADE"), index=True
    )
    data_version_id: Mapped[int] = mapped_column(
        ForeignKey("data_versions.id", ondelete="CASCADE"), index=True
    )
    parameters: Mapped[str]
    state: Mapped[str] = mapped_column(String(20))
    attempts: Mapped[int] = mapped_column(default=0)
    worker: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    value: Mapped[float | None] = mapped_column(Float(53))
    reason: Mapped[str | None]
    log: Mapped[str] = mapped_column(default="")
    created_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]


class EvaluationRow(Base):
    """One metric's value of one submission; an unknown value has a reason instead."""

    __tablename__ = "evaluations"
    __table_args__ = (
        UniqueConstraint("submission_id", "metric", "metric_version", "data_version_id", "parameters"),
        CheckConstraint("value IS NOT NULL OR reason IS NOT NULL", name="known_or_why_not"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    submission_id: Mapped[int] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"))
    metric: Mapped[str]
    metric_version: Mapped[str]
    data_version_id: Mapped[int] = mapped_column(
        ForeignKey("data_versions.id", ondelete="CASCADE"), index=True
    )
    parameters: Mapped[str]
    family: Mapped[str]
    value: Mapped[float | None] = mapped_column(Float(53))
    reason: Mapped[str | None]
    evaluated_at: Mapped[datetime]


class RankRow(Base):
    """A submission's place on the board from a moment on; written when it changes."""

    __tablename__ = "ranks"

    id: Mapped[int] = mapped_column(primary_key=True)
    contest_id: Mapped[int] = mapped_column(ForeignKey("contests.id", ondelete="CASCADE"), index=True)
    submission_id: Mapped[int] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), index=True)
    ranked_at: Mapped[datetime]
    position: Mapped[float | None]
    privacy_rank: Mapped[float | None]
    utility_rank: Mapped[float | None]
    score: Mapped[float | None]


class QuotaEntryRow(Base):
    """An entry of a team's ledger: spent, refunded, granted, or failed by its own fault.

    Submissions of releases and looks at the scores of guesses have a purse each.
    """

    __tablename__ = "quota_entries"
    __table_args__ = (
        _one_of("kind", LEDGER_KINDS),
        _one_of("purse", LEDGER_PURSES),
        Index("ix_quota_entries_team", "team_id", "entered_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    team_id: Mapped[int] = mapped_column(ForeignKey("teams.id", ondelete="CASCADE"))
    submission_id: Mapped[int | None] = mapped_column(
        ForeignKey("submissions.id", ondelete="CASCADE"), index=True
    )
    purse: Mapped[str] = mapped_column(String(20), default="submissions", server_default="submissions")
    kind: Mapped[str] = mapped_column(String(20))
    amount: Mapped[int]
    why: Mapped[str]
    entered_at: Mapped[datetime]


class PublicationRow(Base):
    """A release as the other teams get it: shuffled, under fresh names for people.

    `people` are those of the original who are in it, on whom guesses are judged.
    """

    __tablename__ = "publications"
    __table_args__ = (_one_of("state", PUBLICATION_STATES),)

    id: Mapped[int] = mapped_column(primary_key=True)
    contest_id: Mapped[int] = mapped_column(ForeignKey("contests.id", ondelete="CASCADE"), index=True)
    submission_id: Mapped[int] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), unique=True)
    state: Mapped[str] = mapped_column(String(20))
    file_digest: Mapped[str | None] = mapped_column(ForeignKey("files.digest"))
    truth_digest: Mapped[str | None] = mapped_column(ForeignKey("files.digest"))
    people: Mapped[int | None]
    records: Mapped[int | None]
    published_at: Mapped[datetime | None]


class PublishedPersonRow(Base):
    """Who a fresh name is: secret; made-up people are nobody. Looks tell nothing of who `decides`."""

    __tablename__ = "published_people"

    publication_id: Mapped[int] = mapped_column(
        ForeignKey("publications.id", ondelete="CASCADE"), primary_key=True
    )
    release_user: Mapped[str] = mapped_column(primary_key=True)
    person: Mapped[str | None] = mapped_column(index=True)
    decides: Mapped[bool]


class GuessRow(Base):
    """Somebody of the original whom an attacker names for somebody of a published release."""

    __tablename__ = "guesses"

    id: Mapped[int] = mapped_column(primary_key=True)
    submission_id: Mapped[int] = mapped_column(ForeignKey("submissions.id", ondelete="CASCADE"), index=True)
    release_user: Mapped[str]
    original_user: Mapped[str]
    confidence: Mapped[float]


class AttackScoreRow(Base):
    """What guesses came to: in the half that looks are answered from, and in the half that decides.

    `shown` is what the team was told at this look, None if it did not beat its best by the step.
    """

    __tablename__ = "attack_scores"

    submission_id: Mapped[int] = mapped_column(
        ForeignKey("submissions.id", ondelete="CASCADE"), primary_key=True
    )
    look_rate: Mapped[float]
    final_rate: Mapped[float]
    shown: Mapped[float | None]
    scored_at: Mapped[datetime]


class AnnouncementRow(Base):
    """What an organiser tells everybody."""

    __tablename__ = "announcements"

    id: Mapped[int] = mapped_column(primary_key=True)
    contest_id: Mapped[int] = mapped_column(ForeignKey("contests.id", ondelete="CASCADE"), index=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"))
    text: Mapped[str]
    announced_at: Mapped[datetime]


class AuditRow(Base):
    """Who did what, and when; rows are only added."""

    __tablename__ = "audit_entries"

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    action: Mapped[str]
    about: Mapped[str]
    done_at: Mapped[datetime]

"""Uploaded metrics: their versions, who may add one, and their runs on what their uploader may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from sqlalchemy import and_, false, func, or_, select, update
from sqlalchemy.orm import Session

from singleout.platform.contest import ContestMetric, read_contest
from singleout.platform.refusal import RefusalError
from singleout.platform.store.audit import record
from singleout.platform.store.contests import change_contest, current_data
from singleout.platform.store.database import moment, row_by_id
from singleout.platform.store.evaluations import MetricScore, basis_of, record_scores
from singleout.platform.store.files import shown_name
from singleout.platform.store.queue import LEASE, MOST_ATTEMPTS
from singleout.platform.store.schema import (
    AccountRow,
    ContestRow,
    MetricRow,
    MetricRunRow,
    MetricVersionRow,
    SubmissionRow,
    TeamRow,
)
from singleout.platform.uploaded_metric import UploadedMetric, check_visible, read_metric

MOST_VERSIONS_A_DAY = 50
# each has a column on everybody's board
MOST_OF_A_TEAM = 20
NO_VALUE = "the metric gave no value of it; its author can read why"
VANISHED = "the worker vanished while it ran, again and again: perhaps the metric's doing"


@dataclass(frozen=True)
class TakenRun:
    """A run and its holder, with all that it is about."""

    id: int
    worker: str
    attempt: int
    version: MetricVersionRow
    contest: ContestRow
    submission: SubmissionRow | None

    @property
    def metric(self) -> UploadedMetric:
        return metric_of(self.version)


@dataclass(frozen=True)
class ListedMetric:
    """A version as its page shows it: who uploaded it, its trial, and whether the contest ranks by it."""

    version: MetricVersionRow
    name: str
    title: str
    team: str | None
    trial: MetricRunRow | None
    adopted: bool
    current: bool
    runs: int


def metric_of(version: MetricVersionRow) -> UploadedMetric:
    return read_metric(version.text.encode(), version.file_name)


def add_metric(
    session: Session,
    contest: ContestRow,
    account: AccountRow,
    team: TeamRow | None,
    content: bytes,
    name: str,
) -> MetricVersionRow:
    """A new version, with its trial; the same text again is the version that is there."""
    check_visible(metric := read_metric(content, name))
    contest = session.get_one(ContestRow, contest.id, with_for_update=True)
    row = _own_metric(session, contest, team, metric.name)
    there = session.scalar(
        select(MetricVersionRow).where(
            MetricVersionRow.metric_id == row.id, MetricVersionRow.digest == metric.digest
        )
    )
    if there is not None:
        return there
    _check_rate(session, account)
    version = MetricVersionRow(
        metric_id=row.id, account_id=account.id, digest=metric.digest, file_name=shown_name(name),
        text=metric.text, language=metric.language, family=metric.family, better=metric.better,
        secret=metric.secret, approved=False, state="unapproved" if metric.secret else "waiting",
        created_at=moment(session),
    )  # fmt: skip
    session.add(version)
    session.flush()
    if not metric.secret:
        _add_run(session, contest, version, None)
    record(session, account, f"upload the metric {metric.name}", f"{contest.name} {metric.digest[:12]}")
    return version


def _own_metric(session: Session, contest: ContestRow, team: TeamRow | None, name: str) -> MetricRow:
    """A name belongs to who took it first."""
    row = session.scalar(select(MetricRow).where(MetricRow.contest_id == contest.id, MetricRow.name == name))
    own = None if team is None else team.id
    if row is not None and row.team_id != own:
        raise RefusalError("name_taken", f"somebody else has a metric {name!r} here; choose another name")
    if row is None:
        _check_number(session, contest, own)
        row = MetricRow(contest_id=contest.id, team_id=own, name=name)
        session.add(row)
        session.flush()
    return row


def _check_number(session: Session, contest: ContestRow, team: int | None) -> None:
    many = select(func.count()).where(MetricRow.contest_id == contest.id, MetricRow.team_id == team)
    if team is not None and (session.scalar(many) or 0) >= MOST_OF_A_TEAM:
        raise RefusalError(
            "bad_metric", f"a team has at most {MOST_OF_A_TEAM} metrics; hand in a newer version of one"
        )


def _check_rate(session: Session, account: AccountRow) -> None:
    since = moment(session) - timedelta(days=1)
    many = session.scalar(
        select(func.count()).where(
            MetricVersionRow.account_id == account.id, MetricVersionRow.created_at > since
        )
    )
    if (many or 0) >= MOST_VERSIONS_A_DAY:
        raise RefusalError("too_often", f"{MOST_VERSIONS_A_DAY} versions of metrics a day are taken; wait")


def version_by_id(session: Session, contest: ContestRow, number: int) -> MetricVersionRow:
    version = row_by_id(session, MetricVersionRow, number)
    metric = None if version is None else session.get(MetricRow, version.metric_id)
    if version is None or metric is None or metric.contest_id != contest.id:
        raise RefusalError("not_found", "there is no such metric")
    return version


def versions_of(session: Session, contest: ContestRow) -> Sequence[MetricVersionRow]:
    """All that were uploaded, the first one first."""
    query = (
        select(MetricVersionRow)
        .join(MetricRow, MetricRow.id == MetricVersionRow.metric_id)
        .where(MetricRow.contest_id == contest.id)
    )
    return session.scalars(query.order_by(MetricVersionRow.id)).all()


def team_of_metric(session: Session, version: MetricVersionRow) -> int | None:
    return session.get_one(MetricRow, version.metric_id).team_id


def approve(session: Session, actor: AccountRow, contest: ContestRow, version: MetricVersionRow) -> None:
    """This text, and no other, may read who is who; the example has no map to try it on."""
    if version.state != "unapproved":
        raise RefusalError("wrong_state", "this metric needs no approval")
    version.approved, version.state = True, "accepted"
    session.flush()
    plan_runs(session, contest)
    record(session, actor, "approve a secret metric", f"{contest.name} {version.digest}")


def adopt(session: Session, actor: AccountRow, contest: ContestRow, version: MetricVersionRow) -> None:
    """Into the ranking, pinned by its digest: a newer version changes nothing until it is adopted too."""
    metric = metric_of(version)
    if version.state != "accepted" or version.secret:
        raise RefusalError("wrong_state", "only a metric that passed its trial and reads no secret ranks")
    _rank_by(session, actor, contest, metric.name, metric)
    record(session, actor, f"adopt the metric {metric.name}", f"{contest.name} {version.digest}")


def drop(session: Session, actor: AccountRow, contest: ContestRow, version: MetricVersionRow) -> None:
    """Out of the ranking."""
    name = metric_of(version).name
    _rank_by(session, actor, contest, name, None)
    record(session, actor, f"drop the metric {name}", contest.name)


def _rank_by(
    session: Session, actor: AccountRow, contest: ContestRow, name: str, metric: UploadedMetric | None
) -> None:
    definition = read_contest(contest.definition)
    others = tuple(each for each in definition.metrics if each.name != name)
    added = () if metric is None else (
        ContestMetric(name, metric.family, digest=metric.digest, better=metric.better),
    )  # fmt: skip
    change_contest(session, actor, contest, replace(definition, metrics=(*others, *added)))
    session.flush()
    plan_runs(session, contest)


def shown_versions(session: Session, contest: ContestRow) -> dict[str, str]:
    """The digest of each metric that the board shows: what the contest pinned, or the newest accepted one."""
    query = (
        select(MetricRow.name, MetricVersionRow.digest)
        .join(MetricVersionRow, MetricVersionRow.metric_id == MetricRow.id)
        .where(MetricRow.contest_id == contest.id, MetricVersionRow.state == "accepted")
        .where(MetricVersionRow.secret.is_(False))
        .order_by(MetricVersionRow.id)
    )
    newest = {row.name: row.digest for row in session.execute(query)}
    return newest | read_contest(contest.definition).pinned


def shown_metrics(session: Session, contest: ContestRow) -> dict[str, UploadedMetric]:
    """By name, those whose values the board may show."""
    wanted = shown_versions(session, contest)
    if not wanted:
        return {}
    query = (
        select(MetricVersionRow)
        .join(MetricRow, MetricRow.id == MetricVersionRow.metric_id)
        .where(MetricRow.contest_id == contest.id, MetricVersionRow.digest.in_(wanted.values()))
    )
    return {metric.name: metric for metric in map(metric_of, session.scalars(query))}


def listed_metrics(
    session: Session, contest: ContestRow, *, team: TeamRow | None, every: bool
) -> list[ListedMetric]:
    """The newest first: all of them for who manages the contest, or one's own team's and what ranks."""
    pinned, shown = read_contest(contest.definition).pinned, shown_versions(session, contest)
    query = (
        select(MetricVersionRow, MetricRow, TeamRow.name)
        .join(MetricRow, MetricRow.id == MetricVersionRow.metric_id)
        .outerjoin(TeamRow, TeamRow.id == MetricRow.team_id)
        .where(MetricRow.contest_id == contest.id)
        .order_by(MetricVersionRow.id.desc())
    )
    found = []
    for version, metric, by in session.execute(query):
        adopted = pinned.get(metric.name) == version.digest
        own = team is not None and metric.team_id == team.id
        if every or own or adopted:
            listed = ListedMetric(
                version, metric.name, metric_of(version).title, by, trial_of(session, version), adopted,
                shown.get(metric.name) == version.digest, _finished_runs(session, version),
            )  # fmt: skip
            found.append(listed)
    return found


def trial_of(session: Session, version: MetricVersionRow) -> MetricRunRow | None:
    query = select(MetricRunRow).where(
        MetricRunRow.version_id == version.id, MetricRunRow.submission_id.is_(None)
    )
    return session.scalar(query.order_by(MetricRunRow.id.desc()).limit(1))


def runs_of(
    session: Session, version: MetricVersionRow, *, team: TeamRow | None, every: bool
) -> Sequence[MetricRunRow]:
    """On submissions, the newest first: a team sees its own and the original's, also of what ranks.

    Their reasons are the metric's own words, which may repeat what it read.
    """
    query = (
        select(MetricRunRow)
        .join(SubmissionRow, SubmissionRow.id == MetricRunRow.submission_id)
        .where(MetricRunRow.version_id == version.id)
        .order_by(MetricRunRow.id.desc())
    )
    if not every:
        own = false() if team is None else SubmissionRow.team_id == team.id
        query = query.where(or_(own, SubmissionRow.kind == "original"))
    return session.scalars(query).all()


def _finished_runs(session: Session, version: MetricVersionRow) -> int:
    query = select(func.count()).where(
        MetricRunRow.version_id == version.id, MetricRunRow.submission_id.is_not(None),
        MetricRunRow.state == "done",
    )  # fmt: skip
    return session.scalar(query) or 0


def run_again(session: Session, actor: AccountRow, contest: ContestRow, version: MetricVersionRow) -> None:
    """What the platform failed at, once more; values that are known stay."""
    session.execute(
        update(MetricRunRow)
        .where(MetricRunRow.version_id == version.id, MetricRunRow.state == "failed")
        .values(state="waiting", attempts=0, reason=None)
    )
    plan_runs(session, contest)
    record(session, actor, "run a metric again", f"{contest.name} {version.digest[:12]}")


def plan_runs(session: Session, contest: ContestRow) -> None:
    """A run for each accepted version on each submission that its uploader may see, once for the same data.

    A team's metric sees the team's own submissions and the original; what ranks, or is the organiser's, all.
    """
    pinned = set(read_contest(contest.definition).pinned.values())
    versions = session.execute(
        select(MetricVersionRow, MetricRow)
        .join(MetricRow, MetricRow.id == MetricVersionRow.metric_id)
        .where(MetricRow.contest_id == contest.id, MetricVersionRow.state == "accepted")
        .order_by(MetricVersionRow.id)
    ).all()
    newest = {metric.id: version.id for version, metric in versions}
    scored = session.scalars(
        select(SubmissionRow).where(
            SubmissionRow.contest_id == contest.id, SubmissionRow.state == "scored",
            SubmissionRow.kind.in_(("release", "original")),
        )
    ).all() if versions else ()  # fmt: skip
    for version, metric in versions:
        if version.id != newest[metric.id] and version.digest not in pinned:
            continue
        everybody = metric.team_id is None or version.digest in pinned
        for submission in scored:
            own = submission.team_id == metric.team_id or submission.kind == "original"
            if (everybody or own) and not (version.secret and submission.truth_digest is None):
                _add_run(session, contest, version, submission)


def _add_run(
    session: Session, contest: ContestRow, version: MetricVersionRow, submission: SubmissionRow | None
) -> None:
    basis = basis_of(session, contest)
    number = None if submission is None else submission.id
    same = MetricRunRow.submission_id.is_(None) if number is None else MetricRunRow.submission_id == number
    query = select(MetricRunRow.id).where(
        MetricRunRow.version_id == version.id, same, MetricRunRow.data_version_id == basis.data_version_id,
        MetricRunRow.parameters == basis.parameters,
    )  # fmt: skip
    if session.scalar(query.limit(1)) is None:
        run = MetricRunRow(
            version_id=version.id, submission_id=number, data_version_id=basis.data_version_id,
            parameters=basis.parameters, state="waiting", attempts=0, log="", created_at=moment(session),
        )  # fmt: skip
        session.add(run)
        session.flush()


def has_run(session: Session) -> bool:
    free = or_(
        MetricRunRow.state == "waiting",
        and_(MetricRunRow.state == "running", MetricRunRow.lease_until < moment(session)),
    )
    return session.scalar(select(MetricRunRow.id).where(free).limit(1)) is not None


def take_run(session: Session, worker: str, lease: timedelta = LEASE) -> TakenRun | None:
    """A trial first, for its author waits; then the oldest run that nobody holds."""
    now = moment(session)
    lost = select(MetricRunRow).where(MetricRunRow.state == "running", MetricRunRow.lease_until < now)
    for run in session.scalars(lost.with_for_update(skip_locked=True)).all():
        run.state, run.worker = ("failed", None) if run.attempts >= MOST_ATTEMPTS else ("waiting", None)
        run.reason = VANISHED if run.state == "failed" else None
    session.flush()
    query = select(MetricRunRow).where(MetricRunRow.state == "waiting")
    trials_first = query.order_by(MetricRunRow.submission_id.is_not(None), MetricRunRow.id)
    row = session.scalar(trials_first.limit(1).with_for_update(skip_locked=True))
    if row is None:
        return None
    row.state, row.worker, row.attempts, row.lease_until = "running", worker, row.attempts + 1, now + lease
    version = session.get_one(MetricVersionRow, row.version_id)
    metric = session.get_one(MetricRow, version.metric_id)
    submission = None if row.submission_id is None else session.get_one(SubmissionRow, row.submission_id)
    contest = session.get_one(ContestRow, metric.contest_id)
    return TakenRun(row.id, worker, row.attempts, version, contest, submission)


def keep_run(session: Session, taken: TakenRun, lease: timedelta = LEASE) -> bool:
    row = _held(session, taken)
    if row is not None:
        row.lease_until = moment(session) + lease
    return row is not None


def return_run(session: Session, taken: TakenRun) -> None:
    if (row := _held(session, taken)) is not None:
        row.state, row.worker, row.attempts = "waiting", None, row.attempts - 1


def fail_run(session: Session, taken: TakenRun, fault: str) -> None:
    """By the platform: an organiser can run it again."""
    if (row := _held(session, taken)) is not None:
        row.state, row.reason, row.finished_at = "failed", fault, moment(session)


def finish_run(session: Session, taken: TakenRun, value: float | None, reason: str | None, log: str) -> None:
    """A trial accepts or refuses its version; a value of a submission is recorded under its whole key."""
    row = _held(session, taken)
    if row is None:
        return
    row.state, row.value, row.reason, row.log = "done", value, reason, log
    row.finished_at, row.lease_until = moment(session), None
    version = session.get_one(MetricVersionRow, row.version_id)
    contest = session.get_one(ContestRow, taken.contest.id)
    if row.submission_id is None:
        version.state = "refused" if value is None else "accepted"
        session.flush()
        plan_runs(session, contest)
    elif not version.secret:
        metric = metric_of(version)
        # its own words stay with its author: they may repeat what it read, and a board may be everybody's
        told = None if value is not None else NO_VALUE
        score = MetricScore(metric.name, metric.family, value, told, version.digest)
        submission = session.get_one(SubmissionRow, row.submission_id)
        basis = basis_of(session, contest)
        if (row.data_version_id, row.parameters) == (basis.data_version_id, basis.parameters):
            record_scores(session, submission, basis, [score])


def _held(session: Session, taken: TakenRun) -> MetricRunRow | None:
    query = select(MetricRunRow).where(
        MetricRunRow.id == taken.id, MetricRunRow.state == "running", MetricRunRow.worker == taken.worker,
        MetricRunRow.attempts == taken.attempt,
    )  # fmt: skip
    return session.scalar(query.with_for_update())


def tables_of_run(session: Session, taken: TakenRun) -> dict[str, str]:
    """Digests of what the metric sees: never who is who, unless this version was approved for it."""
    parts: Mapping[str, Any] = current_data(session, taken.contest)[1]
    found = {"original": parts["original"].digest}
    if taken.submission is None:
        found["release"] = parts.get("example", parts["original"]).digest
    else:
        found["release"] = taken.submission.file_digest
    if taken.version.secret and taken.version.approved and taken.submission is not None:
        assert taken.submission.truth_digest is not None
        found["truth"] = taken.submission.truth_digest
    return found

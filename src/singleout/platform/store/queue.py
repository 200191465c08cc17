"""The queue of jobs: taken by one worker at a time, given back when a worker vanishes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, func, or_, select, update
from sqlalchemy.orm import Session

from singleout.platform.store.audit import record
from singleout.platform.store.database import moment
from singleout.platform.store.quota import enter, purse_of, refund
from singleout.platform.store.schema import JobRow, PublicationRow, SubmissionRow, WorkerRow

LEASE = timedelta(seconds=60)
MOST_ATTEMPTS = 3
# the others are about its publication, and leave the state of the submission as it is
OF_SUBMISSIONS = ("validate", "score")
VANISHED = f"{MOST_ATTEMPTS} workers vanished while they worked on it"


@dataclass(frozen=True)
class TakenJob:
    """A job and its holder: who took it, at which attempt. Only the holder can finish it."""

    id: int
    submission_id: int
    kind: str
    worker: str
    attempt: int


@dataclass(frozen=True)
class QueuePlace:
    """Where a submission's job is: its position (1 is next, 0 is being done) and the last sign of life."""

    kind: str
    position: int
    progress: dict[str, Any] | None
    last_sign_at: datetime | None
    attempts: int


def add_job(session: Session, submission: SubmissionRow, kind: str) -> JobRow:
    job = JobRow(
        submission_id=submission.id, kind=kind, state="waiting", attempts=0, created_at=moment(session)
    )
    session.add(job)
    session.flush()
    return job


def drop_jobs(session: Session, submission: SubmissionRow) -> None:
    """None of its own is waiting or held any more; those of its publication stay."""
    unfinished = JobRow.state.in_(("waiting", "running")), JobRow.kind.in_(OF_SUBMISSIONS)
    session.execute(
        update(JobRow)
        .where(JobRow.submission_id == submission.id, *unfinished)
        .values(state="failed", fault="run again", worker=None, finished_at=moment(session))
    )


def has_job(session: Session, kind: str) -> bool:
    """Whether it is worth asking for one: waiting, or held by a worker that gave no sign for too long."""
    free = or_(
        JobRow.state == "waiting", and_(JobRow.state == "running", JobRow.lease_until < moment(session))
    )
    return session.scalar(select(JobRow.id).where(JobRow.kind == kind, free).limit(1)) is not None


def take_job(session: Session, worker: str, kind: str, lease: timedelta = LEASE) -> TakenJob | None:
    """The oldest job of a kind that nobody holds, now held by this worker."""
    _give_back(session, kind)
    query = select(JobRow).where(JobRow.kind == kind, JobRow.state == "waiting")
    job = session.scalar(query.order_by(JobRow.id).limit(1).with_for_update(skip_locked=True))
    if job is None:
        return None
    now = moment(session)
    job.state, job.worker, job.attempts = "running", worker, job.attempts + 1
    job.lease_until, job.last_sign_at, job.progress = now + lease, now, None
    if kind == "score":
        _submission(session, job).state = "running"
    return TakenJob(job.id, job.submission_id, job.kind, worker, job.attempts)


def _give_back(session: Session, kind: str) -> None:
    """Jobs whose worker gave no sign for a whole lease; after too many of them the platform failed."""
    lost = select(JobRow).where(
        JobRow.kind == kind, JobRow.state == "running", JobRow.lease_until < moment(session)
    )
    for job in session.scalars(lost.with_for_update(skip_locked=True)).all():
        if job.attempts >= MOST_ATTEMPTS:
            _fail(session, job, VANISHED, by_platform=True)
        else:
            _put_back(session, job)
    session.flush()


def keep_job(
    session: Session, taken: TakenJob, progress: dict[str, Any] | None = None, lease: timedelta = LEASE
) -> bool:
    """A sign of life; False if the job is no longer this worker's."""
    job = _held(session, taken)
    if job is None:
        return False
    now = moment(session)
    job.lease_until, job.last_sign_at = now + lease, now
    if progress is not None:
        job.progress = progress
    return True


def return_job(session: Session, taken: TakenJob) -> bool:
    """By a worker that stops in good order: another may have it at once, and it counts as no attempt."""
    job = _held(session, taken)
    if job is None:
        return False
    job.attempts -= 1
    _put_back(session, job)
    return True


def _put_back(session: Session, job: JobRow) -> None:
    job.state, job.worker, job.lease_until = "waiting", None, None
    if job.kind == "score":
        _submission(session, job).state = "queued"


def finish_validation(session: Session, taken: TakenJob, problems: Sequence[dict[str, Any]]) -> bool:
    """Refused with what is wrong, or queued to be scored; False if the job is no longer this worker's."""
    job = _held(session, taken)
    if job is None:
        return False
    submission = _submission(session, job)
    submission.problems = list(problems)
    _end(session, job, "done", None)
    if problems:
        submission.state, submission.finished_at = "refused", moment(session)
        _return_cost(session, submission, "could not be used", by_platform=False)
    else:
        submission.state = "validated"
        session.flush()
        submission.state = "queued"
        add_job(session, submission, "score")
    return True


def finish_job(session: Session, taken: TakenJob) -> bool:
    """Done, whatever it was about; False if the job is no longer this worker's."""
    job = _held(session, taken)
    if job is None:
        return False
    _end(session, job, "done", None)
    return True


def finish_scores(session: Session, taken: TakenJob, log: str) -> bool:
    """Scored; the values are `record_scores`', in the same transaction."""
    job = _held(session, taken)
    if job is None:
        return False
    submission = _submission(session, job)
    submission.state, submission.log, submission.finished_at = "scored", log, moment(session)
    _end(session, job, "done", None)
    return True


def fail_job(session: Session, taken: TakenJob, fault: str, *, by_platform: bool) -> bool:
    """Its cost is given back in any case; what was not the platform's fault is counted apart."""
    job = _held(session, taken)
    if job is None:
        return False
    _fail(session, job, fault, by_platform=by_platform)
    return True


def _fail(session: Session, job: JobRow, fault: str, *, by_platform: bool) -> None:
    submission = _submission(session, job)
    _end(session, job, "failed", fault)
    if job.kind not in OF_SUBMISSIONS:
        _fail_publication(session, job)
        return
    submission.state, submission.log, submission.finished_at = "failed", fault, moment(session)
    _return_cost(session, submission, fault, by_platform=by_platform)
    record(session, None, "evaluation failed", f"submission {submission.id}")


def _fail_publication(session: Session, job: JobRow) -> None:
    """A release that can't be published stays a submission; one that the house can't attack is unknown."""
    if job.kind == "publish":
        session.execute(
            update(PublicationRow)
            .where(PublicationRow.submission_id == job.submission_id)
            .values(state="failed")
        )
    record(session, None, f"{job.kind} failed", f"submission {job.submission_id}")


def _return_cost(session: Session, submission: SubmissionRow, why: str, *, by_platform: bool) -> None:
    if refund(session, submission, why) and not by_platform and submission.team_id is not None:
        enter(session, submission.team_id, "failed", why, submission=submission, purse=purse_of(submission))


def _end(session: Session, job: JobRow, state: str, fault: str | None) -> None:
    job.state, job.fault, job.finished_at, job.lease_until = state, fault, moment(session), None


def _held(session: Session, taken: TakenJob) -> JobRow | None:
    query = select(JobRow).where(
        JobRow.id == taken.id, JobRow.state == "running", JobRow.worker == taken.worker,
        JobRow.attempts == taken.attempt,
    )  # fmt: skip
    return session.scalar(query.with_for_update())


def _submission(session: Session, job: JobRow) -> SubmissionRow:
    submission = session.get(SubmissionRow, job.submission_id)
    assert submission is not None
    return submission


def queue_place(session: Session, submission: SubmissionRow) -> QueuePlace | None:
    """None if nothing is left to be done for it."""
    query = select(JobRow).where(
        JobRow.submission_id == submission.id, JobRow.state.in_(("waiting", "running")),
        JobRow.kind.in_(OF_SUBMISSIONS),
    )  # fmt: skip
    job = session.scalar(query.order_by(JobRow.id.desc()).limit(1))
    if job is None:
        return None
    position = 0
    if job.state == "waiting":
        ahead = select(func.count()).where(
            JobRow.kind == job.kind, JobRow.state == "waiting", JobRow.id <= job.id
        )
        position = session.scalar(ahead) or 0
    return QueuePlace(job.kind, position, job.progress, job.last_sign_at, job.attempts)


def sign_of_life(session: Session, worker: str, sandbox: str | None = None) -> None:
    now = moment(session)
    row = session.get(WorkerRow, worker)
    if row is None:
        session.add(WorkerRow(name=worker, started_at=now, last_sign_at=now, sandbox=sandbox))
    else:
        row.last_sign_at, row.sandbox = now, sandbox


def all_workers(session: Session) -> Sequence[WorkerRow]:
    return session.scalars(select(WorkerRow).order_by(WorkerRow.last_sign_at.desc())).all()


def jobs_of(session: Session, submission: SubmissionRow) -> Sequence[JobRow]:
    query = select(JobRow).where(JobRow.submission_id == submission.id)
    return session.scalars(query.order_by(JobRow.id)).all()

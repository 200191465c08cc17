"""How often a team may submit and look: a ledger of what was spent, refunded and granted, and of failures."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from singleout.platform.refusal import RefusalError
from singleout.platform.store.database import moment
from singleout.platform.store.schema import ContestRow, QuotaEntryRow, SubmissionRow, TeamRow

DAY = timedelta(days=1)
SUBMISSIONS, LOOKS = "submissions", "looks"


@dataclass(frozen=True)
class QuotaLeft:
    """How many submissions or looks a team still has, and how many failures until it has to wait."""

    today: int
    in_all: int
    failures_today: int


def quota_left(session: Session, contest: ContestRow, team: TeamRow, purse: str = SUBMISSIONS) -> QuotaLeft:
    day, ever = _sums(session, team, purse, moment(session) - DAY), _sums(session, team, purse, None)
    a_day, in_all = _allowed(contest, purse)
    return QuotaLeft(
        today=a_day - _used(day),
        in_all=in_all - _used(ever),
        failures_today=contest.failures_a_day - day.get("failed", 0),
    )


def _allowed(contest: ContestRow, purse: str) -> tuple[int, int]:
    if purse == SUBMISSIONS:
        return contest.submissions_a_day, contest.submissions_in_all
    return contest.looks_a_day, contest.looks_in_all


def purse_of(submission: SubmissionRow) -> str:
    """Guesses cost looks."""
    return LOOKS if submission.kind == "guesses" else SUBMISSIONS


def _used(sums: dict[str, int]) -> int:
    return sums.get("spent", 0) - sums.get("refunded", 0) - sums.get("granted", 0)


def _sums(session: Session, team: TeamRow, purse: str, since: datetime | None) -> dict[str, int]:
    entries = [QuotaEntryRow.team_id == team.id, QuotaEntryRow.purse == purse]
    return _amounts(session, *entries, *([] if since is None else [QuotaEntryRow.entered_at > since]))


def _amounts(session: Session, *which: ColumnElement[bool]) -> dict[str, int]:
    query = select(QuotaEntryRow.kind, func.sum(QuotaEntryRow.amount)).where(*which)
    return {kind: int(amount) for kind, amount in session.execute(query.group_by(QuotaEntryRow.kind))}


def check_quota(session: Session, contest: ContestRow, team: TeamRow, purse: str = SUBMISSIONS) -> None:
    left, (a_day, in_all) = quota_left(session, contest, team, purse), _allowed(contest, purse)
    if left.failures_today <= 0:
        raise RefusalError(
            "too_many_failures",
            f"{contest.failures_a_day} files of your team could not be used today; check the next one "
            "locally, and come back tomorrow",
        )
    if left.today <= 0 or left.in_all <= 0:
        does = "submit" if purse == SUBMISSIONS else "look"
        raise RefusalError(
            "quota_used_up",
            f"your team may {does} {a_day} times a day and {in_all} times in all; come back tomorrow, or ask "
            "the organiser",
        )


def enter(
    session: Session, team_id: int, kind: str, why: str, *, submission: SubmissionRow | None = None,
    amount: int = 1, purse: str = SUBMISSIONS,
) -> None:  # fmt: skip
    session.add(
        QuotaEntryRow(
            team_id=team_id, submission_id=None if submission is None else submission.id, kind=kind,
            amount=amount, why=why, purse=purse, entered_at=moment(session),
        )
    )  # fmt: skip


def refund(session: Session, submission: SubmissionRow, why: str) -> bool:
    """Gives back what a submission cost, once; whether there was something to give back."""
    if submission.team_id is None:
        return False
    session.flush()
    sums = _amounts(session, QuotaEntryRow.submission_id == submission.id)
    if sums.get("spent", 0) <= sums.get("refunded", 0):
        return False
    enter(session, submission.team_id, "refunded", why, submission=submission, purse=purse_of(submission))
    return True

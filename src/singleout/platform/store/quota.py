"""How often a team may submit: a ledger of what was spent, refunded and granted, and of failures."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from singleout.platform.refusal import RefusalError
from singleout.platform.store.database import moment
from singleout.platform.store.schema import ContestRow, QuotaEntryRow, SubmissionRow, TeamRow

DAY = timedelta(days=1)


@dataclass(frozen=True)
class QuotaLeft:
    """How many submissions a team still has, and how many failures until it has to wait."""

    today: int
    in_all: int
    failures_today: int


def quota_left(session: Session, contest: ContestRow, team: TeamRow) -> QuotaLeft:
    day, ever = _sums(session, team, moment(session) - DAY), _sums(session, team, None)
    return QuotaLeft(
        today=contest.submissions_a_day - _used(day),
        in_all=contest.submissions_in_all - _used(ever),
        failures_today=contest.failures_a_day - day.get("failed", 0),
    )


def _used(sums: dict[str, int]) -> int:
    return sums.get("spent", 0) - sums.get("refunded", 0) - sums.get("granted", 0)


def _sums(session: Session, team: TeamRow, since: datetime | None) -> dict[str, int]:
    entries = [QuotaEntryRow.team_id == team.id]
    return _amounts(session, *entries, *([] if since is None else [QuotaEntryRow.entered_at > since]))


def _amounts(session: Session, *which: ColumnElement[bool]) -> dict[str, int]:
    query = select(QuotaEntryRow.kind, func.sum(QuotaEntryRow.amount)).where(*which)
    return {kind: int(amount) for kind, amount in session.execute(query.group_by(QuotaEntryRow.kind))}


def check_quota(session: Session, contest: ContestRow, team: TeamRow) -> None:
    left = quota_left(session, contest, team)
    if left.failures_today <= 0:
        raise RefusalError(
            "too_many_failures",
            f"{contest.failures_a_day} files of your team could not be used today; check the next one "
            "locally, and come back tomorrow",
        )
    if left.today <= 0 or left.in_all <= 0:
        raise RefusalError(
            "quota_used_up",
            f"your team may submit {contest.submissions_a_day} times a day and "
            f"{contest.submissions_in_all} times in all; come back tomorrow, or ask the organiser",
        )


def enter(
    session: Session, team_id: int, kind: str, why: str, *, submission: SubmissionRow | None = None,
    amount: int = 1,
) -> None:  # fmt: skip
    session.add(
        QuotaEntryRow(
            team_id=team_id, submission_id=None if submission is None else submission.id, kind=kind,
            amount=amount, why=why, entered_at=moment(session),
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
    enter(session, submission.team_id, "refunded", why, submission=submission)
    return True

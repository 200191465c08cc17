"""Who may do what: the one place that every route asks."""

from __future__ import annotations

from sqlalchemy.orm import Session

from singleout.platform.refusal import RefusalError
from singleout.platform.store.contests import is_published, is_scored
from singleout.platform.store.schema import AccountRow, ContestRow, SubmissionRow
from singleout.platform.store.teams import team_of

# views of which not even one's own rows are told: a rate would be an oracle, and people are others'
NOBODYS_OWN = ("attack_scores", "exposures")
HIDDEN = "there is no such contest, or it is not yours to see"


def is_admin(account: AccountRow | None) -> bool:
    return account is not None and account.role == "admin"


def may_organise(account: AccountRow | None) -> bool:
    """Whether they may make contests."""
    return account is not None and account.role in ("organiser", "admin")


def may_manage(account: AccountRow | None, contest: ContestRow) -> bool:
    """Its organiser and admins; another organiser is a visitor here."""
    return is_admin(account) or (
        may_organise(account) and account is not None and account.id == contest.owner_id
    )


def may_see(account: AccountRow | None, contest: ContestRow) -> bool:
    """A draft is its organiser's alone."""
    return contest.state != "draft" or may_manage(account, contest)


def is_among(session: Session, account: AccountRow | None, contest: ContestRow, audience: str) -> bool:
    """Whether somebody belongs to those that `board_for`, `values_for` or `data_for` names."""
    if may_manage(account, contest):
        return True
    if not may_see(account, contest):
        return False
    if audience == "participants":
        return account is not None and team_of(session, contest, account) is not None
    return audience == "everybody"


def may_have_published(session: Session, account: AccountRow | None, contest: ContestRow) -> bool:
    """Releases go to the other teams when their phase has come; who manages the contest waits too."""
    return is_published(session, contest) and is_among(session, account, contest, "participants")


def may_see_matrix(session: Session, account: AccountRow | None, contest: ContestRow) -> bool:
    """Who did what to whom: for those who see values when the attack is over, for managers while it lasts."""
    if may_manage(account, contest):
        return True
    return is_scored(session, contest) and is_among(session, account, contest, contest.values_for)


def may_see_results(session: Session, account: AccountRow | None, contest: ContestRow, table: str) -> bool:
    """Whether everybody's rows of a view; guesses and exposed people name people, and are the managers'."""
    if table in ("guesses", "exposures"):
        return may_manage(account, contest)
    if table == "attack_scores":
        return may_see_matrix(session, account, contest)
    wanted = (contest.values_for, contest.board_for) if table == "ranks" else (contest.values_for,)
    return all(is_among(session, account, contest, each) for each in wanted)


def may_see_submission(
    session: Session, account: AccountRow | None, contest: ContestRow, submission: SubmissionRow
) -> bool:
    """Its team and who manages the contest; the values of others are `values_for`'s."""
    if may_manage(account, contest):
        return True
    return is_own(session, account, contest, submission)


def is_own(
    session: Session, account: AccountRow | None, contest: ContestRow, submission: SubmissionRow
) -> bool:
    if account is None or submission.team_id is None or submission.contest_id != contest.id:
        return False
    team = team_of(session, contest, account)
    return team is not None and team.id == submission.team_id


def may_upload_metrics(session: Session, account: AccountRow | None, contest: ContestRow) -> bool:
    """Who manages the contest, and members of a team who may have the original: a metric sees it too."""
    if may_manage(account, contest):
        return True
    member = account is not None and team_of(session, contest, account) is not None
    return member and is_among(session, account, contest, contest.data_for)


def check(allowed: bool, account: AccountRow | None) -> None:
    """Whoever is not signed in is asked to; others are told no."""
    if allowed:
        return
    if account is None:
        raise RefusalError("not_signed_in", "sign in first")
    raise RefusalError("not_allowed", "this is not yours to see or to do")

"""Guesses: received as looks of a team, kept row by row, scored, and told as far as a look may tell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from singleout.platform.guess_score import Guess, PersonInRelease, guess_rates, step_for, told
from singleout.platform.refusal import RefusalError
from singleout.platform.store.contests import current_phase, is_scored
from singleout.platform.store.database import moment
from singleout.platform.store.evaluations import DifferentResultError
from singleout.platform.store.files import StoredFile, add_file
from singleout.platform.store.publications import (
    ROWS_A_PIECE,
    people_of_publication,
    published_release,
)
from singleout.platform.store.queue import TakenJob, add_job, finish_scores
from singleout.platform.store.quota import LOOKS, check_quota, enter
from singleout.platform.store.results import RESULTS
from singleout.platform.store.schema import (
    AccountRow,
    AttackScoreRow,
    ContestRow,
    GuessRow,
    PublicationRow,
    SubmissionRow,
    TeamRow,
)
from singleout.platform.store.submissions import add_submission, check_size
from singleout.platform.store.teams import team_of


@dataclass(frozen=True)
class AttackOutcome:
    """What one attacker did to one release with one set of guesses, in the half that decides."""

    submission_id: int
    attacker: str
    house: bool
    team_id: int | None
    target_id: int
    rate: float


@dataclass(frozen=True)
class ReleaseAttack:
    """The worst that anybody did to a release; None if nobody guessed. `house`: its players did."""

    submission_id: int
    published: bool
    house: bool
    rate: float | None


def accepts_guesses(session: Session, contest: ContestRow) -> bool:
    return contest.state == "open" and current_phase(session, contest).kind == "attack"


def check_may_guess(session: Session, contest: ContestRow, account: AccountRow) -> TeamRow:
    """Asked before the file is read, and again when it is received."""
    team = team_of(session, contest, account)
    if team is None:
        raise RefusalError("not_in_a_team", "make or join a team of this contest first")
    if not accepts_guesses(session, contest):
        raise RefusalError("not_open", "this contest takes no guesses now")
    check_quota(session, contest, team, LOOKS)
    return team


def receive_guesses(
    session: Session, contest: ContestRow, account: AccountRow, file: StoredFile, target: int,
    *, comment: str = "",
) -> SubmissionRow:  # fmt: skip
    """The guesses, their job and the look that they cost: all of them or none."""
    contest = session.get_one(ContestRow, contest.id, with_for_update=True)
    team = check_may_guess(session, contest, account)
    publication, owner = published_release(session, contest, target)
    if owner.id == team.id:
        raise RefusalError("own_release", "this is your own release; attack those of the others")
    check_size(file.size, contest.most_bytes)
    submission = add_submission(session, contest, file, None, comment)
    submission.kind, submission.target_id = "guesses", publication.submission_id
    submission.team_id, submission.account_id = team.id, account.id
    session.flush()
    add_job(session, submission, "validate")
    enter(session, team.id, "spent", "looked", submission=submission, purse=LOOKS)
    return submission


def score_guesses(session: Session, taken: TakenJob, guesses: Sequence[Guess], step: float) -> bool:
    """Keeps the guesses and what they came to; False if the job is no longer this worker's."""
    if not finish_scores(session, taken, ""):
        return False
    submission = session.get_one(SubmissionRow, taken.submission_id)
    _record(session, submission, guesses, step)
    return True


def add_house_guesses(
    session: Session, release: SubmissionRow, player: str, file: StoredFile, guesses: Sequence[Guess]
) -> None:
    """Of one of the library's attacks, once for each release."""
    query = select(SubmissionRow).where(SubmissionRow.target_id == release.id, SubmissionRow.player == player)
    submission = session.scalar(query)
    if submission is None:
        add_file(session, file)
        submission = SubmissionRow(
            contest_id=release.contest_id, kind="house", state="scored", file_name=player,
            file_digest=file.digest, target_id=release.id, player=player, problems=[], log="", comment="",
            received_at=moment(session), finished_at=moment(session),
        )  # fmt: skip
        session.add(submission)
        session.flush()
    _record(session, submission, guesses, None)


def _record(
    session: Session, submission: SubmissionRow, guesses: Sequence[Guess], step: float | None
) -> None:
    """One at a time for a release, for what a look tells depends on the looks before it."""
    assert submission.target_id is not None
    query = select(PublicationRow).where(PublicationRow.submission_id == submission.target_id)
    publication = session.scalars(query.with_for_update()).one()
    people = {
        each.release_user: PersonInRelease(each.person, each.decides)
        for each in people_of_publication(session, publication)
        if each.person is not None
    }
    rates = guess_rates(people, guesses)
    before = session.get(AttackScoreRow, submission.id)
    if before is not None:
        if (before.look_rate, before.final_rate) != (rates.look, rates.final):
            raise DifferentResultError(f"guesses {submission.id} came to something else than the first time")
        return
    shown = None
    if step is not None:
        shown = told(rates.look, _best(session, submission), step_for(step, rates.looked))
    session.add(
        AttackScoreRow(
            submission_id=submission.id, look_rate=rates.look, final_rate=rates.final, shown=shown,
            scored_at=moment(session),
        )
    )  # fmt: skip
    _keep(session, submission, guesses)


def _keep(session: Session, submission: SubmissionRow, guesses: Iterable[Guess]) -> None:
    session.execute(delete(GuessRow).where(GuessRow.submission_id == submission.id))
    rows = [
        {"submission_id": submission.id, "release_user": each.release_user,
         "original_user": each.original_user, "confidence": each.confidence}
        for each in guesses
    ]  # fmt: skip
    for start in range(0, len(rows), ROWS_A_PIECE):
        session.execute(insert(GuessRow), rows[start : start + ROWS_A_PIECE])


def _best(session: Session, submission: SubmissionRow) -> float:
    """The team's best on this release that a look has told of."""
    query = (
        select(func.max(AttackScoreRow.look_rate))
        .join(SubmissionRow, SubmissionRow.id == AttackScoreRow.submission_id)
        .where(SubmissionRow.team_id == submission.team_id, SubmissionRow.target_id == submission.target_id)
        .where(AttackScoreRow.shown.is_not(None))
    )
    return session.scalar(query) or 0.0


def shown_scores(session: Session, team: TeamRow) -> dict[int, float]:
    """What looks have told a team of each release: its best, rounded."""
    query = (
        select(SubmissionRow.target_id, func.max(AttackScoreRow.shown))
        .join(AttackScoreRow, AttackScoreRow.submission_id == SubmissionRow.id)
        .where(SubmissionRow.team_id == team.id, AttackScoreRow.shown.is_not(None))
        .group_by(SubmissionRow.target_id)
    )
    return {int(target): float(shown) for target, shown in session.execute(query) if target and shown}


def look_of(session: Session, submission: SubmissionRow) -> AttackScoreRow | None:
    return session.get(AttackScoreRow, submission.id)


def guesses_of_team(session: Session, team: TeamRow) -> Sequence[tuple[SubmissionRow, float | None]]:
    """The latest first, each with what its look told."""
    query = (
        select(SubmissionRow, AttackScoreRow.shown)
        .outerjoin(AttackScoreRow, AttackScoreRow.submission_id == SubmissionRow.id)
        .where(SubmissionRow.team_id == team.id, SubmissionRow.kind == "guesses")
        .order_by(SubmissionRow.id.desc())
    )
    return [(row, shown) for row, shown in session.execute(query)]


def release_attacks(session: Session, contest: ContestRow) -> tuple[ReleaseAttack, ...] | None:
    """Of each release that was frozen for the attack; None while it is not over."""
    if not is_scored(session, contest):
        return None
    outcomes = attack_outcomes(session, contest)
    query = select(PublicationRow.submission_id, PublicationRow.state).where(
        PublicationRow.contest_id == contest.id
    )
    return tuple(
        ReleaseAttack(
            number, state == "published", any(each.house and each.target_id == number for each in outcomes),
            max((each.rate for each in outcomes if each.target_id == number), default=None),
        )
        for number, state in session.execute(query.order_by(PublicationRow.submission_id))
    )  # fmt: skip


def exposures(session: Session, contest: ContestRow) -> list[tuple[str, int, int]]:
    """People whom somebody named rightly with at least half of the confidence: by how many, in how many."""
    table = RESULTS["exposures"]
    query = select(table.c.person, table.c.attackers, table.c.releases).where(table.c.contest == contest.name)
    ordered = query.order_by(table.c.attackers.desc(), table.c.releases.desc(), table.c.person)
    return [(person, attackers, releases) for person, attackers, releases in session.execute(ordered)]


def attack_outcomes(session: Session, contest: ContestRow) -> list[AttackOutcome]:
    """Of all guesses that count, in the half that decides."""
    query = (
        select(SubmissionRow, AttackScoreRow.final_rate, TeamRow.name)
        .join(AttackScoreRow, AttackScoreRow.submission_id == SubmissionRow.id)
        .outerjoin(TeamRow, TeamRow.id == SubmissionRow.team_id)
        .where(SubmissionRow.contest_id == contest.id, SubmissionRow.disqualified.is_(None))
        .order_by(SubmissionRow.id)
    )
    return [
        AttackOutcome(row.id, team or str(row.player), team is None, row.team_id, row.target_id or 0, rate)
        for row, rate, team in session.execute(query)
    ]

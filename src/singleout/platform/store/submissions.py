"""Submissions: received with their job in one transaction, then moved from state to state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from singleout.platform.contest import Contest, read_contest
from singleout.platform.refusal import RefusalError
from singleout.platform.store.audit import record
from singleout.platform.store.contests import (
    ORIGINAL,
    accepts_releases,
    change_contest,
    create_contest,
    current_data,
    set_state,
)
from singleout.platform.store.database import moment, row_by_id
from singleout.platform.store.display_name import checked_text
from singleout.platform.store.files import StoredFile, add_file
from singleout.platform.store.publications import retry_publication
from singleout.platform.store.queue import add_job, drop_jobs
from singleout.platform.store.quota import check_quota, enter, refund
from singleout.platform.store.schema import AccountRow, ContestRow, SubmissionRow, TeamRow
from singleout.platform.store.teams import team_of

LONGEST_COMMENT = 2_000


def check_may_submit(session: Session, contest: ContestRow, account: AccountRow) -> TeamRow:
    """Asked before the file is read, and again when it is received."""
    team = team_of(session, contest, account)
    if team is None:
        raise RefusalError("not_in_a_team", "make or join a team of this contest first")
    if not accepts_releases(session, contest):
        raise RefusalError("not_open", "this contest takes no submissions now")
    check_quota(session, contest, team)
    return team


def check_size(size: int, most_bytes: int) -> None:
    if size > most_bytes:
        raise RefusalError("too_large", f"a file may have {most_bytes // 1_000_000} MB at most")


def receive(
    session: Session, contest: ContestRow, account: AccountRow, release: StoredFile, *,
    truth: StoredFile | None = None, recipe: StoredFile | None = None, people: StoredFile | None = None,
    comment: str = "",
) -> SubmissionRow:  # fmt: skip
    """The submission, its files, its job and its cost: all of them or none."""
    # one at a time, or two would share what is left of a quota
    contest = session.get_one(ContestRow, contest.id, with_for_update=True)
    team = check_may_submit(session, contest, account)
    for file in (release, truth, recipe, people):
        if file is not None:
            check_size(file.size, contest.most_bytes)
    submission = add_submission(session, contest, release, truth, comment)
    if recipe is not None:
        add_file(session, recipe)
        submission.recipe_digest = recipe.digest
    if people is not None:
        add_file(session, people)
        submission.people_digest = people.digest
    submission.team_id, submission.account_id = team.id, account.id
    session.flush()
    add_job(session, submission, "validate")
    enter(session, team.id, "spent", "submitted", submission=submission)
    return submission


def score_original(session: Session, contest: ContestRow) -> SubmissionRow:
    """The original as if it were a release: it fixes the boundary line, and costs nobody anything.

    There is one for the data that counts now, however often this is asked for.
    """
    if (there := original_of(session, contest)) is not None:
        return there
    file = current_data(session, contest)[1][ORIGINAL]
    submission = add_submission(session, contest, StoredFile(file.digest, 0, file.file_name), None, "")
    submission.kind, submission.state = "original", "queued"
    session.flush()
    add_job(session, submission, "score")
    return submission


def original_of(session: Session, contest: ContestRow) -> SubmissionRow | None:
    """The original of the data that counts now, as it was or will be scored."""
    query = select(SubmissionRow).where(
        SubmissionRow.contest_id == contest.id,
        SubmissionRow.kind == "original",
        SubmissionRow.file_digest == current_data(session, contest)[1][ORIGINAL].digest,
    )
    return session.scalar(query)


def make_contest(
    session: Session, owner: AccountRow, contest: Contest, data: Mapping[str, StoredFile]
) -> ContestRow:
    """A draft whose original is scored at once, so that its organiser hears first what is wrong with it."""
    row = create_contest(session, owner, contest, data)
    session.flush()
    score_original(session, row)
    return row


def redefine_contest(session: Session, actor: AccountRow, row: ContestRow, contest: Contest) -> None:
    """Another definition; the original is scored again where other values are asked of it."""
    before = row.parameters, _metric_names(row)
    change_contest(session, actor, row, contest)
    if (row.parameters, _metric_names(row)) != before:
        run_again(session, actor, score_original(session, row))


def _metric_names(row: ContestRow) -> set[str]:
    return {each.name for each in read_contest(row.definition).metrics}


def change_state(session: Session, actor: AccountRow, contest: ContestRow, state: str) -> None:
    """A contest whose original can't be scored would rank nobody: it is not opened."""
    if state == "open":
        original = score_original(session, contest)
        if original.state == "failed":
            raise RefusalError("original_failed", f"the original can't be scored: {original.log}")
    set_state(session, actor, contest, state)


def add_submission(
    session: Session, contest: ContestRow, release: StoredFile, truth: StoredFile | None, comment: str
) -> SubmissionRow:
    """With its files, as a release that was just received."""
    for file in (release, truth):
        if file is not None:
            add_file(session, file)
    submission = SubmissionRow(
        contest_id=contest.id, state="received", kind="release", file_name=release.name,
        file_digest=release.digest, truth_digest=None if truth is None else truth.digest, problems=[],
        log="", comment=checked_text(comment, LONGEST_COMMENT), received_at=moment(session),
    )  # fmt: skip
    session.add(submission)
    return submission


def submission_by_id(session: Session, contest: ContestRow, submission_id: int) -> SubmissionRow:
    row = row_by_id(session, SubmissionRow, submission_id)
    if row is None or row.contest_id != contest.id:
        raise RefusalError("not_found", "there is no such submission")
    return row


def submissions_of_team(session: Session, team: TeamRow) -> Sequence[SubmissionRow]:
    """Its releases, the latest first."""
    query = select(SubmissionRow).where(SubmissionRow.team_id == team.id, SubmissionRow.kind == "release")
    return session.scalars(query.order_by(SubmissionRow.id.desc())).all()


def submissions_of_contest(
    session: Session, contest: ContestRow, *, most: int | None = None, before: int | None = None
) -> Sequence[tuple[SubmissionRow, str | None]]:
    """What was handed in, the newest first, each with the name of its team; the original has none.

    At most so many of those `before` a number, where somebody pages through them.
    """
    query = (
        select(SubmissionRow, TeamRow.name)
        .outerjoin(TeamRow, TeamRow.id == SubmissionRow.team_id)
        .where(SubmissionRow.contest_id == contest.id, SubmissionRow.kind != "house")
        .order_by(SubmissionRow.id.desc())
        .limit(most)
    )
    if before is not None:
        query = query.where(SubmissionRow.id < before)
    return [(row, name) for row, name in session.execute(query)]


def set_comment(submission: SubmissionRow, comment: str) -> None:
    submission.comment = checked_text(comment, LONGEST_COMMENT)


def pin(session: Session, actor: AccountRow, submission: SubmissionRow, pinned: bool) -> None:
    """A pinned submission counts instead of the team's latest; a team has one at most.

    Only while releases are taken: afterwards it is known which one would win.
    """
    contest = session.get_one(ContestRow, submission.contest_id)
    if submission.kind != "release" or not accepts_releases(session, contest):
        raise RefusalError("not_open", "this contest takes no submissions now, and what counts stays")
    session.execute(
        update(SubmissionRow).where(SubmissionRow.team_id == submission.team_id).values(pinned=False)
    )
    submission.pinned = pinned
    record(session, actor, "pin" if pinned else "unpin", f"submission {submission.id}")


def disqualify(session: Session, actor: AccountRow, submission: SubmissionRow, why: str | None) -> None:
    """With a reason it no longer counts; without one it does again."""
    submission.disqualified = None if why is None else checked_text(why, LONGEST_COMMENT) or "disqualified"
    word = "qualify again" if why is None else "disqualify"
    record(session, actor, word, f"submission {submission.id}")


def refund_by_hand(session: Session, actor: AccountRow, submission: SubmissionRow) -> bool:
    done = refund(session, submission, "refunded by the organiser")
    if done:
        record(session, actor, "refund", f"submission {submission.id}")
    return done


def grant(session: Session, actor: AccountRow, team: TeamRow, amount: int) -> None:
    """More submissions than the quota says, from today."""
    if not 0 < amount <= 1_000:
        raise RefusalError("bad_request", "grant 1 to 1,000 submissions")
    enter(session, team.id, "granted", "granted by the organiser", amount=amount)
    record(session, actor, f"grant {amount}", f"team {team.id}")


def run_again(session: Session, actor: AccountRow, submission: SubmissionRow) -> None:
    """From the start, whatever its state; whoever works on it now works in vain."""
    if submission.kind == "house":
        raise RefusalError("wrong_state", "the house plays again when its release is run again")
    drop_jobs(session, submission)
    retry_publication(session, submission)
    is_original = submission.kind == "original"
    if is_original:  # of the data that counts now
        contest = session.get_one(ContestRow, submission.contest_id)
        submission.file_digest = current_data(session, contest)[1][ORIGINAL].digest
    submission.state = "queued" if is_original else "received"
    submission.problems, submission.log, submission.finished_at = [], "", None
    add_job(session, submission, "score" if is_original else "validate")
    record(session, actor, "run again", f"submission {submission.id}")

"""Publications: releases that were frozen, on their way to the other teams, and who is who in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from secrets import token_hex
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from singleout.platform.refusal import RefusalError
from singleout.platform.store.contests import begun_kinds, is_published
from singleout.platform.store.database import moment
from singleout.platform.store.evaluations import counting_submissions
from singleout.platform.store.files import StoredFile, add_file
from singleout.platform.store.queue import TakenJob, add_job, finish_job
from singleout.platform.store.schema import (
    ContestRow,
    PublicationRow,
    PublishedPersonRow,
    SubmissionRow,
    TeamRow,
)

UNFINISHED = ("received", "validated", "queued", "running")
ROWS_A_PIECE = 5_000


def contests_to_prepare(session: Session) -> list[ContestRow]:
    """Those whose phase asks for publications that are not there yet."""
    rows = session.scalars(select(ContestRow).where(ContestRow.state == "open", ContestRow.looks_in_all > 0))
    return [row for row in rows if lacks_publications(session, row)]


def lacks_publications(session: Session, contest: ContestRow) -> bool:
    """Whether the frozen releases are to be shuffled, and all of them are scored."""
    if not begun_kinds(session, contest) & {"shuffled", "published", "attack", "scored"}:
        return False
    return bool(_unpublished(session, contest)) and not _has_unfinished(session, contest)


def _has_unfinished(session: Session, contest: ContestRow) -> bool:
    query = select(SubmissionRow.id).where(
        SubmissionRow.contest_id == contest.id, SubmissionRow.kind == "release",
        SubmissionRow.state.in_(UNFINISHED),
    )  # fmt: skip
    return session.scalar(query.limit(1)) is not None


def _unpublished(session: Session, contest: ContestRow) -> list[int]:
    """Of teams without a publication: what counted at the freeze stays, also if it is disqualified later."""
    query = (
        select(SubmissionRow.team_id)
        .join(PublicationRow, PublicationRow.submission_id == SubmissionRow.id)
        .where(PublicationRow.contest_id == contest.id)
    )
    there = {*session.scalars(query)}
    counting = counting_submissions(session, contest)
    return [each.id for each in counting if each.kind == "release" and each.team_id not in there]


def prepare_publications(session: Session, contest: ContestRow) -> None:
    """A job for each release that counts; the seed of their order and names is drawn once and stays here."""
    contest = session.get_one(ContestRow, contest.id, with_for_update=True)
    if not lacks_publications(session, contest):
        return
    contest.attack_seed = contest.attack_seed or token_hex(32)
    for number in _unpublished(session, contest):
        session.add(PublicationRow(contest_id=contest.id, submission_id=number, state="waiting"))
        add_job(session, session.get_one(SubmissionRow, number), "publish")


def publication_of(session: Session, submission_id: int) -> PublicationRow | None:
    return session.scalar(select(PublicationRow).where(PublicationRow.submission_id == submission_id))


def publications_of(
    session: Session, contest: ContestRow, *, every: bool = False
) -> Sequence[tuple[PublicationRow, TeamRow]]:
    """Of a contest, with whose release each is, by the team's name; those that others can't have too.

    With `every`, also those that were disqualified.
    """
    query = (
        select(PublicationRow, TeamRow)
        .join(SubmissionRow, SubmissionRow.id == PublicationRow.submission_id)
        .join(TeamRow, TeamRow.id == SubmissionRow.team_id)
        .where(PublicationRow.contest_id == contest.id)
        .order_by(TeamRow.name, PublicationRow.id)
    )
    if not every:
        query = query.where(SubmissionRow.disqualified.is_(None))
    return [(row, team) for row, team in session.execute(query)]


def published_release(session: Session, contest: ContestRow, number: int) -> tuple[PublicationRow, TeamRow]:
    """One that everybody in the contest may have by now; any other is not there."""
    if is_published(session, contest):
        for row, team in publications_of(session, contest):
            if row.submission_id == number and row.state == "published":
                return row, team
    raise RefusalError("not_found", "there is no such published release")


def finish_publication(
    session: Session, taken: TakenJob, file: StoredFile, truth: StoredFile,
    people: Iterable[Mapping[str, Any]], *, records: int, house: bool,
) -> bool:  # fmt: skip
    """Its files and people, and a job for the house; False if the job is no longer this worker's."""
    if not finish_job(session, taken):
        return False
    row = publication_of(session, taken.submission_id)
    assert row is not None
    for each in (file, truth):
        add_file(session, each)
    session.execute(delete(PublishedPersonRow).where(PublishedPersonRow.publication_id == row.id))
    listed = [{**each, "publication_id": row.id} for each in people]
    for start in range(0, len(listed), ROWS_A_PIECE):
        session.execute(insert(PublishedPersonRow), listed[start : start + ROWS_A_PIECE])
    row.state, row.file_digest, row.truth_digest = "published", file.digest, truth.digest
    row.people = len({each["person"] for each in listed if each["person"] is not None})
    row.records, row.published_at = records, moment(session)
    if house:
        add_job(session, session.get_one(SubmissionRow, taken.submission_id), "attack")
    return True


def retry_publication(session: Session, submission: SubmissionRow) -> None:
    """One that failed is tried again, and so is the house on one that was made."""
    row = publication_of(session, submission.id)
    if row is not None:
        add_job(session, submission, "attack" if row.state == "published" else "publish")


def people_of_publication(session: Session, publication: PublicationRow) -> Sequence[PublishedPersonRow]:
    query = select(PublishedPersonRow).where(PublishedPersonRow.publication_id == publication.id)
    return session.scalars(query.order_by(PublishedPersonRow.release_user)).all()

"""Contests: their definition, phases, versions of their data and announcements."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from singleout.platform.refusal import RefusalError
from singleout.platform.store.audit import record
from singleout.platform.store.database import moment
from singleout.platform.store.display_name import checked_text
from singleout.platform.store.files import StoredFile, add_file
from singleout.platform.store.schema import (
    CONTEST_STATES,
    AccountRow,
    AnnouncementRow,
    ContestRow,
    DataFileRow,
    DataVersionRow,
    PhaseRow,
    PublicationRow,
)

if TYPE_CHECKING:
    from singleout.platform.contest import Contest

LONGEST_ANNOUNCEMENT = 10_000
ORIGINAL, PEOPLE = "original", "people"
# addresses of pages
RESERVED_NAMES = ("new",)


def create_contest(
    session: Session, owner: AccountRow, contest: Contest, data: Mapping[str, StoredFile]
) -> ContestRow:
    """A draft; `data` has its original and whatever else it needs, by part."""
    taken = session.scalar(select(ContestRow.id).where(ContestRow.name == contest.name)) is not None
    if taken or contest.name in RESERVED_NAMES:
        raise RefusalError("name_taken", "there is a contest of this name; choose another")
    row = ContestRow(state="draft", owner_id=owner.id, created_at=moment(session), name=contest.name)
    _describe(row, contest)
    session.add(row)
    session.flush()
    _write_phases(session, row, contest)
    add_data_version(session, owner, row, data)
    record(session, owner, "create a contest", row.name)
    return row


def change_contest(session: Session, actor: AccountRow, row: ContestRow, contest: Contest) -> None:
    """Another definition; its name stays, for addresses lead there."""
    if contest.name != row.name:
        raise RefusalError("bad_contest", f"the contest is called {row.name}; its name can't be changed")
    with _stays_scored(session, row):
        _describe(row, contest)
        _write_phases(session, row, contest)
        _check_one_table(row, PEOPLE in current_data(session, row)[1])
    record(session, actor, "change a contest", row.name)


def _describe(row: ContestRow, contest: Contest) -> None:
    row.title, row.definition = contest.title, contest.to_toml()
    row.parameters = canonical_json(contest.parameters)
    row.board_for, row.values_for = contest.public.board, contest.public.values
    row.data_for = contest.public.original
    row.submissions_a_day, row.submissions_in_all = contest.quota.a_day, contest.quota.in_all
    row.failures_a_day = contest.quota.failures_a_day
    row.looks_a_day = contest.attack.looks_a_day if contest.has_attack else 0
    row.looks_in_all = contest.attack.looks_in_all if contest.has_attack else 0
    row.most_bytes = contest.limits.megabytes * 1_000_000
    row.team_size = contest.most_members


def _write_phases(session: Session, row: ContestRow, contest: Contest) -> None:
    # what was started by hand stays so, unless the definition says when
    started = {each.name: each.starts_at for each in phases_of(session, row)}
    session.execute(delete(PhaseRow).where(PhaseRow.contest_id == row.id))
    session.add_all(
        PhaseRow(
            contest_id=row.id, position=position, name=each.name, kind=each.kind,
            starts_at=each.starts or started.get(each.name),
        )
        for position, each in enumerate(contest.phases)
    )  # fmt: skip
    session.flush()


def canonical_json(value: Any) -> str:
    """The same text for the same content."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def contest_by_name(session: Session, name: str) -> ContestRow:
    row = session.scalar(select(ContestRow).where(ContestRow.name == name))
    if row is None:
        raise RefusalError("not_found", "there is no such contest")
    return row


def all_contests(session: Session) -> Sequence[ContestRow]:
    """The newest first, drafts too: who may see which is `access`' to say."""
    return session.scalars(select(ContestRow).order_by(ContestRow.id.desc())).all()


def set_state(session: Session, actor: AccountRow, row: ContestRow, state: str) -> None:
    if state not in CONTEST_STATES:
        raise RefusalError("wrong_state", f"a contest is {', '.join(CONTEST_STATES)}")
    with _stays_scored(session, row):
        row.state = state
    record(session, actor, f"contest: {state}", row.name)


def phases_of(session: Session, row: ContestRow) -> Sequence[PhaseRow]:
    query = select(PhaseRow).where(PhaseRow.contest_id == row.id).order_by(PhaseRow.position)
    return session.scalars(query).all()


def current_phase(session: Session, row: ContestRow) -> PhaseRow:
    """The last phase that has started, by its date or by hand; the first if none has."""
    phases, now = phases_of(session, row), moment(session)
    started = [each for each in phases if each.starts_at is not None and each.starts_at <= now]
    return started[-1] if started else phases[0]


def begun_kinds(session: Session, row: ContestRow) -> set[str]:
    """The kinds of the current phase and of all before it, whether they were passed or skipped."""
    current = current_phase(session, row)
    return {each.kind for each in phases_of(session, row) if each.position <= current.position}


def is_published(session: Session, row: ContestRow) -> bool:
    """Whether teams may have each other's releases."""
    return row.looks_in_all > 0 and bool(begun_kinds(session, row) & {"published", "attack", "scored"})


def is_scored(session: Session, row: ContestRow) -> bool:
    """Whether the attack is over, and everybody may see what it came to."""
    if row.looks_in_all == 0 or "attack" not in (begun := begun_kinds(session, row)):
        return False
    return bool(begun & {"scored", "closed"}) or row.state == "closed"


def has_publications(session: Session, row: ContestRow) -> bool:
    query = select(PublicationRow.id).where(PublicationRow.contest_id == row.id)
    return session.scalar(query.limit(1)) is not None


def move_to_phase(session: Session, actor: AccountRow, row: ContestRow, position: int) -> None:
    """Starts a phase now; later ones that had started have not."""
    phases, now = phases_of(session, row), moment(session)
    if not 0 <= position < len(phases):
        raise RefusalError("not_found", "the contest has no such phase")
    if phases[position].kind == "open" and has_publications(session, row):
        raise RefusalError("wrong_state", "releases were shuffled for the attack; no others can be submitted")
    with _stays_scored(session, row):
        for each in phases[position + 1 :]:
            if each.starts_at is not None and each.starts_at <= now:
                each.starts_at = None
        phases[position].starts_at = now
    record(session, actor, f"phase {position}", row.name)


@contextmanager
def _stays_scored(session: Session, row: ContestRow) -> Iterator[None]:
    """Once the half that decides was shown, another guess would be a guess at a board that answers."""
    scored = is_scored(session, row)
    yield
    session.flush()
    if scored and not is_scored(session, row):
        raise RefusalError("wrong_state", "what the attack came to was shown; it can't go on")


def accepts_releases(session: Session, row: ContestRow) -> bool:
    is_open = row.state == "open" and current_phase(session, row).kind == "open"
    return is_open and not has_publications(session, row)


def add_data_version(
    session: Session, actor: AccountRow, row: ContestRow, data: Mapping[str, StoredFile]
) -> DataVersionRow:
    """New data: values of older data stay in the database and no longer count."""
    if ORIGINAL not in data:
        raise RefusalError("bad_contest", "a contest needs its original")
    _check_one_table(row, PEOPLE in data)
    last = session.scalar(select(func.max(DataVersionRow.number)).where(DataVersionRow.contest_id == row.id))
    version = DataVersionRow(contest_id=row.id, number=(last or 0) + 1, created_at=moment(session))
    session.add(version)
    session.flush()
    for part, file in data.items():
        add_file(session, file)
        session.add(
            DataFileRow(data_version_id=version.id, part=part, file_name=file.name, digest=file.digest)
        )
    record(session, actor, f"data version {version.number}", row.name)
    return version


def _check_one_table(row: ContestRow, has_people: bool) -> None:
    if has_people and row.looks_in_all > 0:
        raise RefusalError(
            "bad_contest",
            "what is published in an attack phase is one table; put the columns of the people into the "
            "original, or leave their table out",
        )


def current_version(session: Session, row: ContestRow) -> DataVersionRow:
    query = select(DataVersionRow).where(DataVersionRow.contest_id == row.id)
    version = session.scalar(query.order_by(DataVersionRow.number.desc()).limit(1))
    assert version is not None
    return version


def current_data(session: Session, row: ContestRow) -> tuple[DataVersionRow, Mapping[str, DataFileRow]]:
    """The version that counts, and its files by part."""
    version = current_version(session, row)
    files = session.scalars(select(DataFileRow).where(DataFileRow.data_version_id == version.id))
    return version, {each.part: each for each in files}


def announce(session: Session, actor: AccountRow, row: ContestRow, text: str) -> AnnouncementRow:
    words = checked_text(text, LONGEST_ANNOUNCEMENT).strip()
    if not words:
        raise RefusalError("bad_text", "an announcement says something")
    announcement = AnnouncementRow(
        contest_id=row.id, account_id=actor.id, text=words, announced_at=moment(session)
    )
    session.add(announcement)
    record(session, actor, "announce", row.name)
    return announcement


def announcements_of(session: Session, row: ContestRow) -> Sequence[AnnouncementRow]:
    query = select(AnnouncementRow).where(AnnouncementRow.contest_id == row.id)
    return session.scalars(query.order_by(AnnouncementRow.id.desc())).all()

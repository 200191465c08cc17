"""A small contest on the platform, its people, and a clock that stands still until it is moved."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from singleout.platform.contest import Contest, Phase, Quota, template
from singleout.platform.store.accounts import sign_up
from singleout.platform.store.contests import create_contest, set_state
from singleout.platform.store.files import FileShelf, StoredFile
from singleout.platform.store.schema import AccountRow, ContestRow, SubmissionRow, TeamRow
from singleout.platform.store.submissions import receive
from singleout.platform.store.teams import make_team

PASSWORD = "correct horse battery"
ORIGINAL = b"customer,goods\na,tea\nb,salt\n"
START = datetime(2026, 12, 1, 9, tzinfo=UTC)


@dataclass
class StandingClock:
    now: datetime = START

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **length: float) -> None:
        self.now += timedelta(**length)


@dataclass(frozen=True)
class SmallPlatform:
    """Rows of one contest, its organiser, and a team with its only member."""

    organiser: AccountRow
    contest: ContestRow
    member: AccountRow
    team: TeamRow


def small_contest(name: str = "small", **changes: Any) -> Contest:
    phases = (Phase("Submissions", "open"), Phase("Closed", "closed"))
    quota = Quota(a_day=3, in_all=5, failures_a_day=2)
    return replace(template("single-table"), name=name, title="Small", phases=phases, quota=quota, **changes)


def stored(shelf: FileShelf, content: bytes = ORIGINAL, name: str = "table.csv") -> StoredFile:
    return shelf.put(io.BytesIO(content), name)


def fill(session: Session, shelf: FileShelf, **changes: Any) -> SmallPlatform:
    """An open contest with a team."""
    organiser = sign_up(session, "Olga", PASSWORD, role="organiser")
    member = sign_up(session, "Mia", PASSWORD)
    row = create_contest(session, organiser, small_contest(**changes), {"original": stored(shelf)})
    set_state(session, organiser, row, "open")
    return SmallPlatform(organiser, row, member, make_team(session, row, member, "Blue"))


def submit(
    session: Session, shelf: FileShelf, small: SmallPlatform, content: bytes = b"customer,goods\nx,tea\n"
) -> SubmissionRow:
    return receive(session, small.contest, small.member, stored(shelf, content, "release.csv"))

"""What the API answers with, as typed records: OpenAPI tells scripts the same."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field
from sqlalchemy.orm import Session

from singleout.platform.board import Board
from singleout.platform.store.contests import current_phase, phases_of
from singleout.platform.store.evaluations import BoardEntry, evaluations_of
from singleout.platform.store.guesses import look_of
from singleout.platform.store.metrics import shown_versions
from singleout.platform.store.queue import queue_place
from singleout.platform.store.quota import QuotaLeft
from singleout.platform.store.schema import ContestRow, SubmissionRow


class RefusalAnswer(BaseModel):
    """Why something was not done: a code for scripts, a sentence for people."""

    code: str
    message: str


class AccountAnswer(BaseModel):
    name: str
    role: str


class PhaseAnswer(BaseModel):
    name: str
    kind: str
    starts_at: datetime | None
    is_current: bool


class ContestAnswer(BaseModel):
    name: str
    title: str
    state: str
    phase: str


class ContestDetails(ContestAnswer):
    definition: str = Field(description="the rules as TOML")
    phases: list[PhaseAnswer]


class TeamAnswer(BaseModel):
    name: str
    join_code: str
    members: list[str]
    left_today: int
    left_in_all: int
    failures_left_today: int


class QueueAnswer(BaseModel):
    """Where its job is: 0 is being done, 1 is next."""

    kind: str
    position: int
    progress: dict[str, Any] | None
    last_sign_of_life: datetime | None


class ValueAnswer(BaseModel):
    """A metric's value; null has a reason, and a value with a reason is the least that it is."""

    metric: str
    family: str
    value: float | None
    reason: str | None


class SubmissionAnswer(BaseModel):
    number: int
    kind: str = Field(description="release, original or guesses")
    target: int | None = Field(description="the release that guesses are about")
    state: str
    file_name: str
    received_at: datetime
    finished_at: datetime | None
    pinned: bool
    disqualified: str | None
    comment: str


class SubmissionDetails(SubmissionAnswer):
    problems: list[dict[str, Any]]
    log: str
    queue: QueueAnswer | None
    values: list[ValueAnswer]
    shown: float | None = Field(description="of guesses: what the look told, null if they beat nothing")


class BoardLine(BaseModel):
    """A submission on the board; the original has no team and no place."""

    number: int
    team: str | None
    place: int | None
    overall: float | None
    utility_rank: float | None
    privacy_rank: float | None
    values: dict[str, float | None] | None = Field(description="null if the values are not shown to you")
    reasons: dict[str, str] | None = Field(
        description="by metric, why its value is unknown; beside a rate, why that is only the least"
    )


class BoardAnswer(BaseModel):
    """Best first; `ranked` is false until the original is scored too."""

    ranked: bool
    original: BoardLine | None
    lines: list[BoardLine]


class PublishedRelease(BaseModel):
    """A release to attack: its number is the target of guesses."""

    number: int
    team: str
    people: int
    records: int
    own: bool
    recipe: bool = Field(description="whether the steps that made it are published too")
    shown: float | None = Field(description="your team's best that a look has told of")


class LooksAnswer(BaseModel):
    """What is there to attack, and how often one may still look."""

    releases: list[PublishedRelease]
    left_today: int
    left_in_all: int


class MatrixLine(BaseModel):
    attacker: str
    house: bool
    mean: float = Field(description="share of people recognised, over all releases of others")
    rates: dict[int, float] = Field(description="by the number of the release")


class MatrixAnswer(BaseModel):
    """Best attackers first; in the half of the people that decides."""

    final: bool
    releases: dict[int, str] = Field(description="the team of each release")
    lines: list[MatrixLine]


class WorkerAnswer(BaseModel):
    name: str
    started_at: datetime
    last_sign_of_life: datetime
    sandbox: str | None = Field(description="what it found out about its sandbox for uploaded metrics")


class TeamWish(BaseModel):
    name: str = Field(max_length=200)


class JoinWish(BaseModel):
    code: str = Field(max_length=100)


class StateWish(BaseModel):
    state: str = Field(max_length=20)


def contest_answer(session: Session, row: ContestRow) -> ContestAnswer:
    phase = current_phase(session, row).name
    return ContestAnswer(name=row.name, title=row.title, state=row.state, phase=phase)


def contest_details(session: Session, row: ContestRow) -> ContestDetails:
    current = current_phase(session, row)
    phases = [
        PhaseAnswer(
            name=each.name, kind=each.kind, starts_at=each.starts_at, is_current=each.id == current.id
        )
        for each in phases_of(session, row)
    ]
    return ContestDetails(
        name=row.name, title=row.title, state=row.state, phase=current.name, definition=row.definition,
        phases=phases,
    )  # fmt: skip


def team_answer(name: str, code: str, members: list[str], left: QuotaLeft) -> TeamAnswer:
    return TeamAnswer(
        name=name, join_code=code, members=members, left_today=max(0, left.today),
        left_in_all=max(0, left.in_all), failures_left_today=max(0, left.failures_today),
    )  # fmt: skip


def submission_answer(row: SubmissionRow, *, own: bool) -> SubmissionAnswer:
    return SubmissionAnswer(**_submission_fields(row, own))


def _submission_fields(row: SubmissionRow, own: bool) -> dict[str, Any]:
    """Comments are for its own team only."""
    return {
        "number": row.id, "kind": row.kind, "target": row.target_id, "state": row.state,
        "file_name": row.file_name, "received_at": row.received_at,
        "finished_at": row.finished_at, "pinned": row.pinned, "disqualified": row.disqualified,
        "comment": row.comment if own else "",
    }  # fmt: skip


def submission_details(
    session: Session, contest: ContestRow, row: SubmissionRow, *, own: bool
) -> SubmissionDetails:
    place, look = queue_place(session, row), look_of(session, row)
    return SubmissionDetails(
        **_submission_fields(row, own),
        problems=row.problems,
        log=row.log,
        shown=None if look is None else look.shown,
        queue=None
        if place is None
        else QueueAnswer(
            kind=place.kind,
            position=place.position,
            progress=place.progress,
            last_sign_of_life=place.last_sign_at,
        ),
        values=[
            ValueAnswer(metric=each.metric, family=each.family, value=each.value, reason=each.reason)
            for each in evaluations_of(session, contest, row, shown_versions(session, contest))
        ],
    )


def board_answer(board: Board, *, with_values: bool) -> BoardAnswer:
    """Ranks for all who see the board; values for those who may see them."""
    if board.ranking is None:
        lines = [_line(each, None, None, with_values) for each in board.entries]
        return BoardAnswer(ranked=False, original=None, lines=lines)
    by_number = {each.submission_id: each for each in board.entries}
    lines = [
        _line(by_number[int(each.name)], each, board.places.get(int(each.name)), with_values)
        for each in board.ranking.best_first
    ]
    original = None
    if board.original is not None:
        original = _line(board.original, board.ranking.original, None, with_values)
    return BoardAnswer(ranked=True, original=original, lines=lines)


def _line(entry: BoardEntry, standing: Any, place: int | None, with_values: bool) -> BoardLine:
    return BoardLine(
        number=entry.submission_id, team=entry.team, place=place,
        overall=None if standing is None else standing.overall,
        utility_rank=None if standing is None else standing.utility_rank,
        privacy_rank=None if standing is None else standing.privacy_rank,
        values=dict(entry.values) if with_values else None,
        reasons=dict(entry.reasons) if with_values else None,
    )  # fmt: skip

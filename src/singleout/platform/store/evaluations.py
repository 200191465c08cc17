"""Values of metrics, each kept under all that it depends on, and the places on the board over time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import isfinite
from typing import Any

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from singleout.errors import SingleoutError
from singleout.platform.store.contests import current_version
from singleout.platform.store.database import moment
from singleout.platform.store.schema import (
    ContestRow,
    EvaluationRow,
    RankRow,
    SubmissionRow,
    TeamRow,
)

NO_VERSIONS: Mapping[str, str] = {}
OLDER_VERSION = "measured by an older version of the metric; run it again"


class DifferentResultError(SingleoutError):
    """The same metric on the same data with the same parameters gave another value than before."""


@dataclass(frozen=True)
class MetricScore:
    """A metric's value as a worker reports it; an unknown one has a reason."""

    metric: str
    family: str
    value: float | None
    reason: str | None
    version: str

    def __post_init__(self) -> None:
        if self.value is not None and not isfinite(self.value):
            raise ValueError(f"{self.metric}: a value is a finite number, or unknown with a reason")
        if self.value is None and not self.reason:
            raise ValueError(f"{self.metric}: an unknown value needs a reason")


@dataclass(frozen=True)
class EvaluationBasis:
    """What values depend on beside the submission and the metric: the data, and the contest's parameters."""

    data_version_id: int
    parameters: str


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """A submission with its values; `team` is None for the original.

    `reasons` say why a value is unknown, or that it is only the least that it can be. One is `untried` if
    something that its privacy is judged by was never tried on it.
    """

    submission_id: int
    team_id: int | None
    team: str | None
    kind: str
    pinned: bool
    received_at: datetime
    values: Mapping[str, float | None]
    reasons: Mapping[str, str]
    untried: bool = False


@dataclass(frozen=True)
class BoardState:
    """Equal for two boards that are the same: what counts, and what can be told of all values at once.

    Values are only added, and an unknown one may become known: then their number, the known ones, the last
    one or its time is another. `versions` are the uploaded metrics whose values count, by their digests.
    """

    basis: EvaluationBasis
    counting: tuple[Any, ...]
    values: tuple[Any, ...]
    versions: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class MetricColumn:
    """One version of a metric: its values and reasons by submission, and the id of its last row."""

    values: dict[int, float | None] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)
    last: int = 0

    def copy(self) -> MetricColumn:
        return MetricColumn({**self.values}, {**self.reasons}, self.last)


@dataclass(frozen=True)
class ReadValues:
    """The values of a contest by metric and version, and what the database `told` of all at once.

    Columns, because a record for each value costs more to keep than to read.
    """

    basis: EvaluationBasis
    told: tuple[Any, ...]
    columns: dict[tuple[str, str], MetricColumn] = field(repr=False)


def basis_of(session: Session, contest: ContestRow) -> EvaluationBasis:
    """What counts now."""
    return EvaluationBasis(current_version(session, contest).id, contest.parameters)


def record_scores(
    session: Session, submission: SubmissionRow, basis: EvaluationBasis, scores: Iterable[MetricScore]
) -> None:
    """A value that is known already must be the same; one that was unknown may become known."""
    known = {(row.metric, row.metric_version): row for row in _rows(session, submission, basis)}
    for score in scores:
        row = known.get((score.metric, score.version))
        if row is None:
            session.add(_row(session, submission, basis, score))
        elif row.value is None:
            row.value, row.reason, row.evaluated_at = score.value, score.reason, moment(session)
        elif score.value is not None and score.value != row.value:
            raise DifferentResultError(
                f"{score.metric} of submission {submission.id} is another value than at its first evaluation"
            )


def _row(
    session: Session, submission: SubmissionRow, basis: EvaluationBasis, score: MetricScore
) -> EvaluationRow:
    return EvaluationRow(
        submission_id=submission.id, data_version_id=basis.data_version_id, parameters=basis.parameters,
        metric=score.metric, metric_version=score.version, family=score.family, value=score.value,
        reason=score.reason, evaluated_at=moment(session),
    )  # fmt: skip


def _rows(session: Session, submission: SubmissionRow, basis: EvaluationBasis) -> Sequence[EvaluationRow]:
    query = select(EvaluationRow).where(EvaluationRow.submission_id == submission.id, *_on(basis))
    return session.scalars(query.order_by(EvaluationRow.id)).all()


def _on(basis: EvaluationBasis) -> tuple[ColumnElement[bool], ...]:
    return (
        EvaluationRow.data_version_id == basis.data_version_id,
        EvaluationRow.parameters == basis.parameters,
    )


def evaluations_of(
    session: Session,
    contest: ContestRow,
    submission: SubmissionRow,
    versions: Mapping[str, str] = NO_VERSIONS,
) -> Sequence[EvaluationRow]:
    """On what counts now, each metric once: by its newest version, an uploaded one by that which counts."""
    rows = _rows(session, submission, basis_of(session, contest))
    newest = {row.metric: row for row in rows if row.metric not in versions}
    shown = {row.metric: row for row in rows if versions.get(row.metric) == row.metric_version}
    return list((newest | shown).values())


def board_state(
    session: Session,
    contest: ContestRow,
    *,
    every: bool = False,
    versions: Mapping[str, str] = NO_VERSIONS,
) -> BoardState:
    """What a board is made of, by four queries that stay quick however many values there are."""
    basis = basis_of(session, contest)
    query = select(
        func.count(), func.count(EvaluationRow.value), func.max(EvaluationRow.id),
        func.max(EvaluationRow.evaluated_at),
    ).where(*_on(basis))  # fmt: skip
    counting = counting_submissions(session, contest, every=every)
    return BoardState(basis, counting, tuple(session.execute(query).one()), tuple(sorted(versions.items())))


def board_entries(session: Session, contest: ContestRow, *, every: bool = False) -> list[BoardEntry]:
    """What counts: of each team the pinned or the latest scored submission, and the original.

    With `every`, all that were scored and are not disqualified.
    """
    state = board_state(session, contest, every=every)
    return entries_of(state, read_values(session, state))


def read_values(session: Session, state: BoardState, before: ReadValues | None = None) -> ReadValues:
    """By one query: what came since they were read `before`, or all where that does not add up."""
    if before is not None and before.basis == state.basis and before.told[0]:
        _, _, last, moment = before.told
        since = or_(EvaluationRow.id > last, EvaluationRow.evaluated_at > moment)
        columns = {pair: column.copy() for pair, column in before.columns.items()}
        _read_into(columns, session, state.basis, since)
        if _counts(columns) == state.values[:2]:
            return ReadValues(state.basis, state.values, columns)
    columns = {}
    _read_into(columns, session, state.basis)
    return ReadValues(state.basis, state.values, columns)


def _counts(columns: Mapping[Any, MetricColumn]) -> tuple[int, int]:
    """Of all values, and of the known ones."""
    values = [list(each.values.values()) for each in columns.values()]
    rows = sum(map(len, values))
    return rows, rows - sum(each.count(None) for each in values)


def entries_of(state: BoardState, read: ReadValues) -> list[BoardEntry]:
    """With their values.

    A value that has a reason too is the least that it is. A value by an older version of a metric than the
    newest in this contest is unknown, for the two can't be compared.
    """
    newest = _newest_versions(read.columns) | dict(state.versions)
    current = {
        metric: read.columns[metric, version]
        for metric, version in newest.items()
        if (metric, version) in read.columns
    }
    columns = [(name, column.values) for name, column in current.items()]
    values: dict[int, dict[str, float | None]] = {
        number: {name: known[number] for name, known in columns if number in known}
        for number in [each.id for each in state.counting]
    }
    reasons: dict[int, dict[str, str]] = {number: {} for number in values}
    for name, column in current.items():
        for number in column.reasons.keys() & reasons.keys():
            reasons[number][name] = column.reasons[number]
    for (metric, version), column in read.columns.items():
        if version != newest[metric]:
            for number in column.values.keys() & values.keys():
                if metric not in values[number]:
                    values[number][metric], reasons[number][metric] = None, OLDER_VERSION
    return [
        BoardEntry(number, team_id, team, kind, pinned, received_at, values[number], reasons[number])
        for number, team_id, kind, pinned, received_at, team in state.counting
    ]


def _read_into(
    columns: dict[tuple[str, str], MetricColumn],
    session: Session,
    basis: EvaluationBasis,
    *which: ColumnElement[bool],
) -> None:
    """Data belong to one contest, and so do values on them."""
    query = select(
        EvaluationRow.id, EvaluationRow.submission_id, EvaluationRow.metric, EvaluationRow.metric_version,
        EvaluationRow.value, EvaluationRow.reason,
    ).where(*_on(basis), *which)  # fmt: skip
    # as the driver gives them: records of the mapper take longer than the database for so many rows
    found = session.connection().execute(query)
    rows: Any = found.cursor
    for row, number, metric, version, value, reason in rows:
        if (column := columns.get((metric, version))) is None:
            column = columns[metric, version] = MetricColumn()
        column.values[number] = value
        if row > column.last:
            column.last = row
        if reason:
            column.reasons[number] = reason
        elif number in column.reasons:
            del column.reasons[number]
    found.close()


def _newest_versions(columns: Mapping[tuple[str, str], MetricColumn]) -> dict[str, str]:
    oldest_first = sorted(columns.items(), key=lambda each: each[1].last)
    return {metric: version for (metric, version), _ in oldest_first}


def counting_submissions(session: Session, contest: ContestRow, *, every: bool = False) -> tuple[Any, ...]:
    """Of each team the pinned or the latest scored release, or every one, and the original."""
    query = (
        select(
            SubmissionRow.id, SubmissionRow.team_id, SubmissionRow.kind, SubmissionRow.pinned,
            SubmissionRow.received_at, TeamRow.name,
        )
        .outerjoin(TeamRow, TeamRow.id == SubmissionRow.team_id)
        .where(SubmissionRow.contest_id == contest.id, SubmissionRow.state == "scored")
        .where(SubmissionRow.disqualified.is_(None), SubmissionRow.kind.in_(("release", "original")))
        .order_by(SubmissionRow.pinned, SubmissionRow.id)
    )  # fmt: skip
    found = session.connection().execute(query)
    latest = {row.id if every else row.team_id: row for row in found}
    return tuple(sorted(latest.values(), key=lambda each: int(each.id)))


def record_ranks(session: Session, contest: ContestRow, ranks: Iterable[RankRow]) -> None:
    """Those that are other than when they were last recorded."""
    newest = (
        select(func.max(RankRow.id)).where(RankRow.contest_id == contest.id).group_by(RankRow.submission_id)
    )
    last = {row.submission_id: row for row in session.scalars(select(RankRow).where(RankRow.id.in_(newest)))}
    for rank in ranks:
        before = last.get(rank.submission_id)
        if before is None or _standing(before) != _standing(rank):
            rank.contest_id, rank.ranked_at = contest.id, moment(session)
            session.add(rank)


def _standing(row: RankRow) -> tuple[float | None, ...]:
    return row.position, row.privacy_rank, row.utility_rank, row.score

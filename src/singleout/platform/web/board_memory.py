"""The latest board of each contest, made again only when a submission, the data or the rules have changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from singleout.platform.board import Board, board_of
from singleout.platform.store.evaluations import basis_of
from singleout.platform.store.schema import ContestRow, EvaluationRow, SubmissionRow

MOST_KEPT = 32


@dataclass(frozen=True)
class BoardMemory:
    """Boards by contest and kind, each with the state of the contest that it was made from."""

    kept: dict[tuple[int, bool], tuple[Any, Board]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def board(self, session: Session, contest: ContestRow, *, every: bool) -> Board:
        key, state = (contest.id, every), board_state(session, contest)
        with self.lock:
            known = self.kept.get(key)
        if known is not None and known[0] == state:
            return known[1]
        board = board_of(session, contest, every=every)
        with self.lock:
            if len(self.kept) >= MOST_KEPT and key not in self.kept:
                self.kept.pop(next(iter(self.kept)))
            self.kept[key] = state, board
        return board


def board_state(session: Session, contest: ContestRow) -> tuple[Any, ...]:
    """What a board depends on, in short: few queries, however many submissions there are.

    Values come with the end of an evaluation, whose moment is a submission's own.
    """
    row, pinned, out = SubmissionRow, SubmissionRow.pinned, SubmissionRow.disqualified
    query = select(
        func.count(), func.max(row.finished_at), func.sum(case((row.state == "scored", row.id), else_=0)),
        func.sum(case((pinned, row.id), else_=0)), func.sum(case((out.is_not(None), row.id), else_=0)),
    ).where(row.contest_id == contest.id)  # fmt: skip
    newest = session.scalar(select(func.max(EvaluationRow.id)))
    return (contest.definition, basis_of(session, contest), newest, *session.execute(query).one())

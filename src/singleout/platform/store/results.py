"""Results for whoever wants to know more: the read-only views, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Boolean, Column, Float, Integer, MetaData, Table, Text, select
from sqlalchemy.orm import Session

from singleout.platform.store.schema import ContestRow, TeamRow, UtcMoment

VIEWS = MetaData()
SUBMISSIONS = Table(
    "v_submissions", VIEWS,
    Column("contest", Text), Column("submission", Integer), Column("kind", Text), Column("team", Text),
    Column("state", Text), Column("pinned", Boolean), Column("disqualified", Boolean),
    Column("received_at", UtcMoment), Column("finished_at", UtcMoment),
)  # fmt: skip
METRIC_VALUES = Table(
    "v_metric_values", VIEWS,
    Column("contest", Text), Column("submission", Integer), Column("team", Text), Column("family", Text),
    Column("metric", Text), Column("metric_version", Text), Column("parameters", Text),
    Column("data_version", Integer), Column("value", Float(53)), Column("reason", Text),
    Column("evaluated_at", UtcMoment),
)  # fmt: skip
RANKS = Table(
    "v_ranks", VIEWS,
    Column("contest", Text), Column("submission", Integer), Column("team", Text),
    Column("ranked_at", UtcMoment), Column("position", Float(53)), Column("privacy_rank", Float(53)),
    Column("utility_rank", Float(53)), Column("score", Float(53)),
)  # fmt: skip
GUESSES = Table(
    "v_guesses", VIEWS,
    Column("contest", Text), Column("submission", Integer), Column("team", Text), Column("attacker", Text),
    Column("target", Integer), Column("release_user", Text), Column("original_user", Text),
    Column("confidence", Float(53)),
)  # fmt: skip
ATTACK_SCORES = Table(
    "v_attack_scores", VIEWS,
    Column("contest", Text), Column("submission", Integer), Column("team", Text), Column("attacker", Text),
    Column("house", Boolean), Column("target", Integer), Column("target_team", Text),
    Column("disqualified", Boolean), Column("rate", Float(53)), Column("scored_at", UtcMoment),
)  # fmt: skip
EXPOSURES = Table(
    "v_exposures", VIEWS,
    Column("contest", Text), Column("person", Text), Column("attackers", Integer),
    Column("releases", Integer),
)  # fmt: skip
RESULTS = {
    "submissions": SUBMISSIONS, "metric_values": METRIC_VALUES, "ranks": RANKS, "guesses": GUESSES,
    "attack_scores": ATTACK_SCORES, "exposures": EXPOSURES,
}  # fmt: skip
# those of a contest without an attack phase
ALWAYS = ("submissions", "metric_values", "ranks")


@dataclass(frozen=True)
class ResultRows:
    """A view's columns and the rows that somebody may see."""

    table: Table
    rows: Sequence[Sequence[Any]]

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.table.columns]


def result_rows(session: Session, name: str, contest: ContestRow, team: TeamRow | None = None) -> ResultRows:
    """Of a contest, or only of one team in it; in a fixed order."""
    table = RESULTS[name]
    query = select(table).where(table.c.contest == contest.name)
    if team is not None:
        query = query.where(table.c.team == team.name)
    ordered = query.order_by(*(column for column in table.columns if column.name != "value"))
    return ResultRows(table, [tuple(row) for row in session.execute(ordered)])

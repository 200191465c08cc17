"""The board of a contest: the rank table, use against protection, and the metrics behind them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from fastapi import APIRouter
from markupsafe import Markup
from starlette.responses import Response

from singleout.platform import access
from singleout.platform.board import Board, board_of
from singleout.platform.charts.metric_scatter import metric_scatter
from singleout.platform.charts.submission_rates import submission_rates
from singleout.platform.contest import Family
from singleout.platform.scorer import HIGHEST, Score
from singleout.platform.store.evaluations import BoardEntry
from singleout.platform.store.schema import TeamRow
from singleout.platform.web.contest_pages import heading
from singleout.platform.web.page import filled
from singleout.platform.web.requests import visible_contest
from singleout.platform.web.visit import PageRoute, VisitHere
from singleout.report.charts.chart import Chart
from singleout.report.charts.releases import utility_and_privacy
from singleout.utility.compare.ranking import Ranking, Standing

router = APIRouter(route_class=PageRoute, include_in_schema=False)
# what Fig. 16 of Ito et al. n.d. draws against each other, where a contest has both
FIGURE_16 = ("amount", "u1_fare_by_person")
MOST_DRAWN, MOST_ROWS = 200, 500
# of each board; for members of each team it is another, for their own rows are marked
MOST_PAGES = 100
# a page with thousands of rows is written each time: whoever asks for many of them does not fill the memory
LONGEST_KEPT = 1_000_000
ONE_AT_A_TIME = Lock()
BETTER = ("better", "better_if")
NUMBERED = re.compile(r"#\s*\d+$")


@dataclass(frozen=True)
class OwnColumn:
    """An uploaded metric on the board: its values by submission, and whether it ranks."""

    name: str
    family: str
    better: str
    ranks: bool
    values: Mapping[int, float | None]
    reasons: Mapping[int, str | None]


@dataclass(frozen=True)
class BoardChoice:
    """What somebody wants to see of a board, and whether they may see its values."""

    every: bool
    all_rows: bool
    attack: str
    utility: str
    with_values: bool


@dataclass(frozen=True)
class BoardRow:
    """A row of the rank table; `least` marks a rate that may be higher."""

    number: int
    name: str
    place: int | None
    overall: float | None
    utility_rank: float | None
    privacy_rank: float | None
    highest: float | None
    least: bool
    original: bool
    own: bool
    verdict: str


@router.get("/contests/{name}/board")
def board_page(visit: VisitHere, name: str) -> Response:
    asked = visit.request.query_params
    every = asked.get("every") == "1"
    with visit.platform.database.reading() as session:
        contest = visible_contest(session, visit.asker, name)
        access.check(access.is_among(session, visit.account, contest, contest.board_for), visit.account)
        shown = heading(session, visit, contest)
        with_values = access.is_among(session, visit.account, contest, contest.values_for)
        board = board_of(session, contest, every=every)
    attacks, utilities = (metrics_to_draw(board, family) for family in ("privacy", "utility"))
    attack = _chosen(asked.get("attack"), attacks, FIGURE_16[0])
    utility = _chosen(asked.get("utility"), utilities, FIGURE_16[1])
    choice = BoardChoice(every, asked.get("rows") == "all", attack, utility, with_values)
    team: TeamRow | None = shown["team"]
    key = (
        choice, visit.texts.language, None if team is None else team.id, shown["managed"], contest.title,
        contest.state, contest.looks_in_all,
    )  # fmt: skip

    def written() -> str:
        context = {**shown, **board_context(board, team, choice), "attacks": attacks, "utilities": utilities}
        return filled("board_main.html", {"t": visit.texts, **context})

    return visit.page("board_page.html", **shown, main=Markup(kept_page(board, key, written)))


def kept_page(board: Board, key: Any, written: Callable[[], str]) -> str:
    """What was written for the last one who looked at the same, or the new text, kept for the next."""
    if (text := board.pages.get(key)) is None:
        text = written()
        with ONE_AT_A_TIME:  # others look at the same moment
            while len(board.pages) >= MOST_PAGES:
                del board.pages[next(iter(board.pages))]
            if len(text) <= LONGEST_KEPT:
                board.pages[key] = text
    return text


def board_context(board: Board, team: TeamRow | None, choice: BoardChoice) -> dict[str, Any]:
    """What the board's template asks for."""
    values, most = {"with_values": choice.with_values}, None if choice.all_rows else MOST_ROWS
    rows = board_rows(board, team, most=most, **values)
    left_out = 0 if not rows else len(board.entries) + 1 - len(rows)
    return {
        "every": choice.every, "rows": rows, "left_out": left_out, "definition": board.contest,
        "charts": drawn_charts(board, attack=choice.attack, utility=choice.utility, **values),
        "may_see_values": choice.with_values, "own_columns": own_columns(board) if choice.with_values else (),
        "attack": choice.attack, "utility": choice.utility,
    }  # fmt: skip


def metrics_to_draw(board: Board, family: Family) -> tuple[str, ...]:
    """The contest's own, and what users uploaded."""
    uploaded = (each.name for each in board.uploaded.values() if each.family == family)
    return (*board.contest.of_family(family), *uploaded)


def own_columns(board: Board) -> list[OwnColumn]:
    """Uploaded metrics that have a value or a reason of what the board shows."""
    entries = [*board.entries, *([board.original] if board.original else [])]
    columns = [
        OwnColumn(
            each.name, each.family, each.better, each.name in board.contest.pinned,
            {entry.submission_id: entry.values.get(each.name) for entry in entries},
            {entry.submission_id: entry.reasons.get(each.name) for entry in entries},
        )
        for each in board.uploaded.values()
    ]  # fmt: skip
    return [
        each
        for each in columns
        if any(v is not None for v in (*each.values.values(), *each.reasons.values()))
    ]


def _chosen(asked: str | None, names: Sequence[str], first: str) -> str:
    return next((each for each in (asked, first) if each is not None and each in names), names[0])


def board_rows(
    board: Board, team: TeamRow | None, *, with_values: bool, most: int | None = None
) -> list[BoardRow]:
    """The best first, the original behind those that are better than it.

    At most so many, with the original and one's own wherever they stand.
    """
    if board.ranking is None or board.original is None:
        return []
    names, entries = entry_names(board.entries), {each.submission_id: each for each in board.entries}
    standings, ranking = board.ranking.best_first, board.ranking
    before = sum(_verdict(ranking, each) in BETTER for each in standings)
    rows = [replace(_row("", ranking.original, board.original, ranking, with_values), original=True)]
    for index, each in enumerate(standings):
        number = int(each.name)
        own = team is not None and entries[number].team_id == team.id
        if own or most is None or index + (index >= before) < most:
            row = _row(names[number], each, entries[number], ranking, with_values)
            row = replace(row, place=board.places.get(number), own=own)
            rows.insert(len(rows) - 1 if index < before else len(rows), row)
    return rows


def _row(name: str, standing: Standing, entry: BoardEntry, ranking: Ranking, with_values: bool) -> BoardRow:
    highest = standing.highest_rate if with_values else None
    return BoardRow(
        number=entry.submission_id, name=name, place=None, overall=standing.overall,
        utility_rank=standing.utility_rank, privacy_rank=standing.privacy_rank, highest=highest,
        least=highest is not None and HIGHEST in entry.reasons, original=False, own=False,
        verdict=_verdict(ranking, standing),
    )  # fmt: skip


def _verdict(ranking: Ranking, standing: Standing) -> str:
    better = ranking.better_than_original(standing)
    if better is None:
        return "unknown"
    if better:
        return "better" if standing.compared else "better_if"
    return "draw_with" if standing.overall == ranking.boundary else "no_better"


def entry_names(entries: Sequence[BoardEntry]) -> dict[int, str]:
    """By the team; by the number too where a team has several, or where it is called like one of several."""
    teams = [each.team_id for each in entries]
    often = {each for each in teams if teams.count(each) > 1} if len(teams) <= MOST_DRAWN else {*teams}
    return {
        each.submission_id: f"{each.team} #{each.submission_id}"
        if each.team_id in often or NUMBERED.search(str(each.team))
        else str(each.team)
        for each in entries
    }


def drawn_charts(board: Board, *, with_values: bool, attack: str, utility: str) -> list[Chart]:
    """A crowd looks at the same board: its charts are made once."""
    key = with_values, attack, utility
    if key not in board.pictures:
        board.pictures[key] = board_charts(board, with_values=with_values, attack=attack, utility=utility)
    charts: list[Chart] = board.pictures[key]
    return charts


def board_charts(board: Board, *, with_values: bool, attack: str, utility: str) -> list[Chart]:
    """Figs 13, 15 and 16 of Ito et al. n.d.; of very many submissions none, for nobody could read them."""
    if board.ranking is None or board.original is None or len(board.entries) > MOST_DRAWN:
        return []
    names = entry_names(board.entries)
    charts = [utility_and_privacy(_named(board.ranking, names, with_values))]
    if with_values:
        scores = {names[each.submission_id]: _scores(each, board) for each in board.entries}
        best_first = {
            names[int(each.name)]: scores[names[int(each.name)]] for each in board.ranking.best_first
        }
        charts.append(submission_rates(best_first))
        drawn = {names[each.submission_id]: _scores(each, board, every=True) for each in board.entries}
        original = _scores(board.original, board, every=True)
        measure = board.uploaded[utility].measure if utility in board.uploaded else None
        charts.append(metric_scatter(original, drawn, utility, attack, measure))
    return [each for each in charts if each is not None]


def _named(ranking: Ranking, names: dict[int, str], with_values: bool) -> Ranking:
    """By names instead of numbers; rates are left out for those who may not see values."""

    def shown(each: Standing, name: str) -> Standing:
        return replace(each, name=name, highest_rate=each.highest_rate if with_values else None)

    releases = tuple(shown(each, names[int(each.name)]) for each in ranking.releases)
    return replace(ranking, releases=releases, original=shown(ranking.original, "original"))


def _scores(entry: BoardEntry, board: Board, *, every: bool = False) -> list[Score]:
    """Uploaded metrics that don't rank are only there with `every`."""
    contest, scores = board.contest, []
    utility = (*contest.of_family("utility"), *contest.adopted("utility"))
    for metric, value in entry.values.items():
        own = board.uploaded.get(metric)
        known = value is not None or entry.reasons.get(metric)
        if known and (own is None or every or metric in contest.pinned):
            family: Family = "utility" if metric in utility else own.family if own else "privacy"
            scores.append(Score(metric, family, value, entry.reasons.get(metric)))
    return scores

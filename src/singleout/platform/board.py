"""The board of a contest: what counts of each team, ranked beside the original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

from sqlalchemy.orm import Session

from singleout.platform.contest import Contest, read_contest
from singleout.platform.ranking import RankedEntry, directions, places, rank
from singleout.platform.scorer import HIGHEST
from singleout.platform.store.evaluations import (
    BoardEntry,
    BoardState,
    ReadValues,
    board_state,
    entries_of,
    read_values,
    record_ranks,
)
from singleout.platform.store.guesses import ReleaseAttack, release_attacks
from singleout.platform.store.metrics import shown_metrics, shown_versions
from singleout.platform.store.schema import ContestRow, RankRow
from singleout.platform.uploaded_metric import UploadedMetric
from singleout.utility.compare.ranking import Ranking

MOST_DRAWN_BOARDS = 8
ONE_AT_A_TIME = Lock()
GUESSES = "guesses"
NOT_ATTACKED = "was not published, so that nobody could attack it"
NOBODY_GUESSED = "nobody guessed"
NOT_RUN = "the metric {} has no value of it"
NO_HOUSE = "the attacks of the house could not be made on the published release"


@dataclass(frozen=True)
class Board:
    """Ranks are by the submissions' numbers as text; None until the original is scored.

    `uploaded` are metrics of users that have values here, `pictures` what was drawn of it so far, and `pages`
    what of it was written, by all that it depends on.
    """

    contest: Contest
    entries: tuple[BoardEntry, ...]
    original: BoardEntry | None
    ranking: Ranking | None
    places: dict[int, int]
    uploaded: Mapping[str, UploadedMetric] = field(default_factory=dict)
    pictures: dict[Any, Any] = field(default_factory=dict, compare=False)
    pages: dict[Any, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class DrawnBoard:
    """A board, and all that it was made of: definition, state, and attacks, None while none is over."""

    made_of: tuple[str, BoardState, tuple[ReleaseAttack, ...] | None]
    board: Board
    read: ReadValues


def board_of(session: Session, row: ContestRow, *, every: bool = False) -> Board:
    """With `every`, all that were scored; else what counts of each team.

    While nothing changes that it is made of, it is the one that was made before.
    """
    versions = shown_versions(session, row)
    state = board_state(session, row, every=every, versions=versions)
    attacks = release_attacks(session, row)
    made_of = row.definition, state, attacks
    drawn: dict[tuple[int, bool], DrawnBoard] = session.info["boards"]
    if (last := drawn.get((row.id, every))) is not None and last.made_of == made_of:
        return last.board
    if session.info["writing"]:  # what is not committed may never have been
        return _board(session, row, state, attacks, read_values(session, state))
    with ONE_AT_A_TIME:  # a crowd that sees a change at the same moment waits for one of it
        if (last := drawn.get((row.id, every))) is not None and last.made_of == made_of:
            return last.board
        others = (drawn.get((row.id, kind)) for kind in (every, not every))
        read = read_values(session, state, next((each.read for each in others if each is not None), None))
        board = _board(session, row, state, attacks, read)
        while len(drawn) >= MOST_DRAWN_BOARDS:
            drawn.pop(next(iter(drawn)), None)
        drawn[row.id, every] = DrawnBoard(made_of, board, read)
    return board


def _board(
    session: Session,
    row: ContestRow,
    state: BoardState,
    attacks: tuple[ReleaseAttack, ...] | None,
    read: ReadValues,
) -> Board:
    contest, found = read_contest(row.definition), entries_of(state, read)
    entries = tuple(each for each in found if each.kind != "original")
    if attacks is not None:
        by_release = {each.submission_id: each for each in attacks}
        entries = tuple(with_attack(each, by_release.get(each.submission_id), contest) for each in entries)
    original = next((each for each in reversed(found) if each.kind == "original"), None)
    uploaded = shown_metrics(session, row) if state.versions else {}
    if original is None:
        return Board(contest, entries, None, None, {}, uploaded)
    made = [name for name in contest.of_family("privacy") if original.values.get(name) is not None]
    entries = tuple(with_attacks_made(each, made) for each in entries)
    if contest.adopted("privacy"):
        entries = tuple(with_adopted(each, contest) for each in entries)
        original = with_adopted(original, contest)
    ranking = rank(
        _entry(original),
        [_entry(each) for each in entries],
        directions(contest),
        contest.weights,
        contest.uncertain,
    )
    numbered = {int(name): place for name, place in places(ranking).items()}
    return Board(contest, entries, original, ranking, numbered, uploaded)


def with_attack(entry: BoardEntry, attack: ReleaseAttack | None, contest: Contest) -> BoardEntry:
    """Its highest rate is the worst that anybody did to it; what was not tried makes that only the least."""
    values, reasons = dict(entry.values), dict(entry.reasons)
    if attack is None or not attack.published:
        values[GUESSES], reasons[GUESSES] = None, NOT_ATTACKED
        reasons.setdefault(HIGHEST, NOT_ATTACKED)
        return replace(entry, values=values, reasons=reasons, untried=True)
    values[GUESSES] = attack.rate
    if attack.rate is None:
        reasons[GUESSES] = NOBODY_GUESSED
    else:
        known = values.get(HIGHEST)
        values[HIGHEST] = attack.rate if known is None else max(known, attack.rate)
    if no_house := contest.attack.house and not attack.house:
        reasons.setdefault(HIGHEST, NO_HOUSE)
    return _settled(replace(entry, values=values, reasons=reasons, untried=no_house))


def with_attacks_made(entry: BoardEntry, made: Sequence[str]) -> BoardEntry:
    """Untried if one of the attacks that were made on the original could not be made on it at all."""
    if all(entry.values.get(name) is not None for name in made):
        return entry
    return _settled(replace(entry, untried=True))


def with_adopted(entry: BoardEntry, contest: Contest) -> BoardEntry:
    """Risks by adopted metrics count as attacks do: the highest; one that is unknown makes it the least."""
    values, reasons, untried = dict(entry.values), dict(entry.reasons), entry.untried
    for name in contest.adopted("privacy"):
        if (risk := values.get(name)) is None:
            reasons.setdefault(HIGHEST, NOT_RUN.format(name))
            untried = True
        elif (known := values.get(HIGHEST)) is not None:
            values[HIGHEST] = max(known, risk)
    return _settled(replace(entry, values=values, reasons=reasons, untried=untried))


def _settled(entry: BoardEntry) -> BoardEntry:
    """Where everybody is recognised, nothing that was not tried could recognise more."""
    if entry.values.get(HIGHEST) != 1.0:
        return entry
    reasons = {name: reason for name, reason in entry.reasons.items() if name != HIGHEST}
    return replace(entry, reasons=reasons, untried=False)


def _entry(entry: BoardEntry) -> RankedEntry:
    highest = entry.values.get(HIGHEST)
    certain = highest is not None and HIGHEST not in entry.reasons
    return RankedEntry(str(entry.submission_id), entry.values, highest, certain, not entry.untried)


def keep_ranks(session: Session, row: ContestRow) -> None:
    """The places as of now, for those who ask later how they changed."""
    board = board_of(session, row)
    if board.ranking is None:
        return
    record_ranks(
        session,
        row,
        (
            RankRow(
                submission_id=int(each.name), position=board.places.get(int(each.name)),
                privacy_rank=each.privacy_rank, utility_rank=each.utility_rank, score=each.overall,
            )
            for each in board.ranking.releases
        ),
    )  # fmt: skip

"""What counts of each team on the board: nothing ranks better because it was not tried, or was called so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from singleout.platform.board import _entry, with_adopted, with_attack, with_attacks_made
from singleout.platform.contest import ContestMetric, UncertainRule
from singleout.platform.ranking import RankedEntry, rank
from singleout.platform.refusal import RefusalError
from singleout.platform.scorer import HIGHEST
from singleout.platform.store.database import Database
from singleout.platform.store.evaluations import BoardEntry
from singleout.platform.store.files import FileShelf
from singleout.platform.store.guesses import ReleaseAttack
from singleout.platform.store.teams import make_team
from singleout.platform.web.board_pages import entry_names
from singleout.platform.web.text_catalogue import LANGUAGES, catalogue
from tests.support.attacked_contest import RULES, attacked_contest
from tests.support.small_platform import START, fill

CONTEST = attacked_contest(attack=replace(RULES, house=True))
RISKY = replace(CONTEST, metrics=(*CONTEST.metrics, ContestMetric("risk", "privacy", 1.0, "0" * 64, "lower")))
TRIED = ReleaseAttack(1, published=True, house=True, rate=0.3)


def entry(number: int, rate: float, team: str = "Blue", **values: float | None) -> BoardEntry:
    known = {HIGHEST: rate, "records_kept": 1.0, **values}
    return BoardEntry(number, number, team, "release", False, START, known, {})


@pytest.mark.parametrize("uncertain", ["last", "measured"])
@pytest.mark.parametrize(
    "untried",
    [
        with_attack(entry(1, 0.1), None, CONTEST),
        with_attack(entry(1, 0.1), replace(TRIED, published=False, rate=None), CONTEST),
        with_attack(entry(1, 0.1), replace(TRIED, house=False), CONTEST),
        with_adopted(entry(1, 0.1, risk=None), RISKY),
        replace(
            with_attacks_made(entry(1, 0.1, dates=None), ["dates"]), reasons={HIGHEST: "dates was not made"}
        ),
    ],
    ids=["unpublished", "not yet", "no house", "an adopted risk that has no value", "not made"],
)
def test_what_was_not_tried_ranks_behind_what_was(untried: BoardEntry, uncertain: UncertainRule) -> None:
    """Also where rates that are only the least rank as they were measured."""
    tried = with_attack(entry(2, 0.9), TRIED, CONTEST)
    original = RankedEntry("original", {"records_kept": 1.0}, 1.0)
    found = rank(original, [_entry(untried), _entry(tried)], {"records_kept": "higher"}, {}, uncertain)
    assert [each.privacy_rank for each in (*found.releases, found.original)] == [3.0, 1.0, 2.0]
    assert not found.releases[0].compared


def test_where_everybody_is_recognised_nothing_is_left_to_try() -> None:
    """Else the original would rank last where an adopted risk has no value of it, and make its line lower."""
    for whole in (with_adopted(entry(1, 1.0, risk=None), RISKY), with_attack(entry(1, 1.0), TRIED, CONTEST)):
        assert (HIGHEST in whole.reasons, whole.untried) == (False, False)
        assert _entry(whole).certain


def test_no_two_submissions_have_one_name() -> None:
    """In drawings one would hide the other: a team may be called as one of another's submissions is shown."""
    entries = [
        entry(12, 0.9),
        replace(entry(13, 0.2), team_id=12),
        entry(14, 0.1, "Blue #12"),
        entry(15, 1, "Red"),
    ]
    names = entry_names(entries)
    assert names == {12: "Blue #12", 13: "Blue #13", 14: "Blue #12 #14", 15: "Red"}


def test_no_team_is_called_as_the_original(database: Database, shelf: FileShelf) -> None:
    with database.writing() as session:
        small = fill(session, shelf)
        for name in (
            "The  ORIGINAL",
            "\uff4friginal",
            *(catalogue(each)("board.original") for each in LANGUAGES),
        ):
            with pytest.raises(RefusalError, match="boards call the untouched data so"):
                make_team(session, small.contest, small.organiser, name)

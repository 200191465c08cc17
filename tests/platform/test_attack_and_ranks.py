"""A contest with its house players to the final ranks, on both databases, by the scorer that counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.orm import Session

from singleout.platform.attack_matrix import AttackedRelease, attack_matrix, matrix_of
from singleout.platform.board import GUESSES, board_of
from singleout.platform.scorer import HIGHEST
from singleout.platform.store.contests import is_scored
from singleout.platform.store.database import Database, database_address
from singleout.platform.store.files import FileShelf
from singleout.platform.store.guesses import AttackOutcome, exposures
from singleout.platform.store.migration import open_platform
from singleout.platform.store.schema import SubmissionRow
from singleout.platform.store.submissions import receive
from singleout.platform.web.attack_pages import best_attacks
from singleout.platform.worker.evaluation_process import SCORER
from tests.support.attacked_contest import (
    PEOPLE,
    RULES,
    Duel,
    attacked_contest,
    blurred,
    fill_duel,
    guess_file,
    kept,
    look,
    move,
    played_until,
    shop,
    target_of,
    truth_of_release,
    work,
    worker_here,
)

HOUSE_PLAYS = attacked_contest(attack=replace(RULES, house=True))


def test_final_ranks_are_by_the_worst_that_anybody_did(
    database: Database, shelf: FileShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Red's data is blurred, and Green knows by other means who is who in it."""
    worker = worker_here(database, shelf, monkeypatch, SCORER)
    duel = played_until("attack", database, worker, lambda session: fill_duel(session, shelf, HOUSE_PLAYS))
    with database.reading() as session:
        who = truth_of_release(session, duel, "Red")
        before = {each.team: each.values[HIGHEST] for each in board_of(session, duel.contest).entries}
    look(database, shelf, duel, "Green", "Red", guess_file(who))
    work(worker)
    with database.reading() as session:
        assert not is_scored(session, duel.contest)
        assert {each.team: each.values[HIGHEST] for each in board_of(session, duel.contest).entries} == before
    move(database, duel, "scored")
    with database.reading() as session:
        board = board_of(session, duel.contest)
        found = {each.team: each for each in board.entries}
        matrix = matrix_of(session, duel.contest)
        people = exposures(session, duel.contest)
    assert before["Red"] is not None
    assert before["Red"] < 0.2
    assert found["Red"].values[HIGHEST] == found["Red"].values[GUESSES] == 1.0
    assert board.ranking is not None
    ranks = {found_team(board.entries, each.name): each.privacy_rank for each in board.ranking.releases}
    assert ranks["Green"] == 1.0
    assert ranks["Red"] == ranks["Blue"]
    assert [(each.name, each.house) for each in matrix.attackers] == [
        ("Green", False),
        ("house: jaccard", True),
    ]
    best = {target.team: matrix.best_attack(target) for target in matrix.releases}
    assert best["Red"] is not None
    assert (best["Red"][0].name, best["Red"][1]) == ("Green", 1.0)
    assert best["Blue"] is not None
    assert best["Blue"][0].house
    assert {(attackers, releases) for _, attackers, releases in people} == {(2, 2)}
    assert len(people) == PEOPLE


def found_team(entries: Any, name: str) -> str:
    return str(next(each.team for each in entries if each.submission_id == int(name)))


def test_a_recipe_plays_for_the_house_and_must_be_true(
    shelf: FileShelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = open_platform(database_address(None, tmp_path))
    worker = worker_here(database, shelf, monkeypatch, SCORER)
    contest = replace(HOUSE_PLAYS, attack=replace(HOUSE_PLAYS.attack, recipes="optional"))
    recipe = b'[[step]]\nstep = "pseudonymise"\ncolumns = ["customer"]\n'
    seeded = b"seed = 4\n" + recipe

    def fill(session: Session) -> Duel:
        duel = fill_duel(session, shelf, contest)
        for team, content, given in (
            ("Blue", shop(), recipe),
            ("Red", blurred(), recipe),
            ("Green", shop(), seeded),
        ):
            file = kept(shelf, given, "recipe.toml")
            receive(session, duel.contest, duel.members[team], kept(shelf, content), recipe=file)
        return duel

    duel = played_until("attack", database, worker, fill)
    with database.reading() as session:
        rows = session.query(SubmissionRow).filter(SubmissionRow.recipe_digest.is_not(None)).all()
        states = {row.team_id: (row.state, [each["text"] for each in row.problems]) for row in rows}
        players = {
            row.player
            for row in session.query(SubmissionRow).filter(SubmissionRow.kind == "house")
            if row.target_id == target_of(session, duel, "Blue")
        }
    assert states[duel.teams["Blue"].id] == ("scored", [])
    assert states[duel.teams["Red"].id][0] == "refused"
    assert "can't come from this recipe" in states[duel.teams["Red"].id][1][0]
    assert states[duel.teams["Green"].id][0] == "refused"
    assert "'seed'" in states[duel.teams["Green"].id][1][0]
    assert players == {"jaccard", "jaccard (recipe)"}
    database.close()


def test_the_best_attack_on_what_could_not_be_compared_is_the_least_that_it_is() -> None:
    """The matrix marks what the board marks; nobody can recognise more than all."""
    targets = [AttackedRelease(number, f"Team {number}", 10 * number, 4) for number in (1, 2, 3, 4)]
    outcomes = [
        AttackOutcome(5, "Red", False, 99, target, rate) for target, rate in ((1, 0.5), (2, 0.5), (3, 1.0))
    ]
    found = best_attacks(attack_matrix(targets, outcomes), certain={1})
    assert [(each.rate, each.least) for each in found] == [
        (0.5, False),
        (0.5, True),
        (1.0, False),
        (None, False),
    ]

"""The narrowing attack of PWS Cup 2025, played against the board: its gain is that of blind guesses.

A team submits guesses, reads the score, drops what scores below chance, and repeats. A board that answers
truthfully about everybody is climbed by it; what looks tell here is not enough, and not about who decides.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import pytest

from singleout.platform.attack_rules import AttackRules
from singleout.platform.guess_score import (
    Guess,
    PersonInRelease,
    guess_rates,
    step_for,
    told,
)
from singleout.platform.publication import deciding_people
from singleout.platform.refusal import RefusalError
from singleout.platform.store.database import Database, database_address
from singleout.platform.store.files import FileShelf
from singleout.platform.store.guesses import look_of
from singleout.platform.store.publications import people_of_publication, published_release
from singleout.platform.store.schema import SubmissionRow
from singleout.platform.worker.worker import Worker
from tests.support.attacked_contest import (
    Duel,
    attacked_contest,
    fill_duel,
    guess_file,
    look,
    played_until,
    target_of,
    truth_of_release,
    work,
    worker_here,
)

PEOPLE, LOOKS, GROUPS = 400, AttackRules().looks_in_all, 10
# somebody's own method is right more often than chance, else there is nothing to narrow
CANDIDATES = 4
Guesses = dict[str, str]


@dataclass
class HiddenBoard:
    """As the platform answers: from one half, rounded, and only what beats the best by a step."""

    truth: Guesses
    seed: str
    best: float = 0.0
    people: dict[str, PersonInRelease] = field(init=False)

    def __post_init__(self) -> None:
        deciding = deciding_people([*self.truth.values()], self.seed)
        self.people = {name: PersonInRelease(who, who in deciding) for name, who in self.truth.items()}

    def look(self, guesses: Guesses) -> float | None:
        rates = guess_rates(self.people, as_guesses(guesses))
        shown = told(rates.look, self.best, step_for(AttackRules().step, rates.looked))
        self.best = self.best if shown is None else rates.look
        return shown

    def final(self, guesses: Guesses) -> float:
        return guess_rates(self.people, as_guesses(guesses)).final


class NaiveBoard(HiddenBoard):
    """Tells the exact rate of everybody, every time; all decide."""

    def look(self, guesses: Guesses) -> float:
        return sum(self.truth[name] == who for name, who in guesses.items()) / len(self.truth)

    def final(self, guesses: Guesses) -> float:
        return self.look(guesses)


def as_guesses(guesses: Guesses) -> list[Guess]:
    return [Guess(name, who) for name, who in guesses.items()]


def blind(truth: Guesses, draw: Random) -> Guesses:
    """One of a few candidates for each person, the right one among them."""
    originals = [*truth.values()]
    return {name: draw.choice([who, *draw.sample(originals, CANDIDATES - 1)]) for name, who in truth.items()}


def narrowed(board: HiddenBoard, truth: Guesses, draw: Random) -> Guesses:
    """Other guesses for a group of people at a time; what the board does not like better is dropped."""
    held, names = blind(truth, draw), [*truth]
    best = board.look(held) or 0.0
    for number in range(LOOKS - 1):
        group = names[number % GROUPS :: GROUPS]
        tried = held | {name: who for name, who in blind(truth, draw).items() if name in group}
        score = board.look(tried)
        if score is not None and score > best:
            held, best = tried, score
    return held


def gain(make: Callable[[Guesses, str], HiddenBoard], seed: int) -> float:
    """Of the narrowing attack over as many blind guesses, where it counts."""
    draw = Random(seed)
    truth = {f"p{number}": f"person {number}" for number in range(PEOPLE)}
    board = make(truth, f"secret {seed}")
    found = board.final(narrowed(board, truth, draw))
    return found - board.final(blind(truth, draw))


def test_a_naive_board_is_climbed() -> None:
    """So that the test below can fail."""
    gains = [gain(NaiveBoard, seed) for seed in range(12)]
    assert statistics.mean(gains) > 0.04
    assert sum(each > 0 for each in gains) >= 11


def test_the_narrowing_attack_gains_nothing_here() -> None:
    """Its mean gain is within two standard errors of the noise between two blind guesses."""
    gains = [gain(HiddenBoard, seed) for seed in range(40)]
    noise = statistics.stdev(gains) / len(gains) ** 0.5
    assert abs(statistics.mean(gains)) < 2 * noise
    assert noise < 0.01


@dataclass
class PlatformsBoard(HiddenBoard):
    """Guesses go through the store and a worker; what is told must be what the board above tells."""

    send: Callable[[Guesses], tuple[float | None, float]] = field(kw_only=True)
    told: list[float | None] = field(default_factory=list)

    def look(self, guesses: Guesses) -> float | None:
        shown, final = self.send(guesses)
        assert (shown, final) == (super().look(guesses), self.final(guesses))
        self.told.append(shown)
        return shown


@pytest.fixture
def address(tmp_path: Path) -> str:
    """On SQLite: what a look tells is not the database's."""
    return database_address(None, tmp_path)


def test_the_platform_answers_as_the_board_that_was_attacked(
    database: Database, shelf: FileShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole attack, look by look, as a team plays it."""
    worker = worker_here(database, shelf, monkeypatch)
    rules = attacked_contest(
        attack=replace(AttackRules(), looks_a_day=LOOKS + 1, looks_in_all=LOOKS + 1, house=False)
    )
    duel = played_until("attack", database, worker, lambda session: fill_duel(session, shelf, rules, 60))
    with database.reading() as session:
        publication, _ = published_release(session, duel.contest, target_of(session, duel, "Blue"))
        deciding = {each.release_user: each.decides for each in people_of_publication(session, publication)}
        truth = truth_of_release(session, duel, "Blue")
    board = PlatformsBoard(truth, "", send=lambda guesses: sent(database, shelf, duel, worker, guesses))
    board.people = {name: PersonInRelease(who, deciding[name]) for name, who in truth.items()}
    narrowed(board, truth, Random(1))
    assert len(board.told) == LOOKS
    assert None in board.told
    assert board.look(truth) == 1.0  # who knows is told
    with pytest.raises(RefusalError, match="look"):
        board.look(truth)


def sent(
    database: Database, shelf: FileShelf, duel: Duel, worker: Worker, guesses: Guesses
) -> tuple[float | None, float]:
    """What a look tells, and what decides at the end."""
    number = look(database, shelf, duel, "Red", "Blue", guess_file(guesses))
    work(worker)
    with database.reading() as session:
        found = look_of(session, session.get_one(SubmissionRow, number))
        assert found is not None
        return found.shown, found.final_rate


def test_single_people_can_t_be_asked_about() -> None:
    """A known answer plus one guess: the look is the same whether it is right or not."""
    truth = {f"p{number}": f"person {number}" for number in range(PEOPLE)}
    answers = set()
    for person in [*truth][:40]:
        for right in (True, False):
            board = HiddenBoard(truth, "secret")
            half = {name: truth[name] for name in [*truth][100:300] if name != person}
            board.look(half)
            answers.add(board.look(half | {person: truth[person] if right else "person 399"}))
    assert answers == {None}

"""What guesses are worth: the share of people recognised, and how much of it a team is told (Ladder)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# two standard errors of a share at the most: below that, chance moves a score
ERRORS = 1.0
ROUNDING = 1e-9


@dataclass(frozen=True)
class Guess:
    """Somebody of the original named for somebody of a release, with a confidence of at most 1."""

    release_user: str
    original_user: str
    confidence: float = 1.0


@dataclass(frozen=True)
class PersonInRelease:
    """Who a name of the release is, and whether they belong to the half that decides."""

    person: str
    decides: bool


@dataclass(frozen=True)
class GuessRates:
    """The share of people recognised in each half, counted over people of the original; `looked` is whose.

    A half without people has the rate 0: nobody of it can be recognised.
    """

    look: float
    final: float
    looked: int


def guess_rates(people: Mapping[str, PersonInRelease], guesses: Iterable[Guess]) -> GuessRates:
    """A person is recognised as far as the right name has confidence, at best under any of their names.

    >>> who = {"p1": PersonInRelease("ann", False), "p2": PersonInRelease("bob", True)}
    >>> guess_rates(who, [Guess("p1", "ann", 0.5), Guess("p1", "bob", 0.5), Guess("p2", "ann")])
    GuessRates(look=0.5, final=0.0, looked=1)
    """
    credit: dict[str, float] = defaultdict(float)
    for each in guesses:
        known = people.get(each.release_user)
        if known is not None and known.person == each.original_user:
            credit[known.person] = max(credit[known.person], each.confidence)
    halves = {
        decides: {each.person for each in people.values() if each.decides == decides}
        for decides in (False, True)
    }
    rates = [
        math.fsum(credit[person] for person in half if person in credit) / max(len(half), 1)
        for half in halves.values()
    ]
    return GuessRates(rates[0], rates[1], len(halves[False]))


def step_for(step: float, people: int) -> float:
    """The contest's step, or as much as chance moves a share of so few people; whole steps make 1.

    >>> step_for(0.05, 10_000), step_for(0.05, 25), step_for(0.05, 6)
    (0.05, 0.2, 0.5)
    """
    least = max(step, ERRORS / math.sqrt(max(people, 1)))
    return 1 / max(1, math.floor(1 / least + ROUNDING))


def told(rate: float, best: float, step: float) -> float | None:
    """What a look shows: the rate rounded down to whole steps if it beats the best by a step, else nothing.

    >>> told(0.31, 0.2, 0.1), told(0.29, 0.2, 0.1)
    (0.3, None)
    """
    if rate < best + step:
        return None
    steps = round(1 / step)
    return math.floor(rate * steps + ROUNDING) / steps

"""What an attack came to: who was recognised, how many that are, and how many a mere guess would get."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy
from numpy.typing import NDArray

from singleout.attacks.linkage.candidates import Candidates, Indices, Linkage, Scores
from singleout.attacks.wilson_interval import wilson
from singleout.engine.codes.parallel import key_of
from singleout.progress import Progress

Ties = Literal["shared", "first", "random"]
TIES: tuple[Ties, ...] = get_args(Ties)
LISTED = 10
TOP = (5, 10)
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Attempt:
    """An attack on every person of the release.

    `credit` is, for each of them, how likely the guess is right: candidates that are equally good share it.
    `within` is the share of people who are themselves among their best 5, 10 candidates. `baseline` is the
    rate of a random guess; no attack that knows the same of people exceeds `bound` on average, None: unknown.
    `look_alikes` are the groups of people whom it can't tell apart: how many there are of each size;
    `columns` are those that it looks at, empty where it looks at none or combines others; `uncompared` those
    of them whose values could not, or not all, be compared, so that an intruder who knows how they were
    changed may do better, or with `added` or `incomplete` all of them, for people have records that the
    original lacks, or the other way round; with `selected` too, for people of the original are not in the
    release and nobody said how they were chosen, and with `divided`, for the records of some stand under
    several names, or with `other_period`, for no record is in both tables. A `blind` attack can only guess,
    for it could compare none.
    `points` is how many records are known of a person, None where whole people are compared; `over_draws` is
    an interval for their rate over all draws that could have been made, None where nothing is drawn.
    """

    name: str
    knowledge: str
    share: float
    credit: Scores
    within: dict[int, float]
    baseline: float
    bound: float | None = None
    look_alikes: Mapping[int, int] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    blind: bool = False
    uncompared: tuple[str, ...] = ()
    added: bool = False
    incomplete: bool = False
    selected: bool = False
    divided: bool = False
    other_period: bool = False
    points: int | None = None
    over_draws: tuple[float, float] | None = None

    def among(self, people: NDArray[numpy.bool_]) -> Attempt:
        """Counted over some of the people, the others being nobody whom it could recognise."""
        if people.all() or not people.any():
            return self
        more = len(people) / int(people.sum())
        # an estimate is the same for everybody, whom it could recognise or not
        each = self.credit[people] if self.credit[~people].max() == 0 else self.credit[people] * more
        return replace(
            self, credit=numpy.minimum(each, 1.0),
            within={top: min(rate * more, 1.0) for top, rate in self.within.items()},
            bound=None if self.bound is None else min(self.bound * more, 1.0),
            over_draws=self.over_draws and (self.over_draws[0] * more, min(self.over_draws[1] * more, 1.0)),
        )  # fmt: skip

    @property
    def linked(self) -> bool:
        """Whether whole people were compared, not a few records looked for."""
        return self.points is None

    @property
    def compared(self) -> bool:
        """Whether its rate says how high the risk is: it saw all columns, or none of them could tell more."""
        return not self.uncompared or self.rate >= (1.0 if self.bound is None else self.bound) - ROUNDING

    @property
    def others_may_weigh_better(self) -> bool:
        """Whether records or people are there on one side only, or divided: nobody knows what that tells."""
        return self.added or self.incomplete or self.selected or self.divided

    @property
    def people(self) -> int:
        return len(self.credit)

    @property
    def identified(self) -> float:
        """How many people are expected to be recognised."""
        return math.fsum(self.credit)

    @property
    def rate(self) -> float:
        return self.identified / self.people

    @property
    def certain(self) -> int:
        """How many people are recognised without a doubt: no other candidate is as good."""
        return int((self.credit == 1).sum())

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.identified, self.people)

    def named(self, name: str, knowledge: str) -> Attempt:
        return replace(self, name=name, knowledge=knowledge)


def judge_candidates(
    linkage: Linkage, best: Candidates, truth: Indices, ties: Ties = "shared", seed: int = 0
) -> tuple[Scores, dict[int, float]]:
    """Each person's credit and the top rates, once the truth is known.

    With b candidates better than the true person and t as good, the true one is among the first k with
    probability (k − b)/t, at least 0 and at most 1. Someone without an original is never right. Instead of
    sharing, the first of those who are as good may be taken, by their numbers, or one at random.
    """
    real = numpy.flatnonzero(truth >= 0)
    score = linkage.score(real, truth[real])
    listed, last = best.score[real], best.score[real, -1]
    better = (listed > score[:, None]).sum(axis=1)
    tied = numpy.where(score == last, best.tied_last[real], (listed == score[:, None]).sum(axis=1))
    reached = score >= last
    if ties != "shared":
        better, tied = (
            _people_before(best.at(real), truth[real], better, tied, ties, seed),
            numpy.ones_like(tied),
        )
    credit_within = {k: numpy.zeros(len(truth)) for k in (1, *TOP)}
    for k, credit in credit_within.items():
        credit[real[reached]] = numpy.clip((k - better[reached]) / tied[reached], 0, 1)
    return credit_within[1], {k: math.fsum(credit_within[k]) / len(truth) for k in TOP}


def _people_before(
    best: Candidates, truth: Indices, better: Indices, tied: Indices, ties: Ties, seed: int
) -> Indices:
    """How many come before the true person, where those who are as good stand in one order."""
    own = best.person == truth[:, None]
    before: Indices = numpy.where(own.any(axis=1), own.argmax(axis=1), best.person.shape[1] + LISTED)
    if ties == "random":
        # nobody is tied with a true person who is not among those listed
        draw = numpy.random.default_rng(key_of("ties", seed))
        before = better + draw.integers(0, numpy.maximum(tied, 1))
    return before


def guess_credit(guess: Indices, truth: Indices, alike: Indices) -> Scores:
    """Credit of one guess each; who looks alike could as well have been given each other's.

    So their credit is the mean over all ways to deal the guesses of a group to its members.

    >>> guess_credit(numpy.array([0, 1, 2]), numpy.array([1, 0, 2]), numpy.array([0, 0, 1])).tolist()
    [0.5, 0.5, 1.0]
    """
    members = numpy.bincount(alike)
    dealt = Counter(zip(alike.tolist(), guess.tolist(), strict=True))
    pairs = zip(alike.tolist(), truth.tolist(), strict=True)
    return numpy.array([dealt[pair] / members[pair[0]] if pair[1] >= 0 else 0.0 for pair in pairs])


def random_guess(truth: Indices, choices: int) -> float:
    """The rate of naming somebody at random among so many."""
    return float((truth >= 0).sum()) / (len(truth) * choices) if choices else 0.0


def rate_bound(alike: Indices, truth: Indices) -> float:
    """The rate no attack exceeds on average that can't tell some people of the release apart.

    All who look alike get the same guess, so of each group only one original person can be right, as often as
    that person is in it. With unified clusters it is their number over that of the people, the c/n of Ito
    et al. 2020.

    >>> rate_bound(numpy.array([0, 0, 0, 1]), numpy.array([7, 8, 9, 5]))
    0.5
    """
    real = truth >= 0
    width = max(1, int(truth.max(initial=-1)) + 1)
    pairs, times = numpy.unique(alike[real].astype(numpy.int64) * width + truth[real], return_counts=True)
    highest = numpy.zeros(int(alike.max()) + 1, dtype=numpy.int64)
    numpy.maximum.at(highest, pairs // width, times)
    return float(highest.sum()) / len(truth)


def run_linkage(
    name: str,
    knowledge: str,
    share: float,
    linkage: Linkage,
    truth: Indices,
    people: int,
    progress: Progress,
    ties: Ties = "shared",
    seed: int = 0,
) -> tuple[Attempt, Candidates]:
    """Run an attack against `people` of the original, and judge it."""
    best = linkage.best(LISTED, progress)
    credit, within = judge_candidates(linkage, best, truth, ties, seed)
    alike, guess = linkage.indistinguishable(), random_guess(truth, people)
    bound = rate_bound(alike, truth)
    return Attempt(name, knowledge, share, credit, within, guess, bound, group_sizes(alike)), best


def among_people(attempts: Iterable[Attempt], people: NDArray[numpy.bool_]) -> Iterator[Attempt]:
    """Attempts counted over some of the people; those that are one attack stay one."""
    seen: dict[int, Scores] = {}
    for each in attempts:
        counted = each.among(people)
        yield replace(counted, credit=seen.setdefault(id(each.credit), counted.credit))


def group_sizes(alike: Indices) -> dict[int, int]:
    """How many groups there are of each size.

    >>> group_sizes(numpy.array([0, 0, 2, 3]))
    {1: 2, 2: 1}
    """
    sizes, groups = numpy.unique(numpy.bincount(alike), return_counts=True)
    return {size: number for size, number in zip(sizes.tolist(), groups.tolist(), strict=True) if size}

"""The back-test of risks by weights: from a part of the table, do they say too little of the whole?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy

from singleout.risk.population.back_test import FEWEST_PEOPLE, SHARE_WORDS, SHARES
from singleout.risk.population.pitman_yor import Floats

# of whom a test is: everybody in the part, or who is alone there
Whom = Literal["all", "alone"]
Risk = Callable[[Floats, Floats], Floats]
WHOM: dict[Whom, str] = {"all": "", "alone": " of those who are alone among these"}
# one-sided 95 %, in standard deviations
FAR = 1.645
# standard deviations of a thinned class that are looked at; the rest is below the last digit
REACH = 9
TOO_FEW = "{:,} people are too few to test on a tenth of them whether weights say too little; it takes {:,}"
TOO_LITTLE = (
    "tested on the table itself: from {} of its people, each standing for {:.3g}, the average risk{} would "
    "be {:.3f} (by chance {:.3f} at most), where {:.3f} is true, so that weights say too little here"
)


@dataclass(frozen=True)
class WeightTest:
    """What a `share` of the table foretells of the whole by weights, and what is true there.

    `reach` is how much more it may be by chance.
    """

    share: float
    whom: Whom
    foretold: float
    reach: float
    truth: float

    @property
    def passed(self) -> bool:
        return self.truth <= self.foretold + self.reach + 1e-12

    @property
    def reason(self) -> str | None:
        if self.passed:
            return None
        most = min(1.0, self.foretold + self.reach)
        told = WHOM[self.whom], self.foretold, most, self.truth
        return TOO_LITTLE.format(SHARE_WORDS[self.share], 1 / self.share, *told)


def weight_tests(alike: Any, people: int, risk: Risk) -> tuple[WeightTest, ...]:
    """From how many people each class has; `risk` is that of so many with weights of so many.

    What a part looks like is expected, not drawn: each person is in it with the same chance, and stands for
    as many. None of too few people.
    """
    if people < FEWEST_PEOPLE:
        return ()
    return tuple(test for share in SHARES for test in _tests(numpy.asarray(alike, float), share, risk))


def _tests(alike: Floats, share: float, risk: Risk) -> Iterator[WeightTest]:
    sizes, number = numpy.unique(alike, return_counts=True)
    counts = number.astype(float)
    yield _of_all(sizes, counts, share, risk)
    if (alone := _of_alone(sizes, counts, share, risk)) is not None:
        yield alone


def _of_all(sizes: Floats, counts: Floats, share: float, risk: Risk) -> WeightTest:
    """The mean over people of a part strays as a ratio does: by what each class adds beyond the mean."""
    parts = [_thinned(size, share) for size in sizes.tolist()]
    told = [risk(seen, seen / share) for seen, _ in parts]
    sums = [float((chances * seen * own).sum()) for (seen, chances), own in zip(parts, told, strict=True)]
    people = float((sizes * counts).sum()) * share
    foretold, truth = float(counts @ sums) / people, float(counts.sum()) * share / people
    spread = 0.0
    for (seen, chances), own, size, many in zip(parts, told, sizes, counts, strict=True):
        off = seen * (own - 1 / size - (foretold - truth))
        spread += float(many * ((chances * off**2).sum() - (chances * off).sum() ** 2))
    return WeightTest(share, "all", foretold, FAR * math.sqrt(max(0.0, spread)) / people, truth)


def _of_alone(sizes: Floats, counts: Floats, share: float, risk: Risk) -> WeightTest | None:
    """None where hardly anybody is expected to be alone in the part."""
    alone = counts * sizes * share * (1 - share) ** (sizes - 1)
    people = float(alone.sum())
    if people < 1:
        return None
    foretold = float(risk(numpy.ones(1), numpy.full(1, 1 / share))[0])
    truth = float((alone / sizes).sum()) / people
    # of a class one person is alone, or none
    spread = float((alone * (1 - alone / counts) * (1 / sizes - truth) ** 2).sum())
    return WeightTest(share, "alone", foretold, FAR * math.sqrt(spread) / people, truth)


def _thinned(size: float, share: float) -> tuple[Floats, Floats]:
    """How many of a class may be in the part, and with which chance."""
    from scipy.stats import binom

    middle, reach = size * share, REACH * math.sqrt(size * share) + REACH
    seen = numpy.arange(max(1, math.floor(middle - reach)), min(size, math.ceil(middle + reach)) + 1)
    return seen, numpy.asarray(binom.pmf(seen, size, share))

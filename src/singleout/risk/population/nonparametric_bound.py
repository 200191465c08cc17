"""How high, and how low, a population's numbers may be by any law: over all that may show this sample.

A sample of a tenth hardly tells who is alone among all from who has a few look-alikes, and a law fills that
gap by its own shape. Of all populations whose expected sample is near the one seen, the worst is found
exactly, as a linear program.
"""

from __future__ import annotations

import math
from typing import Any

import numpy

from singleout.risk.population.bootstrap import CONFIDENCE
from singleout.risk.population.pitman_yor import Floats
from singleout.risk.population.sample_classes import SMALL, SampleClasses

# sizes of the sample that are looked at one by one; larger ones in groups, each half as wide again
SINGLE, WIDER = 12, 1.5
# sizes of the population one by one, and how many beyond: more finely than a sample can tell them apart
EACH, BEYOND = 100, 150
MISSED = (1 - CONFIDENCE) / 2


def upper_bounds(sample: SampleClasses, people: float) -> dict[str, float]:
    """Of each number that the models have, the highest that such a sample leaves possible.

    Each number of classes that is seen may be off by chance, all of them together with a probability of 5 %.
    Candidates for known records are no classes: one customer with most goods fits thousands of others, and is
    in the sample or not. Then only this is sure: nobody has fewer candidates among all than in the sample, so
    that no number is higher than the sample's own, but for who was drawn.

    >>> bounds = upper_bounds(SampleClasses.of_pairs([(1, 1200), (2, 300), (3, 67)]), 20_000)
    >>> bounds["unique_share"] < 0.6 < bounds["small_share"]
    True
    """
    own, share = sample.numbers(), sample.people / people
    if share >= 1:
        return own
    if sample.overlapping:
        return {name: own[name] if name == "journalist.highest" else _by_chance(own[name], sample.people)
                for name in own}  # fmt: skip
    ends = size_groups(sample)
    sizes = _population_sizes(sample, share)
    shown = people / sizes * -numpy.diff(_more_than(ends, sizes, share), axis=0, append=0.0)
    limits = expected_between(sample, ends)
    asked = {
        "unique_share": sizes == 1,
        "small_share": sizes < SMALL,
        "marketer": 1 / sizes,
    }
    found = {name: _highest(shown, limits, weights) for name, weights in asked.items()}
    return {**found, "journalist.highest": _highest_risk(sample, people, sizes, shown, limits)}


def lower_bound(sample: SampleClasses, people: float) -> float:
    """Uniqueness falls ever more slowly: the line on from the sample and one person fewer is below.

    As many unique people, and as few pairs, as chance may have added are left out, both together with a
    probability of 5 %. And who comes ends the uniqueness of one at most. Of people with several records who
    comes may end that of thousands, so that nothing is sure.
    """
    n = sample.people
    if n <= 1:
        return 0.0
    if people <= n * (1 + 1e-9):
        return sample.unique_share
    if sample.overlapping:
        return 0.0
    (fewest, _), (_, pairs) = (poisson_limits(sample.number(size), MISSED / 2) for size in (1, 2))
    line = fewest / n - 2 * pairs / (n * (n - 1)) * (people - n)
    surely = (sample.number(1) - (people - n)) / people
    return float(max(0.0, line, surely))


def least_highest_risk(sample: SampleClasses, people: float) -> float:
    """What the highest risk is at least, even if all who are not in the sample joined its smallest classes.

    >>> least_highest_risk(SampleClasses.of_pairs([(2, 10), (9, 4)]), 86)
    0.2
    """
    classes = 1.0 if sample.overlapping else sample.number(sample.smallest)
    return 1 / (sample.smallest + math.floor((people - sample.people) / classes + 1e-6))


def bounds_however_drawn(sample: SampleClasses, people: float) -> tuple[float, dict[str, float]]:
    """The lowest uniqueness and the highest numbers that leave open who was drawn, and how.

    Who has look-alikes in the sample has them among all; of who is not in it nothing is known.

    >>> low, high = bounds_however_drawn(SampleClasses.of_pairs([(1, 6), (2, 1)]), 10)
    >>> low, high["unique_share"]
    (0.4, 0.8)
    """
    own, others = sample.numbers(), people - sample.people
    most = {name: min(1.0, (share * sample.people + others) / people) for name, share in own.items()}
    fewest = 0.0 if sample.overlapping else max(0.0, (sample.number(1) - others) / people)
    return fewest, {**most, "journalist.highest": own["journalist.highest"]}


def poisson_limits(seen: Any, chance: float) -> tuple[Any, Any]:
    """Between which numbers the expectation is where so many were seen; each end may err so often (Garwood).

    >>> [round(float(each), 3) for each in poisson_limits(0, 0.025)]
    [0.0, 3.689]
    """
    from scipy.special import gammaincinv

    lowest = numpy.where(seen > 0, gammaincinv(numpy.maximum(seen, 1e-9), chance), 0.0)
    return lowest, gammaincinv(numpy.asarray(seen) + 1, 1 - chance)


def _by_chance(share: float, people: float) -> float:
    """Clopper's and Pearson's upper end, for a mean over people drawn from everybody."""
    from scipy.special import betaincinv

    seen = share * people
    return 1.0 if seen > people - 1e-6 else float(betaincinv(seen + 1, people - seen, 1 - MISSED))


def _highest_risk(
    sample: SampleClasses, people: float, sizes: Floats, shown: Floats, limits: tuple[Floats, Floats]
) -> float:
    """That of the smallest class, unless hardly any may be so small among all people too."""
    k = sample.smallest
    seen_whole = people / k * (sample.people / people) ** k
    stay = _highest(shown, limits, (sizes == k) * seen_whole, none=math.inf)
    return 1 / k if stay > MISSED else 1 / (k + 1)


def size_groups(sample: SampleClasses) -> Floats:
    """Below which sizes of the sample each group begins: 0, 1, 2 …; the last one has no end."""
    ends = [*range(SINGLE)]
    while ends[-1] <= sample.sizes[-1]:
        ends.append(math.ceil(ends[-1] * WIDER))
    return numpy.array(ends, float)


def _population_sizes(sample: SampleClasses, share: float) -> Floats:
    most = 2 * sample.sizes[-1] / share + EACH
    beyond = numpy.geomspace(EACH, most, BEYOND).round()
    return numpy.unique(numpy.concatenate([numpy.arange(1.0, EACH), beyond, sample.sizes[:EACH]]))


def _more_than(ends: Floats, sizes: Floats, share: float) -> Floats:
    """The probability that a class of the size shows more than so many people: binomial."""
    from scipy.special import betainc

    left = sizes[None, :] - ends[:, None]
    return numpy.where(left > 0, betainc(ends[:, None] + 1, numpy.maximum(left, 1), share), 0.0)


def expected_between(sample: SampleClasses, ends: Floats) -> tuple[Floats, Floats]:
    """Between which numbers the expected classes of each group are.

    Classes are seen or not, each by itself, and so vary no more than that.
    """
    group = numpy.searchsorted(ends, sample.sizes) - 1
    seen = numpy.bincount(group, weights=sample.counts, minlength=len(ends))
    lowest, highest = poisson_limits(seen, MISSED / (2 * len(ends)))
    return lowest, highest


def _highest(shown: Floats, limits: tuple[Floats, Floats], weights: Floats, none: float = 1.0) -> float:
    """Over the shares of the people in classes of each size; where no population is near, all is possible."""
    from scipy.optimize import linprog

    lowest, highest = limits
    worst = linprog(
        -weights.astype(float),
        A_ub=numpy.concatenate([shown, -shown]),
        b_ub=numpy.concatenate([highest, -lowest]),
        A_eq=numpy.ones((1, shown.shape[1])),
        b_eq=[1.0],
        method="highs",
    )
    return float(min(none, -worst.fun)) if worst.success else none

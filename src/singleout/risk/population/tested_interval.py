"""Intervals of population models, as long as their back-tests and the table's own parts ask for.

Draws from a fitted law know nothing of a wrong law. Errors are taken on the scale of log-odds, on which one
of a share near 0 or 1 is as large as the same error is in the middle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from singleout.risk.population.back_test import SHARES, BackTest
from singleout.risk.population.bootstrap import Interval, ModelIntervals, model_intervals
from singleout.risk.population.models import Fits, fit_models
from singleout.risk.population.sample_classes import SampleClasses

# half a decade: far enough for a slope, near enough to be that of the end of the curve
STEP = math.sqrt(10)
# of everybody: in larger samples low ends miss more often than elsewhere (docs/benchmarks.md has how often)
LARGE_SHARE = 0.2
# what falls steadily with more people; of small classes hardly anybody is outside in a sample
FALLING = ("unique_share", "marketer")


def beyond_tests(sample: SampleClasses, people: float) -> bool:
    """Whether the population is farther away than models can be tested within the sample."""
    return people > sample.people / min(SHARES) * 1.001


def tested_intervals(
    sample: SampleClasses, people: int, fits: Fits, lower_bound: float, seed: int
) -> ModelIntervals:
    """Farther away than models were tested, their upper ends are those of the farthest that they were.

    Risks fall with the number of people, so that these hold there too. How far they fall no test has seen:
    the low ends are then those of the bound that needs no model, of which the highest risk has none.
    """
    intervals = model_intervals(sample, people, fits, seed)
    if not beyond_tests(sample, people):
        return intervals
    tested = sample.people / min(SHARES)
    near = model_intervals(sample, tested, fit_models(sample, tested), seed)
    bottom = dict.fromkeys(("unique_share", "small_share", "marketer"), lower_bound)
    both = {
        name: {
            number: (min(low, bottom.get(number, 0.0)), near.intervals[name][number][1])
            for number, (low, _) in found.items()
        }
        for name, found in intervals.intervals.items()
        if name in near.intervals
    }
    return ModelIntervals(both, {**near.reasons, **intervals.reasons})


def widened(
    sample: SampleClasses, people: float, intervals: Mapping[str, Interval], tests: Sequence[BackTest]
) -> dict[str, Interval]:
    """By what the model missed in its tests, to both sides: the next miss may be to the other one.

    Where columns are independent the laws overstate: the low end also reaches where the table's own parts
    lead straight on.
    """
    fewest = 1 / (2 * sample.people)
    straight = _continued(sample, people, fewest)
    wider = {}
    for name, (low, high) in intervals.items():
        # what is not tested by itself is as unsure as uniqueness is
        own = [each for each in tests if each.number == name] or [
            each for each in tests if each.number == "unique_share"
        ]
        missed = max(_missed(each, fewest) for each in own)
        bottom = _share(_log_odds(low, fewest) - missed)
        wider[name] = (
            min(low, bottom, straight.get(name, 1.0)),
            max(high, _share(_log_odds(high, fewest) + missed)),
        )
    return wider


def _missed(test: BackTest, fewest: float) -> float:
    if test.foretold is None:
        return 0.0
    return abs(_log_odds(test.truth, fewest) - _log_odds(test.foretold, fewest))


def _continued(sample: SampleClasses, people: float, fewest: float) -> dict[str, float]:
    """A straight line on from half a decade of the sample's own people, log-odds against log people."""
    steps = math.log(people / sample.people) / math.log(STEP)
    before, now = sample.thinned(1 / STEP).numbers(), sample.numbers()
    ends = {name: (_log_odds(before[name], fewest), _log_odds(now[name], fewest)) for name in FALLING}
    return {name: _share(end + steps * (end - start)) for name, (start, end) in ends.items()}


def _log_odds(share: float, fewest: float) -> float:
    inner = min(max(share, fewest), 1 - fewest)
    return math.log(inner / (1 - inner))


def _share(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))

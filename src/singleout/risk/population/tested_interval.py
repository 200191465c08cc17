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
    sample: SampleClasses, people: int, fits: Fits, lower_bound: float, seed: int, known_records: int = 1
) -> ModelIntervals:
    """Low ends are those of the bound that needs no model where laws fall short of the truth.

    That is farther away than they were tested, for how far risks fall no test has seen, and of several known
    records, of which the laws often say too much (docs/benchmarks.md).
    """
    intervals = model_intervals(sample, people, fits, seed)
    if beyond_tests(sample, people):
        intervals = _as_far_as_tested(sample, intervals, seed)
    elif known_records == 1:
        return intervals
    bottom = dict.fromkeys(("unique_share", "small_share", "marketer"), lower_bound)
    lower = {
        name: {number: (min(low, bottom.get(number, low)), high) for number, (low, high) in found.items()}
        for name, found in intervals.intervals.items()
    }
    return ModelIntervals(lower, intervals.reasons)


def _as_far_as_tested(sample: SampleClasses, intervals: ModelIntervals, seed: int) -> ModelIntervals:
    """With the upper ends of the farthest people that models were tested on: risks fall with more people."""
    tested = sample.people / min(SHARES)
    near = model_intervals(sample, tested, fit_models(sample, tested), seed)
    both = {
        name: {number: (low, near.intervals[name][number][1]) for number, (low, _) in found.items()}
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

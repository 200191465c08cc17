"""The back-test of population models: fitted to a part of the sample, do they foretell the whole?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from singleout.progress import Progress
from singleout.risk.population.bootstrap import Interval, model_intervals
from singleout.risk.population.models import MODELS, FittedModel, Model, fit_models
from singleout.risk.population.nonparametric_bound import expected_between, size_groups
from singleout.risk.population.pitman_yor import PitmanYor
from singleout.risk.population.sample_classes import SampleClasses

SHARES = (0.1, 1 / 3)
SHARE_WORDS = {0.1: "a tenth", 1 / 3: "a third"}
# a tenth of fewer people is too small a part to tell a good model from a bad one
FEWEST_PEOPLE = 1_000
TOO_FEW = "{:,} people are too few to test a model on a tenth of them; it takes {:,}"
TESTED = {"unique_share": "", "small_share": "in small classes ", "marketer": "as average risk "}
MISSED = "fitted to {} of the people it foretells {}{:.3f} ({:.3f} to {:.3f}) for all, where {:.3f} is true"
NOT_FITTED = "fitted to {} of the people, {}"
# of the people: by so many may classes of some sizes be off, where that is more than chance
MOST_MISFIT = 0.05
MISFIT = "its law does not describe the table's own classes, which are off by {:.0%} of the people"


@dataclass(frozen=True)
class BackTest:
    """What a model, fitted to a `share` of the sample, foretells of one of its numbers, and what is true."""

    model: Model
    share: float
    number: str
    foretold: float | None
    interval: Interval | None
    truth: float
    reason: str | None

    @property
    def passed(self) -> bool:
        return self.reason is None


def back_tests(sample: SampleClasses, seed: int, progress: Progress) -> tuple[BackTest, ...]:
    """Every model on every share. What a part of the sample looks like is expected, not drawn by chance."""
    tests: list[BackTest] = []
    truths = sample.numbers()
    for index, share in enumerate(SHARES):
        progress(f"testing the models on {SHARE_WORDS[share]} of the people", index, len(SHARES) + 1)
        part = sample.thinned(share)
        fits = fit_models(part, sample.people)
        found = model_intervals(part, sample.people, fits, seed)
        for name in MODELS:
            fit = fits[name]
            if not isinstance(fit, FittedModel) or name not in found.intervals:
                why = NOT_FITTED.format(SHARE_WORDS[share], found.reasons.get(name, str(fit)))
                tests.append(BackTest(name, share, "unique_share", None, None, truths["unique_share"], why))
                continue
            for number in TESTED:
                if number in fit.numbers:
                    interval = found.intervals[name][number]
                    tests.append(_judged(name, share, number, fit.numbers[number], interval, truths[number]))
    return tuple(tests)


def _judged(
    name: Model, share: float, number: str, value: float, interval: Interval, truth: float
) -> BackTest:
    low, high = interval
    missed = None
    if not low <= truth <= high:
        missed = MISSED.format(SHARE_WORDS[share], TESTED[number], value, low, high, truth)
    return BackTest(name, share, number, value, interval, truth, missed)


def misfit(law: PitmanYor, sample: SampleClasses) -> str | None:
    """Why a law is refused that expects other classes of the sample itself, by more than chance does."""
    ends, people = size_groups(sample), sample.people
    sizes = numpy.arange(1.0, int(min(people, 3 * sample.sizes[-1])) + 1)
    shares = law.share_by_size(people, len(sizes))
    group, own = (numpy.searchsorted(ends, each) - 1 for each in (sizes, sample.sizes))
    expected = numpy.bincount(group, weights=shares, minlength=len(ends))
    seen = numpy.bincount(own, weights=sample.sizes * sample.counts / people, minlength=len(ends))
    classes = numpy.bincount(group, weights=shares * people / sizes, minlength=len(ends))
    low, high = expected_between(sample, ends)
    off = numpy.abs(expected - seen)[(classes < low) | (classes > high)].sum()
    return MISFIT.format(off) if off > MOST_MISFIT else None

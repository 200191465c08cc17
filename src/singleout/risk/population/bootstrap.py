"""Intervals of population models: refitted to samples drawn from the fitted law (parametric bootstrap)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy

from singleout.engine.codes.parallel import key_of
from singleout.risk.population.models import MODELS, Fits, FittedModel, Model, fit_models
from singleout.risk.population.pitman import ALL_ALONE, NoEstimate
from singleout.risk.population.pitman_yor import PitmanYor
from singleout.risk.population.sample_classes import SampleClasses
from singleout.risk.population.scaling_law import refit_laws

DRAWS = 99
CONFIDENCE = 0.9
# larger samples are drawn with so many people: their spread is larger, and the interval too long, not short
MOST_PEOPLE = 200_000
# of the draws, those in which a model may fail
FAILURES = 0.1
OF_LAWS = ("pitman", "pitman_asymptotic", "law")
UNSTABLE = "it could not be fitted in {} of {} samples drawn from its own law"
NO_LAW = "no law could be fitted from which samples could be drawn for its interval"
Interval = tuple[float, float]


@dataclass(frozen=True)
class ModelIntervals:
    """The interval of each number of each model, or why a model has none."""

    intervals: dict[Model, dict[str, Interval]]
    reasons: dict[Model, str]


def model_intervals(sample: SampleClasses, people: float, fits: Fits, seed: int) -> ModelIntervals:
    """As far on both sides as the farther one of a number's draws, and its bias under the law, reach."""
    law = _law_of(fits)
    able = [name for name in MODELS if isinstance(fits[name], FittedModel)]
    if law is None:
        return ModelIntervals({}, dict.fromkeys(able, NO_LAW))
    size = min(math.ceil(sample.people - 1e-6), MOST_PEOPLE)
    samples = [draw_sample(law, size, key_of(seed, size, draw), sample.overlapping) for draw in range(DRAWS)]
    laws: list[PitmanYor | None] = [None] * DRAWS
    if isinstance(fits["law"], FittedModel):
        laws = refit_laws(samples, fits["law"].fit)
    # a smaller sample is the same share of a smaller population; laws are asked about the whole
    scaled = people * min(1.0, size / sample.people)
    drawn = [_refit(each, people, scaled, fits, own) for each, own in zip(samples, laws, strict=True)]
    intervals: dict[Model, dict[str, Interval]] = {}
    reasons: dict[Model, str] = {}
    for name in able:
        refits = [each[name] for each in drawn if isinstance(each[name], FittedModel)]
        if len(refits) < (1 - FAILURES) * DRAWS:
            reasons[name] = UNSTABLE.format(DRAWS - len(refits), DRAWS)
        else:
            intervals[name] = _intervals(name, fits[name], refits)
    return ModelIntervals(_no_surer_than_likelihood(intervals, fits), reasons)


def _no_surer_than_likelihood(
    intervals: dict[Model, dict[str, Interval]], fits: Fits
) -> dict[Model, dict[str, Interval]]:
    """No fit of the same family is surer than the likeliest one (Cramér and Rao).

    Where columns are independent, the scaling law often ends at the edge of the family, where all draws do:
    its own draws then reach less far than it errs.
    """
    law, likeliest = fits["law"], fits["pitman"]
    if not {"law", "pitman"} <= intervals.keys():
        return intervals
    assert isinstance(law, FittedModel)
    assert isinstance(likeliest, FittedModel)
    wider = {}
    for number, (low, high) in intervals["law"].items():
        value, other, (bottom, top) = (
            law.numbers[number],
            likeliest.numbers[number],
            intervals["pitman"][number],
        )
        wider[number] = (
            max(0.0, min(low, value - (other - bottom))),
            min(1.0, max(high, value + (top - other))),
        )
    return {**intervals, "law": wider}


def draw_sample(law: PitmanYor, people: int, key: int, overlapping: bool = False) -> SampleClasses:
    """People of a law, drawn at random."""
    from singleout.risk.population.partition_kernels import drawn_sizes

    sizes = drawn_sizes(people, law.discount, law.concentration, numpy.uint64(key))
    counts = numpy.bincount(sizes)
    there = numpy.flatnonzero(counts)
    return SampleClasses(there.astype(float), counts[there].astype(float), overlapping)


def _refit(sample: SampleClasses, people: float, scaled: float, before: Fits, law: PitmanYor | None) -> Fits:
    found = fit_models(sample, scaled, before, law)
    if scaled != people:
        again = fit_models(sample, people, before, law)
        found |= {name: each for name, each in again.items() if name in OF_LAWS}
    for name, each in found.items():
        if isinstance(each, NoEstimate) and str(each) == ALL_ALONE:
            found[name] = FittedModel(dict.fromkeys(_names(before[name]), 1.0), None)
    return found


def _names(fit: FittedModel | NoEstimate) -> list[str]:
    return [*fit.numbers] if isinstance(fit, FittedModel) else []


def _law_of(fits: Fits) -> PitmanYor | None:
    for name in ("pitman", "law"):
        fit = fits[name]
        if isinstance(fit, FittedModel):
            law: PitmanYor = fit.fit
            return law
    return None


def _intervals(
    name: Model, fit: FittedModel | NoEstimate, refits: list[FittedModel | NoEstimate]
) -> dict[str, Interval]:
    assert isinstance(fit, FittedModel)
    found = {}
    for number, value in fit.numbers.items():
        drawn = numpy.array([each.numbers[number] for each in refits if isinstance(each, FittedModel)])
        low, middle, high = numpy.quantile(drawn, [(1 - CONFIDENCE) / 2, 0.5, (1 + CONFIDENCE) / 2])
        bias = abs(middle - value) if name in OF_LAWS else 0.0
        reach = float(max(high - middle, middle - low) + bias)
        found[number] = (max(0.0, value - reach), min(1.0, value + reach))
    return found

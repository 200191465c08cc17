"""Pitman's model: the Pitman–Yor law under which the sample's classes are the likeliest."""

from __future__ import annotations

import math

import numpy

from singleout.risk.population.pitman_yor import Floats, PitmanYor, log_rising
from singleout.risk.population.sample_classes import SampleClasses

ALL_ALONE = "nobody in the sample has a look-alike, so that it does not tell how fast look-alikes come"
ALL_ALIKE = "all people of the sample are alike, so that it does not tell how rare others are"
NOT_CONVERGED = "the fit did not converge"
# of ln(d/(1 − d)) and ln(θ + d)
BOUNDS = ((-14.0, 12.0), (-18.0, 32.0))


class NoEstimate(Exception):  # noqa: N818
    """Why a model says nothing about this sample."""


def check_fit(sample: SampleClasses) -> None:
    if sample.classes >= sample.people - 1e-9:
        raise NoEstimate(ALL_ALONE)
    if sample.classes <= 1:
        raise NoEstimate(ALL_ALIKE)


def fit_pitman(sample: SampleClasses, start: PitmanYor | None = None) -> PitmanYor:
    """The likeliest law, by Newton's method; `start` is where to look first."""
    from singleout.risk.population.likelihood_kernels import likeliest_point

    check_fit(sample)
    first, second = point_of(start or PitmanYor(0.5, sample.classes / 4)).tolist()
    sizes, counts = map(numpy.ascontiguousarray, (sample.sizes, sample.counts))
    people, classes = float(sample.people), float(sample.classes)
    *point, ended = likeliest_point(sizes, counts, people, classes, first, second, numpy.array(BOUNDS))
    if not ended:
        raise NoEstimate(NOT_CONVERGED)
    return _checked_law(numpy.array(point))


def _checked_law(point: Floats) -> PitmanYor:
    """A fit at one of the ends is none, but for d = 0, where the law is that of Ewens."""
    (_, high), (lowest, highest) = BOUNDS
    if point[0] >= high or not lowest < point[1] < highest:
        raise NoEstimate(NOT_CONVERGED)
    return law_at(point)


def asymptotic_uniqueness(law: PitmanYor, people: float) -> float:
    """N^(d−1)·Γ(θ+1)/Γ(θ+d), as ARX has it: for large populations only."""
    d, theta = law.discount, law.concentration
    return float(numpy.exp((d - 1) * math.log(people) + log_rising(theta + d, 1 - d)))


def point_of(law: PitmanYor) -> Floats:
    d = min(max(law.discount, 1e-5), 1 - 1e-5)
    return numpy.array([math.log(d / (1 - d)), math.log(max(law.concentration + d, 1e-7))])


def law_at(point: Floats) -> PitmanYor:
    d = 1 / (1 + math.exp(-point[0]))
    return PitmanYor(d, math.exp(point[1]) - d)

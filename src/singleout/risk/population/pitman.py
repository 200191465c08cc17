"""Pitman's model: the Pitman–Yor law under which the sample's classes are the likeliest."""

from __future__ import annotations

import math

import numpy
from numpy.typing import NDArray

from singleout.risk.population.pitman_yor import Floats, PitmanYor, digamma_rising, log_rising
from singleout.risk.population.sample_classes import SampleClasses

ALL_ALONE = "nobody in the sample has a look-alike, so that it does not tell how fast look-alikes come"
ALL_ALIKE = "all people of the sample are alike, so that it does not tell how rare others are"
NOT_CONVERGED = "the fit did not converge"
# of ln(d/(1 − d)) and ln(θ + d)
BOUNDS = ((-14.0, 12.0), (-18.0, 32.0))
STEPS = 100
LONGEST_STEP = 2.0
WIDTH = 1e-5
NEAR = 1e-10
FLAT = 1e-9


class NoEstimate(Exception):  # noqa: N818
    """Why a model says nothing about this sample."""


def check_fit(sample: SampleClasses) -> None:
    if sample.classes >= sample.people - 1e-9:
        raise NoEstimate(ALL_ALONE)
    if sample.classes <= 1:
        raise NoEstimate(ALL_ALIKE)


def fit_pitman(sample: SampleClasses, start: PitmanYor | None = None) -> PitmanYor:
    """The likeliest law, by Newton's method; `start` is where to look first."""
    check_fit(sample)
    point = point_of(start or PitmanYor(0.5, sample.classes / 4))
    value, slopes = _likelihood(sample, point)
    for _ in range(STEPS):
        step = _newton_step(sample, point, slopes)
        if numpy.abs(step).max() < NEAR or numpy.abs(slopes[_free(point, slopes)]).sum() < FLAT:
            return _checked_law(point)
        # never down: half as far, until it is up
        while (better := _likelihood(sample, _inside(point + step)))[0] <= value:
            step = step / 2
            if numpy.abs(step).max() < NEAR:
                return _checked_law(point)
        point = _inside(point + step)
        value, slopes = better
    raise NoEstimate(NOT_CONVERGED)


def _free(point: Floats, slopes: Floats) -> NDArray[numpy.bool_]:
    """Which coordinates are not held by the end that they press against."""
    lowest, highest = numpy.array(BOUNDS).T
    held = ((point <= lowest) & (slopes <= 0)) | ((point >= highest) & (slopes >= 0))
    return numpy.asarray(~held)


def _newton_step(sample: SampleClasses, point: Floats, slopes: Floats) -> Floats:
    """To the top of the parabola that fits here, or up where there is none."""
    free = _free(point, slopes)
    bends = numpy.empty((2, 2))
    for index in range(2):
        ahead = point.copy()
        ahead[index] += WIDTH
        bends[index] = (_likelihood(sample, ahead)[1] - slopes) / WIDTH
    bends = (bends + bends.T) / 2
    bends[~free, :], bends[:, ~free] = 0.0, 0.0
    for index in range(2):
        bends[index, index] = bends[index, index] if free[index] else -1.0
    slopes = numpy.where(free, slopes, 0.0)
    determinant = bends[0, 0] * bends[1, 1] - bends[0, 1] ** 2
    if bends[0, 0] < 0 and determinant > 0:
        first = bends[0, 1] * slopes[1] - bends[1, 1] * slopes[0]
        second = bends[0, 1] * slopes[0] - bends[0, 0] * slopes[1]
        step = numpy.array([first, second]) / determinant
    else:
        # towards d = 0 the likelihood flattens out: each coordinate goes its own way, or they zigzag
        bend = numpy.diag(bends)
        step = numpy.where(bend < 0, -slopes / numpy.where(bend < 0, bend, -1.0), numpy.sign(slopes))
    return numpy.asarray(step * min(1.0, LONGEST_STEP / max(numpy.abs(step).max(), NEAR)))


def _inside(point: Floats) -> Floats:
    lowest, highest = numpy.array(BOUNDS).T
    return numpy.clip(point, lowest, highest)


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


def _likelihood(sample: SampleClasses, point: Floats) -> tuple[float, Floats]:
    """The logarithm of the probability of such classes, and how it changes with both coordinates."""
    from scipy.special import psi

    d = 1 / (1 + math.exp(-point[0]))
    theta = math.exp(point[1]) - d
    n, u, sizes = sample.people, sample.classes, sample.sizes
    opened = (u - 1) * math.log(d) + float(log_rising(theta / d + 1, u - 1))
    filled = sample.over_classes(log_rising(1 - d, sizes - 1))
    value = opened + filled - float(log_rising(theta + 1, n - 1))
    by_theta = digamma_rising(theta / d + 1, u - 1) / d
    of_theta = by_theta - digamma_rising(theta + 1, n - 1)
    of_d = (u - 1 - theta * by_theta) / d - sample.over_classes(psi(sizes - d) - psi(1 - d))
    # θ moves against d where their sum stays
    return value, numpy.array([(of_d - of_theta) * d * (1 - d), of_theta * (theta + d)])

"""The slide negative binomial model (SNB) of Chen and Keller-McNulty, from its own derivation."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from itertools import product

import numpy

from singleout.risk.population.pitman import NOT_CONVERGED, NoEstimate
from singleout.risk.population.pitman_yor import Floats
from singleout.risk.population.sample_classes import SampleClasses

NO_PAIRS = "the sample has no class of one person, or none of two, from which the model is fitted"
NEAR = 1e-8


@dataclass(frozen=True)
class SlideNegativeBinomial:
    """`classes` of the population, each of one person and a negative binomial number of others."""

    classes: float
    shape: float
    probability: float

    @property
    def alone(self) -> float:
        return self.classes * math.exp(self.shape * math.log(self.probability))


def population_classes(sample: SampleClasses, share: float) -> float:
    """How many classes the population has, of which the sample is this share."""
    sizes = sample.sizes
    seen = sizes * share**2 * (1 - share**2) ** (sizes - 1)
    missed = (1 - share) ** sizes
    once = sizes * share * (1 - share) ** (sizes - 1)
    pairs = missed * ((1 + share) ** sizes - 1)
    found, both, none, one = map(sample.over_classes, (seen, pairs, missed, once))
    ratio = found / both * (none / one) ** 2
    return float(sample.classes + sample.number(1) * ratio)


def fit_snb(
    sample: SampleClasses, share: float, start: SlideNegativeBinomial | None = None
) -> SlideNegativeBinomial:
    """The model under which the sample is expected to have its classes of one and of two people."""
    from scipy.optimize import root

    ones, twos = sample.number(1), sample.number(2)
    if not (ones and twos):
        raise NoEstimate(NO_PAIRS)
    if share >= 1:
        return SlideNegativeBinomial(sample.classes, 1.0, ones / sample.classes)
    with numpy.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        classes = population_classes(sample, share)

        def misses(point: Floats) -> Floats:
            expected = expected_small_classes(classes, share, *_parameters(point))
            return numpy.array([math.log(expected[0] / ones), math.log(expected[1] / twos)])

        for point in _starts(start):
            try:
                found = root(misses, point, method="hybr")
            except (ValueError, OverflowError, ZeroDivisionError):
                continue
            if found.success and numpy.abs(found.fun).max() < NEAR:
                return SlideNegativeBinomial(classes, *_parameters(found.x))
    raise NoEstimate(NOT_CONVERGED)


def expected_small_classes(
    classes: float, share: float, shape: float, probability: float
) -> tuple[float, float]:
    """How many classes of one and of two people a sample is expected to have."""
    delta = (1 - share) * (1 - probability)
    ones = classes * share * (probability / (1 - delta)) ** shape * (1 + shape * delta / (1 - delta))
    power = probability**shape * (1 - delta) ** (-shape - 2)
    twos = classes * share**2 / 2 * shape * (1 - probability) * power * (2 - (1 - shape) * delta)
    return ones, twos


def _parameters(point: Floats) -> tuple[float, float]:
    return math.exp(point[0]), 1 / (1 + math.exp(-point[1]))


def _starts(start: SlideNegativeBinomial | None) -> list[tuple[float, float]]:
    grid = list(product(numpy.linspace(-4, 4, 6).tolist(), numpy.linspace(-5, 5, 6).tolist()))
    if start is None:
        return grid
    return [(math.log(start.shape), math.log(start.probability / (1 - start.probability)))]

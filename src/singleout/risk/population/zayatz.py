"""Zayatz's estimator: how many who are alone in the sample are so in the population."""

from __future__ import annotations

import numpy

from singleout.risk.population.pitman import NoEstimate
from singleout.risk.population.pitman_yor import log_rising
from singleout.risk.population.sample_classes import SampleClasses

NOBODY = "nobody is alone in the sample, and the estimator starts from those who are"


def zayatz_share(sample: SampleClasses, people: float) -> float:
    """The share of the population who are alone, if its classes are as those of the sample."""
    alone = sample.number(1)
    if not alone:
        raise NoEstimate(NOBODY)
    n, sizes = sample.people, sample.sizes
    # one of a class of `size` among n of all people: hypergeometric
    left = people - n - sizes + 2
    others = log_rising(numpy.maximum(left, 1), sizes - 1) - log_rising(people - sizes + 1, sizes - 1)
    one = numpy.where(left < 1, 0.0, sizes * numpy.exp(others))
    return float(alone * (alone / sample.over_classes(one)) / n)

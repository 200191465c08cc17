"""Folds of people for cross-validation: all records of a person are in the same one."""

from __future__ import annotations

import numpy

from singleout.engine.codes.histories import Indices
from singleout.engine.codes.parallel import key_of

FOLDS = 5


def people_folds(value: Indices, seed: int) -> Indices:
    """A random fold for each person, such that each value's people are spread evenly over them (stratified).

    >>> folds = people_folds(numpy.array([3] * 10 + [7] * 5), seed=0)
    >>> numpy.bincount(folds[:10]).tolist(), sorted(folds[10:].tolist())
    ([2, 2, 2, 2, 2], [0, 1, 2, 3, 4])
    """
    draw = numpy.random.Generator(numpy.random.Philox(key=key_of("inference folds", seed)))
    order = numpy.lexsort((draw.random(len(value)), value))
    fold = numpy.empty(len(value), dtype=numpy.int64)
    fold[order] = numpy.arange(len(value)) % FOLDS
    return fold


def most_frequent_elsewhere(
    value: Indices, fold: Indices, weight: numpy.typing.NDArray[numpy.float64]
) -> Indices:
    """For each fold the most frequent value of all others, the smallest of several."""
    totals = numpy.bincount(value, weight)
    own = [numpy.bincount(value[fold == one], weight[fold == one], len(totals)) for one in range(FOLDS)]
    return numpy.array([int(numpy.argmax(_rounded(totals - each))) for each in own])


def _rounded(sums: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
    """Sums of shares that are equal but for their last digits are equal."""
    return numpy.round(sums, 9)

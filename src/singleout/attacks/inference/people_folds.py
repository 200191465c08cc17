"""Folds of people for cross-validation: all records of a person are in the same one."""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

from singleout.engine.codes.histories import Indices
from singleout.engine.codes.parallel import key_of

FOLDS = 5
Weights = NDArray[numpy.float64]


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


def most_frequent_elsewhere(value: Indices, fold: Indices, weight: Weights) -> Indices:
    """For each fold the most frequent value of all others, the smallest of several."""
    every = numpy.zeros((FOLDS, int(value.max()) + 1))
    numpy.add.at(every, (fold, value), weight)
    # sums of shares that are equal but for their last digits are equal
    others = numpy.round(every.sum(axis=0) - every, 9)
    most: Indices = numpy.argmax(others, axis=1)
    return most

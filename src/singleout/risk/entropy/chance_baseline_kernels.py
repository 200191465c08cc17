"""The compiled loops that deal a domain's values to people anew."""

from __future__ import annotations

import numpy

from singleout.engine.codes.loop_compiler import compile_loop
from singleout.engine.codes.random_kernels import shuffle_range


@compile_loop
def shuffled_copy(values, key):
    """A copy in random order."""
    mixed = values.copy()
    shuffle_range(mixed, 0, len(mixed), len(mixed), key)
    return mixed


@compile_loop
def permuted_counts(events, starts, key, values, largest):
    """Deal the events' values to people anew: how many cells have each count, and Σ of the values' largest.

    Each person's events are walked twice: to count the values, and to take the counts and clear them.
    """
    mixed = shuffled_copy(events, key)
    counts = numpy.zeros(values, dtype=numpy.int64)
    most = numpy.zeros(values, dtype=numpy.int64)
    cells = numpy.zeros(largest + 1, dtype=numpy.int64)
    for person in range(len(starts) - 1):
        for event in range(starts[person], starts[person + 1]):
            counts[mixed[event]] += 1
        for event in range(starts[person], starts[person + 1]):
            value = mixed[event]
            count = counts[value]
            if count > 0:
                cells[count] += 1
                most[value] = max(most[value], count)
                counts[value] = 0
    return cells, most.sum()


@compile_loop
def permuted_cells(events, starts, key, values):
    """Deal the events' values to people anew: the cells by person, a person's in any order."""
    mixed = shuffled_copy(events, key)
    counts = numpy.zeros(values, dtype=numpy.int64)
    cell_starts = numpy.zeros(len(starts), dtype=numpy.int64)
    value_of = numpy.empty(len(events), dtype=numpy.int64)
    count_of = numpy.empty(len(events), dtype=numpy.int64)
    made = 0
    for person in range(len(starts) - 1):
        for event in range(starts[person], starts[person + 1]):
            counts[mixed[event]] += 1
        for event in range(starts[person], starts[person + 1]):
            value = mixed[event]
            if counts[value] > 0:
                value_of[made] = value
                count_of[made] = counts[value]
                counts[value] = 0
                made += 1
        cell_starts[person + 1] = made
    return cell_starts, value_of[:made].copy(), count_of[:made].copy()

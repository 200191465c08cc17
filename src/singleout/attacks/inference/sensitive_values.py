"""What is to be guessed: the values of a sensitive column as they are, or the ranges that they fall into."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from singleout.attacks.inference.known_table import KnownTable
from singleout.engine.codes.histories import Indices

MOST_NUMBERS, RANGES = 20, 10
AS_THEY_ARE = "each value as it is"
IN_RANGES = "the range of the value, one of {:,} of about equally many records"


@dataclass(frozen=True, eq=False)
class SensitiveValues:
    """For each record what is right to guess, one of `count`; `words` say what counts as one value."""

    value: Indices
    count: int
    words: str


def sensitive_values(table: KnownTable) -> SensitiveValues:
    """Numbers and times of many values are guessed well enough by their range; all else as it is.

    A missing value is one of its own.
    """
    about = table.values[table.sensitive]
    codes = table.history.codes[table.sensitive].astype(numpy.int64)
    used, value = numpy.unique(codes, return_inverse=True)
    filled = used if about.missing is None else used[used != about.missing]
    if not about.ordered or len(filled) <= MOST_NUMBERS:
        return SensitiveValues(value, len(used), AS_THEY_ARE)
    ranges = equal_ranges(numpy.bincount(value)[: len(filled)], RANGES)
    count = int(ranges[-1]) + 1
    range_of = numpy.concatenate((ranges, numpy.full(len(used) - len(filled), count)))
    words = IN_RANGES.format(count)
    return SensitiveValues(range_of[value], count + (len(used) > len(filled)), words)


def equal_ranges(records: Indices, most: int) -> Indices:
    """For each of some ordered values its range: at most so many, each of about as many records.

    A value is never split; one that fills a range by itself leaves the others to the rest.

    >>> equal_ranges(numpy.array([1, 1, 1, 1]), 2).tolist()
    [0, 0, 1, 1]
    >>> equal_ranges(numpy.array([9, 1, 1, 1]), 3).tolist()
    [0, 1, 1, 2]
    """
    until, found = numpy.cumsum(records), numpy.zeros(len(records), dtype=numpy.int64)
    start = number = 0
    while start < len(records):
        before = int(until[start - 1]) if start else 0
        share = -((before - int(until[-1])) // (most - number))
        end = int(numpy.searchsorted(until, before + share)) + 1
        found[start:end] = number
        start, number = end, number + 1
    return found

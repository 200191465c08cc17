"""The compiled loops that compare people's sets of values."""

from __future__ import annotations

import numpy

from singleout.engine.codes.bitmap_kernels import count_common
from singleout.engine.codes.loop_compiler import compile_loop


@compile_loop
def add_distance(unshared, either, sums, bins):
    """The bin by whole numbers: a distance on an edge belongs to the bin that starts there."""
    distance = unshared / either
    sums[0] += distance
    sums[1] += distance * distance
    sums[2] = max(sums[2], (either - unshared) / either)
    bins[min(len(bins) - 1, len(bins) * unshared // either)] += 1


@compile_loop
def distances_of_all(first, step, starts, value, heads, head_person, sums, bins):
    """Jaccard distances of the people first, first + step, … to everybody before them.

    `sums` gets the sum and the sum of squares of each person's distances, and the highest share of values
    that two have in common; `bins` gets whole counts.
    """
    shared = numpy.zeros(len(starts) - 1, dtype=numpy.int64)
    for person in range(first, len(starts) - 1, step):
        own = starts[person + 1] - starts[person]
        for cell in range(starts[person], starts[person + 1]):
            for entry in range(heads[value[cell]], heads[value[cell] + 1]):
                if head_person[entry] >= person:
                    break
                shared[head_person[entry]] += 1
        for other in range(person):
            either = own + starts[other + 1] - starts[other] - shared[other]
            add_distance(either - shared[other], either, sums[person], bins)
            shared[other] = 0


@compile_loop
def shared_by_pairs(first, last, one, two, starts, value, shared):
    """How many values drawn pairs share, by walking both rising lists of values side by side."""
    for pair in range(first, last):
        left, left_end = starts[one[pair]], starts[one[pair] + 1]
        right, right_end = starts[two[pair]], starts[two[pair] + 1]
        while left < left_end and right < right_end:
            own, other = value[left], value[right]
            shared[pair] += own == other
            left += own <= other
            right += other <= own


@compile_loop
def shared_by_bitmaps(first, last, one, two, bitmaps, shared):
    """The same where each person's values are a bitmap."""
    for pair in range(first, last):
        shared[pair] = count_common(bitmaps[one[pair]], bitmaps[two[pair]])

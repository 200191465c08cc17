"""The compiled loops for points that many people have: their people as a bitmap, met with others by words."""

from __future__ import annotations

import numpy

from singleout.attacks.unicity.fewest_left_kernels import bits_of
from singleout.engine.codes.count_kernels import compile_inner_loop, compile_loop

SIX = numpy.int64(6)


@compile_loop
def fill_bitmaps(heads, people, line, bitmaps):
    """The people of each point that has a line, as the bits of this line."""
    for point in range(len(line)):
        if line[point] >= 0:
            for index in range(heads[point], heads[point + 1]):
                person = people[index]
                bitmaps[line[point], person >> SIX] |= numpy.uint64(1) << numpy.uint64(person & 63)


@compile_inner_loop
def is_in(bitmap, person):
    return (bitmap[person >> SIX] >> numpy.uint64(person & 63)) & numpy.uint64(1) == numpy.uint64(1)


@compile_inner_loop
def meet(bitmap, other):
    """Leaves the people of both in the first; returns how many they are."""
    count = 0
    for word in range(len(bitmap)):
        bitmap[word] &= other[word]
        count += bits_of(bitmap[word])
    return count


@compile_inner_loop
def keep_in(bitmap, held, count):
    """Keeps those of the first `count` who are in the bitmap; returns how many."""
    kept = 0
    for index in range(count):
        held[kept] = held[index]
        kept += is_in(bitmap, held[index])
    return kept

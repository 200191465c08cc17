"""The compiled search for the few sets of people that have the fewest people in common.

A set is a line of words, a bit for each person; the sets come with the smallest first.
"""

from __future__ import annotations

from typing import Any

import numpy

from singleout.engine.codes.bitmap_kernels import count_common
from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop


@compile_inner_loop
def is_within(one: Any, other: Any) -> Any:
    for word in range(len(one)):  # noqa: SIM110
        if one[word] & ~other[word]:
            return False
    return True


@compile_loop
def drop_needless_sets(sets: Any) -> Any:
    """The sets without those that have another one within them, which in any choice is no worse."""
    kept = 0
    for index in range(len(sets)):
        needless = False
        for other in range(kept):
            if is_within(sets[other], sets[index]):
                needless = True
                break
        if not needless:
            sets[kept] = sets[index]
            kept += 1
    return sets[:kept]


@compile_inner_loop
def count_all_common(sets: Any) -> Any:
    common = sets[0].copy()
    for index in range(1, len(sets)):
        common &= sets[index]
    return count_common(common, common)


@compile_loop
def fewest_candidates(sets: Any, most: Any, best: Any, floor: Any, steps: Any) -> Any:
    """The fewest people that at most so many sets have in common, if below `best`, and whether it is proven.

    Depth first over choices of sets in their order. All sets have `floor` people in common: with so few it is
    proven; it isn't once `steps` words were looked at.
    """
    every, words = sets.shape
    if every <= most:
        return min(best, count_all_common(sets)), True
    following = numpy.zeros(most, dtype=numpy.int64)
    common = numpy.empty((most, words), dtype=numpy.uint64)
    left = numpy.empty(every, dtype=numpy.int64)
    depth = 0
    while depth >= 0:
        index, further = following[depth], most - depth - 1
        following[depth] += 1
        if index + further >= every:
            depth -= 1
            continue
        common[depth] = sets[index] & common[depth - 1] if depth else sets[index]
        rest = every - index - 1
        for other in range(rest):
            left[other] = count_common(common[depth], sets[index + 1 + other])
        left[:rest].sort()
        best, steps = min(best, left[0]), steps - rest * words
        if best == floor or steps < 0:
            return best, best == floor
        # together, further sets exclude at most what each of them does by itself
        count = count_common(common[depth], common[depth])
        if further > 1 and count - (count * further - left[:further].sum()) < best:
            depth += 1
            following[depth] = index + 1
    return best, True

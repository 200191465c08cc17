"""The compiled search for the minimal sets of columns that meet every one of some given sets.

Murakami and Uno 2014 (MMCS): a set grows by a column of a given set that it does not meet yet, as long as
each of its columns is the only one of them in some given set. So it is minimal as soon as it meets all.
"""

from __future__ import annotations

import numpy

from singleout.engine.codes.loop_compiler import compile_loop
from singleout.risk.combinations.msu_walk_kernels import NONE, ONE, columns_in


@compile_loop
def remove_supersets(sets, compared):
    """The given sets, smallest first, without those that contain one of the first `compared` that stay."""
    members = numpy.empty(len(sets), dtype=numpy.uint64)
    number = 0
    for each in sets:
        index, end = 0, min(number, compared)
        while index < end and members[index] & ~each != NONE:
            index += 1
        if index == end:
            members[number] = each
            number += 1
    return members[:number].copy()


@compile_loop
def take_column(sets, chosen, column, usable, left):
    """Add a column to the chosen ones: what is `left` are the given sets that hold at most one of them.

    Returns how many are left, the columns that are alone in one, and of the sets not met yet whether there
    are any, the usable columns of the one with fewest, and the usable columns that all of them have.
    """
    union = chosen | column
    number, alone, unmet, fewest, common = 0, NONE, False, usable, usable
    size = 65
    for each in sets:
        met = each & union
        if met & (met - ONE) != NONE and met != NONE:
            continue
        left[number] = each
        number += 1
        alone |= met
        if met == NONE:
            unmet = True
            common &= each
            own = columns_in(each & usable)
            if own < size:
                size, fewest = own, each & usable
    return number, alone, unmet, fewest, common


@compile_loop
def search(sets, every, largest, most_work, most_sets):
    """All minimal sets of at most `largest` of the columns in `every`; and whether the search was ended.

    One column before the largest size only those that meet all the rest are tried.
    """
    left = numpy.empty((largest + 1, len(sets)), dtype=numpy.uint64)
    number = numpy.zeros(largest + 1, dtype=numpy.int64)
    chosen, usable, candidates = numpy.zeros((3, largest + 1), dtype=numpy.uint64)
    found = numpy.empty(1024, dtype=numpy.uint64)
    listed, work, depth = 0, 0, 0
    number[0], _, _, fewest, common = take_column(sets, NONE, NONE, every, left[0])
    candidates[0] = common if largest == 1 else fewest
    usable[0] = every & ~candidates[0]
    while depth >= 0 and work <= most_work and listed <= most_sets:
        column = candidates[depth] & (~candidates[depth] + ONE)
        if column == NONE:
            depth -= 1
            continue
        candidates[depth] &= ~column
        below = depth + 1
        work += number[depth]
        number[below], alone, unmet, fewest, common = take_column(
            left[depth, : number[depth]], chosen[depth], column, usable[depth], left[below]
        )
        if alone != chosen[depth] | column:
            continue
        chosen[below], usable[below] = alone, usable[depth]
        usable[depth] |= column
        if not unmet:
            found = make_room(found, listed)
            found[listed] = alone
            listed += 1
        elif below < largest:
            candidates[below] = common if below + 1 == largest else fewest
            usable[below] &= ~candidates[below]
            depth = below
    return found[:listed].copy(), depth >= 0


@compile_loop
def make_room(found, listed):
    if listed < len(found):
        return found
    larger = numpy.empty(2 * len(found), dtype=numpy.uint64)
    larger[:listed] = found
    return larger

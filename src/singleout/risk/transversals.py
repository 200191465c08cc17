"""Minimal transversals: the smallest sets that meet every one of some given sets, all as bit masks."""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

from singleout.engine.set_counts import Sets
from singleout.errors import UsageError

MOST_SETS = 1_000_000
COMPARED_AT_ONCE = 1 << 22


def minimal_transversals(sets: Sets, largest: int) -> Sets:
    """Every inclusion-minimal mask of at most `largest` bits that shares a bit with each of the sets.

    Berge's rule, one set after the other: a mask that meets the next set stays, another one is extended by
    each of its bits, unless that contains one that stayed. There may be exponentially many on the way, so
    beyond a million the question is refused.

    >>> minimal_transversals(numpy.array([0b011, 0b110], dtype=numpy.uint64), 3).tolist()
    [2, 5]
    """
    found = numpy.zeros(1, dtype=numpy.uint64)
    for each in minimal_members(sets):
        meets = (found & each) != 0
        staying = found[meets]
        extended = (found[~meets][:, None] | bits_of(each)[None, :]).ravel()
        extended = extended[numpy.bitwise_count(extended) <= largest]
        found = numpy.concatenate((staying, extended[~_contain_one(extended, staying)]))
        if len(found) > MOST_SETS:
            raise UsageError(f"there are more than {MOST_SETS:,} sets to look at; ask for smaller sets only")
    return in_order(found)


def minimal_members(sets: Sets) -> Sets:
    """The sets that contain none of the others, each once, the smallest first."""
    left = in_order(numpy.unique(sets))
    members = []
    while len(left):
        members.append(left[0])
        left = left[(left & left[0]) != left[0]]
    return numpy.array(members, dtype=numpy.uint64)


def in_order(sets: Sets) -> Sets:
    """By size, then by mask."""
    ordered: Sets = sets[numpy.lexsort((sets, numpy.bitwise_count(sets)))]
    return ordered


def bits_of(mask: numpy.uint64) -> Sets:
    each = numpy.uint64(1) << numpy.arange(64, dtype=numpy.uint64)
    own: Sets = each[(each & mask) != 0]
    return own


def _contain_one(sets: Sets, of: Sets) -> NDArray[numpy.bool_]:
    """Whether each set contains one of the others, a share at a time to bound the memory."""
    contain = numpy.zeros(len(sets), dtype=bool)
    step = max(1, COMPARED_AT_ONCE // max(1, len(of)))
    for start in range(0, len(sets), step):
        share = sets[start : start + step]
        contain[start : start + step] = ((of[None, :] & ~share[:, None]) == 0).any(axis=1)
    return contain

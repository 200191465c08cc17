"""Minimal transversals: the smallest sets that meet every one of some given sets, all as bit masks."""

from __future__ import annotations

import numpy

from singleout.engine.column_sets.set_counts import Sets
from singleout.risk.combinations.too_many_sets import too_much_work_error

MOST_LISTED = 1_000_000
# given sets looked at, in all steps of the search: a few seconds
MOST_WORK = 1_000_000_000
WORK_OF_REDUCING = 300_000_000


def minimal_transversals(sets: Sets, largest: int) -> Sets:
    """Every inclusion-minimal mask of at most `largest` bits that shares a bit with each of the sets.

    There may be exponentially many, and many more on the way: beyond a million, or after as much work as
    takes some seconds, the question is refused. By size, then by mask. Murakami, Uno 2014.

    >>> minimal_transversals(numpy.array([0b011, 0b110], dtype=numpy.uint64), 3).tolist()
    [2, 5]
    """
    from singleout.risk.combinations.msu_transversal_kernels import search

    if not len(sets):
        return numpy.zeros(1, dtype=numpy.uint64)
    members = smaller_members(sets)
    every = numpy.bitwise_or.reduce(members)
    found, ended = search(members, every, min(largest, int(every).bit_count()), MOST_WORK, MOST_LISTED)
    if ended:
        raise too_much_work_error(
            int(every).bit_count(), max(len(members), MOST_WORK // MOST_LISTED), MOST_WORK
        )
    return sorted_sets(found)


def smaller_members(sets: Sets) -> Sets:
    """Each set once, the smallest first, without those that contain another of them.

    Of very many sets some may stay that contain another one, which costs time and changes no transversal.
    """
    from singleout.risk.combinations.msu_transversal_kernels import remove_supersets

    distinct = sorted_sets(numpy.unique(sets))
    members: Sets = remove_supersets(distinct, max(1, WORK_OF_REDUCING // len(distinct)))
    return members


def sorted_sets(sets: Sets) -> Sets:
    """By size, then by mask."""
    ordered: Sets = sets[numpy.lexsort((sets, numpy.bitwise_count(sets)))]
    return ordered

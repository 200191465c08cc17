"""The one-to-one guess where several assignments are equally good: everybody's credit over all of them.

A pair is *tight* if it costs just what the prices of an optimal assignment say. All best assignments are made
of tight pairs, and whatever is made of them is best. Who may be exchanged for whom falls into groups: the
strongly connected components of "this person's tight candidate is that person's guess".
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import numpy
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching

from singleout.attacks.linkage.assignment import OptimalAssignment, optimal_assignment
from singleout.attacks.linkage.candidates import NOBODY, Indices, Linkage, Scores
from singleout.engine.codes.parallel import key_of
from singleout.progress import Progress

MOST_SHARED = 5_000
# groups up to this size are counted out, of larger ones so many random assignments are drawn
MOST_COUNTED = 10
DRAWS = 32
ROWS_AT_ONCE = 200
# of the largest cost: what sums of scores may be off by
ROUNDING = 1e-9
Tight = NDArray[numpy.bool_]


def shared_credit(
    linkage: Linkage, truth: Indices, original_people: int, seed: int, progress: Progress
) -> Scores:
    """How likely everybody's guess is right if one of the best one-to-one assignments is taken at random.

    Exact where at most ten people may be exchanged for each other, or any for any; else the mean over 32
    random best assignments drawn by the seed, people with the same tight candidates sharing it alike. It does
    not depend on the order of people but by these draws. Counted over the people of the release; missing
    values are as in the linkage.
    """
    if not len(truth) or not original_people:
        return numpy.zeros(len(truth))
    best = optimal_assignment(linkage, len(truth), original_people, seed, progress)
    tight, guess = _square(_tight_pairs(linkage, best), best)
    # from here on row i has candidate i: its own guess
    tight = tight[:, guess]
    numpy.fill_diagonal(tight, True)
    owner = numpy.argsort(guess)
    real = numpy.flatnonzero(truth >= 0)
    rightful = numpy.full(len(truth), NOBODY)
    rightful[real] = owner[truth[real]]
    credit: Scores = (rightful == numpy.arange(len(truth))).astype(numpy.float64)
    random = numpy.random.default_rng(key_of("equal assignments", seed))
    for group in _groups(tight):
        shares = _shares(tight[numpy.ix_(group, group)], random)
        index = numpy.full(len(tight), NOBODY)
        index[group] = numpy.arange(len(group))
        members = group[group < len(truth)]
        theirs = index[rightful[members]]
        known = (rightful[members] >= 0) & (theirs >= 0)
        credit[members] = numpy.where(known, shares[index[members], theirs], 0.0)
    return credit


def _tight_pairs(linkage: Linkage, best: OptimalAssignment) -> Tight:
    people = numpy.arange(len(best.original_price))
    found = numpy.empty((len(best.guess), len(people)), dtype=numpy.bool_)
    for begin in range(0, len(found), ROWS_AT_ONCE):
        rows = numpy.arange(begin, min(begin + ROWS_AT_ONCE, len(found)))
        pairs = numpy.repeat(rows, len(people)), numpy.tile(people, len(rows))
        cost = best.top - linkage.score(*pairs).reshape(len(rows), -1)
        slack = cost - best.release_price[rows, None] - best.original_price
        found[rows] = slack <= ROUNDING * max(1.0, float(cost.max()))
    return found


def _square(tight: Tight, best: OptimalAssignment) -> tuple[Tight, Indices]:
    """With people who do not exist on the smaller side: they take who is left over."""
    rows, columns = tight.shape
    size = max(rows, columns)
    whole = numpy.zeros((size, size), dtype=numpy.bool_)
    whole[:rows, :columns] = tight
    scale = ROUNDING * max(1.0, float(numpy.abs(best.original_price).max()))
    whole[rows:, :columns] = best.original_price >= -scale
    if rows > columns:
        whole[:rows, columns:] = (best.aside - best.release_price <= scale)[:, None]
    guess = numpy.full(size, NOBODY, dtype=numpy.int64)
    guess[:rows] = best.guess
    guess[guess == NOBODY] = numpy.setdiff1d(numpy.arange(size), best.guess)
    return whole, guess


def _groups(tight: Tight) -> Iterator[Indices]:
    """The rows that may be exchanged for each other, where there are several."""
    number, label = connected_components(csr_matrix(tight), directed=True, connection="strong")
    order = numpy.argsort(label, kind="stable")
    bounds = numpy.searchsorted(label[order], numpy.arange(number + 1))
    for begin, end in pairwise(bounds.tolist()):
        if end - begin > 1:
            yield order[begin:end]


def _shares(tight: Tight, random: numpy.random.Generator) -> Scores:
    """How often each row has each column, of all assignments that are made of tight pairs."""
    size = len(tight)
    if tight.all():
        return numpy.full(tight.shape, 1 / size)
    return _counted_shares(tight) if size <= MOST_COUNTED else _drawn_shares(tight, random)


def _counted_shares(tight: Tight) -> Scores:
    """
    >>> _counted_shares(numpy.array([[1, 1, 0], [1, 1, 1], [1, 0, 1]], dtype=bool)).round(3).tolist()
    [[0.333, 0.667, 0.0], [0.333, 0.333, 0.333], [0.333, 0.0, 0.667]]
    """
    size = len(tight)
    columns = [numpy.flatnonzero(row).tolist() for row in tight]

    @cache
    def ways(taken: int) -> int:
        """To go on when these columns are taken by the first rows."""
        row = taken.bit_count()
        return (
            1
            if row == size
            else sum(ways(taken | 1 << each) for each in columns[row] if not taken >> each & 1)
        )

    shares, reached = numpy.zeros(tight.shape), {0: 1}
    for row in range(size):
        following: dict[int, int] = {}
        for taken, times in reached.items():
            for each in columns[row]:
                if not taken >> each & 1:
                    after = taken | 1 << each
                    following[after] = following.get(after, 0) + times
                    shares[row, each] += times * ways(after) / ways(0)
        reached = following
    return shares


def _drawn_shares(tight: Tight, random: numpy.random.Generator) -> Scores:
    """Of some random assignments; rows with the same columns, and columns with the same rows, share alike."""
    row_class, column_class = _classes(tight), _classes(tight.T)
    pairs = numpy.zeros((row_class.max() + 1, column_class.max() + 1))
    for _ in range(DRAWS):
        rows, columns = random.permutation(len(tight)), random.permutation(len(tight))
        found = maximum_bipartite_matching(csr_matrix(tight[numpy.ix_(rows, columns)]), perm_type="column")
        numpy.add.at(pairs, (row_class[rows], column_class[columns[found]]), 1 / DRAWS)
    members = numpy.outer(numpy.bincount(row_class), numpy.bincount(column_class))
    shares: Scores = (pairs / members)[row_class][:, column_class]
    return shares


def _classes(tight: Tight) -> Indices:
    """A number for each row, equal where rows are."""
    seen: dict[bytes, int] = {}
    return numpy.array([seen.setdefault(row.tobytes(), len(seen)) for row in numpy.ascontiguousarray(tight)])

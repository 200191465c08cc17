"""The one-to-one guess where several assignments are equally good: everybody's credit over all of them.

A pair is *tight* if it costs just what the prices of an optimal assignment say. All best assignments are made
of tight pairs, and whatever is made of them is best. Who may be exchanged for whom falls into groups: the
strongly connected components of "this person's tight candidate is that person's guess".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy
from numpy.typing import NDArray

from singleout.attacks.assignment.assignment import OptimalAssignment, assign_people, optimal_assignment
from singleout.attacks.linkage.candidates import NOBODY, Indices, Linkage, Scores
from singleout.attacks.linkage.number_linkage import NumberLinkage
from singleout.progress import Progress

MOST_SHARED = 5_000
# groups up to this size are counted out, larger ones balanced
MOST_COUNTED = 10
MOST_ROUNDS = 10_000
# numbers are equally far from many others, which makes the search for prices slow
MOST_ON_LINE = 100
ROWS_AT_ONCE = 200
# of the largest cost: what sums of scores may be off by
ROUNDING = 1e-9
Tight = NDArray[numpy.bool_]


def shared_credit(
    linkage: Linkage, truth: Indices, original_people: int, seed: int, progress: Progress
) -> Scores:
    """How likely everybody's guess is right if one of the best one-to-one assignments is taken at random.

    All of them are as likely where at most ten people may be exchanged for each other, or any for any; in
    larger groups it is the mixture of them with the greatest entropy. Neither depends on the order of people
    or on the seed. Of many people on a line, where some are left over, it is the mean over two assignments,
    one that leans to the low numbers and one to the high ones, equal numbers sharing it alike. Counted over
    the people of the release; missing values are as in the linkage.
    """
    sizes = len(truth), original_people
    if not min(sizes):
        return numpy.zeros(len(truth))
    if isinstance(linkage, NumberLinkage) and max(sizes) > MOST_ON_LINE:
        if sizes[0] != sizes[1]:
            return _line_credit(linkage, truth, seed, progress)
        return _tight_credit(_tight_on_line(linkage), assign_people(linkage, *sizes, seed, progress), truth)
    best = optimal_assignment(linkage, *sizes, seed, progress)
    return _tight_credit(*_square(_tight_pairs(linkage, best), best), truth)


def _tight_credit(tight: Tight, guess: Indices, truth: Indices) -> Scores:
    # from here on row i has candidate i: its own guess
    tight = tight[:, guess]
    numpy.fill_diagonal(tight, True)
    owner = numpy.argsort(guess)
    real = numpy.flatnonzero(truth >= 0)
    rightful = numpy.full(len(truth), NOBODY)
    rightful[real] = owner[truth[real]]
    credit: Scores = (rightful == numpy.arange(len(truth))).astype(numpy.float64)
    for group in _groups(tight):
        shares = _shares(tight[numpy.ix_(group, group)])
        index = numpy.full(len(tight), NOBODY)
        index[group] = numpy.arange(len(group))
        members = group[group < len(truth)]
        theirs = index[rightful[members]]
        known = (rightful[members] >= 0) & (theirs >= 0)
        credit[members] = numpy.where(known, shares[index[members], theirs], 0.0)
    return credit


def _tight_on_line(linkage: NumberLinkage) -> Tight:
    """As many people on both sides: who is left of a point more often in one table must cross it.

    The potential rises by 1 a step where people of the release have to go up, and falls where down.
    """
    points = numpy.unique(numpy.concatenate((linkage.release, linkage.original)))
    below = [
        numpy.searchsorted(numpy.sort(side), points[:-1], side="right")
        for side in (linkage.release, linkage.original)
    ]
    rise = numpy.sign(below[0] - below[1]) * numpy.diff(points)
    potential = numpy.concatenate(([0], numpy.cumsum(rise)))
    asked, known = (
        potential[numpy.searchsorted(points, side)] for side in (linkage.release, linkage.original)
    )
    distance = abs(numpy.subtract.outer(linkage.release, linkage.original))
    tight: Tight = distance - (known - asked[:, None]) <= ROUNDING * max(1.0, float(distance.max()))
    return tight


def _line_credit(linkage: NumberLinkage, truth: Indices, seed: int, progress: Progress) -> Scores:
    mirrored = replace(linkage, original=-linkage.original, release=-linkage.release)
    rows, columns = (
        numpy.unique(side, return_inverse=True)[1] for side in (linkage.release, linkage.original)
    )
    named: Counter[tuple[int, int]] = Counter()
    for each in (linkage, mirrored):
        guess = assign_people(each, len(rows), len(columns), seed, progress)
        led = numpy.flatnonzero(guess >= 0)
        named.update(zip(rows[led].tolist(), columns[guess[led]].tolist(), strict=True))
    members, others, real = numpy.bincount(rows), numpy.bincount(columns), numpy.flatnonzero(truth >= 0)
    credit = numpy.zeros(len(truth))
    pairs = zip(rows[real].tolist(), columns[truth[real]].tolist(), strict=True)
    credit[real] = [named[pair] / (2 * members[pair[0]] * others[pair[1]]) for pair in pairs]
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
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    number, label = connected_components(csr_matrix(tight), directed=True, connection="strong")
    order = numpy.argsort(label, kind="stable")
    bounds = numpy.searchsorted(label[order], numpy.arange(number + 1))
    for begin, end in pairwise(bounds.tolist()):
        if end - begin > 1:
            yield order[begin:end]


def _shares(tight: Tight) -> Scores:
    """How often each row has each column, of all assignments that are made of tight pairs."""
    if tight.all():
        return numpy.full(tight.shape, 1 / len(tight))
    return _counted_shares(tight) if len(tight) <= MOST_COUNTED else _balanced_shares(tight)


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


def _balanced_shares(tight: Tight) -> Scores:
    """The mixture of best assignments with the greatest entropy: tight pairs scaled until all sums are 1.

    Rows with the same columns, and columns with the same rows, are one row and one column of many. It exists
    since every tight pair of a group is in one of its assignments, and is a mixture of them by Birkhoff's
    theorem. Reference: Sinkhorn (1964).
    """
    row_class, column_class = _classes(tight), _classes(tight.T)
    rows, columns = numpy.bincount(row_class), numpy.bincount(column_class)
    shares = numpy.zeros((len(rows), len(columns)))
    shares[row_class, column_class[:, None]] = tight.T
    for _ in range(MOST_ROUNDS):
        sums = rows @ shares
        shares /= sums
        shares /= (shares @ columns)[:, None]
        if abs(sums - 1).max() < ROUNDING:
            break
    return shares[row_class][:, column_class]


def _classes(tight: Tight) -> Indices:
    """A number for each row, equal where rows are."""
    seen: dict[bytes, int] = {}
    return numpy.array([seen.setdefault(row.tobytes(), len(seen)) for row in numpy.ascontiguousarray(tight)])

"""The cheapest candidates of people for an assignment, in lists that are made longer where needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.attacks.linkage.candidates import Candidates, Indices, Linkage, Scores
from singleout.progress import Progress

LISTED = 10
LONGER = 8


@dataclass(frozen=True, eq=False)
class CandidateList:
    """The cheapest columns, by what they cost at the prices of the day: `key` is cost − price.

    All other columns cost exactly `tail` if it is complete; else their key is at least that.
    """

    column: Indices
    cost: Scores
    key: Scores
    tail: float
    complete: bool

    @classmethod
    def of(cls, column: Indices, cost: Scores, key: Scores, tail: float, complete: bool) -> CandidateList:
        order = numpy.lexsort((column, key))
        return cls(column[order], cost[order], key[order], tail, complete)


class CandidateLists:
    """A list for all rows that look alike; columns are people of the original, numbered at random.

    A cost is how much less the score is than the highest of all.
    """

    def __init__(
        self, linkage: Linkage, columns: int, random: numpy.random.Generator, progress: Progress
    ) -> None:
        self.linkage, self.columns, self.random = linkage, columns, random
        self.person = random.permutation(columns)
        found = numpy.unique(linkage.indistinguishable(), return_index=True, return_inverse=True)
        self.example, self.of_row = found[1].astype(numpy.int64), found[2].reshape(-1).astype(numpy.int64)
        self.rows = numpy.bincount(self.of_row)
        best = linkage.best(LISTED, progress).at(self.example)
        self.top = float(best.score.max())
        number = numpy.argsort(self.person)
        self._lay_out([self._of_best(best, which, number) for which in range(len(self.example))])

    def _of_best(self, best: Candidates, which: int, number: Indices) -> CandidateList:
        """Of equally good people all are listed or none: the order of the first ones must not help."""
        cost, tied = self.top - best.score[which], int(best.tied_last[which])
        better = int((cost < cost[-1]).sum())
        listed = len(cost) if better + tied == len(cost) else better
        column, tail = number[best.person[which, :listed]], float(cost[-1])
        return CandidateList.of(column, cost[:listed], cost[:listed], tail, better + tied == self.columns)

    def _lay_out(self, lists: list[CandidateList]) -> None:
        lengths = numpy.array([len(each.column) for each in lists])
        self.ends = numpy.cumsum(lengths)
        self.starts = self.ends - lengths
        self.column = numpy.concatenate([each.column for each in lists])
        self.cost = numpy.concatenate([each.cost for each in lists])
        self.key = numpy.concatenate([each.key for each in lists])
        self.tail = numpy.array([each.tail for each in lists])
        self.complete = numpy.array([each.complete for each in lists])
        self.used = len(self.column)

    def lengthen(self, which: int, price: Scores) -> None:
        """Find more candidates at the prices of the day, by all scores of one of the list's rows."""
        row = numpy.full(self.columns, self.example[which])
        cost = self.top - self.linkage.score(row, self.person)
        had = int(self.ends[which] - self.starts[which])
        length = LONGER * max(had, LISTED, int(self.rows[which]))
        self._put(which, cheapest_columns(cost, price, length, self.random))

    def _put(self, which: int, longer: CandidateList) -> None:
        """At the end of all lists; when there is no more room, there will be twice as much."""
        end = self.used + len(longer.column)
        if end > len(self.column):
            self.column, self.cost, self.key = (
                numpy.resize(each, 2 * end) for each in (self.column, self.cost, self.key)
            )
        here = slice(self.used, end)
        self.column[here], self.cost[here], self.key[here] = longer.column, longer.cost, longer.key
        self.starts[which], self.ends[which], self.used = self.used, end, end
        self.tail[which], self.complete[which] = longer.tail, longer.complete

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """What the compiled loops call `lists`."""
        listed = (self.starts, self.ends, self.column, self.cost, self.key)
        return (self.of_row, *listed, self.tail, self.complete)

    def cheapest(self) -> Scores:
        """What each row's cheapest column costs, at least."""
        listed = self.ends > self.starts
        cost = self.tail.copy()
        cost[listed] = self.cost[self.starts[listed]]
        return cost[self.of_row]


def cheapest_columns(
    cost: Scores, price: Scores, length: int, random: numpy.random.Generator
) -> CandidateList:
    """The `length` cheapest columns at these prices, some drawn of those that cost the same as the last one.

    >>> cost, price = numpy.array([5.0, 0, 9, 3, 7]), numpy.array([0.0, -9, 0, 0, 0])
    >>> found = cheapest_columns(cost, price, 2, numpy.random.default_rng(0))
    >>> found.column.tolist(), found.tail, found.complete
    ([3, 0], 5.0, False)
    """
    dearest = float(cost.max())
    cheaper = numpy.flatnonzero(cost < dearest)
    key = cost - price
    if len(cheaper) <= length:
        return CandidateList.of(cheaper, cost[cheaper], key[cheaper], dearest, True)
    last = float(numpy.partition(key, length - 1)[length - 1])
    nearer, equal = numpy.flatnonzero(key < last), numpy.flatnonzero(key == last)
    column = numpy.concatenate((nearer, random.choice(equal, length - len(nearer), replace=False)))
    return CandidateList.of(column, cost[column], key[column], last, False)

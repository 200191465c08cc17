"""Distinct rows of whole numbers as sorted levels, and which people are nearest to a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.attacks.linkage.candidates import NOBODY, Indices, Numbers
from singleout.engine.codes.parallel import map_shares
from singleout.progress import Progress

Rows = NDArray[numpy.int64]
SHARES_A_THREAD = 4
MOST_ROUNDS = 16
ROWS_A_ROUND = 512


@dataclass(frozen=True, eq=False)
class Distance:
    """How far two rows are apart: the sum over columns, in whole steps.

    `kinds` says how each column counts (nearest_kernels.CATEGORY, NUMBER or SQUARE), `costs` what different
    categories and a missing number cost; `whole` steps are the distance to somebody without a record.
    """

    kinds: Indices
    costs: Indices
    step: int
    whole: int


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """The distinct rows of a table in order, and who has them; a last level is of those without any."""

    rows: Rows
    starts: Indices
    people: Numbers

    @classmethod
    def of(cls, rows: Rows, person: Indices, people: int) -> tuple[DistinctRows, Indices]:
        """The levels, and which one each row is."""
        distinct, level = distinct_rows(rows)
        owned = numpy.unique(level * people + person)
        without = numpy.setdiff1d(numpy.arange(people), person)
        sizes = numpy.bincount(owned // max(1, people), minlength=len(distinct))
        starts = numpy.concatenate(([0], numpy.cumsum([*sizes.tolist(), len(without)])))
        owner = numpy.concatenate((owned % max(1, people), without))
        return cls(distinct, starts.astype(numpy.int64), owner.astype(numpy.int32)), level

    def space(self, distance: Distance) -> tuple[Any, ...]:
        """What the compiled loops look through."""
        from singleout.attacks.linkage.nearest_record_kernels import runs_of

        begins, ends = runs_of(self.rows)
        step = numpy.int64(distance.step)
        return (self.rows, begins, ends, self.starts, self.people, distance.kinds, distance.costs, step)


def distinct_rows(rows: Rows) -> tuple[Rows, Indices]:
    """The different rows in order, and which of them each row is.

    >>> distinct_rows(numpy.array([[2, 1], [1, 5], [2, 1]]))[1].tolist()
    [1, 0, 1]
    """
    if not len(rows):
        return rows, numpy.zeros(0, dtype=numpy.int64)
    order = numpy.lexsort(rows.T[::-1])
    ordered = rows[order]
    new = numpy.concatenate(([True], (ordered[1:] != ordered[:-1]).any(axis=1)))
    level = numpy.empty(len(rows), dtype=numpy.int64)
    level[order] = numpy.cumsum(new) - 1
    return numpy.ascontiguousarray(ordered[new]), level


def nearest_people(
    asked: Rows, space: tuple[Any, ...], whole: int, most: int, threads: int, progress: Progress
) -> tuple[Numbers, Indices, Indices]:
    """For each row asked for: the `most` nearest people, how many steps away, and how many tie at the end."""
    from singleout.attacks.linkage import nearest_record_kernels as loops

    person = numpy.full((len(asked), most), NOBODY, dtype=numpy.int32)
    distance = numpy.zeros((len(asked), most), dtype=numpy.int64)
    tied = numpy.zeros(len(asked), dtype=numpy.int64)

    def look(first: int, last: int) -> None:
        loops.nearest_people(first, last, asked, space, numpy.int64(whole), person, distance, tied)

    if most:
        run_in_rounds(len(asked), look, threads, "looking up the nearest", progress)
    return person, distance, tied


def run_in_rounds(
    size: int, work: Callable[[int, int], None], threads: int, doing: str, progress: Progress
) -> None:
    """Do the places 0 … size−1 on several threads, and tell now and then how far it is."""
    rounds = min(MOST_ROUNDS, size // ROWS_A_ROUND + 1)
    bounds = [size * turn // rounds for turn in range(rounds + 1)]
    for first, last in pairwise(bounds):
        progress(doing, first, size)
        map_shares(last - first, partial(_run_from, work, first), threads, threads * SHARES_A_THREAD)
    progress(doing, size, size)


def _run_from(work: Callable[[int, int], None], start: int, first: int, last: int) -> None:
    work(start + first, start + last)

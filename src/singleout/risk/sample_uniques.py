"""Minimal sample uniques: for each record the smallest sets of columns that single it out."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import product, repeat

import numpy
from numpy.typing import NDArray

from singleout.engine.codes import Codes
from singleout.engine.collapsed import Collapsed
from singleout.engine.numbering import joined
from singleout.engine.set_counts import MOST_COLUMNS, Sets
from singleout.engine.sizes import Counts
from singleout.errors import UsageError
from singleout.progress import Progress, silent
from singleout.risk.transversals import minimal_transversals

MOST_COLUMNS_UNBOUNDED = 20
MOST_STEERING = 6
FIRST_BLOCKS = 1024


@dataclass(frozen=True, eq=False)
class MinimalSets:
    """Row r's sets are `masks[starts[r]:starts[r + 1]]`, by size and then by mask; bit j is column j.

    Only sets of at most `largest` columns were looked at. A row that no such set finds has none.
    """

    starts: Counts
    masks: Sets
    columns: int
    allow: int
    largest: int

    def of(self, row: int) -> Sets:
        return self.masks[self.starts[row] : self.starts[row + 1]]

    @property
    def rows(self) -> int:
        return len(self.starts) - 1

    @property
    def number(self) -> Counts:
        """How many minimal sets each row has."""
        return numpy.diff(self.starts)

    @cached_property
    def sizes(self) -> NDArray[numpy.uint8]:
        """The number of columns of each set."""
        return numpy.bitwise_count(self.masks)

    @cached_property
    def row_of_set(self) -> Counts:
        return numpy.repeat(numpy.arange(self.rows), self.number)

    @property
    def smallest(self) -> Counts:
        """How few columns find each row; −1 where no set does."""
        fewest = numpy.full(self.rows, -1, dtype=numpy.int64)
        found = self.number > 0
        fewest[found] = self.sizes[self.starts[:-1][found]]
        return fewest


def minimal_sets(
    rows: Collapsed,
    allow: int = 1,
    largest: int | None = None,
    threads: int = 1,
    progress: Progress = silent,
) -> MinimalSets:
    """Which columns are enough to single each record out, with none of them to spare?

    The inclusion-minimal sets S for which the record's class on S holds at most `allow` people; with
    `allow` 1 these are its minimal sample uniques. Counted in people: where none are named each record is
    its own person. A missing value is a value, or its record was left out before. Manning, Haglin, Keane
    2008 (SUDA2); paper 1, Algorithm 4.

    >>> from singleout.engine.collapsed import collapsed
    >>> colour, size = numpy.array([[0, 0, 1, 1], [0, 1, 0, 0]], dtype=numpy.uint32)
    >>> minimal_sets(collapsed([Codes(colour, 2), Codes(size, 2)])).of(0).tolist()
    [3]
    """
    bound = _checked(rows, allow, largest)
    return _walked(rows, findable(rows, allow), allow, bound, threads, progress)


def minimal_sets_of(rows: Collapsed, row: int, allow: int = 1, largest: int | None = None) -> Sets:
    """The same for one row, by size and then by mask, without a walk over all sets.

    A set singles the record out if it has, for every record of somebody else, a column in which the two
    differ: the answer is the minimal transversals of these sets of columns.

    >>> from singleout.engine.collapsed import collapsed
    >>> colour, size = numpy.array([[0, 0, 1, 1], [0, 1, 0, 0]], dtype=numpy.uint32)
    >>> minimal_sets_of(collapsed([Codes(colour, 2), Codes(size, 2)]), 0).tolist()
    [3]
    """
    bound = _checked(rows, allow, largest, unbounded=allow == 1)
    if not 0 <= row < len(rows.records):
        raise UsageError(f"there is no row {row}; take one from 0 to {len(rows.records) - 1}")
    if allow > 1:
        only = numpy.zeros(len(rows.records), dtype=bool)
        only[row] = True
        return _walked(rows, only & findable(rows, allow), allow, bound, 1, silent).of(row)
    if rows.persons is None and rows.records[row] > 1:
        return numpy.zeros(0, dtype=numpy.uint64)
    apart = differences(rows, row)
    if (apart == 0).any():
        return numpy.zeros(0, dtype=numpy.uint64)
    return minimal_transversals(apart, bound)


def differences(rows: Collapsed, row: int) -> Sets:
    """For each row of somebody else the columns in which it differs from this one."""
    apart = numpy.zeros(len(rows.records), dtype=numpy.uint64)
    for place, codes in enumerate(rows.codes):
        apart |= (codes != codes[row]).astype(numpy.uint64) << numpy.uint64(place)
    if rows.persons is None:
        return numpy.delete(apart, row)
    others: Sets = apart[rows.persons != rows.persons[row]]
    return others


def findable(rows: Collapsed, allow: int) -> NDArray[numpy.bool_]:
    """The rows that all columns together find: no other row has any set."""
    return look_alikes(rows) <= allow


def look_alikes(rows: Collapsed) -> Counts:
    """How many people share each row's values in all columns."""
    if rows.persons is None:
        return rows.records
    tuples = joined(map(Codes, rows.codes, rows.values)).codes
    return numpy.bincount(tuples)[tuples]


def _checked(rows: Collapsed, allow: int, largest: int | None, unbounded: bool = False) -> int:
    """The largest size to look at, after all mistakes have been named."""
    columns = len(rows.codes)
    wrong = []
    if allow < 1:
        wrong.append(f"a class of {allow} people finds nobody; allow 1 or more")
    if largest is not None and largest < 1:
        wrong.append(f"sets of at most {largest} columns say nothing; take 1 or more")
    if columns > MOST_COLUMNS:
        wrong.append(f"{columns} columns are too many; take at most {MOST_COLUMNS}")
    elif largest is None and columns > MOST_COLUMNS_UNBOUNDED and not unbounded:
        wrong.append(
            f"{columns} columns have too many sets; say how large a set may be, "
            f"or take at most {MOST_COLUMNS_UNBOUNDED} columns"
        )
    if wrong:
        raise UsageError("; ".join(wrong))
    return min(largest or columns, columns)


def _walked(
    rows: Collapsed,
    wanted: NDArray[numpy.bool_],
    allow: int,
    largest: int,
    threads: int,
    progress: Progress,
) -> MinimalSets:
    """The walk for the wanted rows; each thread does it for a share of them, so that none shares a list."""
    if rows.people <= allow:
        return _by_nothing(rows, allow, largest)
    rare_last = _by_agreement(rows)
    columns = numpy.stack([rows.codes[place] for place in rare_last])
    # rows of one share that agree in a column are in fewer classes with rows of another
    order = numpy.argsort(columns[len(columns) // 2], kind="stable").astype(numpy.uint32)
    shares = numpy.array_split(order[wanted[order]], threads)
    walks = [_Walk(rows, columns, order, share, allow, largest) for share in shares]
    steering = min(MOST_STEERING, len(columns) // 2)
    paths = list(_paths(len(columns), steering, largest))
    with ThreadPoolExecutor(threads) as pool:
        for done, path in enumerate(paths, start=1):
            list(pool.map(_Walk.go, walks, repeat(path), repeat(len(columns) - steering)))
            progress("looking for the smallest sets", done, len(paths))
    return _together(walks, rare_last)


class _Walk:
    """The lists of a share of the rows, and a desk to walk on: its classes, refined in place."""

    def __init__(
        self,
        rows: Collapsed,
        columns: NDArray[numpy.uint32],
        order: NDArray[numpy.uint32],
        share: NDArray[numpy.uint32],
        allow: int,
        largest: int,
    ) -> None:
        number, values = len(order), max(rows.values)
        persons = numpy.zeros(0, dtype=numpy.uint32) if rows.persons is None else rows.persons
        wanted = numpy.zeros(number, dtype=bool)
        wanted[share] = True
        self.share, self.columns, self.allow, self.largest = share, columns, allow, largest
        self.table = (rows.records, persons, wanted)
        ranges = (numpy.empty(number, dtype=numpy.uint32) for _ in range(4))
        tally = (numpy.zeros(values, dtype=numpy.int64) for _ in range(2))
        seen = numpy.zeros(rows.people if len(persons) else 0, dtype=numpy.int64)
        met, ticks = numpy.empty(values, dtype=numpy.uint32), numpy.zeros(1, dtype=numpy.int64)
        self.desk = (order.copy(), *ranges, *tally, met, seen, ticks)
        none = numpy.full(number, -1, dtype=numpy.int64)
        self.lists = (none, numpy.zeros(number, dtype=numpy.int64), numpy.zeros(1, dtype=numpy.int64))
        self.store = numpy.empty((FIRST_BLOCKS, 8), dtype=numpy.uint64)

    def go(self, path: Counts, below: int) -> None:
        from singleout.risk.sample_unique_kernels import walk

        self.store = walk(
            self.columns, self.table, self.desk, self.lists, self.store, path, below, self.allow, self.largest
        )


def _by_agreement(rows: Collapsed) -> list[int]:
    """The columns, the one in which two records agree least last: met first, it lets most rows drop out."""
    agree = [int((numpy.bincount(codes, rows.records) ** 2).sum()) for codes in rows.codes]
    return sorted(range(len(agree)), key=lambda place: -agree[place])


def _paths(columns: int, steering: int, largest: int) -> Iterator[Counts]:
    """Every choice of the last few columns, subsets first, highest column first in each."""
    last = range(columns - 1, columns - steering - 1, -1)
    for chosen in product((False, True), repeat=steering):
        path = [place for place, taken in zip(last, chosen, strict=True) if taken]
        if len(path) <= largest:
            yield numpy.array(path, dtype=numpy.int64)


def _together(walks: list[_Walk], place_of: list[int]) -> MinimalSets:
    from singleout.risk.sample_unique_kernels import collect

    number = sum(walk.lists[1] for walk in walks)
    starts = numpy.concatenate(([0], numpy.cumsum(number))).astype(numpy.int64)
    masks = numpy.empty(starts[-1], dtype=numpy.uint64)
    for walk in walks:
        collect(walk.share, walk.lists, walk.store, starts, numpy.array(place_of), masks)
    return MinimalSets(starts, masks, len(place_of), walks[0].allow, walks[0].largest)


def _by_nothing(rows: Collapsed, allow: int, largest: int) -> MinimalSets:
    """So few people that each is found without knowing anything: by the empty set."""
    number = len(rows.records)
    starts, masks = numpy.arange(number + 1), numpy.zeros(number, dtype=numpy.uint64)
    return MinimalSets(starts, masks, len(rows.codes), allow, largest)

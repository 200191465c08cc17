"""Local recoding: each record as fine as enough others allow, so that records have different levels.

The cheapest class of enough records among those left is released first, then the next. Records that are left
over join the class where that costs least. Then rows change their class, and classes dissolve or are founded,
while the loss falls.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy
from numpy.typing import NDArray

from singleout.deidentify.class_exchange import FlatLevels, improve, numbered
from singleout.engine.class_sizes import Counts
from singleout.engine.codes.dictionary import Code, Codes
from singleout.engine.codes.numbering import join_codes
from singleout.progress import Progress, silent

Numbers = NDArray[numpy.int64]
Reals = NDArray[numpy.float64]
Judge = Callable[[Numbers], NDArray[numpy.bool_]]
MOST_VECTORS = 200_000
# the bound looks at every row at every vector, unless that takes longer than the search
MOST_BOUND_WORK = 20_000_000
GROUPS = 3
KEY_BITS = 64


@dataclass(frozen=True, eq=False)
class ColumnLevels:
    """One column: the `codes` of its values at each level, and what a record of each `costs` there.

    `fixed` is the one level that it may have, None if any.
    """

    codes: tuple[Code, ...]
    costs: tuple[Reals, ...]
    fixed: int | None = None

    @property
    def least(self) -> int:
        return self.fixed or 0

    @property
    def top(self) -> int:
        return len(self.codes) - 1 if self.fixed is None else self.fixed


@dataclass(frozen=True, eq=False)
class Recoding:
    """The levels of each record, −1 in every column of those that can't be released.

    So many `vectors` of levels were tried, of the `lattice` of all.
    """

    levels: NDArray[numpy.int64]
    vectors: int
    lattice: int


@dataclass(frozen=True, eq=False)
class RecodedRows:
    """Different records: `raw` has their values, `weights` how many there are, `row` which each record is."""

    columns: tuple[ColumnLevels, ...]
    raw: Numbers
    weights: Counts
    row: Numbers

    @staticmethod
    def of(codes: Sequence[Code], columns: Sequence[ColumnLevels], threads: int = 1) -> RecodedRows:
        """Rows in the order of their values, so that the order of the records is no matter."""
        values = [len(each.codes[0]) for each in columns]
        distinct = join_codes(map(Codes, codes, values), threads)
        first = numpy.zeros(distinct.count, dtype=numpy.int64)
        first[distinct.codes[::-1]] = numpy.arange(len(distinct.codes) - 1, -1, -1)
        raw = numpy.stack([each[first] for each in codes], axis=1).astype(numpy.int64)
        order = numpy.lexsort(raw.T[::-1])
        turn = numpy.empty(len(order), dtype=numpy.int64)
        turn[order] = numpy.arange(len(order))
        row = turn[distinct.codes]
        return RecodedRows(tuple(columns), raw[order], numpy.bincount(row, minlength=len(order)), row)

    @cached_property
    def offsets(self) -> Numbers:
        """Where the codes and costs of each column at each level start."""
        sizes = [[len(codes) for codes in each.codes] for each in self.columns]
        offsets, filled = numpy.zeros((len(sizes), max(map(len, sizes))), dtype=numpy.int64), 0
        for column, levels in enumerate(sizes):
            for level, size in enumerate(levels):
                offsets[column, level] = filled
                filled += size
        return offsets

    @cached_property
    def flat_codes(self) -> NDArray[numpy.uint32]:
        return numpy.concatenate([codes for each in self.columns for codes in each.codes])

    @cached_property
    def flat_costs(self) -> Reals:
        return numpy.concatenate([costs for each in self.columns for costs in each.costs])

    @property
    def flat(self) -> FlatLevels:
        return FlatLevels(self.least, self.tops, self.offsets, self.flat_codes, self.flat_costs)

    @property
    def tops(self) -> Numbers:
        return numpy.array([each.top for each in self.columns], dtype=numpy.int64)

    @property
    def least(self) -> Numbers:
        return numpy.array([each.least for each in self.columns], dtype=numpy.int64)

    @property
    def lattice(self) -> int:
        return math.prod(each.top - each.least + 1 for each in self.columns)

    @cached_property
    def vectors(self) -> Numbers:
        """Every vector of levels; of a lattice that is too large, those of fewer levels a column."""
        choices = [list(range(each.least, each.top + 1)) for each in self.columns]
        while math.prod(map(len, choices)) > MOST_VECTORS:
            longest = max(choices, key=len)
            # from the middle: what is finest and what is coarsest stays
            longest.pop(len(longest) // 2)
        return numpy.array(list(product(*choices)), dtype=numpy.int64).reshape(-1, len(choices))

    @cached_property
    def lowest(self) -> Reals:
        """What a record at each vector costs at least."""
        cheapest = numpy.zeros(len(self.vectors))
        for column, each in enumerate(self.columns):
            present = numpy.unique(self.raw[:, column])
            by_level = numpy.array([costs[present].min() for costs in each.costs])
            cheapest += by_level[self.vectors[:, column]]
        return cheapest

    @cached_property
    def keys(self) -> VectorKeys:
        return vector_keys(self)

    def costs_at(self, levels: Numbers, rows: Numbers) -> Reals:
        """What a record of each of some rows costs at its levels."""
        paid = numpy.zeros(len(rows))
        for column in range(len(self.columns)):
            paid += self.flat_costs[self.offsets[column, levels[:, column]] + self.raw[rows, column]]
        return paid

    def classes_at(self, columns: Sequence[int], levels: Sequence[int] | Numbers) -> Codes:
        """The classes of the rows by some columns at these levels."""
        codes = []
        for column, level in zip(columns, levels, strict=True):
            by_value = self.columns[column].codes[level]
            codes.append(Codes(by_value[self.raw[:, column]], int(by_value.max(initial=0)) + 1))
        return join_codes(codes)


@dataclass(frozen=True, eq=False)
class VectorKeys:
    """`numbers` of the rows at each choice of levels of a group of columns; `places` are a vector's."""

    numbers: NDArray[numpy.uint32]
    places: Numbers
    shifts: NDArray[numpy.uint64]


def vector_keys(rows: RecodedRows) -> VectorKeys:
    """Three groups of columns, or two where the numbers of three are longer than a key."""
    for many in range(GROUPS, 1, -1):
        tables = [_group_numbers(rows, group) for group in _column_groups(rows, many)]
        bits = [int(table.max(initial=0)).bit_length() for table, _ in tables]
        if sum(bits) <= KEY_BITS:
            break
    empty = numpy.zeros((1, len(rows.raw)), dtype=numpy.uint32)
    tables += [(empty, numpy.zeros(len(rows.vectors), dtype=numpy.int64))] * (GROUPS - len(tables))
    starts = numpy.cumsum([0, *(len(table) for table, _ in tables)])
    places = numpy.stack([place + start for (_, place), start in zip(tables, starts, strict=False)], axis=1)
    shifts = numpy.array([sum(bits[1:]), sum(bits[2:]), 0], dtype=numpy.uint64)
    return VectorKeys(numpy.concatenate([table for table, _ in tables]), places, shifts)


def _column_groups(rows: RecodedRows, many: int) -> list[list[int]]:
    """Columns of many levels apart from each other, so that no group has many choices of levels."""
    choices = [each.top - each.least + 1 for each in rows.columns]
    groups: list[list[int]] = [[] for _ in range(min(many, len(choices)))]
    for column in sorted(range(len(choices)), key=lambda index: (-choices[index], index)):
        smallest = min(groups, key=lambda group: (math.prod(choices[each] for each in group), len(group)))
        smallest.append(column)
    return groups


def _group_numbers(rows: RecodedRows, group: Sequence[int]) -> tuple[NDArray[numpy.uint32], Numbers]:
    """The rows' numbers at each choice of levels in the group, and which choice each vector is."""
    choices, place = numpy.unique(rows.vectors[:, group], axis=0, return_inverse=True)
    table = numpy.stack([rows.classes_at(group, levels).codes for levels in choices])
    return table, place.reshape(-1)


def recode(
    rows: RecodedRows,
    k: int,
    judge: Judge | None = None,
    progress: Progress = silent,
    threads: int = 1,
    alike: Counts | None = None,
) -> Recoding:
    """Levels for each record so that every class has at least k records and pleases the `judge`, if any.

    The judge is given the class of each record, −1 if it is not asked about, and tells which classes pass;
    beside it `alike` may say how many of each row count for k, by default its records.

    >>> codes = (numpy.array([0, 1, 2, 3], dtype=numpy.uint32), numpy.array([0, 0, 1, 1], dtype=numpy.uint32))
    >>> costs = (numpy.zeros(4), numpy.full(4, 0.25), numpy.ones(4))
    >>> column = ColumnLevels((codes[0], codes[1], numpy.zeros(4, dtype=numpy.uint32)), costs)
    >>> people = numpy.array([0, 1, 2, 2, 2], dtype=numpy.uint32)
    >>> recode(RecodedRows.of([people], [column]), 2).levels.ravel().tolist()
    [1, 1, 0, 0, 0]
    """
    from singleout.deidentify import local_levels_kernels as kernels

    keys = rows.keys
    progress("releasing classes, the cheapest first", 0, 1)
    if judge is None:
        classes, released = kernels.release_classes(
            rows.raw, rows.weights, keys.numbers, keys.places, keys.shifts, rows.vectors, rows.lowest,
            rows.offsets, rows.flat_costs, k,
        )  # fmt: skip
    else:
        classes, released = _judged_release(rows, k, judge, rows.weights if alike is None else alike)
    progress("joining the rest to classes", 0, 1)
    if judge is not None:
        levels = _merged_levels(rows, classes, released, judge)
    elif released:
        levels = _improved_levels(rows, classes, released, k, progress, threads)
    else:
        levels = numpy.full(rows.raw.shape, -1, dtype=numpy.int64)
    return Recoding(levels[rows.row], len(rows.vectors), rows.lattice)


def _improved_levels(
    rows: RecodedRows, classes: Numbers, released: int, k: int, progress: Progress, threads: int
) -> Numbers:
    """The levels of each row when the rest has joined and rows have changed places."""
    classes = numbered(_joined(rows, classes, released)[0])
    many = int(classes.max()) + 1
    classes = improve(rows.raw, rows.weights, classes, many, k, rows.flat, threads, progress)
    classes, by_class = _joined(rows, classes, int(classes.max()) + 1)
    return numpy.where(classes[:, None] >= 0, by_class[classes], -1)


def _joined(rows: RecodedRows, classes: Numbers, released: int) -> tuple[Numbers, Numbers]:
    from singleout.deidentify import local_levels_kernels as kernels

    joined: tuple[Numbers, Numbers] = kernels.join_classes(
        rows.raw, rows.weights, classes, released, rows.tops, rows.least, rows.offsets, rows.flat_codes,
        rows.flat_costs,
    )  # fmt: skip
    return joined


def _merged_levels(rows: RecodedRows, classes: Numbers, released: int, judge: Judge) -> Numbers:
    """The levels of each row when the rest has joined; classes that fail then are taken apart again.

    Those who make a class fail do not join it where fewer records are left out by that.
    """
    given: Numbers = classes
    levels: Numbers = numpy.full(rows.raw.shape, -1, dtype=numpy.int64)
    alone: Numbers | None = None
    while released:
        classes, by_class = _joined(rows, classes, released)
        failing = ~judge(classes[rows.row])
        if not failing.any():
            levels = numpy.where(classes[:, None] >= 0, by_class[classes], -1)
            break
        gone = numpy.append(failing, True)[classes]
        if alone is None:
            alone = _levels_of(rows, numbered(numpy.where(gone, given, classes)))
        classes = numbered(numpy.where(gone, -1, classes))
        released = int(classes.max(initial=-1)) + 1
    found = (levels,) if alone is None else (levels, alone)
    return min(found, key=lambda each: int(rows.weights[each[:, 0] < 0].sum()))


def _levels_of(rows: RecodedRows, classes: Numbers) -> Numbers:
    """The finest levels of classes as they are, that nobody joins."""
    kept = numpy.flatnonzero(classes >= 0)
    levels = numpy.full(rows.raw.shape, -1, dtype=numpy.int64)
    some = replace(rows, raw=rows.raw[kept], weights=rows.weights[kept], row=kept)
    _, by_class = _joined(some, classes[kept], int(classes.max(initial=-1)) + 1)
    levels[kept] = by_class[classes[kept]]
    return levels


def _judged_release(rows: RecodedRows, k: int, judge: Judge, alike: Counts) -> tuple[Numbers, int]:
    """The same as the compiled release, with classes that also have to please the judge."""
    from singleout.deidentify import local_levels_kernels as kernels

    keys, left, released = rows.keys, numpy.arange(len(rows.raw)), 0
    classes = numpy.full(len(rows.raw), -1, dtype=numpy.int64)
    queue = list(zip(rows.lowest.tolist(), range(len(rows.vectors)), strict=True))
    heapq.heapify(queue)
    while queue and len(left):
        limit, vector = heapq.heappop(queue)
        limit = max([limit, *(each[0] for each in queue[:1])])
        number, examples = kernels.large_classes(
            left, alike, keys.numbers, keys.places[vector], keys.shifts, k
        )
        if not len(examples):
            continue
        levels = numpy.broadcast_to(rows.vectors[vector], (len(examples), len(rows.columns)))
        costs = rows.costs_at(levels, examples)
        by_row = numpy.full(len(rows.raw), -1, dtype=numpy.int64)
        cheap = numpy.append(costs <= limit, False)
        by_row[left[cheap[number]]] = number[cheap[number]]
        if cheap.any():
            # the numbers of those that pass, one after the other
            passes = numpy.append(cheap[:-1], False)
            judged = judge(by_row[rows.row])
            passes[: len(judged)] &= judged
            goes = passes[number]
            following = released + numpy.cumsum(passes) - 1
            classes[left[goes]] = following[number[goes]]
            released, left = released + int(passes.sum()), left[~goes]
        if not cheap[:-1].all():
            heapq.heappush(queue, (float(costs[~cheap[:-1]].min()), vector))
    return classes, released


def lower_bound(
    rows: RecodedRows, k: int, columns: Sequence[int] | None = None, alike: Counts | None = None
) -> float:
    """What all records cost at least: each by itself needs k that look alike, in every group of columns.

    A class of the release is within the class that the whole table has at the record's levels: where that is
    smaller than k, so is every one. Groups are as large as there is time to look at all their levels.
    `alike` are as many of each row as may count, by default its records.
    """
    alike = rows.weights if alike is None else alike
    groups: list[list[int]] = [[]]
    choices = [each.top - each.least + 1 for each in rows.columns]
    known = range(len(choices)) if columns is None else columns
    for column in sorted(known, key=lambda index: (-choices[index], index)):
        work = len(rows.raw) * math.prod(choices[each] for each in [*groups[-1], column])
        if groups[-1] and work > MOST_BOUND_WORK:
            groups.append([])
        groups[-1].append(column)
    parts = [row_bounds(rows, group, k, alike) * rows.weights for group in groups if group]
    return math.fsum(float(each.sum()) for each in parts)


def row_bounds(rows: RecodedRows, group: Sequence[int], k: int, alike: Counts) -> Reals:
    """What a record of each row costs at least in some columns, of which every choice of levels is tried."""
    # where no choice is enough it is suppressed, which costs no less than the coarsest level
    least = numpy.zeros(len(rows.raw))
    for column in group:
        least += numpy.max(numpy.stack(rows.columns[column].costs), axis=0)[rows.raw[:, column]]
    every = [range(rows.columns[column].least, rows.columns[column].top + 1) for column in group]
    for levels in product(*every):
        classes = rows.classes_at(group, levels)
        enough = numpy.bincount(classes.codes, alike, classes.count) >= k
        paid = numpy.zeros(len(rows.raw))
        for column, level in zip(group, levels, strict=True):
            paid += rows.columns[column].costs[level][rows.raw[:, column]]
        least = numpy.where(enough[classes.codes], numpy.minimum(least, paid), least)
    return least

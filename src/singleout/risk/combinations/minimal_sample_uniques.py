"""Minimal sample uniques: for each record the smallest sets of columns that single it out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts
from singleout.engine.codes.collapsed_rows import CollapsedRows
from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.numbering import join_codes
from singleout.engine.column_sets.set_counts import MOST_COLUMNS, Sets
from singleout.errors import UsageError
from singleout.progress import Progress, silent
from singleout.risk.combinations.msu_pairwise import comparison_work, is_comparable, sets_by_comparison
from singleout.risk.combinations.msu_transversals import minimal_transversals
from singleout.risk.combinations.msu_walk import sets_by_walk
from singleout.risk.combinations.too_many_sets import too_much_work_error

MOST_COLUMNS_UNBOUNDED = 20
# steps of about a nanosecond; of a walk for one row at most so many for each set and row
MOST_WORK_FOR_ONE, STEPS_A_ROW = 4_000_000_000, 16
UNBOUNDED = 1 << 60
# the walk is left when it has taken so many times as long as a comparison would take
PATIENCE = 2


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
    rows: CollapsedRows,
    allow: int = 1,
    largest: int | None = None,
    threads: int = 1,
    progress: Progress = silent,
) -> MinimalSets:
    """Which columns are enough to single each record out, with none of them to spare?

    The inclusion-minimal sets S for which the record's class on S holds at most `allow` people; with
    `allow` 1 these are its minimal sample uniques. Counted in people: where none are named each record is
    its own person. A missing value is a value, or its record was left out before. Manning, Haglin, Keane
    2008 (SUDA2); Anon. n.d., Algorithm 4.

    >>> from singleout.engine.codes.collapsed_rows import collapse
    >>> colour, size = numpy.array([[0, 0, 1, 1], [0, 1, 0, 0]], dtype=numpy.uint32)
    >>> minimal_sets(collapse([Codes(colour, 2), Codes(size, 2)])).of(0).tolist()
    [3]
    """
    bound = _check_bounds(rows, allow, largest)
    return _all_minimal_sets(rows, findable_rows(rows, allow), allow, bound, threads, progress)


def minimal_sets_of(
    rows: CollapsedRows, row: int, allow: int = 1, largest: int | None = None, progress: Progress = silent
) -> Sets:
    """The same for one row, by size and then by mask, without a walk for all of them.

    A set singles the record out if it has, for every record of somebody else, a column in which the two
    differ: of many columns the answer is the minimal transversals of these sets of columns. Where they
    would take more than some seconds to list, the question is refused.

    >>> from singleout.engine.codes.collapsed_rows import collapse
    >>> colour, size = numpy.array([[0, 0, 1, 1], [0, 1, 0, 0]], dtype=numpy.uint32)
    >>> minimal_sets_of(collapse([Codes(colour, 2), Codes(size, 2)]), 0).tolist()
    [3]
    """
    bound = _check_bounds(rows, allow, largest, unbounded=allow == 1)
    if not 0 <= row < len(rows.records):
        raise UsageError(f"there is no row {row}; take one from 0 to {len(rows.records) - 1}")
    if not findable_rows(rows, allow)[row]:
        return numpy.zeros(0, dtype=numpy.uint64)
    if rows.people <= allow:
        return numpy.zeros(1, dtype=numpy.uint64)
    wanted = numpy.arange(len(rows.records)) == row
    if is_comparable(rows, allow):
        return sets_by_comparison(rows, wanted, allow, bound, 1, progress)[1]
    if allow == 1:
        return minimal_transversals(differences(rows, row), bound)
    result = sets_by_walk(rows, wanted, allow, bound, 1, progress, MOST_WORK_FOR_ONE)
    if result is None:
        raise too_much_work_error(len(rows.codes), STEPS_A_ROW * len(rows.records), MOST_WORK_FOR_ONE)
    return result[1]


def differences(rows: CollapsedRows, row: int) -> Sets:
    """For each row of somebody else the columns in which it differs from this one."""
    masks = numpy.zeros(len(rows.records), dtype=numpy.uint64)
    for column, codes in enumerate(rows.codes):
        masks |= (codes != codes[row]).astype(numpy.uint64) << numpy.uint64(column)
    if rows.persons is None:
        return numpy.delete(masks, row)
    others: Sets = masks[rows.persons != rows.persons[row]]
    return others


def findable_rows(rows: CollapsedRows, allow: int) -> NDArray[numpy.bool_]:
    """The rows that all columns together find: no other row has any set."""
    return look_alikes(rows) <= allow


def look_alikes(rows: CollapsedRows) -> Counts:
    """How many people share each row's values in all columns."""
    if rows.persons is None:
        return rows.records
    tuples = join_codes(map(Codes, rows.codes, rows.values)).codes
    return numpy.bincount(tuples)[tuples]


def _check_bounds(rows: CollapsedRows, allow: int, largest: int | None, unbounded: bool = False) -> int:
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


def _all_minimal_sets(
    rows: CollapsedRows,
    wanted: NDArray[numpy.bool_],
    allow: int,
    largest: int,
    threads: int = 1,
    progress: Progress = silent,
) -> MinimalSets:
    """The walk is quick where few people stay alike for long; where it is not, all records are compared."""
    if rows.people <= allow:
        return _empty_sets(rows, allow, largest)
    result = None
    can_compare = is_comparable(rows, allow)
    work = comparison_work(rows, int(wanted.sum()), allow) if can_compare else UNBOUNDED
    if not can_compare or work > PATIENCE * _sets_up_to(largest, rows) * len(rows.records):
        result = sets_by_walk(rows, wanted, allow, largest, threads, progress, PATIENCE * work)
    if result is None:
        result = sets_by_comparison(rows, wanted, allow, largest, threads, progress)
    number, masks = result
    starts = numpy.concatenate(([0], numpy.cumsum(number))).astype(numpy.int64)
    return MinimalSets(starts, masks, len(rows.codes), allow, largest)


def _sets_up_to(largest: int, rows: CollapsedRows) -> int:
    return sum(comb(len(rows.codes), size) for size in range(1, largest + 1))


def _empty_sets(rows: CollapsedRows, allow: int, largest: int) -> MinimalSets:
    """So few people that each is found without knowing anything: by the empty set."""
    number = len(rows.records)
    starts, masks = numpy.arange(number + 1), numpy.zeros(number, dtype=numpy.uint64)
    return MinimalSets(starts, masks, len(rows.codes), allow, largest)

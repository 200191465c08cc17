"""Sets of columns of a coded table, counted by a compiled walk; results do not depend on threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations

import numpy
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts
from singleout.engine.codes.collapsed_rows import CollapsedRows
from singleout.engine.column_sets.all_sets import AllSets
from singleout.engine.column_sets.set_counts import SetCounts, Sets
from singleout.engine.column_sets.some_sets import SomeSets
from singleout.progress import Progress, silent

ONE = numpy.uint64(1)
# all sets are counted, though not all were asked for, if at least one in so many was
ASKED_OF_ALL = 4
FEWEST_FOR_ALL, MOST_FREE_COLUMNS = 32, 24
# sets of one question that are worth keeping for the next
MOST_REMEMBERED = 5_000


@dataclass(frozen=True, eq=False)
class Lattice:
    """The rows to walk over; columns with many values are decided first.

    Taking such a column leaves few rows that are alike, and leaving it out makes many rows the same.
    """

    rows: CollapsedRows
    threads: int = 1
    counted: dict[tuple[int, int], Counts] = field(default_factory=dict)

    def count(self, sets: Sets, allow: int, progress: Progress = silent) -> SetCounts:
        """What there is to count of each set of columns, in the order of the given masks."""
        from singleout.engine.column_sets import lattice_kernels as kernels

        distinct, index = numpy.unique(
            self._determined_columns(self._drop_implied(sets)), return_inverse=True
        )
        counts = self._counts_once(distinct, allow, progress)[index]
        return SetCounts(
            sets=sets,
            records=self.rows.total,
            people=self.rows.people,
            allow=allow,
            classes=counts[:, kernels.CLASSES],
            smallest=counts[:, kernels.SMALLEST],
            unique=counts[:, kernels.UNIQUE],
            at_risk=counts[:, kernels.AT_RISK],
            people_at_risk=counts[:, kernels.PEOPLE_AT_RISK],
            risk_parts=counts[:, kernels.RISK],
            entropy_parts=counts[:, kernels.ENTROPY],
        )

    @cached_property
    def _order(self) -> list[int]:
        return sorted(range(len(self.rows.codes)), key=lambda column: -self.rows.values[column])

    @cached_property
    def _implied_pairs(self) -> set[tuple[int, int]]:
        """Pairs of columns: all records with the same value in the first have the same in the second."""
        from singleout.engine.column_sets.lattice_kernels import determines

        codes, values = self.rows.codes, self.rows.values
        return {
            (one, other)
            for one, other in permutations(range(len(codes)), 2)
            if values[one] >= values[other] and determines(codes[one], codes[other], values[one])
        }

    def _drop_implied(self, sets: Sets) -> Sets:
        """Sets with the same classes become one: what a column says, another need not say again.

        Of columns that say the same the first stays; only where there are enough sets to be worth the search.
        """
        if len(sets) < len(self.rows.codes) ** 2:
            return sets
        said = numpy.zeros_like(sets)
        for column in range(len(self.rows.codes)):
            same = [
                other
                for one, other in self._implied_pairs
                if one == column and (other, one) in self._implied_pairs
            ]
            said |= _has(sets, column) << numpy.uint64(min([column, *same]))
        left = said.copy()
        for one, other in self._implied_pairs:
            if (other, one) not in self._implied_pairs:
                left &= ~(_has(said, one) << numpy.uint64(other))
        return left

    def _determined_columns(self, sets: Sets) -> Counts:
        """The masks with the column decided first in the highest bit."""
        masks = numpy.zeros(len(sets), dtype=numpy.int64)
        for column in self._order:
            masks = masks << 1 | _has(sets, column).astype(numpy.int64)
        return masks

    def _counts_once(self, masks: Counts, allow: int, progress: Progress) -> Counts:
        """What was counted for an earlier question of a few sets is not counted again."""
        if len(masks) > MOST_REMEMBERED:
            return self._set_counts(masks, allow, progress)
        asked = masks.tolist()
        unknown = [mask for mask in asked if (mask, allow) not in self.counted]
        if unknown:
            counts = self._set_counts(numpy.array(unknown, dtype=numpy.int64), allow, progress)
            self.counted.update(((mask, allow), each) for mask, each in zip(unknown, counts, strict=True))
        else:
            progress("counting sets of columns", len(asked), len(asked))
        return numpy.array([self.counted[mask, allow] for mask in asked])

    def _set_counts(self, masks: Counts, allow: int, progress: Progress) -> Counts:
        stop = numpy.zeros(1, dtype=numpy.bool_)
        every, common = _bits(numpy.bitwise_or.reduce(masks)), _bits(numpy.bitwise_and.reduce(masks))
        free = [bit for bit in every if bit not in common]
        column = self._order[::-1]
        if self._should_count_all(len(masks), len(free)):
            fixed = [column[bit] for bit in common]
            walk = AllSets(self.rows, fixed, [column[bit] for bit in free], allow, self.threads, stop)
            self._run(walk, stop, len(masks), progress)
            return walk.counted[_packed_masks(masks, free)]
        some = SomeSets(self.rows, self._order, masks, allow, self.threads, stop)
        self._run(some, stop, len(masks), progress)
        return some.counted

    def _should_count_all(self, sets: int, free: int) -> bool:
        if self.rows.persons is not None or sets < FEWEST_FOR_ALL:
            return False
        return free <= MOST_FREE_COLUMNS and 1 << free <= sets * ASKED_OF_ALL

    def _run(
        self, walk: AllSets | SomeSets, stop: NDArray[numpy.bool_], sets: int, progress: Progress
    ) -> None:
        """Share by share; whatever ends it early also ends the loops that are under way."""
        if not walk.is_ready:
            progress("preparing the compiled loops, once", 0, sets)
        walk.prepare()
        pool = ThreadPoolExecutor(self.threads)
        try:
            under_way = [pool.submit(walk.count, share) for share in walk.shares]
            for done, each in enumerate(under_way, 1):
                each.result()
                progress("counting sets of columns", sets * done // len(under_way), sets)
        finally:
            stop[0] = True
            pool.shutdown(cancel_futures=True)


def _has(sets: Sets, column: int) -> Sets:
    return sets >> numpy.uint64(column) & ONE


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(int(mask).bit_length()) if int(mask) >> bit & 1]


def _packed_masks(masks: Counts, bits: list[int]) -> Counts:
    """The masks with only these bits, moved together."""
    packed = numpy.zeros(len(masks), dtype=numpy.int64)
    for index, bit in enumerate(bits):
        packed |= (masks >> bit & 1) << index
    return packed

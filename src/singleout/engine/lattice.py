"""All sets of columns of a coded table, counted by the compiled walk; results do not depend on threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.engine.codes import Codes
from singleout.engine.collapsed import Collapsed
from singleout.engine.numbering import numbered
from singleout.engine.set_counts import Scale, SetCounts, Sets
from singleout.engine.sizes import Counts
from singleout.progress import Progress, silent

SHARES, FEWEST_A_SHARE, MOST_A_SHARE = 64, 512, 4096
HALF = numpy.uint64(32)


@dataclass(frozen=True, eq=False)
class Lattice:
    """The rows to walk over; columns with many values are decided first.

    Taking such a column leaves few rows that are alike, and leaving it out makes many rows the same.
    """

    rows: Collapsed
    threads: int = 1

    def count(self, sets: Sets, allow: int, progress: Progress = silent) -> SetCounts:
        """What there is to count of each set of columns, in the order of the given masks."""
        from singleout.engine import lattice_kernels as kernels

        masks = self._decided(sets)
        order = numpy.argsort(masks)
        masks = masks[order]
        counted = numpy.empty((len(masks), kernels.NUMBERS), dtype=numpy.int64)
        self._walk(masks, counted, allow, progress)
        found = numpy.empty_like(counted)
        found[order] = counted
        return SetCounts(
            sets=sets,
            records=self._records,
            people=self.rows.people,
            allow=allow,
            classes=found[:, kernels.CLASSES],
            smallest=found[:, kernels.SMALLEST],
            unique=found[:, kernels.UNIQUE],
            at_risk=found[:, kernels.AT_RISK],
            people_at_risk=found[:, kernels.PEOPLE_AT_RISK],
            risk_parts=found[:, kernels.RISK],
            entropy_parts=found[:, kernels.ENTROPY],
        )

    def _walk(self, masks: Counts, counted: Counts, allow: int, progress: Progress) -> None:
        table = self._table(allow)

        def work(share: tuple[int, int]) -> None:
            if share[0] < share[1]:
                self._walk_share(masks, share, table, allow, counted)

        bounds = _bounds(len(masks))
        with ThreadPoolExecutor(self.threads) as pool:
            for done, _ in enumerate(pool.map(work, pairwise(bounds)), 1):
                progress("counting sets of columns", bounds[done], len(masks))

    def _walk_share(
        self, masks: Counts, share: tuple[int, int], table: Any, allow: int, counted: Counts
    ) -> None:
        from singleout.engine import lattice_kernels as kernels

        scratch = self._scratch(allow)
        ends = numpy.array([len(self.rows.records)], dtype=numpy.uint32)
        total = kernels.with_class(kernels.nothing(), self._records, self.rows.people, table)
        kernels.walk(
            masks, *share, numpy.int64((1 << len(self._order)) - 1), self._all_rows, self._weights,
            numpy.zeros(1, dtype=numpy.uint32), ends, kernels.nothing(), total, table, scratch, counted,
        )  # fmt: skip

    @cached_property
    def _records(self) -> int:
        return self.rows.total

    @cached_property
    def _order(self) -> list[int]:
        return sorted(range(len(self.rows.codes)), key=lambda column: -self.rows.values[column])

    def _decided(self, sets: Sets) -> Counts:
        """The masks with the column decided first in the highest bit."""
        masks = numpy.zeros(len(sets), dtype=numpy.int64)
        for column in self._order:
            masks = masks << 1 | (sets >> numpy.uint64(column) & numpy.uint64(1)).astype(numpy.int64)
        return masks

    @cached_property
    def _all_rows(self) -> NDArray[numpy.uint32]:
        if self.rows.persons is None:
            return numpy.arange(len(self.rows.records), dtype=numpy.uint32)
        return numpy.argsort(self.rows.persons, kind="stable").astype(numpy.uint32)

    @cached_property
    def _weights(self) -> NDArray[numpy.uint32]:
        return self.rows.records[self._all_rows].astype(numpy.uint32)

    @cached_property
    def _codes(self) -> NDArray[Any]:
        kind = numpy.min_scalar_type(max(1, *self.rows.values) - 1)
        return numpy.stack([self.rows.codes[column].astype(kind) for column in self._order])

    @cached_property
    def _suffixes(self) -> list[Codes]:
        """For each column from the last to the first: a number for its value and all after it, and the person.

        Only where that makes at least half of the rows the same, since merging them costs time too.
        """
        rows = len(self.rows.records)
        persons = self.rows.persons
        known = numpy.zeros(rows, dtype=numpy.uint64) if persons is None else persons.astype(numpy.uint64)
        found: list[Codes] = []
        for codes in self._codes[::-1]:
            numbers = numbered(codes.astype(numpy.uint64) << HALF | known, self.threads)
            if numbers.count > rows // 2:
                break
            found.append(numbers)
            known = numbers.codes.astype(numpy.uint64)
        return found

    def _table(self, allow: int) -> Any:
        from singleout.engine import lattice_kernels as kernels

        scale, columns, rows = Scale(self._records), len(self._order), len(self.rows.records)
        numbers = [each.codes for each in self._suffixes]
        suffix = numpy.full(columns, -1, dtype=numpy.int64)
        suffix[columns - len(numbers) :] = numpy.arange(len(numbers))[::-1]
        return kernels.Table(
            codes=self._codes,
            suffixes=numpy.stack(numbers) if numbers else numpy.zeros((0, rows), dtype=numpy.uint32),
            suffix=suffix,
            persons=numpy.zeros(0, dtype=numpy.uint32) if self.rows.persons is None else self.rows.persons,
            entropy=scale.entropy_parts(numpy.arange(kernels.SMALL)),
            entropy_scale=2.0**scale.entropy_bits,
            risk_bits=scale.risk_bits,
            allow=allow,
        )

    def _scratch(self, allow: int) -> Any:
        """A thread's own counters; if everybody is at risk before anything is known, all are marked."""
        from singleout.engine import lattice_kernels as kernels

        keys = max(1, *self.rows.values, *(each.count for each in self._suffixes))
        named = self.rows.people if self.rows.persons is not None else 0
        everybody = named <= allow
        counters = [numpy.zeros(keys, dtype=numpy.int64) for _ in range(7)]
        return kernels.Scratch(
            numpy.array([0, named if everybody else 0]),
            *counters,
            marked=numpy.full(named, everybody),
            marks=numpy.arange(named),
        )


def _bounds(sets: int) -> list[int]:
    """Where to cut the sets so that there are enough shares to go round, and each is worth its start."""
    share = min(max(sets // SHARES, FEWEST_A_SHARE), MOST_A_SHARE)
    return [*range(0, sets, share), sets]

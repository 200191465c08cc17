"""Any sets of columns, also where people are named: the walk splits classes only as far as these sets ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts
from singleout.engine.codes.collapsed_rows import CollapsedRows
from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.numbering import number_keys
from singleout.engine.column_sets.set_counts import Scale

HALF = numpy.uint64(32)
SHARES, FEWEST_A_SHARE, MOST_A_SHARE = 64, 512, 4096


@dataclass(frozen=True, eq=False)
class SomeSets:
    """`masks` rise; the columns in `order` are those of their bits, from the highest to the lowest."""

    rows: CollapsedRows
    order: Sequence[int]
    masks: Counts
    allow: int
    threads: int
    stop: NDArray[numpy.bool_]

    @cached_property
    def shares(self) -> list[tuple[int, int]]:
        """Enough to go round, and each worth its start."""
        share = min(max(len(self.masks) // SHARES, FEWEST_A_SHARE), MOST_A_SHARE)
        return list(pairwise([*range(0, len(self.masks), share), len(self.masks)]))

    @property
    def is_ready(self) -> bool:
        """Whether the loops are compiled: that takes seconds, unless they were kept on disk."""
        from singleout.engine.column_sets.lattice_kernels import walk

        return bool(walk.signatures)

    def prepare(self) -> None:
        """What the shares have in common, so that none of them makes it again."""
        _ = self.counted, self._table, self._all_rows, self._weights

    def count(self, share: tuple[int, int]) -> None:
        from singleout.engine.column_sets import lattice_kernels as kernels

        ends = numpy.array([len(self.rows.records)], dtype=numpy.uint32)
        kernels.walk(
            self.masks, *share, numpy.int64((1 << len(self.order)) - 1), self._all_rows, self._weights,
            numpy.zeros(1, dtype=numpy.uint32), ends, kernels.no_counts(), self._total, self._table,
            self._scratch(), self.counted,
        )  # fmt: skip

    @cached_property
    def counted(self) -> Counts:
        from singleout.engine.column_sets.lattice_kernels import NUMBERS

        return numpy.empty((len(self.masks), NUMBERS), dtype=numpy.int64)

    @cached_property
    def _scale(self) -> Scale:
        return Scale(self.rows.total)

    @property
    def _total(self) -> Any:
        """Of the empty set, which has one class."""
        from singleout.engine.column_sets.lattice_kernels import add_class, no_counts

        entropy = self._scale.entropy_parts(numpy.array([self._scale.records]))[0]
        bits = self._scale.risk_bits
        return add_class(no_counts(), self._scale.records, self.rows.people, entropy, bits, self.allow)

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
        return numpy.stack([self.rows.codes[column].astype(kind) for column in self.order])

    @cached_property
    def _suffixes(self) -> list[Codes]:
        """Numbers for the codes in a column and all after it, and the person, from the last column on.

        Only where that makes at least half of the rows the same, since merging them costs time too.
        """
        rows = len(self.rows.records)
        persons = self.rows.persons
        known = numpy.zeros(rows, dtype=numpy.uint64) if persons is None else persons.astype(numpy.uint64)
        found: list[Codes] = []
        for codes in self._codes[::-1]:
            numbers = number_keys(codes.astype(numpy.uint64) << HALF | known, self.threads)
            if numbers.count > rows // 2:
                break
            found.append(numbers)
            known = numbers.codes.astype(numpy.uint64)
        return found

    @cached_property
    def _table(self) -> Any:
        from singleout.engine.column_sets import lattice_kernels as kernels

        columns, rows = len(self.order), len(self.rows.records)
        numbers = [each.codes for each in self._suffixes]
        suffix = numpy.full(columns, -1, dtype=numpy.int64)
        suffix[columns - len(numbers) :] = numpy.arange(len(numbers))[::-1]
        return kernels.Table(
            codes=self._codes,
            suffixes=numpy.stack(numbers) if numbers else numpy.zeros((0, rows), dtype=numpy.uint32),
            suffix=suffix,
            persons=numpy.zeros(0, dtype=numpy.uint32) if self.rows.persons is None else self.rows.persons,
            entropy=self._scale.entropy_parts(numpy.arange(kernels.SMALL)),
            entropy_scale=2.0**self._scale.entropy_bits,
            risk_bits=self._scale.risk_bits,
            allow=self.allow,
        )

    def _scratch(self) -> Any:
        """A share's own counters; if everybody is at risk before anything is known, all are marked."""
        from singleout.engine.column_sets import lattice_kernels as kernels

        keys = max(1, *self.rows.values, *(each.count for each in self._suffixes))
        named = self.rows.people if self.rows.persons is not None else 0
        everybody = named <= self.allow
        stamp, number, weight, people, last, following, touched = numpy.zeros((7, keys), dtype=numpy.int64)
        return kernels.Scratch(
            tick=numpy.array([0, named if everybody else 0]),
            stamp=stamp,
            number=number,
            weight=weight,
            people=people,
            last=last,
            following=following,
            touched=touched,
            marked=numpy.full(named, everybody),
            marks=numpy.arange(named),
            stop=self.stop,
        )

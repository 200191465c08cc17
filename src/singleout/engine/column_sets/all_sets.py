"""All sets of some columns, beside columns that every set has: where each record is its own person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts
from singleout.engine.codes.collapsed_rows import CollapsedRows
from singleout.engine.codes.dictionary import Code, Codes
from singleout.engine.codes.numbering import join_codes, number_keys
from singleout.engine.column_sets.set_counts import Scale

Words = NDArray[numpy.uint64]
HALF = numpy.uint64(32)
VALUES_OF_A_BYTE, BYTES_OF_A_WORD, MOST_WORDS = 256, 8, 2
# rows get new numbers only where that leaves at most one in so many
WORTH_MERGING = 4
SETS_A_SHARE, SHARES_A_THREAD, MOST_SHARES = 1 << 11, 4, 1 << 6


@dataclass(frozen=True, eq=False)
class Stage:
    """The columns in `bits` are decided while rows with equal codes there and below have the same number.

    `row` is one of the given rows for each number, and `next` its number in the stage after.
    """

    bits: range
    row: Code
    next: Code


@dataclass(frozen=True, eq=False)
class AllSets:
    """`free` columns stand in the order of their bits, the highest is decided first."""

    rows: CollapsedRows
    fixed: Sequence[int]
    free: Sequence[int]
    allow: int
    threads: int
    stop: NDArray[numpy.bool_]

    @cached_property
    def shares(self) -> list[tuple[int, int]]:
        """A share takes its own choice of the columns decided first, and all sets of the others."""
        sets = 1 << len(self.free)
        wanted = max(sets // SETS_A_SHARE, SHARES_A_THREAD * self.threads if self.threads > 1 else 1)
        share = sets // min(1 << (wanted - 1).bit_length(), MOST_SHARES, sets)
        return [(first, first + share) for first in range(0, sets, share)]

    def count(self, share: tuple[int, int]) -> None:
        from singleout.engine.column_sets import all_sets_kernels as kernels

        part, sets = slice(*share), share[1] - share[0]
        rows, starts, ends = self._classes()
        kernels.walk_share(
            share[0] // sets, len(self.free), sets.bit_length() - 1, rows, starts, ends, self._total,
            self._sizes.min(), self._table, self._scratch(), self._sums[part], self._smallest_sizes[part],
        )  # fmt: skip

    @property
    def is_ready(self) -> bool:
        """Whether the loops are compiled: that takes seconds, unless they were kept on disk."""
        from singleout.engine.column_sets.all_sets_kernels import walk_share

        return bool(walk_share.signatures)

    def prepare(self) -> None:
        """What the shares have in common, so that none of them makes it again."""
        _ = self._sums, self._smallest_sizes, self._keys, self._order, self._total

    @property
    def counted(self) -> Counts:
        """Of each set, in the order of the bits; the records of a class have a risk of one together."""
        from singleout.engine.column_sets import all_sets_kernels as sums
        from singleout.engine.column_sets import lattice_kernels as kernels

        counted = numpy.empty((len(self._sums), kernels.NUMBERS), dtype=numpy.int64)
        counted[:, kernels.CLASSES] = self._sums[:, sums.CLASSES]
        counted[:, kernels.SMALLEST] = self._smallest_sizes
        counted[:, kernels.UNIQUE] = self._sums[:, sums.UNIQUE]
        counted[:, kernels.AT_RISK] = counted[:, kernels.PEOPLE_AT_RISK] = self._sums[:, sums.AT_RISK]
        counted[:, kernels.RISK] = self._sums[:, sums.CLASSES] << Scale(self.rows.total).risk_bits
        counted[:, kernels.ENTROPY] = self._sums[:, sums.ENTROPY]
        return counted

    @cached_property
    def _sums(self) -> Counts:
        from singleout.engine.column_sets.all_sets_kernels import SUMS

        return numpy.zeros((1 << len(self.free), SUMS), dtype=numpy.int64)

    @cached_property
    def _smallest_sizes(self) -> Counts:
        return numpy.empty(1 << len(self.free), dtype=numpy.int64)

    @cached_property
    def _fixed_codes(self) -> Codes:
        if not self.fixed:
            return Codes(numpy.zeros(len(self.rows.records), dtype=numpy.uint32), 1)
        return join_codes([Codes(self.rows.codes[j], self.rows.values[j]) for j in self.fixed], self.threads)

    @cached_property
    def _sizes(self) -> Counts:
        """Of the classes by the columns that every set has."""
        return numpy.bincount(self._fixed_codes.codes, self.rows.records).astype(numpy.int64)

    @cached_property
    def _total(self) -> Counts:
        from singleout.engine.column_sets.all_sets_kernels import parts_of

        total: Counts = parts_of(self._sizes, self.allow, self._entropy_scale).sum(axis=0)
        return total

    @cached_property
    def _order(self) -> Code | None:
        """The rows class by class, where there is more than one class to start from."""
        return (
            numpy.argsort(self._fixed_codes.codes, kind="stable").astype(numpy.uint32) if self.fixed else None
        )

    def _classes(self) -> tuple[Words, Code, Code]:
        """Rows for a share to work on, and where its classes start and end."""
        rows = self.rows.records.astype(numpy.uint64)
        rows <<= HALF
        rows |= numpy.arange(len(rows), dtype=numpy.uint32)
        ends = numpy.cumsum(numpy.bincount(self._fixed_codes.codes)).astype(numpy.uint32)
        starts = numpy.concatenate((numpy.zeros(1, dtype=numpy.uint32), ends[:-1]))
        return rows if self._order is None else rows[self._order], starts, ends

    @property
    def _entropy_scale(self) -> float:
        return 2.0 ** Scale(self.rows.total).entropy_bits

    def _stages(self) -> list[Stage]:
        """Found from the last column on: after a few columns there are few different rows."""
        rows = len(self.rows.records)
        known = last = Codes(numpy.zeros(rows, dtype=numpy.uint32), 1)
        until = -1
        found: list[Stage] = []
        for bit, column in enumerate(self.free):
            known = number_keys(
                self.rows.codes[column].astype(numpy.uint64) << HALF | known.codes, self.threads
            )
            if known.count * WORTH_MERGING > rows:
                break
            if known.count >= last.count * WORTH_MERGING:
                row = numpy.empty(known.count, dtype=numpy.uint32)
                row[known.codes] = numpy.arange(rows, dtype=numpy.uint32)
                found.append(Stage(range(bit, until, -1), row, last.codes[row]))
                last, until = known, bit
        every = numpy.arange(rows, dtype=numpy.uint32)
        return [*found, Stage(range(len(self.free) - 1, until, -1), every, last.codes)]

    @cached_property
    def _narrow_columns(self) -> int:
        """How many of the columns decided last have codes of one byte."""
        wide = (bit for bit, column in enumerate(self.free) if self.rows.values[column] > VALUES_OF_A_BYTE)
        return min(next(wide, len(self.free)), MOST_WORDS * BYTES_OF_A_WORD)

    @cached_property
    def _table(self) -> Any:
        from singleout.engine.column_sets import all_sets_kernels as kernels

        stages = self._stages()
        columns, rows = len(self.free), sum(len(stage.row) for stage in stages)
        kind = numpy.min_scalar_type(max(self.rows.values[column] for column in self.free) - 1)
        codes = numpy.empty(sum(len(stage.row) * len(stage.bits) for stage in stages), dtype=kind)
        packed = numpy.zeros((rows, -(-self._narrow_columns // BYTES_OF_A_WORD) or 1), dtype=numpy.uint64)
        numbers = numpy.empty(rows, dtype=numpy.uint32)
        code_at, packed_at, next_at = numpy.full((3, columns + 1), -1, dtype=numpy.int64)
        code_end = start = 0
        for stage in stages:
            end = start + len(stage.row)
            self._pack(stage, packed[start:end])
            numbers[start:end] = stage.next
            next_at[stage.bits.stop] = start
            for bit in stage.bits:
                code_at[bit], packed_at[bit] = code_end, start
                code_end += len(stage.row)
                codes[code_at[bit] : code_end] = self._codes(bit, stage)
            start = end
        return kernels.Table(
            codes=codes,
            code_at=code_at,
            packed=packed,
            packed_at=packed_at,
            narrow=self._narrow_columns,
            next=numbers,
            next_at=next_at,
            parts=kernels.parts_of(numpy.arange(kernels.SMALL), self.allow, self._entropy_scale),
            allow=self.allow,
            entropy_scale=self._entropy_scale,
        )

    def _codes(self, bit: int, stage: Stage) -> Code:
        return self.rows.codes[self.free[bit]][stage.row]

    def _pack(self, stage: Stage, words: Words) -> None:
        for bit in range(min(stage.bits.start + 1, self._narrow_columns)):
            word, byte = divmod(bit, BYTES_OF_A_WORD)
            words[:, word] |= self._codes(bit, stage).astype(numpy.uint64) << numpy.uint64(8 * byte)

    @cached_property
    def _keys(self) -> int:
        """How many codes or numbers there may be to tell apart."""
        return max([int(self._table.next.max()) + 1, *(self.rows.values[column] for column in self.free)])

    def _scratch(self) -> Any:
        from singleout.engine.column_sets import all_sets_kernels as kernels

        return kernels.Scratch(
            slots=numpy.zeros(self._keys, dtype=numpy.uint64),
            touched=numpy.zeros(self._keys + 1, dtype=numpy.uint32),
            sums=numpy.zeros((len(self.free) + 1, 2, kernels.SUMS), dtype=numpy.int64),
            stop=self.stop,
        )

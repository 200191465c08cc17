"""How columns are laid out for shuffling: values in blocks that keep what is known; one lies still."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy
from numpy.typing import NDArray

from singleout.errors import UsageError
from singleout.risk.predict.avfm import Avfm, Counts

Codes = NDArray[numpy.unsignedinteger[Any]]
MOST_RECORDS = (1 << 32) - 1
MOST_SEEDS = 1 << 64


@dataclass(frozen=True, eq=False)
class ValuePool:
    """A column's values in blocks; shuffling moves a value inside its block only.

    From `movable` on a block holds its most frequent value and nothing else: no need to shuffle these.
    """

    values: Codes
    starts: Counts
    movable: Counts

    @classmethod
    def of(cls, counts: Counts, kind: numpy.dtype[Any]) -> ValuePool:
        """One block with each code as often as counted."""
        order = numpy.argsort(counts, kind="stable")
        values = numpy.repeat(order.astype(kind), counts[order])
        end = len(values) - int(counts.max(initial=0))
        return cls(values, numpy.array([0, len(values)]), numpy.array([end]))

    def shuffled_values(self, start: numpy.uint64) -> Codes:
        return self.shuffle(self.values.copy(), start)

    def shuffle(self, values: Codes, start: numpy.uint64) -> Codes:
        """Shuffle values that lie in the same blocks, in place."""
        from singleout.risk.predict import shuffle_kernels

        shuffle_kernels.shuffle_blocks(values, self.starts, self.movable, start)
        return values


def random_start(seed: int, shuffle: int, stream: int) -> numpy.uint64:
    """Where a shuffle's random numbers start; each stream of each shuffle has its own, on any thread."""
    from singleout.engine.codes import random_kernels

    return numpy.uint64(random_kernels.stream_start(numpy.uint64(seed % MOST_SEEDS), shuffle, stream))


class Arranger(Protocol):
    """A way to arrange columns at random; `first`, the first in `order`, lies sorted in every shuffle."""

    @property
    def avfm(self) -> Avfm: ...

    @property
    def order(self) -> Sequence[int]: ...

    @property
    def first(self) -> Codes: ...

    def arrange(self, seed: int, shuffle: int, desk: Desk) -> tuple[int, ...]:
        """Fill the desk's columns but the first; for each pair that was to be kept, the records it lacks."""


@dataclass(frozen=True, eq=False)
class Desk:
    """The arrays that one thread works in, shuffle after shuffle: fresh memory would cost more than counting.

    The columns are in the arranger's order. `wide` is for whoever needs a number for each record in between.
    """

    columns: Sequence[Codes]
    wide: NDArray[numpy.uint64]

    @classmethod
    def of(cls, arranger: Arranger) -> Desk:
        avfm = arranger.avfm
        moved = [numpy.empty(avfm.records, dtype=code_kind(avfm, column)) for column in arranger.order[1:]]
        return cls([arranger.first, *moved], numpy.empty(avfm.records, dtype=numpy.uint64))

    def numbers(self, kind: numpy.dtype[Any]) -> Codes:
        view: Codes = self.wide.view(kind)[: len(self.wide)]
        return view


def longest_column(avfm: Avfm, columns: Iterable[int]) -> int:
    """The column with the most values: left sorted, it cuts the rows into the smallest blocks to count."""
    return max(columns, key=lambda column: (len(avfm.frequencies[column]), -column))


def code_kind(avfm: Avfm, column: int) -> numpy.dtype[Any]:
    """The smallest type that holds the codes of a column."""
    return numpy.min_scalar_type(len(avfm.frequencies[column]) - 1)


def standard_column(avfm: Avfm, column: int) -> Codes:
    """A column of the standard data set (eq. 17): each code as often as it occurs, in order."""
    counts = avfm.frequencies[column]
    return numpy.repeat(numpy.arange(len(counts), dtype=code_kind(avfm, column)), counts)


def pool_of(avfm: Avfm, column: int) -> ValuePool:
    return ValuePool.of(avfm.frequencies[column], code_kind(avfm, column))


def check_size(avfm: Avfm) -> Avfm:
    if avfm.records > MOST_RECORDS:
        raise UsageError(
            f"{avfm.records:,} records are too many to shuffle; use the closed form above {MOST_RECORDS:,}"
        )
    return avfm

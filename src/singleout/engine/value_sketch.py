"""A sketch of a column's values: those with the lowest hashes, a sample by chance, counted exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy
import pyarrow

from singleout.engine.class_sizes import Counts
from singleout.engine.protocol import Engine

KEPT = 2048
DIGITS = 16
SPACE = 2**64


@dataclass(frozen=True, eq=False)
class ValueSketch:
    """The `hashes` of the values kept, rising, with their `records` and `people`; `whole` if all are kept.

    `parts` are the records of each part of the values, by chance, which no value has more of.
    """

    hashes: tuple[str, ...]
    records: Counts
    people: Counts
    parts: Counts
    whole: bool

    @property
    def total(self) -> int:
        """How many records the table has."""
        return int(self.parts.sum())

    @property
    def kept(self) -> int:
        return len(self.hashes)

    @property
    def values(self) -> float:
        """How many different values there are: (K − 1) / the K-th hash, as a share of all hashes."""
        if self.whole:
            return float(self.kept)
        return (self.kept - 1) / (int(self.hashes[-1], 16) / SPACE)

    def below(self, other: ValueSketch) -> tuple[int, int]:
        """Of the values whose hashes both sketches know of, how many there are here, and how many in both."""
        ends = [each.hashes[-1] for each in (self, other) if not each.whole]
        mine = [each for each in self.hashes if not ends or each <= min(ends)]
        return len(mine), len({*mine} & {*other.hashes})


def value_sketch(
    engine: Engine,
    columns: tuple[str, ...],
    person: str | None,
    seed: int,
    kept: int = KEPT,
    portable: bool = True,
) -> ValueSketch:
    """Two scans: which hashes are the lowest, then the records and people of the values that have them.

    The first keeps the lowest hash of each of 4,096 parts, so that its memory does not grow with the values:
    below the K-th of these there are K values or a few more. Hashes of two tables can be compared if both are
    `portable`; else an engine takes its own, if that is faster.
    """
    found = list(engine.lowest_hashes(columns, seed, portable))
    lowest, parts = [part for part, _ in found], numpy.array([each for _, each in found], dtype=numpy.int64)
    limit = sorted(lowest)[kept - 1] if len(lowest) >= kept else None
    table = pyarrow.Table.from_batches(list(engine.hash_counts(columns, person, seed, limit, portable)))
    order = numpy.argsort(table["hash"].to_numpy(zero_copy_only=False).astype(str), kind="stable")
    whole = limit is None
    order = order if whole else order[:kept]
    hashes = table["hash"].take(order).to_pylist()
    records, people = (table[name].to_numpy().astype(numpy.int64)[order] for name in ("records", "people"))
    return ValueSketch(tuple(each[:DIGITS] for each in hashes), records, people, parts, whole)

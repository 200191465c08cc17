"""Exchanging values between records: near ones of a column, or some columns of whole records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.recipe.record_table import Mask, RecordTable
from singleout.recipe.steps.distinct_values import count_changed_values, distinct_values_of
from singleout.recipe.steps.field_checks import (
    choice_mistakes,
    freeze,
    names_mistakes,
    only_with_mistakes,
    refuse,
    share_mistakes,
    whole_mistakes,
)
from singleout.recipe.steps.step import Change
from singleout.recipe.steps.value_order import ranks_of
from singleout.recipe.trace import Exchanged

Indices = NDArray[numpy.int64]
Columns = dict[str, pyarrow.Array]
# from which record each value of a column is taken, how in words, and what to remark
Exchange = tuple[dict[str, Indices], str, tuple[str, ...]]

HOWS = ("rank", "record")
TRIES = 30
DRAWN_AT_ONCE = 4096


@dataclass(frozen=True)
class Swap:
    """Exchange values between pairs of records, so that each column keeps exactly the values it has.

    By `rank`, each column by itself: from the lowest value up, each that is not yet exchanged is so with one
    drawn from those not yet exchanged whose ranks are higher by at most `within` · n, n being the values that
    are not missing; missing ones stay. Numbers, also those written as texts, are ranked as numbers, dates as
    dates, all else by the alphabet. Reference: R. A. Moore, Controlled data-swapping techniques, 1996.

    By `record`: a `share` of the records, drawn in pairs, exchange their values of all columns together,
    missing ones too. Both of a pair have the same values in the columns `same`, so that tables of those
    against the swapped columns stay exact. Reference: T. Dalenius and S. P. Reiss, Data-swapping, 1982.

    >>> ages = RecordTable(pyarrow.table({"age": [20, 30, 40, 50]}), numpy.arange(4), 4)
    >>> change = Swap(("age",), within=0.25).apply(ages, numpy.random.default_rng(0))
    >>> change.records.column("age").to_pylist(), change.changed
    ([30, 20, 50, 40], 4)
    """

    step: ClassVar[str] = "swap"
    columns: tuple[str, ...]
    how: str = "rank"
    within: float | None = None
    share: float | None = None
    same: tuple[str, ...] = ()
    seed: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", freeze(self.columns))
        object.__setattr__(self, "same", freeze(self.same))
        refuse(
            names_mistakes("columns", self.columns),
            choice_mistakes("how", self.how, HOWS),
            share_mistakes("within", self.within),
            share_mistakes("share", self.share),
            names_mistakes("same", self.same, needed=False),
            self._how_mistakes(),
            self._same_mistakes(),
            whole_mistakes("seed", self.seed),
        )

    @property
    def trace(self) -> Exchanged:
        return Exchanged(self.within, self.share, self.same)

    def apply(self, records: RecordTable, draw: numpy.random.Generator) -> Change:
        old = {name: records.column(name) for name in self.columns}
        if self.how == "rank":
            return _exchange_values(records, old, *self._rank_exchange(old, draw))
        return _exchange_values(records, old, *self._record_exchange(records, old, draw))

    def _rank_exchange(self, old: Columns, draw: numpy.random.Generator) -> Exchange:
        assert self.within is not None
        taken, remarks = {}, []
        for name, column in old.items():
            rows = _rows_by_value(name, column)
            most = _part_of(len(rows), self.within)
            taken[name] = numpy.arange(len(column))
            taken[name][rows] = rows[_partners(len(rows), most, draw)]
            if len(rows) and not most:
                remarks.append(
                    f"{name}: {len(rows):,} values are too few to exchange within {float(self.within):g}"
                )
        return taken, f"values exchanged within {float(self.within):g} of all ranks", tuple(remarks)

    def _record_exchange(self, records: RecordTable, old: Columns, draw: numpy.random.Generator) -> Exchange:
        assert self.share is not None
        one, other = _pairs(_groups(records, self.same), draw)
        wanted = _part_of(len(records), self.share) // 2
        chosen = draw.permutation(len(one))[:wanted]
        taken = numpy.arange(len(records))
        taken[one[chosen]], taken[other[chosen]] = other[chosen], one[chosen]
        alike = f" with the same {', '.join(self.same)}" if self.same else ""
        remarks = (f"only {2 * len(one):,} records have another to exchange with{alike}",)
        how = f"{2 * len(chosen):,} records exchanged in pairs{alike}"
        return dict.fromkeys(old, taken), how, remarks if len(one) < wanted else ()

    def _how_mistakes(self) -> list[str]:
        of_record = {"share": self.share, "same": self.same}
        if self.how == "rank":
            found = (
                ["within: is missing; write a share of the ranks like 0.05"] if self.within is None else []
            )
            return found + only_with_mistakes(of_record, False, "the swapping of records")
        if self.how != "record":
            return []
        found = ["share: is missing; write a share of the records like 0.1"] if self.share is None else []
        return found + only_with_mistakes({"within": self.within}, False, "the swapping of ranks")

    def _same_mistakes(self) -> list[str]:
        columns: Any = self.columns
        same: Any = self.same
        if not isinstance(columns, tuple) or not isinstance(same, tuple):
            return []
        both = [name for name in columns if name in same]
        return [f"same: {name!r} is one of the columns to swap; name it once" for name in both]


def _exchange_values(
    records: RecordTable,
    old: Columns,
    taken: dict[str, Indices],
    how: str,
    remarks: tuple[str, ...],
) -> Change:
    """Each column with the value of the record in whose place it is taken."""
    changed, new_records = 0, records
    for name, column in old.items():
        new = column.take(pyarrow.array(taken[name]))
        changed += count_changed_values(column, new)
        new_records = new_records.with_column(name, new)
    return Change(new_records, changed, "values", how, remarks)


def _part_of(count: int, share: float) -> int:
    """A share as it is written, 0.29 of 100 being 29, rounded down."""
    return int(Fraction(str(share)) * count)


def _rows_by_value(name: str, column: pyarrow.Array) -> Indices:
    """The records that have a value, in the order of their values."""
    ranks = ranks_of(name, column)
    filled = numpy.flatnonzero(ranks >= 0)
    order: Indices = filled[numpy.argsort(ranks[filled], kind="stable")]
    return order


def _partners(count: int, most: int, draw: numpy.random.Generator) -> Indices:
    """For each rank the one it is exchanged with, itself if there is none."""
    partner, free, uniform = list(range(count)), bytearray(b"\1" * count), _uniform_draws(draw)
    for rank in range(count):
        if free[rank]:
            other = _partner(rank, min(rank + most, count - 1), free, uniform)
            partner[rank], partner[other] = other, rank
            free[rank] = free[other] = 0
    return numpy.array(partner, dtype=numpy.int64)


def _partner(rank: int, last: int, free: bytearray, uniform: Iterator[float]) -> int:
    """One of the free ranks above, all equally likely; most are free, so that trying is fast."""
    for _ in range(TRIES if last > rank else 0):
        other = rank + 1 + int(next(uniform) * (last - rank))
        if free[other]:
            return other
    left = [other for other in range(rank + 1, last + 1) if free[other]]
    return left[int(next(uniform) * len(left))] if left else rank


def _uniform_draws(draw: numpy.random.Generator) -> Iterator[float]:
    while True:
        yield from draw.random(DRAWN_AT_ONCE).tolist()


def _groups(records: RecordTable, same: tuple[str, ...]) -> Indices:
    """A number for each record, equal where all these columns are; missing is a value."""
    group = numpy.zeros(len(records), dtype=numpy.int64)
    for name in same:
        different = distinct_values_of(name, records.column(name))
        _, group = numpy.unique(
            group * (len(different.values) + 1) + different.codes + 1, return_inverse=True
        )
    return group


def _pairs(group: Indices, draw: numpy.random.Generator) -> tuple[Indices, Indices]:
    """As many pairs of different records as there are inside the groups, at random."""
    mixed = draw.permutation(len(group))
    mixed = mixed[numpy.argsort(group[mixed], kind="stable")]
    sizes = numpy.bincount(group)
    position = numpy.arange(len(group)) - (numpy.cumsum(sizes) - sizes)[group[mixed]]
    paired: Mask = (position % 2 == 0) & (position + 1 < sizes[group[mixed]])
    first = numpy.flatnonzero(paired)
    return mixed[first], mixed[first + 1]

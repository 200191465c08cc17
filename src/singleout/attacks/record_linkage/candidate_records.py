"""Which records of the original a released one may come from: equal in exact columns, within a window."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from singleout.attacks.linkage.candidates import Indices
from singleout.attacks.record_linkage.column_likelihood import EqualValues, LikelihoodTables, MovedNumbers
from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.numbering import join_codes

Rows = NDArray[numpy.int64]
Flags = NDArray[numpy.bool_]
Bounds = tuple[Indices, Indices]
# patterns of missing cells with an order of their own; records with others look through one that fits
MOST_ORDERS = 24
# where a record has at most so many candidates on average, no window is needed
FEW = 32


@dataclass(frozen=True, eq=False)
class KeyOrder:
    """The original's records by some exact columns, then by the numbers of a column: `window`, if not None.

    A record's place goes by `key`: the number of its values of the `keys`, times `size`, plus its number.
    """

    keys: tuple[int, ...]
    window: int | None
    order: Indices
    key: Indices
    group_of_asked: Indices
    size: int

    @classmethod
    def of(
        cls, tables: LikelihoodTables, original: Rows, asked: Rows, keys: tuple[int, ...], window: int | None
    ) -> KeyOrder:
        groups = _joint_numbers(tables, original, asked, keys)
        size = 1 if window is None else tables.sizes[window] + 1
        key = groups[: len(original)] * size
        if window is not None:
            key = key + original[:, window]
        order = numpy.argsort(key, kind="stable")
        return cls(keys, window, order, key[order], groups[len(original) :], size)

    def bounds(self, tables: LikelihoodTables, asked: Rows, which: Indices) -> Bounds:
        """From where to where, in this order, the candidates of some of the released records stand."""
        start = self.group_of_asked[which] * self.size
        if self.window is None:
            low, high = start, start + 1
        else:
            first, last = _number_range(tables, self.window, asked[which, self.window])
            low, high = start + first, start + last
        return numpy.searchsorted(self.key, low), numpy.searchsorted(self.key, high)


@dataclass(frozen=True, eq=False)
class CandidateRecords:
    """For each released record: in which order its candidates stand, and from where to where."""

    orders: tuple[KeyOrder, ...]
    order_of: Indices
    first: Indices
    last: Indices

    @classmethod
    def of(cls, tables: LikelihoodTables, original: Rows, asked: Rows, missing: Flags) -> CandidateRecords:
        """`asked` are the different released records, `missing` their missing cells, which fit anything."""
        order_of, first, last = (numpy.zeros(len(asked), dtype=numpy.int64) for _ in range(3))
        orders: list[KeyOrder] = []
        for index, (which, lacking) in enumerate(_patterns(tables, missing)):
            if index < MOST_ORDERS:
                _add_order(orders, tables, original, asked, which, lacking)
            elif index == MOST_ORDERS:
                _add_plain_orders(orders, tables, original, asked)
            fitting = [number for number, each in enumerate(orders) if _fits(each, lacking)]
            bounds = [orders[number].bounds(tables, asked, which) for number in fitting]
            best = min(range(len(fitting)), key=lambda at: _pairs(bounds[at]))
            order_of[which], (first[which], last[which]) = fitting[best], bounds[best]
        return cls(tuple(orders), order_of, first, last)

    @property
    def sizes(self) -> Indices:
        return self.last - self.first


def _patterns(tables: LikelihoodTables, missing: Flags) -> Iterator[tuple[Indices, frozenset[int]]]:
    """The released records with the same missing cells, as far as orders go by the column; most first."""
    ordering = [*tables.columns_of(EqualValues), *tables.columns_of(MovedNumbers)]
    if not len(missing):
        return
    patterns, number = numpy.unique(missing[:, ordering], axis=0, return_inverse=True)
    number = number.reshape(-1)
    sizes = numpy.bincount(number)
    by_pattern = numpy.split(numpy.argsort(number, kind="stable"), numpy.cumsum(sizes)[:-1])
    for index in numpy.argsort(-sizes, kind="stable").tolist():
        lacking = (column for column, lacks in zip(ordering, patterns[index], strict=True) if lacks)
        yield by_pattern[index], frozenset(lacking)


def _add_order(
    orders: list[KeyOrder],
    tables: LikelihoodTables,
    original: Rows,
    asked: Rows,
    which: Indices,
    lacking: frozenset[int],
) -> None:
    """By all exact columns that are there, and the window that leaves fewest candidates, if one is needed."""
    keys = tuple(column for column in tables.columns_of(EqualValues) if column not in lacking)
    known = [each for each in orders if each.keys == keys and _fits(each, lacking)]
    if known and _few(known[0].bounds(tables, asked, which), which):
        return
    found = [*known, KeyOrder.of(tables, original, asked, keys, None)]
    if not _few(found[-1].bounds(tables, asked, which), which):
        windows = [column for column in tables.columns_of(MovedNumbers) if column not in lacking]
        found += [KeyOrder.of(tables, original, asked, keys, column) for column in windows]
    best = min(found, key=lambda each: _pairs(each.bounds(tables, asked, which)))
    if best not in known:
        orders.append(best)


def _add_plain_orders(orders: list[KeyOrder], tables: LikelihoodTables, original: Rows, asked: Rows) -> None:
    """By single columns, so that there is one for every pattern, at worst of all records."""
    orders += [
        KeyOrder.of(tables, original, asked, (column,), None) for column in tables.columns_of(EqualValues)
    ]
    orders += [KeyOrder.of(tables, original, asked, (), column) for column in tables.columns_of(MovedNumbers)]
    orders.append(KeyOrder.of(tables, original, asked, (), None))


def _fits(order: KeyOrder, lacking: frozenset[int]) -> bool:
    return lacking.isdisjoint(order.keys) and order.window not in lacking


def _pairs(bounds: Bounds) -> int:
    return int((bounds[1] - bounds[0]).sum())


def _few(bounds: Bounds, which: Indices) -> bool:
    return _pairs(bounds) <= FEW * len(which)


def _joint_numbers(tables: LikelihoodTables, original: Rows, asked: Rows, keys: Sequence[int]) -> Indices:
    """A number for each record of both tables, equal where the values of the keys are."""
    if not keys:
        return numpy.zeros(len(original) + len(asked), dtype=numpy.int64)
    joined = (
        Codes(numpy.concatenate((original[:, key], asked[:, key])).astype(numpy.uint32), tables.sizes[key])
        for key in keys
    )
    return join_codes(joined).codes.astype(numpy.int64)


def _number_range(tables: LikelihoodTables, column: int, code: Indices) -> Bounds:
    """Which renumbered codes may be the originals of released ones; without a number only the same."""
    model = tables.models[column]
    assert isinstance(model, MovedNumbers)
    numbers = tables.numbers(column)
    filled = numbers[: int((~numpy.isnan(numbers)).sum())]
    low, high = model.window(numbers[code])
    is_number = ~numpy.isnan(numbers[code])
    first = numpy.where(is_number, numpy.searchsorted(filled, low, side="left"), code)
    last = numpy.where(is_number, numpy.searchsorted(filled, high, side="right"), code + 1)
    return first, last

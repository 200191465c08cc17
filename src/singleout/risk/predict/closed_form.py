"""The expected ORR of a table with a given AVFM, without shuffling one (Yang et al. 2020, Algorithm 1)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy

from singleout.risk.predict.avfm import Avfm
from singleout.risk.predict.frequency_grid import ROUNDING, Histogram, ValueCombinations

Pairs = list[tuple[int, int]]

WORK = 4_000_000  # about 5 ms in whole numbers
BITS = 128  # behind the point of a sum in whole numbers
MOST_ALIKE = 4


@dataclass(frozen=True)
class ExpectedOrr:
    """The mean of ORR over all data sets with these statistics, off by `bound` at most.

    `deviation` is the standard deviation of ORR from one of these data sets to the next, to a few percent.
    `exact`: known without a sum, or summed in whole numbers.
    """

    orr: float
    bound: float
    deviation: float | None
    exact: bool


def expected_orr(avfm: Avfm) -> ExpectedOrr:
    """How much of a data set is re-identified if all that is known are the frequencies of its values?

    ORR = distinct rows / records (Definition 2), expected over independent, uniformly random orders of the
    columns: (1/n) Σ over combinations of values of P(some record holds it). Counted over records. A missing
    value is a value. Reference: Yang et al. 2020, Algorithm 1, whose average tends to this number.

    >>> equation_16 = [2, 3, 1], [3, 3], [2, 2, 2]
    >>> avfm = Avfm(("a", "b", "c"), tuple(numpy.array(column) for column in equation_16))
    >>> round(expected_orr(avfm).orr, 6)
    0.946667
    """
    records = avfm.records
    columns = [Histogram.of(column) for column in avfm.frequencies if len(column) > 1]
    values = [int(column.values.sum()) for column in columns]
    if len(columns) < 2 or max(values) == records:
        return ExpectedOrr(max(values, default=1) / records, 0.0, 0.0, exact=True)
    least, most = max(values), min(math.prod(values), records)
    distinct, bound, spread, exact = _distinct_rows(columns, records)
    orr = min(max(distinct, least), most) / records
    return ExpectedOrr(orr, min(bound, most - least) / records, spread / records, exact)


def _distinct_rows(columns: Sequence[Histogram], records: int) -> tuple[float, float, float, bool]:
    """The expected number of distinct rows, its bound, its standard deviation, and whether it is exact."""
    kinds = sum(len(column.values) for column in columns)
    orders = int(min(column.frequencies.max() for column in columns))
    work = orders * (kinds + 30) * (records + 64)
    if work > WORK:
        cells = ValueCombinations(columns, records)
        return cells.total(numpy.ones_like), cells.bound, deviation(cells), False
    pairs = [column.pairs() for column in columns]
    total = sum(_terms(pairs, records, orders))
    distinct = total / (1 << BITS)
    if work * orders > WORK:
        return distinct, distinct * ROUNDING, deviation(ValueCombinations(columns, records)), True
    square = total + sum(_pair_terms(pairs, records, orders)) - (total * total >> BITS)
    return distinct, distinct * ROUNDING, math.sqrt(max(square, 0) / (1 << BITS)), True


def _terms(columns: Sequence[Pairs], records: int, orders: int) -> Iterator[int]:
    """E[distinct rows] = Σ over r of (-1)^(r+1) Π_j (Σ over values of C(f,r)) / C(n,r)^(d-1)."""
    for r in range(1, orders + 1):
        ways = math.prod(sum(count * math.comb(f, r) for f, count in column) for column in columns)
        yield -((-1) ** r) * ((ways << BITS) // math.comb(records, r) ** (len(columns) - 1))


def _pair_terms(columns: Sequence[Pairs], records: int, orders: int) -> Iterator[int]:
    """E[pairs of distinct rows], in the same way over pairs of combinations that are not the same."""
    for r, q in product(range(1, orders + 1), repeat=2):
        same = [sum(count * math.comb(f, r + q) for f, count in column) for column in columns]
        different = [_different_pairs(column, r, q) for column in columns]
        ways = math.prod(a * math.comb(r + q, r) + b for a, b in zip(same, different, strict=True))
        ways -= math.prod(same) * math.comb(r + q, r) ** len(columns)
        if ways:
            each = math.comb(records, r) * math.comb(records - r, q)
            yield (-1) ** (r + q) * ((ways << BITS) // each ** (len(columns) - 1))


def _different_pairs(column: Pairs, r: int, q: int) -> int:
    """C(f,r) C(g,q) over all pairs of different values."""
    first, second, same = (
        sum(count * math.comb(f, left) * math.comb(f, right) for f, count in column)
        for left, right in ((r, 0), (0, q), (r, q))
    )
    return first * second - same


def deviation(cells: ValueCombinations) -> float:
    """The standard deviation of the number of distinct rows.

    Two combinations have records like independent ones but for the values they share: in a column where both
    have a value of frequency f, moments r and q are multiplied by
    C(f-r,q)/C(f,q) = Σ over k of (-1)^k C(r,k) C(q,k) / C(f,k), which adds to the variance
    Σ over k ≥ 1 of (-1)^k (expected combinations with that value that have exactly k records)^2 / C(f,k).
    All records count like one value, d-1 times with the opposite sign; there k = 1 is enough. A combination
    with itself has moments 2^r. Left out, and of order 1/n: k > MOST_ALIKE, and pairs alike in two columns.
    """
    alone = cells.total(lambda r: r)
    others = (len(cells.columns) - 1) / cells.records
    parts = [cells.total(lambda r: 2.0**r - 1), others * alone**2]
    alike = range(1, MOST_ALIKE + 1)
    ways = [(-1) ** k / numpy.where(cells.grid < k, math.inf, choose(cells.grid, k)) for k in alike]
    expected = cells.of_values([partial(choose, k=k) for k in alike])
    parts += [
        float((each**2 * ways * values).sum()) for values, each in zip(cells.values, expected, strict=True)
    ]
    return math.sqrt(max(math.fsum(parts), 0.0))


def choose(number: Any, k: int) -> Any:
    """C(number, k), of any number."""
    return math.prod((number - step) / (step + 1) for step in range(k))

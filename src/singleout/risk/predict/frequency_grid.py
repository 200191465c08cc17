"""Sums over all combinations of values of a table of which only each column's frequencies are known.

A combination of values that occur f_1 … f_d times is held by M of the n records once each column is shuffled.
Its factorial moments are exact, E[(M)_r] = (f_1)_r … (f_d)_r / (n)_r^(d-1), and P(M > 0) is their alternating
sum. Added up over all combinations each moment is a product of one sum a column, so that

    E[distinct rows] = Σ over r ≥ 1 of (-1)^(r+1) C(n,r) Π_j t_j(r),   t_j(r) = Σ over values of (f)_r / (n)_r

without a look at any combination. Those with a rare value (f ≤ RARE) end at r = RARE, and are summed so.
Where all values are frequent the terms are huge and cancel; their sum is instead the terms with r < LINE plus
the integral of -Γ(-s) (n)_s Π_j t_j(s) / 2πi along the line Re s = LINE (Nörlund and Rice): nothing cancels.
The trapezoidal rule of step 2π/period takes term r 1/(1 - e^(-period (r - LINE))) times; what that misses is
known, and put right. The frequencies of all columns lie on one grid, so that time hardly depends on n.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from operator import mul
from typing import Any, TypeVar

import numpy
from numpy.typing import NDArray

Reals = NDArray[numpy.float64]
Complexes = NDArray[numpy.complex128]
Factor = Callable[[Any], Any]
Part = TypeVar("Part")

RARE = 20
LINE = 1.9
HEIGHT = 20.0
PERIOD = 26.0
SINGLE = 96  # each frequency up to here is a point of the grid; from LEAST on, a factor e has STEPS points
LEAST, STEPS, STENCIL = 64.0, 16, 12
APART = numpy.array(
    [math.factorial(i) * math.factorial(STENCIL - 1 - i) * (-1.0) ** (i + 1) for i in range(STENCIL)]
)
STENCIL_ERROR = 5.6e-5  # of e^(sx) between the middle two of twelve points one apart, over |s|^12
FARTHEST = 700.0  # whose exponential is still a number
ROUNDING = 2.0**-49  # of each factor of a term, a few times what one operation loses


@dataclass(frozen=True, eq=False)
class Histogram:
    """A column: `values[i]` of its values occur `frequencies[i]` times each."""

    frequencies: Reals
    values: Reals

    @classmethod
    def of(cls, column: NDArray[numpy.int64]) -> Histogram:
        falling = column if (column[1:] <= column[:-1]).all() else numpy.sort(column)[::-1]
        ends = numpy.append(numpy.flatnonzero(falling[1:] != falling[:-1]), len(falling) - 1)
        return cls(falling[ends].astype(float), numpy.diff(ends, prepend=-1).astype(float))

    def pairs(self) -> list[tuple[int, int]]:
        """(frequency, values) in whole numbers."""
        return [(int(f), int(count)) for f, count in zip(self.frequencies, self.values, strict=True)]


@dataclass(frozen=True, eq=False)
class Terms:
    """Π_j t_j(r) for r = 1 … RARE over all combinations, over those of frequent values, and over the rest;
    and Π_j t_j(s) on the line over those of frequent values."""

    all: Reals | float = 1.0
    frequent: Reals | float = 1.0
    mixed: Reals | float = 0.0
    line: Complexes | float = 1.0

    def __mul__(self, other: Terms) -> Terms:
        """The rest is a sum of positive products: a difference of huge ones would lose it."""
        mixed = self.mixed * other.all + self.frequent * other.mixed
        return Terms(self.all * other.all, self.frequent * other.frequent, mixed, self.line * other.line)


@dataclass(frozen=True, eq=False)
class Line:
    """The points s, what each counts, and (f)_s / (n)_s for each frequent f of the grid."""

    points: Complexes
    kernel: Complexes
    powers: Complexes
    period: float

    @classmethod
    def of(cls, grid: Reals, records: int, likeliest: float) -> Line:
        """`likeliest`: the most records that any combination is expected to have."""
        period = max(PERIOD, math.log(max(likeliest, 1.0)) + 4)
        points = (LINE + 1j * numpy.arange(0, HEIGHT, 2 * math.pi / period)).astype(numpy.complex128)
        scale = log_falling(numpy.float64(max(records, RARE + 1)), points)
        kernel = numpy.exp(scale) * minus_gamma(points) * 2 / period
        kernel[0] /= 2
        return cls(points, kernel, numpy.exp(log_falling(grid[RARE:, None], points) - scale), period)

    def cut(self, sizes: Reals) -> Line:
        """Only as far as its terms, taken without their signs, get smaller: more would not help."""
        end = int(sizes.argmin()) + 1
        return Line(self.points[:end], self.kernel[:end], self.powers[:, :end], self.period)

    def missing(self, orders: Reals) -> Reals:
        """How often the trapezoidal rule does not take the term of an order."""
        result: Reals = 1 / (1 - numpy.exp(numpy.minimum(self.period * (orders - LINE), FARTHEST)))
        return result


class ValueCombinations:
    """All combinations of one value a column, ready to be summed over."""

    def __init__(self, columns: Sequence[Histogram], records: int) -> None:
        self.records = records
        shares = [float(column.frequencies.max()) / records for column in columns]
        self.grid = grid(max(shares) * records)
        self.values = numpy.array([grid_counts(column, len(self.grid)) for column in columns])
        line = Line.of(self.grid, records, records * math.prod(shares))
        sizes = matrix_product(self.values[:, RARE:], numpy.abs(line.powers)).clip(0).prod(axis=0)
        sizes *= numpy.abs(line.kernel)
        self.line = line.cut(sizes)
        self.sizes = sizes[: len(self.line.points)]
        self.orders = numpy.arange(1.0, RARE + 1)
        self.signed = numpy.cumprod((records + 1 - self.orders).clip(0) / self.orders)
        self.signed[1::2] *= -1
        self.missing = self.line.missing(self.orders)
        self.falling = falling_shares(self.grid, records)
        self.columns = [self._terms(*each) for each in zip(columns, self.values, strict=True)]
        self.product = reduce(mul, self.columns)

    def _terms(self, column: Histogram, values: Reals) -> Terms:
        """At whole orders by the very frequencies: the grid is for the line, where |s| is small."""
        falling = falling_shares(column.frequencies, self.records) * column.values
        rare = column.frequencies <= RARE
        frequent, mixed = falling[:, ~rare].sum(axis=1), falling[:, rare].sum(axis=1)
        return Terms(frequent + mixed, frequent, mixed, matrix_product(values[RARE:], self.line.powers))

    def total(self, factor: Factor) -> float:
        """The sum over r with term r multiplied by factor(r)."""
        orders = self._orders(self.product) * factor(self.orders)
        points = self.line.kernel * self.product.line * factor(self.line.points)
        return math.fsum([*orders.tolist(), *points.real.tolist()])

    def of_values(self, factors: Sequence[Factor]) -> Iterator[Reals]:
        """The same over the combinations with one value, by its frequency on the grid.

        A column at a time, with a row for each factor.
        """
        orders = numpy.array([factor(self.orders) for factor in factors])
        points = numpy.array([factor(self.line.points) for factor in factors]) * self.line.kernel
        for others in products_of_others(self.columns, Terms()):
            rare = matrix_product(orders * self.signed * others.all, self.falling[:, :RARE])
            frequent = matrix_product(orders * self._orders(others), self.falling[:, RARE:])
            line = matrix_product(points * others.line, self.line.powers.T).real
            yield numpy.concatenate([rare, frequent + line], axis=1)

    def _orders(self, terms: Terms) -> Reals:
        result: Reals = self.signed * (terms.mixed + self.missing * terms.frequent)
        return result

    @property
    def bound(self) -> float:
        """What the number of distinct rows may be off by.

        The end of the line, taken without signs; combinations too unlikely (below e^-period) for the
        trapezoidal rule; the interpolation on the grid; rounding.
        """
        end = float(self.sizes[-1]) * self.line.period / 2
        unlikely = 2 * self.records * math.exp(-self.line.period * (LINE - 1))
        interpolation = STENCIL_ERROR * (numpy.abs(self.line.points) / STEPS) ** STENCIL
        along = float((interpolation + ROUNDING) @ self.sizes)
        at_orders = ROUNDING * float(numpy.abs(self._orders(self.product)).sum())
        return end + unlikely + len(self.columns) * (along + at_orders)


def matrix_product(left: Any, right: Any) -> Any:
    """left @ right, but not by a BLAS with threads of its own: on a busy machine they wait for each other."""
    return numpy.einsum("...i,ij->...j", left, right)


def falling_shares(frequencies: Reals, records: int) -> Reals:
    """(f)_r / (n)_r for r = 1 … RARE, a row each."""
    steps = numpy.arange(RARE)[:, None]
    return numpy.cumprod((frequencies - steps).clip(0) / (records - steps).clip(1), axis=0)


def log_falling(frequency: Any, points: Complexes) -> Complexes:
    """log of (f)_s = Γ(f+1) / Γ(f+1-s) by Stirling's series, arranged so that a large f loses no digits."""
    above = frequency + 1
    rest = above - points
    bend = (rest - 0.5) * _log_one_minus(points / above)
    result: Complexes = points * (numpy.log(above) - 1) - bend + _stirling(1 / above) - _stirling(1 / rest)
    return result


def _log_one_minus(share: Complexes) -> Complexes:
    """numpy.log1p of a complex number rounds 1 - share first."""
    real = 0.5 * numpy.log1p(share.real * (share.real - 2) + share.imag**2)
    result: Complexes = real - 1j * numpy.arctan2(share.imag, 1 - share.real)
    return result


def _stirling(small: Any) -> Any:
    square = small * small
    return small * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680)))


def minus_gamma(points: Complexes) -> Complexes:
    """-Γ(-s), from where Stirling's series holds."""
    steps = numpy.arange(1, RARE + 1)[:, None]
    lifted = points * (1 - points / steps).prod(axis=0)
    result: Complexes = numpy.exp(-log_falling(numpy.float64(RARE), points)) / lifted
    return result


def grid(highest: float) -> Reals:
    count = math.ceil(STEPS * math.log(max(highest, SINGLE) / LEAST)) + STENCIL // 2 + 1
    steps = LEAST * numpy.exp(numpy.arange(count) / STEPS)
    return numpy.append(numpy.arange(1.0, SINGLE + 1), steps)


def grid_counts(column: Histogram, length: int) -> Reals:
    """How many values lie on each point; those between points are shared out as Lagrange interpolates."""
    single = column.frequencies <= SINGLE
    values = numpy.zeros(length)
    values[column.frequencies[single].astype(numpy.int64) - 1] = column.values[single]
    position = STEPS * numpy.log(column.frequencies[~single] / LEAST)
    first = position.astype(numpy.int64) - (STENCIL // 2 - 1)
    points = first + numpy.arange(SINGLE, SINGLE + STENCIL)[:, None]
    shares = _lagrange(position - first) * column.values[~single]
    return values + numpy.bincount(points.ravel(), shares.ravel(), length)


def _lagrange(position: Reals) -> Reals:
    """What each of the points 0 … STENCIL-1 weighs in the polynomial through them, at a place between."""
    steps = position - numpy.arange(STENCIL)[:, None]
    before, after = numpy.ones_like(steps), numpy.ones_like(steps)
    numpy.cumprod(steps[:-1], axis=0, out=before[1:])
    numpy.cumprod(steps[:0:-1], axis=0, out=after[-2::-1])
    result: Reals = before * after / APART[:, None]
    return result


def products_of_others(parts: Sequence[Part], one: Part) -> Iterator[Part]:
    """The product of all parts but one, for each of them in turn."""
    before = accumulate(parts[:-1], mul, initial=one)
    after = [*accumulate(parts[:0:-1], mul, initial=one)][::-1]
    return map(mul, before, after)

"""What a step leaves for an intruder who knows the recipe and the original, but no draw and no key."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy
from numpy.typing import NDArray

Floats = NDArray[numpy.float64]
Codes = NDArray[numpy.int64]
What = Literal["values", "cells", "records", "columns"]
Reach = Literal["record", "person", "table"]

# what a quotient may be off by, as a share of it, for its numbers are not exact in binary digits
ROUNDING = 1e-12


@dataclass(frozen=True)
class Replayed:
    """Nothing is drawn and nothing is secret: the intruder runs the very same step on the original.

    `what` says what the step changes, values, or leaves out: single cells, which are missing then or hold the
    `mark`, records or columns. `reach` says on which records it depends what becomes of one: on itself alone,
    on all of its person, or on all of the table. With `joint` it depends on all columns of the step together,
    else each column is changed by itself.
    """

    what: What = "values"
    reach: Reach = "record"
    joint: bool = False
    mark: str | None = None


@dataclass(frozen=True)
class Moved:
    """Each number x, or date, is moved by e of a known distribution; by x · e where it is `relative`.

    The `distribution` is uniform, normal, laplace or triangular, with `size` as half its width, its standard
    deviation, its scale, or how far it goes; or days, so many at most and all alike. What comes out is kept
    within `at_least` and `at_most`. `per` is record, or person if all records of a person have the same e.
    """

    distribution: str
    size: float
    relative: bool = False
    per: str = "record"
    at_least: float | None = None
    at_most: float | None = None

    @property
    def farthest(self) -> float:
        """How far a value can move, as a share of it where `relative`; there may be no end."""
        return math.inf if self.distribution in ("normal", "laplace") else float(self.size)

    def probability(self, original: Floats, released: Floats, digit: float) -> Floats:
        """Of each released number, given the original one, if it is rounded to multiples of `digit`.

        Dates are numbers of days. A triangular move, which rounding by chance is, goes to multiples of its
        size and needs no digit.

        >>> likely = Moved("uniform", 2.0).probability(numpy.array([5.0, 5.0]), numpy.array([6.0, 9.0]), 1.0)
        >>> likely.round(9).tolist()
        [0.2, 0.0]
        >>> Moved("days", 2).probability(numpy.array([5.0]), numpy.array([3.0]), 1.0).tolist()
        [0.2]
        """
        moved = numpy.asarray(released - original, dtype=numpy.float64)
        if self.distribution == "days":
            return numpy.where(numpy.abs(moved) <= self.size, 1.0 / (2 * self.size + 1), 0.0)
        if self.distribution == "triangular":
            return numpy.maximum(0.0, 1.0 - numpy.abs(moved) / self.size)
        scale = self._scale(original, digit)
        low = _share_below(self.distribution, moved - digit / 2, scale)
        high = _share_below(self.distribution, moved + digit / 2, scale)
        if self.at_least is not None:
            low = numpy.where(released - digit / 2 < self.at_least, 0.0, low)
        if self.at_most is not None:
            high = numpy.where(released + digit / 2 > self.at_most, 1.0, high)
        return numpy.maximum(high - low, 0.0)

    def _scale(self, original: Floats, digit: float) -> Floats:
        if self.relative:
            return self.size * numpy.abs(original)
        size = float(self.size)
        if self.distribution == "uniform" and digit > 0:
            # an amount is drawn in whole digits: each of 2n + 1 is as wide as any other
            size = (math.floor(size / digit * (1 + ROUNDING)) + 0.5) * digit
        return numpy.full(len(original), size)


def _share_below(distribution: str, moved: Floats, scale: Floats) -> Floats:
    """The share of draws below some numbers; where the scale is 0 nothing moves."""
    parts = moved / numpy.where(scale > 0, scale, 1.0)
    if distribution == "uniform":
        shares = numpy.clip((parts + 1) / 2, 0.0, 1.0)
    elif distribution == "laplace":
        tail = numpy.exp(-numpy.abs(parts)) / 2
        shares = numpy.where(parts < 0, tail, 1 - tail)
    else:
        from scipy.special import ndtr

        shares = ndtr(parts)
    below: Floats = numpy.where(scale > 0, shares, (moved > 0).astype(numpy.float64))
    return below


@dataclass(frozen=True)
class Redrawn:
    """Each value stays with probability `keep`; else one of the column's values is drawn in its place.

    They are drawn `by` frequency, or uniform: all alike; the old one is not among them where `another` is
    true. `per` is record, or person if all records of a person share the draw.
    """

    keep: float
    by: str
    another: bool = True
    per: str = "record"

    def probability(self, original: Codes, released: Codes, records: Codes) -> Floats:
        """Of each released value, given the original one; `records` is how many have each value.

        >>> Redrawn(0.5, "frequency").probability(
        ...     numpy.array([0, 0, 1]), numpy.array([0, 1, 0]), numpy.array([1, 1, 2])
        ... ).tolist()
        [0.5, 0.16666666666666666, 0.16666666666666666]
        """
        if len(records) < 2:
            return numpy.where(original == released, 1.0, 0.0)
        weights = numpy.ones(len(records)) if self.by == "uniform" else records.astype(numpy.float64)
        among = weights.sum() - weights[original] if self.another else weights.sum()
        drawn: Floats = (1 - self.keep) * weights[released] / among
        kept = numpy.where(original == released, self.keep, 0.0)
        return kept + numpy.where((original == released) & self.another, 0.0, drawn)


@dataclass(frozen=True)
class Exchanged:
    """Values are exchanged between pairs of records, so that a column keeps exactly the values it has.

    With `within` each column by itself, between values whose ranks are at most this share of all apart; with
    `share` this share of the records, all columns together, between records that are alike in `same`.
    """

    within: float | None = None
    share: float | None = None
    same: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shifted:
    """All dates of a person are moved by one secret number of days, from −days to days, all alike."""

    days: int
    never_zero: bool = False


@dataclass(frozen=True)
class Renamed:
    """Each different value of a column has a secret name in its place, and no two have the same.

    `keyed` names are the same in every release that is made with the same key.
    """

    keyed: bool = False


@dataclass(frozen=True)
class Thinned:
    """Some are left out by chance: `what` is people, with all their records, or records.

    A `share` or a `number` of them is kept, or so many records `of_each` person at most.
    """

    what: str
    share: float | None = None
    number: int | None = None
    of_each: int | None = None

    def number_left(self, records_of_each: Codes) -> int:
        """How many are left of people who have so many records each, which is not drawn.

        >>> Thinned("people", share=0.5).number_left(numpy.array([2, 0, 1, 4, 1, 1]))
        3
        """
        if self.of_each is not None:
            return int(numpy.minimum(records_of_each, self.of_each).sum())
        every = numpy.count_nonzero(records_of_each) if self.what == "people" else records_of_each.sum()
        return self.number if self.number is not None else rounded_share(self.share or 0, int(every))


def rounded_share(share: float, every: int) -> int:
    """To the nearest whole number, a half up."""
    return math.floor(Fraction(str(share)) * every + Fraction(1, 2))


@dataclass(frozen=True)
class Blanked:
    """Some values, which ones is not told, are missing or hold the `mark` in their place."""

    mark: str | None = None


@dataclass(frozen=True)
class Added:
    """Dummy records are added: a person gets one of each of some values of `item` that they lack.

    All that the person has stays as it is.
    """

    item: str


Trace = Replayed | Moved | Redrawn | Exchanged | Shifted | Renamed | Thinned | Blanked | Added

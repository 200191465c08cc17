"""Which values of a column fit a known one: its distinct values in order, and for each a stretch of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.errors import InputError
from singleout.roles.dates_and_times import seconds_of
from singleout.roles.hierarchies.level_rules import EXACT, NUMBER
from singleout.roles.known_column import KnownColumn

Ranks = NDArray[numpy.int64]
Whole = list[int]
# below, sums of two such numbers stay in 64 bits
MOST = 1 << 62


@dataclass(frozen=True, eq=False)
class FittingValues:
    """For each value of a column its rank, and the ranks low … high−1 of the values that fit if it is known.

    Values that are equal at the granularity share a rank, below `count`.
    """

    rank: Ranks
    low: Ranks
    high: Ranks
    count: int

    @property
    def exact(self) -> bool:
        """Whether no value fits but the known one."""
        return bool((self.high - self.low == 1).all())


def fitting_values(column: KnownColumn, values: Sequence[str | None]) -> FittingValues:
    """Which values fit if one is known?

    r fits k if both, cut to the granularity, are equal or |r − k| is within the tolerance, a percentage being
    one of |k|. Computed in whole numbers: decimals are exact. A missing value fits a missing one only, and
    has the last rank. Times of day end at midnight: 23:59 and 00:01 are not two minutes apart.

    >>> found = fitting_values(KnownColumn("price", tolerance="5%"), ["1.00", "1.05", None, "1.06"])
    >>> found.rank.tolist(), found.low.tolist(), found.high.tolist()
    ([0, 1, 3, 2], [0, 0, 3, 1], [2, 3, 4, 3])
    """
    here = numpy.array([value is not None for value in values], dtype=numpy.bool_)
    filled = [value for value in values if value is not None]
    if column.kind == "text":
        numbers, reach = _texts(column, filled)
    else:
        numbers, reach = _times(column, filled) if column.kind == "time" else _amounts(column, filled)
    # beyond 64 bits numpy compares Python's own whole numbers, as exactly
    small = max(map(abs, numbers), default=0) + max(reach, default=0) < MOST
    return _rank_values(
        here, *(numpy.array(each, dtype=numpy.int64 if small else object) for each in (numbers, reach))
    )


def _rank_values(here: NDArray[numpy.bool_], numbers: NDArray[Any], reach: NDArray[Any]) -> FittingValues:
    distinct = numpy.unique(numbers)
    ranks = numpy.empty((3, len(here)), dtype=numpy.int64)
    ranks[:, ~here] = [[len(distinct)], [len(distinct)], [len(distinct) + 1]]
    ranks[0, here] = numpy.searchsorted(distinct, numbers)
    ranks[1, here] = numpy.searchsorted(distinct, numbers - reach)
    ranks[2, here] = numpy.searchsorted(distinct, numbers + reach, side="right")
    return FittingValues(ranks[0], ranks[1], ranks[2], len(distinct) + 1)


def _texts(column: KnownColumn, texts: list[str]) -> tuple[Whole, Whole]:
    cut = [text[: column.first] for text in texts]
    rank = {text: rank for rank, text in enumerate(sorted(set(cut)))}
    return [rank[text] for text in cut], [0] * len(cut)


def _times(column: KnownColumn, texts: list[str]) -> tuple[Whole, Whole]:
    width = int(column.margin.amount) if column.margin else 0
    return seconds_of(column, texts), [width] * len(texts)


def _amounts(column: KnownColumn, texts: list[str]) -> tuple[Whole, Whole]:
    """In units of the last decimal place that occurs."""
    numbers = _decimals(column, texts)
    margin = column.margin
    width = margin.amount if margin else Decimal(0)
    digits = max((_fraction_digits(each) for each in (*numbers, width, column.step or width)), default=0)
    step = _whole_units(column.step, digits) if column.step else 1
    whole = [_whole_units(each, digits) // step * step for each in numbers]
    scaled_width = _whole_units(width, digits)
    if margin and margin.percent:
        every = 100 * 10**digits
        return whole, [abs(each) * scaled_width // every for each in whole]
    return whole, [scaled_width] * len(whole)


def _decimals(column: KnownColumn, texts: list[str]) -> list[Decimal]:
    unfit = sum(not NUMBER.fullmatch(text) for text in texts)
    if unfit:
        raise InputError(
            f"column {column.name!r}: {unfit:,} of its {len(texts):,} different values can't be read as "
            "numbers; write all like 35 or 2.5, or know them as they are or by their 'first N' characters"
        )
    return [Decimal(text.strip()) for text in texts]


def _fraction_digits(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _whole_units(number: Decimal, digits: int) -> int:
    return int(EXACT.scaleb(number, digits))

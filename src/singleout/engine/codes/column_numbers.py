"""What the texts of a column are as numbers: exact where whole numbers of 64 bits can hold them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy
from numpy.typing import NDArray

from singleout.errors import InputError
from singleout.roles.dates_and_times import moment

Kind = Literal["number", "time", "category"]
Value = str | None
Whole = NDArray[numpy.int64]
Numbers = NDArray[numpy.int64] | NDArray[numpy.float64]
Read = TypeVar("Read")

NUMBER = re.compile(r"\s*([+-]?)([0-9]{0,400})(?:\.([0-9]{0,400}))?(?:[eE]([+-]?[0-9]{1,3}))?\s*")
MOST_DECIMALS = 18
MOST_WHOLE = 2**63 - 1


@dataclass(frozen=True, eq=False)
class ExactNumbers:
    """An entry for each value, counted in steps of 10 to the power −decimals; a missing one counts as 0.

    Whole numbers where they fit, so that sums and differences are exact; else the nearest float64.
    """

    numbers: Numbers
    missing: NDArray[numpy.bool_]
    decimals: int = 0

    @property
    def exact(self) -> bool:
        return self.numbers.dtype.kind == "i"


def kind_of(values: Iterable[Value]) -> Kind:
    """Whether a column's values are all numbers, all dates or all times of day, or else categories.

    >>> kind_of(["12", "2.50", None]), kind_of(["2011-01-31", "2011/02/01 08:26"]), kind_of(["12", "a"])
    ('number', 'time', 'category')
    """
    texts = [value for value in values if value is not None]
    if texts and all(_digits(text) is not None for text in texts):
        return "number"
    moments = [moment(text) for text in texts]
    kinds = {each and each.of_day for each in moments}
    return "time" if len(kinds) == 1 and None not in kinds else "category"


def amounts_of(column: str, values: Sequence[Value], most: int | None = None) -> ExactNumbers:
    """The numbers that a column's values are, scaled by its largest number of decimals.

    With `most` they are rounded to as many decimals as stay within it: 0.45999999999999996 is 0.46 then.

    >>> prices = amounts_of("price", ["2.5", "10", None, "0.25"])
    >>> prices.numbers.tolist(), prices.decimals
    ([250, 1000, 0, 25], 2)
    """
    read = _read_values(column, values, _digits, "numbers", "35 or 2.5")
    missing = numpy.array([each is None for each in read], dtype=numpy.bool_)
    digits = [each or (0, 0) for each in read]
    decimals = max((-power for _, power in digits if power < 0), default=0)
    for kept in range(min(decimals, MOST_DECIMALS), -1, -1) if most or decimals <= MOST_DECIMALS else ():
        whole = [_whole_number(number, power + kept) for number, power in digits]
        if max(map(abs, whole), default=0) <= (most or MOST_WHOLE):
            return ExactNumbers(numpy.array(whole, dtype=numpy.int64), missing, kept)
        if most is None:
            break
    return ExactNumbers(numpy.array([float(value or 0) for value in values]), missing)


def seconds_of(column: str, values: Sequence[Value]) -> ExactNumbers:
    """Dates, with or without a time, as seconds since the first day of all, or times of day since midnight.

    >>> numbers = seconds_of("when", ["1970-01-02", "1970/01/01 00:01"]).numbers
    >>> int(numbers[0] - numbers[1])
    86340
    >>> seconds_of("at", ["08:26", "08:26:30"]).numbers.tolist()
    [30360, 30390]
    """
    read = _read_values(column, values, moment, "times", "2011-01-31 or 2011-01-31 08:26, or all like 08:26")
    missing = numpy.array([each is None for each in read], dtype=numpy.bool_)
    return ExactNumbers(numpy.array([each.seconds if each else 0 for each in read], numpy.int64), missing)


def _read_values(
    column: str, values: Sequence[Value], reader: Callable[[str], Read | None], kind: str, right: str
) -> list[Read | None]:
    read = [None if value is None else reader(value) for value in values]
    unfit = sum(value is not None and each is None for value, each in zip(values, read, strict=True))
    if unfit:
        filled = sum(value is not None for value in values)
        raise InputError(
            f"column {column!r}: {unfit:,} of its {filled:,} different values are no {kind}; "
            f"write all like {right}, or name another column"
        )
    return read


def _whole_number(digits: int, power: int) -> int:
    """digits · 10^power as a whole number, rounded to the nearest, a half away from 0."""
    if power >= 0:
        return digits * int(10**power)
    step = int(10**-power)
    return (abs(digits) * 2 + step) // (2 * step) * (1 if digits > 0 else -1)


def _digits(text: str) -> tuple[int, int] | None:
    """A number as whole digits and a power of ten; None for what is no number, or too large for any."""
    found = NUMBER.fullmatch(text)
    if not found or not (found[2] or found[3]):
        return None
    fraction = (found[3] or "").rstrip("0")
    digits = int(found[1] + (found[2] + fraction or "0"))
    power = int(found[4] or 0) - len(fraction)
    return (digits, power) if power <= 0 or math.isfinite(float(text)) else None

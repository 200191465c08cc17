"""Numbers, intervals and rounded numbers in the writings that are met."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from singleout.roles.hierarchies.level_rules import NUMBER

NUMERAL = r"\s*([+-]?[0-9]+(?:\.[0-9]+)?)\s*"
BRACKETS = re.compile(r"([\[\](])" + NUMERAL + r"[,;:]" + NUMERAL + r"([\[\])])")
DASH = re.compile(NUMERAL + r"(?:-|–|\.\.|to)" + NUMERAL)
ABOVE = re.compile(r"(>=|≥|>)" + NUMERAL)
BELOW = re.compile(r"(<=|≤|<)" + NUMERAL)
PLUS = re.compile(NUMERAL + r"\+")
HOWS = ("nearest", "down", "up")
MOST_DIGITS = 9
INFINITE = Decimal("Infinity")


class NumberForm(NamedTuple):
    """The numbers from `low` to `high`, without these themselves where they are open."""

    low: Decimal
    high: Decimal
    low_open: bool = False
    high_open: bool = False

    @property
    def width(self) -> Decimal:
        return self.high - self.low

    @property
    def words(self) -> str:
        low, high = ("above" if self.low_open else "from"), ("below" if self.high_open else "to")
        return f"{low} {self.low} {high} {self.high}"

    def contains(self, other: NumberForm) -> bool:
        return _reaches(self.low, self.low_open, other.low, other.low_open) and _reaches(
            -self.high, self.high_open, -other.high, other.high_open
        )


def _reaches(end: Decimal, is_open: bool, other: Decimal, other_open: bool) -> bool:
    """Whether an interval with this lower end reaches as far down as one with the other."""
    return other > end or (other == end and (other_open or not is_open))


def number_of(text: str) -> Decimal | None:
    return Decimal(text.strip()) if NUMBER.fullmatch(text) else None


def number_form(text: str) -> NumberForm | None:
    """The interval that a text is, in the writings of ARX, sdcMicro, pandas and our own; a number is one too.

    >>> [number_form(each).width for each in ("30-39", "[30, 40[", "(30, 40]", "7")]
    [Decimal('9'), Decimal('10'), Decimal('10'), Decimal('0')]
    >>> number_form(">=65").low_open, number_form("<20").high_open, number_form("many")
    (False, True, None)
    """
    number = number_of(text)
    if number is not None:
        return NumberForm(number, number)
    if found := BRACKETS.fullmatch(text.strip()):
        low, high = Decimal(found[2]), Decimal(found[3])
        return NumberForm(low, high, found[1] in "(]", found[4] in ")[") if low <= high else None
    if found := DASH.fullmatch(text):
        low, high = Decimal(found[1]), Decimal(found[2])
        return NumberForm(low, high) if low <= high else None
    if found := ABOVE.fullmatch(text.strip()):
        return NumberForm(Decimal(found[2]), INFINITE, found[1] == ">")
    if found := BELOW.fullmatch(text.strip()):
        return NumberForm(-INFINITE, Decimal(found[2]), False, found[1] == "<")
    found = PLUS.fullmatch(text)
    return NumberForm(Decimal(found[1]), INFINITE) if found else None


class RoundedNumbers(NamedTuple):
    """Numbers as multiples of a `step`, cut off at the ends, in units of 10^−digits."""

    step: int
    how: str
    digits: int
    least: int
    most: int

    @property
    def words(self) -> str:
        if self.step == 1:
            return "cut off at the ends"
        return f"multiples of {Decimal(self.step).scaleb(-self.digits).normalize():f}, {self.how}"

    def label(self, number: Decimal) -> str:
        """
        >>> [RoundedNumbers(5, how, 0, 20, 80).label(Decimal(37)) for how in HOWS]
        ['35', '35', '40']
        """
        whole = int(number.scaleb(self.digits).to_integral_value())
        down = whole // self.step
        if self.how == "nearest":
            sign = -1 if whole < 0 else 1
            down = sign * ((2 * abs(whole) + self.step) // (2 * self.step))
        elif self.how == "up":
            down = -(-whole // self.step)
        return f"{Decimal(min(max(down * self.step, self.least), self.most)).scaleb(-self.digits):f}"


def roundings(coarse: Sequence[Decimal], fine: Sequence[Decimal]) -> Iterator[RoundedNumbers]:
    """How numbers may have been rounded and cut off, by the step that all, or all but the ends, follow.

    >>> [each.words for each in roundings([Decimal(35), Decimal(40)], [Decimal(37), Decimal(41)])][0]
    'multiples of 5, nearest'
    """
    digits = max((_fraction_digits(each) for each in (*coarse, *fine)), default=0)
    whole = sorted({int(each.scaleb(digits)) for each in coarse}) if digits <= MOST_DIGITS else []
    if len(whole) < 2:
        return
    for step in dict.fromkeys((math.gcd(*whole), math.gcd(*whole[1:-1]))):
        if step > 0:
            for how in HOWS if step > 1 else HOWS[:1]:
                yield RoundedNumbers(step, how, digits, whole[0], whole[-1])


def _fraction_digits(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0

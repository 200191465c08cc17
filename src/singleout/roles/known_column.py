"""What an attacker knows of a column: how coarsely, and within which margin of the right value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from singleout.errors import UsageError
from singleout.read.costs import FIRST, UNITS

AMOUNT = r"([0-9]{1,12}(?:\.[0-9]{1,12})?|\.[0-9]{1,12})"
ROUND = re.compile(rf"round {AMOUNT}")
PERCENT = re.compile(rf"{AMOUNT} ?%")
NUMBER = re.compile(AMOUNT)
SPAN = re.compile(r"([0-9]{1,9}) (second|minute|hour|day)s?")
SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}

Kind = Literal["text", "time", "number"]


@dataclass(frozen=True)
class Margin:
    """How far a value may be from the known one: in seconds, in a number's own unit, or in percent of it."""

    kind: Kind
    amount: Decimal
    percent: bool = False


@dataclass(frozen=True)
class KnownColumn:
    """A column that an attacker knows, cut to a granularity first, then compared within a tolerance.

    granularity: 'year' … 'second' of dates and times, 'first N' characters of a text, numbers rounded down to
    a multiple of X by 'round X'; None is the value as it is. tolerance: '1 day', '2 hours', '30 minutes' or
    '15 seconds' either way, '5%' of the known value, '0.5' as a number; None is none.

    >>> KnownColumn("date", "month").words, KnownColumn("price", tolerance="5%").words
    ('date (to the month)', 'price (± 5%)')
    >>> KnownColumn("goods", "first 3", "1 day")
    Traceback (most recent call last):
    singleout.errors.UsageError: column 'goods': known at 'first 3', it has no tolerance of '1 day'; leave \
one of them out
    """

    name: str
    granularity: str | None = None
    tolerance: str | None = None

    def __post_init__(self) -> None:
        faults = self._faults_of_type() or [*self._faults_of_granularity(), *self._faults_of_tolerance()]
        if not faults and self.margin and self.cut_as not in (None, self.margin.kind):
            faults.append(
                f"known at {self.granularity!r}, it has no tolerance of {self.tolerance!r}; "
                f"{GOES_WITH.get(self.cut_as, 'leave one of them out')}"
            )
        if faults:
            raise UsageError(f"column {self.name!r}: {'; '.join(faults)}")

    @property
    def unit(self) -> str | None:
        """The unit that times are cut to."""
        return self.granularity if self.granularity in UNITS else None

    @property
    def first(self) -> int | None:
        """How many characters are kept."""
        return _number_in(FIRST, self.granularity)

    @property
    def step(self) -> Decimal | None:
        """What numbers are rounded down to a multiple of."""
        found = ROUND.fullmatch(self.granularity or "")
        return Decimal(found[1]) if found else None

    @property
    def margin(self) -> Margin | None:
        text = self.tolerance or ""
        if span := SPAN.fullmatch(text):
            return Margin("time", Decimal(int(span[1]) * SECONDS[span[2]]))
        if percent := PERCENT.fullmatch(text):
            return Margin("number", Decimal(percent[1]), percent=True)
        return Margin("number", Decimal(text)) if NUMBER.fullmatch(text) else None

    @property
    def cut_as(self) -> Kind | None:
        """What the granularity takes the values for."""
        if self.granularity is None:
            return None
        return "time" if self.unit else "number" if self.step else "text"

    @property
    def kind(self) -> Kind:
        """What all values must be."""
        return self.margin.kind if self.margin else self.cut_as or "text"

    def is_finer(self, other: KnownColumn) -> bool:
        """Whether it surely tells all that the other tells: the same, or units of time within its units."""
        if self.tolerance != other.tolerance:
            return False
        if self.unit and other.unit:
            return UNITS.index(self.unit) >= UNITS.index(other.unit)
        return self.granularity in (None, other.granularity)

    @property
    def words(self) -> str:
        """The column for people."""
        parts = [self._words_of_granularity(), self.tolerance and f"± {self.tolerance}"]
        said = ", ".join(part for part in parts if part)
        return f"{self.name} ({said})" if said else self.name

    def _words_of_granularity(self) -> str | None:
        if self.unit:
            return f"to the {self.unit}"
        if self.first:
            return "first character" if self.first == 1 else f"first {self.first} characters"
        return f"in steps of {self.step}" if self.step else None

    def _faults_of_type(self) -> list[str]:
        given: dict[str, Any] = {"granularity": self.granularity, "tolerance": self.tolerance}
        odd = {what: text for what, text in given.items() if not isinstance(text, str | None)}
        return [f"{text!r} is no {what}; write it as a text" for what, text in odd.items()]

    def _faults_of_granularity(self) -> list[str]:
        if self.granularity is None or self.unit or self.first or self.step:
            return []
        units = ", ".join(map(repr, UNITS))
        return [f"{self.granularity!r} is no granularity; write {units}, 'first 3' or 'round 10'"]

    def _faults_of_tolerance(self) -> list[str]:
        if self.tolerance is None or self.margin:
            return []
        return [f"{self.tolerance!r} is no tolerance; write '1 day', '2 hours', '30 minutes', '5%' or '0.5'"]


GOES_WITH: dict[Kind | None, str] = {
    "time": "take one like '1 day' or '30 minutes'",
    "number": "take one like '5%' or '0.5'",
}


def _number_in(pattern: re.Pattern[str], text: str | None) -> int | None:
    found = pattern.fullmatch(text or "")
    return int(found[1]) if found else None

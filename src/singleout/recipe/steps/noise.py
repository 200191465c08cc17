"""Noise: numbers, dates and categories that are moved by chance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

import numpy
import pyarrow

from singleout.checks import is_number
from singleout.errors import UsageError
from singleout.recipe.record_table import RecordTable
from singleout.recipe.steps.day_columns import FIRST_DAY, LAST_DAY, days_of
from singleout.recipe.steps.distinct_values import change_columns, distinct_values_of
from singleout.recipe.steps.field_checks import (
    choice_mistakes,
    freeze,
    names_mistakes,
    number_mistakes,
    one_of_mistakes,
    only_with_mistakes,
    refuse,
    share_mistakes,
    whole_mistakes,
)
from singleout.recipe.steps.number_columns import MOST_DECIMALS, Floats, Numbers, numbers_of
from singleout.recipe.steps.step import Change
from singleout.recipe.trace import Moved, Redrawn

DISTRIBUTIONS = ("uniform", "normal", "laplace")
PERS = ("record", "person")
MOST_STEPS = 2**53
MOST_DAYS = LAST_DAY - FIRST_DAY


@dataclass(frozen=True)
class Noise:
    """Move each value of the columns by chance, in one of four ways (Anon1 of Ito et al. n.d.).

    `amount` a: a number x becomes x + e, `share` s: x · (1 + e), with e uniform on [−a, a], or `normal` or
    `laplace` with a as standard deviation or scale; it is rounded to the column's own decimals, whole numbers
    to whole ones, and kept within `at_least` and `at_most`. `days` d: dates move by −d … d whole days, all
    equally likely. `chance` p: with this probability a value becomes any of the column's different values,
    all equally likely. `per` person: one draw for all records of a person. Missing values stay missing.

    >>> Noise(("price",), amount=1, days=2)
    Traceback (most recent call last):
    singleout.errors.UsageError: give one of amount, share, days, chance, not amount and days
    """

    step: ClassVar[str] = "noise"
    columns: tuple[str, ...]
    amount: float | None = None
    share: float | None = None
    days: int | None = None
    chance: float | None = None
    distribution: str = "uniform"
    per: str = "record"
    at_least: float | None = None
    at_most: float | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", freeze(self.columns))
        refuse(
            names_mistakes("columns", self.columns),
            number_mistakes("amount", self.amount, above=0),
            number_mistakes("share", self.share, above=0),
            whole_mistakes("days", self.days, least=1) or self._days_mistakes(),
            share_mistakes("chance", self.chance),
            one_of_mistakes(self._kinds),
            choice_mistakes("distribution", self.distribution, DISTRIBUTIONS),
            choice_mistakes("per", self.per, PERS),
            self._limit_mistakes(),
            whole_mistakes("seed", self.seed),
        )

    @property
    def trace(self) -> Moved | Redrawn:
        if self.chance is not None:
            return Redrawn(1 - float(self.chance), "uniform", another=False, per=self.per)
        if self.days is not None:
            return Moved("days", self.days, per=self.per)
        relative = self.share is not None
        return Moved(self.distribution, float(self._scale), relative, self.per, self.at_least, self.at_most)

    def apply(self, records: RecordTable, draw: numpy.random.Generator) -> Change:
        found, changed = change_columns(records, self.columns, partial(self._move_column, records, draw))
        remarks = (self._amount_remark(name, records.column(name)) for name in self.columns)
        return Change(found, changed, "values", self._how, tuple(each for each in remarks if each))

    @property
    def _kinds(self) -> dict[str, Any]:
        return {"amount": self.amount, "share": self.share, "days": self.days, "chance": self.chance}

    @property
    def _how(self) -> str:
        kind, size = next((kind, size) for kind, size in self._kinds.items() if size is not None)
        spread = f", {self.distribution}" if kind in ("amount", "share") else ""
        return f"noise ({kind} {size}{spread}), drawn per {self.per}"

    def _move_column(
        self, records: RecordTable, draw: numpy.random.Generator, name: str, column: pyarrow.Array
    ) -> pyarrow.Array:
        of_people = self.per == "person"
        size = records.people if of_people else len(records)
        drawn_for = records.person if of_people else numpy.arange(size)
        if self.days is not None:
            days = days_of(name, column)
            return days.as_column(
                days.values + draw.integers(-self.days, self.days, size, endpoint=True)[drawn_for]
            )
        if self.chance is not None:
            return self._recode(name, column, draw.random(size)[drawn_for], draw.random(size)[drawn_for])
        numbers = numbers_of(name, column)
        with numpy.errstate(over="ignore"):
            new = self._sums(numbers, self._draw_noise(numbers, size, draw)[drawn_for])
        low, high = self._limits(name, numbers)
        return numbers.as_column(numpy.clip(new, low, high))

    def _recode(self, name: str, column: pyarrow.Array, coin: Floats, which: Floats) -> pyarrow.Array:
        """Where the coin is below the chance, the value that `which`, from 0 to 1, points at."""
        assert self.chance is not None
        different = distinct_values_of(name, column)
        other = (which * len(different.values)).astype(numpy.int64)
        codes = numpy.where(coin < self.chance, other, different.codes)
        return different.values.take(pyarrow.array(codes, mask=different.missing))

    def _draw_noise(self, numbers: Numbers, size: int, draw: numpy.random.Generator) -> Floats:
        if self.distribution == "normal":
            return float(self._scale) * draw.standard_normal(size)
        if self.distribution == "laplace":
            return draw.laplace(0.0, float(self._scale), size)
        steps = self._steps(numbers)
        if steps is None:
            return float(self._scale) * draw.uniform(-1.0, 1.0, size)
        return draw.integers(-steps, steps, size, endpoint=True) / 10.0**numbers.decimals

    @property
    def _scale(self) -> float:
        scale = self.share if self.amount is None else self.amount
        assert scale is not None
        return scale

    def _steps(self, numbers: Numbers) -> int | None:
        """How many steps of the column's last decimal an amount has; None if it has no such steps."""
        if self.amount is None or numbers.decimals >= MOST_DECIMALS:
            return None
        steps = math.floor(Fraction(str(self.amount)) * 10**numbers.decimals)
        return steps if steps < MOST_STEPS else None

    def _sums(self, numbers: Numbers, drawn: Floats) -> Floats:
        return numbers.values + (drawn if self.share is None else numbers.values * drawn)

    def _limits(self, name: str, numbers: Numbers) -> tuple[float, float]:
        """The least and the most, in steps of the column's last decimal: they hold also after rounding."""
        step = 10**numbers.decimals
        if numbers.decimals >= MOST_DECIMALS:
            low, high = self.at_least, self.at_most
        else:
            # of the limits as they are written: 1.1 · 100 is 110, which it is not in binary digits
            low = None if self.at_least is None else math.ceil(Fraction(str(self.at_least)) * step) / step
            high = None if self.at_most is None else math.floor(Fraction(str(self.at_most)) * step) / step
        if low is not None and high is not None and low > high:
            raise UsageError(
                f"column {name!r}: no number of {numbers.decimals} decimals, as it has, is from "
                f"{self.at_least} to {self.at_most}; set at_least and at_most farther apart"
            )
        return -math.inf if low is None else float(low), math.inf if high is None else float(high)

    def _amount_remark(self, name: str, column: pyarrow.Array) -> str | None:
        if (
            self.amount is None
            or self.distribution != "uniform"
            or self._steps(numbers_of(name, column)) != 0
        ):
            return None
        return f"column {name!r}: an amount of {self.amount} is below its last digit and changes nothing"

    def _days_mistakes(self) -> list[str]:
        if self.days is None or self.days <= MOST_DAYS:
            return []
        return [f"days: the calendar has no more than {MOST_DAYS:,} to move by; write fewer"]

    def _limit_mistakes(self) -> list[str]:
        limits = {"at_least": self.at_least, "at_most": self.at_most}
        of_numbers = self.amount is not None or self.share is not None
        if not of_numbers:
            spread = None if self.distribution == "uniform" else self.distribution
            return only_with_mistakes({**limits, "distribution": spread}, False, "an amount or a share")
        found = [each for name, limit in limits.items() for each in number_mistakes(name, limit)]
        if not found and all(map(is_number, limits.values())) and self.at_least > self.at_most:  # type: ignore[operator]
            found.append(
                f"at_least: {self.at_least} is above at_most, {self.at_most}; write it the other way round"
            )
        return found

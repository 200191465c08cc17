"""Rounding numbers to multiples of one."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import ClassVar

import numpy
import pyarrow

from singleout.errors import UsageError
from singleout.recipe.record_table import RecordTable
from singleout.recipe.steps.distinct_values import change_columns
from singleout.recipe.steps.field_checks import (
    choice_mistakes,
    freeze,
    names_mistakes,
    number_mistakes,
    refuse,
    whole_mistakes,
)
from singleout.recipe.steps.number_columns import MOST_FRACTION, Floats, numbers_of
from singleout.recipe.steps.step import Change
from singleout.recipe.trace import Moved, Replayed

HOWS = ("nearest", "down", "up", "random")
# what the digits of two numbers and of their quotient may be off by, as a share of it
BLUR = 2.0**-50
# powers of ten up to here are exact
MOST_EXACT = 22


@dataclass(frozen=True)
class Round:
    """Put each number to a multiple of `to`: the nearest (a half away from zero), the next `down` or `up`.

    `random` takes one of these two by chance, up with probability (x − down) / to, so that the mean stays
    what it is on average. A number that is a multiple stays, as does a missing value.

    >>> Round(("price",), to=0)
    Traceback (most recent call last):
    singleout.errors.UsageError: to: 0 is no amount; write a number above 0
    """

    step: ClassVar[str] = "round"
    columns: tuple[str, ...]
    to: float
    how: str = "nearest"
    seed: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", freeze(self.columns))
        refuse(
            names_mistakes("columns", self.columns),
            number_mistakes("to", self.to, above=0, needed=True),
            choice_mistakes("how", self.how, HOWS),
            whole_mistakes("seed", self.seed),
        )

    @property
    def trace(self) -> Moved | Replayed:
        # up with probability (x − down) / to: what is near comes out most often, by a straight line
        return Moved("triangular", float(self.to)) if self.how == "random" else Replayed()

    def apply(self, records: RecordTable, draw: numpy.random.Generator) -> Change:
        found, changed = change_columns(records, self.columns, partial(self._round_column, draw))
        return Change(found, changed, "values", f"rounded to multiples of {self.to}, {self.how}")

    def _round_column(self, draw: numpy.random.Generator, name: str, column: pyarrow.Array) -> pyarrow.Array:
        if pyarrow.types.is_integer(column.type) and self.to % 1:
            raise UsageError(
                f"column {name!r} holds whole numbers; round it to a whole one, not to {self.to}"
            )
        numbers = numbers_of(name, column)
        decimals = decimals_of(self.to)
        with numpy.errstate(over="ignore", invalid="ignore"):
            quotient = numbers.values / float(self.to)
            new = self._multiples(self._times(quotient, draw), decimals)
        # so large a number has no digits left to round
        settled = numpy.abs(quotient) >= MOST_FRACTION
        decimals = max(numbers.decimals, decimals)
        return numbers.as_column(numpy.where(settled, numbers.values, new), decimals or None)

    def _times(self, quotient: Floats, draw: numpy.random.Generator) -> Floats:
        """How many times `to` each number becomes."""
        halves = numpy.rint(2 * quotient)
        near = numpy.abs(2 * quotient - halves) <= BLUR * numpy.abs(halves)
        exact = numpy.where(near, halves / 2, quotient)
        down: Floats = numpy.floor(exact)
        if self.how == "random":
            up: Floats = down + (draw.random(len(exact)) < exact - down)
            return up
        if self.how == "nearest":
            return numpy.copysign(numpy.floor(numpy.abs(exact) + 0.5), exact)
        return down if self.how == "down" else -numpy.floor(-exact)

    def _multiples(self, times: Floats, decimals: int) -> Floats:
        """So many times `to`, divided last: 3 · 0.1 is 0.3."""
        if decimals > MOST_EXACT:
            return times * float(self.to)
        return times * float(Decimal(str(self.to)).scaleb(decimals)) / 10.0**decimals


def decimals_of(number: float) -> int:
    """How many decimals a number has as it is written.

    >>> decimals_of(10), decimals_of(0.25), decimals_of(1e-7), decimals_of(2.0)
    (0, 2, 7, 0)
    """
    power = Decimal(str(number)).normalize().as_tuple().exponent
    assert isinstance(power, int)
    return max(-power, 0)

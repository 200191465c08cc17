"""Top and bottom coding: numbers beyond a limit give up how far beyond they are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy
import pyarrow
import pyarrow.compute

from singleout.checks import is_number
from singleout.errors import UsageError
from singleout.recipe.record_table import Mask, RecordTable
from singleout.recipe.steps.distinct_values import change_columns
from singleout.recipe.steps.field_checks import (
    choice_mistakes,
    freeze,
    names_mistakes,
    number_mistakes,
    one_of_mistakes,
    refuse,
    share_mistakes,
    whole_mistakes,
)
from singleout.recipe.steps.number_columns import Floats, Numbers, numbers_of
from singleout.recipe.steps.round import decimals_of
from singleout.recipe.steps.step import Change
from singleout.recipe.trace import Reach, Replayed

WHATS = ("limit", "mean", "missing")
MOST_ADDED = 1e280


@dataclass(frozen=True)
class TopBottom:
    """Numbers above `top` or below `bottom` become that limit, the mean of those beyond it, or missing.

    With `top_share` (`bottom_share`) the limit is the smallest (largest) number of the column that no more
    than this share of its records, missing values not counted, is beyond. A missing value stays missing.

    >>> TopBottom(("age",), top=10, bottom=90)
    Traceback (most recent call last):
    singleout.errors.UsageError: bottom: 90 is above top, 10; write it the other way round
    """

    step: ClassVar[str] = "top_bottom"
    columns: tuple[str, ...]
    top: float | None = None
    bottom: float | None = None
    top_share: float | None = None
    bottom_share: float | None = None
    what: str = "limit"
    seed: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", freeze(self.columns))
        refuse(
            names_mistakes("columns", self.columns),
            number_mistakes("top", self.top),
            number_mistakes("bottom", self.bottom),
            share_mistakes("top_share", self.top_share, most=False),
            share_mistakes("bottom_share", self.bottom_share, most=False),
            one_of_mistakes({"top": self.top, "top_share": self.top_share}, least=0),
            one_of_mistakes({"bottom": self.bottom, "bottom_share": self.bottom_share}, least=0),
            self._order_mistakes(),
            choice_mistakes("what", self.what, WHATS),
            whole_mistakes("seed", self.seed),
        )

    @property
    def trace(self) -> Replayed:
        by_rank = (self.top_share, self.bottom_share) != (None, None)
        reach: Reach = "table" if by_rank or self.what == "mean" else "record"
        return Replayed("cells" if self.what == "missing" else "values", reach)

    def apply(self, records: RecordTable, draw: numpy.random.Generator) -> Change:  # noqa: ARG002
        found, changed = change_columns(records, self.columns, self._coded_column)
        ends = " and ".join(self._ends)
        return Change(found, changed, "values", f"numbers beyond the {ends} set to {self.what}")

    @property
    def _ends(self) -> list[str]:
        ends = {"top": (self.top, self.top_share), "bottom": (self.bottom, self.bottom_share)}
        return [end for end, given in ends.items() if given != (None, None)]

    def _coded_column(self, name: str, column: pyarrow.Array) -> pyarrow.Array:
        numbers = numbers_of(name, column)
        low, high = self._limits(numbers)
        if low > high:
            raise UsageError(
                f"column {name!r}: the limit below is above the other; take both as numbers, or shares"
            )
        below, above = (mask & ~numbers.missing for mask in (numbers.values < low, numbers.values > high))
        if self.what == "missing":
            empty = pyarrow.scalar(None, numbers.kind)
            return pyarrow.compute.if_else(pyarrow.array(below | above), empty, numbers.column)
        if self.what == "mean":
            return numbers.as_column(_put_mean(_put_mean(numbers.values, below), above))
        return numbers.as_column(numpy.clip(numbers.values, low, high), self._decimals(numbers))

    def _limits(self, numbers: Numbers) -> tuple[float, float]:
        """The lowest and highest number that stays; whole numbers have whole limits."""
        ordered = numpy.sort(numbers.values[~numbers.missing])
        low = (
            _share_limit(ordered, self.bottom_share, -math.inf) if self.bottom is None else float(self.bottom)
        )
        high = (
            -_share_limit(-ordered[::-1], self.top_share, -math.inf) if self.top is None else float(self.top)
        )
        if pyarrow.types.is_integer(numbers.kind):
            return float(numpy.ceil(low)), float(numpy.floor(high))
        return low, high

    def _decimals(self, numbers: Numbers) -> int | None:
        limits = [decimals_of(limit) for limit in (self.top, self.bottom) if limit is not None]
        if pyarrow.types.is_integer(numbers.kind) or max(limits, default=0) <= numbers.decimals:
            return None
        return max(limits)

    def _order_mistakes(self) -> list[str]:
        if self._ends == []:
            return ["give top, top_share, bottom or bottom_share"]
        if is_number(self.top) and is_number(self.bottom) and self.bottom > self.top:  # type: ignore[operator]
            return [f"bottom: {self.bottom} is above top, {self.top}; write it the other way round"]
        shares = (self.top_share, self.bottom_share)
        if all(map(is_number, shares)) and sum(shares) >= 1:  # type: ignore[arg-type]
            return ["top_share and bottom_share: are all records together; make one smaller"]
        return []


def _share_limit(ordered: Floats, share: float | None, otherwise: float) -> float:
    """The first number, of some in their order, that no more than a share of them comes before."""
    if share is None or not len(ordered):
        return otherwise
    return float(ordered[math.floor(Fraction(str(share)) * len(ordered))])


def _put_mean(values: Floats, some: Mask) -> Floats:
    """The mean in the place of some numbers; very large ones are made smaller first, without loss."""
    count = int(numpy.count_nonzero(some))
    scale = 1.0 if numpy.abs(values).max(initial=0.0) < MOST_ADDED else 2.0**-64
    return numpy.where(some, math.fsum((values[some] * scale).tolist()) / max(count, 1) / scale, values)

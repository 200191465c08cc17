"""Replacing numbers by their mean or median, of all records or of each person's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy
import pyarrow

from singleout.recipe.record_table import Persons, RecordTable
from singleout.recipe.steps.distinct_values import change_columns
from singleout.recipe.steps.field_checks import (
    choice_mistakes,
    freeze,
    names_mistakes,
    refuse,
    whole_mistakes,
)
from singleout.recipe.steps.number_columns import MOST_DECIMALS, Floats, Numbers, numbers_of, round_to
from singleout.recipe.steps.step import Change
from singleout.recipe.trace import Replayed

PERS = ("all", "person")
OFS = ("mean", "median")
MORE_DECIMALS = 2
# sums of whole numbers below it are exact
MOST_EXACT = 2.0**53


@dataclass(frozen=True)
class Mean:
    """Each number becomes the mean, or median, of all numbers of its column (Anon2 of Ito et al. n.d.).

    With `per` person: of those of the same person. Missing values are not counted and stay missing. A column
    of whole numbers becomes one of fractions if it must; texts get up to two decimals more than they had.

    >>> Mean(("fare",), per="persn")
    Traceback (most recent call last):
    singleout.errors.UsageError: per: 'persn' is unknown; did you mean 'person'?
    """

    step: ClassVar[str] = "mean"
    columns: tuple[str, ...]
    per: str = "all"
    of: str = "mean"
    seed: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", freeze(self.columns))
        refuse(
            names_mistakes("columns", self.columns),
            choice_mistakes("per", self.per, PERS),
            choice_mistakes("of", self.of, OFS),
            whole_mistakes("seed", self.seed),
        )

    @property
    def trace(self) -> Replayed:
        # of a person too: how many decimals are written is as the whole column has them
        return Replayed(reach="table")

    def apply(self, records: RecordTable, draw: numpy.random.Generator) -> Change:  # noqa: ARG002
        groups = records.person if self.per == "person" else numpy.zeros_like(records.person)

        def replace_values(name: str, column: pyarrow.Array) -> pyarrow.Array:
            numbers = numbers_of(name, column)
            return _write_numbers(numbers, self._centres(numbers, groups))

        found, changed = change_columns(records, self.columns, replace_values)
        whose = "each person" if self.per == "person" else "all records"
        return Change(found, changed, "values", f"replaced by the {self.of} of {whose}")

    def _centres(self, numbers: Numbers, groups: Persons) -> Floats:
        """For each record the centre of its group, summed up in an order that is not that of the records."""
        filled = ~numbers.missing
        if not filled.any():
            return numbers.values
        order = numpy.lexsort((numbers.values[filled], groups[filled]))
        values, whose = numbers.values[filled][order], groups[filled][order]
        starts = numpy.flatnonzero(numpy.append(True, whose[1:] != whose[:-1]))
        sizes = numpy.diff(numpy.append(starts, len(values)))
        of_group = numpy.zeros(int(groups.max()) + 1)
        centre = _means if self.of == "mean" else _medians
        of_group[whose[starts]] = centre(values, starts, sizes, numbers.decimals)
        return numpy.where(filled, of_group[groups], numbers.values)


def _means(values: Floats, starts: Persons, sizes: Persons, decimals: int) -> Floats:
    with numpy.errstate(over="ignore"):
        steps = round_to(values * 10.0**decimals, 0)
        most = float(numpy.abs(steps).sum())
    if decimals < MOST_DECIMALS and most < MOST_EXACT:
        exact: Floats = numpy.add.reduceat(steps, starts) / sizes / 10.0**decimals
        return exact
    # divided first: the sum of very large numbers would have no room
    near: Floats = numpy.add.reduceat(values / numpy.repeat(sizes, sizes), starts)
    return near


def _medians(values: Floats, starts: Persons, sizes: Persons, decimals: int) -> Floats:  # noqa: ARG001
    middle: Floats = values[starts + (sizes - 1) // 2] / 2 + values[starts + sizes // 2] / 2
    return middle


def _write_numbers(numbers: Numbers, new: Floats) -> pyarrow.Array:
    whole = pyarrow.types.is_integer(numbers.kind)
    if pyarrow.types.is_floating(numbers.kind) or (whole and not bool((new == numpy.floor(new)).all())):
        array = pyarrow.array(new, mask=numbers.missing)
        return array if whole else array.cast(numbers.kind)
    return numbers.as_column(new, None if whole else _decimals(new, numbers.decimals))


def _decimals(new: Floats, own: int) -> int:
    """As few as write the numbers as exactly as two more than the column has."""
    finest = round_to(new, own + MORE_DECIMALS)
    enough = (more for more in range(own, own + MORE_DECIMALS) if (round_to(new, more) == finest).all())
    return next(enough, own + MORE_DECIMALS)

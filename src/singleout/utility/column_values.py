"""The values of a column as numbers: amounts as they are, dates in days, times of day in hours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.engine.codes.column_numbers import Value, amounts_of, kind_of, seconds_of
from singleout.engine.codes.text_codes import TEXT
from singleout.roles.dates_and_times import moment
from singleout.utility.paired_columns import NoAnswerError, PairedColumns

Kind = Literal["number", "date", "time of day"]
Floats = NDArray[numpy.float64]
SECONDS: dict[Kind, int] = {"date": 86400, "time of day": 3600}
UNITS: dict[Kind, str] = {"number": "the column's own", "date": "days", "time of day": "hours"}
KINDS: dict[Kind, str] = {"number": "numbers", "date": "dates", "time of day": "times of day"}


@dataclass(frozen=True, eq=False)
class ColumnNumbers:
    """A number for each value of a column, in the unit of its kind; a missing one is 0."""

    kind: Kind
    numbers: Floats
    missing: NDArray[numpy.bool_]

    @property
    def unit(self) -> str:
        return UNITS[self.kind]


def column_numbers(compared: PairedColumns, column: str) -> ColumnNumbers | None:
    """The numbers that a column's values are; None if those of the original are none.

    If those of the original are and those of the release are not, there is no answer.
    """
    values = compared.histories.values[column]
    if numbers := read_numbers(column, values):
        return numbers
    there = numpy.zeros(len(values), dtype=numpy.bool_)
    there[compared.histories.original.codes[column]] = True
    if known := read_numbers(
        column, [value if kept else None for value, kept in zip(values, there, strict=True)]
    ):
        raise NoAnswerError(f"the values of column {column!r} are {KINDS[known.kind]} in the original only")
    return None


def read_numbers(column: str, values: Sequence[Value]) -> ColumnNumbers | None:
    """The numbers that all values are, missing ones aside; None if some are none, or all are missing.

    >>> read_numbers("price", ["2.5", None, "+10"]).numbers.tolist()
    [2.5, 0.0, 10.0]
    >>> noon, start = read_numbers("when", ["2011-01-02 12:00", "2011/01/01"]).numbers
    >>> float(noon - start)
    1.5
    """
    missing = numpy.array([value is None for value in values], dtype=numpy.bool_)
    first = next((value for value in values if value is not None), None)
    if first is None or kind_of([first]) == "category":
        return None
    numbers = _numbers(column, values)
    return (
        _times(column, values, first, missing)
        if numbers is None
        else ColumnNumbers("number", numbers, missing)
    )


def _numbers(column: str, values: Sequence[Value]) -> Floats | None:
    """By Arrow, which is quick; what it can't read may still be a number, as one with blanks around it."""
    try:
        read = pyarrow.array(values, TEXT).cast(pyarrow.float64()).fill_null(0.0)
    except pyarrow.ArrowInvalid:
        if kind_of(values) != "number":
            return None
        exact = amounts_of(column, values)
        return exact.numbers / 10.0**exact.decimals
    numbers: Floats = read.to_numpy(zero_copy_only=False)
    return numbers if numpy.isfinite(numbers).all() else None


def _times(
    column: str, values: Sequence[Value], first: str, missing: NDArray[numpy.bool_]
) -> ColumnNumbers | None:
    start = moment(first)
    if start is None or kind_of(values) != "time":
        return None
    kind: Kind = "time of day" if start.of_day else "date"
    return ColumnNumbers(kind, seconds_of(column, values).numbers / SECONDS[kind], missing)

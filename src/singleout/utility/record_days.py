"""The days that records are of."""

from __future__ import annotations

import numpy

from singleout.engine.codes.histories import Value
from singleout.roles.dates_and_times import DAY, moment
from singleout.utility.paired_columns import CodedColumns, NoAnswerError, PairedColumns


def date_column(compared: PairedColumns) -> str:
    """The first column of times that has something else than times of day, or has nothing at all."""
    named = compared.meaning.of("time")
    filled = {
        name: _filled_values(compared.histories.values[name]) for name in named if name in compared.columns
    }
    for column, values in filled.items():
        if not all(_is_time_of_day(value) for value in values):
            return column
    if lacking := [column for column in named if column in compared.lacking]:
        raise NoAnswerError(f"the release has no column {lacking[0]!r}")
    if empty := [column for column, values in filled.items() if not values]:
        return empty[0]
    raise NoAnswerError(f"column {named[0]!r} has times of day and no dates")


def day_codes(compared: PairedColumns) -> CodedColumns:
    """Each record by its day; what is no date, or coarser than a day, is a value of its own."""
    column = date_column(compared)
    days = [_day(value) for value in compared.histories.values[column]]
    number = {day: index for index, day in enumerate(dict.fromkeys(days))}
    code = numpy.array([number[day] for day in days], dtype=numpy.uint32)
    both = compared.codes(column)
    return CodedColumns(code[both.original], code[both.release], len(number))


def _day(value: Value) -> Value:
    """
    >>> _day("2011/1/31 8:26"), _day("2011-01"), _day("someday")
    ('2011-01-31', '2011-01', 'someday')
    """
    known = None if value is None else moment(value)
    if known is None or known.of_day or known.finest < DAY:
        return value
    return "{:04}-{:02}-{:02}".format(*known.parts)


def _filled_values(values: tuple[Value, ...]) -> list[str]:
    return [value for value in values if value is not None]


def _is_time_of_day(value: str) -> bool:
    known = moment(value)
    return known is not None and known.of_day

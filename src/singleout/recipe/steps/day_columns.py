"""The days of a column's dates and times, and other days written as the column has them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

import numpy
import pyarrow
import pyarrow.compute
from numpy.typing import NDArray

from singleout.errors import InputError
from singleout.recipe.record_table import Mask, is_text
from singleout.roles.dates_and_times import DAY, moment

DayNumbers = NDArray[numpy.int64]

DATED = re.compile(r"(\s*)([0-9]{4})([-/.])([0-9]{1,2})\3([0-9]{1,2})(.*)", re.DOTALL)
FIRST_DAY, LAST_DAY = date.min.toordinal(), date.max.toordinal()
EPOCH = date(1970, 1, 1).toordinal()
IN_A_DAY = {"s": 86_400, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}
FILLINGS = ((True, True), (False, False), (True, False), (False, True))
NOTHING = numpy.int64(0)


class Form(NamedTuple):
    """How a text writes its day: what comes before, between, and whether 1 is written 01."""

    before: str
    between: str
    month_filled: bool
    day_filled: bool

    def text(self, ordinal: int) -> str:
        day = date.fromordinal(ordinal)
        parts = (f"{day.year:04}", _part(day.month, self.month_filled), _part(day.day, self.day_filled))
        return self.before + self.between.join(parts)


class DatedText(NamedTuple):
    """A text that has a day, in its parts."""

    day: int
    before: str
    between: str
    month: str
    date: str
    rest: str


@dataclass(frozen=True, eq=False)
class Days:
    """Each value's day, the first day of year 1 being 1, as `datetime.date.toordinal`; 0 where it is missing.

    A time with a zone that is typed as such counts by its day in UTC, a text by the day that is written.
    """

    column: pyarrow.Array
    values: DayNumbers
    missing: Mask

    def as_column(self, new: DayNumbers) -> pyarrow.Array:
        """The column on other days: how it is written, the time of day and missing values stay as they were.

        A month or day of two digits is filled up with a zero unless the column writes such with one digit.
        A day before year 1 or after year 9999 becomes the first or last there is.

        >>> days = days_of("date", pyarrow.array(["2010/12/31 08:26", None, "2011/1/9 23:00"]))
        >>> days.as_column(days.values + 1).to_pylist()
        ['2011/1/1 08:26', None, '2011/1/10 23:00']
        """
        moved = numpy.where(self.missing, NOTHING, numpy.clip(new, FIRST_DAY, LAST_DAY) - self.values)
        if not moved.any():
            return self.column
        if is_text(self.column.type):
            return _texts(self.column, self.values + moved)
        return _typed_days(self.column, numpy.where(new == self.values, NOTHING, moved))


def days_of(name: str, column: pyarrow.Array) -> Days:
    """The days of dates, of times with a date, or of texts like 2010-12-01, 2010/12/1 or 2010-12-01 08:26:00.

    >>> days_of("date", pyarrow.array(["1970-01-01", None])).values.tolist()
    [719163, 0]
    """
    missing = column.is_null().to_numpy(zero_copy_only=False)
    if is_text(column.type):
        return Days(column, _days_of_texts(name, column), missing)
    if pyarrow.types.is_null(column.type):
        return Days(column, numpy.zeros(len(column), dtype=numpy.int64), missing)
    if not (pyarrow.types.is_date(column.type) or pyarrow.types.is_timestamp(column.type)):
        raise InputError(f"column {name!r}: its values are {column.type} and have no day; name one of dates")
    days = _epoch_counts(column) // _units_in_a_day(column.type) + EPOCH
    return Days(column, numpy.where(missing, NOTHING, days), missing)


def _part(number: int, filled: bool) -> str:
    return f"{number:02}" if filled else str(number)


def _days_of_texts(name: str, column: pyarrow.Array) -> DayNumbers:
    codes, texts = _text_codes(column)
    dated = [_dated_text(text) for text in texts]
    unfit = sum(each is None for each in dated)
    if unfit:
        raise InputError(
            f"column {name!r}: {unfit:,} of its {len(texts):,} different values have no day; "
            "write all like 2011-01-31 or 2011-01-31 08:26:00, or name another column"
        )
    return numpy.array([*(each.day for each in dated if each), 0], dtype=numpy.int64)[codes]


def _text_codes(column: pyarrow.Array) -> tuple[DayNumbers, list[str]]:
    """The different texts, and which of them each record has; one past the last is missing."""
    encoded = column.cast(pyarrow.large_string()).dictionary_encode()
    codes = encoded.indices.fill_null(len(encoded.dictionary)).to_numpy(zero_copy_only=False)
    return codes.astype(numpy.int64), encoded.dictionary.to_pylist()


def _dated_text(text: str) -> DatedText | None:
    read, parts = moment(text), DATED.fullmatch(text)
    if read is None or read.of_day or read.finest < DAY or parts is None:
        return None
    before, _, between, month, day, rest = parts.groups()
    return DatedText(date(*read.parts[:3]).toordinal(), before, between, month, day, rest)


def _texts(column: pyarrow.Array, days: DayNumbers) -> pyarrow.Array:
    """Each day in the form of its text, and after it whatever came after the old one."""
    codes, texts = _text_codes(column)
    dated = [each for each in map(_dated_text, texts) if each]
    usual = _usual_filling(dated)
    forms = [Form(each.before, each.between, *usual[_zero_padding(each)]) for each in dated]
    form_of, different = _form_numbers(forms)
    dates = _dates(different, numpy.append(form_of, 0)[codes], numpy.maximum(days, FIRST_DAY))
    rests = pyarrow.array([*(each.rest for each in dated), None], pyarrow.large_string())
    nothing = pyarrow.scalar("", pyarrow.large_string())
    joined = pyarrow.compute.binary_join_element_wise(dates, rests.take(pyarrow.array(codes)), nothing)
    return joined.cast(column.type)


def _zero_padding(dated: DatedText) -> tuple[bool | None, bool | None]:
    """Whether the month and the day have a zero before them; None for 10 and above, which don't tell."""
    month, day = (part[0] == "0" if len(part) == 1 or part[0] == "0" else None for part in dated[3:5])
    return month, day


def _usual_filling(dated: list[DatedText]) -> dict[tuple[bool | None, bool | None], tuple[bool, bool]]:
    """What most texts of the column do that tell it, of those that agree with what a text tells itself.

    If there are none, the month is as the day is: another mixture would tell which dates were changed.
    """
    found = Counter(map(_zero_padding, dated))
    bare = any(False in each for each in found)
    usual = {}
    for month, day in found:
        fitting = [each for each in FILLINGS if month in (each[0], None) and day in (each[1], None)]
        alike = [each for each in fitting if each[0] == each[1]] or fitting
        usual[month, day] = max([*alike, *fitting], key=lambda each: (found[each], each == (not bare,) * 2))
    return usual


def _form_numbers(forms: list[Form]) -> tuple[DayNumbers, list[Form]]:
    numbers = {form: number for number, form in enumerate(dict.fromkeys(forms))}
    return numpy.array([numbers[form] for form in forms], dtype=numpy.int64), list(numbers)


def _dates(forms: list[Form], form_of: DayNumbers, days: DayNumbers) -> pyarrow.Array:
    """The text of each record's day in its form; each different text is made once."""
    span = LAST_DAY + 1
    needed, which = numpy.unique(form_of * span + days, return_inverse=True)
    texts = [forms[each // span].text(each % span) for each in needed.tolist()]
    return pyarrow.array(texts, pyarrow.large_string()).take(pyarrow.array(which))


def _units_in_a_day(kind: pyarrow.DataType) -> int:
    if pyarrow.types.is_date32(kind):
        return 1
    return IN_A_DAY["ms" if pyarrow.types.is_date64(kind) else kind.unit]


def _epoch_counts(column: pyarrow.Array) -> DayNumbers:
    """What the column counts since 1970: days, or parts of a second."""
    width = pyarrow.int32() if pyarrow.types.is_date32(column.type) else pyarrow.int64()
    counted: DayNumbers = column.view(width).fill_null(0).to_numpy(zero_copy_only=False).astype(numpy.int64)
    return counted


def _typed_days(column: pyarrow.Array, moved: DayNumbers) -> pyarrow.Array:
    old, day = _epoch_counts(column), _units_in_a_day(column.type)
    width = numpy.iinfo(numpy.int32 if day == 1 else numpy.int64)
    # days, not parts of them: the last ones that a type of nanoseconds has room for
    fitting = numpy.clip(old // day + moved, width.min // day + 1, width.max // day - 1)
    new = numpy.where(moved == 0, old, fitting * day + old % day)
    return pyarrow.array(new.astype(width.dtype), mask=column.is_null().to_numpy(False)).view(column.type)

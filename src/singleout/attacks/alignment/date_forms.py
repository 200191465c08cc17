"""Dates and times in the writings that are met, and what they are at a coarser unit."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import NamedTuple

DATE_UNITS = ("decade", "year", "quarter", "month", "day", "hour", "minute")
CLOCK_UNITS = ("hour", "minute")
CLOCK = r"(?:[ T]+([0-9]{1,2})(?::([0-9]{2}))?(?::[0-9]{2}.*)?h?\*?)?"
YEAR_FIRST = re.compile(r"([0-9]{4})(?:[-/.]([0-9]{1,2}|\*)(?:[-/.]([0-9]{1,2}|\*))?)?\*?" + CLOCK)
YEAR_LAST = re.compile(r"([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4})" + CLOCK)
DIGITS = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})?")
QUARTER = re.compile(r"([0-9]{4})[-/. ]?Q([1-4])")
DECADE = re.compile(r"([0-9]{3})0s")
TIME = re.compile(r"([0-9]{1,2})(?::(?:([0-9]{2})(?::[0-9]{2}.*)?|\*)?|h|\*)?")


class DateForm(NamedTuple):
    """What a text says of a date, as far as it says anything; `quarter` where there is no month."""

    year: int | None = None
    quarter: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None
    decade: int | None = None


ReadDate = Callable[[str], DateForm | None]


def year_first(text: str) -> DateForm | None:
    """
    >>> year_first("2011/1/3 08:26"), year_first("2011-Q1").quarter, year_first("2010s").decade
    (DateForm(year=2011, quarter=1, month=1, day=3, hour=8, minute=26, decade=201), 1, 201)
    """
    if found := QUARTER.fullmatch(text):
        return DateForm(int(found[1]), int(found[2]), decade=int(found[1]) // 10)
    if found := DECADE.fullmatch(text):
        return DateForm(decade=int(found[1]))
    found = YEAR_FIRST.fullmatch(text) or DIGITS.fullmatch(text)
    if not found:
        return None
    parts = [int(part) if part and part != "*" else None for part in found.groups()]
    return _valid_form(*parts)


def day_first(text: str) -> DateForm | None:
    """
    >>> day_first("3.1.2011").month
    1
    """
    found = YEAR_LAST.fullmatch(text)
    return found and _valid_form(int(found[3]), int(found[2]), int(found[1]), *_clock(found))


def month_first(text: str) -> DateForm | None:
    """
    >>> month_first("12/1/2010 8:26").month
    12
    """
    found = YEAR_LAST.fullmatch(text)
    return found and _valid_form(int(found[3]), int(found[1]), int(found[2]), *_clock(found))


def _clock(found: re.Match[str]) -> tuple[int | None, int | None]:
    hour, minute = found[4], found[5]
    return (int(hour) if hour else None), (int(minute) if minute else None)


def _valid_form(
    year: int | None,
    month: int | None = None,
    day: int | None = None,
    hour: int | None = None,
    minute: int | None = None,
) -> DateForm | None:
    try:
        date(year or 0, month or 1, day or 1)
    except ValueError:
        return None
    if (hour or 0) > 23 or (minute or 0) > 59:
        return None
    quarter = None if month is None else (month + 2) // 3
    return DateForm(year, quarter, month, day, hour, minute, (year or 0) // 10)


def time_of_day(text: str) -> DateForm | None:
    """
    >>> time_of_day("11:23")[4:6], time_of_day("11*")[4:6], time_of_day("25:00")
    ((11, 23), (11, None), None)
    """
    found = TIME.fullmatch(text)
    if not found or int(found[1]) > 23 or int(found[2] or 0) > 59:
        return None
    return DateForm(hour=int(found[1]), minute=int(found[2]) if found[2] else None)


def date_label(form: DateForm | None, unit: str) -> str | None:
    """What a date is at a unit; None where it does not say.

    >>> date_label(year_first("2011-11-03"), "quarter"), date_label(year_first("2011"), "month")
    ('2011 quarter 4', None)
    """
    if form is None or getattr(form, unit) is None:
        return None
    if unit in ("decade", "year"):
        return f"{unit} {getattr(form, unit)}"
    if unit == "quarter":
        return f"{form.year} quarter {form.quarter}"
    parts = (form.year, form.month, form.day, form.hour, form.minute)
    last = ("year", *DATE_UNITS[3:]).index(unit) + 1
    day, clock = ([f"{part:02}" for part in some] for some in (parts[: min(last, 3)], parts[3:last]))
    return f"{'-'.join(day)} {':'.join(clock)}".strip()


def clock_label(form: DateForm | None, unit: str) -> str | None:
    """
    >>> clock_label(time_of_day("11:23"), "hour"), clock_label(time_of_day("11*"), "minute")
    ('11', None)
    """
    if form is None or form.hour is None or (unit == "minute" and form.minute is None):
        return None
    return f"{form.hour:02}" if unit == "hour" else f"{form.hour:02}:{form.minute:02}"

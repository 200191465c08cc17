"""Dates and times of a column, read from their texts, cut to a unit, and in seconds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from singleout.errors import InputError, UsageError
from singleout.read.costs import UNITS
from singleout.roles.known_column import KnownColumn

OFFSET = r"(?: ?(?:Z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?))?"
CLOCK = rf"([0-9]{{1,2}}):([0-9]{{2}})(?::([0-9]{{2}})(?:[.,][0-9]+)?)?{OFFSET}"
DATE = re.compile(
    rf"\s*([0-9]{{4}})(?:([-/.])([0-9]{{1,2}})(?:\2([0-9]{{1,2}})(?:[ T](?:([0-9]{{2}})h|{CLOCK}))?)?)?\s*"
)
TIME = re.compile(rf"\s*{CLOCK}\s*")
DAY, HOUR = UNITS.index("day"), UNITS.index("hour")
SIZES = (0, 0, 0, 3600, 60, 1)


class Moment(NamedTuple):
    """Year, month, … as far as they are written; a time of day has none of the first three."""

    of_day: bool
    parts: tuple[int, ...]

    @property
    def finest(self) -> int:
        """The place of its last part in UNITS."""
        return len(self.parts) - 1 + (HOUR if self.of_day else 0)

    @property
    def seconds(self) -> int:
        """Since midnight, or since the first day of all; a month is its first day, and so on."""
        return _seconds(*self)


def seconds_of(column: KnownColumn, texts: Sequence[str]) -> list[int]:
    """Each time in seconds, cut to the column's granularity; all must be of a kind and equally fine.

    A month is its first day, and so on. What is written counts: an offset from UTC is not looked at.

    >>> seconds_of(KnownColumn("time", "hour"), ["00:59:07", "01:00"])
    [0, 3600]
    """
    read = [moment(text) for text in texts]
    moments = [each for each in read if each]
    _check_read(column, len(texts) - len(moments), len(texts))
    _check_kinds(column, moments)
    last = _last_unit(column, moments)
    return [_seconds(each.of_day, each.parts[: last + 1 - (HOUR if each.of_day else 0)]) for each in moments]


def moment(text: str) -> Moment | None:
    """The time that a text is, or None.

    >>> moment("2011/01/31 08:26"), moment("08:26"), moment("2011-02-30")
    (Moment(of_day=False, parts=(2011, 1, 31, 8, 26)), Moment(of_day=True, parts=(8, 26)), None)
    """
    if found := TIME.fullmatch(text):
        return _valid_moment(Moment(True, _part_numbers(found.groups())))
    if found := DATE.fullmatch(text):
        year, _, month, day, hour, *clock = found.groups()
        return _valid_moment(Moment(False, _part_numbers((year, month, day, hour or clock[0], *clock[1:]))))
    return None


def days_of(values: Sequence[str | None]) -> list[str | None] | None:
    """The days that times are of, a missing one staying so; None where not all values have a day.

    >>> days_of(["2011/1/31 8:26", None]), days_of(["2011-01"])
    (['2011-01-31', None], None)
    """
    days: list[str | None] = []
    for value in values:
        read = None if value is None else moment(value)
        if value is not None and (read is None or read.of_day or read.finest < DAY):
            return None
        days.append(read and "{:04}-{:02}-{:02}".format(*read.parts))
    return days


def _part_numbers(parts: Sequence[str | None]) -> tuple[int, ...]:
    return tuple(int(part) for part in parts if part is not None)


def _valid_moment(known: Moment) -> Moment | None:
    try:
        _seconds(*known)
    except ValueError:
        return None
    clock = known.parts if known.of_day else known.parts[HOUR:]
    return known if all(part < most for part, most in zip(clock, (24, 60, 60), strict=False)) else None


def _seconds(of_day: bool, parts: tuple[int, ...]) -> int:
    clock = parts if of_day else parts[HOUR:]
    days = 0 if of_day else date(*(*parts[:HOUR], 1, 1)[:HOUR]).toordinal()
    return 86400 * days + sum(part * size for part, size in zip(clock, SIZES[HOUR:], strict=False))


def _check_read(column: KnownColumn, unfit: int, every: int) -> None:
    if unfit:
        raise InputError(
            f"column {column.name!r}: {unfit:,} of its {every:,} different values can't be read as times; "
            "write all like 2011-01-31, 2011-01-31 08:26:00 or 08:26, or know it as it is"
        )


def _check_kinds(column: KnownColumn, moments: Sequence[Moment]) -> None:
    of_day = sum(each.of_day for each in moments)
    if 0 < of_day < len(moments):
        raise InputError(
            f"column {column.name!r}: {of_day:,} of its {len(moments):,} different values are times of day "
            "and the others dates; write all alike"
        )


def _last_unit(column: KnownColumn, moments: Sequence[Moment]) -> int:
    """The place in UNITS of the last unit that is kept."""
    asked = UNITS.index(column.unit) if column.unit else len(UNITS) - 1
    finest = {each.finest for each in moments}
    first = HOUR if moments and moments[0].of_day else 0
    shortest = min(finest, default=asked)
    if asked < first or shortest < min(asked, max(finest, default=asked)):
        fitting = ", ".join(UNITS[first : shortest + 1])
        why = "its values are times of day" if asked < first else "not all its values are that fine"
        raise UsageError(f"column {column.name!r}: {why}; the granularities of all are {fitting}")
    return asked

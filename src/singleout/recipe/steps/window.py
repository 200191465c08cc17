"""A window of numbers or of times: from when, until when, and which values are in it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, time
from typing import Any

import numpy
import pyarrow

from singleout.checks import is_number
from singleout.engine.codes.column_numbers import kind_of
from singleout.errors import InputError
from singleout.read.located_rows import short_text
from singleout.recipe.record_table import Mask
from singleout.recipe.steps.distinct_values import DistinctValues, distinct_values_of
from singleout.recipe.steps.number_columns import numbers_of
from singleout.roles.dates_and_times import Moment, moment
from singleout.roles.hierarchies.level_rules import NUMBER


@dataclass(frozen=True)
class Window:
    """Both ends are included, and are as fine as they are written; an end that is None is open."""

    begin: Any = None
    end: Any = None

    @property
    def mistakes(self) -> list[str]:
        """All that is wrong with its ends.

        >>> Window("2011-01", "soon").mistakes
        ["end: 'soon' is neither a number nor a date or time; write it like 2011-01-31, 08:26 or 10"]
        """
        given = {name: end for name, end in (("begin", self.begin), ("end", self.end)) if end is not None}
        if not given:
            return ["give one or more of begin, end"]
        unfit = [(name, end) for name, end in given.items() if not _kinds(end)]
        right = "write it like 2011-01-31, 08:26 or 10"
        found = [
            f"{name}: {short_text(end)} is neither a number nor a date or time; {right}"
            for name, end in unfit
        ]
        if not found and not self._kinds:
            found.append(
                "begin and end: are not of one kind; write two numbers, two dates or two times of day"
            )
        elif not found and self._is_empty:
            found.append(f"begin: {short_text(self.begin)} is after the end; write it the other way round")
        return found

    def contains(self, name: str, column: pyarrow.Array) -> Mask:
        """Which values of a column are in the window; a missing one is not.

        >>> january = Window(end="2011-01")
        >>> january.contains("date", pyarrow.array(["2011/1/31 23:59", None, "2011/2/1"])).tolist()
        [True, False, False]
        """
        different = distinct_values_of(name, column)
        of_numbers = "number" in self._kinds and (len(self._kinds) == 1 or _are_numbers(different))
        mask = (
            self._contains_numbers(name, different) if of_numbers else self._contains_times(name, different)
        )
        return numpy.append(mask, False)[different.codes]

    @property
    def _kinds(self) -> set[str]:
        """What both ends can be: 2011 is a number and a year."""
        return set.intersection(*(_kinds(end) for end in (self.begin, self.end) if end is not None))

    @property
    def _is_empty(self) -> bool:
        if self.begin is None or self.end is None:
            return False
        if "number" in self._kinds:
            return float(_text(self.begin)) > float(_text(self.end))
        begin = moment(_text(self.begin))
        return begin is not None and not _is_until(begin, moment(_text(self.end)))

    def _contains_numbers(self, name: str, different: DistinctValues) -> Mask:
        values = numbers_of(name, different.values).values
        low = -math.inf if self.begin is None else float(_text(self.begin))
        high = math.inf if self.end is None else float(_text(self.end))
        return (low <= values) & (values <= high)

    def _contains_times(self, name: str, different: DistinctValues) -> Mask:
        begin, end = (None if each is None else moment(_text(each)) for each in (self.begin, self.end))
        of_day = any(each.of_day for each in (begin, end) if each)
        times = [moment(text) for text in different.texts.to_pylist()]
        fitting = [each for each in times if each and each.of_day == of_day]
        if len(fitting) < len(times):
            kind, right = ("times of day", "08:26") if of_day else ("dates", "2011-01-31 or 2011-01-31 08:26")
            raise InputError(
                f"column {name!r}: {len(times) - len(fitting):,} of its {len(times):,} different values are "
                f"no {kind}; write all like {right}, or take a window of another kind"
            )
        return numpy.array([_is_since(each, begin) and _is_until(each, end) for each in fitting], numpy.bool_)


def _text(end: Any) -> str:
    return end if isinstance(end, str) else str(end)


def _kinds(end: Any) -> set[str]:
    if not isinstance(end, str | date | time) and not is_number(end):
        return set()
    found = {"number"} if NUMBER.fullmatch(_text(end)) else set[str]()
    read = moment(_text(end))
    return found if read is None else found | {"time of day" if read.of_day else "date"}


def _are_numbers(different: DistinctValues) -> bool:
    return kind_of(different.texts.to_pylist()) == "number"


def _is_since(known: Moment, begin: Moment | None) -> bool:
    return begin is None or known.parts[: len(begin.parts)] >= begin.parts


def _is_until(known: Moment, end: Moment | None) -> bool:
    return end is None or known.parts[: len(end.parts)] <= end.parts

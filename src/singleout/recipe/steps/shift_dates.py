"""Shifting the dates of each person by as many days as chance says, all by the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.errors import InputError
from singleout.recipe.record_table import RecordTable, is_text
from singleout.recipe.steps.day_columns import FIRST_DAY, LAST_DAY, Days, days_of
from singleout.recipe.steps.distinct_values import count_changed_values
from singleout.recipe.steps.field_checks import (
    flag_mistakes,
    freeze,
    names_mistakes,
    refuse,
    whole_mistakes,
)
from singleout.recipe.steps.step import Change
from singleout.recipe.trace import Shifted

MOST_DAYS = LAST_DAY - FIRST_DAY


@dataclass(frozen=True)
class ShiftDates:
    """All dates of a person move by the same number of whole days, drawn from −days to days, all alike.

    It is the same in all columns named, so that the times between a person's records stay exact, and the time
    of day does. With `never_zero` everyone is moved. Without a user column each record is moved by itself.
    Missing values stay missing; a date that would leave the years 1 to 9999 is an error.

    >>> days = pyarrow.table({"date": ["2010/12/30", "2011/1/2", None]})
    >>> records = RecordTable(days, numpy.array([0, 0, 1]), 2, "name")
    >>> change = ShiftDates(("date",), days=9).apply(records, numpy.random.default_rng(1))
    >>> change.records.column("date").to_pylist(), change.changed
    (['2010/12/29', '2011/1/1', None], 2)
    """

    step: ClassVar[str] = "shift_dates"
    columns: tuple[str, ...]
    days: int
    never_zero: bool = False
    seed: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", freeze(self.columns))
        refuse(
            names_mistakes("columns", self.columns),
            whole_mistakes("days", self.days, least=1, needed=True) or self._days_mistakes(),
            flag_mistakes("never_zero", self.never_zero),
            whole_mistakes("seed", self.seed),
        )

    @property
    def trace(self) -> Shifted:
        return Shifted(int(self.days), self.never_zero)

    def apply(self, records: RecordTable, draw: numpy.random.Generator) -> Change:
        shifts = self._shifts(records.people, draw)[records.person]
        changed, found = 0, records
        for name in self.columns:
            old = days_of(name, records.column(name))
            new = _move_days(name, old, shifts)
            changed += count_changed_values(old.column, new)
            found = found.with_column(name, new)
        return Change(found, changed, "values", self._how, _remarks(records))

    def _shifts(self, people: int, draw: numpy.random.Generator) -> NDArray[numpy.int64]:
        most = int(self.days)
        if not self.never_zero:
            return draw.integers(-most, most + 1, size=people)
        drawn = draw.integers(-most, most, size=people)
        return drawn + (drawn >= 0)

    @property
    def _how(self) -> str:
        least = "1" if self.never_zero else "0"
        return f"each person's dates moved by {least} to {self.days:,} days, earlier or later"

    def _days_mistakes(self) -> list[str]:
        if self.days <= MOST_DAYS:
            return []
        return [f"days: the calendar has no more than {MOST_DAYS:,} to move by; write fewer"]


def _move_days(name: str, old: Days, shifts: NDArray[numpy.int64]) -> pyarrow.Array:
    days = old.values + shifts
    new = old.as_column(days)
    # read again, for a type of nanoseconds ends long before the calendar does
    held = numpy.clip(days, FIRST_DAY, LAST_DAY) if is_text(new.type) else days_of(name, new).values
    beyond = numpy.count_nonzero(~old.missing & (held != days))
    if beyond:
        raise InputError(
            f"column {name!r}: {beyond:,} of its dates would be moved beyond the first or last that it can "
            "hold; move by fewer days, or leave such dates out before"
        )
    return new


def _remarks(records: RecordTable) -> tuple[str, ...]:
    if records.user is not None or int(records.records_of_each().max(initial=0)) > 1:
        return ()
    return ("there is no user column: each record is moved by itself",)

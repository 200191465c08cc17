"""Cutting histories: to a window of time or of numbers, or to so many records of each person."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time
from typing import ClassVar

import numpy

from singleout.recipe.record_table import Mask, RecordTable
from singleout.recipe.steps.distinct_values import Codes
from singleout.recipe.steps.field_checks import (
    choice_mistakes,
    freeze,
    names_mistakes,
    only_with_mistakes,
    refuse,
    text_mistakes,
    whole_mistakes,
)
from singleout.recipe.steps.step import Change
from singleout.recipe.steps.value_order import ranks_of
from singleout.recipe.steps.window import Window
from singleout.recipe.trace import Replayed, Thinned

KEEPS = ("latest", "first", "random")
End = str | float | date | time


@dataclass(frozen=True)
class Cut:
    """Keep the records within a window, or so many of each person.

    A window: those whose value of `column` is from `begin` to `end`, numbers or dates and times, both
    included and as fine as they are written: an end of 2011-01 keeps all January. A record with a missing
    value is left out. So many: `records` of each person, the `latest` or `first` by the columns `by`
    (numbers and dates as such; a missing value comes first; then by the other columns) or `random` ones.

    >>> Cut(column="date", records=5)
    Traceback (most recent call last):
    singleout.errors.UsageError: column: is only for a window; leave it out; by: is missing; name the \
columns that say what is latest, like by = ["date", "time"]
    """

    step: ClassVar[str] = "cut"
    column: str | None = None
    begin: End | None = None
    end: End | None = None
    records: int | None = None
    keep: str = "latest"
    by: tuple[str, ...] = ()
    seed: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "by", freeze(self.by))
        refuse(
            text_mistakes("column", self.column, "name of a column"),
            whole_mistakes("records", self.records, least=1),
            choice_mistakes("keep", self.keep, KEEPS),
            names_mistakes("by", self.by, needed=False),
            self._window_mistakes() if self.records is None else self._number_mistakes(),
            whole_mistakes("seed", self.seed),
        )

    @property
    def columns(self) -> tuple[str, ...]:
        return self.by if self.column is None else (self.column,)

    @property
    def trace(self) -> Replayed | Thinned:
        if self.column is not None:
            return Replayed("records")
        if self.keep == "random":
            return Thinned("records", of_each=self.records)
        return Replayed("records", reach="person", joint=True)

    def apply(self, records: RecordTable, draw: numpy.random.Generator) -> Change:
        if self.column is not None:
            kept = Window(self.begin, self.end).contains(self.column, records.column(self.column))
            how = f"records outside a window of {self.column} left out"
        else:
            kept = self._mask_by_person(records, draw)
            how = f"{self.keep} records of each person kept, {self.records:,} at most"
        return Change(records.only(kept), int(numpy.count_nonzero(~kept)), "records", how)

    def _mask_by_person(self, records: RecordTable, draw: numpy.random.Generator) -> Mask:
        order = numpy.lexsort((*self._keys(records, draw), records.person))
        sizes = records.records_of_each()
        position = numpy.arange(len(records)) - numpy.repeat(numpy.cumsum(sizes) - sizes, sizes)
        if self.keep == "latest":
            position = numpy.repeat(sizes, sizes) - 1 - position
        kept = numpy.zeros(len(records), dtype=numpy.bool_)
        kept[order] = position < (self.records or 0)
        return kept

    def _keys(self, records: RecordTable, draw: numpy.random.Generator) -> list[Codes]:
        """What a person's records are put in order by, the weightiest last."""
        if self.keep == "random":
            return [draw.permutation(len(records))]
        by = [ranks_of(name, records.column(name)) for name in self.by]
        # not as the table has its columns and writes its values, which may be otherwise where it is replayed
        others = [ranks_of(name, records.column(name)) for name in sorted(records.names)]
        return [*others, *reversed(by)]

    def _window_mistakes(self) -> list[str]:
        if self.column is None and self.begin is None and self.end is None:
            return ["give a column with begin or end, or records"]
        missing = (
            [] if self.column is not None else ["column: is missing; name the one that the window is of"]
        )
        idle = {"keep": None if self.keep == "latest" else self.keep, "by": self.by}
        others = only_with_mistakes(idle, False, "a number of records")
        return [*missing, *Window(self.begin, self.end).mistakes, *others]

    def _number_mistakes(self) -> list[str]:
        window = {"column": self.column, "begin": self.begin, "end": self.end}
        found = only_with_mistakes(window, False, "a window")
        if self.keep in ("latest", "first") and not self.by:
            asked = f"name the columns that say what is {self.keep}"
            found.append(f'by: is missing; {asked}, like by = ["date", "time"]')
        return found + only_with_mistakes({"by": self.by}, self.keep != "random", "the latest or first")

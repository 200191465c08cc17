"""Leaving out: columns, records, or single values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy
import pyarrow
import pyarrow.compute

from singleout.engine.codes.number_texts import number_text, number_texts
from singleout.errors import UsageError
from singleout.recipe.record_table import Mask, RecordTable, is_text
from singleout.recipe.steps.distinct_values import DistinctValues, change_columns, distinct_values_of
from singleout.recipe.steps.field_checks import (
    choice_mistakes,
    flag_mistakes,
    freeze,
    names_mistakes,
    only_with_mistakes,
    refuse,
    text_mistakes,
    whole_mistakes,
)
from singleout.recipe.steps.step import Change
from singleout.recipe.trace import Reach, Replayed

WHATS = ("columns", "records", "cells")
COUNTED = ("people", "records")
NO_CONDITION = "say of which values: values = [..], rarer_than = N or missing = true"


@dataclass(frozen=True)
class Suppress:
    """Leave out columns; or records, or cells, whose value meets a condition in any of the columns.

    A value meets it if it is one of `values` (compared as texts, numbers of a typed column as numbers), if
    fewer than `rarer_than` people have it in the column (or records, as `counted` says), or if it is missing
    and `missing` is true. A cell that is left out is missing, or holds the text `mark`.

    >>> Suppress(("town",), what="cells")
    Traceback (most recent call last):
    singleout.errors.UsageError: say of which values: values = [..], rarer_than = N or missing = true
    """

    step: ClassVar[str] = "suppress"
    columns: tuple[str, ...]
    what: str = "columns"
    values: tuple[Any, ...] = ()
    rarer_than: int | None = None
    counted: str = "people"
    missing: bool = False
    mark: str | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        for name in ("columns", "values"):
            object.__setattr__(self, name, freeze(getattr(self, name)))
        refuse(
            names_mistakes("columns", self.columns),
            choice_mistakes("what", self.what, WHATS),
            self._values_mistakes(),
            whole_mistakes("rarer_than", self.rarer_than, least=2),
            choice_mistakes("counted", self.counted, COUNTED),
            flag_mistakes("missing", self.missing),
            text_mistakes("mark", self.mark, "mark"),
            self._condition_mistakes(),
            whole_mistakes("seed", self.seed),
        )

    @property
    def trace(self) -> Replayed:
        reach: Reach = "record" if self.rarer_than is None else "table"
        if self.what == "cells":
            return Replayed("cells", reach, mark=self.mark)
        return Replayed("columns") if self.what == "columns" else Replayed("records", reach, joint=True)

    def apply(self, records: RecordTable, draw: numpy.random.Generator) -> Change:  # noqa: ARG002
        if self.what == "columns":
            for name in self.columns:
                records.column(name)
            return Change(records.without(self.columns), len(self.columns), "columns", "columns left out")
        return self._leave_out_records(records) if self.what == "records" else self._leave_out_cells(records)

    def _leave_out_records(self, records: RecordTable) -> Change:
        met = numpy.zeros(len(records), dtype=numpy.bool_)
        for name in self.columns:
            met |= self._condition_mask(records, name)
        how = f"records with {self._condition} left out"
        return Change(records.only(~met), int(numpy.count_nonzero(met)), "records", how)

    def _leave_out_cells(self, records: RecordTable) -> Change:
        def mark(name: str, column: pyarrow.Array) -> pyarrow.Array:
            return self._mark_cells(name, column, pyarrow.array(self._condition_mask(records, name)))

        found, changed = change_columns(records, self.columns, mark)
        to = "missing" if self.mark is None else f"to {self.mark!r}"
        return Change(found, changed, "values", f"{self._condition} set {to}")

    def _condition_mask(self, records: RecordTable, name: str) -> Mask:
        """Which records have a value that meets the condition."""
        different = distinct_values_of(name, records.column(name))
        met = self._listed_mask(different)
        if self.rarer_than is not None:
            of_people = self.counted == "people"
            held = different.holders(records.person, records.people) if of_people else different.occurrences()
            met |= held < self.rarer_than
        return numpy.append(met, self.missing)[different.codes]

    def _listed_mask(self, different: DistinctValues) -> Mask:
        texts, listed = different.texts, [_text(each) for each in self.values]
        if not is_text(different.values.type):
            texts, listed = number_texts(texts), [number_text(each) for each in listed]
        known = pyarrow.array(listed, pyarrow.large_string())
        mask: Mask = pyarrow.compute.is_in(texts, known).to_numpy(zero_copy_only=False)
        return mask.copy()

    def _mark_cells(self, name: str, column: pyarrow.Array, met: pyarrow.Array) -> pyarrow.Array:
        if self.mark is None:
            return pyarrow.compute.if_else(met, pyarrow.scalar(None, column.type), column)
        if not is_text(column.type):
            raise UsageError(f"column {name!r}: its values are {column.type}, not texts; leave `mark` out")
        return pyarrow.compute.if_else(met, pyarrow.scalar(self.mark, column.type), column)

    @property
    def _condition(self) -> str:
        parts = (
            "listed values" if self.values else None,
            f"values of fewer than {self.rarer_than} {self.counted}" if self.rarer_than else None,
            "missing values" if self.missing else None,
        )
        return " or ".join(part for part in parts if part)

    def _values_mistakes(self) -> list[str]:
        if isinstance(self.values, tuple) and not any(isinstance(each, tuple | dict) for each in self.values):
            return []
        return ['values: should be a list such as ["Ueno", "Tokyo"]']

    def _condition_mistakes(self) -> list[str]:
        given = {"values": self.values, "rarer_than": self.rarer_than, "missing": self.missing}
        if self.what not in WHATS:
            return []
        if self.what == "columns":
            return only_with_mistakes({**given, "mark": self.mark}, False, "records or cells")
        found = only_with_mistakes({"mark": self.mark}, self.what == "cells", "cells")
        if self.values == () and self.rarer_than is None and self.missing is False:
            found.append(NO_CONDITION)
        if self.what == "cells" and self.missing is True and self.mark is None:
            found.append("mark: is missing; cells that are missing need one to become")
        return found


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

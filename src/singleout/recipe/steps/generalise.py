"""Making the values of one column coarser, at one level of a hierarchy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, ClassVar

import numpy
import pyarrow

from singleout.engine.codes.number_texts import number_texts
from singleout.errors import UsageError
from singleout.recipe.record_table import RecordTable, is_text
from singleout.recipe.steps.distinct_values import DistinctValues, distinct_values_of
from singleout.recipe.steps.field_checks import (
    freeze,
    names_mistakes,
    one_of_mistakes,
    refuse,
    whole_mistakes,
)
from singleout.recipe.steps.step import Change
from singleout.recipe.trace import Replayed
from singleout.roles.hierarchies.definition_file import rules_of
from singleout.roles.hierarchies.hierarchy import Levels, levels_over, read_hierarchies
from singleout.roles.hierarchies.level_rules import Label


@dataclass(frozen=True)
class Generalise:
    """Each value becomes what a level of the column's hierarchy says; the new values are texts.

    The hierarchy is a file, a CSV in ARX's layout or a JSON definition (`hierarchy`), or a list of `levels`
    as in such a definition; level 0 is its first. Numbers and dates of a typed column are read as texts. A
    missing value stays missing, unless all others become one and the same or the hierarchy says otherwise.

    >>> tens = ({"type": "raw"}, {"type": "interval", "width": 10})
    >>> ages = RecordTable(pyarrow.table({"age": ["35", None, "39", "41"]}), numpy.arange(4), 4)
    >>> change = Generalise(("age",), level=1, levels=tens).apply(ages, numpy.random.default_rng(0))
    >>> change.records.column("age").to_pylist(), change.changed, change.how
    (['30-39', None, '30-39', '40-49'], 3, 'level 1 of age: intervals of 10')
    """

    step: ClassVar[str] = "generalise"
    columns: tuple[str, ...]
    level: int
    hierarchy: str | PathLike[str] | None = None
    levels: tuple[Mapping[str, Any], ...] | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", freeze(self.columns))
        object.__setattr__(self, "levels", freeze(self.levels))
        refuse(
            names_mistakes("columns", self.columns) or self._columns_mistakes(),
            one_of_mistakes({"hierarchy": self.hierarchy, "levels": self.levels}),
            self._hierarchy_mistakes(),
            [] if self.levels is None else rules_of(self.levels)[1],
            whole_mistakes("level", self.level, needed=True) or self._level_mistakes(),
            whole_mistakes("seed", self.seed),
        )

    @property
    def trace(self) -> Replayed:
        # but for a missing value, which joins the others where they are all alike
        return Replayed()

    def apply(self, records: RecordTable, draw: numpy.random.Generator) -> Change:  # noqa: ARG002
        (name,) = self.columns
        column = records.column(name)
        different = distinct_values_of(name, column)
        texts = different.texts if is_text(column.type) else number_texts(different.texts)
        old = [*texts.to_pylist(), *([None] if different.missing.any() else [])]
        hierarchies, remarks = read_hierarchies({name: self._hierarchy_source}, [name])
        levels = levels_over(hierarchies[name], old)
        new = levels.labels[self._check_level(levels)]
        how = f"level {self.level} of {name}: {levels.rules[self.level]}"
        if list(new) == old:
            return Change(records, 0, "values", how, remarks)
        changed = _changed_count(different, [label != value for label, value in zip(new, old, strict=True)])
        return Change(
            records.with_column(name, _put_labels(column, different, new)), changed, "values", how, remarks
        )

    @property
    def _hierarchy_source(self) -> Any:
        return self.levels if self.hierarchy is None else self.hierarchy

    def _check_level(self, levels: Levels) -> int:
        if self.level > levels.height:
            raise UsageError(
                f"level: {self.level} is beyond the last of {levels.column}; it is {levels.height}"
            )
        return self.level

    def _columns_mistakes(self) -> list[str]:
        if len(self.columns) == 1:
            return []
        return ["columns: a hierarchy is of one column; write a step for each"]

    def _hierarchy_mistakes(self) -> list[str]:
        given = self.hierarchy
        if given is None or (
            isinstance(given, (str, PathLike)) and str(given).lower().endswith((".csv", ".json"))
        ):
            return []
        return ["hierarchy: is no file of a hierarchy; name one that ends in .csv or .json"]

    def _level_mistakes(self) -> list[str]:
        if not isinstance(self.levels, tuple) or self.level < len(self.levels) or not self.levels:
            return []
        return [f"level: {self.level} is beyond the last of the levels; it is {len(self.levels) - 1}"]


def _changed_count(different: DistinctValues, unlike: list[bool]) -> int:
    """How many records have a value, or a missing one, that is no longer what it was."""
    of_each = [*different.occurrences().tolist(), int(numpy.count_nonzero(different.missing))]
    return sum(records for records, other in zip(of_each, unlike, strict=False) if other)


def _put_labels(column: pyarrow.Array, different: DistinctValues, labels: Sequence[Label]) -> pyarrow.Array:
    """The label of each record's value; that of a missing one is the last."""
    codes = numpy.where(different.missing, len(labels) - 1, different.codes)
    kind = column.type if is_text(column.type) else pyarrow.string()
    return pyarrow.array(labels, pyarrow.large_string()).take(pyarrow.array(codes)).cast(kind)

"""What every step of a recipe is, and what it reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import numpy

from singleout.recipe.record_table import RecordTable
from singleout.recipe.trace import Trace

Unit = Literal["values", "records", "people", "columns"]


@dataclass(frozen=True)
class Change:
    """The records after a step, and what it did to them.

    `changed` counts `unit`s: values that are no longer what they were, or records, people or columns that are
    no longer there. `how` says in a few words what was done, without any raw value.
    """

    records: RecordTable
    changed: int
    unit: Unit
    how: str
    remarks: tuple[str, ...] = ()


class Step(Protocol):
    """A frozen dataclass whose fields are what a recipe may say; `columns` are those it touches.

    It checks itself when it is made, and raises a UsageError that tells all its mistakes. `seed` is None
    unless the recipe gives the step one of its own: then `draw` comes from the recipe's.
    """

    step: ClassVar[str]

    @property
    def columns(self) -> tuple[str, ...]: ...

    @property
    def seed(self) -> int | None: ...

    @property
    def trace(self) -> Trace:
        """What it leaves for an intruder who knows the recipe, as its settings say."""

    def apply(self, records: RecordTable, draw: numpy.random.Generator) -> Change:
        """The records changed; those given stay as they were."""

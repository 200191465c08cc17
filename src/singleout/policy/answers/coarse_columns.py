"""Columns as coarsely as somebody knows them, made in the engine beside the exact ones."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from singleout.engine.protocol import Engine, Question
from singleout.errors import UsageError
from singleout.roles.granularity import check_fit, known_prefix
from singleout.roles.known_column import KnownColumn

WHOLE = re.compile(r"-?[0-9]+")


@dataclass(eq=False)
class CoarseColumns:
    """One engine's table, and the columns that were made in it so far."""

    counter: Engine
    made: dict[KnownColumn, str] = field(default_factory=dict)

    def column(self, known: KnownColumn) -> str:
        """The column of the engine that holds what is known; made when it is first asked for.

        An error says why a column can't be known like that.
        """
        if known.granularity is None:
            return known.name
        if known not in self.made:
            self.made[known] = self._make(known)
        return self.made[known]

    def _make(self, known: KnownColumn) -> str:
        name = self._free_name(known.words)
        if known.step is not None:
            self.counter.round_down(name, known.name, known.step)
            self._check_numbers(known, name)
            return name
        start = known_prefix(known.name, known.granularity, self.counter.look(known.name).examples)
        if start.marks:
            check_fit(known.name, str(known.granularity), self.counter.misfits(known.name, start.marks))
        if start.keep is None:
            return known.name
        self.counter.shorten(name, known.name, start.keep)
        return name

    def _check_numbers(self, known: KnownColumn, name: str) -> None:
        """What is no number stays as it is, and is known exactly."""
        values = self.counter.values(name, Question((name,)))
        if not all(value is None or WHOLE.fullmatch(value) for value in values):
            raise UsageError(f"column {known.name!r}: not all its values are numbers; round those that are")

    def _free_name(self, name: str) -> str:
        """A name that no column has."""
        taken = {column.name.casefold() for column in self.counter.columns()}
        while name.casefold() in taken:
            name += "'"
        return name

"""Leaving out people who have too few or too many records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy

from singleout.recipe.record_table import RecordTable
from singleout.recipe.steps.field_checks import one_of_mistakes, refuse, whole_mistakes
from singleout.recipe.steps.step import Change
from singleout.recipe.trace import Replayed


@dataclass(frozen=True)
class RemovePeople:
    """Leave out all records of people who have fewer than `fewer_than`, or more than `more_than`, of them.

    >>> RemovePeople(fewer_than=5, more_than=3)
    Traceback (most recent call last):
    singleout.errors.UsageError: more_than: 3 is below fewer_than, 5; nobody would be left
    """

    step: ClassVar[str] = "remove_people"
    fewer_than: int | None = None
    more_than: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        given = {"fewer_than": self.fewer_than, "more_than": self.more_than}
        mistakes = [
            *whole_mistakes("fewer_than", self.fewer_than, least=2),
            *whole_mistakes("more_than", self.more_than, least=1),
        ]
        refuse(
            mistakes or one_of_mistakes(given, most=None) or self._nobody_mistakes(),
            whole_mistakes("seed", self.seed),
        )

    @property
    def columns(self) -> tuple[str, ...]:
        return ()

    @property
    def trace(self) -> Replayed:
        return Replayed("records", reach="person")

    def apply(self, records: RecordTable, draw: numpy.random.Generator) -> Change:  # noqa: ARG002
        each = records.records_of_each()
        few = each < (self.fewer_than or 0)
        many = each > (self.more_than or len(records))
        gone = (few | many) & (each > 0)
        kept = ~gone[records.person]
        return Change(records.only(kept), int(numpy.count_nonzero(gone)), "people", self._how)

    @property
    def _how(self) -> str:
        few = f"fewer than {self.fewer_than:,}" if self.fewer_than else None
        many = f"more than {self.more_than:,}" if self.more_than else None
        return f"people with {' or '.join(part for part in (few, many) if part)} records left out"

    def _nobody_mistakes(self) -> list[str]:
        if self.fewer_than is None or self.more_than is None or self.more_than >= self.fewer_than:
            return []
        return [f"more_than: {self.more_than} is below fewer_than, {self.fewer_than}; nobody would be left"]

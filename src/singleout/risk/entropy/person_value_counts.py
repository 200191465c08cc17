"""E(person, value): how often each person has each value of a domain (Ito et al. n.d.), as sparse codes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy
from numpy.typing import NDArray

Counts = NDArray[numpy.int64]


@dataclass(frozen=True, eq=False)
class CountTable:
    """Cells above zero, by person and then by value; `starts[u]:starts[u + 1]` are those of person u.

    `people` numbers everybody in the study, whichever domain they occur in, so that two tables of one study
    speak of the same people; a person without an event in this domain has no cells.
    """

    starts: Counts
    value: Counts
    count: Counts
    values: int

    @classmethod
    def of(cls, person: Counts, value: Counts, count: Counts, people: int, values: int) -> CountTable:
        """From cells in any order, each (person, value) at most once."""
        from singleout.engine.codes.count_kernels import order_by

        _, order = order_by(value, values)
        starts, then = order_by(person[order], people)
        order = order[then]
        return cls(starts, value[order].astype(numpy.int64), count[order].astype(numpy.int64), values)

    @property
    def people(self) -> int:
        return len(self.starts) - 1

    @property
    def events(self) -> int:
        return int(self.count.sum())

    @cached_property
    def person(self) -> Counts:
        """The person of each cell."""
        return numpy.repeat(numpy.arange(self.people), numpy.diff(self.starts))

    @cached_property
    def by_person(self) -> Counts:
        """Events of each person: the row sums."""
        return numpy.bincount(self.person, weights=self.count, minlength=self.people).astype(numpy.int64)

    @cached_property
    def by_value(self) -> Counts:
        """Events with each value: the column sums."""
        return numpy.bincount(self.value, weights=self.count, minlength=self.values).astype(numpy.int64)

"""Two tables in the same codes: an original and its release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy
from numpy.typing import NDArray

Code = NDArray[numpy.uint32]
Indices = NDArray[numpy.int64]
Value = str | None


@dataclass(frozen=True, eq=False)
class History:
    """One entry a record: whose it is, and its value in each column as a code.

    People are numbered 0 … people−1; some of them may have no record.
    """

    people: int
    person: Code
    codes: Mapping[str, Code]

    @property
    def records(self) -> int:
        return len(self.person)

    def records_of_each(self) -> Indices:
        """How many records each person has."""
        return numpy.bincount(self.person, minlength=self.people)

    def sort_records(self) -> History:
        """Person by person, each one's records by their values: an order that the file's does not change."""
        from singleout.engine.codes import count_kernels as kernels

        order = numpy.arange(self.records, dtype=numpy.uint32)
        for key in (*reversed(list(self.codes.values())), self.person):
            order = order[kernels.order_by(key[order], int(key.max(initial=0)) + 1)[1]]
        codes = {name: column[order] for name, column in self.codes.items()}
        return replace(self, person=self.person[order], codes=codes)

    def only(self, kept: NDArray[numpy.bool_]) -> History:
        """The same people with some of their records."""
        codes = {name: column[kept] for name, column in self.codes.items()}
        return replace(self, person=self.person[kept], codes=codes)

    def records_of(self, people: Indices) -> tuple[Indices, Code]:
        """Which records some people have, and whose they are: the first of these people is person 0."""
        number = numpy.full(self.people, len(people), dtype=numpy.uint32)
        number[people] = numpy.arange(len(people))
        records = numpy.flatnonzero(number[self.person] < len(people))
        return records, number[self.person[records]]

    def of_people(self, people: Indices) -> History:
        """Some people with all their records, numbered anew in this order."""
        records, person = self.records_of(people)
        return History(len(people), person, {name: column[records] for name, column in self.codes.items()})


@dataclass(frozen=True, eq=False)
class Histories:
    """`values` has, for each column, what its codes stand for in both tables; a missing value is None."""

    original: History
    release: History
    values: Mapping[str, tuple[Value, ...]]

    def are_equal(self) -> bool:
        """Whether both hold the same records in the same order, as a table beside itself does."""
        one, other = self.original, self.release
        pairs = [(one.person, other.person), *((one.codes[name], other.codes[name]) for name in one.codes)]
        return one.people == other.people and all(numpy.array_equal(*pair) for pair in pairs)

    def sort_records(self) -> Histories:
        original = self.original.sort_records()
        return replace(
            self, original=original, release=original if self.are_equal() else self.release.sort_records()
        )

    def only_column(self, name: str) -> Histories:
        original, release = (
            replace(side, codes={name: side.codes[name]}) for side in (self.original, self.release)
        )
        return Histories(original, release, {name: self.values[name]})

    def with_column_of(self, other: Histories, name: str) -> Histories:
        """The same records with a column as other tables of them have it."""
        original, release = (
            replace(side, codes={**side.codes, name: its.codes[name]})
            for side, its in ((self.original, other.original), (self.release, other.release))
        )
        return Histories(original, release, {**self.values, name: other.values[name]})

    def with_original(self, original: History) -> Histories:
        """The same release, of whose original less is known."""
        return replace(self, original=original)

"""What is right to guess of each person, or of each record of a person, and who gets how much of it right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy
from numpy.typing import NDArray

from singleout.attacks.inference.class_majority import people_of_values
from singleout.engine.codes.histories import Indices

Of = Literal["person", "record"]
Credit = NDArray[numpy.float64]


@dataclass(frozen=True, eq=False)
class GuessTarget:
    """A row for each person, or for each record; `row` is its number among all of them.

    `value` is what a model learns, `right` are all (row, value) that count as guessed right, as
    row · values + value, rising. Who has no row left is not asked about.
    """

    of: Of
    row: Indices
    person: Indices
    value: Indices
    values: int
    right: Indices

    @cached_property
    def people(self) -> Indices:
        """Those who have a row; rows stand person by person."""
        return self.person[numpy.flatnonzero(numpy.diff(self.person, prepend=-1))]

    @property
    def weight(self) -> Credit:
        """Each person counts as one, however many rows it has."""
        return 1 / numpy.bincount(self.person)[self.person]

    def credit(self, guess: Indices) -> Credit:
        """For each of the people the share of rows guessed right, by a guess for each row."""
        hit = numpy.isin(self.row * self.values + guess, self.right, assume_unique=True)
        rows, hits = numpy.bincount(self.person), numpy.bincount(self.person, hit)
        return hits[self.people] / rows[self.people]

    def only(self, kept: NDArray[numpy.bool_]) -> GuessTarget:
        """Some of the rows."""
        return replace(self, row=self.row[kept], person=self.person[kept], value=self.value[kept])

    def shared(self) -> GuessTarget:
        """Those of values that at least two people have: what nobody else has can't be learned."""
        return self.only(people_of_values(self.person, self.value)[self.value] > 1)


def person_target(person: Indices, value: Indices, values: int) -> GuessTarget:
    """Of each person the most frequent value; of several such any is right, the most frequent of all learned.

    >>> target = person_target(numpy.array([0, 0, 1]), numpy.array([1, 2, 2]), 3)
    >>> target.value.tolist(), target.credit(numpy.array([1, 1])).tolist()
    ([2, 2], [1.0, 0.0])
    """
    pairs, records = numpy.unique(person * values + value, return_counts=True)
    whose, held = pairs // values, pairs % values
    most = numpy.zeros(int(person.max()) + 1, dtype=numpy.int64)
    numpy.maximum.at(most, whose, records)
    right = pairs[records == most[whose]]
    of_all = numpy.bincount(held, minlength=values)
    order = numpy.lexsort((right % values, -of_all[right % values], right // values))
    first = numpy.flatnonzero(numpy.diff(right[order] // values, prepend=-1))
    people, typical = right[order][first] // values, right[order][first] % values
    return GuessTarget("person", people, people, typical, values, right)


def record_target(person: Indices, value: Indices, values: int) -> GuessTarget:
    """Of each record its value."""
    row = numpy.arange(len(value))
    return GuessTarget("record", row, person, value, values, row * values + value)

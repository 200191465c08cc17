"""Which sensitive values each class of look-alikes has, and how many people have them there and in all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts
from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.numbering import join_codes
from singleout.engine.codes.spelling_variants import SPELLINGS

Reals = NDArray[numpy.float64]
Flags = NDArray[numpy.bool_]
# what a measure says of blanks: they hide nothing from who knows that somebody has a value
MISSING = (
    "a missing sensitive value is a value of its own, last in order; those who have a value are also counted "
    "by themselves, and the worse counts. With the rule drop its record is left out; in the other columns by "
    f"the rule printed with the result. {SPELLINGS}"
)
# of a history; where each record is its own person, all of these count records
ONCE = "people counted once for each value that they have in a class"


@dataclass(frozen=True, eq=False)
class SensitiveCounts:
    """One entry for each pair of a class and a value that occurs, by class.

    `having` is how many people of the class have the value: a person of many records counts once for each
    value. Without a user each record is its own person. `totals` are the people who have each value in the
    table, `table_people` all of them; `records` and `people` are those of each class, `members` the class and
    the person of each record where people are named.
    """

    class_of: Counts
    value_of: Counts
    having: Counts
    records: Counts
    people: Counts
    totals: Counts
    table_people: int
    members: tuple[Codes, Codes] | None = None

    @property
    def classes(self) -> int:
        return len(self.records)

    @cached_property
    def sizes(self) -> Counts:
        """What the shares of a class's values are of: people, each once for each of their values there."""
        return self.sums(self.having)

    @cached_property
    def highest(self) -> Counts:
        """How many people have the value that most of the class have."""
        most = numpy.zeros(self.classes, dtype=numpy.int64)
        numpy.maximum.at(most, self.class_of, self.having)
        return most

    @cached_property
    def certain(self) -> Flags:
        """Classes with a value that all their people have: who knows the class knows it of each of them."""
        all_have: Flags = (self.highest == self.people) & (self.people > 0)
        return all_have

    @cached_property
    def gains(self) -> Reals:
        """How much more of the class's people have the value than of all people: 1 is the same share."""
        people, totals = self.people[self.class_of], self.totals[self.value_of]
        ratios: Reals = (self.having * float(self.table_people)) / (people * totals.astype(numpy.float64))
        return ratios

    def people_in(self, groups: Counts) -> Counts:
        """How many people have a record in each group of classes; `groups` has the number of each class's."""
        many = int(groups.max(initial=0)) + 1
        if self.members is None:
            return numpy.bincount(groups, self.people, many).astype(numpy.int64)
        classes, persons = self.members
        return distinct_counts(Codes(groups.astype(numpy.uint32)[classes.codes], many), persons)

    def sums(self, numbers: NDArray[numpy.int64] | Reals) -> Counts:
        """Of each class, in whole numbers."""
        return numpy.bincount(self.class_of, numbers, self.classes).astype(numpy.int64)


def sensitive_counts(
    classes: Codes,
    values: Codes,
    persons: Codes | None = None,
    records: Counts | None = None,
    totals: TableValues | None = None,
    threads: int = 1,
) -> SensitiveCounts:
    """Count records that have a class, a value and perhaps a person; `records` if one stands for several.

    `totals` are of the whole table where only some of its records are given.

    >>> alike = Codes(numpy.array([0, 0, 1], dtype=numpy.uint32), 2)
    >>> found = sensitive_counts(alike, Codes(numpy.array([1, 0, 1], dtype=numpy.uint32), 2))
    >>> found.class_of.tolist(), found.value_of.tolist(), found.having.tolist(), found.certain.tolist()
    ([0, 0, 1], [0, 1, 1], [1, 1, 1], [False, True])
    """
    size = numpy.bincount(classes.codes, records, classes.count).astype(numpy.int64)
    whole = totals or table_values(values, persons, records, threads)
    if persons is None:
        class_of, value_of, having = _pairs(classes, values, records, threads)
        people = size
    else:
        seen = first_rows(join_codes([classes, values, persons], threads))
        once = Codes(classes.codes[seen], classes.count), Codes(values.codes[seen], values.count)
        class_of, value_of, having = _pairs(*once, None, threads)
        people = distinct_counts(classes, persons, threads)
    members = None if persons is None else (classes, persons)
    return SensitiveCounts(class_of, value_of, having, size, people, whole.totals, whole.people, members)


@dataclass(frozen=True, eq=False)
class TableValues:
    """How many people of the table have each value, and how many people there are."""

    totals: Counts
    people: int


def table_values(
    values: Codes, persons: Codes | None = None, records: Counts | None = None, threads: int = 1
) -> TableValues:
    if persons is None:
        totals = numpy.bincount(values.codes, records, values.count).astype(numpy.int64)
        return TableValues(totals, int(totals.sum()))
    return TableValues(distinct_counts(values, persons, threads), len(numpy.unique(persons.codes)))


def distinct_counts(classes: Codes, values: Codes, threads: int = 1) -> Counts:
    """How many different values each class has.

    >>> both = numpy.array([0, 0, 1], dtype=numpy.uint32)
    >>> distinct_counts(Codes(both, 2), Codes(numpy.array([4, 5, 4], dtype=numpy.uint32), 6)).tolist()
    [2, 1]
    """
    rows = first_rows(join_codes([classes, values], threads))
    return numpy.bincount(classes.codes[rows], minlength=classes.count)


def first_rows(numbered: Codes) -> Counts:
    """A row of each code."""
    rows = numpy.empty(numbered.count, dtype=numpy.int64)
    rows[numbered.codes[::-1]] = numpy.arange(len(numbered.codes) - 1, -1, -1)
    return rows


def _pairs(
    classes: Codes, values: Codes, records: Counts | None, threads: int
) -> tuple[Counts, Counts, Counts]:
    """(class, value, records) of each pair that occurs, in the order of both."""
    pairs = join_codes([classes, values], threads)
    rows = first_rows(pairs)
    counted = numpy.bincount(pairs.codes, records, pairs.count).astype(numpy.int64)
    class_of, value_of = classes.codes[rows].astype(numpy.int64), values.codes[rows].astype(numpy.int64)
    order = numpy.lexsort((value_of, class_of))
    return class_of[order], value_of[order], counted[order]

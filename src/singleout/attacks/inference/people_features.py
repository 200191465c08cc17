"""What is known of records and people as numbers that a model can learn from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from singleout.attacks.inference.known_table import Flags, KnownTable, OrderedValues
from singleout.engine.codes.histories import Code, Indices

Matrix = NDArray[numpy.float32]
# the model takes 255 categories: the most frequent ones, and one for all others
MOST_CATEGORIES = 254
MOST_SHARES, MOST_OF_PEOPLE = 8, 80


@dataclass(frozen=True, eq=False)
class Features:
    """A row for each record or person; a `categorical` column holds categories 0, 1, …, without an order."""

    matrix: Matrix
    categorical: Flags

    def at(self, rows: Indices) -> Features:
        return Features(self.matrix[rows], self.categorical)

    def beside(self, other: Features) -> Features:
        matrix = numpy.concatenate((self.matrix, other.matrix), axis=1)
        return Features(matrix, numpy.concatenate((self.categorical, other.categorical)))


Feature = tuple[NDArray[numpy.float64], bool]


def record_features(table: KnownTable) -> Features:
    """Each known column: numbers and times by their order, categories as such, those of many values both."""
    found: list[Feature] = []
    for name in table.known:
        code, about = table.history.codes[name], table.values[name]
        if about.ordered or about.count > MOST_CATEGORIES:
            found.append((_ranks(code, about), False))
        if not about.ordered or about.count > MOST_CATEGORIES:
            found.append((_categories(code), True))
    return _matrix(found)


def person_features(table: KnownTable) -> Features:
    """Of each person's records together: how many, how many values, the lowest, mean, highest, most frequent.

    And the share of records with each of the column's most frequent values.
    """
    person, people = table.history.person.astype(numpy.int64), table.history.people
    found: list[Feature] = [(table.history.records_of_each().astype(numpy.float64), False)]
    shares = min(MOST_SHARES, max(0, MOST_OF_PEOPLE // len(table.known) - 5))
    for name in table.known:
        found += _column_features(person, people, table.history.codes[name], table.values[name], shares)
    return _matrix(found)


def _column_features(
    person: Indices, people: int, code: Code, about: OrderedValues, shares: int
) -> Iterator[Feature]:
    width = int(code.max()) + 1
    pairs, records = numpy.unique(person * width + code, return_counts=True)
    whose, value = pairs // width, pairs % width
    yield numpy.bincount(whose, minlength=people).astype(numpy.float64), False
    # of each person the last one is the most frequent value, of several such the smallest
    order = numpy.lexsort((-value, records, whose))
    typical = value[order][numpy.searchsorted(whose[order], numpy.arange(people), side="right") - 1]
    yield _categories(typical.astype(numpy.uint32)), True
    if about.ordered or about.count > MOST_CATEGORIES:
        yield from ((each, False) for each in _spread(person, people, _ranks(code, about)))
    each_records = numpy.bincount(person, minlength=people)
    totals = numpy.bincount(code, minlength=width)
    for frequent in numpy.argsort(-totals, kind="stable")[: min(shares, int((totals > 0).sum()))]:
        held = numpy.zeros(people)
        held[whose[value == frequent]] = records[value == frequent]
        yield held / each_records, False


def _spread(person: Indices, people: int, rank: NDArray[numpy.float64]) -> list[NDArray[numpy.float64]]:
    """The lowest, the mean and the highest of each person, unknown for who has none."""
    there = ~numpy.isnan(rank)
    number = numpy.bincount(person[there], minlength=people)
    lowest, highest = numpy.full(people, numpy.inf), numpy.full(people, -numpy.inf)
    numpy.minimum.at(lowest, person[there], rank[there])
    numpy.maximum.at(highest, person[there], rank[there])
    total = numpy.bincount(person[there], rank[there], minlength=people)
    spread = (lowest, total / numpy.maximum(number, 1), highest)
    return [numpy.where(number > 0, each, numpy.nan) for each in spread]


def _ranks(code: Code, about: OrderedValues) -> NDArray[numpy.float64]:
    """Trees ask only what comes before what, so that the order of numbers is as good as they are."""
    ranks = code.astype(numpy.float64)
    if about.missing is not None:
        ranks[code == about.missing] = numpy.nan
    return ranks


def _categories(code: Code) -> NDArray[numpy.float64]:
    """The most frequent values by number, all others as one."""
    totals = numpy.bincount(code)
    number = numpy.full(len(totals), MOST_CATEGORIES)
    number[numpy.argsort(-totals, kind="stable")[:MOST_CATEGORIES]] = numpy.arange(
        min(MOST_CATEGORIES, len(totals))
    )
    return number[code].astype(numpy.float64)


def _matrix(found: list[Feature]) -> Features:
    matrix = numpy.stack([each for each, _ in found], axis=1).astype(numpy.float32)
    return Features(matrix, numpy.array([categorical for _, categorical in found]))

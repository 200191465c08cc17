"""Brings an original and its release to what their values have in common, column by column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy

from singleout.attacks.alignment.column_comparison import ColumnComparison
from singleout.attacks.alignment.form_readings import WrittenValues, form_readings
from singleout.attacks.alignment.hierarchy_readings import hierarchy_readings
from singleout.attacks.alignment.reading import PeopleOfBoth, Reading, equal_reading
from singleout.engine.codes.histories import Histories, History, Indices
from singleout.roles.hierarchies.hierarchy import Hierarchy


def align(
    both: Histories, truth: Indices, hierarchies: Mapping[str, Hierarchy] | None = None
) -> tuple[Histories, tuple[ColumnComparison, ...]]:
    """Every column as both tables can be compared in it; those that can't stay as they are.

    Whichever side is coarser, the other follows it: dates to the month, texts to their beginnings, numbers
    to intervals, values to a level of the column's hierarchy.

    >>> from numpy import array, uint32
    >>> known = History(2, array([0, 1], uint32), {"day": array([0, 1], uint32)})
    >>> seen = History(2, array([0, 1], uint32), {"day": array([2, 3], uint32)})
    >>> days = ("2023-06-13", "2023-07-01", "2023-06", "2023-07")
    >>> aligned, (day,) = align(Histories(known, seen, {"day": days}), array([0, 1]))
    >>> day.how, day.words, aligned.original.codes["day"].tolist(), aligned.release.codes["day"].tolist()
    ('form', 'as dates, to the month', [0, 1], [0, 1])
    """
    people = PeopleOfBoth.of(both, truth)
    comparisons = []
    for name in both.values:
        reading, comparison = _compare(both, people, name, (hierarchies or {}).get(name))
        comparisons.append(comparison)
        if reading is not None and reading.how != "equal":
            both = _recode_column(both, name, reading)
    return both, tuple(comparisons)


def _compare(
    both: Histories, people: PeopleOfBoth, name: str, hierarchy: Hierarchy | None
) -> tuple[Reading | None, ColumnComparison]:
    """The reading under which the release tells most of its people; None where none beats chance."""
    plain = equal_reading(both.values[name])
    if _is_empty(both, name):
        return plain, ColumnComparison(name, "equal", "which are left out", 0.0, 0.0, exact=True, empty=True)
    if not people.original.records or not people.release.records:
        return plain, ColumnComparison(name, "equal", "as they are, for nobody has records in both", 0.0, 0.0)
    tried = [(plain, people.agreement(name, plain))]
    if not (tried[0][1].is_exact and tried[0][1].is_more_than_chance):
        tried += [(each, people.agreement(name, each)) for each in _readings(both, name, hierarchy)]
    telling = [each for each in tried if each[1].is_more_than_chance]
    if not telling:
        plainly = tried[0][1]
        return None, ColumnComparison(name, "none", "not at all", plainly.own, plainly.kept)
    # rounded, so that the order of records does not decide between readings that tell the same
    best, agreement = max(telling, key=lambda each: round(max(each[1].information, 0.0), 9))
    own, kept = agreement.own, agreement.kept
    return best, ColumnComparison(name, best.how, best.words, own, kept, exact=agreement.is_exact)


def _is_empty(both: Histories, name: str) -> bool:
    filled = numpy.array([value not in (None, "*") for value in both.values[name]], dtype=numpy.bool_)
    return not filled[both.release.codes[name]].any()


def _readings(both: Histories, name: str, hierarchy: Hierarchy | None) -> Iterator[Reading]:
    sides = (frozenset(numpy.unique(side.codes[name]).tolist()) for side in (both.original, both.release))
    written = WrittenValues(both.values[name], *sides)
    if hierarchy is not None:
        yield from hierarchy_readings(written, hierarchy)
    yield from form_readings(written)


def _recode_column(both: Histories, name: str, reading: Reading) -> Histories:
    original, release, labels = reading.numbers()

    def recode(side: History, numbers: Indices) -> History:
        return replace(side, codes={**side.codes, name: numbers.astype(numpy.uint32)[side.codes[name]]})

    sides = recode(both.original, original), recode(both.release, release)
    return Histories(*sides, {**both.values, name: labels})

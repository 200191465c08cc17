"""Brings an original and its release to what their values have in common, column by column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy

from singleout.attacks.alignment.column_comparison import ColumnComparison
from singleout.attacks.alignment.form_readings import WrittenValues, form_readings
from singleout.attacks.alignment.hierarchy_readings import hierarchy_readings
from singleout.attacks.alignment.reading import (
    MOST_RECORDS,
    Agreement,
    PeopleOfBoth,
    Reading,
    equal_reading,
    is_empty,
)
from singleout.engine.codes.histories import Histories, History, Indices
from singleout.roles.hierarchies.hierarchy import Hierarchy

# so many more records that agree are no luck
LEAST_GAINED = 20
# in fewer, values may be merged where at most so many agree as they are
HALF = 0.5


def align(
    both: Histories,
    truth: Indices,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    *,
    drop: bool = False,
) -> tuple[Histories, tuple[ColumnComparison, ...]]:
    """Every column as both tables can be compared in it; those that can't stay as they are.

    Whichever side is coarser, the other follows it: dates to the month, texts to their beginnings, numbers
    to intervals, values to a level of the column's hierarchy. With `drop` a missing value agrees with none.

    >>> from numpy import array, uint32
    >>> known = History(2, array([0, 1], uint32), {"day": array([0, 1], uint32)})
    >>> seen = History(2, array([0, 1], uint32), {"day": array([2, 3], uint32)})
    >>> days = ("2023-06-13", "2023-07-01", "2023-06", "2023-07")
    >>> aligned, (day,) = align(Histories(known, seen, {"day": days}), array([0, 1]))
    >>> day.how, day.words, aligned.original.codes["day"].tolist(), aligned.release.codes["day"].tolist()
    ('form', 'as dates, to the month', [0, 1], [0, 1])
    """
    if both.release is both.original and numpy.array_equal(truth, numpy.arange(both.original.people)):
        # the table itself: nothing was changed
        return both, tuple(_same_values(both, name, drop) for name in both.values)
    some, everybody = PeopleOfBoth.of(both, truth, MOST_RECORDS), PeopleOfBoth.of(both, truth)
    comparisons = []
    for name in both.values:
        reading, comparison = _compare(both, some, name, (hierarchies or {}).get(name))
        if reading is not None and comparison.own is not None and some.people < everybody.people:
            # what was seen of some is not yet so of all
            comparison = _comparison(name, reading, everybody.agreement(name, reading))
        if reading is not None and reading.how != "equal":
            both = _recode_column(both, name, reading)
        comparisons.append(replace(comparison, apart=_is_apart(both, name, drop)))
    return both, tuple(comparisons)


def _same_values(both: Histories, name: str, drop: bool) -> ColumnComparison:
    apart = _is_apart(both, name, drop)
    if is_empty(both, name):
        return ColumnComparison(name, "equal", "which are left out", exact=True, empty=True, apart=apart)
    return ColumnComparison(name, "equal", "as they are", 1.0, 1.0, exact=True, apart=apart)


def _compare(
    both: Histories, people: PeopleOfBoth, name: str, hierarchy: Hierarchy | None
) -> tuple[Reading | None, ColumnComparison]:
    """Values as they are, unless another reading explains the release; None where none beats chance."""
    plain = equal_reading(both.values[name])
    if is_empty(both, name):
        return plain, ColumnComparison(name, "equal", "which are left out", exact=True, empty=True)
    if not people.original.records or not people.release.records:
        words = "as they are, for nobody has records in both"
        return plain, ColumnComparison(name, "equal", words)
    plainly = people.agreement(name, plain)
    if plainly.fits and plainly.is_more_than_chance:
        return plain, _comparison(name, plain, plainly)
    tried = [(each, people.agreement(name, each)) for each in _readings(both, name, hierarchy)]
    explained = [each for each in tried if _explains(*each, plainly)]
    if explained:
        # rounded, so that the order of records does not decide between readings that tell the same
        best, agreement = max(explained, key=lambda each: round(max(each[1].bits, 0.0), 9))
        return best, _comparison(name, best, agreement)
    if plainly.is_more_than_chance:
        return plain, _comparison(name, plain, plainly)
    return None, ColumnComparison(name, "none", "not at all", plainly.own, plainly.kept)


def _comparison(name: str, reading: Reading, agreement: Agreement) -> ColumnComparison:
    own, kept, exact = agreement.own, agreement.kept, agreement.is_exact
    return ColumnComparison(
        name, reading.how, reading.words, own, kept, exact, agreement.blanks, agreement.coarse
    )


def _explains(reading: Reading, agreement: Agreement, plainly: Agreement) -> bool:
    """Whether the release agrees under a reading, and that can't well be luck.

    Values that are merged agree more easily, and steps of rounding are found in any few numbers.
    """
    if not (agreement.fits and agreement.is_more_than_chance):
        return False
    gained = (max(agreement.own, agreement.kept) - max(plainly.own, plainly.kept)) * agreement.records
    if gained >= LEAST_GAINED:
        return True
    if reading.guessed:
        return False
    return not agreement.merges or max(plainly.own, plainly.kept) <= HALF


def _is_apart(both: Histories, name: str, drop: bool) -> bool:
    common = numpy.intersect1d(both.original.codes[name], both.release.codes[name])
    return not any(both.values[name][code] is not None or not drop for code in common.tolist())


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

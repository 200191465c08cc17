"""Statistics changed on paper: another number of records, a column less, a column more."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy

from singleout.checks import is_whole
from singleout.errors import UsageError, name_hint
from singleout.risk.predict.avfm import Avfm, Counts, Labels
from singleout.risk.predict.closed_form import expected_orr
from singleout.risk.predict.result import WhatIf

MOST_RECORDS = 2**53
MOST_VALUES = 10_000_000
LARGEST = 2**63 - 1


def scaled_avfm(avfm: Avfm, records: int) -> Avfm:
    """The same proportions among another number of records; values that would round to none vanish.

    >>> scaled_avfm(Avfm(("sex",), (numpy.array([5, 4, 1]),)), 5).frequencies[0].tolist()
    [3, 2]
    """
    _check_number(records, "records", MOST_RECORDS)
    counts = [apportioned_counts(column, records) for column in avfm.frequencies]
    labels = avfm.labels and tuple(map(_kept_labels, avfm.labels, counts))
    return Avfm(avfm.columns, tuple(column[column > 0] for column in counts), labels)


def grown_avfm(avfm: Avfm, records: int) -> Avfm | None:
    """More records that bring new values as often as the present ones did of late.

    It is the upper side of `scaled_avfm`.

    A value seen once was new when it came, so a share f_1/n of further records is taken to bring another
    (Good and Turing), each once; the others keep the proportions. Real data brings fewer as it grows. None
    where the new values are too many to list.

    >>> more = grown_avfm(Avfm(("id", "sex"), (numpy.array([1, 1]), numpy.array([2]))), 4)
    >>> [column.tolist() for column in more.frequencies]
    [[1, 1, 1, 1], [4]]
    """
    _check_number(records, "records", MOST_RECORDS)
    if records <= avfm.records:
        return scaled_avfm(avfm, records)
    new = [(records - avfm.records) * int((column == 1).sum()) // avfm.records for column in avfm.frequencies]
    if sum(new) > MOST_VALUES:
        return None
    both = zip(avfm.frequencies, new, strict=True)
    return Avfm(
        avfm.columns, tuple(_counts_with_new_values(column, records, values) for column, values in both)
    )


def _counts_with_new_values(column: Counts, records: int, new: int) -> Counts:
    return numpy.append(apportioned_counts(column, records - new), numpy.ones(new, dtype=numpy.int64))


def _kept_labels(labels: Labels, counts: Counts) -> Labels:
    return tuple(label for label, count in zip(labels, counts.tolist(), strict=True) if count)


def without_columns(avfm: Avfm, columns: Sequence[str]) -> Avfm:
    """What is left without some columns."""
    for name in columns:
        if name not in avfm.columns:
            raise UsageError(f"there is no column {name!r} to leave out; {name_hint(name, avfm.columns)}")
    left = [name for name in avfm.columns if name not in columns]
    if not left:
        raise UsageError("without all of its columns nothing is left; keep at least one")
    return avfm.only(left)


def with_column(avfm: Avfm, name: str, shares: Sequence[float]) -> Avfm:
    """With one more column, whose values have these shares of the records, in any unit.

    Its values are called by their rank; those whose share would round to no record vanish.
    """
    _check_name(avfm, name)
    if not shares:
        raise UsageError(f"column {name!r}: no value has a share; give one or more")
    for share in shares:
        if not 0 < share < math.inf:
            raise UsageError(f"column {name!r}: a share of {share!r} is impossible; take numbers above 0")
    exact = [Fraction(share) for share in shares]
    unit = math.lcm(*(share.denominator for share in exact))
    weights = numpy.array([int(share * unit) for share in exact], dtype=object)
    return _with_counts(avfm, name, apportioned_counts(weights, avfm.records))


def with_equal_values(avfm: Avfm, name: str, values: int) -> Avfm:
    """With one more column of so many values, equally frequent as far as that goes."""
    _check_number(values, "values", MOST_VALUES)
    _check_name(avfm, name)
    each, left = divmod(avfm.records, min(values, avfm.records))
    counts = numpy.full(min(values, avfm.records), each, dtype=numpy.int64)
    counts[:left] += 1
    return _with_counts(avfm, name, counts)


def with_added_column(avfm: Avfm, text: str) -> Avfm:
    """With the column that a text asks for: NAME=4 for four equal values, NAME=50,30,20 for shares.

    >>> with_added_column(Avfm(("sex",), (numpy.array([6, 4]),)), "age=50,30,20").frequencies[1].tolist()
    [5, 3, 2]
    """
    name, _, values = text.rpartition("=")
    try:
        if "," in values:
            return with_column(avfm, name, [float(each) for each in values.split(",")])
        return with_equal_values(avfm, name, int(values))
    except ValueError as error:
        raise UsageError(f"{text!r} is no column to add; write NAME=4, or shares as NAME=50,30,20") from error


def _with_counts(avfm: Avfm, name: str, counts: Counts) -> Avfm:
    falling = -numpy.sort(-counts[counts > 0])
    ranks = tuple(map(str, range(1, len(falling) + 1)))
    labels = avfm.labels and (*avfm.labels, ranks)
    return Avfm((*avfm.columns, name), (*avfm.frequencies, falling), labels)


def apportioned_counts(weights: Any, records: int) -> Counts:
    """Whole numbers as close to the weights' proportions as can be that add up to the records.

    Rounded down, the records that are left go to those who lost most by that, the first of them on a tie.
    """
    total = sum(weights.tolist())
    if max(weights.tolist()) * records > LARGEST:
        weights = weights.astype(object)
    counts, lost = weights * records // total, weights * records % total
    left = records - int(counts.sum())
    counts[numpy.argsort(-lost, kind="stable")[:left]] += 1
    whole: Counts = counts.astype(numpy.int64)
    return whole


def _check_name(avfm: Avfm, name: str) -> None:
    if not name:
        raise UsageError("a new column needs a name; write it before the =")
    if name in avfm.columns:
        raise UsageError(f"there is a column {name!r} already; give the new one another name")


def _check_number(number: int, of: str, most: int) -> None:
    if not is_whole(number) or not 1 <= number <= most:
        raise UsageError(f"{number!r} {of} are impossible; take a whole number from 1 to {most:,}")


GROWTH = (
    "with more records new values turn up: the ORR keeps today's proportions, its high end lets new values "
    "come as often as those seen once did"
)


def what_if(
    avfm: Avfm, drop: Sequence[Sequence[str]], add: Sequence[str], records: Sequence[int]
) -> tuple[WhatIf, ...]:
    """Each change by itself, and all together where there are several kinds."""
    if any(isinstance(each, str) for each in drop) or isinstance(add, str) or isinstance(records, int):
        raise UsageError("drop lists lists of columns, add lists texts, and records lists whole numbers")
    changes = [
        *(_change_of_columns(f"without {', '.join(names)}", without_columns(avfm, names)) for names in drop),
        *(_change_of_columns(f"with {text}", with_added_column(avfm, text)) for text in add),
        *(_change_of_size(f"with {number:,} records", avfm, number) for number in records),
    ]
    if sum(map(bool, (drop, add, records))) > 1:
        with suppress(UsageError):  # what can't be together was asked for as alternatives
            whole = without_columns(avfm, [name for names in drop for name in names]) if drop else avfm
            for text in add:
                whole = with_added_column(whole, text)
            changes += [
                _change_of_size("all of these", whole, number) for number in records or (avfm.records,)
            ]
    return tuple(changes)


def _change_of_columns(change: str, after: Avfm) -> WhatIf:
    orr, low, high, *_ = closed_form_orr(after)
    return WhatIf(change, after.records, after.columns, orr, low, high)


def _change_of_size(change: str, avfm: Avfm, records: int) -> WhatIf:
    """From the same proportions up to new values at today's rate."""
    orr, low, high, *_ = closed_form_orr(scaled_avfm(avfm, records))
    if records > avfm.records:
        larger = grown_avfm(avfm, records)
        high = 1.0 if larger is None else max(high, closed_form_orr(larger)[2])
    return WhatIf(change, records, avfm.columns, orr, low, high)


def closed_form_orr(avfm: Avfm) -> tuple[float, float, float, float, float | None]:
    """The expected ORR, its low and high end, its bound, and the deviation of one table."""
    expected = expected_orr(avfm)
    low, high = max(0.0, expected.orr - expected.bound), min(1.0, expected.orr + expected.bound)
    return expected.orr, low, high, expected.bound, expected.deviation

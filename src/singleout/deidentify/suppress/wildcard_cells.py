"""Which cells to blank so that every record fits k people of the data, a blank cell fitting every value.

Blanks of other records help nobody: otherwise k − 1 records without any value would be enough for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

import numpy
from numpy.typing import NDArray

from singleout.deidentify.suppress.blank_cells import CellTable, Mask
from singleout.errors import UsageError

MOST_WILDCARD_WORK = 1_000_000_000
Columns = tuple[int, ...]


def wildcard_cells(table: CellTable, sets: Sequence[Columns], k: int) -> Mask:
    """The cheapest blanks of each record; of equal ones the first, so that like records stay alike."""
    asked = sorted({index for each in sets for index in each})
    if table.records << len(asked) > MOST_WILDCARD_WORK:
        raise UsageError(
            f"wildcards: every choice of {len(asked)} columns is looked at for {table.records:,} records, "
            "which takes too long; name fewer columns"
        )

    @cache
    def is_enough(seen: Columns) -> Mask:
        return fitting_people(table, seen) >= k

    there = ~table.blank
    blanks = numpy.zeros_like(there)
    best = numpy.full(table.records, numpy.inf)
    for gone in _choices(asked):
        chosen = numpy.zeros(there.shape[1], dtype=numpy.bool_)
        chosen[list(gone)] = True
        cost = (there & chosen) @ numpy.array(table.costs)
        better = cost < best
        for each in {tuple(index for index in some if index not in gone) for some in sets}:
            if not better.any():
                break
            better &= is_enough(each)
        best[better] = cost[better]
        blanks[better] = there[better] & chosen
    return blanks


def _choices(columns: Sequence[int]) -> Iterator[Columns]:
    for size in range(len(columns) + 1):
        yield from combinations(columns, size)


def fitting_people(table: CellTable, seen: Columns) -> NDArray[numpy.int64]:
    """How many people (records, where none are named) have each record's values in some columns."""
    if seen:
        return table.sizes(seen)
    people = table.records if table.persons is None else len(numpy.unique(table.persons.codes))
    return numpy.full(table.records, people)


def fewest_fitting(table: CellTable, sets: Sequence[Columns], blanks: Mask) -> int:
    """Counted afresh: over all records and sets, the fewest people of the data who fit what is left."""
    gone, fewest = blanks | table.blank, table.records
    for columns in sets:
        patterns, number = numpy.unique(gone[:, list(columns)], axis=0, return_inverse=True)
        for index, pattern in enumerate(patterns):
            seen = tuple(column for column, blank in zip(columns, pattern, strict=True) if not blank)
            fewest = min(fewest, int(fitting_people(table, seen)[number.reshape(-1) == index].min()))
    return fewest

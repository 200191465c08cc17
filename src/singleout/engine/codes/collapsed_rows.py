"""Records that are alike collapsed into one row with a weight: enough for every set of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts
from singleout.engine.codes.dictionary import Code, Codes
from singleout.engine.codes.numbering import join_codes
from singleout.engine.codes.tuple_codes import CodedRecords


@dataclass(frozen=True, eq=False)
class CollapsedRows:
    """Distinct value tuples, or distinct pairs of a tuple and a person where people are named.

    `codes` has an array for each column, of the smallest type that holds it, `records` how many records each
    row stands for, `row` which row each of the given records became. Without `persons` each record is its own
    person.
    """

    codes: tuple[NDArray[Any], ...]
    values: tuple[int, ...]
    records: Counts
    row: Code
    persons: Code | None = None
    people: int = 0

    @property
    def total(self) -> int:
        return int(self.records.sum())

    @property
    def bytes(self) -> int:
        """Of the codes alone: what the coded table needs."""
        return sum(each.nbytes for each in self.codes)


def collapse(
    columns: Sequence[Codes], person: Codes | None = None, records: Counts | None = None, threads: int = 1
) -> CollapsedRows:
    """One row for each distinct tuple; `records` says how many each given tuple stands for, if not for one.

    >>> alike = numpy.array([0, 1, 0], dtype=numpy.uint32)
    >>> collapse([Codes(alike, 2)]).records.tolist()
    [2, 1]
    """
    every = [*columns, *([person] if person else [])]
    tuples = join_codes(every, threads)
    first = numpy.empty(tuples.count, dtype=numpy.int64)
    first[tuples.codes[::-1]] = numpy.arange(len(tuples.codes) - 1, -1, -1)
    counted = numpy.bincount(tuples.codes, records, tuples.count).astype(numpy.int64)
    return CollapsedRows(
        codes=tuple(_narrow_codes(each)[first] for each in columns),
        values=tuple(each.count for each in columns),
        records=counted,
        row=tuples.codes,
        persons=person.codes[first] if person else None,
        people=person.count if person else int(counted.sum()),
    )


def _narrow_codes(column: Codes) -> NDArray[Any]:
    return column.codes.astype(numpy.min_scalar_type(max(column.count, 1) - 1))


def collapsed_records(found: CodedRecords, threads: int = 1) -> CollapsedRows:
    """The same from the records of an engine."""
    columns = list(map(Codes, found.codes, found.values))
    person = None if found.person is None else Codes(found.person, found.people)
    return collapse(columns, person, threads=threads)

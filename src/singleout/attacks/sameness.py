"""Whether a release holds exactly the records of its original, in whatever order."""

from __future__ import annotations

import numpy

from singleout.engine.codes import Codes
from singleout.engine.history import Code, Histories, Places
from singleout.engine.numbering import joined


def same_records(histories: Histories, own_number: Places | None) -> bool:
    """Whether both tables hold the same records equally often.

    `own_number` is, for each person of the release, the number of the same name in the original, or −1 if it
    has none; without it people do not count.
    """
    original, release = histories.original, histories.release
    if original.records != release.records:
        return False
    columns = [(original.codes[name], release.codes[name]) for name in original.codes]
    if own_number is not None:
        persons = own_number[release.person]
        if (persons < 0).any():
            return False
        columns.append((original.person, persons.astype(numpy.uint32)))
    if all(numpy.array_equal(one, other) for one, other in columns):
        return True
    # a changed value nearly always shows here, and rows are numbered only for tables that were shuffled
    return all(_as_often(one, other) for one, other in columns) and _same_rows(columns)


def _as_often(one: Code, other: Code) -> bool:
    return numpy.array_equal(numpy.bincount(one), numpy.bincount(other))


def _same_rows(columns: list[tuple[Code, Code]]) -> bool:
    both = (Codes(codes, int(codes.max()) + 1) for codes in map(numpy.concatenate, columns))
    rows = joined(both).codes
    return _as_often(rows[: len(rows) // 2], rows[len(rows) // 2 :])

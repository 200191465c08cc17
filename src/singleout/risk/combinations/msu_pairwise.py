"""Minimal sets by comparing each record with every other: all sets of a few columns at once, as bits."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts
from singleout.engine.codes.collapsed_rows import CollapsedRows
from singleout.engine.codes.dictionary import Code
from singleout.engine.column_sets.set_counts import Sets
from singleout.progress import Progress, silent
from singleout.risk.combinations.too_many_sets import MOST_SETS, too_many_sets_error

MOST_COLUMNS_COMPARED = 20
ROWS_AT_ONCE = 64


def is_comparable(rows: CollapsedRows, allow: int) -> bool:
    """Whether a table can be asked in this way: people who have several records can't be added up."""
    return len(rows.codes) <= MOST_COLUMNS_COMPARED and (allow == 1 or rows.persons is None)


def comparison_work(rows: CollapsedRows, wanted: int, allow: int) -> int:
    """About how many nanoseconds it takes to find the sets of so many rows, as measured."""
    sets = 1 << len(rows.codes)
    return wanted * (3 * len(rows.records) // 2 + (sets // 4 if allow == 1 else 10 * sets))


def sets_by_comparison(
    rows: CollapsedRows,
    wanted: NDArray[numpy.bool_],
    allow: int,
    largest: int,
    threads: int,
    progress: Progress = silent,
) -> tuple[Counts, Sets]:
    """How many minimal sets each row has, and all of them: none for a row that is not wanted.

    A wanted row must be one that all columns together find.
    """
    from singleout.risk.combinations.msu_pairwise_kernels import smallest_sets

    if not smallest_sets.signatures:
        progress("preparing the compiled loops, once", 0, 1)
    columns = numpy.stack(rows.codes, dtype=numpy.uint32)
    persons = numpy.arange(columns.shape[1], dtype=numpy.uint32) if rows.persons is None else rows.persons
    number, found = numpy.zeros(columns.shape[1], dtype=numpy.int64), [numpy.zeros(0, dtype=numpy.uint64)]
    shares = list(_shares(wanted))
    pool = ThreadPoolExecutor(threads)
    try:
        under_way = [
            pool.submit(smallest_sets, columns, persons, rows.records, share, allow, largest)
            for share in shares
        ]
        for done, share in enumerate(shares):
            number[share], masks = under_way[done].result()
            found.append(masks)
            if number.sum() > MOST_SETS:
                raise too_many_sets_error(len(columns), int(wanted.sum()))
            progress("looking for the smallest sets", done + 1, len(shares))
    finally:
        pool.shutdown(cancel_futures=True)
    return number, numpy.concatenate(found)


def _shares(wanted: NDArray[numpy.bool_]) -> Iterator[Code]:
    rows = numpy.flatnonzero(wanted).astype(numpy.uint32)
    for first in range(0, len(rows), ROWS_AT_ONCE):
        yield rows[first : first + ROWS_AT_ONCE]

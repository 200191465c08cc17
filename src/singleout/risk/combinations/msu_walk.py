"""A walk over the sets of columns that refines the classes step by step, and notes whom a class finds."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts
from singleout.engine.codes.collapsed_rows import CollapsedRows
from singleout.engine.codes.dictionary import Code
from singleout.engine.column_sets.set_counts import Sets
from singleout.progress import Progress
from singleout.risk.combinations.too_many_sets import MOST_SETS, too_many_sets_error

MOST_STEERING = 6
FIRST_BLOCKS = 1024


def sets_by_walk(
    rows: CollapsedRows,
    wanted: NDArray[numpy.bool_],
    allow: int,
    largest: int,
    threads: int,
    progress: Progress,
    most_work: int,
) -> tuple[Counts, Sets] | None:
    """How many minimal sets each row has, and all of them; None if that takes more than `most_work`.

    Each thread walks for a share of the wanted rows, so that no two write on the same list.
    """
    from singleout.risk.combinations.msu_walk_kernels import BLOCKS, SETS, WORK, walk

    if not walk.signatures:
        progress("preparing the compiled loops, once", 0, 1)
    rare_last = _columns_by_agreement(rows)
    columns = numpy.stack([rows.codes[column] for column in rare_last], dtype=numpy.uint32)
    # rows of one share that agree in a column are in fewer classes with rows of another
    order = numpy.argsort(columns[len(columns) // 2], kind="stable").astype(numpy.uint32)
    most = numpy.empty(3, dtype=numpy.int64)
    most[[BLOCKS, SETS, WORK]] = 0, MOST_SETS, most_work // threads
    shares = numpy.array_split(order[wanted[order]], threads)
    walks = [_Walk(rows, columns, order, share, allow, largest, most) for share in shares]
    steering = min(MOST_STEERING, len(columns) // 2)
    paths = list(_paths(len(columns), steering, largest))
    pool = ThreadPoolExecutor(threads)
    try:
        for done, path in enumerate(paths, start=1):
            for each in [pool.submit(one.go, path, len(columns) - steering) for one in walks]:
                each.result()
            totals = [one.lists[2] for one in walks]
            if sum(each[SETS] for each in totals) > MOST_SETS:
                raise too_many_sets_error(len(columns), int(wanted.sum()))
            if any(each[WORK] > most[WORK] for each in totals):
                return None
            progress("looking for the smallest sets", done, len(paths))
    finally:
        # ends the loops that are under way, too
        most[:] = -1
        pool.shutdown(cancel_futures=True)
    return _collected_sets(walks, rare_last)


class _Walk:
    """The lists of a share of the rows, and a desk to walk on: its classes, refined in place."""

    def __init__(
        self,
        rows: CollapsedRows,
        columns: NDArray[numpy.uint32],
        order: Code,
        share: Code,
        allow: int,
        largest: int,
        most: Counts,
    ) -> None:
        from singleout.risk.combinations.msu_walk_kernels import BLOCK

        number, values = len(order), max(rows.values)
        persons = numpy.zeros(0, dtype=numpy.uint32) if rows.persons is None else rows.persons
        wanted = numpy.zeros(number, dtype=bool)
        wanted[share] = True
        self.share, self.columns, self.allow, self.largest, self.most = share, columns, allow, largest, most
        self.table = (rows.records, persons, wanted)
        ranges = (numpy.empty(number, dtype=numpy.uint32) for _ in range(4))
        tally = (numpy.zeros(values, dtype=numpy.int64) for _ in range(2))
        seen = numpy.zeros(rows.people if len(persons) else 0, dtype=numpy.int64)
        met, ticks = numpy.empty(values, dtype=numpy.uint32), numpy.zeros(1, dtype=numpy.int64)
        self.desk = (order.copy(), *ranges, *tally, met, seen, ticks)
        none = numpy.full(number, -1, dtype=numpy.int64)
        self.lists = (none, numpy.zeros(number, dtype=numpy.int64), numpy.zeros(3, dtype=numpy.int64))
        self.store = numpy.empty((FIRST_BLOCKS, BLOCK), dtype=numpy.uint64)

    def go(self, path: Counts, below: int) -> None:
        from singleout.risk.combinations.msu_walk_kernels import walk

        self.store = walk(
            self.columns, self.table, self.desk, self.lists, self.store, path, below,
            self.allow, self.largest, self.most,
        )  # fmt: skip


def _columns_by_agreement(rows: CollapsedRows) -> list[int]:
    """The columns, the one in which two records agree least last: met first, it lets most rows drop out."""
    agree = [int((numpy.bincount(codes, rows.records) ** 2).sum()) for codes in rows.codes]
    return sorted(range(len(agree)), key=lambda column: -agree[column])


def _paths(columns: int, steering: int, largest: int) -> Iterator[Counts]:
    """Every choice of the last few columns, subsets first, highest column first in each."""
    last = range(columns - 1, columns - steering - 1, -1)
    for chosen in product((False, True), repeat=steering):
        path = [column for column, taken in zip(last, chosen, strict=True) if taken]
        if len(path) <= largest:
            yield numpy.array(path, dtype=numpy.int64)


def _collected_sets(walks: list[_Walk], column_of: list[int]) -> tuple[Counts, Sets]:
    from singleout.risk.combinations.msu_walk_kernels import collect

    number: Counts = numpy.sum([walk.lists[1] for walk in walks], axis=0)
    starts = numpy.concatenate(([0], numpy.cumsum(number))).astype(numpy.int64)
    masks = numpy.empty(starts[-1], dtype=numpy.uint64)
    for walk in walks:
        collect(walk.share, walk.lists, walk.store, starts, numpy.array(column_of), masks)
    return number, masks

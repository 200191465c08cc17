"""Which cells to blank so that every record has k look-alikes in every set of columns.

A blank cell is a value of its own: it looks like another blank one, and like nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from singleout.deidentify.local_levels import (
    MOST_BOUND_WORK,
    ColumnLevels,
    Judge,
    Reals,
    RecodedRows,
    lower_bound,
    recode,
    row_bounds,
)
from singleout.engine.codes.dictionary import Code, Codes
from singleout.engine.codes.numbering import join_codes
from singleout.progress import Progress, silent
from singleout.risk.sensitive_values import distinct_counts

Mask = NDArray[numpy.bool_]
MOST_TRIALS = 30_000_000


@dataclass(frozen=True, eq=False)
class CellTable:
    """`codes` of each column, in which the last of its `values` is blank; what a blank cell `costs` there."""

    codes: tuple[Code, ...]
    values: tuple[int, ...]
    costs: tuple[float, ...]
    persons: Codes | None = None

    @property
    def records(self) -> int:
        return len(self.codes[0])

    @property
    def blank(self) -> Mask:
        """Cells that are blank from the beginning."""
        return numpy.stack(
            [each == many - 1 for each, many in zip(self.codes, self.values, strict=True)], axis=1
        )

    def with_blanks(self, blanks: Mask) -> CellTable:
        codes = tuple(
            numpy.where(blanks[:, index], many - 1, each).astype(numpy.uint32)
            for index, (each, many) in enumerate(zip(self.codes, self.values, strict=True))
        )
        return CellTable(codes, self.values, self.costs, self.persons)

    def rows(self, columns: Sequence[int]) -> RecodedRows:
        """Some columns, each as it is or blank; what is blank already costs nothing."""
        levels = []
        for index in columns:
            many = self.values[index]
            cost = numpy.full(many, self.costs[index])
            cost[-1] = 0.0
            raw = numpy.arange(many, dtype=numpy.uint32)
            levels.append(
                ColumnLevels((raw, numpy.full(many, many - 1, dtype=numpy.uint32)), (numpy.zeros(many), cost))
            )
        return RecodedRows.of([self.codes[index] for index in columns], levels)

    def sizes(self, columns: Sequence[int]) -> NDArray[numpy.int64]:
        """How many people (records, where none are named) look like each record in some columns."""
        classes = join_codes([Codes(self.codes[index], self.values[index]) for index in columns])
        if self.persons is None:
            return numpy.bincount(classes.codes, minlength=classes.count)[classes.codes]
        return distinct_counts(classes, self.persons)[classes.codes]

    def judge(self, k: int) -> Judge | None:
        persons = self.persons
        if persons is None:
            return None

        def has_enough_people(numbers: NDArray[numpy.int64]) -> Mask:
            asked = numpy.flatnonzero(numbers >= 0)
            many = int(numbers.max(initial=-1)) + 1
            classes = Codes(numbers[asked].astype(numpy.uint32), many)
            people = distinct_counts(classes, Codes(persons.codes[asked], persons.count))
            there = numpy.bincount(classes.codes, minlength=many) > 0
            return (people >= k) | ~there

        return has_enough_people

    def cost(self, blanks: Mask) -> float:
        return float((blanks.sum(axis=0) * numpy.array(self.costs)).sum())


def blank_cells(table: CellTable, sets: Sequence[Sequence[int]], k: int, progress: Progress = silent) -> Mask:
    """The cells that become blank: the cheaper of what is found set by set, and for all columns at once."""
    every = sorted({index for each in sets for index in each})
    whole = _blanks_of_set(table, every, k)
    whole = _without_needless(table, sets, k, whole)
    if len(sets) == 1:
        return whole
    blanks = _without_needless(table, sets, k, _blanks_by_sets(table, sets, k, progress))
    return min((blanks, whole), key=table.cost)


def _blanks_of_set(table: CellTable, columns: Sequence[int], k: int) -> Mask:
    """Enough for one set, and with all columns in it for every set of these."""
    levels = recode(table.rows(columns), k, table.judge(k)).levels
    blanks = numpy.zeros((table.records, len(table.codes)), dtype=numpy.bool_)
    # who can join nobody is blank; with k records there is nobody who can't
    blanks[:, columns] = levels != 0
    return blanks & ~table.blank


def _blanks_by_sets(table: CellTable, sets: Sequence[Sequence[int]], k: int, progress: Progress) -> Mask:
    """One set after the other, and again: blanks for one may break classes of another, but never end."""
    blanks, settled, turn = numpy.zeros_like(table.blank), 0, 0
    while settled < len(sets):
        columns = sets[turn % len(sets)]
        progress("blanking cells", min(turn, len(sets)), len(sets))
        now = table.with_blanks(blanks)
        settled += 1
        if (now.sizes(columns) < k).any():
            blanks |= _blanks_of_set(now, columns, k)
            settled = 1
        turn += 1
    return blanks


def _without_needless(table: CellTable, sets: Sequence[Sequence[int]], k: int, blanks: Mask) -> Mask:
    """Cells are filled again, the dearest first, where every set stays right; in small tables only.

    Records that were alike stay alike: what becomes of one depends on its values and nothing else.
    """
    alike = join_codes(
        [Codes(each, many) for each, many in zip(table.codes, table.values, strict=True)]
    ).codes
    pairs = numpy.unique(
        numpy.stack([alike[:, None].repeat(blanks.shape[1], 1)[blanks], numpy.nonzero(blanks)[1]]), axis=1
    ).T
    if table.records * len(sets) * len(pairs) > MOST_TRIALS:
        return blanks
    costs = numpy.array(table.costs)[pairs[:, 1]] * numpy.bincount(alike)[pairs[:, 0]]
    for group, column in pairs[numpy.argsort(-costs, kind="stable")]:
        fewer = blanks.copy()
        fewer[alike == group, column] = False
        now = table.with_blanks(fewer)
        if all(column not in each or (now.sizes(each) >= k).all() for each in sets):
            blanks = fewer
    return blanks


def cost_bound(table: CellTable, sets: Sequence[Sequence[int]], k: int) -> float:
    """What blanks cost at least: of each record, in the dearest set, or in sets that share no column."""
    if len(sets) == 1:
        return lower_bound(table.rows(sets[0]), k)
    best: Reals = numpy.zeros(table.records)
    together, taken = numpy.zeros(table.records), set[int]()
    for each in sets:
        if table.records << len(each) > MOST_BOUND_WORK:
            continue
        rows = table.rows(each)
        bounds = row_bounds(rows, range(len(each)), k, rows.weights)[rows.row]
        best = numpy.maximum(best, bounds)
        if not taken & set(each):
            taken |= set(each)
            together += bounds
    return float(numpy.maximum(best, together).sum())

"""The records to generalise as codes, with the levels of each column: everything a search needs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.deidentify.generalise.reference_records import ReferenceRecords
from singleout.engine.class_sizes import Counts
from singleout.engine.codes.dictionary import Code, Codes
from singleout.engine.codes.numbering import KEY_SPACE
from singleout.risk.sensitive_values import TableValues, table_values
from singleout.risk.value_order import ValueTree
from singleout.roles.hierarchies.hierarchy import Levels
from singleout.utility.information_loss import ColumnCosts, Loss, column_costs

Vector = tuple[int, ...]
SHORT_KEYS = 1 << 32


@dataclass(frozen=True, eq=False)
class GuardedColumn:
    """A sensitive column of some records, and how its values are spread in the whole table."""

    codes: Codes
    table: TableValues
    tree: ValueTree | None = None

    def of_records(self, rows: NDArray[numpy.int64]) -> GuardedColumn:
        return replace(self, codes=Codes(self.codes.codes[rows], self.codes.count))


@dataclass(frozen=True, eq=False)
class Space:
    """`codes` of each column, one a record; without `persons` each record is its own person.

    `sensitive` columns are not generalised: goals are about the values they have in a class; `trees` are
    their hierarchies, where a goal is about these; `reference` is a table of everybody, if one is.
    """

    levels: tuple[Levels, ...]
    codes: tuple[Code, ...]
    persons: Codes | None = None
    sensitive: tuple[Codes, ...] = ()
    trees: tuple[ValueTree, ...] = ()
    reference: ReferenceRecords | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(each.column for each in self.levels)

    @property
    def records(self) -> int:
        return len(self.codes[0])

    @property
    def heights(self) -> Vector:
        return tuple(each.height for each in self.levels)

    @property
    def nodes(self) -> int:
        """How many vectors of levels there are."""
        return math.prod(height + 1 for height in self.heights)

    @cached_property
    def frequencies(self) -> tuple[Counts, ...]:
        """How many records have each value of each column."""
        from singleout.engine.codes.count_kernels import count_each

        return tuple(
            count_each(codes, len(levels.labels[0]))
            for codes, levels in zip(self.codes, self.levels, strict=True)
        )

    @cached_property
    def guarded(self) -> tuple[GuardedColumn, ...]:
        """The sensitive columns beside what the table has of them."""
        trees = self.trees or (None,) * len(self.sensitive)
        return tuple(
            GuardedColumn(each, table_values(each, self.persons), tree)
            for each, tree in zip(self.sensitive, trees, strict=True)
        )

    def costs(self, loss: Loss) -> tuple[ColumnCosts, ...]:
        """What records cost in each column; weights play no part in it."""
        if loss.name not in self._costs:
            names = [loss] * len(self.levels)
            self._costs[loss.name] = tuple(map(column_costs, names, self.levels, self.frequencies))
        return self._costs[loss.name]

    @cached_property
    def _costs(self) -> dict[str, tuple[ColumnCosts, ...]]:
        return {}

    def columns_at(self, vector: Sequence[int]) -> list[Codes]:
        """The columns at these levels."""
        columns = []
        for codes, levels, level in zip(self.codes, self.levels, vector, strict=True):
            by_value = levels.codes(level)
            columns.append(Codes(by_value.take(codes), int(by_value.max(initial=0)) + 1))
        return columns


@dataclass(frozen=True, eq=False)
class SortedRows:
    """Distinct rows of codes, by the columns in the given `order`, the last of them deciding first.

    `alike` has a line for each column: a number shared by rows that are equal in all later columns, in person
    (unless people differ least) and in sensitive values; such rows stand side by side among those that are
    equal in the earlier columns.
    """

    order: tuple[int, ...]
    raw: NDArray[numpy.uint32]
    alike: NDArray[numpy.uint32]
    records: NDArray[numpy.uint32]
    persons: NDArray[numpy.uint32]
    sensitive: NDArray[numpy.uint32]


def sorted_rows(space: Space, people_least: bool = False) -> SortedRows:
    """Columns with many values first: what they leave together is soon one row."""
    values = [len(each.labels[0]) for each in space.levels]
    order = tuple(sorted(range(len(values)), key=lambda index: (-values[index], index)))
    columns = [Codes(space.codes[index], values[index]) for index in order]
    people = [space.persons] if space.persons else []
    least, most = (people, []) if people_least else ([], people)
    every = [*least, *columns, *space.sensitive, *most]
    by_keys = math.prod(each.count for each in every) < KEY_SPACE
    lines, later, records = _distinct_by_keys(every) if by_keys else _distinct_by_columns(every)
    own = slice(len(least), len(least) + len(columns))
    return SortedRows(
        order=order,
        raw=numpy.stack(lines[own]),
        alike=numpy.stack([numpy.cumsum(each, dtype=numpy.uint32) for each in later[own]]),
        records=records.astype(numpy.uint32),
        persons=lines[0 if least else -1] if people else numpy.zeros(0, dtype=numpy.uint32),
        sensitive=_stack(lines[own.stop :][: len(space.sensitive)], len(records)),
    )


# of the distinct rows, sorted: the codes in each column; for each column whether a row differs from the one
# before in a later one; how many records each stands for
DistinctRows = tuple[list[Code], list[NDArray[numpy.bool_]], NDArray[numpy.int64]]


def _distinct_by_keys(columns: Sequence[Codes]) -> DistinctRows:
    """Each record as one number, with a digit for each column."""
    space = math.prod(each.count for each in columns)
    number: Any = numpy.uint32 if space < SHORT_KEYS else numpy.uint64
    keys: NDArray[Any] = numpy.zeros(len(columns[0].codes), dtype=number)
    for each in reversed(columns):
        keys *= number(each.count)
        keys += each.codes
    keys.sort()
    firsts = numpy.flatnonzero(_differs_from_last(keys))
    rest, records = keys[firsts], numpy.diff(firsts, append=len(keys))
    lines, later = [], []
    for each in columns:
        before, rest = rest, rest // number(each.count)
        lines.append((before - rest * number(each.count)).astype(numpy.uint32))
        later.append(_differs_from_last(rest))
    return lines, later, records


def _distinct_by_columns(columns: Sequence[Codes]) -> DistinctRows:
    by = _sort_order(columns)
    lines = [each.codes[by] for each in columns]
    changes = _changes(lines)
    firsts = numpy.flatnonzero(changes[0])
    later = [each[firsts] for each in changes[1:]]
    return [line[firsts] for line in lines], later, numpy.diff(firsts, append=len(by))


def _differs_from_last(keys: NDArray[Any]) -> NDArray[numpy.bool_]:
    differs = numpy.ones(len(keys), dtype=numpy.bool_)
    differs[1:] = keys[1:] != keys[:-1]
    return differs


def _stack(lines: Sequence[NDArray[numpy.uint32]], width: int) -> NDArray[numpy.uint32]:
    return numpy.stack(lines) if lines else numpy.zeros((0, width), dtype=numpy.uint32)


def _sort_order(columns: Sequence[Codes]) -> NDArray[numpy.uint32]:
    """Places of the records, sorted by the last column first, each column by one pass over its codes."""
    from singleout.engine.codes import count_kernels as kernels

    by: NDArray[numpy.uint32] = kernels.order_by(columns[0].codes, columns[0].count)[1]
    for column in columns[1:]:
        by = by[kernels.order_by(column.codes[by], column.count)[1]]
    return by


def _changes(lines: Sequence[NDArray[numpy.uint32]]) -> list[NDArray[numpy.bool_]]:
    """For each column: whether a row differs from the one before in it or in a later one; last: in none."""
    changed = numpy.zeros(len(lines[0]), dtype=numpy.bool_)
    changed[:1] = True
    found = [changed]
    for line in reversed(lines):
        changed = changed.copy()
        changed[1:] |= line[1:] != line[:-1]
        found.append(changed)
    return found[::-1]

"""Semi-random sampling (Yang et al. 2020, Algorithm 2): shuffled, but known tuples as often as they are.

A known tuple (a, b) is a number of records that have both values. Columns are arranged one after the other,
what a tuple is conditioned on before what depends on it. Where dependencies run in a circle, the pair that
would close it is served by whichever of its two columns comes last: the number of records is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy
from numpy.typing import NDArray

from singleout.progress import Progress, silent
from singleout.risk.predict.avfm import Avfm, Counts
from singleout.risk.predict.frequent_tuples import TupleTable
from singleout.risk.predict.random_shuffle import SampledOrr, ShufflePlan, has_one_answer, run
from singleout.risk.predict.shuffle_layout import (
    Codes,
    Desk,
    ValuePool,
    check_size,
    longest_column,
    random_start,
    standard_column,
)

DIGITS = 9


def semi_random(
    avfm: Avfm,
    tables: Sequence[TupleTable],
    *,
    ignored: int = 0,
    samples: int,
    capacity: int,
    seed: int = 0,
    threads: int = 1,
    progress: Progress = silent,
) -> SampledOrr:
    """What would the risk be if columns had to do with each other in the known value pairs only?

    The mean over arranged data sets of ORR = distinct rows / records, counted over records. Each known tuple
    (a, b) is put into round(conf·f_b) records, at most f_a and f_b: pairs in the order given, tuples by
    falling frequency, and a record keeps the value that a tuple gave it. The other values go anywhere, so a
    tuple may occur a few times more. A missing value is a value like any other. `ignored` tells how many more
    tuples there were that name nothing here. Yang et al. 2020, Algorithm 2.

    >>> two = Avfm(("city", "county"), (numpy.array([5, 5]), numpy.array([5, 5])))
    >>> known = TupleTable(0, 1, numpy.array([0]), numpy.array([0]), numpy.array([1.0]), numpy.array([5]))
    >>> semi_random(two, [known], samples=2, capacity=5).orr
    0.2
    """
    plan = ShufflePlan(samples, capacity, seed, threads)
    arranger = SemiRandomArranger.of(avfm, () if has_one_answer(check_size(avfm)) else tables)
    sampled, short = run("semi-random sampling", arranger, plan, progress)
    notes = (*sampled.notes, *_ignored_notes(ignored, tables), *_shortfalls(arranger, short, plan))
    return replace(sampled, notes=notes)


def targets(avfm: Avfm, table: TupleTable) -> Counts:
    """How many records are to have both values: round(conf·f_b), half up, at most f_a and f_b.

    0.565 of 100 is 56.5 and so 57, though its nearest binary fraction lies below.
    """
    of_a, of_b = avfm.frequencies[table.of][table.values], avfm.frequencies[table.on][table.on_values]
    wanted = numpy.floor(numpy.round(table.confidence * of_b, DIGITS) + 0.5).astype(numpy.int64)
    return numpy.minimum(wanted, numpy.minimum(of_a, of_b))


@dataclass(frozen=True, eq=False)
class TupleArrangement:
    """The known tuples of a column with one that is arranged before it, by falling frequency.

    `given` is that column's place in the order of arranging; `cells` has a row of values over one of given
    values. `keys` are the cells as numbers given·radix + value, sorted; `sorted_cells` tells whose they are.
    """

    given: int
    given_counts: Counts
    names: tuple[str, str]
    cells: Counts
    targets: Counts
    radix: int
    keys: Counts
    sorted_cells: Counts

    @classmethod
    def of(
        cls, avfm: Avfm, order: Sequence[int], column: int, tables: Sequence[TupleTable]
    ) -> TupleArrangement:
        """From the tuples of one pair of columns, in either direction; the larger target of a cell counts."""
        other = tables[0].on if tables[0].of == column else tables[0].of
        radix = len(avfm.frequencies[column])
        keys, wanted = _merged_cells(avfm, column, tables)
        sorted_cells = numpy.argsort(keys)
        return cls(
            given=order.index(other),
            given_counts=avfm.frequencies[other],
            names=(avfm.columns[column], avfm.columns[other]),
            cells=numpy.array((keys % radix, keys // radix)),
            targets=wanted,
            radix=radix,
            keys=keys[sorted_cells],
            sorted_cells=sorted_cells,
        )

    def pin(self, partial: PartialColumn, given: Codes, start: numpy.uint64) -> int:
        """Fill the cells up to their targets; how many records could not be placed."""
        from singleout.risk.predict import shuffle_kernels

        missing = self.targets - self._pinned_counts(partial, given)
        starts, rows = self._rows(given)
        values, pinned, left = partial.values, partial.pinned, partial.left
        return int(shuffle_kernels.pin(values, pinned, left, rows, starts, self.cells, missing, start))

    def _pinned_counts(self, partial: PartialColumn, given: Codes) -> Counts:
        from singleout.risk.predict import shuffle_kernels

        counts = numpy.zeros_like(self.targets)
        counts[self.sorted_cells] = shuffle_kernels.count_pinned(
            partial.values, partial.pinned, given, self.radix, self.keys
        )
        return counts

    def _rows(self, given: Codes) -> tuple[Counts, NDArray[numpy.uint32]]:
        """Where each given value's rows start, and the rows in that order; the first column lies sorted."""
        from singleout.engine.codes import count_kernels as kernels

        if self.given == 0:
            starts = numpy.concatenate(([0], numpy.cumsum(self.given_counts)))
            return starts, numpy.arange(len(given), dtype=numpy.uint32)
        starts, rows = kernels.order_by(given, len(self.given_counts))
        return starts, rows


def _merged_cells(avfm: Avfm, column: int, tables: Sequence[TupleTable]) -> tuple[Counts, Counts]:
    """Each cell of a column with another once, by falling frequency, as given·radix + value; its target."""
    radix = len(avfm.frequencies[column])
    keys = numpy.concatenate(
        [
            each.on_values * radix + each.values
            if each.of == column
            else each.values * radix + each.on_values
            for each in tables
        ]
    )
    falling = numpy.argsort(-numpy.concatenate([each.frequency for each in tables]), kind="stable")
    wanted = numpy.concatenate([targets(avfm, each) for each in tables])[falling]
    cells, first, cell_of = numpy.unique(keys[falling], return_index=True, return_inverse=True)
    largest = numpy.zeros_like(cells)
    numpy.maximum.at(largest, cell_of, wanted)
    order = numpy.argsort(first)
    return cells[order], largest[order]


@dataclass(frozen=True, eq=False)
class PartialColumn:
    """A column while it is being arranged: which rows are fixed, and how many of each value are left."""

    values: Codes
    pinned: NDArray[numpy.bool_]
    left: Counts


@dataclass(frozen=True, eq=False)
class SemiRandomArranger:
    """The columns in the order of arranging; the first lies still, one without known tuples is shuffled."""

    avfm: Avfm
    order: Sequence[int]
    first: Codes
    steps: Sequence[Sequence[TupleArrangement]]

    @classmethod
    def of(cls, avfm: Avfm, tables: Sequence[TupleTable]) -> SemiRandomArranger:
        order = _order(avfm, tables)
        steps: list[list[TupleArrangement]] = [[] for _ in order]
        for pair in _pairs(tables):
            last = max(order.index(pair[0].of), order.index(pair[0].on))
            steps[last].append(TupleArrangement.of(avfm, order, order[last], pair))
        return cls(avfm, order, standard_column(avfm, order[0]), steps[1:])

    def arrange(self, seed: int, shuffle: int, desk: Desk) -> tuple[int, ...]:
        short: list[int] = []
        for number, steps in enumerate(self.steps):
            column = self.order[number + 1]
            streams = range(column * len(self.order), (column + 1) * len(self.order))
            starts = [random_start(seed, shuffle, stream) for stream in streams]
            short += self._fill(column, steps, desk.columns[number + 1], desk, starts)
        return tuple(short)

    def _fill(
        self,
        index: int,
        steps: Sequence[TupleArrangement],
        column: Codes,
        desk: Desk,
        starts: Sequence[numpy.uint64],
    ) -> list[int]:
        """The known tuples first, then what is left of the column at random over the other rows."""
        left = self.avfm.frequencies[index].copy()
        partial = PartialColumn(column, numpy.zeros(len(column), dtype=bool), left)
        short = [
            step.pin(partial, desk.columns[step.given], start)
            for step, start in zip(steps, starts[1:], strict=False)
        ]
        column[~partial.pinned] = ValuePool.of(left, column.dtype).shuffled_values(starts[0])
        return short


def _pairs(tables: Sequence[TupleTable]) -> list[list[TupleTable]]:
    """Tables of the same two columns together, in the order in which the pairs first occur."""
    pairs: dict[frozenset[int], list[TupleTable]] = {}
    for table in tables:
        pairs.setdefault(frozenset((table.of, table.on)), []).append(table)
    return list(pairs.values())


def _order(avfm: Avfm, tables: Sequence[TupleTable]) -> list[int]:
    """What is conditioned on comes first; a pair that would close a circle does not ask for an order."""
    before: dict[int, set[int]] = {column: set() for column in range(len(avfm.columns))}
    for of, on in ((table.of, table.on) for table in tables):
        if of not in before[on]:
            for column in before:
                if column == of or of in before[column]:
                    before[column] |= {on, *before[on]}
    order = [longest_column(avfm, (column for column in before if not before[column]))]
    while len(order) < len(before):
        order.append(
            next(column for column in before if column not in order and before[column] <= set(order))
        )
    return order


def _ignored_notes(ignored: int, tables: Sequence[TupleTable]) -> list[str]:
    if not ignored:
        return []
    given = ignored + sum(map(len, tables))
    return [f"{ignored:,} of {given:,} known tuples name a column or value that is not there: ignored"]


def _shortfalls(arranger: SemiRandomArranger, short: Counts, plan: ShufflePlan) -> list[str]:
    steps = [step for column in arranger.steps for step in column] if len(short) else []
    return [
        f"{step.names[0]} given {step.names[1]}: on average {missing / plan.shuffles:,.1f} of "
        f"{step.targets.sum():,} records could not be placed"
        for step, missing in zip(steps, short.tolist(), strict=True)
        if missing
    ]

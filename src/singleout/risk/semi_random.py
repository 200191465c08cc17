"""Semi-random sampling of paper 4 (Algorithm 2): shuffled, but with known tuples as often as they should be.

A known tuple (a, b) is a number of records that have both values. Columns are arranged one after the other,
what a tuple is conditioned on before what depends on it. Where dependencies run in a circle, the pair that
would close it is served by whichever of its two columns comes last: the number of records is the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy
from numpy.typing import NDArray

from singleout.errors import InputError
from singleout.progress import Progress, silent
from singleout.read.statistics import Known
from singleout.risk.arranging import (
    Codes,
    Desk,
    Pool,
    check_size,
    longest,
    random_start,
    standard,
)
from singleout.risk.avfm import Avfm, Counts
from singleout.risk.frequent import labels_of
from singleout.risk.shuffling import Plan, Sampled, run


def semi_random(
    avfm: Avfm,
    knowledge: Sequence[Known],
    *,
    samples: int,
    capacity: int,
    seed: int = 0,
    threads: int = 1,
    progress: Progress = silent,
) -> Sampled:
    """What would the risk be if columns had to do with each other in the known value pairs only?

    The mean over arranged data sets of ORR = distinct rows / records, counted over records. Each known tuple
    (a, b) is put into round(conf·f_b) records, at most f_a and f_b: pairs in the order given, tuples by
    falling frequency, and a record keeps the value that a tuple gave it. The other values go anywhere, so a
    tuple may occur a few times more. A missing value is a value like any other. Paper 4, Algorithm 2.

    >>> two = Avfm(("city", "county"), (numpy.array([5, 5]), numpy.array([5, 5])), (("P", "Q"), ("K", "L")))
    >>> known = [Known("city", "P", "county", "K", 1.0, 5)]
    >>> semi_random(two, known, samples=2, capacity=5).orr
    0.2
    """
    plan = Plan(samples, capacity, seed, threads)
    cells = _cells(check_size(avfm), knowledge)
    arranger = SemiRandom.of(avfm, cells)
    sampled, short = run("semi-random sampling", arranger, plan, progress)
    notes = (*sampled.notes, *_ignored(len(knowledge), len(cells)), *_shortfalls(arranger, short, plan))
    return replace(sampled, notes=notes)


@dataclass(frozen=True)
class Cell:
    """How many records are to have value `a` in column `of` and value `b` in column `on`, all as codes."""

    of: int
    on: int
    a: int
    b: int
    target: int
    frequency: int


def _cells(avfm: Avfm, knowledge: Iterable[Known]) -> list[Cell]:
    """Known tuples as codes; those with a column or a value that the statistics do not have are left out."""
    code_of: dict[str, dict[str | None, int]] = {}
    cells = []
    for known in knowledge:
        for column in (known.column, known.on_column):
            if column in avfm.columns and column not in code_of:
                labels = labels_of(avfm, avfm.columns.index(column))
                code_of[column] = {label: code for code, label in enumerate(labels)}
        a = code_of.get(known.column, {}).get(known.value)
        b = code_of.get(known.on_column, {}).get(known.on_value)
        if a is not None and b is not None:
            cells.append(_cell(avfm, known, a, b))
    return cells


def _cell(avfm: Avfm, known: Known, a: int, b: int) -> Cell:
    if known.column == known.on_column:
        raise InputError(f"column {known.column!r} can't depend on itself; name two columns")
    if not 0 <= known.confidence <= 1:
        raise InputError(f"a confidence of {known.confidence!r} is impossible; it lies between 0 and 1")
    of, on = avfm.columns.index(known.column), avfm.columns.index(known.on_column)
    of_a, of_b = int(avfm.frequencies[of][a]), int(avfm.frequencies[on][b])
    target = min(math.floor(known.confidence * of_b + 0.5), of_a, of_b)
    return Cell(of, on, a, b, target, known.frequency)


@dataclass(frozen=True, eq=False)
class Step:
    """The known tuples of a column with one that is arranged before it, by falling frequency.

    `given` is that column's place in the order of arranging; `cells` has a row of values over one of given
    values.
    """

    given: int
    names: tuple[str, str]
    cells: Counts
    targets: Counts
    values: int
    given_values: int

    @classmethod
    def of(cls, avfm: Avfm, order: Sequence[int], place: int, cells: Sequence[Cell]) -> Step:
        """From the cells of one pair of columns, in either direction; the larger target of a cell counts."""
        other = cells[0].on if cells[0].of == place else cells[0].of
        targets: dict[tuple[int, int], int] = {}
        for cell in sorted(cells, key=lambda each: -each.frequency):
            both = (cell.a, cell.b) if cell.of == place else (cell.b, cell.a)
            targets[both] = max(cell.target, targets.get(both, 0))
        columns = numpy.array(list(targets), dtype=numpy.int64).T
        counts = numpy.array(list(targets.values()), dtype=numpy.int64)
        names = avfm.columns[place], avfm.columns[other]
        sizes = len(avfm.frequencies[place]), len(avfm.frequencies[other])
        return cls(order.index(other), names, columns, counts, *sizes)

    def pin(self, filling: Filling, given: Codes, start: numpy.uint64) -> int:
        """Fill the cells up to their targets; how many records could not be placed."""
        from singleout.engine import kernels
        from singleout.risk import shuffle_kernels

        missing = self.targets - self._reached(filling, given)
        starts, rows = kernels.order_by(given, self.given_values)
        values, pinned, left = filling.values, filling.pinned, filling.left
        return int(shuffle_kernels.pin(values, pinned, left, rows, starts, self.cells, missing, start))

    def _reached(self, filling: Filling, given: Codes) -> Counts:
        from singleout.risk import shuffle_kernels

        keys: Counts = self.cells[1] * self.values + self.cells[0]
        order = numpy.argsort(keys)
        reached = numpy.zeros_like(keys)
        reached[order] = shuffle_kernels.count_pinned(
            filling.values, filling.pinned, given, self.values, keys[order]
        )
        return reached


@dataclass(frozen=True, eq=False)
class Filling:
    """A column while it is being arranged: which rows are fixed, and how many of each value are left."""

    values: Codes
    pinned: NDArray[numpy.bool_]
    left: Counts


@dataclass(frozen=True, eq=False)
class SemiRandom:
    """The columns in the order of arranging; the first lies still, one without known tuples is shuffled."""

    avfm: Avfm
    order: Sequence[int]
    first: Codes
    steps: Sequence[Sequence[Step]]

    @classmethod
    def of(cls, avfm: Avfm, cells: Sequence[Cell]) -> SemiRandom:
        order = _order(avfm, cells)
        steps: list[list[Step]] = [[] for _ in order]
        for pair in _pairs(cells):
            last = max(order.index(pair[0].of), order.index(pair[0].on))
            steps[last].append(Step.of(avfm, order, order[last], pair))
        return cls(avfm, order, standard(avfm, order[0]), steps[1:])

    def arrange(self, seed: int, shuffle: int, desk: Desk) -> tuple[int, ...]:
        short: list[int] = []
        for number, steps in enumerate(self.steps):
            place = self.order[number + 1]
            streams = range(place * len(self.order), (place + 1) * len(self.order))
            starts = [random_start(seed, shuffle, stream) for stream in streams]
            short += self._fill(place, steps, desk.columns[number + 1], desk, starts)
        return tuple(short)

    def _fill(
        self, place: int, steps: Sequence[Step], column: Codes, desk: Desk, starts: Sequence[numpy.uint64]
    ) -> list[int]:
        """The known tuples first, then what is left of the column at random over the other rows."""
        left = self.avfm.frequencies[place].copy()
        filling = Filling(column, numpy.zeros(len(column), dtype=bool), left)
        short = [
            step.pin(filling, desk.columns[step.given], start)
            for step, start in zip(steps, starts[1:], strict=False)
        ]
        column[~filling.pinned] = Pool.of(left, column.dtype).shuffled(starts[0])
        return short


def _pairs(cells: Sequence[Cell]) -> list[list[Cell]]:
    """Cells of the same two columns together, in the order in which the pairs first occur."""
    pairs: dict[frozenset[int], list[Cell]] = {}
    for cell in cells:
        pairs.setdefault(frozenset((cell.of, cell.on)), []).append(cell)
    return list(pairs.values())


def _order(avfm: Avfm, cells: Sequence[Cell]) -> list[int]:
    """What is conditioned on comes first; a pair that would close a circle does not ask for an order."""
    before: dict[int, set[int]] = {place: set() for place in range(len(avfm.columns))}
    for of, on in dict.fromkeys((cell.of, cell.on) for cell in cells):
        if of not in before[on]:
            for place in before:
                if place == of or of in before[place]:
                    before[place] |= {on, *before[on]}
    order = [longest(avfm, (place for place in before if not before[place]))]
    while len(order) < len(before):
        order.append(next(place for place in before if place not in order and before[place] <= set(order)))
    return order


def _ignored(given: int, used: int) -> list[str]:
    if given == used:
        return []
    return [f"{given - used:,} of {given:,} known tuples name a column or value that is not there: ignored"]


def _shortfalls(arranger: SemiRandom, short: Counts, plan: Plan) -> list[str]:
    steps = [step for column in arranger.steps for step in column] if len(short) else []
    return [
        f"{step.names[0]} given {step.names[1]}: on average {missing / plan.shuffles:,.1f} of "
        f"{step.targets.sum():,} records could not be placed"
        for step, missing in zip(steps, short.tolist(), strict=True)
        if missing
    ]

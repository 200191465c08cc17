"""Classes made less lossy by moving rows between them (simulated annealing): the same on any machine."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.engine.codes.parallel import key_of
from singleout.progress import Progress, silent

Numbers = NDArray[numpy.int64]
Reals = NDArray[numpy.float64]
Ranks = NDArray[numpy.int32]
FAR = 1e300
# of each row so many neighbours are known; two rows that are near in one of some random orders are tried,
# then the nearest of the nearest
NEIGHBOURS, REACH, MOST_ORDERS, FEWEST_ORDERS, MOST_PAIRS = 24, 4, 20, 3, 2_000_000
NEAREST, MOST_FURTHER = 12, 3_000_000
# some seconds at most; what a move may lose at the beginning and at the end, in records that lose everything
MOVES_OF_A_ROW, MOST_MOVES = 1_000, 24_000_000
HOT, COLD = 0.05, 0.003
# where rows are many, each move takes longer, and what was lost in heat would not be won back by so few
MANY_ROWS, MOVES_OF_MANY = 100_000, 4_000_000
# from so many on, rows are on one of two sides while threads move them, in each round by another order: the
# fewer rounds, the more is lost by the border between them; of many rows a round takes longer to begin
ROWS_APART, SIDES, ROUNDS, ROUNDS_OF_MANY = 10_000, 2, 64, 16
# for classes that are founded on the way, one for so many
SPARE = 8
# columns of so few values have a table of all pairs
FEW_VALUES = 200
WORD = 64


@dataclass(frozen=True, eq=False)
class FlatLevels:
    """All columns in one: where `codes` and `costs` of a column at a level start, from `least` to `tops`."""

    least: Numbers
    tops: Numbers
    offsets: Numbers
    codes: NDArray[numpy.uint32]
    costs: Reals

    def whole_cost(self, raw: Numbers) -> float:
        """What a record loses at most."""
        starts = self.offsets[numpy.arange(len(self.tops)), self.tops]
        return float(self.costs[starts + raw].max(axis=0, initial=0).sum())

    def in_order(self, raw: Numbers) -> tuple[Ranks, FlatLevels]:
        """The same with present values numbered so that those alike at any level follow each other."""
        offsets, ranks = numpy.zeros_like(self.offsets), numpy.empty(raw.shape, dtype=numpy.int32)
        codes, costs, filled = [], [], 0
        for column in range(raw.shape[1]):
            present, ranked = numpy.unique(raw[:, column], return_inverse=True)
            starts = self.offsets[column, self.least[column] : self.tops[column] + 1]
            at = starts[:, None] + present
            order = numpy.lexsort(self.codes[at])
            rank = numpy.empty(len(order), dtype=numpy.int64)
            rank[order] = numpy.arange(len(order))
            ranks[:, column] = rank[ranked.reshape(-1)]
            for level, places in enumerate(at[:, order], int(self.least[column])):
                codes.append(self.codes[places])
                costs.append(self.costs[places])
                offsets[column, level] = filled
                filled += len(present)
        flat = FlatLevels(self.least, self.tops, offsets, numpy.concatenate(codes), numpy.concatenate(costs))
        return ranks, flat

    def ranges(self, raw: Ranks) -> tuple[Numbers, Reals]:
        """Of values in order: what a range of them loses, as the compiled loops look it up."""
        shape, parts, filled = [], [], 0
        for column, width in enumerate((raw.max(axis=0, initial=0) + 1).tolist()):
            last, paid = self.groups(column, width)
            if width <= FEW_VALUES:
                shape.append((filled, len(last), width))
                together = last[:, :, None] >= numpy.arange(width)
                finest = numpy.where(together.any(axis=0), together.argmax(axis=0), -1)
                pairs = paid[finest, numpy.arange(width)[:, None]]
                parts.append(numpy.where(finest >= 0, pairs, FAR).reshape(-1))
            else:
                shape.append((filled, len(last), 0))
                parts.append(numpy.stack([last, paid], axis=2).transpose(1, 0, 2).reshape(-1))
            filled += len(parts[-1])
        return numpy.array(shape, dtype=numpy.int64), numpy.concatenate(parts)

    def groups(self, column: int, width: int) -> tuple[Numbers, Reals]:
        """At each level of each value the last of its group, alike at all coarser ones too, and the loss."""
        starts = self.offsets[column, self.least[column] : self.tops[column] + 1]
        at = starts[:, None] + numpy.arange(width)
        differs = (self.codes[at[:, 1:]] != self.codes[at[:, :-1]])[::-1]
        ends = numpy.logical_or.accumulate(differs, axis=0)[::-1]
        last = numpy.full(at.shape, width - 1)
        last[:, :-1] = numpy.where(ends, numpy.arange(width - 1), width - 1)
        return numpy.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1], self.costs[at]


def improve(
    raw: Numbers,
    weights: Numbers,
    classes: Numbers,
    released: int,
    k: int,
    levels: FlatLevels,
    threads: int = 1,
    progress: Progress = silent,
) -> Numbers:
    """The class of each row, none of fewer than k records; together they lose no more than those given."""
    whole = levels.whole_cost(raw)
    if not whole:
        return classes
    ranks, levels = levels.in_order(raw)
    near, orders = neighbours(ranks, levels)
    board = ClassBoard.of(ranks, classes, weights, released, levels.ranges(ranks))
    of_many = MOVES_OF_MANY, COLD, ROUNDS_OF_MANY
    most, first, rounds = of_many if len(raw) > MANY_ROWS else (MOST_MOVES, HOT, ROUNDS)
    moves, risen = min(MOVES_OF_A_ROW * len(raw), most), 0.0
    heat = [whole * first * (COLD / first) ** (turn / rounds) for turn in range(rounds + 1)]
    for turn, (hot, cold) in enumerate(pairwise(heat)):
        progress("moving records between classes", turn, rounds)
        sides = board.sides(orders[turn % len(orders)])
        risen += board.exchange(sides, near, k, moves // rounds, (hot, cold), turn, threads)
    return numbered(board.rows[:, 0]) if risen < 0 else classes


@dataclass(frozen=True, eq=False)
class ClassBoard:
    """What the compiled loops know of rows and classes, which they change; they say what each array is."""

    raw: Ranks
    rows: Numbers
    members: Numbers
    sizes: Numbers
    bounds: Ranks
    unit: Reals
    gain: Reals
    shape: Numbers
    table: Reals

    @staticmethod
    def of(
        raw: Ranks, classes: Numbers, weights: Numbers, released: int, ranges: tuple[Numbers, Reals]
    ) -> ClassBoard:
        from singleout.deidentify import class_exchange_kernels as kernels

        many, columns = released + released // SPARE + 1, raw.shape[1]
        board = ClassBoard(
            raw,
            numpy.stack([classes, numpy.zeros_like(classes), weights], axis=1),
            numpy.empty((many, kernels.MOST_ROWS + 1), dtype=numpy.int64),
            numpy.zeros((many, 2), dtype=numpy.int64),
            numpy.zeros((many, columns, 4), dtype=numpy.int32),
            numpy.zeros(many),
            numpy.zeros(len(raw)),
            *ranges,
        )
        kernels.fill_classes(*board.arrays)
        return board

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        return (
            self.raw, self.rows, self.members, self.sizes, self.bounds, self.unit, self.gain, self.shape,
            self.table,
        )  # fmt: skip

    def sides(self, order: Numbers) -> NDArray[numpy.int8]:
        """Where each row is when an order of many rows is cut into halves; classes stay whole."""
        if len(order) <= ROWS_APART:
            return numpy.zeros(len(order), dtype=numpy.int8)
        classes, many = self.rows[:, 0], len(self.sizes)
        place = numpy.full(many + 1, len(order), dtype=numpy.int64)
        # of each class where its first row is; those of no class are at the end
        place[classes[order[::-1]]] = numpy.arange(len(order) - 1, -1, -1)
        by_place = numpy.argsort(place[:many], kind="stable")
        before = numpy.cumsum(self.sizes[by_place, 0])
        side = numpy.zeros(many + 1, dtype=numpy.int8)
        side[by_place] = numpy.minimum(SIDES * before // (len(order) + 1), SIDES - 1)
        return side[classes]

    def exchange(
        self,
        sides: NDArray[numpy.int8],
        near: Ranks,
        k: int,
        moves: int,
        heat: tuple[float, float],
        turn: int,
        threads: int,
    ) -> float:
        """Each side by itself, so that the answer is the same on any number of threads."""
        from singleout.deidentify import class_exchange_kernels as kernels

        spare, many = numpy.flatnonzero(self.sizes[:, 0] == 0), int(sides.max()) + 1

        def work(side: int) -> float:
            those, own = numpy.flatnonzero(sides == side), spare[side::many]
            empty = numpy.empty(len(self.sizes), dtype=numpy.int64)
            empty[: len(own)] = own
            seed = key_of("class exchange", turn, side)
            risen: float = kernels.exchange_rows(
                those, empty, len(own), near, sides, k, moves * len(those) // len(sides), *heat,
                numpy.uint64(seed), *self.arrays,
            )  # fmt: skip
            return risen

        with ThreadPoolExecutor(max(1, min(threads, many))) as pool:
            return sum(pool.map(work, range(many)))


def numbered(classes: Numbers) -> Numbers:
    """One number after the other, and −1 for rows of no class."""
    numbers, own = numpy.unique(classes, return_inverse=True)
    following: Numbers = own.reshape(-1) - int((numbers < 0).any())
    return following


def neighbours(raw: Ranks, levels: FlatLevels) -> tuple[Ranks, list[Numbers]]:
    """Rows with which each could share a class at little cost, the cheapest first; −1 where there is none.

    Values are in order. They are found by sorting: rows that agree in what an order looks at first are beside
    each other. Some of the orders are given too.
    """
    from singleout.deidentify import nearest_rows_kernels as kernels

    ranges = levels.ranges(raw)
    near = numpy.full((len(raw), NEIGHBOURS), -1, dtype=numpy.int64)
    paid = numpy.full(near.shape, FAR)
    many = MOST_PAIRS // (REACH * max(len(raw), 1))
    draw, orders = numpy.random.default_rng(0), list[Numbers]()
    for _ in range(min(max(many, FEWEST_ORDERS), MOST_ORDERS)):
        orders = [*orders[-ROUNDS + 1 :], random_order(raw, levels, draw)]
        kernels.look_around(raw, orders[-1], REACH, near, paid, *ranges)
    nearest = min(NEAREST, math.isqrt(MOST_FURTHER // max(len(raw), 1)))
    kernels.look_further(raw, near[:, :nearest].copy(), near, paid, *ranges)
    return near.astype(numpy.int32), orders


def random_order(raw: Ranks, levels: FlatLevels, draw: numpy.random.Generator) -> Numbers:
    """Rows sorted by all columns at all levels, each column from coarse to fine, else as it happens."""
    heights = levels.tops - levels.least + 1
    level = levels.tops.copy()
    keys, key, used = [], numpy.zeros(len(raw), dtype=numpy.uint64), 0
    for column in draw.permutation(numpy.repeat(numpy.arange(len(heights)), heights)):
        codes = levels.codes[levels.offsets[column, level[column]] + raw[:, column]]
        level[column] -= 1
        count = int(codes.max(initial=0)) + 1
        bits = (count - 1).bit_length()
        if used + bits > WORD:
            keys.append(key)
            key, used = numpy.zeros(len(raw), dtype=numpy.uint64), 0
        key = (key << numpy.uint64(bits)) | draw.permutation(count).astype(numpy.uint64)[codes]
        used += bits
    order: Numbers = numpy.lexsort([key, *reversed(keys)])
    return order

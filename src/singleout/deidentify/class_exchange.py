"""Classes made less lossy by moving rows between them (simulated annealing): the same on any machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

Numbers = NDArray[numpy.int64]
Reals = NDArray[numpy.float64]
FAR = 1e300
# of each row so many neighbours are known; two rows that are near in one of some random orders are tried
NEIGHBOURS, REACH, MOST_ORDERS, FEWEST_ORDERS, MOST_PAIRS = 24, 4, 20, 3, 2_000_000
# some seconds at most; what a move may lose at the beginning and at the end, in records that lose everything
MOVES_OF_A_ROW, MOST_MOVES = 200, 6_000_000
HOT, COLD = 0.022, 0.0011
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

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        return self.least, self.tops, self.offsets, self.codes, self.costs


def improve(
    raw: Numbers, weights: Numbers, classes: Numbers, released: int, k: int, levels: FlatLevels
) -> Numbers:
    """The class of each row, none of fewer than k records; together they lose no more than those given."""
    from singleout.deidentify import class_exchange_kernels as kernels

    moves = min(MOVES_OF_A_ROW * len(raw), MOST_MOVES)
    better, whole = classes.copy(), levels.whole_cost(raw)
    risen = kernels.exchange_rows(
        raw, weights, better, released, neighbours(raw, levels), k, moves,
        HOT * whole, COLD * whole, *levels.arrays,
    )  # fmt: skip
    return better if risen < 0 else classes


def neighbours(raw: Numbers, levels: FlatLevels) -> Numbers:
    """Rows with which each could share a class at little cost, the cheapest first; −1 where there is none.

    They are found by sorting: rows that agree in what an order looks at first are beside each other.
    """
    from singleout.deidentify import class_exchange_kernels as kernels

    near = numpy.full((len(raw), NEIGHBOURS), -1, dtype=numpy.int64)
    paid = numpy.full(near.shape, FAR)
    orders = MOST_PAIRS // (REACH * max(len(raw), 1))
    draw = numpy.random.default_rng(0)
    for _ in range(min(max(orders, FEWEST_ORDERS), MOST_ORDERS)):
        order = random_order(raw, levels, draw)
        kernels.look_around(raw, order, REACH, near, paid, *levels.arrays)
    return near


def random_order(raw: Numbers, levels: FlatLevels, draw: numpy.random.Generator) -> Numbers:
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

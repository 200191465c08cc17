"""Tree permutation: the strongest pair tables stay exactly as they are, all else is shuffled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from singleout.progress import Progress, silent
from singleout.risk.predict.attribute_dependency import Edge, open_records, spanning_tree
from singleout.risk.predict.avfm import Avfm, Counts, PairTable
from singleout.risk.predict.random_shuffle import SampledOrr, ShufflePlan, run
from singleout.risk.predict.shuffle_layout import (
    Codes,
    Desk,
    ValuePool,
    check_size,
    code_kind,
    longest_column,
    pool_of,
    random_start,
    standard_column,
)


def tree_permutation(
    avfm: Avfm,
    pairs: Sequence[PairTable],
    *,
    samples: int,
    capacity: int,
    seed: int = 0,
    threads: int = 1,
    progress: Progress = silent,
) -> SampledOrr:
    """What would the risk be if columns had to do with each other in pairs only?

    The mean over arranged data sets of ORR = distinct rows / records, counted over records. Each pair table
    of the tree with the most information is kept: a child's values are shuffled inside each value of its
    parent. Of a pair known in part, the known cells are kept and the other records of the parent take the
    other values of the child in random order. Exact for two columns. A missing value is a value like any
    other. Needs no records. Improves on Yang et al. 2020, Algorithm 2.

    >>> two = Avfm(("city", "county"), (numpy.array([2, 1, 1]), numpy.array([3, 1])))
    >>> pair = PairTable(0, 1, numpy.array([0, 1, 2]), numpy.array([0, 0, 1]), numpy.array([2, 1, 1]))
    >>> tree_permutation(two, [pair], samples=2, capacity=5).orr
    0.75
    """
    plan = ShufflePlan(samples, capacity, seed, threads)
    return run("tree permutation", Tree.of(check_size(avfm), pairs), plan, progress)[0]


@dataclass(frozen=True, eq=False)
class TreeBranch:
    """A child's values in one block for each parent value; `holes` are the places that nothing is known of.

    `parent` is a place in the order of arranging, or None where the parent lies sorted, block after block.
    """

    pool: ValuePool
    parent: int | None
    holes: Counts
    open_values: ValuePool

    @classmethod
    def of_root(cls, avfm: Avfm, column: int) -> TreeBranch:
        pool = pool_of(avfm, column)
        return cls(pool, None, numpy.zeros(0, dtype=numpy.int64), pool)

    @classmethod
    def of_edge(cls, avfm: Avfm, edge: Edge, parent: int | None) -> TreeBranch:
        """Each block has its holes, then the known cells by rising count: the most frequent value is last."""
        table, left = edge.table, open_records(avfm, edge.table)
        parents, values, left_of_parent, left_of_child = (
            (table.first_codes, table.second_codes, left.first, left.second)
            if table.first == edge.parent
            else (table.second_codes, table.first_codes, left.second, left.first)
        )
        sizes, kind = avfm.frequencies[edge.parent], code_kind(avfm, edge.child)
        block = numpy.concatenate((numpy.arange(len(sizes)), parents))
        counts = numpy.concatenate((left_of_parent, table.counts))
        value = numpy.concatenate((numpy.zeros_like(sizes), values)).astype(kind)
        hole = numpy.arange(len(block)) < len(sizes)
        order = numpy.lexsort((value, counts, ~hole, block))
        starts = numpy.concatenate(([0], numpy.cumsum(sizes)))
        last = numpy.cumsum(numpy.bincount(block)) - 1
        pool = ValuePool(numpy.repeat(value[order], counts[order]), starts, starts[1:] - counts[order][last])
        holes = numpy.flatnonzero(numpy.repeat(hole[order], counts[order]))
        return cls(pool, parent, holes, ValuePool.of(left_of_child, kind))

    def arrange(self, column: Codes, desk: Desk, starts: tuple[numpy.uint64, numpy.uint64]) -> None:
        from singleout.risk.predict import shuffle_kernels

        blocks = column if self.parent is None else desk.numbers(column.dtype)
        blocks[:] = self.pool.values
        if len(self.holes):
            blocks[self.holes] = self.open_values.shuffled_values(starts[0])
        self.pool.shuffle(blocks, starts[1])
        if self.parent is not None:
            shuffle_kernels.deal(blocks, self.pool.starts, desk.columns[self.parent], column)


@dataclass(frozen=True, eq=False)
class Tree:
    """The columns in an order in which a parent comes before its children; the first lies still."""

    avfm: Avfm
    order: Sequence[int]
    first: Codes
    branches: Sequence[TreeBranch]

    @classmethod
    def of(cls, avfm: Avfm, pairs: Sequence[PairTable]) -> Tree:
        edges = spanning_tree(avfm, pairs)
        children = [edge.child for edge in edges]
        roots = [column for column in range(len(avfm.columns)) if column not in children]
        still = longest_column(avfm, roots)
        roots.remove(still)
        order = [still, *roots, *children]
        alone = [TreeBranch.of_root(avfm, root) for root in roots]
        branches = [TreeBranch.of_edge(avfm, edge, order.index(edge.parent) or None) for edge in edges]
        return cls(avfm, order, standard_column(avfm, still), [*alone, *branches])

    def arrange(self, seed: int, shuffle: int, desk: Desk) -> tuple[int, ...]:
        for index, branch, column in zip(self.order[1:], self.branches, desk.columns[1:], strict=True):
            starts = random_start(seed, shuffle, 2 * index), random_start(seed, shuffle, 2 * index + 1)
            branch.arrange(column, desk, starts)
        return ()

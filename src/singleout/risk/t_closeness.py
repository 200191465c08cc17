"""How unlike the table the sensitive values of a class are spread: the earth mover's distance, three ways."""

from __future__ import annotations

import numpy

from singleout.engine.class_sizes import Counts
from singleout.measurement import Measure
from singleout.risk.sensitive_values import MISSING, ONCE, Reals, SensitiveCounts
from singleout.risk.value_order import ValueTree

CELLS_AT_ONCE = 1 << 22
PAPER = "Li, Li and Venkatasubramanian, t-Closeness, ICDE 2007"

T_EQUAL = Measure(
    name="sensitive.t_equal",
    title="farthest from the table",
    question="How unlike the whole table are the sensitive values of the most unlike class?",
    formula="max over classes of half the sum of |p − q| over values, p being their shares in the class, q "
    f"those in the table: the earth mover's distance where all values are equally far apart; {ONCE}",
    unit="distance",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="classes",
    missing=MISSING,
    reference=f"t-closeness, equal distance; {PAPER}",
)
T_ORDERED = Measure(
    name="sensitive.t_ordered",
    title="farthest from the table, in order",
    question="How unlike the table is the most unlike class, if neighbouring values are nearly alike?",
    formula="max over classes of the sum of |Σ (p − q) up to a value| over values / (values − 1), in the "
    f"order of numbers or dates; unknown for values without an order; {ONCE}",
    unit="distance",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="classes",
    missing=MISSING,
    reference=f"t-closeness, ordered distance; {PAPER}",
)
T_HIERARCHICAL = Measure(
    name="sensitive.t_hierarchical",
    title="farthest from the table, by hierarchy",
    question="How unlike the table is the most unlike class, if values that soon generalise to one are near?",
    formula="max over classes of the earth mover's distance where two values are as far apart as the level "
    "at which they become one / the height, which is the mean over the levels below the top of half the sum "
    f"of |p − q| over the values of the level; {ONCE}",
    unit="distance",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="classes",
    missing=MISSING,
    reference=f"t-closeness, hierarchical distance; {PAPER}",
)


def equal_distances(counts: SensitiveCounts) -> Reals:
    """Of each class, the distance where all values are equally far apart."""
    return _moved_shares(
        counts, _differences(counts, counts.class_of, counts.value_of, counts.having, counts.totals)
    )


def ordered_distances(counts: SensitiveCounts, ranks: Counts | None = None) -> Reals:
    """Of each class, what is carried on from value to value; `ranks` are their places if not their codes'.

    For some classes at a time: all would be a large table.
    """
    totals, value_of = counts.totals, counts.value_of
    if ranks is not None:
        totals, value_of = totals[numpy.argsort(ranks)], ranks[value_of]
    whole, sizes, moved = int(totals.sum()), counts.sizes, numpy.zeros(counts.classes)
    step = max(1, CELLS_AT_ONCE // max(1, len(totals)))
    for first in range(0, counts.classes, step):
        some = slice(first, min(first + step, counts.classes))
        start, end = numpy.searchsorted(counts.class_of, [some.start, some.stop])
        table = numpy.zeros((some.stop - some.start, len(totals)), dtype=numpy.int64)
        table[counts.class_of[start:end] - first, value_of[start:end]] = counts.having[start:end]
        carried = numpy.cumsum(table * whole - numpy.outer(sizes[some], totals), axis=1)
        moved[some] = 2 * numpy.abs(carried).sum(axis=1, dtype=numpy.float64) / max(1, len(totals) - 1)
    return _moved_shares(counts, moved)


def hierarchical_distances(counts: SensitiveCounts, tree: ValueTree) -> Reals:
    """Of each class, the mean of the equal distances at all levels below the top.

    Moving between values that become one at height h costs h / H, and of what differs at a level all that
    still differs at the next has to go higher: the sum over heights is that mean.
    """
    moved = numpy.zeros(counts.classes)
    for nodes in tree.levels:
        many = int(nodes.max(initial=0)) + 1
        keys, pairs = numpy.unique(counts.class_of * many + nodes[counts.value_of], return_inverse=True)
        having = numpy.bincount(pairs, counts.having).astype(numpy.int64)
        totals = numpy.bincount(nodes, counts.totals, many).astype(numpy.int64)
        moved += _differences(counts, keys // many, keys % many, having, totals)
    return _moved_shares(counts, moved / len(tree.levels))


def _differences(
    counts: SensitiveCounts, class_of: Counts, value_of: Counts, having: Counts, totals: Counts
) -> Reals:
    """Sum of |p − q| times both sizes; of values that a class lacks all that it should have of them."""
    whole, sizes = int(totals.sum()), counts.sizes
    expected = sizes[class_of] * totals[value_of]
    there = numpy.bincount(class_of, numpy.abs(having * whole - expected), counts.classes)
    lacking = sizes * float(whole) - numpy.bincount(class_of, expected, counts.classes)
    found: Reals = there + lacking
    return found


def _moved_shares(counts: SensitiveCounts, differences: Reals) -> Reals:
    shares: Reals = differences / (2 * numpy.maximum(counts.sizes, 1) * float(counts.totals.sum()))
    return shares

"""What the sensitive values in a class give away: how many different ones there are, how unlike the table."""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts
from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.numbering import join_codes
from singleout.measurement import Measure

CELLS_AT_ONCE = 1 << 22

DIVERSITY = Measure(
    name="diversity",
    title="fewest different values (l-diversity)",
    question="How many different sensitive values does the most uniform class have?",
    formula="min over classes of the number of distinct sensitive values in it",
    unit="values",
    lowest=1,
    highest=None,
    better="higher",
    counted_over="classes",
    reference="distinct l-diversity, Machanavajjhala et al. 2007",
)
CLOSENESS = Measure(
    name="closeness",
    title="farthest from the table (t-closeness)",
    question="How unlike the whole table are the sensitive values of the most unlike class?",
    formula="max over classes of the earth mover's distance to the table: half the sum of differences of "
    "shares (equal), or the sum of cumulative differences / (values − 1) in the order of values (ordered)",
    unit="distance",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="classes",
    reference="t-closeness, Li, Li and Venkatasubramanian 2007",
)


def diversities(classes: Codes, values: Codes, threads: int = 1) -> Counts:
    """How many different values each class has.

    >>> both = numpy.array([0, 0, 1], dtype=numpy.uint32)
    >>> diversities(Codes(both, 2), Codes(numpy.array([4, 5, 4], dtype=numpy.uint32), 6)).tolist()
    [2, 1]
    """
    return numpy.bincount(_pairs(classes, values, threads)[0], minlength=classes.count)


def distances(
    classes: Codes, values: Codes, totals: Counts, ordered: bool, threads: int = 1
) -> NDArray[numpy.float64]:
    """How far the spread of values in each class is from that in the table, from 0 to 1."""
    sizes, whole = numpy.bincount(classes.codes, minlength=classes.count), int(totals.sum())
    pairs = _pairs(classes, values, threads)
    moved = _ordered_transport(*pairs, sizes, totals) if ordered else _equal_transport(*pairs, sizes, totals)
    shares: NDArray[numpy.float64] = moved / (numpy.maximum(sizes, 1) * float(whole))
    return shares


def _equal_transport(
    class_of: Counts, value_of: Counts, records: Counts, sizes: Counts, totals: Counts
) -> NDArray[numpy.float64]:
    """Half the sum of differences; of values that a class lacks all that it should have of them."""
    whole = int(totals.sum())
    expected = sizes[class_of] * totals[value_of]
    there = numpy.bincount(class_of, numpy.abs(records * whole - expected), len(sizes))
    lacking = sizes * whole - numpy.bincount(class_of, expected, len(sizes))
    return (there + lacking) / 2


def _ordered_transport(
    class_of: Counts, value_of: Counts, records: Counts, sizes: Counts, totals: Counts
) -> NDArray[numpy.float64]:
    """What is carried on from value to value, for some classes at a time: all would be a large table."""
    whole, moved = int(totals.sum()), numpy.zeros(len(sizes))
    order = numpy.argsort(class_of, kind="stable")
    class_of, value_of, records = class_of[order], value_of[order], records[order]
    step = max(1, CELLS_AT_ONCE // max(1, len(totals)))
    for first in range(0, len(sizes), step):
        some = slice(first, min(first + step, len(sizes)))
        start, end = numpy.searchsorted(class_of, [some.start, some.stop])
        table = numpy.zeros((some.stop - some.start, len(totals)), dtype=numpy.int64)
        table[class_of[start:end] - first, value_of[start:end]] = records[start:end]
        carried = numpy.cumsum(table * whole - numpy.outer(sizes[some], totals), axis=1)
        moved[some] = numpy.abs(carried).sum(axis=1) / max(1, len(totals) - 1)
    return moved


def _pairs(classes: Codes, values: Codes, threads: int) -> tuple[Counts, Counts, Counts]:
    """(class, value, records) of each pair that occurs."""
    pairs = join_codes([classes, values], threads)
    class_of, value_of = numpy.zeros((2, pairs.count), dtype=numpy.int64)
    class_of[pairs.codes], value_of[pairs.codes] = classes.codes, values.codes
    return class_of, value_of, numpy.bincount(pairs.codes, minlength=pairs.count)

"""Which items people have, and which they have together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy

from singleout.engine.codes.histories import History
from singleout.measurement import Measure
from singleout.utility.column_values import Floats
from singleout.utility.finding import Finding, Metric
from singleout.utility.paired_columns import Counts, NoAnswerError, PairedColumns, distinct_pairs

TOP = 10
MOST_ITEMS = 100
PEOPLE_AT_ONCE = 1 << 16
SPEARMAN = "Spearman's rank correlation, equal ones sharing their mean rank; 1 if both are the same"

POPULARITY = Measure(
    name="item_popularity.rank_correlation",
    title="item popularity, rank correlation",
    question="Are the popular items still the popular ones?",
    formula=f"over the items of either table, of the number of people who have each; {SPEARMAN}",
    unit="correlation",
    lowest=-1,
    highest=1,
    better="higher",
    counted_over="people",
    missing="a missing item is an item",
    reference="Spearman 1904",
)
TOP_KEPT = Measure(
    name="item_popularity.top_kept",
    title=f"item popularity, first {TOP} kept",
    question=f"What share of the {TOP} most popular items still are?",
    formula=f"|first {TOP} items of the original ∩ of the release| / {TOP}, or all items if there are fewer, "
    "by the number of people who have them; of equally popular ones the first by their names",
    unit="share",
    lowest=0,
    highest=1,
    better="higher",
    counted_over="people",
    missing="a missing item is an item",
    reference="what analysts ask of a release",
)
TOGETHER = Measure(
    name="co_purchase.rank_correlation",
    title="co-purchase, rank correlation",
    question="Are items that many have together still so?",
    formula=f"over the pairs of the {MOST_ITEMS} most popular items of the original, of the number of people "
    f"who have both; {SPEARMAN}",
    unit="correlation",
    lowest=-1,
    highest=1,
    better="higher",
    counted_over="people",
    missing="a missing item is an item",
    reference="Spearman 1904",
)


def popularity(compared: PairedColumns) -> Iterator[Finding]:
    """How alike items are ranked by the number of people who have them."""
    original, release = (_people(compared, table) for table in _tables(compared))
    there = (original > 0) | (release > 0)
    if not there.any():
        raise NoAnswerError("neither table has items")
    yield _rank_finding(POPULARITY, original[there], release[there])
    most = min(TOP, int((original > 0).sum()))
    if not most:
        yield Finding(TOP_KEPT, None, "the original has no items")
        return
    kept = numpy.intersect1d(_top_items(original, most), _top_items(release, most))
    yield Finding(TOP_KEPT, len(kept) / most, detail={"items": most})


def co_purchase(compared: PairedColumns) -> Iterator[Finding]:
    """How alike pairs of items are ranked by the number of people who have both."""
    tables = _tables(compared)
    items = _top_items(_people(compared, tables[0]), MOST_ITEMS)
    if len(items) < 2:
        raise NoAnswerError("the original has no two items")
    original, release = (people_with_both(compared, table, items) for table in tables)
    yield _rank_finding(TOGETHER, original, release)


def people_with_both(compared: PairedColumns, table: History, items: Counts) -> Counts:
    """For each pair of the items, the first with the second, … the number of people who have both."""
    person, item = _person_items(compared, table)
    index = numpy.full(len(compared.histories.values[_item(compared)]), -1)
    index[items] = numpy.arange(len(items))
    kept = index[item] >= 0
    person, item = person[kept], index[item[kept]]
    both = numpy.zeros((len(items), len(items)), dtype=numpy.int64)
    for first in range(0, table.people, PEOPLE_AT_ONCE):
        begin, end = numpy.searchsorted(person, (first, first + PEOPLE_AT_ONCE))
        # single precision is exact: no count of so many people needs more than 24 bits
        has = numpy.zeros((min(PEOPLE_AT_ONCE, table.people - first), len(items)), dtype=numpy.float32)
        has[person[begin:end] - first, item[begin:end]] = 1
        both += (has.T @ has).astype(numpy.int64)
    return both[numpy.triu_indices(len(items), 1)]


def rank_correlation(one: Counts, other: Counts) -> float | None:
    """Spearman's, 1 if both are the same; None if one of them is constant.

    >>> rank_correlation(numpy.array([5, 7, 7]), numpy.array([1, 8, 9]))
    0.8660254037844387
    """
    if numpy.array_equal(one, other):
        return 1.0
    first, second = _ranks(one), _ranks(other)
    size = numpy.sqrt((first**2).sum()) * numpy.sqrt((second**2).sum())
    return max(-1.0, min(1.0, float((first * second).sum() / size))) if size else None


def _ranks(numbers: Counts) -> Floats:
    """How far each one's rank is off the mean rank; equal ones share theirs."""
    _, index, counts = numpy.unique(numbers, return_inverse=True, return_counts=True)
    last = numpy.cumsum(counts)
    ranks: Floats = (last - (counts - 1) / 2)[index] - (len(numbers) + 1) / 2
    return ranks


def _rank_finding(measure: Measure, original: Counts, release: Counts) -> Finding:
    value = rank_correlation(original, release)
    if value is None:
        which = "original" if original.min() == original.max() else "release"
        return Finding(measure, None, f"all are equally frequent in the {which}")
    return Finding(measure, value, detail={"ranked": len(original)})


def _tables(compared: PairedColumns) -> tuple[History, History]:
    return compared.histories.original, compared.histories.release


def _item(compared: PairedColumns) -> str:
    (column,) = compared.meaning.of("item")
    return column


def _person_items(compared: PairedColumns, table: History) -> tuple[Counts, Counts]:
    column = _item(compared)
    return distinct_pairs(table.person, table.codes[column], len(compared.histories.values[column]))


def _people(compared: PairedColumns, table: History) -> Counts:
    items = _person_items(compared, table)[1]
    return numpy.bincount(items, minlength=len(compared.histories.values[_item(compared)]))


def _top_items(people: Counts, most: int) -> Counts:
    """The items that most people have."""
    order: Counts = numpy.argsort(-people, kind="stable")[:most]
    items: Counts = order[people[order] > 0]
    return items


ITEM_METRICS: tuple[Metric, ...] = (
    Metric((POPULARITY, TOP_KEPT), popularity, needs=("item",)),
    Metric((TOGETHER,), co_purchase, needs=("item",)),
)

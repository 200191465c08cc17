"""What analysts would be told: a random workload of counts and sums, asked of both tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from singleout.engine.codes.histories import History
from singleout.engine.codes.parallel import key_of, map_shares
from singleout.measurement import Measure
from singleout.utility.column_values import Floats
from singleout.utility.finding import Finding, Metric
from singleout.utility.paired_columns import Counts, NoAnswerError, PairedColumns
from singleout.utility.whole_amounts import MISSING, amounts

QUERIES = 1000
MOST_CONDITIONS = 3
MOST_COLUMNS = 20
# one in so many of the records, or of the sum of all amounts, is the least that an error is divided by
SANITY = 1000
BITS = 64
RECORDS_AT_ONCE = 1 << 16
SHARES = 16
Bits = NDArray[numpy.uint64]

ASKED = (
    f"{QUERIES:,} queries, each of 1 to {MOST_CONDITIONS} columns at random and the values that a random "
    "record of the original has in them; error = |answer of the release − of the original| / max(|answer of "
    "the original|, 0.1 % of {all})"
)
LEVELS: tuple[tuple[str, str, float], ...] = (
    ("median_error", "for half of the queries at most", 0.5),
    ("error_at_90", "for 90 % of the queries at most", 0.9),
    ("error_at_95", "for 95 % of the queries at most", 0.95),
    ("largest_error", "for the worst query", 1.0),
)


def _measures(kind: str, asked: str, every: str, missing: str) -> tuple[Measure, ...]:
    def measure(name: str, which: str, what: str) -> Measure:
        return Measure(
            name=f"{kind}.{name}",
            title=f"{kind}, {name.replace('_', ' ')}",
            question=f"By what share is {asked} with some values off, {which}?",
            formula=f"{what} of the errors of {ASKED.format(all=every)}",
            unit="share",
            lowest=0,
            highest=None,
            better="lower",
            counted_over="records",
            missing=missing,
            reference="Xiao et al. 2011 (relative error with a sanity bound)",
        )

    mean = measure("mean_error", "on average", "mean")
    return (mean, *(measure(name, which, f"the {level:.0%} quantile") for name, which, level in LEVELS))


COUNTS = _measures("counts", "the number of records", "the records", "a missing value is a value")
SUMS = _measures("sums", "the sum of amounts of records", "the sum of all |amounts|", MISSING)


@dataclass(frozen=True)
class Query:
    """Of the records that have these codes in these columns."""

    columns: tuple[str, ...]
    codes: tuple[int, ...]


def count_errors(compared: PairedColumns) -> Iterator[Finding]:
    """How far off counts of records with some values are."""
    asked = queries(compared)
    original, release = (
        answers(table, asked, compared)[0]
        for table in (compared.histories.original, compared.histories.release)
    )
    errors = relative_errors(original, release, compared.histories.original.records)
    yield from _levels(COUNTS, errors)


def sum_errors(compared: PairedColumns) -> Iterator[Finding]:
    """How far off sums of the amounts of records with some values are."""
    worth, asked = amounts(compared), queries(compared)
    original = answers(compared.histories.original, asked, compared, worth.original)[1]
    release = answers(compared.histories.release, asked, compared, worth.release)[1]
    whole = int(numpy.abs(worth.original).sum())
    if not whole:
        raise NoAnswerError("all amounts of the original are 0")
    yield from _levels(SUMS, relative_errors(original, release, whole))


def relative_errors(original: Counts, release: Counts, whole: int) -> Floats:
    """
    >>> relative_errors(numpy.array([100, 0]), numpy.array([90, 1]), 1000).tolist()
    [0.1, 1.0]
    """
    found: Floats = numpy.abs(release - original) / numpy.maximum(numpy.abs(original), whole / SANITY)
    return found


def queries(compared: PairedColumns) -> list[Query]:
    """Conditions that some record of the original meets; the same for the same seed."""
    columns = compared.columns[:MOST_COLUMNS]
    if not columns or not compared.histories.original.records:
        raise NoAnswerError("the original has no records to ask about")
    # the same records whatever the order that they came in
    records = compared.histories.original.sort_records()
    random = numpy.random.default_rng(key_of("workload", compared.seed))
    workload = []
    for _ in range(QUERIES):
        size = int(random.integers(1, min(MOST_CONDITIONS, len(columns)) + 1))
        chosen = sorted(random.choice(len(columns), size, replace=False).tolist())
        record = int(random.integers(records.records))
        names = tuple(columns[index] for index in chosen)
        workload.append(Query(names, tuple(int(records.codes[name][record]) for name in names)))
    return sorted(workload, key=lambda query: (query.columns, query.codes))


def answers(
    table: History, asked: Sequence[Query], compared: PairedColumns, steps: Counts | None = None
) -> tuple[Counts, Counts]:
    """How many records each query finds, and the sum of their amounts."""
    counts, sums = (numpy.zeros(len(asked), dtype=numpy.int64) for _ in range(2))
    worth = numpy.zeros(table.records, dtype=numpy.int64) if steps is None else steps
    for first in range(0, len(asked), BITS):
        some = asked[first : first + BITS]
        bits = _bits(some, compared)

        def share(begin: int, end: int, bits: dict[str, Bits] = bits) -> tuple[Counts, Counts]:
            return _share(table, bits, worth, begin, end)

        shares = min(SHARES, table.records // RECORDS_AT_ONCE + 1)
        parts = map_shares(table.records, share, compared.threads, shares)
        for part_counts, part_sums in parts:
            counts[first : first + len(some)] += part_counts[: len(some)]
            sums[first : first + len(some)] += part_sums[: len(some)]
    return counts, sums


def _bits(asked: Sequence[Query], compared: PairedColumns) -> dict[str, Bits]:
    """For each value of a column, the queries that it does not rule out."""
    by_column: dict[str, Bits] = {}
    for column in dict.fromkeys(name for query in asked for name in query.columns):
        others = sum(1 << bit for bit, query in enumerate(asked) if column not in query.columns)
        bits = numpy.full(len(compared.histories.values[column]), others, dtype=numpy.uint64)
        for bit, query in enumerate(asked):
            if column in query.columns:
                bits[query.codes[query.columns.index(column)]] |= numpy.uint64(1 << bit)
        by_column[column] = bits
    return by_column


def _share(
    table: History, bits: dict[str, Bits], worth: Counts, begin: int, end: int
) -> tuple[Counts, Counts]:
    from singleout.utility.query_workload_kernels import answer

    counts, sums = (numpy.zeros(BITS, dtype=numpy.int64) for _ in range(2))
    for first in range(begin, end, RECORDS_AT_ONCE):
        part = slice(first, min(first + RECORDS_AT_ONCE, end))
        meets = numpy.full(part.stop - first, (1 << BITS) - 1, dtype=numpy.uint64)
        for column, known in bits.items():
            meets &= known[table.codes[column][part]]
        answer(meets, worth[part], counts, sums)
    return counts, sums


def _levels(measures: Sequence[Measure], errors: Floats) -> Iterator[Finding]:
    rising = numpy.sort(errors)
    detail = {"queries": len(rising)}
    yield Finding(measures[0], float(rising.mean()), detail=detail)
    for measure, (_, _, level) in zip(measures[1:], LEVELS, strict=True):
        index = int(numpy.ceil(level * len(rising))) - 1
        yield Finding(measure, float(rising[index]), detail=detail)


WORKLOAD_METRICS: tuple[Metric, ...] = (
    Metric(COUNTS, count_errors),
    Metric(SUMS, sum_errors, needs=("amount",)),
)

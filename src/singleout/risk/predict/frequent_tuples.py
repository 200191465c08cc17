"""Frequent tuples: the value pairs of strong dependencies for semi-random sampling (Yang et al. 2020)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from singleout.errors import InputError, UsageError
from singleout.measurement import Measure
from singleout.risk.predict.attribute_dependency import Dependency
from singleout.risk.predict.avfm import Avfm, Counts, Labels, PairTable
from singleout.risk.predict.statistics_files import KnownTuple

SURE = 0.9
LIKELY = 0.5
SHARE = 1e-4
Floats = NDArray[numpy.float64]

CONFIDENCE = Measure(
    name="prediction.confidence",
    title="confidence",
    question="How often does a record with one value have the other too?",
    formula="conf(b ⇒ a) = supp(a, b) / supp(b), supp = share of the records",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    reference="Yang et al. 2020, Definition 4",
)


@dataclass(frozen=True, eq=False)
class TupleTable:
    """The known tuples (a, b) of one ordered pair of columns, by falling frequency.

    Columns are places in the AVFM, values codes: a of the column `of`, b of the column `on`. `confidence` is
    conf(b ⇒ a), and `frequency` counts the records that have both, where this was learned. Arrays, since a
    column of ids alone gives a tuple for each record and other column.
    """

    of: int
    on: int
    values: Counts
    on_values: Counts
    confidence: Floats
    frequency: Counts

    def __len__(self) -> int:
        return len(self.values)


def confidence(together: Counts, alone: Counts) -> Floats:
    """conf(b ⇒ a) = supp(a, b) / supp(b): how often a is found where b is (Definition 4)."""
    return together / alone


def frequent_tuples(
    avfm: Avfm,
    pairs: Sequence[PairTable],
    found: Sequence[Dependency],
    share: float = SHARE,
    sure: float = SURE,
    likely: float = LIKELY,
) -> tuple[TupleTable, ...]:
    """Which value can be guessed from which other, and how surely?

    The tuples (a, b) of each strong pair of columns (A, B) whose conf(b ⇒ a) is above `sure`, or at least
    `likely` with a frequency above share·n, counted over records. By falling gain ratio of the pair and
    falling frequency. `found` are the dependencies of these pairs, and perhaps of others. A missing value is
    a value like any other. Yang et al. 2020, Definition 4 and Algorithm 2 (its 398 is 10⁻⁴ of its 3,985,166
    records).

    >>> from singleout.risk.predict.attribute_dependency import dependencies
    >>> two = Avfm(
    ...     ("city", "county"), (numpy.array([2, 1, 1]), numpy.array([3, 1])), (("P", "Q", "R"), ("K", "L"))
    ... )
    >>> pair = PairTable(0, 1, numpy.array([0, 1, 2]), numpy.array([0, 0, 1]), numpy.array([2, 1, 1]))
    >>> tables = frequent_tuples(two, [pair], dependencies(two, [pair]))
    >>> [(each.value, each.on_value, each.confidence) for each in labelled_tuples(two, tables, most=2)]
    [('K', 'P', 1.0), ('K', 'Q', 1.0)]
    """
    if not 0 <= share <= 1:
        raise UsageError(
            f"a share of {share!r} of the records is impossible; take one from 0 to 1, like 0.0001"
        )
    if not 0 <= likely <= sure <= 1:
        raise UsageError(
            f"confidences {likely!r} and {sure!r}: take two from 0 to 1, likely not above sure, like 0.5, 0.9"
        )
    said = {(each.of, each.on): each for each in found}
    both_orders = [each for pair in pairs for each in (pair, swapped_pair(pair))]
    known = [(pair, said[avfm.columns[pair.first], avfm.columns[pair.second]]) for pair in both_orders]
    strong = [(pair, each) for pair, each in known if _is_worth_knowing(avfm, pair, each)]
    strong.sort(key=lambda each: (-each[1].gain_ratio, each[0].first, each[0].second))
    return tuple(
        table for pair, _ in strong if len(table := _frequent_table(avfm, pair, share, sure, likely))
    )


def swapped_pair(pair: PairTable) -> PairTable:
    return PairTable(pair.second, pair.first, pair.second_codes, pair.first_codes, pair.counts)


def _is_worth_knowing(avfm: Avfm, pair: PairTable, found: Dependency) -> bool:
    """A strong dependency of a column that is not constant anyway."""
    return found.dependency in ("complete", "strong") and len(avfm.frequencies[pair.first]) > 1


def _frequent_table(avfm: Avfm, pair: PairTable, share: float, sure: float, likely: float) -> TupleTable:
    """The frequent tuples of the pair (first column, on second column)."""
    found = confidence(pair.counts, avfm.frequencies[pair.second][pair.second_codes])
    enough = (found > sure) | ((found >= likely) & (pair.counts > share * avfm.records))
    cells = numpy.flatnonzero(enough)
    cells = cells[numpy.lexsort((pair.second_codes[cells], pair.first_codes[cells], -pair.counts[cells]))]
    values, on_values = pair.first_codes[cells], pair.second_codes[cells]
    return TupleTable(pair.first, pair.second, values, on_values, found[cells], pair.counts[cells])


def labelled_tuples(
    avfm: Avfm, tables: Iterable[TupleTable], most: int | None = None
) -> tuple[KnownTuple, ...]:
    """The tuples with the values behind their codes: all of them, or the first `most`."""
    tuples: list[KnownTuple] = []
    for table in tables:
        room = len(table) if most is None else min(len(table), most - len(tuples))
        if room <= 0:
            break
        tuples += _labelled_rows(avfm, table, room)
    return tuple(tuples)


def _labelled_rows(avfm: Avfm, table: TupleTable, most: int) -> list[KnownTuple]:
    of, on = avfm.columns[table.of], avfm.columns[table.on]
    labels, on_labels = labels_of(avfm, table.of), labels_of(avfm, table.on)
    columns = table.values, table.on_values, table.confidence, table.frequency
    return [
        KnownTuple(of, labels[a], on, on_labels[b], conf, count)
        for a, b, conf, count in zip(*(each[:most].tolist() for each in columns), strict=True)
    ]


def labels_of(avfm: Avfm, column: int) -> Labels:
    if avfm.labels is None:
        raise InputError("the statistics do not say which values they count; known tuples need the values")
    return avfm.labels[column]


def coded_knowledge(avfm: Avfm, knowledge: Sequence[KnownTuple]) -> tuple[tuple[TupleTable, ...], int]:
    """Tuples that name their values as codes of these statistics, and how many name one that is not there.

    Pairs of columns in the order in which they first occur, the tuples of each by falling frequency.

    >>> two = Avfm(("city", "county"), (numpy.array([5, 5]), numpy.array([5, 5])), (("P", "Q"), ("K", "L")))
    >>> known = [KnownTuple("city", city, "county", "K", 1.0, 5) for city in "QR"]
    >>> (table,), ignored = coded_knowledge(two, known)
    >>> table.values.tolist(), table.on_values.tolist(), ignored
    ([1], [0], 1)
    """
    code_of = _codes(avfm, {name for each in knowledge for name in (each.column, each.on_column)})
    pairs: dict[tuple[int, int], list[tuple[int, int, float, int]]] = {}
    for each in knowledge:
        a = code_of.get(each.column, {}).get(each.value)
        b = code_of.get(each.on_column, {}).get(each.on_value)
        if a is not None and b is not None:
            _check(each)
            pair = avfm.columns.index(each.column), avfm.columns.index(each.on_column)
            pairs.setdefault(pair, []).append((a, b, each.confidence, each.frequency))
    tables = tuple(_sorted_table(*pair, *zip(*tuples, strict=True)) for pair, tuples in pairs.items())
    return tables, len(knowledge) - sum(map(len, tables))


def _codes(avfm: Avfm, columns: Iterable[str]) -> dict[str, dict[str | None, int]]:
    """The code of each value, of those of the columns that there are."""
    indices = {name: avfm.columns.index(name) for name in columns if name in avfm.columns}
    return {
        name: {label: code for code, label in enumerate(labels_of(avfm, index))}
        for name, index in indices.items()
    }


def _check(known: KnownTuple) -> None:
    if known.column == known.on_column:
        raise InputError(f"column {known.column!r} can't depend on itself; name two columns")
    if not 0 <= known.confidence <= 1:
        raise InputError(f"a confidence of {known.confidence!r} is impossible; it lies between 0 and 1")


def _sorted_table(
    of: int, on: int, a: Sequence[int], b: Sequence[int], sure: Sequence[float], together: Sequence[int]
) -> TupleTable:
    values, on_values, frequency = (numpy.array(each, dtype=numpy.int64) for each in (a, b, together))
    order = numpy.argsort(-frequency, kind="stable")
    return TupleTable(
        of, on, values[order], on_values[order], numpy.array(sure, dtype=float)[order], frequency[order]
    )


def translated_tuples(
    avfm: Avfm, other: Avfm, tables: Sequence[TupleTable]
) -> tuple[tuple[TupleTable, ...], int]:
    """Tuples of other statistics as codes of these, by the names of columns and values; how many are lost.

    >>> two = Avfm(("city", "county"), (numpy.array([5, 5]), numpy.array([5, 5])), (("P", "Q"), ("K", "L")))
    >>> larger = Avfm(two.columns, (numpy.array([9, 1]),) * 2, (("Q", "R"), ("L", "K")))
    >>> known = [KnownTuple("city", value, "county", "K", 1.0, 5) for value in "QR"]
    >>> learned, _ = coded_knowledge(larger, known)
    >>> (table,), ignored = translated_tuples(two, larger, learned)
    >>> table.values.tolist(), table.on_values.tolist(), ignored
    ([1], [0], 1)
    """
    here = [each for each in tables if {other.columns[each.of], other.columns[each.on]} <= set(avfm.columns)]
    columns = {column for each in here for column in (each.of, each.on)}
    codes = {column: _code_map(avfm, other, column) for column in columns}
    translations = [_translated_table(avfm, other, each, codes[each.of], codes[each.on]) for each in here]
    kept = tuple(each for each in translations if len(each))
    return kept, sum(map(len, tables)) - sum(map(len, kept))


def _code_map(avfm: Avfm, other: Avfm, column: int) -> Counts:
    """The code here of each code there; -1 where the value is not there."""
    name = other.columns[column]
    code_of = _codes(avfm, [name])[name]
    return numpy.array([code_of.get(label, -1) for label in labels_of(other, column)], dtype=numpy.int64)


def _translated_table(
    avfm: Avfm, other: Avfm, table: TupleTable, codes: Counts, on_codes: Counts
) -> TupleTable:
    of, on = (avfm.columns.index(other.columns[column]) for column in (table.of, table.on))
    a, b = codes[table.values], on_codes[table.on_values]
    there = (a >= 0) & (b >= 0)
    return TupleTable(of, on, a[there], b[there], table.confidence[there], table.frequency[there])

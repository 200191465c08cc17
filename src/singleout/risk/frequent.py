"""Frequent tuples: the value pairs of strong dependencies that paper 4's semi-random sampling is told of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy
from numpy.typing import NDArray

from singleout.errors import InputError, UsageError
from singleout.measurement import Measure
from singleout.read.statistics import Known
from singleout.risk.avfm import Avfm, Counts, Labels, PairTable
from singleout.risk.dependency import Dependency, dependencies

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
    reference="paper 4, Definition 4",
)


def confidence(together: Counts, alone: Counts) -> Floats:
    """conf(b ⇒ a) = supp(a, b) / supp(b): how often a is found where b is (Definition 4)."""
    return together / alone


def frequent_tuples(avfm: Avfm, pairs: Sequence[PairTable], share: float = SHARE) -> tuple[Known, ...]:
    """Which value can be guessed from which other, and how surely?

    The tuples (a, b) of each pair of columns (A, B) with g(A, B) ≥ 0.5 whose conf(b ⇒ a) is above 0.9, or at
    least 0.5 with a frequency above share·n, counted over records. By falling gain ratio of the pair and
    falling frequency. A missing value is a value like any other. Paper 4, Definition 4 and Algorithm 2 (its
    398 is 10⁻⁴ of its 3,985,166 records).

    >>> two = Avfm(
    ...     ("city", "county"), (numpy.array([2, 1, 1]), numpy.array([3, 1])), (("P", "Q", "R"), ("K", "L"))
    ... )
    >>> pair = PairTable(0, 1, numpy.array([0, 1, 2]), numpy.array([0, 0, 1]), numpy.array([2, 1, 1]))
    >>> [(each.value, each.on_value, each.confidence) for each in frequent_tuples(two, [pair])][:2]
    [('K', 'P', 1.0), ('K', 'Q', 1.0)]
    """
    if not 0 <= share <= 1:
        raise UsageError(
            f"a share of {share!r} of the records is impossible; take one from 0 to 1, like 0.0001"
        )
    both_orders = zip(_orders(pairs), dependencies(avfm, pairs), strict=True)
    strong = [(pair, found) for pair, found in both_orders if _worth_knowing(avfm, pair, found)]
    strong.sort(key=lambda each: (-each[1].gain_ratio, each[0].first, each[0].second))
    return tuple(known for pair, found in strong for known in _frequent(avfm, pair, found, share))


def _orders(pairs: Sequence[PairTable]) -> list[PairTable]:
    """Each pair in both orders, as `dependencies` goes through them."""
    return [each for pair in pairs for each in (pair, turned(pair))]


def turned(pair: PairTable) -> PairTable:
    return PairTable(pair.second, pair.first, pair.second_codes, pair.first_codes, pair.counts)


def _worth_knowing(avfm: Avfm, pair: PairTable, found: Dependency) -> bool:
    """A strong dependency of a column that is not constant anyway."""
    return found.dependency in ("complete", "strong") and len(avfm.frequencies[pair.first]) > 1


def _frequent(avfm: Avfm, pair: PairTable, found: Dependency, share: float) -> list[Known]:
    """The frequent tuples of the pair (first column, on second column)."""
    sure = confidence(pair.counts, avfm.frequencies[pair.second][pair.second_codes])
    enough = (sure > SURE) | ((sure >= LIKELY) & (pair.counts > share * avfm.records))
    place = numpy.flatnonzero(enough)
    place = place[numpy.lexsort((pair.second_codes[place], pair.first_codes[place], -pair.counts[place]))]
    values, on_values = (labels_of(avfm, each) for each in (pair.first, pair.second))
    columns = pair.first_codes[place], pair.second_codes[place], sure[place], pair.counts[place]
    return [
        Known(found.of, values[a], found.on, on_values[b], conf, count)
        for a, b, conf, count in zip(*(each.tolist() for each in columns), strict=True)
    ]


def labels_of(avfm: Avfm, place: int) -> Labels:
    if avfm.labels is None:
        raise InputError("the statistics do not say which values they count; known tuples need the values")
    return avfm.labels[place]

"""How many dummy records a random grouping of people would need: what a method has to beat."""

from __future__ import annotations

from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

Counts = NDArray[numpy.int64]
Numbers = NDArray[numpy.float64]


def uniform_dummies(people: int, records: int, items: int, clusters: int) -> float:
    """E(Δm) = nℓ{(1 − 1/ℓ)^(m/n) − (1 − 1/ℓ)^(m/c)} of Ito et al. 2020, as if all items were equally popular.

    >>> round(uniform_dummies(400, 38000, 2700, 1))
    1042653
    """
    return float(_uniform_dummies(people, records, items, numpy.array([clusters]))[0])


def popularity_dummies(buyers: Counts, sizes: Counts) -> float:
    """E(Δm) of a random partition into clusters of these sizes, item g having `buyers`[g] people d_g.

    Exactly Σ_g Σ_x s_x (1 − C(n − d_g, s_x)/C(n, s_x)) − Σ_g d_g: an item is in a cluster unless all its
    people are of those who lack the item.

    >>> round(popularity_dummies(numpy.array([1, 2]), numpy.array([2, 2])), 6)
    2.333333
    """
    distinct_sizes, times = numpy.unique(sizes, return_counts=True)
    covered = _items_covered(buyers, int(sizes.sum()), distinct_sizes)
    return float((times * distinct_sizes * covered).sum() - buyers.sum())


def balanced_sizes(people: int, clusters: int) -> Counts:
    """Sizes as equal as can be.

    >>> balanced_sizes(10, 3).tolist()
    [4, 3, 3]
    """
    size, more = divmod(people, clusters)
    return numpy.repeat([size + 1, size], [more, clusters - more])


@dataclass(frozen=True)
class Balance:
    """αE(Δm) + c/n for the clusters asked for, and the number of clusters for which it is smallest."""

    value: float
    best_clusters: int
    best_value: float


def uniform_balance(people: int, records: int, items: int, clusters: int) -> Balance:
    """Ito et al. 2020: dummies against risk, with its own E(Δm); α makes one single cluster cost 1.

    >>> uniform_balance(400, 38000, 2700, 69).best_clusters
    69
    """
    return _balance(_uniform_dummies(people, records, items, numpy.arange(1, people + 1)), clusters)


def popularity_balance(buyers: Counts, people: int, clusters: int) -> Balance:
    """The same with the exact E(Δm) of balanced clusters."""
    counts = numpy.arange(1, people + 1)
    size, more = people // counts, people % counts
    wanted = numpy.unique(numpy.concatenate((size, size + 1)))
    wanted = wanted[wanted <= people]
    covered = numpy.zeros(people + 2)
    covered[wanted] = _items_covered(buyers, people, wanted)
    larger = more * (size + 1) * covered[size + 1]
    return _balance(larger + (counts - more) * size * covered[size] - buyers.sum(), clusters)


def _uniform_dummies(people: int, records: int, items: int, clusters: Counts) -> Numbers:
    # log1p keeps 1 − 1/ℓ exact for many items; one item alone is in every cluster
    lacks = numpy.log1p(-1 / items) if items > 1 else -numpy.inf
    expected: Numbers = (
        people * items * (numpy.exp(lacks * records / people) - numpy.exp(lacks * records / clusters))
    )
    return expected


def _items_covered(buyers: Counts, people: int, sizes: Counts) -> Numbers:
    """For each size the expected number of items in a random cluster of it."""
    logs = numpy.concatenate(([0.0], numpy.cumsum(numpy.log(numpy.arange(1, people + 1)))))
    popular, items = numpy.unique(buyers, return_counts=True)
    covered = numpy.empty(len(sizes))
    for index, size in enumerate(sizes):
        spared = people - popular - size
        there = spared >= 0
        ways = logs[people - popular[there]] - logs[spared[there]] - (logs[people] - logs[people - size])
        lacked = numpy.zeros(len(popular))
        lacked[there] = numpy.exp(ways)
        covered[index] = (items * (1 - lacked)).sum()
    return covered


def _balance(expected: Numbers, clusters: int) -> Balance:
    people = len(expected)
    scale = 1 / expected[0] if expected[0] > 0 else 0.0
    values = scale * expected + numpy.arange(1, people + 1) / people
    best = int(values.argmin())
    return Balance(float(values[clusters - 1]), best + 1, float(values[best]))

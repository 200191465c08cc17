"""Whether people who do much in one domain do much in another (Ito et al. n.d., Figures 1 and 2)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy
from numpy.typing import NDArray

from singleout.measurement import Measure
from singleout.risk.entropy.mutual_information import SKIPPED
from singleout.risk.entropy.person_value_counts import Counts

Figures = NDArray[numpy.float64] | Counts
FEWEST_PEOPLE = 3
NO_SPREAD = 1e-12

CORRELATION = Measure(
    name="domain.correlation",
    title="correlation",
    question="Do people with many records, or large amounts, in one domain have them in another too?",
    formula="Pearson's r of two sums per person, over people with records and known amounts in both domains",
    unit="correlation",
    lowest=-1,
    highest=1,
    better="neither",
    counted_over="people",
    missing=SKIPPED,
    reference="Ito et al. n.d., Section 3C, Figures 1 and 2",
)


@dataclass(frozen=True)
class Correlation:
    """Pearson's r of two figures, each with one number a person; unknown is None with a reason."""

    first: str
    second: str
    people: int
    pearson: float | None
    reason: str | None = None


def correlations(
    names: Sequence[str], records: Sequence[Counts], amounts: Sequence[Figures | None]
) -> tuple[Correlation, ...]:
    """Do people who do much in one domain do much in another?

    For each two domains: records with records, amounts with records both ways, amounts with amounts, as far
    as a domain has amounts; arrays have one number for each person of the study. Counted over the people who
    have a record in both domains and a known amount. Reference: Ito et al. n.d., Figures 1 and 2.

    >>> from numpy import array
    >>> spent = array([100.0, 200.0, 400.0])
    >>> found = correlations(["bus", "shop"], [array([1, 2, 3]), array([2, 4, 6])], [None, spent])
    >>> [(each.first, each.second, round(each.pearson, 3)) for each in found]
    [('bus records', 'shop records', 1.0), ('bus records', 'shop amount', 0.982)]
    """
    return tuple(_correlation(*pair) for pair in paired_figures(names, records, amounts))


def paired_figures(
    names: Sequence[str], records: Sequence[Counts], amounts: Sequence[Figures | None]
) -> Iterator[tuple[str, str, Figures, Figures]]:
    """What is correlated with what: both names, and both figures of the people who have both."""
    for one, two in combinations(range(len(names)), 2):
        both = (records[one] > 0) & (records[two] > 0)
        for first, x in _figures(names[one], records[one], amounts[one]):
            for second, y in _figures(names[two], records[two], amounts[two]):
                there = both & numpy.isfinite(x) & numpy.isfinite(y)
                yield first, second, x[there], y[there]


def pearson(x: Figures, y: Figures) -> float:
    """Σ of products of deviations over the root of both sums of squares; neither side may be constant."""
    left, right = _deviations(x), _deviations(y)
    product = math.fsum((left * right).tolist())
    spread = math.fsum((left * left).tolist()) * math.fsum((right * right).tolist())
    return min(max(product / math.sqrt(spread), -1.0), 1.0)


def _correlation(first: str, second: str, x: Figures, y: Figures) -> Correlation:
    if len(x) < FEWEST_PEOPLE:
        reason = f"fewer than {FEWEST_PEOPLE} people have both"
        return Correlation(first, second, len(x), None, reason)
    for name, figures in ((first, x), (second, y)):
        # sums of amounts that are equal may differ in their last digits
        if figures.max() - figures.min() <= NO_SPREAD * numpy.abs(figures).max():
            return Correlation(first, second, len(x), None, f"{name}: the same for everybody")
    return Correlation(first, second, len(x), pearson(x, y))


def _figures(name: str, records: Counts, amounts: Figures | None) -> Iterator[tuple[str, Figures]]:
    yield f"{name} records", records
    if amounts is not None:
        yield f"{name} amount", amounts


def _deviations(figures: Figures) -> NDArray[numpy.float64]:
    """From the mean, in units of the largest: squares of huge or tiny amounts stay numbers."""
    scaled = figures / numpy.abs(figures).max()
    deviations: NDArray[numpy.float64] = scaled - math.fsum(scaled.tolist()) / len(scaled)
    in_units: NDArray[numpy.float64] = deviations / numpy.abs(deviations).max()
    return in_units

"""Several releases of one table in order: what they keep and whom they give away, beside the original."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import mul

import numpy
from numpy.typing import NDArray

from singleout.measurement import Better, Measure

# values that differ further behind the point differ by rounding alone
DECIMALS = 12
# further than what is rounded to the same
APART = 10.0 ** (1 - DECIMALS)
OVERALL = Measure(
    name="ranking.overall",
    title="overall rank",
    question="Which release is the best bargain of use and protection?",
    formula="(utility rank + privacy rank) / 2. On each metric that has a better way, the releases and the "
    "untouched original are ranked from 1 for the best, equals sharing the mean of their places; the utility "
    "rank is the place of the mean of these, the privacy rank that of the highest rate of all attacks. The "
    "boundary is the original's own: at or above it a release is no better",
    unit="places",
    lowest=1,
    highest=None,
    better="lower",
    counted_over="values",
    missing="a metric that can't be told of a release, as of a column that it lacks, is lost: it comes last "
    "there; one that is unknown of the original too is left out. A release that can't be attacked has no "
    "privacy rank and no overall rank and is listed last: the others are ranked by their rates without it. "
    "One with columns that could not be compared comes last in privacy: attacks may recognise more",
    reference="Ito et al. n.d., Sec. IV-E, Figs 13 and 15",
)


@dataclass(frozen=True, slots=True)
class Contender:
    """A release, or the original itself: what each metric came to, and the highest rate of all attacks.

    If it was not `compared` in all columns, attacks may recognise more than that.
    """

    name: str
    metrics: Mapping[str, float | None]
    highest_rate: float | None
    compared: bool = True

    @property
    def risk(self) -> float | None:
        """What is not known ranks last."""
        return self.highest_rate if self.highest_rate is None or self.compared else math.inf


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a contender stands; a rank that nothing is known for is None."""

    name: str
    utility_score: float | None
    utility_rank: float | None
    highest_rate: float | None
    privacy_rank: float | None
    compared: bool = True

    @property
    def overall(self) -> float | None:
        if self.utility_rank is None or self.privacy_rank is None:
            return None
        return (self.utility_rank + self.privacy_rank) / 2


@dataclass(frozen=True)
class Ranking:
    """The `releases` as they were given, the `original` beside them, and by which `metrics`.

    `left_out` are metrics that the original itself has no value of.
    """

    releases: tuple[Standing, ...]
    original: Standing
    metrics: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def boundary(self) -> float | None:
        """The original's own mean rank, which a release has to stay below."""
        return self.original.overall

    @property
    def with_both(self) -> tuple[Standing, ...]:
        """The releases that have a rank in utility and in privacy."""
        return tuple(each for each in self.releases if each.overall is not None)

    def better_than_original(self, standing: Standing) -> bool | None:
        if standing.overall is None or self.boundary is None:
            return None
        return standing.overall < self.boundary

    @property
    def best_first(self) -> tuple[Standing, ...]:
        """Equals by privacy, then in the order they were given; those without an overall rank last."""
        return tuple(sorted(self.releases, key=_order))


def _order(standing: Standing) -> tuple[bool, float, float]:
    ranks = (standing.overall, standing.utility_rank, standing.privacy_rank)
    first = next((each for each in ranks if each is not None), math.inf)
    return standing.overall is None, first, standing.privacy_rank or 0.0


def rank_releases(
    original: Contender,
    releases: Sequence[Contender],
    better: Mapping[str, Better],
    weights: Mapping[str, float] | None = None,
) -> Ranking:
    """Rank the releases and the original together; `better` says of each metric which way is.

    `weights` are how much the rank on a metric counts, 1 where nothing is said.

    >>> found = rank_releases(
    ...     Contender("shop", {"error": 0.0}, 1.0),
    ...     [Contender("noisy", {"error": 3.5}, 0.2), Contender("empty", {"error": 9.0}, 0.2)],
    ...     {"error": "lower"},
    ... )
    >>> [(each.name, each.utility_rank, each.privacy_rank, each.overall) for each in found.best_first]
    [('noisy', 2.0, 1.5, 1.75), ('empty', 3.0, 1.5, 2.25)]
    >>> found.boundary
    2.0
    """
    contenders = (original, *releases)
    directed = [name for name, way in better.items() if way != "neither"]
    known = tuple(name for name in directed if original.metrics.get(name) is not None)
    directions = {name: better[name] for name in known}
    scores = mean_of_ranks([each.metrics for each in contenders], directions, weights)
    rows = zip(
        contenders, scores, _ranks_of_known(scores),
        _ranks_of_known([each.risk for each in contenders]), strict=True,
    )  # fmt: skip
    first, *others = (
        Standing(each.name, score, rank, each.highest_rate, risk, each.compared)
        for each, score, rank, risk in rows
    )
    left_out = tuple(name for name in directed if name not in known)
    return Ranking(tuple(others), first, known, left_out)


def mean_of_ranks(
    metrics: Sequence[Mapping[str, float | None]],
    better: Mapping[str, Better],
    weights: Mapping[str, float] | None = None,
) -> list[float | None]:
    """Of each contender, the mean over the metrics of its rank, what is unknown coming last.

    >>> mean_of_ranks([{"kept": 1.0, "error": 0.0}, {"kept": 0.5, "error": 0.0}], \
{"kept": "higher", "error": "lower"})
    [1.25, 1.75]
    """
    if not better:
        return [None for _ in metrics]
    costs = (_costs([each.get(name) for each in metrics], way) for name, way in better.items())
    by_metric = [mean_ranks(each) for each in costs]
    counts = [1.0 if weights is None else weights.get(name, 1.0) for name in better]
    return [math.fsum(map(mul, ranks, counts)) / math.fsum(counts) for ranks in zip(*by_metric, strict=True)]


def _costs(values: Sequence[float | None], way: Better) -> NDArray[numpy.float64]:
    known = numpy.array(values, dtype=float)  # what is None becomes NaN
    costs = -known if way == "higher" else known
    return numpy.where(numpy.isnan(costs), math.inf, costs)


def mean_ranks(values: Sequence[float] | NDArray[numpy.float64]) -> list[float]:
    """The place of each value, the smallest being 1; equal ones share the mean of their places.

    >>> mean_ranks([0.3, 0.1, 0.3])
    [2.5, 1.0, 2.5]
    """
    given = numpy.array(values, dtype=float)
    order = numpy.argsort(given, kind="stable")
    begins = _begins(given[order])
    run = numpy.cumsum(begins) - 1
    ends = numpy.flatnonzero(numpy.append(begins[1:], True)) + 1
    starts = numpy.flatnonzero(begins)
    ranks = numpy.empty(len(given))
    ranks[order] = ((starts + ends + 1) / 2)[run]
    found: list[float] = ranks.tolist()
    return found


def _begins(ordered: NDArray[numpy.float64]) -> NDArray[numpy.bool_]:
    """Where another value begins: rounding tells of those that are close, which are few."""
    before, after = ordered[:-1], ordered[1:]
    begins = numpy.append(True, before != after)[: len(ordered)]
    for index in numpy.flatnonzero(begins[1:] & (after < before + APART)):
        begins[index + 1] = round(float(before[index]), DECIMALS) != round(float(after[index]), DECIMALS)
    return begins


def _ranks_of_known(values: Sequence[float | None]) -> list[float | None]:
    """Those that are known are ranked among themselves."""
    ranks = iter(mean_ranks([value for value in values if value is not None]))
    return [None if value is None else next(ranks) for value in values]

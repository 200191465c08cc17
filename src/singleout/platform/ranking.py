"""Where submissions stand: the library's ranking, what is unknown last, the original as the boundary."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from singleout.measurement import Better
from singleout.platform.contest import Contest, UncertainRule
from singleout.platform.scorer import HIGHEST, Score
from singleout.utility.catalogue import UTILITY_MEASURES
from singleout.utility.compare.ranking import Contender, Ranking, Standing, rank_releases


@dataclass(frozen=True, slots=True)
class RankedEntry:
    """A submission on the board: its values by metric, the highest rate of all attacks, and if that is all.

    The rate is None if it is unknown; if it is not `certain`, attacks may recognise more. It is not `tried`
    if something that it is judged by was not even tried.
    """

    name: str
    values: Mapping[str, float | None]
    highest_rate: float | None
    certain: bool = True
    tried: bool = True

    @classmethod
    def of(cls, name: str, scores: Iterable[Score]) -> RankedEntry:
        by_metric = {each.metric: each for each in scores}
        best = by_metric.get(HIGHEST)
        values = {each.metric: each.value for each in by_metric.values() if each.family == "utility"}
        if best is None or best.value is None:
            return cls(name, values, None, certain=False)
        return cls(name, values, best.value, best.reason is None)


def directions(contest: Contest) -> dict[str, Better]:
    """Which way each metric of utility is better."""
    known = {each.name: each.better for each in UTILITY_MEASURES}
    own = {name: _direction(name, known) for name in contest.of_family("utility")}
    adopted = contest.adopted("utility")
    return own | {each.name: _checked(each.better) for each in contest.metrics if each.name in adopted}


def _checked(better: str | None) -> Better:
    return "higher" if better == "higher" else "lower"


def _direction(name: str, known: Mapping[str, Better]) -> Better:
    """A metric of a column is called by the measure and the column, which may hold dots itself."""
    return known[name] if name in known else known[name.partition(".")[0]]


def rank(
    original: RankedEntry,
    entries: Sequence[RankedEntry],
    better: Mapping[str, Better],
    weights: Mapping[str, float],
    uncertain: UncertainRule = "last",
) -> Ranking:
    """Every submission and the original by (utility rank + privacy rank) / 2; what is unknown comes last.

    A rate that is only the least is `uncertain`: it comes last too, or ranks as it was measured, unless
    something was not tried at all: that is unknown.

    >>> shop = RankedEntry("original", {"error": 0.0}, 1.0)
    >>> others = RankedEntry("a", {"error": 2.0}, 0.25), RankedEntry("b", {"error": 1.0}, None, False)
    >>> found = rank(shop, others, {"error": "lower"}, {})
    >>> [(each.name, each.utility_rank, each.privacy_rank) for each in found.best_first]
    [('a', 3.0, 1.0), ('b', 2.0, 3.0)]
    """
    contenders = [_contender(each, uncertain) for each in (original, *entries)]
    found = rank_releases(contenders[0], contenders[1:], better, weights)
    return replace(
        found,
        releases=tuple(map(_standing, found.releases, entries)),
        original=_standing(found.original, original),
    )


def _contender(entry: RankedEntry, uncertain: UncertainRule) -> Contender:
    rate = math.inf if entry.highest_rate is None else entry.highest_rate
    as_measured = uncertain == "measured" and entry.tried
    return Contender(entry.name, entry.values, rate, entry.certain or as_measured)


def _standing(standing: Standing, entry: RankedEntry) -> Standing:
    """An unknown rate is told as unknown, not as the highest, and an uncertain one as such."""
    if (standing.highest_rate, standing.compared) == (entry.highest_rate, entry.certain):
        return standing
    return replace(standing, highest_rate=entry.highest_rate, compared=entry.certain)


def places(ranking: Ranking) -> dict[str, int]:
    """1 for the best; equals share the first of their places; who has no overall rank has none here."""
    means = sorted(each.overall for each in ranking.releases if each.overall is not None)
    return {
        each.name: bisect_left(means, each.overall) + 1
        for each in ranking.releases
        if each.overall is not None
    }

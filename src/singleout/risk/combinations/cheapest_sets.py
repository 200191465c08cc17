"""The inverse question of price: the least that an attacker must pay to put a share of the people at risk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy

from singleout.engine.class_sizes import Counts
from singleout.engine.column_sets.set_counts import SetCounts, Sets
from singleout.errors import UsageError
from singleout.progress import Progress, silent
from singleout.risk.combinations.affordable_sets import PRICELESS, PriceList
from singleout.risk.combinations.attribute_sets import MOST_SETS, SkippedSets, exact_fraction, sizes_of

# so many sets are listed first, then four times as many, and so on
BATCH = 1 << 10


@dataclass(frozen=True)
class CheapestSet:
    """The cheapest knowledge that is enough; without any, `columns` and `cost` are None with a `reason`.

    `people_at_risk` are those whom this puts at risk, or, where none is found, all that is for sale.
    """

    columns: tuple[str, ...] | None
    cost: Fraction | None
    people_at_risk: int
    people: int
    evaluated: int
    sets: int
    not_looked_at: tuple[SkippedSets, ...] = ()
    reason: str | None = None

    @property
    def share(self) -> float:
        return self.people_at_risk / self.people


def cheapest_set(
    prices: PriceList,
    count: Callable[[Sets], SetCounts],
    share: float | Fraction,
    most: int = MOST_SETS,
    progress: Progress = silent,
) -> CheapestSet:
    """What is the cheapest set of attributes that puts at least this share of the people at risk?

    People are at risk who have a record in a class of at most as many people as `count` was told. Sets are
    counted by rising cost, so dearer ones need not be. Of sets that cost the same, that which puts most
    people at risk, then has the fewest columns, then the lowest mask. Anon. n.d., Algorithm 6, read
    backwards.
    """
    if not 0 < share <= 1:
        raise UsageError(f"share: {share} is no share of people; write a number above 0, and 1 at most")
    finest = numpy.array([prices.finest], dtype=numpy.uint64)
    whole = count(finest)
    reached, people = int(whole.people_at_risk[0]), whole.people
    enough = ceil(exact_fraction(share) * people)
    if reached < enough:
        reason = f"all that is for sale puts {reached:,} of {people:,} people at risk"
        return CheapestSet(None, None, reached, people, 1, prices.sets, (), reason)
    best, counted = _first_sufficient_set(prices, count, enough, most, progress)
    evaluated = len(counted) + int(finest[0] not in counted)
    left = prices.sets - evaluated
    if best is None:
        reason = f"none of the {len(counted):,} cheapest sets is enough; name fewer columns"
        dearer = SkippedSets(left, f"they cost more than the {len(counted):,} cheapest")
        return CheapestSet(None, None, reached, people, evaluated, prices.sets, (dearer,), reason)
    beyond = (SkippedSets(left, "they cost more than what is enough"),) if left else ()
    columns, cost = prices.names_of(int(best.sets[0])), prices.costs_of(best.sets)[0]
    at_risk = int(best.people_at_risk[0])
    return CheapestSet(columns, cost, at_risk, people, evaluated, prices.sets, beyond)


def _first_sufficient_set(
    prices: PriceList, count: Callable[[Sets], SetCounts], enough: int, most: int, progress: Progress
) -> tuple[SetCounts | None, Sets]:
    """The best of the cheapest sets that are enough, and the sets that were counted."""
    total = min(most, prices.sets)
    counted: Sets = numpy.zeros(0, dtype=numpy.uint64)
    best = None
    for sets in _sets_by_cost(prices, most):
        progress("sets by rising cost", len(counted), total)
        best = _best_set(prices, count(numpy.sort(sets)), enough)
        counted = numpy.append(counted, sets)
        if best is not None:
            break
    progress("sets by rising cost", total, total)
    return best, counted


def _best_set(prices: PriceList, counts: SetCounts, enough: int) -> SetCounts | None:
    """The first by cost of the sets that are enough, if one is."""
    counts = counts.at(counts.people_at_risk >= enough)
    ranks = (counts.sets, sizes_of(counts.sets), -counts.people_at_risk, prices.amounts_of(counts.sets))
    return counts.at(numpy.lexsort(ranks)[:1]) if len(counts.sets) else None


def _sets_by_cost(prices: PriceList, most: int) -> Iterator[Sets]:
    """Batches that grow, so that little is listed where little is enough; equal costs are never parted."""
    looked, limit = 0, BATCH
    while True:
        sets = _cheapest_sets(prices, min(limit, most))
        if len(sets) > looked:
            yield sets[looked:]
        looked = len(sets)
        if limit >= most or looked == prices.sets:
            return
        limit *= 4


def _cheapest_sets(prices: PriceList, most: int) -> Sets:
    """All sets by rising cost; if they are more than `most`, only those below some cost.

    A set left out for its cost so far is not missed: there are already `most` sets that cost no more.
    """
    sets: Sets = numpy.zeros(1, dtype=numpy.uint64)
    spent: Counts = numpy.zeros(1, dtype=numpy.int64)
    below = PRICELESS
    for steps in prices.ladders:
        sets = numpy.concatenate([sets | numpy.uint64(step.mask) for step in steps])
        spent = numpy.concatenate([spent + step.amount for step in steps])
        if len(sets) > most:
            below = min(below, int(numpy.partition(spent, most)[most]))
        sets, spent = sets[spent < below], spent[spent < below]
    in_order: Sets = sets[numpy.lexsort((sets, spent))]
    return in_order

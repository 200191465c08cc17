"""What an attacker can buy of a table: its columns at their prices, the coarse ones made by the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from typing import Any

import numpy

from singleout.engine.column_sets.set_counts import SetCounts, Sets
from singleout.engine.protocol import Engine, Question
from singleout.engine.session import CheckedQuestion
from singleout.errors import UsageError
from singleout.progress import Progress
from singleout.read.costs import Costs, Price, amount, costs_of, read_costs
from singleout.risk.combinations.affordable_sets import (
    WHOLE,
    PriceList,
    affordable_sets,
    maximal_affordable_sets,
    offers_of,
)
from singleout.risk.combinations.budget_curve import Reach, price_curve
from singleout.risk.combinations.cheapest_sets import CheapestSet, cheapest_set
from singleout.risk.combinations.set_risk import SetRisk, set_risks
from singleout.roles.granularity import check_fit, known_prefix

# what a document lists; a file can hold them all
MOST_LISTED = 10_000


@dataclass(frozen=True)
class AffordableSet:
    """A set that an attacker can afford."""

    cost: Fraction
    risk: SetRisk


@dataclass(frozen=True)
class PricedSets:
    """What resources buy; without a `curve` there were too many sets to count.

    `affordable` are the riskiest, at most MOST_LISTED of `number`.
    """

    resource: Fraction
    costs: tuple[tuple[str, Fraction], ...]
    affordable: tuple[AffordableSet, ...]
    number: int
    maximal: bool
    curve: tuple[Reach, ...]


@dataclass(frozen=True, eq=False)
class Market:
    """The columns for sale, and a way to count sets of them."""

    prices: PriceList
    question: Question
    count: Callable[[Sets], SetCounts]
    remarks: tuple[str, ...] = ()

    def priced_sets(self, resource: Any, maximal: bool) -> PricedSets:
        """All that a resource buys; without one, everything is affordable."""
        budget = self._budget(resource)
        if maximal:
            counts, curve = (
                self.count(maximal_affordable_sets(self.prices, budget)),
                self._curve_if_few(budget),
            )
        else:
            counts = self.count(affordable_sets(self.prices, budget))
            curve = price_curve(self.prices, counts)
        costs = tuple((offer.name, offer.cost) for offer in self.prices.offers)
        return PricedSets(budget, costs, self._riskiest_sets(counts), len(counts.sets), maximal, curve)

    def cheapest(self, share: float, progress: Progress) -> CheapestSet:
        return cheapest_set(self.prices, self.count, share, progress=progress)

    def sets_within(self, resource: Any) -> Sets:
        return affordable_sets(self.prices, self._budget(resource))

    def _riskiest_sets(self, counts: SetCounts) -> tuple[AffordableSet, ...]:
        amounts = self.prices.amounts_of(counts.sets)
        order = numpy.lexsort((counts.sets, amounts, -counts.average_risk))
        some = counts.at(order[:MOST_LISTED])
        risks = set_risks(some, [offer.name for offer in self.prices.offers])
        return tuple(map(AffordableSet, self.prices.costs_of(some.sets), risks))

    def _budget(self, resource: Any) -> Fraction:
        """Without a resource, what the dearest set costs."""
        if resource is not None:
            return resource_of(resource)
        return sum(max(step.amount for step in steps) for steps in self.prices.ladders) * self.prices.unit

    def _curve_if_few(self, budget: Fraction) -> tuple[Reach, ...]:
        try:
            every = affordable_sets(self.prices, budget)
        except UsageError:
            return ()
        return price_curve(self.prices, self.count(every))


def resource_of(given: Any) -> Fraction:
    try:
        return amount(given)
    except UsageError as error:
        raise UsageError(f"resource: {error}") from error


def given_costs(costs: Any, plan: CheckedQuestion) -> Costs:
    """From a file, a mapping, or else the study file."""
    if costs is None:
        return plan.study.costs if plan.study else Costs()
    if isinstance(costs, Costs):
        return costs
    if isinstance(costs, (str, PathLike)):
        return read_costs(costs)
    if not isinstance(costs, Mapping):
        raise UsageError(f"costs: {costs!r} are none; give a file's name, or a mapping from names to costs")
    return costs_of(costs)


def market(counter: Engine, plan: CheckedQuestion, costs: Costs, allow: int, progress: Progress) -> Market:
    """Check the costs against the table, and make the coarse columns."""
    costs.check(column.name for column in counter.columns())
    wanted = costs.of(plan.columns)
    kept = {
        (price.attribute, price.granularity): _kept_characters(counter, price)
        for price in wanted
        if price.granularity
    }
    prices = offers_of(wanted, kept)
    columns = []
    for offer in prices.offers:
        if offer.rank == WHOLE:
            columns.append(offer.attribute)
        else:
            counter.shorten(offer.name, offer.attribute, offer.rank)
            columns.append(offer.name)
    question = plan.question(tuple(columns))

    def count(sets: Sets) -> SetCounts:
        return counter.count_sets(question, sets, allow, progress)

    return Market(prices, question, count, tuple(_remarks(costs, plan)))


def _remarks(costs: Costs, plan: CheckedQuestion) -> Iterator[str]:
    if costs.prices and (unpriced := costs.without_cost(plan.columns)):
        yield f"no cost is given for {', '.join(unpriced)}, so it is 1"
    priced = dict.fromkeys(price.attribute for price in costs.prices)
    if others := [name for name in priced if name not in plan.columns]:
        yield f"costs of {', '.join(others)} are not used: these columns are not asked about"


def _kept_characters(counter: Engine, price: Price) -> int | None:
    """How many characters are known; the engine makes sure that they mean the same in every record."""
    start = known_prefix(price.attribute, price.granularity, counter.look(price.attribute).examples)
    if start.marks:
        check_fit(price.attribute, str(price.granularity), counter.misfits(price.attribute, start.marks))
    return start.keep

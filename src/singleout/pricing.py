"""What an attacker can buy of a table: its columns at their prices, the coarse ones made by the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from typing import Any

from singleout.engine.protocol import Engine, Question
from singleout.engine.set_counts import SetCounts, Sets
from singleout.errors import UsageError
from singleout.progress import Progress
from singleout.read.costs import Costs, Price, amount, costs_of, read_costs
from singleout.risk.cheapest import Cheapest, cheapest
from singleout.risk.price import WHOLE, PriceList, affordable, maximal_affordable, offers_of
from singleout.risk.reach import Reach, price_curve
from singleout.risk.set_measures import SetRisk, set_risks
from singleout.roles.granularity import beginning, check_fit
from singleout.session import Plan


@dataclass(frozen=True)
class Affordable:
    """A set that an attacker can afford."""

    cost: Fraction
    risk: SetRisk


@dataclass(frozen=True)
class Priced:
    """What resources buy; without a `curve` there were too many sets to count."""

    resource: Fraction
    costs: tuple[tuple[str, Fraction], ...]
    affordable: tuple[Affordable, ...]
    maximal: bool
    curve: tuple[Reach, ...]


@dataclass(frozen=True, eq=False)
class Market:
    """The columns for sale, and a way to count sets of them."""

    prices: PriceList
    question: Question
    count: Callable[[Sets], SetCounts]

    def reached(self, resource: Any, maximal: bool) -> Priced:
        """All that a resource buys; without one, everything is affordable."""
        budget = self._budget(resource)
        if maximal:
            counts, curve = self.count(maximal_affordable(self.prices, budget)), self._curve_if_few(budget)
        else:
            counts = self.count(affordable(self.prices, budget))
            curve = price_curve(self.prices, counts)
        names = [offer.name for offer in self.prices.offers]
        risks = set_risks(counts, names)
        costs = self.prices.costs_of(counts.sets)
        ranked = sorted(map(Affordable, costs, risks), key=lambda each: (-each.risk.average_risk, each.cost))
        listed = tuple((offer.name, offer.cost) for offer in self.prices.offers)
        return Priced(budget, listed, tuple(ranked), maximal, curve)

    def cheapest(self, share: float, progress: Progress) -> Cheapest:
        return cheapest(self.prices, self.count, share, progress=progress)

    def sets_within(self, resource: Any) -> Sets:
        return affordable(self.prices, self._budget(resource))

    def _budget(self, resource: Any) -> Fraction:
        """Without a resource, what the dearest set costs."""
        if resource is not None:
            return resource_of(resource)
        return sum(max(step.amount for step in steps) for steps in self.prices.ladders) * self.prices.unit

    def _curve_if_few(self, budget: Fraction) -> tuple[Reach, ...]:
        try:
            every = affordable(self.prices, budget)
        except UsageError:
            return ()
        return price_curve(self.prices, self.count(every))


def resource_of(given: Any) -> Fraction:
    try:
        return amount(given)
    except UsageError as error:
        raise UsageError(f"resource: {error}") from error


def given_costs(costs: Any, plan: Plan) -> Costs:
    """From a file, a mapping, or else the study file."""
    if costs is None:
        return plan.study.costs if plan.study else Costs()
    if isinstance(costs, Costs):
        return costs
    return read_costs(costs) if isinstance(costs, (str, PathLike)) else costs_of(costs)


def market(
    counter: Engine, plan: Plan, costs: Costs, allow: int, progress: Progress, remarks: list[str]
) -> Market:
    """Check the costs against the table, and make the coarse columns."""
    costs.check(column.name for column in counter.columns())
    if costs.prices and (free := costs.without_cost(plan.columns)):
        remarks.append(f"no cost is given for {', '.join(free)}: each costs 1")
    asked = costs.of(plan.columns)
    kept = {
        (price.attribute, price.granularity): _kept(counter, price) for price in asked if price.granularity
    }
    prices = offers_of(asked, kept)
    columns = []
    for offer in prices.offers:
        if offer.rank == WHOLE:
            columns.append(offer.attribute)
        else:
            counter.shorten(offer.name, offer.attribute, offer.rank)
            columns.append(offer.name)
    question = plan.question(tuple(columns))
    return Market(prices, question, lambda sets: counter.count_sets(question, sets, allow, progress))


def _kept(counter: Engine, price: Price) -> int | None:
    """How many characters are known; the engine makes sure that they mean the same in every record."""
    start = beginning(price.attribute, price.granularity, counter.look(price.attribute).examples)
    if start.marks:
        check_fit(price.attribute, str(price.granularity), counter.misfits(price.attribute, start.marks))
    return start.keep

"""What it costs an attacker to know several records of a person, and how many people that singles out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from os import PathLike
from typing import Any

from singleout.attacks.attack import attack
from singleout.engine.open_tables import share_open_tables
from singleout.engine.session import open_session
from singleout.errors import UsageError
from singleout.measurement import Measure
from singleout.progress import Audience, silent, teller
from singleout.read.costs import Costs, amount
from singleout.result_table import Heading, ResultTable, TableResult
from singleout.risk.combinations.attacker_budget import given_costs

POINTS = (1, 2, 4)
# each is an attack of its own
MOST_SETS = 200
NO_USER = "several records of a person need to know whose they are; name the user column by --user"

UNIQUE_BY_PRICE = Measure(
    name="record_prices.unique",
    title="singled out",
    question="What share of people does an attacker single out who buys so many records at these prices?",
    formula="people with exactly one candidate, k of their records being known by these columns, mean over "
    "draws of the records / people; the price is k · Σ costs of the columns",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    reference="Anon. n.d., Algorithm 6, with the number of known records",
)


@dataclass(frozen=True)
class PricedRecords:
    """So many records by these columns: their price, and the share of people they single out on average."""

    cost: Fraction
    records: int
    columns: tuple[str, ...]
    unique: float
    low: float
    high: float


@dataclass(frozen=True, repr=False)
class RecordPrices(TableResult):
    """Everything that was tried, and the `curve`: at each price the most that it singles out so far."""

    source: str
    people: int
    resource: Fraction | None
    offers: tuple[PricedRecords, ...]

    @property
    def curve(self) -> tuple[PricedRecords, ...]:
        best: list[PricedRecords] = []
        for each in sorted(self.offers, key=lambda offer: (offer.cost, -offer.unique)):
            if not best or each.unique > best[-1].unique:
                best.append(each)
        return tuple(best)

    def __repr__(self) -> str:
        dearest = self.curve[-1:]
        most = "".join(f", {each.unique:.3g} singled out for {float(each.cost):g}" for each in dearest)
        return f"<RecordPrices of {self.source}: {len(self.offers)} offers{most}>"

    def to_dict(self) -> dict[str, Any]:
        return {
            "people": self.people,
            "resource": None if self.resource is None else float(self.resource),
            "offers": [_entry(each) for each in self.offers],
            "curve": [_entry(each) for each in self.curve],
            "definitions": {UNIQUE_BY_PRICE.name: UNIQUE_BY_PRICE.as_dict()},
        }

    def table(self) -> ResultTable:
        headings = (
            Heading("cost", "price", "known records · what their columns cost"),
            Heading("records", "known records"),
            Heading("columns", "by"),
            Heading.of("unique", "singled out", UNIQUE_BY_PRICE),
            Heading("low", "from", "over the draws of records"),
            Heading("high", "to"),
        )
        rows = tuple(tuple(_entry(each).values()) for each in self.curve)
        return ResultTable("What several records cost, and whom they single out", headings, rows)


def _entry(each: PricedRecords) -> dict[str, Any]:
    return {**vars(each), "cost": float(each.cost), "columns": " + ".join(each.columns)}


@share_open_tables()
def record_prices(
    data: Any,
    *,
    user: str,
    columns: Sequence[str] | None = None,
    costs: Costs | Mapping[str, Any] | str | PathLike[str] | None = None,
    resource: Any = None,
    points: Sequence[int] = POINTS,
    seed: int = 0,
    progress: Audience = silent,
) -> RecordPrices:
    """How many people does an attacker single out who buys several records of each, at given prices?

    A record by some columns costs what these cost together (1 each where nothing is said); `points` of them
    cost as many times that. Without a `resource` everything can be bought. Records are drawn at random, ten
    times; granularities of the costs are not tried. People are those of the table.

    >>> import pyarrow
    >>> trips = pyarrow.table({"who": ["a", "a", "b", "b"], "to": ["x", "y", "x", "z"]})
    >>> [(float(each.cost), each.unique) for each in record_prices(trips, user="who", points=[2]).curve]
    [(2.0, 1.0)]
    """
    if user is None:
        raise UsageError(NO_USER)
    with open_session(data, user=user, columns=columns) as (_, plan, origin):
        if plan.user is None:
            raise UsageError(NO_USER)
        given = given_costs(costs, plan)
        given.check(plan.columns)
        prices = {name: Fraction(1) for name in plan.columns}
        prices |= {each.attribute: each.cost for each in given.prices if each.granularity is None}
        people, names = plan.people, plan.columns
    budget = None if resource is None else amount(resource)
    least = min(points, default=1)
    sets = [*_affordable(names, prices, budget, least)]
    if len(sets) > MOST_SETS:
        raise UsageError(
            f"{len(sets):,} sets of columns are too many to try with several records; name fewer columns, "
            "or a smaller --resource"
        )
    offers: list[PricedRecords] = []
    tell = teller(progress)
    for done, chosen in enumerate(sets):
        tell("buying records", done, len(sets))
        price = sum((prices[name] for name in chosen), Fraction(0))
        wanted = [number for number in points if budget is None or price * number <= budget]
        found = attack(
            origin, origin, user=user, columns=list(chosen), attacks=["records"], points=wanted, seed=seed
        )
        offers += [
            PricedRecords(price * each.points, each.points, chosen, each.unique, *each.unique_over_draws)
            for each in found.unicity
        ]
    return RecordPrices(origin.name, people, budget, tuple(offers))


def _affordable(
    names: Sequence[str], prices: Mapping[str, Fraction], budget: Fraction | None, least: int
) -> Iterator[tuple[str, ...]]:
    """Sets of columns of which as many records as are wanted at least can be paid."""
    for size in range(1, len(names) + 1):
        for chosen in combinations(names, size):
            if budget is None or least * sum(prices[name] for name in chosen) <= budget:
                yield chosen

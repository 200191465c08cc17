"""Price: which attributes an attacker can afford to know, and what risk that comes to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby, pairwise
from math import floor, lcm, prod

import numpy

from singleout.engine.class_sizes import Counts
from singleout.engine.column_sets.set_counts import Sets
from singleout.errors import UsageError
from singleout.read.costs import Price
from singleout.risk.combinations.attribute_sets import MOST_SETS, check_width, names_of

# finer than the beginning of a text of any length
WHOLE = 1 << 20
# more than all offers together may cost in whole units
PRICELESS = 1 << 61


@dataclass(frozen=True)
class Offer:
    """A column that an attacker can learn; of one attribute's offers, the highest `rank` is the finest."""

    name: str
    attribute: str
    granularity: str | None
    cost: Fraction
    rank: int = WHOLE


@dataclass(frozen=True)
class PricedKnowledge:
    """One way of knowing an attribute, for an amount of whole units."""

    mask: int
    amount: int
    rank: int


@dataclass(frozen=True)
class PriceList:
    """All that is for sale; bit j of a set is offer j. Amounts are whole numbers of the same `unit`.

    A set holds at most one offer of an attribute. Offers that cost nothing are always known: of each
    attribute the finest such offer, or one that is finer still.
    """

    offers: tuple[Offer, ...]

    def __post_init__(self) -> None:
        check_width(len(self.offers))
        if sum(self.amounts) >= PRICELESS:
            raise UsageError("the costs have too many digits to be added exactly; write them with fewer")

    @cached_property
    def unit(self) -> Fraction:
        return Fraction(1, lcm(*(offer.cost.denominator for offer in self.offers)))

    @cached_property
    def amounts(self) -> tuple[int, ...]:
        return tuple(int(offer.cost / self.unit) for offer in self.offers)

    @cached_property
    def ladders(self) -> tuple[tuple[PricedKnowledge, ...], ...]:
        """For each attribute how it can be known, the free way or not at all first, the finest last."""
        indices = sorted(range(len(self.offers)), key=lambda index: self.offers[index].attribute)
        groups = groupby(indices, key=lambda index: self.offers[index].attribute)
        return tuple(self._ladder(list(group)) for _, group in groups)

    @property
    def finest(self) -> int:
        """The set of all there is to know."""
        return sum(steps[-1].mask for steps in self.ladders)

    @property
    def sets(self) -> int:
        """How many sets an attacker can choose from who may spend whatever they cost."""
        return prod(map(len, self.ladders))

    def budget(self, resource: Fraction) -> int:
        """A resource in whole units, and no more than can be spent."""
        if resource < 0:
            raise UsageError(f"resource: {resource} is no budget; write a number, 0 or more")
        return min(floor(resource / self.unit), sum(self.amounts))

    def amounts_of(self, sets: Sets) -> Counts:
        """What each set costs, in units."""
        total = numpy.zeros(len(sets), dtype=numpy.int64)
        for index, amount in enumerate(self.amounts):
            total += (sets >> numpy.uint64(index) & numpy.uint64(1)).astype(numpy.int64) * amount
        return total

    def costs_of(self, sets: Sets) -> tuple[Fraction, ...]:
        """What each set costs."""
        return tuple(each * self.unit for each in self.amounts_of(sets).tolist())

    def names_of(self, mask: int) -> tuple[str, ...]:
        return names_of(mask, [offer.name for offer in self.offers])

    def _ladder(self, indices: list[int]) -> tuple[PricedKnowledge, ...]:
        steps = [
            PricedKnowledge(1 << index, self.amounts[index], self.offers[index].rank) for index in indices
        ]
        free = [step for step in steps if not step.amount]
        base = max(free, key=lambda step: step.rank, default=PricedKnowledge(0, 0, -1))
        finer = [step for step in steps if step.rank > base.rank and step.amount]
        return (base, *sorted(finer, key=lambda step: step.rank))


def offers_of(prices: Iterable[Price], kept: Mapping[tuple[str, str], int | None]) -> PriceList:
    """What is for sale at these prices; `kept` says how much of a text each granularity keeps, None for all.

    Of two offers of an attribute that tell the same, the dearer is left out.

    >>> month, whole = Price("date", "month", Fraction(1)), Price("date", None, Fraction(3))
    >>> [offer.name for offer in offers_of([month, whole], {("date", "month"): 7}).offers]
    ['date at month', 'date']
    """
    found: dict[tuple[str, int], Offer] = {}
    for price in prices:
        keep = kept[price.attribute, price.granularity] if price.granularity else None
        name = f"{price.attribute} at {price.granularity}" if price.granularity else price.attribute
        offer = Offer(name, price.attribute, price.granularity, price.cost, WHOLE if keep is None else keep)
        same = found.setdefault((offer.attribute, offer.rank), offer)
        if offer.cost < same.cost:
            found[offer.attribute, offer.rank] = offer
    return PriceList(tuple(found.values()))


def affordable_sets(prices: PriceList, resource: Fraction, most: int = MOST_SETS) -> Sets:
    """Every set of attributes that costs at most the resource.

    Anon. n.d., Algorithm 6, with the condition that its loop oversteps: cost of the set ≤ resource. A
    resource below every cost buys the empty set, or what is free.

    >>> prices = PriceList((Offer("a", "a", None, Fraction(1)), Offer("b", "b", None, Fraction(2))))
    >>> affordable_sets(prices, Fraction(2)).tolist()
    [0, 1, 2]
    """
    budget = prices.budget(resource)
    sets, spent = _empty_purchase()
    for steps in prices.ladders:
        fitting = [(step, spent <= budget - step.amount) for step in steps]
        sets = numpy.concatenate([sets[fits] | numpy.uint64(step.mask) for step, fits in fitting])
        spent = numpy.concatenate([spent[fits] + step.amount for step, fits in fitting])
        _check_number(
            len(sets), most, "ask for the maximal ones only, name fewer columns, or a smaller resource"
        )
    return numpy.sort(sets)


def maximal_affordable_sets(prices: PriceList, resource: Fraction, most: int = MOST_SETS) -> Sets:
    """The affordable sets that can't grow: nothing more, and nothing finer, fits the resource.

    Each affordable set tells no more than one of these, so these are the riskiest.
    A set is followed only while buying all the rest would use the resource up.

    >>> prices = PriceList((Offer("a", "a", None, Fraction(1)), Offer("b", "b", None, Fraction(2))))
    >>> maximal_affordable_sets(prices, Fraction(2)).tolist()
    [1, 2]
    """
    budget = prices.budget(resource)
    ladders = sorted(map(_efficient_steps, prices.ladders), key=_largest_upgrade, reverse=True)
    rest = sum(steps[-1].amount for steps in ladders)
    sets, spent = _empty_purchase()
    lacking = numpy.full(1, PRICELESS, dtype=numpy.int64)  # the least that any finer knowledge would cost
    for steps in ladders:
        rest -= steps[-1].amount
        parts = []
        for step, upgrade in zip(steps, [*_upgrades(steps), PRICELESS], strict=True):
            least = numpy.minimum(lacking, upgrade)
            paid = spent + step.amount
            kept = (paid <= budget) & (paid + rest + least > budget)
            parts.append((sets[kept] | numpy.uint64(step.mask), paid[kept], least[kept]))
        sets, spent, lacking = (numpy.concatenate(each) for each in zip(*parts, strict=True))
        _check_number(len(sets), most, "name fewer columns, or a smaller resource")
    return numpy.sort(sets)


def _empty_purchase() -> tuple[Sets, Counts]:
    return numpy.zeros(1, dtype=numpy.uint64), numpy.zeros(1, dtype=numpy.int64)


def _efficient_steps(steps: tuple[PricedKnowledge, ...]) -> tuple[PricedKnowledge, ...]:
    """Without those for which something finer costs no more."""
    efficient = steps[-1:]
    for step in steps[-2::-1]:
        efficient = (step, *efficient) if step.amount < efficient[0].amount else efficient
    return efficient


def _upgrades(steps: Sequence[PricedKnowledge]) -> list[int]:
    return [finer.amount - step.amount for step, finer in pairwise(steps)]


def _largest_upgrade(steps: Sequence[PricedKnowledge]) -> int:
    return max(_upgrades(steps), default=0)


def _check_number(number: int, most: int, instead: str) -> None:
    if number > most:
        raise UsageError(f"over {most:,} sets are affordable, which is too many; {instead}")

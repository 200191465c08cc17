"""What an attacker can afford, against every set one by one and the literal loop of Algorithm 6."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.errors import UsageError
from singleout.read.costs import costs_of
from singleout.risk.combinations.affordable_sets import (
    WHOLE,
    Offer,
    PriceList,
    affordable_sets,
    maximal_affordable_sets,
    offers_of,
)
from singleout.risk.combinations.attribute_sets import number_of_size, number_up_to
from singleout.risk.combinations.budget_curve import price_curve
from singleout.risk.combinations.cheapest_sets import cheapest_set
from tests.by_hand.attribute_sets_by_hand import Toy, places_of, toys, uint

COSTS = [Fraction(0), Fraction(1, 10), Fraction(2, 10), Fraction(3, 10), Fraction(1), Fraction(5, 2)]
RESOURCES = st.integers(0, 60).map(lambda tenths: Fraction(tenths, 10))


def plain(*costs: float | Fraction) -> PriceList:
    """One exact offer an attribute."""
    names = [f"c{place}" for place in range(len(costs))]
    return PriceList(
        tuple(Offer(name, name, None, Fraction(cost)) for name, cost in zip(names, costs, strict=True))
    )


@st.composite
def price_lists(draw: st.DrawFn) -> PriceList:
    """Up to six offers of up to four attributes, free ones and senseless prices among them."""
    ways = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4).filter(lambda each: sum(each) <= 6))
    offers = [
        Offer(f"c{place} at {rank}", f"c{place}", str(rank), draw(st.sampled_from(COSTS)), rank)
        for place, ranks in enumerate(ways)
        for rank in range(ranks)
    ]
    return PriceList(tuple(draw(st.permutations(offers))))


def known_ranks(prices: PriceList, mask: int) -> dict[str, int]:
    """How finely each attribute is known."""
    offers = [prices.offers[place] for place in places_of(mask)]
    return {offer.attribute: offer.rank for offer in offers}


def cost_by_hand(prices: PriceList, mask: int) -> Fraction:
    return sum((prices.offers[place].cost for place in places_of(mask)), Fraction(0))


def possible_by_hand(prices: PriceList) -> list[int]:
    """Every set with one offer an attribute at most, that knows what is free at least as finely, or finer."""
    found = []
    for mask in range(2 ** len(prices.offers)):
        offers = [prices.offers[place] for place in places_of(mask)]
        ranks = known_ranks(prices, mask)
        free: dict[str, int] = {}
        for offer in prices.offers:
            if not offer.cost:
                free[offer.attribute] = max(offer.rank, free.get(offer.attribute, -1))
        one_each = len(ranks) == len(offers)
        if one_each and all(ranks.get(name, -1) >= rank for name, rank in free.items()):
            found.append(mask)
    return found


def affordable_by_hand(prices: PriceList, resource: Fraction) -> list[int]:
    return [mask for mask in possible_by_hand(prices) if cost_by_hand(prices, mask) <= resource]


def tells_no_more(prices: PriceList, mask: int, other: int) -> bool:
    ranks, others = known_ranks(prices, mask), known_ranks(prices, other)
    return all(others.get(name, -1) >= rank for name, rank in ranks.items())


@given(price_lists(), RESOURCES)
def test_affordable_sets_one_by_one(prices: PriceList, resource: Fraction) -> None:
    wanted = affordable_by_hand(prices, resource)
    found = affordable_sets(prices, resource)
    assert found.tolist() == wanted
    assert prices.costs_of(found) == tuple(cost_by_hand(prices, mask) for mask in wanted)
    assert prices.sets == len(possible_by_hand(prices))
    assert prices.finest in possible_by_hand(prices)


@given(price_lists(), RESOURCES)
def test_maximal_sets_are_those_that_can_not_grow(prices: PriceList, resource: Fraction) -> None:
    every = affordable_by_hand(prices, resource)
    wanted = [
        mask
        for mask in every
        if not any(tells_no_more(prices, mask, more) and more != mask for more in every)
    ]
    found = maximal_affordable_sets(prices, resource).tolist()
    assert found == wanted
    assert all(any(tells_no_more(prices, mask, more) for more in found) for mask in every)


def literal_algorithm_6(costs: list[Fraction], resource: Fraction) -> set[int]:
    """Attributes are added while the set with the next one costs no more than the resource (E-001.4)."""
    emitted = {0}
    for order in permutations(range(len(costs))):
        known, cost = 0, Fraction(0)
        for attribute in order:
            if cost + costs[attribute] > resource:
                break
            known, cost = known | 1 << attribute, cost + costs[attribute]
            emitted.add(known)
    return emitted


@given(st.lists(st.sampled_from(COSTS[1:]), min_size=1, max_size=4), RESOURCES)
def test_the_published_loop(costs: list[Fraction], resource: Fraction) -> None:
    assert set(affordable_sets(plain(*costs), resource).tolist()) == literal_algorithm_6(costs, resource)


def test_a_resource_below_the_cheapest_buys_nothing_but_what_is_free() -> None:
    assert affordable_sets(plain(1, 2), Fraction(1, 2)).tolist() == [0]
    assert maximal_affordable_sets(plain(1, 2), Fraction(1, 2)).tolist() == [0]
    assert affordable_sets(plain(1, 0, 2), Fraction(0)).tolist() == [0b010]
    assert affordable_sets(plain(1, 0, 2), Fraction(1)).tolist() == [0b010, 0b011]
    assert affordable_sets(plain(0, 0), Fraction(0)).tolist() == [0b11]


def test_the_resource_itself_is_affordable_and_tenths_are_exact() -> None:
    prices = offers_of(costs_of({"a": 0.1, "b": 0.2}).of(["a", "b"]), {})
    assert affordable_sets(prices, Fraction(3, 10)).tolist() == [0, 1, 2, 3]
    assert affordable_sets(prices, Fraction(29, 100)).tolist() == [0, 1, 2]


def test_a_free_month_and_a_dear_day() -> None:
    month, year, day = (
        Offer("date at month", "date", "month", Fraction(0), 7),
        Offer("date at year", "date", "year", Fraction(1), 4),
        Offer("date at day", "date", "day", Fraction(3), 10),
    )
    prices = PriceList((month, year, day, Offer("sex", "sex", None, Fraction(2))))
    assert [prices.names_of(mask) for mask in affordable_sets(prices, Fraction(3)).tolist()] == [
        ("date at month",),
        ("date at day",),
        ("date at month", "sex"),
    ]
    assert [prices.names_of(mask) for mask in maximal_affordable_sets(prices, Fraction(3)).tolist()] == [
        ("date at day",),
        ("date at month", "sex"),
    ]
    assert prices.names_of(prices.finest) == ("date at day", "sex")


def test_offers_that_tell_the_same() -> None:
    """Of a date without a time, the day is the value itself: the cheaper of both is offered."""
    prices = costs_of({"date": {"month": 1, "day": 3, "": 2}, "sex": 1}).of(["date", "sex", "age"])
    found = offers_of(prices, {("date", "month"): 7, ("date", "day"): None}).offers
    assert [(offer.name, int(offer.cost), offer.rank) for offer in found] == [
        ("date at month", 1, 7),
        ("date", 2, WHOLE),
        ("sex", 1, WHOLE),
        ("age", 1, WHOLE),
    ]


def test_many_offers() -> None:
    """63 attributes have 2^63 sets; what can't grow is found without them."""
    ones = plain(*[1] * 63)
    assert len(affordable_sets(ones, Fraction(3))) == 1 + number_up_to(63, 3)
    assert len(maximal_affordable_sets(ones, Fraction(3))) == number_of_size(63, 3)
    assert maximal_affordable_sets(ones, Fraction(63)).tolist() == [2**63 - 1]
    assert len(maximal_affordable_sets(ones, Fraction(62))) == 63
    assert len(maximal_affordable_sets(ones, Fraction(61))) == number_of_size(63, 2)
    cheap_and_dear = plain(*[1] * 30, *[100] * 30)
    assert len(maximal_affordable_sets(cheap_and_dear, Fraction(230))) == number_of_size(30, 2)
    powers = plain(*[2**place for place in range(40)])
    assert maximal_affordable_sets(powers, Fraction(2**40 - 1)).tolist() == [2**40 - 1]
    assert len(maximal_affordable_sets(powers, Fraction(2**40 - 2))) == 40
    with pytest.raises(UsageError, match=r"over 1,048,576 sets are affordable, .* ask for the maximal ones"):
        affordable_sets(ones, Fraction(6))
    with pytest.raises(UsageError, match=r"over 1,048,576 sets are affordable, .* name fewer columns"):
        maximal_affordable_sets(ones, Fraction(30))


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (
            lambda: affordable_sets(plain(1), Fraction(-1)),
            "resource: -1 is no budget; write a number, 0 or more",
        ),
        (lambda: plain(*[1] * 64), "64 columns are too many"),
        (lambda: PriceList(()), "there is no column"),
        (lambda: plain(Fraction(1, 10**12), 10**11), "the costs have too many digits to be added exactly"),
    ],
)
def test_prices_that_can_not_be(ask: Callable[[], Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        ask()


def test_no_digit_is_lost() -> None:
    prices = plain(Fraction(1, 10**6), 10**12)
    assert prices.costs_of(uint([1, 3])) == (Fraction(1, 10**6), 10**12 + Fraction(1, 10**6))
    assert affordable_sets(prices, Fraction(10**12)).tolist() == [0, 1, 2]


@st.composite
def priced_toys(draw: st.DrawFn) -> tuple[Toy, PriceList]:
    """A table whose columns are offers; of some attributes there is a coarser column too."""
    toy = draw(toys(4))
    costs = [draw(st.sampled_from(COSTS)) for _ in range(toy.width)]
    offers = [Offer(f"c{place}", f"c{place}", None, cost, 2) for place, cost in enumerate(costs)]
    coarse = [place for place in range(min(toy.width, 2)) if draw(st.booleans())]
    offers += [Offer(f"c{at} at 1", f"c{at}", "1", draw(st.sampled_from(COSTS)), 1) for at in coarse]
    rows = tuple((*row, *(row[place] // 2 for place in coarse)) for row in toy.rows)
    return Toy(rows, toy.people), PriceList(tuple(offers))


@given(priced_toys(), RESOURCES)
def test_the_curve_resource_by_resource(both: tuple[Toy, PriceList], resource: Fraction) -> None:
    toy, prices = both
    curve = price_curve(prices, toy.counter(1)(affordable_sets(prices, resource)))
    every = sorted(affordable_by_hand(prices, resource), key=lambda mask: _order(prices, mask))
    steps = sorted({cost_by_hand(prices, mask) for mask in every})
    wanted: list[Any] = []
    for step in steps:
        known = [mask for mask in every if cost_by_hand(prices, mask) <= step]
        average = max(known, key=toy.average_risk)
        highest = min(known, key=lambda mask: min(toy.sizes(mask)))
        if not wanted or wanted[-1][1:] != (average, highest):
            wanted.append((step, average, highest))
    assert [(point.resource, point.columns, point.highest_columns) for point in curve] == [
        (step, prices.names_of(average), prices.names_of(highest)) for step, average, highest in wanted
    ]
    for point, (_, average, highest) in zip(curve, wanted, strict=True):
        assert point.average_risk == pytest.approx(float(toy.average_risk(average)), rel=1e-15)
        assert point.highest_risk == 1 / min(toy.sizes(highest))
        assert point.share_at_risk == toy.people_at_risk(average, 1) / len(set(toy.persons))


def test_a_rise_that_rounding_makes_is_none() -> None:
    """Three people, 12 records: 12/3 is 4/3 + 4/3 + 4/3, which is less in bits."""
    rows = (*((group, 0) for group in (0, 1, 2) for _ in range(4)), (9, 9))
    toy = Toy(rows, (*"abca" * 3, "d"))
    counts = toy.counter(1)(uint([0, 1, 2, 3]))
    assert counts.risk_parts[1] < counts.risk_parts[2]
    assert toy.average_risk(1) == toy.average_risk(2) == Fraction(5, 13)
    for second in (1, 2):
        curve = price_curve(plain(1, second), counts)
        assert [(int(point.resource), point.columns) for point in curve] == [(0, ()), (1, ("c0",))]


def _order(prices: PriceList, mask: int) -> tuple[Fraction, int, int]:
    return cost_by_hand(prices, mask), mask.bit_count(), mask


@given(priced_toys(), st.integers(1, 3), st.sampled_from([0.01, 0.2, 0.5, 0.6, 0.8, 1]))
def test_the_cheapest_set_by_looking_at_all(both: tuple[Toy, PriceList], allow: int, share: float) -> None:
    toy, prices = both
    people = len(set(toy.persons))
    at_risk = {mask: toy.people_at_risk(mask, allow) for mask in possible_by_hand(prices)}
    enough = [mask for mask in at_risk if Fraction(at_risk[mask], people) >= Fraction(str(share))]
    told: list[int] = []
    found = cheapest_set(prices, toy.counter(allow, told), share)
    assert found.evaluated == len(set(told))
    assert found.people == people
    assert found.sets == len(at_risk)
    if not enough:
        assert (found.columns, found.cost, found.evaluated) == (None, None, 1)
        assert found.people_at_risk == max(at_risk.values())
        assert found.reason == f"all that is for sale puts {found.people_at_risk} of {people} people at risk"
        return
    best = min(enough, key=lambda mask: (_order(prices, mask)[0], -at_risk[mask], *_order(prices, mask)[1:]))
    assert (found.columns, found.cost) == (prices.names_of(best), cost_by_hand(prices, best))
    assert (found.people_at_risk, found.share) == (at_risk[best], at_risk[best] / people)
    assert found.reason is None
    assert sum(each.sets for each in found.not_looked_at) == found.sets - found.evaluated


# 2^7 records, no two alike; any six columns leave two of each
CUBE = Toy(tuple(product("01", repeat=7)))


def test_the_cheapest_stops_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("singleout.risk.combinations.cheapest_sets.BATCH", 8)
    told: list[tuple[int, int]] = []
    prices = plain(1, 1, 1, 1, 1, 1, 1)

    def tell(doing: str, done: int, total: int) -> None:
        assert doing == "sets by rising cost"
        told.append((done, total))

    found = cheapest_set(prices, CUBE.counter(64), 1, progress=tell)
    assert (found.columns, found.cost, found.evaluated) == (("c0",), Fraction(1), 1 + 7 + 1)
    (missing,) = found.not_looked_at
    assert (missing.sets, missing.reason) == (128 - 9, "they cost more than what is enough")
    assert told == [(0, 128), (128, 128)]


def test_of_equally_cheap_sets_the_one_that_puts_most_at_risk() -> None:
    toy = Toy(((0, 0, 0), (1, 1, 1), (2, 2, 2), (2, 3, 3)))
    found = cheapest_set(plain(1, 1, 1), toy.counter(1), 0.5)
    assert (found.columns, found.people_at_risk) == (("c1",), 4)


def test_seven_of_a_hundred_are_a_share_of_seven_hundredths() -> None:
    toy = Toy(tuple((min(place, 7),) for place in range(100)))
    assert 0.07 * 100 > 7
    assert cheapest_set(plain(1), toy.counter(1), 0.07).columns == ("c0",)
    assert cheapest_set(plain(1), toy.counter(1), 0.0701).columns is None


def test_the_cheapest_among_too_many_sets() -> None:
    """Of 128 sets only those below a cost can be looked at: here up to two columns, where five are needed."""
    found = cheapest_set(plain(1, 1, 1, 1, 1, 1, 1), CUBE.counter(4), 1, most=30)
    assert (found.columns, found.cost, found.people_at_risk) == (None, None, 128)
    assert found.evaluated == 1 + 7 + 21 + 1
    assert found.reason == "none of the 29 cheapest sets is enough; name fewer columns"
    (missing,) = found.not_looked_at
    assert (missing.sets, missing.reason) == (98, "they cost more than the 29 cheapest")
    found = cheapest_set(plain(1, 1, 1, 1, 1, 1, 1), CUBE.counter(32), 1, most=30)
    assert (found.columns, found.cost) == (("c0", "c1"), Fraction(2))


@given(price_lists(), st.integers(1, 20))
def test_the_cheapest_sets_are_not_missed(prices: PriceList, most: int) -> None:
    from singleout.risk.combinations.cheapest_sets import _cheapest_sets

    found = _cheapest_sets(prices, most).tolist()
    every = sorted(possible_by_hand(prices), key=lambda mask: (cost_by_hand(prices, mask), mask))
    assert found == every[: len(found)]  # so a list of fewer sets is the beginning of a list of more
    assert len(found) <= most
    if len(every) <= most:
        assert found == every
    elif found:
        assert cost_by_hand(prices, every[len(found)]) > cost_by_hand(prices, found[-1])


@pytest.mark.parametrize("share", [0, -0.1, 1.1, float("nan")])
def test_shares_that_can_not_be(share: float) -> None:
    with pytest.raises(UsageError, match="is no share of people; write a number above 0, and 1 at most"):
        cheapest_set(plain(1), CUBE.counter(1), share)

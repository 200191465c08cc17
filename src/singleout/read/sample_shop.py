"""A made-up purchase history: seeded, of any size, shaped as that of Ito et al. 2019 and 2020.

It stands in for the contest's T1 (400 customers of Online Retail) where that can't be downloaded. Its totals
are met exactly, the rest is drawn to resemble it: a few customers buy most, a few goods are in most baskets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from singleout.read.sample_draws import (
    Real,
    Whole,
    check,
    dates,
    debuts,
    pick,
    shares,
    skewed_weights,
    spin,
    stream,
    texts,
    wheel,
)

SCHEMA = pa.schema(
    [
        ("customer", pa.string()),
        ("receipt", pa.string()),
        ("date", pa.string()),
        ("time", pa.string()),
        ("goods", pa.string()),
        ("price", pa.float64()),
        ("number", pa.int64()),
    ]
)

# Ito, Harada, Kikuchi (2020), Table 3: the contest's purchase history.
PEOPLE, RECORDS, RECEIPTS, GOODS = 400, 38_087, 1_763, 2_781
# The whole of Online Retail has 4,338 customers and about 3,665 goods: 2,781 * (4,338 / 400) ** 0.116.
GOODS_GROWTH = 0.116
# Counted on T1: 26,290 of its 38,087 records are that customer's first purchase of these goods.
PAIRS_PER_RECORD = 26_290 / 38_087

# Spreads of the logarithm, chosen so that quantiles over people, receipts and goods come near T1's.
RECEIPTS_SPREAD, BASKET_SPREAD, RECEIPT_SPREAD, GOODS_SPREAD, PRICE_SPREAD = 0.88, 0.12, 0.57, 0.734, 1.0
NEW_GOODS = 0.77  # after the first receipt, the rest is bought again
USUAL_NUMBER = 0.7  # bought in the number that this customer usually buys
PRICE_CHANGES = 0.4  # of the goods have a new price from some day on
LEAST_FIRST_BASKET = 3  # with fewer, two people could well own the same set of goods

FIRST_CUSTOMER, FIRST_RECEIPT, FIRST_GOODS = 12_346, 536_365, 20_002
PEOPLE_PER_BATCH = 1_000

# Rounded shares in per cent of the popular numbers, counted on T1 (UCI Online Retail, CC BY 4.0);
# the others fall off as a power of their rank.
POPULAR = (12, 6, 1, 2, 24, 4, 8, 10, 3, 48, 20, 16, 25, 5, 36)
NUMBERS = dict(zip(POPULAR, (22, 12, 10, 9, 8, 8, 5, 7, 5, 2, 2, 1.5, 1.5, 1.5, 1.2), strict=True))
RARE_NUMBERS = [*range(7, 60), *range(60, 1_200, 12)]
PENCE = (25, 65, 85, 95)
POUNDS = 46  # 184 price points, as in T1
DAYS = np.arange(np.datetime64("2010-12-01"), np.datetime64("2011-12-01"))


@dataclass(frozen=True)
class VisitPlan:
    """Who goes to the shop and when: one entry a receipt, in the order of the customers."""

    owner: Whole
    moment: Whole  # minutes since the first midnight
    number: Whole
    records: Whole  # before each receipt, and at the end
    begin: Whole  # of each customer's receipts, and the end


@dataclass(frozen=True)
class Shelf:
    """What the shop sells, one entry for each of the goods."""

    code: pa.StringArray
    debut: Whole
    wheel: Whole
    price: Real
    new_price: Real
    new_from: Whole


def shop_batches(people: int = PEOPLE, seed: int = 0) -> Iterator[pa.RecordBatch]:
    """The purchase history of this many customers, a thousand customers a batch."""
    check(people, seed)
    return _batches(people, seed)


def _batches(people: int, seed: int) -> Iterator[pa.RecordBatch]:
    plan, shelf = _plan(people, seed), _shelf(people, seed)
    for first in range(0, people, PEOPLE_PER_BATCH):
        yield _batch(plan, shelf, first, min(first + PEOPLE_PER_BATCH, people), stream(seed, 2, first))


def _plan(people: int, seed: int) -> VisitPlan:
    random = stream(seed, 0)
    visits = shares(skewed_weights(people, RECEIPTS_SPREAD, random), round(RECEIPTS * people / PEOPLE), 1)
    owner, begin = np.repeat(np.arange(people), visits), np.concatenate([[0], np.cumsum(visits)])
    least = np.ones(len(owner), np.int64)
    least[begin[:-1]] = LEAST_FIRST_BASKET
    weights = skewed_weights(people, BASKET_SPREAD, random)[owner] * skewed_weights(
        len(owner), RECEIPT_SPREAD, random
    )
    size = shares(weights, round(RECORDS * people / PEOPLE), least)
    moment = _moments(owner, random)
    number = np.empty_like(owner)
    number[np.argsort(moment, kind="stable")] = FIRST_RECEIPT + np.arange(len(owner))
    return VisitPlan(owner, moment, number, np.concatenate([[0], np.cumsum(size)]), begin)


def _moments(owner: Whole, random: np.random.Generator) -> Whole:
    """Days and times of the receipts, in order for each customer."""
    days = spin(wheel(_day_weights()), len(owner), random)
    minutes = spin(wheel(_minute_weights()), len(owner), random)
    return np.sort(owner << 20 | days * 1440 + minutes) & (1 << 20) - 1


def _day_weights() -> Real:
    """Closed on Saturdays and around New Year, quiet on Sundays, busy before Christmas."""
    weekday = (DAYS.astype(np.int64) + 3) % 7
    weights = np.array([0.9, 0.9, 1.1, 1.3, 1.1, 0.0, 0.3])[weekday] * (1 + (np.arange(len(DAYS)) > 270))
    weights[23:34] = 0
    return np.asarray(weights, np.float64)


def _minute_weights() -> Real:
    """Open from 7 to 20:30, busiest at half past twelve."""
    minute = np.arange(1440)
    busy = np.exp(-0.5 * ((minute - 750) / 142) ** 2)
    return np.where((minute >= 420) & (minute <= 1230), busy, 0.0)


def _shelf(people: int, seed: int) -> Shelf:
    random = stream(seed, 1)
    buyable = round(PAIRS_PER_RECORD * round(RECORDS * people / PEOPLE))
    count = min(round(GOODS * (people / PEOPLE) ** GOODS_GROWTH), buyable)
    number = np.arange(count)
    letter = np.where(number % 7 == 3, np.array(list("ABCDEFGHLNPSW"))[number % 13], "")
    code = pa.array(np.char.add((FIRST_GOODS + 3 * number).astype(str), letter).tolist(), pa.string())
    popular = wheel(skewed_weights(count, GOODS_SPREAD, random))
    prices = random.permutation(_prices(count))
    new_from = np.where(random.random(count) < PRICE_CHANGES, random.integers(0, len(DAYS), count), len(DAYS))
    return Shelf(code, random.permutation(count), popular, prices, random.permutation(prices), new_from)


def _prices(count: int) -> Real:
    points = np.sort(np.add.outer(np.arange(POUNDS), np.array(PENCE) / 100).round(2).ravel())[:count]
    weights = np.exp(-0.5 * (np.log((np.arange(len(points)) + 1) / 6) * PRICE_SPREAD) ** 2)
    return np.repeat(points, shares(weights, count, 1))


def _batch(
    plan: VisitPlan, shelf: Shelf, first: int, last: int, random: np.random.Generator
) -> pa.RecordBatch:
    begin, end = plan.begin[first], plan.begin[last]
    start = plan.records[begin : end + 1]
    receipt = np.repeat(np.arange(end - begin), np.diff(start))
    customer = plan.owner[begin:end] - first
    due = debuts(int(start[0]), len(receipt), int(plan.records[-1]), len(shelf.code))
    goods = _goods(shelf, customer, start[:-1] - start[0], receipt, due, random)
    day, minute = np.divmod(plan.moment[begin:end], 1440)
    old = day[receipt] < shelf.new_from[goods]
    columns = [
        pick(texts(FIRST_CUSTOMER + np.arange(first, last)), customer[receipt]),
        pick(texts(plan.number[begin:end]), receipt),
        pick(dates(DAYS), day[receipt]),
        pick(_times(), minute[receipt]),
        pick(shelf.code, goods),
        pa.array(np.where(old, shelf.price[goods], shelf.new_price[goods])),
        pa.array(_numbers(customer[receipt], random)),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)


def _goods(
    shelf: Shelf, customer: Whole, start: Whole, receipt: Whole, due: Whole, random: np.random.Generator
) -> Whole:
    """New goods by popularity, or again one of those on the customer's earlier receipts."""
    opening = np.searchsorted(customer, customer)
    new = (random.random(len(receipt), np.float32) < NEW_GOODS) | (due >= 0) | (receipt == opening[receipt])
    goods = np.where(due >= 0, shelf.debut[due], spin(shelf.wheel, len(receipt), random))
    bought = (np.cumsum(new) - new)[start]
    again = receipt[~new]
    low, high = bought[opening][again], bought[again]
    goods[~new] = goods[new][low + (random.random(len(again)) * (high - low)).astype(np.int64)]
    return goods


def _numbers(customer: Whole, random: np.random.Generator) -> Whole:
    values = np.array([*NUMBERS, *(each for each in RARE_NUMBERS if each not in NUMBERS)])
    rare = 1 / (np.arange(len(values) - len(NUMBERS)) + 1.0) ** 1.22
    weights = np.concatenate(
        [np.array([*NUMBERS.values()]), rare / rare.sum() * (100 - sum(NUMBERS.values()))]
    )
    usual = spin(wheel(weights[: len(NUMBERS)]), int(customer[-1]) + 1, random)[customer]
    free = spin(wheel(weights), len(customer), random)
    return np.asarray(values[np.where(random.random(len(customer), np.float32) < USUAL_NUMBER, usual, free)])


def _times() -> pa.StringArray:
    return pa.array([f"{minute // 60:02}:{minute % 60:02}" for minute in range(1440)], pa.string())

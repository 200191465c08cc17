"""A made-up payment card history: seeded, of any size, shaped as the 31 cards of Ito et al. n.d.

Fares have the paper's signs: what is spent is negative, what is deposited is positive. Stations and routes
are missing (null) wherever the card was not used for traffic. The names of the stations are invented.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from singleout.read.sample_draws import (
    Real,
    Whole,
    check,
    dates,
    debuts,
    pick,
    shares,
    spin,
    stream,
    texts,
    wheel,
)

Flags = npt.NDArray[np.bool_]

SCHEMA = pa.schema(
    [
        ("user", pa.string()),
        ("date", pa.string()),
        ("times", pa.int64()),
        ("entraining_point", pa.string()),
        ("alighting_point", pa.string()),
        ("entraining_route", pa.string()),
        ("alighting_route", pa.string()),
        ("usage", pa.string()),
        ("location", pa.string()),
        ("fare", pa.int64()),
    ]
)

# Ito, Harada, Kikuchi, Payment Card Histories in Multiple Domains: Tables II, VI and X.
PEOPLE, RECORDS = 31, 584
USAGES = ("traffic", "purchase", "deposit", "bus", "other")
TRAFFIC, PURCHASE, DEPOSIT, BUS, OTHER, SLOTS = range(6)
USED = {PURCHASE: 100, DEPOSIT: 84, BUS: 2, OTHER: 34}  # the rest of the records are traffic
USERS = {PURCHASE: 25, DEPOSIT: 29, BUS: 31, OTHER: 31}
STATIONS, PURCHASE_FARES, DEPOSIT_AMOUNTS = 138, 58, 17
HISTORY = 20  # a card remembers its latest uses only (Sec. IV.A)

# The common values, and their share of the draws that leaves as many rare values as Table XI counts:
# 43 fares seen once and 6 twice in 100 purchases, 10 amounts seen once and 3 twice in 84 deposits.
COMMON_FARES, COMMON_FARE_SHARE = (100, 110, 120, 130, 140, 150, 160, 108, 216), 36 / 42
COMMON_AMOUNTS, COMMON_AMOUNT_SHARE = (1_000, 2_000, 3_000, 5_000), 64 / 67
GROWTH = 0.4  # of stations, fares and amounts with the number of people; a guess, the paper has one size only
# Chosen to come near Table VI's H(U|S), Table XI's rare stations and the mean Jaccard distance (Sec. IV.A).
BUSY = 1.1  # the power by which busy stations stand out
CHANGE = 0.6  # of the trips start or end where that person changes trains, not at home
ASTRAY = 0.5  # of the ways back start elsewhere

LOCATIONS = {
    TRAFFIC: ("nothing",),
    PURCHASE: ("vending machine", "commodity sales terminal unit"),
    DEPOSIT: ("ticket vending machine", "simple re-charger", "fare adjustment machine"),
    BUS: ("on board terminal",),
    OTHER: ("fare adjustment machine for riding past or connections", "fare adjustment machine", "nothing"),
}
ROUTES = ("JR-EAST", "Metro", "JR-EAST", "Toei", "JR-EAST", "Keio", "Odakyu", "Seibu", "Tobu", "Tokyu")
SIDES = ("", "Kita-", "Minami-", "Higashi-", "Nishi-", "Shin-", "Naka-", "Kami-", "Shimo-", "Moto-", "Oku-")
FIRSTS = "Aka Ao Asa Fuji Fuka Hana Hira Ike Ishi Iwa Kawa Kiri Kuro Matsu Mizu Mori Naga Ota Saka Shira Taka"
LASTS = "bashi bukuro dai da gawa gaoka hama hara jima kubo machi mori mura no sawa se shita tani ura yama"
DAYS = np.arange(np.datetime64("2016-04-01"), np.datetime64("2016-07-01"))
PEOPLE_PER_BATCH = 4_000


@dataclass(frozen=True)
class Pool:
    """Values that all get used, in the slots where one of them is due, and some of them often."""

    values: Whole
    order: Whole
    wheel: Whole
    slots: int

    def draw(self, first: int, count: int, random: np.random.Generator) -> Whole:
        due = debuts(first, count, self.slots, len(self.values))
        return np.where(due >= 0, self.order[due], spin(self.wheel, count, random))


@dataclass(frozen=True)
class Pools:
    stations: Pool
    fares: Pool
    amounts: Pool


@dataclass(frozen=True)
class Network:
    name: pa.StringArray
    route: pa.StringArray
    place: Real


def card_batches(people: int = PEOPLE, seed: int = 0) -> Iterator[pa.RecordBatch]:
    """The histories of this many payment cards, four thousand cards a batch."""
    check(people, seed)
    return _batches(people, seed)


def _batches(people: int, seed: int) -> Iterator[pa.RecordBatch]:
    counts = _counts(people, stream(seed, 0))
    pools, network = _pools(people, counts, stream(seed, 1))
    done = np.zeros(counts.shape[1], np.int64)
    for first in range(0, people, PEOPLE_PER_BATCH):
        mine = counts[first : first + PEOPLE_PER_BATCH]
        yield _batch(first, mine, done, pools, network, stream(seed, 2, first))
        done = done + mine.sum(axis=0)


def _even_weights(count: int, random: np.random.Generator) -> Real:
    """Evenly spaced weights in random order.

    Nobody gets more than twice the mean, so that all uses but traffic never fill a history.
    """
    return random.permutation((np.arange(count) + 0.5) / count)


def _counts(people: int, random: np.random.Generator) -> Whole:
    """How often each person uses the card for what, and how many slots for a station that takes."""
    counts = np.zeros((people, len(USAGES) + 1), np.int64)
    for usage, records in USED.items():
        users = np.sort(random.permutation(people)[: round(USERS[usage] * people / PEOPLE)])
        least = 1 if usage in (PURCHASE, DEPOSIT) else 0
        counts[users, usage] = shares(
            _even_weights(len(users), random), round(records * people / PEOPLE), least
        )
    unused = shares(1 + _even_weights(people, random), HISTORY * people - round(RECORDS * people / PEOPLE))
    counts[:, TRAFFIC] = HISTORY - unused - counts.sum(axis=1)
    counts[:, SLOTS] = 1 + (counts[:, TRAFFIC] + 1) // 2  # home, and each way out; ways back need none
    return counts


def _grown_count(number: int, people: int, slots: int) -> int:
    return int(min(round(number * (people / PEOPLE) ** GROWTH), slots))


def _pools(people: int, counts: Whole, random: np.random.Generator) -> tuple[Pools, Network]:
    purchases, deposits, slots = (int(counts[:, each].sum()) for each in (PURCHASE, DEPOSIT, SLOTS))
    fares, amounts = (
        _grown_count(PURCHASE_FARES, people, purchases),
        _grown_count(DEPOSIT_AMOUNTS, people, deposits),
    )
    stations = _grown_count(STATIONS, people, slots)
    busy = random.permutation(1 / (np.arange(stations) + 1.0) ** BUSY)
    pools = Pools(
        Pool(np.arange(stations), random.permutation(stations), wheel(busy), slots),
        _money(fares, COMMON_FARES, COMMON_FARE_SHARE, 1, purchases, random),
        _money(amounts, COMMON_AMOUNTS, COMMON_AMOUNT_SHARE, 10, deposits, random),
    )
    return pools, _network(stations, random)


def _money(
    count: int, common: tuple[int, ...], share: float, unit: int, slots: int, random: np.random.Generator
) -> Pool:
    """Amounts of money: the common ones, and rare ones that are multiples of the unit."""
    rare = unit * random.permutation(np.setdiff1d(np.arange(61, 661 + 2 * count), np.array(common) // unit))
    values = np.concatenate([common, rare])[:count]
    each, other = share / len(common), (1 - share) / max(1, count - len(common))
    weights = np.where(np.arange(count) < len(common), each, other)
    return Pool(values, random.permutation(count), wheel(weights), slots)


def _network(count: int, random: np.random.Generator) -> Network:
    """Names, routes and places of the stations; neighbours in number share no name."""
    names = [side + first + last for side in SIDES for first in FIRSTS.split() for last in LASTS.split()]
    # 101 and the number of names have no common divisor, so every name comes once before any comes again.
    names = [f"{names[each * 101 % len(names)]}{each // len(names) or ''}" for each in range(count)]
    routes = [ROUTES[each] for each in random.integers(0, len(ROUTES), count)]
    return Network(pa.array(names), pa.array(routes), random.random(count))


def _batch(
    first: int, mine: Whole, done: Whole, pools: Pools, network: Network, random: np.random.Generator
) -> pa.RecordBatch:
    counts = mine[:, :SLOTS]
    size = counts.sum(axis=1)
    begin, person = np.cumsum(size) - size, np.repeat(np.arange(len(size)), size)
    usage = np.repeat(np.tile(np.arange(SLOTS), len(size)), counts.ravel())
    usage = usage[np.argsort(person + random.random(len(person)))]
    travels = usage == TRAFFIC
    enter, leave, back = _trips(mine, int(done[SLOTS]), pools.stations, random)
    fare = _fares(usage, mine, done, pools, random)
    fare[travels] = -133 - 31 * (6 * np.abs(network.place[enter] - network.place[leave])).astype(np.int64)
    stops = [
        _stops(names, each, travels) for names in (network.name, network.route) for each in (enter, leave)
    ]
    columns = [
        pick(pc.utf8_lpad(texts(first + 1 + np.arange(len(size))), 2, "0"), person),
        pick(dates(DAYS), _days(begin, size, travels, back, random)),
        pa.array(np.arange(len(person)) - begin[person] + 1),
        *stops,
        pick(pa.array(USAGES), usage),
        _locations(usage, random),
        pa.array(fare),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)


def _trips(mine: Whole, done: int, stations: Pool, random: np.random.Generator) -> tuple[Whole, Whole, Flags]:
    """Where each trip starts and ends, and which are ways back: people leave home, and return to it."""
    trips, slots = mine[:, TRAFFIC], mine[:, SLOTS]
    station = stations.draw(done, int(slots.sum()), random)
    rider = np.repeat(np.arange(len(mine)), trips)
    turn = np.arange(len(rider)) - (np.cumsum(trips) - trips)[rider]
    begin, back = (np.cumsum(slots) - slots)[rider], turn % 2 == 1
    home, away = station[begin], station[begin + 1 + turn // 2]
    # The first trip starts at home and every way out leads to its slot: else a station that is due gets lost.
    hub = spin(stations.wheel, len(mine), random)[rider]
    home = np.where((turn > 0) & (random.random(len(rider)) < CHANGE), hub, home)
    away = np.where(
        back & (random.random(len(rider)) < ASTRAY), spin(stations.wheel, len(rider), random), away
    )
    away = np.where(away == home, (home + 1) % len(stations.values), away)
    return np.where(back, away, home), np.where(back, home, away), back


def _fares(usage: Whole, mine: Whole, done: Whole, pools: Pools, random: np.random.Generator) -> Whole:
    """What each use costs or brings, traffic excepted."""
    fare = np.where(usage == BUS, -216, -10 * random.integers(3, 20, len(usage)))
    for kind, pool, sign in ((PURCHASE, pools.fares, -1), (DEPOSIT, pools.amounts, 1)):
        drawn = pool.draw(int(done[kind]), int(mine[:, kind].sum()), random)
        fare[usage == kind] = sign * pool.values[drawn]
    return fare


def _days(begin: Whole, size: Whole, travels: Flags, back: Flags, random: np.random.Generator) -> Whole:
    """Days in order, the latest use near the end, each person at their own pace; ways back take no day."""
    pace = np.repeat(6 * random.random(len(size)) ** 2 + 0.5, size)
    gap = (2 * pace * random.random(len(pace))).astype(np.int64)
    gap[np.flatnonzero(travels)[back]] = 0
    gone = np.cumsum(gap)
    latest = len(DAYS) - 1 - random.integers(0, 7, len(size))
    return np.maximum(0, np.repeat(latest - gone[begin + size - 1], size) + gone)


def _stops(names: pa.StringArray, stations: Whole, travels: Flags) -> pa.StringArray:
    """The names of the trips' stations on the records of the trips, nothing on the others."""
    station = np.zeros(len(travels), np.int64)
    station[travels] = stations
    return names.take(pa.array(station, mask=~travels))


def _locations(usage: Whole, random: np.random.Generator) -> pa.StringArray:
    ways = np.array([len(each) for each in LOCATIONS.values()])
    begin = np.cumsum(ways) - ways
    names = pa.array([name for each in LOCATIONS.values() for name in each])
    return pick(names, begin[usage] + (random.random(len(usage)) * ways[usage]).astype(np.int64))

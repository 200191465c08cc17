"""The generated samples: exact totals, the shape of the real tables, and the same table for the same seed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from singleout.errors import UsageError
from singleout.read import sample_card as card
from singleout.read import sample_shop as shop
from singleout.read.sample_card import card_batches
from singleout.read.sample_shop import shop_batches

SEEDS = [0, 1, 2, 17, 2**40]
Batches = Callable[[int, int], Iterator[pa.RecordBatch]]


def codes(table: pa.Table, column: str) -> npt.NDArray[np.int64]:
    return np.asarray(table[column].combine_chunks().dictionary_encode().indices, np.int64)


def distinct(table: pa.Table, *columns: str) -> int:
    return len(np.unique(np.stack([codes(table, each) for each in columns]), axis=1).T)


def risk(table: pa.Table, column: str) -> float:
    """The mean over records of 1 / (number of people who have the record's value)."""
    values, people = codes(table, column), codes(table, "customer")
    pairs = np.unique(np.stack([values, people]), axis=1)
    return float((1 / np.bincount(pairs[0])[values]).mean())


def jaccards(table: pa.Table) -> npt.NDArray[np.float64]:
    people, goods = codes(table, "customer"), codes(table, "goods")
    owns = np.zeros((people.max() + 1, goods.max() + 1), np.float32)
    owns[people, goods] = 1
    both, size = owns @ owns.T, owns.sum(axis=1)
    return np.asarray((both / (size[:, None] + size - both))[np.triu_indices(len(size), 1)])


def shop_table(people: int = 400, seed: int = 0) -> pa.Table:
    return pa.Table.from_batches(shop_batches(people, seed))


def card_table(people: int = 31, seed: int = 0) -> pa.Table:
    return pa.Table.from_batches(card_batches(people, seed))


@pytest.fixture(scope="module", params=SEEDS)
def purchases(request: pytest.FixtureRequest) -> pa.Table:
    return shop_table(seed=request.param)


@pytest.fixture(scope="module", params=SEEDS)
def cards(request: pytest.FixtureRequest) -> pa.Table:
    return card_table(seed=request.param)


def test_shop_has_the_published_totals(purchases: pa.Table) -> None:
    assert purchases.schema == shop.SCHEMA
    assert purchases.num_rows == 38_087
    assert [distinct(purchases, each) for each in ("customer", "goods", "receipt")] == [400, 2_781, 1_763]


def test_a_receipt_has_one_customer_and_one_moment(purchases: pa.Table) -> None:
    assert distinct(purchases, "receipt", "customer", "date", "time") == 1_763


def test_receipt_numbers_follow_the_calendar(purchases: pa.Table) -> None:
    moments = purchases.group_by(["receipt", "date", "time"]).aggregate([]).sort_by("receipt").to_pylist()
    when = [each["date"] + each["time"] for each in moments]
    assert when == sorted(when)


def test_shop_sets_of_goods_are_as_large_and_as_different_as_in_the_paper(purchases: pa.Table) -> None:
    alike = jaccards(purchases)
    assert distinct(purchases, "customer", "goods") == pytest.approx(26_290, rel=0.06)
    assert 0.027 <= alike.mean() <= 0.033
    assert alike.max() < 1


@pytest.mark.parametrize(
    ("column", "published", "values", "tolerance"),
    [
        ("time", 0.322, 551, 30),
        ("date", 0.186, 290, 12),
        ("goods", 0.097, 2_781, 0),
        ("price", 0.012, 184, 6),
        ("number", 0.008, 97, 15),
    ],
)
def test_shop_columns_identify_as_in_the_paper(
    purchases: pa.Table, column: str, published: float, values: int, tolerance: int
) -> None:
    assert published / 1.5 <= risk(purchases, column) <= published * 1.5
    assert abs(distinct(purchases, column) - values) <= tolerance


def test_a_few_customers_and_goods_make_most_of_the_shop(purchases: pa.Table) -> None:
    records = np.sort(np.bincount(codes(purchases, "customer")))
    sold = np.sort(np.bincount(codes(purchases, "goods")))
    assert np.median(records) < 0.6 * records.mean() and records[-1] > 15 * records.mean()
    assert np.median(sold) < 0.6 * sold.mean() and sold[-1] > 30 * sold.mean()
    assert {row["values"] for row in purchases["number"].value_counts().to_pylist()} >= {1, 2, 6, 12}


def test_shop_values_look_like_the_papers(purchases: pa.Table) -> None:
    patterns = {
        "customer": r"^\d{5,}$",
        "receipt": r"^\d{6,}$",
        "date": r"^\d{4}/\d\d/\d\d$",
        "time": r"^\d\d:\d\d$",
        "goods": r"^\d{5}[A-Z]?$",
    }
    for column, pattern in patterns.items():
        assert pc.all(pc.match_substring_regex(purchases[column], pattern)).as_py(), column
    assert any(code[-1].isalpha() for code in purchases["goods"].to_pylist())
    assert purchases["price"].to_pylist() == [round(each, 2) for each in purchases["price"].to_pylist()]


def test_the_shop_is_closed_on_saturdays_and_open_for_a_year(purchases: pa.Table) -> None:
    days = np.array([each.replace("/", "-") for each in purchases["date"].to_pylist()], "datetime64[D]")
    assert not np.any((days.astype(int) + 3) % 7 == 5)
    assert days.max() - days.min() < np.timedelta64(365, "D")


@pytest.mark.parametrize("people", [1, 2, 3, 7, 2_000])
def test_shop_totals_of_other_sizes(people: int) -> None:
    table = shop_table(people, seed=3)
    records = round(95.2175 * people)
    goods = min(round(2_781 * (people / 400) ** 0.116), round(records * 26_290 / 38_087))
    assert table.num_rows == records
    assert [distinct(table, each) for each in ("customer", "goods", "receipt")] == [
        people,
        goods,
        round(4.4075 * people),
    ]


def test_cards_have_the_published_totals(cards: pa.Table) -> None:
    assert cards.schema == card.SCHEMA
    assert cards.num_rows == 584
    assert distinct(cards, "user") == 31
    used = Counter(cards["usage"].to_pylist())
    assert used == {"traffic": 364, "purchase": 100, "deposit": 84, "bus": 2, "other": 34}


def uses(table: pa.Table, usage: str, *columns: str) -> list[tuple[str, object]]:
    rows = table.filter(pc.field("usage") == usage).to_pylist()
    return [(row["user"], row[each]) for row in rows for each in columns]


@pytest.mark.parametrize(
    ("usage", "columns", "people", "values", "once", "twice"),
    [
        ("traffic", ("entraining_point", "alighting_point"), 31, 138, 0.048, 0.166),
        ("purchase", ("fare",), 25, 58, 0.43, 0.55),
        ("deposit", ("fare",), 29, 17, 0.119, 0.19),
    ],
)
def test_cards_have_the_published_rare_values(
    cards: pa.Table, usage: str, columns: tuple[str, ...], people: int, values: int, once: float, twice: float
) -> None:
    drawn = uses(cards, usage, *columns)
    seen = Counter(value for _, value in drawn)
    assert len({user for user, _ in drawn}) == people
    assert len(seen) == values
    assert sum(each for each in seen.values() if each <= 1) / len(drawn) == pytest.approx(once, rel=0.4)
    assert sum(each for each in seen.values() if each <= 2) / len(drawn) == pytest.approx(twice, rel=0.3)


def test_cards_share_as_few_stations_as_in_the_paper(cards: pa.Table) -> None:
    sets = defaultdict(set)
    for user, station in uses(cards, "traffic", "entraining_point", "alighting_point"):
        sets[user].add(station)
    distances = [1 - len(a & b) / len(a | b) for a, b in combinations(sets.values(), 2)]
    assert np.mean(distances) == pytest.approx(0.933, abs=0.04)


def test_only_traffic_has_stations_and_spending_is_negative(cards: pa.Table) -> None:
    stops = ("entraining_point", "alighting_point", "entraining_route", "alighting_route")
    for row in cards.to_pylist():
        assert {row[each] is None for each in stops} == {row["usage"] != "traffic"}
        assert (row["fare"] > 0) == (row["usage"] == "deposit")
        assert row["entraining_point"] is None or row["entraining_point"] != row["alighting_point"]


def test_a_card_remembers_twenty_uses_in_order(cards: pa.Table) -> None:
    for user in cards["user"].unique():
        mine = cards.filter(pc.equal(cards["user"], user))
        assert mine.num_rows <= 20
        assert mine["times"].to_pylist() == list(range(1, mine.num_rows + 1))
        assert mine["date"].to_pylist() == sorted(mine["date"].to_pylist())


def test_card_locations_are_the_papers_eight() -> None:
    assert len({name for names in card.LOCATIONS.values() for name in names}) == 8
    assert distinct(card_table(1_000), "location") == 8


@pytest.mark.parametrize("people", [1, 2, 3, 7, 30, 5_000])
def test_card_totals_of_other_sizes(people: int) -> None:
    table = card_table(people, seed=3)
    used = Counter(table["usage"].to_pylist())
    assert table.num_rows == round(584 * people / 31)
    assert distinct(table, "user") == people
    assert used["purchase"] == round(100 * people / 31)
    assert len({user for user, _ in uses(table, "traffic", "fare")}) == people


@pytest.mark.parametrize("batches", [shop_batches, card_batches])
def test_same_seed_same_table_other_seed_other_table(batches: Batches) -> None:
    first, again, other = (pa.Table.from_batches(batches(50, seed)) for seed in (5, 5, 6))
    assert first.equals(again)
    assert not first.equals(other)


@pytest.mark.parametrize(("batches", "people"), [(shop_batches, 5_000), (card_batches, 20_000)])
def test_batches_stay_small_and_hold_whole_people(batches: Batches, people: int) -> None:
    seen: set[str] = set()
    for batch in batches(people, 0):
        mine = set(batch.column(0).unique().to_pylist())
        assert batch.num_rows < 400_000
        assert not seen & mine
        seen |= mine
    assert len(seen) == people


@pytest.mark.parametrize("batches", [shop_batches, card_batches])
@pytest.mark.parametrize(("people", "seed"), [(0, 0), (-3, 0), (5, -1)])
def test_wrong_arguments_are_refused_at_once(batches: Batches, people: int, seed: int) -> None:
    with pytest.raises(UsageError, match="or more") as caught:
        batches(people, seed)
    assert "\n" not in str(caught.value)

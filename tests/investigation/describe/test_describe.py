"""What kind of data a table is: counted like by hand, on every engine, and nobody's own value unasked."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout import describe, report_on, sample
from singleout.errors import InputError, UsageError
from singleout.investigation.describe.people_spread import PeopleSpread
from singleout.investigation.describe.value_ranges import Frequencies
from singleout.report.charts.descriptions import people_sums
from tests.by_hand import description_by_hand as by_hand
from tests.support.command_line import Captured, complaint, document_of
from tests.support.extracts import EXTRACTS
from tests.support.home import Home

RECORD = st.fixed_dictionaries(
    {
        "who": st.sampled_from(["ann", "bob", "cid", "dot"]),
        "goods": st.sampled_from(["tea", "jam", "egg", None]),
        "day": st.sampled_from(["2011-01-30", "2011-01-31", "2011-02-01"]),
        "paid": st.one_of(st.none(), st.integers(-50, 50)),
    }
)
TYPES = pyarrow.schema(
    [
        ("who", pyarrow.string()),
        ("goods", pyarrow.string()),
        ("day", pyarrow.string()),
        ("paid", pyarrow.int64()),
    ]
)


def table_of(records: list[dict[str, Any]]) -> pyarrow.Table:
    return pyarrow.Table.from_pylist(records, schema=TYPES)


@given(records=st.lists(RECORD, min_size=1, max_size=30).filter(lambda rows: any(r["goods"] for r in rows)))
@settings(max_examples=25, deadline=None)
def test_counted_like_by_hand(records: list[dict[str, Any]]) -> None:
    found = describe(
        table_of(records), user="who", item="goods", time="day", amount="paid", category="goods",
        show_values=True,
    )  # fmt: skip
    sets = by_hand.sets_of(records, "who", "goods")
    assert found.items is not None
    assert found.items.per_person.mean == pytest.approx(by_hand.items_per_person(sets))
    if len(sets) > 1:
        alike = by_hand.jaccards(sets)
        assert found.items.shared == pytest.approx(by_hand.shared_items(sets))
        assert found.items.jaccard == pytest.approx(fmean(alike))
        assert found.items.highest == pytest.approx(max(alike))
        histogram = found.items.jaccard_entry()["histogram"]
        assert sum(each["pairs"] for each in histogram) == len(alike)
    else:
        assert found.items.shared is found.items.jaccard is found.items.highest is None
    paid = by_hand.sums(records, "who", "paid")
    spread = found.amount_per_person
    assert (spread is None) == (not paid)
    if spread is not None:
        assert (spread.lowest, spread.highest) == (min(paid.values()), max(paid.values()))
        assert spread.median == pytest.approx(median(paid.values()))
        # all of the (few) people, from the lowest sum to the highest
        assert [much for _, much in spread.curve] == sorted(paid.values())
        assert spread.curve[-1][0] == 1
    months = by_hand.sums([{**each, "day": each["day"][:7]} for each in records], "day", "paid")
    assert {each.month: each.amount for each in found.months if each.amount is not None} == months
    goods = next(each for each in found.columns if each.name == "goods").frequencies
    assert dict(zip(goods.records, goods.values, strict=True)) == by_hand.frequencies(records, ["goods"])
    assert sum(each.share for each in found.categories) == pytest.approx(1)


def test_every_engine_describes_alike(home: Home) -> None:
    records = [
        {"who": who, "goods": goods, "day": day, "paid": paid}
        for who, goods, day, paid in [
            ("ann", "tea", "2011-01-30", 3), ("ann", "jam", "2011-02-01", -4),
            ("bob", "tea", "2011-02-02", 5), ("bob", None, "2011-02-02", None),
            ("cid", "egg", "2011-02-03", 7),
        ]
    ]  # fmt: skip
    found = describe(
        home.put(table_of(records)), user="who", item="goods", time="day", amount="paid", category="goods",
        domains=["tea=goods@goods=tea", "all=goods+day"], show_values=True,
    )  # fmt: skip
    assert found.items is not None
    assert found.items.items == 3
    assert found.items.per_person.mean == pytest.approx(4 / 3)
    assert [found.items.shared, found.items.highest] == pytest.approx([1 / 3, 0.5])
    assert [(each.month, each.records, each.amount) for each in found.months] == [
        ("2011-01", 1, 3.0),
        ("2011-02", 4, 8.0),
    ]
    assert [(each.value, each.records, each.people) for each in found.categories] == [
        ("tea", 2, 2),
        ("egg", 1, 1),
        ("jam", 1, 1),
    ]
    assert [each.name for each in found.columns] == ["goods", "day", "paid"]
    assert [(each.lowest, each.highest) for each in found.columns][1:] == [
        ("2011-01-30", "2011-02-03"),
        ("-4", "7"),
    ]
    assert found.columns[0].missing == 1
    # tea twice, jam and egg once, 2 February twice, three other days once
    assert found.domains[1].ranks == ((1, 2), (2, 2), (3, 1), (7, 1))
    assert found.scatters[0].correlation.reason == "fewer than 3 people have both"


def test_the_purchases_of_ito_et_al_2020() -> None:
    """Its Table 3 and Figure 2: 65 items a person (b), mean Jaccard 0.03, at most 0.41."""
    found = describe(EXTRACTS / "purchases.parquet", user="customer", item="goods", show_values=True)
    assert (found.records, found.people) == (38_087, 400)
    assert found.items is not None
    assert found.items.items == 2_781
    assert found.items.per_person.mean == 65.725
    assert found.items.jaccard == pytest.approx(0.030013256)
    # printed 0.41
    assert found.items.highest == 0.4
    by_name = {each.name: each for each in found.columns}
    assert by_name["receipt"].frequencies.all_values == 1_763
    assert (by_name["date"].lowest, by_name["date"].highest) == ("2010/12/01", "2011/12/09")
    # its Proposition 1 holds for a ratio of means only
    assert found.items.shared == pytest.approx(4.4145, abs=1e-4)
    assert found.items.by_rule == pytest.approx(3.8303, abs=1e-4)


def test_cards_have_the_published_shape() -> None:
    """Ito et al. n.d., Tables X and XI: 584 records of 31 people, 62 % traffic, 138 stations."""
    found = describe(
        sample("card"), user="user", time="date", amount="fare", category="usage", show_values=True,
        domains=["stations=entraining_point+alighting_point@usage=traffic", "deposits=fare@usage=deposit"],
    )  # fmt: skip
    assert [(each.value, each.records) for each in found.categories][:3] == [
        ("traffic", 364),
        ("purchase", 100),
        ("deposit", 84),
    ]
    assert found.domains[0].all_values == 138
    assert found.domains[0].all_records == 728
    assert found.scatters[0].points is not None
    assert len(found.scatters[0].points) == found.scatters[0].correlation.people == 29


def test_nobodys_own_value_is_told_unasked() -> None:
    records = [
        {"who": f"p{n}", "goods": "tea" if n else "jam", "day": "2011-01-30", "paid": 1000 + n * n}
        for n in range(9)
    ]
    found = describe(
        table_of(records), user="who", item="goods", time="day", amount="paid", category="goods",
        domains=["a=goods", "b=day"],
    )  # fmt: skip
    text = json.dumps(found.to_dict(), ensure_ascii=False)
    assert not any(secret in text for secret in ("tea", "jam", "2011-01-30", "1064", "1000"))
    assert found.amount_per_person is not None
    assert found.amount_per_person.lowest is None
    assert found.amount_per_person.reason is not None
    assert [each.name for each in found.categories] == ["rank 1", "rank 2"]
    # the one who has jam
    assert (found.categories[1].amount, found.categories[1].records) == (None, 1)
    assert all(each.points is None for each in found.scatters)
    page = report_on(found, date="2026-11-16").to_html()
    assert not any(secret in page for secret in (">tea<", ">jam<", "1064"))


@pytest.mark.parametrize(
    ("people", "shares"),
    [(4, []), (19, []), (20, [0.25, 0.5, 0.75]), (50, [n / 10 for n in range(1, 10)])],
)
def test_sums_of_people_are_drawn_in_steps_that_tell_nobodys(people: int, shares: list[float]) -> None:
    sums = [float(1000 + n * n) for n in range(people)]
    spread = PeopleSpread.of_amounts(numpy.array(sums), show_values=False)
    assert spread is not None
    assert [share for share, _ in spread.curve] == pytest.approx(shares)
    assert (spread.median is None) == (not shares)
    assert (spread.mean is None) == (people < 5)
    everybody = PeopleSpread.of_amounts(numpy.arange(5_000.0), show_values=True)
    assert everybody is not None
    points = [*everybody.curve]
    assert (len(points), points[0], points[-1]) == (200, (1 / 5_000, 0), (1, 4_999))


@given(
    sums=st.lists(st.integers(1, 10**9), min_size=5, max_size=70, unique=True),
    zeros=st.integers(0, 20),
)
@settings(max_examples=60, deadline=None)
def test_no_sum_of_one_or_two_people_is_told(sums: list[int], zeros: int) -> None:
    """A median is one person's own, or half of what two have; the mean of five people is nobody's."""
    told = PeopleSpread.of_amounts(numpy.array([*sums, *[0.0] * zeros]), show_values=False)
    assert told is not None
    ordered = sorted([*sums, *[0] * zeros])
    fives = [fmean(ordered[first : first + 5]) for first in range(len(ordered) - 4)]
    quarters = [told.quarter, told.median, told.three_quarters]
    assert (told.lowest, told.highest) == (None, None)
    if len(ordered) < 20:
        assert quarters == [None] * 3
    for each in [*quarters, *(much for _, much in told.curve)]:
        assert each is None or any(each == pytest.approx(five) for five in fives)


def test_quarters_are_where_quarters_of_the_people_end() -> None:
    """On figures without bends the mean of five is the one in the middle."""
    told = PeopleSpread.of_amounts(numpy.arange(1.0, 102.0), show_values=False)
    assert told is not None
    assert (told.quarter, told.median, told.three_quarters) == (26, 51, 76)


@pytest.mark.parametrize("rest", [None, 0])
def test_a_sum_that_one_amount_makes_up_is_withheld(rest: int | None) -> None:
    """Though there are more records: those without an amount, or with 0, add nothing to it."""
    paid = [1234, *[rest] * 9]
    records = [
        {"who": f"p{n}", "goods": "tea", "day": "2011-01-30", "paid": each} for n, each in enumerate(paid)
    ]
    asked: dict[str, Any] = {"user": "who", "time": "day", "amount": "paid", "category": "goods"}
    assert "1234" not in json.dumps(describe(table_of(records), **asked).to_dict())
    assert "1234" in json.dumps(describe(table_of(records), **asked, show_values=True).to_dict())


@pytest.mark.parametrize("paid", [[1e308] * 9, [1e308, -1e308] * 5])
@pytest.mark.parametrize("show_values", [True, False])
def test_amounts_beyond_all_sums_are_refused(paid: list[float], show_values: bool) -> None:
    table = pyarrow.table({"who": list(range(len(paid))), "paid": paid, "goods": ["a"] * len(paid)})
    with pytest.raises(InputError, match="more than a number can hold"):
        describe(table, user="who", amount="paid", category="goods", show_values=show_values)


def test_the_chart_of_sums_of_people() -> None:
    found = describe(sample("card"), user="user", amount="fare", show_values=True)
    sums = found.amount_per_person
    chart = people_sums(sums, "fare")
    assert sums is not None
    assert chart is not None
    assert chart.table.rows == sums.curve
    assert len(chart.spec["data"]["values"]) == 31
    assert not people_sums(None, "fare")


def test_a_few_peoples_mean_is_withheld() -> None:
    records = [{"who": n, "goods": "a", "day": "2011-01-30", "paid": 7} for n in "abcd"]
    found = describe(table_of(records), user="who", amount="paid", time="day")
    assert found.amount_per_person is not None
    assert found.amount_per_person.mean is None
    assert found.months[0].amount is None
    assert "fewer than 5" in str(found.months[0].reason)


def test_where_pairs_are_drawn_the_most_alike_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    from singleout.risk.entropy import jaccard_distance

    monkeypatch.setattr(jaccard_distance, "_is_cheap", lambda _: False)
    monkeypatch.setattr(jaccard_distance, "SAMPLED_PAIRS", 1_000)
    found = describe(EXTRACTS / "purchases.parquet", user="customer", item="goods", columns=["goods"])
    assert found.items is not None
    entry = found.items.jaccard_entry()
    assert not entry["exact"]
    assert entry["highest"] is None
    assert "drawn" in entry["reason"]
    assert entry["low"] <= entry["mean"] <= entry["high"]


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ({"user": "none", "item": "goods"}, "between people"),
        ({"item": "gods"}, "did you mean 'goods'"),
        ({"item": "who"}, "is the user column"),
        ({"missing": "wildcard"}, "drop and value"),
        ({"domains": "a=goods"}, "give a list"),
        ({"domains": ["a=goods", "a=day"]}, "two domains are called 'a'"),
        ({"time": "goods"}, "can't be known at 'month'"),
        ({"amount": "goods"}, "no number"),
        ({"seed": 0.5}, "whole number"),
    ],
)
def test_what_can_not_be_asked(asked: dict[str, Any], fault: str) -> None:
    records = [{"who": "ann", "goods": "tea", "day": "2011-01-30", "paid": 1}]
    with pytest.raises((UsageError, InputError), match=fault):
        describe(table_of(records), **{"user": "who", **asked})


def test_a_column_with_many_values_is_no_category() -> None:
    records = [{"who": "ann", "goods": f"g{n}", "day": "2011-01-30", "paid": 1} for n in range(31)]
    with pytest.raises(UsageError, match="has 31 values; a category has at most 30"):
        describe(table_of(records), user="who", category="goods")


def test_ranks_are_those_of_sorted_counts() -> None:
    found = Frequencies.of("x", {5: 1, 1: 3})
    assert found.ranks == ((1, 5), (2, 1), (4, 1))
    assert (found.all_values, found.all_records) == (4, 8)


def test_the_command(tmp_path: Path, capsys: Captured) -> None:
    place = tmp_path / "card.parquet"
    sample("card", out=place)
    words = [
        "describe",
        str(place),
        "--user",
        "user",
        "--category",
        "usage",
        "--amount",
        "fare",
        "--time",
        "date",
    ]
    document = document_of(capsys, [*words, "--html", str(tmp_path / "card.html")])
    assert document["people"] == 31
    assert document["definitions"]["describe.amount_per_person"]["range"] == [None, None]
    page = (tmp_path / "card.html").read_text()
    assert "Month by month" in page
    assert "What people have in all: sum of fare" in page
    assert "any number" not in page
    said = complaint([*words, "--domain", "stations"], capsys)
    assert "is no domain" in said


def test_a_study_names_the_columns(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text('[columns]\nwho = "user"\ngoods = "item"\nday = "time"\npaid = "amount"\n')
    records = [{"who": n, "goods": "tea", "day": "2011-01-30", "paid": 1} for n in "abcdef"]
    found = describe(table_of(records), study=study)
    assert (found.items and found.items.item, found.time, found.amount) == ("goods", "day", "paid")
    assert found.items is not None
    assert found.items.highest == 1

"""The same people in other months: one table split by a date, and two tables that do not overlap."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.compute
import pyarrow.csv
import pyarrow.parquet
import pytest

from singleout import attack
from singleout.errors import InputError, UsageError
from tests.by_hand.linkage_by_hand import Person, credit, csls, idf_jaccard, jaccard, scores
from tests.support.whole_files import whole_files

PEOPLE = 30
TEXTS = pyarrow.csv.ConvertOptions(
    column_types=dict.fromkeys(("customer", "goods", "date"), pyarrow.string()), strings_can_be_null=False
)


def shop(seed: int = 0) -> list[tuple[str, str, str]]:
    """Everybody has habits, and buys in most months; some only early, some only late."""
    draw = numpy.random.default_rng(seed)
    rows = []
    for who in range(PEOPLE):
        habits = draw.integers(0, 60, 6)
        for _ in range(20):
            month = 1 + int(draw.integers(0, 12))
            month = min(month, 6) if who < 3 else max(month, 7) if who < 5 else month
            item = draw.choice(habits) if draw.random() < 0.4 else int(draw.random() ** 2 * 60)
            rows.append((f"c{who:02}", f"2011-{month:02}-{1 + int(draw.integers(0, 28)):02}", f"g{item}"))
    return rows


def table(rows: list[tuple[str, str | None, str]] | list[tuple[str, str, str]]) -> pyarrow.Table:
    return pyarrow.table(dict(zip(("who", "day", "goods"), map(list, zip(*rows, strict=True)), strict=True)))


ASKED: dict[str, Any] = {"user": "who", "time": "day", "item": "goods"}


def sides(rows: list[tuple[str, str, str]], start: str) -> tuple[list[str], list[Person], list[Person]]:
    """Those who are in both, and what they bought before and after."""
    names = sorted(
        {who for who, day, _ in rows if day < start} & {who for who, day, _ in rows if day >= start}
    )
    before: list[Person] = [
        [(item,) for who, day, item in rows if who == name and day < start] for name in names
    ]
    after: list[Person] = [
        [(item,) for who, day, item in rows if who == name and day >= start] for name in names
    ]
    return names, before, after


def test_one_table_by_hand() -> None:
    rows = shop()
    names, before, after = sides(rows, "2011-07-01")
    assert 5 < len(names) < PEOPLE
    found = attack(table(rows), periods="2011-07-01", **ASKED)
    assert (found.people, found.original_people, found.made_up) == (len(names), len(names), 0)
    assert (found.original, found.release) == ("Table before 2011-07-01", "Table from 2011-07-01 on")
    by_rarity = scores(before, after, idf_jaccard(before))
    tables = {
        "jaccard": scores(before, after, jaccard),
        "jaccard_csls": csls(scores(before, after, jaccard)),
        "idf_jaccard": by_rarity,
        "idf_jaccard_csls": csls(by_rarity),
    }
    told = found.people_table()
    assert told["release_user"].to_pylist() == told["original_user"].to_pylist() == names
    for name, scored in tables.items():
        rounded = [[round(each, 9) for each in row] for row in scored]
        expected = [float(credit(row, true)) for true, row in enumerate(rounded)]
        assert told[name].to_pylist() == pytest.approx(expected), name


def test_what_needs_a_common_day_is_not_made_and_it_is_told() -> None:
    found = attack(table(shop()), periods=date(2011, 7, 1), **ASKED)
    names = [each.name for each in found.attacks]
    assert "dates" not in names and not any(name.startswith("points") for name in names)
    assert found.unicity == ()
    assert all("day" not in each.columns for each in found.attacks)
    assert any("split by 'day': no record and no day is in both periods" in each for each in found.remarks)
    assert "3 people have records before 2011-07-01 only and are left out" in " ".join(found.remarks)
    assert "2 people have records from 2011-07-01 on only and are left out" in " ".join(found.remarks)
    assert not any("the original itself" in each for each in found.remarks)


def test_it_is_the_same_as_two_tables() -> None:
    rows = shop(1)
    names, *_ = sides(rows, "2011-07")
    parts = [
        table([row for row in rows if row[0] in names and (row[1] >= "2011-07") == later])
        for later in (False, True)
    ]
    asked: dict[str, Any] = {**ASKED, "columns": ["goods"], "one_to_one": True, "points": ()}
    split = attack(table(rows), periods="2011-07", **asked)
    two = attack(parts[0], parts[1], **asked)
    # of two tables nobody says that values were left as they are
    apart = ("best", "combined", "dates", "gaps", "roles", "repeats", "bayes")
    rates, others = (
        {each.name: each.rate for each in found.attacks if each.name.removesuffix("_one_to_one") not in apart}
        for found in (two, split)
    )
    assert rates == others and "jaccard_one_to_one" in rates
    assert any("different periods in 'day': one ends before the other begins" in each for each in two.remarks)
    overlapping = attack(table(rows), parts[1], **asked)
    assert not any("different periods" in each for each in overlapping.remarks)


def test_records_without_a_date_belong_to_no_period() -> None:
    rows: list[tuple[str, str | None, str]] = [*shop(), ("c09", None, "g1"), ("c09", None, "g2")]
    found, whole = (attack(table(each), periods="2011-07-01", **ASKED) for each in (rows, shop()))
    assert any("2 records without a date in 'day' are left out" in each for each in found.remarks)
    assert [each.rate for each in found.attacks] == [each.rate for each in whole.attacks]


def brute_force(path: Path, start: str) -> dict[str, float]:
    """Rates on dense arrays, by the formulas."""
    rows = pyarrow.csv.read_csv(path, convert_options=TEXTS).to_pylist()
    names, before, after = sides([(row["customer"], row["date"], row["goods"]) for row in rows], start)
    goods = {item: place for place, item in enumerate(sorted({row["goods"] for row in rows}))}
    known, asked = (numpy.zeros((len(names), len(goods))) for _ in range(2))
    for array, people in ((known, before), (asked, after)):
        for who, person in enumerate(people):
            array[who, [goods[item] for (item,) in person]] = 1
    weight = numpy.log((len(names) + 1) / (known.sum(axis=0) + 1))
    found = {}
    for name, each in (("jaccard", numpy.ones(len(goods))), ("idf_jaccard", weight)):
        common = (asked * each) @ known.T
        similar = common / ((asked @ each)[:, None] + known @ each - common)
        means = [numpy.sort(table, axis=1)[:, -10:].mean(axis=1) for table in (similar, similar.T)]
        corrected = 2 * similar - means[0][:, None] - means[1]
        for kind, table in ((name, similar), (f"{name}_csls", corrected)):
            best = table >= table.max(axis=1, keepdims=True) - 1e-12
            found[kind] = float((best.diagonal() / best.sum(axis=1)).mean())
    return found


def test_purchases_before_and_after_july(t1: Path) -> None:
    expected = brute_force(t1, "2011/07/01")
    asked: dict[str, Any] = {"user": "customer", "time": "date", "item": "goods"}
    found = attack(t1, periods="2011-07-01", attacks=sorted(expected), **asked)
    rates = {each.name: each.rate for each in found.attacks if each.name in expected}
    assert rates == pytest.approx(expected)
    assert rates["jaccard_csls"] > rates["jaccard"]


def test_online_retail_before_and_after_july(tmp_path: Path) -> None:
    """1,988 customers: jaccard 45.3 %, with hubness correction 49.2 %, as computed elsewhere."""
    whole = whole_files() / "online_retail" / "online_retail.parquet"
    kept = pyarrow.parquet.read_table(whole, filters=[("Quantity", ">", 0), ("UnitPrice", ">", 0)])
    kept = kept.filter(pyarrow.compute.is_valid(kept["CustomerID"]))
    kept = kept.filter(pyarrow.compute.invert(pyarrow.compute.starts_with(kept["InvoiceNo"], "C")))
    file = tmp_path / "retail.parquet"
    pyarrow.parquet.write_table(kept.select(["CustomerID", "StockCode", "InvoiceDate"]), file)
    found = attack(
        file, periods="2011-07-01", user="CustomerID", time="InvoiceDate", item="StockCode",
        attacks=["jaccard", "tfidf", "idf_jaccard", "jaccard_csls", "tfidf_csls", "idf_jaccard_csls"],
    )  # fmt: skip
    rates = {each.name: round(100 * each.rate, 1) for each in found.attacks}
    assert found.people == 1988
    assert (rates["jaccard"], rates["jaccard_csls"]) == (45.3, 49.2)
    assert (rates["tfidf"], rates["tfidf_csls"]) == (38.1, 45.5)
    assert (rates["idf_jaccard"], rates["idf_jaccard_csls"]) == (43.1, 47.3)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"periods": None}, "a release is needed to attack; or give periods, a date such as 2011-07-01"),
    ({"periods": "July"}, "periods: 'July' is no date that splits a table; give one such as 2011-07-01"),
    ({"periods": "08:30"}, "periods: '08:30' is no date that splits a table"),
    ({"periods": 2011}, "periods: 2011 is no date that splits a table"),
    ({"time": None}, "periods need one column of dates to split the table by; name it by --time"),
    ({"time": ["day", "goods"]}, "periods need one column of dates"),
    ({"user": None}, "periods need to know whose records they are; name the user column by --user"),
    ({"release": table(shop())}, "periods split one table by a date; leave out the release, or the periods"),
    (
        {"truth": {"c01": "c01"}, "without_records": True},
        "keep their names; leave out --truth, --without-rec",
    ),
    ({"attacks": ["dates", "jaccard"]}, "the attack 'dates' needs days that both periods have; leave it out"),
]


@pytest.mark.parametrize(("asked", "said"), WRONG)
def test_bad_usage_is_said_in_one_line(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        attack(table(shop()), **{"periods": "2011-07-01", **ASKED, **asked})
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            {"periods": "2031"},
            "nobody has records both before 2031 and from it on; give a date that lies between",
        ),
        (
            {"time": "goods"},
            "column 'goods': 60 of 60 different values are no dates; name a column by --time",
        ),
    ],
)
def test_tables_that_can_not_be_split(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=r"no dates|nobody has") as caught:
        attack(table(shop()), **{"periods": "2011-07-01", **ASKED, "item": None, **asked})
    assert said in str(caught.value)

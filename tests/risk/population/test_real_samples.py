"""Samples of real tables of which everybody is known: what they say, what is estimated, what is true."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy
import pyarrow
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet
import pytest

from singleout import assess, attack, known_records, sketch
from singleout.engine.open_engine import open_engine
from singleout.engine.protocol import Question
from singleout.read.source import source
from singleout.risk.population.measures import POPULATION_MARKETER, POPULATION_UNIQUE
from singleout.risk.population.models import FittedModel, fit_models
from singleout.risk.population.nonparametric_bound import upper_bounds
from singleout.risk.population.sample_classes import SampleClasses
from singleout.risk.population.scaling_law import fit_scaling_law
from tests.support.whole_files import whole_files

CUSTOMERS = 4338


@pytest.fixture(scope="module")
def shop() -> pyarrow.Table:
    """Online Retail: who bought what, on which day and in which week."""
    table = pyarrow.parquet.read_table(whole_files() / "online_retail" / "online_retail.parquet")
    sold = pc.and_(pc.greater(table["Quantity"], 0), pc.greater(table["UnitPrice"], 0))
    table = table.filter(pc.and_(sold, pc.is_valid(table["CustomerID"])))
    day = table["InvoiceDate"].cast("date32")
    week = pc.floor_temporal(day, unit="week")
    bought = {"goods": table["StockCode"], "price": table["UnitPrice"]}
    return pyarrow.table({"who": table["CustomerID"], "day": day, "week": week, **bought})


@pytest.fixture(scope="module")
def parts(shop: pyarrow.Table) -> list[pyarrow.Table]:
    """Those of 400 of the customers, drawn four times."""
    customers = shop["who"].unique()
    assert len(customers) == CUSTOMERS
    drawn = (numpy.random.default_rng(seed).choice(CUSTOMERS, 400, replace=False) for seed in range(4))
    return [shop.filter(pc.is_in(shop["who"], customers.take(each))) for each in drawn]


def found_by(shop: pyarrow.Table, points: list[int], columns: list[str]) -> list[Any]:
    """Of each number of known records by all of the columns."""
    found = attack(shop, shop, user="who", columns=columns, attacks=[], points=points).unicity
    return [each for each in found if len(each.columns) == len(columns) and not each.worst]


def test_what_known_records_tell_of_all_customers(shop: pyarrow.Table) -> None:
    """The share of right guesses among all, as it was worked out without singleout."""
    one, two, three = (each.rate for each in found_by(shop, [1, 2, 3], ["goods", "week"]))
    assert (one, two) == pytest.approx((0.229, 0.832), abs=0.006)
    # 0.965 of those who have three records; here those with fewer are found by what they have
    assert three == pytest.approx(0.965, abs=0.015)
    others = [(["goods"], 2, 0.117, 0.006), (["day"], 1, 0.018, 0.001), (["price"], 1, 0.005, 0.001)]
    for columns, points, rate, off in others:
        (found,) = found_by(shop, [points], columns)
        assert found.rate == pytest.approx(rate, abs=off)


@pytest.mark.parametrize(
    ("columns", "points", "sampled", "law", "off"),
    [
        (["goods", "week"], 1, 0.727, 0.265, 0.02),
        (["goods", "week"], 2, 0.977, 0.855, 0.02),
        # of those who have three records; here those with fewer are found by what they have
        (["goods", "week"], 3, 0.997, 0.971, 0.02),
        (["goods"], 2, 0.510, 0.154, 0.02),
        (["day"], 1, 0.186, 0.046, 0.01),
        (["price"], 1, 0.019, 0.002, 0.004),
    ],
)
def test_the_law_of_400_customers(
    parts: list[pyarrow.Table], columns: list[str], points: int, sampled: float, law: float, off: float
) -> None:
    """What they say themselves, and the law of them for all, as it was worked out without singleout."""
    found = [one for each in parts for one in found_by(each, [points], columns)]
    laws = [fit_scaling_law(SampleClasses.of_candidates(each.found.items())) for each in found]
    assert numpy.mean([each.rate for each in found]) == pytest.approx(sampled, abs=off)
    assert numpy.mean([each.correctness(CUSTOMERS) for each in laws]) == pytest.approx(law, abs=off)


def test_low_ends_of_several_known_records_reach_the_truth(shop: pyarrow.Table) -> None:
    """Eight goods of each of a quarter of the customers: the law itself says far too much of all."""
    customers = shop["who"].unique()
    (true,) = found_by(shop, [8], ["goods"])
    rows = numpy.random.default_rng(500).choice(len(customers), 1084, replace=False)
    part = shop.filter(pc.is_in(shop["who"], customers.take(rows))).select(["who", "goods"])
    found = attack(part, part, user="who", attacks=[], points=[8])
    (eight,) = known_records(found, population=CUSTOMERS).laws
    assert eight.view is not None
    alone = eight.view.of("law").numbers
    assert alone["unique_share"] > true.unique + 0.2
    for measure, truth in ((POPULATION_UNIQUE, true.unique), (POPULATION_MARKETER, true.rate)):
        low, high = eight.view.of("law").interval(measure) or (1.0, 0.0)
        assert low == 0
        assert truth <= high
    assert any("often says too much" in each for each in eight.view.remarks)


@pytest.mark.parametrize("points", [4, 8])
def test_customers_who_fit_most_others_hide_nobody(shop: pyarrow.Table, points: int) -> None:
    """Where all four who have most goods were drawn, others look less alone there than among all drawn so."""
    goods = shop.group_by("who").aggregate([("goods", "count_distinct")]).sort_by(
        [("goods_count_distinct", "descending"), ("who", "ascending")]
    )  # fmt: skip
    (true,) = found_by(shop, [points], ["goods"])
    rows = numpy.random.default_rng(900).choice(len(goods), 1084, replace=False)
    chosen = goods["who"].take(numpy.unique(numpy.concatenate([numpy.arange(4), rows])))
    (own,) = found_by(shop.filter(pc.is_in(shop["who"], chosen)), [points], ["goods"])
    sample = SampleClasses.of_candidates(own.found.items())
    assert upper_bounds(sample, CUSTOMERS)["unique_share"] > true.unique
    assert upper_bounds(sample, CUSTOMERS)["marketer"] > true.rate
    as_classes = SampleClasses(sample.sizes, sample.counts)
    assert upper_bounds(as_classes, CUSTOMERS)["marketer"] < true.rate


def test_who_does_not_know_who_was_sampled_finds_few_of_adult() -> None:
    """1,000 of 30,162: the average risk is 0.55 in the sample, and 0.094 among everybody."""
    path = whole_files() / "arx_adult" / "adult.csv"
    everybody = pyarrow.csv.read_csv(path, parse_options=pyarrow.csv.ParseOptions(delimiter=";"))
    columns = ["age", "marital-status", "education"]
    everybody = everybody.select(columns)
    rows = numpy.random.default_rng(6).choice(len(everybody), 1000, replace=False)
    found = assess(everybody.take(rows), user="none", reference=everybody, reference_user="none")
    assert found.classes is not None
    assert found.classes.by_records.average_risk.known == pytest.approx(0.551, abs=0.03)
    assert found.reference is not None
    assert found.reference.marketer.known == pytest.approx(0.094, abs=0.012)


# of one sample: by Pitman and the law, by Zayatz and SNB, by Pitman as ARX; of 300 people, laws hardly tell
SPREAD = {
    "0.01": (0.19, 0.03, 0.33),
    "0.05": (0.06, 0.02, 0.05),
    "0.1": (0.02, 0.012, 0.02),
    "0.2": (0.02, 0.016, 0.02),
}


@pytest.mark.parametrize(("table", "share"), [(0, "0.01"), (0, "0.05"), (0, "0.2"), (1, "0.1"), (2, "0.1")])
def test_models_on_samples_of_adult(table: int, share: str, golden: dict[str, Any]) -> None:
    """Means of ten samples, within three deviations of the difference of two such means."""
    case = golden["population"]["adult_samples"][table]
    truth, *told = case["shares"][share]
    path = whole_files() / "arx_adult" / "adult.csv"
    everybody = pyarrow.csv.read_csv(path, parse_options=pyarrow.csv.ParseOptions(delimiter=";"))
    columns = (everybody[name].to_pylist() for name in case["columns"])
    keys = [*zip(*columns, strict=True)]
    assert [*Counter(keys).values()].count(1) / len(keys) == pytest.approx(truth, abs=6e-4)
    found = [unique_by_models(keys, float(share), seed) for seed in range(10)]
    law_like, simple, as_arx = (3 * each * math.sqrt(2 / 10) for each in SPREAD[share])
    means = numpy.mean(found, axis=0)
    assert means[:2].tolist() == pytest.approx(told[:2], abs=law_like)
    assert means[2:4].tolist() == pytest.approx(told[2:4], abs=simple)
    assert means[4] == pytest.approx(told[4], abs=as_arx)


def unique_by_models(keys: list[Any], share: float, seed: int) -> list[float]:
    rows = numpy.random.default_rng(seed).choice(len(keys), round(share * len(keys)), replace=False)
    sizes = Counter(Counter(keys[row] for row in rows).values())
    fits = fit_models(SampleClasses.of_pairs(sorted(sizes.items())), len(keys))
    wanted = [fits[name] for name in ("pitman", "law", "zayatz", "snb", "pitman_asymptotic")]
    return [each.numbers["unique_share"] for each in wanted if isinstance(each, FittedModel)]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_sketch_of_goods_and_days(shop: pyarrow.Table, seed: int) -> None:
    """Within four deviations of the exact count, √(p(1 − p)/2048), and below its bound."""
    with open_engine(source(shop)) as engine:
        sizes = engine.sizes(Question(("goods", "day"), "who"))
    share = float(sizes.groups[sizes.people == 1].sum() / sizes.groups.sum())
    assert int(sizes.groups.sum()) == 222_370
    asked = sketch(shop, user="who", columns=["goods", "day"], together=[("goods", "day")], seed=seed)
    (both,) = (each for each in asked.sketches if each.columns == ("goods", "day"))
    assert both.share == pytest.approx(share, abs=4 * 0.0107)
    assert both.share_high >= share
    assert both.values == pytest.approx(222_370, rel=4 * 0.022)
    assert both.records_share_high >= both.records_share

"""Charts about one table: their records against the results they come from, never pictures."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations as sets_of
from typing import Any
from xml.etree import ElementTree

import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

import singleout
from singleout.attacks.result import Reidentification
from singleout.engine.class_sizes import Sizes
from singleout.investigation.remedies import Remedies, Trial
from singleout.report.charts import layout
from singleout.report.charts.attribute_sets import budget_curve, minimal_sets, pairs_heat_map
from singleout.report.charts.attributes import (
    alpha_distribution,
    attribute_risks,
    model_risks,
    records_and_people,
)
from singleout.report.charts.chart import Chart
from singleout.report.charts.domains import information_beside_chance
from singleout.report.charts.pair_heat_map import readable_ink
from singleout.report.charts.predictions import predicted_risks
from singleout.report.charts.remedies import combined_trials, trials
from singleout.report.charts.risk_curve import risk_curve
from singleout.report.charts.style import RAMP
from singleout.report.charts.unicity import unicity
from singleout.report.charts.value_spread import bins_of, dots_of
from singleout.result_table import Cell
from singleout.risk.assess.result import Assessment, Attribute
from singleout.risk.assess.sampling import ValueSample
from singleout.risk.attribute_risk import attribute_risk
from singleout.risk.combinations.allowable_risk import Criterion
from singleout.risk.combinations.attacker_budget import AffordableSet, PricedSets
from singleout.risk.combinations.budget_curve import Reach
from singleout.risk.combinations.result import AllowableSets, Combinations
from singleout.risk.combinations.set_risk import SetRisk
from singleout.risk.entropy.result import Disclosure
from singleout.risk.equivalence_classes import history_classes
from singleout.risk.predict.result import Prediction

COLUMNS = ["date", "time", "goods", "price", "number"]
SECRET = "Herring9317"
HOSTILE = ['<script>alert("x")</script>', "漢字", "a.b", "a,b", "[x]", "O'Brien & son", "long " * 200]
# what a record of a chart may be called, so that no name of a column is ever taken for a path
FIELDS = {
    "across", "at_risk", "attribute", "budget", "chance", "chance_said", "confidence", "domain", "down",
    "end", "h_user", "high", "information", "ink", "kind", "known", "limit", "low", "low_cost", "mean",
    "method", "model", "orr", "people", "points", "records", "risk", "said", "set", "share", "shown", "trial",
    "unique", "value", "values", "which",
}  # fmt: skip


@pytest.fixture(scope="module")
def shop() -> pyarrow.Table:
    """The sample shop; one of its goods must never be seen in a chart."""
    table: Any = singleout.sample("shop", people=60, seed=1)
    goods = [SECRET if place == 7 else each for place, each in enumerate(table["goods"].to_pylist())]
    return table.set_column(table.column_names.index("goods"), "goods", [goods])


@pytest.fixture(scope="module")
def found(shop: pyarrow.Table) -> Assessment:
    return singleout.assess(shop, user="customer", columns=COLUMNS, sample=20)


@pytest.fixture(scope="module")
def pairs(shop: pyarrow.Table) -> Combinations:
    costs = dict.fromkeys(COLUMNS, 1)
    return singleout.combinations(shop, user="customer", columns=COLUMNS, costs=costs, resource=2)


@pytest.fixture(scope="module")
def sets(shop: pyarrow.Table) -> Combinations:
    costs = {"date": 3, "time": 2, "goods": 2, "price": 1, "number": 1}
    return singleout.combinations(shop, user="customer", columns=COLUMNS, allow=3, costs=costs)


@pytest.fixture(scope="module")
def seen(shop: pyarrow.Table) -> Reidentification:
    return singleout.attack(
        shop, shop, user="customer", columns=["date", "goods", "price"], attacks=[], worst=True,
        points=(1, 2), granularity={"date": ["day", "month"]},
    )  # fmt: skip


@pytest.fixture(scope="module")
def told(shop: pyarrow.Table) -> Disclosure:
    domains = [f"{name}={name}" for name in ("date", "goods", "number")]
    return singleout.entropy(shop, user="customer", domains=domains)


@pytest.fixture(scope="module")
def predicted(shop: pyarrow.Table) -> Prediction:
    return singleout.predict(shop, user="customer", columns=["date", "goods", "number"])


def trial(column: str, granularity: str | None, words: str, risk: float, alone: int | None) -> Trial:
    return Trial(column, granularity, words, 12, risk, 0.5 + risk, 1, 7, alone, "")


HOUR, NO_TIME = trial("time", "hour", "time to the hour", 0.012, 58), trial("time", None, "no time", 0.0, 50)
MONTH = trial("date", "month", "date to the month", 0.2, 60)
REMEDIES = Remedies(
    0.05,
    trial("time", None, "everything as it is", 0.32, 60),
    (HOUR, NO_TIME, MONTH),
    (HOUR, MONTH),
    trial("date", None, "all of these", 0.2, 40),
)


@pytest.fixture(scope="module")
def charts(
    found: Assessment, pairs: Combinations, sets: Combinations, seen: Reidentification,
    told: Disclosure, predicted: Prediction,
) -> dict[str, Chart]:  # fmt: skip
    drawn = (
        attribute_risks(found), model_risks(found), alpha_distribution(found), records_and_people(found),
        risk_curve(found), pairs_heat_map(pairs), minimal_sets(sets), budget_curve(sets), unicity(seen),
        information_beside_chance(told), predicted_risks(predicted),
        trials(REMEDIES, found), combined_trials(REMEDIES),
    )  # fmt: skip
    return {chart.name: chart for chart in drawn if chart}


def views(spec: Any, data: Any = None) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Every mark of a chart with the records it is drawn from."""
    data = spec.get("data", data)
    if "mark" in spec:
        yield spec, data["values"]
    for inner in (*spec.get("layer", ()), *spec.get("vconcat", ())):
        yield from views(inner, data)


def records(chart: Chart | None, kind: str) -> list[dict[str, Any]]:
    """The records of the first marks of a kind that say their numbers."""
    assert chart is not None
    return next(
        values
        for view, values in views(chart.spec)
        if view["mark"]["type"] == kind and "description" in view["encoding"]
    )


def column(chart: Chart, name: str) -> list[Cell]:
    place = [heading.name for heading in chart.table.headings].index(name)
    return [row[place] for row in chart.table.rows]


def descriptions(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return [label for each in root.iter() if (label := each.get("aria-label"))]


NAMES = (
    "attribute-risks", "alpha-distribution", "records-and-people", "risk-curve", "pairs", "minimal-sets",
    "budget", "unicity", "information", "predictions", "trials", "trials-together",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_marks_say_their_numbers_or_nothing(charts: dict[str, Chart], name: str) -> None:
    chart = charts[name]
    for view, values in views(chart.spec):
        said = view["encoding"].get("description")
        assert (said is None) == (view["mark"].get("aria") is False), view["mark"]
        assert all(set(each) <= FIELDS for each in values)
        assert said is None or all(each[said["field"]] for each in values)
    svg = chart.svg()
    labels = descriptions(svg)
    spoken = [
        each[view["encoding"]["description"]["field"]]
        for view, values in views(chart.spec)
        if "description" in view["encoding"]
        for each in values
    ]
    assert spoken and set(spoken) <= set(labels)
    assert len(svg) < 60_000
    assert svg == chart.svg()


@pytest.mark.parametrize("name", NAMES)
def test_a_chart_has_words_and_a_table_and_no_raw_value(charts: dict[str, Chart], name: str) -> None:
    chart = charts[name]
    assert chart.says.endswith(".") and any(each.isdigit() for each in chart.says)
    assert chart.table.rows and all(len(row) == len(chart.table.headings) for row in chart.table.rows)
    assert chart.measures
    assert SECRET not in json.dumps(dict(chart.spec)) + chart.says + repr(chart.table.rows) + chart.svg()


def test_attribute_risks_are_those_of_the_assessment(found: Assessment, charts: dict[str, Chart]) -> None:
    chart = charts["attribute-risks"]
    ranked = sorted(found.attributes, key=lambda each: -each.risk.risk.known)
    bars = records(chart, "bar")
    assert [each["attribute"] for each in bars] == [each.name for each in ranked]
    assert [each["risk"] for each in bars] == [each.risk.risk.known for each in ranked]
    assert not {"low", "high", "low_cost"} & {*bars[0]}
    assert [each.name for each in chart.table.headings] == ["name", "values", "alpha", "risk"]
    models = charts["model-risks"]
    bars = records(models, "bar")
    assert {"low_cost", "sampled", "low", "high"} <= {each.name for each in models.table.headings}
    assert [each["low_cost"] for each in bars] == [each.risk.low_cost.known for each in ranked]
    assert [(each["low"], each["high"]) for each in bars] == [
        (each.sampling.low, each.sampling.high) for each in ranked if each.sampling
    ]
    assert column(chart, "risk") == [each["risk"] for each in bars]
    assert f"{ranked[0].name}: risk {layout.number(ranked[0].risk.risk.known)}" in bars[0]["said"]


def test_without_people_there_is_neither_interval_nor_model() -> None:
    alone = singleout.assess(pyarrow.table({"town": ["a", "b", "b"]}))
    (bar,) = records(attribute_risks(alone), "bar")
    # two values of three records, each its own person
    assert bar["risk"] == pytest.approx(2 / 3) and not {"low", "high", "low_cost"} & set(bar)
    assert alpha_distribution(alone) is None and records_and_people(alone) is None
    assert model_risks(alone) is None


# Ito et al. 2019, Table 3: the dates of the worked example, with risk 0.65 and α = 2, 1.5 and 3
DATES = Sizes.of([(4, 2, 1), (3, 2, 1), (3, 1, 1)])


def assessed(*columns: str, sizes: Sizes = DATES, people: int = 3) -> Assessment:
    attributes = tuple(
        Attribute(
            attribute_risk((name,), sizes, people),
            ValueSample(2).risk((name,), sizes, one_record_each=False),
            sizes=sizes,
        )
        for name in columns
    )
    together = history_classes(columns, sizes, 1)
    size = sizes.total_records
    return Assessment("t", "duckdb", "who", "value", 0, size, people, attributes, None, together, ())


def test_records_a_person_by_hand() -> None:
    chart = alpha_distribution(assessed("date"))
    bars = [each for each in records(chart, "bar") if each["share"]]
    assert [(each["low"], each["share"]) for each in bars] == [
        (1.5, pytest.approx(1 / 3)), (2, pytest.approx(1 / 3)), (3, pytest.approx(1 / 3)),
    ]  # fmt: skip
    (mean,) = records(chart, "rule")
    assert mean["mean"] == pytest.approx(6.5 / 3) and mean["said"] == "date: mean 2.17"


def test_values_with_exactly_one_record_a_person_are_a_bar_of_their_own() -> None:
    # nineteen values that nobody has twice, and one that its person has thirty times
    sizes = Sizes.of([(1, 1, 19), (30, 1, 1)])
    chart = alpha_distribution(assessed("a", "b", "c", "d", sizes=sizes, people=20))
    assert chart is not None
    ones, *others = records(chart, "bar")
    assert (ones["low"] < 1, ones["high"], ones["share"]) == (True, 1, 0.95)
    assert ones["said"] == "a: 95% of the values (19) have exactly 1 record a person"
    assert 1 - ones["low"] <= others[0]["high"] - others[0]["low"]
    assert [(each["low"] <= 30 < each["high"], each["share"]) for each in others if each["share"]] == [
        (True, 0.05)
    ]
    assert chart.says.endswith("These are the 3 riskiest of 4 attributes.")
    plain = alpha_distribution(assessed("a", sizes=Sizes.of([(1, 1, 5)]), people=5))
    assert plain is not None and "has 1 record with it" in plain.says and "riskiest of" not in plain.says
    (bar,) = records(plain, "bar")
    assert 0.9 < bar["low"] < bar["high"] == 1


def test_ticks_between_whole_numbers_are_not_rounded() -> None:
    axis = next(
        view["encoding"]["x"]["axis"]
        for view, _ in views(dict(alpha_distribution(assessed("date")).spec))  # type: ignore[union-attr]
        if view["mark"]["type"] == "bar"
    )
    assert any(value % 1 for value in axis["values"]) and axis["format"] == "~s"


def test_both_model_lines_and_every_value() -> None:
    chart = records_and_people(assessed("date"))
    dots = records(chart, "point")
    assert {(each["people"], each["records"]) for each in dots} == {(2, 4), (2, 3), (1, 3)}
    assert chart is not None
    lines = next(values for view, values in views(chart.spec) if view["mark"]["type"] == "line")
    slopes = {each["model"]: each["records"] / each["people"] for each in lines}
    assert list(slopes.values()) == [pytest.approx(6.5 / 3), 1]
    assert list(slopes) == ["mean model: |R| = 2.17·|U|", "low-cost model: |R| = |U|"]


groups = st.lists(
    st.tuples(st.integers(1, 10**6), st.integers(1, 400), st.integers(1, 9)), min_size=1, max_size=300
)


@given(groups)
def test_every_value_is_in_one_bin_and_in_one_dot(rows: list[tuple[int, int, int]]) -> None:
    sizes = Sizes.of([(people * times, people, number) for people, times, number in rows])
    bins, dots = bins_of(sizes), dots_of(sizes)
    assert len(bins) <= 24 and len(dots) <= 144
    assert sum(each.values for each in bins) == sum(each.values for each in dots) == sizes.total_groups
    assert math.fsum(each.share for each in bins) == pytest.approx(1)
    for each in bins:
        end = math.inf if each.most is not None or each.exact else each.high
        inside = [number for _, times, number in rows if each.low <= times < end]
        ones = sum(number for _, times, number in rows if times == 1)
        more = sum(inside) - (ones if bins[0].exact and each.low == 1 else 0)
        assert each.values == (ones if each.exact else more)
    weighed = math.fsum(each.records * each.values for each in dots)
    assert weighed == pytest.approx(sizes.total_records)


def test_the_curve_by_hand() -> None:
    # four records of two people together, three of two, three of one: 3 of 10 have the risk 1
    chart = risk_curve(assessed("date"))
    assert chart is not None
    assert [(each["risk"], each["share"]) for each in records(chart, "point")] == [(0.5, 0.7), (1, 1)]
    assert "30% have the risk 1" in chart.says
    assert column(chart, "size") == [2, 1]


def test_a_curve_of_records_where_nobody_is_named() -> None:
    chart = risk_curve(singleout.assess(pyarrow.table({"town": ["a"] * 30 + ["b"]})))
    assert chart is not None and "records alike" in json.dumps(dict(chart.spec))
    assert records(chart, "point")[0]["share"] == pytest.approx(30 / 31)


def many_sizes() -> Sizes:
    """About 20,000 different pairs of records and people."""
    return Sizes.of((17 * place + place % 5, place, 1 + place % 3) for place in range(1, 20_000))


def test_large_data_is_drawn_by_few_marks() -> None:
    found = assessed(*(f"column {place:03}" for place in range(250)), sizes=many_sizes(), people=20_000)
    drawn = (attribute_risks(found), alpha_distribution(found), records_and_people(found), risk_curve(found))
    for chart in drawn:
        assert chart is not None and len(chart.svg()) < 60_000
    risks, _, scatter, curve = drawn
    assert risks is not None and curve is not None and found.classes is not None and found.classes.by_people
    assert len(records(risks, "bar")) == 30 and len(risks.table.rows) == 200
    assert "the 30 riskiest of 250" in risks.table.note
    assert len(records(scatter, "point")) <= 144
    every = [(each.risk, each.share) for each in found.classes.by_people.curve]
    kept = [(each["risk"], each["share"]) for each in records(curve, "point")]
    assert len(kept) <= 102 < len(every) and set(kept) <= set(every)
    assert (kept[0], kept[-1]) == (every[0], every[-1])


def test_pairs_are_those_of_the_combinations(pairs: Combinations, charts: dict[str, Chart]) -> None:
    assert pairs.priced
    risks = {frozenset(each.risk.columns): each.risk.average_risk for each in pairs.priced.affordable}
    cells = records(charts["pairs"], "rect")
    assert {frozenset((each["across"], each["down"])): each["risk"] for each in cells} == {
        columns: risk for columns, risk in risks.items() if columns
    }
    assert len(cells) == 15  # five alone and ten pairs
    shade = next(view for view, _ in views(charts["pairs"].spec) if view["mark"]["type"] == "rect")
    assert shade["encoding"]["color"]["scale"]["domain"] == [0, 1]
    assert column(charts["pairs"], "average_risk") == sorted((each["risk"] for each in cells), reverse=True)


def set_risk(columns: tuple[str, ...], average: float, people: int = 5) -> SetRisk:
    return SetRisk(columns, 2, 9 * people, people, 0.5, average)


def wide(columns: list[str]) -> Combinations:
    """Pairs, minimal sets and a long curve of many columns."""
    names = [each for size in (1, 2) for each in sets_of(columns, size)]
    bought = tuple(
        AffordableSet(Fraction(len(each)), set_risk(each, (place % 97) / 97))
        for place, each in enumerate(names)
    )
    curve = tuple(
        Reach(Fraction(place), tuple(columns[:4]), 1 - 1 / (place + 1), 0.5, tuple(columns[:1]), 0.5)
        for place in range(2_000)
    )
    minimal = tuple(set_risk(each, 0.5, 1 + place) for place, each in enumerate(sets_of(columns[:9], 3)))
    allowable = AllowableSets(Criterion("worst", 3), 9, 9, minimal, (), ())
    priced = PricedSets(Fraction(5_000), (), bought, len(bought), False, curve)
    size = (900, 100, tuple(columns), 3)
    return Combinations("t", "duckdb", "who", "value", 0, *size, allowable=allowable, priced=priced)


def test_many_columns_stay_within_bounds() -> None:
    found = wide([f"a column called {place:02}" for place in range(25)])
    heat, bars, curve = pairs_heat_map(found), minimal_sets(found), budget_curve(found)
    for chart in (heat, bars, curve):
        assert chart is not None and len(chart.svg()) < 60_000
    cells = records(heat, "rect")
    assert len(cells) == 210 and heat is not None and "5 attributes" in heat.table.note
    assert not any(view["mark"]["type"] == "text" for view, _ in views(heat.spec))
    at_risk = [each["at_risk"] for each in records(bars, "bar")]
    assert at_risk == list(range(84, 64, -1)) and bars is not None and "64 more" in bars.table.note
    steps = records(curve, "point")
    assert len(steps) <= 103 and steps[0]["budget"] == 0
    assert sum(each["which"] == "highest risk of any record" for each in steps) == 1


def test_letters_are_read_on_every_shade() -> None:
    def brightness(colour: list[float]) -> float:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def channels(colour: str) -> list[float]:
        return [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]

    light, dark = map(channels, RAMP)
    for step in range(101):
        shade = [a + (b - a) * step / 100 for a, b in zip(light, dark, strict=True)]
        both = sorted((brightness(shade), brightness(channels(readable_ink(step / 100)))))
        assert (both[1] + 0.05) / (both[0] + 0.05) >= 4.5, step  # WCAG 2, level AA


def test_minimal_sets_count_people_or_records() -> None:
    # three records: the town singles out one, which one is alone with it
    table = pyarrow.table({"who": [1, 1, 2], "town": ["a", "a", "b"], "sex": ["f", "f", "f"]})
    by_people = records(minimal_sets(singleout.combinations(table, user="who", allow=1)), "bar")
    assert [(each["set"], each["at_risk"]) for each in by_people] == [("town", 2)]
    plain = singleout.combinations(table, columns=["town", "sex"], allow=1)
    by_records = records(minimal_sets(plain), "bar")
    assert [(each["set"], each["at_risk"]) for each in by_records] == [("town", 1)]
    assert by_records[0]["said"] == "town: 1 of 3 records at risk; average risk 0.667"
    chart = minimal_sets(plain)
    assert chart is not None
    assert chart.says.endswith("1 of 3 records (33.3%) has a value that no other record has.")
    # within two at most, everybody is at risk by the town
    two = minimal_sets(singleout.combinations(table, user="who", allow=2))
    assert two is not None and "that at most 1 other person has" in two.says


def test_a_budget_buys_what_the_curve_says(sets: Combinations, charts: dict[str, Chart]) -> None:
    assert sets.priced
    points = [each for each in records(charts["budget"], "point") if each["which"].startswith("average")]
    reached = {float(each.resource): each.average_risk for each in sets.priced.curve}
    assert points and all(reached[each["budget"]] == each["risk"] for each in points)
    assert [each["risk"] for each in points] == sorted({each["risk"] for each in points})
    assert points[0]["said"].startswith("budget 0, knowing nothing: ")
    assert charts["budget"].says.startswith("Attributes cost what was given for them.")
    assert column(charts["budget"], "average_risk") == [each.average_risk for each in sets.priced.curve]


def test_unicity_has_few_lines_all_columns_first(seen: Reidentification, charts: dict[str, Chart]) -> None:
    dots = records(charts["unicity"], "point")
    lines = {(each["known"], each["which"]) for each in dots}
    assert len(lines) == 6 and len({which for _, which in lines}) == 2
    names = list(dict.fromkeys(each["known"] for each in sorted(dots, key=lambda each: each["known"])))
    assert {"all 3 columns: date (to the day)", "all 3 columns: date (to the month)"} <= set(names)
    by_way = {(len(each.columns), each.points, each.worst, each.unique) for each in seen.unicity}
    together = [each for each in dots if each["known"] == "all 3 columns: date (to the day)"]
    assert len(together) == 4
    for each in together:
        assert (3, each["points"], each["which"].startswith("the most"), each["unique"]) in by_way


def test_the_table_behind_has_every_way_that_was_measured(seen: Reidentification) -> None:
    chart = unicity(seen)
    assert chart is not None
    assert column(chart, "unique") == [each.unique for each in seen.unicity]
    assert "Drawn are 3 of " in chart.table.note
    few = seen.enough
    assert few is not None
    assert f"one candidate for {layout.share(few.unique)} of the people" in chart.says
    long = unicity(replace(seen, unicity=seen.unicity * 30))
    assert long is not None and len(long.table.rows) == 200
    assert f"{len(seen.unicity) * 30 - 200:,} more rows are left out." in long.table.note


def test_bits_beside_chance(told: Disclosure, charts: dict[str, Chart]) -> None:
    by_name = {each.name: each for each in told.domains}
    bars = records(charts["information"], "bar")
    assert {each["domain"] for each in bars} == set(by_name)
    for each in bars:
        domain = by_name[each["domain"]]
        assert each["information"] == domain.information.information <= each["h_user"]
        assert (each["low"], each["chance"], each["high"]) == (
            domain.chance.low, domain.chance.information, domain.chance.high,
        )  # fmt: skip
    beyond = [each["information"] - each["chance"] for each in bars]
    assert beyond == sorted(beyond, reverse=True)


def test_one_domain_that_tells_is_enough(told: Disclosure) -> None:
    first, second, third = told.domains
    # the first seems to tell most beyond its mean by chance, and lies within its range
    wide = replace(first, chance=replace(first.chance, information=0.0, low=0.0, high=99.0))
    sure = replace(second, chance=replace(second.chance, information=0.1, low=0.1, high=0.2))
    chart = information_beside_chance(replace(told, domains=(wide, sure, third)))
    assert chart is not None
    assert chart.says.startswith(f"A record of {second.name} tells ")
    none = information_beside_chance(replace(told, domains=(wide,)))
    assert none is not None and none.says.startswith("No domain tells more than chance would")


def test_bits_are_no_probabilities_and_clear_of_the_limit(told: Disclosure) -> None:
    first = told.domains[0]
    nearly = replace(first, information=replace(first.information, information=0.99995, h_user=1.0))
    (bar,) = records(information_beside_chance(replace(told, domains=(nearly,))), "bar")
    assert bar["shown"] == "1" and "over" not in bar["said"] + bar["chance_said"]
    assert bar["end"] == bar["h_user"]
    far = replace(first, information=replace(first.information, information=0.5, h_user=1.0))
    (bar,) = records(information_beside_chance(replace(told, domains=(far,))), "bar")
    assert bar["end"] == 0.5


def test_a_prediction_that_is_right_is_called_so(predicted: Prediction) -> None:
    best = next(each for each in predicted.predictions if each.method == predicted.recommended)
    right = predicted_risks(replace(predicted, orr=best.orr, columns=("date",)))
    assert right is not None
    assert right.says.endswith(
        "to whoever knows the one column, date; in the data it is the same, as far as three digits tell."
    )
    assert ", 1 column." in right.table.note
    off = predicted_risks(replace(predicted, orr=best.orr / 2))
    assert off is not None and "to whoever knows all 3 columns; in the data" in off.says
    assert off.says.endswith(" too high.")


def test_predictions_beside_the_truth(predicted: Prediction, charts: dict[str, Chart]) -> None:
    dots = records(charts["predictions"], "point")
    assert [(each["orr"], each["low"], each["high"]) for each in dots] == [
        (each.orr, each.low, each.high) for each in predicted.predictions
    ]
    advised = [each["method"] for each in dots if each["which"] == "advised method"]
    assert len(advised) == 1 and advised[0].startswith(predicted.recommended)
    (truth,) = records(charts["predictions"], "rule")
    assert truth["orr"] == predicted.orr
    unknown = predicted_risks(replace(predicted, orr=None))
    assert unknown is not None
    assert not [view for view, _ in views(unknown.spec) if "description" in view["encoding"]][1:]


def test_trials_start_with_what_is_and_mark_what_is_advised(found: Assessment) -> None:
    before = {each.name: each.risk.risk.known for each in found.attributes}
    bars = records(trials(REMEDIES, found), "bar")
    assert [(each["trial"], each["risk"]) for each in bars] == [
        ("time as it is", before["time"]), ("time to the hour", 0.012), ("no time", 0.0),
        ("date as it is", before["date"]), ("date to the month", 0.2),
    ]  # fmt: skip
    assert [each["trial"] for each in bars if each["kind"] == "advised"] == [
        "time to the hour", "date to the month",
    ]  # fmt: skip
    (limit,) = records(trials(REMEDIES, found), "rule")
    assert limit["limit"] == 0.05
    # without an assessment only the riskiest column is known as it is
    assert [each["risk"] for each in records(trials(REMEDIES), "bar")] == [0.32, 0.012, 0.0, 0.2]


def test_all_columns_together_after_each_trial() -> None:
    chart = combined_trials(REMEDIES)
    assert chart is not None
    bars = [(each["trial"], each["value"]) for each in records(chart, "bar")]
    assert bars == [
        ("as it is", 60), ("time to the hour", 58), ("no time", 50), ("date to the month", 60),
        ("all that is advised", 40),
    ]  # fmt: skip
    assert "from 0.82 to 0.7" in chart.says and "from 60 to 40" in chart.says
    assert column(chart, "words") == [name for name, _ in bars]
    assert column(chart, "people_alone") == [value for _, value in bars]
    assert column(chart, "risk") == [None, 0.012, 0.0, 0.2, None]
    assert column(chart, "values") == [None, 12, 12, 12, None]
    assert column(chart, "advised") == [False, True, False, True, True]
    assert all(each.measure for each in chart.table.headings[1:-1])
    plain = combined_trials(replace(REMEDIES, before=replace(MONTH, people_alone=None)))
    assert plain is not None and "people_alone" not in [each.name for each in plain.table.headings]


def test_where_everybody_stays_alone_the_average_risk_is_told() -> None:
    same = [replace(each, people_alone=60) for each in REMEDIES.trials]
    stuck = replace(
        REMEDIES,
        trials=tuple(same),
        together=replace(REMEDIES.together, people_alone=60) if REMEDIES.together else None,
    )
    chart = combined_trials(stuck)
    assert [each["value"] for each in records(chart, "bar")] == pytest.approx([0.82, 0.512, 0.5, 0.7, 0.7])
    assert chart is not None and "still 60 people" in chart.says


def test_nothing_to_draw() -> None:
    nothing = Remedies(0.05, None, (), (), None)
    assert trials(nothing) is None and combined_trials(nothing) is None
    plain = Combinations("t", "duckdb", None, "value", 0, 3, 3, ("a",))
    assert pairs_heat_map(plain) is None and minimal_sets(plain) is None and budget_curve(plain) is None
    empty = replace(assessed("date"), attributes=(), classes=None)
    assert attribute_risks(empty) is None and risk_curve(empty) is None
    assert alpha_distribution(empty) is None and records_and_people(empty) is None


def test_no_pairs_of_one_column_and_no_points_that_were_not_asked_for(shop: pyarrow.Table) -> None:
    one = singleout.combinations(shop, user="customer", columns=["date"], costs={"date": 1})
    curve = budget_curve(one)
    assert pairs_heat_map(one) is None and curve is not None
    assert curve.says.startswith("Each attribute is taken to cost 1.")
    assert '"budget (each attribute costs 1)"' in json.dumps(dict(curve.spec))
    never = singleout.attack(shop, shop, user="customer", item="goods", points=[], columns=["goods"])
    assert unicity(never) is None


def test_one_record_is_drawn() -> None:
    row = pyarrow.table({"who": [1], "town": ["a"], "age": [3]})
    found = singleout.assess(row, user="who")
    sets = singleout.combinations(row, user="who", allow=1, costs={"town": 1, "age": 1})
    told = singleout.entropy(row, user="who", domains=["town=town"])
    points = singleout.attack(row, row, user="who", attacks=[], columns=["town"])
    guess = singleout.predict(row, columns=["town", "age"])
    drawn = [
        attribute_risks(found), alpha_distribution(found), records_and_people(found), risk_curve(found),
        pairs_heat_map(sets), minimal_sets(sets), budget_curve(sets), information_beside_chance(told),
        unicity(points), predicted_risks(guess),
    ]  # fmt: skip
    for chart in drawn:
        assert chart is not None
        ElementTree.fromstring(chart.svg())
        assert "nan" not in json.dumps(dict(chart.spec)).lower()


def test_values_that_are_all_missing_are_drawn() -> None:
    table = pyarrow.table({"who": [1, 1, 2], "town": pyarrow.array([None] * 3, pyarrow.string())})
    found = singleout.assess(table, user="who")
    for chart in (attribute_risks(found), alpha_distribution(found), risk_curve(found)):
        assert chart is not None
        ElementTree.fromstring(chart.svg())
    wild = singleout.assess(table, user="who", missing="wildcard")
    (bar,) = records(attribute_risks(wild), "bar")
    assert not {"low", "low_cost"} & set(bar) and alpha_distribution(wild) is None


def test_names_are_text_and_nothing_else() -> None:
    table = pyarrow.table({"who": [1, 1, 2, 3]} | {name: ["a", "b", "b", "c"] for name in HOSTILE})
    found = singleout.assess(table, user="who")
    sets = singleout.combinations(table, user="who", allow=1, costs=dict.fromkeys(HOSTILE, 1), resource=2)
    told = singleout.entropy(
        table, user="who", domains=[singleout.Domain(name, (name,)) for name in HOSTILE[:3]]
    )
    points = singleout.attack(table, table, user="who", attacks=[], columns=HOSTILE[:3])
    drawn = [
        attribute_risks(found), alpha_distribution(found), records_and_people(found), pairs_heat_map(sets),
        minimal_sets(sets), budget_curve(sets), information_beside_chance(told), unicity(points),
        trials(Remedies(0.1, None, (trial(HOSTILE[0], None, f"{HOSTILE[0]} left out", 0.0, 1),), (), None)),
    ]  # fmt: skip
    for chart in drawn:
        assert chart is not None
        svg = chart.svg()
        assert "<script" not in svg and len(svg) < 60_000
        ElementTree.fromstring(svg)
    labels = descriptions(drawn[0].svg() if drawn[0] else "")
    for name in HOSTILE[1:6]:
        assert any(each.startswith(f"{name}: risk ") for each in labels), name


def test_names_that_a_page_cannot_hold_are_written_out() -> None:
    names = ("a\x00b", "a\ud800b", "a\nb", "", "\u202eevil")
    chart = attribute_risks(assessed(*names))
    shown = [each["attribute"] for each in records(chart, "bar")]
    assert sorted(shown) == sorted(["a\\x00b", "a\\ud800b", "a\\nb", "(no name)", "\\u202eevil"])
    assert chart is not None
    ElementTree.fromstring(chart.svg())


def test_labels_are_never_alike() -> None:
    alike = ["x" * 500 + "end", "x" * 400 + "end", "x" * 300 + "end", "y", "y"]
    found = layout.labels(alike)
    assert len(set(found)) == 5 and all(len(each) <= 30 for each in found)

"""Charts of single attributes: their risks, and how records and people are spread over their values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from singleout.engine.class_sizes import Sizes
from singleout.report.charts import layout
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import (
    LegendMark,
    drawing,
    interval,
    legend,
    log_axis,
    marks,
    number,
    number_axis,
    plural,
    row_axis,
    silent_marks,
)
from singleout.report.charts.style import BLUE, INK, ORANGE, PALE
from singleout.report.charts.value_spread import Dot, bins_of, dots_of, histogram
from singleout.result_table import Cell, Heading, ResultTable
from singleout.risk.assess.result import Assessment, Attribute
from singleout.risk.assess.sampling import SAMPLED_RISK
from singleout.risk.attribute_risk import ALPHA, LOW_COST, RISK, VALUES

MOST_ATTRIBUTES, MOST_ROWS, MOST_HISTOGRAMS = 30, 200, 3


def attribute_risks(found: Assessment) -> Chart | None:
    """How likely does one value of each attribute give away its person?"""
    shown = _riskiest_attributes(found)
    if not shown:
        return None
    return Chart(
        name="attribute-risks",
        title="Risk of each attribute",
        says=_risks_say(found, shown),
        table=_risk_table(found, found.table(), len(shown)),
        spec=_risk_spec(shown, with_models=False),
        measures=(RISK,),
    )


def model_risks(found: Assessment) -> Chart | None:
    """The same of a history beside what whoever does not read all records would say."""
    shown = _riskiest_attributes(found)
    if not shown or found.user is None:
        return None
    return Chart(
        name="model-risks",
        title="The same risk by cheaper models",
        says=_models_say(shown[0]),
        table=_risk_table(found, found.models_table(), len(shown)),
        spec=_risk_spec(shown, with_models=True),
        measures=(RISK, LOW_COST, SAMPLED_RISK),
    )


def _riskiest_attributes(found: Assessment) -> list[Attribute]:
    return sorted(found.attributes, key=lambda each: -each.risk.risk.known)[:MOST_ATTRIBUTES]


def _risk_spec(shown: Sequence[Attribute], with_models: bool) -> dict[str, Any]:
    names = layout.labels(each.name for each in shown)
    values = [_risk(name, each, with_models) for name, each in zip(names, shown, strict=True)]
    return drawing(values, _risk_layers(values), {"step": 26}, {"y": row_axis("attribute", names)}, right=52)


def _risk(name: str, attribute: Attribute, with_models: bool) -> dict[str, Any]:
    risk, sampling = attribute.risk, attribute.sampling
    found: dict[str, Any] = {"attribute": name, "risk": risk.risk.known, "shown": number(risk.risk.known)}
    said = f"{name}: risk {number(risk.risk.known)}; {plural(int(risk.values.known), 'value', 'values')}"
    if with_models and sampling:
        found |= {"low": sampling.low, "high": sampling.high, "confidence": sampling.confidence}
        said += f"; sampled {number(sampling.low)} to {number(sampling.high)}"
    if with_models and risk.low_cost.value is not None:
        found["low_cost"] = risk.low_cost.value
        said += f"; low-cost model {number(risk.low_cost.value)}"
    return {**found, "end": max(risk.risk.known, found.get("high", 0)), "said": said}


def _risk_layers(values: Sequence[dict[str, Any]]) -> list[layout.Layer]:
    top = max(each["end"] for each in values)
    looks = {"risk": LegendMark(BLUE, layout.BLOCK, PALE)}
    more: list[layout.Layer] = []
    x = number_axis("risk", "probability to name the person by one value", (0, top))
    sampled = next((each for each in values if "low" in each), None)
    if sampled:
        looks[f"{sampled['confidence']:.0%} interval of a sample of values"] = LegendMark(INK, layout.BETWEEN)
        more += interval(number_axis("low"), number_axis("high"))
    if any("low_cost" in each for each in values):
        looks["low-cost model, by counting values only"] = LegendMark(ORANGE, layout.TICK)
        encoding = {"x": number_axis("low_cost"), **legend([*looks][-1], looks)}
        more.append(silent_marks("point", encoding, filled=False, strokeWidth=3, size=240))
    text = silent_marks("text", {"x": number_axis("end"), "text": {"field": "shown"}}, align="left", dx=6)
    return [marks("bar", {"x": x}, height=15, fill=PALE, stroke=BLUE), *more, text]


def _risks_say(found: Assessment, ranked: Sequence[Attribute]) -> str:
    first, last = ranked[0], ranked[-1]
    says = (
        f"Whoever learns {layout.short_name(first.name)} of one record names its person with probability "
        f"{number(first.risk.risk.known)} on average over the records"
    )
    if len(ranked) > 1:
        says += f"; with {layout.short_name(last.name)} it is {number(last.risk.risk.known)}"
    if found.user is None:
        return f"{says}. No person column was named, so each record is its own person."
    return f"{says}."


def _models_say(first: Attribute) -> str:
    exact = f"By all records the risk of {layout.short_name(first.name)} is {number(first.risk.risk.known)}"
    if first.risk.low_cost.value is None:
        return f"{exact}."
    return (
        f"{exact}. Whoever only counts values (low-cost model) would say "
        f"{number(first.risk.low_cost.value)}: too low where people have a value again and again."
    )


def _risk_table(found: Assessment, table: ResultTable, drawn: int) -> ResultTable:
    number_of, note = len(found.attributes), table.note
    if number_of > drawn:
        note += f" The chart shows the {drawn} riskiest of {number_of:,} attributes."
    if number_of > MOST_ROWS:
        note += f" This table shows the {MOST_ROWS} riskiest."
    return replace(table, rows=table.rows[:MOST_ROWS], note=note.strip())


def alpha_distribution(found: Assessment) -> Chart | None:
    """How many records has a person with a value: how does that differ from value to value?"""
    shown = _single_attributes(found)[:MOST_HISTOGRAMS]
    if not shown:
        return None
    names = layout.labels(each.name for each, _ in shown)
    rows: list[tuple[Cell, ...]] = []
    views, any_exact = [], False
    for index, (name, (each, sizes)) in enumerate(zip(names, shown, strict=True)):
        bins = bins_of(sizes)
        any_exact = any_exact or bins[0].exact
        views.append(histogram(name, each.risk.alpha.known, bins, is_last=index == len(shown) - 1))
        rows += [(each.name, one.words, one.values, one.share) for one in bins if one.values]
    return Chart(
        name="alpha-distribution",
        title="How often people have the same value again",
        says=_alpha_says([each for each, _ in shown], len(_single_attributes(found)), any_exact),
        table=ResultTable("Values by their records a person (α_x = |R_x| / |U_x|)", _ALPHA, tuple(rows)),
        spec={"vconcat": views, "spacing": 14},
        measures=(ALPHA,),
    )


def _alpha_says(shown: Sequence[Attribute], all_of_them: int, any_exact: bool) -> str:
    first, *others = [(layout.short_name(each.name), each.risk.alpha.known) for each in shown]
    beside = "".join(f", of {name} {number(alpha)}" for name, alpha in others)
    riskiest = f" These are the {len(shown)} riskiest of {all_of_them:,} attributes."
    return (
        f"Whoever has a value of {first[0]} has {_records(first[1])} with it, on average over the values"
        f"{beside}. Bars far right of 1 are values that the same people have again and again: they make the "
        "attribute riskier than the number of its values shows."
        + (" The narrow bar left of 1 are the values with exactly 1 record a person." if any_exact else "")
        + (riskiest if all_of_them > len(shown) else "")
    )


_ALPHA = (
    Heading("attribute", "attribute"),
    Heading.of("records_a_person", "records a person", ALPHA),
    Heading.of("values", "values", VALUES),
    Heading("share", "share of the values", "values with so many records a person / all values"),
)


def _single_attributes(found: Assessment) -> list[tuple[Attribute, Sizes]]:
    """The single attributes of a history whose values do not overlap, riskiest first."""
    plain = [
        (each, each.sizes)
        for each in found.attributes
        if found.user and len(each.risk.columns) == 1 and each.sizes and not each.sizes.overlapping
    ]
    return sorted(plain, key=lambda each: -each[0].risk.risk.known)


def records_and_people(found: Assessment) -> Chart | None:
    """Do more records of a value mean more people, as both models have it?"""
    attributes = _single_attributes(found)
    if not attributes:
        return None
    riskiest, sizes = attributes[0]
    dots, alpha = dots_of(sizes), riskiest.risk.alpha.known
    name = layout.short_name(riskiest.name)
    each_one = "a dot is a value" if len(dots) == len(sizes.groups) else "a dot is some values"
    return Chart(
        name="records-and-people",
        title=f"How many records and people each value of {name} has",
        says=(
            f"The low-cost model thinks that nobody has a value of {name} twice (|R| = |U|). In truth a "
            f"person with a value has {_records(alpha)} with it on average, the mean model's line: "
            f"the further dots lie above the lower line, the more the low-cost model misses. "
            f"Here {each_one}, larger where there are more alike."
        ),
        table=ResultTable(
            f"Values of {riskiest.name} by their people and records", _DOTS,
            tuple((each.people, each.records, each.values) for each in dots),
        ),
        spec=_scatter(dots, alpha),
        measures=(ALPHA, LOW_COST),
    )  # fmt: skip


_DOTS = (
    Heading("people", "people |U_x|", "people with a value, on average over the values of a dot"),
    Heading("records", "records |R_x|", "records of a value, on average over the values of a dot"),
    Heading.of("values", "values", VALUES),
)


def _scatter(dots: Sequence[Dot], alpha: float) -> dict[str, Any]:
    widest, tallest = max(2.0, *(each.people for each in dots)), max(2.0, *(each.records for each in dots))
    values = [
        {
            "people": each.people, "records": each.records, "values": each.values,
            "said": f"{plural(each.values, 'value', 'values')}: {_people(each.people)}, "
            f"{_records(each.records)}",
        }
        for each in dots
    ]  # fmt: skip
    lines = {f"mean model: |R| = {number(alpha)}·|U|": alpha, "low-cost model: |R| = |U|": 1.0}
    ends = [
        {"model": model, "people": people, "records": slope * people}
        for model, slope in lines.items()
        for people in (1.0, widest)
    ]
    x = log_axis("people", "people with the value |U_x|", (0.85, widest * 1.1))
    y = log_axis("records", "records of the value |R_x|", (0.85, tallest * 1.2))
    area = {"field": "values", "type": "quantitative", "scale": {"range": [24, 260]}, "legend": None}
    models = {
        "field": "model", "type": "nominal", "scale": {"domain": list(lines), "range": [ORANGE, INK]},
        "legend": {"title": None, "symbolType": "stroke", "symbolStrokeWidth": 2.5, "symbolSize": 300},
    }  # fmt: skip
    dash = {"field": "model", "type": "nominal", "scale": {"domain": list(lines), "range": [[1, 0], [6, 3]]}}
    dotted = marks("point", {"x": x, "y": y, "size": area}, color=BLUE, opacity=0.55)
    drawn = silent_marks(
        "line", {"x": x, "y": y, "color": models, "strokeDash": dash}, clip=True, strokeWidth=2.5
    )
    return drawing(values, [dotted, {"data": {"values": ends}, **drawn}], 300)


def _people(mean: float) -> str:
    return "1 person" if mean == 1 else f"{number(mean)} people"


def _records(mean: float) -> str:
    return "1 record" if mean == 1 else f"{number(mean)} records"

"""Uniqueness against the number of people: the sample and its parts, the models' way on, the bound below."""

from __future__ import annotations

from typing import Any

from singleout.report.charts import layout
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import drawing, log_axis, marks, number_axis, silent_marks
from singleout.report.charts.style import BLUE, GREEN, INK, ORANGE, SOFT
from singleout.result_table import Heading, ResultTable
from singleout.risk.population.measures import POPULATION_UNIQUE
from singleout.risk.population.result import PopulationView

WORDS = {
    "sample": "the table and parts of it",
    "pitman": "Pitman's model",
    "law": "the scaling law",
    "bound": "no fewer than (convexity)",
}
COLOURS = {"sample": INK, "pitman": BLUE, "law": ORANGE, "bound": SOFT}
SHAPES = {"sample": "circle", "pitman": "square", "law": "triangle-up", "bound": "triangle-down"}


def population_sizes(found: PopulationView) -> Chart:
    """How does the share of unique people fall from the sample to the population?"""
    rows = tuple((WORDS[each.model], round(each.people), each.unique_share) for each in found.curve)
    headings = (
        Heading("model", "by"),
        Heading("people", "people"),
        Heading.of("unique_share", "unique", POPULATION_UNIQUE),
    )
    return Chart(
        name="population-sizes",
        title="How many people are unique among more and more people (population uniqueness)",
        says=_says(found),
        table=ResultTable("Share of unique people", headings, rows, f"{found.people:,} people were sampled."),
        spec=_spec(found),
        measures=(POPULATION_UNIQUE,),
    )


def _says(found: PopulationView) -> str:
    share = layout.share(found.sample["unique_share"])
    own = f"Of the {found.people:,} people of the table, {share} are unique"
    value = found.measurement(POPULATION_UNIQUE)
    low, high = found.lowest_end(POPULATION_UNIQUE), found.highest_end(POPULATION_UNIQUE)
    if value.value is None or low is None or high is None:
        return f"{own}. How many are so among {found.size:,}, this data does not tell."
    return (
        f"{own}; among {found.size:,}, {layout.share(value.known)} are estimated to be, and from "
        f"{layout.share(low)} to {layout.share(high)} may be (the green line)."
    )


def _spec(found: PopulationView) -> dict[str, Any]:
    values = [
        {
            "model": WORDS[each.model], "people": each.people, "unique": each.unique_share,
            "said": f"{WORDS[each.model]}: {layout.share(each.unique_share)} of {each.people:,.0f} people",
        }
        for each in found.curve
    ]  # fmt: skip
    there = [name for name in WORDS if any(each.model == name for each in found.curve)]
    names = [WORDS[name] for name in there]
    by = {"field": "model", "type": "nominal", "legend": {"title": None}}
    colour = {**by, "scale": layout.scale(names, [COLOURS[name] for name in there])}
    shape = {**by, "scale": layout.scale(names, [SHAPES[name] for name in there])}
    people = [each.people for each in found.curve]
    x = log_axis("people", "number of people", (min(people), max(*people, 2 * min(people))))
    y = number_axis("unique", "unique people", (0, 1), axis={"format": "%"})
    lines = silent_marks("line", {"x": x, "y": y, "color": colour})
    dots = marks("point", {"x": x, "y": y, "color": colour, "shape": shape}, size=36)
    return drawing(values, [lines, dots, *_interval(found)], 240)


def _interval(found: PopulationView) -> list[layout.Layer]:
    """From the lowest to the highest end of all intervals."""
    low, high = found.lowest_end(POPULATION_UNIQUE), found.highest_end(POPULATION_UNIQUE)
    if low is None or high is None:
        return []
    said = f"from {layout.share(low)} to {layout.share(high)} of {found.size:,} are possible"
    rule = marks(
        "rule",
        {"x": number_axis("people"), "y": number_axis("low"), "y2": {"field": "high"}},
        strokeWidth=3,
        color=GREEN,
    )
    return [{"data": {"values": [{"people": found.size, "low": low, "high": high, "said": said}]}, **rule}]

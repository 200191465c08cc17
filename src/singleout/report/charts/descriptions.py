"""Charts of what kind of data a table is: likeness of people, frequencies by rank, months, categories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from singleout.investigation.describe.measures import (
    AMOUNT_PER_MONTH,
    AMOUNT_PER_PERSON,
    CATEGORY_SHARE,
    FREQUENCY,
    JACCARD_HIGHEST,
    JACCARD_MEAN,
)
from singleout.investigation.describe.people_spread import PeopleSpread
from singleout.investigation.describe.shared_items import SharedItems
from singleout.investigation.describe.sums import Category, Month, Scatter
from singleout.investigation.describe.value_ranges import Frequencies
from singleout.report.charts import layout
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import (
    drawing,
    log_axis,
    marks,
    number,
    number_axis,
    plural,
    row_axis,
    share,
    silent_marks,
)
from singleout.report.charts.style import SERIES
from singleout.result_table import Heading, ResultTable
from singleout.risk.entropy.amount_correlation import CORRELATION

MOST_LINES, HEIGHT = len(SERIES), 230
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")


def jaccard_histogram(items: SharedItems) -> Chart | None:
    """How many pairs of people have how much in common?"""
    entries = items.jaccard_entry().get("histogram")
    if not entries:
        return None
    values = [
        {
            **each,
            "said": f"{plural(each['pairs'], 'pair', 'pairs')} of people share over {share(each['above'])} "
            f"and up to {share(each['up_to'])}",
        }
        for each in entries
    ]
    end = max(each["up_to"] for each in entries)
    x = number_axis("above", "share of two people's items that both have (Jaccard)", (0, end), bin="binned")
    y = number_axis("pairs", "pairs of people")
    return Chart(
        name="jaccard",
        title="How much two people have in common",
        says="The further left the bars, the fewer people look alike: their items tell them apart.",
        table=ResultTable(
            "Pairs of people by Jaccard",
            (Heading("above", "over"), Heading("up_to", "up to"), Heading("pairs", "pairs")),
            tuple((each["above"], each["up_to"], each["pairs"]) for each in entries),
            "The first step includes 0.",
        ),
        spec=drawing(values, [marks("bar", {"x": x, "x2": {"field": "up_to"}, "y": y})], HEIGHT),
        measures=(JACCARD_MEAN, JACCARD_HIGHEST),
    )


def rank_frequencies(frequencies: Sequence[Frequencies]) -> Chart | None:
    """How fast do values get rare, from the most frequent down, on two log scales?"""
    drawn = sorted((each for each in frequencies if each.ranks), key=lambda each: -each.all_values)
    drawn = drawn[:MOST_LINES]
    if not drawn:
        return None
    names = layout.labels([each.name for each in drawn])
    values = [
        _rank_point(name, rank, records)
        for name, each in zip(names, drawn, strict=True)
        for rank, records in each.ranks
    ]
    reach = max(each["rank"] for each in values), max(each["records"] for each in values)
    x = log_axis("rank", "rank of the value, the most frequent first", (1, max(reach[0], 2)))
    y = log_axis("records", "records", (1, max(reach[1], 2)))
    which: dict[str, Any] = {"field": "name", "type": "nominal"}
    colour = {**which, "scale": layout.scale(names, SERIES), "legend": {"title": None, "columns": 3}}
    shape = {**which, "scale": layout.scale(names, SHAPES)}
    line = silent_marks("line", {"x": x, "y": y, "color": colour})
    dots = marks("point", {"x": x, "y": y, "color": colour, "shape": shape}, size=24)
    rows = tuple(
        (each.name, records, count)
        for each in drawn
        for records, count in zip(each.records, each.values, strict=True)
    )
    headings = (Heading("name", "of"), Heading("records", "records"), Heading("values", "values"))
    return Chart(
        name="ranks",
        title="How fast values get rare (frequency by rank)",
        says="The long flat end are values that hardly anybody has: each of them may give somebody away.",
        table=ResultTable("How many values have how many records", headings, rows),
        spec=drawing(values, [line, dots], HEIGHT + 30),
        measures=(FREQUENCY,),
    )


def _rank_point(name: str, rank: int, records: int) -> dict[str, Any]:
    said = f"{name}: the value of rank {rank:,} has {plural(records, 'record', 'records')}"
    return {"name": name, "rank": rank, "records": records, "said": said}


def month_bars(months: Sequence[Month], amount: str | None) -> Chart | None:
    """How much is there in each month?"""
    if len(months) < 2:
        return None
    summed = amount is not None and all(each.amount is not None for each in months)
    what = f"sum of {layout.short_name(amount or '', 30)}" if summed else "records"
    values = [
        {"month": each.month, "much": much, "said": f"{each.month}: {what} {number(much)}"}
        for each in months
        for much in [each.amount if summed and each.amount is not None else each.records]
    ]
    names = [each.month for each in months]
    y, x = row_axis("month", names), number_axis("much", what)
    rows = tuple((each.month, each.records, each.amount) for each in months)
    headings = (
        Heading("month", "month"),
        Heading("records", "records"),
        Heading.of("amount", "amount", AMOUNT_PER_MONTH),
    )
    return Chart(
        name="months",
        title="Month by month",
        says="A month with few records has few people to hide among.",
        table=ResultTable("Records and amounts of each month", headings, rows),
        spec=drawing(values, [marks("bar", {"y": y, "x": x})], {"step": 20}),
        measures=(AMOUNT_PER_MONTH,),
    )


def people_sums(spread: PeopleSpread | None, amount: str | None) -> Chart | None:
    """How much do people have in all, from those with least to those with most?"""
    if spread is None or amount is None or len(spread.curve) < 2:
        return None
    what = f"sum of {layout.short_name(amount, 30)}"
    values = [
        {"people": people, "much": much, "said": f"{share(people)} of the people: at most {number(much)}"}
        for people, much in spread.curve
    ]
    x = number_axis("people", "share of the people who have at most as much", (0, 1), axis={"format": "~%"})
    y = number_axis("much", f"{what} of a person", scale={"zero": False})
    headings = (Heading("people", "share of people"), Heading.of("much", "at most", AMOUNT_PER_PERSON))
    whose = "A dot is a person's own sum" if spread.highest is not None else "The ends are not told"
    return Chart(
        name="people-sums",
        title=f"What people have in all: {what}",
        says=f"{whose}; where the curve is steep, few people have as much, and the sum may give them away.",
        table=ResultTable(f"How {what} spreads over {spread.people:,} people", headings, spread.curve),
        spec=drawing(
            values,
            [
                silent_marks("line", {"x": x, "y": y}, interpolate="step-before"),
                marks("point", {"x": x, "y": y}),
            ],
            HEIGHT,
        ),
        measures=(AMOUNT_PER_PERSON,),
    )


def category_bars(categories: Sequence[Category]) -> Chart | None:
    """What share of the records, and of a person's, is of each category?"""
    if not categories:
        return None
    names = layout.labels([each.name for each in categories])
    values = [_category_bar(name, each) for name, each in zip(names, categories, strict=True)]
    y, x = row_axis("name", names), number_axis("share", "share of the records", axis={"format": "~%"})
    rows = tuple(
        (
            each.name,
            each.records,
            each.share,
            each.people,
            each.of_people.mean if each.of_people else None,
            each.amount,
        )
        for each in categories
    )
    headings = (
        Heading("category", "category"),
        Heading("records", "records"),
        Heading.of("share", "share", CATEGORY_SHARE),
        Heading("people", "people"),
        Heading("of_people", "mean share of a person's", "mean over people of their own share"),
        Heading("amount", "amount"),
    )
    return Chart(
        name="categories",
        title="What the records are",
        says="A category that few people have says a lot about them.",
        table=ResultTable("Categories", headings, rows),
        spec=drawing(values, [marks("bar", {"y": y, "x": x})], {"step": 24}),
        measures=(CATEGORY_SHARE,),
    )


def _category_bar(name: str, each: Category) -> dict[str, Any]:
    said = f"{name}: {share(each.share)} of the records"
    people = f", of {plural(each.people, 'person', 'people')}" if each.people is not None else ""
    return {"name": name, "share": each.share, "said": said + people}


def people_scatter(scatters: Sequence[Scatter]) -> tuple[Chart, ...]:
    """A dot a person, where people's own figures may be told."""
    return tuple(_scatter(index, each) for index, each in enumerate(scatters) if each.points)


def _scatter(index: int, scatter: Scatter) -> Chart:
    found, points = scatter.correlation, scatter.points or ()
    first, second = layout.short_name(found.first, 40), layout.short_name(found.second, 40)
    values = [{"x": x, "y": y, "said": f"{first} {number(x)}, {second} {number(y)}"} for x, y in points]
    # a figure that starts far from 0 is drawn from where it starts
    axes = {
        "x": number_axis("x", first, scale={"zero": False}),
        "y": number_axis("y", second, scale={"zero": False}),
    }
    strength = "unknown" if found.pearson is None else f"{found.pearson:.3f}"
    return Chart(
        name=f"scatter-{index}",
        title=f"{found.first} and {found.second}",
        says=f"Each dot is one of {found.people:,} people; the correlation is {strength}.",
        table=ResultTable("One row a person", (Heading("x", first), Heading("y", second)), points),
        spec=drawing(values, [marks("point", axes, opacity=0.7)], HEIGHT),
        measures=(CORRELATION,),
    )

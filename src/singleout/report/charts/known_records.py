"""How often the best guess names the person after several records of a domain are known."""

from __future__ import annotations

from typing import Any

from singleout.report.charts import layout
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import drawing, marks, number, number_axis, silent_marks
from singleout.report.charts.style import SERIES
from singleout.result_table import Heading, ResultTable
from singleout.risk.entropy.known_records import SUCCESS_AFTER
from singleout.risk.entropy.result import Disclosure

SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
HEIGHT = 230


def success_by_records(found: Disclosure) -> Chart | None:
    """How does the best guess get better, record by record?"""
    drawn = [each for each in found.domains if len(each.known) > 1][: len(SERIES)]
    if not drawn:
        return None
    names = layout.labels(each.name for each in drawn)
    values = [
        {
            "domain": name, "known": success.known, "success": success.success,
            "said": f"{name}: after {layout.plural(success.known, 'record', 'records')} the best guess is "
            f"right with probability {number(success.success)}",
        }
        for name, each in zip(names, drawn, strict=True)
        for success in each.known
    ]  # fmt: skip
    which: dict[str, Any] = {"field": "domain", "type": "nominal"}
    legend = {"title": None, "columns": 3}
    colour = {**which, "scale": layout.scale(names, SERIES), "legend": legend}
    shape = {**which, "scale": layout.scale(names, SHAPES), "legend": legend}
    x = number_axis("known", "known records of a person", axis={"tickMinStep": 1})
    y = number_axis("success", "best guess is right", (0, 1))
    headings = (
        Heading("domain", "domain"),
        Heading("known", "known records"),
        Heading.of("success", "best guess", SUCCESS_AFTER),
        Heading("exact", "exact", "whether all possible records were gone through, or some drawn"),
    )
    rows = tuple(
        (each.name, success.known, success.success, success.exact) for each in drawn for success in each.known
    )
    best = max(rows, key=lambda row: row[2])
    return Chart(
        name="known-records",
        title="How often the person is named after several records",
        says=f"After {layout.plural(best[1], 'record', 'records')} of {layout.short_name(best[0])} the best "
        f"guess is right with probability {number(best[2])}, to whoever knows all histories.",
        table=ResultTable("Best guess after so many records", headings, rows),
        spec=drawing(
            values,
            [
                silent_marks("line", {"x": x, "y": y, "color": colour}),
                marks("point", {"x": x, "y": y, "color": colour, "shape": shape}),
            ],
            HEIGHT,
        ),
        measures=(SUCCESS_AFTER,),
    )

"""Drawings of the papers' figures, laid out as the report's own charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from singleout.report.charts import layout
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import (
    drawing,
    log_axis,
    marks,
    number,
    number_axis,
    row_axis,
    silent_marks,
)
from singleout.report.charts.style import BLUE, PALE, SERIES
from singleout.result_table import Heading, ResultTable

HEIGHT = 240
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
Point = tuple[float, float]


def curves(name: str, title: str, axes: tuple[str, str], lines: Mapping[str, Sequence[Point]]) -> Chart:
    """A line with its points for each name."""
    return _points(name, title, axes, lines, with_lines=True)


def dots(
    name: str,
    title: str,
    axes: tuple[str, str],
    groups: Mapping[str, Sequence[Point]],
    log: tuple[float, float] | None = None,
) -> Chart:
    """A dot for each point, of the colour of its group; `log` are the ends of a log scale across."""
    return _points(name, title, axes, groups, with_lines=False, log=log)


def _points(
    name: str,
    title: str,
    axes: tuple[str, str],
    groups: Mapping[str, Sequence[Point]],
    with_lines: bool,
    log: tuple[float, float] | None = None,
) -> Chart:
    names = list(groups)
    values = [
        {"group": group, "x": x, "y": y, "said": f"{group}: {axes[0]} {number(x)}, {axes[1]} {number(y)}"}
        for group, points in groups.items()
        for x, y in points
    ]
    which: dict[str, Any] = {"field": "group", "type": "nominal"}
    legend = {"title": None, "columns": 2} if len(names) > 1 else None
    colours = [SERIES[index % len(SERIES)] for index in range(len(names))]
    shapes = [SHAPES[index % len(SHAPES)] for index in range(len(names))]
    colour = {**which, "scale": layout.scale(names, colours), "legend": legend}
    shape = {**which, "scale": layout.scale(names, shapes), "legend": legend}
    across = log_axis("x", axes[0], log) if log else number_axis("x", axes[0], scale={"zero": False})
    up = number_axis("y", axes[1])
    layers = [silent_marks("line", {"x": across, "y": up, "color": colour})] if with_lines else []
    opacity = 1 if with_lines else 0.75
    layers.append(marks("point", {"x": across, "y": up, "color": colour, "shape": shape}, opacity=opacity))
    headings = (Heading("group", "of"), Heading("x", axes[0]), Heading("y", axes[1]))
    rows = tuple((group, x, y) for group, points in groups.items() for x, y in points)
    return Chart(name, title, title, ResultTable(title, headings, rows), drawing(values, layers, HEIGHT))


def bars(name: str, title: str, axis: str, heights: Mapping[str, float]) -> Chart:
    """A bar across for each name, in their order."""
    names = layout.labels(heights)
    values = [
        {"name": label, "height": height, "said": f"{label}: {number(height)}", "shown": number(height)}
        for label, height in zip(names, heights.values(), strict=True)
    ]
    x = number_axis("height", axis)
    text = silent_marks("text", {"x": number_axis("height"), "text": {"field": "shown"}}, align="left", dx=5)
    bar = marks("bar", {"x": x}, height=14, fill=PALE, stroke=BLUE)
    table = ResultTable(title, (Heading("name", "of"), Heading("height", axis)), tuple(heights.items()))
    spec = drawing(values, [bar, text], {"step": 22}, {"y": row_axis("name", names)}, right=52)
    return Chart(name, title, title, table, spec)


def histogram(
    name: str, title: str, axes: tuple[str, str], steps: Sequence[tuple[float, float, float]]
) -> Chart:
    """A bar from one number to another for each (from, to, how many)."""
    values = [
        {"low": low, "high": high, "many": many, "said": f"{number(low)} to {number(high)}: {number(many)}"}
        for low, high, many in steps
    ]
    x = number_axis("low", axes[0], (steps[0][0], steps[-1][1]), bin="binned")
    bar = marks(
        "bar", {"x": x, "x2": {"field": "high"}, "y": number_axis("many", axes[1])}, fill=PALE, stroke=BLUE
    )
    headings = (Heading("low", "from"), Heading("high", "to"), Heading("many", axes[1]))
    return Chart(
        name, title, title, ResultTable(title, headings, tuple(steps)), drawing(values, [bar], HEIGHT)
    )

"""Charts of a sweep: each measure over a parameter, privacy against utility, and how measures go together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from singleout.checks import is_number
from singleout.investigation.sweep.averages import (
    SWEEP_CORRELATION,
    SWEEP_INTERVAL,
    SWEEP_MEAN,
    Average,
)
from singleout.investigation.sweep.result import Sweep
from singleout.report.charts import layout
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import drawing, marks, number, number_axis, row_axis, silent_marks
from singleout.report.charts.style import RAMP, SERIES, WIDTH
from singleout.result_table import Heading, ResultTable

HEIGHT, MOST_CURVES, MOST_MEASURES = 220, 24, 14
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
BEST = "privacy.best"


def curves(found: Sweep) -> tuple[Chart, ...]:
    """A chart a measure that changes: its mean over each parameter that is a number, a line a release."""
    charts = (
        _curve(found, parameter, name)
        for parameter in found.parameters
        for name in (*_of_kind(found, "privacy."), *_of_kind(found, "made."), *_of_kind(found, "utility."))
    )
    return tuple(chart for chart in charts if chart is not None)[:MOST_CURVES]


def _of_kind(found: Sweep, kind: str) -> list[str]:
    return [name for name in found.figures if name.startswith(kind)]


def _curve(found: Sweep, parameter: str, name: str) -> Chart | None:
    drawn = [
        each
        for each in found.averages
        if each.name == name and each.mean is not None and is_number(each.setting.get(parameter))
    ]
    if len({each.setting[parameter] for each in drawn}) < 2 or len({each.mean for each in drawn}) < 2:
        return None
    lines = list(dict.fromkeys(_line(each, parameter) for each in drawn))
    shown = dict(zip(lines, layout.labels(lines, 40), strict=True))
    values = [_point(shown[_line(each, parameter)], each, parameter) for each in drawn]
    which: dict[str, Any] = {"field": "line", "type": "nominal"}
    many = len(lines) > len(SERIES)
    legend = None if many else {"title": None, "columns": 2}
    colour = {**which, "scale": layout.scale(shown.values(), _cycle(SERIES, len(lines))), "legend": legend}
    shape = {**which, "scale": layout.scale(shown.values(), _cycle(SHAPES, len(lines))), "legend": legend}
    x = number_axis("x", parameter, scale={"zero": False})
    y = number_axis("y", name)
    band = [each for each in values if each["low"] is not None]
    rule = {"x": x, "y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}, "color": colour}
    layers = [
        silent_marks("line", {"x": x, "y": y, "color": colour}),
        *([{"data": {"values": band}, **silent_marks("rule", rule)}] if band else []),
        marks("point", {"x": x, "y": y, "color": colour, "shape": shape}),
    ]
    headings = (
        Heading("line", "release"),
        Heading("x", parameter),
        Heading.of("mean", "mean", SWEEP_MEAN),
        Heading.of("low", "from", SWEEP_INTERVAL),
        Heading("high", "to"),
    )
    rows = tuple((each["line"], each["x"], each["y"], each["low"], each["high"]) for each in values)
    return Chart(
        name=f"curve-{found.parameters.index(parameter)}-{found.figures.index(name)}",
        title=f"{name} by {parameter}",
        says=f"Means over {len(found.seeds)} seeds; a line up and down is the 95 % interval of the mean.",
        table=ResultTable(f"{name} by {parameter}", headings, rows),
        spec=drawing(values, layers, HEIGHT),
        measures=(SWEEP_MEAN, SWEEP_INTERVAL),
    )


def _cycle(of: Sequence[str], many: int) -> list[str]:
    return [of[index % len(of)] for index in range(many)]


def _line(each: Average, parameter: str) -> str:
    others = [f"{name} {value}" for name, value in each.setting.items() if name != parameter]
    return ", ".join([each.release, *others])


def _point(line: str, each: Average, parameter: str) -> dict[str, Any]:
    assert each.mean is not None
    where = f"{line}, {parameter} {each.setting[parameter]}"
    more = "" if each.low is None else f" ({number(each.low)} to {number(each.high or 0)})"
    said = f"{where}: {each.name} {number(each.mean)}{more}"
    return {
        "line": line,
        "x": each.setting[parameter],
        "y": each.mean,
        "low": each.low,
        "high": each.high,
        "said": said,
    }


def privacy_against_utility(found: Sweep) -> tuple[Chart, ...]:
    """A dot a release and setting: who is recognised against a measure of what is kept or lost."""
    risks = [name for name in (BEST, *_of_kind(found, "privacy.")) if name in found.figures][:1]
    changing = [name for name in _of_kind(found, "utility.") if len({*found.values(name)}) > 1]
    return tuple(_scatter(found, risk, name) for risk in risks for name in changing[:3])


def _scatter(found: Sweep, risk: str, name: str) -> Chart:
    by_place: dict[tuple[str, str], dict[str, Average]] = {}
    for each in found.averages:
        by_place.setdefault((each.release, str(dict(each.setting))), {})[each.name] = each
    values = [*_dots(by_place.values(), risk, name)]
    names = list(dict.fromkeys(each["release"] for each in values))
    which: dict[str, Any] = {"field": "release", "type": "nominal"}
    legend = {"title": None, "columns": 2}
    colour = {**which, "scale": layout.scale(names, _cycle(SERIES, len(names))), "legend": legend}
    shape = {**which, "scale": layout.scale(names, _cycle(SHAPES, len(names))), "legend": legend}
    x, y = (
        number_axis("x", name, scale={"zero": False}),
        number_axis("y", f"{risk} (share recognised)", (0, 1)),
    )
    headings = (Heading("release", "release"), Heading("x", name), Heading("y", risk))
    return Chart(
        name=f"bargain-{found.figures.index(name)}",
        title=f"Who is recognised, against {name}",
        says="Each dot is the mean of a release at one setting; the lower, the fewer people are recognised.",
        table=ResultTable(
            f"{risk} and {name}", headings, tuple((each["release"], each["x"], each["y"]) for each in values)
        ),
        spec=drawing(
            values, [marks("point", {"x": x, "y": y, "color": colour, "shape": shape})], HEIGHT + 20
        ),
        measures=(SWEEP_MEAN,),
    )


def _dots(places: Any, risk: str, name: str) -> Iterator[dict[str, Any]]:
    for each in places:
        x, y = each.get(name), each.get(risk)
        if x is None or y is None or x.mean is None or y.mean is None:
            continue
        setting = ", ".join(f"{part} {value}" for part, value in x.setting.items())
        said = f"{x.release} {setting}: {name} {number(x.mean)}, {risk} {number(y.mean)}"
        yield {"release": layout.short_name(x.release, 30), "x": x.mean, "y": y.mean, "said": said}


def correlations(found: Sweep) -> Chart | None:
    """How do measures go together from run to run?"""
    names = [
        name
        for name in found.figures
        if len({value for value in found.values(name) if value is not None}) > 1
    ][:MOST_MEASURES]
    values: list[dict[str, Any]] = [
        {"across": one, "down": two, "r": r, "said": f"{one} and {two}: {r:.3f}"}
        for place, one in enumerate(names)
        for two in names[place + 1 :]
        if (r := found.correlation(one, two)) is not None
    ]
    if len(names) < 3 or not values:
        return None
    axis = {"labelLimit": 140, "labelAngle": -40, "ticks": False, "domain": False}
    x = {**row_axis("across", names), "axis": axis}
    shade = {
        "field": "r", "type": "quantitative",
        "scale": {"domain": [-1, 0, 1], "range": ["#B35900", RAMP[0], RAMP[1]]},
        "legend": {"title": "correlation", "direction": "horizontal"},
    }  # fmt: skip
    cells = marks("rect", {"x": x, "y": row_axis("down", names), "color": shade})
    headings = (
        Heading("of", "of"),
        Heading("with", "with"),
        Heading.of("correlation", "correlation", SWEEP_CORRELATION),
    )
    step = max(14, min(30, (WIDTH - 160) // len(names)))
    return Chart(
        name="correlations",
        title="Which measures go together",
        says="Dark blue: they rise together from run to run; brown: one rises as the other falls.",
        table=ResultTable(
            "Correlation of measures over runs",
            headings,
            tuple((each["across"], each["down"], each["r"]) for each in values),
        ),
        spec=drawing(values, [cells], {"step": step}),
        measures=(SWEEP_CORRELATION,),
    )

"""The drawing of what a budget reaches: a step wherever more can be bought."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from singleout.report.charts import layout
from singleout.report.charts.layout import drawing, marks, number, number_axis, silent_marks
from singleout.report.charts.style import BLUE, ORANGE
from singleout.risk.combinations.budget_curve import Reach
from singleout.risk.combinations.result import set_name


def steps(curve: Sequence[Reach], last: float, at_cost: str) -> dict[str, Any]:
    """Both risks over the budget, up to the `last`; `at_cost` says what attributes are taken to cost."""
    looks = {"average risk over the records": ORANGE, "highest risk of any record": BLUE}
    average, highest = looks
    points = [
        *_rises(average, [(each.resource, each.columns, each.average_risk) for each in curve]),
        *_rises(highest, [(each.resource, each.highest_columns, each.highest_risk) for each in curve]),
    ]
    ends = [{**each, "budget": last} for each in {each["which"]: each for each in points}.values()]
    x = number_axis("budget", f"budget ({at_cost})", (0, last))
    y = number_axis("risk", "risk", (0, 1))
    which = {"field": "which", "type": "nominal"}
    shown = {"title": None, "symbolStrokeWidth": 0}
    colour = {**which, "scale": layout.scale(looks, looks.values()), "legend": shown}
    shape = {**which, "scale": layout.scale(looks, ["circle", "diamond"]), "legend": shown}
    dash = {**which, "scale": layout.scale(looks, [[1, 0], [5, 3]]), "legend": None}
    line = silent_marks(
        "line", {"x": x, "y": y, "color": colour, "strokeDash": dash}, interpolate="step-after"
    )
    dots = marks("point", {"x": x, "y": y, "color": colour, "shape": shape}, size=60)
    return drawing(points, [{"data": {"values": points + ends}, **line}, dots], 230)


def _rises(which: str, risks: Sequence[tuple[Fraction, tuple[str, ...], float]]) -> list[dict[str, Any]]:
    """A point wherever the risk is not what it was before."""
    before = [None, *(risk for *_, risk in risks)]
    return [
        {
            "which": which, "budget": float(resource), "risk": risk,
            "said": f"budget {number(float(resource))}, knowing {_purchase(columns)}: {which} {number(risk)}",
        }
        for (resource, columns, risk), last in zip(risks, before, strict=False)
        if risk != last
    ]  # fmt: skip


def _purchase(columns: Sequence[str]) -> str:
    return layout.short_name(set_name(columns), 36) if columns else "nothing"

"""The cumulative risk curve: what share of the records has at most this risk."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from singleout.report.charts import layout
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import drawing, log_axis, marks, number, number_axis, silent_marks
from singleout.report.charts.style import BLUE
from singleout.result_table import Heading, ResultTable
from singleout.risk.assess.result import Assessment
from singleout.risk.equivalence_classes import (
    AVERAGE_RISK,
    HIGHEST_RISK,
    PEOPLE_AVERAGE_RISK,
    PEOPLE_HIGHEST_RISK,
    Point,
)

STEPS = 50
# below this lowest risk, a plain axis would press half of the curve against its left end
LOW = 0.05


def risk_curve(found: Assessment) -> Chart | None:
    """What share of the records is how risky, to whoever knows all attributes?"""
    if found.classes is None:
        return None
    exposure = found.classes.by_people or found.classes.by_records
    whom = "people" if found.classes.by_people else "records"
    curve = kept_points(exposure.curve)
    rows = tuple((each.risk, round(1 / each.risk), each.share) for each in curve)
    thinner = len(curve) < len(exposure.curve)
    return Chart(
        name="risk-curve",
        title="How many records are how risky if all attributes are known (prosecutor risk)",
        says=_says(exposure.curve, whom),
        table=ResultTable(
            "Share of the records with at most this risk",
            (
                Heading("risk", "risk", f"1 / {whom} that share the record's values"),
                Heading("size", f"{whom} alike", f"{whom} that share the record's values, itself included"),
                Heading("share", "share of the records", "records with at most this risk / all records"),
            ),
            rows,
            f"{found.classes.records:,} records"
            + (f"; {len(curve)} of {len(exposure.curve):,} points." if thinner else "."),
        ),
        spec=_spec(curve, whom),
        measures=(
            (PEOPLE_AVERAGE_RISK, PEOPLE_HIGHEST_RISK)
            if found.classes.by_people
            else (AVERAGE_RISK, HIGHEST_RISK)
        ),
    )


def kept_points(curve: Sequence[Point]) -> list[Point]:
    """At most about a hundred points, as they are."""
    indexes = layout.thin_points([(math.log(each.risk), each.share) for each in curve], STEPS)
    return [curve[index] for index in indexes]


def _spec(curve: Sequence[Point], whom: str) -> dict[str, Any]:
    lowest = curve[0].risk
    left = 10 ** math.floor(math.log10(lowest)) if lowest < LOW else 0.0
    values = [
        {
            "risk": each.risk, "share": each.share,
            "said": f"{layout.share(each.share)} of the records have a risk of at most {number(each.risk)}: "
            f"{_alike_words(each.risk, whom)}",
        }
        for each in curve
    ]  # fmt: skip
    corners = [
        (left, 0.0),
        (lowest, 0.0),
        *((each.risk, each.share) for each in curve),
        (1.0, curve[-1].share),
    ]
    line = [{"risk": risk, "share": part} for risk, part in corners]
    axis = log_axis if left else number_axis
    x = axis("risk", f"risk of a record (1 / {whom} alike in all attributes)", (left, 1))
    y = number_axis("share", "share of records with at most this risk", (0, 1), axis={"format": "%"})
    step = silent_marks("line", {"x": x, "y": y}, interpolate="step-after", color=BLUE)
    return drawing(
        values,
        [{"data": {"values": line}, **step}, marks("point", {"x": x, "y": y}, color=BLUE, size=36)],
        240,
    )


def _alike_words(risk: float, whom: str) -> str:
    size = round(1 / risk)
    return "nobody else is alike" if size == 1 else f"{size:,} {whom} or more are alike"


def _says(curve: Sequence[Point], whom: str) -> str:
    alone = 1 - max((each.share for each in curve if each.risk < 1), default=0.0)
    hidden = max((each.share for each in curve if each.risk <= 0.05), default=0.0)
    nobody = "nobody else has" if whom == "people" else "no other record has"
    return (
        f"Of the records, {layout.share(alone)} have the risk 1: {nobody} the same values in all attributes. "
        f"{layout.share(hidden)} have at most the risk 0.05: they are one of 20 or more {whom} alike."
    )

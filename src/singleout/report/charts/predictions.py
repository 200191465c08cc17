"""The risk predicted from statistics alone, beside the risk of the data itself."""

from __future__ import annotations

from typing import Any

from singleout.report.charts import layout
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import (
    drawing,
    interval,
    marks,
    number,
    number_axis,
    plural,
    row_axis,
    silent_marks,
)
from singleout.report.charts.style import BLUE, INK
from singleout.result_table import Heading, ResultTable
from singleout.risk.equivalence_classes import AVERAGE_RISK
from singleout.risk.predict.random_shuffle import PREDICTED_ORR
from singleout.risk.predict.result import MethodPrediction, Prediction

WORDS = {
    "closed_form": "independent, by formula",
    "random": "independent, shuffled",
    "semi_random": "frequent pairs kept",
    "tree": "strongest pairs kept",
}
# the least that an axis spans: smaller differences do not matter to anybody
NARROWEST = 0.02


def predicted_risks(found: Prediction) -> Chart | None:
    """How near does each method come to the risk of the data, knowing its statistics only?"""
    if not found.predictions:
        return None
    headings = (
        Heading("method", "method"),
        Heading("assumes", "what it supposes about columns"),
        Heading.of("orr", "predicted risk", PREDICTED_ORR),
        Heading("low", "low", "the method's own mean is at least this: by formula, or at 95 %"),
        Heading("high", "high", "the method's own mean is at most this: by formula, or at 95 %"),
        Heading("error", "error", "prediction minus the risk of the data itself"),
    )
    rows = tuple(
        (each.method, WORDS[each.method], each.orr, each.low, each.high, each.error)
        for each in found.predictions
    )
    truth = "" if found.orr is None else f" The risk of the data itself is {number(found.orr)}."
    return Chart(
        name="predictions",
        title="Risk predicted from statistics" + (", and the true one" if truth else ""),
        says=_says(found),
        table=ResultTable(
            "Predicted risk (ORR: distinct rows / records)", headings, rows,
            f"{plural(found.records, 'record', 'records')}, "
            f"{plural(len(found.columns), 'column', 'columns')}.{truth}",
        ),
        spec=_spec(found),
        measures=(PREDICTED_ORR, AVERAGE_RISK) if truth else (PREDICTED_ORR,),
    )  # fmt: skip


def _says(found: Prediction) -> str:
    best = next(each for each in found.predictions if each.method == found.recommended)
    says = (
        f"From statistics alone, the method {best.method} ({WORDS[best.method]}) expects the average risk "
        f"{number(best.orr)} over the records, to whoever knows {_columns(found)}"
    )
    if found.orr is None:
        return f"{says}."
    if number(best.orr) == number(found.orr):
        return f"{says}; in the data it is the same, as far as three digits tell."
    off = best.orr - found.orr
    side = "too high" if off > 0 else "too low"
    return (
        f"{says}; in the data it is {number(found.orr)}, so that the prediction is {number(abs(off))} {side}."
    )


def _columns(found: Prediction) -> str:
    if len(found.columns) == 1:
        return f"the one column, {layout.short_name(found.columns[0])}"
    return f"{'both' if len(found.columns) == 2 else f'all {len(found.columns):,}'} columns"


_LEGEND = {"title": None, "offset": layout.ABOVE}


def _spec(found: Prediction) -> dict[str, Any]:
    names = [f"{each.method}: {WORDS[each.method]}" for each in found.predictions]
    values = [_record(name, each, found) for name, each in zip(names, found.predictions, strict=True)]
    ends = [each for row in found.predictions for each in (row.low, row.orr, row.high)]
    ends += [] if found.orr is None else [found.orr]
    spare = max(0.12 * (max(ends) - min(ends)), (NARROWEST - max(ends) + min(ends)) / 2)
    domain = (max(0.0, min(ends) - spare), min(1.0, max(ends) + spare))
    x = number_axis("orr", "average risk over the records (ORR)", domain)
    shape = {"field": "which", "type": "nominal", "scale": _shapes(found), "legend": _LEGEND}
    layers = [
        *interval(number_axis("low", None, domain), number_axis("high", None, domain)),
        marks("point", {"x": x, "shape": shape}, size=110, color=BLUE),
        *_numbers(domain),
    ]
    drawn = drawing(values, layers, {"step": 34}, {"y": row_axis("method", names, limit=210)})
    return drawn if found.orr is None else _add_truth(drawn, found.orr, domain)


def _numbers(domain: tuple[float, float]) -> list[layout.Layer]:
    """Beside the dots, on the side where there is more room."""
    middle = sum(domain) / 2
    encoding = {"x": number_axis("orr", None, domain), "text": {"field": "shown"}}
    sides = (("<", {"align": "left", "dx": 10}), (">=", {"align": "right", "dx": -10}))
    return [
        {"transform": [{"filter": f"datum.orr {test} {middle}"}], **silent_marks("text", encoding, **how)}
        for test, how in sides
    ]


def _add_truth(drawn: dict[str, Any], orr: float, domain: tuple[float, float]) -> dict[str, Any]:
    """The rule crosses all rows, so it has no place among them."""
    words = f"the data: {number(orr)}"
    true = [{"orr": orr, "shown": words, "said": f"the data itself: risk {number(orr)}"}]
    at = {"x": number_axis("orr", None, domain), "y": None}
    rule = marks("rule", at, strokeWidth=2, strokeDash=[6, 3], color=INK)
    text = silent_marks("text", {**at, "y": {"value": -6}, "text": {"field": "shown"}}, fontWeight="bold")
    return {**drawn, "layer": [{"data": {"values": true}, **each} for each in (rule, text)] + drawn["layer"]}


def _shapes(found: Prediction) -> dict[str, list[str]]:
    if len(found.predictions) == 1:
        return {"domain": ["advised method"], "range": ["diamond"]}
    return {"domain": ["advised method", "other method"], "range": ["diamond", "circle"]}


def _record(name: str, each: MethodPrediction, found: Prediction) -> dict[str, Any]:
    advised = each.method == found.recommended
    return {
        "method": name, "orr": each.orr, "low": each.low, "high": each.high, "shown": number(each.orr),
        "which": "advised method" if advised or len(found.predictions) == 1 else "other method",
        "said": f"{name}: predicted risk {number(each.orr)} ± {number(each.bound)}",
    }  # fmt: skip

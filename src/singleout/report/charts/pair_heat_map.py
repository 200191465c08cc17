"""The heat map of pairs: shades of one colour, and letters that can be read on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from singleout.report.charts import layout
from singleout.report.charts.layout import drawing, marks, number, row_axis, silent_marks
from singleout.report.charts.style import RAMP, WIDTH
from singleout.risk.combinations.set_risk import SetRisk

MOST_PRINTED = 12
# on the middle shades nothing lighter than black has the contrast of 4.5 that letters need
BLACK, WHITE = "#000000", "#ffffff"


def heat_map(names: Sequence[str], found: Mapping[frozenset[str], SetRisk]) -> dict[str, Any]:
    """The average risk of each pair below the diagonal, and of each attribute alone on it.

    A shade means the same on every map: white is 0, the darkest 1.
    """
    shown = dict(zip(names, layout.labels(names, longest=17), strict=True))
    values = [
        _cell(shown[names[column]], shown[names[row]], found[both])
        for row in range(len(names))
        for column in range(row + 1)
        if (both := frozenset((names[column], names[row]))) in found
    ]
    step = min(52, (WIDTH - 124) // len(names))
    labels = list(shown.values())
    axis = {"labelLimit": 100, "labelAngle": -40, "ticks": False, "domain": False}
    x = {**row_axis("across", labels), "axis": axis}
    few = len(names) <= MOST_PRINTED
    shade = {
        "field": "risk", "type": "quantitative",
        "scale": {"domain": [0, 1], "range": list(RAMP), "interpolate": "rgb"},
        "legend": None if few else {"title": "average risk", "orient": "top-right", "gradientLength": 90},
    }  # fmt: skip
    ink = {"condition": {"test": f"datum.ink == '{WHITE}'", "value": WHITE}, "value": BLACK}
    text = silent_marks("text", {"text": {"field": "shown"}, "color": ink}, fontSize=12 if step > 32 else 11)
    return {
        **drawing(
            values,
            [marks("rect", {"color": shade}, stroke=WHITE), *([text] if few else [])],
            {"step": min(step, 34)},
            {"x": x, "y": row_axis("down", labels, limit=110)},
        ),
        "width": {"step": step},
        "autosize": "pad",
    }


def _cell(across: str, beside: str, risk: SetRisk) -> dict[str, Any]:
    name = across if across == beside else f"{across} with {beside}"
    value = risk.average_risk
    return {
        "across": across, "down": beside, "risk": value,
        "shown": "<.01" if 0 < value < 0.005 else ">.99" if 0.995 <= value < 1 else f"{value:.2f}",
        "ink": readable_ink(value),
        "said": f"{name}: average risk {number(value)}, smallest class {risk.smallest_class:,}",
    }  # fmt: skip


def readable_ink(position: float) -> str:
    """Black or white: whichever is easier to read on this place of the ramp, 0 light and 1 dark."""
    light, dark = (_channels(colour) for colour in RAMP)
    mixed = [a + (b - a) * position for a, b in zip(light, dark, strict=True)]
    brightness = _brightness(mixed) + 0.05
    return WHITE if 1.05 / brightness > brightness / 0.05 else BLACK


def _channels(colour: str) -> list[float]:
    return [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]


def _brightness(channels: Sequence[float]) -> float:
    """Relative luminance as in WCAG 2."""
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    return sum(weight * each for weight, each in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

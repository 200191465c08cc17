"""What charts are laid out from: names that fit, numbers in words, axes, legends, and fewer points."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any

from singleout.errors import printable_text
from singleout.report.charts.style import WIDTH
from singleout.result_table import Heading, without_power

Encoding = dict[str, Any]
Layer = dict[str, Any]

SAID: Encoding = {"field": "said", "type": "nominal"}
# room for a line of text between a legend and what it is about
ABOVE = 22
BLOCK, BETWEEN, TICK = "M-1,-.5H1V.5H-1Z", "M-1,-.5V.5M-1,0H1M1,-.5V.5", "M0,-1V1"


# what every object of JavaScript has: Vega would take such a name for that
JAVASCRIPTS = (
    "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString",
    "valueOf", "__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__",
)  # fmt: skip
UNSEEN = "\u200b"
# beside a rate in the table behind a drawing
ONLY_LEAST = Heading("only_the_least", "only the least")


def labels(names: Iterable[str], longest: int = 26) -> list[str]:
    r"""Names as they fit beside a chart: printable, not too long, no two alike.

    >>> labels(["date", "a\x00", "a long name", "a long other name"], longest=8)
    ['date', 'a\\x00', 'a l…name', 'a l…name (2)']
    """
    unique_names: list[str] = []
    for name in names:
        short = short_name(name, longest) + (UNSEEN if name in JAVASCRIPTS else "")
        numbered = (f"{short} ({number})" for number in count(2))
        unique_names.append(next(each for each in chain([short], numbered) if each not in unique_names))
    return unique_names


def short_name(name: str, longest: int = 60) -> str:
    """Both ends of a long name, as it is often the end that tells it from others."""
    text = printable_text(name) or "(no name)"
    end = longest // 2
    return text if len(text) <= longest else f"{text[: longest - end - 1]}…{text[-end:]}"


def number(value: float) -> str:
    """Three digits that count, thousands apart; nearly 1 is not 1.

    >>> number(0.32198), number(38087), number(0.0), number(0.9999), number(0.0000663)
    ('0.322', '38,087', '0', 'over 0.999', '0.0000663')
    """
    if 0.9995 <= value < 1:
        return "over 0.999"
    whole = abs(value) >= 1000 or isinstance(value, int)
    return f"{value:,.0f}" if whole else without_power(f"{value:.3g}")


def share(part: float) -> str:
    """In per cent; nearly all is not all, and hardly any is not none.

    >>> share(1.0), share(0.99996), share(0.00001), share(0.25)
    ('100%', 'over 99.9%', 'under 0.1%', '25%')
    """
    if 0.9995 <= part < 1:
        return "over 99.9%"
    if 0 < part < 0.0005:
        return "under 0.1%"
    return f"{part:.1%}".replace(".0%", "%")


def plural(amount: int, one: str, more: str) -> str:
    """
    >>> plural(1, "person", "people"), plural(1200, "person", "people")
    ('1 person', '1,200 people')
    """
    return f"{amount:,} {one if amount == 1 else more}"


def drawing(
    values: Sequence[Mapping[str, Any]],
    layers: Sequence[Layer],
    height: int | Mapping[str, int],
    encoding: Encoding | None = None,
    right: int = 16,
) -> dict[str, Any]:
    """Layers over the same records, as wide as all charts; `right` is room for the text behind bars."""
    return {
        "data": {"values": list(values)},
        "width": WIDTH,
        "height": height,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "padding": {"left": 4, "top": 4, "bottom": 4, "right": right},
        "encoding": encoding or {},
        "layer": list(layers),
    }


def row_axis(field: str, names: Sequence[str], limit: int = 160) -> Encoding:
    """A row for each name, in their order."""
    axis = {"labelLimit": limit, "ticks": False, "domain": False, "labelPadding": 6}
    return {"field": field, "type": "nominal", "sort": list(names), "title": None, "axis": axis}


def number_axis(
    field: str, title: str | None = None, domain: Sequence[float] | None = None, **more: Any
) -> Encoding:
    """Numbers along an axis, whose title and domain one of its layers says; a title of "" is none."""
    reach = {"scale": {"domain": list(domain), "nice": False, **more.pop("scale", {})}} if domain else {}
    named = {} if title is None else {"title": title or None}
    return {"field": field, "type": "quantitative", **named, **reach, **more}


def log_axis(field: str, title: str, domain: tuple[float, float]) -> Encoding:
    """The same on a log scale, with few enough lines to see what lies between them."""
    low, high = map(math.log10, domain)
    steps = (1, 2, 5) if high - low < 3 else (1,)
    values = [step * 10.0**power for power in range(math.floor(low), math.ceil(high) + 1) for step in steps]
    shown = [value for value in values if domain[0] * 0.999 <= value <= domain[1] * 1.001]
    axis = {"values": shown, "tickCount": len(shown), "format": "~s" if high > 0 else "~g"}
    return number_axis(field, title, domain, scale={"type": "log"}, axis=axis)


def marks(kind: str, encoding: Encoding, **how: Any) -> Layer:
    """Marks that hold numbers: each says its own."""
    return {"mark": {"type": kind, **how}, "encoding": {**encoding, "description": SAID}}


def silent_marks(kind: str, encoding: Encoding, **how: Any) -> Layer:
    """Lines and texts that only repeat what marks say."""
    return {"mark": {"type": kind, "aria": False, **how}, "encoding": encoding}


def interval(low: Encoding, high: Encoding, **how: Any) -> list[Layer]:
    """A line with an end on either side."""
    across = {"x": low, "x2": {"field": high["field"]}}
    ends = [
        silent_marks("tick", {"x": end}, thickness=2, size=8, orient="vertical", **how) for end in (low, high)
    ]
    return [silent_marks("rule", across, strokeWidth=2, **how), *ends]


@dataclass(frozen=True)
class LegendMark:
    """How a legend shows a kind of mark."""

    stroke: str
    shape: str
    fill: str = "transparent"


def legend(name: str, looks: Mapping[str, LegendMark]) -> Encoding:
    """The encodings of a mark called `name`, with a legend of all that `looks` has."""
    ranges = {
        "shape": [look.shape for look in looks.values()],
        "stroke": [look.stroke for look in looks.values()],
        "fill": [look.fill for look in looks.values()],
    }
    shown = {"title": None, "symbolStrokeWidth": 2, "symbolSize": 120}
    return {
        channel: {"datum": name, "type": "nominal", "legend": shown, "scale": scale(looks, of_each)}
        for channel, of_each in ranges.items()
    }


def scale(domain: Iterable[str], of_each: Iterable[Any]) -> dict[str, Any]:
    """What each name looks like."""
    return {"domain": list(domain), "range": list(of_each)}


def thin_points(points: Sequence[tuple[float, float]], steps: int) -> list[int]:
    """The places of points that are enough to draw a rising curve, none of them moved.

    The first, the last, and whatever is at least one of so many steps right of or above the last one kept.

    >>> thin_points([(0.0, 0.0), (0.01, 0.01), (0.5, 0.02), (1.0, 1.0)], steps=10)
    [0, 2, 3]
    """
    if not points:
        return []
    (left, low), (right, high) = points[0], points[-1]
    wide, tall = (right - left) / steps, (high - low) / steps
    kept = [0]
    for index, (x, y) in enumerate(points[1:-1], start=1):
        before = points[kept[-1]]
        if x - before[0] >= wide or y - before[1] >= tall:
            kept.append(index)
    return kept if len(points) == 1 else [*kept, len(points) - 1]

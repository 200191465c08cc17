"""A histogram of how many records a person has with a value, over the values of an attribute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from singleout.charts import layout
from singleout.charts.layout import along, marks, number, silent
from singleout.charts.style import BLUE, PALE, WIDTH
from singleout.charts.value_spread import Bin

TITLE, HEIGHT, TICKS = "records a person (|R_x| / |U_x|)", 90, 8
# of an axis, what a bar without a width of its own takes
NARROW = 20


def histogram(name: str, mean: float, bins: Sequence[Bin], is_last: bool) -> dict[str, Any]:
    """One of several below each other, the last of which has the axis' title; `mean` is over the values."""
    left, end = _ends(bins)
    wide = [each.low for each in bins if not each.exact] or [1.0, end]
    axis = {"grid": False, "values": wide[:: -(-len(wide) // TICKS)], "tickCount": TICKS, "format": "~s"}
    x = along("low", TITLE if is_last else "", (left, end), bin="binned", axis=axis)
    y = along("share", "share of values", axis={"format": "%", "tickCount": 3})
    bars = marks("bar", {"x": x, "x2": {"field": "high"}, "y": y}, fill=PALE, stroke=BLUE)
    values = [_bar(name, each, left) for each in bins]
    return {
        "title": f"{name} (broken line: mean {number(mean)})",
        "width": WIDTH - 72,
        "height": HEIGHT,
        "layer": [{"data": {"values": values}, **bars}, _mean(name, mean), *_highest(bins[-1])],
    }


def _ends(bins: Sequence[Bin]) -> tuple[float, float]:
    """Of the axis; values with exactly 1 stand left of 1, no wider than others."""
    end = max(bins[-1].high, 2.0)
    if not bins[0].exact:
        return 1.0, end
    narrow = (end - 1) / NARROW
    return 1 - (min(narrow, bins[1].high - bins[1].low) if len(bins) > 1 else narrow), end


def _bar(name: str, each: Bin, left: float) -> dict[str, Any]:
    said = (
        f"{name}: {layout.share(each.share)} of the values ({each.values:,}) have {each.words} "
        f"{'record' if each.exact else 'records'} a person"
    )
    return {"low": left if each.exact else each.low, "high": each.high, "share": each.share, "said": said}


def _mean(name: str, mean: float) -> layout.Layer:
    record = {"mean": mean, "said": f"{name}: mean {number(mean)}"}
    rule = marks("rule", {"x": along("mean", title="")}, strokeWidth=2, strokeDash=[5, 3])
    return {"data": {"values": [record]}, **rule}


def _highest(last: Bin) -> list[layout.Layer]:
    """How far the values in a bin without an end reach."""
    if last.most is None:
        return []
    record = {"high": last.high, "share": last.share, "shown": f"up to {number(last.most)}"}
    at = {"x": along("high", title=""), "y": along("share"), "text": {"field": "shown"}}
    return [{"data": {"values": [record]}, **silent("text", at, align="right", dy=-8)}]

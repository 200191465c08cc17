"""How the records and people of an attribute's values are spread, in few enough numbers to draw."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts, Sizes
from singleout.report.charts import layout
from singleout.report.charts.layout import marks, number, number_axis, silent_marks
from singleout.report.charts.style import BLUE, PALE, WIDTH

MOST_BINS = 24
# a log grid of this many cells each way, so that the drawing stays light
GRID = 12


@dataclass(frozen=True)
class Bin:
    """The values with `low` to under `high` records a person; the last bin may reach up to `most`.

    A bin without a width has the values with exactly 1, and then the one from 1 on those with more.
    """

    low: float
    high: float
    values: int
    share: float
    most: float | None = None

    @property
    def exact(self) -> bool:
        return self.low == self.high

    @property
    def words(self) -> str:
        if self.exact:
            return f"exactly {number(self.low)}"
        end = f"under {number(self.high)}" if self.most is None else number(self.most)
        return f"{number(self.low)} to {end}"


def bins_of(sizes: Sizes, most: int = MOST_BINS) -> list[Bin]:
    """How α_x = |R_x|/|U_x| is spread over the values; the highest hundredth shares the last bin.

    Where half of the values or more have exactly 1, these are a bin of their own.

    >>> date = Sizes.of([(4, 2, 1), (3, 2, 1), (3, 1, 1)])  # Ito et al. 2019, Table 3: 2, 1.5 and 3
    >>> [(each.low, each.values) for each in bins_of(date, most=4)]
    [(1.0, 1), (2.0, 1), (3.0, 1)]
    """
    alpha, groups, total = sizes.records / sizes.people, sizes.groups, sizes.total_groups
    ones = int(groups[alpha == 1].sum())
    if ones * 2 < total:
        return _bins(alpha, groups, total, most)
    exact, more = Bin(1.0, 1.0, ones, ones / total), alpha > 1
    return [exact, *(_bins(alpha[more], groups[more], total, most - 1) if more.any() else ())]


def _bins(alpha: NDArray[numpy.float64], groups: Counts, total: int, most: int) -> list[Bin]:
    """Of equal width from 1 on, each with its share of all `total` values."""
    order = numpy.argsort(alpha, kind="stable")
    below = numpy.cumsum(groups[order]) / groups.sum()
    top = float(alpha[order][numpy.searchsorted(below, 0.99)])
    top = max(top, float((alpha * groups).sum() / groups.sum()))
    width = _width(top - 1, most)
    # so that 1.7 lies in the bin that starts with 1.7
    indexes = numpy.floor((alpha - 1) / width + 1e-9).astype(numpy.int64)
    last = math.floor((top - 1) / width + 1e-9)
    counts = numpy.bincount(numpy.minimum(indexes, last), weights=groups, minlength=last + 1)
    return [
        Bin(
            round(1 + index * width, 10),
            round(1 + (index + 1) * width, 10),
            int(values),
            float(values) / total,
            most=float(alpha.max()) if index == last and int(indexes.max()) > last else None,
        )
        for index, values in enumerate(counts.tolist())
    ]


def _width(span: float, most: int) -> float:
    """The narrowest of 0.1, 0.2, 0.5, 1, 2, 5 … that leaves at most so many bins."""
    widths = (step * 10.0**power for power in range(-1, 19) for step in (1.0, 2.0, 5.0))
    return next(width for width in widths if span / width < most - 1)


@dataclass(frozen=True)
class Dot:
    """Values that lie close together, at the mean of their people and of their records."""

    people: float
    records: float
    values: int


def dots_of(sizes: Sizes, grid: int = GRID) -> list[Dot]:
    """The values by people and records; where they are too many to draw, one dot for each cell of a grid.

    >>> dots_of(Sizes.of([(4, 2, 1), (3, 2, 1), (3, 1, 5)]))[0]
    Dot(people=1.0, records=3.0, values=5)
    """
    if len(sizes.groups) <= grid * grid:
        return [Dot(float(people), float(records), groups) for records, people, groups in sizes.rows()]
    cells = _cell(sizes.records, grid) * grid + _cell(sizes.people, grid)
    kept, cell_indexes = numpy.unique(cells, return_inverse=True)
    groups = numpy.bincount(cell_indexes, weights=sizes.groups)
    sums = [
        numpy.bincount(cell_indexes, weights=sizes.groups * each) / groups
        for each in (sizes.people, sizes.records)
    ]
    return [
        Dot(people, records, int(values))
        for people, records, values in zip(*(each.tolist() for each in (*sums, groups)), strict=True)
    ][: len(kept)]


def _cell(numbers: Counts, grid: int) -> Counts:
    """The place of each number on a log scale of so many steps."""
    logs = numpy.log(numbers)
    return numpy.minimum((logs / max(float(logs.max()), 1e-9) * grid).astype(numpy.int64), grid - 1)


TITLE, HEIGHT, TICKS = "records a person (|R_x| / |U_x|)", 90, 8
# of an axis, what a bar without a width of its own takes
NARROW = 20


def histogram(name: str, mean: float, bins: Sequence[Bin], is_last: bool) -> dict[str, Any]:
    """One of several below each other, the last of which has the axis' title; `mean` is over the values."""
    left, end = _ends(bins)
    wide = [each.low for each in bins if not each.exact] or [1.0, end]
    axis = {"grid": False, "values": wide[:: -(-len(wide) // TICKS)], "tickCount": TICKS, "format": "~s"}
    x = number_axis("low", TITLE if is_last else "", (left, end), bin="binned", axis=axis)
    y = number_axis("share", "share of values", axis={"format": "%", "tickCount": 3})
    bars = marks("bar", {"x": x, "x2": {"field": "high"}, "y": y}, fill=PALE, stroke=BLUE)
    values = [_bar(name, each, left) for each in bins]
    return {
        "title": f"{name} (broken line: mean {number(mean)})",
        "width": WIDTH - 72,
        "height": HEIGHT,
        "layer": [{"data": {"values": values}, **bars}, _mean(name, mean), *_highest_label(bins[-1])],
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
    rule = marks("rule", {"x": number_axis("mean", title="")}, strokeWidth=2, strokeDash=[5, 3])
    return {"data": {"values": [record]}, **rule}


def _highest_label(last: Bin) -> list[layout.Layer]:
    """How far the values in a bin without an end reach."""
    if last.most is None:
        return []
    record = {"high": last.high, "share": last.share, "shown": f"up to {number(last.most)}"}
    at = {"x": number_axis("high", title=""), "y": number_axis("share"), "text": {"field": "shown"}}
    return [{"data": {"values": [record]}, **silent_marks("text", at, align="right", dy=-8)}]

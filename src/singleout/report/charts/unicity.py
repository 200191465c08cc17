"""Unicity: how many people a few known records single out, and how coarsely they may be known for that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from singleout.attacks.attacker_knowledge import in_words
from singleout.attacks.measures import CANDIDATES, RATE, UNIQUE
from singleout.attacks.result import Reidentification
from singleout.attacks.unicity.known_points import Narrowed
from singleout.report.charts import layout
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import drawing, marks, number_axis, silent_marks
from singleout.report.charts.style import SERIES
from singleout.result_table import Heading, ResultTable
from singleout.roles.known_column import KnownColumn

Way = tuple[KnownColumn, ...]

MOST_LINES, MOST_TOGETHER, MOST_ROWS = 6, 3, 200
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
SIZES = (200, 140, 100, 80, 60, 45)
WHICH = {False: "random records", True: "the most telling records"}


def unicity(found: Reidentification) -> Chart | None:
    """What share of people is singled out by some known records, and how does that depend on their detail?"""
    if not found.unicity:
        return None
    both = {each.worst for each in found.unicity} == {False, True}
    ways = shown_ways(found.unicity, MOST_LINES // 2 if both else MOST_LINES)
    words = layout.labels((way_in_words(way, ways[0]) for way in ways), longest=60)
    names = dict(zip(ways, words, strict=True))
    shown = [each for each in found.unicity if each.columns in names]
    return Chart(
        name="unicity",
        title="People singled out by a few known records (unicity)",
        says=_says(found),
        table=_table(found, len(ways)),
        spec=_spec(shown, names, both),
        measures=(UNIQUE,),
    )


def _table(found: Reidentification, drawn: int) -> ResultTable:
    """All that was measured, drawn or not."""
    rows = [
        (
            in_words([column.words for column in each.columns]), WHICH[each.worst], each.points,
            each.unique, each.most.rate, each.candidates,
        )
        for each in found.unicity[:MOST_ROWS]
    ]  # fmt: skip
    ways, left = len({each.columns for each in found.unicity}), len(found.unicity) - len(rows)
    note = layout.plural(found.people, "person.", "people.")
    note += f" Drawn are {drawn:,} of {ways:,} ways to know a record." if ways > drawn else ""
    note += f" {left:,} more rows are left out." if left else ""
    return ResultTable("Share of people left with one candidate", _HEADINGS, tuple(rows), note)


_HEADINGS = (
    Heading("columns", "known of each record"),
    Heading("which", "which records"),
    Heading("points", "known records", "how many records of a person the attacker knows"),
    Heading.of("unique", "one candidate", UNIQUE),
    Heading.of("rate", "named rightly", RATE),
    Heading.of("candidates", "candidates", CANDIDATES),
)


def shown_ways(unicity: Sequence[Narrowed], most: int) -> list[Way]:
    """All columns together first, coarser and coarser, then single columns, the most telling first."""
    best: dict[Way, float] = {}
    for each in unicity:
        best[each.columns] = max(best.get(each.columns, 0.0), each.unique)
    widest = max(map(len, best))
    together = [way for way in best if len(way) == widest]
    others = sorted((way for way in best if len(way) < widest), key=lambda way: -best[way])
    first = together[: min(MOST_TOGETHER, most)]
    return [*first, *others, *together[len(first) :]][:most]


def way_in_words(way: Way, widest: Way) -> str:
    """All columns by their number, with those that are known coarsely.

    >>> month, goods, price = KnownColumn("date", "month"), KnownColumn("goods"), KnownColumn("price")
    >>> way_in_words((month, goods, price), (month, goods, price))
    'all 3 columns: date (to the month)'
    """
    if len(way) < 3 or len(way) < len(widest):
        return in_words([column.words for column in way])
    coarse = [column.words for column in way if column.words != column.name]
    return f"all {len(way)} columns" + (f": {in_words(coarse)}" if coarse else "")


def _says(found: Reidentification) -> str:
    enough = found.enough or found.unicity[-1]
    says = (
        f"{_records(enough)} {_leave(enough)} one candidate for {layout.share(enough.unique)} of the people, "
        f"if {_columns(enough)} {'is' if len(enough.columns) == 1 else 'are'} known."
    )
    alone = [each for each in found.unicity if len(each.columns) < len(enough.columns) and not each.worst]
    if not alone:
        return says
    most = max(alone, key=lambda each: each.unique)
    return (
        f"{says} By {_columns(most)} alone, {_records(most)} {_leave(most)} one for "
        f"{layout.share(most.unique)}."
    )


def _columns(each: Narrowed) -> str:
    return in_words([layout.short_name(column.words) for column in each.columns])


def _leave(each: Narrowed) -> str:
    return "leaves" if each.points == 1 else "leave"


def _records(each: Narrowed) -> str:
    which = "most telling" if each.worst else "random"
    return f"{each.points:,} {which} record{'s' if each.points > 1 else ''} of a person"


_DASHES = {"title": None, "symbolType": "stroke", "symbolSize": 300, "orient": "bottom"}


def _spec(shown: Sequence[Narrowed], names: dict[Way, str], both: bool) -> dict[str, Any]:
    values = [
        {
            "known": names[each.columns], "which": WHICH[each.worst], "points": each.points,
            "unique": each.unique,
            "said": f"{names[each.columns]}, {each.points:,} {'most telling' if each.worst else 'random'}: "
            f"{layout.share(each.unique)} of people left with one candidate",
        }
        for each in shown
    ]  # fmt: skip
    points = sorted({each.points for each in shown})
    known = {"field": "known", "type": "nominal", "legend": {"title": "known of each record", "offset": 14}}
    shown_names = list(names.values())
    colour = {**known, "scale": layout.scale(shown_names, SERIES[: len(names)])}
    shape = {**known, "scale": layout.scale(shown_names, SHAPES[: len(names)])}
    # the first ones behind the others, so that all are seen where they lie on each other
    sizes = {**known, "scale": layout.scale(shown_names, SIZES[: len(names)]), "legend": None}
    size: layout.Encoding = sizes if len(names) > 1 else {"value": SIZES[0]}  # Vega has no scale of one size
    which = {
        "field": "which", "type": "nominal",
        "scale": layout.scale(WHICH.values(), [[1, 0], [5, 3]]),
        "legend": _DASHES if both else None,
    }  # fmt: skip
    axis = {"values": points[:10], "tickCount": 10, "format": "d"}
    domain = (points[0], max(points[-1], points[0] + 1))
    x = number_axis("points", "known records of a person", domain, axis=axis, scale={"padding": 8})
    y = number_axis("unique", "people left with one candidate", (0, 1), axis={"format": "%"})
    lines = silent_marks("line", {"x": x, "y": y, "color": colour, "strokeDash": which})
    dots = marks("point", {"x": x, "y": y, "color": colour, "shape": shape, "size": size})
    return drawing(values, [lines, dots], 240)

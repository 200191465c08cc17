"""How many people are recognised when only a part of each person's records is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from singleout.attacks.attack_run import ONE_TO_ONE
from singleout.attacks.attempt import Attempt
from singleout.attacks.measures import RATE
from singleout.attacks.result import Reidentification
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import Layer, drawing, marks, number_axis, share, silent_marks
from singleout.report.charts.style import SERIES, SOFT
from singleout.result_table import Heading, ResultTable

TOLD_APART, HEIGHT = 5, 260
OTHERS, TITLE = "other attacks", "How much of a person's records need be known"
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "circle")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [1, 0])
SEEN = "The further left a line is high, the fewer records of a person are enough to recognise them."

Lines = Mapping[str, Sequence[Attempt]]


def rates_by_share(found: Reidentification) -> Chart | None:
    """A line for each attack over the shares of records known; None if only one share was asked for.

    The five that recognise most are told apart by colour, shape and stroke, the others are grey.
    """
    lines = _lines(found.attacks)
    shares = sorted({each.share for line in lines.values() for each in line})
    if len(shares) < 2:
        return None
    ordered = sorted(lines, key=lambda name: sorted(-each.rate for each in lines[name]))
    rows = tuple((name, *(_rate(lines[name], known) for known in shares)) for name in ordered)
    headings = tuple(
        Heading.of(f"share_{index}", f"{known * 100:g}% known", RATE) for index, known in enumerate(shares)
    )
    note = "The rate of each attack by the share of each person's records that is known."
    table = ResultTable(TITLE, (Heading("attack", "attack"), *headings), rows, note)
    return Chart("known-shares", TITLE, SEEN, table, _spec(lines, ordered, shares), (RATE,))


def _lines(attacks: Sequence[Attempt]) -> Lines:
    """What each attack came to by the share known; guesses one to one know the same and are left out."""
    lines: dict[str, list[Attempt]] = {}
    for each in attacks:
        if each.linked and each.name != "best" and not each.name.endswith(ONE_TO_ONE):
            lines.setdefault(each.name.partition("@")[0], []).append(each)
    return lines


def _rate(line: Sequence[Attempt], known: float) -> float | None:
    return next((each.rate for each in line if each.share == known), None)


def _spec(lines: Lines, ordered: Sequence[str], shares: Sequence[float]) -> dict[str, Any]:
    first = ordered[:TOLD_APART]
    kinds = [*first, *([OTHERS] if len(ordered) > len(first) else [])]
    values = [_dot(name, each, index) for index, name in enumerate(ordered) for each in lines[name]]

    def tooltip(of: Sequence[Any]) -> dict[str, Any]:
        scale = {"domain": kinds, "range": [*of[: len(kinds)]]}
        legend = {"title": None, "columns": 3, "columnPadding": 24}
        return {"field": "kind", "type": "nominal", "scale": scale, "legend": legend}

    x_axis = {"title": "share of each person's records that is known", "format": "~%", "values": [*shares]}
    y_axis = {"title": "share of people recognised", "format": ".0%", "tickCount": 5}
    both = {
        "x": number_axis("share", domain=(0, 1), axis=x_axis),
        "y": number_axis("rate", domain=(0, 1), axis=y_axis),
        "color": tooltip([*SERIES[: len(first)], SOFT]),
    }
    lines_of = [_strokes(index, dash) for index, dash in enumerate(DASHES[: len(kinds)])]
    dots = marks("point", {"shape": tooltip(SHAPES)}, size=70, opacity=1)
    return drawing(values, [*lines_of, dots], HEIGHT, both)


def _strokes(index: int, dash: Sequence[int]) -> Layer:
    """Not by an encoding, or the signs of the legend would be broken like the lines."""
    line = silent_marks("line", {"detail": {"field": "line"}}, strokeDash=[*dash])
    return {"transform": [{"filter": f"datum.place === {index}"}], **line}


def _dot(name: str, each: Attempt, index: int) -> dict[str, Any]:
    said = (
        f"{name} with {each.share * 100:g}% of each person's records known recognises {share(each.rate)} "
        f"of {each.people:,} people"
    )
    kind = name if index < TOLD_APART else OTHERS
    about = {"line": name, "kind": kind, "place": min(index, TOLD_APART)}
    return {**about, "share": each.share, "rate": each.rate, "said": said}

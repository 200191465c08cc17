"""A team's own submissions one after the other: whom they gave away, and where they stood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from singleout.attacks.measures import RATE
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import ONLY_LEAST, drawing, marks, number_axis, share, silent_marks
from singleout.report.charts.style import BLUE
from singleout.result_table import Heading, ResultTable
from singleout.utility.compare.ranking import OVERALL

HEIGHT = 220
TITLE = "Your submissions, one after the other"
SEEN = (
    "The lower a dot, the fewer people the best attack recognises; a hollow one is only the least that it "
    "recognises. Ranks are among all submissions so far."
)
FILL = {"condition": {"test": "datum.certain", "value": BLUE}, "value": "white"}


@dataclass(frozen=True)
class PastSubmission:
    """What became of a submission: the highest rate of all attacks, and its ranks; None where unknown.

    If the rate is not `certain`, attacks may recognise more.
    """

    name: str
    highest_rate: float | None
    utility_rank: float | None = None
    privacy_rank: float | None = None
    certain: bool = True


def submission_history(past: Sequence[PastSubmission]) -> Chart | None:
    """A dot for each, the first at the left; None if fewer than two have a rate."""
    dots = [
        {"place": place, "rate": each.highest_rate, "certain": each.certain, "said": _said(each)}
        for place, each in enumerate(past, 1)
        if each.highest_rate is not None
    ]
    if len(dots) < 2:
        return None
    ticks = [*range(1, len(past) + 1, -(-len(past) // 12))]
    x_axis = {"title": "submission", "values": ticks, "format": "d", "tickCount": len(ticks)}
    x = number_axis("place", domain=(0.5, len(past) + 0.5), axis=x_axis)
    y = number_axis("rate", domain=(0, 1), axis={"title": "highest share recognised", "format": ".0%"})
    layers = [
        silent_marks("line", {}, color=BLUE),
        marks("point", {"fill": FILL}, size=70, color=BLUE, opacity=1),
    ]
    headings = (
        Heading("submission", "submission"), Heading.of("rate", "highest attack rate", RATE), ONLY_LEAST,
        Heading.of("utility_rank", "utility rank", OVERALL),
        Heading.of("privacy_rank", "privacy rank", OVERALL),
    )  # fmt: skip
    rows = tuple(
        (each.name, each.highest_rate, _least(each), each.utility_rank, each.privacy_rank) for each in past
    )
    spec = drawing(dots, layers, HEIGHT, {"x": x, "y": y})
    return Chart("submission-history", TITLE, SEEN, ResultTable(TITLE, headings, rows), spec, (RATE, OVERALL))


def _least(each: PastSubmission) -> bool | None:
    return None if each.highest_rate is None else not each.certain


def _said(each: PastSubmission) -> str:
    ranks = "" if each.utility_rank is None else f", utility rank {each.utility_rank:g}"
    ranks += "" if each.privacy_rank is None else f", privacy rank {each.privacy_rank:g}"
    least = "" if each.certain else "at least "
    return f"{each.name}: the best attack recognises {least}{share(each.highest_rate or 0)}{ranks}"

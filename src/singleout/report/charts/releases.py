"""Releases beside their original: use against protection by rank, and what each has lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from singleout.attacks.measures import RATE
from singleout.errors import printable_text
from singleout.report.charts.chart import Chart
from singleout.report.charts.label_placement import Label, Spot, fit_labels
from singleout.report.charts.layout import ONLY_LEAST, Layer, number_axis, share, short_name, silent_marks
from singleout.report.charts.layout import marks as saying_marks
from singleout.report.charts.release_letters import mark_of, short_names
from singleout.report.charts.style import BLUE, INK, ORANGE, SKY, WIDTH
from singleout.result_table import Heading, ResultTable
from singleout.utility.compare.ranking import OVERALL, Ranking, Standing

# beside the axis as wide as other charts
SIDE, HEIGHT, MOST_TICKS = WIDTH - 50, 380, 12
# letters of a name that finds no room
SHORT = 18
ORIGINAL = "the original"
TITLE = "Use and protection of each release, by rank"
SEEN = (
    "Left is more use, down is more protection; 1 is the best rank of {:,}, the original among them. Below "
    "the broken line, in the shaded part, a release is a better bargain than the untouched original: {} of "
    "{:,} drawn."
)
UNSURE = " Of {:,} of these not all could be compared: they are better only if attackers recognise no more."
HEADINGS = (
    Heading("release", "release"),
    Heading.of("utility_rank", "utility rank", OVERALL),
    Heading.of("privacy_rank", "privacy rank", OVERALL),
    Heading.of("overall", "mean of both", OVERALL),
    Heading.of("highest_rate", "highest attack rate", RATE),
    ONLY_LEAST,
    Heading("better", "better than the original"),
)


def without_folders(ranking: Ranking) -> Ranking:
    """The same of releases that are called after their files, by as much of these as tells them apart."""
    names = short_names([each.name for each in ranking.releases])
    releases = zip(ranking.releases, names, strict=True)
    return replace(ranking, releases=tuple(replace(each, name=name) for each, name in releases))


def utility_and_privacy(ranking: Ranking) -> Chart | None:
    """A dot for each release that has both ranks, and the original's boundary; None if nothing has both.

    A name stands beside its dot, its ends or a letter where it does not fit. As Fig. 13 of Ito et al. n.d.
    """
    if ranking.boundary is None or not ranking.with_both:
        return None
    many = len(ranking.releases) + 1
    better = sum(ranking.better_than_original(each) is True for each in ranking.releases)
    says = SEEN.format(many, f"{better:,}" if better else "none", len(ranking.with_both))
    draws = sum(each.overall == ranking.boundary for each in ranking.releases)
    says += f" {draws:,} on the line {_is(draws)} a draw." if draws else ""
    unsure = sum(
        ranking.better_than_original(each) is True and not each.compared for each in ranking.releases
    )
    says += UNSURE.format(unsure) if unsure else ""
    lacking = len(ranking.releases) - len(ranking.with_both)
    more = f" {lacking:,} without a privacy rank {_is(lacking)} not drawn." if lacking else ""
    spec = _spec(ranking, ranking.boundary)
    return Chart("releases", TITLE, says + more, ranks_table(ranking), spec, (OVERALL, RATE))


def _is(many: int) -> str:
    return "is" if many == 1 else "are"


def ranks_table(ranking: Ranking) -> ResultTable:
    """The best first, the original last."""
    names = {id(each): f"{mark_of(index)}: {each.name}" for index, each in enumerate(ranking.releases)}
    rows = [_row(names[id(each)], each, ranking) for each in ranking.best_first]
    own = (*_row(f"{ORIGINAL}, {ranking.original.name}", ranking.original, ranking)[:-1], "boundary")
    return ResultTable("Where each release stands", HEADINGS, (*rows, own))


def _row(name: str, each: Standing, ranking: Ranking) -> tuple[str | float | bool | None, ...]:
    better = ranking.better_than_original(each)
    least = None if each.highest_rate is None else not each.compared
    return name, each.utility_rank, each.privacy_rank, each.overall, each.highest_rate, least, better


def _spec(ranking: Ranking, boundary: float) -> dict[str, Any]:
    many = len(ranking.releases) + 1
    return {
        "width": SIDE,
        "height": HEIGHT,
        "encoding": {
            "x": _axis("utility", "utility rank (further right: less use)", many),
            "y": _axis("privacy", "privacy rank (further up: more risk)", many),
        },
        "layer": [
            *_better_part(boundary, many),
            _dots([_dot(ORIGINAL, ranking.original)], shape="diamond", size=260, color=ORANGE),
            _dots([*_releases(ranking)], shape="circle", size=80, color=BLUE),
            *_labels(ranking, many),
        ],
    }


def _axis(field: str, title: str, many: int) -> dict[str, Any]:
    ticks = [*range(1, many + 1, -(-many // MOST_TICKS))]
    # without their number Vega would leave out some of the values
    axis = {"title": title, "values": ticks, "tickCount": len(ticks), "format": "d", "labelOverlap": False}
    return number_axis(field, domain=(0.5, many + 0.5), axis=axis)


def _better_part(boundary: float, many: int) -> Iterator[Layer]:
    """Where the mean of both ranks is below the original's, from one side of the field to the other."""
    both, least, most = 2 * boundary, 0.5, many + 0.5
    start, end = max(least, both - most), min(most, both - least)
    line = [{"utility": rank, "privacy": both - rank} for rank in (start, end)]
    edge = [{**each, "bottom": least} for each in ({"utility": least, "privacy": both - start}, *line)]
    words = [{"utility": least, "privacy": least, "text": "better than the original"}]
    shade = silent_marks("area", {"y2": {"field": "bottom"}}, color=SKY, opacity=0.13)
    yield {"data": {"values": edge}, **shade}
    yield {
        "data": {"values": line},
        **silent_marks("line", {}, color=INK, strokeDash=[6, 4], strokeWidth=1.5),
    }
    yield from _over_lines(words, align="left", dx=8, dy=-10, fontStyle="italic")


def _over_lines(values: Sequence[dict[str, Any]], **how: Any) -> Iterator[Layer]:
    """Text with a halo, which keeps lines off it."""
    for halo in ({"stroke": "white", "strokeWidth": 3, "opacity": 0.85}, {}):
        text = silent_marks("text", {"text": {"field": "text"}}, **how, **halo)
        yield {"data": {"values": values}, **text}


def _dots(values: Sequence[dict[str, Any]], **looks: Any) -> Layer:
    return {"data": {"values": values}, **saying_marks("point", {}, opacity=1, **looks)}


def _releases(ranking: Ranking) -> Iterator[dict[str, Any]]:
    for each in ranking.releases:
        if each.overall is not None:
            yield _dot(each.name, each)


def _dot(name: str, each: Standing) -> dict[str, Any]:
    least = "" if each.compared else "at least "
    rate = "" if each.highest_rate is None else f", highest attack rate {least}{share(each.highest_rate)}"
    said = (
        f"{printable_text(name)}: utility rank {each.utility_rank:g}, "
        f"privacy rank {each.privacy_rank:g}, mean {each.overall:g}{rate}"
    )
    return {"utility": each.utility_rank, "privacy": each.privacy_rank, "said": said}


def _labels(ranking: Ranking, many: int) -> Iterator[Layer]:
    """Names beside their dots, for each side of a dot that they stand at."""

    def spot(each: Standing, *words: str) -> Spot:
        x = ((each.utility_rank or 0) - 0.5) / many * SIDE
        y = (1 - ((each.privacy_rank or 0) - 0.5) / many) * HEIGHT
        return Spot(x, y, tuple(map(printable_text, words)))

    marked = [(each, mark_of(index)) for index, each in enumerate(ranking.releases)]
    spots = [
        spot(each, each.name, short_name(each.name, SHORT), mark)
        for each, mark in marked
        if each.overall is not None
    ]
    labels = fit_labels([spot(ranking.original, ORIGINAL), *spots], SIDE, HEIGHT)
    for side in dict.fromkeys(each.align for each in labels):
        values = [_text(each, many) for each in labels if each.align == side]
        yield from _over_lines(values, align=side, baseline="middle")


def _text(label: Label, many: int) -> dict[str, Any]:
    """Back from the drawing's units to ranks."""
    across, up = label.x / SIDE * many + 0.5, (1 - label.y / HEIGHT) * many + 0.5
    return {"utility": across, "privacy": up, "text": label.text}

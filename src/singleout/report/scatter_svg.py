"""The ranking of releases as a drawing (SVG) that needs nothing else: paper 3's Fig. 13 with its boundary."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import PurePath

from singleout.report.scatter import mark_of
from singleout.utility.ranking import Ranking, Standing

SIDE, LEFT, TOP, LEGEND, LINE = 400, 70, 60, 420, 20
BELOW = 60
LONGEST = 28
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #222 }
.title { font-size: 16px; font-weight: 600 }
.small, .tick { font-size: 11px; fill: #555 }
.grid { stroke: #ddd }
.axis { stroke: #555 }
.boundary { stroke: #b3541e; stroke-width: 1.5; stroke-dasharray: 6 4 }
.better { fill: #2b6cb0; fill-opacity: 0.07 }
.release { fill: #2b6cb0 }
.original { fill: #b3541e }
.mark { font-weight: 600 }
"""


def drawing(ranking: Ranking) -> str:
    """A dot for the original and each release by its ranks, the boundary, and a list of what they are.

    A release without both ranks is listed as left out.
    """
    if ranking.boundary is None:
        raise ValueError("only what has both ranks can be drawn")
    everybody = (*ranking.releases, ranking.original)
    height = max(TOP + SIDE + BELOW, TOP + LINE * (len(everybody) + 6))
    width = LEFT + SIDE + LEGEND
    body = "\n".join(
        [
            *_frame(len(everybody)),
            *_boundary(ranking.boundary, len(everybody)),
            *_dots(ranking),
            *_legend(ranking),
        ]
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img">\n<title>Utility and privacy of {len(ranking.releases)} releases'
        f"</title>\n<style>{STYLE}</style>\n"
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n{body}\n</svg>\n'
    )


def short_names(names: Sequence[str]) -> list[str]:
    """Without folders where that leaves them different, and the end of those that are too long.

    >>> short_names(["out/a.csv", "out/b.csv"]), short_names(["one/a.csv", "two/a.csv"])
    (['a.csv', 'b.csv'], ['one/a.csv', 'two/a.csv'])
    """
    bare = [PurePath(name).name or name for name in names]
    chosen = bare if len({*bare}) == len({*names}) else names
    return [name if len(name) <= LONGEST else f"…{name[1 - LONGEST :]}" for name in chosen]


def _x(rank: float, many: int) -> float:
    return round(LEFT + SIDE * (rank - 0.5) / many, 1)


def _y(rank: float, many: int) -> float:
    return round(TOP + SIDE - SIDE * (rank - 0.5) / many, 1)


def _frame(many: int) -> Iterator[str]:
    yield f'<text class="title" x="{LEFT}" y="28">Utility and privacy, by rank</text>'
    yield f'<text class="small" x="{LEFT}" y="46">1 is the best of {many}, the original among them</text>'
    bottom, right = TOP + SIDE, LEFT + SIDE
    step = max(1, math.ceil(many / 12))
    for rank in range(1, many + 1, step):
        x, y = _x(rank, many), _y(rank, many)
        yield f'<line class="grid" x1="{x}" y1="{TOP}" x2="{x}" y2="{bottom}"/>'
        yield f'<line class="grid" x1="{LEFT}" y1="{y}" x2="{right}" y2="{y}"/>'
        yield f'<text class="tick" x="{x}" y="{bottom + 18}" text-anchor="middle">{rank}</text>'
        yield f'<text class="tick" x="{LEFT - 10}" y="{y + 4}" text-anchor="end">{rank}</text>'
    yield f'<path class="axis" fill="none" d="M{LEFT} {TOP}V{bottom}H{right}"/>'
    middle = TOP + SIDE / 2
    yield (
        f'<text x="{LEFT + SIDE / 2}" y="{bottom + 42}" text-anchor="middle">utility rank (right: less use)'
        "</text>"
    )
    yield (
        f'<text x="28" y="{middle}" text-anchor="middle" transform="rotate(-90 28 {middle})">'
        "privacy rank (up: more risk)</text>"
    )


def _boundary(boundary: float, many: int) -> Iterator[str]:
    """Where the mean of both ranks is the original's, from one side of the field to the other."""
    both, least, most = 2 * boundary, 0.5, many + 0.5
    start, end = max(least, both - most), min(most, both - least)
    corners = [(start, both - start), (end, both - end), (end, least), (least, least), (least, both - start)]
    spots = " ".join(f"{_x(across, many)},{_y(up, many)}" for across, up in corners)
    yield f'<polygon class="better" points="{spots}"/>'
    yield (
        f'<line class="boundary" x1="{_x(start, many)}" y1="{_y(both - start, many)}" '
        f'x2="{_x(end, many)}" y2="{_y(both - end, many)}"/>'
    )


def _dots(ranking: Ranking) -> Iterator[str]:
    many = len(ranking.releases) + 1
    taken: Counter[tuple[float, float]] = Counter()
    for kind, mark, each in _marked(ranking):
        x, y = _x(each.utility_rank or 0, many), _y(each.privacy_rank or 0, many)
        beside = x + 9 + 12 * taken[x, y]
        taken[x, y] += 1
        yield f'<circle class="{kind}" cx="{x}" cy="{y}" r="5"><title>{_said(each.name)}</title></circle>'
        yield f'<text class="mark" x="{beside}" y="{y - 6}">{mark}</text>'


def _marked(ranking: Ranking) -> Iterator[tuple[str, str, Standing]]:
    """The original first, so that a release at its place is seen."""
    yield "original", "", ranking.original
    for place, each in enumerate(ranking.releases):
        if each.overall is not None:
            yield "release", mark_of(place), each


def _legend(ranking: Ranking) -> Iterator[str]:
    x, y = LEFT + SIDE + 24, TOP + 12
    everybody = [*_marked(ranking)]
    names = short_names([each.name for _, _, each in everybody])
    yield f'<text class="small" x="{x + 20}" y="{y}">mean rank, highest attack rate</text>'
    for place, ((kind, mark, each), name) in enumerate(zip(everybody, names, strict=True), 1):
        down = y + LINE * place
        what = "the original, " if kind == "original" else ""
        yield (
            f'<text class="mark" x="{x}" y="{down}">{mark}</text>'
            if mark
            else f'<circle class="original" cx="{x + 5}" cy="{down - 4}" r="5"/>'
        )
        numbers = f'<tspan class="small" dx="8">{_numbers(each)}</tspan>'
        yield f'<text x="{x + 20}" y="{down}">{what}{_said(name)}{numbers}</text>'
    down = y + LINE * (len(everybody) + 1)
    yield f'<line class="boundary" x1="{x - 3}" y1="{down - 4}" x2="{x + 14}" y2="{down - 4}"/>'
    yield f'<text x="{x + 20}" y="{down}">boundary: mean rank {ranking.boundary:g}</text>'
    yield f'<text class="small" x="{x + 20}" y="{down + 16}">below it, better than the original</text>'
    yield from _left_out(ranking, x, down + 16 + LINE)


def _left_out(ranking: Ranking, x: int, y: int) -> Iterator[str]:
    names = short_names([each.name for each in ranking.releases])
    others = [place for place, each in enumerate(ranking.releases) if each.overall is None]
    if others:
        yield f'<text class="small" x="{x + 20}" y="{y}">left out, for a rank is unknown:</text>'
    for line, place in enumerate(others, 1):
        down = y + LINE * line
        yield f'<text class="mark" x="{x}" y="{down}">{mark_of(place)}</text>'
        yield f'<text x="{x + 20}" y="{down}">{_said(names[place])}</text>'


def _numbers(each: Standing) -> str:
    return f"{each.overall:g}, {each.highest_rate or 0:.1%}"


def _said(name: str) -> str:
    """A name from the data must not steer what shows the drawing."""
    return escape("".join(each if each.isprintable() else repr(each)[1:-1] for each in name))

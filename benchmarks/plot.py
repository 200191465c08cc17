"""Line plots as SVG, side by side, with a logarithmic axis upwards; legible on light and on dark pages.

There is no background, and all colours are of middle brightness: both white and black let them stand out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 760, 320
LEFT, RIGHT, TOP, BOTTOM = 62, 18, 84, 48
INK = "#7c828a"
COLOURS = ("#2f8be0", "#dd7412", "#3c9a4e", "#b45fc4")
Point = tuple[float, float]


@dataclass(frozen=True)
class Panel:
    """`lines` by name; `marks` says what stands below the axis, and where."""

    title: str
    across: str
    logarithmic: bool
    marks: Mapping[float, str]
    lines: Mapping[str, Sequence[Point]]


@dataclass(frozen=True)
class Frame:
    """Where a panel's values lie on the picture."""

    left: float
    width: float
    wide: Point
    high: Point
    logarithmic: bool

    def x(self, value: float) -> float:
        low, top = (math.log10(each) if self.logarithmic else each for each in self.wide)
        share = ((math.log10(value) if self.logarithmic else value) - low) / ((top - low) or 1)
        return self.left + share * self.width

    def y(self, value: float) -> float:
        low, top = self.high
        return HEIGHT - BOTTOM - (math.log10(value) - low) / (top - low) * (HEIGHT - TOP - BOTTOM)


def drawn(title: str, about: str, panels: Sequence[Panel]) -> str:
    """The panels share the way up, in seconds; every line but the first, which is ours, is dashed."""
    up = [value for panel in panels for points in panel.lines.values() for _, value in points]
    high = (math.floor(math.log10(min(up))), math.ceil(math.log10(max(up)) + 1e-9))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="12" fill="{INK}">',
        f"<title>{escape(title)}</title><desc>{escape(about)}</desc>",
        text(WIDTH / 2, 18, title, 'font-size="14" font-weight="600"'),
        *legend(list(panels[0].lines)),
    ]
    for place, panel in enumerate(panels):
        parts += panel_parts(panel, frame(panel, place * WIDTH / len(panels), WIDTH / len(panels), high))
    return "\n".join([*parts, "</svg>", ""])


def frame(panel: Panel, left: float, width: float, high: Point) -> Frame:
    across = [value for points in panel.lines.values() for value, _ in points]
    return Frame(
        left + LEFT, width - LEFT - RIGHT, (min(across), max(across)), high, logarithmic=panel.logarithmic
    )


def panel_parts(panel: Panel, within: Frame) -> Iterator[str]:
    first, last, floor = within.left, within.left + within.width, HEIGHT - BOTTOM
    yield text((first + last) / 2, TOP - 14, panel.title, 'font-weight="600"')
    for power in range(int(within.high[0]), int(within.high[1]) + 1):
        y = within.y(10.0**power)
        yield rule(first, y, last, y, "0.35")
        yield text(first - 7, y + 4, seconds(power), anchor="end")
    marks = {
        value: label for value, label in panel.marks.items() if within.wide[0] <= value <= within.wide[1]
    }
    for value, label in marks.items():
        yield rule(within.x(value), floor, within.x(value), floor + 5, "1")
        # centred on the right edge, half of a long number would be cut off
        at_edge = within.x(value) > WIDTH - 4 * len(label)
        yield text(within.x(value), floor + 19, label, anchor="end" if at_edge else "middle")
    yield text((first + last) / 2, HEIGHT - 10, panel.across)
    for place, points in enumerate(panel.lines.values()):
        yield from line_parts(place, [(within.x(x), within.y(y)) for x, y in points])


def line_parts(place: int, points: Sequence[Point]) -> Iterator[str]:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    yield f'<polyline points="{path}" fill="none" stroke-width="2" {stroke(place)}/>'
    for x, y in points:
        yield dot(place, x, y)


def legend(names: Sequence[str]) -> Iterator[str]:
    widths = [len(name) * 6.4 + 62 for name in names]
    left = (WIDTH - sum(widths)) / 2
    for place, name in enumerate(names):
        yield f'<path d="M{left:.1f} 40h30" stroke-width="2" {stroke(place)}/>'
        yield dot(place, left + 15, 40)
        yield text(left + 37, 44, name, anchor="start")
        left += widths[place]


def stroke(place: int) -> str:
    return f'stroke="{COLOURS[place]}"' + (' stroke-dasharray="6 4"' if place else "")


def dot(place: int, x: float, y: float) -> str:
    if place:
        return f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6" fill="{COLOURS[place]}"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{COLOURS[place]}"/>'


def text(x: float, y: float, words: str, more: str = "", anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{escape(words)}</text>'


def rule(x: float, y: float, to_x: float, to_y: float, opacity: str) -> str:
    return f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" stroke="{INK}" stroke-opacity="{opacity}"/>'


def seconds(power: int) -> str:
    return f"{10**power:,} s" if power >= 0 else f"{10.0 ** (power + 3):g} ms"

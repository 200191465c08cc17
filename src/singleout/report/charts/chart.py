"""A chart: what is drawn, the table behind it, and the words that say what to see."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

from singleout.address_space import check_addresses
from singleout.errors import printable_lines
from singleout.measurement import Measure
from singleout.report.charts.drawing_process import started_drawing
from singleout.report.charts.style import CONFIG
from singleout.result_table import ResultTable

# letters may be wider where the page is read than where the chart was laid out
LEFT, ABOVE, RIGHT, BELOW = 16, 2, 2, 12
SIZE = re.compile(r'<svg [^>]*?width="([0-9.]+)" height="([0-9.]+)"[^>]*>')
# names of parts: several drawings on one page would share them, and they count on from drawing to drawing
PART = re.compile(r'(id="|url\(#)([a-z]+[0-9]+)')


@dataclass(frozen=True)
class Chart:
    """`spec` is Vega-Lite with its data inside; `says` is what to see in it, in plain words.

    `name` is short and unique on a page. Every mark that holds a number has the encoding `description`: what
    a tooltip and a screen reader say of it. `table` has the same numbers. No raw value of a person is in
    either.
    """

    name: str
    title: str
    says: str
    table: ResultTable
    spec: Mapping[str, Any] = field(repr=False)
    measures: tuple[Measure, ...] = ()

    def svg(self) -> str:
        """The drawing for a page: as wide as its place allows, its marks told by their descriptions."""
        return self._render('class="drawing" style="max-width:{width}px"', "transparent")

    def drawing(self) -> str:
        """The same as a file of its own."""
        return self._render('width="{width}" height="{height}"', "white") + "\n"

    def _render(self, size: str, background: str) -> str:
        check_addresses(drawing=True)
        drawn = _drawn({**self.spec, "config": {**CONFIG, "background": background}})
        width, height = SIZE.match(drawn).groups()  # type: ignore[union-attr]
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size.format(width=width, height=height)} '
            f'viewBox="{_view_box(width, height)}" role="graphics-document" aria-roledescription="chart" '
            f'aria-label="{escape(self.title)}">'
        )
        return printable_lines(self._own_parts(head + SIZE.sub("", drawn, count=1)))

    def _own_parts(self, svg: str) -> str:
        """Parts named by the chart and numbered from 0, so that a drawing is the same each time."""
        numbers: dict[str, int] = {}

        def named(found: re.Match[str]) -> str:
            number = numbers.setdefault(found[2], len(numbers))
            return f"{found[1]}{self.name}-part-{number}"

        return PART.sub(named, svg)


def _drawn(spec: dict[str, Any]) -> str:
    """By the process that draws beside the work, where there is one."""
    process = started_drawing()
    drawn = process.draw(spec) if process else None
    if drawn is None:
        import vl_convert

        return vl_convert.vegalite_to_svg(spec)
    return drawn


def _view_box(width: str, height: str) -> str:
    return f"{-LEFT} {-ABOVE} {float(width) + LEFT + RIGHT:g} {float(height) + ABOVE + BELOW:g}"

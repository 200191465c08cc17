"""A page: a template filled for whoever looks at it, in their language."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from threading import Lock
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import share
from singleout.result_table import cell_text

# the policy of the pages allows no style of their own: an attribute says how wide a drawing is at most
INLINE_STYLE = re.compile(r' style="max-width:([0-9.]+)px"')
UNKNOWN = "–"
ONE_AT_A_TIME = Lock()
# its tooltips are the reports' own
REPORTS = ("report.js",)


@cache
def environment() -> Environment:
    shelf = Environment(
        loader=PackageLoader("singleout.platform.web", "templates"), autoescape=True,
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    shelf.globals["static"] = static_address
    shelf.filters |= {"cell": cell_text, "drawing": drawing, "figure_of": figure_of, "rank_of": rank_of,
                      "name_parts": name_parts}  # fmt: skip
    return shelf


@cache
def static_content(name: str) -> bytes:
    package, folder = (
        ("singleout.report.pages", "templates") if name in REPORTS else ("singleout.platform.web", "static")
    )
    return (files(package) / folder / name).read_bytes()


@cache
def static_address(name: str) -> str:
    """With the digest of its content, so that a browser that keeps it asks again after an upgrade."""
    return f"/static/{name}?v={sha256(static_content(name)).hexdigest()[:12]}"


def filled(template: str, context: dict[str, Any]) -> str:
    return environment().get_template(template).render(context)


def figure_of(value: float | None, family: str) -> str:
    """A value as people read it: rates in per cent, others with as many digits as tell them apart.

    >>> figure_of(0.123456, "privacy"), figure_of(3482.0967, "utility"), figure_of(None, "utility")
    ('12.3%', '3482.1', '–')
    """
    if value is None:
        return UNKNOWN
    return share(value) if family == "privacy" else f"{value:.6g}"


def name_parts(name: str) -> Markup:
    """A name that a narrow column breaks between its words.

    >>> name_parts("total_variation.fare")
    Markup('total_<wbr>variation.<wbr>fare')
    """
    return Markup("<wbr>").join(each for each in re.split(r"(?<=[_.])", name) if each)


def rank_of(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:g}"


def drawing(chart: Chart) -> Markup:
    """The same chart is drawn once, also when a crowd asks for it at the same moment."""
    with ONE_AT_A_TIME:
        return Markup(_drawn(_DrawnChart(chart)))


class _DrawnChart:
    """A chart that is the same as another if it shows the same."""

    def __init__(self, chart: Chart) -> None:
        self.chart, self.key = chart, repr((chart.name, chart.title, chart.spec))

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _DrawnChart) and other.key == self.key


@lru_cache(maxsize=64)
def _drawn(drawn: _DrawnChart) -> str:
    return INLINE_STYLE.sub(r' width="\1"', drawn.chart.svg(), count=1)

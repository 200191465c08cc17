"""A shop of four people, attacks on it, releases beside it, and what each of their charts has to keep."""

from __future__ import annotations

import re
import xml.etree.ElementTree
from collections.abc import Iterator, Mapping
from typing import Any

import numpy
import pyarrow

import singleout
from singleout.attacks.attempt import Attempt
from singleout.attacks.result import Reidentification
from singleout.report.charts.chart import Chart
from singleout.utility.compare.result import Comparison

GOODS = {"zofia1": "xtea xmilk", "zofia2": "xtea", "zofia3": "xsalt", "zofia4": "xsalt xrice"}


def table_of(goods: Mapping[str, str], item: str = "goods", user: str = "who") -> pyarrow.Table:
    rows = [(name, each) for name, listed in goods.items() for each in listed.split()]
    days = [f"2011-0{1 + place % 3}-0{1 + place % 4}" for place in range(len(rows))]
    return pyarrow.table({user: [name for name, _ in rows], item: [each for _, each in rows], "day": days})


def renamed(goods: Mapping[str, str]) -> dict[str, str]:
    return {f"p{name[-1]}": listed for name, listed in goods.items()}


ORIGINAL, RELEASE = table_of(GOODS), table_of(renamed(GOODS))
SOFTER = table_of({**renamed(GOODS), "p1": "xtea", "p4": "xsalt"})
TRUTH = {f"p{number}": f"zofia{number}" for number in range(1, 5)}


def attacked(**more: Any) -> Reidentification:
    asked: dict[str, Any] = {"user": "who", "item": "goods", "time": "day", **more}
    return singleout.attack(ORIGINAL, asked.pop("release", RELEASE), asked.pop("truth", TRUTH), **asked)


def compared(*releases: pyarrow.Table, **more: Any) -> Comparison:
    asked: dict[str, Any] = {"user": "who", "item": "goods", "time": "day", "truth": TRUTH, **more}
    return singleout.compare(ORIGINAL, *(releases or (SOFTER,)), **asked)


def attempt(name: str, rate: float = 0.5, people: int = 10, **more: Any) -> Attempt:
    credit = numpy.full(people, rate)
    given: dict[str, Any] = {"share": 1.0, "bound": 0.9, **more}
    return Attempt(name, "the attacker knows, of every person, the set of goods", given.pop("share"), credit,
                   {}, 0.1, given.pop("bound"), **given)  # fmt: skip


def layers(spec: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every layer that draws something, wherever it is."""
    inner = spec.get("spec", spec)
    yield from inner["layer"]


def values(spec: Mapping[str, Any], field: str) -> list[dict[str, Any]]:
    found = [spec.get("data"), *(each.get("data") for each in layers(spec))]
    return [row for each in found if each for row in each["values"] if field in row]


def check_chart(chart: Chart) -> None:
    """Each mark with a number says it, the others say nothing; the drawing is well-formed."""
    for layer in layers(chart.spec):
        silent = layer["mark"].get("aria") is False
        assert silent != ("description" in layer.get("encoding", {}))
    root = xml.etree.ElementTree.fromstring(chart.svg())
    sizes = [float(size) for size in re.findall(r'font-size="([0-9.]+)px"', chart.svg())]
    assert root.tag.endswith("svg")
    assert min(sizes) >= 11
    assert chart.table.rows

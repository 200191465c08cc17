"""What one record of each domain tells about its person, beside what chance alone would tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from singleout.report.charts import layout
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import (
    LegendMark,
    drawing,
    interval,
    legend,
    marks,
    number_axis,
    row_axis,
    silent_marks,
)
from singleout.report.charts.style import BLUE, ORANGE, PALE
from singleout.result_table import Heading, ResultTable, table_size
from singleout.risk.entropy.chance_baseline import CHANCE_INFORMATION, is_beyond_chance
from singleout.risk.entropy.mutual_information import H_USER, INFORMATION
from singleout.risk.entropy.result import Disclosure, DomainDisclosure

MOST_DOMAINS = 20
# what a number takes of the axis
ROOM = 0.12
TOLD, CHANCE, LIMIT = (
    "what a record tells",
    "what chance alone would tell, with 95% range",
    "the most there is to tell, H(U)",
)


def information_beside_chance(found: Disclosure) -> Chart | None:
    """How many bits does a record of each domain tell about its person, and how many are mere chance?"""
    ranked = sorted(found.domains, key=lambda each: -_bits_beyond_chance(each))
    shown = ranked[:MOST_DOMAINS]
    if not shown:
        return None
    left = len(ranked) - len(shown)
    return Chart(
        name="information",
        title="What one record tells about its person",
        says=_says(ranked),
        table=ResultTable(
            "Bits that one record tells, most beyond chance first",
            (
                Heading("domain", "domain"),
                Heading.of("information", "bits told", INFORMATION),
                Heading.of("chance", "by chance", CHANCE_INFORMATION),
                Heading("low", "chance, low", "95% of tables dealt by chance tell from this many bits"),
                Heading("high", "chance, high", "95% of tables dealt by chance tell up to this many bits"),
                Heading.of("h_user", "most there is", H_USER),
            ),
            tuple(_row(each) for each in shown),
            f"{table_size(found.records, found.people)}."
            + (f" {left:,} more domains are not shown." if left else ""),
        ),
        spec=_spec(shown),
        measures=(INFORMATION, CHANCE_INFORMATION, H_USER),
    )


def _bits_beyond_chance(domain: DomainDisclosure) -> float:
    return domain.information.information - domain.chance.information


def _row(each: DomainDisclosure) -> tuple[str | float, ...]:
    told, chance = each.information, each.chance
    return (each.name, told.information, chance.information, chance.low, chance.high, told.h_user)


def _says(ranked: Sequence[DomainDisclosure]) -> str:
    telling = [each for each in ranked if is_beyond_chance(each.information.information, each.chance)]
    if not telling:
        return (
            "No domain tells more than chance would (mutual information). That is no protection: "
            "whoever knows "
            "a rare value and the histories still knows whose it is."
        )
    told, chance, name = telling[0].information, telling[0].chance, layout.short_name(telling[0].name)
    return (
        f"A record of {name} tells {_bits(told.information)} of the {_bits(told.h_user)} bits that tell "
        f"people apart (mutual information); {_bits(chance.information)} of them chance would tell "
        "too, for rare "
        "values are telling whoever has them. How far a dark bar reaches beyond the light one is what the "
        "habits of people add."
    )


def _bits(amount: float) -> str:
    """No probability: nearly 1 bit is nothing special."""
    return f"{amount:.3g}"


def _spec(shown: Sequence[DomainDisclosure]) -> dict[str, Any]:
    names = layout.labels(each.name for each in shown)
    values = [_record(name, each) for name, each in zip(names, shown, strict=True)]
    top = max(each["h_user"] for each in values) or 1.0
    looks = {
        TOLD: LegendMark(BLUE, layout.BLOCK, BLUE),
        CHANCE: LegendMark(BLUE, layout.BLOCK, PALE),
        LIMIT: LegendMark(ORANGE, layout.TICK),
    }
    x = number_axis("information", "bits about the person", (0, top))
    upper, lower = {"yOffset": -7}, {"yOffset": 7}
    limit = {"x": number_axis("h_user"), **legend(LIMIT, looks)}
    chance = {"x": number_axis("chance"), "description": {"field": "chance_said", "type": "nominal"}}
    layers = [
        marks("bar", {"x": x}, height=12, color=BLUE, **upper),
        {"mark": {"type": "bar", "height": 12, "fill": PALE, "stroke": BLUE, **lower}, "encoding": chance},
        *interval(number_axis("low"), number_axis("high"), **lower),
        silent_marks("point", limit, filled=False, strokeWidth=3, size=500),
        silent_marks(
            "text", {"x": number_axis("end"), "text": {"field": "shown"}}, align="left", dx=6, **upper
        ),
    ]
    for each in values:
        each["end"] = _end(each["information"], each["h_user"], top)
    return drawing(values, layers, {"step": 42}, {"y": row_axis("domain", names)}, right=44)


def _end(told: float, limit: float, top: float) -> float:
    """Behind the bar, or behind the limit where there is no room between them."""
    return limit if limit - told < ROOM * top else told


def _record(name: str, each: DomainDisclosure) -> dict[str, Any]:
    told, chance = each.information, each.chance
    return {
        "domain": name, "information": told.information, "chance": chance.information, "low": chance.low,
        "high": chance.high, "h_user": told.h_user, "shown": _bits(told.information),
        "said": f"{name}: a record tells {_bits(told.information)} of {_bits(told.h_user)} bits",
        "chance_said": f"{name}: chance alone would tell {_bits(chance.information)} bits "
        f"({_bits(chance.low)} to {_bits(chance.high)})",
    }  # fmt: skip

"""How many people each attack recognises in each submission, and the most that any does (Fig. 15)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from singleout.attacks.measures import RATE
from singleout.platform.scorer import HIGHEST, Score
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import (
    ONLY_LEAST,
    Layer,
    drawing,
    labels,
    marks,
    number_axis,
    row_axis,
    share,
    silent_marks,
)
from singleout.report.charts.style import INK, PALE, SERIES, SOFT, WIDTH
from singleout.result_table import Heading, ResultTable

MOST_ROWS, STEP, TOLD_APART = 50, 22, 6
# the room that a letter takes, names beside the bars at most, and the sign and the gap of a legend's column
LETTER, MOST_BESIDE, SIGN = 7, 160, 38
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
OTHERS = "other attacks"
TITLE = "Privacy metrics of each submission, and their maximum"
SEEN = (
    "A bar reaches as far as the attack that recognises most, which is what counts; each sign is one attack. "
    "In {} of {} submissions at least one attack recognises more than 45% of the people.{}"
)
HIGH = 0.45

Rates = Mapping[str, Sequence[Score]]


def submission_rates(submissions: Rates) -> Chart | None:
    """A row for each submission, as they are given; None if nothing was attacked."""
    known = {name: _rates(scores) for name, scores in submissions.items()}
    drawn = {name: rates for name, rates in known.items() if rates.get(HIGHEST) is not None}
    if not drawn:
        return None
    attacks = [*dict.fromkeys(each for rates in known.values() for each in rates if each != HIGHEST)]
    high = sum((rates[HIGHEST] or 0) > HIGH for rates in drawn.values())
    shown = dict([*drawn.items()][:MOST_ROWS])
    left = f" The first {MOST_ROWS} are drawn." if len(drawn) > MOST_ROWS else ""
    if lacking := len(known) - len(drawn):
        left += f" {lacking} could not be attacked, and are not drawn."
    least = {
        name: {each.metric for each in scores if _is_a_least(each)} for name, scores in submissions.items()
    }
    unsure = {name for name, attacks in least.items() if HIGHEST in attacks}
    if unsure:
        left += (
            f" Of {len(unsure)} not all could be compared: attacks may recognise more, as far as the broken "
            "outline reaches."
        )
    says = SEEN.format(high, len(drawn), left)
    spec = _spec(shown, attacks, least)
    return Chart("submission-rates", TITLE, says, _table(known, attacks, unsure), spec, (RATE,))


def _is_a_least(score: Score) -> bool:
    return score.family == "privacy" and score.value is not None and bool(score.reason)


def _rates(scores: Sequence[Score]) -> dict[str, float | None]:
    return {each.metric: each.value for each in scores if each.family == "privacy"}


def _table(
    known: Mapping[str, Mapping[str, float | None]], attacks: Sequence[str], unsure: set[str]
) -> ResultTable:
    headings = [Heading("submission", "submission"), Heading.of(HIGHEST, "maximum", RATE), ONLY_LEAST]
    headings += [Heading.of(f"attack_{index}", name, RATE) for index, name in enumerate(attacks)]
    rows = tuple(
        (name, best := rates.get(HIGHEST), None if best is None else name in unsure, *map(rates.get, attacks))
        for name, rates in known.items()
    )
    return ResultTable("Share of people that each attack recognises", tuple(headings), rows)


def _spec(
    shown: Mapping[str, Mapping[str, float | None]], attacks: Sequence[str], least: Mapping[str, set[str]]
) -> dict[str, Any]:
    rows = dict(zip(shown, labels(shown), strict=True))
    unsure = {name for name in shown if HIGHEST in least[name]}
    kinds = [*attacks[:TOLD_APART], *([OTHERS] if len(attacks) > TOLD_APART else [])]
    bars = [
        {"row": rows[name], "rate": rates[HIGHEST], "said": _said(rows[name], rates[HIGHEST], name in unsure)}
        for name, rates in shown.items()
    ]
    axis = {"title": "share of people recognised", "format": ".0%"}
    both = {"y": row_axis("row", [*rows.values()]), "x": number_axis("rate", domain=(0, 1), axis=axis)}
    line = {"data": {"values": [{"rate": HIGH}]}, **_limit()}
    layers = [{"data": {"values": bars}, **marks("bar", {}, color=PALE, height={"band": 0.8})}, line]
    # what nobody knows must not look like what nobody recognises
    if open_ends := [{**each, "most": 1.0} for each, name in zip(bars, shown, strict=True) if name in unsure]:
        layers.append({"data": {"values": open_ends}, **_unknown()})
    if signs := [*_signs(shown, rows, attacks, least)]:
        looks = _looks(kinds, _columns(kinds, [*rows.values()]))
        layers.append({"data": {"values": signs}, **marks("point", looks, size=45, opacity=1)})
    return drawing([], layers, {"step": STEP}, both)


def _said(name: str, rate: float | None, unsure: bool) -> str:
    return f"{name}: the best attack recognises {'at least ' if unsure else ''}{share(rate or 0)}"


def _unknown() -> Layer:
    looks = {"fill": None, "stroke": SOFT, "strokeDash": [3, 3], "height": {"band": 0.8}}
    return silent_marks("bar", {"x2": {"field": "most"}}, **looks)


def _limit() -> Layer:
    return {
        "mark": {"type": "rule", "aria": False, "color": INK, "strokeDash": [5, 4]},
        "encoding": {"x": {"field": "rate", "type": "quantitative"}, "y": None},
    }


def _columns(kinds: Sequence[str], rows: Sequence[str]) -> int:
    """Of the legend, which stands above the bars and not beside them: as many as fit.

    >>> _columns(["records", "categories"], ["Tens"]), _columns(["records", "categories"], ["T" * 40])
    (4, 2)
    """
    room = WIDTH - min(MOST_BESIDE, LETTER * max(map(len, rows)))
    return max(1, room // (SIGN + LETTER * max(map(len, kinds))))


def _looks(kinds: Sequence[str], columns: int) -> dict[str, Any]:
    legend = {"title": None, "columns": columns, "columnPadding": 16, "direction": "horizontal"}

    def by(of: Sequence[Any]) -> dict[str, Any]:
        scale = {"domain": [*kinds], "range": [*of[: len(kinds)]]}
        return {"field": "kind", "type": "nominal", "scale": scale, "legend": legend}

    return {"color": by([*SERIES, SOFT]), "shape": by([*SHAPES, "circle"])}


def _signs(
    shown: Mapping[str, Mapping[str, float | None]],
    rows: Mapping[str, str],
    attacks: Sequence[str],
    least: Mapping[str, set[str]],
) -> Iterator[dict[str, Any]]:
    for name, rates in shown.items():
        for index, attack in enumerate(attacks):
            if (rate := rates.get(attack)) is not None:
                kind = attack if index < TOLD_APART else OTHERS
                at_least = "at least " if attack in least[name] else ""
                said = f"{rows[name]}: {attack} recognises {at_least}{share(rate)}"
                yield {"row": rows[name], "rate": rate, "kind": kind, "said": said}

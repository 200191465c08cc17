"""How many people each attack recognises, beside a mere guess and what is possible at most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from singleout.attacks.attack_run import ONE_TO_ONE
from singleout.attacks.attempt import Attempt
from singleout.attacks.measures import BASELINE, BOUND, IDENTIFIED, INTERVAL, RATE
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import (
    BLOCK,
    Layer,
    drawing,
    interval,
    marks,
    number_axis,
    row_axis,
    share,
)
from singleout.report.charts.style import INK, ORANGE, PALE, PINK
from singleout.result_table import Heading, ResultTable

MOST_BARS, STEP = 24, 26
RECOGNISED, SURE, GUESS, POSSIBLE = "recognised", "95 % interval", "a mere guess", "at most possible"
# areas, for the signs are filled
UPRIGHT = "M-0.22,-1.1H0.22V1.1H-0.22Z"
WITH_ENDS = "M-1,-.5H-.8V-.12H.8V-.5H1V.5H.8V.12H-.8V.5H-1Z"
LOOKS = {
    RECOGNISED: (PALE, BLOCK),
    SURE: (INK, WITH_ENDS),
    GUESS: (ORANGE, UPRIGHT),
    POSSIBLE: (PINK, "diamond"),
}
SEEN = (
    "The longer a bar, the more people of the release its attack recognises. With the same knowledge no "
    "attack gets beyond the diamond on average."
)
BEYOND = (
    " An interval may reach further: it is about which people happen to be in the release, and the diamond "
    "holds on average for these."
)
HEADINGS = (
    Heading("attack", "attack"),
    Heading.of("rate", "rate", RATE),
    Heading.of("low", "low", INTERVAL),
    Heading.of("high", "high", INTERVAL),
    Heading.of("identified", "people recognised", IDENTIFIED),
    Heading.of("baseline", "guess", BASELINE),
    Heading.of("bound", "bound", BOUND),
)


def attack_rates(
    attempts: Sequence[Attempt],
    name: str = "attack-rates",
    title: str = "How many people each attack recognises",
) -> Chart | None:
    """A bar for each attack, the most successful first; None if none was made.

    Where several shares of the records were known, the attacks that know most; at most 24 are drawn.
    """
    ordered = sorted(_best_informed_attempts(attempts), key=lambda each: -each.rate)
    if not ordered:
        return None
    shown = ordered[:MOST_BARS]
    left_out = len(ordered) - len(shown)
    more = f" The table has {left_out:,} more, which recognise fewer." if left_out else ""
    table = ResultTable(title, HEADINGS, tuple(map(_row, ordered)), "Counted over the people of the release.")
    measures = (RATE, INTERVAL, BASELINE, BOUND)
    beyond = BEYOND if any(each.bound and each.interval[1] > each.bound for each in shown) else ""
    return Chart(name, title, SEEN + beyond + more, table, _spec(shown), measures)


def shown_name(attempt: Attempt) -> str:
    """The name of an attack for people; a long one may be broken where its parts end."""
    return attempt.name.replace(ONE_TO_ONE, " 1:1").replace("@", " @")


def _best_informed_attempts(attempts: Sequence[Attempt]) -> list[Attempt]:
    largest = max((each.share for each in attempts if each.linked), default=1)
    made = [each for each in attempts if each.name != "best"]
    return [each for each in made if each.share == largest or not each.linked]


def _row(each: Attempt) -> tuple[str | float | None, ...]:
    return shown_name(each), each.rate, *each.interval, each.identified, each.baseline, each.bound


def _bar(each: Attempt) -> dict[str, Any]:
    low, high = each.interval
    said = (
        f"{shown_name(each)} recognises {share(each.rate)} of {each.people:,} people; 95 % interval "
        f"{share(low)} to {share(high)}"
    )
    return {"attack": shown_name(each), "rate": each.rate, "low": low, "high": high, "said": said}


def _reference_signs(each: Attempt) -> list[dict[str, Any]]:
    """What the bar is to be compared with."""
    name = shown_name(each)
    guess = f"beside {name}, a mere guess recognises {share(each.baseline)}"
    signs = [{"attack": name, "kind": GUESS, "at": each.baseline, "said": guess}]
    if each.bound is not None:
        most = f"no attack that knows what {name} knows exceeds {share(each.bound)} on average"
        signs.append({"attack": name, "kind": POSSIBLE, "at": each.bound, "said": most})
    return signs


def _spec(shown: Sequence[Attempt]) -> dict[str, Any]:
    axis = {"title": "share of the people of the release", "format": ".0%", "tickCount": 5}
    rate, low, high = (number_axis(field, domain=(0, 1), axis=axis) for field in ("rate", "low", "high"))
    bars = marks("bar", {"x": rate}, height={"band": 0.6}, color=PALE)
    layers = [bars, *interval(low, high), _signs(shown, number_axis("at", domain=(0, 1), axis=axis))]
    rows = {"y": row_axis("attack", [*map(shown_name, shown)])}
    return drawing([*map(_bar, shown)], layers, {"step": STEP}, rows)


def _signs(shown: Sequence[Attempt], at: dict[str, Any]) -> Layer:
    """Told apart by shape, with a legend of everything that is drawn."""
    legend = {"title": None, "symbolOpacity": 1, "symbolStrokeWidth": 0, "columns": 2, "columnPadding": 24}

    def looks(index: int) -> dict[str, Any]:
        scale = {"domain": [*LOOKS], "range": [look[index] for look in LOOKS.values()]}
        return {"field": "kind", "type": "nominal", "scale": scale, "legend": legend}

    layer = marks(
        "point", {"x": at, "color": looks(0), "shape": looks(1)}, size=110, opacity=1, strokeWidth=0
    )
    return {"data": {"values": [sign for each in shown for sign in _reference_signs(each)]}, **layer}

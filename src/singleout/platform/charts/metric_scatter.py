"""Two metrics against each other, one of protection and one of use (Fig. 16: S2 against U1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from singleout.attacks.measures import RATE
from singleout.errors import printable_text
from singleout.measurement import Measure
from singleout.platform.scorer import Score
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import ONLY_LEAST, drawing, marks, number, number_axis, share
from singleout.report.charts.style import BLUE, ORANGE
from singleout.result_table import Heading, ResultTable
from singleout.utility.catalogue import UTILITY_MEASURES

HEIGHT = 300
ORIGINAL = "the original"
SEEN = (
    "Each dot is a submission, the diamond the original: its {} and the share of people that the attack {} "
    "recognises. {}{}"
)
LEAST = " A hollow dot is only the least: not all could be compared, and its attack may recognise more."
Point = tuple[float, float, bool]


def metric_scatter(
    original: Sequence[Score],
    submissions: Mapping[str, Sequence[Score]],
    utility: str,
    attack: str,
    measure: Measure | None = None,
) -> Chart | None:
    """A dot for each submission that has both values; None if none has. `measure` is an uploaded metric's."""
    points = {name: _both(scores, utility, attack) for name, scores in submissions.items()}
    drawn = {name: point for name, point in points.items() if point is not None}
    if not drawn:
        return None
    measure = measure or measure_of(utility)
    better = (
        f"Further {'left' if measure.better == 'lower' else 'right'} is more use, down is more protection."
    )
    left = len(points) - len(drawn)
    more = f" {left} without both values can't be drawn." if left else ""
    more += LEAST if any(least for _, _, least in drawn.values()) else ""
    headings = (
        Heading("submission", "submission"), Heading.of("utility", utility, measure),
        Heading.of("rate", attack, RATE), ONLY_LEAST,
    )  # fmt: skip
    rows = tuple((name, *(point or (None, None, None))) for name, point in points.items())
    title = f"{attack} against {utility}"
    own = _both(original, utility, attack)
    x = number_axis("utility", axis={"title": f"{utility} ({measure.unit})", "labelFlush": False})
    y = number_axis("rate", domain=(0, 1), axis={"title": f"share recognised by {attack}", "format": ".0%"})
    layers = []
    for least in (False, True):
        if dots := [_dot(name, point, utility, attack) for name, point in drawn.items() if point[2] is least]:
            looks = marks("point", {}, size=70, color=BLUE, opacity=1, **({"filled": False} if least else {}))
            layers.append({"data": {"values": dots}, **looks})
    if own is not None:
        dot = [_dot(ORIGINAL, own, utility, attack)]
        layers.append(
            {
                "data": {"values": dot},
                **marks("point", {}, shape="diamond", size=220, color=ORANGE, opacity=1),
            }
        )
    spec = drawing([], layers, HEIGHT, {"x": x, "y": y})
    says = SEEN.format(utility, attack, better, more)
    return Chart("metric-scatter", title, says, ResultTable(title, headings, rows), spec, (measure, RATE))


def measure_of(utility: str) -> Measure:
    """The definition of a metric, which may be called with a column behind it."""
    by_name = {each.name: each for each in UTILITY_MEASURES}
    return by_name.get(utility) or by_name[utility.partition(".")[0]]


def is_measure(metric: str) -> bool:
    """Whether it is one of the library's, perhaps of one column."""
    return any(each.name in (metric, metric.partition(".")[0]) for each in UTILITY_MEASURES)


def _both(scores: Sequence[Score], utility: str, attack: str) -> Point | None:
    """Both values, and whether the rate is only the least."""
    by_name = {each.metric: each for each in scores}
    use, rate = by_name.get(utility), by_name.get(attack)
    if use is None or rate is None or use.value is None or rate.value is None:
        return None
    return use.value, rate.value, bool(rate.reason)


def _dot(name: str, point: Point, utility: str, attack: str) -> dict[str, float | str]:
    rate = ("at least " if point[2] else "") + share(point[1])
    said = f"{printable_text(name)}: {utility} {number(point[0])}, {attack} recognises {rate}"
    return {"utility": point[0], "rate": point[1], "said": said}

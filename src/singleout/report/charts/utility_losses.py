"""What each release has lost, metric by metric, where a metric has a range."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import labels, marks, number_axis, row_axis, share, silent_marks
from singleout.report.charts.style import BLUE, FAINT, WIDTH
from singleout.result_table import Heading, ResultTable
from singleout.utility.compare.result import Comparison
from singleout.utility.finding import LOST, Finding, lost_share

MOST_RELEASES, MOST_METRICS, STEP = 4, 24, 24
# for names of metrics, between releases, and for a number behind a bar
NAMES, BETWEEN, NUMBER, LONGEST = 195, 10, 40, 30
SEEN = (
    "No bar: as in an untouched table. A bar over the whole of its grey track: as far from that as the "
    "metric can be. Metrics without such an end are in the tables only."
)
NOTE = "The share of its range that each metric is away from that of an untouched table, from 0 to 1."

Losses = Mapping[str, Sequence[float | None]]


def metric_name(found: Finding) -> str:
    """A metric for people, with the columns it is of."""
    return f"{found.measure.title} of {', '.join(found.of)}" if found.of else found.measure.title


def metrics(found: Comparison, marked: Sequence[str], names: Sequence[str]) -> Chart | None:
    """A bar for each metric that has a range and each release; None without any.

    `marked` and `names` are marks and short names of the releases, in their order. Of many releases the
    best four are drawn, of many metrics those of which most is lost.
    """
    shown = _best_order(found)[:MOST_RELEASES]
    by_metric = _metrics_by_name(found)
    losses = {each: _losses(found, each) for each in by_metric}
    known = [each for each, of_each in losses.items() if of_each != [None] * len(found.outcomes)]
    if not known:
        return None
    known.sort(key=lambda each: -max(losses[each][index] or 0 for index in shown))
    titles = [metric_name(by_metric[each]) for each in known]
    drawn = known[:MOST_METRICS]
    bars = {
        row: losses[each] for row, each in zip(labels(titles[:MOST_METRICS], LONGEST), drawn, strict=True)
    }
    rows = tuple((name, *losses[each]) for name, each in zip(titles, known, strict=True))
    table = ResultTable("What each release has lost", _headings(names), rows, NOTE)
    says = SEEN + _release_words(shown, marked, names) + _omission_words(len(known) - len(drawn))
    measures = (LOST, *dict.fromkeys(by_metric[each].measure for each in drawn))
    return Chart("metrics", "What is lost", says, table, _spec(bars, shown, marked, names), measures)


def _headings(names: Sequence[str]) -> tuple[Heading, ...]:
    lost_of = (Heading.of(f"release_{index}", f"lost in {name}", LOST) for index, name in enumerate(names))
    return (Heading("metric", "metric"), *lost_of)


def _metrics_by_name(found: Comparison) -> dict[str, Finding]:
    """By name, as one of the releases has it."""
    return {each.name: each for outcome in found.outcomes for each in outcome.utility}


def _losses(found: Comparison, metric: str) -> list[float | None]:
    """Of each release."""
    of_each = (outcome.metric(metric) for outcome in found.outcomes)
    return [None if each is None else lost_share(each) for each in of_each]


def _best_order(found: Comparison) -> list[int]:
    """The places of the releases, the best first."""
    if found.ranking is None:
        return [*range(len(found.outcomes))]
    index_by_id = {id(each): number for number, each in enumerate(found.ranking.releases)}
    return [index_by_id[id(each)] for each in found.ranking.best_first]


def _release_words(shown: Sequence[int], marked: Sequence[str], names: Sequence[str]) -> str:
    if len(names) < 2:
        return ""
    releases = ", ".join(f"{marked[index]} is {names[index]}" for index in shown)
    return f" {releases}." if len(shown) == len(names) else f" The best {len(shown)} are drawn: {releases}."


def _omission_words(many: int) -> str:
    return f" {many:,} more metrics, of which less is lost, are in the table." if many else ""


def _spec(bars: Losses, shown: Sequence[int], marked: Sequence[str], names: Sequence[str]) -> dict[str, Any]:
    width = (WIDTH - NAMES) // len(shown) - BETWEEN
    values = [
        _bar(row, losses[index], marked[index], names[index])
        for index in shown
        for row, losses in bars.items()
    ]
    x = number_axis("lost", domain=(0, width / (width - NUMBER)), axis=None)
    layers = [
        silent_marks("bar", {"x": {**x, "field": "whole"}}, color=FAINT, height={"band": 0.6}),
        marks("bar", {"x": x}, color=BLUE, height={"band": 0.6}),
        silent_marks("text", {"x": {**x, "field": "whole"}, "text": {"field": "text"}}, align="left", dx=4),
    ]
    header = {"title": None, "labelFontSize": 13, "labelFontWeight": "bold", "labels": len(names) > 1}
    columns = {"field": "mark", "type": "nominal", "sort": [marked[index] for index in shown]}
    return {
        "data": {"values": values},
        "facet": {"column": {**columns, "header": header}},
        "spacing": BETWEEN,
        "spec": {
            "width": width,
            "height": {"step": STEP},
            "encoding": {"y": row_axis("metric", [*bars], limit=NAMES)},
            "layer": layers,
        },
    }


def _bar(row: str, value: float | None, mark: str, name: str) -> dict[str, Any]:
    loss_words = "unknown" if value is None else share(value)
    text = "?" if value is None else loss_words.replace("under ", "<").replace("over ", ">")
    said = f"{row}, {name}: {loss_words}{'' if value is None else ' lost'}"
    return {"metric": row, "mark": mark, "lost": value or 0, "whole": 1, "text": text, "said": said}

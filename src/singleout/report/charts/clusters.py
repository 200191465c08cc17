"""Charts of people who hide among each other: how large their clusters are, and what dummies cost."""

from __future__ import annotations

from singleout.deidentify.dummies.measures import DUMMIES, HIGHEST_RISK
from singleout.deidentify.dummies.result import Concealment
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import drawing, marks, number, number_axis, plural
from singleout.report.charts.style import BLUE, PALE
from singleout.result_table import Heading, ResultTable

HEIGHT, BINS = 220, 40


def cluster_sizes(found: Concealment) -> Chart:
    """How many clusters are how large?"""
    width = max(1, -(-found.largest // BINS))
    steps: dict[int, list[int]] = {}
    for each in found.clusters:
        first = (each.size - 1) // width * width + 1
        clusters, dummies = steps.get(first, [0, 0])
        steps[first] = [clusters + 1, dummies + each.dummies]
    values = [
        {
            "from": first - 0.5, "to": first + width - 0.5, "clusters": clusters,
            "said": f"{plural(clusters, 'cluster', 'clusters')} of {_sizes(first, width)} people, "
            f"{number(dummies)} dummies",
        }
        for first, (clusters, dummies) in sorted(steps.items())
    ]  # fmt: skip
    x = number_axis("from", "people in a cluster", (0.5, found.largest + 0.5), bin="binned")
    y = number_axis("clusters", "clusters", axis={"tickMinStep": 1})
    rows = tuple(
        (_sizes(first, width), clusters, dummies) for first, (clusters, dummies) in sorted(steps.items())
    )
    alone = f" {plural(found.singletons, 'person is', 'people are')} alone." if found.singletons else ""
    return Chart(
        name="clusters",
        title="How many people hide together",
        says=f"The smallest cluster has {plural(found.smallest, 'person', 'people')}: whoever knows item "
        f"sets names one of them with probability {number(1 / found.smallest)}.{alone}",
        table=ResultTable(
            "Clusters by size",
            (
                Heading.of("size", "people in a cluster", HIGHEST_RISK),
                Heading("clusters", "clusters"),
                Heading.of("dummies", "dummies", DUMMIES),
            ),
            rows,
        ),
        spec=drawing(
            values,
            [marks("bar", {"x": x, "x2": {"field": "to"}, "y": y}, fill=PALE, stroke=BLUE)],
            HEIGHT,
        ),
        measures=(HIGHEST_RISK, DUMMIES),
    )


def _sizes(first: int, width: int) -> str:
    return f"{first:,}" if width == 1 else f"{first:,} to {first + width - 1:,}"

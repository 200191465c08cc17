"""What each attribute loses by a generalisation."""

from __future__ import annotations

from collections.abc import Sequence

from singleout.measurement import Measure
from singleout.report.charts import layout
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import drawing, marks, number, number_axis, row_axis, silent_marks
from singleout.report.charts.style import BLUE, PALE
from singleout.result_table import ResultTable


def attribute_losses(
    losses: Sequence[tuple[str, float]], table: ResultTable, measure: Measure
) -> Chart | None:
    """Which attribute becomes how much coarser? None where losses by attribute are not defined."""
    if not losses:
        return None
    names = layout.labels(name for name, _ in losses)
    values = [
        {"attribute": name, "loss": loss, "shown": number(loss), "said": f"{name}: loss {number(loss)}"}
        for name, (_, loss) in zip(names, losses, strict=True)
    ]
    most, highest = max(losses, key=lambda each: each[1])
    x = number_axis("loss", "loss of the attribute, 1: nothing is left", (0, 1))
    text = silent_marks("text", {"x": number_axis("loss"), "text": {"field": "shown"}}, align="left", dx=5)
    return Chart(
        name="losses",
        title="What each attribute loses",
        says=f"Most is lost of {layout.short_name(most)}: {number(highest)} of 1.",
        table=table,
        spec=drawing(
            values,
            [marks("bar", {"x": x}, height=15, fill=PALE, stroke=BLUE), text],
            {"step": 24},
            {"y": row_axis("attribute", names)},
            52,
        ),
        measures=(measure,),
    )

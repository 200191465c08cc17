"""Each attribute before and after a change, for a person at a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from singleout.report.terminal.layout import hanging_text, safe_text, short_number, show, titled_table
from singleout.risk.value_risks import EXACT_VALUES, RiskAfter

ABOUT = (
    "the risk to whoever learned a value of the original at random, and looks for it in the release; "
    f"{EXACT_VALUES}, and may give away anybody: the risk lies between the two ends"
)


def show_risks_after(risks: Sequence[RiskAfter]) -> None:
    if not risks:
        return
    out = Console(highlight=False)
    table = titled_table("Each attribute in the original, and in the release")
    table.add_column("attribute", overflow="fold", min_width=8)
    for heading in ("before", "after: at least", "at most", "not found again"):
        table.add_column(heading, justify="right", no_wrap=True)
    for each in risks:
        figures = (each.before, each.low, each.high, each.not_found)
        table.add_row(safe_text(each.column), *map(short_number, figures))
    show(out, table)
    out.print(hanging_text("before, after:", ABOUT, "dim"))

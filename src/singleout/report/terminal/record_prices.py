"""What several records of a person cost and give away, for a person at a terminal."""

from __future__ import annotations

from rich.console import Console

from singleout.investigation.record_prices import RecordPrices
from singleout.report.terminal.layout import bar, hanging_text, safe_text, share_text, show, titled_table


def show_record_prices(found: RecordPrices) -> None:
    out = Console(highlight=False)
    table = titled_table("What several records of a person cost, and whom they single out")
    table.add_column("price", justify="right", no_wrap=True)
    table.add_column("records", justify="right", no_wrap=True)
    table.add_column("by", overflow="fold")
    table.add_column("singled out", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for each in found.curve:
        price = f"{float(each.cost):,.6g}"
        by = safe_text(" + ".join(each.columns))
        table.add_row(price, f"{each.records:,}", by, share_text(each.unique), bar(each.unique))
    show(out, table)
    words = "of the people, where so many random records of each are known by these columns; mean over draws"
    out.print(hanging_text("singled out:", words, "dim"))

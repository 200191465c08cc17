"""A sketch for a person at a terminal: which columns have values of few people, and what may join tables."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Console
from rich.padding import Padding

from singleout.report.terminal.layout import hanging_text, plain_table, safe_text
from singleout.risk.sketch import RECORDS_SHARE, SHARE, Sketch

MOST_JOINS = 20


def show_sketch(found: Sketch) -> None:
    """The result on standard output, remarks on standard error."""
    out, aside = Console(highlight=False), Console(highlight=False, stderr=True)
    out.print(safe_text(f"{found.source}: {found.records:,} records", "bold"))
    out.print(Padding(plain_table(found.table()), (1, 0)))
    if found.other is not None:
        table = found.contained_table()
        out.print(Padding(plain_table(replace(table, rows=table.rows[:MOST_JOINS])), (0, 0, 1, 0)))
    whose = "people" if found.user else "people, each record being one"
    out.print(hanging_text("values of few:", f"{SHARE.question} Counted in {whose}.", "dim"))
    out.print(hanging_text("records:", RECORDS_SHARE.question, "dim"))
    out.print(hanging_text("at most:", "the bound in 95 of 100 draws; exact where both agree", "dim"))
    for remark in found.remarks:
        aside.print(hanging_text("note:", remark))

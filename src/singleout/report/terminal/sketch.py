"""A sketch for a person at a terminal: which columns have values of few people, and what may join tables."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Console
from rich.padding import Padding

from singleout.report.terminal.layout import hanging_text, plain_table, safe_text, show, show_notes
from singleout.risk.sketch import HARDLY_ANY, RECORDS_SHARE, SHARE, Sketch

MOST_JOINS = 20
NONE_SHARED = "No column of {} has a value of these columns, or the bound on their share is below {:.0%}."


def show_sketch(found: Sketch) -> None:
    """The result on standard output, remarks on standard error."""
    out = Console(highlight=False)
    out.print(safe_text(f"{found.source}: {found.records:,} records", "bold"))
    out.print()
    show(out, plain_table(found.table()))
    if found.other is not None:
        _show_contained(out, found)
    whose = "people" if found.user else "people, each record being one"
    out.print(hanging_text("values of few:", f"{SHARE.question} Counted in {whose}.", "dim"))
    out.print(hanging_text("records:", RECORDS_SHARE.question, "dim"))
    out.print(hanging_text("at most:", "the bound in 95 of 100 draws; exact where both agree", "dim"))
    show_notes(found.remarks)


def _show_contained(out: Console, found: Sketch) -> None:
    table = found.contained_table()
    if not table.rows:
        out.print(Padding(safe_text(NONE_SHARED.format(found.other, HARDLY_ANY)), (0, 0, 1, 0)))
        return
    show(out, plain_table(replace(table, rows=table.rows[:MOST_JOINS])))
    more = len(table.rows) - MOST_JOINS
    if more > 0:
        out.print(
            Padding(safe_text(f"… and {more} more pairs of columns; --json has all", "dim"), (0, 0, 1, 0))
        )

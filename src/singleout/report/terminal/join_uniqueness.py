"""Who is unique only after the join, for a person at a terminal."""

from __future__ import annotations

from rich.console import Console

from singleout.report.terminal.layout import hanging_text, safe_text, share_text, show, titled_table
from singleout.risk.join_uniqueness import UNIQUE_AFTER_JOIN, JoinUniqueness


def show_join_uniqueness(found: JoinUniqueness) -> None:
    out = Console(highlight=False)
    table = titled_table("Whom the tables single out, alone and joined")
    table.add_column("to whoever knows", overflow="fold")
    table.add_column("people", justify="right", no_wrap=True)
    table.add_column("share", justify="right", no_wrap=True)
    rows = (
        ("one record of the history", found.by_history),
        (f"the person table ({', '.join(found.person_columns)})", found.by_person_table),
        ("both", found.by_both),
        ("both, and neither table alone would do", found.only_joined),
    )
    for words, people in rows:
        table.add_row(safe_text(words), f"{people:,}", share_text(people / found.people))
    show(out, table)
    out.print(hanging_text("only after the join:", UNIQUE_AFTER_JOIN.formula, "dim"))

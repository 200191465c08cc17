"""A built hierarchy for a person at a terminal: what becomes of the values, level by level."""

from __future__ import annotations

from rich.table import Table

from singleout.deidentify.hierarchy import BuiltHierarchy
from singleout.report.terminal.layout import bar, safe_text, short_number, show_page, titled_table

DEFINITIONS = (("largest", "the most raw values that become one and the same value"),)


def show_hierarchy(found: BuiltHierarchy) -> None:
    """The result on standard output, remarks on standard error."""
    title = f"{found.source}: hierarchy of {found.column}, {found.values:,} values"
    show_page(title, sentences(found), [_levels(found)], DEFINITIONS, found.remarks)


def sentences(found: BuiltHierarchy) -> list[str]:
    if len(found.levels) == 2:
        text = f"{found.column} is either as it is or left out (suppressed): there is nothing in between."
    else:
        steps = " → ".join(f"{each.values:,}" for each in found.levels)
        text = f"{found.column} becomes coarser in {len(found.levels) - 1} steps: {steps} values."
    if found.out is None:
        return [
            text,
            "Not written: add --out FILE.csv (one row a value) or --out FILE.json (one rule a level).",
        ]
    return [text, f"Written to {found.out}: read it, change what is wrong, and give it as --hierarchies."]


def _levels(found: BuiltHierarchy) -> Table:
    table = titled_table("Levels")
    table.add_column("level", justify="right", no_wrap=True)
    table.add_column("rule", overflow="fold")
    for title in ("values", "largest"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("example", overflow="fold")
    for each in found.levels:
        numbers = (short_number(each.values), short_number(each.largest), bar(each.values / found.values))
        example = "–" if each.example is None else each.example
        table.add_row(str(each.level), safe_text(each.rule), *numbers, safe_text(example))
    return table

"""What a recipe did, for a person at a terminal: what is left, then step by step."""

from __future__ import annotations

from rich.table import Table

from singleout.deidentify.apply.result import Application
from singleout.report.terminal.layout import safe_text, share_text, show_page, titled_table
from singleout.result_table import table_size


def show_application(found: Application) -> None:
    """The result on standard output, remarks on standard error."""
    title = f"{found.source}: {table_size(found.records, found.people)}"
    definitions = [("changed", "values that are not as before the step, or are no longer there")]
    show_page(title, sentences(found), [_steps(found)] if found.steps else [], definitions, found.remarks)


def sentences(found: Application) -> list[str]:
    texts = [_remainder(found)]
    if found.released_rows is not None:
        texts.append(f"The person table has {found.released_rows:,} rows; both tables name the same people.")
    if found.out is None:
        texts.append("Nothing is written: the steps were only tried. Add --out FILE to make the release.")
        return texts
    texts.append(
        f"{found.out} was read back before it was put in place. It holds {', '.join(found.columns)}."
    )
    if found.people_out is not None:
        texts.append(
            f"{found.people_out} has the person table, with {', '.join(found.people_columns or ())}."
        )
    if found.truth is not None:
        texts.append(f"{found.truth} says who is who, and only you can read it: keep it apart.")
    return texts


def _remainder(found: Application) -> str:
    share = share_text(found.released_records / found.records)
    records = f"{found.released_records:,} of {found.records:,} records ({share})"
    if found.user is None:
        return f"{records} are left."
    return f"{records} of {found.released_people:,} of {found.people:,} people are left."


def _steps(found: Application) -> Table:
    table = titled_table("What each step changed")
    table.add_column("step", overflow="fold")
    with_table = found.people_source is not None
    if with_table:
        table.add_column("table", no_wrap=True)
    table.add_column("columns", overflow="fold")
    table.add_column("changed", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("how", overflow="fold")
    for each in found.steps:
        where = [each.table] if with_table else []
        columns = safe_text(", ".join(each.columns) or "–")
        table.add_row(each.step, *where, columns, f"{each.changed:,}", each.unit, safe_text(each.how))
    return table

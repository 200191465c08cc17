"""Blank cells for a person at a terminal: what is reached and lost, then column by column."""

from __future__ import annotations

from rich.table import Table

from singleout.deidentify.suppress.result import CellSuppression
from singleout.errors import printable_text
from singleout.report.terminal.layout import bar, safe_text, share_text, short_number, show_page, titled_table
from singleout.result_table import table_size
from singleout.risk.equivalence_classes import PEOPLE_K, K


def show_suppression(found: CellSuppression) -> None:
    """The result on standard output, remarks on standard error."""
    title = f"{found.source}: {table_size(found.records, found.people)}"
    definitions = [
        (each.title, f"{each.formula}; {each.missing}")
        for each in found.measures
        if each not in (K, PEOPLE_K)
    ]
    show_page(title, sentences(found), [_columns(found)], definitions, found.remarks)


def sentences(found: CellSuppression) -> list[str]:
    who = "records" if found.user is None else "people"
    where = _where(found)
    every = found.records * len(found.cells_by_column)
    texts = [
        *_reached_sentences(found, who, where),
        f"For it {found.cells:,} of {every:,} cells ({share_text(found.cells / every)}) are blank, in "
        f"{found.changed_records:,} of {found.records:,} records.",
        _bound_sentence(found),
    ]
    if found.out is None:
        return [*texts, "Nothing is written: add --out FILE to make the release."]
    return [*texts, f"{found.out} was read back before it was put in place."]


def _reached_sentences(found: CellSuppression, who: str, where: str) -> list[str]:
    alike = f"looks like at least {found.k:,} {who} {where}"
    if found.fitting is None:
        return [f"Every record {alike} (k-anonymity), a blank cell being a value like any other."]
    return [
        f"To somebody who knows which cells were blanked, as who has the data and knows how the release was "
        f"made does, every record {alike}, and no more.",
        f"By itself it fits at least {found.fitting:,} {who} of the data, a blank cell fitting every value "
        "(wildcards); who takes all records together may exclude some of these.",
    ]


def _where(found: CellSuppression) -> str:
    """What is known together; a set that lacks a column says nothing of who knows that one too."""
    if len(found.sets) > 1:
        return f"in each of {len(found.sets):,} sets of columns by itself"
    if {*found.sets[0]} == {*found.cells_by_column}:
        return "in all columns together"
    return f"to somebody who knows only {', '.join(map(printable_text, found.sets[0]))}"


def _bound_sentence(found: CellSuppression) -> str:
    if found.optimal:
        return "No choice of cells costs less."
    return (
        f"They cost {found.cost:,.6g}, and every choice of cells costs at least "
        f"{found.lower_bound:,.6g}: at most {share_text(found.gap)} of the cost could be saved."
    )


def _columns(found: CellSuppression) -> Table:
    table = titled_table("Blank cells of each attribute")
    table.add_column("attribute", overflow="fold", min_width=12)
    table.add_column("blank", justify="right", no_wrap=True)
    table.add_column("share", justify="right", no_wrap=True)
    table.add_column("costs each", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for name, cells in found.cells_by_column.items():
        share, cost = cells / found.records, found.importance.get(name, 1.0)
        table.add_row(safe_text(name), f"{cells:,}", share_text(share), short_number(cost), bar(share))
    return table

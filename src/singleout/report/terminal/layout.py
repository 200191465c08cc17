"""The pieces every terminal page is laid out from: tables without lines, bars, wrapped sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from singleout.errors import printable_text
from singleout.result_table import ResultTable, cell_text, without_power

BAR = 10
SPARKS = " ▁▂▃▄▅▆▇█"
WIDEST = 1000


def hanging_text(lead: str, text: str, style: str = "") -> Table:
    """Wrapped text that stays right of its lead."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(safe_text(lead, style), safe_text(text, style))
    return grid


def plain_table(result: ResultTable) -> Table:
    table = titled_table(result.title)
    for index, heading in enumerate(result.headings):
        table.add_column(safe_text(heading.title), justify="right" if index else "left")
    for row in result.rows:
        table.add_row(*(safe_text(cell_text(cell)) for cell in row))
    return table


def safe_text(text: str, style: str = "") -> Text:
    """A name from the data must not steer the terminal."""
    return Text(printable_text(text), style)


def titled_table(title: str) -> Table:
    return Table(
        title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, 2, 0, 0)
    )


def show(out: Console, table: Table) -> None:
    """The title above the table, however narrow it is, and a blank line below; no digit is ever cut off."""
    out.print(safe_text(str(table.title), "bold"))
    table.title = None
    for column in table.columns:
        if column.no_wrap:
            texts = map(str, (column.header, *column.cells))
            column.min_width = max(cell_len(line) for text in texts for line in text.splitlines() or [""])
    needed = Measurement.get(out, out.options.update(width=WIDEST), table).minimum
    enough = out if needed <= out.width else Console(highlight=False, file=out.file, width=needed)
    enough.print(Padding(table, (0, 0, 1, 0)))


def show_page(
    title: str,
    sentences: Sequence[str],
    tables: Iterable[Table],
    definitions: Iterable[tuple[str, str]],
    remarks: Iterable[str],
) -> None:
    """What was found first, then the numbers and what they mean; remarks go to standard error."""
    out = Console(highlight=False)
    out.print(safe_text(title, "bold"))
    for sentence in sentences:
        out.print(hanging_text("•", sentence))
    out.print("")
    for table in tables:
        show(out, table)
    for term, meaning in definitions:
        out.print(hanging_text(f"{term}:", meaning, "dim"))
    show_notes(remarks)


def show_notes(remarks: Iterable[str]) -> None:
    """On standard error, beside the result."""
    aside = Console(highlight=False, stderr=True)
    for remark in remarks:
        aside.print(hanging_text("note:", remark))


def show_sentences(title: str, sentences: Sequence[str]) -> None:
    out = Console(highlight=False)
    out.print(Padding(safe_text(title, "bold"), (1, 0, 0, 0)))
    for sentence in sentences:
        out.print(hanging_text("•", sentence))


def bar(share: float, width: int = BAR) -> str:
    eighths = round(share * width * 8)
    return "█" * (eighths // 8) + ("▏▎▍▌▋▊▉"[eighths % 8 - 1] if eighths % 8 else "")


def sparks(shares: Iterable[float]) -> str:
    """A small picture of shares side by side; any at all is visible."""
    return "".join(SPARKS[math.ceil(8 * share)] for share in shares)


def short_number(value: Any) -> str:
    if isinstance(value, float) and 0 < value < 0.001:
        return without_power(f"{value:.1e}")
    return f"{value:.3g}" if isinstance(value, float) else cell_text(value)


def long_number(value: Any) -> str:
    """Without powers of ten: sums and counts that are compared with each other."""
    if isinstance(value, float) and abs(value) >= 1000:
        return f"{value:,.0f}"
    return short_number(value)


def share_text(share: float) -> str:
    """Nearly all is not all, and hardly any is not none."""
    if 0.9995 <= share < 1:
        return "over 99.9%"
    return "under 0.1%" if 0 < share < 0.0005 else f"{share:.1%}"

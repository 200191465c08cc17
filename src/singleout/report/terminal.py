"""The assessment for a person at a terminal: what was found first, then the numbers, at 80 columns."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from singleout.assessment import Assessment, Attribute
from singleout.engine.protocol import MISSING_WORDS
from singleout.report.wording import findings
from singleout.risk.attribute import ALPHA, RISK
from singleout.risk.classes import Exposure
from singleout.table import ResultTable, cell_text

BAR = 10
LEVELS = (0.01, 0.05, 0.1, 0.2, 1 / 3, 0.5, 0.999)


def show_assessment(found: Assessment, console: Console | None = None) -> None:
    out = console or Console(highlight=False)
    out.print(Text(f"{found.source}: {found.records:,} records of {found.people:,} people", style="bold"))
    for finding in findings(found):
        out.print(_hanging("•", finding))
    out.print(Padding(_attributes(found), (1, 0)))
    if any(attribute.curve for attribute in found.attributes):
        out.print(Padding(_sample_sizes(found), (0, 0, 1, 0)))
    if found.classes:
        exposure = found.classes.by_people or found.classes.by_records
        counted = "people" if found.classes.by_people else "records"
        out.print(_plain(found.classes_table()))
        out.print(Padding(_risk_levels(exposure, counted), (1, 0)))
    for remark in found.remarks:
        out.print(_hanging("note:", remark))
    for term, meaning in _definitions(found):
        out.print(_hanging(f"{term}:", meaning, "dim"))


def _definitions(found: Assessment) -> list[tuple[str, str]]:
    terms = [("risk", f"{RISK.question} ({RISK.formula}; counted over records)")]
    if found.user:
        terms.append(("records a person", f"{ALPHA.formula}; counted over values"))
    return [*terms, ("missing values", MISSING_WORDS[found.missing])]


def _hanging(lead: str, text: str, style: str = "") -> Table:
    """Wrapped text that stays right of its lead."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column()
    grid.add_row(Text(lead, style), Text(text, style))
    return grid


def _attributes(found: Assessment) -> Table:
    """Where each record is its own person the three models agree, and one number says it."""
    history = found.user is not None
    table = _table("Each attribute alone")
    table.add_column("attribute", overflow="fold")
    for title in ("values", "records\na person", "risk") if history else ("values", "risk"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", width=BAR, no_wrap=True)
    if history:
        table.add_column("low-cost\nmodel", justify="right", no_wrap=True)
        table.add_column(_sampled_title(found), justify="right", no_wrap=True)
    for attribute in sorted(found.attributes, key=lambda each: -each.risk.risk.known):
        table.add_row(*(_history_cells(attribute) if history else _cells(attribute)))
    return table


def _sampled_title(found: Assessment) -> str:
    sampled = next((each.sampling for each in found.attributes if each.sampling), None)
    return f"sampled: {sampled.confidence:.0%}\ninterval" if sampled else "sampled"


def _cells(attribute: Attribute) -> list[str | Text]:
    risk = attribute.risk.risk
    return [Text(attribute.name), _short(attribute.risk.values.value), _short(risk.value), _bar(risk.known)]


def _history_cells(attribute: Attribute) -> list[str | Text]:
    name, values, risk, bar = _cells(attribute)
    drawn = attribute.sampling
    interval = f"{_short(drawn.low)} – {_short(drawn.high)}" if drawn else "–"
    alpha, low_cost = attribute.risk.alpha.value, attribute.risk.low_cost.value
    return [name, values, _short(alpha), risk, bar, _short(low_cost), interval]


def _sample_sizes(found: Assessment) -> Table:
    """How far a sample's estimate of the risk lies from it, for several sample sizes."""
    table = _table("How sure a sample would be")
    table.add_column("attribute", overflow="fold")
    for title in ("sample", "deviation\nof its risk", "the same\nin theory"):
        table.add_column(title, justify="right", no_wrap=True)
    for attribute in found.attributes:
        scale = attribute.risk.low_cost.known  # from records a person to risk
        for point in attribute.curve:
            spread = (_short(point.deviation * scale), _short(point.deviation_in_theory * scale))
            table.add_row(Text(attribute.name), cell_text(point.sample), *spread)
    return table


def _risk_levels(exposure: Exposure, counted: str) -> Table:
    """The cumulative curve at a few levels: the share of records above each risk."""
    table = _table(f"All attributes together: records by risk, classes counted in {counted}")
    table.add_column("risk of re-identification")
    table.add_column("share of the records", justify="right")
    table.add_column("", width=2 * BAR, no_wrap=True)
    for words, share in _steps(exposure):
        table.add_row(words, f"{share:.1%}", _bar(share, 2 * BAR))
    return table


def _steps(exposure: Exposure) -> list[tuple[str, float]]:
    """Of several levels with the same share above them, the highest says it all."""
    by_share: dict[float, str] = {}
    for level in LEVELS:
        below = max((point.share for point in exposure.curve if point.risk <= level), default=0.0)
        by_share[1 - below] = "certain" if level > 0.99 else f"more than {level:.2g}"
    return [(words, share) for share, words in by_share.items()]


def _plain(result: ResultTable) -> Table:
    table = _table(result.title)
    for place, heading in enumerate(result.headings):
        table.add_column(heading.title, justify="right" if place else "left")
    for row in result.rows:
        table.add_row(*(cell_text(cell) for cell in row))
    return table


def _table(title: str) -> Table:
    return Table(
        title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, 2, 0, 0)
    )


def _bar(share: float, width: int = BAR) -> str:
    eighths = round(share * width * 8)
    return "█" * (eighths // 8) + ("▏▎▍▌▋▊▉"[eighths % 8 - 1] if eighths % 8 else "")


def _short(value: Any) -> str:
    if isinstance(value, float) and 0 < value < 0.001:
        return f"{value:.1e}"
    return f"{value:.3g}" if isinstance(value, float) else cell_text(value)

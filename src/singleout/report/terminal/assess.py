"""The assessment for a person at a terminal: what was found first, then the numbers, at 80 columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from singleout.engine.missing_values import MISSING_WORDS
from singleout.investigation.assessment import JudgedAssessment
from singleout.measurement import Measurement
from singleout.report.terminal.decision import show_decision
from singleout.report.terminal.layout import (
    BAR,
    bar,
    hanging_text,
    plain_table,
    safe_text,
    share_text,
    short_number,
    show_notes,
    titled_table,
)
from singleout.report.terminal.population import show_everybody
from singleout.report.wording import findings, sensitive_sentences
from singleout.result_table import cell_text, table_size
from singleout.risk.assess.result import Assessment, Attribute
from singleout.risk.attribute_disclosure import SENSITIVE_MEASURES, AttributeDisclosure
from singleout.risk.attribute_risk import ALPHA, RISK
from singleout.risk.equivalence_classes import Exposure

LEVELS = (0.01, 0.05, 0.1, 0.2, 1 / 3, 0.5, 0.999)


def show_assessment(found: Assessment, sampling: bool = False) -> None:
    """The result on standard output, remarks on standard error; with `sampling` what a sample would say."""
    out = Console(highlight=False)
    if isinstance(found, JudgedAssessment):
        show_decision(out, found.decision)
    out.print(safe_text(f"{found.source}: {table_size(found.records, found.people)}", "bold"))
    for finding in (*findings(found), *sensitive_sentences(found)):
        out.print(hanging_text("•", finding))
    out.print(Padding(_attributes(found, out.width), (1, 0)))
    if sampling and found.user is not None:
        out.print(Padding(_cheaper_models(found), (0, 0, 1, 0)))
    if any(attribute.curve for attribute in found.attributes):
        out.print(Padding(_sample_sizes(found), (0, 0, 1, 0)))
    if found.classes:
        exposure = found.classes.by_people or found.classes.by_records
        counted = "people" if found.classes.by_people else "records"
        out.print(plain_table(found.classes_table()))
        title = "All attributes together: records by risk"
        out.print(Padding(risk_levels(title, exposure, counted), (1, 0)))
    everybody = ("population", "reference", "weighted", "known_records", "log_linear")
    show_everybody(out, *(getattr(found, name, None) for name in everybody))
    if found.sensitive:
        out.print(plain_table(found.sensitive_table()))
        for reason in _unknown_reasons(found):
            out.print(hanging_text("–:", reason, "dim"))
        out.print()
    for term, meaning in _definitions(found):
        out.print(hanging_text(f"{term}:", meaning, "dim"))
    show_notes(found.remarks)


def _recursive(disclosed: AttributeDisclosure) -> tuple[str, str]:
    return ("c", f"holds for l = {disclosed.recursive_l}, of {disclosed.column}")


def _unknown_reasons(found: Assessment) -> list[str]:
    """Why there is no number, once for all measures and columns that lack it for the same reason."""
    by_reason: dict[str, list[str]] = {}
    for disclosed in found.sensitive:
        for each in disclosed.measurements:
            if each.reason:
                by_reason.setdefault(each.reason, []).append(f"{disclosed.column} {_field(each)}")
    several = len(SENSITIVE_MEASURES)
    return [
        f"{', '.join(names) if len(names) < several else 'all'}: {reason}"
        for reason, names in by_reason.items()
    ]


def _field(measurement: Measurement) -> str:
    return measurement.measure.name.removeprefix("sensitive.")


def _definitions(found: Assessment) -> list[tuple[str, str]]:
    terms = [("risk", f"{RISK.question} ({RISK.formula}; counted over records)")]
    if found.user:
        terms.append(("records a person", f"{ALPHA.formula}; counted over values"))
    terms += [_recursive(each) for each in found.sensitive if each.recursive_c.value is not None][:1]
    return [*terms, ("missing values", MISSING_WORDS[found.missing])]


def _attributes(found: Assessment, width: int) -> Table:
    """Name and risk always; the rest as far as the terminal is wide."""
    history = found.user is not None
    table = titled_table("Each attribute alone")
    table.add_column("attribute", overflow="fold", min_width=9)
    table.add_column("risk", justify="right", no_wrap=True)
    shown = [each for each in COLUMNS if width >= each.from_width and (history or not each.history)]
    for each in shown:
        table.add_column(each.title, justify=each.justify, no_wrap=True)
    for attribute in sorted(found.attributes, key=lambda each: -each.risk.risk.known):
        cells = (each.cell(attribute) for each in shown)
        table.add_row(safe_text(attribute.name), short_number(attribute.risk.risk.value), *cells)
    return table


@dataclass(frozen=True)
class PageColumn:
    """A column that is shown from some width of the terminal on, perhaps for histories only."""

    title: str
    from_width: int
    cell: Callable[[Attribute], str]
    history: bool = False
    justify: Literal["left", "right"] = "right"


def _interval(attribute: Attribute) -> str:
    sample = attribute.sampling
    return f"{short_number(sample.low)} – {short_number(sample.high)}" if sample else "–"


COLUMNS = (
    PageColumn("", 40, lambda each: f"{bar(each.risk.risk.known):<{BAR}}", justify="left"),
    PageColumn("values", 50, lambda each: short_number(each.risk.values.value)),
    PageColumn("records\na person", 60, lambda each: short_number(each.risk.alpha.value), history=True),
)


def _cheaper_models(found: Assessment) -> Table:
    """What would be said of the risk without reading all records; the exact risk stands beside it."""
    table = titled_table("What cheaper models would say of the same risk")
    table.add_column("attribute", overflow="fold")
    for title in ("risk", "low-cost\nmodel", f"sampling model:\n{_confidence(found)} interval"):
        table.add_column(title, justify="right", no_wrap=True)
    for attribute in sorted(found.attributes, key=lambda each: -each.risk.risk.known):
        exact, low_cost = attribute.risk.risk.value, attribute.risk.low_cost.value
        numbers = (short_number(exact), short_number(low_cost), _interval(attribute))
        table.add_row(safe_text(attribute.name), *numbers)
    return table


def _confidence(found: Assessment) -> str:
    sampled = next((each.sampling for each in found.attributes if each.sampling), None)
    return f"{sampled.confidence:.0%}" if sampled else "–"


def _sample_sizes(found: Assessment) -> Table:
    """How far a sample's estimate of the risk lies from it, for several sample sizes."""
    table = titled_table("How sure a sample would be")
    table.add_column("attribute", overflow="fold")
    for title in ("sample", "deviation\nof its risk", "the same\nin theory"):
        table.add_column(title, justify="right", no_wrap=True)
    for attribute in found.attributes:
        scale = attribute.risk.low_cost.known  # from records a person to risk
        for point in attribute.curve:
            spread = (short_number(point.deviation * scale), short_number(point.deviation_in_theory * scale))
            table.add_row(safe_text(attribute.name), cell_text(point.sample), *spread)
    return table


def risk_levels(title: str, exposure: Exposure, counted: str) -> Table:
    """The cumulative curve at a few levels: the share of records above each risk."""
    table = titled_table(f"{title}, classes counted in {counted}")
    table.add_column("risk of re-identification")
    table.add_column("share of the records", justify="right")
    table.add_column("", width=2 * BAR, no_wrap=True)
    for words, share in _steps(exposure):
        table.add_row(words, share_text(share), bar(share, 2 * BAR))
    return table


def _steps(exposure: Exposure) -> list[tuple[str, float]]:
    """Of several levels with the same share above them, the highest says it all."""
    by_share: dict[float, str] = {}
    for level in LEVELS:
        below = max((point.share for point in exposure.curve if point.risk <= level), default=0.0)
        by_share[1 - below] = "certain" if level > 0.99 else f"more than {level:.2g}"
    return [(words, share) for share, words in by_share.items()]

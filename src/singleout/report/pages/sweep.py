"""The report about a sweep: who is recognised at which setting, then each measure over its parameter."""

from __future__ import annotations

from collections.abc import Iterator

from singleout.investigation.sweep.averages import SWEEP_INTERVAL, SWEEP_MEAN
from singleout.investigation.sweep.result import Sweep
from singleout.report.charts.sweeps import correlations, curves, privacy_against_utility
from singleout.report.pages.open_questions import UNJUDGED, UNJUDGED_GAPS
from singleout.report.pages.page import Report, Section, drawable_charts, plain_conclusions
from singleout.report.terminal.sweep import sentences
from singleout.report.wording import table_name

ADVICE = (
    "Choose a setting here, make the release by it once, and let singleout check judge that release: a mean "
    "over seeds judges none."
)


def sweep_report(found: Sweep) -> Report:
    """How privacy and utility change with the parameters."""
    sure = (
        f"Means over {len(found.seeds)} seeds. Intervals cover the random draws, not which people are in the "
        "table; whoever knows more than the attackers tried here may recognise more."
    )
    return Report(
        title=f"How do privacy and utility of {table_name(found.data)} change?",
        facts=(
            ("What was tried", f"{len(found.rows):,} releases: {found.study}"),
            ("Seeds", ", ".join(map(str, found.seeds[:20])) + (" …" if len(found.seeds) > 20 else "")),
        ),
        conclusions=plain_conclusions(
            sentences(found)[:3], ADVICE, sure, (SWEEP_MEAN, SWEEP_INTERVAL), "linkability"
        ),
        sections=tuple(each for each in _sections(found) if each.charts or each.tables),
        remarks=found.remarks,
        decision=UNJUDGED,
        not_tried=UNJUDGED_GAPS,
    )


def _sections(found: Sweep) -> Iterator[Section]:
    yield Section("bargains", "Privacy against utility", (), privacy_against_utility(found))
    yield Section("curves", "Each measure over its parameter", (), curves(found))
    yield Section(
        "measures", "All means, and what goes together", (), drawable_charts(correlations(found)),
        (found.average_table(),),
    )  # fmt: skip

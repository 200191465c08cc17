"""The verdict at a terminal: one line, why, on what conditions, and what was not tried."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from rich.console import Console
from rich.padding import Padding

from singleout.policy.verdict.decision import Decision, RegulatorFinding, ReleaseAnswer
from singleout.report.terminal.layout import hanging_text, safe_text
from singleout.report.wording import GRANTED, SIGNS

COLOURS: dict[ReleaseAnswer, str] = {
    "do_not_release": "bold red",
    "conditions": "bold yellow",
    "no_objection": "bold blue",
    "not_judged": "bold magenta",
}


def open_ends(
    conditions: Sequence[str], findings: Sequence[RegulatorFinding], told: Container[str] = ()
) -> Iterator[str]:
    """What a verdict takes for granted and what was not tried, in sentences; not what was `told` before."""
    yield from map(GRANTED.format, conditions)
    for finding in findings:
        yield from (f"Not tried ({finding.question}): {gap}." for gap in finding.not_tried if gap not in told)


def show_decision(out: Console, decision: Decision) -> None:
    """First of all that is printed; what is a reason is not told again as not tried."""
    by = f"{SIGNS[decision.answer]} {decision.headline} (policy: {decision.policy})"
    out.print(safe_text(by, COLOURS[decision.answer]))
    for condition in decision.conditions if decision.answer == "conditions" else ():
        out.print(hanging_text("  if:", condition))
    kept = decision.answer in ("conditions", "no_objection") and not decision.goes_further
    for reason in _kept_limits(decision) if kept else decision.further_reasons:
        out.print(hanging_text("  found:" if kept else "  because:", reason))
    for finding in decision.findings:
        for gap in finding.not_tried:
            if gap not in decision.reasons:
                out.print(hanging_text("  not tried:", f"{finding.question}: {gap}"))
    out.print(Padding("", 0))


def _kept_limits(decision: Decision) -> Iterator[str]:
    """By the regulator's questions; last what is about the use of the data."""
    by_question = [(each.question, found) for each in decision.findings for found in each.found]
    yield from (f"{question}: {found}" for question, found in by_question)
    told = {found for _, found in by_question}
    yield from (reason for reason in decision.reasons if reason not in told)

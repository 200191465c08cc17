"""The verdict at a terminal: one line, why, on what conditions, and what was not tried."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from rich.console import Console
from rich.padding import Padding

from singleout.policy.verdict.decision import GRANTED, Decision, RegulatorFinding, ReleaseAnswer
from singleout.report.terminal.layout import hanging_text, safe_text
from singleout.report.wording import SIGNS

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
    """First of all that is printed."""
    by = f"{SIGNS[decision.answer]} {decision.headline} (policy: {decision.policy})"
    out.print(safe_text(by, COLOURS[decision.answer]))
    for what, words in decision.sentences:
        out.print(hanging_text(f"  {what}:", words))
    out.print(Padding("", 0))

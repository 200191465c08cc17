"""What the metrics of a comparison say and ask, for pages about one release or several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table

from singleout.measurement import Measure
from singleout.report.charts.release_letters import mark_of
from singleout.report.terminal.layout import safe_text, titled_table
from singleout.result_table import cell_text
from singleout.utility.compare.result import MISSING_RULES, Comparison, Outcome
from singleout.utility.finding import Finding

# columns of numbers beside a name in 80 characters
ABREAST = 4
RATE = (
    ("rate", "share of its people recognised (re-identified); equals share the credit"),
    ("guess", "the rate of naming people of the original at random (baseline)"),
    ("bound", "what no attack with this knowledge exceeds on average"),
    ("interval", "95% (Wilson), of people as if drawn; not of choosing the best attack"),
)


def missing_rule(found: Comparison) -> tuple[str, str]:
    return "missing", MISSING_RULES[found.missing]


def questions(found: Comparison) -> list[tuple[str, str]]:
    """What the metrics ask; once for a family of them that ask the same, as `counts` of its errors."""
    families: dict[str, dict[str, str]] = {}
    for outcome in found.outcomes:
        for measure in (each.measure for each in outcome.utility):
            families.setdefault(measure.name.partition(".")[0], {})[measure.name] = measure.question
    return [each for family, by_name in families.items() for each in _family_questions(family, by_name)]


def _family_questions(family: str, questions_by_name: dict[str, str]) -> list[tuple[str, str]]:
    """Without `on average` and `at most` behind the comma, which the names say too."""
    stem, *others = {question.rpartition(", ")[0] for question in questions_by_name.values()}
    return (
        [(family, f"{stem}?")]
        if stem and len(questions_by_name) > 1 and not others
        else [*questions_by_name.items()]
    )


def untouched_value(measure: Measure) -> float | None:
    """What an untouched table gets."""
    return {"lower": measure.lowest, "higher": measure.highest, "neither": None}[measure.better]


def value_text(each: Finding | None) -> str:
    return "–" if each is None else cell_text(each.value)


def unknown_table(outcomes: Sequence[Outcome]) -> Iterator[Table]:
    """Why some metrics have no value."""
    rows = [
        (mark_of(index) if len(outcomes) > 1 else "", each)
        for index, outcome in enumerate(outcomes)
        for each in outcome.utility
        if each.value is None
    ]
    if not rows:
        return
    table = titled_table("What is unknown")
    table.add_column("metric", overflow="fold", max_width=34)
    table.add_column("why", overflow="fold")
    for mark, each in rows:
        table.add_row(safe_text(f"{mark} {each.name}".strip()), safe_text(each.reason or ""))
    yield table

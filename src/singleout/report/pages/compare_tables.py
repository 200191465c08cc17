"""The numbers of a comparison in tables: a heading for each metric, a click away from its definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from singleout.attacks.attempt import Attempt
from singleout.attacks.measures import RATE
from singleout.measurement import Measure
from singleout.report.charts.attack_rates import shown_name
from singleout.report.charts.utility_losses import metric_name
from singleout.report.terminal.metric_words import untouched_value
from singleout.result_table import Heading, ResultTable
from singleout.utility.compare.result import Comparison, Outcome

ABREAST = 6
UNTOUCHED = "an untouched table"


def whole_tables(found: Comparison, names: Sequence[str]) -> Iterator[ResultTable]:
    """What is asked of the table as a whole: a line for each release, a column for each metric."""
    listed = [each for outcome in found.outcomes for each in outcome.utility if not each.of]
    measures = [*dict.fromkeys(each.measure for each in listed)]
    pieces = [measures[start : start + ABREAST] for start in range(0, len(measures), ABREAST)]
    for part, shown in enumerate(pieces, 1):
        rows = [
            (name, *(_value(outcome, each) for each in shown))
            for name, outcome in zip(names, found.outcomes, strict=True)
        ]
        best = (UNTOUCHED, *map(untouched_value, shown))
        title = "What is kept" + (f", part {part} of {len(pieces)}" if len(pieces) > 1 else "")
        note = f"In the units of the metrics: {_units(shown)}."
        yield ResultTable(title, _headings("release", shown), (*rows, best), note)


def column_tables(found: Comparison, names: Sequence[str]) -> Iterator[ResultTable]:
    """What is asked of several columns: a line for each release and column."""
    listed = [each for outcome in found.outcomes for each in outcome.utility if each.of]
    if not listed:
        return
    measures = dict.fromkeys(each.measure for each in listed)
    columns = dict.fromkeys(each.of for each in listed)
    rows = [
        (f"{name}: {', '.join(of)}" if len(names) > 1 else ", ".join(of),
         *(_value(outcome, each, of) for each in measures))
        for name, outcome in zip(names, found.outcomes, strict=True)
        for of in columns
    ]  # fmt: skip
    best = (UNTOUCHED, *map(untouched_value, measures))
    yield ResultTable("What is kept by column", _headings("column", [*measures]), (*rows, best))


def _headings(first: str, measures: Sequence[Measure]) -> tuple[Heading, ...]:
    metrics = (Heading.of(f"metric_{index}", each.title, each) for index, each in enumerate(measures))
    return (Heading(first, first), *metrics)


def _units(measures: Sequence[Measure]) -> str:
    return ", ".join(dict.fromkeys(each.unit for each in measures))


def _value(outcome: Outcome, measure: Measure, of: tuple[str, ...] = ()) -> float | None:
    findings = (each for each in outcome.utility if each.measure == measure and each.of == of)
    return next((each.value for each in findings), None)


def unknown_metrics(found: Comparison, names: Sequence[str]) -> Iterator[ResultTable]:
    rows = tuple(
        (metric_name(each), name, each.reason)
        for name, outcome in zip(names, found.outcomes, strict=True)
        for each in outcome.utility
        if each.value is None
    )
    if rows:
        headings = (Heading("metric", "metric"), Heading("release", "release"), Heading("why", "why"))
        yield ResultTable("What is unknown", headings, rows)


def attack_table(found: Comparison, labels: Sequence[str]) -> Iterator[ResultTable]:
    """The rate of each attack, release by release; of several also on the original itself."""
    shown = [*found.outcomes, *([found.untouched] if found.untouched else [])]
    attacks = {each.name: each for outcome in shown for each in outcome.privacy if each.name != "best"}
    if not attacks or len(found.outcomes) < 2:
        return
    names = [*labels, "the original"] if found.untouched else labels
    rates = (Heading.of(f"release_{index}", name, RATE) for index, name in enumerate(names))
    rows = tuple(
        (shown_name(each), *(_rate(outcome, each) for outcome in shown)) for each in attacks.values()
    )
    yield ResultTable("The rate of each attack on each release", (Heading("attack", "attack"), *rates), rows)


def _rate(outcome: Outcome, attack: Attempt) -> float | None:
    attempt = outcome.attack(attack.name)
    return None if attempt is None else attempt.rate

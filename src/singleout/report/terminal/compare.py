"""Releases beside their original at a terminal: what is kept, who is recognised, which is best."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table
from rich.text import Text

from singleout.attacks.attempt import Attempt
from singleout.report.terminal.attack import unknown_rest
from singleout.report.terminal.layout import bar, safe_text, share_text, show_page, titled_table
from singleout.report.terminal.metric_words import (
    ABREAST,
    RATE,
    missing_rule,
    questions,
    unknown_table,
    untouched_value,
    value_text,
)
from singleout.report.terminal.ranking import show_ranking
from singleout.result_table import cell_text
from singleout.utility.catalogue import FAMILIES
from singleout.utility.compare.result import Comparison, Outcome
from singleout.utility.finding import Finding, lost_share

FAMILY_WORDS = (
    ("as before", "metrics that are as in an untouched table"),
    ("most lost", "the largest share of its range that a metric is away from that; --all tells every metric"),
)
COUNTING = ("counts.median_error", "counts.error_at_90")


def show_comparison(found: Comparison, *, every: bool = True) -> None:
    """The result on standard output, remarks on standard error; unless `every` metric is to be told, one line
    a family of them where there is one release."""
    if found.ranking is None:
        _show_one(found, found.outcomes[0], every)
    else:
        show_ranking(found, found.ranking)


def _show_one(found: Comparison, outcome: Outcome, every: bool) -> None:
    title = (
        f"{outcome.release} beside {found.original}: {outcome.records:,} records of {outcome.people:,} "
        f"people, where there were {found.original_records:,} of {found.original_people:,}"
    )
    kept = [*_utility(outcome), *_column_tables(outcome)] if every else _families(outcome)
    tables = [*kept, *unknown_table([outcome]), *_privacy(outcome)]
    asked = questions(found) if every else FAMILY_WORDS
    definitions = [*asked, *(RATE if outcome.privacy else ()), missing_rule(found)]
    remarks = (*found.remarks, *outcome.remarks)
    show_page(title, sentences(outcome), tables, definitions, remarks)


def sentences(outcome: Outcome) -> list[str]:
    """What became of one release, in words."""
    return [*kept_words(outcome), *risk_words(outcome)]


def kept_words(outcome: Outcome) -> Iterator[str]:
    """What a release is still good for."""
    known = [each for each in outcome.utility if each.value is not None]
    judged = judged_findings(outcome)
    if judged:
        same = sum(each.value == untouched_value(each.measure) for each in judged)
        yield f"Of {len(judged)} metrics of utility {same} are as in an untouched table."
    values = {each.name: each.value for each in known}
    half, most = map(values.get, COUNTING)
    if half is not None and most is not None:
        yield (
            f"Whoever counts the records with some values is off by at most {share_text(half)} half of the "
            f"time, and by at most {share_text(most)} nine times in ten."
        )
    if outcome.lacking:
        yield f"The release lacks {', '.join(outcome.lacking)}."


def judged_findings(outcome: Outcome) -> list[Finding]:
    """Of those that say neither more nor less use, an untouched table has no value to be as."""
    return [each for each in outcome.utility if each.value is not None and each.better != "neither"]


def risk_words(outcome: Outcome) -> Iterator[str]:
    """Whom the best attack recognises."""
    best = outcome.attack("best")
    if best is not None:
        low, high = best.interval
        most = next(each for each in outcome.privacy if each.credit is best.credit)
        yield (
            f"The best attack, {most.name}, recognises {share_text(best.rate)} of {best.people:,} people "
            f"(95% interval {share_text(low)} to {share_text(high)}). Naming people at random recognises "
            f"{share_text(best.baseline)}."
        )
        yield from unknown_rest(best)


def _families(outcome: Outcome) -> Iterator[Table]:
    """One line a family of metrics: how many are as before, and the one that lost most of its range."""
    table = titled_table("What is kept")
    table.add_column("metrics of", overflow="fold")
    for title in ("as before", "most lost"):
        table.add_column(title, justify="right", no_wrap=True)
    # a name that others script is not broken
    table.add_column("by", no_wrap=True)
    for name, metrics in FAMILIES.items():
        measures = {measure for metric in metrics for measure in metric.measures}
        judged = [each for each in judged_findings(outcome) if each.measure in measures]
        changed = [each for each in judged if each.value != untouched_value(each.measure)]
        if judged:
            same = f"{len(judged) - len(changed)} of {len(judged)}"
            table.add_row(name, same, *_most_lost(changed))
    if table.row_count:
        yield table


def _most_lost(changed: list[Finding]) -> tuple[str, Text | str]:
    """Of metrics without an end to their range only the first is named: no share can be told."""
    shares = [(share, each) for each in changed if (share := lost_share(each)) is not None]
    if shares:
        most, worst = max(shares, key=lambda each: each[0])
        return share_text(most), safe_text(worst.name)
    return ("no range", safe_text(changed[0].name)) if changed else ("–", "")


def _utility(outcome: Outcome) -> Iterator[Table]:
    """What is asked of the table as a whole."""
    whole = [each for each in outcome.utility if not each.of]
    if not whole:
        return
    table = titled_table("What is kept")
    table.add_column("metric", overflow="fold")
    for title in ("value", "untouched"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("unit", overflow="fold")
    for each in whole:
        numbers = value_text(each), cell_text(untouched_value(each.measure))
        table.add_row(safe_text(each.name), *numbers, safe_text(each.measure.unit))
    yield table


def _column_tables(outcome: Outcome) -> Iterator[Table]:
    """What is asked of several columns: one line each."""
    findings = {(each.of, each.measure): each for each in outcome.utility if each.of}
    measures = [*dict.fromkeys(measure for _, measure in findings)]
    for start in range(0, len(measures), ABREAST):
        shown = measures[start : start + ABREAST]
        table = titled_table("What is kept by column")
        table.add_column("column", overflow="fold", min_width=14, max_width=24)
        for each in shown:
            table.add_column(each.name.replace("_", " "), justify="right", overflow="fold", max_width=12)
        for of in dict.fromkeys(of for of, measure in findings if measure in shown):
            table.add_row(safe_text(", ".join(of)), *(value_text(findings.get((of, each))) for each in shown))
        table.add_row("untouched", *(cell_text(untouched_value(each)) for each in shown), style="dim")
        yield table


def _privacy(outcome: Outcome) -> Iterator[Table]:
    if not outcome.privacy:
        return
    table = titled_table("Who is recognised")
    table.add_column("attack", overflow="fold", min_width=12, max_width=18)
    for title in ("people", "rate", "interval"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for title in ("guess", "bound"):
        table.add_column(title, justify="right", no_wrap=True)
    for each in outcome.privacy:
        if each.name != "best":
            table.add_row(safe_text(each.name), *_attack_cells(each))
    yield table


def _attack_cells(attempt: Attempt) -> tuple[str, ...]:
    low, high = attempt.interval
    bound = "–" if attempt.bound is None else f"{attempt.bound:.1%}"
    interval = f"{100 * low:.1f}–{high:.1%}"
    people = f"{attempt.identified:,.1f}".removesuffix(".0")
    return people, f"{attempt.rate:.1%}", interval, bar(attempt.rate, 6), f"{attempt.baseline:.1%}", bound

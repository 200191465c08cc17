"""A protected release for a person at a terminal: what was reached, how, at what cost, what else there is."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table

from singleout.investigation.protect.explanation import broken_words
from singleout.investigation.protect.result import Protection
from singleout.investigation.protect.trial import RecipeTrial
from singleout.policy.verdict.decision_words import rule_words
from singleout.report.terminal.decision import open_ends
from singleout.report.terminal.layout import (
    long_number,
    safe_text,
    share_text,
    short_number,
    show_page,
    titled_table,
)

MOST = 20
DEFINITIONS = (
    ("lost", "of what the data is needed for, from 0 (nothing) to 100%: a weighted mean over the metrics"),
    ("front", "no other recipe that was tried is better in both privacy and use"),
    ("a rule", "that is unknown counts as broken"),
)


def show_protection(found: Protection) -> None:
    """The result on standard output, remarks on standard error."""
    tables = [each for each in (_changes(found), _metrics(found), _front(found)) if each.row_count]
    decision = found.decision if found.reached else None
    ends = open_ends(decision.conditions, decision.findings) if decision else ()
    show_page(found.headline, [*sentences(found), *ends], tables, DEFINITIONS, found.remarks)


def sentences(found: Protection) -> Iterator[str]:
    """What was found, what it costs, how sure that is, and what else could be done."""
    chosen = found.chosen
    if chosen is not None and found.reached:
        lost = share_text(chosen.lost or 0.0)
        yield f"Of what the data is needed for {lost} is lost; {_left(found, chosen)}."
        yield from (f"{_begin(rule_words(each))}." for each in chosen.rules)
    else:
        yield from (f"{_begin(each)}." for each in found.obstacles)
        if chosen is not None:
            yield f"The nearest that was found: {_words(chosen)}."
        if found.advice:
            yield f"What would help: {'; '.join(found.advice)}."
    if found.cheaper is not None and found.reached:
        lost = share_text(found.cheaper.lost or 0.0)
        yield f"Cheaper, {lost} lost: {_words(found.cheaper)}. Then {broken_words(found.cheaper)}."
    if found.safer is not None and (value := found.privacy_of(found.safer)) is not None:
        lost = share_text(found.safer.lost or 0.0)
        told = f"{found.privacy_rule.called} is then {short_number(value)}"
        yield f"Safer, {lost} lost: {_words(found.safer)}. {_begin(told)}."
    asked = "How sure it is the cheapest" if found.reached else "How far the search came"
    yield f"{asked}: {found.proof.words}."
    if found.written:
        yield "Written: " + ", ".join(f"{what} {where}" for what, where in found.written.items()) + "."
    elif not found.reached:
        yield "Nothing was written."


def _left(found: Protection, chosen: RecipeTrial) -> str:
    records = f"{chosen.records:,} of {found.records:,} records"
    if chosen.records > found.records:
        added = chosen.records - found.records
        records = f"{chosen.records:,} records, {added:,} more than in the original,"
    return f"{records} and {chosen.people:,} of {found.people:,} people are in the release"


def _begin(text: str) -> str:
    """With a capital letter, unless it begins with the name of a measure."""
    if "." in text.split(" ")[0]:
        return text
    return f"{text[:1].upper()}{text[1:]}"


def _words(trial: RecipeTrial) -> str:
    return "; ".join(trial.words) or "the original under other names"


def _changes(found: Protection) -> Table:
    table = titled_table("What is changed, and why")
    table.add_column("change", overflow="fold", min_width=20)
    table.add_column("reason", overflow="fold", min_width=30)
    for each in found.reasons:
        table.add_row(safe_text(each.words), safe_text(each.reason))
    return table


def _metrics(found: Protection) -> Table:
    table = titled_table("What is kept of use")
    table.add_column("metric", no_wrap=True)
    for heading in ("weight", "value", "lost"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("why", overflow="fold")
    for each in found.chosen.kept if found.chosen else ():
        value = "–" if each.value is None else long_number(each.value)
        lost, why = share_text(each.lost), safe_text(each.reason or "")
        table.add_row(safe_text(each.metric), short_number(each.weight), value, lost, why)
    return table


def _front(found: Protection) -> Table:
    table = titled_table("The front: what each limit costs")
    table.add_column("lost", justify="right", no_wrap=True)
    table.add_column(safe_text(found.privacy_rule.called), justify="right", no_wrap=True)
    table.add_column("kept", no_wrap=True)
    table.add_column("recipe", overflow="fold", min_width=20)
    for each in found.front[:MOST]:
        value = found.privacy_of(each)
        told = "–" if value is None else f"{'about ' if each.sampled else ''}{short_number(value)}"
        table.add_row(
            share_text(each.lost or 0.0), told, "yes" if each.passed else "no", safe_text(_words(each))
        )
    return table

"""The report about combinations of attributes: what was asked for, each part with its chart and sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from singleout.engine.missing_values import MISSING_WORDS
from singleout.report.charts.attribute_sets import budget_curve, minimal_sets, pairs_heat_map
from singleout.report.pages.open_questions import UNJUDGED, UNJUDGED_GAPS
from singleout.report.pages.page import Report, Section, drawable_charts, plain_conclusions
from singleout.report.terminal.combinations import GAP, sentences
from singleout.report.wording import ONE_RECORD, table_name
from singleout.result_table import Heading, ResultTable, table_size
from singleout.risk.combinations.measures import COMBINATION_MEASURES
from singleout.risk.combinations.result import Combinations, set_name
from singleout.risk.combinations.set_risk import (
    AVERAGE_RISK,
    HIGHEST_RISK,
    PEOPLE_AT_RISK,
    RECORDS_AT_RISK,
    SMALLEST_CLASS,
    SetRisk,
)

ADVICE = (
    "A set that the rule allows is safe by the rule only: whoever knows more columns, or several records "
    "of a person, may still single people out. Let singleout check judge a release."
)
MOST_ROWS = 200
SET = (
    Heading("columns", "attributes"),
    Heading.of("smallest_class", "smallest class", SMALLEST_CLASS),
    Heading.of("records_at_risk", "records at risk", RECORDS_AT_RISK),
    Heading.of("people_at_risk", "people at risk", PEOPLE_AT_RISK),
    Heading.of("highest_risk", "highest risk", HIGHEST_RISK),
    Heading.of("average_risk", "average risk", AVERAGE_RISK),
)


def combinations_report(found: Combinations) -> Report:
    """Which attributes together single people out, and at what price."""
    told = [text for text in sentences(found) if not text.startswith(GAP)]
    gaps = [text for text in sentences(found) if text.startswith(GAP)]
    sure = " ".join(["The sets were counted in the data itself.", *gaps])
    whose = f"column {found.user} names people" if found.user else ONE_RECORD
    return Report(
        title=f"Which attributes of {table_name(found.source)} together single people out?",
        facts=(
            ("What was counted", table_size(found.records, found.people)),
            ("What an attacker may know", ", ".join(found.columns)),
            ("Whose records", whose),
            ("Missing values", MISSING_WORDS[found.missing]),
            ("Counted by", f"{found.engine}, seed {found.seed}"),
        ),
        conclusions=plain_conclusions(told[:4], ADVICE, sure, (SMALLEST_CLASS,)),
        sections=tuple(_sections(found)),
        remarks=found.remarks,
        decision=UNJUDGED,
        not_tried=UNJUDGED_GAPS,
    )


def _sections(found: Combinations) -> Iterator[Section]:
    if found.allowable:
        tables = [_set_table("Too risky, but not with any attribute less", found.allowable.minimal)]
        tables.append(_set_table("Allowed by the rule", found.allowable.safe))
        yield Section(
            "allowable", "Where sets become too risky", (), drawable_charts(minimal_sets(found)),
            tuple(each for each in tables if each.rows), COMBINATION_MEASURES,
        )  # fmt: skip
    if found.synergies and found.synergies.combinations:
        yield Section("synergy", "Riskier than their parts", (), (), (_synergies(found),))
    if found.priced:
        yield Section(
            "price", "What an attacker can afford", (),
            drawable_charts(budget_curve(found), pairs_heat_map(found)), (_price_table(found),),
        )  # fmt: skip
    if found.known:
        yield Section("known", "Attacks with what is known", (), (), (_known_table(found),))
    for one in found.singled_out:
        rows = tuple((set_name(each),) for each in one.minimal[:MOST_ROWS])
        table = ResultTable(f"What singles record {one.record} out", (SET[0],), rows)
        yield Section(f"record-{one.record}", f"Record {one.record}", (), (), (table,))
    if found.contributions:
        shares = tuple(sorted(found.contributions.items(), key=lambda each: -(each[1] or 0)))
        headings = (SET[0], Heading("share", "share of the SUDA scores"))
        table = ResultTable("Which attributes make records special", headings, shares)
        yield Section("contributions", "Which attributes make records special", (), (), (table,))


def _cut(number: int) -> str:
    return f"{MOST_ROWS} of {number:,} are shown." if number > MOST_ROWS else ""


def _set_table(title: str, sets: Sequence[SetRisk]) -> ResultTable:
    return ResultTable(title, SET, tuple(map(_row, sets[:MOST_ROWS])), _cut(len(sets)))


def _row(each: SetRisk) -> tuple[str | int | float, ...]:
    return (
        set_name(each.columns), each.smallest_class, each.records_at_risk, each.people_at_risk,
        each.highest_risk, each.average_risk,
    )  # fmt: skip


def _synergies(found: Combinations) -> ResultTable:
    combinations = found.synergies.combinations if found.synergies else ()
    headings = (
        SET[0],
        Heading("highest_synergy", "highest synergy", "risk of the set / risk of its riskiest attribute"),
        Heading("mean_synergy", "mean synergy", "mean over records"),
        Heading("share", "share above", "records that are more than that many times riskier"),
        Heading.of("highest_risk", "highest risk", HIGHEST_RISK),
    )
    rows = tuple(
        (set_name(each.columns), each.highest_synergy, each.mean_synergy, each.share, each.highest_risk)
        for each in combinations[:MOST_ROWS]
    )
    return ResultTable("Combinations riskier than their parts", headings, rows, _cut(len(combinations)))


def _price_table(found: Combinations) -> ResultTable:
    affordable = found.priced.affordable if found.priced else ()
    headings = (*SET, Heading("cost", "cost", "of its attributes together"))
    rows = tuple((*_row(each.risk), float(each.cost)) for each in affordable[:MOST_ROWS])
    return ResultTable("What an attacker can afford to know", headings, rows, _cut(len(affordable)))


def _known_table(found: Combinations) -> ResultTable:
    headings = (SET[0], SET[1], SET[4], SET[5])
    rows = []
    for each in found.known:
        exposure = each.by_people or each.by_records
        numbers = (exposure.k.value, exposure.highest_risk.value, exposure.average_risk.value)
        rows.append((set_name(each.columns), *numbers))
    return ResultTable("The risk to whoever knows these", headings, tuple(rows))

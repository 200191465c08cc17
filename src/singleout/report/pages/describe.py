"""The report about what kind of data a table is: how alike people are first, then how much there is."""

from __future__ import annotations

from collections.abc import Iterator

from singleout.investigation.describe.measures import (
    ITEMS_PER_PERSON,
    JACCARD_HIGHEST,
    JACCARD_MEAN,
    RECORDS_PER_PERSON,
    SHARED_ITEMS,
)
from singleout.investigation.describe.result import Description
from singleout.report.charts.descriptions import (
    category_bars,
    jaccard_histogram,
    month_bars,
    people_scatter,
    people_sums,
    rank_frequencies,
)
from singleout.report.pages.open_questions import UNJUDGED, UNJUDGED_GAPS
from singleout.report.pages.page import Report, Section, drawable_charts, plain_conclusions
from singleout.report.terminal.describe import (
    CORRELATION_TITLE,
    PEOPLE_TITLE,
    correlation_rows,
    people_rows,
    sentences,
)
from singleout.report.wording import ONE_RECORD, table_name
from singleout.result_table import Heading, ResultTable, table_size

NOT_JUDGED = "This page counts and judges nothing; singleout assess tells who can be singled out."
SURE = "Counted over all records."


def description_report(found: Description) -> Report:
    """What there is, and how alike people are."""
    return Report(
        title=f"What kind of data is {table_name(found.source)}?",
        facts=_facts(found),
        conclusions=plain_conclusions(
            sentences(found)[:3], NOT_JUDGED, SURE, (RECORDS_PER_PERSON, ITEMS_PER_PERSON)
        ),
        sections=tuple(_sections(found)),
        remarks=found.remarks,
        decision=UNJUDGED,
        not_tried=UNJUDGED_GAPS,
    )


def _facts(found: Description) -> tuple[tuple[str, str], ...]:
    whose = f"column {found.user} names people" if found.user else ONE_RECORD
    skipped = "are skipped" if found.missing == "drop" else "count as a value of their own"
    return (
        ("What was counted", table_size(found.records, found.people)),
        ("Whose records", whose),
        ("Missing values", skipped),
        ("Counted by", f"{found.engine}, seed {found.seed}"),
    )


def _sections(found: Description) -> Iterator[Section]:
    people = tuple(people_rows(found))
    if people:
        headings = tuple(
            Heading(name, name)
            for name in ("of a person", "mean", "lowest", "a quarter", "half", "three quarters", "highest")
        )
        charts = drawable_charts(jaccard_histogram(found.items) if found.items else None)
        measures = (RECORDS_PER_PERSON, ITEMS_PER_PERSON, SHARED_ITEMS, JACCARD_MEAN, JACCARD_HIGHEST)
        yield Section(
            "people", "What people have", (), charts, (ResultTable(PEOPLE_TITLE, headings, people),), measures
        )
    frequencies = found.domains or tuple(each.frequencies for each in found.columns)
    yield Section(
        "columns", "What columns hold", (), drawable_charts(rank_frequencies(frequencies)), (found.table(),)
    )
    charts = drawable_charts(
        month_bars(found.months, found.amount),
        people_sums(found.amount_per_person, found.amount),
        category_bars(found.categories),
    )
    if charts:
        yield Section("sums", "How much of what", (), charts)
    if found.scatters:
        headings = tuple(Heading(name, name) for name in ("of", "with", "people", "correlation"))
        table = ResultTable(CORRELATION_TITLE, headings, tuple(correlation_rows(found)))
        yield Section("domains", "Domains side by side", (), people_scatter(found.scatters), (table,))

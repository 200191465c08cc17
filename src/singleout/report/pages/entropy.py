"""The report about what records tell of their people: domain by domain, then several of them together."""

from __future__ import annotations

from collections.abc import Iterator

from singleout.report.charts.domains import information_beside_chance
from singleout.report.charts.known_records import success_by_records
from singleout.report.pages.open_questions import UNJUDGED, UNJUDGED_GAPS
from singleout.report.pages.page import Report, Section, drawable_charts, plain_conclusions
from singleout.report.terminal.entropy import sentences
from singleout.report.wording import table_name
from singleout.result_table import Heading, ResultTable, table_size
from singleout.risk.entropy.measures import DISCLOSURE_MEASURES
from singleout.risk.entropy.result import Disclosure
from singleout.roles.domain import Domain

ADVICE = (
    "Bits tell what a record adds on average and are no limit for a release: singleout assess tells who can "
    "be singled out, singleout attack tries it."
)
SURE = (
    "Counted over all events of the domains. What chance alone would tell is the mean of tables whose values "
    "were dealt at random; where combinations are too many to go through, they are estimated."
)


def disclosure_report(found: Disclosure) -> Report:
    """What one record of each domain tells, beside chance."""
    skipped = "are skipped" if found.missing == "drop" else "count as a value of their own"
    return Report(
        title=f"What do records of {table_name(found.source)} tell about their people?",
        facts=(
            ("What was counted", table_size(found.records, found.people)),
            ("Domains", "; ".join(_domain_words(each.domain) for each in found.domains)),
            ("Whose records", f"column {found.user} names people"),
            ("Missing values", skipped),
            ("Counted by", f"{found.engine}, seed {found.seed}"),
        ),
        conclusions=plain_conclusions(sentences(found)[:3], ADVICE, SURE, DISCLOSURE_MEASURES[:3]),
        sections=tuple(_sections(found)),
        remarks=found.remarks,
        decision=UNJUDGED,
        not_tried=UNJUDGED_GAPS,
    )


def _domain_words(domain: Domain) -> str:
    where = "".join(f", where {column} is {value}" for column, value in domain.filters)
    return f"{domain.name}: {' and '.join(domain.columns)}{where}"


def _sections(found: Disclosure) -> Iterator[Section]:
    yield Section(
        "domains", "What one record tells", (), drawable_charts(information_beside_chance(found)),
        (found.table(),), DISCLOSURE_MEASURES,
    )  # fmt: skip
    charts = drawable_charts(success_by_records(found))
    if charts:
        yield Section("known", "What several records tell", (), charts)
    yield Section("rare", "Rare values, and how unlike people are", (), (), (_rare_table(found),))
    if found.correlations:
        yield Section("together", "Much in one domain, much in another", (), (), (_correlations(found),))


def _rare_table(found: Disclosure) -> ResultTable:
    headings = (
        Heading("domain", "domain"),
        Heading("events", "events", "values that records have in the domain's columns"),
        Heading("once", "with a value seen once", "share of the events"),
        Heading("twice", "at most twice", "share of the events"),
        Heading("distance", "mean distance", "1 − Jaccard of two people's values, mean over pairs of people"),
    )
    rows = tuple(
        (
            each.name,
            each.information.events,
            *(level.share for level in each.rare),
            each.likeness.mean if each.likeness else None,
        )
        for each in found.domains
    )
    return ResultTable("Rare values of each domain", headings, rows)


def _correlations(found: Disclosure) -> ResultTable:
    headings = (
        Heading("of", "of"),
        Heading("with", "with"),
        Heading("people", "people"),
        Heading("correlation", "correlation", "Pearson, over people; or the reason why there is none"),
    )
    rows = tuple(
        (each.first, each.second, each.people, each.reason if each.pearson is None else each.pearson)
        for each in found.correlations
    )
    return ResultTable("Pearson over people", headings, rows)

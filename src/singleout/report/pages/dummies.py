"""The report about dummy records: what they cost and protect, then the clusters."""

from __future__ import annotations

from collections.abc import Iterator

from singleout.deidentify.dummies.measures import BOUND, DUMMIES, JACCARD
from singleout.deidentify.dummies.result import Concealment
from singleout.report.charts.clusters import cluster_sizes
from singleout.report.pages.open_questions import UNJUDGED, UNJUDGED_GAPS
from singleout.report.pages.page import Report, Section, plain_conclusions
from singleout.report.terminal.dummies import sentences
from singleout.report.wording import table_name
from singleout.result_table import Heading, ResultTable, table_size

ADVICE = (
    "Dummies hide item sets and nothing else: try the release with singleout attack, with all its columns "
    "and the diary as --recipe, and let singleout check judge it."
)
SURE = (
    "The bound holds on average over the random names, for whoever knows item sets and nothing else; other "
    "columns, counts of items and dates are not looked at here."
)


def concealment_report(found: Concealment) -> Report:
    """Who hides among whom, and at what cost."""
    return Report(
        title=f"What do dummy records cost and hide in {table_name(found.source)}?",
        facts=(
            ("What was counted", table_size(found.records, found.people)),
            ("Items", f"column {found.item}, {found.items:,} different ones"),
            ("Clusters by", f"method {found.method}, edit {found.edit}"),
            ("Counted by", found.engine),
        ),
        conclusions=plain_conclusions(sentences(found)[:3], ADVICE, SURE, (DUMMIES, BOUND, JACCARD)),
        sections=tuple(_sections(found)),
        remarks=found.remarks,
        decision=UNJUDGED,
        not_tried=UNJUDGED_GAPS,
    )


def _sections(found: Concealment) -> Iterator[Section]:
    yield Section("clusters", "Who hides among whom", (), (cluster_sizes(found),), (), found.measures)
    yield Section("expected", "What a random grouping would need", (), (), (_expectation(found),))
    rows = tuple(found.columns.items())
    headings = (Heading("column", "column"), Heading("value", "where its value comes from"))
    table = ResultTable("Where the values of a dummy record come from", headings, rows)
    yield Section("columns", "What a dummy record holds", (), (), (table,))


def _expectation(found: Concealment) -> ResultTable:
    headings = (
        Heading("by", ""),
        Heading("dummies", "dummies", "expected for a random grouping into as many clusters"),
        Heading("value", "comprehensive", "α·E(dummies) + clusters / people"),
        Heading("best", "best clusters", "for which that is smallest"),
        Heading("best_value", "its value"),
    )
    popular, uniform = found.comprehensive_by_popularity, found.comprehensive
    rows = (
        (
            "by how popular each item is", found.expected.by_popularity, popular.value,
            popular.best_clusters, popular.best_value,
        ),
        (
            "all items equally popular", found.expected.uniform, uniform.value, uniform.best_clusters,
            uniform.best_value,
        ),
    )  # fmt: skip
    return ResultTable("What a random grouping into as many clusters would need", headings, rows)

"""The report about a generalisation: what is reached and lost, then attribute by attribute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from singleout.deidentify.generalise.local_result import LocalGeneralisation
from singleout.deidentify.generalise.result import Generalisation, Option
from singleout.engine.missing_values import MISSING_WORDS
from singleout.report.charts.attribute_losses import attribute_losses
from singleout.report.pages.open_questions import UNJUDGED, UNJUDGED_GAPS
from singleout.report.pages.page import Report, Section, drawable_charts, plain_conclusions
from singleout.report.terminal.generalise import local_sentences, sentences
from singleout.report.wording import ONE_RECORD, table_name
from singleout.result_table import Heading, ResultTable, table_size

ADVICE = (
    "The goals hold for whoever knows the generalised columns of one record. Let singleout check judge the "
    "release: other columns that are released, and several records of a person, are not looked at here."
)
SURE = "Counted over all released records; the search itself draws nothing at random."
LOCAL_SURE = "Counted over all released records. Found by rules of thumb: another release may lose less."
MOST_ROWS = 200


def generalisation_report(found: Generalisation | LocalGeneralisation) -> Report:
    """What a generalisation reaches, and what it costs."""
    local = isinstance(found, LocalGeneralisation)
    texts = local_sentences(found) if isinstance(found, LocalGeneralisation) else sentences(found)
    whose = f"column {found.user} names people" if found.user else ONE_RECORD
    return Report(
        title=f"What does a generalisation of {table_name(found.source)} reach and cost?",
        facts=(
            ("What was counted", table_size(found.records, found.people)),
            ("Whose records", whose),
            ("Missing values", MISSING_WORDS[found.missing]),
            ("Counted by", f"{found.engine}, seed {found.seed}"),
        ),
        conclusions=plain_conclusions(texts[:2], ADVICE, LOCAL_SURE if local else SURE, found.measures),
        sections=tuple(_sections(found)),
        remarks=found.remarks,
        decision=UNJUDGED,
        not_tried=UNJUDGED_GAPS,
    )


def _sections(found: Generalisation | LocalGeneralisation) -> Iterator[Section]:
    losses = [(each.name, each.loss) for each in found.attributes if each.loss is not None]
    chart = attribute_losses(losses, found.table(), found.loss_by.measure)
    yield Section(
        "attributes", "What becomes of each attribute", (), drawable_charts(chart),
        () if chart else (found.table(),), found.measures,
    )  # fmt: skip
    if isinstance(found, LocalGeneralisation):
        yield Section("levels", "Levels that records have", (), (), (_rounds(found),))
        return
    if found.alternatives:
        yield Section("others", "Nearly as good", (), (), (_options(found, found.alternatives),))
    if found.minimal:
        title = "No attribute can be finer (minimal)"
        yield Section("minimal", title, (), (), (_options(found, found.minimal),))


def _options(found: Generalisation, options: Sequence[Option]) -> ResultTable:
    headings = (
        Heading.of("loss", "loss", found.loss_by.measure),
        Heading("suppressed", "suppressed", "records that are left out"),
        Heading("classes", "classes"),
        Heading("levels", "levels that differ from the best"),
    )
    rows = tuple(
        (
            each.loss,
            each.suppressed,
            each.classes,
            ", ".join(f"{name}={level}" for name, level in each.levels.items() if level != found.levels[name])
            or "none",
        )
        for each in options[:MOST_ROWS]
    )
    note = f"{MOST_ROWS} of {len(options):,} are shown." if len(options) > MOST_ROWS else ""
    return ResultTable("Other generalisations that reach the goals", headings, rows, note)


def _rounds(found: LocalGeneralisation) -> ResultTable:
    most = sorted(found.rounds, key=lambda each: -each.records)[:MOST_ROWS]
    headings = (
        Heading("records", "records"),
        Heading.of("loss", "loss", found.loss_by.measure),
        Heading("levels", "attributes that are coarser, and their level"),
    )
    rows = tuple(
        (
            each.records,
            each.loss,
            ", ".join(f"{name}={level}" for name, level in each.levels.items() if level) or "none",
        )
        for each in most
    )
    note = f"{MOST_ROWS} of {len(found.rounds):,} are shown." if len(found.rounds) > MOST_ROWS else ""
    return ResultTable("Records by their levels", headings, rows, note)

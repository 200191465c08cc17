"""The report about a predicted risk: what to expect first, then how columns depend on each other."""

from __future__ import annotations

from collections.abc import Iterator

from singleout.engine.missing_values import MISSING_WORDS
from singleout.report.charts.predictions import predicted_risks
from singleout.report.pages.open_questions import UNJUDGED, UNJUDGED_GAPS
from singleout.report.pages.page import Report, Section, drawable_charts, plain_conclusions
from singleout.report.terminal.predict import HOLDS, sentences
from singleout.report.wording import table_name
from singleout.result_table import Heading, ResultTable
from singleout.risk.predict.attribute_dependency import GAIN_RATIO
from singleout.risk.predict.frequent_tuples import CONFIDENCE
from singleout.risk.predict.measures import PREDICTION_MEASURES
from singleout.risk.predict.people_prediction import PREDICTED_PEOPLE_RISK
from singleout.risk.predict.random_shuffle import PREDICTED_ORR
from singleout.risk.predict.result import Prediction

ADVICE = (
    "A prediction helps to plan what to collect and judges no release: once the data is there, let singleout "
    "assess count it."
)
SURE = (
    "Intervals bound each method's own mean, not its distance from the truth, which comes from columns that "
    "depend on each other in ways the method does not know. An average hides the few who are unique."
)
MOST_ROWS = 200
_DEPENDENCY = (
    Heading("of", "of"),
    Heading("on", "on"),
    Heading("information", "bits", "mutual information of both"),
    Heading.of("gain_ratio", "gain ratio", GAIN_RATIO),
    Heading("dependency", "dependency", "complete 1, strong from 0.5 (or --strong) on, weak, independent 0"),
)


def prediction_report(found: Prediction) -> Report:
    """What risk to expect from statistics alone."""
    missing = [("Missing values", MISSING_WORDS[found.missing])] if found.missing else []
    return Report(
        title=f"What risk do the statistics of {table_name(found.source)} predict?",
        facts=(
            ("What was known", f"{found.records:,} records, columns {', '.join(found.columns)}"),
            *missing,
            ("Predicted by", f"{found.engine or 'files of statistics'}, seed {found.seed}"),
        ),
        conclusions=plain_conclusions(sentences(found)[:3], ADVICE, SURE, (PREDICTED_ORR,)),
        sections=tuple(_sections(found)),
        remarks=(*found.remarks, *(note for each in found.predictions for note in each.notes)),
        decision=UNJUDGED,
        not_tried=UNJUDGED_GAPS,
    )


def _sections(found: Prediction) -> Iterator[Section]:
    yield Section(
        "predictions", "What each method predicts", (), drawable_charts(predicted_risks(found)),
        (found.table(),), PREDICTION_MEASURES,
    )  # fmt: skip
    if found.people:
        yield Section("people", "The risk counted in people", (), (), (_people(found),))
    if found.what_if:
        yield Section("what-if", "What if", (), (), (_what_if(found),))
    if found.dependencies:
        yield Section("dependencies", "Which column follows from which", (), (), (_dependencies(found),))
    if found.groups:
        yield Section("groups", "Which group follows from which", (), (), (_group_table(found),))
    if found.frequent:
        yield Section("tuples", "Which values go together", (), (), (_tuples(found),))
    yield Section("entropies", "Entropy of a row", (), (), (_entropies(found), _rules(found)))


def _people(found: Prediction) -> ResultTable:
    headings = (
        Heading("method", "method"),
        Heading.of("risk", "predicted risk", PREDICTED_PEOPLE_RISK),
        Heading("low", "low", "the method's own mean is at least this (95 %)"),
        Heading("high", "high", "the method's own mean is at most this (95 %)"),
        Heading("error", "error", "distance from the risk of the data itself"),
    )
    rows = tuple((each.method, each.risk, each.low, each.high, each.error) for each in found.people)
    truth = f"In the data it is {found.people_risk:.4g}." if found.people_risk is not None else ""
    return ResultTable("Predicted risk counted in people", headings, rows, truth)


def _group_table(found: Prediction) -> ResultTable:
    rows = tuple(
        (each.of, each.on, each.information, each.gain_ratio, each.dependency) for each in found.groups
    )
    return ResultTable("How much one group of columns says about another", _DEPENDENCY, rows)


def _what_if(found: Prediction) -> ResultTable:
    headings = (
        Heading("change", "change"),
        Heading("records", "records"),
        Heading("columns", "columns"),
        Heading.of("orr", "predicted risk", PREDICTED_ORR),
        Heading("high", "at most", "with more records: as if new values came at today's rate"),
    )
    rows = tuple(
        (each.change, each.records, len(each.columns), each.orr, each.high) for each in found.what_if
    )
    return ResultTable("What if (by closed form)", headings, rows)


def _dependencies(found: Prediction) -> ResultTable:
    ranked = sorted(found.dependencies, key=lambda each: -each.gain_ratio)
    rows = tuple(
        (each.of, each.on, each.information, each.gain_ratio, each.dependency) for each in ranked[:MOST_ROWS]
    )
    note = f"{MOST_ROWS} of {len(ranked):,} are shown." if len(ranked) > MOST_ROWS else ""
    return ResultTable("How much one column says about another", _DEPENDENCY, rows, note)


def _tuples(found: Prediction) -> ResultTable:
    headings = (
        Heading("on", "if"),
        Heading("of", "then"),
        Heading.of("confidence", "confidence", CONFIDENCE),
        Heading("frequency", "records"),
    )
    rows = tuple(
        (
            f"{each.on_column} = {_value(each.on_value)}",
            f"{each.column} = {_value(each.value)}",
            each.confidence,
            each.frequency,
        )
        for each in found.frequent
    )
    note = f"{len(rows):,} of {found.frequent_total:,}, the most frequent first."
    return ResultTable("Frequent tuples of strong dependencies", headings, rows, note)


def _value(value: str | None) -> str:
    return "(missing)" if value is None else value


def _entropies(found: Prediction) -> ResultTable:
    bits = found.entropies
    headings = (
        Heading("maximum", "largest possible", "ME = log2(n)"),
        Heading("experience", "independent", "EE = Σ H(A)"),
        Heading("random", "shuffled", "RDE: mean over shuffled data sets"),
        Heading("target", "the data", "TDE: of its own rows"),
    )
    row = (bits.maximum, bits.experience, bits.random, bits.target)
    return ResultTable("Entropy of a row, in bits", headings, (row,))


def _rules(found: Prediction) -> ResultTable:
    headings = (Heading("rule", "rule"), Heading("statement", "what it says"), Heading("holds", "here"))
    rows = tuple(
        (f"R{each.rule}", f"{each.statement}. {each.figures}", HOLDS[each.holds]) for each in found.rules
    )
    return ResultTable("The four rules of Yang et al. 2020, checked here", headings, rows)

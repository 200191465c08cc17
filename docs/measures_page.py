"""The page of every measure, by the job that it belongs to."""

from __future__ import annotations

from dataclasses import dataclass

from page_pieces import link, table

from singleout.attacks.inference.measures import INFERENCE_MEASURES
from singleout.attacks.measures import ATTACK_MEASURES
from singleout.deidentify.dummies.measures import DUMMY_MEASURES
from singleout.deidentify.suppress.measures import SUPPRESS_MEASURES
from singleout.investigation.describe.measures import DESCRIPTION_MEASURES
from singleout.investigation.protect.objective import PROTECT_MEASURES
from singleout.investigation.record_prices import UNIQUE_BY_PRICE
from singleout.investigation.sweep.averages import SWEEP_MEASURES
from singleout.measurement import Measure
from singleout.policy.rules.measures import CHECK_MEASURES
from singleout.risk.join_uniqueness import UNIQUE_AFTER_JOIN
from singleout.risk.measures import (
    ASSESSMENT_MEASURES,
    COMBINATION_MEASURES,
    DISCLOSURE_MEASURES,
    LOG_LINEAR_MEASURES,
    POPULATION_MEASURES,
    PREDICTION_MEASURES,
    REFERENCE_MEASURES,
    SENSITIVE_MEASURES,
    SKETCH_MEASURES,
    WEIGHTED_MEASURES,
)
from singleout.risk.value_risks import VALUE_MEASURES
from singleout.utility.catalogue import UTILITY_MEASURES
from singleout.utility.compare.ranking import OVERALL
from singleout.utility.finding import LOST
from singleout.utility.information_loss import LOSS_MEASURES


@dataclass(frozen=True)
class Group:
    """The measures of a job, under a heading of their own."""

    title: str
    command: str
    measures: tuple[Measure, ...]


GROUPS = (
    Group("Risk of attributes and classes", "assess", ASSESSMENT_MEASURES),
    Group("Risk of values", "assess", VALUE_MEASURES),
    Group("A history joined with its people", "assess", (UNIQUE_AFTER_JOIN,)),
    Group("Attribute disclosure", "assess", SENSITIVE_MEASURES),
    Group("The population of a sample", "assess", POPULATION_MEASURES),
    Group("A sample against a table of everybody", "assess", REFERENCE_MEASURES),
    Group("The risk by survey weights", "assess", WEIGHTED_MEASURES),
    Group("Who is unique, by a log-linear model", "assess", LOG_LINEAR_MEASURES),
    Group("Values of few people, by a sketch", "assess", SKETCH_MEASURES),
    Group("Combinations of attributes", "combinations", COMBINATION_MEASURES),
    Group("What several records cost", "combinations", (UNIQUE_BY_PRICE,)),
    Group("What a record tells", "entropy", DISCLOSURE_MEASURES),
    Group("Prediction from statistics", "predict", PREDICTION_MEASURES),
    Group("Attacks", "attack", ATTACK_MEASURES),
    Group("Inference of sensitive values", "check", INFERENCE_MEASURES),
    Group("Use that is left", "compare", (*UTILITY_MEASURES, LOST, OVERALL)),
    Group("Rules of a policy", "check", CHECK_MEASURES),
    Group("Generalisation", "deidentify generalise", LOSS_MEASURES),
    Group("Description of a table", "describe", DESCRIPTION_MEASURES),
    Group("Sweeps over parameters", "sweep", SWEEP_MEASURES),
    Group("The least costly change", "protect", PROTECT_MEASURES),
    Group("Dummy records", "deidentify dummies", DUMMY_MEASURES),
    Group("Blank cells", "deidentify suppress", SUPPRESS_MEASURES),
)
EVERY_MEASURE: tuple[Measure, ...] = tuple(each for group in GROUPS for each in group.measures)
ABOUT = """\
A measure is a question that one number answers. Each is defined here once: its formula, its unit and range,
which way is better, what it is counted over, what a missing value does, and where it comes from (the
[references](../references.md) say which papers are meant). The JSON document of a command carries the
same definitions under `definitions`, the report has them one click away."""


def measures_page() -> str:
    lines = ["# Measures", "", ABOUT, ""]
    rows = [
        [link(group.title, group.title), f"`singleout {group.command}`", str(len(group.measures))]
        for group in GROUPS
    ]
    lines += table(["measures of", "command", "how many"], rows)
    for group in GROUPS:
        lines += [f"## {group.title}", "", f"Told by `singleout {group.command}`.", ""]
        lines += table(["measure", "question"], [[_linked(each), each.question] for each in group.measures])
        for measure in group.measures:
            lines += _measure(measure)
    return "\n".join(lines)


def _heading(measure: Measure) -> str:
    return f"Measure `{measure.name}`"


def _linked(measure: Measure) -> str:
    return link(f"`{measure.name}`", _heading(measure))


def _measure(measure: Measure) -> list[str]:
    lowest = measure.lowest if measure.limited_below else "−∞"
    highest = "∞" if measure.highest is None else measure.highest
    return [
        f"### {_heading(measure)}",
        "",
        f"{measure.title[0].upper()}{measure.title[1:]}: {measure.question}",
        "",
        f"- formula: {measure.formula}",
        f"- unit: {measure.unit}, from {lowest} to {highest}; better: {measure.better}",
        f"- counted over: {measure.counted_over}",
        f"- missing values: {measure.missing}",
        f"- source: {measure.reference}",
        "",
    ]

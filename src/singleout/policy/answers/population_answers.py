"""Answers about the population that the data is a sample of: estimated, or counted in a reference table."""

from __future__ import annotations

from singleout.attacks.attack import attack
from singleout.policy.answers.count_answers import CountedTable, Part, Parts, UnknownParts
from singleout.policy.answers.rule_question import RuleQuestion
from singleout.policy.check_settings import Inquiry
from singleout.policy.verdict.rule_verdict import Answer
from singleout.risk.k_map import k_map_of
from singleout.risk.population.bootstrap import CONFIDENCE, DRAWS
from singleout.risk.population.individual_risk import weighted_risk_of
from singleout.risk.population.measures import POPULATION_MEASURES
from singleout.risk.population.population import population_of, population_view, unlike_people
from singleout.risk.population.result import PopulationView
from singleout.risk.population.sample_classes import SampleClasses
from singleout.roles.person_column import NONE
from singleout.roles.population_size import PopulationSize

OF_A_SAMPLE = ("population", "reference", "weighted")
NO_SIZE = (
    "{} is about the population; say how many people it has by --population or --sampled, in [data], or in "
    "[population] of a study file"
)
NO_WEIGHT = (
    "{} is by survey weights; name their column by --weight, in [data], or by its role in a study file"
)
AT_THEIR_WORD = (
    "the weights, taken at their word: an expectation without a bound (population.marketer has one), and "
    "single people may be at more risk"
)
CEILING = (
    "it is the ceiling, which nobody exceeds whatever the population, who of people that are alike in the "
    "table is right about one; by the weights it is {:.4g}"
)
NO_BOUND = (
    "by the weights it is {:.4g}, an expectation without a bound; whatever the population, people that are "
    "alike in the table only make sure of {:.4g} at most; population.marketer has a bound for people who "
    "were drawn by chance"
)
NO_REFERENCE = "{} compares with a table of everybody; name it by --reference, or in [data]"


def population_answer(
    one: RuleQuestion, table: CountedTable, columns: tuple[str, ...], inquiry: Inquiry
) -> Answer:
    """What is unknown stays so; of an estimate, the end of all intervals that is on the safe side."""
    if one.family == "reference":

        def reference(columns: tuple[str, ...]) -> Parts:
            return _reference_parts(table, columns, inquiry)

        part = table.ask_once(reference, columns)[one.part]
        return one.answer(part.value, part.reason)

    if one.family == "weighted":

        def weighted(columns: tuple[str, ...]) -> Parts:
            return _weighted_parts(table, columns, inquiry)

        return _weighted_answer(one, table.ask_once(weighted, columns))

    points = one.parameter("points")

    def population(columns: tuple[str, ...], points: int | None) -> Parts:
        return _population_parts(table, columns, inquiry, points)

    parts = table.ask_once(population, columns, points)
    mean, low, high = (parts[f"{one.part}{end}"] for end in ("", ".low", ".high"))
    if mean.value is None or low.value is None or high.value is None:
        return one.answer(None, mean.reason)
    value, note = one.safe_value(mean.value, low.value, high.value, CONFIDENCE)
    return one.answer(value, note, None, mean.settings, mean.estimated)


def _population_parts(
    table: CountedTable, columns: tuple[str, ...], inquiry: Inquiry, points: int | None
) -> Parts:
    size = inquiry.population
    assert size is not None
    if points is None:
        view = population_of(table.counter, table.plan, columns, size, table.seed, table.progress)
    else:
        view = _known_records_view(table, columns, inquiry, size, points)
    if view.chosen is None:
        return UnknownParts(str(view.reason))
    drawn = (
        f"{DRAWS} samples drawn from its law, seed {table.seed}, and all populations that may show the data"
    )
    settings = {"population": view.size, "sampled": view.sampled, "model": view.chosen}
    parts: Parts = {}
    for measure in POPULATION_MEASURES:
        name, found = measure.name, view.measurement(measure)
        parts[name] = Part(found.value, found.reason, settings, drawn)
        parts[f"{name}.low"] = Part(view.surely_at_least(measure), found.reason)
        parts[f"{name}.high"] = Part(view.highest_end(measure), found.reason)
    return parts


def _known_records_view(
    table: CountedTable, columns: tuple[str, ...], inquiry: Inquiry, size: PopulationSize, points: int
) -> PopulationView:
    """For somebody who knows so many records of a person by all of the columns."""
    found = attack(
        inquiry.data, inquiry.data, user=table.plan.user or NONE, columns=columns, attacks=[],
        points=[points], seed=table.seed, **inquiry.machine, progress=table.progress,
    )  # fmt: skip
    together = next(each for each in found.unicity if len(each.columns) == len(columns))
    assert together.found is not None
    sample = SampleClasses.of_candidates(together.found.items())
    people = size.people_of(found.people)
    unlike = unlike_people(table.counter, table.plan, people)
    return population_view(sample, people, table.seed, table.progress, points, unlike)


def _reference_parts(table: CountedTable, columns: tuple[str, ...], inquiry: Inquiry) -> Parts:
    said = inquiry.said
    found = k_map_of(table.counter, table.plan, columns, said["reference"], said.get("reference_user"))
    return {each.measure.name: Part(each.value, each.reason) for each in found.measurements}


def weight_of(inquiry: Inquiry) -> str | None:
    """The column of survey weights, by the names that the data has."""
    return inquiry.own_study.first("weight") if inquiry.own_study else None


def _weighted_parts(table: CountedTable, columns: tuple[str, ...], inquiry: Inquiry) -> Parts:
    weight = weight_of(inquiry)
    assert weight is not None
    found = weighted_risk_of(
        table.counter, table.plan, columns, weight, inquiry.said.get("household"), inquiry.population
    )
    settings = {"weight": weight}
    why = found.untested
    parts: Parts = {}
    for each in found.measurements:
        name, value = each.measure.name, None if why else each.value
        parts[name] = Part(value, each.reason or why, settings, AT_THEIR_WORD)
        parts[f"{name}.ceiling"] = Part(found.ceilings.get(name), None, settings)
    return parts


def _weighted_answer(one: RuleQuestion, parts: Parts) -> Answer:
    """It breaks a limit by the weights, and keeps it only by the ceiling: truth is anywhere below that."""
    part, ceiling = parts[one.part], parts[f"{one.part}.ceiling"].value
    if part.value is None or not one.rule.allows(part.value):
        return one.answer(part.value, part.reason, None, part.settings, part.estimated)
    assert ceiling is not None
    if one.rule.allows(0) and one.rule.allows(ceiling):
        return one.answer(ceiling, CEILING.format(part.value), None, part.settings)
    return one.answer(None, NO_BOUND.format(part.value, ceiling), None, part.settings)

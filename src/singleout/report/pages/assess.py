"""The report about one table: what to decide first, then each piece of evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from singleout.engine.missing_values import MISSING_WORDS
from singleout.investigation.release_ways import apply_command, join_command
from singleout.investigation.remedies import Remedies
from singleout.investigation.result import Investigation, TellingValue
from singleout.policy.verdict.decision import Decision
from singleout.report.charts import attribute_sets as sets
from singleout.report.charts import attributes, domains, predictions
from singleout.report.charts import remedies as trials
from singleout.report.charts import risk_curve as exposure
from singleout.report.charts import unicity as points
from singleout.report.pages.advice import recipe_effect
from singleout.report.pages.conclusions import conclusions, not_tried
from singleout.report.pages.page import Report, Section, drawable_charts
from singleout.report.pages.policy_sections import policy_section, ways_section
from singleout.report.pages.population_sections import everybody_sections
from singleout.report.terminal import attack, entropy
from singleout.report.terminal import combinations as combination
from singleout.report.terminal import predict as prediction
from singleout.report.wording import (
    ONE_RECORD,
    attribute_sentence,
    identifier_line,
    overall_sentence,
    sampling_sentence,
    table_name,
)
from singleout.result_table import Heading, ResultTable, table_size
from singleout.risk.assess.result import Assessment
from singleout.risk.equivalence_classes import (
    AVERAGE_RISK,
    CLASSES,
    ENTROPY,
    HIGHEST_RISK,
    PEOPLE_ALONE,
    PEOPLE_AVERAGE_RISK,
    PEOPLE_HIGHEST_RISK,
    PEOPLE_K,
    PEOPLE_UNIQUE,
    UNIQUE,
    K,
)

IN_RECORDS = (CLASSES, K, UNIQUE, HIGHEST_RISK, AVERAGE_RISK, ENTROPY)
IN_PEOPLE = (PEOPLE_K, PEOPLE_UNIQUE, PEOPLE_HIGHEST_RISK, PEOPLE_AVERAGE_RISK, PEOPLE_ALONE)
BEYOND_CHANCE = (
    "Beyond chance asks whether people have habits that tell them apart. A value that one person only has "
    "gives them away all the same, so an attribute may be risky without telling more than chance."
)


UNJUDGED = Decision("not_judged", "none", ("it was measured against no policy",))


def assessment_report(found: Assessment | Investigation) -> Report:
    """Of an assessment alone, what it can tell; of an investigation, all evidence."""
    if isinstance(found, Assessment):
        found = Investigation(found)
    assessment = found.assessment
    released = (*_known_columns(assessment), *(each.column for each in assessment.sensitive))
    recipe = found.remedies.recipe(assessment.user, released) if found.remedies else ""
    return Report(
        title=f"May {table_name(assessment.source)} be released, and who is singled out in it?",
        facts=_facts(found),
        conclusions=conclusions(found),
        sections=tuple(section for section in _sections(found) if section.charts or section.tables),
        remarks=tuple(dict.fromkeys((*assessment.remarks, *found.remarks))),
        recipe=recipe,
        recipe_effect=recipe_effect(found) if recipe else "",
        apply="\n".join(_apply_commands(assessment)) if recipe else "",
        decision=found.decision or UNJUDGED,
        not_tried=not_tried(found),
    )


def _apply_commands(told: Assessment) -> tuple[str, ...]:
    return (*join_command(told.source, told.user), apply_command(told.source, told.user))


def _facts(found: Investigation) -> tuple[tuple[str, str], ...]:
    told = found.assessment
    others = (("Not looked at, and not in the advice", ", ".join(found.others)),) if found.others else ()
    return (
        (
            "What was assessed",
            f"{table_name(told.source)}: {table_size(told.records, told.people)}",
        ),
        ("Whose records", f"column {told.user}" if told.user else ONE_RECORD),
        ("What an attacker may know (quasi-identifiers)", ", ".join(_known_columns(told))),
        ("Direct identifiers, to be left out", _identifier_words(told)),
        *others,
        ("Missing values", MISSING_WORDS[told.missing]),
        ("Raw values on this page", "shown, as asked for" if found.telling else "none"),
        ("Counted by", f"{told.engine}, seed {told.seed}"),
    )


def _identifier_words(told: Assessment) -> str:
    listed = "; ".join(map(identifier_line, told.identifiers))
    return listed or "none found by the columns' names and values, which is no proof that there are none"


def _known_columns(assessment: Assessment) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for each in assessment.attributes for name in each.risk.columns))


def _sections(found: Investigation) -> Iterator[Section]:
    """What can be done and by which limits it was judged, then what speaks for the findings."""
    assessment = found.assessment
    if found.ways or found.alternatives:
        yield ways_section(found)
    if found.decision is not None:
        yield policy_section(found.decision)
    yield Section(
        "attributes",
        "Each attribute alone",
        tuple(filter(None, (attribute_sentence(assessment),))),
        drawable_charts(
            attributes.attribute_risks(assessment),
            attributes.alpha_distribution(assessment),
            attributes.records_and_people(assessment),
        ),
        (_attributes(assessment),),
    )
    yield Section(
        "together",
        "All attributes together",
        tuple(filter(None, (overall_sentence(assessment),))),
        drawable_charts(exposure.risk_curve(assessment)),
        (assessment.classes_table(),) if assessment.classes else (),
        (*IN_RECORDS, *(IN_PEOPLE if assessment.user else ())),
    )
    everybody = ("population", "reference", "weighted", "known_records", "log_linear")
    beside = (getattr(assessment, name, None) for name in everybody)
    yield from everybody_sections(*beside)
    yield from _evidence_sections(found)
    yield Section(
        "models",
        "What cheaper models would say",
        tuple(filter(None, (sampling_sentence(assessment),))),
        drawable_charts(attributes.model_risks(assessment)),
    )


def _attributes(assessment: Assessment) -> ResultTable:
    """Where each record is its own person the three models agree, and one number says it."""
    table = assessment.table()
    if assessment.user:
        return table
    kept = [index for index, each in enumerate(table.headings) if each.name in ("name", "values", "risk")]
    rows = tuple(tuple(row[index] for index in kept) for row in table.rows)
    return replace(table, headings=tuple(table.headings[index] for index in kept), rows=rows)


def _evidence_sections(found: Investigation) -> Iterator[Section]:
    """What an investigation adds to an assessment."""
    if found.sets or found.pairs:
        yield Section(
            "combinations",
            "Which attributes together, and at what price",
            tuple(combination.sentences(found.sets)) if found.sets else (),
            drawable_charts(
                sets.pairs_heat_map(found.pairs) if found.pairs else None,
                sets.minimal_sets(found.sets) if found.sets else None,
                sets.budget_curve(found.sets) if found.sets else None,
            ),
        )
    if found.points:
        lead = tuple(attack.few_records(found.points))
        yield Section(
            "known-records", "A few known records", lead, drawable_charts(points.unicity(found.points))
        )
    if found.domains:
        lead = (*entropy.sentences(found.domains), BEYOND_CHANCE)
        charts = drawable_charts(domains.information_beside_chance(found.domains))
        yield Section("information", "What one record tells about its person", lead, charts)
    if found.prediction:
        lead = tuple(prediction.sentences(found.prediction))
        charts = drawable_charts(predictions.predicted_risks(found.prediction))
        yield Section("prediction", "The risk that statistics alone promise", lead, charts)
    if found.remedies and found.remedies.trials:
        yield _remedies_section(found.remedies, found.assessment)
    if found.telling:
        yield _values_section(found.telling)


def _remedies_section(found: Remedies, untouched: Assessment) -> Section:
    lead = (
        "Each of the riskiest attributes was made coarser, step by step, and everything counted again. "
        f"Advised is the finest step whose own risk is at most {found.limit:g}, or else the coarsest that "
        "keeps the attribute; where only all attributes together are above that, the coarsest step of each.",
    )
    charts = drawable_charts(trials.trials(found, untouched), trials.combined_trials(found))
    return Section("remedies", "What coarser values would do", (*lead, *found.remarks), charts)


def _values_section(values: Iterable[TellingValue]) -> Section:
    headings = tuple(Heading(name, name) for name in ("column", "value", "records", "people"))
    rows = tuple((each.column, each.value, each.records, each.people) for each in values)
    table = ResultTable("Values that the fewest people have", headings, rows)
    return Section(
        "values",
        "Raw values, as asked for",
        ("These are values of people: keep this page safe.",),
        (),
        (table,),
    )

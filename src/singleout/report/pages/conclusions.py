"""The three findings about a table that matter most, what to do about each, and how sure they are."""

from __future__ import annotations

from collections.abc import Iterator

from singleout.attacks.attacker_knowledge import in_words
from singleout.attacks.measures import UNIQUE
from singleout.attacks.result import Reidentification
from singleout.attacks.unicity.known_points import Narrowed
from singleout.investigation.result import Investigation
from singleout.report.charts.layout import number
from singleout.report.pages.advice import column_advice, known_records_advice, overall_advice
from singleout.report.pages.page import Conclusion
from singleout.report.terminal.layout import share_text
from singleout.report.wording import percent
from singleout.risk.assess.result import Assessment
from singleout.risk.combinations.result import Combinations
from singleout.risk.combinations.set_risk import PEOPLE_AT_RISK, SetRisk

COUNTED = "Exact: counted over all {:,} records, none drawn at random."
ASSUMED = "It holds for an attacker who knows just {} and knows them exactly; who knows more sees more."
SMALL = 5


def conclusions(found: Investigation) -> tuple[Conclusion, ...]:
    """At most three, the most important first: everything known, one value known, a little known."""
    return tuple(
        [*_overall_conclusions(found), *_attribute_conclusions(found), *_knowledge_conclusions(found)][:3]
    )


def _overall_conclusions(found: Investigation) -> Iterator[Conclusion]:
    assessment, classes = found.assessment, found.assessment.classes
    if classes is None:
        return
    exposure = classes.by_people or classes.by_records
    sure = f"{COUNTED.format(classes.records)} {ASSUMED.format(in_words(classes.columns))}"
    if exposure.unique.value:
        alone = (classes.people_alone or exposure.unique).measure
        advice = overall_advice(found.remedies, history=assessment.user is not None)
        yield Conclusion(_singled_out_words(assessment), advice, sure, (alone,))
    else:
        k, who = int(exposure.k.known), "people" if classes.by_people else "records"
        said = f"Nobody stands out: every combination of values is shared by at least {k:,} {who}."
        advice = _identifier_advice(assessment) or _safety_advice(k)
        yield Conclusion(said, advice, sure, (exposure.k.measure,))


def _singled_out_words(told: Assessment) -> str:
    classes = told.classes
    assert classes is not None
    if classes.people_alone is not None and classes.people_alone.value is not None:
        alone = int(classes.people_alone.value)
        return (
            f"{alone:,} of {told.people:,} people ({percent(alone, told.people)}) can be singled out: they "
            "have at least one record like nobody else's."
        )
    unique = int((classes.by_people or classes.by_records).unique.known)
    return (
        f"{unique:,} of {classes.records:,} records ({percent(unique, classes.records)}) are like no other: "
        "whoever knows their values knows whose they are."
    )


def _identifier_advice(told: Assessment) -> str | None:
    """Look-alikes protect nobody whose name stands beside the record."""
    names = [*dict.fromkeys(each.column for each in told.identifiers)]
    if not names:
        return None
    return f"Leave out {in_words(names)}: direct identifiers, which name people however many look alike."


def _safety_advice(k: int) -> str:
    if k < SMALL:
        return f"A group of {k:,} is small. Where a rule asks for {SMALL} or more, make the values coarser."
    return "Nothing, as long as no further column is added and nobody knows more than these columns."


def _attribute_conclusions(found: Investigation) -> Iterator[Conclusion]:
    assessment = found.assessment
    if assessment.riskiest is None:
        return
    worst = next(each for each in assessment.attributes if each.name == assessment.riskiest.exact)
    risk = worst.risk.risk.known
    yield Conclusion(
        f"The riskiest attribute by itself is {worst.name}: who learns it of one record knows the person "
        f"with probability {number(risk)}{_odds_words(risk)}.",
        column_advice(found.remedies, worst.name, risk),
        f"{COUNTED.format(worst.risk.records)} It is the mean over the records.",
        (worst.risk.risk.measure,),
    )


def _odds_words(risk: float) -> str:
    """As people say it, where that helps."""
    return f", about once in {1 / risk:,.0f} tries" if risk < 0.4 else ""


def _knowledge_conclusions(found: Investigation) -> Iterator[Conclusion]:
    if found.points is not None and (few := found.points.enough) is not None:
        yield _few_records(found.points, few)
    elif found.sets is not None and found.sets.allowable and found.sets.allowable.minimal:
        most = max(found.sets.allowable.minimal, key=lambda each: each.people_at_risk)
        yield _smallest_set(found.sets, most)


def _few_records(points: Reidentification, few: Narrowed) -> Conclusion:
    known = in_words([each.words for each in few.columns])
    what, does = ("1 record", "singles") if few.points == 1 else (f"{few.points:,} records", "single")
    return Conclusion(
        f"{what} picked at random from somebody's history and known by {known} {does} out "
        f"{share_text(few.unique)} of the people.",
        known_records_advice(points, few),
        f"Estimated from random draws of records for each of {few.people:,} people, with seed {points.seed}; "
        "who chooses the most telling records does better than chance.",
        (UNIQUE,),
    )


def _smallest_set(sets: Combinations, most: SetRisk) -> Conclusion:
    known, several = in_words(most.columns or ("nothing at all",)), len(most.columns) > 1
    share = percent(most.people_at_risk, sets.people)
    return Conclusion(
        f"Not everything need be known: {known} {'are' if several else 'is'} enough to put "
        f"{most.people_at_risk:,} of {sets.people:,} people ({share}) into a class of at most {sets.limit}.",
        f"Leave out or coarsen {'one of ' if several else ''}{known}; the section on combinations shows "
        "which sets of attributes do most.",
        f"{COUNTED.format(sets.records)} Of all sets that are just enough, it puts most people at risk.",
        (PEOPLE_AT_RISK,),
    )

"""The three findings about a table that matter most, what to do about each, and how sure they are."""

from __future__ import annotations

from collections.abc import Iterator

from singleout.attacks.attacker_knowledge import in_words
from singleout.attacks.inference.measures import INFERENCE_GAIN, INFERENCE_RATE
from singleout.attacks.inference.result import GUESSERS, InferenceAttempt, InferredColumn
from singleout.attacks.measures import UNIQUE
from singleout.attacks.result import Reidentification
from singleout.attacks.unicity.known_points import Narrowed
from singleout.investigation.assessment import JudgedAssessment
from singleout.investigation.result import Investigation
from singleout.policy.applicable_rules import NOTHING_SENSITIVE, UNMET
from singleout.policy.release_conditions import UNSEEN
from singleout.policy.release_levels import DECIDED
from singleout.policy.verdict.decision import NOT_TRIED, RegulatorQuestion, question_of
from singleout.report.charts.layout import number
from singleout.report.pages.advice import column_advice, known_records_advice, overall_advice
from singleout.report.pages.open_questions import NO_SENSITIVE, OTHER_TABLES
from singleout.report.pages.page import Conclusion, Weight
from singleout.report.terminal.layout import share_text
from singleout.report.wording import identifier_sentence, percent, sensitive_sentence
from singleout.risk.assess.result import Assessment
from singleout.risk.attribute_disclosure import AttributeDisclosure
from singleout.risk.combinations.result import Combinations
from singleout.risk.combinations.set_risk import PEOPLE_AT_RISK, SetRisk

COUNTED = "Exact: counted over all {:,} records, none drawn at random."
ASSUMED = "It holds for an attacker who knows just {} and knows them exactly; who knows more sees more."
SMALL = 5
SCANNED = "By the columns' names and a scan of their values; a scan that finds nothing more proves nothing."
DISCLOSURE_ADVICE = (
    "Make the other columns coarser until each group has several values of {0} (singleout deidentify "
    "generalise --l-diversity 2), or leave {0} out. {1}"
)
UNMEASURED = "What that costs was not measured here."
REACHED = "What would do was made of this table, and keeps what the policy asks of {}: it stands above."
DISCLOSURE_KEPT = (
    "That it does not follow for certain does not keep it from being guessed: see the next finding."
)
GUESS_ADVICE = (
    "Make coarser, or leave out, the columns that tell most about {}; then assess again: which do, and what "
    "it would take, was not measured here."
)
GUESS_REACHED = f"Make coarser, or leave out, the columns that tell most about {{0}}. {REACHED.format('{0}')}"
GUESS_ALLOWED = (
    "The policy allows so much. Coarser values of the columns that tell most about {} would lower it; by how "
    "much was not measured here."
)
GUESS_KEPT = "No gain was found beyond luck; that is about these guessers and these columns."
UNLOOKED = UNSEEN.partition("{}")[0]
TOLD = (*NOT_TRIED.values(), *UNMET.values())
FOUR = 4
GAIN = "inference.gain"


def conclusions(found: Investigation) -> tuple[Conclusion, ...]:
    """The most important first: everything known, one value known, a little known."""
    return (
        *_identifier_conclusions(found.assessment),
        *_overall_conclusions(found),
        *_attribute_conclusions(found),
        *_knowledge_conclusions(found),
        *(_disclosure(found, each) for each in found.assessment.sensitive),
        *(_guess(found, each, each.best) for each in _inferred(found) if each.best),
    )


def _inferred(found: Investigation) -> tuple[InferredColumn, ...]:
    return found.assessment.inferred if isinstance(found.assessment, JudgedAssessment) else ()


def _is_reached(found: Investigation) -> bool:
    """Whether a release that was made here keeps the policy."""
    return any(way.reaches for way in found.ways)


def _disclosure(found: Investigation, disclosed: AttributeDisclosure) -> Conclusion:
    """What the classes give away of a sensitive column, whoever is singled out."""
    certain = disclosed.certain_people.value
    weight: Weight = "open" if certain is None else "against" if certain else "for"
    measures = (disclosed.certain_people.measure, disclosed.alpha.measure, disclosed.distinct_l.measure)
    price = REACHED.format(disclosed.column) if _is_reached(found) else UNMEASURED
    return Conclusion(
        sensitive_sentence(disclosed),
        DISCLOSURE_ADVICE.format(disclosed.column, price) if certain else DISCLOSURE_KEPT,
        COUNTED.format(disclosed.records),
        measures,
        "inference",
        weight,
    )


def _guess(found: Investigation, inferred: InferredColumn, best: InferenceAttempt) -> Conclusion:
    low, high = best.gain_interval
    asked = [each for each in (found.decision.rules if found.decision else ()) if each.rule.measure == GAIN]
    allowed = bool(asked) and all(each.passed for each in asked)
    said = (
        f"{inferred.knowledge[0].upper()}{inferred.knowledge[1:]}, guesses it right for "
        f"{share_text(best.rate)} of the people; whoever knows nothing is right for "
        f"{share_text(best.baseline)}."
    )
    weight: Weight = "for" if allowed else "against" if low > 0 else "open"
    sure = (
        f"The best of what was tried: {GUESSERS[best.guesser]}. Asked about {best.attempts:,} people, its "
        f"gain over the base rate has the 95 % interval {number(low)} to {number(high)}. A better guesser "
        "may do better."
    )
    gained = GUESS_ALLOWED if allowed else GUESS_REACHED if _is_reached(found) else GUESS_ADVICE
    advice = gained.format(inferred.column) if low > 0 else GUESS_KEPT
    return Conclusion(said, advice, sure, (INFERENCE_RATE, INFERENCE_GAIN), "inference", weight)


def _overall_conclusions(found: Investigation) -> Iterator[Conclusion]:
    classes = found.assessment.classes
    if classes is None:
        return
    exposure = classes.by_people or classes.by_records
    sure = f"{COUNTED.format(classes.records)} {ASSUMED.format(in_words(classes.columns))}"
    if exposure.unique.value:
        alone = (classes.people_alone or exposure.unique).measure
        advice = overall_advice(found)
        yield Conclusion(
            _singled_out_words(found.assessment), advice, sure, (alone,), "singling out", "against"
        )
        return
    k, who = int(exposure.k.known), "people" if classes.by_people else "records"
    said = f"Every combination of values is shared by at least {k:,} {who} (k-anonymity with k = {k:,})."
    broken = [each for each in found.decision.rules if not each.passed] if found.decision else []
    named = found.assessment.identifiers
    too_few = any(question_of(each.rule) == "singling out" for each in broken)
    kept = found.decision is not None and not broken and not named
    weight: Weight = "against" if too_few else "for" if kept else "open"
    advice = overall_advice(found) if broken else _identifier_advice(found.assessment) or _safety_advice(k)
    yield Conclusion(said, advice, sure, (exposure.k.measure,), "singling out", weight)


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


def _identifier_conclusions(told: Assessment) -> Iterator[Conclusion]:
    """Columns that name people, before all numbers."""
    said, advice = identifier_sentence(told.identifiers), _identifier_advice(told)
    if said and advice:
        yield Conclusion(said, advice, SCANNED, (), "singling out", "against")


def _identifier_advice(told: Assessment) -> str | None:
    """Look-alikes protect nobody whose name stands beside the record."""
    names = [*dict.fromkeys(each.column for each in told.identifiers)]
    if not names:
        return None
    return f"Leave out {in_words(names)}: a direct identifier names people however many look alike."


def _safety_advice(k: int) -> str:
    if k < SMALL:
        return f"A group of {k:,} is small. Where a rule asks for {SMALL} or more, make the values coarser."
    return "Add no further column: whoever knows more than these columns may tell them apart."


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
        "singling out",
        "against" if found.remedies is None or risk > found.remedies.limit else "open",
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
        "singling out",
        "against" if few.unique else "open",
    )


def _smallest_set(sets: Combinations, most: SetRisk) -> Conclusion:
    known, several = in_words(most.columns or ("nothing at all",)), len(most.columns) > 1
    whom = f"{most.people_at_risk:,} of {sets.people:,} people ({percent(most.people_at_risk, sets.people)})"
    what = f"single out {whom}" if sets.limit == 1 else f"put {whom} into a class of at most {sets.limit:,}"
    return Conclusion(
        f"Not everything need be known: {known} {'are' if several else 'is'} enough to {what}.",
        f"Leave out or coarsen {'one of ' if several else ''}{known}, and assess again: what that would do "
        "was not measured here. The section on combinations shows which sets of attributes do most.",
        f"{COUNTED.format(sets.records)} Of all sets that need every column they have, it puts most people "
        "at risk.",
        (PEOPLE_AT_RISK,),
        "singling out",
        "against",
    )


def not_tried(found: Investigation) -> dict[RegulatorQuestion, tuple[str, ...]]:
    """What was left open, by the regulator's questions: a gap is a finding too."""
    gaps: dict[RegulatorQuestion, tuple[str, ...]] = {
        "singling out": tuple(_singling_out_gaps(found)),
        "linkability": (OTHER_TABLES,),
        "inference": tuple(_inference_gaps(found)),
    }
    return {
        question: (*told, *(each for each in _verdict_gaps(found, question) if not _is_told(each, found)))
        for question, told in gaps.items()
    }


def _verdict_gaps(found: Investigation, question: RegulatorQuestion) -> tuple[str, ...]:
    findings = found.decision.findings if found.decision else ()
    return next((each.not_tried for each in findings if each.question == question), ())


def _is_said_harmless(found: Investigation) -> bool:
    """Whether somebody said that no column is sensitive: the verdict's own gap tells so."""
    findings = found.decision.findings if found.decision else ()
    return any(NOTHING_SENSITIVE in each.not_tried for each in findings)


def _is_told(gap: str, found: Investigation) -> bool:
    """Whether the page says it in its own words, or tried it though the verdict did not need it."""
    few = found.points is not None and any(each.points == FOUR for each in found.points.unicity)
    guessed = any(each.best for each in _inferred(found))
    tried = {"four known records": few, "guesses beyond the base rate": guessed}
    return gap in TOLD or any(gap == DECIDED.format(what) for what, is_tried in tried.items() if is_tried)


def _singling_out_gaps(found: Investigation) -> Iterator[str]:
    if found.assessment.classes is None:
        yield "what all columns together tell, for no record has a value in every one"
    if found.assessment.user is not None and found.points is None:
        yield "what a few known records tell"
    # the verdict's own gap says the same of columns that no rule looked at
    if found.others and not any(each.startswith(UNLOOKED) for each in _verdict_gaps(found, "singling out")):
        yield f"what {in_words(found.others)} {'tell' if len(found.others) > 1 else 'tells'}"


def _inference_gaps(found: Investigation) -> Iterator[str]:
    if not found.assessment.sensitive and not _is_said_harmless(found):
        yield NO_SENSITIVE
    for each in _inferred(found):
        if each.best is None:
            yield f"how well {each.column} is guessed, for {each.reason}"

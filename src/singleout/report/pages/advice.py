"""What to do about a table, from what was tried on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from singleout.attacks.attacker_knowledge import in_words
from singleout.attacks.result import Reidentification
from singleout.attacks.unicity.known_points import Narrowed
from singleout.investigation.priced_alternatives import PricedAlternative
from singleout.investigation.release_ways import MeasuredWay, needed_group
from singleout.investigation.remedies import Remedies, Trial
from singleout.investigation.result import Investigation
from singleout.policy.verdict.decision import HEADLINES
from singleout.report.charts.layout import number
from singleout.report.terminal.layout import share_text

FEWER = (
    "Fewer columns, fewer records of each person, or people hidden among others (singleout deidentify "
    "dummies) make the same records fit more people; by how much was not measured here."
)
RECOGNISED = "somebody who has the original and knows how the release was made recognises {} of the people; "
# a number that falls by less than a fifth is no help
HARDLY = 0.8
NOT_TRIED = (
    "What coarser values would do was not tried: singleout assess --html, or singleout.investigate in "
    "Python, tries it."
)
ONLY_LEAVING_OUT = (
    "No coarser way to write them was found, and without them nothing would be left to release."
)


def overall_advice(found: Investigation) -> str:
    """Against people who stand out by all columns together: what was tried, whether it is enough, what is."""
    told = [_coarser_advice(found), *map(_way_words, found.ways), *_alternative_words(found.alternatives)]
    return "\n".join([*told, _further_advice(found)])


def _coarser_advice(found: Investigation) -> str:
    remedies = found.remedies
    if remedies is None or remedies.before is None:
        return NOT_TRIED
    if not remedies.trials:
        return "No coarser way to write the values was found."
    if not remedies.chosen:
        return _best_advice(remedies)
    if remedies.together is None:
        return ONLY_LEAVING_OUT
    return _combined_advice(found, remedies, remedies.before, remedies.together)


def _combined_advice(found: Investigation, remedies: Remedies, before: Trial, done: Trial) -> str:
    """First whether it is enough, then what it is."""
    if done.alone:
        helps = "hardly helps" if done.alone > HARDLY * before.alone else "helps and is not enough"
    else:
        helps = "helps and is not enough" if _falls_short(found, done) else "helps"
    left = _alone_words(done) if done.alone else "nobody is left alone"
    coarser = in_words([each.words for each in remedies.chosen])
    return f"This {helps}: {left} with {coarser}; {_risk(before, done)}."


def _falls_short(found: Investigation, done: Trial) -> bool:
    """Whether the policy asks for more than the advice reaches."""
    way = next((each for each in found.ways if each.recipe), None)
    if way is not None:
        return not way.reaches
    return found.decision is not None and done.k < needed_group([each.rule for each in found.decision.rules])


def _best_advice(remedies: Remedies) -> str:
    best = remedies.best
    assert best is not None
    assert remedies.before is not None
    helps = f"Of what was tried, most helps {best.words}"
    enough = "and is not enough: " if best.alone else "with which nobody is left alone: "
    return f"{helps}, {enough}{_alone_words(best)}; {_risk(remedies.before, best)}."


def _way_words(way: MeasuredWay) -> str:
    """What was made of the table, the verdict on it, and its price."""
    enough = "would do" if way.reaches else "is not enough"
    why = f", for {way.decision.reasons[0]}" if way.decision.reasons and not way.reaches else ""
    verdict = f"the verdict by the policy “{way.decision.policy}” is then “{HEADLINES[way.decision.answer]}”"
    verdict += f": {'; '.join(way.decision.conditions)}" if way.reaches and way.decision.conditions else ""
    words = way.words[0].upper() + way.words[1:]
    known = "" if way.recognised is None else RECOGNISED.format(share_text(way.recognised))
    price = f"; {known}{way.price}" if way.reaches else ""
    return f"{words}: this {enough}; {verdict}{why}{price}."


def _alternative_words(counted: Sequence[PricedAlternative]) -> Iterator[str]:
    """What was counted; only who makes it and judges it knows that it may go out."""
    if counted:
        yield f"Counted and not judged: {'; '.join(each.words for each in counted)}."


def _risk(before: Trial, done: Trial) -> str:
    return f"the average risk falls from {number(before.average_risk)} to {number(done.average_risk)}"


def _alone_words(trial: Trial) -> str:
    if trial.people_alone is None:
        return (
            "1 record is still like no other"
            if trial.unique == 1
            else f"{trial.unique:,} records are still like no other"
        )
    return "1 person still stands out" if trial.alone == 1 else f"{trial.alone:,} people still stand out"


def _further_advice(found: Investigation) -> str:
    if any(way.reaches for way in found.ways):
        return "The commands are below."
    tried = "What each of these costs, and its commands, stand below (What it takes). "
    return (
        f"{tried if found.ways or found.alternatives else ''}The command singleout protect searches for the "
        "change that keeps the policy and costs least; what it would find was not measured here."
    )


def recipe_effect(found: Investigation) -> str:
    """The verdict after the recipe of the advice, or why there is none: what stands beside its command."""
    remedies = found.remedies
    if remedies is None or remedies.together is None:
        return ""
    way = next((each for each in found.ways if each.recipe), None)
    if way is not None:
        return f"The verdict after it, by the policy “{way.decision.policy}”: {way.decision.headline}."
    left = _alone_words(remedies.together) if remedies.together.alone else "Nobody is left alone"
    left = f"{left[0].upper()}{left[1:]} after it"
    if found.decision is not None and _falls_short(found, remedies.together):
        return f"This is not enough for the policy “{found.decision.policy}”: {left[0].lower()}{left[1:]}."
    return f"{left}. What comes out was not judged: assess it again before it is released."


def column_advice(remedies: Remedies | None, column: str, risk: float) -> str:
    """Against what one attribute gives away by itself."""
    if remedies is not None and column in remedies.identifiers:
        return f"Leave {column} out: it is a direct identifier, and coarser values of it name people still."
    trials = remedies.of(column) if remedies else ()
    if remedies is None or not trials:
        return NOT_TRIED if remedies is None else f"No coarser way to write {column} was found."
    kept = [each for each in trials if each.granularity is not None]
    if risk <= remedies.limit:
        enough = (
            f"Its own risk is within the aim of {remedies.limit:g}, which is not about all columns together."
        )
        return f"{enough} Coarser values would lower it: {_effects(kept)}" if kept else enough
    if not kept:
        return (
            f"No coarser way to write {column} was found; leave it out, or give it a hierarchy of your own."
        )
    return f"Tried on this data: {_effects(kept)} Leaving it out removes this risk altogether."


def _effects(trials: Sequence[Trial]) -> str:
    return f"{'; '.join(f'{each.words} gives a risk of {number(each.risk)}' for each in trials)}."


def known_records_advice(points: Reidentification, few: Narrowed) -> str:
    """The same number of records, known less well, told from what was measured."""
    if not few.unique:
        return "So few records leave nobody as the only candidate; whoever knows more records may find more."
    best = least_unique_way(points, few)
    if best is None:
        return FEWER
    known = in_words([each.words for each in best.columns])
    effect = f"known by {known}, as many records single out {share_text(best.unique)}"
    if best.unique > HARDLY * few.unique:
        return f"Of the coarser values that were tried, none helps much: {effect}. {FEWER}"
    enough = "leave nobody as the only candidate" if not best.unique else "help and are not enough"
    return f"Coarser values {enough}: {effect}. {FEWER}"


def least_unique_way(points: Reidentification, few: Narrowed) -> Narrowed | None:
    """Of the ways to know the same columns less well, the one that singles out the fewest."""
    names = [each.name for each in few.columns]
    same = [
        each
        for each in points.unicity
        if (each.points, each.worst) == (few.points, few.worst)
        and [column.name for column in each.columns] == names
        and each.columns != few.columns
    ]
    return min(same, key=lambda each: each.unique, default=None)

"""What to do about a table, from what was tried on it."""

from __future__ import annotations

from collections.abc import Sequence

from singleout.attacks.attacker_knowledge import in_words
from singleout.attacks.result import Reidentification
from singleout.attacks.unicity.known_points import Narrowed
from singleout.investigation.remedies import Remedies, Trial
from singleout.report.charts.layout import number
from singleout.report.terminal.layout import share_text

FEWER = (
    "Fewer columns, fewer records of each person, or people hidden among others (singleout deidentify "
    "dummies) make the same records fit several people."
)
# a number that falls by less than a fifth is no help
HARDLY = 0.8
NOT_TRIED = (
    "What coarser values would do was not tried: singleout assess --html, or singleout.investigate in "
    "Python, tries it."
)
ONLY_LEAVING_OUT = (
    "No coarser way to write them was found, and without them nothing would be left to release."
)


def overall_advice(remedies: Remedies | None, *, history: bool) -> str:
    """Against people who stand out by all columns together."""
    if remedies is None or remedies.before is None:
        return NOT_TRIED
    if not remedies.trials:
        return f"No coarser way to write the values was found. {_further_advice(1, history)}"
    if not remedies.chosen:
        return _best_advice(remedies, history)
    if remedies.together is None:
        return f"{ONLY_LEAVING_OUT} {_further_advice(1, history)}"
    return _combined_advice(remedies, remedies.before, remedies.together, history)


def _combined_advice(remedies: Remedies, before: Trial, done: Trial, history: bool) -> str:
    released = in_words([each.words for each in remedies.chosen])
    if done.alone > HARDLY * before.alone:
        effect = (
            f"What was tried hardly helps by itself: with {released} there are still {_alone_words(done)}"
        )
    else:
        effect = f"Release the table with {released}: tried on this data, that leaves {_alone_words(done)}"
    return f"{effect}; {_risk(before, done)}. {_further_advice(done.alone, history)}"


def _best_advice(remedies: Remedies, history: bool) -> str:
    best = remedies.best
    assert best is not None
    assert remedies.before is not None
    effect = f"Of what was tried, most helps this: with {best.words} there are {_alone_words(best)}"
    return f"{effect}; {_risk(remedies.before, best)}. {_further_advice(best.alone, history)}"


def _risk(before: Trial, done: Trial) -> str:
    return f"the average risk falls from {number(before.average_risk)} to {number(done.average_risk)}"


def _alone_words(trial: Trial) -> str:
    if trial.people_alone is None:
        return "1 record like no other" if trial.unique == 1 else f"{trial.unique:,} records like no other"
    return "1 person who stands out" if trial.alone == 1 else f"{trial.alone:,} people who stand out"


def _further_advice(left: int, history: bool) -> str:
    if not left:
        return "Nobody is left alone."
    hide = "hide people among others (singleout deidentify dummies), " if history else ""
    return (
        f"Beyond that, {hide}generalise by hierarchies of your own to a chosen group size (singleout "
        "hierarchy, then singleout deidentify generalise --k 5), or release counts instead of records."
    )


def column_advice(remedies: Remedies | None, column: str, risk: float) -> str:
    """Against what one attribute gives away by itself."""
    if remedies is not None and column in remedies.identifiers:
        return f"Leave {column} out: it is a direct identifier, and coarser values of it name people still."
    trials = remedies.of(column) if remedies else ()
    if remedies is None or not trials:
        return NOT_TRIED if remedies is None else f"No coarser way to write {column} was found."
    kept = [each for each in trials if each.granularity is not None]
    if risk <= remedies.limit:
        enough = f"By itself it needs nothing for a limit of {remedies.limit:g}."
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
        return "Nothing against this: so few records leave nobody as the only candidate."
    best = least_unique_way(points, few)
    if best is None:
        return FEWER
    known = in_words([each.words for each in best.columns])
    effect = f"known by {known}, as many records single out {share_text(best.unique)}"
    if best.unique > HARDLY * few.unique:
        return f"Of the coarser values that were tried, none helps much: {effect}. {FEWER}"
    return f"Release coarser values: {effect}. {FEWER}"


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

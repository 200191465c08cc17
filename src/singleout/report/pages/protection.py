"""What to do against an attack, by the columns that it looks at."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from singleout.attacks.attempt import Attempt
from singleout.attacks.catalogue import KINDS, Part
from singleout.report.charts.attack_rates import shown_name
from singleout.report.charts.look_alikes import COMBINED, base_name, hardest_linkage
from singleout.report.terminal.layout import share_text

OF_WHOM = re.compile(
    r"the attacker knows, of (?:every person|a random [0-9.e-]+% of every person's records), "
)
RECIPE = "in a recipe for singleout deidentify apply"
WAYS: dict[Part, str] = {
    "item": "Hide each person's set among those of others: {dummies}, which adds dummy records. Release each "
    "value of a person once, for what occurs more often can't be a dummy.",
    "place": f"Make places coarser, such as districts for points: the step generalise {RECIPE}.",
    "category": f"Put rare kinds together: the step generalise {RECIPE}. Kinds that change by chance hide "
    "little of who has many records.",
    "time": f"Make dates coarser, such as months: the step generalise {RECIPE}. Moving them hides "
    "little, for the gaps between them stay.",
    "amount": f"Let amounts no longer add up to the same: the steps round, or mean over all, {RECIPE}.",
    "pair": f"Make a column of the combination coarser: the step generalise {RECIPE}; or leave one out.",
    "columns": "Let records look alike: singleout deidentify generalise --k 5, or the steps generalise and "
    f"round {RECIPE}.",
    "nothing": f"Give people like numbers of records: the step cut {RECIPE}, or dummy records by singleout "
    "deidentify dummies.",
}
OF_RECORDS = (
    "A few known records are enough. Make their values coarser: the steps generalise and round "
    f"{RECIPE}; or release fewer columns."
)
LARGER = (
    "Only larger groups would lower it: fewer clusters for singleout deidentify dummies, or a larger k for "
    "singleout deidentify generalise. By how much was not measured here: attack the new release again."
)
AGAIN = "Whether that is enough was not measured here: attack the new release again."


def hardest_attack(attempts: Sequence[Attempt]) -> Attempt | None:
    """The attack with the highest rate that looks at one kind of thing, whole people before a few records."""
    others = [each for each in attempts if each.name != "best" and base_name(each) != COMBINED]
    return hardest_linkage(attempts) or max(others, key=lambda each: each.rate, default=None)


def protection_advice(attempts: Sequence[Attempt]) -> str:
    """What would stop the attack that hits hardest, in words and commands."""
    most = hardest_attack(attempts)
    if most is None:
        return ""
    return f"{OF_RECORDS} {AGAIN}" if not most.linked else f"{_hardest_words(most)} {countermeasure(most)}"


def _hardest_words(most: Attempt) -> str:
    return f"The attack that hits hardest by itself, {shown_name(most)}, looks at {known_facts(most)}."


def countermeasure(attempt: Attempt) -> str:
    """What would stop an attack on whole people."""
    ways = WAYS[KINDS[base_name(attempt)].part].format(dummies=_dummies(attempt))
    return f"{ways} {AGAIN}"


def is_grouped(attempt: Attempt) -> bool:
    """Whether everybody looks like somebody else to the attack, so that groups limit it."""
    return bool(attempt.look_alikes) and min(attempt.look_alikes) > 1


def limit_advice(attempt: Attempt) -> str:
    """What is left to do against an attack that can't tell people of a group apart."""
    least = min(attempt.look_alikes)
    advice = (
        f"It is at the limit that the groups of look-alikes allow: everybody hides among at least {least:,}, "
        f"themselves included, so that nobody who knows just this gets beyond "
        f"{share_text(attempt.bound or 0)} on average."
    )
    return advice if least == attempt.people else f"{advice} {LARGER}"


def known_facts(attempt: Attempt) -> str:
    """What a linkage knows of people, without of whom.

    >>> known_facts(Attempt("jaccard", "the attacker knows, of every person, the set of goods", 1, [], {}, 0))
    'the set of goods'
    """
    return OF_WHOM.sub("", attempt.knowledge).removesuffix("; nobody is named twice")


def _dummies(attempt: Attempt) -> str:
    """The command, with the column where it is one."""
    item = shlex.quote(attempt.columns[0]) if len(attempt.columns) == 1 else "COLUMN"
    return f"singleout deidentify dummies --item {item}"

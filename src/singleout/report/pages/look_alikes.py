"""Who hides among others in a release, and what that protects from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from singleout.attacks.attempt import Attempt
from singleout.attacks.measures import BOUND, LOOK_ALIKES
from singleout.report.charts.layout import plural
from singleout.report.charts.look_alikes import grouping_attack, look_alikes, people_alone
from singleout.report.pages.page import Conclusion, Section, Weight
from singleout.report.pages.protection import countermeasure, is_grouped, known_facts, limit_advice
from singleout.report.terminal.layout import share_text

AS_ABOVE = "Nothing more than for the first finding: only larger groups would lower its limit."
ALONE_CAN_BE = "Who is alone need not be recognised, but can be"
# a release in which every second person is recognised is no place to hide
HIDING = 0.5


def look_alike_conclusions(
    most: Attempt | None, attempts: Sequence[Attempt], told: bool
) -> Iterator[Conclusion]:
    """Who is alone to the hardest attack; `told`: what limits `most`, the best one, was said before."""
    attack = grouping_attack(attempts)
    if attack is None or (is_grouped(attack) and most is not None and most.rate > HIDING):
        return
    if not is_grouped(attack):
        advice = f"Nobody hides them. {countermeasure(attack)}"
    else:
        advice = AS_ABOVE if told else limit_advice(attack)
    beside = "Whoever knows more may tell them apart" if is_grouped(attack) else ALONE_CAN_BE
    sure = f"Exact: counted over all {attack.people:,} people of the release. {beside}."
    weight: Weight = "open" if is_grouped(attack) else "against"
    yield Conclusion(_alone_words(attack), advice, sure, (LOOK_ALIKES, BOUND), "singling out", weight)


def _alone_words(attack: Attempt) -> str:
    whom, number = f"To whoever knows just {known_facts(attack)},", people_alone(attack)
    if not number:
        others = plural(min(attack.look_alikes) - 1, "other", "others")
        return f"{whom} nobody is alone in the release: everybody looks like at least {others}."
    are = "is" if number == 1 else "are"
    who = f"{number:,} of {attack.people:,} people ({share_text(number / attack.people)})"
    return f"{whom} {who} {are} like nobody else in the release."


def look_alike_section(attempts: Sequence[Attempt], where: str = "") -> Section:
    """Who looks like others to the hardest attack; `where` says in which of several releases."""
    attack, chart = grouping_attack(attempts), look_alikes(attempts)
    lead = () if attack is None else (_alone_words(attack), *_protection_limits(attack, attempts))
    return Section("look-alikes", f"Who hides among others{where}", lead, (chart,) if chart else ())


def _protection_limits(attack: Attempt, attempts: Sequence[Attempt]) -> Iterator[str]:
    """From whom these groups do not protect."""
    most = next((each for each in attempts if each.name == "best"), attack)
    if is_grouped(attack) and most.rate > (attack.bound or 0):
        yield (
            f"That protects from this knowledge only: somebody who knows otherwise recognises "
            f"{share_text(most.rate)} of the people."
        )

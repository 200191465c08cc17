"""Who hides among others in a release, and what that protects from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from singleout.attacks.attempt import Attempt
from singleout.attacks.measures import BOUND, LOOK_ALIKES
from singleout.report.charts.layout import many
from singleout.report.charts.look_alikes import alone, grouping, look_alikes
from singleout.report.pages.page import Conclusion, Section
from singleout.report.pages.protection import at_the_limit, grouped, looked_at, stopping
from singleout.report.terminal.layout import share_text

AS_ABOVE = "Nothing more than for the first finding: only larger groups would lower its limit."
ALONE_CAN_BE = "Who is alone need not be recognised, but can be"
# a release in which every second person is recognised is no place to hide
HIDING = 0.5


def alike(most: Attempt | None, attempts: Sequence[Attempt], told: bool) -> Iterator[Conclusion]:
    """Who is alone to the hardest attack; `told`: what limits `most`, the best one, was said before."""
    attack = grouping(attempts)
    if attack is None or (grouped(attack) and most is not None and most.rate > HIDING):
        return
    if not grouped(attack):
        advice = f"Nobody hides them. {stopping(attack)}"
    else:
        advice = AS_ABOVE if told else at_the_limit(attack)
    beside = "Whoever knows more may tell them apart" if grouped(attack) else ALONE_CAN_BE
    sure = f"Exact: counted over all {attack.people:,} people of the release. {beside}."
    yield Conclusion(_alone_words(attack), advice, sure, (LOOK_ALIKES, BOUND))


def _alone_words(attack: Attempt) -> str:
    whom, number = f"To whoever knows just {looked_at(attack)},", alone(attack)
    if not number:
        others = many(min(attack.look_alikes) - 1, "other", "others")
        return f"{whom} nobody is alone in the release: everybody looks like at least {others}."
    are = "is" if number == 1 else "are"
    who = f"{number:,} of {attack.people:,} people ({share_text(number / attack.people)})"
    return f"{whom} {who} {are} like nobody else in the release."


def hiding(attempts: Sequence[Attempt], where: str = "") -> Section:
    """Who looks like others to the hardest attack; `where` says in which of several releases."""
    attack, chart = grouping(attempts), look_alikes(attempts)
    lead = () if attack is None else (_alone_words(attack), *_not_from(attack, attempts))
    return Section("look-alikes", f"Who hides among others{where}", lead, (chart,) if chart else ())


def _not_from(attack: Attempt, attempts: Sequence[Attempt]) -> Iterator[str]:
    """From whom these groups do not protect."""
    most = next((each for each in attempts if each.name == "best"), attack)
    if grouped(attack) and most.rate > (attack.bound or 0):
        yield (
            f"That protects from this knowledge only: somebody who knows otherwise recognises "
            f"{share_text(most.rate)} of the people."
        )

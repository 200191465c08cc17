"""How many people an attack can't tell from others, by how many look alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from singleout.attacks.attack_run import ONE_TO_ONE, catalogue_index
from singleout.attacks.attempt import Attempt
from singleout.attacks.measures import BOUND, LOOK_ALIKES
from singleout.report.charts.chart import Chart
from singleout.report.charts.layout import drawing, marks, number_axis, plural, silent_marks
from singleout.report.charts.style import BLUE, ORANGE
from singleout.result_table import Heading, ResultTable

MOST_BARS, HEIGHT = 24, 240
FEW_BARS, WIDEST = 6, 44
ALONE, COMBINED = "alone", "combined"
SEEN = (
    "People of the release who look alike to the attack {} hide each other: it can't do better than pick one "
    "of the group. {}"
)
HEADINGS = (
    Heading.of("size", "people in a group", LOOK_ALIKES),
    Heading.of("groups", "groups", LOOK_ALIKES),
    Heading.of("people", "people in such groups", LOOK_ALIKES),
)


def look_alikes(
    attempts: Sequence[Attempt], name: str = "look-alikes", title: str = "Who hides among others"
) -> Chart | None:
    """People by the size of the group that the hardest attack can't tell apart."""
    attack = grouping_attack(attempts)
    if attack is None:
        return None
    rows = tuple((str(size), groups, size * groups) for size, groups in sorted(attack.look_alikes.items()))
    title = f"{title}: people by how many look alike to the attack {base_name(attack)}"
    table = ResultTable(title, HEADINGS, rows, "Counted over the people of the release.")
    says = SEEN.format(base_name(attack), _alone_sentence(attack))
    return Chart(name, title, says, table, _spec([*_bars(attack.look_alikes)]), (LOOK_ALIKES, BOUND))


def grouping_attack(attempts: Sequence[Attempt]) -> Attempt | None:
    """The attack whose groups are told: the hardest, if it has any."""
    return hardest_linkage([each for each in attempts if each.look_alikes])


def hardest_linkage(attempts: Sequence[Attempt]) -> Attempt | None:
    """Of the attacks on whole people that combine no others, the one with the highest rate.

    Equals in the order of the catalogue, and as they were given.
    """
    single = [
        each for each in attempts if each.linked and each.name != "best" and base_name(each) != COMBINED
    ]
    return min(single, key=lambda each: (-each.rate, catalogue_index(each.name)), default=None)


def people_alone(attempt: Attempt) -> int:
    """How many people are like nobody else to the attack."""
    return attempt.look_alikes.get(1, 0)


def base_name(attempt: Attempt) -> str:
    """Without the share that is known, or that nobody is named twice: groups are of the release."""
    return attempt.name.partition("@")[0].removesuffix(ONE_TO_ONE)


def _alone_sentence(attempt: Attempt) -> str:
    number = people_alone(attempt)
    if not number:
        return f"Of {attempt.people:,} people nobody is alone."
    are = "is" if number == 1 else "are"
    return f"{number:,} of {attempt.people:,} people {are} alone: nobody hides them."


def _bars(groups: Mapping[int, int]) -> Iterator[dict[str, Any]]:
    """One for each size; where there are too many, sizes from one power of two to the next together."""
    bins = _sizes(groups) if len(groups) <= MOST_BARS else _doubling_ranges(max(groups))
    for low, high in bins:
        inside = [(size, number) for size, number in groups.items() if low <= size <= high]
        people, group_count = (
            sum(size * number for size, number in inside),
            sum(number for _, number in inside),
        )
        if group_count:
            yield {
                "size": _label(low, high),
                "people": people,
                "said": _bar_words(low, high, people, group_count),
            }


def _sizes(groups: Mapping[int, int]) -> list[tuple[int, int]]:
    return [(size, size) for size in sorted(groups)]


def _doubling_ranges(largest: int) -> Iterator[tuple[int, int]]:
    """
    >>> [*_doubling_ranges(5)]
    [(1, 1), (2, 2), (3, 4), (5, 8)]
    """
    low, high = 1, 1
    while low <= largest:
        yield low, high
        low, high = high + 1, 2 * high


def _label(low: int, high: int) -> str:
    if high == 1:
        return ALONE
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"


def _bar_words(low: int, high: int, people: int, groups: int) -> str:
    who = "1 person is" if people == 1 else f"{people:,} people are"
    if high == 1:
        return f"{who} like nobody else"
    return f"{who} in {plural(groups, 'group', 'groups')} of {_label(low, high)} who look alike"


def _spec(bars: list[dict[str, Any]]) -> dict[str, Any]:
    sizes = [each["size"] for each in bars]
    slanted = any("–" in size for size in sizes)
    axis = {"title": "people who look alike", "labelAngle": -40 if slanted else 0, "tickSize": 3}
    by_size = {
        "x": {"field": "size", "type": "ordinal", "sort": sizes, "axis": axis},
        "y": number_axis("people", axis={"title": "people", "tickMinStep": 1}),
    }
    alone_ones = f"datum.size === '{ALONE}'"
    colour = {"condition": {"test": alone_ones, "value": ORANGE}, "value": BLUE}
    number = silent_marks("text", {"text": {"field": "people", "format": ","}}, dy=-8)
    layers = [
        marks("bar", {"color": colour}, width={"band": 0.7} if len(bars) > FEW_BARS else WIDEST),
        {"transform": [{"filter": alone_ones}], **number},
    ]
    return drawing(bars, layers, HEIGHT, by_size)

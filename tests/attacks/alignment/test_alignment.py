"""Values of a release brought to what they have in common with the original's, or said to be uncompared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta

import numpy
import pytest

from singleout.attacks.alignment.alignment import align
from singleout.attacks.alignment.column_comparison import ColumnComparison
from singleout.attacks.alignment.number_forms import number_form
from singleout.engine.codes.histories import Histories, History

PEOPLE, EACH = 60, 5
DRAW = numpy.random.default_rng(7)
WHO = [f"p{person:02}" for person in range(PEOPLE) for _ in range(EACH)]
DAYS = [date(2011, 1, 1) + timedelta(int(day)) for day in DRAW.integers(0, 360, len(WHO))]
PRICES = [f"{price / 100:.2f}" for price in DRAW.integers(100, 40_000, len(WHO)).tolist()]
AGES = [str(age) for age in DRAW.integers(18, 90, len(WHO)).tolist()]
ZIPS = [f"{code:05}" for code in DRAW.integers(0, 99_999, len(WHO)).tolist()]
TEXTS = [*map(str, DAYS)]


def compared(original: Sequence[str | None], release: Sequence[str | None]) -> ColumnComparison:
    """How a column is compared whose records stand in the same order in both tables."""
    values = tuple(dict.fromkeys([*original, *release]))
    number = {value: code for code, value in enumerate(values)}
    person = numpy.repeat(numpy.arange(PEOPLE, dtype=numpy.uint32), EACH)
    known, seen = (
        History(PEOPLE, person, {"x": numpy.array([number[value] for value in side], numpy.uint32)})
        for side in (original, release)
    )
    return align(Histories(known, seen, {"x": values}), numpy.arange(PEOPLE))[1][0]


def nearest_five(text: str) -> str:
    return str(int((int(text) + 2.5) // 5 * 5))


WAYS: dict[str, tuple[Sequence[str], Callable[[str], str], str]] = {
    "month": (TEXTS, lambda text: text[:7], "as dates, to the month"),
    "another month": (TEXTS, lambda text: text[:7].replace("-", "/"), "as dates, to the month"),
    "first of the month": (TEXTS, lambda text: f"{text[:7]}-01", "as dates, to the month"),
    "quarter": (TEXTS, lambda text: f"2011-Q{(int(text[5:7]) + 2) // 3}", "as dates, to the quarter"),
    "no zeros": (TEXTS, lambda text: text.replace("-0", "/").replace("-", "/"), "as dates, to the day"),
    "day first": (TEXTS, lambda text: ".".join(reversed(text.split("-"))), "as dates, day first, to the day"),
    "interval": (AGES, lambda text: f"{int(text) // 10}0-{int(text) // 10}9", "by the release's intervals"),
    "ARX": (AGES, lambda text: f"[{int(text) // 10}0, {int(text) // 10 + 1}0[", "by the release's intervals"),
    "pandas": (AGES, lambda text: f"({(int(text) - 1) // 20 * 20}, {(int(text) - 1) // 20 * 20 + 20}]",
               "by the release's intervals"),
    "nearest": (AGES, nearest_five, "multiples of 5, nearest"),
    "down": (PRICES, lambda text: str(int(float(text)) // 50 * 50), "multiples of 50, down"),
    "top": (AGES, lambda text: str(min(int(text), 60)), "cut off at the ends"),
    "stars": (ZIPS, lambda text: f"{text[:2]}***", "by their first 2 characters"),
    "beginning": (ZIPS, lambda text: text[:3], "by their first 3 characters"),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_the_usual_forms_are_recognised_whichever_side_is_coarser(way: str) -> None:
    fine, change, words = WAYS[way]
    coarse = [change(text) for text in fine]
    found = compared(fine, coarse)
    assert (found.words, found.exact) == (words, True)
    assert compared(coarse, fine).exact


def test_values_as_they_are_need_no_form() -> None:
    assert compared(AGES, AGES).how == "equal"
    assert compared(AGES, [None] * len(AGES)).empty


@pytest.mark.parametrize("shift", [30, 120])
def test_dates_that_were_shifted_are_not_compared_though_years_agree(shift: int) -> None:
    """Years and quarters agree however dates are shifted: who takes that for a comparison looks away."""
    days = numpy.repeat(numpy.random.default_rng(shift).integers(-shift, shift + 1, PEOPLE), EACH)
    moved = [str(day + timedelta(int(by))) for day, by in zip(DAYS, days, strict=True)]
    assert not compared(TEXTS, moved).exact


def test_renamed_mixed_and_blanked_values_are_not_compared() -> None:
    names = {
        age: f"n{code}" for code, age in enumerate(sorted(set(AGES), key=lambda age: int(age) * 7919 % 97))
    }
    assert not compared(AGES, [names[age] for age in AGES]).exact
    mixed = numpy.random.default_rng(3).permutation(len(AGES))
    assert not compared(AGES, [AGES[index] for index in mixed]).exact
    some = numpy.random.default_rng(4).random(len(AGES)) < 0.3
    for blank in ("*", None):
        assert not compared(
            AGES, [blank if gone else age for age, gone in zip(AGES, some, strict=True)]
        ).exact


@pytest.mark.parametrize(
    ("text", "numbers", "others"),
    [
        ("30-39", (30, 39), (29, 40)), ("[30, 40[", (30, 39), (40,)), ("(30, 40]", (31, 40), (30,)),
        (">=65", (65, 99), (64,)), ("<20", (19, -5), (20,)), ("90+", (90, 120), (89,)), ("7", (7,), (8,)),
    ],
)  # fmt: skip
def test_intervals_hold_what_they_say(text: str, numbers: tuple[int, ...], others: tuple[int, ...]) -> None:
    interval = number_form(text)
    assert interval is not None
    for number in (*numbers, *others):
        single = number_form(str(number))
        assert single is not None
        assert interval.contains(single) == (number in numbers)

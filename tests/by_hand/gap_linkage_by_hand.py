"""Linkage by the gaps between days, by its definition: every shift that brings two days together is tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from datetime import date, timedelta
from fractions import Fraction

from tests.by_hand.nearest_by_hand import Table

Days = Counter[int]


def days_of_people(table: Table, column: str) -> list[Days]:
    """How many records each person has on each day; texts begin with a date, with or without zeros."""
    return [
        Counter(day_of(value) for row in table.of(person) if (value := row[column]) is not None)
        for person in range(table.people)
    ]


def day_of(text: str) -> int:
    year, month, day = text.split(" ")[0].replace("/", "-").split("-")
    return date(int(year), int(month), int(day)).toordinal()


def text_of(day: int) -> str:
    return date.fromordinal(day).isoformat()


def moved(days: Days, shift: int) -> Days:
    return Counter({day + shift: count for day, count in days.items()})


def overlap(one: Days, other: Days) -> Fraction:
    return Fraction((one & other).total(), (one | other).total()) if one or other else Fraction(1)


def best_overlap(asked: Days, known: Days, most_shift: int | None) -> Fraction:
    """By a shift that brings no two days together nothing overlaps, as by none where there are no days."""
    shifts = {other - day for day in asked for other in known} | {0}
    allowed = [shift for shift in shifts if most_shift is None or abs(shift) <= most_shift]
    return max(overlap(moved(asked, shift), known) for shift in allowed)


def scores(release: Sequence[Days], original: Sequence[Days], most_shift: int | None) -> list[list[Fraction]]:
    """A row for each person of the release."""
    return [[best_overlap(asked, known, most_shift) for known in original] for asked in release]


def gap_pattern(days: Days) -> Hashable:
    return frozenset(moved(days, -min(days)).items()) if days else frozenset()


def released(table: Table, column: str, shifts: Sequence[int]) -> Table:
    """The same records, everyone's dates moved by a number of their own."""

    def values(person: int, row: dict[str, str | None]) -> dict[str, str | None]:
        value = row[column]
        return {**row, column: value and text_of(day_of(value) + shifts[person])}

    return Table(table.people, tuple((person, values(person, row)) for person, row in table.rows))


def calendar(first: str, days: Iterable[int]) -> list[str]:
    return [(date.fromisoformat(first) + timedelta(day)).isoformat() for day in days]

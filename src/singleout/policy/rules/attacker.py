"""Somebody who might want to recognise a person: what such a person knows, and how much of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from singleout.checks import is_number, is_whole
from singleout.errors import UsageError, name_hint
from singleout.read import located_rows as statistics_rows
from singleout.roles.known_column import KnownColumn
from singleout.roles.role import ROLES, Role

MOST_POINTS = 1000
ONE = "one record of each person"


@dataclass(frozen=True)
class Attacker:
    """Somebody with stated knowledge.

    `roles` are those of the columns that are known, or `columns` names them. `granularity` says how coarsely,
    by column or by role ('day', 'hour', 'first 3', 'round 10'); what it does not name is known exactly.
    `share` of everybody's records is known where whole people are compared, `points` random ones where a few
    records are looked for; None is all of that share. What counts classes of records takes one as known.
    """

    name: str
    title: str
    knows: str
    reason: str
    roles: tuple[Role, ...]
    points: int | None
    share: float
    granularity: Mapping[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        may_say_nothing = ("roles", "columns", "points")
        said = {key: value for key in may_say_nothing if (value := getattr(self, key)) not in (None, ())}
        said |= {"granularity": self.granularity, "share": self.share}
        faults = [f"{key}: {fault}" for key, value in said.items() for fault in faults_of(key, value)]
        if faults:
            raise UsageError(f"attacker {self.name!r}: {'; '.join(faults)}")

    def coarseness(self, column: str, role: str) -> str | None:
        """How coarsely a column is known; what is said of the column goes before what is said of its role."""
        return self.granularity.get(column, self.granularity.get(role))

    @property
    def records(self) -> str:
        """How many records are known, in words: rules differ in how many they take."""
        share = share_in_words(self.share)
        if self.points is None:
            return f"{ONE}; in rules about points.* and attack.*, {share}"
        return f"{ONE}; in rules about points.*, {points_in_words(self.points)}; about attack.*, {share}"


def points_in_words(points: int, worst: bool = False) -> str:
    """
    >>> points_in_words(1), points_in_words(3, worst=True)
    ('1 random record of each person', 'the 3 most telling records of each person')
    """
    which = f"the {points:,} most telling" if worst else f"{points:,} random"
    return f"{which} {'record' if points == 1 else 'records'} of each person"


def share_in_words(share: float) -> str:
    part = "every record" if share == 1 else f"a random {share * 100:g}% of the records"
    return f"{part} of each person"


def faults_of(key: str, value: Any) -> list[str]:
    """What is wrong with one line of an attacker's description, if anything is."""
    if key in ("title", "knows", "reason"):
        return [] if isinstance(value, str) and value else [f"{short_text(value)} is no text"]
    if key == "roles":
        return _role_faults(value)
    if key == "columns":
        return (
            [] if are_names(value) else [f'{short_text(value)} is no list of columns; write ["date", "zip"]']
        )
    if key == "granularity":
        return _granularity_faults(value)
    return _number_faults(key, value)


def _role_faults(value: Any) -> list[str]:
    if not are_names(value):
        return [f'{short_text(value)} is no list of roles; write ["time", "item"]']
    known = [role for role in ROLES if role != "user"]
    return [f"{each!r} is no role to know; {name_hint(each, known)}" for each in value if each not in known]


def _granularity_faults(value: Any) -> list[str]:
    if not isinstance(value, Mapping):
        return [f'{short_text(value)} is no table; write {{ time = "day", amount = "round 10" }}']
    faults = []
    for column, granularity in value.items():
        try:
            KnownColumn(str(column), granularity)
        except UsageError as error:
            faults.append(str(error))
    return faults


def _number_faults(key: str, value: Any) -> list[str]:
    if key == "share":
        right = is_number(value) and 0 < value <= 1
        return [] if right else [f"{short_text(value)} is no share; write a number above 0, and 1 at most"]
    right = is_whole(value) and isinstance(value, int) and 1 <= value <= MOST_POINTS
    told = f"is no number of records; write a whole number from 1 to {MOST_POINTS:,}, or 'all'"
    return [] if right else [f"{short_text(value)} {told}"]


def short_text(value: Any) -> str:
    """What was written, cut short; a number of thousands of digits has no text in Python."""
    try:
        return statistics_rows.short_text(value)
    except ValueError:
        return "the number"


def are_names(value: Any) -> bool:
    """A list of texts, each once, and at least one."""
    if not isinstance(value, list | tuple) or not value:
        return False
    return all(isinstance(each, str) and each for each in value) and len({*value}) == len(value)

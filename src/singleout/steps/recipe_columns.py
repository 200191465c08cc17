"""Which columns a recipe's steps find when they come, after what the steps before have left out."""

from __future__ import annotations

from collections.abc import Iterable

from singleout.errors import nearest
from singleout.steps.cut import Cut
from singleout.steps.placed import Placed
from singleout.steps.pseudonymise import Pseudonymise
from singleout.steps.step import Step
from singleout.steps.suppress import Suppress

NO_PEOPLE = 'there is no table of people; give one, or leave out table = "people"'


class Tables:
    """The columns of the history and of the table of people, which lose some from step to step."""

    def __init__(self, history: Iterable[str], people: Iterable[str] | None, user: str | None) -> None:
        self._names = {"history": list(history)}
        if people is not None:
            self._names["people"] = list(people)
        self._user = user

    def mistakes(self, placed: Placed) -> list[str]:
        """What is wrong with the columns of the next step; those that it leaves out are gone then."""
        step, names = placed.step, self._names.get(placed.table)
        if names is None:
            return [NO_PEOPLE]
        found = self._unknown(_named(step), placed.table)
        if isinstance(step, Pseudonymise) and not step.columns and self._user not in names:
            found.append(f"the {_words(placed.table)} has no user column; name the user, or columns")
        if self._user in step.columns and _changes_values(step):
            found.append(
                f"{self._user!r} is the user; only pseudonymise changes it, and suppress leaves it out"
            )
        if isinstance(step, Suppress) and step.what == "columns":
            self._names[placed.table] = [name for name in names if name not in step.columns]
        return found

    def user_mistakes(self) -> list[str]:
        """What is wrong with the column that says whose each record is."""
        user = [] if self._user is None else [self._user]
        return [f"user: {fault}" for table in self._names for fault in self._unknown(user, table)]

    def release_mistakes(self, columns: Iterable[str]) -> list[str]:
        """What is wrong with the columns that a release of the history should have."""
        return [f"columns: {fault}" for fault in self._unknown(columns, "history")]

    def _unknown(self, columns: Iterable[str], table: str) -> list[str]:
        names = self._names[table]
        lacking = dict.fromkeys(name for name in columns if name not in names)
        return [f"the {_words(table)} has no column {name!r}; {nearest(name, names)}" for name in lacking]


def _words(table: str) -> str:
    return "history" if table == "history" else "table of people"


def _named(step: Step) -> tuple[str, ...]:
    """Those that are changed or looked at, and those in which records to be swapped must be alike."""
    return (*step.columns, *getattr(step, "same", ()))


def _changes_values(step: Step) -> bool:
    return not isinstance(step, Cut | Pseudonymise | Suppress) or getattr(step, "what", None) == "cells"

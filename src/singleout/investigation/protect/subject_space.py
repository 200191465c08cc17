"""The recipes that one table allows: the ladders of its columns, and what can be done with its records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from singleout.deidentify.input_tables import Subject
from singleout.investigation.protect.ladder import ladder_of
from singleout.investigation.protect.local_change import local_changes
from singleout.investigation.protect.recipe_space import RecipeSpace
from singleout.investigation.protect.record_change import NO_CHANGE, dummy_changes, record_changes
from singleout.investigation.protect.request import SearchBounds
from singleout.policy.rules.rule import Rule
from singleout.roles.hierarchies.hierarchy import Hierarchy
from singleout.roles.study import Study


def is_history(subject: Subject) -> bool:
    """Whether somebody has several records."""
    return int(subject.history.records_of_each().max(initial=0)) > 1


def space_of(
    subject: Subject,
    study: Study | None,
    bounds: SearchBounds,
    rules: Sequence[Rule],
    hierarchies: Mapping[str, Hierarchy],
    parts: Mapping[str, Any],
    known: Sequence[str] | None = None,
) -> RecipeSpace:
    """All columns but the user's have a ladder; those that are to be ignored are not released.

    `known` are the columns that attackers know, where somebody says so.
    """
    roles = study.roles if study else {}
    columns = tuple(name for name in subject.columns if roles.get(name) != "ignore")
    bounds.check(columns)
    names = [name for name in columns if name != subject.user]
    ladders = tuple(
        bounds.allowed_rungs(
            ladder_of(name, subject.history.column(name), hierarchies.get(name), fixed=name in bounds.fixed)
        )
        for name in names
    )
    named = parts.get("time") or [name for name in names if roles.get(name) == "time"]
    times = [named] if isinstance(named, str) else list(named)
    sensitive = [name for name in names if roles.get(name) == "sensitive"]
    asked = known or (study or Study({})).known_to_attackers(columns)
    # a record of a table is a person
    lost = min(bounds.lose_records, bounds.lose_people)
    changes = [
        *dummy_changes(rules, parts.get("item"), int((subject.history.records_of_each() > 0).sum())),
        *record_changes(
            subject.history, times or [each.column for each in ladders if each.of_time], bounds.fixed
        ),
        *([] if is_history(subject) else local_changes(rules, asked, sensitive, lost)),
    ]
    return RecipeSpace(subject.user, columns, ladders, (NO_CHANGE, *filter(bounds.allows, changes)))

"""Whose records they are (the privacy unit): those of a column's people, or each its own person's."""

from __future__ import annotations

import shlex

from singleout.engine.column_profile import Profile, profile
from singleout.engine.columns import kind_of
from singleout.engine.protocol import Column, Engine
from singleout.errors import UsageError
from singleout.roles.person_column import (
    NONE,
    STRONG,
    look_like_people,
    may_name_people,
    name_rank,
    person_rank,
    repeated_person,
)
from singleout.roles.study import Study

NOBODY_SAID = (
    "{}: column {!r} seems to name the person ({:,} in {:,} records), and nobody said whose records they "
    "are; say {} {}, or {} none if each record is its own person"
)
CALLED_NONE = (
    "{}: {} none says that each record is its own person, and there is a column 'none'; rename it, or say in "
    'a study file which you mean: none = "user" in its [columns], or user = "none" above them'
)


def privacy_unit(
    counter: Engine, user: str | None, study: Study | None = None, option: str = "--user"
) -> str | None:
    """The column that names the person; None where each record is its own person.

    `user` goes before the study's; NONE says that there is no such column. Where nobody said anything, a
    table that looks like a history is refused: each of its records would count as a person.
    """
    by_role = study.user if study else None
    user = by_role if user is None else user
    if user == NONE and by_role != NONE:
        if any(column.name == NONE for column in counter.columns()):
            raise UsageError(CALLED_NONE.format(counter.source_name, option))
        return None
    if user is None and not (study and study.each_record):
        _refuse_history(counter, option)
    return user


def _refuse_history(counter: Engine, option: str) -> None:
    likely = likely_person(counter)
    if likely is not None:
        records, name = likely.records - likely.missing, shlex.quote(likely.name)
        message = NOBODY_SAID.format(
            counter.source_name, likely.name, likely.distinct, records, option, name, option
        )
        raise UsageError(message)


def likely_person(counter: Engine) -> Profile | None:
    """The column whose values repeat like a person's; no more columns are counted than may be one."""
    columns = [each for each in counter.columns() if may_name_people(each.name, each.type)]
    named = [profile(counter, each) for each in columns if name_rank(each.name) == STRONG]
    if any(person_rank(each) == STRONG for each in named):
        return repeated_person(named)
    others = (each for each in columns if name_rank(each.name) != STRONG)
    return repeated_person([profile(counter, each) for each in others if _is_worth_counting(counter, each)])


def _is_worth_counting(counter: Engine, column: Column) -> bool:
    if name_rank(column.name) is not None:
        return True
    return kind_of(column.type) == "text" and look_like_people(
        column.name, counter.look(column.name).examples
    )

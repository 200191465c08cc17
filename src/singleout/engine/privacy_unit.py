"""Whose records they are (the privacy unit): those of a column's people, or each its own person's."""

from __future__ import annotations

import shlex

from singleout.engine.column_profile import Profile, profile
from singleout.engine.columns import kind_of
from singleout.engine.protocol import Column, Engine, Question
from singleout.errors import UsageError
from singleout.roles.person_column import (
    NONE,
    PROXY,
    STRONG,
    bare_code,
    doubtful_person,
    is_bare_name,
    is_doubtful_name,
    look_like_codes,
    look_like_people,
    may_name_people,
    name_rank,
    person_rank,
    repeated_person,
)
from singleout.roles.study import Study

# of the values of a user column, so many belong to one person: a receipt is one customer's
NEARLY_ALL = 0.95
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
    worth = [profile(counter, each) for each in others if _is_worth_counting(counter, each)]
    return repeated_person(worth) or _only_code(counter)


def _only_code(counter: Engine) -> Profile | None:
    """The only column of codes, if the other columns change within it: else its records are mere doubles."""
    if not any(is_bare_name(each.name) for each in counter.columns()):
        return None
    codes = [each for each in counter.columns() if _may_be_code(counter, each)]
    only = bare_code([profile(counter, each) for each in codes])
    if only is None:
        return None
    every = counter.sizes(Question(tuple(each.name for each in counter.columns()))).total_groups
    return only if every > counter.sizes(Question((only.name,))).total_groups else None


def _may_be_code(counter: Engine, column: Column) -> bool:
    if not may_name_people(column.name, column.type) or kind_of(column.type) not in ("text", "numbers"):
        return False
    return look_like_codes(column.name, counter.look(column.name).examples)


def other_person(counter: Engine, user: str | None) -> str | None:
    """A column that looks like the person's although another one was named as the user, or none.

    With `--user receipt` beside a column `customer` each receipt would count as a person.
    """
    if user is None or user == NONE:
        doubtful = [each for each in counter.columns() if is_doubtful_name(each.name)]
        likely = likely_person(counter) or doubtful_person([profile(counter, each) for each in doubtful])
        return likely.name if likely else None
    named = name_rank(user) if may_name_people(user, "") else None
    if named == STRONG:
        return None
    columns = [each for each in counter.columns() if each.name != user]
    people = [
        profile(counter, each)
        for each in columns
        if may_name_people(each.name, each.type) and _says_more(name_rank(each.name), named)
    ]
    fitting = [each for each in people if _owns(counter, each, user, named)]
    repeated = repeated_person(fitting)
    return repeated.name if repeated else None


def _says_more(rank: int | None, named: int | None) -> bool:
    return rank is not None and rank in (STRONG, PROXY) and (named is None or rank < named)


def _owns(counter: Engine, person: Profile, user: str, named: int | None) -> bool:
    """Whether the user's values are the person's, several each; or the user is not called like a person."""
    if named is None and person_rank(person) == STRONG:
        return True
    users = counter.sizes(Question((user,), missing="drop", filled=(person.name,))).total_groups
    pairs = counter.sizes(Question((user, person.name), missing="drop")).total_groups
    people = counter.sizes(Question((person.name,), missing="drop", filled=(user,))).total_groups
    return people < users and users >= NEARLY_ALL * pairs


def _is_worth_counting(counter: Engine, column: Column) -> bool:
    if name_rank(column.name) is not None:
        return True
    return kind_of(column.type) == "text" and look_like_people(
        column.name, counter.look(column.name).examples
    )

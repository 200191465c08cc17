"""Which columns a table and its release share, where the release may call them by other names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from singleout.errors import UsageError, name_hint
from singleout.roles.study import Study, renaming_mistakes, unknown_names

HOW = "say what the release calls a column by --renamed, or in the table [renamed] of a study file"


@dataclass(frozen=True)
class Side:
    """One of the two tables: what it is called in a sentence, and the types of its columns."""

    called: str
    types: Mapping[str, str]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.types)


@dataclass(frozen=True)
class SharedColumns:
    """The columns of both tables, each by its name in the original and in the release; the users apart."""

    user: str | None
    release_user: str | None
    columns: tuple[str, ...]
    release_columns: tuple[str, ...]

    @property
    def by_side(self) -> tuple[tuple[tuple[str, ...], str | None], tuple[tuple[str, ...], str | None]]:
        """The columns and the user, of the original and of the release."""
        return (self.columns, self.user), (self.release_columns, self.release_user)


def renaming_of(
    original: Side, release: Side, renamed: Mapping[str, str] | None, study: Study | None
) -> dict[str, str]:
    """What the original's columns are called in the release; what is given here goes before the study.

    All that is wrong with one of them is told at once.
    """
    if study is not None:
        study.check_pair((original.called, original.names), (release.called, release.names))
    given = {} if renamed is None else renamed
    faults = renaming_mistakes(given)
    if not faults:
        faults = unknown_names(given, original.names, original.called)
        faults += unknown_names(given.values(), release.names, release.called)
    renaming = {**(study.renamed if study else {}), **given} if not faults else {}
    if faults := faults or renaming_mistakes(renaming):
        raise UsageError("; ".join(faults))
    return renaming


def shared_columns(
    original: Side,
    release: Side,
    renaming: Mapping[str, str],
    *,
    user: str | None,
    release_user: str | None,
    columns: Sequence[str] | None,
    also: Sequence[str] = (),
    study: Study | None,
) -> SharedColumns:
    """The columns to read: those asked for, or all that both tables have and an attacker may know.

    `also` some, whatever the others are.
    """
    if user is None and release_user is not None:
        raise UsageError("a user column of the release was named and none of the original; name both")
    release_user = release_user or (None if user is None else renaming.get(user, user))
    faults = [
        f"{side.called} has no user column {name!r}; {name_hint(name, side.names)}"
        for side, name in ((original, user), (release, release_user))
        if name is not None and name not in side.names
    ]
    if faults:
        raise UsageError("; ".join(faults))
    common = _common_columns(original, release, renaming)
    named = _asked_columns(original, release, common, also) if also else ()
    if columns is None:
        chosen = _default_columns(common, user, release_user, study)
        if not chosen and not named:
            raise UsageError(
                f"{original.called} and {release.called} have no column in common to compare; {HOW}"
            )
    else:
        chosen = _asked_columns(original, release, common, columns)
        named = (*named, *chosen)
    _check_users(named, common, user, release_user)
    chosen = tuple(name for name in common if name in chosen or name in named)
    return SharedColumns(user, release_user, chosen, tuple(common[name] for name in chosen))


def _common_columns(original: Side, release: Side, renaming: Mapping[str, str]) -> dict[str, str]:
    """A name in the release that another column was renamed to is not the column's own."""
    taken = set(renaming.values())
    own = {name: name for name in original.names if name in release.names and name not in taken}
    release_names = {**own, **renaming}
    return {name: release_names[name] for name in original.names if name in release_names}


def _default_columns(
    common: Mapping[str, str], user: str | None, release_user: str | None, study: Study | None
) -> tuple[str, ...]:
    names = tuple(name for name in common if name != user and common[name] != release_user)
    return study.known_to_attackers(names) if study else names


def _asked_columns(
    original: Side, release: Side, common: Mapping[str, str], columns: Sequence[str]
) -> tuple[str, ...]:
    if isinstance(columns, str):
        raise UsageError(f"columns: {columns!r} is one name; give a list of names")
    if odd := [name for name in columns if not isinstance(name, str)]:
        raise UsageError(f"a column is named by text, not by {odd[0]!r}")
    if not columns:
        raise UsageError("no column is left to compare; name some")
    faults = []
    for name in dict.fromkeys(columns):
        if name not in original.names:
            faults.append(f"{original.called} has no column {name!r}; {name_hint(name, original.names)}")
        elif name in release.names and name not in common:
            other = next(each for each in common if common[each] == name)
            faults.append(f"{release.called} has {other!r} under the name {name!r}; {HOW}")
        elif name not in common:
            fault = f"{release.called} has no column {name!r}"
            faults.append(f"{fault}; {name_hint(name, release.names)}; {HOW}")
    if faults:
        raise UsageError("; ".join(faults))
    return tuple(name for name in common if name in columns)


def _check_users(
    chosen: Sequence[str], common: Mapping[str, str], user: str | None, release_user: str | None
) -> None:
    for name in chosen:
        if name == user or common[name] == release_user:
            raise UsageError(f"{name!r} is the user column; an attacker who knows it needs nothing else")

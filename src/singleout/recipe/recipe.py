"""A recipe: which steps change which table in which order, and what of it is released."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Literal

from singleout.errors import InputError, UsageError, name_hint
from singleout.read.input_files import input_bytes, keep_secret
from singleout.read.located_rows import short_text
from singleout.recipe.diary import Hierarchies, is_diary, recipe_content
from singleout.recipe.level_assignment import LevelAssignment
from singleout.recipe.placed_step import PlacedStep, read_placed_step
from singleout.recipe.steps.cut import Cut
from singleout.recipe.steps.field_checks import (
    freeze,
    names_mistakes,
    refuse,
    text_mistakes,
    whole_mistakes,
)
from singleout.recipe.steps.pseudonymise import Pseudonymise
from singleout.recipe.steps.step import Step
from singleout.recipe.steps.suppress import Suppress

NO_PEOPLE = 'there is no table of people; give one, or leave out table = "people"'


class Tables:
    """The columns of the history and of the table of people, which lose some from step to step."""

    def __init__(self, history: Iterable[str], people: Iterable[str] | None, user: str | None) -> None:
        self._names = {"history": list(history)}
        if people is not None:
            self._names["people"] = list(people)
        self._user = user

    def mistakes(self, placed: PlacedStep) -> list[str]:
        """What is wrong with the columns of the next step; those that it leaves out are gone then."""
        step, names = placed.step, self._names.get(placed.table)
        if names is None:
            return [NO_PEOPLE]
        faults = self._column_faults(_step_columns(step), placed.table)
        if isinstance(step, Pseudonymise) and not step.columns and self._user not in names:
            faults.append(f"the {_table_words(placed.table)} has no user column; name the user, or columns")
        if self._user in step.columns and _changes_values(step):
            faults.append(
                f"{self._user!r} is the user; only pseudonymise changes it, and suppress leaves it out"
            )
        if isinstance(step, Suppress) and step.what == "columns":
            self._names[placed.table] = [name for name in names if name not in step.columns]
        return faults

    def user_mistakes(self) -> list[str]:
        """What is wrong with the column that says whose each record is."""
        user = [] if self._user is None else [self._user]
        return [f"user: {fault}" for table in self._names for fault in self._column_faults(user, table)]

    def release_mistakes(self, columns: Iterable[str]) -> list[str]:
        """What is wrong with the columns that a release of the history should have."""
        return [f"columns: {fault}" for fault in self._column_faults(columns, "history")]

    def _column_faults(self, columns: Iterable[str], table: str) -> list[str]:
        names = self._names[table]
        lacking = dict.fromkeys(name for name in columns if name not in names)
        return [
            f"the {_table_words(table)} has no column {name!r}; {name_hint(name, names)}" for name in lacking
        ]


def _table_words(table: str) -> str:
    return "history" if table == "history" else "table of people"


def _step_columns(step: Step) -> tuple[str, ...]:
    """Those that are changed or looked at, and those in which records to be swapped must be alike."""
    return (*step.columns, *getattr(step, "same", ()))


def _changes_values(step: Step) -> bool:
    return not isinstance(step, Cut | Pseudonymise | Suppress) or getattr(step, "what", None) == "cells"


PARTS = ("seed", "user", "columns", "step")
EXAMPLE = '[[step]] with step = "noise" below it'


@dataclass(frozen=True)
class Recipe:
    """`columns` are those of the release, in this order; None for all that are left. `path` is its file.

    `suppressed` is of the diary of a search: records of classes that failed its goals were left out
    ("records"), or have `*` in every generalised column ("cells"). `dummies` is of the diary of dummies: the
    column of the items that people who lack them were given. `recoded` is of the diary of local recoding:
    which levels each record was given.
    """

    seed: int | None = None
    user: str | None = None
    columns: tuple[str, ...] | None = None
    steps: tuple[PlacedStep, ...] = ()
    path: str = "recipe"
    suppressed: Literal["records", "cells"] | None = None
    dummies: str | None = None
    recoded: LevelAssignment | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", freeze(self.columns))
        object.__setattr__(self, "steps", freeze(self.steps))
        refuse(
            whole_mistakes("seed", self.seed),
            text_mistakes("user", self.user, "name of a column"),
            [] if self.columns is None else names_mistakes("columns", self.columns),
            self._steps_mistakes(),
        )

    @property
    def holds_seed(self) -> bool:
        """Whoever knows the seed and has the data can repeat the draws."""
        return self.seed is not None or any(each.step.seed is not None for each in self.steps)

    def check(self, history: tuple[str, ...], people: tuple[str, ...] | None, user: str | None) -> None:
        """Every column that is named must be there when its step comes; all mistakes are told at once."""
        tables = Tables(history, people, user)
        faults = tables.user_mistakes()
        for number, each in enumerate(self.steps, 1):
            faults += [f"{_label(number, each.step.step)}{fault}" for fault in tables.mistakes(each)]
        faults += tables.release_mistakes(self.columns or ())
        if faults:
            raise InputError(f"{self.path}: {'; '.join(faults)}")

    def _steps_mistakes(self) -> list[str]:
        if not isinstance(self.steps, tuple) or not all(isinstance(each, PlacedStep) for each in self.steps):
            return [f"steps: {short_text(self.steps)} are no steps; give a tuple of Placed ones"]
        return []


def read_recipe(path: str | PathLike[str], hierarchies: Hierarchies | None = None) -> Recipe:
    """Read and check a recipe in TOML, or a diary in JSON; all mistakes of a recipe are told at once."""
    file_name, kind = str(path), "TOML"
    if not file_name.strip():
        raise UsageError("recipe: '' is no file's name; name the recipe in TOML, a diary, or leave it out")
    try:
        text = input_bytes(path)
        # no line of TOML starts so
        if text.lstrip().startswith(b"{"):
            kind = "JSON"
            content = json.loads(text)
        else:
            content = tomllib.loads(text.decode("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        why = getattr(error, "strerror", None)
        raise InputError(f"{file_name}: {why.lower() if why else f'is not {kind}: {error}'}") from error
    if kind == "JSON" and not is_diary(content):
        raise InputError(f"{file_name}: is no diary of deidentify; give one, or a recipe in TOML")
    recipe = _recipe_or_diary(content, file_name, hierarchies)
    if kind == "JSON" or recipe.holds_seed:
        keep_secret(path)
    return recipe


def recipe_of(
    recipe: Mapping[str, Any] | Recipe | str | PathLike[str], hierarchies: Hierarchies | None = None
) -> Recipe:
    """A recipe, what would be in its file, the file that it is in, or the diary of what was done by one.

    The diary of a search tells the level of each column; `hierarchies` are for one that does not tell these.

    >>> recipe_of({"step": [{"step": "noise", "columns": ["price"], "amuont": 1}, {"step": "nois"}]})
    Traceback (most recent call last):
    singleout.errors.InputError: recipe: step 1 (noise): there is no parameter 'amuont'; did you mean \
'amount'?; give one of amount, share, days, chance; step 2: there is no step 'nois'; did you mean 'noise'?
    """
    if isinstance(recipe, Recipe):
        return recipe
    if isinstance(recipe, Mapping):
        return _recipe_or_diary(recipe, "recipe", hierarchies)
    if isinstance(recipe, str | PathLike):
        return read_recipe(recipe, hierarchies)
    raise UsageError(f"recipe: a {type(recipe).__name__} is no recipe; give a file's name or a mapping")


def _recipe_or_diary(content: Mapping[str, Any], file_name: str, hierarchies: Hierarchies | None) -> Recipe:
    if not is_diary(content):
        return _recipe(content, file_name)
    told = recipe_content(content, file_name, hierarchies)
    beside = {name: told.pop(name, None) for name in ("suppressed", "dummies", "recoded")}
    return replace(_recipe(told, file_name), **beside)


def _recipe(content: Mapping[str, Any], file_name: str) -> Recipe:
    faults = [f"there is no {name!r}; {name_hint(str(name), PARTS)}" for name in content if name not in PARTS]
    if not content.get("step") and "columns" not in content:
        faults.append(f"has no step; write one or more, each {EXAMPLE}")
    steps, step_faults = _steps(content.get("step"))
    known = {name: content[name] for name in PARTS[:3] if name in content}
    try:
        recipe = Recipe(**known, steps=steps, path=file_name)
    except UsageError as error:
        faults.append(str(error))
    if faults or step_faults:
        raise InputError(f"{file_name}: {'; '.join([*faults, *step_faults])}")
    return recipe


def _steps(content: Any) -> tuple[tuple[PlacedStep, ...], list[str]]:
    """The steps that are right, and all that is wrong with the others."""
    if not isinstance(content, list | tuple | None):
        return (), [f"step: write each step as {EXAMPLE}, with two brackets"]
    steps, faults = [], []
    for number, each in enumerate(content or (), 1):
        step, name, mistakes = read_placed_step(each)
        steps += [step] if step else []
        faults += [f"{_label(number, name)}{'; '.join(mistakes)}"] if mistakes else []
    return tuple(steps), faults


def _label(number: int, name: str | None) -> str:
    return f"step {number} ({name}): " if name else f"step {number}: "

"""A recipe: which steps change which table in which order, and what of it is released."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from singleout.errors import InputError, UsageError, nearest
from singleout.read.statistics_rows import short
from singleout.steps.checking import (
    names_mistakes,
    refuse,
    text_mistakes,
    whole_mistakes,
)
from singleout.steps.lists import frozen
from singleout.steps.placed import Placed, placed_of
from singleout.steps.recipe_columns import Tables

PARTS = ("seed", "user", "columns", "step")
EXAMPLE = '[[step]] with step = "noise" below it'


@dataclass(frozen=True)
class Recipe:
    """`columns` are those of the release, in this order; None for all that are left. `place` is its file."""

    seed: int | None = None
    user: str | None = None
    columns: tuple[str, ...] | None = None
    steps: tuple[Placed, ...] = ()
    place: str = "recipe"

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", frozen(self.columns))
        object.__setattr__(self, "steps", frozen(self.steps))
        refuse(
            whole_mistakes("seed", self.seed),
            text_mistakes("user", self.user, "name of a column"),
            [] if self.columns is None else names_mistakes("columns", self.columns),
            self._steps_mistakes(),
        )

    def check(self, history: tuple[str, ...], people: tuple[str, ...] | None, user: str | None) -> None:
        """Every column that is named must be there when its step comes; all mistakes are told at once."""
        tables = Tables(history, people, user)
        faults = tables.user_mistakes()
        for number, each in enumerate(self.steps, 1):
            faults += [f"{_label(number, each.step.step)}{fault}" for fault in tables.mistakes(each)]
        faults += tables.release_mistakes(self.columns or ())
        if faults:
            raise InputError(f"{self.place}: {'; '.join(faults)}")

    def _steps_mistakes(self) -> list[str]:
        if not isinstance(self.steps, tuple) or not all(isinstance(each, Placed) for each in self.steps):
            return [f"steps: {short(self.steps)} are no steps; give a tuple of Placed ones"]
        return []


def read_recipe(path: str | PathLike[str]) -> Recipe:
    """Read and check a recipe in TOML; all its mistakes are told at once."""
    place = str(path)
    try:
        with Path(path).open("rb") as handle:
            content = tomllib.load(handle)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None)
        raise InputError(f"{place}: {why.lower() if why else f'is not TOML: {error}'}") from error
    return _recipe(content, place)


def recipe_of(recipe: Mapping[str, Any] | Recipe | str | PathLike[str]) -> Recipe:
    """A recipe, what would be in its file, or the file that it is in.

    >>> recipe_of({"step": [{"step": "noise", "columns": ["price"], "amuont": 1}, {"step": "nois"}]})
    Traceback (most recent call last):
    singleout.errors.InputError: recipe: step 1 (noise): there is no parameter 'amuont'; did you mean \
'amount'?; give one of amount, share, days, chance; step 2: there is no step 'nois'; did you mean 'noise'?
    """
    if isinstance(recipe, Recipe):
        return recipe
    if isinstance(recipe, Mapping):
        return _recipe(recipe, "recipe")
    if isinstance(recipe, str | PathLike):
        return read_recipe(recipe)
    raise UsageError(f"recipe: a {type(recipe).__name__} is no recipe; give a file's name or a mapping")


def _recipe(content: Mapping[str, Any], place: str) -> Recipe:
    faults = [f"there is no {name!r}; {nearest(str(name), PARTS)}" for name in content if name not in PARTS]
    if not content.get("step") and "columns" not in content:
        faults.append(f"has no step; write one or more, each {EXAMPLE}")
    steps, step_faults = _steps(content.get("step"))
    known = {name: content[name] for name in PARTS[:3] if name in content}
    try:
        found = Recipe(**known, steps=steps, place=place)
    except UsageError as error:
        faults.append(str(error))
    if faults or step_faults:
        raise InputError(f"{place}: {'; '.join([*faults, *step_faults])}")
    return found


def _steps(content: Any) -> tuple[tuple[Placed, ...], list[str]]:
    """The steps that are right, and all that is wrong with the others."""
    if not isinstance(content, list | tuple | None):
        return (), [f"step: write each step as {EXAMPLE}, with two brackets"]
    steps, faults = [], []
    for number, each in enumerate(content or (), 1):
        step, name, mistakes = placed_of(each)
        steps += [step] if step else []
        faults += [f"{_label(number, name)}{'; '.join(mistakes)}"] if mistakes else []
    return tuple(steps), faults


def _label(number: int, name: str | None) -> str:
    return f"step {number} ({name}): " if name else f"step {number}: "

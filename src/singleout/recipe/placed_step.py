"""A step at its place in a recipe: read from what the recipe says, and told to the diary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from datetime import date, time
from os import PathLike, fspath
from typing import Any

from singleout.checks import is_number, is_whole
from singleout.errors import UsageError, name_hint
from singleout.read.located_rows import short_text
from singleout.recipe.steps.catalogue import STEPS
from singleout.recipe.steps.field_checks import choice_mistakes, freeze, refuse
from singleout.recipe.steps.step import Step

TABLES = ("history", "people")


@dataclass(frozen=True)
class PlacedStep:
    """A step and the table that it changes: the history, or the table of people beside it.

    >>> from singleout.recipe.steps.round import Round
    >>> PlacedStep(Round(("price",), to=0.5)).as_dict()
    {'step': 'round', 'table': 'history', 'columns': ['price'], 'to': 0.5, 'how': 'nearest'}
    """

    step: Step
    table: str = "history"

    def __post_init__(self) -> None:
        refuse(
            [] if type(self.step) in STEPS.values() else [f"{short_text(self.step)} is no step"],
            choice_mistakes("table", self.table, TABLES),
        )

    def as_dict(self) -> dict[str, Any]:
        """All parameters that are set, also those by default, for JSON; of a key file only where it is."""
        settings = {each.name: getattr(self.step, each.name) for each in _fields(type(self.step))}
        given = {name: _json_value(each) for name, each in settings.items() if each is not None}
        return {"step": self.step.step, "table": self.table, **given}


def read_placed_step(content: Any) -> tuple[PlacedStep | None, str | None, list[str]]:
    """The step that a part of a recipe says, its name if it is one, and all that is wrong with it."""
    if not isinstance(content, Mapping) or "step" not in content:
        return None, None, ['says no step; write one like step = "noise"']
    name = content["step"]
    if not isinstance(name, str) or name not in STEPS:
        return None, None, [f"there is no step {short_text(name)}; {name_hint(str(name), STEPS)}"]
    given = {each: content[each] for each in content if each not in ("step", "table")}
    step, faults = _step(STEPS[name], given)
    faults += choice_mistakes("table", content.get("table", TABLES[0]), TABLES)
    if faults or step is None:
        return None, name, faults
    return PlacedStep(step, content.get("table", TABLES[0])), name, []


def _step(kind: type[Step], given: Mapping[Any, Any]) -> tuple[Step | None, list[str]]:
    known = {each.name: each for each in _fields(kind)}
    faults = [
        f"there is no parameter {each!r}; {name_hint(str(each), (*known, 'table'))}"
        for each in given
        if each not in known
    ]
    # a step says itself what is missing, together with all else that is wrong with it
    missing = {name: None for name, each in known.items() if each.default is MISSING}
    settings = {name: freeze(each) for name, each in given.items() if name in known}
    make: Any = kind
    try:
        return make(**{**missing, **settings}), faults
    except UsageError as error:
        return None, [*faults, str(error)]


def _fields(kind: type[Step]) -> tuple[Field[Any], ...]:
    made: Any = kind
    return fields(made)


def _json_value(setting: Any) -> Any:
    """A setting as JSON has it."""
    if isinstance(setting, Mapping):
        return {str(name): _json_value(each) for name, each in setting.items()}
    if isinstance(setting, tuple | list):
        return [_json_value(each) for each in setting]
    if isinstance(setting, date | time):
        return str(setting)
    if isinstance(setting, PathLike):
        return fspath(setting)
    if is_number(setting):
        return int(setting) if is_whole(setting) else float(setting)
    return setting

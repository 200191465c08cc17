"""The page of every step that a recipe may name."""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from typing import Any, cast

from page_pieces import docstring, link, table

from singleout.recipe.steps.catalogue import STEPS
from singleout.recipe.steps.step import Step

ABOUT = """\
What `singleout deidentify apply` can be told to do by a recipe. A recipe is a file of steps (its
[other keys](settings.md#recipes)); a step changes only the columns it names. Some steps want one of several
parameters: the text says which. `seed` is the step's own, for draws that stay the same when
other steps change."""


def steps_page() -> str:
    rows = [[link(f"`{name}`", _heading(name)), _first(step)] for name, step in STEPS.items()]
    lines = ["# Steps of a recipe", "", ABOUT, "", *table(["step", "what it does"], rows)]
    for name, step in STEPS.items():
        lines += [f"## {_heading(name)}", "", *docstring(step)]
        lines += table(["parameter", "default"], _parameters(step))
    return "\n".join(lines)


def _heading(name: str) -> str:
    return f"Step `{name}`"


def _first(step: type[Step]) -> str:
    return " ".join(docstring(step)[: docstring(step).index("")])


def _parameters(step: type[Step]) -> list[list[str]]:
    found = []
    for each in fields(cast("Any", step)):
        needed = each.default is MISSING and each.default_factory is MISSING
        default = each.default if each.default_factory is MISSING else each.default_factory()
        found.append([f"`{each.name}`", "must be given" if needed else _toml(default)])
    return found


def _toml(value: object) -> str:
    return "none" if value is None else "empty" if value == () else f"`{json.dumps(value)}`"

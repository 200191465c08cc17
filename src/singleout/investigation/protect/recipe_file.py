"""The recipe as a file that `deidentify apply` reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from singleout.recipe.recipe import Recipe


def recipe_text(content: Mapping[str, Any], says: str = "") -> str:
    """In TOML, below what it `says` of itself; what no steps can say in JSON, as a diary is.

    >>> print(recipe_text({"user": "who", "step": [{"step": "generalise", "levels": [{"type": "raw"}]}]}))
    user = "who"
    <BLANKLINE>
    [[step]]
    step = "generalise"
    levels = [{"type" = "raw"}]
    <BLANKLINE>
    """
    if "command" in content:
        return f"{json.dumps(content, ensure_ascii=False, indent=1)}\n"
    lines = [f"# {each}" for each in says.splitlines()]
    lines += [f"{name} = {_value(each)}" for name, each in content.items() if name != "step"]
    for step in content["step"]:
        lines += ["", "[[step]]", *(f"{name} = {_value(each)}" for name, each in step.items())]
    return "\n".join([*lines, ""])


def recoding_content(content: Mapping[str, Any], recipe: Recipe) -> dict[str, Any]:
    """The levels of each record can't be said by steps: they are told as the diary of local recoding is."""
    assert recipe.recoded is not None
    return {
        "command": "protect",
        "user": content.get("user"),
        "missing": "value",
        "counted": list(recipe.recoded.columns),
        "released_columns": list(content["columns"]),
        "step": list(content["step"]),
        "recoded": recipe.recoded.to_dict(),
    }


def dummies_content(content: Mapping[str, Any], recipe: Recipe, bound: float) -> dict[str, Any]:
    """Steps, and then dummies: told as the diary of these, with the commands that repeat both."""
    steps = [dict(each) for each in content["step"] if each["step"] != "pseudonymise"]
    dummies = f"singleout deidentify dummies COARSE --user {content['user']} --item {recipe.dummies}"
    return {
        "command": "deidentify dummies",
        "user": content["user"],
        "item": recipe.dummies,
        "parameters": {"released": list(recipe.columns or ()), "edit": "add", "bound": bound},
        "columns": list(content["columns"]),
        "step": steps,
        "repeat": [
            "singleout deidentify apply TABLE --recipe STEPS --out COARSE, by these steps and columns",
            f"{dummies} --recognised {bound} --out RELEASE --truth WHO",
        ],
    }


def _value(value: Any) -> str:
    """JSON's texts and numbers are TOML's too, but for the one control character that JSON leaves alone."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_value(str(name))} = {_value(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False, default=str).replace("\x7f", "\\u007F")

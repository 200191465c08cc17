"""How the names of people in a release were made, as far as its recipe says so and they look like it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from singleout.errors import SingleoutError
from singleout.policy.check_settings import Inquiry
from singleout.recipe.pseudonyms import may_be_pseudonyms
from singleout.recipe.recipe import recipe_of
from singleout.recipe.trace import Renamed

NameOrigin = Literal["unknown", "drawn", "keyed"]


def name_origin(inquiry: Inquiry, names: Iterable[str]) -> NameOrigin:
    """The last step of the recipe that renames people decides; names of another form are not from it."""
    steps = _renaming_steps(inquiry)
    if not steps or not may_be_pseudonyms(names, steps[-1].keyed):
        return "unknown"
    return "keyed" if steps[-1].keyed else "drawn"


def _renaming_steps(inquiry: Inquiry) -> list[Renamed]:
    given = inquiry.said.get("recipe")
    if given is None:
        return []
    try:
        recipe = recipe_of(given, inquiry.said.get("hierarchies"))
    except SingleoutError:  # rules about attacks tell it, where there are any
        return []
    user = recipe.user or inquiry.original_user
    return [
        placed.step.trace
        for placed in recipe.steps
        if isinstance(placed.step.trace, Renamed)
        and placed.table == "history"
        and (not placed.step.columns or user in placed.step.columns)
    ]

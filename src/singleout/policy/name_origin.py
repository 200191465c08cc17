"""What a recipe says of a release that no table shows: how names were made, and who was drawn by chance."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from singleout.errors import SingleoutError
from singleout.policy.check_settings import Inquiry
from singleout.recipe.pseudonyms import may_be_pseudonyms
from singleout.recipe.recipe import Recipe, recipe_of
from singleout.recipe.trace import Renamed, Thinned

NameOrigin = Literal["unknown", "drawn", "keyed"]


def name_origin(inquiry: Inquiry, names: Iterable[str]) -> NameOrigin:
    """The last step of the recipe that renames people decides; names of another form are not from it."""
    steps = _renaming_steps(inquiry)
    if not steps or not may_be_pseudonyms(names, steps[-1].keyed):
        return "unknown"
    return "keyed" if steps[-1].keyed else "drawn"


def leaves_out_by_chance(inquiry: Inquiry) -> bool:
    """Whether the recipe says that people or records were left out by a draw."""
    recipe = _recipe(inquiry)
    return recipe is not None and any(isinstance(each.step.trace, Thinned) for each in recipe.steps)


def _renaming_steps(inquiry: Inquiry) -> list[Renamed]:
    recipe = _recipe(inquiry)
    if recipe is None:
        return []
    user = recipe.user or inquiry.original_user
    return [
        placed.step.trace
        for placed in recipe.steps
        if isinstance(placed.step.trace, Renamed)
        and placed.table == "history"
        and (not placed.step.columns or user in placed.step.columns)
    ]


def _recipe(inquiry: Inquiry) -> Recipe | None:
    given = inquiry.said.get("recipe")
    if given is None:
        return None
    try:
        return recipe_of(given, inquiry.said.get("hierarchies"))
    except SingleoutError:  # rules about attacks tell it, where there are any
        return None

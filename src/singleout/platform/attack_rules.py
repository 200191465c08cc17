"""The rules of a contest's attack phase: how often teams may look, how coarsely, and who else plays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from singleout.checks import is_number, is_whole
from singleout.errors import name_hint

RecipeRule = Literal["none", "optional", "required"]
RECIPE_RULES: tuple[RecipeRule, ...] = get_args(RecipeRule)
MOST_LOOKS, MOST_CANDIDATES = 10_000, 100
LEAST_STEP, MOST_STEP = 0.001, 0.5
# what an attack phase adds to the phases of a contest, in this order
ATTACK_KINDS = ("shuffled", "published", "attack", "scored")


@dataclass(frozen=True)
class AttackRules:
    """Guesses are answered by looks: at most so many, told only when they beat the team's best by `step`.

    `candidates` is how many people may be named for one; `house` lets the attacks of the library play too;
    `recipes` is whether submissions carry the steps that they were made by, which are published with them.
    """

    looks_a_day: int = 5
    looks_in_all: int = 30
    step: float = 0.05
    candidates: int = 5
    house: bool = True
    recipes: RecipeRule = "none"

    def faults(self) -> Iterator[str]:
        numbers = {"looks_a_day": MOST_LOOKS, "looks_in_all": MOST_LOOKS, "candidates": MOST_CANDIDATES}
        for name, most in numbers.items():
            if not is_whole(value := getattr(self, name)) or not 1 <= value <= most:
                yield f"attack.{name}: must be a whole number from 1 to {most:,}"
        if not is_number(self.step) or not LEAST_STEP <= self.step <= MOST_STEP:
            yield f"attack.step: must be a number from {LEAST_STEP:g} to {MOST_STEP:g}"
        if self.house not in (True, False):
            yield "attack.house: write true or false"
        if self.recipes not in RECIPE_RULES:
            yield f"attack.recipes: {self.recipes!r} is none; {name_hint(str(self.recipes), RECIPE_RULES)}"

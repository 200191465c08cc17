"""The steps that a recipe may name."""

from __future__ import annotations

from singleout.recipe.steps.cut import Cut
from singleout.recipe.steps.generalise import Generalise
from singleout.recipe.steps.mean import Mean
from singleout.recipe.steps.microaggregate import Microaggregate
from singleout.recipe.steps.noise import Noise
from singleout.recipe.steps.pram import Pram
from singleout.recipe.steps.pseudonymise import Pseudonymise
from singleout.recipe.steps.remove_people import RemovePeople
from singleout.recipe.steps.round import Round
from singleout.recipe.steps.sample import Sample
from singleout.recipe.steps.shift_dates import ShiftDates
from singleout.recipe.steps.step import Step
from singleout.recipe.steps.suppress import Suppress
from singleout.recipe.steps.swap import Swap
from singleout.recipe.steps.top_bottom import TopBottom

KINDS: tuple[type[Step], ...] = (
    Pseudonymise,
    Suppress,
    Generalise,
    Round,
    TopBottom,
    Noise,
    Mean,
    Microaggregate,
    Swap,
    Pram,
    ShiftDates,
    Sample,
    RemovePeople,
    Cut,
)
STEPS: dict[str, type[Step]] = {kind.step: kind for kind in KINDS}

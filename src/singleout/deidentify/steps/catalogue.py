"""The steps that a recipe may name."""

from __future__ import annotations

from singleout.deidentify.steps.cut import Cut
from singleout.deidentify.steps.generalise import Generalise
from singleout.deidentify.steps.mean import Mean
from singleout.deidentify.steps.microaggregate import Microaggregate
from singleout.deidentify.steps.noise import Noise
from singleout.deidentify.steps.pram import Pram
from singleout.deidentify.steps.pseudonymise import Pseudonymise
from singleout.deidentify.steps.remove_people import RemovePeople
from singleout.deidentify.steps.round import Round
from singleout.deidentify.steps.sample import Sample
from singleout.deidentify.steps.shift_dates import ShiftDates
from singleout.deidentify.steps.step import Step
from singleout.deidentify.steps.suppress import Suppress
from singleout.deidentify.steps.swap import Swap
from singleout.deidentify.steps.top_bottom import TopBottom

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

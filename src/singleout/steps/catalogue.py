"""The steps that a recipe may name."""

from __future__ import annotations

from singleout.steps.cut import Cut
from singleout.steps.generalise import Generalise
from singleout.steps.mean import Mean
from singleout.steps.microaggregate import Microaggregate
from singleout.steps.noise import Noise
from singleout.steps.pram import Pram
from singleout.steps.pseudonymise import Pseudonymise
from singleout.steps.remove_people import RemovePeople
from singleout.steps.round import Round
from singleout.steps.sample import Sample
from singleout.steps.shift_dates import ShiftDates
from singleout.steps.step import Step
from singleout.steps.suppress import Suppress
from singleout.steps.swap import Swap
from singleout.steps.top_bottom import TopBottom

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

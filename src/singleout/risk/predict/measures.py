"""The measures of `predict`: what is not here is not in the documentation."""

from __future__ import annotations

from singleout.measurement import Measure
from singleout.risk.predict import attribute_dependency as dependency
from singleout.risk.predict import entropy_rules as rules
from singleout.risk.predict import frequent_tuples as frequent
from singleout.risk.predict import people_prediction
from singleout.risk.predict import random_shuffle as shuffling

PREDICTION_MEASURES: tuple[Measure, ...] = (
    shuffling.PREDICTED_ORR,
    people_prediction.PREDICTED_PEOPLE_RISK,
    dependency.GAIN_RATIO,
    frequent.CONFIDENCE,
    rules.MAXIMUM,
    rules.EXPERIENCE,
    rules.RANDOM,
    rules.TARGET,
)

"""The measures of `assess`: what is not here is not in the documentation."""

from __future__ import annotations

from singleout.measurement import Measure
from singleout.risk import attribute_risk as attribute
from singleout.risk import equivalence_classes as classes
from singleout.risk.assess import sampling

ASSESSMENT_MEASURES: tuple[Measure, ...] = (
    attribute.VALUES,
    attribute.ALPHA,
    attribute.RISK,
    attribute.LOW_COST,
    attribute.LOW_COST_ERROR,
    attribute.LOW_COST_FLOOR,
    sampling.SAMPLED_RISK,
    classes.CLASSES,
    classes.K,
    classes.UNIQUE,
    classes.HIGHEST_RISK,
    classes.AVERAGE_RISK,
    classes.ENTROPY,
    classes.PEOPLE_K,
    classes.PEOPLE_UNIQUE,
    classes.PEOPLE_HIGHEST_RISK,
    classes.PEOPLE_AVERAGE_RISK,
    classes.PEOPLE_ALONE,
)

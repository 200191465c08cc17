"""The list of all risk measures: what is not here is not in the documentation."""

from __future__ import annotations

from singleout.risk.assess.measures import ASSESSMENT_MEASURES as ASSESSMENT_MEASURES
from singleout.risk.attribute_disclosure import SENSITIVE_MEASURES as SENSITIVE_MEASURES
from singleout.risk.combinations.measures import COMBINATION_MEASURES as COMBINATION_MEASURES
from singleout.risk.entropy.measures import DISCLOSURE_MEASURES as DISCLOSURE_MEASURES
from singleout.risk.k_map import REFERENCE_MEASURES as REFERENCE_MEASURES
from singleout.risk.population.individual_risk import WEIGHTED_MEASURES as WEIGHTED_MEASURES
from singleout.risk.population.log_linear import LOG_LINEAR_MEASURES as LOG_LINEAR_MEASURES
from singleout.risk.population.measures import POPULATION_MEASURES as POPULATION_MEASURES
from singleout.risk.predict.measures import PREDICTION_MEASURES as PREDICTION_MEASURES
from singleout.risk.sketch import SKETCH_MEASURES as SKETCH_MEASURES

MEASURES = (
    *ASSESSMENT_MEASURES,
    *DISCLOSURE_MEASURES,
    *PREDICTION_MEASURES,
    *COMBINATION_MEASURES,
    *SENSITIVE_MEASURES,
    *POPULATION_MEASURES,
    *REFERENCE_MEASURES,
    *WEIGHTED_MEASURES,
    *SKETCH_MEASURES,
    *LOG_LINEAR_MEASURES,
)

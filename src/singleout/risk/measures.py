"""The list of all risk measures: what is not here is not in the documentation."""

from __future__ import annotations

from singleout.measurement import Measure
from singleout.risk import l_diversity_t_closeness
from singleout.risk.assess.measures import ASSESSMENT_MEASURES as ASSESSMENT_MEASURES
from singleout.risk.combinations.measures import COMBINATION_MEASURES as COMBINATION_MEASURES
from singleout.risk.entropy.measures import DISCLOSURE_MEASURES as DISCLOSURE_MEASURES
from singleout.risk.predict.measures import PREDICTION_MEASURES as PREDICTION_MEASURES

GENERALISATION_MEASURES: tuple[Measure, ...] = (
    l_diversity_t_closeness.DIVERSITY,
    l_diversity_t_closeness.CLOSENESS,
)
MEASURES = (
    *ASSESSMENT_MEASURES,
    *DISCLOSURE_MEASURES,
    *PREDICTION_MEASURES,
    *COMBINATION_MEASURES,
    *GENERALISATION_MEASURES,
)

"""The measures of `combinations`: what is not here is not in the documentation."""

from __future__ import annotations

from singleout.measurement import Measure
from singleout.risk.combinations import set_risk as set_measures
from singleout.risk.combinations import suda, synergy

COMBINATION_MEASURES: tuple[Measure, ...] = (
    set_measures.SMALLEST_CLASS,
    set_measures.RECORDS_AT_RISK,
    set_measures.PEOPLE_AT_RISK,
    set_measures.HIGHEST_RISK,
    set_measures.AVERAGE_RISK,
    synergy.HIGHEST_SYNERGY,
    synergy.MEAN_SYNERGY,
    synergy.SHARE_ABOVE,
    suda.MINIMAL_SETS,
    suda.SMALLEST_SET,
    suda.SCORE,
    suda.CONTRIBUTION,
    suda.DIS_SUDA,
)

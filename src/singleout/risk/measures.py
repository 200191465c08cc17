"""The list of all risk measures: what is not here is not in the documentation."""

from __future__ import annotations

from singleout.measurement import Measure
from singleout.risk import (
    amounts,
    attribute,
    chance,
    classes,
    dependency,
    diversity,
    frequent,
    information,
    joint,
    known_records,
    likeness,
    posterior,
    rare,
    rules,
    sampling,
    set_measures,
    shuffling,
    suda,
    synergy,
)

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
DISCLOSURE_MEASURES: tuple[Measure, ...] = (
    information.H_USER,
    information.H_USER_GIVEN,
    information.INFORMATION,
    chance.CHANCE_INFORMATION,
    information.PROBABILITY_BEFORE,
    information.PROBABILITY,
    information.GUESS_BEFORE,
    information.BEST_GUESS,
    chance.CHANCE_BEST_GUESS,
    joint.SUM_OF_PARTS,
    joint.PARTS,
    joint.OVERLAP,
    joint.PRINTED_GUESS,
    posterior.POSTERIOR,
    known_records.SUCCESS_AFTER,
    rare.RARE_SHARE,
    likeness.JACCARD_DISTANCE,
    amounts.CORRELATION,
)
PREDICTION_MEASURES: tuple[Measure, ...] = (
    shuffling.PREDICTED_ORR,
    dependency.GAIN_RATIO,
    frequent.CONFIDENCE,
    rules.MAXIMUM,
    rules.EXPERIENCE,
    rules.RANDOM,
    rules.TARGET,
)
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
GENERALISATION_MEASURES: tuple[Measure, ...] = (diversity.DIVERSITY, diversity.CLOSENESS)
MEASURES = (
    *ASSESSMENT_MEASURES,
    *DISCLOSURE_MEASURES,
    *PREDICTION_MEASURES,
    *COMBINATION_MEASURES,
    *GENERALISATION_MEASURES,
)

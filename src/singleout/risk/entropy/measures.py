"""The measures of `entropy`: what is not here is not in the documentation."""

from __future__ import annotations

from singleout.measurement import Measure
from singleout.risk.entropy import amount_correlation as amounts
from singleout.risk.entropy import chance_baseline as chance
from singleout.risk.entropy import jaccard_distance as likeness
from singleout.risk.entropy import joint_domains as joint
from singleout.risk.entropy import known_records, posterior
from singleout.risk.entropy import mutual_information as information
from singleout.risk.entropy import rare_values as rare

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

"""Synergy: how many times riskier a combination of attributes is than the riskiest of them alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts
from singleout.engine.column_sets.synergy_counts import SynergyCounts
from singleout.errors import UsageError
from singleout.measurement import Measure
from singleout.risk.combinations.attribute_sets import exact_fraction
from singleout.risk.combinations.set_risk import ONCE

PAPER = "Anon. n.d., Algorithm 5, with z as corrected"

HIGHEST_SYNERGY = Measure(
    name="set.highest_synergy",
    title="highest synergy",
    question="How many times riskier than its riskiest attribute is it, for the record it hits most?",
    formula="max over records of z = min over attributes of people with the value / people in the class",
    unit="times",
    lowest=1,
    highest=None,
    better="lower",
    counted_over="records",
    missing=ONCE,
    reference=PAPER,
)
MEAN_SYNERGY = Measure(
    name="set.mean_synergy",
    title="mean synergy",
    question="How many times riskier than its riskiest attribute is the combination, on average?",
    formula="mean over records of z",
    unit="times",
    lowest=1,
    highest=None,
    better="lower",
    counted_over="records",
    missing=ONCE,
    reference=PAPER,
)
SHARE_ABOVE = Measure(
    name="set.synergy_share",
    title="share above",
    question="For what share of the records is the synergy above the criterion?",
    formula="records with z > y / records",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    missing=ONCE,
    reference=PAPER,
)


@dataclass(frozen=True)
class Synergy:
    """What a combination tells beyond its parts; `records_above` have a synergy above the criterion."""

    columns: tuple[str, ...]
    highest_synergy: float
    mean_synergy: float
    share: float
    highest_risk: float
    records_above: int


@dataclass(frozen=True)
class Threshold:
    """The criterion y: a synergy above it is told.

    >>> Threshold(0.5)
    Traceback (most recent call last):
    singleout.errors.UsageError: synergy: 0.5 is always exceeded; write 1 or more
    """

    least: float | Fraction

    def __post_init__(self) -> None:
        if not math.isfinite(self.least):
            raise UsageError(f"synergy: {self.least} is no number of times; write 1 or more")
        if self.least < 1:
            raise UsageError(f"synergy: {self.least} is always exceeded; write 1 or more")

    def is_exceeded(self, least: Counts, people: Counts) -> NDArray[numpy.bool_]:
        """Where least / people is above y, compared in whole numbers."""
        line = exact_fraction(self.least)
        top, bottom = line.numerator, line.denominator
        if max(int(least.max(initial=0)) * bottom, int(people.max(initial=0)) * top) >= 1 << 62:
            return least / people > float(line)
        above: NDArray[Any] = least * bottom > people * top
        return above


def synergy(columns: tuple[str, ...], parts: SynergyCounts, criterion: Threshold) -> Synergy:
    """How far is the combination riskier than its parts?

    >>> alone_by_both = SynergyCounts.of([(1, 1, 2, 4)])
    >>> synergy(("sex", "town"), alone_by_both, Threshold(1)).highest_synergy
    2.0
    """
    ratios = parts.least / parts.people
    records = parts.records * parts.classes
    total = int(records.sum())
    above = int(records[criterion.is_exceeded(parts.least, parts.people)].sum())
    return Synergy(
        columns=columns,
        highest_synergy=float(ratios.max()),
        mean_synergy=math.fsum((ratios * records).tolist()) / total,
        share=above / total,
        highest_risk=1 / int(parts.people.min()),
        records_above=above,
    )


def ranked_synergies(synergies: list[Synergy]) -> tuple[Synergy, ...]:
    """Those above the criterion for some record, the highest first."""
    kept = [each for each in synergies if each.records_above]
    return tuple(sorted(kept, key=lambda each: (-each.highest_synergy, -each.mean_synergy, each.columns)))

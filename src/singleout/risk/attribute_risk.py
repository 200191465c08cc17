"""Ito et al. 2019: how risky an attribute is to an attacker who happens to learn one value of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy

from singleout.engine.class_sizes import Sizes
from singleout.errors import InputError
from singleout.measurement import Measure, Measurement

OVERLAP = "where a missing value matches everything, a value's people no longer bound its records"

VALUES = Measure(
    name="values",
    title="values",
    question="How many different values does the attribute have?",
    formula="|D_X|",
    unit="values",
    lowest=1,
    highest=None,
    better="neither",
    counted_over="values",
    reference="Ito et al. 2019, Definition 1",
)
ALPHA = Measure(
    name="alpha",
    title="records a person",
    question="How many records has a person with a value, on average over the values?",
    formula="α_X = mean over values x of |R_x| / |U_x|",
    unit="records",
    lowest=1,
    highest=None,
    better="lower",
    counted_over="values",
    reference="Ito et al. 2019, Definition 4",
)
RISK = Measure(
    name="risk",
    title="risk (mean identification probability)",
    question="An attacker learns the value of a random record: how likely does it give away the person?",
    formula="R(X) = (1/m) Σ over values x of |R_x|/|U_x| = mean over records of 1/|U_x|",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    reference="Ito et al. 2019, Definitions 5 and 6 (mean identification probability)",
)
LOW_COST = Measure(
    name="low_cost",
    title="low-cost risk",
    question="What would the risk be if nobody had a value twice?",
    formula="R_cost = |D_X| / m, never above the risk",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    reference="Ito et al. 2019, Definition 7",
)
LOW_COST_ERROR = Measure(
    name="low_cost_error",
    title="its error",
    question="How far below the risk is the low-cost model, as a share of the risk?",
    formula="|1 − 1/α_X|",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="values",
    reference="Ito et al. 2019, Theorem 1; Table 4 prints it without the bars",
)
LOW_COST_FLOOR = Measure(
    name="low_cost_floor",
    title="best floor",
    question="What risk is certain from the value counts and the number of people alone?",
    formula="Σ over values of max(1, |R_x|/n) / m",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    reference="ours: |U_x| is at most the smaller of |R_x| and n",
)


@dataclass(frozen=True)
class AttributeRisk:
    """The exact model (the mean model is the same number) beside the low-cost one."""

    columns: tuple[str, ...]
    records: int
    values: Measurement
    alpha: Measurement
    risk: Measurement
    low_cost: Measurement
    low_cost_error: Measurement
    low_cost_floor: Measurement

    @property
    def name(self) -> str:
        return "+".join(self.columns)


def attribute_risk(columns: tuple[str, ...], sizes: Sizes, people: int) -> AttributeRisk:
    """All three from the list of (records, people) of the values.

    >>> date = Sizes.of([(4, 2, 1), (3, 2, 1), (3, 1, 1)])  # Ito et al. 2019, Table 3
    >>> attribute_risk(("date",), date, people=3).risk.value
    0.65
    """
    if not sizes.total_records:
        raise InputError(f"column {'+'.join(columns)}: there are no records with a value in it")
    records, values = sizes.total_records, sizes.total_groups
    alphas = math.fsum((sizes.own / sizes.people).tolist())
    floor = math.fsum((sizes.groups * numpy.maximum(1, sizes.records / people)).tolist()) / records
    alpha = alphas / values

    def unless_overlapping(measure: Measure, value: float) -> Measurement:
        return Measurement(measure, None, OVERLAP) if sizes.overlapping else Measurement(measure, value)

    return AttributeRisk(
        columns=columns,
        records=records,
        values=Measurement(VALUES, values),
        alpha=unless_overlapping(ALPHA, alpha),
        risk=Measurement(RISK, alphas / records),
        low_cost=unless_overlapping(LOW_COST, values / records),
        low_cost_error=unless_overlapping(LOW_COST_ERROR, abs(1 - 1 / alpha)),
        low_cost_floor=unless_overlapping(LOW_COST_FLOOR, floor),
    )

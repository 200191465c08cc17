"""What is told of a set of attributes: its measures, and their values for each counted set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from singleout.engine.column_sets.set_counts import SetCounts
from singleout.measurement import Measure
from singleout.risk.combinations.attribute_sets import names_of

ONCE = "a missing value is a value; under the rule drop its record is left out of every set alike"

SMALLEST_CLASS = Measure(
    name="set.smallest_class",
    title="smallest class (k-anonymity)",
    question="How few people share a value combination of these attributes, where sharing is least?",
    formula="min over classes of the people in it; each record is its own person where no user is named",
    unit="people",
    lowest=1,
    highest=None,
    better="higher",
    counted_over="classes",
    missing=ONCE,
    reference="Anon. n.d., Algorithms 1 and 4",
)
RECORDS_AT_RISK = Measure(
    name="set.records_at_risk",
    title="records at risk",
    question="How many records are in a class that is too small?",
    formula="records in classes of at most N people",
    unit="records",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="records",
    missing=ONCE,
    reference="Anon. n.d., Algorithm 4",
)
PEOPLE_AT_RISK = Measure(
    name="set.people_at_risk",
    title="people at risk",
    question="How many people have a record in a class that is too small?",
    formula="people with at least one record in a class of at most N people",
    unit="people",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="people",
    missing=ONCE,
    reference="Anon. n.d., Algorithm 4, counted in people",
)
HIGHEST_RISK = Measure(
    name="set.highest_risk",
    title="highest risk of a set (prosecutor risk)",
    question="With what probability is the least protected record's person found by these attributes?",
    formula="1 / smallest class",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    missing=ONCE,
    reference="Anon. n.d., Algorithm 3",
)
AVERAGE_RISK = Measure(
    name="set.average_risk",
    title="average risk of a set (prosecutor risk)",
    question="With what probability is a record's person found by these attributes, on average?",
    formula="mean over records of 1 / people in the class",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    missing=ONCE,
    reference="Anon. n.d., Algorithm 3; Yang et al. 2020, Definition 2 where no user is named",
)


@dataclass(frozen=True)
class SetRisk:
    """The risk of one set of attributes."""

    columns: tuple[str, ...]
    smallest_class: int
    records_at_risk: int
    people_at_risk: int
    highest_risk: float
    average_risk: float


def set_risks(counts: SetCounts, columns: Sequence[str]) -> tuple[SetRisk, ...]:
    """The risk of each counted set, in their order."""
    return tuple(
        SetRisk(names_of(mask, columns), *numbers)
        for mask, *numbers in zip(
            counts.sets.tolist(),
            counts.smallest.tolist(),
            counts.at_risk.tolist(),
            counts.people_at_risk.tolist(),
            counts.highest_risk.tolist(),
            counts.average_risk.tolist(),
            strict=True,
        )
    )

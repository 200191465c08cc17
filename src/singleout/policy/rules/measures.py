"""Measures that only rules ask for: shares of what is counted, and how little knowledge is too much."""

from __future__ import annotations

from singleout.measurement import Measure
from singleout.risk.combinations.set_risk import ONCE

UNIQUE_SHARE = Measure(
    name="unique_share",
    title="share of unique records",
    question="What share of the records are the only ones of their kind?",
    formula="records in classes of size 1 / records",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    reference="Anon. n.d., Algorithm 3; the share of sample uniques in ARX",
)
PEOPLE_UNIQUE_SHARE = Measure(
    name="people.unique_share",
    title="share of records of one person",
    question="What share of the records has a value combination that one person only has?",
    formula="records in classes of one person / records",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    reference="Ito et al. 2019, Definition 3 with |U_x| = 1",
)
PEOPLE_ALONE_SHARE = Measure(
    name="people_alone_share",
    title="share of people singled out",
    question="What share of the people has a record whose value combination nobody else has?",
    formula="people with at least one record in a class that holds only them / people",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    reference="Ito et al. 2019, Definition 3 with |U_x| = 1",
)
SMALLEST_RISKY_SET = Measure(
    name="combinations.smallest_risky_set",
    title="smallest risky set",
    question="How many attributes must somebody know to find a class that is too small?",
    formula="the fewest columns of a set with a class of at most N people; columns + 1 if no set has one",
    unit="attributes",
    lowest=0,
    highest=None,
    better="higher",
    counted_over="classes",
    missing=ONCE,
    reference="Anon. n.d., Algorithm 4",
)
CERTAIN = Measure(
    name="attack.certain",
    title="certain",
    question="How many people of the release does the attack recognise without a doubt?",
    formula="people of the release whose right person is a better candidate than all others",
    unit="people",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="people",
    missing="a missing value is a value; with the rule drop, what misses one the attack looks at is left out",
    reference="Ito et al. 2020, Definition 4, without ties",
)
CHECK_MEASURES = (UNIQUE_SHARE, PEOPLE_UNIQUE_SHARE, PEOPLE_ALONE_SHARE, SMALLEST_RISKY_SET, CERTAIN)

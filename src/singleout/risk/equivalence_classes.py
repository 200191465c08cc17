"""What follows from groups of look-alike records: k, uniqueness, highest and average risk, entropy."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy

from singleout.engine.class_sizes import Sizes
from singleout.errors import InputError
from singleout.measurement import Measure, Measurement

OVERLAP = "groups overlap where a missing value matches everything"

K = Measure(
    name="k",
    title="smallest class (k-anonymity)",
    question="How many look-alikes does the least protected record have, itself included?",
    formula="k = min over classes of the class size",
    unit="records",
    lowest=1,
    highest=None,
    better="higher",
    counted_over="classes",
    reference="Sweeney 2002; Anon. n.d., Algorithm 2",
)
CLASSES = Measure(
    name="classes",
    title="classes (equivalence classes)",
    question="How many different value combinations are there?",
    formula="number of distinct value tuples",
    unit="classes",
    lowest=1,
    highest=None,
    better="lower",
    counted_over="classes",
    reference="Anon. n.d., Algorithm 1",
)
UNIQUE = Measure(
    name="unique",
    title="unique records (sample uniques)",
    question="How many records are the only ones of their kind?",
    formula="records in classes of size 1",
    unit="records",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="records",
    reference="Anon. n.d., Algorithm 3; sample uniques in ARX",
)
HIGHEST_RISK = Measure(
    name="highest_risk",
    title="highest risk (prosecutor risk)",
    question="With what probability is the least protected record re-identified?",
    formula="1 / k",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    reference="Anon. n.d., Algorithm 3; highest prosecutor risk in ARX",
)
AVERAGE_RISK = Measure(
    name="average_risk",
    title="average risk (prosecutor risk, ORR)",
    question="With what probability is a record re-identified, on average over records?",
    formula="mean over records of 1 / class size = classes / records",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    reference="Yang et al. 2020, Definition 2 (ORR); average prosecutor risk in ARX",
)
ENTROPY = Measure(
    name="entropy",
    title="entropy",
    question="How much does a record's value combination tell, in bits?",
    formula="−Σ over classes of (size/records)·log2(size/records)",
    unit="bits",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="records",
    reference="Yang et al. 2020, Definition 6",
)
PEOPLE_K = Measure(
    name="people.k",
    title="fewest people (k-anonymity)",
    question="How few people share a value combination, where sharing is least?",
    formula="min over classes of the number of people in it",
    unit="people",
    lowest=1,
    highest=None,
    better="higher",
    counted_over="classes",
    reference="Ito et al. 2019, Definition 1",
)
PEOPLE_UNIQUE = Measure(
    name="people.unique",
    title="records of one person",
    question="How many records have a value combination that one person only has?",
    formula="records in classes of one person",
    unit="records",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="records",
    reference="Ito et al. 2019, Definition 3 with |U_x| = 1",
)
PEOPLE_HIGHEST_RISK = Measure(
    name="people.highest_risk",
    title="highest risk by people (prosecutor risk)",
    question="With what probability is the least protected record's person found?",
    formula="1 / fewest people",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    reference="Ito et al. 2019, Definition 3",
)
PEOPLE_AVERAGE_RISK = Measure(
    name="people.average_risk",
    title="average risk by people (prosecutor risk)",
    question="With what probability is a record's person found, on average?",
    formula="mean over records of 1 / people in the class",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    reference="Ito et al. 2019, Definition 5, for a tuple of attributes",
)
PEOPLE_ALONE = Measure(
    name="people_alone",
    title="people singled out",
    question="How many people have a record whose value combination nobody else has?",
    formula="people with at least one record in a class that holds only them",
    unit="people",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="people",
    reference="Ito et al. 2019, Definition 3 with |U_x| = 1",
)


@dataclass(frozen=True)
class Point:
    """`share` of the records have a risk of at most `risk`."""

    risk: float
    share: float


@dataclass(frozen=True)
class Exposure:
    """How exposed the records are, a class's size counted either in records or in people."""

    k: Measurement
    unique: Measurement
    highest_risk: Measurement
    average_risk: Measurement
    curve: tuple[Point, ...]


@dataclass(frozen=True)
class Classes:
    """The classes of one set of columns. For a history, look at `by_people`: a person may be many records."""

    columns: tuple[str, ...]
    records: int
    classes: Measurement
    entropy: Measurement
    by_records: Exposure
    by_people: Exposure | None = None
    people_alone: Measurement | None = None


def classes(columns: tuple[str, ...], sizes: Sizes) -> Classes:
    """The class measures of a table with one record a person, from one short list.

    >>> two_alike_one_alone = Sizes.of([(2, 2, 1), (1, 1, 1)])
    >>> classes(("zip",), two_alike_one_alone).by_records.average_risk.value
    0.6666666666666666
    """
    if not sizes.total_records:
        raise InputError(f"there are no records to group by {', '.join(columns) or 'nothing'}")
    return Classes(
        columns=columns,
        records=sizes.total_records,
        classes=_class_measurement(CLASSES, sizes, sizes.total_groups),
        entropy=_class_measurement(ENTROPY, sizes, entropy(sizes)),
        by_records=exposure(sizes, K, UNIQUE, HIGHEST_RISK, AVERAGE_RISK),
    )


def history_classes(columns: tuple[str, ...], sizes: Sizes, people_alone: int | None) -> Classes:
    """The same for a history, counted in people too; `people_alone` is None where groups overlap."""
    return replace(
        classes(columns, sizes),
        by_people=exposure(
            sizes.by_people(), PEOPLE_K, PEOPLE_UNIQUE, PEOPLE_HIGHEST_RISK, PEOPLE_AVERAGE_RISK
        ),
        people_alone=Measurement(PEOPLE_ALONE, people_alone, OVERLAP if people_alone is None else None),
    )


def exposure(sizes: Sizes, k: Measure, unique: Measure, highest: Measure, average: Measure) -> Exposure:
    smallest = int(sizes.records.min())
    return Exposure(
        k=Measurement(k, smallest),
        unique=Measurement(unique, int(sizes.own[sizes.records == 1].sum())),
        highest_risk=Measurement(highest, 1 / smallest),
        average_risk=Measurement(average, average_risk(sizes)),
        curve=curve(sizes),
    )


def average_risk(sizes: Sizes) -> float:
    """Mean over records of 1 / class size; for plain classes exactly classes / records."""
    if not sizes.overlapping and (sizes.own == sizes.records * sizes.groups).all():
        return sizes.total_groups / sizes.total_records
    return math.fsum((sizes.own / sizes.records).tolist()) / sizes.total_records


def entropy(sizes: Sizes) -> float:
    """log2(m) − (1/m) Σ over classes of size·log2(size): no class's share is rounded."""
    weighted = math.fsum((sizes.own * numpy.log2(sizes.records)).tolist())
    return max(0.0, math.log2(sizes.total_records) - weighted / sizes.total_records)


def curve(sizes: Sizes) -> tuple[Point, ...]:
    """The cumulative distribution of risk over records, by rising risk."""
    by_size, indices = numpy.unique(sizes.records, return_inverse=True)
    own = numpy.zeros(len(by_size), dtype=numpy.int64)
    numpy.add.at(own, indices, sizes.own)
    shares = numpy.cumsum(own[::-1]) / sizes.total_records
    return tuple(
        Point(1 / size, share) for size, share in zip(by_size[::-1].tolist(), shares.tolist(), strict=True)
    )


def _class_measurement(measure: Measure, sizes: Sizes, value: float | int) -> Measurement:
    return Measurement(measure, None, OVERLAP) if sizes.overlapping else Measurement(measure, value)

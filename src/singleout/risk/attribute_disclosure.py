"""What classes of look-alikes give away of a sensitive column: all its measures, as one value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy

from singleout.engine.class_sizes import Counts
from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.numbering import join_codes
from singleout.engine.protocol import Engine, Question
from singleout.measurement import Measure, Measurement
from singleout.risk.beta_likeness import (
    ALPHA,
    BETA_BASIC,
    BETA_ENHANCED,
    DELTA,
    DELTA_OF_PRESENT,
    SKEW,
    basic_likeness,
    disclosures,
    enhanced_likeness,
    highest_shares,
    skews,
)
from singleout.risk.l_diversity import (
    DISTINCT_L,
    ENTROPY_L,
    RECURSIVE_C,
    distinct_values,
    effective_values,
    recursive_ratios,
)
from singleout.risk.rare_values import RARE_SHARE, rare_records
from singleout.risk.sensitive_readings import SensitiveReading, sensitive_readings
from singleout.risk.sensitive_values import MISSING, Flags, Reals, SensitiveCounts
from singleout.risk.t_closeness import (
    T_EQUAL,
    T_HIERARCHICAL,
    T_ORDERED,
    equal_distances,
    hierarchical_distances,
    ordered_distances,
)
from singleout.risk.value_order import OrderedBy, ValueOrder, ValueTree, value_order, value_tree
from singleout.roles.hierarchies.hierarchy import Hierarchy

FOLLOWS = "classes with a value that all their people have (homogeneous classes)"
CERTAIN_CLASSES = Measure(
    name="sensitive.certain_classes",
    title="classes that give a value away",
    question="In how many classes do all people have the same sensitive value?",
    formula=f"number of {FOLLOWS}",
    unit="classes",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="classes",
    missing=MISSING,
    reference="homogeneity attack; Machanavajjhala et al., l-Diversity, ACM TKDD 1(1), 2007",
)
CERTAIN_RECORDS = Measure(
    name="sensitive.certain_records",
    title="records whose class gives a value away",
    question="How many records are in such a class?",
    formula=f"records in {FOLLOWS}",
    unit="records",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="records",
    missing=MISSING,
    reference=CERTAIN_CLASSES.reference,
)
CERTAIN_PEOPLE = Measure(
    name="sensitive.certain_people",
    title="people whose value is given away",
    question="Of how many people does a sensitive value follow from what an attacker may know?",
    formula=f"people with a record in {FOLLOWS}; records, where no user is named",
    unit="people",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="people",
    missing=MISSING,
    reference=CERTAIN_CLASSES.reference,
)
CERTAIN_SHARE = Measure(
    name="sensitive.certain_share",
    title="share of people whose value is given away",
    question="Of what share of the people does a sensitive value follow from what an attacker may know?",
    formula=f"people with a record in {FOLLOWS} / people",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing=MISSING,
    reference=CERTAIN_CLASSES.reference,
)
SENSITIVE_MEASURES: tuple[Measure, ...] = (
    DISTINCT_L, ENTROPY_L, RECURSIVE_C, T_EQUAL, T_ORDERED, T_HIERARCHICAL, BETA_BASIC, BETA_ENHANCED, DELTA,
    DELTA_OF_PRESENT, ALPHA, SKEW, CERTAIN_CLASSES, CERTAIN_RECORDS, CERTAIN_PEOPLE, CERTAIN_SHARE,
    RARE_SHARE,
)  # fmt: skip

NO_ORDER = "its values are no numbers or dates, so that nothing says in which order they stand"
NO_HIERARCHY = "no hierarchy of this column was given"
NO_BETA = "no β holds: a value gains more than −ln of its share in the table"
NO_DELTA = "no δ holds: a class lacks a value that others have"
NO_RECORD = "no record has a value in all of these columns"
OVERLAP = "classes overlap where a missing value matches anything; take the missing rule value or drop"
TOO_FEW = "no c holds: a class has fewer than {} different values"


@dataclass(frozen=True)
class DiversityClasses:
    """The classes that have so many different values by the worst reading, the records in them, and
    people with a record there."""

    distinct: int
    classes: int
    records: int
    people: int


@dataclass(frozen=True)
class AttributeDisclosure:
    """One sensitive column beside the classes of the columns that an attacker may know.

    `recursive_l` is the l that `recursive_c` is for, `ordered_by` what the order of `t_ordered` is by.
    """

    column: str
    values: int | None
    records: int
    people: int
    classes: tuple[DiversityClasses, ...]
    distinct_l: Measurement
    entropy_l: Measurement
    recursive_c: Measurement
    recursive_l: int | None
    t_equal: Measurement
    t_ordered: Measurement
    t_hierarchical: Measurement
    beta_basic: Measurement
    beta_enhanced: Measurement
    delta: Measurement
    delta_of_present: Measurement
    alpha: Measurement
    skew: Measurement
    certain_classes: Measurement
    certain_records: Measurement
    certain_people: Measurement
    certain_share: Measurement
    rare_share: Measurement
    ordered_by: OrderedBy | None = None

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """All of them, in the order of the reference."""
        by_field = (getattr(self, each.name) for each in fields(self))
        return tuple(each for each in by_field if isinstance(each, Measurement))

    def to_dict(self) -> dict[str, Any]:
        """An entry of `sensitive` in the JSON document."""
        measured = {_short(each.measure): each.value for each in self.measurements}
        return {
            "column": self.column,
            "values": self.values,
            "records": self.records,
            "people": self.people,
            "classes": [vars(each).copy() for each in self.classes],
            **measured,
            "recursive_l": self.recursive_l,
            "ordered_by": self.ordered_by,
            "unknown": {_short(each.measure): each.reason for each in self.measurements if each.reason},
        }


def disclosure_of(
    counter: Engine,
    question: Question,
    hierarchy: Hierarchy | None = None,
    recursive_l: int | None = None,
    threads: int = 1,
) -> AttributeDisclosure:
    """The last of the question's columns beside the classes of the others; counted once for a command."""
    counted: dict[int | None, AttributeDisclosure] = counter.once("disclosures", question, dict)
    if hierarchy is None and recursive_l in counted:
        return counted[recursive_l]
    disclosure = _count_disclosure(counter, question, hierarchy, recursive_l, threads)
    if hierarchy is None:
        counted[recursive_l] = counted[disclosure.recursive_l] = disclosure
    return disclosure


def _count_disclosure(
    counter: Engine, question: Question, hierarchy: Hierarchy | None, recursive_l: int | None, threads: int
) -> AttributeDisclosure:
    *known, column = question.columns
    if question.missing == "wildcard":
        return unknown_disclosure(column, OVERLAP)
    coded = counter.coded_records(question)
    if not len(coded.record):
        return unknown_disclosure(column, NO_RECORD)
    *codes, values = map(Codes, coded.codes, coded.values)
    one_class = Codes(numpy.zeros(len(coded.record), dtype=numpy.uint32), 1)
    classes = join_codes(codes, threads) if known else one_class
    persons = None if coded.person is None else Codes(coded.person, coded.people)
    texts = counter.values(column, question)
    readings = tuple(sensitive_readings(classes, values, texts, persons, threads))
    rare = rare_records(values, texts, persons, threads)
    return _disclosure(column, classes, persons, readings, rare, hierarchy, recursive_l)


def unknown_disclosure(column: str, reason: str) -> AttributeDisclosure:
    """Nothing is known of the column, for the same reason."""
    unknown: dict[str, Any] = {_short(each): Measurement(each, None, reason) for each in SENSITIVE_MEASURES}
    return AttributeDisclosure(
        column=column, values=None, records=0, people=0, classes=(), recursive_l=None, **unknown
    )


def _disclosure(
    column: str,
    classes: Codes,
    persons: Codes | None,
    readings: Sequence[SensitiveReading],
    rare: Flags,
    hierarchy: Hierarchy | None,
    recursive_l: int | None,
) -> AttributeDisclosure:
    """The worst of all readings; unsaid, `recursive_l` is the fewest different values, or 2 if that is 1."""
    first = readings[0].counts
    distinct = _fewest_values(classes, readings)
    wanted = max(2, int(distinct.min())) if recursive_l is None else recursive_l
    orders = [value_order(each.texts) for each in readings]
    measured = [
        _measured(each.counts, order, value_tree(hierarchy, each.texts) if hierarchy else None, wanted)
        for each, order in zip(readings, orders, strict=True)
    ]
    worst: dict[str, Any] = {
        _short(several[0].measure): _worse(several) for several in zip(*measured, strict=True)
    }
    return AttributeDisclosure(
        column=column, values=int(numpy.count_nonzero(first.totals)), records=int(first.records.sum()),
        people=first.table_people, classes=_by_diversity(first, distinct),
        distinct_l=Measurement(DISTINCT_L, int(distinct.min())), recursive_l=wanted,
        **worst, **_certain(classes, persons, readings),
        rare_share=Measurement(RARE_SHARE, _people(rare, persons) / first.table_people),
        ordered_by=orders[0].by if orders[0] and worst["t_ordered"].value is not None else None,
    )  # fmt: skip


def _measured(
    counts: SensitiveCounts, order: ValueOrder | None, tree: ValueTree | None, recursive_l: int
) -> tuple[Measurement, ...]:
    """What is a number of the worst class, by one reading."""
    return (
        Measurement(ENTROPY_L, float(effective_values(counts).min())),
        _worst(RECURSIVE_C, recursive_ratios(counts, recursive_l), TOO_FEW.format(recursive_l)),
        _worst(T_EQUAL, equal_distances(counts)),
        _worst(T_ORDERED, ordered_distances(counts, order.ranks)) if order
        else Measurement(T_ORDERED, None, NO_ORDER),
        _worst(T_HIERARCHICAL, hierarchical_distances(counts, tree)) if tree
        else Measurement(T_HIERARCHICAL, None, NO_HIERARCHY),
        _worst(BETA_BASIC, basic_likeness(counts)),
        _worst(BETA_ENHANCED, enhanced_likeness(counts), NO_BETA),
        _worst(DELTA, disclosures(counts), NO_DELTA),
        _worst(DELTA_OF_PRESENT, disclosures(counts, of_present=True)),
        _worst(ALPHA, highest_shares(counts)),
        _worst(SKEW, skews(counts)),
    )  # fmt: skip


def _worse(several: Sequence[Measurement]) -> Measurement:
    """Of one measure by several readings; what is unknown by one of them is."""
    unknown = [each for each in several if each.value is None]
    highest = several[0].measure.better == "lower"
    return unknown[0] if unknown else (max if highest else min)(several, key=lambda each: each.known)


def _fewest_values(classes: Codes, readings: Sequence[SensitiveReading]) -> Counts:
    """Of each class, how many different values it has by the reading that finds fewest."""
    fewest = numpy.full(classes.count, numpy.iinfo(numpy.int64).max)
    for each in readings:
        numbers = each.class_numbers
        fewest[numbers] = numpy.minimum(fewest[numbers], distinct_values(each.counts))
    return fewest


def _certain(
    classes: Codes, persons: Codes | None, readings: Sequence[SensitiveReading]
) -> dict[str, Measurement]:
    """What is certain by any reading; of those without a value, nothing is where only the others count."""
    records = numpy.zeros(len(classes.codes), dtype=numpy.bool_)
    for each in readings:
        records |= each.of_records(each.counts.certain, classes)
    people = _people(records, persons)
    found = (
        Measurement(CERTAIN_CLASSES, len(numpy.unique(classes.codes[records]))),
        Measurement(CERTAIN_RECORDS, int(records.sum())),
        Measurement(CERTAIN_PEOPLE, people),
        Measurement(CERTAIN_SHARE, people / readings[0].counts.table_people),
    )
    return {_short(each.measure): each for each in found}


def _people(records: Flags, persons: Codes | None) -> int:
    """How many people have one of these records."""
    return int(records.sum()) if persons is None else len(numpy.unique(persons.codes[records]))


def _worst(measure: Measure, by_class: Reals, if_infinite: str | None = None) -> Measurement:
    worst = float(by_class.max())
    return Measurement(measure, worst) if numpy.isfinite(worst) else Measurement(measure, None, if_infinite)


def _by_diversity(counts: SensitiveCounts, distinct: Counts) -> tuple[DiversityClasses, ...]:
    numbers, groups = numpy.unique(distinct, return_inverse=True)
    records = numpy.bincount(groups, counts.records).astype(numpy.int64)
    columns = (numbers, numpy.bincount(groups), records, counts.people_in(groups))
    return tuple(DiversityClasses(*row) for row in zip(*(each.tolist() for each in columns), strict=True))


def _short(measure: Measure) -> str:
    """What its field is called."""
    return measure.name.removeprefix("sensitive.")

"""What the history of a payment card is still good for (Ito et al. n.d., U1 to U12)."""

from __future__ import annotations

import numpy

from singleout.engine.codes.histories import Code
from singleout.measurement import CountedOver, Measure
from singleout.utility.finding import Metric, metric
from singleout.utility.paired_columns import (
    CodedColumns,
    Counts,
    NoAnswerError,
    PairedColumns,
    Part,
    joint_codes,
)
from singleout.utility.record_days import day_codes
from singleout.utility.whole_amounts import MISSING, amounts

PEOPLE = "people of the original and made-up people of the release, who have nothing in the other table"


def _error(number: int, name: str, question: str, of: str, over: CountedOver, more: str = "") -> Measure:
    """The mean absolute error of what is added up or counted: fares, or else records."""
    return Measure(
        name=f"u{number}_{name}",
        title=f"U{number}: {name.replace('_', ' ')}",
        question=question,
        formula=f"mean over {of} in the original − in the release|{more}",
        unit="of the amount" if "fare" in name else "records",
        lowest=0,
        highest=None,
        better="lower",
        counted_over=over,
        missing=f"{MISSING}, any other missing value is a value",
        reference=f"Ito et al. n.d., U{number}",
    )


U1 = _error(1, "fare_by_person", "How far off is what a person paid?", f"{PEOPLE}, of |Σ fare", "people")
U2 = _error(
    2,
    "mean_fare_by_person",
    "How far off is a person's mean fare?",
    f"{PEOPLE}, of |mean fare",
    "people",
    "; 0 without records",
)
U3 = _error(
    3,
    "fare_by_day",
    "How far off is what was paid in a day?",
    "the days of either table of |Σ fare",
    "values",
)
U4 = _error(
    4,
    "records_by_person",
    "How far off is how many records a person has?",
    f"{PEOPLE}, of |records",
    "people",
)
U5 = _error(
    5,
    "records_by_day",
    "How far off is how many records a day has?",
    "the days of either table of |records",
    "values",
)
U6 = _error(
    6,
    "records_by_entry",
    "How far off is how many records enter at a point?",
    "the points of entry of either table of |records",
    "values",
)
U7 = _error(
    7,
    "records_by_exit",
    "How far off is how many records leave at a point?",
    "the points of exit of either table of |records",
    "values",
)
U8 = _error(
    8,
    "records_by_route",
    "How far off is how many records take a route?",
    "the routes of either table, those of each column by themselves and all in one list, of |records",
    "values",
)
U9 = _error(
    9,
    "records_by_location",
    "How far off is how many records a location has?",
    "the locations of either table of |records",
    "values",
)
U10 = _error(
    10,
    "records_by_category",
    "How far off is how many records a category has?",
    "the categories, as a card's usages, of either table of |records",
    "values",
)
U11 = _error(
    11,
    "fare_by_category_and_person",
    "How far off is a person's sum in a category?",
    f"all pairs of a category of either table and a person, of the {PEOPLE}, of |Σ fare",
    "people",
)
U12 = _error(
    12,
    "sorted_fares",
    "How far off are a person's single fares?",
    f"{PEOPLE}, and over places of |fare",
    "records",
    "; a person's fares are in rising order, the shorter list is filled up with 0 in front",
)


NO_RECORDS = "neither table has records"


def fare_by_person(compared: PairedColumns) -> float:
    """U1 of Ito et al. n.d.: the mean absolute error over people of what they paid."""
    people = _people(compared)
    return _sum_error(compared, people, people.count)


def mean_fare_by_person(compared: PairedColumns) -> float:
    """U2 of Ito et al. n.d.: the mean absolute error over people of their mean fare."""
    people, worth = _people(compared), amounts(compared)
    first, second = (
        sums / numpy.maximum(counts, 1)
        for sums, counts in zip(worth.sums(people), people.counts(), strict=True)
    )
    return float(numpy.abs(first - second).sum()) / people.count / worth.steps


def fare_by_day(compared: PairedColumns) -> float:
    """U3 of Ito et al. n.d.: the mean absolute error over days of what was paid."""
    days = day_codes(compared)
    return _sum_error(compared, days, _value_count(*days.counts()))


def records_by_person(compared: PairedColumns) -> float:
    """U4 of Ito et al. n.d.: the mean absolute error over people of the number of their records."""
    people = _people(compared)
    original, release = people.counts()
    return _difference(original, release) / people.count


def records_by_value(compared: PairedColumns, part: Part) -> float:
    """U6 to U10 of Ito et al. n.d.: the mean absolute error over values of the number of their records."""
    return _count_error([compared.codes(column) for column in compared.meaning.of(part)])


def fare_by_category_and_person(compared: PairedColumns) -> float:
    """U11 of Ito et al. n.d.: the mean absolute error over categories and people of what was paid."""
    people = _people(compared)
    (column,) = compared.meaning.of("category")
    category = compared.codes(column)
    cells = joint_codes([category, people], compared.threads)
    return _sum_error(compared, cells, _value_count(*category.counts()) * people.count)


def sorted_fares(compared: PairedColumns) -> float:
    """U12 of Ito et al. n.d.: the mean absolute error of people's fares from the largest to the smallest."""
    people, worth = _people(compared), amounts(compared)
    lengths = numpy.maximum(*people.counts())
    starts = numpy.cumsum(lengths) - lengths
    total = int(lengths.sum())
    if not total:
        raise NoAnswerError(NO_RECORDS)
    original = _falling_amounts(people.original, worth.original, starts, total)
    release = _falling_amounts(people.release, worth.release, starts, total)
    return worth.mean(_difference(original, release), total)


def _people(compared: PairedColumns) -> CodedColumns:
    slots = compared.slots()
    if not slots.count:
        raise NoAnswerError("neither table has people")
    return slots


def _sum_error(compared: PairedColumns, by: CodedColumns, over: int) -> float:
    worth = amounts(compared)
    return worth.mean(_difference(*worth.sums(by)), over)


def _count_error(lists: list[CodedColumns]) -> float:
    counts = [each.counts() for each in lists]
    over = sum(_value_count(*each) for each in counts)
    return sum(_difference(*each) for each in counts) / over


def _value_count(original: Counts, release: Counts) -> int:
    """How many values there are in either table."""
    count = int(((original > 0) | (release > 0)).sum())
    if not count:
        raise NoAnswerError(NO_RECORDS)
    return count


def _difference(original: Counts, release: Counts) -> int:
    return int(numpy.abs(original - release).sum())


def _falling_amounts(person: Code, steps: Counts, starts: Counts, total: int) -> Counts:
    """Each person's amounts from the largest on, from where the person starts; the rest is 0."""
    order = numpy.lexsort((-steps, person))
    whose = person[order]
    first = numpy.concatenate(([True], whose[1:] != whose[:-1])) if len(whose) else numpy.zeros(0, bool)
    begin = numpy.maximum.accumulate(numpy.where(first, numpy.arange(len(whose)), 0))
    falling = numpy.zeros(total, dtype=numpy.int64)
    falling[starts[whose] + numpy.arange(len(whose)) - begin] = steps[order]
    return falling


PAYMENT_METRICS: tuple[Metric, ...] = (
    metric(U1, ("amount",), fare_by_person),
    metric(U2, ("amount",), mean_fare_by_person),
    metric(U3, ("amount", "time"), fare_by_day),
    metric(U4, (), records_by_person),
    metric(U5, ("time",), lambda compared: _count_error([day_codes(compared)])),
    metric(U6, ("entry",), lambda compared: records_by_value(compared, "entry")),
    metric(U7, ("exit",), lambda compared: records_by_value(compared, "exit")),
    metric(U8, ("routes",), lambda compared: records_by_value(compared, "routes")),
    metric(U9, ("location",), lambda compared: records_by_value(compared, "location")),
    metric(U10, ("category",), lambda compared: records_by_value(compared, "category")),
    metric(U11, ("category", "amount"), fare_by_category_and_person),
    metric(U12, ("amount",), sorted_fares),
)

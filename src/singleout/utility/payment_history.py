"""What the history of a payment card is still good for (paper 3, U1 to U12)."""

from __future__ import annotations

import numpy

from singleout.engine.history import Code
from singleout.utility.compared import Coded, Compared, Counts, NoAnswerError, Part, joint
from singleout.utility.dates import by_day
from singleout.utility.finding import Metric, metric
from singleout.utility.payment_measures import U1, U2, U3, U4, U5, U6, U7, U8, U9, U10, U11, U12
from singleout.utility.whole_amounts import amounts

NO_RECORDS = "neither table has records"


def fare_by_person(compared: Compared) -> float:
    """Paper 3's U1: the mean absolute error over people of what they paid."""
    people = _people(compared)
    return _sum_error(compared, people, people.count)


def mean_fare_by_person(compared: Compared) -> float:
    """Paper 3's U2: the mean absolute error over people of their mean fare."""
    people, worth = _people(compared), amounts(compared)
    first, second = (
        sums / numpy.maximum(counts, 1)
        for sums, counts in zip(worth.sums(people), people.counts(), strict=True)
    )
    return float(numpy.abs(first - second).sum()) / people.count / worth.steps


def fare_by_day(compared: Compared) -> float:
    """Paper 3's U3: the mean absolute error over days of what was paid."""
    days = by_day(compared)
    return _sum_error(compared, days, _there(*days.counts()))


def records_by_person(compared: Compared) -> float:
    """Paper 3's U4: the mean absolute error over people of the number of their records."""
    people = _people(compared)
    original, release = people.counts()
    return _difference(original, release) / people.count


def records_by(compared: Compared, part: Part) -> float:
    """Paper 3's U6 to U10: the mean absolute error over values of the number of their records."""
    return _count_error([compared.coded(column) for column in compared.meaning.of(part)])


def fare_by_category_and_person(compared: Compared) -> float:
    """Paper 3's U11: the mean absolute error over categories and people of what was paid."""
    people = _people(compared)
    (column,) = compared.meaning.of("category")
    category = compared.coded(column)
    cells = joint([category, people], compared.threads)
    return _sum_error(compared, cells, _there(*category.counts()) * people.count)


def sorted_fares(compared: Compared) -> float:
    """Paper 3's U12: the mean absolute error of people's fares from the largest to the smallest."""
    people, worth = _people(compared), amounts(compared)
    lengths = numpy.maximum(*people.counts())
    starts = numpy.cumsum(lengths) - lengths
    total = int(lengths.sum())
    if not total:
        raise NoAnswerError(NO_RECORDS)
    original = _from_largest(people.original, worth.original, starts, total)
    release = _from_largest(people.release, worth.release, starts, total)
    return worth.mean(_difference(original, release), total)


def _people(compared: Compared) -> Coded:
    slots = compared.slots()
    if not slots.count:
        raise NoAnswerError("neither table has people")
    return slots


def _sum_error(compared: Compared, by: Coded, over: int) -> float:
    worth = amounts(compared)
    return worth.mean(_difference(*worth.sums(by)), over)


def _count_error(lists: list[Coded]) -> float:
    counts = [each.counts() for each in lists]
    over = sum(_there(*each) for each in counts)
    return sum(_difference(*each) for each in counts) / over


def _there(original: Counts, release: Counts) -> int:
    """How many values there are in either table."""
    found = int(((original > 0) | (release > 0)).sum())
    if not found:
        raise NoAnswerError(NO_RECORDS)
    return found


def _difference(original: Counts, release: Counts) -> int:
    return int(numpy.abs(original - release).sum())


def _from_largest(person: Code, steps: Counts, starts: Counts, total: int) -> Counts:
    """Each person's amounts from the largest on, from where the person starts; the rest is 0."""
    order = numpy.lexsort((-steps, person))
    whose = person[order]
    first = numpy.concatenate(([True], whose[1:] != whose[:-1])) if len(whose) else numpy.zeros(0, bool)
    begin = numpy.maximum.accumulate(numpy.where(first, numpy.arange(len(whose)), 0))
    found = numpy.zeros(total, dtype=numpy.int64)
    found[starts[whose] + numpy.arange(len(whose)) - begin] = steps[order]
    return found


PAYMENT_METRICS: tuple[Metric, ...] = (
    metric(U1, ("amount",), fare_by_person),
    metric(U2, ("amount",), mean_fare_by_person),
    metric(U3, ("amount", "time"), fare_by_day),
    metric(U4, (), records_by_person),
    metric(U5, ("time",), lambda compared: _count_error([by_day(compared)])),
    metric(U6, ("entry",), lambda compared: records_by(compared, "entry")),
    metric(U7, ("exit",), lambda compared: records_by(compared, "exit")),
    metric(U8, ("routes",), lambda compared: records_by(compared, "routes")),
    metric(U9, ("location",), lambda compared: records_by(compared, "location")),
    metric(U10, ("category",), lambda compared: records_by(compared, "category")),
    metric(U11, ("category", "amount"), fare_by_category_and_person),
    metric(U12, ("amount",), sorted_fares),
)

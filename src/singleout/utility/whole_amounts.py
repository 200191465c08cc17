"""Amounts as whole numbers of small steps: sums of them are exact, and the same in any order."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy

from singleout.engine.codes.histories import Code
from singleout.utility.column_values import Floats, read_numbers
from singleout.utility.paired_columns import CodedColumns, Counts, NoAnswerError, PairedColumns

# up to here a decimal number in steps is the right whole number, though it was read and scaled as float64
MOST_STEPS = 2**48
MOST_SUM = 2**61
MOST_DECIMALS = 300
LARGEST = 1e290
MISSING = "a missing amount counts as 0"


@dataclass(frozen=True, eq=False)
class WholeAmounts:
    """What each record of both tables is worth, 1 being so many `steps`."""

    original: Counts
    release: Counts
    steps: float

    def sums(self, by: CodedColumns) -> tuple[Counts, Counts]:
        """What the records of each number are worth together, in steps."""
        original = step_sums(self.original, by.original, by.count)
        return original, step_sums(self.release, by.release, by.count)

    def mean(self, steps: int, over: int) -> float:
        return steps / over / self.steps


def amounts(compared: PairedColumns, *, times_number: bool = False) -> WholeAmounts:
    """Each record's amount, or the amount times the number bought, where there is a column of numbers.

    All are rounded to as many decimals as 61 bits can add up.
    """
    (column,) = compared.meaning.of("amount")
    factors = compared.meaning.of("number") if times_number else ()
    original, release = _record_amounts(compared, column)
    for factor in factors:
        times = _record_amounts(compared, factor)
        with numpy.errstate(over="ignore"):
            original, release = original * times[0], release * times[1]
    largest = max(float(numpy.abs(each).max(initial=0.0)) for each in (original, release))
    if not largest < LARGEST:
        raise NoAnswerError(f"the amounts in {' times '.join((column, *factors))} are too large to add up")
    steps = _steps(largest, compared.records)
    return WholeAmounts(_whole_steps(original, steps), _whole_steps(release, steps), steps)


def _record_amounts(compared: PairedColumns, column: str) -> tuple[Floats, Floats]:
    values = compared.histories.values[column]
    reading = read_numbers(column, values)
    if reading is None and any(value is not None for value in values):
        raise NoAnswerError(f"not all values of column {column!r} are numbers")
    numbers = numpy.zeros(len(values)) if reading is None else reading.numbers
    if reading and reading.kind != "number":
        raise NoAnswerError(f"the values of column {column!r} are times, not numbers")
    both = compared.codes(column)
    return numbers[both.original], numbers[both.release]


def _steps(largest: float, records: int) -> float:
    """How many steps 1 has: a power of ten if the largest amount leaves room for it."""
    most = min(MOST_STEPS, MOST_SUM // max(1, records))
    if largest > most or largest == 0:
        return most / (largest or 1.0)
    return 10.0 ** min(math.floor(math.log10(most) - math.log10(largest)), MOST_DECIMALS)


def _whole_steps(numbers: Floats, steps: float) -> Counts:
    whole: Counts = numpy.rint(numbers * steps).astype(numpy.int64)
    return whole


def step_sums(steps: Counts, by: Code, count: int) -> Counts:
    """The sum of the steps of each number 0 … count−1."""
    sums = numpy.zeros(count, dtype=numpy.int64)
    numpy.add.at(sums, by, steps)
    return sums

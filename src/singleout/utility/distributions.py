"""How far the values of each column are spread differently."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy

from singleout.measurement import Measure
from singleout.utility.column_values import ColumnNumbers, Floats, column_numbers
from singleout.utility.finding import Finding, Metric
from singleout.utility.paired_columns import Counts, NoAnswerError, PairedColumns

FILLED = "records without a value are left out, and what is no number has no answer"
LARGEST_RANGE = 1e300

TOTAL_VARIATION = Measure(
    name="total_variation",
    title="total variation",
    question="What share of records would have to get another value?",
    formula="½ Σ over values of |share of the original's records − share of the release's|",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    missing="a missing value is a value",
    reference="total variation distance",
)
KOLMOGOROV_SMIRNOV = Measure(
    name="kolmogorov_smirnov",
    title="Kolmogorov–Smirnov",
    question="How far off, at most, is the share up to some number?",
    formula="max over x of |share of the original's records with at most x − share of the release's|",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    missing=FILLED,
    reference="Kolmogorov 1933, Smirnov 1948",
)
WASSERSTEIN = Measure(
    name="wasserstein",
    title="Wasserstein",
    question="How far would numbers have to move, on average, to be as before?",
    formula="∫ |share of the original's records with at most x − share of the release's| dx; dates in days, "
    "times of day in hours",
    unit="of the column",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="records",
    missing=FILLED,
    reference="Wasserstein distance of order 1 (earth mover's)",
)
WASSERSTEIN_RELATIVE = Measure(
    name="wasserstein_relative",
    title="Wasserstein, relative",
    question="How far, in standard deviations of the original?",
    formula="wasserstein / standard deviation of the original's numbers",
    unit="standard deviations",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="records",
    missing=FILLED,
    reference="Wasserstein distance of order 1 (earth mover's)",
)
OF_NUMBERS = (KOLMOGOROV_SMIRNOV, WASSERSTEIN, WASSERSTEIN_RELATIVE)


@dataclass(frozen=True, eq=False)
class Spread:
    """How many records of each table have each of the rising numbers."""

    numbers: Floats
    original: Counts
    release: Counts

    def steps(self) -> Floats:
        """By how much the shares of records up to each number differ."""
        one, other = int(self.original.sum()), int(self.release.sum())
        found: Floats = abs(numpy.cumsum(self.original) * other - numpy.cumsum(self.release) * one) / (
            one * other
        )
        return found

    def distance(self) -> float:
        return float((self.steps()[:-1] * numpy.diff(self.numbers)).sum())

    def deviation(self) -> float:
        """The original's standard deviation, by way of shares of the range, whose squares are small."""
        wide = float(self.numbers[-1] - self.numbers[0])
        within = (self.numbers - self.numbers[0]) / (wide or 1.0)
        weights = self.original / self.original.sum()
        mean = float((weights * within).sum())
        return wide * float(numpy.sqrt((weights * (within - mean) ** 2).sum()))


def total_variation(compared: PairedColumns, column: str) -> float:
    """How differently the values of a column are spread, from 0 to 1.

    >>> from singleout.engine.codes.histories import Histories, History
    >>> def table(codes):
    ...     return History(1, numpy.zeros(len(codes), "uint32"), {"shop": numpy.array(codes, "uint32")})
    >>> both = Histories(table([0, 0, 1, 1]), table([0, 1, 2, 2]), {"shop": ("a", "b", "c")})
    >>> total_variation(PairedColumns(both, numpy.array([0])), "shop")
    0.5
    """
    original, release = compared.codes(column).counts()
    _check_records(original, release)
    return share_distance(original, release)


def share_distance(original: Counts, release: Counts) -> float:
    """½ Σ |share of the one − share of the other|, from counts of the same things.

    >>> share_distance(numpy.array([1, 1, 1]), numpy.array([0, 0, 7]))
    0.6666666666666666
    """
    # whole numbers, so that what adds up to all is 1; they fit for two thousand million records a table
    one, other = int(original.sum()), int(release.sum())
    return int(numpy.abs(original * other - release * one).sum()) / (2 * one * other)


def spread(compared: PairedColumns, column: str, read: ColumnNumbers) -> Spread:
    """The numbers of a column and how many records have each, missing values aside."""
    original, release = (numpy.where(read.missing, 0, counts) for counts in compared.codes(column).counts())
    _check_records(original, release)
    numbers, index = numpy.unique(read.numbers, return_inverse=True)
    counts = [numpy.zeros(len(numbers), dtype=numpy.int64) for _ in range(2)]
    numpy.add.at(counts[0], index, original)
    numpy.add.at(counts[1], index, release)
    return _occurring_numbers(Spread(numbers, counts[0], counts[1]))


def _occurring_numbers(full: Spread) -> Spread:
    there = (full.original > 0) | (full.release > 0)
    kept = Spread(full.numbers[there], full.original[there], full.release[there])
    if max(abs(kept.numbers[0]), abs(kept.numbers[-1])) > LARGEST_RANGE:
        raise NoAnswerError(f"its numbers are too large; they must stay below {LARGEST_RANGE:g}")
    return kept


def _check_records(original: Counts, release: Counts) -> None:
    for called, counts in (("original", original), ("release", release)):
        if not counts.sum():
            raise NoAnswerError(f"the {called} has no values in it")


def column_findings(compared: PairedColumns) -> Iterator[Finding]:
    """Column by column: all by their values, those of numbers also by their size."""
    for column in compared.columns:
        yield from _findings_of_column(compared, column)
    for column in compared.lacking:
        yield Finding(TOTAL_VARIATION, None, "the release has no such column", of=(column,))


def _findings_of_column(compared: PairedColumns, column: str) -> Iterator[Finding]:
    try:
        yield Finding(TOTAL_VARIATION, total_variation(compared, column), of=(column,))
    except NoAnswerError as unknown:
        yield Finding(TOTAL_VARIATION, None, str(unknown), of=(column,))
    if column in compared.meaning.names():
        return
    try:
        if read := column_numbers(compared, column):
            yield from _number_findings(spread(compared, column, read), column, read.unit)
    except NoAnswerError as unknown:
        for measure in OF_NUMBERS:
            yield Finding(measure, None, str(unknown), of=(column,))


def _number_findings(both: Spread, column: str, unit: str) -> Iterator[Finding]:
    of, detail = (column,), {"unit": unit}
    distance, deviation = both.distance(), both.deviation()
    yield Finding(KOLMOGOROV_SMIRNOV, float(both.steps().max()), of=of)
    yield Finding(WASSERSTEIN, distance, of=of, detail=detail)
    if distance <= deviation * LARGEST_RANGE:
        yield Finding(WASSERSTEIN_RELATIVE, distance / (deviation or 1.0), of=of)
    else:
        yield Finding(
            WASSERSTEIN_RELATIVE, None, "the original's numbers hardly differ from each other", of=of
        )


DISTRIBUTION_METRICS: tuple[Metric, ...] = (Metric((TOTAL_VARIATION, *OF_NUMBERS), column_findings),)

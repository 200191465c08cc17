"""What columns say about each other, before and after: mutual information and correlation of pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy

from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.histories import Code, History
from singleout.engine.codes.numbering import join_codes
from singleout.engine.codes.parallel import map_units
from singleout.measurement import Measure
from singleout.utility.column_values import ColumnNumbers, Floats, column_numbers
from singleout.utility.finding import Finding, Metric
from singleout.utility.paired_columns import Counts, NoAnswerError, PairedColumns

MOST_COLUMNS = 20
# counting in a table of all pairs is quicker than numbering those that occur, if it is not much larger
CELLS_A_RECORD = 4
FEWEST_CELLS = 1 << 16

PAIRS = f"pairs (of the first {MOST_COLUMNS})"
INFORMATION = (
    "of |that in the original − in the release| of mutual information H(A) + H(B) − H(A, B), its "
    "probabilities being shares of records"
)
CORRELATION = (
    "of |that in the original − in the release| of Pearson's correlation; pairs with a constant column in "
    "the original are left out, in the release they count as 0"
)
BOTH_FILLED = "records without one of both numbers are left out"


def _difference(
    name: str, title: str, question: str, formula: str, unit: str, highest: float | None, missing: str
) -> Measure:
    return Measure(
        name=name,
        title=title,
        question=question,
        formula=formula,
        unit=unit,
        lowest=0,
        highest=highest,
        better="lower",
        counted_over="records",
        missing=missing,
        reference="pairwise association kept",
    )


MEAN_INFORMATION = _difference(
    "mutual_information.mean_difference",
    "mutual information, mean difference",
    "How many bits more or less do columns tell of each other, on average?",
    f"mean over {PAIRS} of columns; {INFORMATION}",
    "bits",
    None,
    "a missing value is a value",
)
LARGEST_INFORMATION = _difference(
    "mutual_information.largest_difference",
    "mutual information, largest difference",
    "How many bits more or less do columns tell of each other, at most?",
    f"max over {PAIRS} of columns; {INFORMATION}",
    "bits",
    None,
    "a missing value is a value",
)
MEAN_CORRELATION = _difference(
    "correlation.mean_difference",
    "correlation, mean difference",
    "By how much does the correlation of two columns of numbers differ, on average?",
    f"mean over {PAIRS} of columns of numbers; {CORRELATION}",
    "correlation",
    2,
    BOTH_FILLED,
)
LARGEST_CORRELATION = _difference(
    "correlation.largest_difference",
    "correlation, largest difference",
    "By how much does the correlation of two columns of numbers differ, at most?",
    f"max over {PAIRS} of columns of numbers; {CORRELATION}",
    "correlation",
    2,
    BOTH_FILLED,
)


@dataclass(frozen=True)
class Pair:
    """What two columns say about each other in each table."""

    columns: tuple[str, str]
    original: float
    release: float

    @property
    def difference(self) -> float:
        return abs(self.original - self.release)

    def as_dict(self) -> dict[str, object]:
        return {"columns": list(self.columns), "original": self.original, "release": self.release}


def information(compared: PairedColumns) -> Iterator[Finding]:
    """By how many bits what pairs of columns say about each other differs."""
    columns = compared.columns[:MOST_COLUMNS]
    if len(columns) < 2:
        raise NoAnswerError("there are no two columns")
    tables = compared.histories.original, compared.histories.release
    if not all(table.records for table in tables):
        raise NoAnswerError("a table without records says nothing")
    counts = {name: len(compared.histories.values[name]) for name in columns}

    def in_both(pair: tuple[str, str]) -> Pair:
        original, release = (mutual_information(table, *pair, counts) for table in tables)
        return Pair(pair, original, release)

    pairs = map_units(combinations(columns, 2), in_both, compared.threads)
    yield from _difference_findings((MEAN_INFORMATION, LARGEST_INFORMATION), pairs, ())


def mutual_information(table: History, one: str, other: str, counts: dict[str, int]) -> float:
    """How many bits one column says about the other.

    >>> codes = {"a": numpy.array([0, 0, 1, 1], "uint32"), "b": numpy.array([1, 1, 0, 0], "uint32")}
    >>> mutual_information(History(4, numpy.arange(4, dtype="uint32"), codes), "a", "b", {"a": 2, "b": 2})
    1.0
    """
    first, second = table.codes[one], table.codes[other]
    cells = counts[one] * counts[other]
    if cells <= max(FEWEST_CELLS, CELLS_A_RECORD * table.records):
        both = numpy.bincount(first.astype(numpy.int64) * counts[other] + second)
    else:
        both = numpy.bincount(join_codes([Codes(first, counts[one]), Codes(second, counts[other])]).codes)
    return max(0.0, _entropy(numpy.bincount(first)) + _entropy(numpy.bincount(second)) - _entropy(both))


def _entropy(counts: Counts) -> float:
    """By way of how many values have each number of records: the same whatever the order of values."""
    sizes, values = numpy.unique(counts[counts > 0], return_counts=True)
    total = int(counts.sum())
    return float(numpy.log2(total) - (values * sizes * numpy.log2(sizes)).sum() / total)


def correlations(compared: PairedColumns) -> Iterator[Finding]:
    """By how much the correlation of pairs of columns of numbers differs."""
    numbers, left_out = _numbers(compared)
    if len(numbers) < 2:
        raise NoAnswerError("there are no two columns of numbers")
    tables = compared.histories.original, compared.histories.release

    def in_both(pair: tuple[str, str]) -> Pair | None:
        original, release = (correlation(table, *pair, numbers) for table in tables)
        return None if original is None else Pair(pair, original, release or 0.0)

    found = map_units(combinations(numbers, 2), in_both, compared.threads)
    pairs = [pair for pair in found if pair]
    if not pairs:
        raise NoAnswerError("no two columns of numbers vary in the original")
    yield from _difference_findings((MEAN_CORRELATION, LARGEST_CORRELATION), pairs, left_out)


def _numbers(compared: PairedColumns) -> tuple[dict[str, ColumnNumbers], list[str]]:
    """The columns of numbers, and those that are so in the original only."""
    numbers, left_out = {}, []
    for column in compared.columns[:MOST_COLUMNS]:
        if column in compared.meaning.names():
            continue
        try:
            if read := column_numbers(compared, column):
                numbers[column] = read
        except NoAnswerError:
            left_out.append(column)
    return numbers, left_out


def correlation(table: History, one: str, other: str, numbers: dict[str, ColumnNumbers]) -> float | None:
    """Pearson's correlation over the records that have both numbers; None if one of them is constant."""
    first, second = table.codes[one], table.codes[other]
    lacking = numbers[one].missing[first] | numbers[other].missing[second]
    if lacking.any():
        first, second = first[~lacking], second[~lacking]
    off_first, off_second = _deviations(numbers[one], first), _deviations(numbers[other], second)
    if off_first is None or off_second is None:
        return None
    # sorted, so that the sum is the same in any order of records
    product = float(numpy.sort(off_first[first] * off_second[second]).sum())
    return max(-1.0, min(1.0, product))


def _deviations(read: ColumnNumbers, codes: Code) -> Floats | None:
    """How far each value is off the mean, so that the squares add up to 1; None if all are equal."""
    counts = numpy.bincount(codes, minlength=len(read.numbers))
    there = read.numbers[counts > 0]
    if not len(there) or there.min() == there.max():
        return None
    # one that no record has may be far beyond the others
    numbers = numpy.where(counts > 0, read.numbers, 0) / max(abs(there.min()), abs(there.max()))
    off = numbers - (counts * numbers).sum() / counts.sum()
    squares = float((counts * off**2).sum())
    return off / numpy.sqrt(squares) if squares else None


def _difference_findings(
    measures: tuple[Measure, Measure], pairs: Sequence[Pair], left_out: Sequence[str]
) -> Iterator[Finding]:
    differences = sorted(pair.difference for pair in pairs)
    worst = max(pairs, key=lambda pair: pair.difference)
    detail = {"pairs": [pair.as_dict() for pair in pairs], "left_out": list(left_out)}
    yield Finding(measures[0], sum(differences) / len(differences), detail=detail)
    yield Finding(measures[1], differences[-1], detail={"pair": worst.as_dict()})


ASSOCIATION_METRICS: tuple[Metric, ...] = (
    Metric((MEAN_INFORMATION, LARGEST_INFORMATION), information),
    Metric((MEAN_CORRELATION, LARGEST_CORRELATION), correlations),
)

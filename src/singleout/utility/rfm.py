"""How recently, how often and for how much people bought (Ito et al. 2020, U3-RFM)."""

from __future__ import annotations

import numpy

from singleout.engine.codes.histories import History
from singleout.measurement import Measure
from singleout.utility.column_values import column_numbers
from singleout.utility.distributions import share_distance
from singleout.utility.finding import Metric, metric
from singleout.utility.paired_columns import Counts, NoAnswerError, PairedColumns, distinct_pairs
from singleout.utility.record_days import date_column
from singleout.utility.whole_amounts import MISSING, amounts, step_sums

RANKS = 10
NEVER = -1

U3_RFM = Measure(
    name="u3_rfm",
    title="U3-RFM: kinds of buyers",
    question="By what share do the numbers of people in 1,000 kinds of buyers differ?",
    formula="½ Σ over the 1,000 cells of three ranks of |share of the original's people − share of the "
    "release's|; the ranks of the last day, the number of receipts (of records if no receipt is named) "
    "and Σ amount · number (1 if no number is named) are how many of nine cut points are at most it, the "
    "j-th being the original's value at place ⌊j·n/10⌋ of 0 … n−1 in rising order",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing=f"{MISSING}; a missing receipt is a receipt; a missing date comes before all",
    reference="Ito et al. 2020, U3-RFM (PWS Cup 2016)",
)


def rfm_error(compared: PairedColumns) -> float:
    """The share of people who would have to move for both tables to have as many in each cell."""
    tables = compared.histories.original, compared.histories.release
    if not all(table.people for table in tables):
        raise NoAnswerError("a table without people has no buyers")
    cells = [numpy.zeros(table.people, dtype=numpy.int64) for table in tables]
    for original, release in (_last_days(compared), _receipts(compared), _spent_amounts(compared)):
        cuts = cut_points(original)
        for side, numbers in enumerate((original, release)):
            cells[side] = cells[side] * RANKS + numpy.searchsorted(cuts, numbers, side="right")
    original, release = (numpy.bincount(each, minlength=RANKS**3) for each in cells)
    return share_distance(original, release)


def cut_points(numbers: Counts) -> Counts:
    """Nine values that cut the numbers into ten ranks; one that equals a cut point is in the rank above.

    >>> cut_points(numpy.arange(20, 40)).tolist()
    [22, 24, 26, 28, 30, 32, 34, 36, 38]
    """
    indices = numpy.arange(1, RANKS) * len(numbers) // RANKS
    cuts: Counts = numpy.sort(numbers)[indices]
    return cuts


def _last_days(compared: PairedColumns) -> tuple[Counts, Counts]:
    column = date_column(compared)
    read = column_numbers(compared, column)
    if read is None or read.kind != "date":
        raise NoAnswerError(f"not all values of column {column!r} are dates")
    day = numpy.where(read.missing, NEVER, numpy.floor(read.numbers)).astype(numpy.int64)

    def last(table: History) -> Counts:
        found = numpy.full(table.people, NEVER, dtype=numpy.int64)
        numpy.maximum.at(found, table.person, day[table.codes[column]])
        return found

    return last(compared.histories.original), last(compared.histories.release)


def _receipts(compared: PairedColumns) -> tuple[Counts, Counts]:
    receipt = compared.meaning.receipt

    def number(table: History) -> Counts:
        if receipt is None:
            return table.records_of_each()
        person, _ = distinct_pairs(
            table.person, table.codes[receipt], len(compared.histories.values[receipt])
        )
        return numpy.bincount(person, minlength=table.people)

    return number(compared.histories.original), number(compared.histories.release)


def _spent_amounts(compared: PairedColumns) -> tuple[Counts, Counts]:
    worth = amounts(compared, times_number=True)
    original, release = compared.histories.original, compared.histories.release
    first = step_sums(worth.original, original.person, original.people)
    return first, step_sums(worth.release, release.person, release.people)


RFM_METRICS: tuple[Metric, ...] = (metric(U3_RFM, ("time", "amount"), rfm_error, uses=("receipt", "number")),)

"""How likely each column's released values are, by the recipe or by how well values agree without one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

import numpy

from singleout.attacks.alignment.column_comparison import ColumnComparison
from singleout.attacks.linkage.candidates import Scores
from singleout.attacks.paired_tables import PairedTables
from singleout.attacks.record_linkage.column_likelihood import (
    AnyValue,
    ColumnLikelihood,
    EqualValues,
    MovedNumbers,
    NoiseKind,
    RedrawnByMatrix,
    RedrawnValues,
)
from singleout.engine.codes.column_numbers import amounts_of, kind_of
from singleout.engine.codes.histories import Value
from singleout.recipe.trace import Blanked, Exchanged, Moved, Redrawn, Shifted, Trace
from singleout.roles.dates_and_times import days_of
from singleout.roles.hierarchies.level_rules import SUPPRESSED

# one that is neither certain to stay nor to go, where it is only seen that some values changed
LEAST_KEPT, MOST_KEPT = 0.01, 0.99
# a matrix of so many rows and columns takes 32 MiB
MOST_CODES = 2_000
NOISES: dict[str, NoiseKind] = {
    "uniform": "uniform", "normal": "normal", "laplace": "laplace", "days": "days",
    "triangular": "triangular",
}  # fmt: skip


def column_models(read: PairedTables, columns: Sequence[str]) -> dict[str, ColumnLikelihood]:
    """A model for each column; one that can't be compared says nothing."""
    compared = {each.column: each for each in read.comparisons}
    return {name: _model(read, compared[name]) for name in columns}


def _model(read: PairedTables, compared: ColumnComparison) -> ColumnLikelihood:
    name = compared.column
    if compared.empty:
        return AnyValue()
    if compared.exact:
        return EqualValues()
    if read.traces is not None:
        found = None if name in read.approximate else trace_model(read, name, read.traces[name])
        return found or AnyValue()
    if compared.how != "equal":
        return AnyValue()
    keep = min(max(compared.own or 0.0, LEAST_KEPT), MOST_KEPT)
    return RedrawnValues(keep, _shares(read, name))


def trace_model(read: PairedTables, name: str, traces: Sequence[Trace]) -> ColumnLikelihood | None:
    """What a recipe leaves of a column as one model; None where there is none for it."""
    left = [each for each in traces if not isinstance(each, Blanked)]
    if not left:
        return EqualValues()
    (trace,) = left if len(left) == 1 else (None,)
    if isinstance(trace, Moved):
        return _moved(read, name, trace)
    if isinstance(trace, Redrawn):
        return _redrawn(read, name, trace)
    if isinstance(trace, Exchanged):
        return _exchanged(read, name, trace)
    return None


def _redrawn(read: PairedTables, name: str, trace: Redrawn) -> ColumnLikelihood:
    """The matrix of all transitions, or where values are too many, the shares of those that are drawn."""
    values = read.histories.values[name]
    if len(values) > MOST_CODES:
        return RedrawnValues(trace.keep, _shares(read, name, uniform=trace.by == "uniform"))
    filled = [code for code, value in enumerate(values) if value not in (None, SUPPRESSED)]
    counts = numpy.bincount(read.histories.original.codes[name], minlength=len(values))[filled]
    there = numpy.array(filled, dtype=numpy.int64)[counts > 0]
    rows = numpy.eye(len(values))
    index = numpy.arange(len(there))
    for place, code in enumerate(there):
        rows[code, there] = trace.probability(numpy.full(len(there), place), index, counts[counts > 0])
    return RedrawnByMatrix(numpy.clip(rows, 0.0, 1.0))


def _moved(read: PairedTables, name: str, trace: Moved) -> MovedNumbers | None:
    """Draws that all records of a person share leave their differences, which this model does not see.

    Nor does it see limits, which move values farther than the noise does.
    """
    several = int(read.histories.release.records_of_each().max(initial=0)) > 1
    if (trace.per == "person" and several) or not (trace.at_least is None is trace.at_most):
        return None
    numbers, digit = _numbers(read.histories.values[name])
    if trace.distribution == "days":
        days = _day_numbers(read.histories.values[name])
        return None if days is None else MovedNumbers(days, "days", float(trace.size))
    if numbers is None:
        return None
    half, scale = digit / 2, float(trace.size)
    if trace.distribution == "uniform" and not trace.relative:
        # amounts are drawn in whole digits, of which each is as likely as any other
        scale = (numpy.floor(scale / digit * (1 + 1e-12)) + 0.5) * digit
    return MovedNumbers(numbers, NOISES[trace.distribution], scale, trace.relative, half)


def _exchanged(read: PairedTables, name: str, trace: Exchanged) -> ColumnLikelihood:
    """Exchanged within ranks a value moves so far among all; else it is any other's."""
    if trace.within is None:
        return RedrawnValues(1 - float(trace.share or 0), _shares(read, name))
    values = read.histories.values[name]
    numbers, _ = _numbers(values)
    known = numpy.arange(len(values), dtype=numpy.float64) if numbers is None else numbers
    counts = numpy.bincount(read.histories.original.codes[name], minlength=len(values))
    order = numpy.argsort(known, kind="stable")
    ends = numpy.cumsum(counts[order])
    middle = numpy.empty(len(values))
    middle[order] = (ends - counts[order] / 2) / max(int(counts.sum()), 1)
    widest = float(counts.max(initial=0)) / max(int(counts.sum()), 1)
    missing = numpy.array([value in (None, SUPPRESSED) for value in values], dtype=numpy.bool_)
    return MovedNumbers(numpy.where(missing, numpy.nan, middle), "uniform", float(trace.within) + widest)


def _shares(read: PairedTables, name: str, *, uniform: bool = False) -> Scores:
    """How often each value is drawn where one is."""
    values, both = read.histories.values[name], read.histories
    filled = numpy.array([value not in (None, SUPPRESSED) for value in values], dtype=numpy.bool_)
    counts = sum(
        numpy.bincount(side.codes[name], minlength=len(values)) for side in (both.original, both.release)
    )
    weights = numpy.where(filled & (counts > 0), 1.0 if uniform else counts, 0.0)
    shares: Scores = weights / max(float(weights.sum()), 1.0)
    return shares


def _numbers(values: Sequence[Value]) -> tuple[Scores | None, float]:
    """What the values are as numbers, NaN where they are none, and their last digit; None without numbers."""
    filled = [value for value in values if value not in (None, SUPPRESSED)]
    if not filled or kind_of(filled) != "number":
        return None, 1.0
    read = amounts_of("", [None if value == SUPPRESSED else value for value in values])
    digit = 10.0**-read.decimals
    return numpy.where(read.missing, numpy.nan, read.numbers * digit), digit


def _day_numbers(values: Sequence[Value]) -> Scores | None:
    days = days_of([None if value == SUPPRESSED else value for value in values])
    if days is None:
        return None
    return numpy.array([numpy.nan if day is None else date.fromisoformat(day).toordinal() for day in days])


def is_shift(trace: Trace) -> bool:
    """Whether all dates of a person are moved by one secret number."""
    moved = isinstance(trace, Moved) and trace.distribution == "days" and trace.per == "person"
    return moved or isinstance(trace, Shifted)


def most_shift(traces: Sequence[Trace]) -> int | None:
    """By how many days at most a recipe shifts dates."""
    sizes = [each.days if isinstance(each, Shifted) else int(each.size) for each in traces if is_shift(each)]  # type: ignore[union-attr]
    return max(sizes, default=None)


def says_something(models: Mapping[str, ColumnLikelihood]) -> bool:
    return any(not isinstance(each, AnyValue) for each in models.values())

"""Whether what a step says it leaves for an intruder is what it does: one check for each kind of trace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.recipe.record_table import RecordTable
from singleout.recipe.steps.day_columns import days_of
from singleout.recipe.steps.distinct_values import comparable_texts, distinct_values_of
from singleout.recipe.steps.number_columns import numbers_of
from singleout.recipe.steps.step import Step
from singleout.recipe.steps.value_order import ranks_of
from singleout.recipe.trace import (
    Exchanged,
    Moved,
    Redrawn,
    Renamed,
    Replayed,
    Shifted,
    Thinned,
)

Floats = NDArray[numpy.float64]
# five standard deviations: no fixed seed is beyond them unless something is wrong
DEVIATIONS = 5
MOST = 1e15
# draws of one value that leave hardly a tail of a distribution empty
ENOUGH = 500


def check_trace(step: Step, records: RecordTable, row: str) -> None:
    """On one table: what the trace rules out does not happen."""
    trace = step.trace
    CHECKS[type(trace)](step, trace, records, row)


def check_shares(step: Step, records: RecordTable) -> None:
    """On a large table of people with one record each: draws are spread as the trace says."""
    alone = replace(records, person=numpy.arange(len(records)), people=len(records))
    after = _result(step, alone)
    trace = step.trace
    for name in step.columns:
        if isinstance(trace, Moved):
            _check_spread(name, trace, alone, after)
        elif isinstance(trace, Redrawn):
            _check_pairs(name, trace, alone, after)


def _result(step: Step, records: RecordTable, seed: int = 5) -> RecordTable:
    return step.apply(records, numpy.random.default_rng(seed)).records


def _check_replayed(step: Step, trace: Any, records: RecordTable, row: str) -> None:
    """Another generator changes nothing; neither do records, or columns, that it says not to look at."""
    whole = _result(step, records)
    other = _result(step, records, seed=6)
    assert whole.table.equals(other.table) and (whole.person == other.person).all()
    assert (len(whole) < len(records)) <= (trace.what == "records")
    assert (whole.names != records.names) == (trace.what == "columns")
    if trace.what == "cells":
        _assert_cells_are_left_out(step, trace.mark, records, whole)
    if trace.reach != "table":
        which = records.person if trace.reach == "person" else numpy.arange(len(records))
        some = records.only(which % 3 > 0)
        _assert_same_rows(_result(step, some), whole, some, row)
    if not trace.joint and len(step.columns) > 1:
        changed: Any = step
        for name in step.columns:
            alone = _result(replace(changed, columns=(name,)), records)
            assert name not in whole.names or alone.column(name).equals(whole.column(name))


def _assert_cells_are_left_out(step: Step, mark: str | None, before: RecordTable, after: RecordTable) -> None:
    for name in step.columns:
        pairs = zip(_listed(before, name), _listed(after, name), strict=True)
        assert all(one == other or other == mark for one, other in pairs)


def _assert_same_rows(part: RecordTable, whole: RecordTable, given: RecordTable, row: str) -> None:
    """A part comes out as it does among all the others, up to how numbers are written."""
    there = pyarrow.compute.is_in(whole.column(row), given.column(row))
    expected = whole.only(there.to_numpy(zero_copy_only=False))
    assert part.column(row).equals(expected.column(row))
    for name in part.names:
        one, other = (comparable_texts(each.column(name)) for each in (part, expected))
        assert one.equals(other)


def _check_moved(step: Step, trace: Any, records: RecordTable, row: str) -> None:
    """No value goes farther than it may, nor beyond a limit; a person's values move alike if it says so."""
    del row
    after = _result(step, records)
    for name in step.columns:
        old, new, filled, digit = _numbers(name, trace, records, after)
        blur = digit + 1e-9 * numpy.maximum(numpy.abs(old), numpy.abs(new))
        if trace.farthest < numpy.inf:
            size = trace.farthest * (numpy.abs(old) if trace.relative else 1.0)
            assert (numpy.abs(new - old) <= size + blur)[filled].all()
        inside = filled.copy()
        for limit, sign in ((trace.at_least, 1), (trace.at_most, -1)):
            if limit is not None:
                assert (sign * (new - limit) >= 0)[filled & (new != old)].all()
                inside &= sign * (new - limit) > digit
        if trace.per == "person":
            _assert_one_move_each(trace, old, new, blur, inside, records.person)


def _assert_one_move_each(
    trace: Any, old: Floats, new: Floats, blur: Floats, some: NDArray[numpy.bool_], person: Any
) -> None:
    by = old if trace.relative else numpy.ones(len(old))
    # larger numbers may have been kept within what their type has room for
    some = some & (by != 0) & (numpy.abs(old) < MOST)
    for each in numpy.unique(person[some]):
        rows = some & (person == each)
        low, high = ((new - old + sign * blur)[rows] / by[rows] for sign in (-1, 1))
        assert numpy.minimum(low, high).max() <= numpy.maximum(low, high).min()


def _numbers(
    name: str, trace: Moved, before: RecordTable, after: RecordTable
) -> tuple[Floats, Floats, NDArray[numpy.bool_], float]:
    if trace.distribution == "days":
        days = [days_of(name, each.column(name)) for each in (before, after)]
        return days[0].values.astype(float), days[1].values.astype(float), ~days[0].missing, 0.0
    read = [numbers_of(name, each.column(name)) for each in (before, after)]
    return read[0].values, read[1].values, ~read[0].missing, 10.0 ** -read[0].decimals


def _check_spread(name: str, trace: Moved, before: RecordTable, after: RecordTable) -> None:
    """The distribution of what the commonest value becomes is nowhere far from the one declared."""
    old, new, filled, digit = _numbers(name, trace, before, after)
    values, counts = numpy.unique(old[filled], return_counts=True)
    common = values[counts.argmax()]
    released, times = numpy.unique(new[filled & (old == common)], return_counts=True)
    step = trace.size if trace.distribution == "triangular" else digit or 1.0
    grid = numpy.arange(numpy.round(released[0] / step), numpy.round(released[-1] / step) + 1) * step
    expected = trace.probability(numpy.full(len(grid), common), grid, digit)
    observed = numpy.zeros(len(grid))
    observed[numpy.round((released - grid[0]) / step).astype(int)] = times / times.sum()
    before_grid = 1.0 - expected.sum()
    far = numpy.abs(numpy.cumsum(observed) - numpy.cumsum(expected)).max()
    assert far <= 2 / numpy.sqrt(times.sum()) + abs(before_grid)
    assert before_grid < 0.02 or times.sum() < ENOUGH


def _check_redrawn(step: Step, trace: Any, records: RecordTable, row: str) -> None:
    """Nothing is released that the column did not have, and a missing value stays missing."""
    del trace, row
    after = _result(step, records)
    for name in step.columns:
        old, new = records.column(name), after.column(name)
        assert old.is_null().equals(new.is_null())
        assert set(new.to_pylist()) <= set(old.to_pylist())


def _check_pairs(name: str, trace: Redrawn, before: RecordTable, after: RecordTable) -> None:
    """How often each value became each other is as likely as declared."""
    old = distinct_values_of(name, before.column(name))
    codes = {value: code for code, value in enumerate(old.values.to_pylist())}
    new = numpy.array([codes.get(value, -1) for value in after.column(name).to_pylist()])
    records, size = old.occurrences(), len(old.values)
    one, other = (each.ravel() for each in numpy.indices((size, size)))
    likely = trace.probability(one, other, records)
    assert numpy.allclose(likely.reshape(size, size).sum(axis=1), 1)
    filled = ~old.missing
    observed = numpy.bincount(old.codes[filled] * size + new[filled], minlength=size * size)
    expected, variance = records[one] * likely, records[one] * likely * (1 - likely)
    assert (numpy.abs(observed - expected) <= DEVIATIONS * numpy.sqrt(variance) + 3).all()
    kept, chance = observed[one == other].sum(), likely[one == other] * records[one][one == other]
    assert abs(kept - chance.sum()) <= DEVIATIONS * numpy.sqrt(chance.sum()) + 1


def _check_exchanged(step: Step, trace: Any, records: RecordTable, row: str) -> None:
    """Every column keeps its values, and none goes farther than it may."""
    del row
    after = _result(step, records)
    if trace.share is not None:
        names = [*trace.same, *step.columns]
        rows = [list(zip(*(_listed(each, name) for name in names), strict=True)) for each in (records, after)]
        assert sorted(map(repr, rows[0])) == sorted(map(repr, rows[1]))
        changed = sum(one != other for one, other in zip(*rows, strict=True))
        assert changed <= trace.share * len(records)
        return
    for name in step.columns:
        old, new = (ranks_of(name, each.column(name)) for each in (records, after))
        ranks = numpy.sort(old[old >= 0])
        assert (numpy.sort(new[new >= 0]) == ranks).all() and ((old < 0) == (new < 0)).all()
        low, high = (numpy.minimum(old, new)[old >= 0], numpy.maximum(old, new)[old >= 0])
        # ranks of equal values in the way that brings both nearest
        apart = numpy.searchsorted(ranks, high) - numpy.searchsorted(ranks, low, side="right") + 1
        assert (apart <= trace.within * len(ranks)).all()


def _listed(records: RecordTable, name: str) -> list[Any]:
    listed: list[Any] = records.column(name).to_pylist()
    return listed


def _check_shifted(step: Step, trace: Any, records: RecordTable, row: str) -> None:
    """One difference a person, in all columns, and none beyond what is declared."""
    del row
    after = _result(step, records)
    of_each: dict[int, set[int]] = {}
    for name in step.columns:
        old, new = (days_of(name, each.column(name)) for each in (records, after))
        assert (old.missing == new.missing).all()
        for index in numpy.flatnonzero(~old.missing):
            by = int(new.values[index] - old.values[index])
            of_each.setdefault(int(records.person[index]), set()).add(by)
    assert all(len(each) == 1 for each in of_each.values())
    shifts = {by for each in of_each.values() for by in each}
    assert all(abs(by) <= trace.days for by in shifts)
    assert not (trace.never_zero and 0 in shifts)


def _check_renamed(step: Step, trace: Any, records: RecordTable, row: str) -> None:
    """One name for each value and one value for each name; keyed ones are the same for every generator."""
    del row
    after = _result(step, records)
    for name in step.columns or (records.user or "",):
        old, new = _listed(records, name), _listed(after, name)
        pairs = set(zip(old, new, strict=True))
        assert len(pairs) == len(set(old)) == len(set(new))
        assert all((one is None) == (other is None) for one, other in pairs)
    assert _result(step, records, seed=6).table.equals(after.table) == (
        trace.keyed or _is_blank(step, records)
    )


def _is_blank(step: Step, records: RecordTable) -> bool:
    columns = step.columns or (records.user or "",)
    return all(records.column(name).null_count == len(records) for name in columns)


def _check_thinned(step: Step, trace: Any, records: RecordTable, row: str) -> None:
    """Some of the records as they were: of a person all or none, or no more of each than declared."""
    after = _result(step, records)
    kept = pyarrow.compute.is_in(records.column(row), after.column(row)).to_numpy(zero_copy_only=False)
    assert records.only(kept).table.equals(after.table)
    before, left = records.records_of_each(), after.records_of_each()
    if trace.of_each is not None:
        assert (left == numpy.minimum(before, trace.of_each)).all()
        return
    of_people = trace.what == "people"
    assert not of_people or ((left == 0) | (left == before)).all()
    every = int(numpy.count_nonzero(before)) if of_people else len(records)
    size = int(numpy.count_nonzero(left)) if of_people else len(after)
    assert size == trace.number if trace.share is None else abs(size - trace.share * every) <= 0.5


Check = Callable[[Step, Any, RecordTable, str], None]
CHECKS: dict[type, Check] = {
    Replayed: _check_replayed,
    Moved: _check_moved,
    Redrawn: _check_redrawn,
    Exchanged: _check_exchanged,
    Shifted: _check_shifted,
    Renamed: _check_renamed,
    Thinned: _check_thinned,
}

"""Microaggregation (MDAV): the mean of a small group of near records or people in place of their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy
from numpy.typing import NDArray

from singleout.errors import UsageError
from singleout.recipe.record_table import RecordTable
from singleout.recipe.steps.distinct_values import count_changed_values
from singleout.recipe.steps.field_checks import (
    choice_mistakes,
    freeze,
    names_mistakes,
    refuse,
    whole_mistakes,
)
from singleout.recipe.steps.number_columns import Floats, Numbers, numbers_of
from singleout.recipe.steps.step import Change
from singleout.recipe.trace import Replayed

Indices = NDArray[numpy.int64]

BYS = {"record": "records", "person": "people"}
OFS = ("mean", "median")
# records · records / k: so many take about ten minutes
MOST_WORK = 100_000_000_000


@dataclass(frozen=True)
class Microaggregate:
    """Each number becomes the mean (or median) of a group of k or more records that are near in all columns.

    The groups are those of MDAV with a fixed size, k to 2k−1 each: one around the record farthest from the
    mean of all, one around the record farthest from that, and so on with those left; distances are Euclidean
    on columns of mean 0 and standard deviation 1. By person it is people who are near, by the mean of each
    column over their records, and a record's number becomes the mean over all records of the group. Records
    with a missing value in any of the columns stay as they are. Nothing is drawn. The time goes with the
    square of the records, by k: what would take far more than ten minutes is refused. Reference:
    J. Domingo-Ferrer and J. M. Mateo-Sanz, Practical data-oriented microaggregation, 2002.

    >>> import pyarrow
    >>> ages = pyarrow.table({"age": ["20", "21", "60", "62", "25", "70"]})
    >>> records = RecordTable(ages, numpy.arange(6), 6)
    >>> change = Microaggregate(("age",), k=3).apply(records, numpy.random.default_rng(0))
    >>> change.records.column("age").to_pylist(), change.changed
    (['22', '22', '64', '64', '22', '64'], 6)
    """

    step: ClassVar[str] = "microaggregate"
    columns: tuple[str, ...]
    k: int
    by: str = "record"
    of: str = "mean"
    seed: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", freeze(self.columns))
        refuse(
            names_mistakes("columns", self.columns),
            whole_mistakes("k", self.k, least=2, needed=True),
            choice_mistakes("by", self.by, BYS),
            choice_mistakes("of", self.of, OFS),
            whole_mistakes("seed", self.seed),
        )

    @property
    def trace(self) -> Replayed:
        return Replayed(reach="table", joint=True)

    def apply(self, records: RecordTable, draw: numpy.random.Generator) -> Change:  # noqa: ARG002
        read = [numbers_of(name, records.column(name)) for name in self.columns]
        rows = _complete_rows(read, records)
        points = numpy.column_stack([each.values[rows] for each in read])
        group = self._groups(points, records.person[rows])
        changed, new_records = 0, records
        for index, (name, each) in enumerate(zip(self.columns, read, strict=True)):
            new = each.values.copy()
            new[rows] = _middles(points[:, index], group, self.of == "median")
            column = each.as_column(new)
            changed += count_changed_values(each.column, column)
            new_records = new_records.with_column(name, column)
        return Change(
            new_records, changed, "values", self._how(group), _missing_remarks(len(records) - len(rows))
        )

    def _groups(self, points: Floats, person: Indices) -> Indices:
        """The group of each complete record."""
        unit = numpy.arange(len(points))
        if self.by == "person":
            _, unit = numpy.unique(person, return_inverse=True)
            points = _means(points, unit)
        if 0 < len(points) < self.k:
            raise UsageError(
                f"k: there are only {len(points):,} {BYS[self.by]} without a missing value in "
                f"{', '.join(self.columns)}, too few for a group of {self.k:,}; choose a smaller k"
            )
        if len(points) ** 2 > MOST_WORK * int(self.k):
            raise UsageError(self._too_many_message(len(points)))
        group: Indices = near_groups(points, int(self.k))[unit]
        return group

    def _too_many_message(self, count: int) -> str:
        others = "" if self.by == "person" else 'take by = "person", or '
        return (
            f"k: groups of {self.k:,} of {count:,} {BYS[self.by]} would take too long, as each of them is "
            f"compared with all others; {others}choose a larger k, use the step round, or sample first"
        )

    def _how(self, group: Indices) -> str:
        groups = int(group.max(initial=-1)) + 1
        return f"the {self.of} of {groups:,} groups of {self.k:,} {BYS[self.by]} or more"


def near_groups(points: Floats, size: int) -> Indices:
    """The group of each point, by MDAV; equal distances go by the order of the values, not of the points.

    >>> near_groups(numpy.array([[1.0], [9.0], [2.0], [8.0], [0.0]]), 2).tolist()
    [1, 0, 1, 0, 1]
    """
    group = numpy.zeros(len(points), dtype=numpy.int64)
    if not len(points):
        return group
    from singleout.recipe.steps.mdav_kernels import part_into_groups

    order = numpy.lexsort(points.T[::-1])
    part_into_groups(_standardise(points[order]), size, group)
    group_of = numpy.empty_like(group)
    group_of[order] = group
    return group_of


def _complete_rows(read: list[Numbers], records: RecordTable) -> Indices:
    """The records without a missing value, by their values and then their people: not as they come."""
    missing = numpy.logical_or.reduce([each.missing for each in read])
    rows = numpy.flatnonzero(~missing)
    keys = [records.person[rows], *(each.values[rows] for each in reversed(read))]
    ordered: Indices = rows[numpy.lexsort(keys)]
    return ordered


def _standardise(points: Floats) -> Floats:
    """Each column with mean 0 and standard deviation 1, or all 0 if it is constant."""
    small = _scale_points(points, -_powers(points))
    from_mean = small - small.mean(axis=0)
    deviation = numpy.sqrt(numpy.mean(from_mean**2, axis=0))
    varied = (small.min(axis=0) < small.max(axis=0)) & (deviation > 0)
    return numpy.ascontiguousarray(numpy.where(varied, from_mean / numpy.where(varied, deviation, 1), 0.0))


def _powers(points: Floats) -> NDArray[numpy.int32]:
    """Powers of two by which to divide the columns, without loss, so that no sum of them is too large."""
    _, powers = numpy.frexp(numpy.abs(points).max(axis=0, initial=0.0))
    return numpy.asarray(powers, dtype=numpy.int32)


def _scale_points(points: Floats, powers: NDArray[numpy.int32]) -> Floats:
    scaled: Floats = numpy.ldexp(points, powers)
    return scaled


def _means(points: Floats, unit: Indices) -> Floats:
    """The mean of each column over the records of each unit."""
    powers, records = _powers(points), numpy.bincount(unit)
    small = _scale_points(points, -powers)
    means = [numpy.bincount(unit, weights=column) / records for column in small.T]
    return _scale_points(numpy.column_stack(means), powers)


def _middles(values: Floats, group: Indices, median: bool) -> Floats:
    """For each value the mean, or the median, of its group; never beyond the group's values."""
    if not len(values):
        return values
    powers = _powers(values)
    small = _scale_points(values, -powers)[numpy.lexsort((values, group))]
    sizes = numpy.bincount(group)
    starts = numpy.cumsum(sizes) - sizes
    if median:
        middles = (small[starts + (sizes - 1) // 2] + small[starts + sizes // 2]) / 2
    else:
        middles = numpy.add.reduceat(small, starts) / sizes
    middles = numpy.clip(middles, small[starts], small[starts + sizes - 1])
    return _scale_points(middles, powers)[group]


def _missing_remarks(missing: int) -> tuple[str, ...]:
    if not missing:
        return ()
    return (f"records with a missing value in one of the columns stay as they are: {missing:,}",)

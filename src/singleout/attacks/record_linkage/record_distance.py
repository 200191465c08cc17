"""Gower's distance of two records over mixed columns, in whole numbers so that equal distances are equal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy

from singleout.attacks.linkage.candidates import Indices
from singleout.attacks.linkage.nearest_records import Distance, Rows
from singleout.checks import is_number
from singleout.engine.codes.column_numbers import ExactNumbers, Numbers, amounts_of, kind_of, seconds_of
from singleout.engine.codes.histories import Histories, History
from singleout.errors import UsageError, name_hint

CATEGORY, NUMBER = 0, 1
MISSING = -1
# up to here different whole numbers stay different when they are divided as float64
MOST_EXACT = 2**50
# where exact fractions are too long: values are rounded finely, their sums 4,096 times more coarsely
STEPS = 2**38
STEP = 2**12


@dataclass(frozen=True, eq=False)
class _Scale:
    """A column's numbers above the lowest one in either table, up to `span`; none where it has categories."""

    name: str
    weight: Fraction
    used: Indices
    numbers: Numbers | None = None
    missing: Indices | None = None
    span: Fraction = Fraction(1)

    @property
    def exact(self) -> bool:
        return self.numbers is None or self.numbers.dtype.kind == "i"

    def values(self, size: int, unit: int) -> Indices:
        """What each code stands for, 0 … unit; a missing number is −1. A code that no record has is 0."""
        values = numpy.zeros(size, dtype=numpy.int64)
        if self.numbers is None:
            values[self.used] = self.used
        elif self.exact and (not self.span or unit % self.span == 0):
            values[self.used] = self.numbers * int(unit / self.span if self.span else 0)
        else:
            share = self.numbers / float(self.span) if self.span else self.numbers * 0.0
            values[self.used] = numpy.rint(share * unit)
        if self.missing is not None:
            values[self.missing] = MISSING
        return values


def comparable_rows(
    histories: Histories,
    columns: Sequence[str],
    weights: Mapping[str, float] | None = None,
    codes: Sequence[str] = (),
) -> tuple[Rows, Rows, Distance]:
    """The records of both tables as rows of whole numbers, and how to measure the distance of two.

    The distance is the weighted mean over columns: |a − b| / (highest − lowest in both tables) for numbers
    and times, 0 or 1 for equal or different categories, 1 between missing and a value (Gower 1971).
    """
    check_weights(columns, weights or {})
    given = {name: Fraction(str((weights or {}).get(name, 1))) for name in columns}
    scales = [_scale(histories, name, weight, name in codes) for name, weight in given.items() if weight]
    units, step = _units(scales)
    sizes = [len(histories.values[scale.name]) for scale in scales]
    values = [scale.values(size, unit) for scale, size, unit in zip(scales, sizes, units, strict=True)]
    worth = [
        _worth(scale, value[histories.original.codes[scale.name]], unit)
        for scale, value, unit in zip(scales, values, units, strict=True)
    ]
    order = sorted(range(len(scales)), key=lambda column: -worth[column])
    kinds = numpy.array([CATEGORY if scales[column].numbers is None else NUMBER for column in order])
    costs = numpy.array([units[column] for column in order])
    distance = Distance(kinds.astype(numpy.int64), costs.astype(numpy.int64), step, sum(units) // step)
    original, release = (
        _rows(table, [(scales[column].name, values[column]) for column in order])
        for table in (histories.original, histories.release)
    )
    return original, release, distance


def check_weights(columns: Sequence[str], weights: Any) -> None:
    """Numbers of at least 0 for columns that are compared, and above 0 for one of them."""
    if not isinstance(weights, Mapping) or not all(isinstance(name, str) for name in weights):
        raise UsageError(f"weights: give a mapping from columns to numbers, not {weights!r}")
    faults = [
        f"{name!r} is weighted but not compared: {name_hint(name, columns)}"
        for name in weights
        if name not in columns
    ]
    wrong = [name for name, weight in weights.items() if not _is_weight(weight)]
    faults += [
        f"the weight of {name!r} is {weights[name]!r}, it must be a number from 0 on" for name in wrong
    ]
    if not wrong and not any(weights.get(name, 1) for name in columns):
        faults.append("no column is compared: name at least one, with a weight above 0")
    if faults:
        raise UsageError("; ".join(faults))


def _is_weight(weight: Any) -> bool:
    return is_number(weight) and 0 <= weight < math.inf


def _scale(histories: Histories, name: str, weight: Fraction, code: bool) -> _Scale:
    values = histories.values[name]
    used = numpy.unique(
        numpy.concatenate([table.codes[name] for table in (histories.original, histories.release)])
    )
    kind = "category" if code else kind_of(values)
    if kind == "category":
        return _Scale(name, weight, used.astype(numpy.int64))
    read = (amounts_of if kind == "number" else seconds_of)(name, values)
    return _number_scale(name, weight, used.astype(numpy.int64), read)


def _number_scale(name: str, weight: Fraction, used: Indices, read: ExactNumbers) -> _Scale:
    missing = used[read.missing[used]]
    used = used[~read.missing[used]]
    numbers = read.numbers[used]
    lowest, highest = (numbers.min().item(), numbers.max().item()) if len(used) else (0, 0)
    if isinstance(highest, int) and highest - lowest >= MOST_EXACT:
        numbers, lowest, highest = numbers.astype(numpy.float64), float(lowest), float(highest)
    if not math.isfinite(highest - lowest):
        # a distance is a share of the span: a quarter of all numbers has the same
        numbers, lowest, highest = numbers / 4, lowest / 4, highest / 4
    above: Any = numbers - lowest
    return _Scale(name, weight, used, above, missing, Fraction(highest - lowest))


def _units(scales: Sequence[_Scale]) -> tuple[list[int], int]:
    """What each column may add to a distance: exact if whole numbers can hold it, else rounded."""
    weights = [scale.weight for scale in scales]
    shared = math.lcm(*(weight.denominator for weight in weights))
    if all(scale.exact for scale in scales):
        spans = (int(scale.span) for scale in scales if scale.span)
        common = math.lcm(*spans)
        units = [int(weight * shared) * common for weight in weights]
        if sum(units) <= MOST_EXACT:
            return units, 1
    total = sum(weights)
    return [round(weight / total * STEPS) * STEP for weight in weights], STEP


def _worth(scale: _Scale, values: Indices, unit: int) -> float:
    """How soon a column tells records apart: the mean distance of two of them, against the number of values.

    The columns are compared in this order, which does not change any distance.
    """
    found, counts = numpy.unique(values, return_counts=True)
    shares = counts / max(1, len(values))
    if scale.numbers is None:
        mean = unit * (1 - float((shares**2).sum()))
    else:
        below = numpy.cumsum(shares) - shares
        mean = 2 * float((found * shares * (2 * below + shares - 1)).sum())
    return mean / math.log2(len(found) + 2)


def _rows(table: History, columns: Sequence[tuple[str, Indices]]) -> Rows:
    rows = numpy.empty((table.records, len(columns)), dtype=numpy.int64)
    for column, (name, values) in enumerate(columns):
        rows[:, column] = values[table.codes[name]]
    return rows

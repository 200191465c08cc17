"""What generalising and suppressing records loses, in five ways that can be compared with other tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy
from numpy.typing import NDArray

from singleout.checks import is_number
from singleout.errors import UsageError, name_hint
from singleout.measurement import Measure
from singleout.roles.hierarchies.hierarchy import Levels

LossName = Literal["loss", "non_uniform_entropy", "levels", "discernibility", "average_class_size"]
LOSS_NAMES: tuple[LossName, ...] = get_args(LossName)
BY_CLASSES: tuple[LossName, ...] = ("discernibility", "average_class_size")
Costs = NDArray[numpy.int64]
# logarithms are added up as whole numbers, so that a sum is the same in any order
MOST_BITS = 62
FINEST_BITS = 40
MOST_WEIGHT = 1_000_000

LOSS = Measure(
    name="loss",
    title="loss",
    question="How much coarser have the values become?",
    formula="geometric mean over attributes of 1 + w·ℓ, less 1; ℓ = (mean share − 1/L) / (1 − 1/L), a "
    "value's share being how many of the L raw values of its hierarchy it stands for, 1 if suppressed",
    unit="share",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="records",
    reference="ARX's Loss, after Iyengar 2002",
)
NON_UNIFORM_ENTROPY = Measure(
    name="non_uniform_entropy",
    title="non-uniform entropy",
    question="How many bits are missing to tell the raw values from the released ones?",
    formula="Σ over attributes and records of w·log2(f(released) / f(raw)), f counted before suppression, a "
    "suppressed value standing for all records, divided by the same with every value suppressed",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    reference="Gionis and Tassa 2009",
)
LEVELS = Measure(
    name="levels",
    title="levels",
    question="How far up their hierarchies have the attributes moved?",
    formula="Σ over attributes of w·level/height; a suppressed record counts as at the top of each",
    unit="levels of height 1",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="records",
    reference="Anon. n.d., Algorithm 7; Samarati 2001",
)
DISCERNIBILITY = Measure(
    name="discernibility",
    title="discernibility",
    question="How many records can't be told from each other?",
    formula="Σ over released classes of size², plus suppressed records · all records",
    unit="pairs of records",
    lowest=0,
    highest=None,
    better="lower",
    counted_over="records",
    reference="Bayardo and Agrawal 2005; Anon. n.d., Algorithm 7",
)
AVERAGE_CLASS_SIZE = Measure(
    name="average_class_size",
    title="average class size",
    question="How many records look alike, on average over classes?",
    formula="records / classes, the suppressed records being one class more",
    unit="records",
    lowest=1,
    highest=None,
    better="lower",
    counted_over="classes",
    reference="LeFevre, DeWitt and Ramakrishnan 2006, without the division by k",
)
LOSS_MEASURES: tuple[Measure, ...] = (LOSS, NON_UNIFORM_ENTROPY, LEVELS, DISCERNIBILITY, AVERAGE_CLASS_SIZE)


@dataclass(frozen=True)
class Loss:
    """Which loss, and how much each attribute weighs; those not named weigh 1.

    >>> Loss("los")
    Traceback (most recent call last):
    singleout.errors.UsageError: loss: 'los' is none; did you mean 'loss'?
    """

    name: LossName = "loss"
    weights: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        if self.name not in LOSS_NAMES:
            raise UsageError(f"loss: {self.name!r} is none; {name_hint(str(self.name), LOSS_NAMES)}")
        if not isinstance(self.weights or {}, Mapping):
            raise UsageError(f"weights: {self.weights!r} is no mapping; write it like {{'age': 2}}")
        if self.weights and self.name in BY_CLASSES:
            raise UsageError(
                f"weights: {self.name} is counted over classes; only losses of attributes have some"
            )
        for column, weight in (self.weights or {}).items():
            if not _is_weight(weight):
                right = f"write a number from 0 to {MOST_WEIGHT:,}"
                raise UsageError(f"weights: {weight!r} for {column!r} is no weight; {right}")

    @property
    def measure(self) -> Measure:
        return next(each for each in LOSS_MEASURES if each.name == self.name)

    def check(self, columns: Sequence[str]) -> None:
        """A weight is of a column that is generalised."""
        for column in self.weights or {}:
            if column not in columns:
                raise UsageError(f"weights: {column!r} is not generalised; {name_hint(column, columns)}")

    def weight(self, column: str) -> float:
        return float((self.weights or {}).get(column, 1.0))


def _is_weight(number: Any) -> bool:
    return is_number(number) and 0 <= float(number) <= MOST_WEIGHT


@dataclass(frozen=True, eq=False)
class ColumnCosts:
    """What a record costs in one column, in whole units: at each level by its value, and when suppressed.

    The column's loss is (the sum over records − `low`) / `span`, from 0 to 1.
    """

    at: tuple[Costs, ...]
    full: int
    low: int
    span: int

    def least(self) -> Costs:
        """What each value costs at the level where it costs least."""
        found: Costs = numpy.min(numpy.stack(self.at), axis=0)
        return found


def column_costs(loss: Loss, levels: Levels, records: Costs) -> ColumnCosts:
    """The costs of a column, `records` being how many have each of its values."""
    total = int(records.sum())
    if loss.name == "non_uniform_entropy":
        return _bits(levels, records, total)
    if loss.name == "levels":
        ups = tuple(numpy.full(len(records), level, dtype=numpy.int64) for level in range(levels.height + 1))
        return ColumnCosts(ups, levels.height, 0, total * levels.height)
    shares = tuple(numpy.array(each, dtype=numpy.int64) for each in levels.shares)
    return ColumnCosts(shares, levels.domain, total, total * (levels.domain - 1))


def _bits(levels: Levels, records: Costs, total: int) -> ColumnCosts:
    unit = float(2 ** _fineness(total))
    at = []
    for level in range(levels.height + 1):
        codes = levels.codes(level)
        alike = numpy.bincount(codes, records)
        at.append(numpy.rint(numpy.log2(numpy.maximum(alike[codes], 1)) * unit).astype(numpy.int64))
    as_they_are = numpy.rint(numpy.log2(numpy.maximum(records, 1)) * unit).astype(numpy.int64)
    full, low = round(float(numpy.log2(max(total, 1))) * unit), int((as_they_are * records).sum())
    return ColumnCosts(tuple(at), full, low, total * full - low)


def _fineness(total: int) -> int:
    needed = int(total * max(1.0, numpy.log2(max(total, 2)))).bit_length()
    return max(0, min(FINEST_BITS, MOST_BITS - needed))


def weights_of(loss: Loss, columns: Sequence[str], costs: Sequence[ColumnCosts]) -> NDArray[numpy.float64]:
    """By how much each column's loss is multiplied before all are put together."""
    given = numpy.array([loss.weight(column) for column in columns], dtype=numpy.float64)
    if loss.name != "non_uniform_entropy":
        return given
    bits = given * numpy.array([float(each.span) for each in costs])
    found: NDArray[numpy.float64] = bits / (bits.sum() or 1.0)
    return found


def combined_loss(loss: Loss, weights: Sequence[float], parts: Sequence[float]) -> float:
    """One number from the columns' losses."""
    if loss.name != "loss":
        return float(sum(weight * part for weight, part in zip(weights, parts, strict=True)))
    product = 1.0
    for weight, part in zip(weights, parts, strict=True):
        product *= 1.0 + weight * part
    return float(product ** (1 / len(parts)) - 1)

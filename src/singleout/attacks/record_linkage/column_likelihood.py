"""How likely a released value is, given the original one: a model for each column, and all as arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy
from numpy.typing import NDArray

from singleout.attacks.linkage.candidates import Indices, Scores
from singleout.errors import UsageError

NoiseKind = Literal["uniform", "normal", "laplace", "days", "triangular"]
# as bayes_linkage_kernels has them
REDRAWN, MATRIX, UNIFORM, NORMAL, LAPLACE, DAYS, TRIANGULAR = range(7)
KINDS: dict[NoiseKind, int] = {
    "uniform": UNIFORM, "normal": NORMAL, "laplace": LAPLACE, "days": DAYS, "triangular": TRIANGULAR,
}  # fmt: skip
# noise is cut off where its density is a billionth of its peak
NORMAL_REACH = math.sqrt(2 * math.log(1e9))
LAPLACE_REACH = math.log(1e9)
SLACK = 1e-6


@dataclass(frozen=True)
class EqualValues:
    """The released value is the original one: 1 where the codes are equal, else 0."""


@dataclass(frozen=True)
class AnyValue:
    """The column says nothing: 1 for all values."""


@dataclass(frozen=True, eq=False)
class MovedNumbers:
    """The released number r is the original o plus noise e, or o · (1 + e) if `relative`, then rounded.

    `numbers` are what the codes stand for, in one unit (dates: days); where there is none (NaN) only equal
    codes fit. The noise is uniform on [−scale, scale], normal with `scale` as standard deviation, laplace
    with it as scale, or any of −scale … scale whole days; or triangular, as rounding by chance to multiples
    of the scale is: 1 − |r − o|/scale. The likelihood is the chance that o + e lies within
    `half_width` of r, the density where that is 0; beyond `reach` of e it is 0. A relative change of 0 is 0.
    """

    numbers: Scores
    noise: NoiseKind
    scale: float
    relative: bool = False
    half_width: float = 0.0

    def __post_init__(self) -> None:
        if self.noise not in KINDS:
            raise UsageError(f"noise: {self.noise!r} is none; there are {', '.join(get_args(NoiseKind))}")
        if not 0 < self.scale < math.inf:
            raise UsageError(f"scale: {self.scale!r} is none; give a number above 0")
        if not 0 <= self.half_width < math.inf:
            raise UsageError(f"half width: {self.half_width!r} is none; give a number of at least 0")
        if self.noise == "days" and (self.relative or self.half_width or self.scale != int(self.scale)):
            raise UsageError("days move by whole days: give a whole scale, no half width, nothing relative")

    @property
    def reach(self) -> float:
        """How far noise moves a number at most."""
        factor = {"normal": NORMAL_REACH, "laplace": LAPLACE_REACH}
        return self.scale * factor.get(self.noise, 1.0)

    def window(self, released: Scores) -> tuple[Scores, Scores]:
        """From where to where originals of released numbers lie, or a little farther."""
        low, high = released - self.half_width, released + self.half_width
        if not self.relative:
            slack = SLACK + 1e-8 * (abs(released) + self.reach)
            return low - self.reach - slack, high + self.reach + slack
        if self.reach >= 1 - SLACK:
            return numpy.full_like(low, -numpy.inf), numpy.full_like(high, numpy.inf)
        factors = 1 / (1 + self.reach), 1 / (1 - self.reach)
        ends = numpy.stack([end * factor for end in (low, high) for factor in factors])
        slack = SLACK + 1e-8 * abs(ends).max(axis=0)
        return ends.min(axis=0) - slack, ends.max(axis=0) + slack


@dataclass(frozen=True, eq=False)
class RedrawnValues:
    """The value stays with probability `keep`, else it is drawn by the probabilities `drawn` of all codes."""

    keep: float
    drawn: Scores

    def __post_init__(self) -> None:
        if not 0 <= self.keep <= 1:
            raise UsageError(f"keep: {self.keep!r} is no probability; give a number from 0 to 1")
        _check_probabilities(self.drawn)


@dataclass(frozen=True, eq=False)
class RedrawnByMatrix:
    """`rows[o, r]` is the probability that the code o is released as r (PRAM's transition matrix)."""

    rows: Scores

    def __post_init__(self) -> None:
        _check_probabilities(self.rows)
        if self.rows.ndim != 2 or len(set(self.rows.shape)) > 1:
            raise UsageError("give a row and a column for each code")


ColumnLikelihood = EqualValues | AnyValue | MovedNumbers | RedrawnValues | RedrawnByMatrix


def _check_probabilities(given: Scores) -> None:
    if not ((given >= 0) & (given <= 1)).all():
        raise UsageError("probabilities are from 0 to 1, for each code one")


@dataclass(frozen=True, eq=False)
class LikelihoodTables:
    """The models of all columns as arrays, for the compiled loops.

    The codes of a column of moved numbers are renumbered by rising numbers, those without any last; `numbers`
    has them in that order. `tables` has, from `offsets[column]` on: a redrawn column's chance of being drawn,
    by code; a matrix by released, then by original code; numbers. `settings` are keep, or scale, half width,
    relative and reach.
    """

    models: tuple[ColumnLikelihood, ...]
    sizes: tuple[int, ...]
    kinds: Indices
    settings: Scores
    offsets: Indices
    tables: Scores
    ranks: tuple[Indices, ...]

    @classmethod
    def of(cls, models: Sequence[ColumnLikelihood], sizes: Sequence[int]) -> LikelihoodTables:
        """`sizes` is how many codes each column has."""
        parts = [_column_arrays(model, size) for model, size in zip(models, sizes, strict=True)]
        lengths = [len(table) for _, _, table, _ in parts]
        return cls(
            tuple(models), tuple(sizes),
            numpy.array([kind for kind, _, _, _ in parts], dtype=numpy.int64),
            numpy.array([settings for _, settings, _, _ in parts], dtype=numpy.float64).reshape(-1, 4),
            numpy.cumsum([0, *lengths[:-1]]).astype(numpy.int64)[: len(parts)],
            numpy.concatenate([numpy.zeros(0), *(table for _, _, table, _ in parts)]),
            tuple(rank for _, _, _, rank in parts),
        )  # fmt: skip

    def columns_of(self, kind: type[Any]) -> tuple[int, ...]:
        return tuple(column for column, model in enumerate(self.models) if isinstance(model, kind))

    def numbers(self, column: int) -> Scores:
        """What the renumbered codes of a column of moved numbers stand for, rising, NaN last."""
        return self.tables[self.offsets[column] :][: self.sizes[column]]

    def codes(self, columns: Sequence[NDArray[numpy.uint32]]) -> NDArray[numpy.int64]:
        """Records as rows of renumbered codes."""
        rows = numpy.empty((len(columns[0]), len(columns)), dtype=numpy.int64)
        for column, codes in enumerate(columns):
            rows[:, column] = self.ranks[column][codes]
        return rows


def _column_arrays(
    model: ColumnLikelihood, size: int
) -> tuple[int, tuple[float, float, float, float], Scores, Indices]:
    """Its kind, settings, table and the new number of each code."""
    same = numpy.arange(size)
    if isinstance(model, MovedNumbers):
        _check_size(len(model.numbers), size)
        order = numpy.argsort(model.numbers, kind="stable")
        settings = (model.scale, model.half_width, float(model.relative), model.reach)
        return KINDS[model.noise], settings, model.numbers[order], numpy.argsort(order)
    if isinstance(model, RedrawnByMatrix):
        _check_size(len(model.rows), size)
        return MATRIX, (0, 0, 0, 0), model.rows.T.reshape(-1).astype(numpy.float64), same
    if isinstance(model, RedrawnValues):
        _check_size(len(model.drawn), size)
        return REDRAWN, (model.keep, 0, 0, 0), (1 - model.keep) * model.drawn, same
    return REDRAWN, (1, 0, 0, 0), numpy.zeros(size), same


def _check_size(given: int, size: int) -> None:
    if given != size:
        raise UsageError(f"the column has {size:,} codes, and the model of it has {given:,}")

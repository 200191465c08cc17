"""The statistics that Yang et al. 2020 predicts from: how often each value occurs, and each pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy
from numpy.typing import NDArray

from singleout.errors import InputError
from singleout.risk.shannon_entropy import entropy_of

Counts = NDArray[numpy.int64]
Labels = tuple[str | None, ...]


@dataclass(frozen=True, eq=False)
class Avfm:
    """The attribute value frequency matrix (Definition 1): code c of a column occurs frequencies[c] times.

    Codes are by falling frequency, so what follows does not depend on how values are called or ordered.
    `labels` are the values behind the codes, where they are known; None is a missing value.
    """

    columns: tuple[str, ...]
    frequencies: tuple[Counts, ...]
    labels: tuple[Labels, ...] | None = None

    def __post_init__(self) -> None:
        if not self.columns:
            raise InputError("statistics of no column at all; give at least one")
        for name, column in zip(self.columns, self.frequencies, strict=True):
            if not len(column) or column.min() < 1:
                raise InputError(f"column {name!r}: a frequency must be a whole number, 1 or more")
        if len(set(self._totals)) > 1:
            totals = ", ".join(f"{n} {t:,}" for n, t in zip(self.columns, self._totals, strict=True))
            raise InputError(f"each column's frequencies must add up to the same number of records: {totals}")

    @cached_property
    def _totals(self) -> list[int]:
        return [int(column.sum()) for column in self.frequencies]

    @property
    def records(self) -> int:
        return self._totals[0]

    @cached_property
    def entropies(self) -> tuple[float, ...]:
        """H(A_j) of each column, in bits."""
        return tuple(entropy_of(column) for column in self.frequencies)

    def by_rank(self) -> Avfm:
        """The same with each value called by its rank: 1 is the most frequent."""
        labels = tuple(tuple(map(str, range(1, len(column) + 1))) for column in self.frequencies)
        return Avfm(self.columns, self.frequencies, labels)

    def only(self, columns: Sequence[str]) -> Avfm:
        """The statistics of some columns, in the order asked for."""
        indices = [self.columns.index(name) for name in columns]
        labels = tuple(self.labels[index] for index in indices) if self.labels else None
        return Avfm(tuple(columns), tuple(self.frequencies[index] for index in indices), labels)


@dataclass(frozen=True, eq=False)
class PairTable:
    """How often each pair of values of two columns occurs: columns by place in the AVFM, values by code."""

    first: int
    second: int
    first_codes: Counts
    second_codes: Counts
    counts: Counts

    @cached_property
    def joint_entropy(self) -> float:
        """H(A, B) in bits."""
        return entropy_of(self.counts)

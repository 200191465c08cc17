"""Bayes linkage by its definition: every released record with every original one, in plain floats."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from singleout.attacks.record_linkage.column_likelihood import (
    AnyValue,
    ColumnLikelihood,
    EqualValues,
    MovedNumbers,
    RedrawnByMatrix,
    RedrawnValues,
)
from tests.by_hand.nearest_by_hand import Table, Value

Known = Mapping[str, Sequence[Value]]
REACH = {"normal": math.sqrt(2 * math.log(1e9)), "laplace": math.log(1e9)}


def up_to(noise: str, scale: float, x: float) -> float:
    """The chance that noise is at most x."""
    if noise == "uniform":
        return min(max((x / scale + 1) / 2, 0), 1)
    if noise == "normal":
        return 0.5 * math.erfc(-x / scale / math.sqrt(2))
    return 0.5 * math.exp(x / scale) if x < 0 else 1 - 0.5 * math.exp(-x / scale)


def density(noise: str, scale: float, x: float) -> float:
    if noise == "uniform":
        return 1 / (2 * scale)
    if noise == "normal":
        return math.exp(-((x / scale) ** 2) / 2) / scale / math.sqrt(2 * math.pi)
    return math.exp(-abs(x) / scale) / scale / 2


def moved(model: MovedNumbers, released: float, original: float) -> float:
    noise, scale, half, apart = model.noise, model.scale, model.half_width, abs(released - original)
    if noise == "days":
        return 1 / (2 * scale + 1) if apart <= scale and apart == int(apart) else 0
    if noise == "triangular":
        return max(0.0, 1 - apart / scale)
    unit = abs(original) if model.relative else 1.0
    if unit == 0:
        return float(apart <= half)
    if apart > scale * REACH.get(noise, 1) * unit + half:
        return 0
    if half == 0:
        return density(noise, scale, apart / unit) / unit
    return up_to(noise, scale, (half - apart) / unit) - up_to(noise, scale, (-half - apart) / unit)


def likelihood(model: ColumnLikelihood, released: int, original: int) -> float:
    """Of codes."""
    if isinstance(model, AnyValue):
        return 1
    if isinstance(model, EqualValues):
        return float(released == original)
    if isinstance(model, RedrawnValues):
        return model.keep * (released == original) + (1 - model.keep) * float(model.drawn[released])
    if isinstance(model, RedrawnByMatrix):
        return float(model.rows[original, released])
    numbers = float(model.numbers[released]), float(model.numbers[original])
    return float(released == original) if math.isnan(sum(numbers)) else moved(model, *numbers)


def scores(
    original: Table, release: Table, models: Mapping[str, ColumnLikelihood], known: Known, epsilon: float
) -> list[list[float]]:
    """A row for each person of the release; `known` are the values by code. None and * fit anything."""

    def both(one: Mapping[str, Value], other: Mapping[str, Value]) -> float:
        factors = (
            likelihood(model, known[name].index(one[name]), known[name].index(other[name]))
            for name, model in models.items()
            if one[name] not in (None, "*")
        )
        return math.prod(factors)

    def mean(record: Mapping[str, Value], others: Sequence[Mapping[str, Value]]) -> float:
        return math.fsum(both(record, other) for other in others) / len(others) if others else 0

    everybody = [row for _, row in original.rows]

    def score(one: int, other: int) -> float:
        points = 0
        for record in release.of(one):
            if chance := mean(record, everybody):
                ratio = mean(record, original.of(other)) / chance
                points += round(math.log(1 + (1 - epsilon) / epsilon * ratio) * 2**34)
        return (points + 2**11) // 2**12 / 2**22

    return [[score(one, other) for other in range(original.people)] for one in range(release.people)]

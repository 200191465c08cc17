"""How figures of people spread: mean and quartiles, and the ends where these may be told."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy
from numpy.typing import NDArray

Figures = NDArray[numpy.float64] | NDArray[numpy.int64]
# an amount that fewer people stand behind is nearly the amount of one of them
FEWEST = 5
ONE_PERSONS = "somebody's own amount; --show-values tells it"
TOO_FEW = f"fewer than {FEWEST} stand behind it; --show-values tells it"
QUARTERS, TENTHS, MOST_POINTS = 4, 10, 200


@dataclass(frozen=True)
class PeopleSpread:
    """One figure a person, of `people`; what is withheld is None, and `reason` says why.

    `curve` are, of amounts, (share of the people, what they have at most): of everybody where the ends may be
    told, else in steps that at least five people make up, or quarters.
    """

    people: int
    mean: float | None
    lowest: float | None
    quarter: float | None
    median: float | None
    three_quarters: float | None
    highest: float | None
    reason: str | None = None
    curve: tuple[tuple[float, float], ...] = ()

    @classmethod
    def of_counts(cls, figures: Figures) -> PeopleSpread:
        """Of whole counts, which tell nobody's values."""
        return cls._of(figures, None)

    @classmethod
    def of_amounts(cls, figures: Figures, show_values: bool) -> PeopleSpread | None:
        """Of amounts, whose ends are those of single people; None where nobody has one."""
        known = figures[numpy.isfinite(figures)]
        if not len(known):
            return None
        if show_values:
            return replace(cls._of(known, None), curve=_curve_of_all(known))
        if len(known) < FEWEST:
            return cls(len(known), None, None, None, None, None, None, TOO_FEW)
        return replace(cls._of(known, ONE_PERSONS), curve=_curve_of_steps(known))

    @classmethod
    def _of(cls, figures: Figures, withheld: str | None) -> PeopleSpread:
        mean = math.fsum(figures.tolist()) / len(figures)
        quarter, median, three_quarters = map(float, numpy.quantile(figures, (0.25, 0.5, 0.75)))
        ends = (None, None) if withheld else (float(figures.min()), float(figures.max()))
        return cls(len(figures), mean, ends[0], quarter, median, three_quarters, ends[1], withheld)

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self), "curve": [list(each) for each in self.curve]}


def _curve_of_all(known: Figures) -> tuple[tuple[float, float], ...]:
    """A point a person, or as many as can be drawn, the ends among them."""
    people = len(known)
    places = numpy.unique(numpy.linspace(0, people - 1, min(people, MOST_POINTS)).round().astype(int))
    return tuple(zip(((places + 1) / people).tolist(), numpy.sort(known)[places].tolist(), strict=True))


def _curve_of_steps(known: Figures) -> tuple[tuple[float, float], ...]:
    steps = TENTHS if len(known) >= TENTHS * FEWEST else QUARTERS
    shares = numpy.arange(1, steps) / steps
    return tuple(zip(shares.tolist(), numpy.quantile(known, shares).tolist(), strict=True))


def shown_amount(amount: float, stand_behind: int, show_values: bool) -> float | None:
    """A sum, unless so few records make it up that it is nearly one of them."""
    return amount if show_values or stand_behind >= FEWEST else None

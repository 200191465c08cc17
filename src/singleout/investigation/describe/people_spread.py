"""How figures of people spread: mean and quartiles, and the ends where these may be told."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

Figures = NDArray[numpy.float64] | NDArray[numpy.int64]
# an amount that fewer people stand behind is nearly the amount of one of them
FEWEST = 5
ONE_PERSONS = "somebody's own amount; --show-values tells it"
TOO_FEW = f"fewer than {FEWEST} stand behind it; --show-values tells it"


@dataclass(frozen=True)
class PeopleSpread:
    """One figure a person, of `people`; what is withheld is None, and `reason` says why."""

    people: int
    mean: float | None
    lowest: float | None
    quarter: float | None
    median: float | None
    three_quarters: float | None
    highest: float | None
    reason: str | None = None

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
            return cls._of(known, None)
        if len(known) < FEWEST:
            return cls(len(known), None, None, None, None, None, None, TOO_FEW)
        return cls._of(known, ONE_PERSONS)

    @classmethod
    def _of(cls, figures: Figures, withheld: str | None) -> PeopleSpread:
        mean = math.fsum(figures.tolist()) / len(figures)
        quarter, median, three_quarters = map(float, numpy.quantile(figures, (0.25, 0.5, 0.75)))
        ends = (None, None) if withheld else (float(figures.min()), float(figures.max()))
        return cls(len(figures), mean, ends[0], quarter, median, three_quarters, ends[1], withheld)

    def to_dict(self) -> dict[str, float | int | str | None]:
        return vars(self).copy()


def shown_amount(amount: float, stand_behind: int, show_values: bool) -> float | None:
    """A sum, unless so few records make it up that it is nearly one of them."""
    return amount if show_values or stand_behind >= FEWEST else None

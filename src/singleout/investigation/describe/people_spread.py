"""How figures of people spread: mean and quartiles, and the ends where these may be told."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.errors import InputError

Figures = NDArray[numpy.float64] | NDArray[numpy.int64]
# an amount that fewer people stand behind is nearly the amount of one of them
FEWEST = 5
TOO_FEW = f"fewer than {FEWEST} stand behind it; --show-values tells it"
QUARTERS, TENTHS, MOST_POINTS = 4, 10, 200
ONE_PERSONS = "the ends are somebody's own amounts; --show-values tells them"
NO_QUARTERS = (
    f"ends, and quarters of fewer than {QUARTERS * FEWEST} people, are nearly somebody's own amounts; "
    "--show-values tells them"
)


@dataclass(frozen=True)
class PeopleSpread:
    """One figure a person, of `people`; what is withheld is None, and `reason` says why.

    `curve` are, of amounts, (share of the people, what they have at most): of everybody where the ends may be
    told, else in tenths or quarters that at least five people make up. A quarter or tenth is then the mean of
    the five people about it, for each alone would be somebody's own.
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
        return cls._of(figures)

    @classmethod
    def of_amounts(cls, figures: Figures, show_values: bool) -> PeopleSpread | None:
        """Of amounts, whose ends are those of single people; None where nobody has one."""
        known = figures[numpy.isfinite(figures)]
        if not len(known):
            return None
        if show_values:
            return replace(cls._of(known), curve=_curve_of_all(known))
        if numpy.count_nonzero(known) < FEWEST:
            return cls(len(known), None, None, None, None, None, None, TOO_FEW)
        return cls._of_crowd(numpy.sort(known))

    @classmethod
    def _of(cls, figures: Figures) -> PeopleSpread:
        mean = whole_sum(figures) / len(figures)
        quarter, median, three_quarters = map(float, numpy.quantile(figures, (0.25, 0.5, 0.75)))
        lowest, highest = float(figures.min()), float(figures.max())
        return cls(len(figures), mean, lowest, quarter, median, three_quarters, highest)

    @classmethod
    def _of_crowd(cls, ordered: NDArray[Any]) -> PeopleSpread:
        """What nobody has alone."""
        mean = whole_sum(ordered) / len(ordered)
        if len(ordered) < QUARTERS * FEWEST:
            return cls(len(ordered), mean, None, None, None, None, None, NO_QUARTERS)
        quarter, median, three_quarters = (_mean_about(ordered, share) for share in (0.25, 0.5, 0.75))
        curve = _curve_of_steps(ordered)
        return cls(len(ordered), mean, None, quarter, median, three_quarters, None, ONE_PERSONS, curve)

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self), "curve": [list(each) for each in self.curve]}


def _curve_of_all(known: Figures) -> tuple[tuple[float, float], ...]:
    """A point a person, or as many as can be drawn, the ends among them."""
    people = len(known)
    places = numpy.unique(numpy.linspace(0, people - 1, min(people, MOST_POINTS)).round().astype(int))
    return tuple(zip(((places + 1) / people).tolist(), numpy.sort(known)[places].tolist(), strict=True))


def _curve_of_steps(ordered: NDArray[Any]) -> tuple[tuple[float, float], ...]:
    steps = TENTHS if len(ordered) >= TENTHS * FEWEST else QUARTERS
    shares = [step / steps for step in range(1, steps)]
    return tuple((share, _mean_about(ordered, share)) for share in shares)


def _mean_about(ordered: NDArray[Any], share: float) -> float:
    """Of the five people in the middle of whom the share of all ends."""
    first = round(share * (len(ordered) - 1)) - FEWEST // 2
    return math.fsum(ordered[first : first + FEWEST].tolist()) / FEWEST


def whole_sum(figures: Figures) -> float:
    """Exact; refused where it, or a difference of two of them, may be beyond all numbers."""
    try:
        math.fsum(numpy.abs(figures).tolist())
    except OverflowError as error:
        raise InputError(
            "the amounts add up to more than a number can hold; tell them in larger units"
        ) from error
    return math.fsum(figures.tolist())


def shown_amount(amount: float, stand_behind: int, show_values: bool) -> float | None:
    """A sum, unless so few records make it up that it is nearly one of them."""
    return amount if show_values or stand_behind >= FEWEST else None

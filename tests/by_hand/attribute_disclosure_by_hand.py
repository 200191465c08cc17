"""What a class gives away of a sensitive column, by the definitions, in fractions as far as these go."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy
from scipy.optimize import linprog

NEAR = 1e-9
LIMITS = ("entropy_l", "recursive_c", "beta_basic", "beta_enhanced", "delta", "delta_of_present", "alpha")


@dataclass(frozen=True)
class Had:
    """Which person of a class, or of the table, has which value: each pair once."""

    pairs: frozenset[tuple[int, int]]

    @property
    def values(self) -> list[int]:
        return [value for _, value in self.pairs]

    @property
    def people(self) -> int:
        return len({person for person, _ in self.pairs})

    @property
    def counts(self) -> Counter[int]:
        return Counter(self.values)

    @property
    def certain(self) -> bool:
        """Whether all people have one value."""
        return max(self.counts.values()) == self.people

    @property
    def distinct(self) -> int:
        return 1 if self.certain else len(self.counts)

    @property
    def entropy_l(self) -> float:
        if self.certain:
            return 1.0
        shares = [many / len(self.pairs) for many in self.counts.values()]
        return math.exp(-math.fsum(share * math.log(share) for share in shares))

    @property
    def alpha(self) -> Fraction:
        return Fraction(max(self.counts.values()), self.people)

    def skew(self, table: Had) -> float:
        """The highest Cohen's h of a value's share here above that of all."""
        gains = (
            angle(many / self.people) - angle(table.counts[value] / table.people)
            for value, many in self.counts.items()
        )
        return max(0.0, *gains)

    def recursive_c(self, least: int) -> Fraction | None:
        """None where no c is large enough."""
        ranked = sorted(self.counts.values(), reverse=True)
        tail = sum(ranked[least - 1 :])
        return Fraction(ranked[0], tail) if tail and not (self.certain and least > 1) else None

    def ratios(self, table: Had) -> dict[int, Fraction]:
        """Of each value of the table, the share of people here who have it ÷ that of all."""
        return {
            value: Fraction(self.counts[value], self.people) / Fraction(many, table.people)
            for value, many in table.counts.items()
        }

    def beta_basic(self, table: Had) -> Fraction:
        return max(Fraction(0), *(ratio - 1 for ratio in self.ratios(table).values()))

    def beta_enhanced(self, table: Had) -> Fraction | None:
        """None where a value gains more than −ln of its share."""
        for value, ratio in self.ratios(table).items():
            if float(ratio) - 1 > -math.log(table.counts[value] / table.people) + NEAR:
                return None
        return self.beta_basic(table)

    def delta(self, table: Had, of_present: bool = False) -> float | None:
        """None where a value is ruled out."""
        ratios = [ratio for ratio in self.ratios(table).values() if ratio or not of_present]
        return None if 0 in ratios else max(abs(math.log(ratio)) for ratio in ratios)


def angle(share: float) -> float:
    return 2 * math.asin(math.sqrt(share))


def keeps(here: Had, table: Had, wish: Any) -> bool:
    """Whether a class keeps to what is asked of it; the wishes of tests lie beside no number that occurs."""
    ratio = here.recursive_c(wish.recursive_l)
    numbers = {
        "recursive_c": None if ratio is None else float(ratio),
        "beta_basic": float(here.beta_basic(table)),
        "beta_enhanced": _number(here.beta_enhanced(table)),
        "delta": here.delta(table),
        "delta_of_present": here.delta(table, of_present=True),
        "alpha": float(here.alpha),
    }
    if wish.entropy_l is not None and here.entropy_l < wish.entropy_l - NEAR:
        return False
    for name, number in numbers.items():
        limit = getattr(wish, name)
        strict = name.startswith(("recursive", "delta"))
        if limit is not None and (number is None or number > limit + (-NEAR if strict else NEAR)):
            return False
    return True


def _number(number: Fraction | None) -> float | None:
    return None if number is None else float(number)


def earth_movers(here: Sequence[float], there: Sequence[float], apart: Any) -> float:
    """The least that it costs to turn one spread into the other, as a linear program."""
    many = len(here)
    rows = numpy.zeros((2 * many, many * many))
    for one, other in product(range(many), repeat=2):
        rows[one, one * many + other] = 1
        rows[many + other, one * many + other] = 1
    found = linprog(numpy.ravel(apart), A_eq=rows, b_eq=[*here, *there], method="highs")
    return float(found.fun)

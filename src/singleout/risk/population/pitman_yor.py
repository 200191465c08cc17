"""The Pitman–Yor law: how the classes of look-alikes grow with the number of people."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

Floats = NDArray[numpy.float64]
# from here on, the terms of Stirling's series that are left out are below the last digit
STIRLING = 1e4
TINY = 1e-12


def log_rising(start: Any, steps: Any) -> Floats:
    """ln Γ(start + steps) − ln Γ(start), also where both are so large that their difference would drown."""
    from scipy.special import gammaln

    low, by = numpy.asarray(start, float), numpy.asarray(steps, float)
    near = low < STIRLING
    if near.all():
        return numpy.asarray(gammaln(low + by) - gammaln(low))
    exact = gammaln(numpy.where(near, low + by, 1.0)) - gammaln(numpy.where(near, low, 1.0))
    large, top = numpy.where(near, STIRLING, low), numpy.where(near, STIRLING, low + by)
    # the steps as they are: as a difference of two large numbers they would lose their last digits
    far = by * numpy.log(top) + (large - 0.5) * numpy.log1p(numpy.where(near, 0.0, by) / large) - by
    far += (1 / top - 1 / large) / 12 - (1 / top**3 - 1 / large**3) / 360
    found: Floats = numpy.where(near, exact, far)
    return found


@dataclass(frozen=True)
class PitmanYor:
    """The law by its `discount` d, from 0 to below 1, and its `concentration` α above −d.

    Each further person makes a class of their own with a probability that falls as classes fill.

    >>> round(PitmanYor(0.0, 1.0).uniqueness(100), 4)
    0.01
    """

    discount: float
    concentration: float

    def __post_init__(self) -> None:
        if not (0 <= self.discount < 1 and -self.discount < self.concentration < math.inf):
            raise ValueError(f"no Pitman–Yor law has discount {self.discount}, {self.concentration}")

    @classmethod
    def of_entropy(cls, entropy: float, tail: float) -> PitmanYor:
        """From well-conditioned coordinates: the entropy in nats, and the share of it that is the tail's."""
        from scipy.special import psi

        one = float(psi(1.0))
        discount = 1 - inverse_digamma(one - entropy * tail)
        return cls(max(0.0, discount), inverse_digamma(entropy * (1 - tail) + one) - 1)

    def uniqueness(self, people: float) -> float:
        """The expected share of this many people who are alone in their class."""
        return float(self.share_by_size(people, 1)[0])

    def share_below(self, size: int, people: float) -> float:
        """The expected share of this many people in classes of fewer than `size`."""
        return min(1.0, float(self.share_by_size(people, size - 1).sum()))

    def share_by_size(self, people: float, largest: int) -> Floats:
        """The expected share in classes of 1, 2, … up to the largest size: a beta-binomial distribution."""
        d, a = self.discount, self.concentration
        # who is alone stays so through people − 1 others
        alone = log_rising(a + d, 1 - d) - log_rising(people - 1 + a + d, 1 - d)
        others = numpy.arange(min(largest, int(people)) - 1, dtype=float)
        ratios = (people - 1 - others) / (others + 1) * (1 - d + others) / (people - 2 - others + a + d)
        return numpy.asarray(numpy.exp(alone) * numpy.cumprod(numpy.concatenate(([1.0], ratios))))

    def correctness(self, people: Any) -> Floats:
        """The expected number of classes of this many people, by person: the mean of 1 / class size."""
        return class_share(self.discount, self.concentration, people)

    def stays(self, size: Any, sample: float, people: float) -> Floats:
        """The probability that a class of this size in the sample has nobody else among all people."""
        weight = numpy.asarray(size, float) - self.discount
        start = self.concentration - weight
        kept = log_rising(sample + start, weight) - log_rising(people + start, weight)
        return numpy.asarray(numpy.exp(kept))


def class_share(discount: Any, concentration: Any, people: Any) -> Floats:
    """Of laws by their discounts and concentrations: the expected number of classes by person."""
    from scipy.special import psi

    d, a, n = numpy.broadcast_arrays(
        *(numpy.asarray(each, float) for each in (discount, concentration, people))
    )
    flat, positive = d < TINY, a > 0
    by = numpy.where(flat, 0.5, d)
    growth, start = log_rising(n + a, by), numpy.where(positive, a, 1.0)
    of_positive = start * numpy.expm1(growth - log_rising(start, by)) / (by * n)
    of_others = (numpy.exp(growth + log_rising(a + by, 1 - by)) - a) / (by * n)
    shares: Floats = numpy.where(positive, of_positive, of_others)
    if flat.any():
        shares = numpy.where(flat, start / n * (psi(n + start) - psi(start)), shares)
    return shares


def inverse_digamma(value: float) -> float:
    """The argument at which the digamma function has a value.

    >>> round(inverse_digamma(0.0), 6)
    1.461632
    """
    from scipy.special import psi, zeta

    point = math.exp(value) + 0.5 if value >= -2.22 else -1 / (value - float(psi(1.0)))
    for _ in range(6):
        point -= (float(psi(point)) - value) / float(zeta(2.0, point))
    return point

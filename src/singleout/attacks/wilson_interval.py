"""The interval of a rate that some attempts came to (Wilson)."""

from __future__ import annotations

import math
from statistics import NormalDist

CONFIDENCE = 0.95


def wilson(successes: float, attempts: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's interval for the probability behind `successes` of `attempts`.

    It covers the chance that lies in which people are in the release, as if they were drawn from many more of
    their kind; ties are shared and add none.

    >>> [round(end, 4) for end in wilson(23, 100)]
    [0.1584, 0.3215]
    """
    quantile = NormalDist().inv_cdf((1 + confidence) / 2)
    rate, spread = successes / attempts, quantile**2 / attempts
    centre = (rate + spread / 2) / (1 + spread)
    half = math.sqrt(rate * (1 - rate) * spread + spread**2 / 4) / (1 + spread)
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return (0.0 if successes == 0 else low), (1.0 if successes == attempts else high)

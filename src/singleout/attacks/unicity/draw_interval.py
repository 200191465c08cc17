"""The interval of a rate over random draws: how far those that were made may be from all that could be."""

from __future__ import annotations

import math

import numpy
from numpy.typing import NDArray

from singleout.attacks.wilson_interval import wilson

CONFIDENCE = 0.9
COVERS = "which records of each person happen to be drawn; not other people, and not other knowledge"


def draw_interval(
    rate: float, drawn: NDArray[numpy.float64], people: int, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """From low to high, where the mean rate over all possible draws lies in `confidence` of all cases.

    `drawn` is what each draw adds to the rate, over all `people`. Student's t over the draws, on both sides
    wider by −ln((1 − confidence)/2) of the people and draws: so many hits could have been missed by chance
    even where all draws came out alike (the rule of three). A single draw does not show how draws differ:
    then it is Wilson's interval over the people, who are drawn for one by one, which is no narrower.

    >>> [round(end, 4) for end in draw_interval(0.5, numpy.array([0.4, 0.6, 0.5]), 1000)]
    [0.3304, 0.6696]
    >>> [round(end, 4) for end in draw_interval(0.25, numpy.array([0.25]), 100)]
    [0.186, 0.3272]
    """
    draws = len(drawn)
    if draws == 1:
        return wilson(rate * people, people, confidence)
    from scipy.special import stdtrit

    quantile = float(stdtrit(draws - 1, (1 + confidence) / 2))
    missed = -math.log((1 - confidence) / 2) / (people * draws)
    reach = quantile * float(drawn.std(ddof=1)) / math.sqrt(draws) + missed
    return max(0.0, rate - reach), min(1.0, rate + reach)

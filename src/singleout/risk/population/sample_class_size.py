"""How many look-alikes a class of a sample must show, so that it is hardly a small one in the population."""

from __future__ import annotations

import math

from singleout.checks import is_number, is_whole
from singleout.errors import UsageError

SIGNIFICANCE = 0.01
REMARK = (
    "k-map is estimated, for there is no reference: {}; it holds class by class, for somebody who does not "
    "know who was sampled"
)
SHOWN = (
    "a class of fewer than {} people shows {} or more of them in a sample of {:.4g} of all with a "
    "probability of at most {:g}, once it shows anybody"
)
ALL_SHOWN = "a sample of {1:.4g} of all tells so little that every class must show {0} people itself"


def sample_class_size(
    k: int, sampled: float, significance: float = SIGNIFICANCE, truncated: bool = True
) -> int:
    """The fewest people that a class of fewer than `k` shows with a probability of at most `significance`.

    Whom of a class the sample has is Poisson with the mean `sampled`·k, which spreads wider than the truth;
    given that it has anybody (`truncated`, ARX's D4), for no other class is seen, or not (its D3). Never more
    than k: a class that shows k people has them.

    >>> sample_class_size(5, 0.1), sample_class_size(5, 0.1, truncated=False), sample_class_size(5, 0.9)
    (4, 4, 5)
    """
    from scipy.special import pdtrc

    check_sampling(k, sampled, significance)
    mean = max(sampled * k, 1e-300)
    # of a tiny share 1 − exp(−mean) would be 0
    anybody = -math.expm1(-mean) if truncated else 1.0
    for shown in range(k - 1):
        if float(pdtrc(shown, mean)) <= significance * anybody:
            return shown + 1
    return k


def check_sampling(k: int, sampled: float, significance: float) -> None:
    if not is_whole(k) or k < 1:
        raise UsageError(f"k_map: {k!r} is no size of a class; write a whole number, 1 or more")
    if not is_number(sampled) or not 0 < sampled <= 1:
        raise UsageError(
            f"sampled: {sampled!r} is no share of a population; write a number above 0, and 1 at most"
        )
    if not is_number(significance) or not 0 < significance < 1:
        raise UsageError(f"significance: {significance!r} is no such share; write one like 0.01")


def remark_on(k: int, sampled: float, shown: int, significance: float = SIGNIFICANCE) -> str:
    """What the estimate rests on."""
    told = ALL_SHOWN.format(k, sampled) if shown == k else SHOWN.format(k, shown, sampled, significance)
    return REMARK.format(told)

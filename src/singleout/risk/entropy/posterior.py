"""Whose values they may be: the rule that Ito et al. n.d. prints (Section 3C), and Bayes'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from singleout.errors import UsageError, name_hint
from singleout.measurement import Measure
from singleout.risk.entropy.mutual_information import SKIPPED
from singleout.risk.entropy.person_value_counts import Counts
from singleout.risk.entropy.product_table import (
    PRIORS,
    Prior,
    Shares,
    entropy_of_shares,
    shares_of,
    weights_of,
)

POSTERIOR = Measure(
    name="domain.posterior",
    title="likeliest person",
    question="How likely is the likeliest person, once these values are known?",
    formula="max over people of P(u | x_1, …, x_k), proportional to P(u)·Π P(x_i | u)",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="people",
    missing=SKIPPED,
    reference="Ito et al. n.d., Section 3C; with the product prior it is the printed P(u|s)·P(u|b)",
)


@dataclass(frozen=True)
class Posterior:
    """How sure the known values make, under one prior; `h_user_given` is the uncertainty left, in bits."""

    prior: Prior
    highest: float
    h_user_given: float


def posterior(
    value_counts: Sequence[Counts], records: Sequence[Counts], prior: Prior | Sequence[float]
) -> Shares:
    """P(u | x_1, …, x_k) of each person, from how often they have each known value and events of its domain.

    Proportional to P(u)·Π having_i(u)/records_i(u). With the product prior, P(u) ∝ Π records_i(u), that is
    the paper's printed rule. All zero where nobody has all the values. Missing values do not count.

    >>> from numpy import array
    >>> posterior([array([1, 3]), array([1, 3])], [array([3, 3]), array([3, 3])], "product").tolist()
    [0.1, 0.9]
    """
    if isinstance(prior, str) and prior not in PRIORS:
        raise UsageError(f"there is no prior {prior!r}; {name_hint(prior, PRIORS)}")
    weights = (
        weights_of(prior, records) if isinstance(prior, str) else numpy.array(prior, dtype=numpy.float64)
    )
    if {len(weights)} != {len(each) for each in (*value_counts, *records)}:
        raise UsageError("a prior has one weight for each person of the study")
    for own, all_events in zip(value_counts, records, strict=True):
        weights = weights * (own / numpy.maximum(all_events, 1))
    return shares_of(weights) if weights.any() else weights


def posteriors(value_counts: Sequence[Counts], records: Sequence[Counts]) -> tuple[Posterior, ...]:
    """Under each prior; none where nobody has all the values."""
    by_prior = [(prior, posterior(value_counts, records, prior)) for prior in PRIORS]
    return tuple(
        Posterior(prior, float(shares.max()), entropy_of_shares(shares))
        for prior, shares in by_prior
        if shares.any()
    )

"""How much of a domain is in values that hardly occur (Ito et al. n.d., Table XI)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from singleout.errors import UsageError
from singleout.measurement import Measure
from singleout.risk.entropy.mutual_information import SKIPPED, margins
from singleout.risk.entropy.person_value_counts import CountTable

RARE_SHARE = Measure(
    name="domain.rare_share",
    title="rare share",
    question="What share of the records has a value that occurs only once, or at most so often?",
    formula="Σ of n_s over values with n_s ≤ k, divided by Σ of n_s; n_s = records with the value s",
    unit="share",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    missing=SKIPPED,
    reference="Ito et al. n.d., Table XI, whose text says 'less than two' where it counts at most two",
)


@dataclass(frozen=True)
class RareValues:
    """The values that occur at most `at_most` times: how many, their events, and these as a share of all."""

    at_most: int
    values: int
    events: int
    share: float


def rare_values(table: CountTable, at_most: Sequence[int] = (1, 2)) -> tuple[RareValues, ...]:
    """What share of the records has a rare value?

    Σ of n_s over values with n_s ≤ k, divided by all events; cumulative in k. Counted over records; what the
    table leaves out, such as missing values, does not count. Reference: Ito et al. n.d., Table XI.

    >>> from numpy import array
    >>> once_twice_thrice = CountTable.of(array([0, 0, 1]), array([0, 1, 2]), array([1, 2, 3]), 2, 3)
    >>> [each.events for each in rare_values(once_twice_thrice)]
    [1, 3]
    """
    _, by_value = margins(table)
    found = []
    for limit in at_most:
        if limit < 1:
            raise UsageError(
                f"a value occurs at least once, so none occurs at most {limit} times; take 1 or more"
            )
        rare = by_value[by_value <= limit]
        found.append(RareValues(limit, len(rare), int(rare.sum()), int(rare.sum()) / table.events))
    return tuple(found)

"""What a release must keep to: k-anonymity, l-diversity, t-closeness, average risk, the suppression limit.

Each goal is judged twice: exactly in `judged_classes`, fast while levels are searched in `goal_kernels`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

from singleout.checks import is_number, is_whole
from singleout.errors import UsageError

Closeness = Literal["equal", "ordered"]
CLOSENESS: tuple[Closeness, ...] = get_args(Closeness)
NO_GOAL = "say what to reach: k (people or records that look alike), average_risk, diverse or close"


@dataclass(frozen=True)
class Goals:
    """`k` look-alikes in each class; at most the share `suppress` of the records left out for it.

    `average_risk` is the most over released records. `diverse` is how many different values of each sensitive
    column a class must have, `close` how far its spread may be from the table's, all values being equally far
    from each other or `ordered`. Classes that are too small, too uniform or too far are suppressed.

    >>> Goals(k=0)
    Traceback (most recent call last):
    singleout.errors.UsageError: k: 0 is no size of a class; write a whole number, 1 or more
    """

    k: int = 1
    suppress: float = 0.0
    average_risk: float | None = None
    diverse: int | None = None
    close: float | None = None
    closeness: Closeness = "equal"

    def __post_init__(self) -> None:
        faults = [*self._sizes(), *self._shares()]
        if self.closeness not in CLOSENESS:
            faults.append(f"closeness: {self.closeness!r} is none; there are {' and '.join(CLOSENESS)}")
        if faults:
            raise UsageError("; ".join(faults))

    @property
    def of_sensitive(self) -> bool:
        return self.diverse is not None or self.close is not None

    @property
    def monotone(self) -> bool:
        """Whether all that is coarser than what reaches the goals reaches them too."""
        return not self.suppress or (self.close is None and self.average_risk is None)

    def budget(self, records: int) -> int:
        """How many records may be suppressed: the share is taken as it is written in decimals.

        >>> Goals(k=2, suppress=0.29).budget(100)
        29
        """
        return math.floor(Fraction(str(self.suppress)) * records)

    def _sizes(self) -> list[str]:
        found = []
        for name, size, of in (("k", self.k, "a class"), ("diverse", self.diverse, "a set of values")):
            if size is not None and (not is_whole(size) or size < 1):
                found.append(f"{name}: {size!r} is no size of {of}; write a whole number, 1 or more")
        return found

    def _shares(self) -> list[str]:
        given = (("suppress", self.suppress), ("average_risk", self.average_risk), ("close", self.close))
        return [
            f"{name}: {share!r} is no share; write a number from 0 to 1"
            for name, share in given
            if not _is_share(share) and (share is not None or name == "suppress")
        ]


def _is_share(number: Any) -> bool:
    return is_number(number) and 0 <= number <= 1

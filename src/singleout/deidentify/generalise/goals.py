"""What a release must keep to: k-anonymity, average risk, the suppression limit, models of sensitive values.

Each goal is judged twice: exactly in `judged_classes`, fast while levels are searched in `goal_kernels`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, get_args

from singleout.checks import is_number, is_whole
from singleout.errors import UsageError

Closeness = Literal["equal", "ordered", "hierarchical"]
CLOSENESS: tuple[Closeness, ...] = get_args(Closeness)
# judged of a class by itself, whatever the finer classes in it are like
SPREAD = (
    "close", "entropy_l", "recursive_c", "beta_basic", "beta_enhanced", "delta", "delta_of_present", "alpha",
)  # fmt: skip
NO_GOAL = (
    "say what to reach: k (people or records that look alike), average_risk, k_map, presence, diverse, "
    f"close, or another model of sensitive values ({', '.join(SPREAD[1:])})"
)


@dataclass(frozen=True)
class Goals:
    """`k` look-alikes in each class; at most the share `suppress` of the records left out for it.

    `average_risk` is the most over released records. `diverse` is how many different values of each sensitive
    column a class must have, `close` how far its spread may be from the table's, all values being equally far
    from each other, `ordered`, or as far as their `hierarchical` level. `entropy_l`, `recursive_c` (with
    `recursive_l`), `beta_basic`, `beta_enhanced`, `delta`, `delta_of_present` and `alpha` are the measures
    of these names. `k_map` is how many people of a reference table each class must have at least, `presence`
    the lowest and highest share that its people may be of those. Classes that fail are suppressed.

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
    entropy_l: float | None = None
    recursive_c: float | None = None
    recursive_l: int = 2
    beta_basic: float | None = None
    beta_enhanced: float | None = None
    delta: float | None = None
    delta_of_present: float | None = None
    alpha: float | None = None
    k_map: int | None = None
    presence: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        faults = [*self._sizes(), *self._shares(), *self._positives(), *self._presence_faults()]
        if self.closeness not in CLOSENESS:
            faults.append(f"closeness: {self.closeness!r} is none; there are {', '.join(CLOSENESS)}")
        if faults:
            raise UsageError("; ".join(faults))

    @property
    def of_spread(self) -> bool:
        """Whether a goal is about how the sensitive values of a class are spread."""
        return any(getattr(self, name) is not None for name in SPREAD)

    @property
    def of_reference(self) -> bool:
        """Whether a goal is about a table of everybody."""
        return self.k_map is not None or self.presence is not None

    @property
    def of_sensitive(self) -> bool:
        return self.diverse is not None or self.of_spread

    @property
    def needs_several_values(self) -> bool:
        """Whether a class fails in which all people have one value, besides others perhaps."""
        diverse, effective = (self.diverse or 1) > 1, (self.entropy_l or 1) > 1
        return diverse or effective or self.recursive_c is not None

    def is_monotone(self, people: bool) -> bool:
        """Whether all that is coarser than what reaches the goals reaches them too.

        Not with suppression, for of a class that fails finer ones may stay; nor where `people` have several
        records, for the values of joined classes are then no mixture of theirs; nor where a class may lack
        values, for a coarser one has few of them.
        """
        if self.delta_of_present is not None or (self.presence is not None and (self.suppress or people)):
            return False
        if people and (self.of_spread or self.needs_several_values):
            return False
        return not self.suppress or not (self.of_spread or self.average_risk is not None)

    def monotone_part(self, people: bool) -> Goals:
        """The goals without those that something coarser may miss."""
        if self.is_monotone(people):
            return self
        without: dict[str, Any] = dict.fromkeys(SPREAD)
        return replace(self, average_risk=None if self.suppress else self.average_risk, **without)

    def budget(self, records: int) -> int:
        """How many records may be suppressed: the share is taken as it is written in decimals.

        >>> Goals(k=2, suppress=0.29).budget(100)
        29
        """
        return math.floor(Fraction(str(self.suppress)) * records)

    def _sizes(self) -> list[str]:
        found = []
        values = "a set of values"
        of_values = (("diverse", self.diverse, values), ("recursive_l", self.recursive_l, values))
        for name, size, of in (("k", self.k, "a class"), ("k_map", self.k_map, "a class"), *of_values):
            if size is not None and (not is_whole(size) or size < 1):
                found.append(f"{name}: {size!r} is no size of {of}; write a whole number, 1 or more")
        return found

    def _shares(self) -> list[str]:
        names = ("suppress", "average_risk", "close", "alpha")
        given = [(name, getattr(self, name)) for name in names]
        return [
            f"{name}: {share!r} is no share; write a number from 0 to 1"
            for name, share in given
            if not _is_share(share) and (share is not None or name == "suppress")
        ]

    def _presence_faults(self) -> list[str]:
        if self.presence is None:
            return []
        low, high = self.presence if len(self.presence) == 2 else (None, None)
        if _is_share(low) and _is_share(high) and low <= high:
            return []
        return [
            f"presence: {self.presence!r} are no two shares; write the lowest and the highest, like (0, 0.2)"
        ]

    def _positives(self) -> list[str]:
        least = {"entropy_l": 1, "recursive_c": 0, "beta_basic": 0, "beta_enhanced": 0, "delta": 0}
        least["delta_of_present"] = 0
        found = []
        for name, lowest in least.items():
            number = getattr(self, name)
            if number is not None and not (is_number(number) and lowest <= number < math.inf):
                found.append(f"{name}: {number!r} is no such number; write one, {lowest} or more")
        return found


def _is_share(number: Any) -> bool:
    return is_number(number) and 0 <= number <= 1

"""Allowable risk: the smallest attribute sets that are too risky, and the largest that are safe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Literal, get_args

import numpy
from numpy.typing import NDArray

from singleout.checks import is_whole
from singleout.engine.column_sets.set_counts import Scale, SetCounts, Sets
from singleout.errors import UsageError
from singleout.progress import Progress, silent
from singleout.risk.combinations.attribute_sets import (
    MOST_SETS,
    SkippedSets,
    candidate_sets,
    check_width,
    exact_fraction,
    number_up_to,
    subsets_without_one,
)

CriterionName = Literal["worst", "mean", "share"]
KINDS: tuple[CriterionName, ...] = get_args(CriterionName)
Flags = NDArray[numpy.bool_]
MOST_PEOPLE = 10**15


@dataclass(frozen=True)
class Criterion:
    """When a set of attributes is too risky, for an allowed class size N.

    `worst`: the smallest class has at most N people; `mean`: the average risk over records is 1/N or more;
    `share`: the records in classes of at most N people are more than this share of all. With `strict`, N
    itself is still acceptable. Each is monotone: a set that is too risky stays so with one attribute more,
    since the people of a finer class are some of those of the coarser one. A missing value is a value, or its
    record is left out of every set. Anon. n.d., Algorithm 4 with the corrected loop; ambiguity 3.

    >>> Criterion("worst", 0)
    Traceback (most recent call last):
    singleout.errors.UsageError: allow: 0 is no class size; write a whole number, 1 or more
    """

    kind: CriterionName
    allow: int
    share: float | Fraction = 0
    strict: bool = False

    def __post_init__(self) -> None:
        if mistakes := list(self._mistakes()):
            raise UsageError("; ".join(mistakes))

    @property
    def limit(self) -> int:
        """The largest class whose records are at risk: what sets must be counted for."""
        return self.allow - 1 if self.strict else self.allow

    def too_risky(self, counts: SetCounts) -> Flags:
        """Of each set whether it is too risky."""
        if counts.allow != self.limit:
            raise UsageError(
                f"these sets were counted for classes of {counts.allow}; count them for {self.limit}"
            )
        if self.kind == "worst":
            return counts.smallest <= self.limit
        if self.kind == "share":
            most = exact_fraction(self.share) * counts.records
            return counts.at_risk > floor(most)
        return self._mean_is_too_risky(counts)

    def _mean_is_too_risky(self, counts: SetCounts) -> Flags:
        """A mean that may be just 1/N, so closely that rounding hides it, counts as 1/N."""
        line = (counts.records << Scale(counts.records).risk_bits) // self.allow
        if self.strict:
            return counts.risk_parts > line
        surely: Flags = counts.risk_parts >= line
        return surely | (counts.is_rounded_down & (counts.risk_parts + counts.classes > line))

    def _mistakes(self) -> Iterator[str]:
        if self.kind not in KINDS:
            yield f"criterion: {self.kind!r} is none; there are worst, mean and share"
        if not (is_whole(self.allow) and self.allow >= 1):
            yield f"allow: {self.allow!r} is no class size; write a whole number, 1 or more"
        elif self.allow > MOST_PEOPLE:
            yield f"allow: {self.allow} is more than all people; write {MOST_PEOPLE} at most"
        elif self.strict and self.allow == 1:
            yield "allow: nothing has a class below 1; allow 2 or more, or leave strict out"
        if not 0 <= self.share < 1:
            yield f"share: {self.share} is no share to stay within; write 0 or more, and less than 1"
        elif self.share and self.kind in ("worst", "mean"):
            yield f"share: the criterion {self.kind} knows none; leave it out, or take the criterion share"


@dataclass(frozen=True, eq=False)
class Border:
    """Where sets of attributes become too risky: every set that holds a `minimal` one is, others are safe.

    Sets come by size, then by mask. A set of `safe` is too risky with any attribute more; where something
    was `not_looked_at`, this is sure only for sets smaller than the largest that were counted.
    `evaluated` is how many of the `subsets` were counted; neither number includes the empty set.
    """

    minimal: SetCounts
    safe: SetCounts
    evaluated: int
    subsets: int
    not_looked_at: tuple[SkippedSets, ...] = ()


def minimal_and_maximal_sets(
    width: int,
    count: Callable[[Sets], SetCounts],
    criterion: Criterion,
    largest: int | None = None,
    progress: Progress = silent,
) -> Border:
    """Which smallest sets of attributes are too risky, and which largest ones are safe?

    Level by level: a set is counted only if all its subsets are safe. `count` counts sets of `width` columns
    for classes of at most `criterion.limit`; sets of more than `largest` columns are not looked at.
    The empty set stands alone in `safe` if each attribute is too risky, or in `minimal` if nobody need know
    anything. Anon. n.d., Algorithm 4: all inclusion-minimal sets with min n ≤ N.
    """
    check_width(width)
    if largest is not None and largest < 1:
        raise UsageError(f"largest: {largest} is no size of a set; write 1 or more")
    levels = [_Level.of(count, criterion, numpy.zeros(1, dtype=numpy.uint64))]
    while (sets := candidate_sets(levels[-1].safe, width, MOST_SETS)) is not None and len(sets):
        size = len(levels)
        if largest is not None and size > largest:
            break
        progress(f"sets of {size}", 0, len(sets))
        levels.append(_Level.of(count, criterion, sets))
        progress(f"sets of {size}", len(sets), len(sets))
    looked_at_all = sets is not None and not len(sets)
    return Border(
        minimal=SetCounts.join([level.counts.at(level.too_risky) for level in levels]),
        safe=SetCounts.join(_largest_safe_sets(levels)),
        evaluated=sum(len(level.counts.sets) for level in levels[1:]),
        subsets=number_up_to(width, width),
        not_looked_at=() if looked_at_all else (_skipped_sets(levels[-1].safe, len(levels) - 1, largest),),
    )


@dataclass(frozen=True, eq=False)
class _Level:
    """The counted sets of one size."""

    counts: SetCounts
    too_risky: Flags

    @classmethod
    def of(cls, count: Callable[[Sets], SetCounts], criterion: Criterion, sets: Sets) -> _Level:
        counts = count(sets)
        return cls(counts, criterion.too_risky(counts))

    @property
    def safe(self) -> Sets:
        return self.counts.sets[~self.too_risky]


def _largest_safe_sets(levels: list[_Level]) -> list[SetCounts]:
    """The safe sets of each level that no safe set of the next level holds."""
    counts = []
    for level, above in zip(levels, [*levels[1:], None], strict=True):
        held = subsets_without_one(above.safe) if above else level.safe[:0]
        counts.append(level.counts.at(~level.too_risky & ~numpy.isin(level.counts.sets, held)))
    return counts


def _skipped_sets(last: Sets, size: int, largest: int | None) -> SkippedSets:
    """What lies above the last level and is not decided by it: it consists of columns of safe sets."""
    left = int(numpy.bitwise_or.reduce(last)).bit_count()
    reason = (
        f"sets of more than {size} columns were not asked for"
        if size == largest
        else f"there are more than {MOST_SETS:,} sets of {size + 1} columns that may be safe"
    )
    return SkippedSets(number_up_to(left, left) - number_up_to(left, size), reason, at_most=True)

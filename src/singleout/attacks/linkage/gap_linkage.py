"""Links people whose dates were all shifted by a secret number of days, by the gaps between their days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

import numpy

from singleout.attacks.linkage.candidates import NOBODY, Candidates, Indices, Scores
from singleout.attacks.linkage.item_sets import ItemSets
from singleout.attacks.linkage.nearest_records import run_in_rounds
from singleout.attacks.linkage.set_linkage import first_of_each
from singleout.engine.codes.histories import Histories, History, Value
from singleout.errors import InputError
from singleout.progress import Progress
from singleout.roles.dates_and_times import days_of

NO_DAY = 0
# no two days of the calendar are as far apart
ANY_SHIFT = date.max.toordinal()
Patterns = tuple[Indices, Indices, Indices, Indices, Indices]


@dataclass(frozen=True, eq=False)
class GapLinkage:
    """Each person's days with how many records are of each; the score is their overlap by the best shift.

    Days are counted from a person's first where any shift will do, else as the calendar does. A score is a
    ratio of whole numbers, and of those below 2^26 only equal ratios are equal scores. `days` are those
    of the release.
    """

    original: ItemSets
    release: ItemSets
    threads: int
    most_shift: int | None
    days: ItemSets

    @classmethod
    def of(
        cls, histories: Histories, column: str, threads: int = 1, most_shift: int | None = None
    ) -> GapLinkage:
        """Whose days have the same gaps?

        The score of a pair of people is the highest Σ min/Σ max, over days, of how many records the one has
        on that day and the other s days later, s being any whole number; from −most_shift to most_shift if
        the attacker knows that. A time counts as its day. A missing date takes no part; two people without
        dates score 1, one without and another 0.

        >>> from numpy import array
        >>> days = ("2011-01-31", "2011-02-02", "2011-02-03", "2011-02-05")
        >>> original = History(1, array([0, 0, 0], dtype="uint32"), {"day": array([0, 0, 1], dtype="uint32")})
        >>> release = History(1, array([0, 0], dtype="uint32"), {"day": array([2, 3], dtype="uint32")})
        >>> both = Histories(original, release, {"day": days})
        >>> GapLinkage.of(both, "day").score(array([0]), array([0])).round(3).tolist()
        [0.667]
        """
        day = _day_numbers(column, histories.values[column])
        original, release = (
            _days_of_people(side, day[side.codes[column]]) for side in (histories.original, histories.release)
        )
        days = release
        if most_shift is None:
            original, release = _from_first_day(original), _from_first_day(release)
        return cls(original, release, threads, most_shift, days)

    def best(self, most: int, progress: Progress) -> Candidates:
        from singleout.attacks.linkage import gap_linkage_kernels as loops

        known, owner_starts, people = _distinct_patterns(self.original)
        asked = self.release.of(first_of_each(self._alike_people))
        arrays = _arrays(asked), _arrays(known), owner_starts, people, self._reach
        most = min(most, self.original.people)
        person = numpy.full((asked.people, most), NOBODY, dtype=numpy.int32)
        score = numpy.zeros((asked.people, most))
        tied = numpy.zeros(asked.people, dtype=numpy.int64)

        def link(first: int, last: int) -> None:
            loops.link(first, last, *arrays, person, score, tied)

        if most:
            run_in_rounds(asked.people, link, self.threads, "comparing gaps between days", progress)
        return Candidates(person, score, tied).at(self._alike_people)

    def score(self, release: Indices, original: Indices) -> Scores:
        from singleout.attacks.linkage import gap_linkage_kernels as loops

        scores: Scores = loops.scores_of_pairs(*self._patterns, release, original, self._reach)
        return scores

    def indistinguishable(self) -> Indices:
        """By the days themselves, which tell more than gaps do to whoever can guess a shift."""
        return self.days.indistinguishable(with_counts=True)

    @cached_property
    def _alike_people(self) -> Indices:
        # by gaps where days count from the first; within a limit also the days themselves tell people apart
        return self.release.indistinguishable(with_counts=True)

    @cached_property
    def _patterns(self) -> tuple[Patterns, Patterns]:
        return _arrays(self.release), _arrays(self.original)

    @property
    def _reach(self) -> numpy.int64:
        return numpy.int64(ANY_SHIFT if self.most_shift is None else self.most_shift)


def _day_numbers(column: str, values: Sequence[Value]) -> Indices:
    """Each value's day as `datetime.date.toordinal` has it."""
    days = days_of(values)
    if days is None:
        raise InputError(
            f"column {column!r}: not all its values have a day, and gaps are between days; "
            "write all like 2011-01-31 or 2011-01-31 08:26:00"
        )
    numbers = (NO_DAY if day is None else date.fromisoformat(day).toordinal() for day in days)
    return numpy.fromiter(numbers, numpy.int64, len(days))


def _days_of_people(side: History, day: Indices) -> ItemSets:
    from singleout.attacks.linkage.item_set_kernels import sets_of
    from singleout.engine.codes.count_kernels import order_by

    dated = day != NO_DAY
    starts, rows = order_by(side.person[dated], side.people)
    return ItemSets(*sets_of(starts, rows, day[dated].astype(numpy.uint32)))


def _from_first_day(days: ItemSets) -> ItemSets:
    """The same gaps, everybody's first day being 0."""
    some = days.sizes > 0
    first = numpy.repeat(days.items[days.starts[:-1][some]], days.sizes[some])
    return replace(days, items=days.items - first)


def _distinct_patterns(days: ItemSets) -> tuple[ItemSets, Indices, Indices]:
    """Each pattern once, by how many records it has, and who has it: those of pattern p follow starts[p]."""
    from singleout.engine.codes.count_kernels import order_by

    number = days.indistinguishable(with_counts=True)
    example = first_of_each(number)
    order = numpy.argsort(_totals(days)[example], kind="stable")
    starts, people = order_by(numpy.argsort(order)[number], len(order))
    return days.of(example[order]), starts, people.astype(numpy.int32)


def _totals(days: ItemSets) -> Indices:
    sums = numpy.concatenate(([0], numpy.cumsum(days.counts, dtype=numpy.int64)))
    totals: Indices = numpy.diff(sums[days.starts])
    return totals


def _arrays(days: ItemSets) -> Patterns:
    """Starts, days, counts, falling counts and totals, as the compiled loops look through them."""
    owner = numpy.repeat(numpy.arange(days.people), days.sizes)
    counts = days.counts.astype(numpy.int64)
    falling = counts[numpy.lexsort((-counts, owner))]
    return days.starts, days.items.astype(numpy.int64), counts, falling, _totals(days)

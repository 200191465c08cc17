"""How many people of a release fit what an attacker knows: some records of the person."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.attacks.attacker_knowledge import in_words, known_counts
from singleout.attacks.attempt import group_sizes, rate_bound
from singleout.attacks.unicity.draw_interval import draw_interval
from singleout.attacks.unicity.points_index import (
    CandidateWeights,
    CommonPoints,
    PeoplePoints,
    PointsIndex,
    candidate_weights,
    common_points,
)
from singleout.engine.codes.histories import Histories, Indices
from singleout.engine.codes.parallel import key_of, map_shares
from singleout.errors import InputError, UsageError, name_hint
from singleout.progress import Progress
from singleout.roles.known_column import KnownColumn

Credit = NDArray[numpy.float64]
Interval = tuple[float, float]

MOST_POINTS, MOST_DRAWS = 1000, 10_000
# words of 64 people that the search for one person's worst case looks at: some milliseconds, 32 MiB
MOST_STEPS = 1 << 22
MOST_COMBINATIONS = 64
PEOPLE_A_BLOCK, LEAST_BLOCKS, SHARES_A_THREAD = 1024, 4, 4
# what sums of credit are exact to
ROUNDING = 1e-6
LIKELIEST = "and names the likeliest candidate, for these are more of what somebody with few records has"


@dataclass(frozen=True, eq=False)
class Narrowed:
    """How far knowing so many points of a person narrows the release down; shares are of all its people.

    `credit` is for each person of the release the probability to be named rightly, over the draws; `unique`
    the share with exactly one candidate, right or wrong; `narrowed` the share with 1 to N of them;
    `candidates` their mean number over the people who have an original, None where nobody has. At worst,
    `unproven` people may be narrowed down further than was found. `bound` is what nobody exceeds on average
    who knows these columns of records, for people whose released points are equal can't be told apart:
    `look_alikes` are how many groups of them there are of each size. `over_draws` is an interval for the rate
    over all draws that could have been made; at worst nothing is drawn, and it ends where the unproven do.
    `unique_over_draws`, `narrowed_over_draws` and `candidates_over_draws` are intervals for these numbers
    over the draws; `targets` are the people who have an original. `found` is of how many people (fractions
    of them, over the draws) there are so many candidates, the person being one of them; None at worst.
    `repeated` points are known as often as they are among the records. `weighed` is the same of who names the
    likeliest of the candidates, None at worst or where that is less than was asked for; `by_chance` says
    that this is it.
    """

    columns: tuple[KnownColumn, ...]
    points: int
    worst: bool
    people: int
    credit: Credit
    unique: float
    narrowed: dict[int, float]
    candidates: float | None
    unproven: int
    bound: float
    look_alikes: Mapping[int, int]
    over_draws: Interval
    unique_over_draws: Interval
    narrowed_over_draws: Mapping[int, Interval]
    candidates_over_draws: Interval | None
    targets: int
    found: Mapping[int, float] | None = None
    repeated: bool = False
    weighed: Narrowed | None = None
    by_chance: bool = False

    @property
    def most(self) -> Narrowed:
        """By whichever guess recognises more: any of the candidates, or the likeliest."""
        weighed = self.weighed
        return weighed if weighed is not None and weighed.rate > self.rate else self

    @property
    def identified(self) -> float:
        """The expected number of people named rightly."""
        return math.fsum(self.credit.tolist())

    @property
    def rate(self) -> float:
        return self.identified / self.people

    def sentence(self) -> str:
        """The knowledge assumed, for people."""
        by = in_words([column.words for column in self.columns])
        different = "records" if self.repeated else "different records"
        records = "record" if self.points == 1 else different
        which = f"the {self.points} most telling" if self.worst else f"{self.points} random"
        often = ", and how often each is among them" if self.repeated else ""
        likeliest = f", {LIKELIEST}" if self.by_chance else ""
        return f"the attacker knows {which} {records} of the person by {by}{often}{likeliest}"


def known_points(
    histories: Histories,
    truth: Indices,
    columns: Sequence[KnownColumn],
    points: Sequence[int],
    *,
    worst: bool,
    draws: int,
    narrow: Sequence[int],
    seed: int,
    threads: int,
    progress: Progress,
    repeated: bool = False,
    share: float = 1.0,
    numbered: PeoplePoints | None = None,
    least: Mapping[int, float] | None = None,
) -> tuple[Narrowed, ...]:
    """How many people of the release fit p known points of a person, and is the right one among them?

    A point is a record in the known columns, each at its granularity. Of the original of each person of the
    release p distinct points are known, all if there are fewer: random ones, the mean over `draws`, those for
    p among those for p + 1; or at worst the at most p ones that give most away. A point fits whoever has a
    record that agrees with it in every column, within its tolerance; the candidates are the people of the
    release whom the most known points fit, if any does; with unchanged records, those whom all fit. Credit is
    1/candidates if the person is one of them, else 0; a person without an original (truth −1) has 0, and one
    of whose original no record is known could be anybody.
    Counted over the people of the release; a missing value agrees with a missing one. One result for each p.

    With `repeated` p of the person's records are known, equal ones as often as they are drawn: records that
    differ in the original may be equal in the release, which tells that a candidate has at least so many. At
    worst any copy up to the p-th counts as one record, which errs on the safe side. No result where nobody
    has a point twice in either table, or where a column is known within a tolerance. Points may be `numbered`
    already.

    Candidates are not equally likely: p of few records are more of what there is to know than p of many, and
    fewer than p are all. So each result of random ones has a second one, `weighed`, of who names the
    candidate of whom just these are known most probably: Π C(m, k)/C(n, p) with n points, of which m are a
    known one that was drawn k times. That is Bayes' rule, which nobody exceeds where the columns are
    unchanged. `share` says that the original's records are such a part of each person's. `least` are rates by
    the number of points: where none of them can be reached so, there is no second result.
    Reference: unicity, de Montjoye et al. 2013 and 2015, which it is where the release is the original.

    >>> from numpy import array, uint32
    >>> from singleout.engine.codes.histories import History
    >>> from singleout.progress import silent
    >>> person, goods = array([0, 0, 1, 1], dtype=uint32), array([0, 1, 1, 2], dtype=uint32)
    >>> shop = History(2, person, {"goods": goods})
    >>> both = Histories(shop, shop, {"goods": ("tea", "milk", "salt")})
    >>> at_worst, = known_points(both, array([0, 1]), [KnownColumn("goods")], [1], worst=True, draws=10,
    ...     narrow=[2], seed=0, threads=1, progress=silent)
    >>> at_worst.unique, at_worst.sentence()
    (1.0, 'the attacker knows the 1 most telling record of the person by goods')
    """
    _check(histories, truth, columns, points, draws, narrow)
    rising, limits = (numpy.array(sorted(set(each)), dtype=numpy.int64) for each in (points, narrow))
    progress("numbering the points of people", 0, 1)
    numbered = numbered or PeoplePoints(histories, tuple(columns), threads)
    if repeated and not numbered.repeats:
        return ()
    if repeated and worst and len(rising) > 1:
        ask = partial(known_points, histories, truth, columns, worst=True, draws=draws, narrow=narrow)
        more: dict[str, Any] = {"seed": seed, "threads": threads, "progress": progress}
        more |= {"repeated": True, "numbered": numbered}
        return tuple(found for each in points for found in ask((each,), **more))
    copies = int(rising[-1]) if worst else max(side.records for side in numbered.tables)
    index = numbered.copies_index(copies) if repeated else numbered.index
    records = None if share == 1 else histories.release.records_of_each()
    told = None if records is None else known_counts(share, records)
    are_counted = told is None or repeated or not numbered.repeats
    rates = numpy.array([0.0 if least is None else least[each] for each in rising.tolist()])
    search = _Search(index, truth, rising, limits, worst, draws, seed, repeated, told, are_counted, rates)
    credit, weighed, totals, found = search.run(threads, progress)
    pairs = [(each, int(numpy.searchsorted(rising, each))) for each in points]
    return tuple(
        search.result(
            columns, each, credit[:, index], None if weighed is None else weighed[:, index], totals[index],
            found[index],
        )
        for each, index in pairs
    )  # fmt: skip


def combinations_of(columns: Mapping[str, Sequence[KnownColumn]]) -> list[tuple[KnownColumn, ...]]:
    """Which columns at which granularities to try: each by itself, then all together.

    Together all are at the first they list; then in all combinations, or where these are more than 64 all at
    their second, their third and so on, the last one listed standing for those that lack.

    >>> both = {"day": [KnownColumn("day"), KnownColumn("day", "month")], "goods": [KnownColumn("goods")]}
    >>> [[column.words for column in each] for each in combinations_of(both)]
    [['day'], ['day (to the month)'], ['goods'], ['day', 'goods'], ['day (to the month)', 'goods']]
    """
    listed = [list(each) for each in columns.values() if each]
    alone = [(column,) for each in listed for column in each]
    return list(dict.fromkeys([*alone, *_joint_combinations(listed)]))


def _joint_combinations(listed: list[list[KnownColumn]]) -> Iterator[tuple[KnownColumn, ...]]:
    if not listed:
        return
    if math.prod(map(len, listed)) <= MOST_COMBINATIONS:
        yield from product(*listed)
        return
    for index in range(max(map(len, listed))):
        yield tuple(each[min(index, len(each) - 1)] for each in listed)


@dataclass(frozen=True, eq=False)
class _Search:
    """What to look for; `points` and `narrow` rise."""

    index: PointsIndex
    truth: Indices
    points: Indices
    narrow: Indices
    worst: bool
    draws: int
    seed: int
    repeated: bool
    told: Indices | None
    are_counted: bool
    least: Credit

    def run(self, threads: int, progress: Progress) -> tuple[Credit, Credit | None, Indices, Indices]:
        """For each p a column of credit, and of it weighed; totals: sums over people and draws, then of each.

        Last, how often there were so many candidates, the right person among them.
        """
        from singleout.attacks.unicity.known_points_kernels import FIRST_NARROWED

        people, weigh = len(self.truth), not self.worst
        block = min(PEOPLE_A_BLOCK, math.ceil(people / LEAST_BLOCKS))
        credit, weighed = numpy.zeros((2, people, len(self.points)))
        assert self.worst or (self.common and self.weights)  # before the threads need them
        rows = 1 if self.worst else 1 + self.draws
        totals = numpy.zeros((len(self.points), rows, FIRST_NARROWED + len(self.narrow)), dtype=numpy.int64)
        found = numpy.zeros((len(self.points), people + 1), dtype=numpy.int64)
        for start in range(0, people, block):
            progress("looking for people who fit the known records", start, people)
            size = min(block, people - start)
            weigh = weigh and self._may_reach_least(weighed, people - start)
            work = partial(self._share, start, weigh, credit, weighed, totals.shape)
            shares = [*map_shares(size, work, threads, threads * SHARES_A_THREAD)]
            totals += sum(part for part, _ in shares)
            candidates = numpy.concatenate([part for _, part in shares])
            for index in range(len(self.points)):
                numbers, often = numpy.unique(candidates[:, index], return_counts=True)
                found[index, numbers] += often
        found[:, 0] = 0
        return credit, weighed if weigh else None, totals, found

    def _may_reach_least(self, weighed: Credit, left: int) -> bool:
        """Whether the rate for some p may, if all people who are left are named rightly."""
        most = weighed.sum(axis=0) + left
        return bool((most + ROUNDING >= self.least * len(self.truth)).any())

    def _share(
        self,
        start: int,
        weigh: bool,
        credit: Credit,
        weighed: Credit,
        shape: tuple[int, ...],
        first: int,
        last: int,
    ) -> tuple[Indices, NDArray[numpy.int32]]:
        from singleout.attacks.unicity import known_points_kernels as loops

        totals = numpy.zeros(shape, dtype=numpy.int64)
        draws = 0 if self.worst else self.draws
        candidates = numpy.zeros((last - first, len(self.points), draws), dtype=numpy.int32)
        known, released, fits, first_copy = self.index
        arguments = (start + first, start + last, self.truth, known, released, fits)
        if self.worst:
            loops.narrow_at_worst(*arguments, self.points, MOST_STEPS, self.narrow, credit, totals)
        else:
            key = numpy.uint64(key_of("known points", self.seed))
            drawn = (first_copy, self.common, self.points, self.draws, key, self.weights, self.group_size)
            loops.narrow_by_drawn(*arguments, *drawn, weigh, self.narrow, credit, weighed, totals, candidates)
        return totals, candidates

    @cached_property
    def common(self) -> CommonPoints:
        return common_points(self.index)

    @cached_property
    def weights(self) -> CandidateWeights:
        return candidate_weights(self.index, self.told, self.are_counted)

    @cached_property
    def alike(self) -> Indices:
        return self.index.released.indistinguishable()

    @cached_property
    def group_size(self) -> Indices:
        """Of each person of the release, how many are alike."""
        sizes: Indices = numpy.bincount(self.alike)[self.alike]
        return sizes

    @cached_property
    def bound(self) -> float:
        return rate_bound(self.alike, self.truth)

    def _drawn_people(self, points: int) -> int:
        """How many people have more points than are known, so that chance decides which."""
        known = numpy.diff(self.index.known.starts)[self.truth[self.truth >= 0]]
        return int((known > points).sum())

    def result(
        self,
        columns: Sequence[KnownColumn],
        points: int,
        credit: Credit,
        weighed: Credit | None,
        totals: Indices,
        found: Indices,
    ) -> Narrowed:
        """Of who takes any candidate, and of who takes the likeliest."""
        from singleout.attacks.unicity.known_points_kernels import CREDIT, WEIGHED

        plain = self._counted(columns, points, credit, totals, found, CREDIT)
        if weighed is None:
            return plain
        likeliest = self._counted(columns, points, weighed, totals, found, WEIGHED)
        return replace(plain, weighed=replace(likeliest, by_chance=True))

    def _counted(
        self,
        columns: Sequence[KnownColumn],
        points: int,
        credit: Credit,
        totals: Indices,
        found: Indices,
        which: int,
    ) -> Narrowed:
        from singleout.attacks.unicity import known_points_kernels as loops

        people, targets = len(self.truth), int((self.truth >= 0).sum())
        draws, unproven = 1 if self.worst else self.draws, int(totals[0, loops.UNPROVEN])
        of_draws = totals[1:] if not self.worst and self._drawn_people(points) else None
        bound, rate = self.bound, math.fsum(credit.tolist()) / people
        low, high = _ends(rate, of_draws, which, people * loops.WHOLE_CREDIT, people)
        shares = (totals[0] / (people * draws)).tolist()
        limits = dict(enumerate(self.narrow.tolist(), loops.FIRST_NARROWED))
        candidates = float(totals[0, loops.CANDIDATES] / (targets * draws)) if targets else None
        return Narrowed(
            columns=tuple(columns),
            points=points,
            worst=self.worst,
            people=people,
            credit=credit,
            unique=shares[loops.UNIQUE],
            narrowed={limit: shares[index] for index, limit in limits.items()},
            candidates=candidates,
            unproven=unproven,
            bound=bound,
            look_alikes=group_sizes(self.alike),
            over_draws=(low, max(rate, min(high + unproven / people, bound))),
            unique_over_draws=_ends(shares[loops.UNIQUE], of_draws, loops.UNIQUE, people, people),
            narrowed_over_draws={
                limit: _ends(shares[index], of_draws, index, people, people)
                for index, limit in limits.items()
            },
            candidates_over_draws=None if candidates is None else self._candidate_ends(candidates, of_draws),
            targets=targets,
            found=None
            if self.worst
            else {int(number): float(found[number] / draws) for number in numpy.flatnonzero(found)},
            repeated=self.repeated,
        )

    def _candidate_ends(self, candidates: float, of_draws: Indices | None) -> Interval:
        """As a share of all people, who are the most there can be, and back."""
        from singleout.attacks.unicity.known_points_kernels import CANDIDATES

        people, targets = len(self.truth), int((self.truth >= 0).sum())
        low, high = _ends(candidates / people, of_draws, CANDIDATES, targets * people, targets)
        return (candidates, candidates) if of_draws is None else (low * people, high * people)


def _ends(mean: float, of_draws: Indices | None, index: int, whole: int, people: int) -> Interval:
    """The interval of a mean over draws, of each of which there are sums; without them it does not differ."""
    return (mean, mean) if of_draws is None else draw_interval(mean, of_draws[:, index] / whole, people)


def _check(
    histories: Histories,
    truth: Indices,
    columns: Sequence[KnownColumn],
    points: Sequence[int],
    draws: int,
    narrow: Sequence[int],
) -> None:
    """Report all mistakes at once."""
    people, originals = histories.release.people, histories.original.people
    if not people:
        raise InputError("the release has no people to look for; take one with at least one person")
    faults = [*_column_faults([column.name for column in columns], histories.values)]
    if not points or min(points) < 1 or max(points) > MOST_POINTS:
        faults.append(f"the numbers of known points must be from 1 to {MOST_POINTS:,}, one or more of them")
    if not 1 <= draws <= MOST_DRAWS:
        faults.append(f"{draws:,} draws can't be made; take 1 to {MOST_DRAWS:,}")
    if narrow and min(narrow) < 1:
        faults.append("nobody is narrowed to fewer than 1 person; take numbers of people from 1 on")
    if len(truth) != people or truth.min() < -1 or truth.max() >= originals:
        faults.append(
            f"the truth must have for each of the {people:,} people of the release the number of one of the "
            f"{originals:,} people of the original, or −1"
        )
    if faults:
        raise UsageError("; ".join(faults))


def _column_faults(names: list[str], known: Mapping[str, object]) -> Iterator[str]:
    if not names:
        yield "an attacker who knows no column knows nothing; name at least one"
    for name in dict.fromkeys(names):
        if name not in known:
            yield f"there is no column {name!r} in both tables; {name_hint(name, known)}"
        elif names.count(name) > 1:
            yield f"column {name!r} is known twice; name it once"

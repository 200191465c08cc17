"""The points of people, numbered alike in both tables, so that those which fit a known one lie together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from singleout.attacks.unicity.matching_values import FittingValues, fitting_values
from singleout.engine.codes.histories import Code, Histories, History, Indices
from singleout.engine.codes.numbering import KEY_SPACE, number_keys
from singleout.errors import InputError
from singleout.roles.known_column import KnownColumn

Keys = NDArray[numpy.uint64]
# keys that there may be for a record, as long as a list of all of them is cheaper than a search
MOST_SLOTS_A_RECORD = 4
NO_COPIES = numpy.zeros(0, dtype=numpy.int64)
# copies are looked up where at least this part of the people have the point: a byte for each of the people
PART_LISTED, MANY_COPIES = 16, 255
# points are numbered in 31 bits
MOST_NUMBERED = 2**31 - 1
TOO_MANY = "{:,} different known records are too many to be numbered; name fewer or coarser columns"
FIRST, FACTOR = numpy.uint64(1), numpy.uint64(0x9E3779B97F4A7C15)


class Fits(NamedTuple):
    """For each point that may be known: the points that fit are among first … last−1.

    Of these, the ones whose `rank` is from low up to high in each further column with a tolerance: a line of
    `rank`, `low` and `high` for each.
    """

    first: Any
    last: Any
    rank: Any
    low: Any
    high: Any


class PointOwners(NamedTuple):
    """Person i has points[starts[i]:starts[i + 1]], people[heads[x]:heads[x + 1]] have point x; both rise."""

    starts: Any
    points: Any
    heads: Any
    people: Any

    def indistinguishable(self) -> Indices:
        """A number for each person, equal where all points are, in the order of first appearance.

        Whose points add up to what nobody else's do is alone, and only others are compared.
        """
        mixed = (self.points.astype(numpy.uint64) + FIRST) * FACTOR
        sums = numpy.append(numpy.uint64(0), numpy.cumsum(mixed ^ (mixed >> numpy.uint64(29))))
        own_sum = sums[self.starts[1:]] - sums[self.starts[:-1]]
        _, sum_of, often = numpy.unique(own_sum, return_inverse=True, return_counts=True)
        example, seen = numpy.arange(len(own_sum)), dict[bytes, int]()
        for person in numpy.flatnonzero(often[sum_of] > 1).tolist():
            points = self.points[self.starts[person] : self.starts[person + 1]].tobytes()
            example[person] = seen.setdefault(points, person)
        number = numpy.cumsum(example == numpy.arange(len(example))) - 1
        alike: Indices = number[example]
        return alike


class CommonPoints(NamedTuple):
    """Points of many people of the release: these as the bits of a line; other points have the line −1."""

    line: Any
    bitmaps: Any


class PointsIndex(NamedTuple):
    """`first_copy` is for each point its first copy, where copies are points of their own; else empty."""

    known: PointOwners
    released: PointOwners
    fits: Fits
    first_copy: Any


class CandidateWeights(NamedTuple):
    """What tells how likely just the known points are to be known of a person of the release.

    `told` is of how many points somebody would know, empty where that is as many as asked for, or all if
    there are fewer; it counts for nothing unless points `are_counted`. `first_copy` is as in the index,
    `last_copy` behind the last one of each point; `logarithms` are those of whole numbers, `log_factorials`
    of their factorials. Of the first copy x person i has copies_of[copies_line[x], i] copies, at most
    `MANY_COPIES`; where the line is −1, too few people have the point for that to be worth the space.
    """

    first_copy: Any
    last_copy: Any
    logarithms: Any
    log_factorials: Any
    copies_line: Any
    copies_of: Any
    told: Any
    are_counted: bool


@dataclass(eq=False)
class PeoplePoints:
    """What people have in some columns of both tables, numbered once, however often it is looked at.

    Points are numbered in order: exact columns first, then those with a tolerance. A table beside itself is
    looked at once.
    """

    histories: Histories
    columns: tuple[KnownColumn, ...]
    threads: int

    @cached_property
    def repeats(self) -> bool:
        """Whether somebody has a point more than once, in columns that are known exactly."""
        points = sum(len(each.points) for each in (self.index.known, self.index.released)[: len(self.tables)])
        return not self._tolerant and points < sum(table.records for table in self.tables)

    @cached_property
    def index(self) -> PointsIndex:
        """All distinct points of both tables."""
        line, points = self._numbers
        example = numpy.empty(self._count, dtype=numpy.int64)
        example[points] = numpy.arange(len(points))
        codes = {name: _joint_codes(self.tables, name)[example] for name in self._tolerant}
        tolerant = [_of_codes(self._fitting[name], codes[name]) for name in self._tolerant]
        fits = _fits(line[example], tolerant) if tolerant else _exact_fits(self._count)
        return self._index_of([own for _, own in self._sorted_points], self._count, fits, NO_COPIES)

    def copies_index(self, most: int) -> PointsIndex:
        """With up to so many copies of a person's point as points of their own, of exact columns only.

        Whoever has it three times has its first, second and third.
        """
        copies = [_copy_numbers(*each).clip(max=most - 1) for each in self._sorted_points]
        often = numpy.zeros(self._count, dtype=numpy.int64)
        for (_, own), copy in zip(self._sorted_points, copies, strict=True):
            numpy.maximum.at(often, own, copy + 1)
        first = numpy.cumsum(often) - often
        points = [
            (first[own] + copy).astype(numpy.uint32)
            for (_, own), copy in zip(self._sorted_points, copies, strict=True)
        ]
        count = int(often.sum())
        return self._index_of(points, count, _exact_fits(count), numpy.repeat(first, often))

    def _index_of(self, points: Sequence[Code], count: int, fits: Fits, first_copy: Indices) -> PointsIndex:
        if max(count, *(table.records for table in self.tables)) > MOST_NUMBERED:
            raise InputError(TOO_MANY.format(count))
        owners = [
            _point_owners(table.people, person, own, count)
            for table, (person, _), own in zip(self.tables, self._sorted_points, points, strict=True)
        ]
        return PointsIndex(owners[0], owners[-1], fits, first_copy)

    @cached_property
    def _fitting(self) -> dict[str, FittingValues]:
        return {each.name: fitting_values(each, self.histories.values[each.name]) for each in self.columns}

    @cached_property
    def _tolerant(self) -> list[str]:
        """The column of which the fewest values fit a known one first."""
        wide = [name for name, each in self._fitting.items() if not each.exact]
        return sorted(wide, key=lambda name: _width(self._fitting[name]))

    @cached_property
    def tables(self) -> list[History]:
        both = self.histories
        return [both.original] if both.are_equal() else [both.original, both.release]

    @cached_property
    def _numbers(self) -> tuple[Indices, Code]:
        exact = [name for name in self._fitting if name not in self._tolerant]
        return _numbers(self.tables, self._fitting, exact, self._tolerant, self.threads)

    @cached_property
    def _count(self) -> int:
        _, points = self._numbers
        return int(points.max()) + 1 if len(points) else 0

    @cached_property
    def _sorted_points(self) -> list[tuple[Code, Code]]:
        """Of each table the person and the point of every record, in the order of both."""
        of_tables = numpy.split(self._numbers[1], [self.histories.original.records])
        return [
            _by_person_and_point(table, own, self._count)
            for table, own in zip(self.tables, of_tables, strict=False)
        ]


def common_points(index: PointsIndex) -> CommonPoints:
    """Where a known point fits itself alone, those of more people than a bitmap has words."""
    from singleout.engine.codes.bitmap_kernels import fill_bitmaps

    released, people = index.released, len(index.released.starts) - 1
    words, line = (people + 63) // 64, numpy.full(len(released.heads) - 1, -1, dtype=numpy.int32)
    if not len(index.fits.rank) and (index.fits.last - index.fits.first <= 1).all():
        common = numpy.flatnonzero(numpy.diff(released.heads) > words)
        line[common] = numpy.arange(len(common))
    bitmaps = numpy.zeros((int(line.max(initial=-1)) + 1, words), dtype=numpy.uint64)
    fill_bitmaps(released.heads, released.people, line, bitmaps)
    return CommonPoints(line, bitmaps)


def candidate_weights(index: PointsIndex, told: Indices | None, are_counted: bool) -> CandidateWeights:
    first, count = index.first_copy, int(numpy.diff(index.released.starts).max(initial=0))
    last = first + numpy.bincount(first)[first] if len(first) else NO_COPIES
    logarithms = numpy.log(numpy.maximum(numpy.arange(count + 1), 1))
    told = NO_COPIES if told is None else told
    copies = _listed_copies(index)
    return CandidateWeights(first, last, logarithms, numpy.cumsum(logarithms), *copies, told, are_counted)


def _listed_copies(index: PointsIndex) -> tuple[Indices, NDArray[numpy.uint8]]:
    first, released = index.first_copy, index.released
    people, line = len(released.starts) - 1, numpy.full(len(first), -1, dtype=numpy.int64)
    owners = numpy.diff(released.heads)
    listed = numpy.flatnonzero(
        (first == numpy.arange(len(first))) & (owners[: len(first)] * PART_LISTED > people)
    )
    line[listed] = numpy.arange(len(listed))
    copies = numpy.zeros((len(listed), people), dtype=numpy.uint8)
    of_listed = numpy.flatnonzero(line[first] >= 0) if len(first) else NO_COPIES
    for point in of_listed[of_listed - first[of_listed] < MANY_COPIES].tolist():
        copies[line[first[point]], released.people[released.heads[point] : released.heads[point + 1]]] += 1
    return line, copies


def _width(found: FittingValues) -> float:
    """The share of the values that fit a known one: the column with the fewest is looked up first."""
    return float((found.high - found.low).mean()) / found.count


def _joint_codes(tables: Sequence[History], name: str) -> Code:
    return numpy.concatenate([table.codes[name] for table in tables])


def _of_codes(found: FittingValues, codes: Code) -> FittingValues:
    return FittingValues(found.rank[codes], found.low[codes], found.high[codes], found.count)


def _numbers(
    tables: Sequence[History],
    of_each: dict[str, FittingValues],
    exact: list[str],
    tolerant: list[str],
    threads: int,
) -> tuple[Indices, Code]:
    """For each record of the tables its line, which sorts the first tolerant column, and its point."""

    def ranks(name: str) -> tuple[Indices, int]:
        return of_each[name].rank[_joint_codes(tables, name)], of_each[name].count

    records = sum(table.records for table in tables)
    bucket, buckets = _tuple_ranks(numpy.zeros(records, dtype=numpy.uint64), 1, map(ranks, exact), threads)
    if not tolerant:
        return bucket, bucket.astype(numpy.uint32)
    line, space = bucket, buckets
    for rank, count in map(ranks, tolerant[:1]):
        line, space = bucket * count + rank, buckets * count
    rest = map(ranks, tolerant[1:])
    return line, _tuple_ranks(line.astype(numpy.uint64), space, rest, threads)[0].astype(numpy.uint32)


def _tuple_ranks(
    keys: Keys, space: int, columns: Iterable[tuple[Indices, int]], threads: int
) -> tuple[Indices, int]:
    """Numbers 0, 1, … of tuples, in their order: mixed radix, closed up where 64 bits can't hold it."""
    for rank, count in columns:
        if space * count > KEY_SPACE:
            closed, space = _dense_ranks(keys, threads)
            keys = closed.astype(numpy.uint64)
        keys = keys * numpy.uint64(count) + rank.astype(numpy.uint64)
        space *= count
    if 0 < space <= MOST_SLOTS_A_RECORD * len(keys):
        return _ranks_by_slots(keys.astype(numpy.int64), space)
    return _dense_ranks(keys, threads)


def _ranks_by_slots(keys: Indices, space: int) -> tuple[Indices, int]:
    """As by `_dense_ranks`, where there are about as many possible keys as records."""
    occurs = numpy.zeros(space, dtype=numpy.bool_)
    occurs[keys] = True
    rank = numpy.cumsum(occurs) - 1
    return rank[keys], int(rank[-1]) + 1


def _dense_ranks(keys: Keys, threads: int) -> tuple[Indices, int]:
    codes = number_keys(keys, threads)
    distinct = numpy.empty(codes.count, dtype=numpy.uint64)
    distinct[codes.codes] = keys
    rank = numpy.empty(codes.count, dtype=numpy.int64)
    rank[numpy.argsort(distinct)] = numpy.arange(codes.count)
    return rank[codes.codes], codes.count


def _by_person_and_point(history: History, points: Code, count: int) -> tuple[Code, Code]:
    from singleout.engine.codes.count_kernels import order_by

    _, by_point = order_by(points, count)
    _, by_person = order_by(history.person[by_point], history.people)
    rows = by_point[by_person]
    return history.person[rows], points[rows]


def _begins(person: Code, points: Code) -> NDArray[numpy.bool_]:
    """Which of sorted records is the first of its person with its point."""
    begins = numpy.ones(len(person), dtype=numpy.bool_)
    begins[1:] = (person[1:] != person[:-1]) | (points[1:] != points[:-1])
    return begins


def _copy_numbers(person: Code, points: Code) -> Indices:
    """0, 1, … for each person's records that are one point."""
    index = numpy.arange(len(person))
    copy: Indices = index - numpy.maximum.accumulate(numpy.where(_begins(person, points), index, 0))
    return copy


def _exact_fits(count: int) -> Fits:
    """Each point fits itself alone."""
    index, nothing = numpy.arange(count), numpy.zeros((0, count), dtype=numpy.int64)
    return Fits(index, index + 1, nothing, nothing, nothing)


def _fits(line: Indices, tolerant: list[FittingValues]) -> Fits:
    """What fits is, within the bucket, a stretch of the first tolerant column."""
    first, *further = tolerant
    start = line // first.count * first.count

    def lines(arrays: list[Indices]) -> Indices:
        return numpy.array(arrays, dtype=numpy.int64).reshape(len(further), len(line))

    return Fits(
        first=numpy.searchsorted(line, start + first.low),
        last=numpy.searchsorted(line, start + first.high),
        rank=lines([each.rank for each in further]),
        low=lines([each.low for each in further]),
        high=lines([each.high for each in further]),
    )


def _point_owners(people: int, person: Code, points: Code, count: int) -> PointOwners:
    """Of records in the order of their person and point."""
    from singleout.engine.codes.count_kernels import order_by

    begins = _begins(person, points)
    person, own = person[begins], points[begins]
    starts = numpy.append(0, numpy.cumsum(numpy.bincount(person, minlength=people)))
    heads, order = order_by(own, count)
    return PointOwners(starts, own.astype(numpy.int32), heads, person[order].astype(numpy.int32))

"""The points of people, numbered alike in both tables, so that those which fit a known one lie together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from singleout.attacks.unicity.matching_values import FittingValues, fitting_values
from singleout.engine.codes.histories import Code, Histories, History, Indices
from singleout.engine.codes.numbering import KEY_SPACE, number_keys
from singleout.roles.known_column import KnownColumn

Keys = NDArray[numpy.uint64]
# keys that there may be for a record, as long as a list of all of them is cheaper than a search
MOST_SLOTS_A_RECORD = 4
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


def repeats_points(histories: Histories, columns: Sequence[KnownColumn], threads: int) -> bool:
    """Whether somebody of the original has a point more than once, in columns that are known exactly."""
    if not all(fitting_values(each, histories.values[each.name]).exact for each in columns):
        return False
    return len(points_index(histories, columns, threads).known.points) < histories.original.records


def points_index(
    histories: Histories, columns: Sequence[KnownColumn], threads: int, copies: int = 1
) -> PointsIndex:
    """All distinct points of both tables in order: exact columns first, then those with a tolerance.

    A table beside itself is looked at once. Up to so many `copies` of a person's point are points of their
    own: whoever has it three times has its first, second and third; columns must be exact then.
    """
    of_each = {column.name: fitting_values(column, histories.values[column.name]) for column in columns}
    tables = [histories.original] if histories.are_equal() else [histories.original, histories.release]
    exact = [name for name, found in of_each.items() if found.exact]
    tolerant = sorted((name for name in of_each if name not in exact), key=lambda name: _width(of_each[name]))
    line, points = _numbers(tables, of_each, exact, tolerant, threads)
    first_copy = numpy.zeros(0, dtype=numpy.int64)
    if copies > 1:
        points, first_copy = _numbered_copies(tables, points, copies)
        line = points
    example = numpy.empty(int(points.max(initial=-1)) + 1, dtype=numpy.int64)
    example[points] = numpy.arange(len(points))
    codes = {name: _joint_codes(tables, name)[example] for name in tolerant}
    count = of_each[tolerant[0]].count if tolerant else 1
    fits = _fits(line[example], count, [_of_codes(of_each[name], codes[name]) for name in tolerant])
    of_tables = numpy.split(points, [histories.original.records])
    owners = [_point_owners(table, own, len(example)) for table, own in zip(tables, of_tables, strict=False)]
    return PointsIndex(owners[0], owners[-1], fits, first_copy)


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
) -> tuple[Indices, Indices]:
    """For each record of the tables its line, which sorts the first tolerant column, and its point."""

    def ranks(name: str) -> tuple[Indices, int]:
        return of_each[name].rank[_joint_codes(tables, name)], of_each[name].count

    records = sum(table.records for table in tables)
    bucket, buckets = _tuple_ranks(numpy.zeros(records, dtype=numpy.uint64), 1, map(ranks, exact), threads)
    if not tolerant:
        return bucket, bucket
    line, space = bucket, buckets
    for rank, count in map(ranks, tolerant[:1]):
        line, space = bucket * count + rank, buckets * count
    rest = map(ranks, tolerant[1:])
    return line, _tuple_ranks(line.astype(numpy.uint64), space, rest, threads)[0]


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


def _numbered_copies(tables: Sequence[History], points: Indices, copies: int) -> tuple[Indices, Indices]:
    """Points with which of the person's copies each is, and of each of these its first copy."""
    ends = numpy.cumsum([table.records for table in tables])[:-1]
    copy = numpy.concatenate(
        [
            _copy_numbers(table.person.astype(numpy.int64), own)
            for table, own in zip(tables, numpy.split(points, ends), strict=True)
        ]
    ).clip(max=copies - 1)
    width = int(copy.max(initial=0)) + 1
    keys, number = numpy.unique(points * width + copy, return_inverse=True)
    return number.reshape(-1), numpy.searchsorted(keys, keys // width * width)


def _copy_numbers(person: Indices, points: Indices) -> Indices:
    """0, 1, … for each person's records that are one point."""
    order = numpy.lexsort((points, person))
    person, points = person[order], points[order]
    begins = numpy.append(True, (person[1:] != person[:-1]) | (points[1:] != points[:-1]))[: len(order)]
    index = numpy.arange(len(order))
    copy = numpy.empty(len(order), dtype=numpy.int64)
    copy[order] = index - numpy.maximum.accumulate(numpy.where(begins, index, 0))
    return copy


def _fits(line: Indices, count: int, tolerant: list[FittingValues]) -> Fits:
    """What fits is, within the bucket, a stretch of the first tolerant column."""
    start = line // count * count
    low, high = (tolerant[0].low, tolerant[0].high) if tolerant else (0, 1)
    further = tolerant[1:]

    def lines(arrays: list[Indices]) -> Indices:
        return numpy.array(arrays, dtype=numpy.int64).reshape(len(further), len(line))

    return Fits(
        first=numpy.searchsorted(line, start + low),
        last=numpy.searchsorted(line, start + high),
        rank=lines([each.rank for each in further]),
        low=lines([each.low for each in further]),
        high=lines([each.high for each in further]),
    )


def _point_owners(history: History, points: Indices, count: int) -> PointOwners:
    from singleout.engine.codes.count_kernels import order_by

    _, by_point = order_by(points, count)
    _, by_person = order_by(history.person[by_point], history.people)
    rows = by_point[by_person]
    person, own = history.person[rows].astype(numpy.int64), points[rows]
    first = numpy.append(True, (person[1:] != person[:-1]) | (own[1:] != own[:-1]))[: len(rows)]
    person, own = person[first], own[first]
    starts = numpy.searchsorted(person, numpy.arange(history.people + 1))
    heads, order = order_by(own, count)
    return PointOwners(starts, own.astype(numpy.int32), heads, person[order].astype(numpy.int32))

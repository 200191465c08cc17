"""How many groups of look-alike records there are of each size: the short list everything starts from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

Counts = NDArray[numpy.int64]


@dataclass(frozen=True, eq=False)
class Sizes:
    """One entry for each pair (records, people) that some group of look-alikes has.

    `groups` says how many groups have that pair, `own` how many records lie in them. Without a person
    column each record is its own person and `people` equals `records`. Where missing values match anything,
    groups overlap: then a group's `records` and `people` are those it may be mistaken for.
    """

    records: Counts
    people: Counts
    groups: Counts
    own: Counts
    overlapping: bool = False

    @classmethod
    def of(cls, rows: Iterable[tuple[int, int, int]]) -> Sizes:
        """From rows (records, people, groups), in any order; equal pairs are added up."""
        table = numpy.array([tuple(map(int, row)) for row in rows], dtype=numpy.int64).reshape(-1, 3)
        return cls._sum_pairs(table[:, 0], table[:, 1], table[:, 2], table[:, 0] * table[:, 2], False)

    @classmethod
    def of_arrays(cls, records: Counts, people: Counts, groups: Counts) -> Sizes:
        """The same from three arrays; groups without records do not count."""
        there = records > 0
        records, people = records[there].astype(numpy.int64), people[there].astype(numpy.int64)
        return cls._sum_pairs(records, people, groups[there], records * groups[there], False)

    @classmethod
    def of_overlapping(cls, rows: Iterable[tuple[int, int, int]]) -> Sizes:
        """From rows (own records, compatible records, compatible people), one a distinct tuple."""
        table = numpy.array([tuple(map(int, row)) for row in rows], dtype=numpy.int64).reshape(-1, 3)
        return cls._sum_pairs(
            table[:, 1], table[:, 2], numpy.ones(len(table), numpy.int64), table[:, 0], True
        )

    @classmethod
    def _sum_pairs(
        cls, records: Counts, people: Counts, groups: Counts, own: Counts, overlapping: bool
    ) -> Sizes:
        order = numpy.lexsort((people, records))
        records, people = records[order], people[order]
        starts = _starts_of_runs(records, people)
        add = numpy.add.reduceat
        if len(starts):
            groups, own = add(groups[order], starts), add(own[order], starts)
        return cls(records[starts], people[starts], groups, own, overlapping)

    @property
    def total_records(self) -> int:
        return int(self.own.sum())

    @property
    def total_groups(self) -> int:
        return int(self.groups.sum())

    def by_people(self) -> Sizes:
        """The same groups with their size counted in people."""
        return Sizes._sum_pairs(self.people, self.people, self.groups, self.own, self.overlapping)

    def histogram(self) -> dict[int, int]:
        """{class size in records: number of classes}."""
        sizes, indices = numpy.unique(self.records, return_inverse=True)
        counts = numpy.bincount(indices, weights=self.groups).astype(numpy.int64)
        return dict(zip(sizes.tolist(), counts.tolist(), strict=True))

    def rows(self) -> list[tuple[int, int, int]]:
        return list(zip(self.records.tolist(), self.people.tolist(), self.groups.tolist(), strict=True))


def _starts_of_runs(first: Counts, second: Counts) -> NDArray[numpy.intp]:
    if not len(first):
        return numpy.zeros(0, dtype=numpy.intp)
    changes = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    return numpy.concatenate(([0], numpy.flatnonzero(changes) + 1))

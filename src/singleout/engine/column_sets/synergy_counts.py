"""What a set of columns tells beyond its parts: each class beside the rarest single value of its tuple."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy

from singleout.engine.class_sizes import Counts


@dataclass(frozen=True, eq=False)
class SynergyCounts:
    """One entry for each triple that some class has, in rising order; `classes` says how many have it.

    `records` and `people` are those of the class, `least` the people who have the rarest single value of its
    tuple, counted over the same records. Without a person column each record is its own person.

    >>> SynergyCounts.of([(2, 2, 3, 1), (1, 1, 2, 4)]).rows()
    [(1, 1, 2, 4), (2, 2, 3, 1)]
    """

    records: Counts
    people: Counts
    least: Counts
    classes: Counts

    @classmethod
    def of(cls, rows: Iterable[tuple[Any, ...]]) -> SynergyCounts:
        """From rows (records, people, least, classes), in any order."""
        listed = sorted(tuple(map(int, row)) for row in rows)
        records, people, least, classes = numpy.array(listed, dtype=numpy.int64).reshape(-1, 4).T
        return cls(records, people, least, classes)

    @classmethod
    def of_classes(cls, records: Counts, people: Counts, least: Counts) -> SynergyCounts:
        """From one entry a class."""
        if not len(records):
            return cls(records, people, least, records)
        order = numpy.lexsort((least, people, records))
        columns = numpy.stack((records[order], people[order], least[order]))
        starts = numpy.flatnonzero(numpy.append(True, (columns[:, 1:] != columns[:, :-1]).any(axis=0)))
        classes = numpy.diff(numpy.append(starts, len(order)))
        records, people, least = columns[:, starts]
        return cls(records, people, least, classes)

    def rows(self) -> list[tuple[int, ...]]:
        columns = (self.records, self.people, self.least, self.classes)
        return list(zip(*(column.tolist() for column in columns), strict=True))

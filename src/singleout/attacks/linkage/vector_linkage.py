"""Linking people by how many records they have of each category (Ito et al. n.d., S3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from singleout.attacks.linkage.candidates import Candidates, Indices, Scores
from singleout.attacks.linkage.nearest_records import Distance, DistinctRows, distinct_rows, nearest_people
from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.histories import Histories
from singleout.engine.codes.numbering import join_codes
from singleout.errors import UsageError
from singleout.progress import Progress

MOST_CATEGORIES = 1_000
MOST_COUNTS = 50_000_000
Vectors = NDArray[numpy.int32]


@dataclass(frozen=True, eq=False)
class VectorLinkage:
    """A row of counts for each person: the score is minus their Euclidean distance.

    Counts are whole numbers, so squared distances are exact and equal distances are equal scores.
    """

    original: Vectors
    release: Vectors
    threads: int = 1

    @classmethod
    def of_categories(cls, histories: Histories, columns: Sequence[str], threads: int = 1) -> VectorLinkage:
        """Who has about as many records of each category?

        The score of a pair of people is −√(Σ over categories of (count of the one − count of the other)²). A
        category is a value of the column, or a tuple of values of several; missing is a category. People
        without records have 0 of each. Reference: Ito et al. n.d., metric S3.

        >>> from numpy import array
        >>> from singleout.engine.codes.histories import History
        >>> usage = array([0, 0, 0, 1, 1, 1, 1], dtype="uint32")
        >>> original = History(2, array([0, 0, 0, 1, 1, 1, 1], dtype="uint32"), {"usage": usage})
        >>> both = Histories(original, original, {"usage": ("a", "b")})
        >>> VectorLinkage.of_categories(both, ["usage"]).score(array([0]), array([1])).tolist()
        [-5.0]
        """
        tables = (histories.original, histories.release)
        together = [
            Codes(numpy.concatenate([table.codes[name] for table in tables]), len(histories.values[name]))
            for name in columns
        ]
        categories = join_codes(together, threads)
        _check_size(columns, categories.count, sum(table.people for table in tables))
        width = max(1, categories.count)
        parts = numpy.split(categories.codes, [histories.original.records])
        counted = [
            numpy.bincount(table.person.astype(numpy.int64) * width + part, minlength=table.people * width)
            for table, part in zip(tables, parts, strict=True)
        ]
        original, release = (each.reshape(-1, width).astype(numpy.int32) for each in counted)
        return cls(original, release, threads)

    def best(self, most: int, progress: Progress) -> Candidates:
        from singleout.attacks.linkage.nearest_record_kernels import SQUARE

        # what differs most comes first: then most vectors are given up after a few counts
        order = (
            numpy.argsort(-self.original.var(axis=0), kind="stable") if len(self.original) else slice(None)
        )
        everybody = numpy.arange(len(self.original))
        levels, _ = DistinctRows.of(self.original[:, order].astype(numpy.int64), everybody, len(everybody))
        asked, rows = distinct_rows(self.release[:, order].astype(numpy.int64))
        kinds = numpy.full(self.original.shape[1], SQUARE, dtype=numpy.int64)
        space = levels.space(Distance(kinds, numpy.zeros_like(kinds), step=1, whole=0))
        most = min(most, len(everybody))
        person, squares, tied = nearest_people(asked, space, 0, most, self.threads, progress)
        return Candidates(person, 0.0 - numpy.sqrt(squares), tied).at(rows)

    def score(self, release: Indices, original: Indices) -> Scores:
        squares = numpy.zeros(len(release), dtype=numpy.int64)
        for left, right in zip(self.release.T, self.original.T, strict=True):
            squares += (left[release].astype(numpy.int64) - right[original]) ** 2
        return 0.0 - numpy.sqrt(squares)

    def indistinguishable(self) -> Indices:
        return distinct_rows(self.release.astype(numpy.int64))[1]


def _check_size(columns: Sequence[str], categories: int, people: int) -> None:
    fault = f"{' with '.join(map(repr, columns))} has {categories:,} categories"
    if categories > MOST_CATEGORIES:
        raise UsageError(
            f"{fault}, too many to count records in; name a column with at most {MOST_CATEGORIES:,}"
        )
    if categories * people > MOST_COUNTS:
        most = MOST_COUNTS // people
        raise UsageError(f"{fault}, too many for {people:,} people; name a column with at most {most:,}")

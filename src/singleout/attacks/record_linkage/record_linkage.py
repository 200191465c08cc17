"""Linking people by their nearest records over mixed columns: the attacker who knows everything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from singleout.attacks.linkage.candidates import Candidates, Indices, Scores
from singleout.attacks.linkage.nearest_records import DistinctRows, Rows, distinct_rows, nearest_people
from singleout.attacks.record_linkage.record_distance import comparable_rows
from singleout.attacks.record_linkage.record_votes import RecordVotes, candidates_without_records
from singleout.engine.codes.histories import Histories, History
from singleout.progress import Progress, silent

NONE = -1


@dataclass(frozen=True, eq=False)
class RecordLinkage:
    """Each person has one record or none: the score is minus the distance of the two records."""

    asked: Rows
    asked_of: Indices
    level_of: Indices
    space: tuple[Any, ...]
    whole: int
    threads: int

    @classmethod
    def of(
        cls,
        histories: Histories,
        columns: Sequence[str],
        threads: int = 1,
        weights: Mapping[str, float] | None = None,
        codes: Sequence[str] = (),
        progress: Progress = silent,
        people: Indices | None = None,
    ) -> RecordLinkage | RecordVotes:
        """Whose record is nearest?

        The distance of two records is the (weighted) mean over columns of a distance from 0 to 1: |a − b|
        over the range in both tables for numbers and times, 0 or 1 for equal or different categories, 1
        between a missing value and another one. With at most one record a person in both tables the score is
        minus the distance; somebody without a record is at 0 from others without, and at 1 from everybody
        else. `codes` are columns whose numbers are names, and only equal or not. With more records each
        released record has one vote, shared by the people who own its nearest records, and the score is a
        person's share of all votes. With `people` only these of the release are asked, numbered anew in their
        order; their scores are the same. Reference: Gower (1971), A general coefficient of similarity.

        >>> from numpy import arange, array
        >>> age, sex = array([0, 1, 2], dtype="uint32"), array([0, 1, 1], dtype="uint32")
        >>> table = History(3, arange(3, dtype="uint32"), {"age": age, "sex": sex})
        >>> both = Histories(table, table, {"age": ("20", "30", "40"), "sex": ("f", "m")})
        >>> RecordLinkage.of(both, ["age", "sex"]).score(array([0, 1]), array([2, 2])).tolist()
        [-1.0, -0.25]
        """
        original, release, distance = comparable_rows(histories, columns, weights, codes)
        people = numpy.arange(histories.release.people) if people is None else people
        records, renumbered = histories.release.records_of(people)
        person, asker = (each.astype(numpy.int64) for each in (histories.original.person, renumbered))
        levels, level = DistinctRows.of(original, person, histories.original.people)
        asked, which = distinct_rows(release[records])
        space = levels.space(distance)
        level_of = _rows_of_people(level, person, histories.original.people)
        if all(_has_single_records(table) for table in (histories.original, histories.release)):
            row_of = _rows_of_people(which, asker, len(people))
            return cls(asked, row_of, level_of, space, distance.whole, threads)
        without = level_of == NONE
        return RecordVotes.of(asked, asker, which, len(people), space, without, threads, progress)

    def best(self, most: int, progress: Progress) -> Candidates:
        most = min(most, len(self.level_of))
        person, steps, tied = nearest_people(self.asked, self.space, self.whole, most, self.threads, progress)
        # the last row is for people without a record, whose number is −1
        some, apart, tie = candidates_without_records(self.level_of == NONE, most)
        person = numpy.concatenate((person, some[None]))
        steps = numpy.concatenate((steps, apart[None] * self.whole))
        return Candidates(person, 0.0 - steps / self.whole, numpy.append(tied, tie)).at(self.asked_of)

    def score(self, release: Indices, original: Indices) -> Scores:
        from singleout.attacks.linkage.nearest_record_kernels import steps_of_pairs

        left, right = self.asked_of[release], self.level_of[original]
        both = (left != NONE) & (right != NONE)
        steps = numpy.where(left == right, 0, self.whole)
        steps[both] = steps_of_pairs(self.asked, left[both], right[both], self.space)
        scores: Scores = 0.0 - steps / self.whole
        return scores

    def indistinguishable(self) -> Indices:
        return self.asked_of + 1


def _rows_of_people(rows: Indices, person: Indices, people: int) -> Indices:
    """Each person's row, NONE for those without; the last one of several."""
    row_of = numpy.full(people, NONE, dtype=numpy.int64)
    row_of[person] = rows
    return row_of


def _has_single_records(table: History) -> bool:
    return bool((table.records_of_each() <= 1).all())

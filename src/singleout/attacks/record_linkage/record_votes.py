"""Linking histories by their records: each released record votes for the people who own its nearest ones."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.attacks.linkage.candidates import NOBODY, Candidates, Indices, Numbers, Scores
from singleout.attacks.linkage.nearest_records import Rows, run_in_rounds
from singleout.engine.codes.parallel import map_shares
from singleout.progress import Progress, silent

# as many steps of votes as all records of a person have together: vote_kernels.ALL_VOTES / VOTE_STEP
ALL_STEPS = 2.0**38
# how many nearest levels are kept for a record; where there are more, they are looked up again
LISTED = 64


@dataclass(frozen=True, eq=False)
class RecordVotes:
    """The score is a person's share of the votes of the released person's records.

    Who has no record in the release is like those who have none in the original: 1 for them, 0 for others.
    `near` has, for each row asked for: how far, how many owners, which levels, how many levels; `held` has
    the released people's rows with how many copies of each.
    """

    asked: Rows
    space: tuple[Any, ...]
    near: tuple[Indices, Indices, Numbers, Indices]
    held: tuple[Indices, Indices, Indices]
    without: NDArray[numpy.bool_]
    threads: int

    @classmethod
    def of(
        cls,
        asked: Rows,
        asker: Indices,
        row: Indices,
        people: int,
        space: tuple[Any, ...],
        without: NDArray[numpy.bool_],
        threads: int,
        progress: Progress = silent,
    ) -> RecordVotes:
        """From the distinct released rows, who has which, and who of the original is without records."""
        near = _nearest_owners(asked, space, threads, progress)
        return cls(asked, space, near, _held_rows(asker, row, people, len(asked)), without, threads)

    def best(self, most: int, progress: Progress) -> Candidates:
        from singleout.attacks.record_linkage import record_vote_kernels as loops

        starts, people = self.held[0], len(self.without)
        most = min(most, people)
        person = numpy.full((len(starts) - 1, most), NOBODY, dtype=numpy.int32)
        points = numpy.zeros((len(starts) - 1, most), dtype=numpy.int64)
        tied = numpy.zeros(len(starts) - 1, dtype=numpy.int64)

        def count(first: int, last: int) -> None:
            loops.people_by_votes(
                first, last, self.asked, self.space, self.near, self.held, people, person, points, tied
            )

        if most:
            run_in_rounds(len(person), count, self.threads, "counting votes", progress)
        return self._fill_without_records(Candidates(person, points / ALL_STEPS, tied), most)

    def _fill_without_records(self, candidates: Candidates, most: int) -> Candidates:
        rows = numpy.diff(self.held[0]) == 0
        person, apart, tied = candidates_without_records(self.without, most)
        candidates.person[rows], candidates.score[rows], candidates.tied_last[rows] = (
            person,
            1.0 - apart,
            tied,
        )
        return candidates

    def score(self, release: Indices, original: Indices) -> Scores:
        from singleout.attacks.record_linkage import record_vote_kernels as loops

        order = numpy.argsort(release, kind="stable")
        left, right = release[order], original[order]
        points = numpy.empty(len(order), dtype=numpy.int64)

        def count(first: int, last: int) -> None:
            people = len(self.without)
            loops.votes_of_pairs(
                first, last, left, right, self.asked, self.space, self.near, self.held, people, points
            )

        map_shares(len(order), count, self.threads, self.threads)
        scores = numpy.empty(len(order))
        scores[order] = points / ALL_STEPS
        unheld = numpy.diff(self.held[0])[release] == 0
        scores[unheld] = self.without[original[unheld]]
        return scores

    def indistinguishable(self) -> Indices:
        """People with the same records equally often."""
        starts, row, copies = self.held
        numbers: dict[bytes, int] = {}
        alike = numpy.empty(len(starts) - 1, dtype=numpy.int64)
        for person, (first, last) in enumerate(pairwise(starts)):
            key = row[first:last].tobytes() + copies[first:last].tobytes()
            alike[person] = numbers.setdefault(key, len(numbers))
        return alike


def candidates_without_records(without: NDArray[numpy.bool_], most: int) -> tuple[Numbers, Indices, int]:
    """For somebody without a record: those without, at 0, then the others, at 1; how many tie at the end."""
    order = numpy.argsort(~without, kind="stable")[:most]
    apart = (~without[order]).astype(numpy.int64)
    tied = int((without == without[order[-1]]).sum()) if len(order) else 0
    return order.astype(numpy.int32), apart, tied


def _nearest_owners(
    asked: Rows, space: tuple[Any, ...], threads: int, progress: Progress
) -> tuple[Indices, Indices, Numbers, Indices]:
    from singleout.attacks.record_linkage import record_vote_kernels as loops

    limit, owners, count = (numpy.zeros(len(asked), dtype=numpy.int64) for _ in range(3))
    listed = numpy.empty((len(asked), LISTED), dtype=numpy.int32)

    def look(first: int, last: int) -> None:
        loops.nearest_owners(first, last, asked, space, limit, owners, listed, count)

    if len(space[0]):
        run_in_rounds(len(asked), look, threads, "looking up the nearest", progress)
    return limit, owners, listed, count


def _held_rows(asker: Indices, row: Indices, people: int, rows: int) -> tuple[Indices, Indices, Indices]:
    pairs, copies = numpy.unique(asker * max(1, rows) + row, return_counts=True)
    sizes = numpy.bincount(pairs // max(1, rows), minlength=people)
    starts = numpy.concatenate(([0], numpy.cumsum(sizes))).astype(numpy.int64)
    return starts, (pairs % max(1, rows)).astype(numpy.int64), copies.astype(numpy.int64)

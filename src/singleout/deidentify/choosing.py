"""From a space and its goals to the levels to use: the best, those near it, all minimal ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

import numpy
from numpy.typing import NDArray

from singleout.deidentify.goals import Goals
from singleout.deidentify.level_search import Found, Searching
from singleout.deidentify.level_walk import Candidate, Limits
from singleout.deidentify.space import Space, Vector
from singleout.deidentify.unreachable import unreachable
from singleout.errors import GoalError
from singleout.progress import Progress, silent
from singleout.utility.information_loss import Loss

MOST_FLAGGED = 1 << 27
MOST_MINIMAL = 100_000


@dataclass(frozen=True, eq=False)
class Choice:
    """A space with what is asked of it; `fixed` are levels that the user has chosen, by place."""

    space: Space
    goals: Goals
    loss: Loss
    fixed: Mapping[int, int]
    threads: int = 1
    progress: Progress = silent

    def best(self, keep: int, limits: Limits) -> Found:
        """The best vectors, so many of them; it is an error if none reaches the goals."""
        self.progress("getting ready to search: the first time takes some seconds", 0, 1)
        searching = self._searching(keep, limits)
        found = searching.least_lossy()
        if found.best:
            return found
        if not found.complete:
            raise GoalError(
                f"nothing that reaches the goals was found among {found.evaluated:,} generalisations; "
                "allow more nodes or seconds"
            )
        raise unreachable(self.space, self.goals, searching.coarsest, self.threads)

    def minimal(self, limits: Limits) -> tuple[Candidate, ...] | str:
        """All vectors that reach the goals while no finer one does, best first; or why they are not told."""
        searching = self._searching(1, limits)
        if searching.nodes > MOST_FLAGGED:
            return f"there are {searching.nodes:,} generalisations, too many to look at all of them"
        searching.start_clock()
        vectors = list(islice(minimal_vectors(searching.reaching()), MOST_MINIMAL + 1))
        if len(vectors) > MOST_MINIMAL:
            return f"there are more than {MOST_MINIMAL:,}"
        found = searching.candidates(vectors)
        return "there was not enough time or nodes to find them all" if searching.over else found

    def _searching(self, keep: int, limits: Limits) -> Searching:
        return Searching(
            self.space, self.goals, self.loss, fixed=self.fixed, keep=keep, limits=limits,
            threads=self.threads, progress=self.progress,
        )  # fmt: skip


def minimal_vectors(reaching: NDArray[numpy.bool_]) -> Iterator[Vector]:
    """Vectors that reach the goals, and no other that is as fine in every column does.

    >>> list(minimal_vectors(numpy.array([[False, True], [True, True]])))
    [(0, 1), (1, 0)]
    """
    at_or_below = reaching
    for axis in range(reaching.ndim):
        at_or_below = numpy.logical_or.accumulate(at_or_below, axis=axis)
    below = numpy.zeros_like(reaching)
    for axis in range(reaching.ndim):
        later = [slice(None)] * reaching.ndim
        earlier = [slice(None)] * reaching.ndim
        later[axis], earlier[axis] = slice(1, None), slice(None, -1)
        below[tuple(later)] |= at_or_below[tuple(earlier)]
    for vector in zip(*numpy.nonzero(reaching & ~below), strict=True):
        yield tuple(map(int, vector))

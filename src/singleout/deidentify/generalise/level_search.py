"""The search for the least lossy vectors of levels, and for all that reach the goals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.deidentify.generalise.goals import Goals
from singleout.deidentify.generalise.level_walk import (
    NO_LIMITS,
    Candidate,
    LevelWalk,
    Limits,
    best_candidates,
    remember_all,
)
from singleout.deidentify.generalise.search_space import Space, Vector
from singleout.deidentify.generalise.walk_types import GEOMETRIC, SUM
from singleout.utility.information_loss import Loss

# of so many vectors, a good one and good bounds are looked for first
MANY = 100_000
# what a bound is worth: so many vectors counted
MOST_FOR_A_BOUND = 20_000


@dataclass(frozen=True)
class SearchResult:
    """The best vectors; `bound` is what every vector loses at least: the least loss, if all are decided."""

    best: tuple[Candidate, ...]
    nodes: int
    evaluated: int
    complete: bool
    bound: float

    @property
    def is_proven(self) -> bool:
        """Whether no vector loses less than the best: others near it may still be open."""
        return bool(self.best) and self.bound >= self.best[0].loss


class LevelSearch(LevelWalk):
    """A search that keeps so many of the best vectors."""

    def __init__(self, space: Space, goals: Goals, loss: Loss, *, keep: int = 1, **walking: Any) -> None:
        from singleout.deidentify.generalise.walk_arrays import new_best

        super().__init__(space, goals, loss, **walking)
        self.best = new_best(keep, len(self.order))

    def find_least_lossy(self) -> SearchResult:
        """The best vectors: of very many after a first descent; what may be stopped also learns bounds."""
        bounded = self.limits != NO_LIMITS
        if bounded or self.nodes > MANY:
            here = self.candidates([self.coarsest_vector])
            self.start_clock()  # what was counted before had to be compiled, perhaps
            self._descend(here)
        if bounded:
            self._learn_later()
        return self._decide()

    def reaching_vectors(self) -> NDArray[numpy.bool_]:
        """Which vectors reach the goals, as an array with a dimension for each column."""
        flags = numpy.zeros(self.space.nodes, dtype=numpy.uint8)
        self.walk(self.branches(), self.best, flags)
        return flags.reshape([height + 1 for height in self.space.heights]).astype(numpy.bool_)

    def _decide(self) -> SearchResult:
        branches = self.branches()
        self.walk(branches, self.best)
        best = best_candidates(self.best)
        left = [branch.least for branch in branches if not branch.complete]
        bound = min([*left, *(each.loss for each in best[:1])], default=numpy.inf)
        return SearchResult(best, self.nodes, self.evaluated, not left, float(bound))

    def _descend(self, here: tuple[Candidate, ...]) -> None:
        """From the top, each time to the best of the vectors one level finer, as long as less is lost."""
        while here:
            remember_all(self.best, here)
            vector = here[0].vector
            finer = [_lower_level(vector, index) for index in self.free if vector[index]]
            there = self.candidates(finer)
            here = there[:1] if there and there[0].loss < here[0].loss else ()

    def _learn_later(self) -> None:
        """What the last columns lose at least by themselves, then with one more, as long as that is quick.

        What reaches monotone goals reaches them in fewer columns too, with no more suppressed or lost.
        """
        later = self.aim.later
        if self.aim.kind > SUM:
            return
        half_of_nodes, half_of_seconds = self.nodes_left // 2, self.seconds_left / 2
        for first in range(len(later) - 2, 0, -1):
            if self.nodes_left <= half_of_nodes or self.seconds_left < half_of_seconds:
                return
            part = self._last_columns_search(first)
            part.start_clock()
            found = part._decide()
            self.evaluated += part.evaluated
            lost = found.bound if found.best or not found.complete else 0.0
            least = (1.0 + lost) ** (len(later) - 1 - first) if self.aim.kind == GEOMETRIC else lost
            later[: first + 1] = max(least, later[first + 1])
            if not found.complete:
                return

    def _last_columns_search(self, first: int) -> LevelSearch:
        """The same search in the last columns of the walk only, weighed as here."""
        indices = self.order[first:]
        space = replace(
            self.space,
            levels=tuple(self.space.levels[index] for index in indices),
            codes=tuple(self.space.codes[index] for index in indices),
        )
        goals = self.goals.monotone_part(self.space.persons is not None)
        limits = Limits(min(MOST_FOR_A_BOUND, self.nodes_left // 4), self.seconds_left / 4)
        fixed = {index: level for index, level in enumerate(self.fixed[first:]) if level >= 0}
        part = LevelSearch(space, goals, self.loss, fixed=fixed, limits=limits, threads=self.threads)
        part.aim = part.aim._replace(
            weight=self.aim.weight[first:],
            later=self.aim.later[first:].copy(),
            spread=part.aim.spread._replace(several=False, asked=goals.of_spread),
        )
        return part


def _lower_level(vector: Vector, index: int) -> Vector:
    return (*vector[:index], vector[index] - 1, *vector[index + 1 :])

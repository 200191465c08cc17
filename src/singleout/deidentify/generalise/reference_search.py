"""The search for levels that hide a sample in a reference table (k-map, δ-presence), in order of the loss."""

from __future__ import annotations

import time
from bisect import insort
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy

from singleout.deidentify.generalise.goals import Goals
from singleout.deidentify.generalise.judged_classes import JudgedClasses, judge_vector, loss_at
from singleout.deidentify.generalise.level_search import SearchResult
from singleout.deidentify.generalise.level_walk import Candidate, Limits
from singleout.deidentify.generalise.search_space import Space, Vector
from singleout.errors import GoalError, UsageError
from singleout.progress import Progress
from singleout.utility.information_loss import BY_CLASSES, Loss, combined_loss, weights_of

MOST_VECTORS = 500_000
TOO_MANY = (
    "there are {:,} generalisations, and a reference is compared with {:,} at most; fix some by --levels, or "
    "leave columns out"
)


@dataclass(eq=False)
class ReferenceSearch:
    """Counts vectors by what they lose at least, until none that is left can lose less than the best."""

    space: Space
    goals: Goals
    loss: Loss
    fixed: Mapping[int, int]
    threads: int
    progress: Progress

    def find(self, keep: int, limits: Limits) -> SearchResult:
        vectors = self._vectors()
        bounds = [self._least_loss(each) for each in vectors]
        order = sorted(range(len(vectors)), key=lambda index: (bounds[index], vectors[index]))
        monotone = self.goals.is_monotone(self.space.persons is not None)
        best: list[tuple[float, int, Vector, Candidate]] = []
        failed, counted, started = numpy.empty((0, len(self.space.columns)), int), 0, time.perf_counter()
        bound, complete = float("inf"), True
        for place, index in enumerate(order):
            if len(best) >= keep and bounds[index] > best[keep - 1][0] + 1e-12:
                break
            if monotone and (vectors[index] <= failed).all(axis=1).any():
                continue
            over = limits.seconds is not None and time.perf_counter() - started > limits.seconds
            if over or counted == limits.nodes:
                bound, complete = bounds[index], False
                break
            self.progress("comparing with the reference", place, len(order))
            counted += 1
            judged = judge_vector(self.space, vectors[index], self.goals, self.threads)
            if judged.reaches(self.goals) and judged.released:
                one = self._candidate(vectors[index], judged)
                insort(best, (one.loss, one.discernibility, one.vector, one))
            elif not judged.reaches(self.goals):
                failed = _coarsest(failed, vectors[index])
        kept = tuple(each[-1] for each in best[:keep])
        if not kept:
            raise self._error(complete, counted)
        return SearchResult(kept, len(vectors), counted, complete, min(bound, kept[0].loss))

    def _vectors(self) -> list[Vector]:
        levels = [
            [self.fixed[index]] if index in self.fixed else range(height + 1)
            for index, height in enumerate(self.space.heights)
        ]
        many = int(numpy.prod([len(each) for each in levels], dtype=float))
        if many > MOST_VECTORS:
            raise UsageError(TOO_MANY.format(many, MOST_VECTORS))
        return list(product(*levels))

    def _least_loss(self, vector: Vector) -> float:
        """With nothing suppressed; of a loss by class sizes nothing is known before they are counted."""
        if self.loss.name in BY_CLASSES:
            return 0.0
        weights = weights_of(self.loss, self.space.columns, self.space.costs(self.loss)).tolist()
        parts = [part[level] for part, level in zip(self._parts, vector, strict=True)]
        return combined_loss(self.loss, weights, parts)

    @property
    def _parts(self) -> list[list[float]]:
        """Of each column and level, what it loses with all records released."""
        if not hasattr(self, "_found_parts"):
            self._found_parts = [
                [
                    max(0.0, (int((at * records).sum()) - costs.low) / costs.span) if costs.span else 0.0
                    for at in costs.at
                ]
                for costs, records in zip(self.space.costs(self.loss), self.space.frequencies, strict=True)
            ]
        return self._found_parts

    def _candidate(self, vector: Vector, judged: JudgedClasses) -> Candidate:
        loss = loss_at(self.space, self.loss, vector, judged)
        kept = int(judged.kept.sum())
        return Candidate(vector, loss, judged.discernibility, judged.suppressed, kept)

    def _error(self, complete: bool, counted: int) -> GoalError:
        if not complete:
            return GoalError(
                f"nothing that reaches the goals was found among {counted:,} generalisations; allow more "
                "nodes or seconds"
            )
        coarsest = tuple(self.fixed.get(index, height) for index, height in enumerate(self.space.heights))
        judged = judge_vector(self.space, coarsest, self.goals, self.threads)
        assert judged.reference is not None
        fewest = int(judged.reference.min())
        most = float((judged.people / numpy.maximum(judged.reference, 1)).max())
        return GoalError(
            f"no generalisation reaches this: at the highest levels a class has {fewest:,} people of the "
            f"reference, and its people are {most:.3g} of them; {judged.suppressed:,} of "
            f"{self.space.records:,} records would have to be suppressed"
        )


def _coarsest(failed: numpy.typing.NDArray[numpy.int64], vector: Vector) -> numpy.typing.NDArray[numpy.int64]:
    """Of vectors that fail, those that no other one is coarser than."""
    new = numpy.array([vector])
    return numpy.concatenate([failed[~(failed <= new).all(axis=1)], new])

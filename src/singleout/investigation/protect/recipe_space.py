"""All recipes that a search may try: a rung for each column, and what is done with the records."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.investigation.protect.ladder import Ladder, Rung
from singleout.investigation.protect.record_change import RecordChange

# more are not counted
MOST_COUNTED = 2_000_000


@dataclass(frozen=True, order=True)
class CandidateRecipe:
    """A rung for each column, by its number from the finest, and the number of the change of records."""

    levels: tuple[int, ...]
    change: int = 0

    def is_as_coarse_as(self, other: CandidateRecipe) -> bool:
        """Whether somebody who has the other could make this one of it."""
        return self.change == other.change and all(
            one >= two for one, two in zip(self.levels, other.levels, strict=True)
        )


@dataclass(frozen=True)
class RecipeSpace:
    """`columns` is the order of the release; `user` is released under fresh names."""

    user: str | None
    columns: tuple[str, ...]
    ladders: tuple[Ladder, ...]
    changes: tuple[RecordChange, ...]

    @property
    def original(self) -> CandidateRecipe:
        return CandidateRecipe(tuple(0 for _ in self.ladders))

    @property
    def recipes(self) -> int:
        """How many there are with the records as they are."""
        return math.prod(len(each.rungs) for each in self.ladders)

    def starts(self, change: int) -> list[CandidateRecipe]:
        """The coarsest that release anything: one column, on its last rung before it is left out."""
        gone = CandidateRecipe(tuple(each.top for each in self.ladders), change)
        return [gone] if self.is_release(gone) else [*self.finer(gone)]

    def only(self, column: str, change: int) -> CandidateRecipe:
        """One column as it is, and the others on their last rung."""
        return CandidateRecipe(
            tuple(0 if each.column == column else each.top for each in self.ladders), change
        )

    def is_release(self, candidate: CandidateRecipe) -> bool:
        return any(not rung.left_out for rung in self.rungs(candidate))

    def rungs(self, candidate: CandidateRecipe) -> list[Rung]:
        return [each.rungs[level] for each, level in zip(self.ladders, candidate.levels, strict=True)]

    def finer(self, candidate: CandidateRecipe) -> Iterator[CandidateRecipe]:
        """One column one rung finer."""
        for index, level in enumerate(candidate.levels):
            if level:
                yield self.at(candidate, index, level - 1)

    def exchanges(self, candidate: CandidateRecipe) -> Iterator[CandidateRecipe]:
        """One column one rung finer, another one coarser."""
        for finer in self.finer(candidate):
            for index, level in enumerate(candidate.levels):
                if level < self.ladders[index].top and finer.levels[index] == level:
                    yield self.at(finer, index, level + 1)

    def way_down(self) -> list[CandidateRecipe]:
        """From the original on, always the column one rung coarser that loses least by it; what is left out
        altogether is no release."""
        way = [self.original]
        while coarser := [*self.coarser(way[-1])]:
            way.append(min(coarser, key=lambda each: (self.detail_lost(each), each)))
        return [each for each in way[1:] if self.is_release(each)]

    def coarser(self, candidate: CandidateRecipe) -> Iterator[CandidateRecipe]:
        """One column one rung coarser."""
        for index, level in enumerate(candidate.levels):
            if level < self.ladders[index].top:
                yield self.at(candidate, index, level + 1)

    def at(self, candidate: CandidateRecipe, index: int, level: int) -> CandidateRecipe:
        levels = (*candidate.levels[:index], level, *candidate.levels[index + 1 :])
        return replace(candidate, levels=levels)

    def detail_lost(self, candidate: CandidateRecipe) -> float:
        """Mean over columns of the detail that is gone; a record that is left out has lost all."""
        kept = 1 - self.changes[candidate.change].records
        losses = [rung.loss for rung in self.rungs(candidate)]
        return 1 - kept * (1 - sum(losses) / max(len(losses), 1))

    def steps(self, candidate: CandidateRecipe) -> list[dict[str, Any]]:
        rungs = [rung.step for rung in self.rungs(candidate) if rung.step is not None]
        names = [] if self.user is None else [{"step": "pseudonymise"}]
        return [dict(each) for each in (*self.changes[candidate.change].steps, *rungs, *names)]

    def content(self, candidate: CandidateRecipe) -> dict[str, Any]:
        """What the file of the recipe holds."""
        named = {} if self.user is None else {"user": self.user}
        return {**named, "columns": list(self.released(candidate)), "step": self.steps(candidate)}

    def released(self, candidate: CandidateRecipe) -> tuple[str, ...]:
        gone = {
            each.column
            for each, rung in zip(self.ladders, self.rungs(candidate), strict=True)
            if rung.left_out
        }
        return tuple(name for name in self.columns if name not in gone)

    def coarsening(self, candidate: CandidateRecipe) -> dict[str, Any] | None:
        """What makes the original as coarse as the release and changes nothing else; None if that is nothing.

        Columns that are left out stay, so that it is seen that they are gone.
        """
        steps = [dict(rung.step) for rung in self.rungs(candidate) if rung.step is not None]
        return {**self.content(self.original), "step": steps} if steps else None

    def words(self, candidate: CandidateRecipe) -> tuple[str, ...]:
        """What is changed, one thing after the other."""
        change = self.changes[candidate.change]
        coarser = [rung.words for rung in self.rungs(candidate) if rung.step is not None or rung.left_out]
        return (*([change.words] if candidate.change else []), *coarser)

    def count_known(
        self, broken: Sequence[CandidateRecipe], tried: Sequence[CandidateRecipe]
    ) -> tuple[int, int] | None:
        """With all records: how many recipes are finer than one that broke a rule, and how many are neither
        that nor tried; None if there are too many to count."""
        if self.recipes > MOST_COUNTED:
            return None
        shape = tuple(len(each.rungs) for each in self.ladders)
        known: NDArray[numpy.bool_] = numpy.zeros(shape, dtype=numpy.bool_)
        for each in broken:
            if each.change == 0:
                known[tuple(slice(0, level + 1) for level in each.levels)] = True
        finer = int(known.sum())
        for each in tried:
            if each.change == 0:
                known[each.levels] = True
        nothing = tuple(each.top for each in self.ladders)
        known[nothing] |= not self.is_release(CandidateRecipe(nothing))
        return finer, int((~known).sum())

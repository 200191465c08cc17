"""The levels a search chose; where none reach the goals, how near the coarsest come and what hinders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

import numpy
from numpy.typing import NDArray

from singleout.deidentify.generalise.goals import Goals
from singleout.deidentify.generalise.judged_classes import JudgedClasses, judge_classes
from singleout.deidentify.generalise.level_search import LevelSearch, SearchResult
from singleout.deidentify.generalise.level_walk import Candidate, Limits
from singleout.deidentify.generalise.reference_search import ReferenceSearch
from singleout.deidentify.generalise.search_space import Space, Vector
from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.numbering import join_codes
from singleout.errors import GoalError
from singleout.progress import Progress, silent
from singleout.utility.information_loss import Loss

Shortfall = tuple[int, float]


def goal_error(space: Space, goals: Goals, coarsest: Vector, threads: int = 1) -> GoalError:
    """The error to raise, about the coarsest levels that may be chosen: classes are largest there."""
    columns = space.columns_at(coarsest)
    whole = _judge_columns(space, goals, columns, threads)
    fixed = "" if coarsest == space.heights else " that your choice leaves"
    return GoalError(
        f"no generalisation reaches this: at the highest levels{fixed} {_worst_class(space, goals, whole)}; "
        f"{_blocking_column_text(space, goals, columns, whole, threads)}"
    )


def _judge_columns(space: Space, goals: Goals, columns: list[Codes], threads: int) -> JudgedClasses:
    one = Codes(numpy.zeros(space.records, dtype=numpy.uint32), 1)
    classes = join_codes(columns, threads) if columns else one
    return judge_classes(classes, space.persons, space.guarded, goals, threads)


def _worst_class(space: Space, goals: Goals, classes: JudgedClasses) -> str:
    """What the worst class is like, as far as it was asked about, and what that would cost."""
    of, parts = "people" if space.persons else "records", []
    if goals.k > 1:
        parts.append(f"the smallest class has {int(classes.people.min()):,} of {goals.k:,} {of}")
    if goals.diverse is not None:
        fewest = min(int(each.min()) for each in classes.diversities)
        parts.append(f"a class has {fewest} of {goals.diverse} different sensitive values")
    if goals.close is not None:
        farthest = max(float(each.max()) for each in classes.distances)
        parts.append(f"a class is {farthest:.3g} from the table where {goals.close:g} is allowed")
    parts += _worst_spread(goals, classes)
    return ", ".join([*parts, _cost_text(space, goals, classes)])


def _worst_spread(goals: Goals, classes: JudgedClasses) -> list[str]:
    parts = []
    for name in classes.others[0] if classes.others else ():
        numbers = [each[name] for each in classes.others]
        worst = min(map(numpy.min, numbers)) if name == "entropy_l" else max(map(numpy.max, numbers))
        limit = "asked for" if name == "entropy_l" else "allowed"
        parts.append(f"{name} of a class is {worst:.3g} where {getattr(goals, name):g} is {limit}")
    return parts


def _cost_text(space: Space, goals: Goals, found: JudgedClasses) -> str:
    budget = goals.budget(space.records)
    if found.suppressed > budget or goals.average_risk is None:
        allowed = f"{budget:,} may be" if budget else "none may be"
        return f"{found.suppressed:,} of {space.records:,} records would have to be suppressed and {allowed}"
    return f"the average risk is {found.average_risk:.3g} where {goals.average_risk:g} is allowed"


def _blocking_column_text(
    space: Space, goals: Goals, columns: list[Codes], whole: JudgedClasses, threads: int
) -> str:
    """The column without which the least is lacking."""
    best, least = None, _shortfall(goals, whole)
    for index, name in enumerate(space.columns):
        rest = _judge_columns(space, goals, columns[:index] + columns[index + 1 :], threads)
        if _shortfall(goals, rest) < least:
            best, least = (name, rest), _shortfall(goals, rest)
    if best is None:
        return "no single column stands in the way; ask for less, or allow more to be suppressed"
    name, rest = best
    then = "the goals would be reached" if rest.reaches(goals) else _cost_text(space, goals, rest)
    return (
        f"{name!r} stands in the way: without it {then}; give it a coarser level, leave it out, "
        "or allow more to be suppressed"
    )


def _shortfall(goals: Goals, classes: JudgedClasses) -> Shortfall:
    """How far classes are from the goals: records that would have to go, then the average risk."""
    over = classes.suppressed - goals.budget(int(classes.records.sum()))
    return max(0, over), classes.average_risk if goals.average_risk is not None else 0.0


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

    def best(self, keep: int, limits: Limits) -> SearchResult:
        """The best vectors, so many of them; it is an error if none reaches the goals."""
        if self.space.reference is not None:
            return ReferenceSearch(
                self.space, self.goals, self.loss, self.fixed, self.threads, self.progress
            ).find(keep, limits)
        self.progress("getting ready to search", 0, 1)
        search = self._search(keep, limits)
        found = search.find_least_lossy()
        if found.best:
            return found
        if not found.complete:
            raise GoalError(
                f"nothing that reaches the goals was found among {found.evaluated:,} generalisations; "
                "allow more nodes or seconds"
            )
        raise goal_error(self.space, self.goals, search.coarsest_vector, self.threads)

    def minimal(self, limits: Limits) -> tuple[Candidate, ...] | str:
        """All vectors that reach the goals while no finer one does, best first; or why they are not told."""
        if self.space.reference is not None:
            return "a reference is compared with the best ones only"
        search = self._search(1, limits)
        if search.nodes > MOST_FLAGGED:
            return f"there are {search.nodes:,} generalisations, too many to look at all of them"
        search.start_clock()
        vectors = list(islice(minimal_vectors(search.reaching_vectors()), MOST_MINIMAL + 1))
        if len(vectors) > MOST_MINIMAL:
            return f"there are more than {MOST_MINIMAL:,}"
        candidates = search.candidates(vectors)
        return "there was not enough time or nodes to find them all" if search.is_over else candidates

    def _search(self, keep: int, limits: Limits) -> LevelSearch:
        return LevelSearch(
            self.space, self.goals, self.loss, fixed=self.fixed, keep=keep, limits=limits,
            threads=self.threads, progress=self.progress,
        )  # fmt: skip


def minimal_vectors(flags: NDArray[numpy.bool_]) -> Iterator[Vector]:
    """Vectors that reach the goals, and no other that is as fine in every column does.

    >>> list(minimal_vectors(numpy.array([[False, True], [True, True]])))
    [(0, 1), (1, 0)]
    """
    at_or_below = flags
    for axis in range(flags.ndim):
        at_or_below = numpy.logical_or.accumulate(at_or_below, axis=axis)
    below = numpy.zeros_like(flags)
    for axis in range(flags.ndim):
        later = [slice(None)] * flags.ndim
        earlier = [slice(None)] * flags.ndim
        later[axis], earlier[axis] = slice(1, None), slice(None, -1)
        below[tuple(later)] |= at_or_below[tuple(earlier)]
    for vector in zip(*numpy.nonzero(flags & ~below), strict=True):
        yield tuple(map(int, vector))

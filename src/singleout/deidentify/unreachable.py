"""When nothing reaches the goals: how near the coarsest levels come, and which column stands in the way."""

from __future__ import annotations

import numpy

from singleout.deidentify.goals import Goals
from singleout.deidentify.judging import Judged, judged
from singleout.deidentify.space import Space, Vector
from singleout.engine.codes import Codes
from singleout.engine.numbering import joined
from singleout.errors import GoalError

Shortfall = tuple[int, float]


def unreachable(space: Space, goals: Goals, coarsest: Vector, threads: int = 1) -> GoalError:
    """The error to raise, about the coarsest levels that may be chosen: classes are largest there."""
    columns = space.generalised(coarsest)
    whole = _judged(space, goals, columns, threads)
    fixed = "" if coarsest == space.heights else " that your choice leaves"
    return GoalError(
        f"no generalisation reaches this: at the highest levels{fixed} {_near(space, goals, whole)}; "
        f"{_in_the_way(space, goals, columns, whole, threads)}"
    )


def _judged(space: Space, goals: Goals, columns: list[Codes], threads: int) -> Judged:
    one = Codes(numpy.zeros(space.records, dtype=numpy.uint32), 1)
    classes = joined(columns, threads) if columns else one
    return judged(classes, space.persons, space.sensitive, space.totals, goals, threads)


def _near(space: Space, goals: Goals, found: Judged) -> str:
    """What the worst class is like, as far as it was asked about, and what that would cost."""
    of, parts = "people" if space.persons else "records", []
    if goals.k > 1:
        parts.append(f"the smallest class has {int(found.people.min()):,} of {goals.k:,} {of}")
    if goals.diverse is not None:
        fewest = min(int(each.min()) for each in found.different)
        parts.append(f"a class has {fewest} of {goals.diverse} different sensitive values")
    if goals.close is not None:
        farthest = max(float(each.max()) for each in found.far)
        parts.append(f"a class is {farthest:.3g} from the table where {goals.close:g} is allowed")
    return ", ".join([*parts, _cost(space, goals, found)])


def _cost(space: Space, goals: Goals, found: Judged) -> str:
    budget = goals.budget(space.records)
    if found.suppressed > budget or goals.average_risk is None:
        allowed = f"{budget:,} may be" if budget else "none may be"
        return f"{found.suppressed:,} of {space.records:,} records would have to be suppressed and {allowed}"
    return f"the average risk is {found.average_risk:.3g} where {goals.average_risk:g} is allowed"


def _in_the_way(space: Space, goals: Goals, columns: list[Codes], whole: Judged, threads: int) -> str:
    """The column without which the least is lacking."""
    best, least = None, _shortfall(goals, whole)
    for place, name in enumerate(space.columns):
        rest = _judged(space, goals, columns[:place] + columns[place + 1 :], threads)
        if _shortfall(goals, rest) < least:
            best, least = (name, rest), _shortfall(goals, rest)
    if best is None:
        return "no single column stands in the way; ask for less, or allow more to be suppressed"
    name, rest = best
    then = "the goals would be reached" if rest.reaches(goals) else _cost(space, goals, rest)
    return (
        f"{name!r} stands in the way: without it {then}; give it a coarser level, leave it out, "
        "or allow more to be suppressed"
    )


def _shortfall(goals: Goals, found: Judged) -> Shortfall:
    """How far classes are from the goals: records that would have to go, then the average risk."""
    over = found.suppressed - goals.budget(int(found.records.sum()))
    return max(0, over), found.average_risk if goals.average_risk is not None else 0.0

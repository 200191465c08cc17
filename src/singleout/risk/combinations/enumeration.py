"""Every set of attributes that was asked for, counted and written to a file: all, or bounded."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from os import PathLike
from typing import Any

import numpy

from singleout.engine.column_sets.set_counts import SetCounts, Sets
from singleout.engine.protocol import Engine, Question
from singleout.engine.session import CheckedQuestion
from singleout.errors import OutputError, UsageError
from singleout.files import check_table_target
from singleout.progress import Progress
from singleout.read.source import Source, fingerprint
from singleout.risk.combinations.affordable_sets import PriceList
from singleout.risk.combinations.allowable_risk import Criterion, minimal_and_maximal_sets
from singleout.risk.combinations.attacker_budget import Market
from singleout.risk.combinations.attribute_sets import (
    SkippedSets,
    all_sets,
    number_up_to,
    sets_up_to,
    sizes_of,
)
from singleout.risk.combinations.result import WrittenSets
from singleout.risk.combinations.survey import Count, CountedSets, Survey, count_survey, write_survey


@dataclass(frozen=True)
class Bounds:
    """Which sets: at most so many columns, within a resource, none above one that is too risky."""

    largest: int | None = None
    resource: Any = None
    prune: Criterion | None = None


@dataclass(frozen=True, eq=False)
class Enumeration:
    """All sets counted, and not yet written: first the data must be known not to have changed."""

    survey: Survey
    counted: CountedSets
    subsets: int
    not_looked_at: tuple[SkippedSets, ...]

    def write(self, progress: Progress) -> WrittenSets:
        done = write_survey(self.survey, self.counted, progress)
        return WrittenSets(str(self.survey.out), done.written, done.resumed, self.subsets, self.not_looked_at)


def check_target(out: str | PathLike[str] | None, origin: Source) -> None:
    """Fail before the work if the sets can't be written there."""
    if out is None:
        raise UsageError("all: every set goes into a file; name it by out, ending in .csv or .parquet")
    check_table_target(out)
    if origin.holds(out) or origin.holds(f"{out}.unfinished"):
        raise OutputError(f"{out}: belongs to the data that is read; name another file")


def enumerate_sets(
    counter: Engine,
    plan: CheckedQuestion,
    origin: Source,
    out: str | PathLike[str],
    bounds: Bounds,
    allow: int,
    shop: Market | None,
    progress: Progress,
) -> Enumeration:
    """Count the sets within the bounds; what they leave out is told."""
    question = shop.question if shop else plan.question(plan.columns)
    names = tuple(offer.name for offer in shop.prices.offers) if shop else plan.columns

    def count(sets: Sets) -> SetCounts:
        return counter.count_sets(question, sets, allow, progress)

    if bounds.prune:
        return _pruned_enumeration(names, out, bounds.prune, bounds.largest, count, progress)
    sets = _family(len(names), bounds, shop)
    values = count(numpy.uint64(1) << numpy.arange(len(names), dtype=numpy.uint64))
    files = [list(each) for each in fingerprint(origin)]
    known = values if files else count(_fingerprint_sets(len(names)))
    signature = {"files": files} | _signature(counter, plan, origin, question, allow, known)
    work = Survey(names, sets, out, signature, tuple(values.classes.tolist()))
    counted = count_survey(work, lambda some: counter.count_sets(question, some, allow), progress)
    subsets = _subsets(shop.prices) if shop else number_up_to(len(names), len(names))
    left = subsets - len(sets)
    why = " or ".join(_reasons(bounds))
    return Enumeration(work, counted, subsets, (SkippedSets(left, why),) if left else ())


def _family(width: int, bounds: Bounds, shop: Market | None) -> Sets:
    if shop:
        sets = shop.sets_within(bounds.resource)
        sets = sets[sets > 0]
        return sets[sizes_of(sets) <= bounds.largest] if bounds.largest else sets
    return sets_up_to(width, bounds.largest) if bounds.largest is not None else all_sets(width)


def _subsets(prices: PriceList) -> int:
    """Without the empty set, which is no choice where something is free."""
    return prices.sets - all(prices.amounts)


def _pruned_enumeration(
    names: tuple[str, ...],
    out: str | PathLike[str],
    criterion: Criterion,
    largest: int | None,
    count: Count,
    progress: Progress,
) -> Enumeration:
    """Only sets all of whose subsets are safe; their levels depend on each other, so nothing is kept."""
    counted: list[SetCounts] = []

    def remember(sets: Sets) -> SetCounts:
        counted.append(count(sets))
        return counted[-1]

    boundary = minimal_and_maximal_sets(len(names), remember, criterion, largest, progress)
    if len(counted) < 2:
        raise UsageError("prune: the empty set is too risky already, so there is nothing to write")
    counts = SetCounts.join(counted[1:])
    decided = boundary.subsets - boundary.evaluated - sum(each.sets for each in boundary.not_looked_at)
    above = SkippedSets(decided, "they hold a set that is too risky", at_most=bool(boundary.not_looked_at))
    left = (*([above] if decided else []), *boundary.not_looked_at)
    return Enumeration(
        Survey(names, counts.sets, out, {}), CountedSets(counts, 0, "", kept=False), boundary.subsets, left
    )


def _fingerprint_sets(width: int) -> Sets:
    """Sets whose counts change if the table does, for where no file's time tells: pairs, and all columns."""
    every = numpy.array([(1 << width) - 1], dtype=numpy.uint64)
    sets: Sets = numpy.unique(numpy.concatenate([sets_up_to(width, 2), every]))
    return sets


def _reasons(bounds: Bounds) -> list[str]:
    found = []
    if bounds.largest is not None:
        found.append(f"they have more than {bounds.largest} columns")
    if bounds.resource is not None:
        found.append(f"they cost more than {bounds.resource}")
    return found


def _signature(
    counter: Engine, plan: CheckedQuestion, origin: Source, question: Question, allow: int, known: SetCounts
) -> dict[str, Any]:
    """What must be the same for an unfinished run to go on, beside the files."""
    return {
        "version": version("singleout"),
        "source": origin.name,
        "engine": counter.name,
        "columns": list(question.columns),
        "user": plan.user,
        "missing": plan.missing,
        "allow": allow,
        "records": known.records,
        "people": known.people,
        "classes": known.classes.tolist(),
        "entropies": known.entropy_parts.tolist(),
    }

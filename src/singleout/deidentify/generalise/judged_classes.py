"""The classes of records as they are released, judged by the goals one by one: slow, plain and exact."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy
from numpy.typing import NDArray

from singleout.deidentify.generalise.goals import Goals
from singleout.deidentify.generalise.search_space import GuardedColumn, Space, Vector
from singleout.deidentify.generalise.walk_types import DIGITS, ROUNDING
from singleout.engine.class_sizes import Counts, Sizes
from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.numbering import join_codes
from singleout.risk.beta_likeness import basic_likeness, disclosures, enhanced_likeness, highest_shares
from singleout.risk.l_diversity import distinct_values, effective_values, recursive_ratios
from singleout.risk.sensitive_values import Flags, Reals, SensitiveCounts, distinct_counts, sensitive_counts
from singleout.risk.t_closeness import equal_distances, hierarchical_distances, ordered_distances
from singleout.utility.information_loss import Loss, combined_loss, weights_of


@dataclass(frozen=True, eq=False)
class JudgedClasses:
    """Which class each record is in, what each class counts, and whether it is `kept`.

    `people` are the records themselves where no person is named; `diversities` and `distances` have an array
    for each sensitive column: its distinct values, and how unlike the table they are spread. `others` have
    one for each other goal that is about it, by name. `reference` are the people of a table of everybody in
    each class, where a goal is about these.
    """

    classes: Codes
    records: Counts
    people: Counts
    diversities: tuple[Counts, ...]
    distances: tuple[NDArray[numpy.float64], ...]
    kept: NDArray[numpy.bool_]
    others: tuple[dict[str, Reals], ...] = ()
    reference: Counts | None = None

    @property
    def kept_records(self) -> NDArray[numpy.bool_]:
        return self.kept[self.classes.codes]

    @property
    def released(self) -> int:
        return int(self.records[self.kept].sum())

    @property
    def suppressed(self) -> int:
        return int(self.records[~self.kept].sum())

    @property
    def sizes(self) -> Sizes:
        """The classes that are kept."""
        kept = self.kept
        return Sizes.of_arrays(
            self.records[kept], self.people[kept], numpy.ones(int(kept.sum()), numpy.int64)
        )

    @property
    def average_risk(self) -> float:
        """Over released records; nothing released is no risk."""
        kept = self.kept
        if not self.released:
            return 0.0
        return math.fsum((self.records[kept] / self.people[kept]).tolist()) / self.released

    @property
    def discernibility(self) -> int:
        return int((self.records[self.kept] ** 2).sum()) + self.suppressed * int(self.records.sum())

    def reaches(self, goals: Goals) -> bool:
        if self.suppressed > goals.budget(int(self.records.sum())):
            return False
        return goals.average_risk is None or self.average_risk <= goals.average_risk * (1 + ROUNDING)


def judge_classes(
    classes: Codes,
    persons: Codes | None,
    guarded: Sequence[GuardedColumn],
    goals: Goals,
    threads: int = 1,
) -> JudgedClasses:
    """Judge each class by itself."""
    records = numpy.bincount(classes.codes, minlength=classes.count)
    people = records if persons is None else distinct_counts(classes, persons, threads)
    kept, kinds, far, others = people >= goals.k, [], [], []
    for column in guarded:
        counts = sensitive_counts(classes, column.codes, persons, totals=column.table, threads=threads)
        kinds.append(distinct_values(counts))
        if goals.diverse is not None:
            kept &= kinds[-1] >= goals.diverse
        if goals.close is not None:
            far.append(_distances(counts, column, goals))
            kept &= far[-1] <= goals.close * (1 + ROUNDING)
        others.append(_numbers(counts, goals))
        kept &= _keeps(others[-1], goals, counts.classes)
    return JudgedClasses(classes, records, people, tuple(kinds), tuple(far), kept, tuple(others))


def _distances(counts: SensitiveCounts, column: GuardedColumn, goals: Goals) -> Reals:
    if goals.closeness == "ordered":
        return ordered_distances(counts)
    if goals.closeness == "hierarchical" and column.tree is not None:
        return hierarchical_distances(counts, column.tree)
    return equal_distances(counts)


def _numbers(counts: SensitiveCounts, goals: Goals) -> dict[str, Reals]:
    """Of each class, the number that each goal is about."""
    by_name: dict[str, Callable[[SensitiveCounts], Reals]] = {
        "entropy_l": effective_values,
        "recursive_c": lambda each: recursive_ratios(each, goals.recursive_l),
        "beta_basic": basic_likeness,
        "beta_enhanced": enhanced_likeness,
        "delta": disclosures,
        "delta_of_present": lambda each: disclosures(each, of_present=True),
        "alpha": highest_shares,
    }
    return {name: measure(counts) for name, measure in by_name.items() if getattr(goals, name) is not None}


# a limit that is not to be reached itself, by the definitions
STRICT = ("recursive_c", "delta", "delta_of_present")


def _keeps(numbers: dict[str, Reals], goals: Goals, classes: int) -> Flags:
    kept = numpy.ones(classes, dtype=numpy.bool_)
    for name, each in numbers.items():
        limit = getattr(goals, name)
        if name == "entropy_l":
            kept &= each * (1 + ROUNDING) >= limit
        elif name in STRICT:
            kept &= each < limit * (1 - ROUNDING)
        else:
            kept &= each <= limit * (1 + ROUNDING)
    return kept


def judge_vector(space: Space, vector: Vector, goals: Goals, threads: int = 1) -> JudgedClasses:
    """The classes of a vector of levels."""
    columns = space.columns_at(vector)
    classes = join_codes(columns, threads)
    judged = judge_classes(classes, space.persons, space.guarded, goals, threads)
    if space.reference is None:
        return judged
    people = space.reference.people_of(vector, columns, classes)
    return replace(judged, reference=people, kept=judged.kept & is_hidden(judged.people, people, goals))


def is_hidden(people: Counts, reference: Counts, goals: Goals) -> Flags:
    """Whether each class is hidden well enough in the reference; one that it lacks never is."""
    hidden = reference >= max(1, goals.k_map or 1)
    if goals.presence is not None:
        low, high = goals.presence
        share = numpy.minimum(1.0, people / numpy.maximum(reference, 1))
        hidden &= (share >= low * (1 - ROUNDING)) & (share <= high * (1 + ROUNDING))
    return hidden


def released_frequencies(space: Space, classes: JudgedClasses) -> tuple[Counts, ...]:
    """How many released records have each value of each column."""
    if not classes.suppressed:
        return space.frequencies
    kept = classes.kept_records
    return tuple(
        numpy.bincount(codes[kept], minlength=len(records))
        for codes, records in zip(space.codes, space.frequencies, strict=True)
    )


def column_losses(space: Space, loss: Loss, vector: Vector, classes: JudgedClasses) -> tuple[float, ...]:
    """What each column loses, from 0 to 1."""
    parts = []
    frequencies = released_frequencies(space, classes)
    for costs, records, level in zip(space.costs(loss), frequencies, vector, strict=True):
        above = int(costs.at[level] @ records) + classes.suppressed * costs.full - costs.low
        parts.append(max(0.0, above / costs.span) if costs.span else 0.0)
    return tuple(parts)


def loss_at(space: Space, loss: Loss, vector: Vector, classes: JudgedClasses) -> float:
    """What the vector loses in all."""
    if loss.name == "discernibility":
        return float(classes.discernibility)
    if loss.name == "average_class_size":
        return space.records / max(1, int(classes.kept.sum()) + bool(classes.suppressed))
    weights = weights_of(loss, space.columns, space.costs(loss)).tolist()
    return round(combined_loss(loss, weights, column_losses(space, loss, vector, classes)), DIGITS)

"""The classes of records as they are released, judged by the goals one by one: slow, plain and exact."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from singleout.deidentify.generalise.goals import Goals
from singleout.deidentify.generalise.search_space import Space, Vector
from singleout.deidentify.generalise.walk_types import DIGITS, ROUNDING
from singleout.engine.class_sizes import Counts, Sizes
from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.numbering import join_codes
from singleout.risk.l_diversity_t_closeness import distances, diversities
from singleout.utility.information_loss import Loss, combined_loss, weights_of


@dataclass(frozen=True, eq=False)
class JudgedClasses:
    """Which class each record is in, what each class counts, and whether it is `kept`.

    `people` are the records themselves where no person is named; `diversities` and `distances` have an array
    for each sensitive column: its distinct values, and how unlike the table they are spread.
    """

    classes: Codes
    records: Counts
    people: Counts
    diversities: tuple[Counts, ...]
    distances: tuple[NDArray[numpy.float64], ...]
    kept: NDArray[numpy.bool_]

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
    sensitive: Sequence[Codes],
    totals: Sequence[Counts],
    goals: Goals,
    threads: int = 1,
) -> JudgedClasses:
    """Judge each class by itself; `totals` are the records of each sensitive value in the table."""
    records = numpy.bincount(classes.codes, minlength=classes.count)
    people = records if persons is None else diversities(classes, persons, threads)
    kinds = tuple(diversities(classes, each, threads) for each in sensitive)
    ordered = goals.closeness == "ordered"
    far = tuple(
        distances(classes, each, total, ordered, threads)
        for each, total in (zip(sensitive, totals, strict=True) if goals.close is not None else ())
    )
    kept = people >= goals.k
    if goals.diverse is not None:
        kept &= numpy.logical_and.reduce([counted >= goals.diverse for counted in kinds])
    if goals.close is not None:
        kept &= numpy.logical_and.reduce([unlike <= goals.close * (1 + ROUNDING) for unlike in far])
    return JudgedClasses(classes, records, people, kinds, far, kept)


def judge_vector(space: Space, vector: Vector, goals: Goals, threads: int = 1) -> JudgedClasses:
    """The classes of a vector of levels."""
    classes = join_codes(space.columns_at(vector), threads)
    return judge_classes(classes, space.persons, space.sensitive, space.totals, goals, threads)


def column_losses(space: Space, loss: Loss, vector: Vector, classes: JudgedClasses) -> tuple[float, ...]:
    """What each column loses, from 0 to 1."""
    kept, parts = classes.kept_records, []
    for costs, codes, level in zip(space.costs(loss), space.codes, vector, strict=True):
        released = int(costs.at[level][codes[kept]].sum())
        above = released + classes.suppressed * costs.full - costs.low
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

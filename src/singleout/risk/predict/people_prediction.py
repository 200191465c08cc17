"""The risk counted in people, predicted for a history: whose records are alike, not how many are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy
from numpy.typing import NDArray

from singleout.measurement import Measure
from singleout.progress import Progress
from singleout.risk.predict.avfm import Avfm, PairTable
from singleout.risk.predict.random_shuffle import IndependentArranger, ShufflePlan
from singleout.risk.predict.shuffle_layout import Arranger, Codes, Desk
from singleout.risk.predict.tree_permutation import Tree

PeopleMethod = Literal["random", "tree"]
# a data set is grouped and sorted anew for each shuffle
MOST_SHUFFLES, MOST_RECORDS = 20, 2_000_000
NORMAL_95 = 1.959964
MOST_KEYS = 2**62

PREDICTED_PEOPLE_RISK = Measure(
    name="prediction.people_risk",
    title="predicted risk in people",
    question="With what probability is the person of a record named, judged by statistics alone?",
    formula="mean over tables with these statistics of (1/m) Σ over distinct rows of records / people, the "
    "user column being arranged like any other",
    unit="probability",
    lowest=0,
    highest=1,
    better="lower",
    counted_over="records",
    reference="Ito et al. 2019, Definition 5, predicted as by Yang et al. 2020, Algorithm 1",
)


@dataclass(frozen=True, eq=False)
class PeopleStatistics:
    """Of the columns and, last, of the user: frequencies and the pair tables of the tree; the true `risk`."""

    avfm: Avfm
    pairs: tuple[PairTable, ...]
    risk: float


@dataclass(frozen=True)
class PeoplePrediction:
    """The risk in people by one method; `low` and `high` bound the method's own mean (95 %)."""

    method: PeopleMethod
    risk: float
    low: float
    high: float
    deviation: float
    shuffles: int
    error: float


def predict_people(
    known: PeopleStatistics, plan: ShufflePlan, progress: Progress
) -> tuple[PeoplePrediction, ...]:
    """By columns that have nothing to do with each other, and by a tree of the strongest pairs."""
    arrangers: dict[PeopleMethod, Arranger] = {
        "random": IndependentArranger.of(known.avfm),
        "tree": Tree.of(known.avfm, known.pairs),
    }
    shuffles = max(2, min(plan.shuffles, MOST_SHUFFLES))
    found = []
    for method, arranger in arrangers.items():
        risks = []
        desk = Desk.of(arranger)
        for shuffle in range(shuffles):
            progress(f"predicting in people by {method}", shuffle, shuffles)
            arranger.arrange(plan.seed, shuffle, desk)
            risks.append(_risk(arranger, desk))
        found.append(_prediction(method, risks, known.risk))
    return tuple(found)


def _risk(arranger: Arranger, desk: Desk) -> float:
    last = len(arranger.avfm.columns) - 1
    user = desk.columns[list(arranger.order).index(last)]
    others = [column for index, column in zip(arranger.order, desk.columns, strict=True) if index != last]
    return people_risk(others, user)


def people_risk(columns: Sequence[Codes], user: Codes) -> float:
    """Mean over records of 1 / people with the same values.

    >>> people_risk([numpy.array([0, 0, 1, 1])], numpy.array([0, 0, 0, 1]))
    0.75
    """
    people = int(user.max()) + 1
    pairs = numpy.sort(_numbered(columns, MOST_KEYS // people) * people + user)
    new_pair = numpy.concatenate(([True], pairs[1:] != pairs[:-1]))
    rows = pairs[new_pair] // people
    new_row = numpy.concatenate(([True], rows[1:] != rows[:-1]))
    first_record = numpy.flatnonzero(new_pair)[new_row]
    records = numpy.diff(numpy.append(first_record, len(user)))
    people_of_row = numpy.diff(numpy.append(numpy.flatnonzero(new_row), len(rows)))
    return float((records / people_of_row).sum()) / len(user)


def _numbered(columns: Sequence[Codes], most: int) -> NDArray[numpy.int64]:
    """One whole number below `most` for each different row; ranks instead, where they would get too large."""
    rows, values = numpy.zeros(len(columns[0]), dtype=numpy.int64), 1
    for column in columns:
        size = int(column.max()) + 1
        if values * size > most:
            rows = numpy.unique(rows, return_inverse=True)[1].astype(numpy.int64)
            values = int(rows.max()) + 1
        rows, values = rows * size + column, values * size
    return rows


def _prediction(method: PeopleMethod, risks: Sequence[float], truth: float) -> PeoplePrediction:
    mean, deviation = math.fsum(risks) / len(risks), float(numpy.std(risks, ddof=1))
    half = NORMAL_95 * deviation / math.sqrt(len(risks))
    low, high = max(0.0, mean - half), min(1.0, mean + half)
    return PeoplePrediction(method, mean, low, high, deviation, len(risks), mean - truth)

"""A column from as it is to left out: the rungs in between, each a step of a recipe, and what each loses."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.errors import SingleoutError, UsageError
from singleout.investigation.coarser_values import FINEST_FIRST, are_dates, coarsenings
from singleout.recipe.diary import hierarchy_entry
from singleout.recipe.placed_step import read_placed_step
from singleout.recipe.record_table import RecordTable, is_text
from singleout.recipe.steps.distinct_values import DistinctValues, comparable_texts, distinct_values_of
from singleout.roles.hierarchies.hierarchy import Hierarchy

Codes = NDArray[numpy.int64]
StepContent = Mapping[str, Any]
# beyond, a column is looked at by so many of its values; whether all fit is seen when they are changed
MOST_EXAMPLES, FEW_EXAMPLES = 100_000, 100
LEFT_OUT = "{} left out"


@dataclass(frozen=True)
class Rung:
    """`loss` is the detail that is gone, from 0 to 1; without a `step` a column is as it is, or left out.

    `labels` are what the step makes of each different value, −1 for a missing one.
    """

    words: str
    loss: float
    step: StepContent | None = None
    left_out: bool = False
    labels: Codes | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Ladder:
    """Each rung is coarser than the one before: what is alike on one is alike on all that follow.

    A column `of_time` has dates or times of day; one that is `fixed` is to stay as it is.
    """

    column: str
    rungs: tuple[Rung, ...]

    of_time: bool = False
    fixed: bool = False

    @property
    def top(self) -> int:
        return len(self.rungs) - 1


def ladder_of(
    name: str, column: pyarrow.Array, hierarchy: Hierarchy | None, *, fixed: bool, coarser: bool = True
) -> Ladder:
    """By its hierarchy, or else by the coarser ways to write it that fit all its values.

    >>> days = pyarrow.array(["2024-01-30", "2024-01-31", "2024-02-01", "2025-02-01"])
    >>> [each.words for each in ladder_of("day", days, None, fixed=False).rungs]
    ['day as it is', 'day to the month', 'day to the year', 'day left out']
    """
    rungs = [Rung(f"{name} as it is", 0.0)]
    if not fixed and coarser:
        rungs += _coarser_rungs(name, distinct_values_of(name, column), is_text(column.type), hierarchy)
    if not fixed:
        rungs.append(Rung(LEFT_OUT.format(name), 1.0, left_out=True))
    return Ladder(name, tuple(rungs), _is_of_time(name, distinct_values_of(name, column)), fixed)


def _is_of_time(name: str, different: DistinctValues) -> bool:
    examples = [each for each in different.texts[:FEW_EXAMPLES].to_pylist() if each]
    ways = coarsenings(name, examples, text=True, dates=are_dates(examples))
    return any(each.granularity in FINEST_FIRST for each in ways)


def _coarser_rungs(
    name: str, different: DistinctValues, text: bool, hierarchy: Hierarchy | None
) -> Iterator[Rung]:
    """Those that join values, but not all of them; what one has joined the next does not part."""
    before, often = numpy.arange(len(different.values)), different.occurrences()
    ways = _given_ways(hierarchy) if hierarchy else _measured_ways(name, different, text)
    for words, step in ways:
        labels = _labels(name, different.values, step)
        if labels is None or not _is_nested(before, labels):
            continue
        joined = int(labels.max(initial=0)) + 1
        if 1 < joined < len(numpy.unique(before)):
            before = labels
            yield Rung(words, _detail_lost(labels, often), step, labels=labels)


def _given_ways(hierarchy: Hierarchy) -> Iterator[tuple[str, StepContent]]:
    entry = hierarchy_entry(hierarchy, listed_values=True)
    if entry is None:
        raise UsageError(
            f"the hierarchy of {hierarchy.column!r} can't be told in a recipe; give it as a file"
        )
    told = {"hierarchy": entry["file"]} if "file" in entry else entry
    for level in range(1, len(hierarchy.rules)):
        words = f"{hierarchy.column} at level {level} of its hierarchy"
        yield words, {"step": "generalise", "columns": [hierarchy.column], "level": level, **told}


def _measured_ways(name: str, different: DistinctValues, text: bool) -> Iterator[tuple[str, StepContent]]:
    examples = [each for each in different.texts[:MOST_EXAMPLES].to_pylist() if each is not None]
    for way in coarsenings(name, examples, text=text, dates=are_dates(examples)):
        (step,) = tomllib.loads(way.recipe)["step"]
        shortest = min(map(len, examples), default=0)
        if way.keep is None or text is False or shortest > way.keep:
            yield way.words, step


def _labels(name: str, values: pyarrow.Array, step: StepContent) -> Codes | None:
    """What the step makes of each different value, as codes; None where it does not fit them."""
    placed, _, faults = read_placed_step(step)
    if placed is None or faults:
        return None
    records = RecordTable(pyarrow.table({name: values}), numpy.arange(len(values)), len(values))
    try:
        changed = placed.step.apply(records, numpy.random.default_rng(0)).records.column(name)
    except SingleoutError:
        return None
    return distinct_values_of(name, comparable_texts(changed)).codes


def _is_nested(finer: Codes, coarser: Codes) -> bool:
    """Whether values that are alike already stay so."""
    pairs = numpy.unique(numpy.stack([finer, coarser]), axis=1)
    return int(pairs.shape[1]) == len(numpy.unique(finer))


def _detail_lost(labels: Codes, often: Codes) -> float:
    """Mean over records of (values under the label − 1) / (values − 1): 0 as it is, 1 where all are alike."""
    under = numpy.bincount(labels)[labels] - 1
    return float((under * often).sum() / (often.sum() * max(len(labels) - 1, 1)))

"""Generalises each record as little as its look-alikes allow (local recoding), and makes the release."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import Any, Unpack

import numpy
from numpy.typing import NDArray

from singleout.deidentify.generalise.chosen_levels import goal_error
from singleout.deidentify.generalise.generalise import (
    check_reference,
    goals_of,
    hidden_in_reference,
    names_of,
)
from singleout.deidentify.generalise.goals import Closeness, Goals
from singleout.deidentify.generalise.judged_classes import (
    JudgedClasses,
    is_hidden,
    judge_classes,
    judge_vector,
)
from singleout.deidentify.generalise.local_result import LocalColumn, LocalGeneralisation, RecodingRound
from singleout.deidentify.generalise.prepared_data import PreparedData, files_read, prepared_data
from singleout.deidentify.generalise.reference_records import ReferenceRows
from singleout.deidentify.generalise.release import GeneralisedRelease
from singleout.deidentify.generalise.result import DiaryEntry
from singleout.deidentify.generalise.returned_release import returns_release
from singleout.deidentify.generalise.search_space import Space
from singleout.deidentify.generalise.walk_types import DIGITS
from singleout.deidentify.local_levels import (
    ColumnLevels,
    Judge,
    RecodedRows,
    Recoding,
    lower_bound,
    recode,
)
from singleout.deidentify.release_table import Order
from singleout.engine.codes.dictionary import Codes
from singleout.engine.job_options import JobOptions, count_options, takes_options
from singleout.engine.missing_values import Missing
from singleout.engine.open_engine import thread_count
from singleout.engine.session import open_session
from singleout.errors import GoalError, UsageError
from singleout.files import files_together, write_text
from singleout.progress import teller
from singleout.read.source import source
from singleout.recipe.diary import hierarchy_entry
from singleout.recipe.level_assignment import LevelAssignment
from singleout.roles.hierarchies.hierarchy import Levels
from singleout.roles.hierarchies.level_rules import SUPPRESSED
from singleout.utility.information_loss import BY_CLASSES, Loss, LossName, combined_loss, weights_of

HOW = "local recoding: each record at the levels of its class"
ORDER_REMARK = (
    "different records have different levels: who counts a value must count all the coarser ones that hold "
    "it too"
)
OWN_VALUES = (
    "in a class those people of the reference count who have the very values of a record in it: what becomes "
    "of a record depends on its values, so that whoever knows how the release was made rules the others out"
)
Numbers = NDArray[numpy.int64]
# what sums of costs may be off by: a bound errs downward
SLACK = 1e-9


@takes_options(JobOptions)
@returns_release
def generalise_locally(
    data: Any,
    *,
    hierarchies: Any,
    k: int | None = None,
    suppress: float = 0.0,
    average_risk: float | None = None,
    diverse: int | None = None,
    close: float | None = None,
    closeness: Closeness = "equal",
    entropy_l: float | None = None,
    recursive_c: float | None = None,
    recursive_l: int = 2,
    beta_basic: float | None = None,
    beta_enhanced: float | None = None,
    delta: float | None = None,
    delta_of_present: float | None = None,
    alpha: float | None = None,
    k_map: int | None = None,
    presence: tuple[float, float] | None = None,
    reference: Any = None,
    reference_user: str | None = None,
    sensitive: Sequence[str] | None = None,
    loss: LossName = "loss",
    weights: Mapping[str, float] | None = None,
    levels: Mapping[str, int] | None = None,
    out: str | PathLike[str] | None = None,
    keep: Sequence[str] = (),
    order: Order = "sorted",
    diary: str | PathLike[str] | None = None,
    user: str | None = None,
    columns: Sequence[str] | None = None,
    **options: Unpack[JobOptions],
) -> LocalGeneralisation:
    """How fine may each record stay so that it is not alone, different records at different levels?

    All names mean what they mean in `generalise`. The cheapest class of enough records is released first,
    then the next among those left; records that are left over join the class where that loses least, and
    are suppressed only if their hierarchies never meet. Classes are counted on the released values. Of a
    `reference` only people with the very values of a record are counted in its class: whoever knows how the
    release was made tells the others from it, for what becomes of a record depends on its values.

    >>> import pyarrow
    >>> table = pyarrow.table({"age": ["17", "18", "34", "34"]})
    >>> rule = [{"type": "raw"}, {"type": "interval", "width": 10}, {"type": "suppress"}]
    >>> found = generalise_locally(table, hierarchies={"age": rule}, k=2)
    >>> [(each.levels, each.records) for each in found.rounds]
    [({'age': 0}, 2), ({'age': 1}, 2)]
    """
    goals = goals_of(
        k, suppress=suppress, closeness=closeness, recursive_l=recursive_l, average_risk=average_risk,
        diverse=diverse, close=close, entropy_l=entropy_l, recursive_c=recursive_c, beta_basic=beta_basic,
        beta_enhanced=beta_enhanced, delta=delta, delta_of_present=delta_of_present, alpha=alpha,
        k_map=k_map, presence=presence,
    )  # fmt: skip
    check_reference(goals, reference, reference_user, options["missing"])
    loss_by = Loss(loss, weights)
    if loss_by.name in BY_CLASSES:
        raise UsageError(f"loss: {loss} is of classes; local recoding needs one of attributes, as loss is")
    seed, progress, origin = options["seed"], teller(options["progress"]), source(data, csv=options["csv"])
    release = GeneralisedRelease(origin, out, names_of("keep", keep), order, False, diary, seed)
    threads = thread_count(options["threads"])
    progress("reading records and hierarchies", 0, 1)
    with open_session(origin, **count_options(options, user, columns) | {"csv": None}) as (counter, plan, _):
        prepared = prepared_data(
            counter, plan, hierarchies, columns, sensitive, goals, release.columns_to_write, origin
        )
        prepared = prepared.with_reference(reference, reference_user)
    release.check_against(files_read(hierarchies, options["study"], prepared.names))
    loss_by.check(prepared.space.columns)
    fixed = prepared.fixed_levels(levels)
    started = time.perf_counter()
    rows = RecodedRows.of(prepared.space.codes, column_levels(prepared.space, loss_by, fixed), threads)
    everybody = reference_rows(prepared)
    judge = judge_of(prepared.space, goals, threads, everybody)
    # the judge looks at those of the table, too
    people = None if everybody is None else everybody.people_of(rows.row, len(rows.raw))
    least = least_size(goals) if people is None else goals.k_map or 1
    recoding = recode(rows, least, judge, progress, threads, people)
    spent = time.perf_counter() - started
    plain = plain_columns(prepared.space)
    bound = lower_bound(rows, goals.k, plain)
    if people is not None:
        bound = max(bound, lower_bound(rows, least, plain, people))
    answer = LocalAnswer(prepared, goals, loss_by, recoding, bound, threads, spent, everybody)
    if not answer.classes.reaches(goals):
        coarsest = tuple(fixed.get(index, top) for index, top in enumerate(prepared.space.heights))
        raise too_few(answer) if everybody else goal_error(prepared.space, goals, coarsest, threads)
    with files_together([out, diary]):
        return answer.write(release, counter.name, plan.missing, seed)


def column_levels(space: Space, loss: Loss, fixed: Mapping[int, int]) -> list[ColumnLevels]:
    """What a record of each value loses at each level, beyond the finest, as a share of its column."""
    costs, columns = space.costs(loss), []
    weights = weights_of(loss, space.columns, costs)
    for index, (levels, each) in enumerate(zip(space.levels, costs, strict=True)):
        unit = float(weights[index]) / each.span if each.span else 0.0
        columns.append(
            ColumnLevels(
                tuple(levels.codes(level) for level in range(levels.height + 1)),
                tuple(((paid - each.at[0]) * unit).astype(numpy.float64) for paid in each.at),
                fixed.get(index),
            )
        )
    return columns


def plain_columns(space: Space) -> list[int]:
    """Columns in which a label always stands for the same values, so that no two levels can be mixed up.

    Others are no part of the bound: a record as it is may look like those at another level.
    """
    plain = []
    for index, levels in enumerate(space.levels):
        held: dict[str | None, set[frozenset[int]]] = {}
        for labels in levels.labels:
            by_label: dict[str | None, set[int]] = {}
            for value, label in enumerate(labels):
                by_label.setdefault(label, set()).add(value)
            for label, values in by_label.items():
                held.setdefault(label, set()).add(frozenset(values))
        if all(len(sets) == 1 for sets in held.values()):
            plain.append(index)
    return plain


def least_size(goals: Goals) -> int:
    """Records that a class needs: if each has so many, their average risk is low enough too."""
    if goals.average_risk is None:
        return goals.k
    if not goals.average_risk:
        raise GoalError("no release has an average risk of 0; allow more")
    return max(goals.k, math.ceil(1 / goals.average_risk - 1e-9))


def reference_rows(data: PreparedData) -> ReferenceRows | None:
    """The people of a reference, if there is one, by the values of the records."""
    if data.space.reference is None:
        return None
    return ReferenceRows.of(data.space.reference, data.space.codes, [len(each) for each in data.values])


def too_few(answer: LocalAnswer) -> GoalError:
    """The error where classes that are hidden well enough are not to be had."""
    gone, records = answer.classes.suppressed, answer.data.space.records
    return GoalError(
        f"no classes were found that reach this: {gone:,} of {records:,} records would have to be "
        "suppressed; in a class those people of the reference count who have the values of a record in it; "
        "ask for less, or allow suppression"
    )


def judge_of(
    space: Space, goals: Goals, threads: int, everybody: ReferenceRows | None = None
) -> Judge | None:
    """Who looks at people and sensitive values of classes; nobody has to where k of records is all."""
    if space.persons is None and everybody is None and not goals.of_sensitive:
        return None
    persons, sizes = space.persons, replace(goals, k=least_size(goals))

    def judge(numbers: Numbers) -> NDArray[numpy.bool_]:
        asked = numpy.flatnonzero(numbers >= 0)
        known, codes = numpy.unique(numbers[asked], return_inverse=True)
        classes = Codes(codes.reshape(-1).astype(numpy.uint32), len(known))
        own = None if persons is None else Codes(persons.codes[asked], persons.count)
        guarded = [each.of_records(asked) for each in space.guarded]
        passes = numpy.ones(int(numbers.max(initial=-1)) + 1, dtype=numpy.bool_)
        judged = judge_classes(classes, own, guarded, sizes, threads)
        passes[known] = judged.kept
        if everybody is not None:
            there = everybody.people_of(numbers, len(passes))[known]
            passes[known] &= is_hidden(judged.people, there, goals)
        return passes

    return judge


@dataclass(frozen=True, eq=False)
class LocalAnswer:
    """What was found, put into one result; classes are those of the released values."""

    data: PreparedData
    goals: Goals
    loss: Loss
    recoding: Recoding
    cost_bound: float
    threads: int
    seconds: float
    everybody: ReferenceRows | None = None

    @property
    def left_out(self) -> NDArray[numpy.bool_]:
        left: NDArray[numpy.bool_] = self.recoding.levels[:, 0] < 0
        return left

    @cached_property
    def released(self) -> PreparedData:
        return released_data(self.data, self.recoding.levels)

    @cached_property
    def classes(self) -> JudgedClasses:
        """Of the released values, whatever the levels that they come from."""
        space = self.released.space
        judged = judge_vector(space, (0,) * len(space.columns), self.goals, self.threads)
        if self.everybody is not None:
            numbers = judged.classes.codes.astype(numpy.int64)
            there = self.everybody.people_of(numbers, judged.classes.count)
            kept = judged.kept & is_hidden(judged.people, there, self.goals)
            judged = replace(judged, reference=there, kept=kept)
        left = numpy.zeros(judged.classes.count, dtype=numpy.bool_)
        left[judged.classes.codes[self.left_out]] = True
        return replace(judged, kept=judged.kept & ~left)

    def write(
        self, release: GeneralisedRelease, engine: str, missing: Missing, seed: int
    ) -> LocalGeneralisation:
        space, classes = self.data.space, self.classes
        columns = tuple(self._columns())
        made = release.make(self.released, (0,) * len(space.columns), classes, self.goals, self.threads)
        made = replace(made, steps=tuple(map(self._step, made.steps)))
        shown = made.classes or classes
        kept = shown.kept
        result = LocalGeneralisation(
            source=self.data.source, engine=engine, user=self.data.user, missing=missing, seed=seed,
            records=space.records, people=self.data.people, goals=self.goals, loss_by=self.loss,
            attributes=columns, rounds=tuple(self._rounds()),
            loss=self._combined([each.loss for each in columns]), bound=self._bound(),
            k=int(shown.people[kept].min()), classes=int(kept.sum()), average_risk=shown.average_risk,
            suppressed=classes.suppressed, released_people=self.data.released_people(classes),
            diversity={
                name: int(each[kept].min())
                for name, each in zip(self.data.sensitive, shown.diversities, strict=False)
            },
            closeness={
                name: float(each[kept].max())
                for name, each in zip(self.data.sensitive, shown.distances, strict=False)
            },
            lattice=self.recoding.lattice, tried=self.recoding.vectors, diary=made.steps, out=release.target,
            written=made.written, seconds=self.seconds, reference=hidden_in_reference(classes),
            remarks=(*self.data.remarks, *made.remarks, *self._remarks()),
        )  # fmt: skip
        self._write_diary(release.diary, result)
        return result

    def _remarks(self) -> list[str]:
        few = f"of {self.recoding.lattice:,} generalisations {self.recoding.vectors:,} were tried"
        own = [OWN_VALUES] if self.everybody else []
        return [ORDER_REMARK, *own, *([few] if self.recoding.vectors < self.recoding.lattice else [])]

    @cached_property
    def _paid(self) -> list[Numbers]:
        """What each record costs in each column, in whole units."""
        kept, paid = self.classes.kept_records, []
        for index, costs in enumerate(self.data.space.costs(self.loss)):
            levels = numpy.maximum(self.recoding.levels[:, index], 0)
            at = numpy.stack(costs.at)[levels, self.data.space.codes[index]]
            paid.append(numpy.where(kept, at, costs.full))
        return paid

    def _columns(self) -> Iterator[LocalColumn]:
        space, kept = self.data.space, self.classes.kept_records
        parts = self._losses(numpy.ones(space.records, dtype=numpy.bool_))
        for index, levels in enumerate(space.levels):
            by_level = numpy.bincount(self.recoding.levels[kept, index], minlength=levels.height + 1)
            values = len(numpy.unique(self.released.space.codes[index][kept]))
            before = len(numpy.unique(space.codes[index]))
            yield LocalColumn(levels.column, tuple(map(int, by_level)), before, values, parts[index])

    def _losses(self, some: NDArray[numpy.bool_]) -> list[float]:
        """What each column loses in some of the records, from 0 to 1."""
        share, parts = int(some.sum()) / len(some), []
        for paid, costs, codes in zip(
            self._paid, self.data.space.costs(self.loss), self.data.space.codes, strict=True
        ):
            lost = int(paid[some].sum()) - (costs.low if share == 1 else int(costs.at[0][codes[some]].sum()))
            parts.append(max(0.0, lost / (costs.span * share)) if costs.span and share else 0.0)
        return parts

    def _combined(self, parts: Sequence[float]) -> float:
        weights = weights_of(self.loss, self.data.space.columns, self.data.space.costs(self.loss)).tolist()
        return round(combined_loss(self.loss, weights, parts), DIGITS)

    def _bound(self) -> float:
        """From the sum of all columns' losses: their product is never less than the sum and 1."""
        loss, space = self.loss, self.data.space
        costs = space.costs(loss)
        weights = weights_of(loss, space.columns, costs)
        already = sum(
            float(weight) * (int(each.at[0][codes].sum()) - each.low) / each.span
            for weight, each, codes in zip(weights, costs, space.codes, strict=True)
            if each.span
        )
        least = max(0.0, self.cost_bound + already) * (1 - SLACK)
        return least if loss.name != "loss" else float((1 + least) ** (1 / len(costs)) - 1)

    def _rounds(self) -> Iterator[RecodingRound]:
        """Records by their levels, the least lossy first."""
        kept = numpy.flatnonzero(self.classes.kept_records)
        vectors, number = numpy.unique(self.recoding.levels[kept], axis=0, return_inverse=True)
        records = numpy.bincount(number.reshape(-1), minlength=len(vectors))
        parts = []
        for paid, costs, codes in zip(
            self._paid, self.data.space.costs(self.loss), self.data.space.codes, strict=True
        ):
            above = numpy.bincount(number.reshape(-1), (paid - costs.at[0][codes])[kept], len(vectors))
            parts.append(above * len(codes) / (costs.span or 1) / records)
        losses = [self._combined([float(part[index]) for part in parts]) for index in range(len(vectors))]
        for index in sorted(range(len(vectors)), key=lambda each: (losses[each], tuple(vectors[each]))):
            levels = dict(zip(self.data.space.columns, map(int, vectors[index]), strict=True))
            yield RecodingRound(levels, int(records[index]), losses[index])

    def _step(self, entry: DiaryEntry) -> DiaryEntry:
        if entry.step != "generalise":
            return entry
        index = self.data.space.columns.index(entry.columns[0])
        changed = int((self.recoding.levels[self.classes.kept_records, index] > 0).sum())
        return replace(entry, changed=changed, how=HOW)

    def _write_diary(self, diary: str | PathLike[str] | None, result: LocalGeneralisation) -> None:
        """All that the intruder has to know to repeat it on the original: it holds no value of the data."""
        if diary is None:
            return
        data = self.data
        entries = {each.column: hierarchy_entry(each) for each in data.hierarchies}
        counted = dict.fromkeys([*data.space.columns, *(data.sensitive if self.goals.of_sensitive else ())])
        levels = numpy.where(self.classes.kept_records[:, None], self.recoding.levels, -1)
        codes = [each.astype(numpy.int64) for each in data.space.codes]
        told = result.to_dict() | {
            "counted": list(counted),
            "released_columns": list(data.release_columns),
            "recoded": LevelAssignment.of(entries, data.values, codes, levels).to_dict(),
        }
        write_text(diary, json.dumps(told, ensure_ascii=False, indent=2) + "\n", private=True)


def released_data(data: PreparedData, levels: Numbers) -> PreparedData:
    """The data with the released texts as its values, each at the one level that it has."""
    columns, codes = [], []
    for index, laid in enumerate(data.space.levels):
        texts: dict[str | None, int] = {}
        flat = [texts.setdefault(label, len(texts)) for level in laid.labels for label in level]
        by_level = numpy.array(flat, dtype=numpy.uint32).reshape(len(laid.labels), -1)
        at = by_level[numpy.maximum(levels[:, index], 0), data.space.codes[index]]
        # those left out are no class of the others, though these be suppressed in every column
        codes.append(numpy.where(levels[:, index] < 0, len(texts), at).astype(numpy.uint32))
        labels = (*texts, SUPPRESSED)
        columns.append(Levels(laid.column, (HOW,), (labels,), ((1,) * len(labels),), len(labels)))
    space = replace(data.space, levels=tuple(columns), codes=tuple(codes), reference=None)
    return replace(data, space=space, values=tuple((None,) * len(each.labels[0]) for each in columns))

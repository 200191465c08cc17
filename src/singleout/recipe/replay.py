"""The original taken through a recipe by an intruder who knows all of it but the draws and the keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy
import pyarrow
import pyarrow.compute
from numpy.typing import NDArray

from singleout.errors import SingleoutError, UsageError
from singleout.recipe.placed_step import PlacedStep
from singleout.recipe.recipe import Recipe
from singleout.recipe.record_table import Mask, RecordTable
from singleout.recipe.steps.distinct_values import ComparableColumn
from singleout.recipe.steps.generalise import Generalise
from singleout.recipe.steps.pseudonymise import Pseudonymise
from singleout.recipe.steps.step import Step
from singleout.recipe.trace import Added, Blanked, Replayed, Thinned, Trace

Indices = NDArray[numpy.int64]
STAR = "*"


@dataclass(frozen=True, eq=False)
class Replay:
    """What the intruder knows of the release before he looks at it.

    `records` are those of the original after every step that can be replayed, with the columns of the
    release; `kept` has the index that each had. `traces` are, for each of these columns, the random steps
    that stand between it and what is released, in their order; none if it is released exactly so, unless it
    is `approximate`: then a replayed step came after something unknown that it depends on. `left_out` are
    columns that the release lacks; if it is `thinned`, it may lack records too, which ones is not known; if
    it is `selected`, people may be left out by a rule that could not be replayed, and not by chance alone.
    `left` is how many people or records it has, where one draw alone decides that, and None where not.
    """

    records: RecordTable
    kept: Indices
    traces: Mapping[str, tuple[Trace, ...]]
    left_out: tuple[str, ...]
    thinned: bool
    approximate: frozenset[str]
    selected: bool = False
    left: tuple[str, int] | None = None

    @property
    def exact(self) -> tuple[str, ...]:
        """Columns whose released values are those replayed."""
        return tuple(
            name for name, traces in self.traces.items() if not traces and name not in self.approximate
        )


def replay(recipe: Recipe, records: RecordTable) -> Replay:
    """Run all steps on the original that need neither draws nor keys, and remember the others.

    `records` are the whole original, for means, ranks and rare values depend on all of it. Columns that it
    lacks are passed over, unless others, or the choice of records, depend on them. Where records or cells are
    left out by something unknown, all of them stay. One thing is not told: in a release that lacks records,
    a generalised missing value may join the others where these are all alike by chance.

    >>> from singleout.recipe.recipe import recipe_of
    >>> shop = pyarrow.table({"price": ["11", "19"], "town": ["Ueno", "Kobe"]})
    >>> tens = {"step": "round", "columns": ["price"], "to": 10}
    >>> noise = {"step": "noise", "columns": ["town"], "chance": 0.1}
    >>> found = replay(recipe_of({"step": [tens, noise]}), RecordTable(shop, numpy.arange(2), 2))
    >>> found.records.column("price").to_pylist(), found.exact, found.traces["town"]
    (['10', '20'], ('price',), (Redrawn(keep=0.9, by='uniform', another=False, per='record'),))
    """
    index = numpy.arange(len(records))
    state = _State(_IndexedRecords(records.table, records.person, records.people, records.user, index))
    for number, placed in enumerate(recipe.steps, 1):
        try:
            state = state.after(placed)
        except SingleoutError as error:
            raise type(error)(f"{recipe.path}: step {number} ({placed.step.step}): {error}") from error
    return (
        state.recode(recipe)
        .suppress_classes(recipe)
        .with_dummies(recipe)
        .released(recipe.columns, records.names)
    )


def contradictions(replayed: ComparableColumn, released: ComparableColumn) -> int:
    """How many released values no replayed one is: of an exact column there are none.

    Missing values and `*` are passed over; numbers are the same however they are written.

    >>> known, told = pyarrow.array(["10", "20.0"]), pyarrow.array(["20", "*", None, "25", "25"])
    >>> contradictions(ComparableColumn.of(known), ComparableColumn.of(told))
    2
    """
    known = pyarrow.compute.is_in(released.texts, replayed.texts)
    odd = pyarrow.compute.and_not(pyarrow.compute.not_equal(released.texts, STAR), known)
    return int(released.occurrences()[odd.to_numpy(zero_copy_only=False)].sum())


@dataclass(frozen=True, eq=False)
class _IndexedRecords(RecordTable):
    """Records that keep the index they had in the original."""

    index: Indices = field(default_factory=lambda: numpy.zeros(0, dtype=numpy.int64))

    def only(self, kept: Mask) -> RecordTable:
        return replace(super().only(kept), index=self.index[kept])  # type: ignore[call-arg]


@dataclass(frozen=True, eq=False)
class _State:
    """Where the replay is: what is known of the records, and what is not."""

    records: RecordTable
    traces: Mapping[str, tuple[Trace, ...]] = field(default_factory=dict)
    approximate: frozenset[str] = frozenset()
    lacks_people: bool = False
    lacks_records: bool = False
    selected: bool = False
    left: tuple[str, int] | None = None

    def after(self, placed: PlacedStep) -> _State:
        """After one more step, replayed or remembered."""
        step, trace = placed.step, placed.step.trace
        if placed.table == "people":
            return self._after_people(step, trace)
        if isinstance(trace, Thinned):
            return self._drawn(trace)
        if not isinstance(trace, Replayed):
            return self._remember(trace, step.columns or self._user)
        if trace.what == "columns":
            return self._without(step)
        return self._choose_records(step, trace) if trace.what == "records" else self._change(step, trace)

    def _after_people(self, step: Step, trace: Trace) -> _State:
        """A step on the person table: people it renames or leaves out are so in the history too."""
        if isinstance(step, Pseudonymise) and (not step.columns or set(self._user) & set(step.columns)):
            return self._remember(trace, self._user)
        if isinstance(trace, Thinned):
            return self._thinned("people")
        by_rule = isinstance(trace, Replayed) and trace.what == "records"
        return replace(self._thinned("people"), selected=True) if by_rule else self

    @property
    def _user(self) -> tuple[str, ...]:
        return () if self.records.user is None else (self.records.user,)

    def _thinned(self, what: str) -> _State:
        if what == "people":
            return replace(self, lacks_people=True, left=None)
        return replace(self, lacks_records=True, left=None)

    def _drawn(self, trace: Thinned) -> _State:
        """Left out by chance: who that is, nobody knows, but how many are left."""
        number = trace.number_left(self.records.records_of_each())
        before = self.lacks_people or self.lacks_records
        return replace(self._thinned(trace.what), left=None if before else (trace.what, number))

    def _remember(self, trace: Trace, columns: Iterable[str]) -> _State:
        more = {name: (*self.traces.get(name, ()), trace) for name in columns if name in self.records.names}
        return replace(self, traces={**self.traces, **more})

    def _without(self, step: Step) -> _State:
        present = self._present(step)
        return replace(self, records=self.records.without(present)) if present else self

    def _choose_records(self, step: Step, trace: Replayed) -> _State:
        """Records left out by a rule; by what is not known exactly, any may be."""
        self._need(step.columns)
        # the latest of a person are told apart by all columns, where those named are alike
        columns = self.records.names if trace.joint and trace.reach == "person" else step.columns
        if self._is_unsure(trace) or any(map(self._is_inexact, columns)):
            return replace(self._thinned("records"), selected=True)
        return replace(self, records=_result(step, self.records), left=None)

    def _change(self, step: Step, trace: Replayed) -> _State:
        """Values changed by a rule: each column by itself, or all together."""
        if trace.joint:
            self._need(step.columns)
            unsure = self._is_unsure(trace) or any(map(self._is_inexact, step.columns))
            return self._changed(step, step.columns, unsure)
        state = self
        for name in self._present(step):
            unsure = self._is_unsure(trace) or self._is_inexact(name)
            if unsure and trace.what == "cells":
                state = state._remember(Blanked(trace.mark), (name,))
            else:
                state = state._changed(replace(_any(step), columns=(name,)), (name,), unsure)
        return state

    def _changed(self, step: Step, columns: tuple[str, ...], unsure: bool) -> _State:
        if not unsure:
            return replace(self, records=_result(step, self.records))
        approximate = self.approximate | set(columns)
        try:
            return replace(self, records=_result(step, self.records), approximate=approximate)
        except SingleoutError:
            # the step met other values than these: a hierarchy of new names, a limit after noise
            return replace(self, approximate=approximate)

    def _is_unsure(self, trace: Replayed) -> bool:
        """Whether the step depends on records of which some may be lacking."""
        people = self.lacks_people and trace.reach == "table"
        return people or (self.lacks_records and trace.reach != "record")

    def _is_inexact(self, name: str) -> bool:
        return name not in self._user and (bool(self.traces.get(name)) or name in self.approximate)

    def _present(self, step: Step) -> tuple[str, ...]:
        return tuple(name for name in step.columns if name in self.records.names)

    def _need(self, columns: Iterable[str]) -> None:
        lacking = [name for name in columns if name not in self.records.names]
        if lacking:
            raise UsageError(
                f"the original lacks {', '.join(map(repr, lacking))}, on which other values or the choice of "
                "records depend; give it with this column"
            )

    def recode(self, recipe: Recipe) -> _State:
        """Each record at the levels that local recoding gave it, which needs no draw."""
        if recipe.recoded is None:
            return self
        self._need(recipe.recoded.columns)
        try:
            return replace(self, records=recipe.recoded.replay(self.records))
        except SingleoutError as error:
            raise type(error)(f"{recipe.path}: {error}") from error

    def suppress_classes(self, recipe: Recipe) -> _State:
        """Records of classes that failed a goal: left out, or `*` in every generalised column."""
        if recipe.suppressed == "records":
            return replace(self._thinned("records"), selected=True)
        if recipe.suppressed is None:
            return self
        generalised = [placed.step.columns for placed in recipe.steps if isinstance(placed.step, Generalise)]
        return self._remember(Blanked(STAR), (name for names in generalised for name in names))

    def with_dummies(self, recipe: Recipe) -> _State:
        """Dummy records have values of others in any column."""
        if recipe.dummies is None:
            return self
        return replace(self._remember(Added(recipe.dummies), self.records.names), left=None)

    def released(self, columns: tuple[str, ...] | None, given: tuple[str, ...]) -> Replay:
        records = self.records
        if columns is not None:
            records = records.without(tuple(name for name in records.names if name not in columns))
        assert isinstance(records, _IndexedRecords)
        names = records.names
        return Replay(
            records=RecordTable(records.table, records.person, records.people, records.user),
            kept=records.index,
            traces={name: self.traces.get(name, ()) for name in names},
            left_out=tuple(name for name in given if name not in names),
            thinned=self.lacks_people or self.lacks_records,
            approximate=self.approximate & set(names),
            selected=self.selected,
            left=self.left,
        )


def _result(step: Step, records: RecordTable) -> RecordTable:
    # nothing is drawn from it: the common checks of steps see to that
    return step.apply(records, numpy.random.default_rng(0)).records


def _any(step: Step) -> Any:
    return step

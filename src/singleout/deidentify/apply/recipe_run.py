"""A history and the person table beside it, taken through steps so that both go on naming the same people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy
import pyarrow
import pyarrow.compute

from singleout.deidentify.apply.result import AppliedStep
from singleout.deidentify.column_contents import texts_of
from singleout.deidentify.input_tables import Subject
from singleout.engine.codes.number_texts import number_texts
from singleout.errors import InputError, SingleoutError, UsageError
from singleout.recipe.level_assignment import LevelAssignment
from singleout.recipe.placed_step import PlacedStep
from singleout.recipe.recipe import Recipe
from singleout.recipe.record_table import Mask, RecordTable
from singleout.recipe.steps.pseudonymise import Pseudonymise
from singleout.recipe.steps.step import Change, Step

RECODED = "each record at the levels of its class, those without a class left out"
Draws = Callable[[], numpy.random.Generator]


@dataclass(frozen=True, eq=False)
class RecipeRun:
    """Both tables as they are after some steps, what these did, and which columns they changed.

    It is `guessable` if a step has drawn by the seed 0, which anybody would try first.
    """

    subject: Subject
    seed: int
    release: Mapping[str, Any]
    history: RecordTable
    people: RecordTable | None
    applied_steps: tuple[AppliedStep, ...] = ()
    touched: frozenset[tuple[str, str]] = frozenset()
    remarks: tuple[str, ...] = ()
    guessable: bool = False

    @classmethod
    def of(cls, subject: Subject, seed: int, recipe: Recipe) -> RecipeRun:
        """Before the first step. Two releases that differ in steps or columns have no draws in common."""
        release = {"step": [placed.as_dict() for placed in recipe.steps], "columns": recipe.columns}
        return cls(subject, seed, release, subject.history, subject.people)

    def apply_step(self, placed: PlacedStep, index: int) -> RecipeRun:
        """One more step; people get the same new names in both tables."""
        draws = self._draws(placed, index)
        try:
            changed = self._rename_people(placed, draws) or self._change_table(
                placed.step, placed.table, draws
            )
        except SingleoutError as error:
            raise type(error)(f"step {index + 1} ({placed.step.step}): {error}") from error
        if not len(changed.history):
            raise InputError(
                f"{self.subject.source}: nothing is left after step {index + 1} ({placed.step.step}); "
                "change it so that some records stay"
            )
        return changed

    def recode(self, assignment: LevelAssignment) -> RecipeRun:
        """Each record at the levels that local recoding gave it; who is left out leaves both tables."""
        recoded = assignment.replay(self.history)
        history, people, also = _remove_gone_people((self.history, self.people), (recoded, self.people))
        gone = len(self.history) - len(history)
        done = AppliedStep("recode", "history", assignment.columns, gone, "records", f"{RECODED}{also}")
        touched = self.touched | {("history", name) for name in assignment.columns}
        steps = (*self.applied_steps, done)
        return replace(self, history=history, people=people, applied_steps=steps, touched=touched)

    def _draws(self, placed: PlacedStep, index: int) -> Draws:
        """What starts a step's random numbers: the same for both tables, another for every other step."""
        own = placed.step.seed is not None
        about = [placed.as_dict()] if own else [self.release, index]
        return lambda: self.subject.generator(self._seed(placed.step), *about)

    def _seed(self, step: Step) -> int:
        return self.seed if step.seed is None else step.seed

    def _rename_people(self, placed: PlacedStep, draws: Draws) -> RecipeRun | None:
        """Both tables with other names of people, None if the step does not change these."""
        step, user = placed.step, self.history.user
        if self.people is None or user is None or not isinstance(step, Pseudonymise):
            return None
        if step.columns and user not in step.columns:
            return None
        # the user column first: then the same names are drawn for both tables
        others = tuple(name for name in step.columns if name != user)
        everything, names_only = (replace(step, columns=(user, *more)) for more in (others, ()))
        if placed.table == "people":
            return self._change_table(names_only, "history", draws)._change_table(everything, "people", draws)
        return self._change_table(everything, "history", draws)._change_table(names_only, "people", draws)

    def names(self) -> pyarrow.Array | None:
        """The people's names by their numbers after all steps, None without a user column.

        Everybody has one name, the same in both tables, that nobody else has: anything else is an error.
        """
        history = _names_of(self.history)
        people = None if self.people is None else _names_of(self.people)
        if history is None or people is None or self.people is None:
            return history
        both = (self.history.records_of_each() > 0) & (self.people.records_of_each() > 0)
        chosen = pyarrow.array(numpy.flatnonzero(both))
        if not _same_mask(history.take(chosen), people.take(chosen)).all():
            raise UsageError(
                f"the names in {self.history.user!r} are not the same in both tables any more; change them "
                "by pseudonymise only"
            )
        return history

    def _change_table(self, step: Step, table: str, draws: Draws) -> RecipeRun:
        before = self.people if table == "people" else self.history
        assert before is not None
        generator = draws()
        start = generator.bit_generator.state
        change = step.apply(before, generator)
        left = (change.records, self.people) if table == "history" else (self.history, change.records)
        history, people, also = _remove_gone_people((self.history, self.people), left)
        done = AppliedStep(
            step.step, table, _columns_of_step(step, before), change.changed, change.unit, change.how + also
        )
        return replace(
            self,
            history=history,
            people=people,
            applied_steps=(*self.applied_steps, done),
            touched=self.touched | {(table, name) for name in _touched_columns(done, before, change)},
            remarks=(*self.remarks, *change.remarks),
            guessable=self.guessable or (not self._seed(step) and generator.bit_generator.state != start),
        )


def own_names(names: pyarrow.Array, before: pyarrow.Array) -> int:
    """People who are called as they were."""
    same = _same_mask(names, before) & names.is_valid().to_numpy(zero_copy_only=False)
    return int(numpy.count_nonzero(same))


def _names_of(records: RecordTable) -> pyarrow.Array | None:
    """The name of everybody who has records."""
    if records.user is None:
        return None
    texts = texts_of(records.column(records.user))
    first = numpy.full(records.people, -1)
    first[records.person[::-1]] = numpy.arange(len(records))[::-1]
    names = texts.take(pyarrow.array(first, mask=first < 0))
    present = names.take(pyarrow.array(numpy.flatnonzero(first >= 0)))
    one_each = _same_mask(texts, names.take(pyarrow.array(records.person))).all()
    if not one_each or len(present.unique()) < len(present):
        raise UsageError(
            f"the steps leave a person with several names in {records.user!r}, or a name with several "
            "people; change it by pseudonymise only, or leave the column out"
        )
    return names


def _same_mask(one: pyarrow.Array, other: pyarrow.Array) -> Mask:
    """Where two texts are the same, or the same number."""
    same = _equal_mask(one, other)
    rest = pyarrow.array(numpy.flatnonzero(~same))
    same[rest.to_numpy()] = _equal_mask(*(number_texts(each.take(rest)) for each in (one, other)))
    return same


def _equal_mask(one: pyarrow.Array, other: pyarrow.Array) -> Mask:
    both_missing = pyarrow.compute.and_(one.is_null(), other.is_null())
    equal = pyarrow.compute.equal(one, other).fill_null(False)
    mask: Mask = pyarrow.compute.or_(equal, both_missing).to_numpy(zero_copy_only=False).copy()
    return mask


def _remove_gone_people(
    before: tuple[RecordTable, RecordTable | None], after: tuple[RecordTable, RecordTable | None]
) -> tuple[RecordTable, RecordTable | None, str]:
    """Who lost the last record in one table leaves the other one too; and how many lines that took along."""
    if before[1] is None or after[1] is None:
        return after[0], after[1], ""
    gone = _gone_people(before[0], after[0]) | _gone_people(before[1], after[1])
    history, people = (each.only(~gone[each.person]) for each in (after[0], after[1]))
    also = [
        f"{lost:,} {what}"
        for lost, what in (
            (len(after[0]) - len(history), "records"),
            (len(after[1]) - len(people), "rows of the person table"),
        )
        if lost
    ]
    return history, people, f"; with people who are gone: {' and '.join(also)}" if also else ""


def _gone_people(before: RecordTable, after: RecordTable) -> Mask:
    """Who had records in a table and has none any more."""
    gone: Mask = (before.records_of_each() > 0) & (after.records_of_each() == 0)
    return gone


def _columns_of_step(step: Step, records: RecordTable) -> tuple[str, ...]:
    """The columns that a step is about; names of people are changed unless others are named."""
    if isinstance(step, Pseudonymise) and not step.columns and records.user:
        return (records.user,)
    return step.columns


def _touched_columns(done: AppliedStep, before: RecordTable, change: Change) -> list[str]:
    """Columns that hold something else than before."""
    if done.unit != "values":
        return []
    kept = [name for name in done.columns if name in change.records.names]
    return [name for name in kept if not before.column(name).equals(change.records.column(name))]

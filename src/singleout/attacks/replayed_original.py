"""The original taken through the recipe of a release, so that both tables compare as the recipe says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy
import pyarrow

from singleout.attacks.attacker_knowledge import in_words
from singleout.attacks.column_models import is_shift
from singleout.attacks.paired_tables import PairedTables
from singleout.engine.codes.histories import Code, Histories, History, Value
from singleout.engine.codes.text_codes import TEXT, common_codes
from singleout.errors import InputError
from singleout.recipe.recipe import Recipe, recipe_of
from singleout.recipe.record_table import RecordTable
from singleout.recipe.replay import Replay, contradictions, replay
from singleout.recipe.steps.distinct_values import ComparableColumn
from singleout.recipe.trace import Added, Renamed, Replayed, Trace

RecipeGiven = Recipe | Mapping[str, Any] | str | PathLike[str] | None

NOT_FROM_IT = "{}: the release can't come from this recipe: {}; give the recipe that it was made by"
NO_SUCH_VALUE = "{:,} of {:,} values of {!r} are none that it gives"
OTHER_SIZE = "it leaves {:,} {}, and the release has {:,}"
NOT_LEFT_OUT = "it leaves out {}, which the release has"


def replay_original(read: PairedTables, recipe: RecipeGiven, hierarchies: Any = None) -> PairedTables:
    """What the intruder knows of the release before he looks: the original after all that needs no draws.

    A released value that the recipe can't give contradicts it, and is an error: counted, not shown.
    """
    if recipe is None:
        return read
    replayed = _replayed(read, recipe_of(recipe, hierarchies))
    # the texts of all records are no longer needed, and the attacks need as much again
    pyarrow.default_memory_pool().release_unused()
    return replayed


def _replayed(read: PairedTables, given: Recipe) -> PairedTables:
    both = read.histories
    played = replay(given, _record_table(read))
    released = {
        name: ComparableColumn.of(_texts(both.values[name], both.release.codes[name]))
        for name in read.columns
    }
    there = [name for name in released if name in played.traces]
    known = {name: ComparableColumn.of(played.records.table[name]) for name in there}
    if faults := [*_faults(played, known, released), *_size_faults(played, read)]:
        raise InputError(NOT_FROM_IT.format(given.path, "; ".join(faults)))
    histories = _joint_histories(both, played, known, released)
    return replace(
        read,
        histories=histories.sort_records(),
        traces={name: played.traces[name] for name in read.columns},
        thinned=played.thinned,
        approximate=played.approximate,
        touched=_touched_columns(given),
        selected=played.selected,
        rewritten=frozenset(name for name, column in released.items() if column.has_writings),
        as_read=both,
    )


def columns_of_recipe(recipe: RecipeGiven, hierarchies: Any = None) -> tuple[str, ...] | None:
    """What the steps depend on in the original, whatever is released of it; None for all columns."""
    if recipe is None:
        return ()
    steps = [placed.step for placed in recipe_of(recipe, hierarchies).steps if placed.table == "history"]
    traces = [step.trace for step in steps]
    # the latest records of a person are told apart by all columns, where those named are alike
    if any(isinstance(each, Replayed) and each.joint and each.reach == "person" for each in traces):
        return None
    return tuple(name for step in steps for name in step.columns)


def _record_table(read: PairedTables) -> RecordTable:
    side = read.histories.original
    columns = {name: _texts(read.histories.values[name], side.codes[name]) for name in read.columns}
    columns |= {name: texts.cast(TEXT) for name, texts in read.beside.items()}
    if read.user is not None:
        columns[read.user] = _texts(read.original_names, side.person)
    return RecordTable(pyarrow.table(columns), side.person.astype(numpy.int64), side.people, read.user)


def _texts(values: Sequence[Value], codes: Code) -> pyarrow.DictionaryArray:
    """Each text once, as tables of many records have none to spare for all."""
    texts = pyarrow.array(values, TEXT)
    missing = texts.is_null().to_numpy(zero_copy_only=False)[codes]
    return pyarrow.DictionaryArray.from_arrays(pyarrow.array(codes.astype(numpy.int32), mask=missing), texts)


def _faults(
    played: Replay, known: Mapping[str, ComparableColumn], released: Mapping[str, ComparableColumn]
) -> Iterator[str]:
    if extra := [name for name in released if name not in played.traces]:
        yield NOT_LEFT_OUT.format(in_words(extra))
    for name in played.exact:
        if name in released and (odd := contradictions(known[name], released[name])):
            yield NO_SUCH_VALUE.format(odd, len(released[name].codes), name)


def _size_faults(played: Replay, read: PairedTables) -> Iterator[str]:
    """A draw that leaves so many leaves no others: who is not there was chosen in another way."""
    if played.left is None:
        return
    what, expected = played.left
    people = numpy.unique(read.name_person[read.histories.release.records_of_each() > 0])
    there = len(people) if what == "people" else read.histories.release.records
    if there != expected:
        yield OTHER_SIZE.format(expected, what, there)


def _joint_histories(
    both: Histories,
    played: Replay,
    known: Mapping[str, ComparableColumn],
    released: Mapping[str, ComparableColumn],
) -> Histories:
    """Replayed and released values in the same codes; numbers are the same however they are written."""
    original, release, values = {}, {}, {}
    for name, told in released.items():
        (first, second), together = common_codes([known[name].texts, told.texts])
        original[name] = known[name].renumbered(first, len(together))
        release[name] = told.renumbered(second, len(together))
        values[name] = (*together.to_pylist(), None)
    person = played.records.person.astype(numpy.uint32)
    return Histories(
        History(both.original.people, person, original), replace(both.release, codes=release), values
    )


def _touched_columns(recipe: Recipe) -> frozenset[str]:
    steps = (placed.step for placed in recipe.steps if placed.table == "history")
    return frozenset(name for step in steps for name in step.columns)


def parts_by_recipe(given: Mapping[str, Any], read: PairedTables) -> dict[str, tuple[str, ...]]:
    """Parts that nobody named, of columns that the recipe shifts as dates, renames or adds to."""
    parts: dict[str, list[str]] = {part: [] for part in ("time", "item") if not given.get(part)}
    for name, traces in (read.traces or {}).items():
        for part in {_part(name, trace) for trace in traces} & {*parts}:
            parts[str(part)].append(name)
    return {part: tuple(names) for part, names in parts.items() if names}


def _part(name: str, trace: Trace) -> str | None:
    if isinstance(trace, Added):
        return "item" if trace.item == name else None
    if isinstance(trace, Renamed):
        return "item"
    return "time" if is_shift(trace) else None

"""Makes the release of a generalisation: arranged, written, counted afresh, and told in a diary."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.checks import is_whole
from singleout.deidentify.generalise.goals import Goals
from singleout.deidentify.generalise.judged_classes import JudgedClasses, judge_classes
from singleout.deidentify.generalise.prepared_data import PreparedData
from singleout.deidentify.generalise.result import DiaryEntry, Generalisation
from singleout.deidentify.generalise.search_space import Vector
from singleout.deidentify.generalise.walk_types import ROUNDING
from singleout.deidentify.release_file import check_release_target
from singleout.deidentify.release_reader import determines, reread
from singleout.deidentify.release_table import (
    ORDERS,
    LabelledColumn,
    Order,
    arrangement,
    released_table,
    write_release,
)
from singleout.engine.codes.dictionary import Code, Codes
from singleout.engine.codes.numbering import join_codes
from singleout.errors import OutputError, UsageError
from singleout.files import check_writable, write_text
from singleout.read.source import KIND_BY_ENDING, Kind, Source
from singleout.recipe.diary import hierarchy_entry
from singleout.roles.hierarchies.hierarchy import Hierarchy

Indices = NDArray[numpy.int64]
NOT_TAKEN = ("alternatives", "minimal")


@dataclass(frozen=True)
class WrittenRelease:
    """How many records were written, their classes as read back, what was done to them, what to remark."""

    written: int | None = None
    classes: JudgedClasses | None = None
    steps: tuple[DiaryEntry, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class GeneralisedRelease:
    """Where the release goes and how; without `out` none is written."""

    origin: Source
    out: str | PathLike[str] | None
    keep: tuple[str, ...]
    order: Order
    keep_suppressed: bool
    diary: str | PathLike[str] | None
    seed: int

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise UsageError(f"order: {self.order!r} is none; there are {' and '.join(ORDERS)}")
        if not is_whole(self.seed) or self.seed < 0:
            raise UsageError(f"seed: {self.seed!r} is none; write a whole number, 0 or more")
        for target in self.targets:
            self._check_target(target)
        if self.out is not None:
            check_release_target(self.out)
        if len(set(map(os.path.realpath, self.targets))) < len(self.targets):
            raise OutputError(f"{self.out}: the release and its diary need two files")

    def _check_target(self, target: Any) -> None:
        if not isinstance(target, (str, PathLike)):
            raise UsageError(f"{target!r} is no name of a file")
        check_writable(target)
        if self.origin.holds(target):
            raise OutputError(f"{target}: belongs to the data that is read; name another file")

    def check_against(self, read: Collection[str]) -> None:
        """Nothing that was read may be replaced by what is written."""
        for target in self.targets:
            if os.path.realpath(target) in read:
                raise OutputError(f"{target}: was read for the hierarchies or the study; name another file")

    @property
    def targets(self) -> list[str | PathLike[str]]:
        return [target for target in (self.out, self.diary) if target is not None]

    @property
    def target(self) -> str | None:
        return None if self.out is None else str(self.out)

    @property
    def columns_to_write(self) -> tuple[str, ...] | None:
        """The columns to keep, None if no release was asked for."""
        return self.keep if self.out is not None or self.keep else None

    def make(
        self, data: PreparedData, vector: Vector, classes: JudgedClasses, goals: Goals, threads: int
    ) -> WrittenRelease:
        """Write the release, if one is asked for."""
        if self.out is None:
            return WrittenRelease()
        star = self.keep_suppressed and bool(classes.suppressed)
        remarks: tuple[str, ...] = ()
        if star and not _suppressed_reach_goals(data, classes, goals, threads):
            star = False
            remarks = ("the suppressed records are left out: as a class of their own they fail the goals",)
        table = self._table(data, vector, classes, star)
        rows = arrangement(table, self.order, self.seed)
        records = numpy.arange(data.space.records) if star else numpy.flatnonzero(classes.kept_records)
        check = Check(data, vector, ~classes.kept_records, records[rows], goals, threads)
        read_back: list[JudgedClasses] = []
        kind = KIND_BY_ENDING[Path(self.out).suffix.lower()]
        coarser = [levels.column for levels, level in zip(data.space.levels, vector, strict=True) if level]
        write_release(
            table.take(rows), self.out, lambda draft: read_back.append(check.of(draft, kind)), self.origin,
            data.uuids, coarser,
        )  # fmt: skip
        return WrittenRelease(len(rows), read_back[0], self._steps(data, vector, classes, star), remarks)

    def _table(self, data: PreparedData, vector: Vector, classes: JudgedClasses, star: bool) -> pyarrow.Table:
        """Generalised columns as text; at the raw level as they are, unless some records say `*` there."""
        space, columns = data.space, {}
        for index, (levels, level) in enumerate(zip(space.levels, vector, strict=True)):
            name = levels.column
            as_it_is = levels.labels[level] == data.values[index] and not star
            if not (as_it_is and data.carried is not None and name in data.carried.column_names):
                columns[name] = LabelledColumn(name, space.codes[index], levels.labels[level])
        listed = [columns.get(name, name) for name in data.release_columns]
        carried = data.carried
        for index, name in enumerate(space.columns):
            if carried is not None and name in listed:
                carried = _unify_values(carried, name, space.codes[index], len(data.values[index]))
        return released_table(classes.kept_records, listed, carried, star)

    def _steps(
        self, data: PreparedData, vector: Vector, classes: JudgedClasses, star: bool
    ) -> tuple[DiaryEntry, ...]:
        space = data.space
        steps = [
            DiaryEntry(
                "generalise", (levels.column,), _changed_count(data, index, level), levels.rules[level]
            )
            for index, (levels, level) in enumerate(zip(space.levels, vector, strict=True))
        ]
        how = "written with * in every generalised column" if star else "left out"
        steps.append(
            DiaryEntry("suppress", space.columns, classes.suppressed, f"records of classes that fail, {how}")
        )
        kept = tuple(name for name in data.release_columns if name not in space.columns)
        steps.append(DiaryEntry("keep", kept, 0, "as they are"))
        left = tuple(name for name in data.names if name not in data.release_columns)
        steps.append(DiaryEntry("leave out", left, space.records, "whole columns"))
        words = {
            "sorted": "sorted by all columns",
            "shuffled": f"sorted, then shuffled by the seed {self.seed}",
        }
        shown = space.records if star else classes.released
        steps.append(DiaryEntry("arrange", data.release_columns, shown, words[self.order]))
        return tuple(step for step in steps if step.columns)

    def write_diary(self, result: Generalisation, hierarchies: Sequence[Hierarchy]) -> None:
        """Everything but the roads not taken, and what it takes to read the diary as a recipe."""
        if self.diary is not None:
            told = {key: value for key, value in result.to_dict().items() if key not in NOT_TAKEN}
            told["suppressed_as"] = self._suppressed_as(result)
            told["hierarchies"] = {each.column: hierarchy_entry(each) for each in hierarchies}
            text = json.dumps(told, ensure_ascii=False, indent=2) + "\n"
            write_text(self.diary, text, private=True)  # it tells the seed

    def _suppressed_as(self, result: Generalisation) -> str | None:
        """What became of suppressed records: left out, or written with `*` in single cells."""
        if not result.suppressed or result.written is None:
            return None
        return "cells" if result.written > result.released else "records"


def _changed_count(data: PreparedData, index: int, level: int) -> int:
    """Records whose value is no longer what it was."""
    labels, values = data.space.levels[index].labels[level], data.values[index]
    differs = numpy.array([label != value for label, value in zip(labels, values, strict=True)])
    return int(data.space.frequencies[index][differs].sum())


def _unify_values(carried: pyarrow.Table, name: str, codes: Code, values: int) -> pyarrow.Table:
    """Values that count as one are written as one: 0.0 and −0.0 are, or numbers with more zeros."""
    first = numpy.zeros(values, dtype=numpy.int64)
    first[codes[::-1]] = numpy.arange(len(codes) - 1, -1, -1)
    column = carried[name].take(pyarrow.array(first[codes]))
    return carried.set_column(carried.column_names.index(name), name, column)


def _judge_again(
    classes: Codes, data: PreparedData, shown: Indices, goals: Goals, threads: int
) -> JudgedClasses:
    """Classes of some records, by the people and sensitive values these had from the beginning."""
    space = data.space
    persons = None if space.persons is None else Codes(space.persons.codes[shown], space.persons.count)
    guarded = [each.of_records(shown) for each in space.guarded]
    return judge_classes(classes, persons, guarded, goals, threads)


def _suppressed_reach_goals(data: PreparedData, classes: JudgedClasses, goals: Goals, threads: int) -> bool:
    """Whether the suppressed records, all alike, are a class that keeps to the goals."""
    if goals.of_reference:  # no reference has such a class
        return False
    shown = numpy.flatnonzero(~classes.kept_records)
    one = Codes(numpy.zeros(len(shown), dtype=numpy.uint32), 1)
    starred = _judge_again(one, data, shown, goals, threads)
    risk = starred.average_risk * len(shown) + classes.average_risk * classes.released
    return bool(starred.kept.all()) and (
        goals.average_risk is None or risk <= goals.average_risk * data.space.records * (1 + ROUNDING)
    )


@dataclass(frozen=True, eq=False)
class Check:
    """What a release must be found to be when it is read back; `shown` are its records, row by row."""

    laid: PreparedData
    vector: Vector
    starred: NDArray[numpy.bool_]
    shown: Indices
    goals: Goals
    threads: int

    def of(self, draft: Path, kind: Kind) -> JudgedClasses:
        """The classes that are in the file: every row is the record it should be, and every goal is kept."""
        space = self.laid.space
        sensitive = self.laid.sensitive[: len(space.sensitive)]
        names = (*space.columns, *sensitive)
        columns = reread(draft, kind, self.laid.release_columns, names, self.threads)
        if len(columns[0].codes) != len(self.shown):
            many = f"{len(columns[0].codes):,} records and not {len(self.shown):,}"
            raise OutputError(f"the release is read back with {many}")
        for name, codes, known in zip(names, columns, self._known_columns(), strict=True):
            if not determines(known, codes) or (name in sensitive and not determines(codes, known)):
                fault = f"column {name!r} is read back otherwise than it was written"
                raise OutputError(f"{fault}; try the other of .csv and .parquet")
        classes = join_codes(columns[: len(space.columns)], self.threads)
        classes_read = _judge_again(classes, self.laid, self.shown, self.goals, self.threads)
        self._check_goals(classes_read)
        return classes_read

    def _known_columns(self) -> list[Codes]:
        """What the rows should be, column by column; suppressed records are `*` in generalised ones."""
        space, star = self.laid.space, self.starred[self.shown]
        generalised = [
            Codes(numpy.where(star, each.count, each.codes[self.shown]).astype(numpy.uint32), each.count + 1)
            for each in space.columns_at(self.vector)
        ]
        return [*generalised, *(Codes(each.codes[self.shown], each.count) for each in space.sensitive)]

    def _check_goals(self, classes: JudgedClasses) -> None:
        if not classes.kept.all():
            failing = f"{int((~classes.kept).sum()):,} classes of the release fail the goals when read back"
            raise OutputError(failing)
        most = self.goals.average_risk
        if most is not None and classes.average_risk > most * (1 + ROUNDING):
            raise OutputError("the average risk of the release is too high when read back")

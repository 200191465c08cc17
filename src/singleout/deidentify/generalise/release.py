"""Makes the release of a generalisation: arranged, written, counted afresh, and told in a diary."""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.checks import is_whole
from singleout.deidentify.generalise.goals import Goals
from singleout.deidentify.generalise.judged_classes import Judged, judged
from singleout.deidentify.generalise.prepared_data import Laid
from singleout.deidentify.generalise.result import Generalisation, Step
from singleout.deidentify.generalise.search_space import Vector
from singleout.deidentify.generalise.walk_types import ROUNDING
from singleout.deidentify.release_table import (
    ORDERS,
    Generalised,
    Order,
    arrangement,
    released_table,
    write_release,
)
from singleout.deidentify.reread import decides, reread
from singleout.engine.codes.dictionary import Code, Codes
from singleout.engine.codes.numbering import joined
from singleout.errors import OutputError, UsageError
from singleout.files import check_table_target, check_writable, write_text
from singleout.read.source import KIND_BY_ENDING, Kind, Source

Places = NDArray[numpy.int64]
NOT_TAKEN = ("alternatives", "minimal")


@dataclass(frozen=True)
class Made:
    """How many records were written, their classes as read back, what was done to them, what to remark."""

    written: int | None = None
    classes: Judged | None = None
    steps: tuple[Step, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Releasing:
    """Where the release goes and how; without `out` none is made."""

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
        if self.out is None and (self.keep or self.keep_suppressed):
            raise UsageError("keep and keep_suppressed are about a release; name its file by --out")
        targets = [target for target in (self.out, self.diary) if target is not None]
        for target in targets:
            self._check_target(target)
        if self.out is not None:
            check_table_target(self.out)
        if len(set(map(os.path.realpath, targets))) < len(targets):
            raise OutputError(f"{self.out}: the release and its diary need two files")

    def _check_target(self, target: Any) -> None:
        if not isinstance(target, (str, PathLike)):
            raise UsageError(f"{target!r} is no name of a file")
        check_writable(target)
        if self.origin.holds(target):
            raise OutputError(f"{target}: belongs to the data that is read; name another file")

    def check_against(self, read: Collection[str]) -> None:
        """Nothing that was read may be replaced by what is written."""
        for target in (self.out, self.diary):
            if target is not None and os.path.realpath(target) in read:
                raise OutputError(f"{target}: was read for the hierarchies or the study; name another file")

    @property
    def target(self) -> str | None:
        return None if self.out is None else str(self.out)

    @property
    def wanted(self) -> tuple[str, ...] | None:
        """The columns to keep, None if there is no release."""
        return None if self.out is None else self.keep

    def made(self, laid: Laid, vector: Vector, classes: Judged, goals: Goals, threads: int) -> Made:
        """Write the release, if one is asked for."""
        if self.out is None:
            return Made()
        star = self.keep_suppressed and bool(classes.suppressed)
        remarks: tuple[str, ...] = ()
        if star and not _stands(laid, classes, goals, threads):
            star = False
            remarks = ("the suppressed records are left out: as a class of their own they fail the goals",)
        table = self._table(laid, vector, classes, star)
        places = arrangement(table, self.order, self.seed)
        records = numpy.arange(laid.space.records) if star else numpy.flatnonzero(classes.kept_records)
        check = Check(laid, vector, ~classes.kept_records, records[places], goals, threads)
        found: list[Judged] = []
        kind = KIND_BY_ENDING[Path(self.out).suffix.lower()]
        write_release(table.take(places), self.out, lambda draft: found.append(check.of(draft, kind)))
        return Made(len(places), found[0], self._steps(laid, vector, classes, star), remarks)

    def _table(self, laid: Laid, vector: Vector, classes: Judged, star: bool) -> pyarrow.Table:
        """Generalised columns as text; at the raw level as they are, unless some records say `*` there."""
        space, columns = laid.space, {}
        for place, (levels, level) in enumerate(zip(space.levels, vector, strict=True)):
            name = levels.column
            as_it_is = levels.labels[level] == laid.values[place] and not star
            if not (as_it_is and laid.carried is not None and name in laid.carried.column_names):
                columns[name] = Generalised(name, space.codes[place], levels.labels[level])
        listed = [columns.get(name, name) for name in laid.declared]
        carried = laid.carried
        for place, name in enumerate(space.columns):
            if carried is not None and name in listed:
                carried = _alike(carried, name, space.codes[place], len(laid.values[place]))
        return released_table(classes.kept_records, listed, carried, star)

    def _steps(self, laid: Laid, vector: Vector, classes: Judged, star: bool) -> tuple[Step, ...]:
        space = laid.space
        steps = [
            Step("generalise", (levels.column,), _changed(laid, place, level), levels.rules[level])
            for place, (levels, level) in enumerate(zip(space.levels, vector, strict=True))
        ]
        how = "written with * in every generalised column" if star else "left out"
        steps.append(
            Step("suppress", space.columns, classes.suppressed, f"records of classes that fail, {how}")
        )
        beside = tuple(name for name in laid.declared if name not in space.columns)
        steps.append(Step("keep", beside, 0, "as they are"))
        left = tuple(name for name in laid.names if name not in laid.declared)
        steps.append(Step("leave out", left, space.records, "whole columns"))
        words = {
            "sorted": "sorted by all columns",
            "shuffled": f"sorted, then shuffled by the seed {self.seed}",
        }
        shown = space.records if star else classes.released
        steps.append(Step("arrange", laid.declared, shown, words[self.order]))
        return tuple(step for step in steps if step.columns)

    def write_diary(self, result: Generalisation) -> None:
        """Everything but the roads not taken."""
        if self.diary is not None:
            told = {key: value for key, value in result.to_dict().items() if key not in NOT_TAKEN}
            write_text(self.diary, json.dumps(told, ensure_ascii=False, indent=2) + "\n")


def _changed(laid: Laid, place: int, level: int) -> int:
    """Records whose value is no longer what it was."""
    labels, values = laid.space.levels[place].labels[level], laid.values[place]
    differs = numpy.array([label != value for label, value in zip(labels, values, strict=True)])
    return int(laid.space.frequencies[place][differs].sum())


def _alike(carried: pyarrow.Table, name: str, codes: Code, values: int) -> pyarrow.Table:
    """Values that count as one are written as one: 0.0 and −0.0 are, or numbers with more zeros."""
    first = numpy.zeros(values, dtype=numpy.int64)
    first[codes[::-1]] = numpy.arange(len(codes) - 1, -1, -1)
    column = carried[name].take(pyarrow.array(first[codes]))
    return carried.set_column(carried.column_names.index(name), name, column)


def _judged_again(rows: Codes, laid: Laid, shown: Places, goals: Goals, threads: int) -> Judged:
    """Classes of some records, by the people and sensitive values these had from the beginning."""
    space = laid.space
    persons = None if space.persons is None else Codes(space.persons.codes[shown], space.persons.count)
    sensitive = [Codes(each.codes[shown], each.count) for each in space.sensitive]
    return judged(rows, persons, sensitive, space.totals, goals, threads)


def _stands(laid: Laid, classes: Judged, goals: Goals, threads: int) -> bool:
    """Whether the suppressed records, all alike, are a class that keeps to the goals."""
    shown = numpy.flatnonzero(~classes.kept_records)
    one = Codes(numpy.zeros(len(shown), dtype=numpy.uint32), 1)
    found = _judged_again(one, laid, shown, goals, threads)
    risk = found.average_risk * len(shown) + classes.average_risk * classes.released
    return bool(found.kept.all()) and (
        goals.average_risk is None or risk <= goals.average_risk * laid.space.records * (1 + ROUNDING)
    )


@dataclass(frozen=True, eq=False)
class Check:
    """What a release must be found to be when it is read back; `shown` are its records, row by row."""

    laid: Laid
    vector: Vector
    starred: NDArray[numpy.bool_]
    shown: Places
    goals: Goals
    threads: int

    def of(self, draft: Path, kind: Kind) -> Judged:
        """The classes that are in the file: every row is the record it should be, and every goal is kept."""
        space = self.laid.space
        sensitive = self.laid.sensitive[: len(space.sensitive)]
        names = (*space.columns, *sensitive)
        found = reread(draft, kind, self.laid.declared, names, self.threads)
        if len(found[0].codes) != len(self.shown):
            many = f"{len(found[0].codes):,} records and not {len(self.shown):,}"
            raise OutputError(f"the release is read back with {many}")
        for name, codes, known in zip(names, found, self._known(), strict=True):
            if not decides(known, codes) or (name in sensitive and not decides(codes, known)):
                fault = f"column {name!r} is read back otherwise than it was written"
                raise OutputError(f"{fault}; try the other of .csv and .parquet")
        classes = joined(found[: len(space.columns)], self.threads)
        again = _judged_again(classes, self.laid, self.shown, self.goals, self.threads)
        self._check_goals(again)
        return again

    def _known(self) -> list[Codes]:
        """What the rows should be, column by column; suppressed records are `*` in generalised ones."""
        space, star = self.laid.space, self.starred[self.shown]
        generalised = [
            Codes(numpy.where(star, each.count, each.codes[self.shown]).astype(numpy.uint32), each.count + 1)
            for each in space.generalised(self.vector)
        ]
        return [*generalised, *(Codes(each.codes[self.shown], each.count) for each in space.sensitive)]

    def _check_goals(self, found: Judged) -> None:
        if not found.kept.all():
            failing = f"{int((~found.kept).sum()):,} classes of the release fail the goals when read back"
            raise OutputError(failing)
        most = self.goals.average_risk
        if most is not None and found.average_risk > most * (1 + ROUNDING):
            raise OutputError("the average risk of the release is too high when read back")

"""Blanks the fewest cells so that nobody stands out in some sets of columns, and makes the release."""

from __future__ import annotations

import csv as tables
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from os import PathLike, fspath
from typing import Any, Unpack

import numpy
import pyarrow
import pyarrow.compute

from singleout.checks import is_number, is_whole
from singleout.deidentify.delivery import Delivery, Goods
from singleout.deidentify.input_tables import Subject, subject_of
from singleout.deidentify.release import Release
from singleout.deidentify.release_table import Order
from singleout.deidentify.suppress.blank_cells import CellTable, Mask, blank_cells, cost_bound
from singleout.deidentify.suppress.result import CellSuppression
from singleout.deidentify.suppress.wildcard_cells import fewest_fitting, wildcard_cells
from singleout.engine.codes.dictionary import Codes
from singleout.engine.job_options import ReadOptions, takes_options
from singleout.engine.open_engine import thread_count
from singleout.errors import InputError, OutputError, UsageError, name_hint
from singleout.progress import Audience, silent, teller
from singleout.read.input_files import input_bytes
from singleout.read.source import source
from singleout.recipe.level_assignment import LevelAssignment
from singleout.recipe.record_table import is_text
from singleout.recipe.steps.distinct_values import DistinctValues, distinct_values_of

MOST_SETS = 5_000
# what is beyond them can't be added up
LEAST_COST, MOST_COST = 0.000_001, 1_000_000
OptionalPath = str | PathLike[str] | None


@takes_options(ReadOptions, after={"progress": "csv"})
def suppress(
    data: Any,
    *,
    k: int,
    size: int | None = None,
    sets: Sequence[Sequence[str]] | str | PathLike[str] | None = None,
    importance: Mapping[str, float] | None = None,
    blank: str | None = "*",
    wildcards: bool = False,
    columns: Sequence[str] | None = None,
    out: OptionalPath = None,
    keep: Sequence[str] = (),
    order: Order = "sorted",
    diary: OptionalPath = None,
    user: str | None = None,
    progress: Audience = silent,
    **options: Unpack[ReadOptions],
) -> CellSuppression:
    """Which are the fewest cells to blank so that every record looks like `k` people in what may be known?

    Known are all `columns` together (by default all but the user), every set of `size` of them, or the `sets`
    that are listed, in a file one a line. Without a `user` each record is its own person. A blank cell costs
    the `importance` of its column, or 1; it holds the text `blank`, or is missing where that is None or the
    column has no texts. It counts as a value of its own. With `wildcards` it fits every value and is missing,
    and every record is to fit `k` people of the data; to somebody who knows which cells were blanked this
    looks safer than it is, so that `k` of the result still counts blank cells as values. `out` gets these
    columns and those to `keep` in an `order` that tells nothing, `diary` what was done.

    >>> people = pyarrow.table({"age": ["30", "30", "31"], "town": ["Ueno", "Ueno", "Ueno"]})
    >>> suppress(people, k=3).cells_by_column
    {'age': 3, 'town': 0}
    """
    if not is_whole(k) or k < 1:
        raise UsageError(f"k: {k!r} is no size of a class; write a whole number, 1 or more")
    if blank is not None and not isinstance(blank, str):
        raise UsageError(f"blank: {blank!r} is no text; write one such as '*', or None")
    if wildcards and blank not in ("*", None):
        raise UsageError(f"blank: wildcards are missing values, and hold no {blank!r}; leave it out")
    delivery = Delivery(out=out, diary=diary, order=order, threads=thread_count(options["threads"]))
    origin = source(data, csv=options["csv"])
    given_sets = SetsOfFile.read(sets) if isinstance(sets, str | PathLike) else sets
    delivery.check_against([origin], [options["study"], sets])
    progress = teller(progress)
    progress("reading records", 0, 1)
    reading: ReadOptions = {**options, "csv": None}
    subject = subject_of(origin, user=user, **reading)
    kept = _known_names(subject, "keep", keep)
    chosen = _blankable_names(subject, columns, kept)
    asked = KnownSets.of(chosen, size, given_sets)
    contents = BlankableColumns.of(
        subject, chosen, None if wildcards else blank, _importance(chosen, importance)
    )
    _check_reach(contents.table, k)
    started = time.perf_counter()
    if wildcards:
        blanks = wildcard_cells(contents.table, asked.indices, k)
        # each record by itself, of which every choice was looked at
        bound = contents.table.cost(blanks)
    else:
        blanks = blank_cells(contents.table, asked.indices, k, progress)
        bound = cost_bound(contents.table, asked.indices, k)
    spent = time.perf_counter() - started
    answer = SuppressedCells(subject, contents, asked, k, blanks, bound, spent, wildcards)
    return answer.deliver(delivery, kept)


@dataclass(frozen=True)
class SetsOfFile:
    """Sets of columns by the lines where they stand.

    What is no column may be a value of the data, if another file was named by mistake: it is not repeated.
    """

    path: str
    sets: dict[int, list[str]]

    @staticmethod
    def read(path: str | PathLike[str]) -> SetsOfFile:
        try:
            reader = tables.reader(input_bytes(path).decode("utf-8-sig").splitlines())
            rows = [(reader.line_num, row) for row in reader if any(row)]
        except (OSError, ValueError, tables.Error) as error:
            why = getattr(error, "strerror", None)
            told = (
                why.lower() if why else "is no list of sets in UTF-8; write one a line, names apart by commas"
            )
            raise InputError(f"{path}: {told}") from error
        return SetsOfFile(fspath(path), {line: [name.strip() for name in row] for line, row in rows})

    def checked(self, columns: tuple[str, ...]) -> list[list[str]]:
        if not self.sets:
            raise UsageError(f"{self.path}: has no set; write one a line, names apart by commas")
        if wrong := [line for line, names in self.sets.items() if not {*names} <= {*columns}]:
            more = f" and {len(wrong) - 1:,} more" if len(wrong) > 1 else ""
            raise UsageError(
                f"{self.path}: line {wrong[0]:,}{more}: not all its names are columns; "
                f"{name_hint('', columns)}"
            )
        return [*self.sets.values()]


@dataclass(frozen=True)
class KnownSets:
    """The sets of `columns` that somebody may know together, none of them within another."""

    columns: tuple[str, ...]
    sets: tuple[tuple[str, ...], ...]

    @staticmethod
    def of(
        columns: tuple[str, ...], size: Any, listed: SetsOfFile | Sequence[Sequence[str]] | None
    ) -> KnownSets:
        if listed is not None and size is not None:
            raise UsageError("size and sets: both say what is known; give one of them")
        if listed is not None:
            given = listed.checked(columns) if isinstance(listed, SetsOfFile) else listed
            return KnownSets(columns, _largest(_checked_sets(columns, given)))
        if size is None or size == len(columns):
            return KnownSets(columns, (columns,))
        if not is_whole(size) or not 1 <= size <= len(columns):
            raise UsageError(f"size: {size!r} is none; write a whole number from 1 to {len(columns)}")
        if comb(len(columns), size) > MOST_SETS:
            raise UsageError(
                f"size: there are {comb(len(columns), size):,} sets of {size}, more than {MOST_SETS:,}; name "
                "fewer columns, or take all together"
            )
        return KnownSets(columns, tuple(combinations(columns, size)))

    @property
    def indices(self) -> list[tuple[int, ...]]:
        return [tuple(self.columns.index(name) for name in each) for each in self.sets]


@dataclass(frozen=True, eq=False)
class BlankableColumns:
    """The columns by their different values; `marks` are what a blank cell holds, None if it is missing."""

    names: tuple[str, ...]
    values: tuple[DistinctValues, ...]
    marks: tuple[str | None, ...]
    table: CellTable

    @staticmethod
    def of(
        subject: Subject, names: tuple[str, ...], blank: str | None, costs: Mapping[str, float]
    ) -> BlankableColumns:
        values = tuple(distinct_values_of(name, subject.history.column(name)) for name in names)
        marks = tuple(blank if is_text(subject.history.column(name).type) else None for name in names)
        for name, each, mark in zip(names, values, marks, strict=True):
            if mark is not None and pyarrow.compute.any(pyarrow.compute.equal(each.values, mark)).as_py():
                raise UsageError(f"blank: column {name!r} holds {mark!r} as a value; take another text")
        codes, many = zip(*map(_codes_with_blank, values, marks), strict=True)
        persons = None
        if subject.user is not None:
            persons = Codes(subject.history.person.astype(numpy.uint32), subject.history.people)
        table = CellTable(codes, many, tuple(float(costs.get(name, 1.0)) for name in names), persons)
        return BlankableColumns(names, values, marks, table)

    def texts(self, index: int) -> list[str | None]:
        return [*self.values[index].texts.to_pylist(), None]


def _codes_with_blank(
    values: DistinctValues, mark: str | None
) -> tuple[numpy.typing.NDArray[numpy.uint32], int]:
    """Codes whose last one is blank; what is missing is so already where blank cells are missing."""
    known = len(values.values)
    codes = numpy.where(values.missing, known, values.codes).astype(numpy.uint32)
    return codes, known + 1 if mark is None else known + 2


@dataclass(frozen=True, eq=False)
class SuppressedCells:
    """What was found, put into one result and delivered."""

    subject: Subject
    contents: BlankableColumns
    asked: KnownSets
    k: int
    blanks: Mask
    bound: float
    seconds: float
    wildcards: bool = False

    def deliver(self, delivery: Delivery, kept: Sequence[str]) -> CellSuppression:
        table, subject, blanks = self.contents.table, self.subject, self.blanks
        names = self.contents.names
        now = table.with_blanks(blanks)
        smallest = min(int(now.sizes(each).min()) for each in self.asked.indices)
        fitting = fewest_fitting(table, self.asked.indices, blanks) if self.wildcards else None
        if (smallest if fitting is None else fitting) < self.k:
            raise OutputError("the release does not reach k when it is counted again; please report this")
        by_column = dict(zip(names, map(int, blanks.sum(axis=0)), strict=True))
        released = tuple(name for name in subject.columns if name in (*names, *kept))
        importance = {name: cost for name, cost in zip(names, table.costs, strict=True) if cost != 1.0}
        origin, uuids = subject.origins[0], subject.uuids
        result = CellSuppression(
            source=subject.source, engine=subject.engine, user=subject.user, records=table.records,
            people=int(numpy.count_nonzero(subject.history.records_of_each())), asked=self.k,
            sets=self.asked.sets, blank=next(filter(None, self.contents.marks), None),
            importance=importance, cells=int(blanks.sum()), cells_by_column=by_column,
            changed_records=int(blanks.any(axis=1).sum()), cost=table.cost(blanks),
            lower_bound=min(self.bound, table.cost(blanks)), k=smallest, fitting=fitting, columns=released,
            out=None if delivery.out is None else fspath(delivery.out), seconds=self.seconds,
            remarks=(*subject.remarks, *self._remarks(kept)),
            release=Release(
                lambda: Goods(self._release(released), origin=origin, uuids=uuids), delivery, origin
            ),
        )  # fmt: skip
        told = result.to_dict() | {"missing": "value", "counted": list(names)}
        if delivery.diary is not None:
            told |= {"recoded": self._assignment().to_dict(), "inputs": subject.inputs()}
        delivery.deliver(replace(result.release.goods, told=told))
        return result

    def _release(self, released: Sequence[str]) -> pyarrow.Table:
        table = self.subject.history.table.select(list(released))
        for index, (name, mark) in enumerate(zip(self.contents.names, self.contents.marks, strict=True)):
            column = self.subject.history.column(name)
            gone = pyarrow.array(self.blanks[:, index])
            new = pyarrow.compute.if_else(gone, pyarrow.scalar(mark, column.type), column)
            table = table.set_column(table.column_names.index(name), name, new)
        return table

    def _assignment(self) -> LevelAssignment:
        contents = self.contents
        entries = {name: {"blank": mark} for name, mark in zip(contents.names, contents.marks, strict=True)}
        texts = [contents.texts(index) for index in range(len(contents.names))]
        codes = [each.astype(numpy.int64) for each in contents.table.codes]
        return LevelAssignment.of(entries, texts, codes, self.blanks.astype(numpy.int64))

    def _remarks(self, kept: Sequence[str]) -> Iterable[str]:
        names = self.contents.names
        if left := [name for name in self.subject.columns if name not in (*names, *kept)]:
            yield f"not released: {', '.join(left)}; name a column by --fixed to release it as it is"
        if kept:
            yield (
                f"released as they are, and not counted in any class: {', '.join(kept)}; who knows such a "
                "value may find the record by it"
            )
        if self.asked.sets != (names,):
            yield (
                f"counted in {_number_of_sets(self.asked.sets)}, each by itself: who knows more "
                "columns together may find a record"
            )


def _number_of_sets(sets: Sequence[tuple[str, ...]]) -> str:
    return "one set of columns" if len(sets) == 1 else f"{len(sets):,} sets of columns"


def _check_reach(table: CellTable, k: int) -> None:
    many, of = (
        (table.records, "records")
        if table.persons is None
        else (len(numpy.unique(table.persons.codes)), "people")
    )
    if k > many:
        raise UsageError(f"k: a class of {k:,} can't be had, for there are {many:,} {of}; ask for less")


def _known_names(subject: Subject, what: str, names: Any) -> tuple[str, ...]:
    if names is None:
        return ()
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise UsageError(f"{what}: {names!r} is no list of names; write it like ['age', 'town']")
    given = tuple(dict.fromkeys(names))
    for name in given:
        if name not in subject.columns:
            raise UsageError(f"{what}: there is no column {name!r}; {name_hint(str(name), subject.columns)}")
    if what == "columns" and subject.user in given:
        raise UsageError(f"columns: {subject.user!r} is the user, who is not blanked; leave it out")
    return given


def _blankable_names(subject: Subject, columns: Any, kept: tuple[str, ...]) -> tuple[str, ...]:
    chosen = _known_names(subject, "columns", columns)
    if both := [name for name in chosen if name in kept]:
        raise UsageError(f"keep: {both[0]!r} is among the columns to blank; name it once")
    chosen = chosen or tuple(name for name in subject.columns if name not in (subject.user, *kept))
    if not chosen:
        raise UsageError("columns: there is none to blank beside the user and what is released as it is")
    return chosen


def _importance(columns: Sequence[str], importance: Any) -> dict[str, float]:
    if not isinstance(importance or {}, Mapping):
        raise UsageError(f"importance: {importance!r} is no mapping; write it like {{'age': 2}}")
    for name, cost in (importance or {}).items():
        if name not in columns:
            raise UsageError(f"importance: {name!r} is not blanked; {name_hint(str(name), columns)}")
        if not is_number(cost) or not LEAST_COST <= cost <= MOST_COST:
            raise UsageError(
                f"importance: {cost!r} for {name!r} is no cost; write a number from {LEAST_COST:f} to "
                f"{MOST_COST:,}"
            )
    return {name: float(cost) for name, cost in (importance or {}).items()}


def _checked_sets(columns: tuple[str, ...], given: Any) -> list[tuple[str, ...]]:
    if not isinstance(given, Iterable):
        raise UsageError(f"sets: {given!r} is no list of sets; write it like [['age', 'town']]")
    listed = [*given]
    faults = [] if listed else ["sets: there is none; list one or more, as [['age', 'town']]"]
    for each in listed:
        if isinstance(each, str) or not each:
            faults.append(f"sets: {each!r} is no set of columns; write it like ['age', 'town']")
            continue
        faults += [
            f"sets: there is no column {name!r}; {name_hint(str(name), columns)}"
            for name in each
            if name not in columns
        ]
    if faults:
        raise UsageError("; ".join(dict.fromkeys(faults)))
    return [tuple(name for name in columns if name in each) for each in listed]


def _largest(sets: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Without those within another: what is right in a set is right in all its parts."""
    different = dict.fromkeys(sets)
    return tuple(each for each in different if not any(set(each) < set(other) for other in different))

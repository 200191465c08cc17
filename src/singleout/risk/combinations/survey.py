"""Counts every one of many sets of columns and writes a line for each; what was interrupted goes on later."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy
import pyarrow

from singleout.engine.column_sets.set_counts import SetCounts, Sets
from singleout.errors import InputError, UsageError
from singleout.files import check_table_target, once_in_place, write_batches
from singleout.progress import Progress, silent
from singleout.risk.combinations.attribute_sets import names_of, sizes_of
from singleout.risk.combinations.survey_checkpoint import (
    KIND,
    NUMBERS,
    Checkpoint,
    append,
    block,
    open_checkpoint,
    read_checkpoint,
    sets_in,
)

# a piece is what an interruption may lose and what the estimate of the time left is made from
SECONDS_A_PIECE = 2.0
FEWEST, FIRST, MOST = 16, 256, 1 << 16
MOST_CHANGE = 8.0
LINES_A_BATCH = 1 << 16
Count = Callable[[Sets], SetCounts]


@dataclass(frozen=True, eq=False)
class Survey:
    """Which sets to write where; bit j of a mask is `columns[j]`.

    `signature` says in JSON's terms which data and question this is: only an unfinished run that says the
    same goes on. Let it hold whatever changes when the data does. `values`, how many each column has, changes
    only the order of the work.
    """

    columns: tuple[str, ...]
    sets: Sets
    out: str | os.PathLike[str]
    signature: Mapping[str, Any]
    values: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not len(self.sets):
            raise UsageError(f"{self.out}: there are no sets of columns to count; ask for one or more")
        if int(self.sets.max()) >> len(self.columns):
            raise UsageError(
                f"a set has a column that is not among the {len(self.columns)}; name all of them"
            )
        if self.values and len(self.values) != len(self.columns):
            raise UsageError(
                f"{len(self.values)} numbers of values for {len(self.columns)} columns; give one each"
            )

    @property
    def checkpoint_path(self) -> Path:
        """Where the finished pieces are kept until all are there: counts only, no value of the data."""
        return Path(f"{os.fspath(self.out)}.unfinished")

    @cached_property
    def in_turn(self) -> Sets:
        """Neighbours share columns, those with many values above all: they are the dearest to refine by."""
        sets = numpy.unique(self.sets)
        turn = numpy.zeros_like(sets)
        for position, column in enumerate(numpy.argsort(self.values, kind="stable").tolist()):
            turn |= (sets >> numpy.uint64(column) & numpy.uint64(1)) << numpy.uint64(position)
        return sets[numpy.argsort(turn, kind="stable")]

    @cached_property
    def header(self) -> bytes:
        """One line that is the same only if the data, the question and the sets are."""
        masks = self.in_turn.astype("<u8").tobytes()
        known = {
            "kind": KIND,
            "columns": self.columns,
            "numbers": NUMBERS,
            "sets": sha256(masks).hexdigest(),
            "signature": dict(self.signature),
        }
        return json.dumps(known, sort_keys=True).encode() + b"\n"


@dataclass(frozen=True, eq=False)
class CountedSets:
    """All sets counted, `resumed` of them by a run before; `kept` in a file meanwhile."""

    counts: SetCounts
    resumed: int
    note: str
    kept: bool = True


@dataclass(frozen=True)
class SurveyResult:
    """How many sets were written; `note` says what could not be used of an unfinished run, if anything."""

    written: int
    resumed: int
    note: str = ""


def survey(work: Survey, count: Count, progress: Progress = silent) -> SurveyResult:
    """Count all sets and write them to a CSV or Parquet file, by rising size, then by rising mask.

    A line has `columns` as `--columns` takes them, `size` (columns), `classes`, `smallest_class` (people),
    `unique` and `records_at_risk` (records), `people_at_risk` (people), `highest_risk`, `average_risk`
    (counted over records) and `entropy` (bits). What a missing value does is up to `count`.
    """
    return write_survey(work, count_survey(work, count, progress), progress)


def count_survey(work: Survey, count: Count, progress: Progress = silent) -> CountedSets:
    """Count piece by piece; each is kept beside the target, so that a run that ends early can go on later."""
    check_table_target(work.out)
    checkpoint = Checkpoint(work.checkpoint_path, work.header, work.in_turn)
    pieces, end, note = read_checkpoint(checkpoint)
    resumed = sets_in(pieces)
    with open_checkpoint(checkpoint, end) as handle:
        for piece in _count_pieces(work, count, pieces, progress):
            append(checkpoint, handle, block(piece, sets_in(pieces)))
            pieces.append(piece)
    return CountedSets(SetCounts.join(pieces), resumed, note)


def write_survey(work: Survey, counted: CountedSets, progress: Progress = silent) -> SurveyResult:
    """Write what was counted, whole or not at all; then nothing is unfinished any more."""
    written = write_batches(work.out, _batches(work, counted.counts, progress))
    if counted.kept:
        once_in_place(work.out, partial(_drop, work.checkpoint_path))
    return SurveyResult(written, counted.resumed, counted.note)


def _drop(checkpoint: Path) -> None:
    with suppress(OSError):
        checkpoint.unlink()


def quoted_name(name: str) -> str:
    """A name as it stands in the list that `--columns` takes.

    >>> print(quoted_name("age"), quoted_name("city, street"), quoted_name('the "real" name'))
    age "city, street" "the ""real"" name"
    """
    if name == name.strip() and not any(mark in name for mark in ',"|\r\n'):
        return name
    return '"' + name.replace('"', '""') + '"'


def _count_pieces(
    work: Survey, count: Count, pieces: list[SetCounts], progress: Progress
) -> Iterator[SetCounts]:
    """The pieces that are still to do, each as long as the last one's time suggests."""
    total = len(work.in_turn)
    done = sets_in(pieces)
    length = len(pieces[-1].sets) if pieces else FIRST
    progress("counting sets of columns", done, total)
    while done < total:
        began = perf_counter()
        piece = count(work.in_turn[done : done + length])
        _check_same_data(work, [*pieces[:1], piece])
        yield piece
        done += len(piece.sets)
        length = _next_length(len(piece.sets), perf_counter() - began)
        progress("counting sets of columns", done, total)


def _next_length(last: int, seconds: float) -> int:
    wanted = SECONDS_A_PIECE / max(seconds, SECONDS_A_PIECE / MOST_CHANGE)
    return min(max(int(last * max(wanted, 1 / MOST_CHANGE)), FEWEST), MOST)


def _check_same_data(work: Survey, pieces: list[SetCounts]) -> None:
    """Pieces of different data are no survey; then the old ones are of no use to the next run either."""
    if len({(each.records, each.people, each.allow) for each in pieces}) > 1:
        work.checkpoint_path.unlink(missing_ok=True)
        raise InputError(f"{work.out}: the data changed since the first sets were counted; run again")


def _batches(work: Survey, counts: SetCounts, progress: Progress) -> Iterator[pyarrow.RecordBatch]:
    order = numpy.lexsort((counts.sets, sizes_of(counts.sets)))
    quoted = tuple(map(quoted_name, work.columns))
    for start in range(0, len(order), LINES_A_BATCH):
        progress("writing sets of columns", start, len(order))
        yield _lines(quoted, counts.at(order[start : start + LINES_A_BATCH]))


def _lines(quoted: tuple[str, ...], counts: SetCounts) -> pyarrow.RecordBatch:
    named = [",".join(names_of(mask, quoted)) for mask in counts.sets.tolist()]
    return pyarrow.RecordBatch.from_pydict(
        {
            "columns": pyarrow.array(named, pyarrow.string()),
            "size": sizes_of(counts.sets),
            "classes": counts.classes,
            "smallest_class": counts.smallest,
            "unique": counts.unique,
            "records_at_risk": counts.at_risk,
            "people_at_risk": counts.people_at_risk,
            "highest_risk": counts.highest_risk,
            "average_risk": counts.average_risk,
            "entropy": counts.entropy,
        }
    )

"""Counts every one of many sets of columns and writes a line for each; what was interrupted goes on later."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any, BinaryIO
from zlib import crc32

import numpy
import pyarrow

from singleout.engine.set_counts import SetCounts, Sets
from singleout.errors import InputError, OutputError, UsageError
from singleout.files import check_table_target, write_batches
from singleout.progress import Progress, silent
from singleout.risk.attribute_sets import ARRAYS, joined, names_of, sizes_of, some_of

# a piece is what an interruption may lose and what the estimate of the time left is made from
SECONDS_A_PIECE = 2.0
FEWEST, FIRST, MOST = 16, 256, 1 << 16
MOST_CHANGE = 8.0
LINES_A_BATCH = 1 << 16
KIND = "unfinished survey of sets of columns"
NUMBERS = tuple(name for name in ARRAYS if name != "sets")
# its first set's place, how many sets, records, people, allow; then a checksum of these and the numbers
HEAD = struct.Struct("<5Q")
CHECK = struct.Struct("<I")
LONGEST_HEADER = 1 << 24

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
    def unfinished(self) -> Path:
        """Where the finished pieces are kept until all are there: counts only, no value of the data."""
        return Path(f"{os.fspath(self.out)}.unfinished")

    @cached_property
    def in_turn(self) -> Sets:
        """Neighbours share columns, those with many values above all: they are the dearest to refine by."""
        sets = numpy.unique(self.sets)
        turn = numpy.zeros_like(sets)
        for place, column in enumerate(numpy.argsort(self.values, kind="stable").tolist()):
            turn |= (sets >> numpy.uint64(column) & numpy.uint64(1)) << numpy.uint64(place)
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
class Counted:
    """All sets counted; of these, `resumed` by a run before that was interrupted."""

    counts: SetCounts
    resumed: int
    note: str


@dataclass(frozen=True)
class Surveyed:
    """How many sets were written; `note` says what could not be used of an unfinished run, if anything."""

    written: int
    resumed: int
    note: str = ""


def survey(work: Survey, count: Count, progress: Progress = silent) -> Surveyed:
    """Count all sets and write them to a CSV or Parquet file, by rising size, then by rising mask.

    A line has `columns` as `--columns` takes them, `size` (columns), `classes`, `smallest_class` (people),
    `unique` and `records_at_risk` (records), `people_at_risk` (people), `highest_risk`, `average_risk`
    (counted over records) and `entropy` (bits). What a missing value does is up to `count`.
    """
    return write_survey(work, count_survey(work, count, progress), progress)


def count_survey(work: Survey, count: Count, progress: Progress = silent) -> Counted:
    """Count piece by piece; each is kept beside the target, so that a run that ends early can go on later."""
    check_table_target(work.out)
    pieces, end, note = _kept(work)
    resumed = _sets_in(pieces)
    with _appending(work, end) as handle:
        for piece in _counted(work, count, pieces, progress):
            _append(work, handle, _block(piece, _sets_in(pieces)))
            pieces.append(piece)
    return Counted(joined(pieces), resumed, note)


def write_survey(work: Survey, counted: Counted, progress: Progress = silent) -> Surveyed:
    """Write what was counted, whole or not at all; then nothing is unfinished any more."""
    written = write_batches(work.out, _batches(work, counted.counts, progress))
    with suppress(OSError):
        work.unfinished.unlink()
    return Surveyed(written, counted.resumed, counted.note)


def quoted_name(name: str) -> str:
    """A name as it stands in the list that `--columns` takes.

    >>> print(quoted_name("age"), quoted_name("city, street"), quoted_name('the "real" name'))
    age "city, street" "the ""real"" name"
    """
    if name == name.strip() and not any(mark in name for mark in ',"\r\n'):
        return name
    return '"' + name.replace('"', '""') + '"'


def _counted(work: Survey, count: Count, pieces: list[SetCounts], progress: Progress) -> Iterator[SetCounts]:
    """The pieces that are still to do, each as long as the last one's time suggests."""
    total = len(work.in_turn)
    done = _sets_in(pieces)
    length = len(pieces[-1].sets) if pieces else FIRST
    progress("counting sets of columns", done, total)
    while done < total:
        began = perf_counter()
        piece = count(work.in_turn[done : done + length])
        _same_data(work, [*pieces[:1], piece])
        yield piece
        done += len(piece.sets)
        length = _next_length(len(piece.sets), perf_counter() - began)
        progress("counting sets of columns", done, total)


def _next_length(last: int, seconds: float) -> int:
    wanted = SECONDS_A_PIECE / max(seconds, SECONDS_A_PIECE / MOST_CHANGE)
    return min(max(int(last * max(wanted, 1 / MOST_CHANGE)), FEWEST), MOST)


def _same_data(work: Survey, pieces: list[SetCounts]) -> None:
    """Pieces of different data are no survey; then the old ones are of no use to the next run either."""
    if len({(each.records, each.people, each.allow) for each in pieces}) > 1:
        work.unfinished.unlink(missing_ok=True)
        raise InputError(f"{work.out}: the data changed since the first sets were counted; run again")


def _batches(work: Survey, counts: SetCounts, progress: Progress) -> Iterator[pyarrow.RecordBatch]:
    order = numpy.lexsort((counts.sets, sizes_of(counts.sets)))
    quoted = tuple(map(quoted_name, work.columns))
    for start in range(0, len(order), LINES_A_BATCH):
        progress("writing sets of columns", start, len(order))
        yield _lines(quoted, some_of(counts, order[start : start + LINES_A_BATCH]))


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


def _kept(work: Survey) -> tuple[list[SetCounts], int, str]:
    """The pieces of an unfinished run, where they end in its file, and what to say about the rest of it."""
    path = work.unfinished
    if not path.is_file():
        return [], 0, ""
    try:
        with path.open("rb") as handle:
            if fault := _fault(handle.readline(LONGEST_HEADER), work):
                return [], 0, f"{path}: {fault}; it is replaced, and all sets are counted anew"
            pieces, end = _blocks(handle, work.in_turn)
            cut = end < handle.seek(0, os.SEEK_END)
    except OSError as error:
        return [], 0, f"{path}: {_reason(error)}; it is replaced, and all sets are counted anew"
    damaged = f"{path}: is damaged after {_sets_in(pieces):,} sets; the others are counted anew"
    return pieces, end, damaged if cut else ""


def _fault(header: bytes, work: Survey) -> str | None:
    if header == work.header:
        return None
    with suppress(ValueError, AttributeError, RecursionError):
        if json.loads(header).get("kind") == KIND:
            return "is of other data or another question"
    return "is no unfinished run"


def _blocks(handle: BinaryIO, sets: Sets) -> tuple[list[SetCounts], int]:
    """The pieces up to the first that is cut off, damaged or not in its place, and where they end."""
    pieces: list[SetCounts] = []
    end = handle.tell()
    while piece := _read_block(handle, sets[_sets_in(pieces) :], _sets_in(pieces)):
        pieces.append(piece)
        end = handle.tell()
    return pieces, end


def _read_block(handle: BinaryIO, sets: Sets, start: int) -> SetCounts | None:
    head, check = handle.read(HEAD.size), handle.read(CHECK.size)
    if len(check) < CHECK.size:
        return None
    place, length, records, people, allow = HEAD.unpack(head)
    if place != start or not 0 < length <= len(sets):
        return None
    body = handle.read(8 * length * len(NUMBERS))
    if len(body) < 8 * length * len(NUMBERS) or _check(head, body) != check:
        return None
    numbers = numpy.frombuffer(body, dtype="<i8").astype(numpy.int64).reshape(len(NUMBERS), length)
    counted = dict(zip(NUMBERS, numbers, strict=True))
    return SetCounts(sets=sets[:length], records=records, people=people, allow=allow, **counted)


def _block(piece: SetCounts, start: int) -> bytes:
    head = HEAD.pack(start, len(piece.sets), piece.records, piece.people, piece.allow)
    body = b"".join(getattr(piece, name).astype("<i8").tobytes() for name in NUMBERS)
    return head + _check(head, body) + body


def _check(head: bytes, body: bytes) -> bytes:
    return CHECK.pack(crc32(body, crc32(head)))


@contextmanager
def _appending(work: Survey, end: int) -> Iterator[int]:
    """The unfinished file cut to what is good of it, or a new one; without a finished piece it goes again."""
    handle = _opened(work, end)
    try:
        if not end:
            _append(work, handle, work.header)
        yield handle
    except BaseException:
        if os.fstat(handle).st_size <= len(work.header):
            work.unfinished.unlink(missing_ok=True)
        raise
    finally:
        os.close(handle)


def _opened(work: Survey, end: int) -> int:
    """A new file is one that was not there, so that no link leads elsewhere and nobody else can read it."""
    with _told(work):
        if not end:
            work.unfinished.unlink(missing_ok=True)
        new = 0 if end else os.O_CREAT | os.O_EXCL
        handle = os.open(work.unfinished, os.O_WRONLY | os.O_APPEND | new, 0o600)
        os.truncate(handle, end)
    return handle


def _append(work: Survey, handle: int, block: bytes) -> None:
    rest = memoryview(block)
    with _told(work):
        while rest:
            rest = rest[os.write(handle, rest) :]


@contextmanager
def _told(work: Survey) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(
            f"{work.unfinished}: {_reason(error)}; what is counted is kept there, so make room for it"
        ) from error


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _sets_in(pieces: list[SetCounts]) -> int:
    return sum(len(piece.sets) for piece in pieces)

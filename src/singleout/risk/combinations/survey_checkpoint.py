"""The pieces of a survey that is not finished, kept in a file beside its target: counts only, no values."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

import numpy

from singleout.engine.column_sets.set_counts import ARRAYS, SetCounts, Sets
from singleout.errors import OutputError

KIND = "unfinished survey of sets of columns"
NUMBERS = tuple(name for name in ARRAYS if name != "sets")
# its first set's place, how many sets, records, people, allow; then a checksum of these and the numbers
HEAD = struct.Struct("<5Q")
CHECK = struct.Struct("<I")
LONGEST_HEADER = 1 << 24


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """Where the pieces are kept; the `header` line is the same only if data, question and sets are."""

    path: Path
    header: bytes
    sets: Sets


def read_checkpoint(checkpoint: Checkpoint) -> tuple[list[SetCounts], int, str]:
    """The pieces of an unfinished run, where they end in its file, and what to say about the rest of it."""
    path = checkpoint.path
    if not path.is_file():
        return [], 0, ""
    try:
        with path.open("rb") as handle:
            if fault := _fault(handle.readline(LONGEST_HEADER), checkpoint):
                return [], 0, f"{path}: {fault}; it is replaced, and all sets are counted anew"
            pieces, end = _blocks(handle, checkpoint.sets)
            cut = end < handle.seek(0, os.SEEK_END)
    except OSError as error:
        return [], 0, f"{path}: {_reason(error)}; it is replaced, and all sets are counted anew"
    damaged = f"{path}: is damaged after {sets_in(pieces):,} sets; the others are counted anew"
    return pieces, end, damaged if cut else ""


def _fault(header: bytes, checkpoint: Checkpoint) -> str | None:
    if header == checkpoint.header:
        return None
    with suppress(ValueError, AttributeError, RecursionError):
        if json.loads(header).get("kind") == KIND:
            return "is of other data or another question"
    return "is no unfinished run"


def _blocks(handle: BinaryIO, sets: Sets) -> tuple[list[SetCounts], int]:
    """The pieces up to the first that is cut off, damaged or not in its place, and where they end."""
    pieces: list[SetCounts] = []
    end = handle.tell()
    while piece := _read_block(handle, sets[sets_in(pieces) :], sets_in(pieces)):
        pieces.append(piece)
        end = handle.tell()
    return pieces, end


def _read_block(handle: BinaryIO, sets: Sets, start: int) -> SetCounts | None:
    head, check = handle.read(HEAD.size), handle.read(CHECK.size)
    if len(check) < CHECK.size:
        return None
    first, length, records, people, allow = HEAD.unpack(head)
    if first != start or not 0 < length <= len(sets):
        return None
    body = handle.read(8 * length * len(NUMBERS))
    if len(body) < 8 * length * len(NUMBERS) or _check(head, body) != check:
        return None
    numbers = numpy.frombuffer(body, dtype="<i8").astype(numpy.int64).reshape(len(NUMBERS), length)
    counted = dict(zip(NUMBERS, numbers, strict=True))
    return SetCounts(sets=sets[:length], records=records, people=people, allow=allow, **counted)


def block(piece: SetCounts, start: int) -> bytes:
    head = HEAD.pack(start, len(piece.sets), piece.records, piece.people, piece.allow)
    body = b"".join(getattr(piece, name).astype("<i8").tobytes() for name in NUMBERS)
    return head + _check(head, body) + body


def _check(head: bytes, body: bytes) -> bytes:
    return CHECK.pack(crc32(body, crc32(head)))


@contextmanager
def open_checkpoint(checkpoint: Checkpoint, end: int) -> Iterator[int]:
    """The unfinished file cut to what is good of it, or a new one; without a finished piece it goes again."""
    handle = _open_file(checkpoint, end)
    try:
        if not end:
            append(checkpoint, handle, checkpoint.header)
        yield handle
    except BaseException:
        if os.fstat(handle).st_size <= len(checkpoint.header):
            checkpoint.path.unlink(missing_ok=True)
        raise
    finally:
        os.close(handle)


def _open_file(checkpoint: Checkpoint, end: int) -> int:
    """A new file is one that was not there, so that no link leads elsewhere and nobody else can read it."""
    with _explain_errors(checkpoint):
        if not end:
            checkpoint.path.unlink(missing_ok=True)
        new = 0 if end else os.O_CREAT | os.O_EXCL
        handle = os.open(checkpoint.path, os.O_WRONLY | os.O_APPEND | new, 0o600)
        os.truncate(handle, end)
    return handle


def append(checkpoint: Checkpoint, handle: int, block: bytes) -> None:
    rest = memoryview(block)
    with _explain_errors(checkpoint):
        while rest:
            rest = rest[os.write(handle, rest) :]


@contextmanager
def _explain_errors(checkpoint: Checkpoint) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(
            f"{checkpoint.path}: {_reason(error)}; what is counted is kept there, so make room for it"
        ) from error


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def sets_in(pieces: list[SetCounts]) -> int:
    return sum(len(piece.sets) for piece in pieces)

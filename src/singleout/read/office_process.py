"""Files of offices are read in a process of their own: what crashes, hangs or fills the memory ends there."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from singleout import limited_process
from singleout.errors import InputError, SingleoutError, UsageError
from singleout.read.office_table import FileLabels, OfficeTable, labels_from

if TYPE_CHECKING:
    import pyarrow

MODULE = "singleout.read.office_reader"
# addresses rather than memory: libraries reserve some that they never use
LEAST_BYTES, BYTES_OF_EACH = 2_000_000_000, 500
LEAST_SECONDS, SECONDS_A_MEGABYTE = 60, 10
# that is processor time; by the clock a busy machine needs more
CLOCK_TIMES = 5
# each thread that a library might need would reserve addresses
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
MEGABYTE = 1_000_000
PIECE = 1 << 20
SAVE = "save it again, or as .csv"


def read_office_file(path: Path, kind: str, sheet: str | None = None) -> OfficeTable:
    head, content = _answer(path, {"kind": kind, "sheet": sheet})
    return OfficeTable(
        _table(path, content),
        remarks=tuple(head["remarks"]),
        merged=tuple(head["merged"]),
        other_contents=tuple(head["other_contents"]),
    )


def read_labels(path: Path, kind: str) -> FileLabels:
    """What a file of a statistics program says about its columns; no record is read."""
    head, _ = _answer(path, {"kind": kind, "labels": True})
    return labels_from(head["labels"])


def _answer(path: Path, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """What the process says, in one line of JSON, and what follows that."""
    size = path.stat().st_size
    most = LEAST_BYTES + BYTES_OF_EACH * size
    seconds = LEAST_SECONDS + SECONDS_A_MEGABYTE * size // MEGABYTE
    limits = {"seconds": seconds, "memory_megabytes": most // MEGABYTE, "disk_megabytes": 0}
    process = limited_process.start(MODULE, {**request, "path": str(path), "limits": limits}, **ONE_THREAD)
    begin = time.monotonic()
    clock = threading.Timer(CLOCK_TIMES * seconds, process.kill)
    clock.daemon = True
    clock.start()
    try:
        line, content = _output(process, most)
        code = process.wait()
    finally:
        clock.cancel()
        limited_process.end(process)
    if code:
        late = code == -signal.SIGXCPU or time.monotonic() > begin + seconds
        raise InputError(f"{path}: {_too_slow(seconds) if late else _too_large(most)}")
    try:
        head: dict[str, Any] = json.loads(line)
    except ValueError as error:
        raise InputError(f"{path}: {_too_large(most)}") from error
    if "fault" in head:
        raise _fault(head)
    return head, content


def _output(process: subprocess.Popen[bytes], most: int) -> tuple[bytes, bytes]:
    """No more than the process may have held in its memory."""
    assert process.stdout is not None
    line = process.stdout.readline(most)
    pieces, many = [], len(line)
    while many <= most and (piece := process.stdout.read(PIECE)):
        pieces.append(piece)
        many += len(piece)
    if many > most:
        process.kill()
    return line, b"".join(pieces)


def _too_slow(seconds: int) -> str:
    return f"took more than {seconds:,} seconds to read, far more than a file of its size needs; {SAVE}"


def _too_large(most: int) -> str:
    return f"is damaged, or needs more than {most / 1e9:.1f} GB of memory to be read; {SAVE}"


def _fault(head: dict[str, Any]) -> SingleoutError:
    kind = UsageError if head["usage"] else InputError
    return kind(head["fault"])


def _table(path: Path, content: bytes) -> pyarrow.Table:
    """Looked through before anything follows its offsets: the process read what somebody made."""
    import pyarrow

    try:
        with pyarrow.ipc.open_stream(content) as reader:
            table = reader.read_all()
        table.validate(full=True)
    except pyarrow.ArrowException as error:
        raise InputError(f"{path}: is damaged; {SAVE}") from error
    return table

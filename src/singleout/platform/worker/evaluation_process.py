"""An evaluation in a process of its own: started with limits, listened to, ended when its time is up."""

from __future__ import annotations

import contextlib
import json
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from singleout import limited_process
from singleout.platform.settings import ProcessLimits
from singleout.platform.unlinked_release import UNLINK

LONGEST_LINE = 4_000_000
LONGEST_WAIT = 0.5
QUICK = ("validate", "guesses", UNLINK)
MODULE = "singleout.platform.worker.evaluator"
SCORER = "singleout.platform.scorer"


@dataclass(frozen=True)
class ProcessAnswer:
    """What an evaluation came to: a result, or a fault and whose it is; neither if it was called off."""

    result: list[dict[str, Any]] | None = None
    fault: str | None = None
    by_platform: bool = False


def evaluate(
    request: dict[str, Any],
    folder: Path,
    limits: ProcessLimits,
    keep_on: Callable[[dict[str, Any] | None], bool],
    *,
    seconds_between_signs: float = 10.0,
    stop: threading.Event | None = None,
) -> ProcessAnswer:
    """Runs until the answer, the limit, a stop, or until `keep_on`, which hears of progress, says no."""
    seconds = limits.validation_seconds if request["kind"] in QUICK else limits.scoring_seconds
    whole = {
        **request,
        "limits": {
            "seconds": seconds,
            "memory_megabytes": limits.memory_megabytes,
            "disk_megabytes": limits.disk_megabytes,
        },
    }
    process = limited_process.start(MODULE, whole, TMPDIR=str(folder))
    try:
        return _listen(process, seconds, limits, keep_on, seconds_between_signs, stop or threading.Event())
    finally:
        limited_process.end(process)


def _listen(
    process: subprocess.Popen[bytes],
    seconds: int,
    limits: ProcessLimits,
    keep_on: Callable[[dict[str, Any] | None], bool],
    between_signs: float,
    stop: threading.Event,
) -> ProcessAnswer:
    lines = _lines_of(process)
    deadline, next_sign = time.monotonic() + seconds, 0.0
    progress: dict[str, Any] | None = None
    while True:
        now = time.monotonic()
        if stop.is_set():
            return ProcessAnswer()
        if now >= deadline:
            return ProcessAnswer(fault=f"it took longer than {seconds:,} seconds")
        if now >= next_sign:
            if not keep_on(progress):
                return ProcessAnswer()
            next_sign = now + between_signs
        try:
            line = lines.get(timeout=max(0.0, min(deadline, next_sign, now + LONGEST_WAIT) - now))
        except queue.Empty:
            continue
        if line is None:
            return _no_answer(process.wait(), limits)
        said = json.loads(line)
        if "progress" in said:
            progress, next_sign = said["progress"], min(next_sign, time.monotonic() + 1.0)
            continue
        return _answer(said, limits)


def _lines_of(process: subprocess.Popen[bytes]) -> queue.Queue[bytes | None]:
    """Read in a thread, so that waiting for a line can end; None is the end."""
    lines: queue.Queue[bytes | None] = queue.Queue()
    assert process.stdout is not None
    pipe = process.stdout

    def read() -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := pipe.readline(LONGEST_LINE):
                lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines


def _answer(said: dict[str, Any], limits: ProcessLimits) -> ProcessAnswer:
    if said.get("memory"):
        return ProcessAnswer(fault=_too_much_memory(limits))
    if "fault" in said:
        # what a contest does wrong is not its participants' to pay for
        return ProcessAnswer(fault=said["fault"], by_platform=said.get("of_contest", False))
    return ProcessAnswer(result=said["result"])


def _no_answer(code: int, limits: ProcessLimits) -> ProcessAnswer:
    """Killed by a limit is the table's doing; an error that nobody foresaw is ours."""
    if code == -signal.SIGXCPU:
        return ProcessAnswer(fault="it took more processor time than it may")
    if code < 0:
        return ProcessAnswer(fault=_too_much_memory(limits))
    return ProcessAnswer(
        fault="a mistake of the platform, not yours; the organiser can run it again", by_platform=True
    )


def _too_much_memory(limits: ProcessLimits) -> str:
    return f"it needed more than {limits.memory_megabytes:,} MB of memory, or could not be read at all"

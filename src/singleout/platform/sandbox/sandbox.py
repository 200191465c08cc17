"""One run of a metric in the sandbox: started, listened to with a limit on everything, and ended."""

from __future__ import annotations

import json
import os
import selectors
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from singleout.errors import printable_lines
from singleout.platform.sandbox.confinement import Confinement, MetricLimits, landlock_view
from singleout.platform.sandbox.control_group import control_group
from singleout.platform.sandbox.guest import STARTED
from singleout.platform.sandbox.metric_answer import MetricAnswer, MetricAnswerError, read_answer
from singleout.platform.sandbox.seccomp_filter import seccomp_filter
from singleout.platform.uploaded_metric import UploadedMetric
from singleout.temporary_files import temporary_folder

MOST_ANSWER, MOST_LOG, KEPT_LOG = 1 << 20, 4 << 20, 64 << 10
LIMITS = MetricLimits()
SECONDS_BETWEEN_LOOKS = 0.2
# until the walls stand; a machine may have much else to do
SECONDS_TO_START = 30
SPARE_MEMORY_MEGABYTES = 200
READABLE_BY_OTHERS, READABLE_BY_ALL = 0o004, 0o444
STOPPED = "called off"
NOT_STARTED = "the sandbox could not be started: a fault of the platform, not yours"


@dataclass(frozen=True)
class MetricRun:
    """What a run came to: a value or a reason why there is none, and what the metric printed.

    `by_platform` says that the sandbox itself failed. `called_off` that somebody stopped it.
    """

    value: float | None
    reason: str | None
    log: str
    seconds: float
    by_platform: bool = False
    called_off: bool = False


def run_metric(
    metric: UploadedMetric,
    files: Mapping[str, Path],
    confinement: Confinement,
    *,
    parameters: Mapping[str, Any] | None = None,
    limits: MetricLimits = LIMITS,
    stop: threading.Event | None = None,
) -> MetricRun:
    """`files` are the tables by the names that the metric knows them by: original, release, perhaps truth."""
    begun = time.monotonic()
    request = {
        "language": metric.language, "text": metric.text, "tables": metric.tables,
        "parameters": dict(parameters or {}), "limits": confinement.limits(limits),
    }  # fmt: skip
    content, log, ending = _run(request, files, confinement, limits, stop or threading.Event())
    seconds = time.monotonic() - begun
    if ending == STOPPED:
        return MetricRun(None, STOPPED, log, seconds, called_off=True)
    if not content.startswith(STARTED):
        return MetricRun(None, NOT_STARTED, log, seconds, by_platform=True)
    try:
        answer = read_answer(content.removeprefix(STARTED)) if ending is None else MetricAnswer(None, ending)
    except MetricAnswerError as fault:
        answer = MetricAnswer(None, str(fault))
    return MetricRun(*metric.judged(answer.value, answer.reason), log, seconds)


def _run(
    request: dict[str, Any],
    files: Mapping[str, Path],
    confinement: Confinement,
    limits: MetricLimits,
    stop: threading.Event,
) -> tuple[bytes, str, str | None]:
    with ExitStack() as held:
        scratch = held.enter_context(temporary_folder())
        tables = _readable(files, scratch) if confinement.as_root else _resolved(files)
        memory = (limits.memory_megabytes + limits.disk_megabytes + SPARE_MEMORY_MEGABYTES) * 1_000_000
        group = held.enter_context(control_group(memory, limits.processes))
        result, told = os.pipe()
        seccomp = _with_content(seccomp_filter())
        for each in (result, told, seccomp):
            held.callback(_close, each)
        plan = confinement.plan(
            tables, limits, result=told, seccomp=seccomp, scratch=scratch, groups=group.members
        )
        inside = {name: confinement.inside(name, path) for name, path in tables.items()}
        sealed = landlock_view(tables.values()) if confinement.wall == "landlock" else None
        process = subprocess.Popen(
            confinement.command(plan), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env={}, pass_fds=(told, seccomp), start_new_session=True, cwd="/",
        )  # fmt: skip
        held.callback(_end, process)
        _close(told)
        _ask(process, {**request, "files": inside, "sealed": sealed})
        content, log, ending = _listen(process, result, limits, stop)
        return content, printable_lines(log.decode("utf-8", "replace")), ending


def _resolved(files: Mapping[str, Path]) -> dict[str, Path]:
    return {name: path.resolve() for name, path in files.items()}


def _readable(files: Mapping[str, Path], folder: Path) -> dict[str, Path]:
    """What only root can read, as copies that all may: in a folder that only root can enter."""
    found = _resolved(files)
    for name, path in found.items():
        if not path.stat().st_mode & READABLE_BY_OTHERS:
            found[name] = Path(shutil.copyfile(path, folder / f"{name}{path.suffix}"))
            found[name].chmod(READABLE_BY_ALL)
    return found


def _with_content(content: bytes) -> int:
    number = os.memfd_create("filter", 0)
    os.write(number, content)
    os.lseek(number, 0, os.SEEK_SET)
    return number


def _ask(process: subprocess.Popen[bytes], request: dict[str, Any]) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.write(json.dumps(request).encode())
        process.stdin.close()


def _listen(
    process: subprocess.Popen[bytes], result: int, limits: MetricLimits, stop: threading.Event
) -> tuple[bytes, bytes, str | None]:
    """The answer, the log, and why it was ended if it was."""
    assert process.stdout is not None
    deadline, started = time.monotonic() + SECONDS_TO_START, False
    content, log, printed = bytearray(), bytearray(), 0
    with selectors.DefaultSelector() as waiting:
        waiting.register(result, selectors.EVENT_READ, content)
        waiting.register(process.stdout, selectors.EVENT_READ, log)
        while waiting.get_map():
            if stop.is_set():
                return bytes(content), bytes(log), STOPPED
            if time.monotonic() > deadline:
                return bytes(content), bytes(log), f"it took longer than {limits.seconds:,} seconds"
            if content and not started:
                deadline, started = time.monotonic() + limits.seconds, True
            for key, _ in waiting.select(SECONDS_BETWEEN_LOOKS):
                piece = os.read(key.fd, 1 << 16)
                if not piece:
                    waiting.unregister(key.fileobj)
                elif key.data is content:
                    content += piece
                else:
                    printed += len(piece)
                    log += piece[: max(0, KEPT_LOG - len(log))]
            if len(content) > MOST_ANSWER:
                return bytes(content), bytes(log), f"its answer is larger than {MOST_ANSWER:,} bytes"
            if printed > MOST_LOG:
                return bytes(content), bytes(log), f"it printed more than {MOST_LOG:,} bytes"
    return bytes(content), bytes(log), _ending(process.wait(), content != STARTED, limits)


def _ending(code: int, answered: bool, limits: MetricLimits) -> str | None:
    """Why a process ended that gave no answer."""
    if answered:
        return None
    number = -code if code < 0 else code - 128
    if number == signal.SIGXCPU:
        return f"it took more than {limits.seconds:,} seconds of processor time"
    if number == signal.SIGKILL:
        return f"it was ended: more than {limits.seconds:,} seconds or {limits.memory_megabytes:,} MB"
    if number > 0:
        return f"it crashed ({_signal_name(number)})"
    return "it ended without an answer"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _close(number: int) -> None:
    with suppress(OSError):
        os.close(number)

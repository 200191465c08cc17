"""Whether the sandbox holds on this machine: all break-outs are tried, and none may succeed."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from singleout.platform.sandbox.break_outs import ATTEMPTS, NOT_BEHIND_LANDLOCK
from singleout.platform.sandbox.confinement import (
    Confinement,
    MetricLimits,
    Wall,
    folder_that_shows,
    possible_walls,
)
from singleout.platform.sandbox.sandbox import run_metric
from singleout.platform.uploaded_metric import UploadedMetric
from singleout.temporary_files import temporary_folder

LIMITS = MetricLimits(seconds=60, memory_megabytes=2_000, disk_megabytes=64)
EXPOSED = "no uploaded metric runs here: {} lies in {}, which metrics can read; keep it elsewhere"
CANARY_VARIABLE = "SINGLEOUT_CANARY"
PROGRAM = """\
from singleout.platform.sandbox.break_outs import escaped as _escaped
def metric(parameters):
    found = _escaped(parameters)
    for each in found:
        print(each)
    return len(found)
"""
TRIAL = UploadedMetric("trial", "utility", "lower", 0, len(ATTEMPTS), "python", PROGRAM)


@dataclass(frozen=True)
class WallCheck:
    """What was found out: the wall that holds, None if none does; what was tried, and what escaped."""

    wall: Wall | None
    tried: int
    escaped: tuple[str, ...]
    says: str

    @property
    def confinement(self) -> Confinement | None:
        return None if self.wall is None else Confinement(self.wall)


def exposed(places: Iterable[Path]) -> WallCheck | None:
    """That what a platform keeps lies where metrics look for Python and its packages, if it does."""
    shown = ((place, folder_that_shows(place)) for place in places)
    return next((WallCheck(None, 0, (), EXPOSED.format(*each)) for each in shown if each[1]), None)


def check_walls(walls: Sequence[Wall] | None = None) -> WallCheck:
    """The strongest wall that can be built here; a hole in it, and none is trusted."""
    reasons = []
    for wall in possible_walls() if walls is None else walls:
        check = check_wall(Confinement(wall))
        if check.wall is not None or check.escaped:
            return check
        reasons.append(check.says)
    says = "; ".join(reasons) or "there is no sandbox for this kind of machine"
    return WallCheck(None, 0, (), f"no uploaded metric runs here: {says}")


def check_wall(confinement: Confinement) -> WallCheck:
    wall = confinement.wall
    with outside() as host, temporary_folder() as folder:
        table = folder / "original.csv"
        table.write_text("a\n1\n", encoding="ascii")
        told = {**host, "table": confinement.inside("original", table)}
        run = run_metric(TRIAL, {"original": table}, confinement, parameters=told, limits=LIMITS)
    if run.value is None:
        return WallCheck(None, 0, (), f"{wall} can't be used here ({_last_line(run.log) or run.reason})")
    succeeded = run.log.split()
    escaped = tuple(each for each in succeeded if not _is_excused(each, confinement))
    if run.value != len(succeeded) or escaped:
        return WallCheck(None, len(ATTEMPTS), escaped, f"{wall} does not hold: {', '.join(escaped)}")
    return WallCheck(wall, len(ATTEMPTS), (), _holds(wall, len(ATTEMPTS), succeeded))


def _holds(wall: Wall, tried: int, excused: Sequence[str]) -> str:
    """What a wall can't stop is told, and not counted as nothing.

    >>> _holds("landlock", 85, ["know_the_name_of_the_machine"])
    'landlock holds: 85 break-outs tried, 0 succeeded but what it can not stop (know_the_name_of_the_machine)'
    """
    but = f" but what it can not stop ({', '.join(excused)})" if excused else ""
    return f"{wall} holds: {tried} break-outs tried, 0 succeeded{but}"


def _is_excused(name: str, confinement: Confinement) -> bool:
    return confinement.wall == "landlock" and name in NOT_BEHIND_LANDLOCK


def _last_line(log: str) -> str:
    return (log.strip().splitlines() or [""])[-1][:200]


@contextmanager
def outside() -> Iterator[dict[str, Any]]:
    """What there is to be reached: a file, a folder, sockets, a process, a secret in the environment."""
    word = f"canary-{secrets.token_hex(8)}"
    with ExitStack() as held:
        folder = held.enter_context(temporary_folder())
        place = folder / "open"
        (place / "mount").mkdir(parents=True)
        (place / "file").write_text(word, encoding="ascii")
        for path, mode in ((folder, 0o755), (place, 0o777), (place / "file", 0o666)):
            path.chmod(mode)
        port = held.enter_context(socket.create_server(("127.0.0.1", 0)))
        abstract, by_file = (held.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(2))
        abstract.bind(f"\0{word}")
        by_file.bind(str(place / "socket"))
        (place / "socket").chmod(0o777)
        for each in (abstract, by_file):
            each.listen()
        process = _sleeper(word)
        held.callback(_end, process)
        os.environ[CANARY_VARIABLE] = word
        held.callback(os.environ.pop, CANARY_VARIABLE, None)
        yield {
            "word": word, "file": str(place / "file"), "folder": str(place), "port": port.getsockname()[1],
            "mount": str(place / "mount"), "abstract": word, "socket": str(place / "socket"),
            "process": process.pid, "machine": os.uname().nodename,
        }  # fmt: skip


def _sleeper(word: str) -> subprocess.Popen[bytes]:
    """Waits for an input that never comes; its name is the word."""
    program = [sys.executable, "-I", "-S", "-c", "import sys; sys.stdin.read()", word]
    return subprocess.Popen(program, stdin=subprocess.PIPE, env={CANARY_VARIABLE: word})


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    if process.stdin is not None:
        process.stdin.close()

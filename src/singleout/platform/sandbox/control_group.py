"""A control group of the kernel for one run: all its memory and processes together have a limit."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

ROOT = Path("/sys/fs/cgroup")
MEMBERS = "cgroup.procs"
# the name of a limit in the second version of control groups, and in the first with its controller
MEMORY = ("memory.max", ("memory", "memory.limit_in_bytes"))
PROCESSES = ("pids.max", ("pids", "pids.max"))
SPARE_PROCESSES = 8
TRIES, SECONDS_BETWEEN_TRIES = 40, 0.05


@dataclass(frozen=True)
class ControlGroup:
    """The files that a process writes its number into to join; none where groups can't be made."""

    members: tuple[Path, ...]


@contextmanager
def control_group(memory_bytes: int, processes: int) -> Iterator[ControlGroup]:
    """One below this process's own, for as long as the block; what can't be limited is left out."""
    limits = {MEMORY: memory_bytes, PROCESSES: processes + SPARE_PROCESSES}
    made: list[Path] = []
    try:
        for kind, most in limits.items():
            with suppress(OSError):
                _add(made, kind, most)
        yield ControlGroup(tuple(each / MEMBERS for each in made))
    finally:
        for each in made:
            _remove(each)


def _remove(folder: Path) -> None:
    """The kernel takes a moment to forget processes that were ended."""
    for _ in range(TRIES):
        with suppress(OSError):
            folder.rmdir()
            return
        time.sleep(SECONDS_BETWEEN_TRIES)


def _add(made: list[Path], kind: tuple[str, tuple[str, str]], most: int) -> None:
    own, (second, (controller, first)) = _own_groups(), kind
    if "" in own and (ROOT / own[""].lstrip("/") / second).exists():
        folder = next(iter(made), ROOT / own[""].lstrip("/") / _new_name())
        limit = second
    elif controller in own:
        folder, limit = ROOT / controller / own[controller].lstrip("/") / _new_name(), first
    else:
        return
    if folder not in made:
        folder.mkdir()
        made.append(folder)
    (folder / limit).write_text(str(most), encoding="ascii")


def _new_name() -> str:
    return f"singleout-{os.getpid()}-{token_hex(4)}"


def _own_groups() -> dict[str, str]:
    """By controller; of the second version, which has one tree for all, by an empty name."""
    found: dict[str, str] = {}
    for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
        _, controllers, path = line.split(":", 2)
        found |= {each.removeprefix("name="): path for each in controllers.split(",")}
    return found

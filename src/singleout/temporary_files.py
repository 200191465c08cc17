"""Temporary files whose names tell whose they are: what a killed process left can be found and removed."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex
from socket import gethostname

from singleout.errors import InputError

# as in .release.csv.1a2b3c4d-4711-99887766-0f1e2d3c.part and singleout-1a2b3c4d-4711-99887766-0f1e2d3c
MARK = r"(?P<host>[0-9a-f]{8})-(?P<process>[0-9]{1,10})-(?P<start>[0-9]{1,20})-[0-9a-f]{8,16}"
DRAFT = re.compile(rf"\..*\.{MARK}\.part", re.DOTALL)
FOLDER = re.compile(rf"singleout-{MARK}")
NO_FOLDER = "no folder for temporary files can be written to; name one by TMPDIR"


@dataclass(frozen=True)
class Leftover:
    """A draft of a file, or a folder of temporary files, that its process can no longer remove.

    `removable` is False of another host's or user's: nobody here can know whether they are still at work.
    """

    path: Path
    removable: bool

    def remove(self) -> bool:
        """Whether it is gone; links are never followed."""
        if not self.removable:
            return False
        with suppress(OSError):
            if self.path.is_dir() and not self.path.is_symlink():
                shutil.rmtree(self.path, ignore_errors=True)
            else:
                self.path.unlink(missing_ok=True)
        return not os.path.lexists(self.path)


def draft_path(path: Path) -> Path:
    """Only the name: whoever knows it before the file is there can clean up whenever interrupted."""
    return path.parent / f".{path.name[:40]}.{_mark()}-{token_hex(4)}.part"


def folder_path() -> Path:
    """A folder for this process only, among those of all programs; the caller makes and removes it."""
    return temporary_place() / f"singleout-{_mark()}-{token_hex(8)}"


def is_temporary(path: Path) -> bool:
    """Whether it is in such a folder, and gone with it."""
    return any(FOLDER.fullmatch(part) for part in path.parts)


def temporary_place() -> Path:
    try:
        return Path(tempfile.gettempdir())
    except OSError as error:
        raise InputError(NO_FOLDER) from error


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that only its owner can look into; it is removed with all that is in it."""
    remove_leftovers(temporary_place())
    folder = folder_path()
    try:
        try:
            folder.mkdir(mode=0o700)
        except OSError as error:
            raise InputError(NO_FOLDER) from error
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@cache
def remove_leftovers(folder: Path) -> None:
    """Of processes that are gone; once for a folder is enough."""
    _LOOKED_AT.add(folder)
    for leftover in leftovers([folder]):
        leftover.remove()


# where this process may have files of its own
_LOOKED_AT: set[Path] = set()


def remove_own() -> None:
    """At the end of a process that was interrupted, maybe while it cleaned up."""
    mark = _mark()
    for folder in _LOOKED_AT:
        for name in _marked_names(folder):
            if mark in name:
                Leftover(folder / name, removable=True).remove()


def leftovers(folders: Iterable[Path]) -> tuple[Leftover, ...]:
    """What was left in these folders by processes that are gone, or of which nobody here can tell."""
    return tuple(each for folder in dict.fromkeys(folders) for each in _leftovers_in(folder))


def _leftovers_in(folder: Path) -> Iterator[Leftover]:
    for name, kind in _marked_names(folder).items():
        here = kind["host"] == _host()
        if not here or not _is_running(int(kind["process"]), int(kind["start"])):
            yield Leftover(folder / name, here and _is_own(folder / name))


def _marked_names(folder: Path) -> dict[str, re.Match[str]]:
    """Those that tell whose they are."""
    try:
        with os.scandir(folder) as entries:
            named = sorted(each.name for each in entries if "-" in each.name)
    except OSError:
        return {}
    kinds = {name: DRAFT.fullmatch(name) or FOLDER.fullmatch(name) for name in named}
    return {name: kind for name, kind in kinds.items() if kind is not None}


def _is_own(path: Path) -> bool:
    """A plain file or folder of this user: others could make a name that leads elsewhere."""
    try:
        status = path.lstat()
    except OSError:
        return False
    plain = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
    return plain and (not hasattr(os, "getuid") or status.st_uid == os.getuid())


def _mark() -> str:
    process = os.getpid()
    return f"{_host()}-{process}-{_start_of(process)}"


@cache
def _host() -> str:
    """Of this machine, and of this container where numbers of processes are its own."""
    try:
        namespace = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        namespace = ""
    return blake2b(f"{gethostname()} {namespace}".encode(), digest_size=4).hexdigest()


def _is_running(process: int, start: int) -> bool:
    """Whether the process is still there; one that got its number since has started at another time."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return _start_of(process) == start or not start


def _start_of(process: int) -> int:
    """When it started, in ticks since the machine did; 0 where that can't be known."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
        return int(text.rpartition(")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return 0

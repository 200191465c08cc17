"""Small files that are read whole, such as a policy: what is read of them is what is told of them."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path

from singleout.errors import InputError
from singleout.files import real_path

FilePath = str | PathLike[str]


@dataclass(eq=False)
class ReadFiles:
    """What a job has read: the digest of each file, and its bytes unless it is a secret."""

    digests: dict[Path, str] = field(default_factory=dict)
    contents: dict[Path, bytes] = field(default_factory=dict)

    def note(self, path: FilePath, content: bytes, secret: bool) -> None:
        """A file that is read again must be as it was: half of a result may come from each reading."""
        place, digest = real_path(path), hashlib.sha256(content).hexdigest()
        if self.digests.setdefault(place, digest) != digest:
            raise InputError(f"{path}: changed while it was read; run again on a copy that stands still")
        if not secret:
            self.contents[place] = content

    def was_read(self, path: FilePath) -> bool:
        return real_path(path) in self.digests

    def below(self, path: FilePath) -> dict[Path, bytes]:
        """The bytes of a file, or of those in a folder by their names, as far as they were read."""
        place = real_path(path)
        found = sorted(each for each in self.contents if each == place or each.parent == place)
        return {each: self.contents[each] for each in found}


_READ: ContextVar[ReadFiles | None] = ContextVar("read", default=None)


@contextmanager
def note_files() -> Iterator[ReadFiles]:
    """Within it, all that is read by `input_bytes` is noted."""
    read = ReadFiles()
    token = _READ.set(read)
    try:
        yield read
    finally:
        _READ.reset(token)


def check_ordinary(path: FilePath) -> None:
    """A pipe would be waited for, and some devices never end."""
    if not fspath(path):
        raise InputError("the name of a file is empty; write which file is meant")
    mode = Path(path).stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise InputError(f"{path}: is a pipe or a device; save it as an ordinary file first")


def regular_bytes(path: FilePath) -> bytes:
    """All bytes of an ordinary file."""
    check_ordinary(path)
    return Path(path).read_bytes()


def input_bytes(path: FilePath, *, secret: bool = False) -> bytes:
    """All bytes of a file; of a secret none are kept for whoever tells what was read."""
    content = regular_bytes(path)
    read = _READ.get()
    if read is not None:
        read.note(path, content, secret)
    return content


def keep_secret(path: FilePath) -> None:
    """Of a file that turned out to hold a secret, such as a seed."""
    read = _READ.get()
    if read is not None:
        read.contents.pop(real_path(path), None)

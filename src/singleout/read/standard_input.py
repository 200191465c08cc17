"""A table that comes by standard input (`-`): kept in a file of its own, for it is read more than once."""

from __future__ import annotations

import atexit
import shutil
import sys
from functools import cache
from pathlib import Path

from singleout.errors import InputError, UsageError
from singleout.read.file_signature import compression_of
from singleout.temporary_files import folder_path, remove_leftovers, temporary_place

WORDS = "standard input"


@cache
def input_file() -> Path:
    """The file, for its owner only; it goes with the process, or when the next one looks."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError(
            "standard input is a terminal; pipe a table into it, as in: cat shop.csv | singleout …"
        )
    remove_leftovers(temporary_place())
    folder = folder_path()
    try:
        path = _kept_in(folder)
        if not path.stat().st_size:
            raise InputError(f"{WORDS}: is empty; a header and at least one record are needed")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return path


def in_words(message: str) -> str:
    """What is told of the file is told of standard input: nobody knows the file."""
    return message.replace(str(input_file()), WORDS) if input_file.cache_info().currsize else message


def _kept_in(folder: Path) -> Path:
    try:
        folder.mkdir(mode=0o700)
        first = sys.stdin.buffer.read(4)
        # what is compressed is told by its name; of all else the first bytes tell the kind
        path = folder / f"standard_input{compression_of(first)}"
        with path.open("xb") as kept:
            kept.write(first)
            shutil.copyfileobj(sys.stdin.buffer, kept)
    except OSError as error:
        raise InputError(f"{WORDS}: can't be kept ({(error.strerror or str(error)).lower()})") from error
    return path

"""Runs one case in this process, in a folder of its own, and tells how it ended and what is there then."""

from __future__ import annotations

import inspect
import io
import json
import os
import shutil
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow

import singleout
from singleout.cli import main as command_line
from singleout.errors import SingleoutError, one_line, printable_text
from tests.fuzz.case import POSTGRES, POSTGRES_FILE, READER, Case
from tests.fuzz.readers import READERS

OWN_FOLDER = f"{os.sep}singleout{os.sep}"


@dataclass(frozen=True)
class Outcome:
    """How a run ended; `fault` names the exception that should not have come through, and where it arose."""

    code: int
    out: str
    err: str
    files: dict[str, bytes] = field(default_factory=dict)
    leftovers: tuple[str, ...] = ()
    fault: str = ""


class Runner:
    """Its streams are files, so that what libraries write on their own is seen too."""

    def __init__(self, place: Path, postgres: str = "") -> None:
        self.work, self.temporary, self.postgres = place / "work", place / "temporary", postgres
        self._out, self._err = (open(place / name, "w+b", buffering=0) for name in ("out", "err"))  # noqa: SIM115, PTH123
        for folder in (self.work, self.temporary):
            folder.mkdir()
        os.chdir(self.work)
        warnings.simplefilter("always")
        tempfile.tempdir = str(self.temporary)
        os.environ.update(TMPDIR=str(self.temporary), COLUMNS="80")
        # what every command line is read by is made once
        command_line.parser = cache(command_line.parser)

    def run(self, case: Case) -> tuple[Outcome, ...]:
        """One outcome, or two where two are to be equal."""
        self._prepare(case)
        if case.kind == READER:
            return (self._outcome(lambda: _reader_call(case), _PythonStreams()),)
        if case.frame:
            return (self._outcome(lambda: _frame_call(case)),)
        calls = [case.words, *([case.equal_to] if case.equal_to else [])]
        return tuple(self._outcome(_command_call(self._addressed(words))) for words in calls)

    def _prepare(self, case: Case) -> None:
        for folder in (self.work, self.temporary):
            _clear(folder)
        for name, data in case.files.items():
            path = self.work / name
            if "/" in name:
                path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        if case.needs_postgres:
            _load_postgres(self.postgres, json.loads(case.files[POSTGRES_FILE]))

    def _addressed(self, words: Sequence[str]) -> list[str]:
        return [f"{self.postgres}::t" if word == POSTGRES else word for word in words]

    def _outcome(self, call: Callable[[], int], streams: _Streams | _PythonStreams | None = None) -> Outcome:
        fault, seen = "", streams or _Streams(self._out, self._err)
        with seen:
            try:
                code = call()
            except SystemExit as leaving:
                code = leaving.code if isinstance(leaving.code, int) else 0
            except BaseException as error:
                code, fault = -1, _where(error)
        files = {name: (self.work / name).read_bytes() for name in _files_below(self.work)}
        left = tuple(sorted(os.listdir(self.temporary)))  # noqa: PTH208
        return Outcome(code, *seen.texts(), files, left, fault)


def _files_below(folder: Path) -> list[str]:
    """Their names from there on; quicker than patterns, which matters in a million folders."""
    walk = os.walk(folder)
    paths = [os.path.relpath(os.path.join(place, name), folder) for place, _, names in walk for name in names]
    return sorted(each for each in paths if os.path.isfile(os.path.join(folder, each)))  # noqa: PTH113


def _clear(folder: Path) -> None:
    with os.scandir(folder) as entries:
        for each in entries:
            if each.is_dir(follow_symlinks=False):
                shutil.rmtree(each.path, ignore_errors=True)
            else:
                os.unlink(each.path)  # noqa: PTH108


class _PythonStreams:
    """What Python writes, which is all that readers do; quicker than files."""

    def __enter__(self) -> None:
        self._kept = sys.stdout, sys.stderr
        self._new = io.StringIO(), io.StringIO()
        sys.stdout, sys.stderr = self._new

    def __exit__(self, *error: object) -> None:
        sys.stdout, sys.stderr = self._kept

    def texts(self) -> tuple[str, str]:
        return self._new[0].getvalue(), self._new[1].getvalue()


class _Streams:
    """Standard output and error go to these files for a while."""

    def __init__(self, out: Any, err: Any) -> None:
        self._files = out, err
        self._targets = out.fileno(), err.fileno()

    def texts(self) -> tuple[str, str]:
        return _read(self._files[0]), _read(self._files[1])

    def __enter__(self) -> None:
        self._python = sys.stdout, sys.stderr
        self._kept = os.dup(1), os.dup(2)
        for number, target in zip((1, 2), self._targets, strict=True):
            os.lseek(target, 0, os.SEEK_SET)
            os.truncate(target, 0)
            os.dup2(target, number)
        sys.stdout, sys.stderr = (
            io.TextIOWrapper(
                io.FileIO(number, "w", closefd=False), encoding="utf-8", errors="backslashreplace"
            )
            for number in (1, 2)
        )

    def __exit__(self, *error: object) -> None:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        sys.stdout, sys.stderr = self._python
        for number, kept in zip((1, 2), self._kept, strict=True):
            os.dup2(kept, number)
            os.close(kept)


def _read(stream: Any) -> str:
    stream.seek(0)
    return str(stream.read().decode("utf-8", "replace"))


def _where(error: BaseException) -> str:
    steps = [each for each in traceback.extract_tb(error.__traceback__) if OWN_FOLDER in each.filename]
    last = steps[-1] if steps else None
    place = f"{last.filename.rpartition(OWN_FOLDER)[2]}:{last.lineno}" if last else "?"
    return f"{type(error).__name__} in {place}: {error}"


def _command_call(words: list[str]) -> Callable[[], int]:
    return lambda: command_line.main(words)


@cache
def _function(name: str) -> Callable[..., Any]:
    return getattr(singleout, name)  # type: ignore[no-any-return]


def _frame_call(case: Case) -> int:
    with pyarrow.ipc.open_stream(case.files["frame.arrows"]) as reader:
        table = reader.read_all()
    try:
        given = _converted(table, case.frame)
    except BaseException:  # the library can't hold such a table, or panics: nothing was given to us
        return 0
    call = _function(case.words[0])
    wanted = inspect.signature(call).parameters
    needed = {"release": given, "out": "new-out.csv", "allow": 1, "k": 2, "user": "none"}
    try:
        call(given, **{name: each for name, each in needed.items() if name in wanted})
    except SingleoutError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


def _reader_call(case: Case) -> int:
    """A file alone, by the function that reads it: a hundred times as fast as by a command."""
    kind, name = case.words
    try:
        READERS[kind](name)
    except SingleoutError as error:
        sys.stderr.write(f"error: {printable_text(one_line(str(error)))}\n")
        return 2
    return 0


def _converted(table: pyarrow.Table, library: str) -> Any:
    if library == "pandas":
        return table.to_pandas()
    if library == "polars":
        import polars

        return polars.from_arrow(table)
    return table


def _load_postgres(address: str, content: dict[str, Any]) -> None:
    import psycopg

    columns = ", ".join('"' + name.replace('"', '""') + '" text' for name in content["names"])
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(b"DROP TABLE IF EXISTS t")
        connection.execute(f"CREATE TABLE t ({columns})".encode())
        with connection.cursor().copy(b"COPY t FROM STDIN") as copy:
            for row in content["rows"]:
                copy.write_row(row)

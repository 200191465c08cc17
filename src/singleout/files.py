"""Write a file whole or not at all: beside its target first, then moved into place."""

from __future__ import annotations

import logging
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from singleout.errors import OutputError, one_line
from singleout.temporary_files import draft_path, is_temporary, remove_leftovers

if TYPE_CHECKING:
    import pyarrow

TABLE_ENDINGS = (".csv", ".parquet")
ROWS_A_BATCH = 250_000
LONGEST_WAIT = 10.0
LOGGER = logging.getLogger(__name__)
# whoever wants to know asks Python's logging; otherwise the library keeps silent
logging.getLogger("singleout").addHandler(logging.NullHandler())


@contextmanager
def whole_file(target: str | os.PathLike[str], *, private: bool = False, told: bool = True) -> Iterator[Path]:
    """Yield a path to write to; it becomes `target` only if the block ends well, which is logged if `told`.

    Where `files_together` waits for this file, it is kept as a draft until all others are there too.
    """
    path = Path(target)
    waiting = _who_waits_for(path)
    if waiting is not None:
        with waiting.draft(Target(path, private)) as draft:
            yield draft
        return
    draft = draft_path(path)
    try:
        _create(draft, path)
        yield draft
        if not private:
            draft.chmod(0o666 & ~_umask())
        draft.replace(path)
        if told:
            _tell(path)
    except OSError as error:
        raise OutputError(f"{path}: {_reason(error)}") from error
    finally:
        _drop(draft)


def _tell(path: Path) -> None:
    if not is_temporary(path):
        LOGGER.info("wrote %s", path)


@dataclass(frozen=True)
class Target:
    """Where a file is to be; a private one is for its owner only."""

    path: Path
    private: bool = False


@dataclass(eq=False)
class _WaitingFiles:
    """Drafts that are to be put into place at once."""

    expected: set[Path]
    around: _WaitingFiles | None
    drafts: dict[Path, Target] = field(default_factory=dict)
    afterwards: list[Callable[[], object]] = field(default_factory=list)

    @contextmanager
    def draft(self, target: Target) -> Iterator[Path]:
        draft = draft_path(target.path)
        try:
            _create(draft, target.path)
            yield draft
            self.drafts[draft] = target
        except OSError as error:
            raise OutputError(f"{target.path}: {_reason(error)}") from error
        finally:
            if draft not in self.drafts:
                _drop(draft)

    @contextmanager
    def joined(self, expected: set[Path]) -> Iterator[None]:
        """These are waited for too; if the block fails, they alone are dropped."""
        self.expected |= expected
        before = set(self.drafts)
        try:
            yield
        except BaseException:
            for draft in self.drafts.keys() - before:
                del self.drafts[draft]
                _drop(draft)
            raise


_WAITING: ContextVar[_WaitingFiles | None] = ContextVar("waiting", default=None)


def _who_waits_for(path: Path) -> _WaitingFiles | None:
    """The outermost that does."""
    found, each, place = None, _WAITING.get(), real_path(path)
    while each is not None:
        found, each = each if place in each.expected else found, each.around
    return found


@contextmanager
def files_together(targets: Iterable[str | os.PathLike[str] | None]) -> Iterator[None]:
    """Those of the targets that are written in the block become files at its end, all of them or none.

    So the files of one run are never beside those of another. They can't be read before the end. Where one of
    them is waited for further out, all wait for the end out there.
    """
    expected = {real_path(each) for each in targets if each is not None}
    if outer := next(filter(None, map(_who_waits_for, expected)), None):
        with outer.joined(expected):
            yield
        return
    waiting = _WaitingFiles(expected, _WAITING.get())
    token = _WAITING.set(waiting)
    try:
        yield
        _put_into_place(waiting.drafts)
        for work in waiting.afterwards:
            work()
    finally:
        _WAITING.reset(token)
        for draft in waiting.drafts:
            _drop(draft)


def once_in_place(target: str | os.PathLike[str], work: Callable[[], object]) -> None:
    """Do this when the target, which was just written, can't be lost any more: now, or later with others."""
    waiting = _who_waits_for(Path(target))
    if waiting is None:
        work()
    else:
        waiting.afterwards.append(work)


def _put_into_place(drafts: dict[Path, Target]) -> None:
    try:
        _replace_targets(tuple(drafts), tuple(drafts.values()))
    except OSError as error:
        named = ", ".join(str(each.path) for each in drafts.values())
        raise OutputError(f"{named}: {_reason(error)}; nothing was written") from error


@contextmanager
def whole_files(targets: Sequence[Target]) -> Iterator[tuple[Path, ...]]:
    """Yield a path to write each file to; they become the targets, all of them, if the block ends well.

    If one can't be put into place, those that were are taken back. Within `files_together` they wait.
    """
    if any(_who_waits_for(target.path) for target in targets):
        with files_together(target.path for target in targets), ExitStack() as stack:
            yield tuple(stack.enter_context(whole_file(each.path, private=each.private)) for each in targets)
        return
    drafts = tuple(draft_path(target.path) for target in targets)
    try:
        for draft, target in zip(drafts, targets, strict=True):
            _create(draft, target.path)
        yield drafts
        _replace_targets(drafts, targets)
    except OSError as error:
        fault = f"{_reason(error)}; nothing was written"
        raise OutputError(f"{', '.join(str(each.path) for each in targets)}: {fault}") from error
    finally:
        for draft in drafts:
            _drop(draft)


def _replace_targets(drafts: Sequence[Path], targets: Sequence[Target]) -> None:
    """One after the other; what was there before is kept aside until the last one is in its place."""
    with (
        _one_at_a_time({target.path.parent for target in targets}),
        ExitStack() as aside,
        ExitStack() as undo,
    ):
        for draft, target in zip(drafts, targets, strict=True):
            before = aside.enter_context(_backup_file(target.path))
            undo.callback(_take_back, draft, target.path, before)
            try:
                if not target.private:
                    draft.chmod(0o666 & ~_umask())
                draft.replace(target.path)
            except OSError as error:
                raise OutputError(f"{target.path}: {_reason(error)}; nothing was written") from error
        undo.pop_all()
    for target in targets:
        _tell(target.path)


@contextmanager
def _one_at_a_time(folders: set[Path]) -> Iterator[None]:
    """Two runs with the same targets must not mix their files; where folders can't be locked, they may."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with ExitStack() as stack:
        for folder in sorted(map(real_path, folders)):
            with suppress(OSError):
                handle = os.open(folder, os.O_RDONLY)
                stack.callback(os.close, handle)
                _wait_for(partial(fcntl.flock, handle, fcntl.LOCK_EX | fcntl.LOCK_NB))
        yield


def _wait_for(lock: Callable[[], None]) -> None:
    """As long as moving files takes others; whoever holds it longer does something else."""
    deadline = time.monotonic() + LONGEST_WAIT
    while True:
        try:
            return lock()
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


@contextmanager
def _backup_file(path: Path) -> Iterator[Path | None]:
    """A second name for the file, or a copy where a file can't have two; None if there is no file."""
    if not os.path.lexists(path):
        yield None
        return
    second = draft_path(path)
    try:
        try:
            os.link(path, second, follow_symlinks=False)
        except OSError:
            _create(second, path)
            shutil.copy2(path, second)
        yield second
    finally:
        _drop(second)


def _take_back(draft: Path, path: Path, before: Path | None) -> None:
    """As it was before the draft was moved, if it was."""
    with suppress(OSError):
        if draft.exists():
            return
        if before is None:
            path.unlink(missing_ok=True)
        else:
            before.replace(path)


@contextmanager
def left_as_before(*places: Path) -> Iterator[None]:
    """If the block fails, files and folders that were not there are gone again; empty folders are empty."""
    ways = [[*reversed(each.absolute().parents), each.absolute()] for each in places]
    missing = [next((step for step in way if not os.path.lexists(step)), None) for way in ways]
    empty = [each for each in places if each.is_dir() and not any(each.iterdir())]
    try:
        yield
    except BaseException:
        for each in [*filter(None, missing), *(inside for folder in empty for inside in folder.iterdir())]:
            if os.path.lexists(each):
                shutil.rmtree(each) if each.is_dir() else each.unlink(missing_ok=True)
        raise


def write_text(
    target: str | os.PathLike[str], text: str, *, private: bool = False, told: bool = True
) -> None:
    with whole_file(target, private=private, told=told) as draft:
        try:
            draft.write_text(text, encoding="utf-8", newline="\n")
        except UnicodeEncodeError as error:
            raise OutputError(f"{target}: half a character can't be written as UTF-8; rename it") from error


def write_batches(
    target: str | os.PathLike[str], batches: Iterable[pyarrow.RecordBatch], *, private: bool = False
) -> int:
    """Write a table piece by piece as CSV or Parquet, by the target's ending; returns the records written."""
    with whole_file(target, private=private) as draft:
        return _write_draft(Path(target), draft, batches)


def write_table(target: Path, draft: Path, table: pyarrow.Table) -> int:
    """Write a whole table to a draft of its target, whose ending says how; returns the records written."""
    return _write_draft(target, draft, _plain_batches(table, target))


def _write_draft(target: Path, draft: Path, batches: Iterable[pyarrow.RecordBatch]) -> int:
    from pyarrow import ArrowInvalid, ArrowNotImplementedError

    written = 0
    with ExitStack() as stack:
        writer = None
        for batch in batches:
            try:
                writer = writer or stack.enter_context(_writer(target, draft, batch.schema))
                writer.write_batch(batch)
            except (ArrowInvalid, ArrowNotImplementedError) as error:
                raise _type_error(target, error) from error
            written += batch.num_rows
        if writer is None:
            raise OutputError(f"{target}: is not written, for there is nothing to write")
    return written


def _type_error(target: Path, error: Exception) -> OutputError:
    fault = f"can't hold a column of such a type ({one_line(str(error))})"
    return OutputError(f"{target}: {fault}; leave it out, or try the other of .csv and .parquet")


def _plain_batches(table: pyarrow.Table, target: Path) -> Iterator[pyarrow.RecordBatch]:
    """Texts instead of dictionaries, of which a Parquet file would hold the values that no row has too."""
    import pyarrow

    kinds = [each.value_type if pyarrow.types.is_dictionary(each) else each for each in table.schema.types]
    # a record of one missing value would be an empty line, which readers of CSV pass over
    never_empty = target.suffix.lower() == ".csv" and len(kinds) == 1
    schema = pyarrow.schema(list(zip(table.column_names, kinds, strict=True)))
    if never_empty:
        schema = pyarrow.schema([(table.column_names[0], pyarrow.string())])
    pieces = table.to_batches(max_chunksize=ROWS_A_BATCH)
    for piece in pieces or [pyarrow.RecordBatch.from_pylist([], schema=table.schema)]:
        try:
            arrays = [array.cast(kind) for array, kind in zip(piece.columns, schema.types, strict=True)]
        except pyarrow.ArrowInvalid as error:  # bytes that are no text
            raise _type_error(target, error) from error
        if never_empty:
            arrays = [arrays[0].fill_null("")]
        yield pyarrow.RecordBatch.from_arrays(arrays, schema=schema)


def check_table_target(target: str | os.PathLike[str]) -> None:
    """Fail before the work if a table can't be written there."""
    if Path(target).suffix.lower() not in TABLE_ENDINGS:
        raise OutputError(f"{target}: end the name in {' or '.join(TABLE_ENDINGS)}")
    check_writable(target)


def real_path(path: str | os.PathLike[str]) -> Path:
    """Where a name leads to; links that lead in a circle stay as they are."""
    return Path(os.path.realpath(path))


def check_writable(target: str | os.PathLike[str]) -> None:
    """Fail before the work, not after it."""
    path = Path(target)
    if not os.fspath(target):
        raise OutputError("the name of a file to write is empty; name one")
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise OutputError(f"{str(path)!r}: the name is not UTF-8; choose another") from error
    if path.is_dir():
        raise OutputError(f"{path}: is a folder; name a file in it")
    if path.exists() and not path.is_file():
        raise OutputError(f"{path}: is a device or a pipe, which would be replaced; name an ordinary file")
    draft = draft_path(path)
    try:
        _create(draft, path)
    finally:
        _drop(draft)


def _drop(draft: Path) -> None:
    with suppress(OSError):
        draft.unlink(missing_ok=True)


def _create(draft: Path, target: Path) -> None:
    remove_leftovers(draft.parent)
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise OutputError(
            f"{target}: {_reason(error)}; choose a folder that exists and can be written to"
        ) from error


def _writer(target: Path, draft: Path, schema: pyarrow.Schema) -> Any:
    if target.suffix.lower() == ".csv":
        from pyarrow.csv import CSVWriter

        return CSVWriter(str(draft), schema)
    from pyarrow.parquet import ParquetWriter

    return ParquetWriter(str(draft), schema)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current

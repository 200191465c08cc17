"""Write a file whole or not at all: beside its target first, then moved into place."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from singleout.errors import OutputError, one_line

if TYPE_CHECKING:
    import pyarrow

TABLE_ENDINGS = (".csv", ".parquet")


@contextmanager
def whole_file(target: str | os.PathLike[str], *, private: bool = False) -> Iterator[Path]:
    """Yield a path to write to; it becomes `target` only if the block ends well."""
    path = Path(target)
    draft = _draft_beside(path)
    try:
        _create(draft, path)
        yield draft
        if not private:
            draft.chmod(0o666 & ~_umask())
        draft.replace(path)
    except OSError as error:
        raise OutputError(f"{path}: {_reason(error)}") from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def write_text(target: str | os.PathLike[str], text: str, *, private: bool = False) -> None:
    with whole_file(target, private=private) as draft:
        try:
            draft.write_text(text, encoding="utf-8", newline="\n")
        except UnicodeEncodeError as error:
            raise OutputError(f"{target}: half a character can't be written as UTF-8; rename it") from error


def write_batches(
    target: str | os.PathLike[str],
    batches: Iterable[pyarrow.RecordBatch],
    check: Callable[[Path], None] | None = None,
) -> int:
    """Write a table piece by piece as CSV or Parquet, by the target's ending; returns the records written.

    `check` reads the finished file before it is moved into place; if it raises, the target stays as it was.
    """
    with whole_file(target) as draft:
        written = _write_draft(Path(target), draft, batches)
        if check is not None:
            check(draft)
    return written


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
                fault = f"can't hold a column of such a type ({one_line(str(error))})"
                raise OutputError(
                    f"{target}: {fault}; leave it out, or try the other of .csv and .parquet"
                ) from error
            written += batch.num_rows
        if writer is None:
            raise OutputError(f"{target}: is not written, for there is nothing to write")
    return written


def check_table_target(target: str | os.PathLike[str]) -> None:
    """Fail before the work if a table can't be written there."""
    if Path(target).suffix.lower() not in TABLE_ENDINGS:
        raise OutputError(f"{target}: end the name in {' or '.join(TABLE_ENDINGS)}")
    check_writable(target)


def check_writable(target: str | os.PathLike[str]) -> None:
    """Fail before the work, not after it."""
    path = Path(target)
    if path.is_dir():
        raise OutputError(f"{path}: is a folder; name a file in it")
    draft = _draft_beside(path)
    try:
        _create(draft, path)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _draft_beside(path: Path) -> Path:
    """Only the name: whoever knows it before the file is there can clean up whenever interrupted."""
    return path.parent / f".{path.name[:40]}.{token_hex(4)}.part"


def _create(draft: Path, target: Path) -> None:
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

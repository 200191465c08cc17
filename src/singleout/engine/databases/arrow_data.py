"""Arrow data of others, looked through before a database follows its offsets: files, streams and frames."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.dataset

from singleout.errors import InputError, one_line
from singleout.read.file_signature import ARROW_STREAM

# what writers say of a file by themselves
OF_THE_FORMAT = (b"ARROW:schema", b"PARQUET:field_id", b"org.apache.spark.version")
FEATHER_1 = b"FEA1"
DAMAGED = "is not an Arrow or Feather file, or a damaged one; write it again"
NOT_UTF8 = "holds text that is not UTF-8; write it again as UTF-8, or the column as binary"
MOST_DIGITS = 38
# of texts, how many bytes an offset has
OFFSETS = {pyarrow.string(): numpy.int32, pyarrow.large_string(): numpy.int64}


def read_files(files: Sequence[Path]) -> pyarrow.Table | pyarrow.dataset.Dataset:
    """One table of all files, each buffer of which was checked; where no file is a stream, on the disk."""
    if ARROW_STREAM in [_first_bytes(path) for path in files]:
        tables = [_read_whole(path) for path in files]
        check_same_columns(files, [table.schema for table in tables])
        return pyarrow.concat_tables(table.select(tables[0].schema.names) for table in tables)
    schemas = [_check_batches(path) for path in files]
    check_same_columns(files, schemas)
    return pyarrow.dataset.dataset([str(path) for path in files], schemas[0], format="feather")


def read_frame(name: str, frame: Any) -> pyarrow.Table:
    """A frame of pandas, polars, pyarrow and others, which may have come from a damaged file as well."""
    _check_objects(name, frame)
    try:
        if is_pandas(frame):
            frame = pyarrow.Table.from_pandas(frame, preserve_index=False)
        table = pyarrow.table(frame)
    except (pyarrow.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{name}: {_frame_fault(error)}") from error
    except BaseException as error:
        # what polars raises where its own code gives up is no Exception
        if type(error).__name__ != "PanicException":
            raise
        raise InputError(f"{name}: its library can't hand it over; give it as a pyarrow table") from error
    check_digits(name, table.schema)
    for column, values in zip(table.schema.names, table.columns, strict=True):
        _check_column(name, column, values)
    return table


def _check_objects(name: str, frame: Any) -> None:
    """Polars hands Python's objects over as addresses in the memory: equal ones would differ."""
    if type(frame).__module__.startswith("polars"):
        for column, kind in getattr(frame, "schema", {}).items():
            if str(kind) == "Object":
                raise InputError(
                    f"{name}: column {column!r} has objects of Python, which can't be compared; "
                    "convert it first, for example to text"
                )


def schemas_of(files: Sequence[Path]) -> list[pyarrow.Schema]:
    schemas = []
    for path in files:
        opened = pyarrow.ipc.open_stream if _first_bytes(path) == ARROW_STREAM else pyarrow.ipc.open_file
        with _explained(path), pyarrow.OSFile(str(path)) as handle, opened(handle) as reader:
            schemas.append(reader.schema)
    return schemas


def other_contents(schemas: Sequence[pyarrow.Schema]) -> tuple[str, ...]:
    """Notes that files carry beside their columns (key-value metadata), of which only the number is told.

    >>> plain = pyarrow.schema([("a", pyarrow.int64())])
    >>> other_contents([plain]), other_contents([plain.with_metadata({"made for": "Ann"})])
    ((), ('1 note in its metadata',))
    """
    entries = [entry for schema in schemas for entry in _notes(schema)]
    many = len(dict.fromkeys(entries))
    return (f"{many:,} {'note' if many == 1 else 'notes'} in its metadata",) if many else ()


def _notes(schema: pyarrow.Schema) -> Iterator[tuple[bytes, bytes]]:
    of_fields = (each.metadata or {} for each in schema)
    for entries in (schema.metadata or {}, *of_fields):
        for key, value in entries.items():
            if key not in OF_THE_FORMAT and not _is_plain(key, value):
                yield key, value


def _is_plain(key: bytes, value: bytes) -> bool:
    """Whether pandas or Spark says no more than which columns there are."""
    try:
        match key:
            case b"pandas":
                return not json.loads(value).get("attributes")
            case b"org.apache.spark.sql.parquet.row.metadata":
                return not any(each["metadata"] for each in json.loads(value)["fields"])
    except (ValueError, AttributeError, LookupError, TypeError):
        pass
    return False


def is_pandas(frame: Any) -> bool:
    return type(frame).__module__.startswith("pandas") and hasattr(frame, "columns")


def is_index_lost(frame: Any) -> bool:
    """Whether a part of a pandas index has no name, and so is no column, though it is not a number."""
    parts = [frame.index.get_level_values(level) for level in range(frame.index.nlevels)]
    return any(part.name is None and part.dtype.kind not in "iu" for part in parts)


def check_same_columns(files: Sequence[Path], schemas: Sequence[pyarrow.Schema]) -> None:
    """The first file says what the others must have, in any order."""
    for path, schema in zip(files, schemas, strict=True):
        if odd := set(schemas[0].names) ^ set(schema.names):
            raise InputError(
                f"{path}: column {min(odd)!r} is not in every file; give all files the same columns"
            )
        for name in schemas[0].names if len(set(schema.names)) == len(schema.names) else ():
            if not schema.field(name).type.equals(schemas[0].field(name).type):
                raise InputError(
                    f"{path}: column {name!r} is {schema.field(name).type} here and "
                    f"{schemas[0].field(name).type} in {files[0]}; give it one type"
                )


def check_digits(name: str, schema: pyarrow.Schema) -> None:
    """DuckDB would read longer decimals of a Parquet file as doubles, which are equal for many of them."""
    for field in schema:
        decimals = (kind for kind in _types(field.type) if pyarrow.types.is_decimal(kind))
        if any(kind.precision > MOST_DIGITS for kind in decimals):
            raise InputError(
                f"{name}: column {field.name!r}: decimals of more than {MOST_DIGITS} digits can't be told "
                "apart here; write it as text"
            )


def _types(kind: pyarrow.DataType) -> Iterator[pyarrow.DataType]:
    """The type itself and those inside of it."""
    yield kind
    if isinstance(kind, pyarrow.BaseExtensionType):
        yield from _types(kind.storage_type)
    elif pyarrow.types.is_dictionary(kind) or pyarrow.types.is_run_end_encoded(kind):
        yield from _types(kind.value_type)
    else:
        for index in range(kind.num_fields):
            yield from _types(kind.field(index).type)


def _first_bytes(path: Path) -> bytes:
    with path.open("rb") as handle:
        start = handle.read(4)
    if start == FEATHER_1:
        raise InputError(f"{path}: is Feather of version 1; write it again as version 2")
    return start


def _check_batches(path: Path) -> pyarrow.Schema:
    """Read all of a file once, piece by piece; never mapped, for what is cut off would end the process."""
    with _explained(path), pyarrow.OSFile(str(path)) as handle, pyarrow.ipc.open_file(handle) as file:
        schema = file.schema
        check_digits(str(path), schema)
        for index in range(file.num_record_batches):
            _check_batch(path, file.get_batch(index))
    return schema


def _read_whole(path: Path) -> pyarrow.Table:
    with _explained(path), pyarrow.OSFile(str(path)) as handle:
        stream = _first_bytes(path) == ARROW_STREAM
        with (pyarrow.ipc.open_stream if stream else pyarrow.ipc.open_file)(handle) as reader:
            check_digits(str(path), reader.schema)
            table = reader.read_all()
        for batch in table.to_batches():
            _check_batch(path, batch)
        return table


def _check_batch(path: Path, batch: pyarrow.RecordBatch) -> None:
    for name, values in zip(batch.schema.names, batch.columns, strict=True):
        _check_column(str(path), name, values)


def _check_column(source: str, name: str, values: pyarrow.Array | pyarrow.ChunkedArray) -> None:
    try:
        values.validate()
        for part in values.chunks if isinstance(values, pyarrow.ChunkedArray) else [values]:
            if not _is_ascii_text(part):
                part.validate(full=True)
    except pyarrow.ArrowInvalid as error:
        fault = NOT_UTF8 if "UTF8" in str(error) else "has offsets or values that can't be; write it again"
        raise InputError(f"{source}: column {name!r} {fault}") from error
    if any(_is_too_fine(kind) for kind in _types(values.type)) and not _has_whole_microseconds(values):
        raise InputError(
            f"{source}: column {name!r}: durations finer than a microsecond can't be told apart here; "
            "make them whole numbers"
        )


def _is_ascii_text(part: pyarrow.Array) -> bool:
    """Whether no offset leads back and no byte is more than ASCII: then every text is right, however long.

    So is the number of missing ones, which is only told.
    """
    if part.type not in OFFSETS or not len(part):
        return False
    _, offsets, content = part.buffers()
    counted = pyarrow.Array.from_buffers(part.type, len(part), part.buffers(), -1, part.offset)
    if counted.null_count != part.null_count:
        return False
    marks = numpy.frombuffer(offsets, OFFSETS[part.type])[part.offset : part.offset + len(part) + 1]
    if content is None or (marks[1:] < marks[:-1]).any():
        return False
    # as signed numbers all other bytes are below 0
    return bool(numpy.frombuffer(content, numpy.int8)[marks[0] : marks[-1]].min(initial=0) == 0)


def _is_too_fine(kind: pyarrow.DataType) -> bool:
    """What DuckDB cuts to microseconds, so that several durations count as one."""
    return bool(kind in (pyarrow.duration("ns"), pyarrow.month_day_nano_interval()))


def _has_whole_microseconds(values: pyarrow.Array | pyarrow.ChunkedArray) -> bool:
    if values.type != pyarrow.duration("ns"):
        return bool(len(values) == values.null_count)
    try:
        values.cast(pyarrow.duration("us"))
    except pyarrow.ArrowInvalid:
        return False
    return True


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except MemoryError as error:
        raise InputError(f"{path}: {DAMAGED}, or larger than the memory") from error
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise InputError(f"{path}: {DAMAGED}") from error


def _frame_fault(error: Exception) -> str:
    """Arrow's two-part message in a sentence, without the value in it."""
    if isinstance(error, OverflowError):
        return "a column has whole numbers of more than 64 bits, which can't be counted; make it text"
    if column := re.search(r"Conversion failed for column (.*) with type (\w+)", str(error)):
        return (
            f"column {column[1]!r} ({column[2]}) mixes types, or has one that Arrow does not know; "
            "convert it first, for example to text"
        )
    if "non-struct" in str(error):
        return "is one column and no table; to_frame() makes a series of pandas or polars one"
    return f"can't be read as a table: {one_line(str(error))}"

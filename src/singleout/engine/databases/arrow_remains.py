"""Find what Arrow and Parquet files keep though no record has it: old categories, and what blanks cover."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.compute
import pyarrow.parquet

from singleout.engine.databases.duckdb_parquet import DAMAGED_PARQUET
from singleout.errors import InputError
from singleout.read.file_signature import ARROW_STREAM

ROWS_A_BATCH = 1 << 20
NOT_LOOKED_INTO = (pyarrow.null(), pyarrow.month_day_nano_interval())
VIEWS = (pyarrow.string_view(), pyarrow.binary_view())
LEAST = -(2**63)
TEXT = (pyarrow.string(), pyarrow.large_string())


def remains_of_arrow(files: Sequence[Path]) -> Iterator[str]:
    """In words, without a value."""
    unused = under_blanks = 0
    for path in files:
        with pyarrow.OSFile(str(path)) as handle, _opened(handle) as reader:
            parts: dict[str, list[pyarrow.Array]] = defaultdict(list)
            for batch in _batches(reader):
                for name, part in zip(batch.schema.names, batch.columns, strict=True):
                    parts[name].append(part)
            unused += sum(map(_unused_values, parts.values()))
            under_blanks += sum(map(_keeps_blank_values, parts.values()))
    yield from _words(unused, under_blanks)


def remains_of_parquet(files: Sequence[Path]) -> Iterator[str]:
    """Of a missing value nothing is stored here."""
    unused = 0
    for path in files:
        try:
            unused += sum(_unused_values(_coded_parts(path, name)) for name in _coded_columns(path))
        except (pyarrow.ArrowException, OSError, ValueError) as error:
            raise InputError(DAMAGED_PARQUET.format(path)) from error
    yield from _words(unused, 0)


def _coded_parts(path: Path, name: str) -> list[pyarrow.Array]:
    with pyarrow.parquet.ParquetFile(path, read_dictionary=[name]) as file:
        parts = [batch.column(0) for batch in file.iter_batches(ROWS_A_BATCH, columns=[name])]
    for part in parts:
        part.validate(full=True)
    return parts


def _words(unused: int, under_blanks: int) -> Iterator[str]:
    if unused:
        yield f"{unused:,} {'value' if unused == 1 else 'values'} that no record has (unused categories)"
    if under_blanks:
        columns = "column" if under_blanks == 1 else "columns"
        yield f"what stood in {under_blanks:,} {columns} where values are missing now"


def _opened(handle: pyarrow.NativeFile) -> pyarrow.RecordBatchFileReader | pyarrow.RecordBatchStreamReader:
    first = handle.read(len(ARROW_STREAM))
    handle.seek(0)
    return pyarrow.ipc.open_stream(handle) if first == ARROW_STREAM else pyarrow.ipc.open_file(handle)


def _batches(
    reader: pyarrow.RecordBatchFileReader | pyarrow.RecordBatchStreamReader,
) -> Iterator[pyarrow.RecordBatch]:
    if isinstance(reader, pyarrow.RecordBatchStreamReader):
        yield from reader
        return
    for index in range(reader.num_record_batches):
        yield reader.get_batch(index)


def _coded_columns(path: Path) -> list[str]:
    """Text columns of which some part is stored by a dictionary; a name with a dot is a part of a column."""
    with pyarrow.parquet.ParquetFile(path) as file:
        metadata = file.metadata
        coded = {
            part.path_in_schema
            for group in range(metadata.num_row_groups)
            for part in map(metadata.row_group(group).column, range(metadata.num_columns))
            if part.has_dictionary_page
        }
        return [each.name for each in file.schema_arrow if each.name in coded and _is_text(each.type)]


def _is_text(kind: pyarrow.DataType) -> bool:
    return (kind.value_type if pyarrow.types.is_dictionary(kind) else kind) in TEXT


def _unused_values(parts: Sequence[pyarrow.Array]) -> int:
    """Values of dictionaries that no record has; each part may have a dictionary of its own."""
    coded = [part for part in parts if pyarrow.types.is_dictionary(part.type)]
    if not coded:
        return 0
    words = pyarrow.chunked_array([part.dictionary for part in coded]).unique()
    used = pyarrow.chunked_array(
        [part.dictionary.take(part.indices.unique().drop_null()) for part in coded]
    ).unique()
    return len(words) - len(used)


def _keeps_blank_values(parts: Sequence[pyarrow.Array]) -> bool:
    """Pandas and others only mark values as missing: whether these are still there, and are no marks."""
    covered = [_covered(part) for part in parts if part.null_count]
    different = pyarrow.chunked_array(covered).unique().to_pylist() if covered else []
    return len(different) > 1 or any(not _is_mark(each) for each in different)


def _is_mark(value: Any) -> bool:
    """Whether writers put it where nothing is: zero, NaN, nothing, or as pandas 1, −1 or the least number."""
    if isinstance(value, bytes):
        return not any(value)
    return value in (0, 1, -1, "", LEAST) or value != value


def _covered(part: pyarrow.Array) -> pyarrow.Array:
    """What is stored where values are missing."""
    plain = part.indices if pyarrow.types.is_dictionary(part.type) else part
    # intervals are refused where they are not all missing
    if pyarrow.types.is_nested(plain.type) or plain.type in NOT_LOOKED_INTO:
        return plain.slice(0, 0)
    buffers = [None, *plain.buffers()[1:]]
    whole = pyarrow.Array.from_buffers(plain.type, len(plain), buffers, 0, plain.offset)
    if plain.type in VIEWS:  # nothing else can be done with these
        whole = whole.cast(pyarrow.large_binary())
    covered = whole.filter(plain.is_null())
    return covered.view(f"int{plain.type.bit_width}") if pyarrow.types.is_temporal(plain.type) else covered

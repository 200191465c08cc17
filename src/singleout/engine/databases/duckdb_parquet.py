"""Reads a text column of Parquet files as it is stored: with a dictionary, which is half the coding done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow
import pyarrow.parquet

from singleout.errors import InputError

ROWS_A_BATCH = 1 << 20
TEXT = (pyarrow.string(), pyarrow.large_string())
# plain text has four bytes of length before each value, so what needs fewer is stored by its dictionary
LEAST_PLAIN_BYTES = 4
DAMAGED_PARQUET = "{}: is a damaged Parquet file; copy or write it again"


def text_columns(files: Sequence[Path]) -> frozenset[str]:
    """The columns that all files hold as text with a dictionary in every part.

    Reading others this way would build one ever growing dictionary. A name with a dot could mean a field
    inside a column.
    """
    found: frozenset[str] | None = None
    for path in files:
        coded = _text_columns(path)
        found = coded if found is None else found & coded
    return found or frozenset()


def _text_columns(path: Path) -> frozenset[str]:
    with pyarrow.parquet.ParquetFile(path) as file:
        text = {field.name for field in file.schema_arrow if field.type in TEXT and "." not in field.name}
        try:
            return frozenset(text - _plain_columns(file.metadata))
        except UnicodeDecodeError as error:  # of a part, which says its column's name once more
            raise InputError(DAMAGED_PARQUET.format(path)) from error


def _plain_columns(metadata: pyarrow.parquet.FileMetaData) -> set[str]:
    """The columns that some row group stores value by value."""
    columns = set()
    for group in range(metadata.num_row_groups):
        for index in range(metadata.num_columns):
            part = metadata.row_group(group).column(index)
            most = LEAST_PLAIN_BYTES * part.num_values
            if not part.has_dictionary_page or part.total_uncompressed_size >= most:
                columns.add(part.path_in_schema)
    return columns


def read_text_column(files: Sequence[Path], name: str) -> Iterator[pyarrow.RecordBatch]:
    for path in files:
        with pyarrow.parquet.ParquetFile(path, read_dictionary=[name]) as file:
            yield from file.iter_batches(ROWS_A_BATCH, columns=[name])

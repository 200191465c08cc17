"""Rows of Python values as Arrow batches that all have one schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Literal

import pyarrow

Kind = Literal["integer", "number", "boolean", "text", "bytes", "date", "time", "instant"]
TYPES: dict[Kind, pyarrow.DataType] = {
    "integer": pyarrow.int64(),
    "number": pyarrow.float64(),
    "boolean": pyarrow.bool_(),
    "text": pyarrow.string(),
    "bytes": pyarrow.binary(),
    "date": pyarrow.date32(),
    "time": pyarrow.timestamp("us"),
    "instant": pyarrow.timestamp("us", "UTC"),
}


def batch_rows(
    names: Sequence[str], kinds: Sequence[Kind], rows: Iterable[Sequence[Any]], size: int
) -> Iterator[pyarrow.RecordBatch]:
    """Batches of at most `size` rows; an answer without rows is one empty batch, for it has types too."""
    schema = pyarrow.schema([(name, TYPES[kind]) for name, kind in zip(names, kinds, strict=True)])
    left = iter(rows)
    yield _batch(schema, list(islice(left, size)))
    while piece := list(islice(left, size)):
        yield _batch(schema, piece)


def _batch(schema: pyarrow.Schema, rows: list[Sequence[Any]]) -> pyarrow.RecordBatch:
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [_array(values, field.type) for values, field in zip(columns, schema, strict=True)]
    return pyarrow.RecordBatch.from_arrays(arrays, schema=schema)


def _array(values: Sequence[Any], kind: pyarrow.DataType) -> pyarrow.Array:
    if pyarrow.types.is_string(kind):
        values = [None if value is None else str(value) for value in values]
    return pyarrow.array(values, type=kind)

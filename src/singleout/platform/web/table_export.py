"""Results as files: CSV that no spreadsheet runs as a formula, Parquet and JSON."""

from __future__ import annotations

import csv
import io
import json
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Boolean, Float, Integer
from sqlalchemy.types import TypeEngine

from singleout.platform.store.results import ResultRows
from singleout.platform.store.schema import UtcMoment

ExportFormat = Literal["csv", "parquet", "json"]
MEDIA_TYPES: dict[ExportFormat, str] = {
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "json": "application/json",
}
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")


def exported(found: ResultRows, form: ExportFormat) -> bytes:
    if form == "csv":
        return _csv(found)
    return _parquet(found) if form == "parquet" else _json(found)


def harmless_cell(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula gets an apostrophe before it.

    >>> harmless_cell("=1+1"), harmless_cell("tea"), harmless_cell(-1.5)
    ("'=1+1", 'tea', -1.5)
    """
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str) and value.lstrip(" ").startswith(FORMULA_STARTS):
        return f"'{value}"
    return value


def _csv(found: ResultRows) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(found.names)
    writer.writerows([harmless_cell(value) for value in row] for row in found.rows)
    return text.getvalue().encode("utf-8", "replace")


def _json(found: ResultRows) -> bytes:
    rows = [dict(zip(found.names, row, strict=True)) for row in found.rows]
    return json.dumps(rows, default=datetime.isoformat, ensure_ascii=False).encode("utf-8", "replace")


def _parquet(found: ResultRows) -> bytes:
    import pyarrow
    from pyarrow import parquet

    kinds = [_arrow_type(column.type) for column in found.table.columns]
    columns = [list(values) for values in zip(*found.rows, strict=True)] or [[] for _ in kinds]
    arrays = [pyarrow.array(values, kind) for values, kind in zip(columns, kinds, strict=True)]
    target = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.table(arrays, names=found.names), target)
    return bytes(target.getvalue())


def _arrow_type(kind: TypeEngine[Any]) -> Any:
    import pyarrow

    if isinstance(kind, Boolean):
        return pyarrow.bool_()
    if isinstance(kind, Integer):
        return pyarrow.int64()
    if isinstance(kind, Float):
        return pyarrow.float64()
    return pyarrow.timestamp("us", tz="UTC") if isinstance(kind, UtcMoment) else pyarrow.string()

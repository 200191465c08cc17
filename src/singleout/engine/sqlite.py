"""Reads a table of a SQLite file as Arrow batches; its columns may mix types, so each gets one that fits."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pyarrow

from singleout.errors import InputError, nearest

ROWS_A_BATCH = 50_000


def read_table(path: Path, table: str) -> pyarrow.RecordBatchReader:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        names = _column_names(connection, path, table)
        types = [_type_of(connection, table, name) for name in names]
    except sqlite3.DatabaseError as error:
        connection.close()
        raise InputError(f"{path}: is not a readable SQLite file: {error}") from error
    schema = pyarrow.schema(list(zip(names, types, strict=True)))
    return pyarrow.RecordBatchReader.from_batches(schema, _batches(connection, table, schema))


def _batches(
    connection: sqlite3.Connection, table: str, schema: pyarrow.Schema
) -> Iterator[pyarrow.RecordBatch]:
    chosen = ", ".join(
        f"CAST({_quote(field.name)} AS TEXT)" if field.type == pyarrow.string() else _quote(field.name)
        for field in schema
    )
    with closing(connection):
        cursor = connection.execute(f"SELECT {chosen} FROM {_quote(table)}")
        while rows := cursor.fetchmany(ROWS_A_BATCH):
            columns = [
                pyarrow.array(values, type=field.type)
                for values, field in zip(zip(*rows, strict=True), schema, strict=True)
            ]
            yield pyarrow.RecordBatch.from_arrays(columns, schema=schema)


def _column_names(connection: sqlite3.Connection, path: Path, table: str) -> list[str]:
    names = [row[1] for row in connection.execute(f"PRAGMA table_info({_quote(table)})")]
    if not names:
        tables = [
            row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type <> 'index'")
        ]
        raise InputError(f"{path}: there is no table {table!r}; {nearest(table, tables)}")
    return names


def _type_of(connection: sqlite3.Connection, table: str, name: str) -> pyarrow.DataType:
    kinds = {
        row[0] for row in connection.execute(f"SELECT DISTINCT typeof({_quote(name)}) FROM {_quote(table)}")
    }
    one_kind = {"integer": pyarrow.int64(), "real": pyarrow.float64(), "blob": pyarrow.binary()}
    kinds.discard("null")
    return one_kind.get(kinds.pop(), pyarrow.string()) if len(kinds) == 1 else pyarrow.string()


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

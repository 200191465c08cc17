"""Reads a table of a SQLite file as Arrow batches; its columns may mix types, so each gets one that fits."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pyarrow

from singleout.errors import InputError, name_hint, without_values

ROWS_A_BATCH = 50_000
DAMAGED = (
    "{}: is a damaged SQLite file, of which records may be lost or changed (PRAGMA quick_check may say "
    "where); get it again"
)


def read_table(path: Path, table: str) -> tuple[pyarrow.Schema, Iterator[pyarrow.RecordBatch]]:
    """The columns with their types, and the records piece by piece."""
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")  # views of others call nothing that has effects
        _check_pages(connection, path)
        names = _column_names(connection, path, table)
        kinds = [_kinds_of(connection, table, name) for name in names]
    except sqlite3.DatabaseError as error:
        connection.close()
        raise InputError(f"{path}: is not a readable SQLite file: {without_values(str(error))}") from error
    except BaseException:
        connection.close()
        raise
    schema = pyarrow.schema([(name, _type_for(found)) for name, found in zip(names, kinds, strict=True)])
    chosen = ", ".join(
        f"{_one_type(_quote(name), found)} AS {_quote(name)}"
        for name, found in zip(names, kinds, strict=True)
    )
    return schema, _batches(connection, path, f"SELECT {chosen} FROM {_quote(table)}", schema)


def other_contents(path: Path, table: str) -> tuple[str, ...]:
    """Other tables and views of the file, and pages from which nothing was wiped."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
        own = [name for (name,) in names if not name.lower().startswith("sqlite_")]
        tables = sum(name.lower() != table.lower() for name in own)
        ((free,),) = connection.execute("PRAGMA freelist_count")
    others = [f"{tables:,} other {'table' if tables == 1 else 'tables'}"] if tables else []
    return (*others, *([f"{free:,} pages of what was deleted (run VACUUM)"] if free else []))


def _batches(
    connection: sqlite3.Connection, path: Path, select: str, schema: pyarrow.Schema
) -> Iterator[pyarrow.RecordBatch]:
    try:
        with closing(connection):
            cursor = connection.execute(select)
            while rows := cursor.fetchmany(ROWS_A_BATCH):
                columns = [
                    pyarrow.array(values, type=field.type)
                    for values, field in zip(zip(*rows, strict=True), schema, strict=True)
                ]
                yield pyarrow.RecordBatch.from_arrays(columns, schema=schema)
    except sqlite3.Error as error:
        raise InputError(f"{path}: {_fault(str(error))}") from error


def _fault(message: str) -> str:
    if column := re.search(r"decode to UTF-8 column '(.*)' with text", message, re.DOTALL):
        return f"column {column[1]!r} holds text that is not UTF-8; store it as UTF-8"
    return f"can't be read to its end: {without_values(message)}"


def _check_pages(connection: sqlite3.Connection, path: Path) -> None:
    """Of a file that was cut within a page SQLite reads zeros where something is gone, without a word."""
    ((page_bytes,),) = connection.execute("PRAGMA page_size")
    ((finding,),) = connection.execute("PRAGMA quick_check(1)")
    if path.stat().st_size % page_bytes or finding != "ok":
        raise InputError(DAMAGED.format(path))


def _column_names(connection: sqlite3.Connection, path: Path, table: str) -> list[str]:
    # the last field is 1 for what a SELECT * does not show either; computed columns have 2 or 3
    rows = connection.execute(f"PRAGMA table_xinfo({_quote(table)})")
    names = [row[1] for row in rows if row[-1] != 1]
    if not names:
        tables = [
            row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type <> 'index'")
        ]
        raise InputError(f"{path}: there is no table {table!r}; {name_hint(table, tables)}")
    return names


def _kinds_of(connection: sqlite3.Connection, table: str, name: str) -> set[str]:
    rows = connection.execute(f"SELECT DISTINCT typeof({_quote(name)}) FROM {_quote(table)}")
    return {kind for (kind,) in rows} - {"null"}


def _type_for(kinds: set[str]) -> pyarrow.DataType:
    one_kind = {"integer": pyarrow.int64(), "real": pyarrow.float64(), "blob": pyarrow.binary()}
    return one_kind.get(next(iter(kinds)), pyarrow.string()) if len(kinds) == 1 else pyarrow.string()


def _one_type(column: str, kinds: set[str]) -> str:
    """A column of several kinds as text in which the number 1, the text "1" and the bytes X31 differ."""
    if len(kinds) <= 1:
        return column
    return (
        f"CASE typeof({column}) WHEN 'text' THEN '\"' || {column} || '\"' "
        f"WHEN 'blob' THEN 'X' || hex({column}) ELSE CAST({column} AS TEXT) END"
    )


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

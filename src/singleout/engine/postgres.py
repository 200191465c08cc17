"""PostgreSQL as the engine: the shared SQL runs there, read-only, and only counts come back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import psycopg
import pyarrow

from singleout.engine.protocol import Column
from singleout.engine.sql import SqlEngine, checked_columns
from singleout.errors import InputError, nearest, one_line
from singleout.read.source import Source

ROWS_A_BATCH = 50_000


class PostgresEngine(SqlEngine):
    name = "postgres"

    def __init__(self, source: Source) -> None:
        assert source.table
        self.place = source.name
        try:
            self._connection = psycopg.connect(source.place)
        except psycopg.Error as error:
            raise InputError(f"{self.place}: can't connect: {one_line(str(error))}") from error
        self._connection.read_only = True
        try:
            self.table = self._found(source.table)
            self._columns = checked_columns(self.place, self._described())
        except BaseException:
            self.close()
            raise

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        try:
            with self._connection.transaction():
                return self._connection.execute(sql.encode()).fetchall()
        except psycopg.Error as error:
            self._explain(error)

    def batches(self, sql: str) -> Iterator[pyarrow.RecordBatch]:
        try:
            with self._connection.transaction(), self._connection.cursor(name="records") as cursor:
                cursor.execute(sql.encode())
                while rows := cursor.fetchmany(ROWS_A_BATCH):
                    names = [column.name for column in cursor.description or ()]
                    arrays = [pyarrow.array(values) for values in zip(*rows, strict=True)]
                    yield pyarrow.RecordBatch.from_arrays(arrays, names=names)
        except psycopg.Error as error:
            self._explain(error)

    def columns(self) -> tuple[Column, ...]:
        return self._columns

    def close(self) -> None:
        self._connection.close()

    def _found(self, table: str) -> str:
        """The table's full name, quoted; without a schema the search path decides, as in PostgreSQL."""
        found = set(self.rows("SELECT table_schema, table_name FROM information_schema.tables"))
        path = [row[0] for row in self.rows("SELECT unnest(current_schemas(false))")]
        candidates = [(schema, table) for schema in path]
        if "." in table:
            schema, _, name = table.partition(".")
            candidates.append((schema, name))
        for schema, name in candidates:
            if (schema, name) in found:
                return f"{self.quote(schema)}.{self.quote(name)}"
        names = [name for schema, name in found if schema in path]
        raise InputError(f"{self.place}: there is no table {table!r}; {nearest(table, names)}")

    def _described(self) -> tuple[Column, ...]:
        with self._connection.transaction():
            cursor = self._connection.execute(f"SELECT * FROM {self.table} LIMIT 0".encode())
            return tuple(Column(column.name, column.type_display) for column in cursor.description or ())

    def _explain(self, error: psycopg.Error) -> NoReturn:
        raise InputError(f"{self.place}: {one_line(str(error).split('LINE')[0])}") from error

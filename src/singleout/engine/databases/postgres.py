"""PostgreSQL as the engine: the shared SQL runs there, read-only, and only counts come back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Any, NoReturn
from uuid import uuid4

import psycopg
import pyarrow
from psycopg.adapt import AdaptersMap
from psycopg.types.numeric import IntDumper
from psycopg.types.string import TextLoader

from singleout.engine.columns import checked_columns
from singleout.engine.databases.arrow_batches import Kind, batch_rows
from singleout.engine.databases.sql_engine import SqlEngine
from singleout.engine.protocol import Column
from singleout.errors import InputError, name_hint, one_line, without_values
from singleout.read.source import Source, without_secrets

ROWS_A_BATCH = 50_000
LONGEST_NAME = 63  # in bytes
KINDS: dict[str, Kind] = {
    "int2": "integer",
    "int4": "integer",
    "int8": "integer",
    "float4": "number",
    "float8": "number",
    "bool": "boolean",
    "bytea": "bytes",
    "date": "date",
    "timestamp": "time",
    "timestamptz": "instant",
}
KIND_BY_OID = {psycopg.adapters.types[name].oid: kind for name, kind in KINDS.items()}
# sums are numeric; dates stay text, for Python has no 'infinity' and no year 10000
COUNTED = ("int2", "int4", "int8", "float4", "float8", "bool", "numeric")
TABLES = (
    "SELECT nspname, relname FROM pg_catalog.pg_class "
    "JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace "
    "WHERE relkind IN ('r', 'p', 'v', 'm', 'f')"
)
REMEDIES = {
    "42501": "; ask for the right to SELECT from it",
    "57014": "; allow it more time, or ask about fewer columns",
}
# a role or a database may have set otherwise how a backslash in a text and the digits of a number are meant
SESSION = "SET standard_conforming_strings = on; SET extra_float_digits = 1"
FIRST_WITH_LOOSE_COLLATIONS = 120_000
# which columns take texts for equal that differ, and whether only their type does
LOOSE_TEXTS = (
    "SELECT attname, typname = 'citext' FROM pg_catalog.pg_attribute "
    "JOIN pg_catalog.pg_type ON pg_type.oid = atttypid "
    "LEFT JOIN pg_catalog.pg_collation ON pg_collation.oid = attcollation "
    "WHERE attnum > 0 AND NOT attisdropped AND attrelid = {table}::regclass AND (typname = 'citext'{loose})"
)
TEXT = re.compile(r"(text|varchar|bpchar|char|name|citext)\b")
QUOTED = re.compile(r"""["']([^"']+)["']""")


class PostgresEngine(SqlEngine):
    """One transaction from opening to closing: all counts are of one moment, whatever others write."""

    name = "postgres"
    text_column = "text"
    loosely_equal = re.compile(r"(numeric|interval|jsonb|float[48])(\[\])?")

    def __init__(self, source: Source) -> None:
        assert source.table
        self.source_name = source.name
        self._connection = self._connect(source.place)
        try:
            self.table = self._table_name(source.table)
            self._columns = checked_columns(self.source_name, self._describe_columns())
            self._tell_texts_apart()
        except BaseException:
            self.close()
            raise

    def quote(self, name: str) -> str:
        """PostgreSQL cuts a longer name, and two that begin alike would be one: only a new column has one."""
        if len(name.encode()) > LONGEST_NAME:
            name = blake2b(name.encode(), digest_size=16).hexdigest()
        return super().quote(name)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        cursor = self._connection.cursor()
        _load(cursor, COUNTED)
        try:
            return cursor.execute(sql.encode()).fetchall()
        except psycopg.Error as error:
            self._explain(error)

    def batches(self, sql: str) -> Iterator[pyarrow.RecordBatch]:
        try:
            with self._connection.cursor(name=f"records_{uuid4().hex}") as cursor:
                _load(cursor, KINDS)
                cursor.itersize = ROWS_A_BATCH
                cursor.execute(sql.encode())
                columns = cursor.description or []
                kinds = [KIND_BY_OID.get(column.type_code, "text") for column in columns]
                yield from batch_rows([column.name for column in columns], kinds, cursor, ROWS_A_BATCH)
        except psycopg.Error as error:
            self._explain(error)

    def columns(self) -> tuple[Column, ...]:
        return self._columns

    def order(self, expression: str, column: str) -> str:
        kind = next(each.type for each in self._columns if each.name == column)
        characters = ' COLLATE "C"' if TEXT.match(kind) else ""
        return f"{expression}{characters} NULLS LAST"

    def matches(self, text: str, pattern: str) -> str:
        whole = self.literal(f"^({pattern})$")
        return f"{text} ~ {whole}"

    def close(self) -> None:
        self._connection.close()

    def _connect(self, address: str) -> psycopg.Connection[tuple[Any, ...]]:
        try:
            connection = psycopg.connect(address, client_encoding="utf8", context=_text_adapters())
        except psycopg.Error as error:
            fault = _hide_secrets(one_line(str(error)), address)
            raise InputError(f"{self.source_name}: can't connect: {fault}") from error
        self._set_session(connection)
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        return connection

    def _set_session(self, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
        connection.autocommit = True
        try:
            connection.execute(SESSION.encode())
        except psycopg.Error as error:
            connection.close()
            self._explain(error)
        connection.autocommit = False

    def _table_name(self, table: str) -> str:
        """The table's full name, quoted; without a schema the search path decides, as in PostgreSQL."""
        tables = set(self.rows(TABLES))
        path = [row[0] for row in self.rows("SELECT unnest(current_schemas(false))")]
        candidates = [(schema, table) for schema in path]
        if "." in table:
            schema, _, name = table.partition(".")
            candidates.append((schema, name))
        for schema, name in candidates:
            if (schema, name) in tables:
                return f"{self.quote(schema)}.{self.quote(name)}"
        names = [name for schema, name in tables if schema in path]
        raise InputError(f"{self.source_name}: there is no table {table!r}; {name_hint(table, names)}")

    def _describe_columns(self) -> tuple[Column, ...]:
        try:
            cursor = self._connection.execute(f"SELECT * FROM {self.table} LIMIT 0".encode())
        except psycopg.Error as error:
            self._explain(error)
        return tuple(Column(column.name, column.type_display) for column in cursor.description or ())

    def _tell_texts_apart(self) -> None:
        """Texts that only a collation takes for equal are different here, as in a file of the same data.

        Grouped by such a collation and ranked by characters, they would be counted in two ways.
        """
        new = self._connection.info.server_version >= FIRST_WITH_LOOSE_COLLATIONS
        sql = LOOSE_TEXTS.format(
            table=self.literal(self.table), loose=" OR NOT collisdeterministic" if new else ""
        )
        loose = dict(self.rows(sql))
        if loose:
            columns = ", ".join(self._plain_text(each.name, loose.get(each.name)) for each in self._columns)
            self.table = f"(SELECT {columns} FROM {self.table}) AS plain_texts"
            self._columns = checked_columns(self.source_name, self._describe_columns())

    def _plain_text(self, column: str, by_type: bool | None) -> str:
        name = self.quote(column)
        if by_type is None:
            return name
        plain = f"CAST({name} AS text)" if by_type else name
        return f'{plain} COLLATE "C" AS {name}'

    def _known_names(self) -> Iterator[str]:
        """What a message of the database may quote: no value of the data is among them."""
        yield from self.source_name.rpartition("::")[2].split(".")
        yield from (column.name for column in getattr(self, "_columns", ()))

    def _explain(self, error: psycopg.Error) -> NoReturn:
        fault = without_values(one_line(error.diag.message_primary or str(error)), self._known_names())
        raise InputError(f"{self.source_name}: {fault}{REMEDIES.get(error.sqlstate or '', '')}") from error


def _text_adapters() -> AdaptersMap:
    """Values as PostgreSQL itself writes them, unless a cursor is told to load their type."""
    adapters = AdaptersMap(types=psycopg.adapters.types)
    adapters.register_loader(0, TextLoader)
    adapters.register_dumper(int, IntDumper)  # a cursor says how many rows to fetch
    return adapters


def _load(cursor: psycopg.Cursor[Any] | psycopg.ServerCursor[Any], types: Iterable[str]) -> None:
    for name in types:
        oid = psycopg.adapters.types[name].oid
        loader = psycopg.adapters.get_loader(oid, psycopg.pq.Format.TEXT)
        assert loader
        cursor.adapters.register_loader(oid, loader)


def _hide_secrets(message: str, address: str) -> str:
    """The driver may quote of the address only what we show of it."""
    shown = without_secrets(address)
    for quoted in QUOTED.findall(message):
        if quoted in address and quoted not in shown:
            message = message.replace(quoted, "…")
    return message

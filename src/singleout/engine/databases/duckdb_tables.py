"""Makes a table of DuckDB out of any file or frame, and its failures one line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pyarrow

from singleout.engine.columns import LOST_INDEX, checked_columns
from singleout.engine.databases import arrow_data as arrow
from singleout.engine.databases import sqlite_file as sqlite
from singleout.engine.databases.arrow_remains import remains_of_arrow, remains_of_parquet
from singleout.engine.databases.duckdb_csv import (
    UNCONVERTED,
    VALUE_TYPES,
    csv_fault,
    csv_table,
    first_line,
    merged_counts,
    misfit_condition,
    path_text,
    quote_name,
    text,
    typed_columns,
)
from singleout.engine.databases.duckdb_json import absent_columns, json_fault, json_table
from singleout.engine.databases.duckdb_parquet import DAMAGED_PARQUET
from singleout.engine.databases.frame_columns import FrameColumns
from singleout.engine.protocol import Column
from singleout.errors import InputError, UsageError, name_hint
from singleout.read.csv_fault import line_of_record
from singleout.read.csv_sniffer import CsvLayout, sniff
from singleout.read.csv_unevenness import uneven_parts
from singleout.read.encoding import utf8_copy
from singleout.read.json_unevenness import uneven_records
from singleout.read.office_process import read_office_file
from singleout.read.office_table import OfficeTable
from singleout.read.source import CsvFormat, Source

COPY = "work.data"
ARROW_DATA = "arrow_data"
NO_ACCESS = "disabled by configuration"
COLLATION = re.compile(r"\bCOLLATE\b", re.IGNORECASE)


class Loader:
    """Knows the connection and the folder for copies that it is to `use`, and the source's name for people.

    `frame` are the columns of a frame of which much is known without a connection. `remarks` tell what was
    guessed. `ordered` is whether columns that are read one by one fit together, record by record, and mean to
    others what they mean to DuckDB.
    """

    connection: duckdb.DuckDBPyConnection
    _folder: Path

    def __init__(self, source: Source) -> None:
        self._kind = source.kind
        self._place = source.name
        self.remarks: list[str] = []
        self.ordered = True
        self.frame = self._frame_columns(source.frame) if source.kind == "frame" else None
        self._registered: Any = None
        self._raw: tuple[str, tuple[str, ...], dict[str, str]] | None = None
        self._written: tuple[Path, CsvLayout] | None = None
        self._office: OfficeTable | None = None
        self._source = source

    def use(self, connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
        self.connection, self._folder = connection, folder
        if self.frame is not None:
            self._register(self.frame.table)

    def merged_columns(self) -> tuple[str, ...]:
        """Columns of a file in which values that differ were read as the same value, or all as missing."""
        if self._kind == "json":
            columns = [name for name, *_ in self._rows(f"DESCRIBE SELECT * FROM {COPY}")]
            return absent_columns(self._only_file(self._source), columns, COPY, self._rows)
        if self._raw is None:
            return () if self._office is None else self._office.merged
        raw, names, kinds = self._raw
        missing = self._source.csv.missing_text
        several = len(missing) > 1
        lacking = ", ".join(f"count(*) > count({quote_name(name)})" for name in names)
        lack = self._rows(f"SELECT {lacking} FROM {COPY}")[0] if several else [False] * len(names)
        asked = tuple(name for name, lacks in zip(names, lack, strict=True) if lacks or name in kinds)
        if not asked:
            return ()
        counts = self._rows(f"SELECT {merged_counts(asked, kinds, missing)} FROM {raw}")[0]
        return tuple(name for name, lost in zip(asked, counts, strict=True) if lost)

    def other_contents(self) -> tuple[str, ...]:
        """What the file holds besides the table, in words."""
        match self._source.kind:
            case "csv":
                return () if self._written is None else uneven_parts(*self._written)
            case "json":
                return uneven_records(self._only_file(self._source))
            case "parquet":
                files = self._source.files()
                notes = arrow.other_contents([_parquet_schema(path) for path in files])
                return (*notes, *remains_of_parquet(files))
            case "arrow":
                files = self._source.files()
                return (*arrow.other_contents(arrow.schemas_of(files)), *remains_of_arrow(files))
            case "sqlite":
                assert self._source.table
                return sqlite.other_contents(Path(self._source.place), self._source.table)
            case "duckdb":
                return tables_in_words(len(self._tables_of_file()) - 1)
            case "excel" | "spss" | "stata" | "sas":
                return () if self._office is None else self._office.other_contents
        return ()

    def table_of(self, source: Source) -> str:
        match source.kind:
            case "csv":
                return self._csv(source)
            case "parquet":
                return self._parquet(source)
            case "arrow":
                return self._arrow(source)
            case "duckdb":
                return self._duckdb_file(source)
            case "sqlite":
                return self._sqlite(source)
            case "frame":
                return ARROW_DATA
            case "json":
                return self._json(source)
            case "excel" | "spss" | "stata" | "sas":
                return self._office_file(source)
        raise UsageError(f"{source.name}: the duckdb engine does not read it; use --engine {source.kind}")

    def another_connection(self, opened: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
        """To the same open table: what one reads piece by piece does not stand in the other's way."""
        connection = opened.cursor()
        if self._registered is not None:
            connection.register(ARROW_DATA, self._registered)  # each connection has names of its own
        return connection

    def _csv(self, source: Source) -> str:
        """A CSV file is parsed once, into a compressed table in memory that spills to disk."""
        files = source.files()
        if len(files) != 1:
            raise UsageError(f"{source.place}: several CSV files are not one table; convert them to Parquet")
        layout = sniff(files[0], source.csv)
        checked_columns(self._place, tuple(Column(name, "VARCHAR") for name in layout.names))
        self._check_types(source.csv, layout)
        if layout.remark:
            self.remarks.append(layout.remark)
        path = files[0]
        self._written = path, layout
        # where there is one column, a blank line at the end would be a record
        if layout.encoding not in ("utf-8", "utf-8-sig") or len(layout.names) == 1:
            path = utf8_copy(path, layout.encoding, self._folder)
        table = csv_table(path, layout, source.csv.missing_text)
        kinds = {name: kind for name, kind in source.csv.kinds.items() if kind in VALUE_TYPES}
        self._raw = csv_table(path, layout, ()), layout.names, kinds

        def fault(message: str) -> str:
            if UNCONVERTED in message:
                return self._conversion_fault(files[0], layout, table, kinds)
            return csv_fault(files[0], layout, message)

        with self.explain_errors(fault):
            return self._copy_table(f"SELECT {typed_columns(layout.names, kinds)} FROM {table}")

    def _check_types(self, wish: CsvFormat, layout: CsvLayout) -> None:
        unknown = [name for name in wish.kinds if name not in layout.names]
        if unknown:
            faults = [f"there is no column {name!r}; {name_hint(name, layout.names)}" for name in unknown]
            raise UsageError(f"{self._place}: types: {'; '.join(faults)}")

    def _conversion_fault(self, path: Path, layout: CsvLayout, table: str, kinds: dict[str, str]) -> str:
        """The first value that is not of its kind, by its place: the value itself stays unseen."""
        cases = [
            f"WHEN {misfit_condition(name, kind)} THEN {index}"
            for index, (name, kind) in enumerate(kinds.items())
        ]
        records = f"SELECT row_number() OVER () AS number, CASE {' '.join(cases)} END AS place FROM {table}"
        try:
            number, index = self.connection.execute(
                f"SELECT number, place FROM ({records}) WHERE place IS NOT NULL ORDER BY number LIMIT 1"
            ).fetchall()[0]
        except duckdb.Error as error:
            return csv_fault(path, layout, str(error))
        name, kind = list(kinds.items())[index]
        return (
            f"line {line_of_record(path, layout, number):,}, column {name!r}: the value is no {kind} "
            f"such as {VALUE_TYPES[kind].example}; correct it, or leave the column text"
        )

    def _parquet(self, source: Source) -> str:
        files = source.files()
        first, *others = [_parquet_schema(path) for path in files]
        self._check_arrow_names(first.names)
        for path, schema in zip(files, [first, *others], strict=True):
            arrow.check_digits(str(path), schema)
        for path, other in zip(files[1:], others, strict=True):
            if odd := set(first.names) ^ set(other.names):
                raise InputError(
                    f"{path}: column {min(odd)!r} is not in every file of {source.place}; "
                    "give all files the same columns"
                )
        widest = "" if all(first.equals(other) for other in others) else ", union_by_name = true"
        return f"read_parquet([{', '.join(path_text(path) for path in files)}]{widest})"

    def _arrow(self, source: Source) -> str:
        return self._register(arrow.read_files(source.files()))

    def _json(self, source: Source) -> str:
        path = self._only_file(source)
        with self.explain_errors(json_fault):
            table = json_table(path, self._place, lambda sql: self.connection.execute(sql).fetchall())
            return self._copy_table(f"SELECT * FROM {table}")

    def _office_file(self, source: Source) -> str:
        path = self._only_file(source)
        read = read_office_file(path, source.kind, source.table)
        self.remarks += read.remarks
        self._office = read
        return self._register(read.table)

    def _only_file(self, source: Source) -> Path:
        path, *others = source.files()
        if others:
            raise UsageError(f"{source.place}: several such files are not one table; convert them to Parquet")
        return path

    def _frame_columns(self, frame: Any) -> FrameColumns:
        if arrow.is_pandas(frame):
            if arrow.is_index_lost(frame):
                self.remarks.append(LOST_INDEX)
            self._check_arrow_names([str(name) for name in frame.columns])
        table = arrow.read_frame(self._place, frame)
        self._check_arrow_names(table.schema.names)
        return FrameColumns(table)

    def _register(self, data: Any) -> str:
        self._check_arrow_names(data.schema.names)
        try:
            self.connection.register(ARROW_DATA, data)
            self._registered = data
        except duckdb.NotImplementedException as error:
            raise InputError(
                f"{self._place}: a column has a type that can't be counted ({first_line(error)}); convert it"
            ) from error
        return ARROW_DATA

    def _check_arrow_names(self, names: list[str]) -> None:
        """Before DuckDB sees them: it would rename a second column of the same name."""
        checked_columns(self._place, tuple(Column(name, "") for name in names))

    def _sqlite(self, source: Source) -> str:
        assert source.table
        schema, batches = sqlite.read_table(Path(source.place), source.table)
        self._check_arrow_names(schema.names)
        table = self._copy_table(f"SELECT * FROM {self._register(schema.empty_table())}")
        with self.explain_errors():
            for batch in batches:
                self.connection.register(ARROW_DATA, pyarrow.Table.from_batches([batch]))
                self.connection.execute(f"INSERT INTO {table} SELECT * FROM arrow_data")
        return table

    def _duckdb_file(self, source: Source) -> str:
        assert source.table
        try:
            self.connection.execute(f"ATTACH {text(source.place)} AS source_file (READ_ONLY)")
            # a view of somebody else's may name any file of this machine
            self.connection.execute("SET enable_external_access = false")
        except duckdb.Error as error:
            raise InputError(
                f"{source.place}: can't be opened as a DuckDB file: {first_line(error)}"
            ) from error
        tables = self._tables_of_file()
        for schema, table, kind in tables:
            if source.table in (table, f"{schema}.{table}"):
                collated = self._is_collated(schema, table)
                self.ordered = kind != "VIEW" and not collated
                place = f"source_file.{quote_name(schema)}.{quote_name(table)}"
                return self._plain_texts(place) if collated or kind == "VIEW" else place
        names = [table if schema == "main" else f"{schema}.{table}" for schema, table, _ in tables]
        raise InputError(
            f"{source.place}: there is no table {source.table!r}; {name_hint(source.table, names)}"
        )

    def _tables_of_file(self) -> list[tuple[Any, ...]]:
        return self._rows(
            "SELECT table_schema, table_name, table_type FROM information_schema.tables "
            "WHERE table_catalog = 'source_file' ORDER BY table_schema <> 'main', table_schema, table_name"
        )

    def _is_collated(self, schema: str, table: str) -> bool:
        """Whether texts that differ may be equal; only the table's definition tells."""
        definitions = self._rows(
            "SELECT sql FROM duckdb_tables() WHERE database_name = 'source_file' "
            f"AND schema_name = {text(schema)} AND table_name = {text(table)}"
        )
        return any(COLLATION.search(sql or "") for (sql,) in definitions)

    def _plain_texts(self, place: str) -> str:
        """Texts that only a collation takes for equal are different here, as in a file of the same data."""
        names = [(quote_name(name), kind) for name, kind, *_ in self._rows(f"DESCRIBE SELECT * FROM {place}")]
        listed = [f'{name} COLLATE "binary" AS {name}' if kind == "VARCHAR" else name for name, kind in names]
        return f"(SELECT {', '.join(listed)} FROM {place}) AS plain_texts"

    def _copy_table(self, select: str) -> str:
        self.connection.execute("ATTACH ':memory:' AS work (COMPRESS)")
        self.connection.execute(f"CREATE TABLE {COPY} AS {select}")
        return COPY

    def _rows(self, sql: str) -> list[tuple[Any, ...]]:
        with self.explain_errors():
            found: list[tuple[Any, ...]] = self.connection.execute(sql).fetchall()
        return found

    @contextmanager
    def explain_errors(self, fault: Callable[[str], str] | None = None) -> Iterator[None]:
        """A failure in one line; Ctrl-C, of which DuckDB tells in two ways, as what it is."""
        try:
            yield
        except (duckdb.Error, pyarrow.ArrowException, RuntimeError, OSError) as error:
            message = str(error)
            # what DuckDB says while Arrow reads from it has no number, as those of the system have
            if isinstance(error, OSError) and error.errno is not None:
                raise
            if isinstance(error, duckdb.InterruptException) or "Query interrupted" in message:
                raise KeyboardInterrupt from error
            if isinstance(error, RuntimeError):
                raise
            if "Out of Memory" in message:
                raise InputError(
                    f"{self._place}: needs more memory than allowed; give more by --memory"
                ) from error
            raise InputError(f"{self._place}: {(fault or self._fault)(message)}") from error

    def _fault(self, message: str) -> str:
        if self._kind in ("parquet", "arrow"):
            return f"can't be read to its end ({first_line(message)}); copy or write it again"
        if NO_ACCESS in message:
            return "what was asked for reads other files, which it may not; copy it into a table of its own"
        return first_line(message)


def tables_in_words(many: int) -> tuple[str, ...]:
    return (f"{many:,} other {'table' if many == 1 else 'tables'}",) if many > 0 else ()


def _parquet_schema(path: Path) -> pyarrow.Schema:
    import pyarrow.parquet

    with path.open("rb") as handle:
        if handle.read(4) != b"PAR1":
            raise InputError(f"{path}: is not a Parquet file, though its name says so")
    try:
        return pyarrow.parquet.read_schema(path)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise InputError(DAMAGED_PARQUET.format(path)) from error

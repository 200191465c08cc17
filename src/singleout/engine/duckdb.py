"""The default engine: DuckDB in this process reads every file; large tables are counted by their codes."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import duckdb
import pyarrow

from singleout.engine import coded, sqlite, wildcard
from singleout.engine.codes import TooManyValuesError
from singleout.engine.protocol import Column, Question
from singleout.engine.sizes import Sizes
from singleout.engine.sql import SqlEngine, checked_columns
from singleout.errors import InputError, UsageError, nearest, one_line
from singleout.read.recode import recoded
from singleout.read.sniff import CsvLayout, sniff, undecodable
from singleout.read.source import Source

CODES_FROM = 300_000
ROWS_A_BATCH = 1_000_000
TEXT_LITERAL = re.compile("'")


class DuckDbEngine(SqlEngine):
    name = "duckdb"

    def __init__(self, source: Source, memory: int, threads: int) -> None:
        self.place = source.name
        self._memory = memory
        self._threads = threads
        self._folder = tempfile.TemporaryDirectory(prefix="singleout-")
        self._connection = self._connect()
        try:
            self.table = self._table_of(source)
            self._columns = checked_columns(self.place, self._described())
        except BaseException:
            self.close()
            raise

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        try:
            found: list[tuple[Any, ...]] = self._connection.execute(sql).fetchall()
            return found
        except duckdb.Error as error:
            self._explain(error)

    def batches(self, sql: str) -> Iterator[pyarrow.RecordBatch]:
        try:
            yield from self._connection.cursor().sql(sql).to_arrow_reader(ROWS_A_BATCH)
        except duckdb.Error as error:
            self._explain(error)

    def columns(self) -> tuple[Column, ...]:
        return self._columns

    def sizes(self, question: Question) -> Sizes:
        if question.missing == "wildcard":
            return wildcard.sizes(self.rows, self.table, question, self.quote)
        if self._by_codes(question):
            with suppress(TooManyValuesError, pyarrow.ArrowNotImplementedError):
                return self._coded.sizes(question.columns, question.person)
        return super().sizes(question)

    def people_alone(self, question: Question) -> int:
        if question.person is not None and self._by_codes(question):
            with suppress(TooManyValuesError, pyarrow.ArrowNotImplementedError):
                return self._coded.people_alone(question.columns, question.person)
        return super().people_alone(question)

    def close(self) -> None:
        self._connection.close()
        self._folder.cleanup()

    def _connect(self) -> duckdb.DuckDBPyConnection:
        return duckdb.connect(
            config={
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
                "memory_limit": f"{self._memory // 2}B",
                "temp_directory": os.path.join(self._folder.name, "spill"),
                "threads": str(self._threads),
            }
        )

    def _by_codes(self, question: Question) -> bool:
        if question.missing != "value" or not question.columns or self._records < CODES_FROM:
            return False
        return coded.fits(self._records, self._memory_of_codes)

    @property
    def _memory_of_codes(self) -> int:
        return self._memory * 3 // 4

    @cached_property
    def _records(self) -> int:
        return int(self.rows(f"SELECT count(*) FROM {self.table}")[0][0])

    @cached_property
    def _coded(self) -> coded.CodedTable:
        return coded.CodedTable(self._read_column, self._records, self._memory_of_codes, self._threads)

    def _read_column(self, name: str) -> Iterator[pyarrow.RecordBatch]:
        kind = next(column.type for column in self._columns if column.name == name)
        value = self.quote(name)
        if kind in ("FLOAT", "DOUBLE"):
            value = f"{value} + 0.0"  # Arrow keeps -0.0 apart from 0.0, SQL does not
        elif kind.startswith("ENUM"):
            value = f"CAST({value} AS VARCHAR)"
        return self.batches(f"SELECT {value} FROM {self.table}")

    def _described(self) -> tuple[Column, ...]:
        return tuple(Column(row[0], row[1]) for row in self.rows(f"DESCRIBE SELECT * FROM {self.table}"))

    def _table_of(self, source: Source) -> str:
        match source.kind:
            case "csv":
                return self._csv(source)
            case "parquet":
                return self._parquet(source)
            case "arrow":
                return self._arrow(Path(source.place))
            case "duckdb":
                return self._duckdb_file(source)
            case "sqlite":
                return self._sqlite(source)
            case "frame":
                return self._frame(source.frame)
        raise UsageError(f"{source.name}: the duckdb engine does not read it; use --engine {source.kind}")

    def _csv(self, source: Source) -> str:
        """A CSV file is parsed once, into a compressed table in memory that spills to disk."""
        files = source.files()
        if len(files) != 1:
            raise UsageError(f"{source.place}: several CSV files are not one table; convert them to Parquet")
        layout = sniff(files[0], source.csv)
        checked_columns(self.place, tuple(Column(name, "VARCHAR") for name in layout.names))
        path = files[0]
        if layout.encoding not in ("utf-8", "utf-8-sig"):
            path = recoded(path, layout.encoding, Path(self._folder.name))
        try:
            return self._copied(_read_csv(path, layout, source.csv.missing_text))
        except duckdb.Error as error:
            raise InputError(f"{self.place}: {_csv_fault(files[0], layout, str(error))}") from error

    def _parquet(self, source: Source) -> str:
        for path in source.files():
            with path.open("rb") as handle:
                if handle.read(4) != b"PAR1":
                    raise InputError(f"{path}: is not a Parquet file, though its name says so")
        self._check_arrow_names(_parquet_names(source.files()[0]))
        return f"read_parquet([{', '.join(_text(str(path)) for path in source.files())}])"

    def _arrow(self, path: Path) -> str:
        import pyarrow.dataset

        try:
            data = pyarrow.dataset.dataset(str(path), format="feather")
            self._check_arrow_names(data.schema.names)
        except (pyarrow.ArrowInvalid, OSError) as error:
            raise InputError(f"{path}: is not an Arrow or Feather file, though its name says so") from error
        self._connection.register("arrow_file", data)
        return "arrow_file"

    def _frame(self, frame: Any) -> str:
        try:
            if type(frame).__module__.startswith("pandas"):
                frame = pyarrow.Table.from_pandas(frame, preserve_index=False)
            data = pyarrow.table(frame)
        except (pyarrow.ArrowException, TypeError, ValueError) as error:
            raise InputError(f"{self.place}: can't be read as a table: {one_line(str(error))}") from error
        self._check_arrow_names(data.column_names)
        self._connection.register("frame_in_memory", data)
        return "frame_in_memory"

    def _check_arrow_names(self, names: list[str]) -> None:
        """Before DuckDB sees them: it would rename a second column of the same name."""
        checked_columns(self.place, tuple(Column(name, "") for name in names))

    def _sqlite(self, source: Source) -> str:
        assert source.table
        reader = sqlite.read_table(Path(source.place), source.table)
        self._check_arrow_names(reader.schema.names)
        self._connection.register("sqlite_table", reader)
        return self._copied("SELECT * FROM sqlite_table")

    def _duckdb_file(self, source: Source) -> str:
        assert source.table
        try:
            self._connection.execute(f"ATTACH {_text(source.place)} AS source_file (READ_ONLY)")
        except duckdb.Error as error:
            raise InputError(
                f"{source.place}: can't be opened as a DuckDB file: {_first_line(error)}"
            ) from error
        tables = self.rows(
            "SELECT table_schema, table_name FROM information_schema.tables "
            "WHERE table_catalog = 'source_file'"
        )
        for schema, table in tables:
            if source.table in (table, f"{schema}.{table}"):
                return f"source_file.{self.quote(schema)}.{self.quote(table)}"
        names = [table for _, table in tables]
        raise InputError(
            f"{source.place}: there is no table {source.table!r}; {nearest(source.table, names)}"
        )

    def _copied(self, select: str) -> str:
        self._connection.execute("ATTACH ':memory:' AS work (COMPRESS)")
        self._connection.execute(f"CREATE TABLE work.data AS {select}")
        return "work.data"

    def _explain(self, error: duckdb.Error) -> NoReturn:
        if isinstance(error, duckdb.InterruptException):
            raise KeyboardInterrupt from error
        if isinstance(error, duckdb.OutOfMemoryException):
            raise InputError(
                f"{self.place}: needs more memory than allowed; give more by --memory"
            ) from error
        raise InputError(f"{self.place}: {_first_line(error)}") from error


def _read_csv(path: Path, layout: CsvLayout, missing_text: tuple[str, ...]) -> str:
    names = ", ".join(f"{_text(name)}: 'VARCHAR'" for name in layout.names)
    options = {
        "auto_detect": "false",
        "columns": f"{{{names}}}",
        "delim": _text(layout.delimiter),
        "quote": _text(layout.quote),
        "escape": _text(layout.quote),
        "header": str(layout.header).lower(),
        "skip": str(layout.blank_lines),
        "nullstr": f"[{', '.join(_text(each) for each in missing_text)}]",
        "strict_mode": "true",
    }
    if not missing_text:
        del options["nullstr"]
    settings = ", ".join(f"{name} = {value}" for name, value in options.items())
    return f"SELECT * FROM read_csv({_text(str(path))}, {settings})"


def _csv_fault(path: Path, layout: CsvLayout, message: str) -> str:
    """DuckDB's page of advice, in one line with the line number."""
    if "unicode" in message or "utf-8" in message.lower():
        fault = undecodable(path, layout.encoding)
        if fault:
            return fault
    line = re.search(r"Line: (\d+)", message)
    where = f"line {int(line[1]):,}" if line else "somewhere"
    if width := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message):
        return f"{where} has {width[2]} fields where the first line has {width[1]}"
    if "unterminated quote" in message or "quote" in message.split("Possible")[0]:
        return f"{where} has a quote that is not closed or not at the field's edge; say the right --quote"
    if "state machine" in message:
        return "can't be read as CSV: mixed line endings, a zero byte, or a quote inside a field"
    return f"{where}: {_first_line(message)}"


def _parquet_names(path: Path) -> list[str]:
    import pyarrow.parquet

    try:
        return list(pyarrow.parquet.read_schema(path).names)
    except (pyarrow.ArrowInvalid, OSError) as error:
        raise InputError(f"{path}: is a damaged Parquet file; copy or write it again") from error


def _text(value: str) -> str:
    return "'" + TEXT_LITERAL.sub("''", value) + "'"


def _first_line(error: object) -> str:
    return one_line(str(error).strip().split("\n")[0])

"""Spark as the engine, classic or Spark Connect: the shared SQL runs there, and only counts come back."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from socket import create_connection
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pyarrow
from pyspark.errors import PySparkException

from singleout.engine.columns import checked_columns
from singleout.engine.databases.arrow_batches import Kind, batch_rows
from singleout.engine.databases.sql_engine import SqlEngine
from singleout.engine.protocol import Column
from singleout.errors import InputError, one_line
from singleout.read.source import Source

ROWS_A_BATCH = 50_000
CONNECT_PORT, CONNECT_SECONDS = 15002, 10
KINDS: dict[str, Kind] = {
    "tinyint": "integer",
    "smallint": "integer",
    "int": "integer",
    "bigint": "integer",
    "float": "number",
    "double": "number",
    "boolean": "boolean",
    "binary": "bytes",
    "date": "date",
    "timestamp": "instant",
    "timestamp_ntz": "time",
}
# Python turns a timestamp into local time, where 9999-12-31 may lie after its last year
WHOLE_NUMBERS = {"date": "unix_date", "timestamp": "unix_micros"}
NESTED = ("array", "map", "struct")


class SparkEngine(SqlEngine):
    name = "spark"
    record_number = "row_number() OVER (ORDER BY monotonically_increasing_id())"
    text_type = "STRING"
    text_column = "string"

    def __init__(self, source: Source) -> None:
        self.source_name = source.name
        self.table = self._view = f"singleout_{uuid4().hex}"
        with self._explain_errors():
            self._session, self._ours = _session(source)
        try:
            self._columns = self._open_view(source)
        except BaseException:
            if self._ours:
                self._session.stop()
            raise

    def quote(self, name: str) -> str:
        return "`" + name.replace("`", "``") + "`"

    def literal(self, text: str) -> str:
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with self._explain_errors():
            answer = self._session.sql(sql)
            return [tuple(row) for row in _select_forms(answer, _shown_form).collect()]

    def batches(self, sql: str) -> Iterator[pyarrow.RecordBatch]:
        with self._explain_errors():
            answer = self._session.sql(sql)
            kinds = [KINDS.get(kind, "text") for kind in _types(answer)]
            rows = _select_forms(answer, _kept_form).toLocalIterator()
            yield from batch_rows(answer.columns, kinds, rows, ROWS_A_BATCH)

    def columns(self) -> tuple[Column, ...]:
        return self._columns

    def matches(self, text: str, pattern: str) -> str:
        whole = self.literal(rf"^({pattern})\z")
        return f"{text} RLIKE {whole}"

    def as_double(self, expression: str) -> str:
        return f"try_cast({expression} AS DOUBLE)"

    def close(self) -> None:
        """Our view goes; the session too, if it was not there before us."""
        self._session.catalog.dropTempView(self._view)
        if self._ours:
            self._session.stop()

    def _open_view(self, source: Source) -> tuple[Column, ...]:
        with self._explain_errors():
            data = self._data(source)
            columns = tuple(Column(field.name, field.dataType.simpleString()) for field in data.schema)
            checked_columns(self.source_name, columns)
            data.createOrReplaceTempView(self._view)
            return columns

    def _data(self, source: Source) -> Any:
        if source.frame is not None:
            return source.frame
        if source.kind == "parquet":
            return self._session.read.parquet(*(str(path.resolve()) for path in source.files()))
        assert source.table
        return self._session.table(".".join(self.quote(part) for part in source.table.split(".")))

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        try:
            yield
        except PySparkException as error:
            raise InputError(f"{self.source_name}: {one_line(str(error).split('SQLSTATE')[0])}") from error


def _types(answer: Any) -> list[str]:
    return [field.dataType.simpleString() for field in answer.schema]


def _select_forms(answer: Any, form: Callable[[str, str], str]) -> Any:
    """The answer with each column in a form that comes over whole; its names, which may repeat, are left."""
    types = _types(answer)
    names = [f"c{index}" for index in range(len(types))]
    forms = [f"{form(name, kind)} AS {name}" for name, kind in zip(names, types, strict=True)]
    return answer.toDF(*names).selectExpr(*forms)


def _kept_form(name: str, kind: str) -> str:
    if kind in WHOLE_NUMBERS:
        return f"{WHOLE_NUMBERS[kind]}({name})"
    # Spark writes ["a, b"] and ["a", "b"] alike, Python does not
    return name if kind in KINDS or kind.startswith(NESTED) else f"CAST({name} AS STRING)"


def _shown_form(name: str, kind: str) -> str:
    return f"CAST({name} AS STRING)" if kind in WHOLE_NUMBERS else _kept_form(name, kind)


def _session(source: Source) -> tuple[Any, bool]:
    """The session that holds the data, and whether it is a new one; `sc://host:port` is a Connect server."""
    from pyspark.sql import SparkSession

    if source.frame is not None:
        return source.frame.sparkSession, False
    with warnings.catch_warnings():
        # PySpark warns of pandas versions that it does not need here
        warnings.simplefilter("ignore", FutureWarning)
        if source.place.lower().startswith("sc://"):
            from pyspark.sql.connect.session import SparkSession as RemoteSession

            _check_server(source)
            return RemoteSession.builder.remote(source.place).create(), True
        from pyspark import SparkContext

        running = SparkSession.getActiveSession()
        if running is not None:
            return running, False
        if SparkContext._active_spark_context is not None:
            return SparkSession.builder.getOrCreate(), False  # started in another thread
        session = SparkSession.builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
        with suppress(PySparkException):  # a Connect session has no log of its own
            session.sparkContext.setLogLevel("ERROR")
        return session, True


def _check_server(source: Source) -> None:
    """Spark Connect itself would try again for minutes."""
    address = urlsplit(source.place.partition(";")[0])
    server = (address.hostname or "localhost", address.port or CONNECT_PORT)
    try:
        create_connection(server, timeout=CONNECT_SECONDS).close()
    except OSError as error:
        where = f"{server[0]}:{server[1]}"
        raise InputError(f"{source.name}: no Spark Connect server answers at {where}; start it") from error

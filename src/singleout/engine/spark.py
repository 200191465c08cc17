"""Spark as the engine, classic or Spark Connect: the shared SQL runs there, and only counts come back."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import islice
from typing import Any, NoReturn
from uuid import uuid4

import pyarrow
from pyspark.errors import PySparkException

from singleout.engine.protocol import Column
from singleout.engine.sql import SqlEngine, checked_columns
from singleout.errors import InputError, one_line
from singleout.read.source import Source

ROWS_A_BATCH = 50_000


class SparkEngine(SqlEngine):
    name = "spark"
    record_number = "monotonically_increasing_id() + 1"

    def __init__(self, source: Source) -> None:
        self.place = source.name
        try:
            self._session, self._ours = _session(source)
            data = self._data(source)
            self._columns = checked_columns(
                self.place, tuple(Column(field.name, field.dataType.simpleString()) for field in data.schema)
            )
            self.table = f"singleout_{uuid4().hex}"
            data.createOrReplaceTempView(self.table)
        except PySparkException as error:
            self._explain(error)

    def quote(self, name: str) -> str:
        return "`" + name.replace("`", "``") + "`"

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        try:
            return [tuple(row) for row in self._session.sql(sql).collect()]
        except PySparkException as error:
            self._explain(error)

    def batches(self, sql: str) -> Iterator[pyarrow.RecordBatch]:
        try:
            answer = self._session.sql(sql)
            names = answer.columns
            rows = answer.toLocalIterator()
            while piece := list(islice(rows, ROWS_A_BATCH)):
                arrays = [pyarrow.array(values) for values in zip(*piece, strict=True)]
                yield pyarrow.RecordBatch.from_arrays(arrays, names=names)
        except PySparkException as error:
            self._explain(error)

    def columns(self) -> tuple[Column, ...]:
        return self._columns

    def close(self) -> None:
        """Our view goes; the session too, if it was not there before us."""
        self._session.catalog.dropTempView(self.table)
        if self._ours:
            self._session.stop()

    def _data(self, source: Source) -> Any:
        if source.frame is not None:
            return source.frame
        if source.kind == "parquet":
            return self._session.read.parquet(*(str(path.resolve()) for path in source.files()))
        assert source.table
        return self._session.table(".".join(self.quote(part) for part in source.table.split(".")))

    def _explain(self, error: PySparkException) -> NoReturn:
        raise InputError(f"{self.place}: {one_line(str(error).split('SQLSTATE')[0])}") from error


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

            return RemoteSession.builder.remote(source.place).create(), True
        running = SparkSession.getActiveSession()
        if running is not None:
            return running, False
        session = SparkSession.builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        return session, True

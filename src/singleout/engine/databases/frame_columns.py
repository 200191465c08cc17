"""A frame whose columns mean to Arrow what they mean to DuckDB: much is known of it without a database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import pyarrow

from singleout.engine.protocol import Column, ColumnSummary

ROWS_A_BATCH = 250_000
# values of these are equal, sorted and written as text alike in both
PLAIN = {
    pyarrow.string(): "VARCHAR", pyarrow.large_string(): "VARCHAR", pyarrow.bool_(): "BOOLEAN",
    pyarrow.int8(): "TINYINT", pyarrow.int16(): "SMALLINT", pyarrow.int32(): "INTEGER",
    pyarrow.int64(): "BIGINT", pyarrow.uint8(): "UTINYINT", pyarrow.uint16(): "USMALLINT",
    pyarrow.uint32(): "UINTEGER", pyarrow.uint64(): "UBIGINT",
}  # fmt: skip
TYPES = PLAIN | {pyarrow.float32(): "FLOAT", pyarrow.float64(): "DOUBLE", pyarrow.date32(): "DATE"}


@dataclass(frozen=True, eq=False)
class FrameColumns:
    """The columns of a checked frame, called and typed as DuckDB does."""

    table: pyarrow.Table

    def columns(self) -> tuple[Column, ...] | None:
        """None where only the database can say of which type a column is."""
        fields = list(self.table.schema)
        if not all(field.type in TYPES and field.name and "\0" not in field.name for field in fields):
            return None
        return tuple(Column(field.name, TYPES[field.type]) for field in fields)

    @cached_property
    def _plain(self) -> frozenset[str]:
        return frozenset(field.name for field in self.table.schema if field.type in PLAIN)

    def are_plain(self, names: Iterable[str]) -> bool:
        """Whether all are columns of the frame that need no database to be read."""
        return self._plain.issuperset(names)

    def look(self, name: str, examples: int) -> ColumnSummary:
        values = self.table.column(name)
        filled = values.drop_null() if values.null_count else values
        texts = tuple(map(str, filled.slice(0, examples).to_pylist()))
        return ColumnSummary(len(values), values.null_count, texts)

    def batches(self, name: str) -> Iterator[pyarrow.RecordBatch]:
        column = self.table.select([name])
        if column.num_rows <= ROWS_A_BATCH:
            column = column.combine_chunks()
        yield from column.to_batches(max_chunksize=ROWS_A_BATCH)

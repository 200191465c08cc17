"""The distinct tuples of a table as codes: enough for every frequency, pair table and entropy of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
import pyarrow
from numpy.typing import NDArray

Code = NDArray[numpy.uint32]
Counts = NDArray[numpy.int64]


@dataclass(frozen=True, eq=False)
class Tuples:
    """`codes` has an array for each column, in the order of its values; `records` how many have the tuple.

    Without `records` the same tuple may stand there several times, once for each record.
    """

    codes: tuple[Code, ...]
    values: tuple[int, ...]
    records: Counts | None = None

    @classmethod
    def of(cls, batches: Sequence[pyarrow.RecordBatch]) -> Tuples:
        """From columns of codes and a last column of how many."""
        table = pyarrow.Table.from_batches(batches)
        *codes, records = (table.column(index).to_numpy() for index in range(table.num_columns))
        values = tuple(int(code.max()) + 1 if len(code) else 0 for code in codes)
        return cls(tuple(code.astype(numpy.uint32) for code in codes), values, records.astype(numpy.int64))

    def frequencies(self, column: int) -> Counts:
        """How many records have each value of a column."""
        return numpy.bincount(self.codes[column], self.records, self.values[column]).astype(numpy.int64)

    def pairs(self, first: int, second: int) -> tuple[Counts, Counts, Counts]:
        """(code, code, records) of each pair of values of two columns that occurs."""
        width = self.values[second]
        keys = self.codes[first].astype(numpy.int64) * width + self.codes[second]
        found, records = self._tuple_counts(keys, self.values[first] * width)
        return found // width, found % width, records

    def _tuple_counts(self, keys: Counts, space: int) -> tuple[Counts, Counts]:
        """Each key that occurs, and how many records have it; by sorting where most keys do not occur."""
        if space <= 4 * len(keys):
            counts = numpy.bincount(keys, self.records, space).astype(numpy.int64)
            occurring = numpy.flatnonzero(counts)
            return occurring, counts[occurring]
        if self.records is None:
            return numpy.unique(keys, return_counts=True)
        occurring, indices = numpy.unique(keys, return_inverse=True)
        return occurring, numpy.bincount(indices, self.records).astype(numpy.int64)


@dataclass(frozen=True, eq=False)
class CodedRecords:
    """One entry a record, in the order of the data; `record` is its number there, the first is 1.

    `codes` has an array for each column, in the order of its values, `values` how many values each has.
    Without a person column each record is its own person, and `person` is None.
    """

    record: Counts
    codes: tuple[Code, ...]
    values: tuple[int, ...]
    person: Code | None
    people: int

    @classmethod
    def of(cls, batches: Iterable[pyarrow.RecordBatch], person: bool) -> CodedRecords:
        """From columns: record, codes, and the person's code last if there is one."""
        pieces = [_code_arrays(batch) for batch in batches]
        record, *codes = (numpy.concatenate(each) for each in zip(*pieces, strict=True))
        values = [int(code.max()) + 1 if len(code) else 0 for code in codes]
        if not person:
            return cls(record, tuple(codes), tuple(values), None, len(record))
        return cls(record, tuple(codes[:-1]), tuple(values[:-1]), codes[-1], values[-1])


def _code_arrays(batch: pyarrow.RecordBatch) -> list[NDArray[Any]]:
    """Codes get four bytes at once: all of the answer at eight would be twice as large."""
    record, *codes = (column.to_numpy() for column in batch.columns)
    return [record.astype(numpy.int64), *(code.astype(numpy.uint32) for code in codes)]

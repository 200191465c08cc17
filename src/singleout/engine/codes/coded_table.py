"""Counts a large table by its codes: each column is read once, then counted by compiled loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts, Sizes
from singleout.engine.codes.dictionary import Code, Codes, NotCodableError, encode, encode_with_values
from singleout.engine.codes.numbering import BYTES_A_ROW_OF_A_PART, KEY_SPACE, MOST_ROWS_A_PART, join_codes
from singleout.engine.codes.parallel import map_units
from singleout.engine.codes.tuple_codes import CodedRecords, Tuples

ReadColumn = Callable[[str], Iterator[pyarrow.RecordBatch]]
SMALL = 1024
BYTES_A_RECORD = 20
BYTES_AT_LEAST = 100_000_000
MOST_BYTES_OF_VALUES = 1_000_000
Part = TypeVar("Part")


class FileCodes(NamedTuple):
    """The codes of a file, and which columns it has."""

    codes: CodedTable
    columns: frozenset[str]


def fits(records: int, memory: int) -> bool:
    """Whether the loops' own arrays stay in the memory allowed: at most five 4-byte numbers a record."""
    return 0 < records < KEY_SPACE >> 32 and records * BYTES_A_RECORD + BYTES_AT_LEAST <= memory


def all_fit(records: int, columns: int, memory: int) -> bool:
    """Whether all columns do at once, with what it takes to walk over sets of them."""
    return records < KEY_SPACE >> 32 and records * BYTES_A_RECORD * (columns + 1) + BYTES_AT_LEAST <= memory


class CodedTable:
    """Answers from codes; codes for which there is no memory are read again when needed.

    A table with added columns stands on the one of the `file` without them, and asks it for the others. Of
    some sources columns can be read `side_by_side`.
    """

    def __init__(
        self,
        read: ReadColumn,
        records: int,
        memory: int,
        threads: int,
        file: FileCodes | None = None,
        side_by_side: bool = False,
    ) -> None:
        self._read_tables = read
        self._records = records
        self._most_kept = memory - records * BYTES_A_RECORD - BYTES_AT_LEAST
        # while a dictionary is merged it is there three times
        self._most_values = max(memory // 4, self._most_kept) // 3
        self._rows_a_part = min(MOST_ROWS_A_PART, memory // (8 * BYTES_A_ROW_OF_A_PART * threads))
        self._threads = threads
        self._file = file
        self._side_by_side = side_by_side
        self._kept: dict[tuple[str, ...], Codes] = {}
        self._kept_in_order: dict[str, Codes] = {}
        self._values: dict[str, pyarrow.Array] = {}
        self._last: tuple[tuple[str, ...], Codes] | None = None
        self._people: tuple[str, NDArray[numpy.int64], Code] | None = None

    def sizes(self, columns: tuple[str, ...], person: str | None) -> Sizes:
        groups = self._groups(columns)
        if person is None:
            records = numpy.bincount(groups.codes, minlength=groups.count)
            return _sizes(records, records)
        return _sizes(*self._records_and_people(groups, person))

    def people_alone(self, columns: tuple[str, ...], person: str) -> int:
        from singleout.engine.codes import count_kernels as kernels

        groups = self._groups(columns)
        _, people = self._records_and_people(groups, person)
        starts, order = self._by_person(person)
        return int(kernels.count_people_alone(groups.codes, people, starts, order))

    def tuples(self, columns: tuple[str, ...]) -> Tuples:
        """The records themselves as codes, four bytes a value, if there is memory for all of them at once."""
        if 4 * self._records * len(columns) > self._most_kept:
            raise NotCodableError
        kept = {*self._kept_in_order, *(self._file.codes._kept_in_order if self._file else ())}
        further = [name for name in columns if name not in kept]
        if not self._has_room(4 * self._records * len(further)):
            self.forget()
        if self._side_by_side and self._threads > 1:
            encoded = map_units(further, self._encode_in_order, self._threads)
            for name, (codes, values) in zip(further, encoded, strict=True):
                self._keep_in_order(name, codes, values)
        coded = [self._ordered_codes(name) for name in columns]
        return Tuples(tuple(each.codes for each in coded), tuple(each.count for each in coded))

    def records(self, columns: tuple[str, ...], person: str | None) -> CodedRecords:
        """The same with the person beside the columns, and each record's number."""
        names = (*columns, *([] if person is None else [person]))
        coded = self.tuples(names)
        number = numpy.arange(1, self._records + 1)
        if person is None:
            return CodedRecords(number, coded.codes, coded.values, None, self._records)
        return CodedRecords(number, coded.codes[:-1], coded.values[:-1], coded.codes[-1], coded.values[-1])

    def texts(self, column: str) -> tuple[str | None, ...]:
        """The values behind the codes that `tuples` gives the column, as text, if they are not too long."""
        if self._file and column in self._file.columns:
            return self._file.codes.texts(column)
        if column not in self._values:
            self._ordered_codes(column)
        if column not in self._values:
            raise NotCodableError
        return tuple(self._values[column].cast(pyarrow.large_string()).to_pylist())

    @property
    def bytes(self) -> int:
        """What is kept, the codes of the file included."""
        own = sum(kept.bytes for kept in (*self._kept.values(), *self._kept_in_order.values()))
        own += sum(int(values.nbytes) for values in self._values.values())
        return own + (self._file.codes.bytes if self._file else 0)

    def forget(self) -> None:
        """Free what is kept; it is read again when needed."""
        self._kept.clear()
        self._kept_in_order.clear()
        self._values.clear()
        self._last = self._people = None
        if self._file:
            self._file.codes.forget()

    def _has_room(self, more: int) -> bool:
        return self.bytes + more <= self._most_kept

    def _ordered_codes(self, column: str) -> Codes:
        """Codes in the values' order, with none for a value that only a dictionary has."""
        if self._file and column in self._file.columns:
            return self._file.codes._ordered_codes(column)
        if column in self._kept_in_order:
            return self._kept_in_order[column]
        return self._keep_in_order(column, *self._encode_in_order(column))

    def _encode_in_order(self, column: str) -> tuple[Codes, pyarrow.Array]:
        batches = self._read_tables(column)
        coded, values = encode_with_values(batches, self._most_values, self._threads, in_order=True)
        self._check_length(coded)
        occurs = numpy.zeros(coded.count, dtype=numpy.bool_)
        occurs[coded.codes] = True
        if occurs.all():
            return coded, values
        rank = (numpy.cumsum(occurs) - 1).astype(numpy.uint32)
        return Codes(rank[coded.codes], int(occurs.sum())), values.filter(pyarrow.array(occurs))

    def _keep_in_order(self, column: str, coded: Codes, values: pyarrow.Array) -> Codes:
        if values.nbytes <= MOST_BYTES_OF_VALUES and self._has_room(coded.bytes + values.nbytes):
            self._values[column] = values
        if self._has_room(coded.bytes):
            self._kept_in_order[column] = coded
        return coded

    def _groups(self, columns: tuple[str, ...]) -> Codes:
        """Equal codes where the records are equal on all the columns; the last ones are always at hand."""
        if columns in self._kept:
            return self._kept[columns]
        if self._last is None or self._last[0] != columns:
            self._last = None
            codes = self._coded_column(columns[0]) if len(columns) == 1 else self._joined_codes(columns)
            self._last = (columns, codes)
            self._keep(columns, codes)
        return self._last[1]

    def _coded_column(self, column: str) -> Codes:
        if self._file and column in self._file.columns:
            return self._file.codes._coded_column(column)
        if column in self._kept_in_order:
            return self._kept_in_order[column]
        if (column,) in self._kept:
            return self._kept[column,]
        codes = self._check_length(encode(self._read_tables(column), self._most_values, self._threads))
        self._keep((column,), codes)
        return codes

    def _keep(self, columns: tuple[str, ...], codes: Codes) -> None:
        """What is kept in the values' order, or by the table of the file, needs no more room."""
        file = self._file.columns if self._file else frozenset()
        there = len(columns) == 1 and (columns[0] in self._kept_in_order or columns[0] in file)
        if not there and self._has_room(codes.bytes):
            self._kept[columns] = codes

    def _check_length(self, codes: Codes) -> Codes:
        """If the file changed meanwhile, the loops would read past an end."""
        if len(codes.codes) != self._records:
            raise NotCodableError
        return codes

    def _by_person(self, person: str) -> tuple[NDArray[numpy.int64], Code]:
        from singleout.engine.codes import count_kernels as kernels

        if self._people is None or self._people[0] != person:
            codes = self._coded_column(person)
            self._people = (person, *kernels.order_by(codes.codes, codes.count))
        return self._people[1], self._people[2]

    def _records_and_people(self, groups: Codes, person: str) -> tuple[Code, Code]:
        from singleout.engine.codes import count_kernels as kernels

        starts, order = self._by_person(person)

        def count(first: int, last: int) -> tuple[Code, Code]:
            records, people = kernels.count_people(groups.codes, groups.count, starts, order, first, last)
            return records, people

        # a thread has its own counters: worth it only while all of them are fewer than the records
        threads = self._threads if groups.count * 4 * self._threads < len(order) else 1
        counted = self._run_in_threads(count, _fair_shares(starts, threads))
        records, people = counted[0]
        for more_records, more_people in counted[1:]:
            records += more_records
            people += more_people
        return records, people

    def _joined_codes(self, columns: tuple[str, ...]) -> Codes:
        return join_codes(
            (self._coded_column(column) for column in columns), self._threads, self._rows_a_part
        )

    def _run_in_threads(self, work: Callable[..., Part], shares: list[tuple[int, ...]]) -> list[Part]:
        if len(shares) == 1:
            return [work(*shares[0])]
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(lambda share: work(*share), shares))


def _sizes(records: Code | Counts, people: Code | Counts) -> Sizes:
    """The list of pairs, without sorting all groups: nearly all of them are small."""
    from singleout.engine.codes import count_kernels as kernels

    # a table no larger than its largest group: most columns have small ones only
    below = min(SMALL, int(records.max(initial=0)) + 1)
    table, large = kernels.count_small_pairs(records, people, below)
    small_records, small_people = numpy.nonzero(table)
    groups = table[small_records, small_people]
    if large:
        big = numpy.flatnonzero(records >= below)
        small_records = numpy.concatenate((small_records, records[big]))
        small_people = numpy.concatenate((small_people, people[big]))
        groups = numpy.concatenate((groups, numpy.ones(large, dtype=numpy.int64)))
    return Sizes.of_arrays(small_records, small_people, groups)


def _fair_shares(starts: NDArray[numpy.int64], shares: int) -> list[tuple[int, ...]]:
    """Ranges of persons with about equally many records each."""
    people = len(starts) - 1
    wanted = numpy.linspace(0, starts[-1], shares + 1)[1:-1]
    bounds = [0, *numpy.searchsorted(starts, wanted).tolist(), people]
    return [(first, last) for first, last in pairwise(bounds) if first < last]

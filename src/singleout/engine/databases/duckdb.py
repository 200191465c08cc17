"""The default engine: DuckDB in this process reads every file; large tables are counted by their codes."""

from __future__ import annotations

import re
import shutil
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import pyarrow

from singleout.engine.class_sizes import Sizes
from singleout.engine.codes import coded_table as coded
from singleout.engine.codes.collapsed_rows import collapsed_records
from singleout.engine.codes.dictionary import NotCodableError
from singleout.engine.codes.text_codes import Texts
from singleout.engine.codes.tuple_codes import CodedRecords, Tuples
from singleout.engine.column_sets.lattice import Lattice
from singleout.engine.column_sets.set_counts import SetCounts, Sets
from singleout.engine.column_sets.synergy_counts import SynergyCounts
from singleout.engine.column_sets.synergy_counts_by_codes import SynergyCounter
from singleout.engine.columns import check_sets, checked_columns
from singleout.engine.databases import duckdb_parquet as parquet
from singleout.engine.databases import duckdb_sketch
from singleout.engine.databases import duckdb_wildcard as wildcard
from singleout.engine.databases.duckdb_moments import fetched_rows
from singleout.engine.databases.duckdb_tables import Loader
from singleout.engine.databases.sql_engine import EXAMPLES, SqlEngine
from singleout.engine.protocol import Column, ColumnSummary, Question
from singleout.progress import Progress, silent
from singleout.read.source import Source
from singleout.temporary_files import folder_path, remove_leftovers, temporary_place

CODES_FROM = 500_000
ROWS_A_BATCH = 250_000
CODED_TYPES = re.compile(
    r"(BOOLEAN|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*|VARCHAR|BLOB|UUID|ENUM.*|DATE|TIME"
    r"|TIMESTAMP.*)$"
)
# of the memory allowed, what is kept from one job to the next
KEPT_SHARE = 8
Answer = TypeVar("Answer")
FALL_BACK_TO_SQL = (NotCodableError, pyarrow.ArrowException, OSError, duckdb.OutOfMemoryException)


class DuckDbEngine(SqlEngine):
    name = "duckdb"
    own_hash = f"that of DuckDB {duckdb.__version__}"
    loosely_equal = re.compile(r"INTERVAL|VARIANT|STRUCT.*|MAP.*|UNION.*|.*\]")
    loose_floats = "{0} = 0 OR isnan({0})"

    def __init__(self, source: Source, memory: int, threads: int) -> None:
        self.source_name = source.name
        self._files = source.files() if source.kind == "parquet" else []
        self._memory = memory
        self._threads = threads
        self._joins: DuckDbEngine | None = None
        self.joined: list[DuckDbEngine] = []
        self._answers: dict[tuple[str, Question], Any] = {}
        self._file_codes: tuple[int, coded.FileCodes] | None = None
        self._limits = memory * 17 // 20, threads
        self._last_added: tuple[coded.FileCodes, coded.CodedTable] | None = None
        self._last_lattice: tuple[Question, Lattice] | None = None
        self._last_parts: SynergyCounter | None = None
        self._last_texts: tuple[tuple[str, ...], Texts] | None = None
        self._remove_folder: weakref.finalize[Any, Any] | None = None
        self._folder: Path | None = None
        self._is_closed = False
        try:
            self._loader = Loader(source)
            self._frame = self._loader.frame
            known = self._frame.columns() if self._frame else None
            if known is None:
                self._connection = self._connect()
            self.table = self._loader.table_of(source)
            self._columns = checked_columns(self.source_name, known or self._describe_columns())
        except BaseException:
            self.close()
            raise
        self._of_file = frozenset(column.name for column in self._columns)

    def join(self, memory: int, threads: int) -> DuckDbEngine:
        """Another engine of the same open table, for another job: the columns that it adds are its own.

        What is counted of the file's own columns is counted once for all of them.
        """
        other = copy(self)
        other._joins, other._memory, other._threads = self, memory, threads
        other.joined, other._last_added, other._last_lattice, other._last_texts = [], None, None, None
        other.__dict__.pop("_connection", None)
        self.joined.append(other)
        self._limit_database()
        return other

    @cached_property
    def _connection(self) -> duckdb.DuckDBPyConnection:
        """Opened when it is first needed, which for a frame may be never."""
        if self._is_closed:
            raise duckdb.ConnectionException("it is closed")
        if self._joins is not None:
            return self._loader.another_connection(self._joins._connection)
        return self._connect()

    @property
    def _is_connected(self) -> bool:
        return "_connection" in self.__dict__

    def held_bytes(self) -> int:
        """What is kept in memory while nobody asks: the database's own tables and our codes."""
        if not self._is_connected:
            return self._kept_bytes
        (database,) = self.rows("SELECT sum(memory_usage_bytes) FROM duckdb_memory()")[0]
        return int(database or 0) + self._kept_bytes

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with self._loader.explain_errors():
            return fetched_rows(self._connection, sql)

    def batches(self, sql: str) -> Iterator[pyarrow.RecordBatch]:
        with self._loader.explain_errors():
            reader = self._connection.sql(sql).to_arrow_reader(ROWS_A_BATCH)
            first = next(reader, None)
            yield first or pyarrow.RecordBatch.from_pylist([], schema=reader.schema)  # no rows have types too
            yield from reader

    def columns(self) -> tuple[Column, ...]:
        return self._columns

    def order(self, expression: str, column: str) -> str:
        kind = next(each.type for each in self._columns if each.name == column)
        sortable = f"CAST({expression} AS VARCHAR)" if kind.startswith("ENUM") else expression
        return f"{sortable} NULLS LAST"

    def matches(self, text: str, pattern: str) -> str:
        return f"regexp_full_match({text}, {self.literal(pattern)})"

    def as_double(self, expression: str) -> str:
        return f"TRY_CAST({expression} AS DOUBLE)"

    def merged_columns(self) -> tuple[str, ...]:
        return self.once("merged columns", Question(()), self._merged_columns)

    def _merged_columns(self) -> tuple[str, ...]:
        """By how the file was read, and by what the database takes for equal."""
        return tuple(dict.fromkeys((*self._loader.merged_columns(), *super().merged_columns())))

    def written_float(self, value: str) -> str:
        """By its bits: there are many NaN, which are all called so."""
        return f"CAST({value} AS BIT)"

    def other_contents(self) -> tuple[str, ...]:
        return self.once("other contents", Question(()), self._loader.other_contents)

    def once(self, kind: str, question: Question, find: Callable[[], Answer]) -> Answer:
        """The file's own columns are the same for every job that joined."""
        if self._joins is None or not self._is_of_file(question):
            return find()
        answers: dict[tuple[str, Question], Any] = self._joins._answers
        if (kind, question) not in answers:
            answers[kind, question] = find()
        given: Answer = answers[kind, question]
        return given

    def values(self, column: str, question: Question) -> tuple[str | None, ...]:
        if self._is_plain(question) and self._is_codable(question):
            with suppress(*FALL_BACK_TO_SQL):
                return self._codes(question).texts(column)
        return super().values(column, question)

    def look(self, column: str) -> ColumnSummary:
        return self.once("look", Question((column,)), lambda: self._look_at(column))

    def sizes(self, question: Question) -> Sizes:
        return self.once("sizes", question, lambda: self._count_sizes(question))

    def people_alone(self, question: Question) -> int:
        return self.once("people alone", question, lambda: self._count_people_alone(question))

    def tuples(self, question: Question) -> Tuples:
        if self._uses_codes(question):
            with suppress(*FALL_BACK_TO_SQL):
                return self._codes(question).tuples(question.columns)
        return super().tuples(question)

    def texts(self, columns: tuple[str, ...]) -> Texts:
        if self._last_texts is None or self._last_texts[0] != columns:
            self._last_texts = None
            self._last_texts = columns, super().texts(columns)
        return self._last_texts[1]

    def lowest_hashes(
        self, columns: tuple[str, ...], seed: int, portable: bool = True
    ) -> list[tuple[str, int]]:
        if portable:
            return super().lowest_hashes(columns, seed)
        sql = duckdb_sketch.lowest_hashes(self.table, [self.quote(name) for name in columns], seed)
        return [(f"{low:016x}", int(records)) for low, records in self.rows(sql)]

    def hash_counts(
        self,
        columns: tuple[str, ...],
        person: str | None,
        seed: int,
        limit: str | None,
        portable: bool = True,
    ) -> Iterator[pyarrow.RecordBatch]:
        if portable:
            return super().hash_counts(columns, person, seed, limit)
        who, keys = None if person is None else self.quote(person), [self.quote(name) for name in columns]
        return self.batches(duckdb_sketch.hash_counts(self.table, keys, who, seed, limit))

    def count_sets(
        self, question: Question, sets: Sets, allow: int, progress: Progress = silent
    ) -> SetCounts:
        check_sets(question, sets.tolist())
        with suppress(*FALL_BACK_TO_SQL):
            return self._lattice(question).count(sets, allow, progress)
        return super().count_sets(question, sets, allow, progress)

    def parts_of_set(self, question: Question, chosen: int) -> SynergyCounts:
        check_sets(question, [chosen], empty=False)
        with suppress(*FALL_BACK_TO_SQL):
            return self._synergy_counter(self._lattice(question)).parts(chosen)
        return super().parts_of_set(question, chosen)

    def coded_records(self, question: Question) -> CodedRecords:
        if self._is_codable(question):
            with suppress(*FALL_BACK_TO_SQL):
                return self._codes(question).records(question.columns, question.person)
        return super().coded_records(question)

    def coded_records_and_columns(
        self, question: Question, carry: tuple[str, ...]
    ) -> tuple[CodedRecords, pyarrow.Table]:
        if carry and self._is_codable(question):
            with suppress(*FALL_BACK_TO_SQL):
                records = self._codes(question).records(question.columns, question.person)
                return records, self._read_columns(carry)
        return super().coded_records_and_columns(question, carry)

    @property
    def remarks(self) -> tuple[str, ...]:
        return tuple(self._loader.remarks)

    def close(self) -> None:
        self._is_closed = True
        for each in [*self.joined]:
            each.close()
        if self._is_connected:
            self._connection.close()
        if self._remove_folder is not None and self._joins is None:
            self._remove_folder()
        if self._joins is not None and self in self._joins.joined:
            self._joins.joined.remove(self)
            self._joins.end_of_job()

    def end_of_job(self) -> None:
        """Keep for the next job what is small beside the memory allowed."""
        if self._kept_bytes > self._memory // KEPT_SHARE:
            self._last_lattice = self._last_parts = self._file_codes = None
        self._limit_database()

    def _connect(self) -> duckdb.DuckDBPyConnection:
        remove_leftovers(temporary_place())
        folder = self._folder = folder_path()
        # said before the folder is there: then no interrupt comes too early for it
        self._remove_folder = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
        connection = duckdb.connect(
            config={
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
                # a name that a view asks for is never a variable of the program
                "python_enable_replacements": "false",
                "memory_limit": f"{self._limits[0]}B",
                "temp_directory": str(folder / "spill"),
                "threads": str(self._limits[1]),
            }
        )
        try:
            # it would go to standard output, into our JSON
            connection.execute("SET enable_progress_bar = false")
            self._loader.use(connection, folder)
        except BaseException:
            connection.close()
            raise
        return connection

    def _uses_codes(self, question: Question, many: bool = False) -> bool:
        """A large table, or one that is counted by `many` jobs: for one count, coding does not pay."""
        return self._is_codable(question) and (self._records >= CODES_FROM or many)

    def _is_codable(self, question: Question) -> bool:
        """A table whose columns can be read one by one and mean to Arrow what they mean here."""
        if question.missing != "value" or not question.columns or not self._loader.ordered:
            return False
        asked = {*question.columns, question.person}
        if any(column.name in asked and not CODED_TYPES.match(column.type) for column in self._columns):
            return False
        return coded.fits(self._records, self._memory_of_codes)

    def _lattice(self, question: Question) -> Lattice:
        """The coded rows of the last question, for it is asked about many sets."""
        keeper = self._opened if self._is_of_file(question) else self
        if keeper._last_lattice is None or keeper._last_lattice[0] != question:
            keeper._last_lattice = None
            if not coded.all_fit(self._records, len(question.columns), self._memory_of_codes):
                raise NotCodableError
            records = self.coded_records(question)
            self._some(len(records.record))
            rows = collapsed_records(records, self._threads)
            keeper._last_lattice = (question, Lattice(rows, self._threads))
        return keeper._last_lattice[1]

    def _synergy_counter(self, lattice: Lattice) -> SynergyCounter:
        kept = self._opened._last_lattice
        keeper = self._opened if kept and kept[1] is lattice else self
        if keeper._last_parts is None or keeper._last_parts.rows is not lattice.rows:
            keeper._last_parts = SynergyCounter(lattice.rows, self._threads)
        return keeper._last_parts

    @property
    def _opened(self) -> DuckDbEngine:
        """The engine that opened the file."""
        return self._joins or self

    def _is_of_file(self, question: Question) -> bool:
        """Whether only columns of the file are asked for, none that was added."""
        asked = {*question.columns, *question.filled, *([] if question.person is None else [question.person])}
        return asked <= self._of_file

    def _is_plain(self, question: Question) -> bool:
        """Whether only columns of a frame are asked for that need no database to be read."""
        asked = [*question.columns, *([] if question.person is None else [question.person])]
        return self._frame is not None and self._frame.are_plain(asked)

    def _look_at(self, column: str) -> ColumnSummary:
        if self._frame is not None and self._frame.are_plain([column]):
            return self._frame.look(column, EXAMPLES)
        return super().look(column)

    def _count_sizes(self, question: Question) -> Sizes:
        if question.missing == "wildcard":
            return wildcard.sizes(self.rows, self.table, question, self.quote)
        if self._uses_codes(question, many=self._joins is not None):
            with suppress(*FALL_BACK_TO_SQL):
                return self._codes(question).sizes(question.columns, question.person)
        return super().sizes(question)

    def _count_people_alone(self, question: Question) -> int:
        many = self._joins is not None
        if question.person is not None and self._uses_codes(question, many):
            with suppress(*FALL_BACK_TO_SQL):
                return self._codes(question).people_alone(question.columns, question.person)
        return super().people_alone(question)

    @property
    def _memory_of_codes(self) -> int:
        return self._memory * 11 // 20

    @property
    def _kept_bytes(self) -> int:
        lattice = self._last_lattice[1].rows if self._last_lattice else None
        codes = self._file_codes[1].codes.bytes if self._file_codes else 0
        return codes + (lattice.bytes + lattice.row.nbytes if lattice else 0)

    @property
    def _records(self) -> int:
        return self._opened._counted_records

    @cached_property
    def _counted_records(self) -> int:
        if self._frame is not None:
            return int(self._frame.table.num_rows)
        return int(self.rows(f"SELECT count(*) FROM {self.table}")[0][0])

    def _codes(self, question: Question) -> coded.CodedTable:
        file = self._opened.codes_of_file(self._memory_of_codes, self._threads)
        return file.codes if self._is_of_file(question) else self._added_codes(file)

    def codes_of_file(self, memory: int, threads: int) -> coded.FileCodes:
        """Read by the engine that opened the file; afresh for a job that is allowed another memory."""
        if self._file_codes is None or self._file_codes[0] != memory:
            self._file_codes = None
            alone = self._frame is not None and self._frame.are_plain(each.name for each in self._columns)
            table = coded.CodedTable(self._read_column, self._records, memory, threads, side_by_side=alone)
            self._file_codes = memory, coded.FileCodes(table, self._of_file)
            self._limit_database()
        return self._file_codes[1]

    def _added_codes(self, file: coded.FileCodes) -> coded.CodedTable:
        if self._last_added is None or self._last_added[0] is not file:
            table = coded.CodedTable(
                self._read_column, self._records, self._memory_of_codes, self._threads, file
            )
            self._last_added = file, table
        return self._last_added[1]

    def _limit_database(self) -> None:
        """Once there are codes the loops need most of the memory, and the database only reads for them."""
        jobs = self.joined or [self]
        memory, threads = min(each._memory for each in jobs), jobs[-1]._threads
        wanted = memory * 17 // 20 if self._file_codes is None else memory * 3 // 10, threads
        if wanted != self._limits and self._is_connected:
            self._connection.execute(f"SET memory_limit = '{wanted[0]}B'")
            self._connection.execute(f"SET threads = {wanted[1]}")
        self._limits = wanted

    @cached_property
    def _text_columns(self) -> frozenset[str]:
        return parquet.text_columns(self._files)

    def _read_column(self, name: str) -> Iterator[pyarrow.RecordBatch]:
        if name in self._text_columns:
            return parquet.read_text_column(self._files, name)
        if self._frame is not None and self._frame.are_plain([name]):
            return self._frame.batches(name)
        kind = next(column.type for column in self._columns if column.name == name)
        value = self.quote(name)
        if kind in ("FLOAT", "DOUBLE"):
            # Arrow tells -0.0 from 0.0 and one NaN from another, SQL does not
            value = f"CASE WHEN isnan({value}) THEN CAST('nan' AS {kind}) ELSE {value} + 0.0 END"
        elif kind.startswith("ENUM"):
            value = f"CAST({value} AS VARCHAR)"
        return self.batches(f"SELECT {value} FROM {self.table}")

    def _read_columns(self, names: tuple[str, ...]) -> pyarrow.Table:
        """As they are, in the order of the data; if the file changed meanwhile, they would not fit."""
        listed = ", ".join(map(self.quote, names))
        table = pyarrow.Table.from_batches(self.batches(f"SELECT {listed} FROM {self.table}"))
        if table.num_rows != self._records:
            raise NotCodableError
        return table.rename_columns(list(names))

    def _describe_columns(self) -> tuple[Column, ...]:
        return tuple(Column(row[0], row[1]) for row in self.rows(f"DESCRIBE SELECT * FROM {self.table}"))

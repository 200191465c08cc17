"""An engine that answers by the shared SQL: what is left to a database is to run it."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from types import TracebackType
from typing import Any, Self, TypeVar

import pyarrow

from singleout.engine import domain_events as events
from singleout.engine.class_sizes import Sizes
from singleout.engine.codes.text_codes import Texts
from singleout.engine.codes.tuple_codes import CodedRecords, Tuples
from singleout.engine.column_sets.set_counts import SetCounts, Sets
from singleout.engine.column_sets.synergy_counts import SynergyCounts
from singleout.engine.columns import check_sets, kind_of, known_columns
from singleout.engine.databases import column_set_sql as set_sql
from singleout.engine.databases import count_sql as counts
from singleout.engine.databases import derived_column_sql as derived
from singleout.engine.domain_events import Amounts, Cells
from singleout.engine.missing_values import Missing
from singleout.engine.protocol import Column, ColumnSummary, Question
from singleout.errors import InputError, UsageError
from singleout.progress import Progress, silent
from singleout.roles.domain import Domain

EXAMPLES = 200
Found = TypeVar("Found")
NUMERIC = re.compile(r"(u?(tiny|small|big|huge)?int|float|double|real|decimal|numeric)", re.IGNORECASE)
FLOATING = re.compile(r"(float|double|real)", re.IGNORECASE)
NUMBER = re.compile(r"-?[0-9]{1,30}(\.[0-9]{1,30})?")


class SqlEngine(ABC):
    """What differs between databases: running a SELECT, writing names and texts, order, record numbers."""

    name: str
    table: str
    source_name: str
    own_hash: str | None = None
    record_number = "row_number() OVER ()"
    text_type = "VARCHAR"
    text_column = "VARCHAR"  # what the database calls the type of such a column
    # types of which values can be equal and written apart, such as 1.0 and 1.00, or a month and 30 days
    loosely_equal = re.compile(r"(?!)")
    loose_floats = "{0} = 0"  # 0.0 and -0.0
    _columns: tuple[Column, ...]

    @abstractmethod
    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """All rows of a short answer."""

    @abstractmethod
    def batches(self, sql: str) -> Iterator[pyarrow.RecordBatch]:
        """The rows of a long answer, piece by piece."""

    @abstractmethod
    def columns(self) -> tuple[Column, ...]: ...

    @abstractmethod
    def close(self) -> None: ...

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was guessed while the table was opened."""
        return ()

    def quote(self, name: str) -> str:
        return '"' + name.replace('"', '""') + '"'

    def literal(self, text: str) -> str:
        return "'" + text.replace("'", "''") + "'"

    @abstractmethod
    def matches(self, text: str, pattern: str) -> str:
        """Whether all of a text is as a pattern says."""

    def as_double(self, expression: str) -> str:
        return f"CAST({expression} AS double precision)"

    def order(self, expression: str, column: str) -> str:  # noqa: ARG002
        """How to sort what came from the column: numbers by size, text by its characters' codes."""
        return f"{expression} NULLS LAST"

    def merged_columns(self) -> tuple[str, ...]:
        """Columns in which texts that differ in the file are the same value here."""
        return tuple(each.name for each in self.columns() if self._has_equals_written_apart(each))

    def _has_equals_written_apart(self, column: Column) -> bool:
        """Whether values are there that are equal to the database and not to who reads them."""
        value = self.quote(column.name)
        if kind_of(column.type) == "numbers" and FLOATING.match(column.type):
            written, where = self.written_float(value), f" WHERE {self.loose_floats.format(value)}"
        elif self.loosely_equal.fullmatch(column.type):
            written, where = f"CAST({value} AS {self.text_type})", ""
        else:
            return False
        sql = f"SELECT count(DISTINCT {value}), count(DISTINCT {written}) FROM {self.table}{where}"
        values, writings = self.rows(sql)[0]
        return bool(values < writings)

    def written_float(self, value: str) -> str:
        return f"CAST({value} AS {self.text_type})"

    def other_contents(self) -> tuple[str, ...]:
        """What the file of the table holds besides, in words."""
        return ()

    def once(self, kind: str, question: Question, find: Callable[[], Found]) -> Found:  # noqa: ARG002
        return find()

    def look(self, column: str) -> ColumnSummary:
        rows = counts.renamed_rows(self.table, Question((column,)), self.quote)
        records, filled = self.rows(counts.filled_counts(rows))[0]
        values = self.rows(counts.examples(rows, EXAMPLES))
        return ColumnSummary(records, records - filled, tuple(str(value) for (value,) in values))

    def sizes(self, question: Question) -> Sizes:
        rows = self._renamed_columns(question)
        count = counts.class_sizes if question.person is None else counts.value_sizes
        return Sizes.of(self.rows(count(rows, len(question.columns))))

    def class_counts(self, question: Question) -> Iterator[pyarrow.RecordBatch]:
        rows, person = self._renamed_columns(question), question.person is not None
        yield from self.batches(counts.class_counts(rows, len(question.columns), person, self.text_type))

    def people_alone(self, question: Question) -> int:
        rows = self._renamed_columns(question)
        if question.person is None:
            return int(self.rows(counts.records_alone(rows, len(question.columns)))[0][0])
        return int(self.rows(counts.people_alone(rows, self._window_keys(question)))[0][0])

    def labels(self, question: Question, carry: tuple[str, ...] = ()) -> Iterator[pyarrow.RecordBatch]:
        rows = self._renamed_columns(
            question, (*self._carried_columns(carry), f"{self.record_number} AS record")
        )
        sql = counts.labels(rows, self._window_keys(question), question.person is not None, len(carry))
        for batch in self.batches(sql):
            yield batch.rename_columns(["record", "class", "records", "people", *carry])

    def person_classes(self, question: Question) -> Iterator[pyarrow.RecordBatch]:
        rows = self._renamed_columns(question)
        yield from self.batches(counts.person_classes(rows, self._window_keys(question)))

    def tuples(self, question: Question) -> Tuples:
        order = [self.order(f"k{index}", name) for index, name in enumerate(question.columns)]
        return Tuples.of(list(self.batches(counts.tuples(self._renamed_columns(question), order))))

    def values(self, column: str, question: Question) -> tuple[str | None, ...]:
        index = question.columns.index(column)
        rows = f"SELECT k{index} AS k0 FROM ({self._renamed_columns(question)}) AS every_column"
        values = self.rows(counts.values(rows, self.text_type, self.order("k0", column)))
        return tuple(value for (value,) in values)

    def value_counts(self, column: str) -> Iterator[pyarrow.RecordBatch]:
        for batch in self.batches(counts.value_counts(self.table, self._text(column))):
            yield batch.rename_columns(["text", "records", "draw"])

    def lowest_hashes(
        self,
        columns: tuple[str, ...],
        seed: int,
        portable: bool = True,  # noqa: ARG002
    ) -> list[tuple[str, int]]:
        rows = counts.hashed_rows(self.table, [self._text(name) for name in columns], None, seed)
        return [(low, int(records)) for low, records in self.rows(counts.lowest_hashes(rows))]

    def hash_counts(
        self,
        columns: tuple[str, ...],
        person: str | None,
        seed: int,
        limit: str | None,
        portable: bool = True,  # noqa: ARG002
    ) -> Iterator[pyarrow.RecordBatch]:
        who = None if person is None else self.quote(person)
        rows = counts.hashed_rows(self.table, [self._text(name) for name in columns], who, seed)
        for batch in self.batches(counts.hash_counts(rows, person is not None, limit)):
            yield batch.rename_columns(["hash", "records", "people"])

    def events(self, person: str, domains: Sequence[Domain], missing: Missing) -> Cells:
        people, orders, rows = self.order("person", person), [], []
        for domain in domains:
            orders.append(self.order("value", self._equality_condition(domain)))
            values = [self.quote(name) for name in domain.columns]
            rows.append(self._values_of(person, domain, values, missing))
        by = events.events_by_lists if missing == "drop" else events.ranked_events
        return Cells.of(list(self.batches(by(rows, orders, people))))

    def amounts(
        self, person: str, domains: Sequence[Domain], amount: str | None, missing: Missing
    ) -> Amounts:
        parts = []
        for index, domain in enumerate(domains):
            records = self._values_of(person, domain, [self.literal("1")], missing)
            parts.append(events.event_counts(records, 2 * index))
            if amount is not None:
                number = self._text(amount)
                amounts = self._values_of(person, domain, [number], missing, (f"{number} IS NOT NULL",))
                parts.append(events.event_counts(amounts, 2 * index + 1))
        batches = list(self.batches(events.union_of_parts(parts, self.order("person", person))))
        try:
            return Amounts.of(batches, len(domains))
        except (ValueError, ArithmeticError) as error:
            raise InputError(
                f"{self.source_name}: the amount column {amount!r} holds something that is no number; "
                "name a column of numbers"
            ) from error

    def count_sets(
        self, question: Question, sets: Sets, allow: int, progress: Progress = silent
    ) -> SetCounts:
        check_sets(question, sets.tolist())
        return self._some(set_sql.count_sets(self.rows, self._asked_rows(question), sets, allow, progress))

    def parts_of_set(self, question: Question, chosen: int) -> SynergyCounts:
        check_sets(question, [chosen], empty=False)
        rows = self._asked_rows(question)
        found = self.rows(set_sql.parts_of_set(rows, chosen, self._person_order(question)))
        return SynergyCounts.of(self._some(found))

    def coded_records(self, question: Question) -> CodedRecords:
        return CodedRecords.of(self._coded_batches(question, ()), question.person is not None)

    def coded_records_and_columns(
        self, question: Question, carry: tuple[str, ...]
    ) -> tuple[CodedRecords, pyarrow.Table]:
        carried: list[pyarrow.RecordBatch] = []
        names = [f"v{index}" for index in range(len(carry))]

        def codes() -> Iterator[pyarrow.RecordBatch]:
            for batch in self._coded_batches(question, carry):
                carried.append(batch.select(names))
                yield batch.drop_columns(names)

        coded = CodedRecords.of(codes(), question.person is not None)
        return coded, pyarrow.Table.from_batches(carried).rename_columns(list(carry))

    def _coded_batches(self, question: Question, carry: tuple[str, ...]) -> Iterator[pyarrow.RecordBatch]:
        orders = [self.order(f"k{index}", name) for index, name in enumerate(question.columns)]
        if question.person is not None:
            orders.append(self.order("person", question.person))
        rows = self._renamed_columns(
            question, (*self._carried_columns(carry), f"{self.record_number} AS record")
        )
        return self.batches(set_sql.coded_records(rows, orders, len(carry)))

    def texts(self, columns: tuple[str, ...]) -> Texts:
        texts = [f"{self._text(name)} AS t{index}" for index, name in enumerate(columns)]
        # all columns at once, for a database may list the records in another order each time it is asked
        return Texts.of(self.batches(f"SELECT {', '.join(texts)} FROM {self.table}"), len(columns))

    def records(self, columns: tuple[str, ...]) -> pyarrow.Table:
        known_columns(self, columns)
        quoted = [f"{self.quote(name)} AS v{index}" for index, name in enumerate(columns)]
        batches = list(self.batches(f"SELECT {', '.join(quoted)} FROM {self.table}"))
        return pyarrow.Table.from_batches(batches).rename_columns(list(columns))

    def shorten(self, name: str, column: str, characters: int) -> None:
        known_columns(self, (column,))
        if characters < 1:
            raise UsageError(f"column {name!r}: keep at least 1 character of {column!r}, not {characters}")
        self._check_new(name)
        self.table = derived.add_start_column(self.table, self._text(column), characters, self.quote(name))
        self._columns = (*self._columns, Column(name, self.text_column))

    def round_down(self, name: str, column: str, step: Decimal) -> None:
        known_columns(self, (column,))
        if not (step.is_finite() and step > 0):
            raise UsageError(f"column {name!r}: round {column!r} down to steps above 0, not of {step}")
        self._check_new(name)
        text, kind = self._text(column), next(each.type for each in self._columns if each.name == column)
        number = self.as_double(self.quote(column) if kind_of(kind) == "numbers" else f"trim({text})")
        steps = f"({number} / {self.as_double(self.literal(str(step)))})"
        in_steps = derived.StepColumn(text, self.matches(text, derived.NUMBER), steps, self.text_type)
        self.table = in_steps.add_to(self.table, self.quote(name))
        self._columns = (*self._columns, Column(name, self.text_column))

    def misfits(self, column: str, marks: Sequence[tuple[int, str]]) -> int:
        known_columns(self, (column,))
        allowed = [(position, [self.literal(mark) for mark in characters]) for position, characters in marks]
        return int(self.rows(derived.misfits(self.table, self._text(column), allowed))[0][0])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _check_new(self, name: str) -> None:
        for other in self._columns:
            if other.name.casefold() == name.casefold():
                raise UsageError(f"{self.source_name}: there is a column {other.name!r} already; rename it")

    def _text(self, column: str) -> str:
        return f"CAST({self.quote(column)} AS {self.text_type})"

    def _carried_columns(self, carry: tuple[str, ...]) -> list[str]:
        return [f"{self.quote(name)} AS v{index}" for index, name in enumerate(carry)]

    def _asked_rows(self, question: Question) -> set_sql.AskedRows:
        rows, person = self._renamed_columns(question), question.person is not None
        return set_sql.AskedRows(rows, person, self._window_keys(question))

    def _window_keys(self, question: Question) -> list[str]:
        """Some databases divide no window by floating-point numbers: their texts give the same classes.

        Adding 0 makes -0 the 0 that it equals; numbers that are none are all alike, also those with a sign.
        """
        kinds = {each.name: each.type for each in self.columns()}
        return [
            f"replace(CAST(k{index} + 0 AS {self.text_type}), '-nan', 'nan')"
            if FLOATING.match(kinds[name])
            else f"k{index}"
            for index, name in enumerate(question.columns)
        ]

    def _person_order(self, question: Question) -> str | None:
        return None if question.person is None else self.order("person", question.person)

    def _some(self, answer: Found | None) -> Found:
        if not answer:
            raise InputError(
                f"{self.source_name}: no record has a value in every column; use the missing rule value"
            )
        return answer

    def _values_of(
        self, person: str, domain: Domain, values: list[str], missing: Missing, also: tuple[str, ...] = ()
    ) -> str:
        where = [
            *also,
            *(self._has(column, value) for column, value in domain.filters),
        ]
        return events.values_of(self.table, self.quote(person), values, where, missing == "drop")

    def _has(self, column: str, value: str) -> str:
        """Whether the column has the value: as text, or as a number, which each database writes its way."""
        as_text = f"{self._text(column)} = {self.literal(value)}"
        kind = next(each.type for each in self.columns() if each.name == column)
        if NUMERIC.match(kind) and NUMBER.fullmatch(value):
            return f"({as_text} OR {self.quote(column)} = {value})"
        return as_text

    def _equality_condition(self, domain: Domain) -> str:
        """One of the domain's columns, for all of them: they must hold the same kind of value."""
        kinds = {
            each.name: "numbers" if NUMERIC.match(each.type) else each.type.partition("(")[0]
            for each in self.columns()
        }
        first = domain.columns[0]
        for other in domain.columns[1:]:
            if kinds[other] != kinds[first]:
                raise UsageError(
                    f"domain {domain.name!r}: {first!r} holds {kinds[first]} and {other!r} {kinds[other]}; "
                    "the columns of a domain must hold the same kind of value"
                )
        return first

    def _renamed_columns(self, question: Question, extra: tuple[str, ...] = ()) -> str:
        if question.missing == "wildcard":
            raise UsageError(
                f"the {self.name} engine can't let a missing value match everything here; "
                "use the rule value or drop"
            )
        return counts.renamed_rows(self.table, question, self.quote, extra)

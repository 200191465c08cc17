"""An engine that answers by the shared SQL: what is left to a database is to run it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from singleout.engine import counts
from singleout.engine.protocol import Column, Engine, Look, Question
from singleout.engine.sizes import Sizes
from singleout.errors import InputError, UsageError, nearest

if TYPE_CHECKING:
    import pyarrow

EXAMPLES = 200


class SqlEngine(ABC):
    """Three things differ between databases: running a SELECT, quoting a name, numbering the records."""

    name: str
    table: str
    place: str
    record_number = "row_number() OVER ()"

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

    def look(self, column: str) -> Look:
        rows = counts.renamed(self.table, Question((column,)), self.quote)
        records, filled = self.rows(counts.filled(rows))[0]
        values = self.rows(counts.examples(rows, EXAMPLES))
        return Look(records, records - filled, tuple(str(value) for (value,) in values))

    def sizes(self, question: Question) -> Sizes:
        rows = self._renamed(question)
        count = counts.class_sizes if question.person is None else counts.value_sizes
        return Sizes.of(self.rows(count(rows, len(question.columns))))

    def people_alone(self, question: Question) -> int:
        rows = self._renamed(question)
        count = counts.records_alone if question.person is None else counts.people_alone
        return int(self.rows(count(rows, len(question.columns)))[0][0])

    def labels(self, question: Question, carry: tuple[str, ...] = ()) -> Iterator[pyarrow.RecordBatch]:
        extra = [f"{self.quote(name)} AS v{place}" for place, name in enumerate(carry)]
        rows = self._renamed(question, (*extra, f"{self.record_number} AS record"))
        sql = counts.labels(rows, len(question.columns), question.person is not None, len(carry))
        for batch in self.batches(sql):
            yield batch.rename_columns(["record", "class", "records", "people", *carry])

    def person_classes(self, question: Question) -> Iterator[pyarrow.RecordBatch]:
        yield from self.batches(counts.person_classes(self._renamed(question), len(question.columns)))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _renamed(self, question: Question, extra: tuple[str, ...] = ()) -> str:
        if question.missing == "wildcard":
            raise UsageError(
                f"the {self.name} engine can't let a missing value match everything here; "
                "use the rule value or drop"
            )
        return counts.renamed(self.table, question, self.quote, extra)


def checked_columns(place: str, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Column names that no engine can confuse with each other."""
    if not columns:
        raise InputError(f"{place}: has no columns")
    seen: dict[str, str] = {}
    for column in columns:
        folded = column.name.casefold()
        if folded not in seen:
            seen[folded] = column.name
            continue
        other = seen[folded]
        if other == column.name:
            raise InputError(f"{place}: two columns are called {other!r}; rename one")
        raise InputError(
            f"{place}: columns {other!r} and {column.name!r} differ only in upper and lower case; rename one"
        )
    return columns


def known_columns(engine: Engine, names: Sequence[str]) -> tuple[str, ...]:
    """The names, each once; all that are unknown are told at once."""
    if odd := [name for name in names if not isinstance(name, str)]:
        raise UsageError(f"a column is named by text, not by {odd[0]!r}")
    known = [column.name for column in engine.columns()]
    unknown = [name for name in dict.fromkeys(names) if name not in known]
    if unknown:
        faults = "; ".join(f"there is no column {name!r}; {nearest(name, known)}" for name in unknown)
        raise UsageError(f"{engine.place}: {faults}")
    return tuple(dict.fromkeys(names))

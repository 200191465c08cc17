"""What an engine must be able to answer about a table that stays where it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol, TypeVar

from singleout.engine.class_sizes import Sizes
from singleout.engine.codes.text_codes import Texts
from singleout.engine.codes.tuple_codes import CodedRecords, Tuples
from singleout.engine.column_sets.set_counts import SetCounts, Sets
from singleout.engine.column_sets.synergy_counts import SynergyCounts
from singleout.engine.domain_events import Amounts, Cells
from singleout.engine.missing_values import MISSING_RULES, Missing
from singleout.errors import UsageError
from singleout.progress import Progress, silent
from singleout.roles.domain import Domain

if TYPE_CHECKING:
    import pyarrow

Found = TypeVar("Found")


@dataclass(frozen=True)
class Column:
    name: str
    type: str


@dataclass(frozen=True)
class Question:
    """Which columns to group by, whose records they are, and what a missing value does.

    Without `person` each record is its own person. A record whose person is missing belongs to one unknown
    person, or is left out under the rule `drop`, as are records that lack a value in one of `filled`.
    """

    columns: tuple[str, ...]
    person: str | None = None
    missing: Missing = "value"
    filled: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.missing not in MISSING_RULES:
            raise UsageError(
                f"missing values: {self.missing!r} is no rule; there are value, drop and wildcard"
            )


@dataclass(frozen=True)
class ColumnSummary:
    """A first look at a column. `examples` are raw values for guessing what they mean: never print them."""

    records: int
    missing: int
    examples: tuple[str, ...] = field(default=(), repr=False)


class Engine(Protocol):
    """Counts look-alikes in one table; `source_name` names it for people, `remarks` tell what was guessed.

    `own_hash` names the hash that it takes where none is needed that all engines have, if it has one.
    """

    name: str
    source_name: str
    own_hash: str | None

    @property
    def remarks(self) -> tuple[str, ...]: ...

    def columns(self) -> tuple[Column, ...]:
        """The columns in their order."""

    def look(self, column: str) -> ColumnSummary:
        """How many records there are, how many miss the column, and some of its values."""

    def sizes(self, question: Question) -> Sizes:
        """Groups of records equal on the columns, by (records, people)."""

    def class_counts(self, question: Question) -> Iterator[pyarrow.RecordBatch]:
        """(t0, t1, …, records, people) of each group, by its values as text: never print them unasked."""

    def people_alone(self, question: Question) -> int:
        """People with at least one record whose group holds nobody else."""

    def person_classes(self, question: Question) -> Iterator[pyarrow.RecordBatch]:
        """(person, people, records): how many of a person's records are in classes of so many people."""

    def labels(self, question: Question, carry: tuple[str, ...] = ()) -> Iterator[pyarrow.RecordBatch]:
        """One row a record: record, class, records, people; then the carried columns as they are."""

    def tuples(self, question: Question) -> Tuples:
        """The distinct tuples of the columns as codes, and how many records have them."""

    def values(self, column: str, question: Question) -> tuple[str | None, ...]:
        """The values behind the codes that `tuples` gives a column, as text: never print them unasked."""

    def value_counts(self, column: str) -> Iterator[pyarrow.RecordBatch]:
        """(text, records, draw): each value that is there, as text: never print them unasked.

        `draw` is four hexadecimal digits that depend on the text alone: the lowest are a sample by chance.
        """

    def lowest_hashes(
        self, columns: tuple[str, ...], seed: int, portable: bool = True
    ) -> list[tuple[str, int]]:
        """The lowest hash of each of 4,096 parts of the columns' values, and the records of each part.

        A hash is 16 hexadecimal digits of the values' texts, the same on every engine; if it need not be
        `portable`, an engine may take a faster one of its own.
        """

    def hash_counts(
        self,
        columns: tuple[str, ...],
        person: str | None,
        seed: int,
        limit: str | None,
        portable: bool = True,
    ) -> Iterator[pyarrow.RecordBatch]:
        """(hash, records, people) of each value whose hash is not above the limit."""

    def events(self, person: str, domains: Sequence[Domain], missing: Missing) -> Cells:
        """How often each person has each value in each domain."""

    def amounts(
        self, person: str, domains: Sequence[Domain], amount: str | None, missing: Missing
    ) -> Amounts:
        """How many records each person has in each domain, and how much they come to if a column says so."""

    def count_sets(
        self, question: Question, sets: Sets, allow: int, progress: Progress = silent
    ) -> SetCounts:
        """What each set of the question's columns counts, `allow` people in a class being too few.

        The records are the same for all sets: under the rule `drop` those with a value in every column.
        """

    def parts_of_set(self, question: Question, chosen: int) -> SynergyCounts:
        """The classes of a set beside the rarest single value of their tuples, over the same records."""

    def coded_records(self, question: Question) -> CodedRecords:
        """Each record by its number, as in `labels`, with its values and its person as their ranks."""

    def coded_records_and_columns(
        self, question: Question, carry: tuple[str, ...]
    ) -> tuple[CodedRecords, pyarrow.Table]:
        """The same, and beside it row by row the carried columns as they are.

        Both at once, for a database may list the records in another order each time it is asked.
        """

    def texts(self, columns: tuple[str, ...]) -> Texts:
        """Every record's value in each of the columns, record by record, as the code of its text."""

    def records(self, columns: tuple[str, ...]) -> pyarrow.Table:
        """Every record's value in each of the columns as it is, of the database's own type."""

    def shorten(self, name: str, column: str, characters: int) -> None:
        """A new column from here on: the first characters of another's text; what is missing stays so."""

    def round_down(self, name: str, column: str, step: Decimal) -> None:
        """A new column from here on: how many whole steps there are in another's number, as text.

        -0.5 has -1 steps of 1, and 0.3 has 3 of 0.1, though its binary digits fall short of it. Other text
        stays as it is, as does a number of 2^52 steps or more; what is missing stays so.
        """

    def misfits(self, column: str, marks: Sequence[tuple[int, str]]) -> int:
        """Records whose value, as text, lacks one of the given characters at a place, the first being 1.

        `[(5, "-/"), (8, "-/")]` asks for 2024-02-01 or 2024/02/01. A missing value is no misfit.
        """

    def merged_columns(self) -> tuple[str, ...]:
        """Columns in which texts that differ in the file are the same value here."""

    def other_contents(self) -> tuple[str, ...]:
        """What the file of the table holds besides, in words."""

    def once(self, kind: str, question: Question, find: Callable[[], Found]) -> Found:
        """What is found out by a question, once for a command, however many of its parts ask.

        Of columns that were added it is found out each time, for they are those of one part.
        """

    def close(self) -> None:
        """Give back what the engine holds; the data stays as it was."""

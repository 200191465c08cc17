"""Looks through every value of a table for direct identifiers, also for those hidden in texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pyarrow
import pyarrow.compute as compute

from singleout.engine.columns import kind_of
from singleout.engine.protocol import Column, Engine, Question
from singleout.roles.identifiers.column_names import kinds_by_name
from singleout.roles.identifiers.header_values import recognise_header
from singleout.roles.identifiers.identifier_kind import IdentifierKind
from singleout.roles.identifiers.recognition import (
    Recognised,
    SiftedColumn,
    Unexplained,
    ValueOwners,
    recognise,
    unexplained,
)
from singleout.roles.identifiers.value_forms import (
    HARMLESS,
    PLAIN_NUMBER,
    REMARKABLE,
    SUSPICIOUS,
    Counted,
)

SAMPLE, NUMBERS = 1_000, 300
RARE = 2
# where more suspects than that are found to hold identifiers, the others are not looked at one by one
MOST_SUSPECTS = 20_000
# numbers of which fewer have a fraction are whole ones that something else slipped in among
LEAST_FRACTIONS = 0.05
# soft hyphens, zero-width blanks and joiners, marks of direction
INVISIBLE = r"[\x{00AD}\x{200B}-\x{200F}\x{202A}-\x{202E}\x{2060}-\x{2064}\x{2066}-\x{2069}\x{FEFF}]"
WHOLE_AS_FRACTION = r"^[0-9]+(?:\.[0-9]*)?[eE]\+?[0-9]{1,2}$|^[0-9]+\.0*$"
EXACT = 2.0**53
FRACTION = r"^[+-]?[0-9]*[.,][0-9]*[1-9]|[eE]-[0-9]"
NO_NAMES = ("dates", "times", "yes or no")


@dataclass(frozen=True)
class Identifier:
    """A column that names people or leads to them, in `records` of the `of_records` that have a value.

    `hidden`: among other values, such as an e-mail address in a remark. It never holds a raw value.
    """

    column: str
    kind: IdentifierKind
    records: int
    of_records: int
    hidden: bool
    reason: str

    def to_dict(self) -> dict[str, Any]:
        return vars(self).copy()


def identifiers(
    counter: Engine, user: str | None = None, columns: Sequence[str] | None = None
) -> tuple[Identifier, ...]:
    """The direct identifiers of a table, column by column: all of them, unless some are named.

    Every value is looked at. A user column may hold pseudonyms or customer numbers, which are what records
    are joined by, but no names or addresses.

    >>> from singleout.engine.open_engine import open_engine
    >>> from singleout.read.source import source
    >>> table = pyarrow.table({"who": [1, 2], "remark": ["ok", "write to ann@example.com"]})
    >>> with open_engine(source(table)) as counter:
    ...     [(each.column, each.kind, each.hidden) for each in identifiers(counter, "who")]
    [('remark', 'e-mail', True)]
    """
    found = _scanned(counter, user, columns)
    return tuple(identifier for identifiers, _ in found.values() for identifier in identifiers)


def unexplained_columns(counter: Engine, user: str | None = None) -> dict[str, Unexplained]:
    """Columns of words or codes that nobody explains: they may name people, or be anything else.

    >>> from singleout.engine.open_engine import open_engine
    >>> from singleout.read.source import source
    >>> words = ["Ekwueme", "Abara", "Onoh", "Ugwu", "Eneh", "Nwosu", "Ozo", "Agu", "Ani", "Odo"]
    >>> with open_engine(source(pyarrow.table({"q7": words, "town": words}))) as counter:
    ...     unexplained_columns(counter)
    {'q7': 'words'}
    """
    scanned = _scanned(counter, user).items()
    return {name: open_for for name, (named, open_for) in scanned if open_for and not named}


ColumnFindings = tuple[tuple[Identifier, ...], Unexplained | None]


def _scanned(
    counter: Engine, user: str | None, columns: Sequence[str] | None = None
) -> dict[str, ColumnFindings]:
    """Of each column its identifiers, and what nobody explains in it: looked at once, whoever asks."""
    people = _people(counter, user)
    wanted = [each for each in counter.columns() if columns is None or each.name in columns]
    return {
        column.name: counter.once(
            "identifiers",
            Question((column.name,), user),
            partial(_of_column, _ColumnScan(counter, column, user, people)),
        )
        for column in wanted
    }


def _of_column(scan: _ColumnScan) -> ColumnFindings:
    name, told = scan.column.name, {each.kind: each for each in scan.recognised()}
    for each in recognise_header(name, scan.records):
        told.setdefault(each.kind, each)
    identifiers = tuple(
        Identifier(name, each.kind, each.records, scan.records, each.hidden, each.reason)
        for each in told.values()
    )
    return identifiers, unexplained(scan.values(())) if scan.distinct else None


def _people(counter: Engine, user: str | None) -> int | None:
    return None if user is None else counter.sizes(Question((user,))).total_groups


@dataclass(eq=False)
class _LowestDraws:
    """The rows with the lowest draws, which are a sample by chance, and how many rows there were."""

    most: int
    count: int = 0
    rows: pyarrow.Table | None = None

    def add(self, batch: pyarrow.RecordBatch) -> None:
        self.count += batch.num_rows
        if self.rows is not None and self.rows.num_rows >= self.most:
            batch = batch.filter(compute.less_equal(batch["draw"], self.rows["draw"][-1]))
        if batch.num_rows:
            added = pyarrow.Table.from_batches([batch])
            rows = added if self.rows is None else pyarrow.concat_tables([self.rows, added])
            by = [("draw", "ascending"), ("text", "ascending")]
            self.rows = rows.sort_by(by).slice(0, self.most).combine_chunks()

    def counted(self) -> list[Counted]:
        return [] if self.rows is None else _merged(_rows(self.rows))


@dataclass(eq=False)
class _ColumnScan:
    """One column's values as they come: counted, sampled, and sifted for suspects."""

    counter: Engine
    column: Column
    user: str | None
    people: int | None
    records: int = 0
    distinct: int = 0
    fractions: int = 0
    sample: _LowestDraws = field(default_factory=lambda: _LowestDraws(SAMPLE))
    suspects: _LowestDraws = field(default_factory=lambda: _LowestDraws(MOST_SUSPECTS))
    numbers: _LowestDraws = field(default_factory=lambda: _LowestDraws(NUMBERS))

    def recognised(self) -> tuple[Recognised, ...]:
        if kind_of(self.column.type) in NO_NAMES and not kinds_by_name(self.column.name):
            look = self.counter.look(self.column.name)
            self.records = look.records - look.missing
            return ()
        for batch in self._batches():
            self._add(batch)
        if not self.distinct:
            return ()
        some = recognise(self.values(self.suspects.counted()))
        if self.suspects.count <= MOST_SUSPECTS or any(each.kind != "near-unique code" for each in some):
            return some
        return recognise(self.values(_EverySuspect(self)))

    def _batches(self) -> Iterator[pyarrow.RecordBatch]:
        for batch in self.counter.value_counts(self.column.name):
            if batch.num_rows:
                yield _plainly_written(batch)

    @property
    def _is_measured(self) -> bool:
        """Numbers with a fraction, dates, times, yes or no: none of them names anybody by its value.

        A column of whole numbers is of a type with fractions as soon as one of them is missing in pandas.
        """
        kind = kind_of(self.column.type)
        fractions = kind == "numbers" and self.fractions > LEAST_FRACTIONS * self.distinct
        return fractions or kind in NO_NAMES

    def _add(self, batch: pyarrow.RecordBatch) -> None:
        self.records += compute.sum(batch["records"]).as_py()
        self.distinct += batch.num_rows
        self.fractions += compute.sum(_matches(batch, FRACTION)).as_py()
        self.sample.add(batch)
        suspects, numbers = _suspects(batch)
        self.suspects.add(suspects)
        self.numbers.add(numbers)

    def values(self, suspects: Sequence[Counted]) -> SiftedColumn:
        sample = [] if self.sample.rows is None else self.sample.rows["text"].to_pylist()
        return SiftedColumn(
            name=self.column.name,
            records=self.records,
            distinct=self.distinct,
            people=self.people or self.records,
            owners=self._owners,
            sample=sample,
            suspects=suspects,
            numbers=self.numbers.counted(),
            suspect_values=self.suspects.count,
            number_values=self.numbers.count,
            measured=self._is_measured,
            is_user=self.column.name == self.user,
            rare=self._rare(),
            partly=self.suspects.count > max(MOST_SUSPECTS, len(suspects)) or self.numbers.count > NUMBERS,
        )

    def _rare(self) -> list[str]:
        """Of the sample, what few records hold: a description of goods comes again, a remark does not."""
        if self.sample.rows is None:
            return []
        few = self.sample.rows.filter(compute.less_equal(self.sample.rows["records"], RARE))
        texts: list[str] = few["text"].to_pylist()
        return texts

    def _owners(self) -> ValueOwners:
        """Where each record is its own person, a value is as good as its records.

        Records whose person is missing are nobody's: they say nothing about how many people share a value.
        """
        if self.user is None or self.user == self.column.name:
            return ValueOwners(self.distinct, self.records / self.distinct, self.records)
        sizes = self.counter.sizes(Question((self.column.name,), self.user, "drop"))
        rows = sizes.rows()
        own = sum(records * groups for records, people, groups in rows if people == 1)
        pairs = sum(people * groups for _, people, groups in rows)
        return ValueOwners(own, pairs / max(sizes.total_groups, 1), sizes.total_records)


@dataclass(frozen=True, eq=False)
class _EverySuspect(Sequence[Counted]):
    """All suspects of a column, read once more as they come: there may be too many to keep."""

    scan: _ColumnScan

    def __len__(self) -> int:
        return self.scan.suspects.count

    def __iter__(self) -> Iterator[Counted]:
        for batch in self.scan._batches():
            for _, text, records in _rows(_suspects(batch)[0]):
                yield text, records

    def __getitem__(self, index: Any) -> Any:
        return list(self)[index]


def _plainly_written(batch: pyarrow.RecordBatch) -> pyarrow.RecordBatch:
    """Wide letters and digits as plain ones (NFKC), nothing invisible, whole numbers as such."""
    text = batch["text"]
    if not compute.all(compute.string_is_ascii(text)).as_py():
        text = compute.utf8_normalize(text, form="NFKC")
        text = compute.replace_substring_regex(text, INVISIBLE, "")
    odd = compute.match_substring_regex(text, WHOLE_AS_FRACTION)
    if compute.any(odd).as_py():
        number = compute.cast(compute.if_else(odd, text, "0"), pyarrow.float64())
        whole = compute.and_(compute.equal(number, compute.floor(number)), compute.less(number, EXACT))
        digits = compute.cast(compute.cast(compute.if_else(whole, number, 0.0), pyarrow.int64()), text.type)
        text = compute.if_else(compute.and_(odd, whole), digits, text)
    return pyarrow.RecordBatch.from_arrays(
        [text, batch["records"], batch["draw"]], names=["text", "records", "draw"]
    )


def _suspects(batch: pyarrow.RecordBatch) -> tuple[pyarrow.RecordBatch, pyarrow.RecordBatch]:
    """What may have the form of an identifier, and plain numbers."""
    suspects = _without(_with(batch, REMARKABLE), HARMLESS)
    suspects = _with(suspects, SUSPICIOUS) if suspects.num_rows else suspects  # slow to compile
    plain = _matches(suspects, PLAIN_NUMBER)
    return suspects.filter(compute.invert(plain)), suspects.filter(plain)


def _matches(batch: pyarrow.RecordBatch, pattern: str) -> pyarrow.Array:
    return compute.match_substring_regex(batch["text"], pattern)


def _with(batch: pyarrow.RecordBatch, pattern: str) -> pyarrow.RecordBatch:
    return batch.filter(_matches(batch, pattern))


def _without(batch: pyarrow.RecordBatch, pattern: str) -> pyarrow.RecordBatch:
    return batch.filter(compute.invert(_matches(batch, pattern)))


def _rows(batch: pyarrow.RecordBatch | pyarrow.Table) -> Iterator[tuple[str, str, int]]:
    texts = compute.utf8_trim_whitespace(batch["text"]).to_pylist()
    return zip(batch["draw"].to_pylist(), texts, batch["records"].to_pylist(), strict=True)


def _merged(rows: Iterator[tuple[str, str, int]]) -> list[Counted]:
    """Texts that differ only in blanks around them, or in how a number is written, are one."""
    counted: dict[str, int] = {}
    for _, text, records in rows:
        counted[text] = counted.get(text, 0) + records
    return list(counted.items())

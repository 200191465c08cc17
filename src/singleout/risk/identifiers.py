"""Looks through every value of a table for direct identifiers, also for those hidden in texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow
import pyarrow.compute as compute

from singleout.engine.columns import kind_of
from singleout.engine.protocol import Column, Engine, Question
from singleout.roles.identifiers.column_names import kinds_by_name
from singleout.roles.identifiers.identifier_kind import IdentifierKind
from singleout.roles.identifiers.recognition import Recognised, SiftedColumn, ValueOwners, recognise
from singleout.roles.identifiers.value_forms import (
    HARMLESS,
    PLAIN_NUMBER,
    REMARKABLE,
    SUSPICIOUS,
    Counted,
)

SAMPLE, NUMBERS = 1_000, 300
# where more suspects than that are found to hold identifiers, the others are not looked at one by one
MOST_SUSPECTS = 20_000
WHOLE_NUMBERS = re.compile(
    r"u?(tiny|small|big|huge)?int(eger|[248])?|decimal\(\d+, ?0\)|numeric", re.IGNORECASE
)
DRAWS = 16**4


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
    people = _people(counter, user)
    found = []
    for column in counter.columns():
        if columns is None or column.name in columns:
            scan = _ColumnScan(counter, column, user, people)
            found += [
                Identifier(column.name, each.kind, each.records, scan.records, each.hidden, each.reason)
                for each in scan.recognised()
            ]
    return tuple(found)


def _people(counter: Engine, user: str | None) -> int | None:
    return None if user is None else counter.sizes(Question((user,))).total_groups


@dataclass(eq=False)
class _ColumnScan:
    """One column's values as they come: counted, sampled, and sifted for suspects."""

    counter: Engine
    column: Column
    user: str | None
    people: int | None
    records: int = 0
    distinct: int = 0
    sample: list[tuple[str, str]] = field(default_factory=list)
    suspects: list[tuple[str, str, int]] = field(default_factory=list)
    numbers: list[tuple[str, str, int]] = field(default_factory=list)

    def recognised(self) -> tuple[Recognised, ...]:
        if self._is_measured and not kinds_by_name(self.column.name):
            return ()
        for batch in self.counter.value_counts(self.column.name):
            if batch.num_rows:
                self._add(batch)
        if not self.distinct:
            return ()
        some = recognise(self._values(MOST_SUSPECTS))
        if len(self.suspects) <= MOST_SUSPECTS or any(each.kind != "near-unique code" for each in some):
            return some
        return recognise(self._values(len(self.suspects)))

    @property
    def _is_measured(self) -> bool:
        """Numbers with a fraction, dates, times, yes or no: none of them names anybody by its value."""
        kind = kind_of(self.column.type)
        fractions = kind == "numbers" and not WHOLE_NUMBERS.fullmatch(self.column.type)
        return fractions or kind in ("dates", "times", "yes or no")

    def _add(self, batch: pyarrow.RecordBatch) -> None:
        self.records += compute.sum(batch["records"]).as_py()
        self.distinct += batch.num_rows
        drawn = batch.filter(compute.less(batch["draw"], _highest_draw(batch.num_rows)))
        self.sample += zip(drawn["draw"].to_pylist(), drawn["text"].to_pylist(), strict=True)
        suspects = _without(_with(batch, REMARKABLE), HARMLESS)
        suspects = _with(suspects, SUSPICIOUS) if suspects.num_rows else suspects  # slow to compile
        plain = _matches(suspects, PLAIN_NUMBER)
        self.suspects += _rows(suspects.filter(compute.invert(plain)))
        numbers = suspects.filter(plain)
        self.numbers += _rows(numbers.filter(compute.less(numbers["draw"], _highest_draw(len(numbers)))))

    def _values(self, most: int) -> SiftedColumn:
        suspects, numbers = sorted(self.suspects)[:most], sorted(self.numbers)[:NUMBERS]
        return SiftedColumn(
            name=self.column.name,
            records=self.records,
            distinct=self.distinct,
            people=self.people or self.records,
            owners=self._owners,
            sample=[text for _, text in sorted(self.sample)[:SAMPLE]],
            suspects=_merged(suspects),
            numbers=_merged(numbers),
            measured=self._is_measured,
            is_user=self.column.name == self.user,
            partly=len(suspects) < len(self.suspects) or len(self.numbers) > NUMBERS,
        )

    def _owners(self) -> ValueOwners:
        """Where each record is its own person, a value is as good as its records."""
        if self.user is None or self.user == self.column.name:
            return ValueOwners(self.distinct, self.records / self.distinct)
        sizes = self.counter.sizes(Question((self.column.name,), self.user))
        rows = sizes.rows()
        if missing := sizes.total_records - self.records:
            rows = _without_missing(rows, missing)
        own = sum(records * groups for records, people, groups in rows if people == 1)
        pairs = sum(people * groups for _, people, groups in rows)
        return ValueOwners(own, pairs / self.distinct)


def _without_missing(rows: Sequence[tuple[int, int, int]], missing: int) -> list[tuple[int, int, int]]:
    """The records without a value are a group too: of those of its size, the one with the most people."""
    row = max((row for row in rows if row[0] == missing), key=lambda row: row[1])
    return [(*each[:2], each[2] - (each == row)) for each in rows]


def _matches(batch: pyarrow.RecordBatch, pattern: str) -> pyarrow.Array:
    return compute.match_substring_regex(batch["text"], pattern)


def _with(batch: pyarrow.RecordBatch, pattern: str) -> pyarrow.RecordBatch:
    return batch.filter(_matches(batch, pattern))


def _without(batch: pyarrow.RecordBatch, pattern: str) -> pyarrow.RecordBatch:
    return batch.filter(compute.invert(_matches(batch, pattern)))


def _highest_draw(rows: int) -> str:
    """Four times as many as are needed are below it, or all of a few rows."""
    share = 4 * SAMPLE / rows if rows else 1.0
    return f"{int(share * DRAWS):04x}" if share < 1 else "g"


def _rows(batch: pyarrow.RecordBatch) -> Iterator[tuple[str, str, int]]:
    texts = compute.utf8_trim_whitespace(batch["text"]).to_pylist()
    return zip(batch["draw"].to_pylist(), texts, batch["records"].to_pylist(), strict=True)


def _merged(rows: Sequence[tuple[str, str, int]]) -> list[Counted]:
    """Texts that differ only in blanks around them, or in the zero behind a whole number, are one."""
    counted: dict[str, int] = {}
    for _, text, records in rows:
        plain = text.removesuffix(".0") if text.replace(".", "", 1).isdigit() else text
        counted[plain] = counted.get(plain, 0) + records
    return list(counted.items())

"""Columns of a table of people, laid beside each of their records: the groups that people belong to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.attacks.identities import People, people_of
from singleout.attacks.paired_tables import PairedTables
from singleout.engine.codes.histories import Histories, History
from singleout.engine.codes.number_texts import number_texts
from singleout.engine.codes.text_codes import common_codes
from singleout.engine.columns import kind_of
from singleout.engine.open_engine import open_engine
from singleout.engine.session import refuse_changes
from singleout.errors import InputError, UsageError, name_hint
from singleout.read.source import Source


@dataclass(frozen=True, eq=False)
class PeopleTable:
    """One row a person: `row` is where each of the `people`, by their numbers, stands; columns as texts."""

    people: People
    row: NDArray[numpy.int64]
    columns: Mapping[str, pyarrow.LargeStringArray]
    numbers: frozenset[str]

    def of(self, names: pyarrow.LargeStringArray, column: str) -> pyarrow.LargeStringArray:
        """The text of each person by name, missing for those whom the table lacks."""
        person = self.people.indices(names, self.people.numbers)
        row = numpy.where(person < 0, 0, self.row[person])
        return self.columns[column].take(pyarrow.array(row, mask=person < 0))

    def count_absent(self, names: pyarrow.LargeStringArray) -> int:
        """How many of the people it has no row of; an unknown person is none."""
        there = self.people.indices(names, self.people.numbers) >= 0
        return int((~there & names.is_valid().to_numpy(zero_copy_only=False)).sum())


def read_people(origin: Source, called: str, user: str | None, engine: str | None = None) -> PeopleTable:
    """A table of people, who stand in it once each; rows without a name are nobody's."""
    if user is None:
        raise UsageError("a table of people says whose rows they are by the user column; name it by --user")
    with refuse_changes(origin), open_engine(origin, engine) as counter:
        types = {each.name: each.type for each in counter.columns()}
        if user not in types:
            raise UsageError(
                f"{called} {counter.source_name} has no user column {user!r}; {name_hint(user, types)}"
            )
        others = tuple(name for name in types if name != user)
        read = counter.texts((user, *others))
    people = people_of(f"{called} {origin.name}", read.codes[0], read.values[0], _is_number(types[user]))
    if not len(people.person):
        raise InputError(f"{called} {origin.name}: has column names but no records")
    rows = numpy.bincount(people.person, minlength=len(people.names))
    if (rows[: len(people.names) - people.names.null_count] > 1).any():
        raise InputError(f"{called} {origin.name}: somebody stands in it twice; keep one row for each person")
    row = numpy.zeros(len(people.names), dtype=numpy.int64)
    row[people.person] = numpy.arange(len(people.person))
    columns = {
        name: values.take(pyarrow.array(codes))
        for name, codes, values in zip(others, read.codes[1:], read.values[1:], strict=True)
    }
    return PeopleTable(people, row, columns, frozenset(name for name in others if _is_number(types[name])))


def _is_number(kind: str) -> bool:
    return kind_of(kind) == "numbers"


def with_groups(
    read: PairedTables, original: PeopleTable, release: PeopleTable | None, groups: Sequence[str]
) -> tuple[Histories, list[str]]:
    """Both histories with these columns of the people, and what to remark.

    Columns that the release lacks are left out. Whom a table of people lacks has a missing value there.
    """
    if release is None:
        return read.histories, []
    histories, names = read.histories, (read.original_names, read.release_names)
    for column in groups:
        if column in release.columns:
            histories = _with_column(histories, column, (original, release), names)
    remarks = [
        f"{many:,} people of {called} have no row in {table.people.called}: their groups are missing"
        for table, people, called in zip(
            (original, release), names, ("the original", "the release"), strict=True
        )
        if (many := table.count_absent(people))
    ]
    return histories, remarks


def _with_column(
    histories: Histories,
    column: str,
    tables: tuple[PeopleTable, PeopleTable],
    names: tuple[pyarrow.LargeStringArray, pyarrow.LargeStringArray],
) -> Histories:
    texts = [table.of(people, column) for table, people in zip(tables, names, strict=True)]
    if any(column in table.numbers for table in tables):
        texts = [number_texts(each) for each in texts]
    (first, second), values = common_codes(texts)
    return replace(
        histories,
        original=_add_column(histories.original, column, first),
        release=_add_column(histories.release, column, second),
        values={**histories.values, column: tuple(values.to_pylist())},
    )


def _add_column(history: History, column: str, of_person: NDArray[numpy.uint32]) -> History:
    return replace(history, codes={**history.codes, column: of_person[history.person]})

"""The tables that are to be changed: a history, and the person table beside it if there is one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.deidentify.column_contents import ColumnContents, column_of, row_hashes
from singleout.deidentify.release_table import arrangement
from singleout.engine.codes.text_codes import TEXT, common_codes
from singleout.engine.columns import kind_of, known_columns
from singleout.engine.job_options import ReadOptions
from singleout.engine.open_engine import open_engine, settings_of_each
from singleout.engine.privacy_unit import privacy_unit
from singleout.engine.protocol import Engine
from singleout.engine.session import NO_USER, refuse_changes, uuid_columns, zone_remarks
from singleout.errors import InputError, UsageError
from singleout.read.source import CsvFormat, Fingerprint, Source, fingerprint, source
from singleout.recipe.record_table import Mask, RecordTable
from singleout.roles.study import study_of

PIECE = 1 << 20
TEXTS = (pyarrow.string(), TEXT)


@dataclass(frozen=True, eq=False)
class Subject:
    """`names` are the people's by their numbers, sorted; an unknown person has None and is the last.
    Without a user column they are the numbers of the records as they stood, from 1.

    The people of the person table are those of the history by the same numbers; who is in only one of them
    has a number too. The `digest` is of what the tables hold, whatever the order of their rows: it is as
    secret as they are, and `contents` is what may be told of it. `uuids` are columns that are text here only.
    """

    history: RecordTable
    people: RecordTable | None
    names: pyarrow.Array
    source: str
    people_source: str | None
    engine: str
    digest: str
    remarks: tuple[str, ...]
    origins: tuple[Source, ...]
    seen: tuple[Fingerprint, ...]
    uuids: tuple[str, ...]

    @property
    def user(self) -> str | None:
        return self.history.user

    @property
    def columns(self) -> tuple[str, ...]:
        return self.history.names

    @property
    def contents(self) -> str:
        """Tells whether two runs were about the same data, and gives nobody the draws."""
        return hashlib.sha256(f"contents {self.digest}".encode()).hexdigest()

    def generator(self, seed: int, *about: Any) -> numpy.random.Generator:
        """Random draws by the seed, the data and what they are for, told as JSON can.

        Two releases of the same data must not have draws in common. Who knows the seed and not all of the
        data can't repeat them.
        """
        words = json.dumps([self.digest, seed, *about], sort_keys=True, default=str)
        entropy = int.from_bytes(hashlib.sha256(words.encode()).digest(), "big")
        return numpy.random.Generator(numpy.random.PCG64(entropy))

    def inputs(self) -> list[dict[str, str]]:
        """The name and the SHA-256 of every file that was read; a table that is no file has `contents`."""
        found: list[dict[str, str]] = []
        for origin, before in zip(self.origins, self.seen, strict=True):
            files = [{"file": str(path), "sha256": file_digest(path)} for path in origin.files()]
            if fingerprint(origin) != before:
                raise InputError(f"{origin.name}: changed after it was read; run again on a copy")
            found += files or [{"table": origin.name, "contents": self.contents}]
        return found


def subject_of(
    data: Any,
    *,
    user: str | None = None,
    people_table: Any = None,
    people_csv: CsvFormat | None = None,
    sort: bool = True,
    need_user: bool = False,
    **options: Unpack[ReadOptions],
) -> Subject:
    """Read the tables whole; a file that changes meanwhile is an error.

    The records are put in the order of all their columns, so that what is drawn for them does not depend on
    how they stood, unless `sort` is False. The person table has the same user column, and one row a person.

    >>> shop = pyarrow.table({"who": ["bob", "ann", "bob"], "goods": ["tea", "milk", "salt"]})
    >>> subject = subject_of(shop, user="who")
    >>> subject.names.to_pylist(), subject.history.person.tolist()
    (['ann', 'bob'], [0, 1, 1])
    """
    given, engine = study_of(options.get("study")), options.get("engine")
    if user is not None and not isinstance(user, str):
        raise UsageError(f"a column is named by text, not by {user!r}")
    origins = [source(data, csv=options.get("csv"))]
    if people_table is not None:
        origins.append(source(people_table, csv=people_csv))
    seen = tuple(map(fingerprint, origins))
    settings = settings_of_each(origins, engine, options.get("memory"), options.get("threads"))
    read: list[ReadTable] = []
    for origin, its in zip(origins, settings, strict=True):
        with refuse_changes(origin), open_engine(origin, engine, **its) as counter:
            if not read:
                user = privacy_unit(counter, user, given)
                _check_user(user, people_table, need_user)
            read.append(_read_from(counter, user))
    if given:
        given.check(tuple(dict.fromkeys(name for each in read for name in each.table.column_names)))
    return _numbered_subject(read, user, sort, tuple(origins), seen)


def file_digest(path: Path) -> str:
    """The SHA-256 of a file, as sha256sum prints it."""
    found = hashlib.sha256()
    with path.open("rb") as handle:
        while piece := handle.read(PIECE):
            found.update(piece)
    return found.hexdigest()


@dataclass(frozen=True, eq=False)
class ReadTable:
    """A table as it is, with its user column in codes."""

    source_name: str
    engine: str
    table: pyarrow.Table
    users: ColumnContents | None
    digest: bytes
    remarks: tuple[str, ...]
    uuids: tuple[str, ...]


def _check_user(user: str | None, people_table: Any, need_user: bool) -> None:
    if user is None and (need_user or people_table is not None):
        why = "people are told apart" if people_table is None else "a person table is matched"
        raise UsageError(f"{why} by the user column; name it by --user")


def _read_from(counter: Engine, user: str | None) -> ReadTable:
    known_columns(counter, [] if user is None else [user])
    names = tuple(column.name for column in counter.columns())
    table = counter.records(names)
    if not table.num_rows:
        raise InputError(f"{counter.source_name}: has column names but no records")
    remarks = (*counter.remarks, *zone_remarks(counter, names))
    numbers = {each.name for each in counter.columns() if kind_of(each.type) == "numbers"}
    digest, users = hashlib.sha256(), None
    records = numpy.zeros(table.num_rows, dtype=numpy.uint64)
    for index, name in enumerate(names):
        column = column_of(counter.source_name, table.select([name]), name in numbers)
        records = row_hashes(records, column.codes)
        for part in column.parts(name):
            digest.update(len(part).to_bytes(8, "big") + part)
        kind = table.schema.types[index]
        if kind in TEXTS and name not in numbers and column.has_repeated_texts:
            table = table.set_column(index, name, column.as_dictionary(kind))
        users = column if name == user else users
    # who knows how often each value occurs, as from published statistics, must not know the draws
    digest.update(numpy.sort(records).astype("<u8").tobytes())
    if users is not None and users.texts.null_count == len(users.texts):
        raise InputError(f"{counter.source_name}: the user column {user!r} holds nothing but missing values")
    return ReadTable(
        counter.source_name, counter.name, table, users, digest.digest(), remarks, uuid_columns(counter)
    )


def _numbered_subject(
    read: Sequence[ReadTable],
    user: str | None,
    sort: bool,
    origins: tuple[Source, ...],
    seen: tuple[Fingerprint, ...],
) -> Subject:
    """Everybody has one number in both tables."""
    persons, names = _persons(read)
    tables = []
    for each, person in zip(read, persons, strict=True):
        records = RecordTable(each.table, person, len(names), user)
        if sort:
            order = pyarrow.array(arrangement(records.table, "sorted"))
            records = _in_order(records, order)
            names = names.take(order) if user is None else names
        tables.append(records)
    people = tables[1] if len(tables) > 1 else None
    return Subject(
        history=tables[0],
        people=people,
        names=names,
        source=read[0].source_name,
        people_source=None if people is None else read[1].source_name,
        engine=" and ".join(dict.fromkeys(each.engine for each in read)),
        digest=hashlib.sha256(b"".join(each.digest for each in read)).hexdigest(),
        remarks=tuple(_remarks(read, tables, names)),
        origins=origins,
        seen=seen,
        uuids=tuple(name for each in read for name in each.uuids),
    )


def _persons(read: Sequence[ReadTable]) -> tuple[list[NDArray[numpy.int64]], pyarrow.Array]:
    """Whose each record is, table by table, and the names of all."""
    users = [each.users for each in read if each.users is not None]
    if not users:
        records = read[0].table.num_rows
        return [numpy.arange(records)], pyarrow.array(numpy.arange(1, records + 1)).cast(TEXT)
    orders, names = common_codes([each.texts for each in users])
    persons = [order[each.codes].astype(numpy.int64) for order, each in zip(orders, users, strict=True)]
    for each, person in zip(read[1:], persons[1:], strict=True):
        _check_once(each.source_name, person)
    return persons, names


def _check_once(source_name: str, person: NDArray[numpy.int64]) -> None:
    often = int((numpy.bincount(person) > 1).sum())
    if often:
        many = "1 person has" if often == 1 else f"{often:,} people have"
        raise InputError(f"{source_name}: {many} more than one row; a person table has one row a person")


def _in_order(records: RecordTable, order: pyarrow.Array) -> RecordTable:
    # without a user a person is a record, and has its number in the new order
    person = records.person if records.user is None else records.person[order.to_numpy()]
    return replace(records, table=records.table.take(order), person=person)


def _remarks(read: Sequence[ReadTable], tables: Sequence[RecordTable], names: pyarrow.Array) -> Iterator[str]:
    for each, called in zip(read, ("", "the person table: "), strict=False):
        yield from (f"{called}{remark}" for remark in each.remarks)
    if tables[0].user is None:
        yield NO_USER
    unknown = int((tables[0].person == len(names) - 1).sum()) if names.null_count else 0
    if unknown:
        yield f"{unknown:,} records without a user count as one unknown person"
    if len(tables) > 1:
        history, people = (each.records_of_each() > 0 for each in tables)
        yield from _people_remarks(history & ~people, "of the history without a row in the person table")
        yield from _people_remarks(people & ~history, "of the person table without records in the history")


def _people_remarks(some: Mask, what: str) -> list[str]:
    people = int(numpy.count_nonzero(some))
    return [f"{'1 person' if people == 1 else f'{people:,} people'} {what}"] if people else []

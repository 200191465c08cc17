"""A history and a table of its people as one: what somebody knows of a person stands on each record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy
import pyarrow
import pyarrow.compute

from singleout.engine.columns import known_columns
from singleout.engine.open_engine import open_engine
from singleout.engine.session import refuse_changes
from singleout.errors import InputError, UsageError
from singleout.read.source import CsvFormat, Source, source

JOINED = " joined with "


@dataclass(frozen=True)
class JoinedHistory:
    """`source` is the joined table, which every job takes as its data; whose columns came from where."""

    source: Source
    user: str
    history_columns: tuple[str, ...]
    person_columns: tuple[str, ...]
    remarks: tuple[str, ...]


def join_people(
    data: Any,
    people_table: Any,
    *,
    user: str,
    csv: CsvFormat | None = None,
    people_csv: CsvFormat | None = None,
    engine: str | None = None,
) -> JoinedHistory:
    """Put the columns of a table with one row a person beside each record of that person.

    Names of people are compared as text. A person of the history without a row there has missing values; one
    without records is left out: both are told in `remarks`. The tables are read into memory.

    >>> trips = pyarrow.table({"who": ["ann", "bob"], "to": ["Ueno", "Ueno"]})
    >>> cards = pyarrow.table({"who": ["bob", "ann"], "ticket": ["Ueno-Tokyo", "Ueno-Mito"]})
    >>> join_people(trips, cards, user="who").source.frame["ticket"].to_pylist()
    ['Ueno-Mito', 'Ueno-Tokyo']
    """
    origins = source(data, csv=csv), source(people_table, csv=people_csv)
    history, people = (_read(each, user, engine) for each in origins)
    columns = tuple(name for name in people.column_names if name != user)
    if twice := [name for name in columns if name in history.column_names]:
        raise UsageError(f"column {twice[0]!r} is in both tables; call it differently in one of them")
    if not columns:
        raise InputError(f"{origins[1].name}: has no column but {user!r}; it tells nothing about people")
    rows, remarks = _rows_of_people(history[user], people[user], origins[1].name)
    joined = history
    for name in columns:
        joined = joined.append_column(name, people[name].take(rows))
    name = f"{origins[0].name}{JOINED}{origins[1].name}"
    kept = tuple(each for each in history.column_names if each != user)
    return JoinedHistory(Source("frame", name, frame=joined), user, kept, columns, tuple(remarks))


def _read(origin: Source, user: str, engine: str | None) -> pyarrow.Table:
    with refuse_changes(origin), open_engine(origin, engine) as counter:
        known_columns(counter, [user])
        return counter.records(tuple(column.name for column in counter.columns()))


def _rows_of_people(
    history: pyarrow.ChunkedArray, people: pyarrow.ChunkedArray, source_name: str
) -> tuple[pyarrow.Array, list[str]]:
    """For each record the row of its person, none where there is none."""
    of_records, of_people = (_texts(each) for each in (history, people))
    often = pyarrow.compute.value_counts(of_people).field("counts")
    if (repeated := int(pyarrow.compute.sum(pyarrow.compute.greater(often, 1)).as_py() or 0)) > 0:
        many = "1 person has" if repeated == 1 else f"{repeated:,} people have"
        raise InputError(f"{source_name}: {many} more than one row; a person table has one row a person")
    rows = pyarrow.compute.index_in(of_records, value_set=of_people, skip_nulls=True)
    if rows.null_count == len(rows):
        raise InputError(f"{source_name}: has nobody of the history; are they called the same there?")
    return rows, list(_remarks(of_records, of_people, rows))


def _texts(names: pyarrow.ChunkedArray) -> pyarrow.Array:
    return names.cast(pyarrow.string()).combine_chunks()


def _remarks(history: pyarrow.Array, people: pyarrow.Array, rows: pyarrow.Array) -> Iterator[str]:
    alone = pyarrow.compute.unique(history.filter(rows.is_null()))
    if len(alone):
        yield f"{_people(len(alone))} of the history without a row in the person table: missing values there"
    used = numpy.unique(rows.drop_null().to_numpy(zero_copy_only=False))
    if idle := len(people) - len(used):
        yield f"{_people(idle)} of the person table without records: left out"


def _people(number: int) -> str:
    return "1 person" if number == 1 else f"{number:,} people"

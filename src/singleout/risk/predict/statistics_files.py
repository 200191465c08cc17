"""Read statistics from CSV or JSON files: value frequencies, pair tables, and which values go together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from singleout.errors import InputError
from singleout.read.located_rows import (
    WHOLE,
    Entry,
    FilePath,
    Row,
    ending,
    json_content,
    lines,
    same_width,
    short_text,
)

FREQUENCIES = ("column", "value", "frequency")
PAIRS = ("column", "value", "other_column", "other_value", "frequency")
KNOWLEDGE = ("column", "value", "on_column", "on_value", "confidence", "frequency")


@dataclass(frozen=True)
class KnownTuple:
    """conf(on_value ⇒ value): how often `column` has `value` where `on_column` has `on_value`.

    `frequency` counts the records that have both, where this was learned. Yang et al. 2020, Definition 4.
    """

    column: str
    value: str | None
    on_column: str
    on_value: str | None
    confidence: float
    frequency: int


@dataclass(frozen=True)
class ColumnValues:
    """How often each value of a column occurs; those that never do are left out."""

    name: str
    values: tuple[str | None, ...]
    frequencies: tuple[int, ...]


@dataclass(frozen=True)
class PairValue:
    """How many records have both values; `where` names the file and the line."""

    where: str
    column: str
    value: str | None
    other_column: str
    other_value: str | None
    frequency: int


def read_frequencies(path: FilePath) -> tuple[ColumnValues, ...]:
    """Of CSV, either lines of column,value,frequency or the matrix of Definition 1; or of JSON.

    In a matrix the columns' names are above their frequencies; its values are called 1, 2, … by their line.
    """
    if ending(path) == ".csv":
        below = lines(path)
        header = next(below)
        rows = same_width(header, below)
        return _columns(path, _line_rows(rows) if header.cells == FREQUENCIES else _matrix_rows(header, rows))
    whole = json_content(path)
    _, records = whole.fields(("columns",), ("records",))
    columns = _columns(path, _column_rows(whole))
    for each in columns:
        if records is not None and records != sum(each.frequencies):
            raise InputError(
                f"{path}: records is {short_text(records)}, but column {each.name!r} adds up to "
                f"{sum(each.frequencies):,}; correct one of them"
            )
    return columns


def read_pair_values(path: FilePath) -> Iterator[PairValue]:
    """Of CSV with lines of column,value,other_column,other_value,frequency; or of JSON."""
    rows = _table(path, PAIRS) if ending(path) == ".csv" else _pair_rows(json_content(path))
    for row in rows:
        each = PairValue(row.where, row.name(0), row.value(1), row.name(2), row.value(3), row.whole(4))
        if each.column == each.other_column:
            raise InputError(f"{row.where}: column {each.column!r} is paired with itself; name two columns")
        yield each


def read_knowledge(path: FilePath) -> tuple[KnownTuple, ...]:
    """Of CSV with lines of column,value,on_column,on_value,confidence,frequency; or of JSON."""
    rows = _table(path, KNOWLEDGE) if ending(path) == ".csv" else _knowledge_rows(json_content(path))
    known: dict[tuple[Any, ...], KnownTuple] = {}
    for row in rows:
        each = KnownTuple(
            row.name(0), row.value(1), row.name(2), row.value(3), row.confidence(4), row.whole(5)
        )
        if each.column == each.on_column:
            raise InputError(f"{row.where}: column {each.column!r} can't depend on itself; name two columns")
        if known.setdefault(row.cells[:4], each) is not each:
            raise InputError(f"{row.where}: this value is known on that one already; leave one line out")
    return tuple(known.values())


def _columns(path: FilePath, rows: Iterable[Row]) -> tuple[ColumnValues, ...]:
    found: dict[str, dict[str | None, int]] = {}
    for row in rows:
        column = found.setdefault(row.name(0), {})
        value, frequency = row.value(1), row.whole(2)
        if value in column:
            raise InputError(
                f"{row.where}: column {row.cells[0]!r} has {value_phrase(value)} already; add them up"
            )
        column[value] = frequency
    if not found:
        raise InputError(f"{path}: has no frequency of any value; write one or more")
    for name, column in found.items():
        if not any(column.values()):
            raise InputError(f"{path}: no value of column {name!r} ever occurs; leave the column out")
    return tuple(_occurring_values(name, column) for name, column in found.items())


def _occurring_values(name: str, column: dict[str | None, int]) -> ColumnValues:
    kept = {value: frequency for value, frequency in column.items() if frequency}
    return ColumnValues(name, tuple(kept), tuple(kept.values()))


def _line_rows(rows: Iterable[Row]) -> Iterator[Row]:
    """An empty value is the missing value."""
    for row in rows:
        names_and_values = (cell or None if index % 2 else cell for index, cell in enumerate(row.cells[:4]))
        yield Row(row.where, (*names_and_values, *row.cells[4:]))


def _matrix_rows(header: Row, rows: Iterable[Row]) -> Iterator[Row]:
    """As lines of column, value, frequency; an empty cell is padding."""
    names = [header.name(index) for index in range(len(header.cells))]
    if len(names) == 1 and any(mark in names[0] for mark in ";\t|"):
        raise InputError(f"{header.where}: separate the cells by commas")
    if sorted(name.strip().casefold() for name in names) == sorted(FREQUENCIES):
        raise InputError(f"{header.where}: write this header as {','.join(FREQUENCIES)}")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{header.where}: column {twice!r} comes twice; give each its own name")
    for rank, row in enumerate(rows, 1):
        for name, cell in zip(names, row.cells, strict=True):
            if not WHOLE.fullmatch(cell.strip() or "0"):
                raise InputError(
                    f"{row.where}: a cell is no frequency; write whole numbers below columns' "
                    f"names, or one value a line below {','.join(FREQUENCIES)}"
                )
            yield Row(row.where, (name, str(rank), cell.strip() or "0"))


def _column_rows(whole: Entry) -> Iterator[Row]:
    seen: list[Any] = []
    for column in whole.entries("columns"):
        name, _ = column.fields(("name", "values"))
        if name in seen:
            raise InputError(f"{column.where}: column {name!r} comes twice; give each its own name")
        seen.append(name)
        if not column.content["values"]:
            raise InputError(f"{column.where}: no value of column {name!r} ever occurs; leave the column out")
        for each in column.entries("values"):
            yield Row(each.where, (name, *each.fields(("value", "frequency"))))


def _pair_rows(whole: Entry) -> Iterator[Row]:
    whole.fields(("pairs",))
    seen: set[frozenset[str]] = set()
    for pair in whole.entries("pairs"):
        names, _ = pair.fields(("columns", "values"))
        if not isinstance(names, list) or len(names) != 2 or not all(isinstance(each, str) for each in names):
            raise InputError(f"{pair.where}: columns should be a list of two columns' names")
        if frozenset(names) in seen:
            raise InputError(f"{pair.where}: the pair {names[0]!r}, {names[1]!r} comes twice; give it once")
        seen.add(frozenset(names))
        for each in pair.entries("values"):
            first, second, frequency = each.fields(("first", "second", "frequency"))
            yield Row(each.where, (names[0], first, names[1], second, frequency))


def _knowledge_rows(whole: Entry) -> Iterator[Row]:
    whole.fields(("knowledge",))
    for each in whole.entries("knowledge"):
        yield Row(each.where, each.fields(KNOWLEDGE))


def _table(path: FilePath, wanted: tuple[str, ...]) -> Iterator[Row]:
    rows = lines(path)
    header = next(rows)
    if header.cells != wanted:
        raise InputError(f"{header.where}: the header should be {','.join(wanted)}")
    return _line_rows(same_width(header, rows))


def value_phrase(value: str | None) -> str:
    """Not which one: the line tells, to whoever has the file."""
    return "the missing value" if value is None else "this value"

"""Statistics from and to files, as .csv or .json: the AVFM, pair tables, and which values go together."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy

from singleout.errors import InputError, UsageError, name_hint
from singleout.read.located_rows import ENDINGS, MOST, FilePath
from singleout.risk.predict.avfm import Avfm, Counts, Labels, PairTable
from singleout.risk.predict.statistics_files import (
    FREQUENCIES,
    KNOWLEDGE,
    PAIRS,
    ColumnValues,
    KnownTuple,
    read_frequencies,
    read_pair_values,
    value_phrase,
)

__all__ = [
    "ENDINGS",
    "avfm_text",
    "knowledge_text",
    "pairs_text",
    "read_avfm",
    "read_pairs",
]

NEEDS_QUOTES = frozenset(',"\r\n')


def read_avfm(path: FilePath) -> Avfm:
    """The frequencies of each column's values; codes are by falling frequency, then by value."""
    columns = [_sorted_column(column) for column in read_frequencies(path)]
    for column in columns:
        if sum(column.frequencies) > MOST:
            raise InputError(f"{path}: column {column.name!r} adds up to too much; the most is {MOST:,}")
    frequencies = tuple(numpy.array(column.frequencies, dtype=numpy.int64) for column in columns)
    try:
        return Avfm(tuple(each.name for each in columns), frequencies, tuple(each.values for each in columns))
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def _sorted_column(column: ColumnValues) -> ColumnValues:
    def rank_key(each: tuple[str | None, int]) -> tuple[int, bool, str]:
        return -each[1], each[0] is None, each[0] or ""

    falling = sorted(zip(column.values, column.frequencies, strict=True), key=rank_key)
    return ColumnValues(
        column.name, tuple(value for value, _ in falling), tuple(count for _, count in falling)
    )


def read_pairs(path: FilePath, avfm: Avfm) -> tuple[PairTable, ...]:
    """The pair tables of an AVFM's columns, by rank_key; a table may lack records, but not have too many.

    Where the AVFM does not say what its values are called, they are called by their rank.
    """
    coder = _Coder(avfm)
    tables: dict[tuple[int, int], dict[tuple[int, int], int]] = defaultdict(dict)
    for each in read_pair_values(path):
        one = coder.code(each.where, each.column, each.value)
        other = coder.code(each.where, each.other_column, each.other_value)
        (first, code), (second, other_code) = sorted([one, other])
        if (code, other_code) in tables[first, second]:
            raise InputError(f"{each.where}: these two values come together in an earlier line; add them up")
        tables[first, second][code, other_code] = each.frequency
    found = [_pair_table(*columns, cells) for columns, cells in sorted(tables.items())]
    for pair in found:
        _check_sums(path, coder, pair.first, pair.second, pair.first_codes, pair.counts)
        _check_sums(path, coder, pair.second, pair.first, pair.second_codes, pair.counts)
    return tuple(pair for pair in found if len(pair.counts))


class _Coder:
    """Finds columns by name and values by label."""

    def __init__(self, avfm: Avfm) -> None:
        self.avfm, self.labels = avfm, names_of(avfm, show_values=True)
        self.indices = {name: index for index, name in enumerate(avfm.columns)}
        self.codes = [{label: code for code, label in enumerate(labels)} for labels in self.labels]

    def code(self, where: str, column: str, value: str | None) -> tuple[int, int]:
        """The column's rank_key and the value's code."""
        if column not in self.indices:
            raise InputError(
                f"{where}: the statistics have no column {column!r}; {name_hint(column, self.indices)}"
            )
        index = self.indices[column]
        if value not in self.codes[index]:
            raise InputError(
                f"{where}: column {column!r} never has {value_phrase(value)} in the statistics; "
                "leave it out, or add it there"
            )
        return index, self.codes[index][value]


def _pair_table(first: int, second: int, cells: dict[tuple[int, int], int]) -> PairTable:
    rows = sorted((*codes, count) for codes, count in cells.items() if count)
    ones, others, counts = numpy.array(rows, dtype=numpy.int64).reshape(-1, 3).T
    return PairTable(first, second, ones, others, counts)


def _check_sums(path: FilePath, coder: _Coder, index: int, other: int, codes: Counts, counts: Counts) -> None:
    """No value has more records in a pair table than there are of it."""
    frequencies = coder.avfm.frequencies[index]
    sums = numpy.zeros_like(frequencies)
    numpy.add.at(sums, codes, counts)
    if (too_many := numpy.flatnonzero(sums > frequencies)).size:
        code = int(too_many[0])
        column, other_column = coder.avfm.columns[index], coder.avfm.columns[other]
        value = value_phrase(coder.labels[index][code]).replace("this value", f"value {code + 1:,}")
        raise InputError(
            f"{path}: column {column!r} has {value} in {sums[code]:,} records of its pairs with "
            f"{other_column!r}, but in {frequencies[code]:,} of the statistics; correct one"
        )


def avfm_text(avfm: Avfm, suffix: str, show_values: bool) -> str:
    """A file of these frequencies; without `show_values` a value is called by its rank, 1 for the first."""
    labels = names_of(avfm, show_values)
    counts = [each.tolist() for each in avfm.frequencies]
    columns = [
        (name, list(zip(*each, strict=True)))
        for name, *each in zip(avfm.columns, labels, counts, strict=True)
    ]
    if check_suffix(suffix) == ".csv":
        return _csv(FREQUENCIES, [(name, *each) for name, values in columns for each in values])
    content = [
        {"name": name, "values": [{"value": value, "frequency": count} for value, count in values]}
        for name, values in columns
    ]
    return _json({"records": avfm.records, "columns": content})


def pairs_text(avfm: Avfm, pairs: Sequence[PairTable], suffix: str, show_values: bool) -> str:
    """A file of these pair tables, whose values are called as in the AVFM's own file."""
    labels = names_of(avfm, show_values)
    tables = [
        (avfm.columns[pair.first], avfm.columns[pair.second], list(_cells(pair, labels))) for pair in pairs
    ]
    if check_suffix(suffix) == ".csv":
        return _csv(
            PAIRS, [(a, one, b, other, count) for a, b, cells in tables for one, other, count in cells]
        )
    names = ("first", "second", "frequency")
    content = [
        {"columns": [a, b], "values": [dict(zip(names, cell, strict=True)) for cell in cells]}
        for a, b, cells in tables
    ]
    return _json({"pairs": content})


def _cells(pair: PairTable, labels: Sequence[Labels]) -> Iterator[tuple[str | None, str | None, int]]:
    codes = zip(pair.first_codes.tolist(), pair.second_codes.tolist(), pair.counts.tolist(), strict=True)
    for one, other, count in codes:
        yield labels[pair.first][one], labels[pair.second][other], count


def knowledge_text(known: Sequence[KnownTuple], suffix: str) -> str:
    """A file of what is known of dependencies."""
    rows = [tuple(vars(each).values()) for each in known]
    if check_suffix(suffix) == ".csv":
        return _csv(KNOWLEDGE, rows)
    return _json({"knowledge": [dict(zip(KNOWLEDGE, row, strict=True)) for row in rows]})


def names_of(avfm: Avfm, show_values: bool) -> tuple[Labels, ...]:
    """What the values are called, or else their ranks."""
    return (avfm.labels if show_values else None) or avfm.by_rank().labels or ()


def check_suffix(suffix: str) -> str:
    if suffix not in ENDINGS:
        raise UsageError(f"statistics are not written as {suffix!r}; let the name end in .csv or .json")
    return suffix


def _csv(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    _check_missing(rows)
    return "".join(",".join(map(_cell, row)) + "\n" for row in (header, *rows))


def _check_missing(rows: Sequence[Sequence[Any]]) -> None:
    """In CSV an empty cell is the missing value, so an empty text can't be told from it."""
    columns = range(0, min(4, len(rows[0])) - 1, 2) if rows else ()
    empty = {(row[column], row[column + 1]) for row in rows for column in columns if not row[column + 1]}
    for name, value in empty:
        if value == "" and (name, None) in empty:
            raise UsageError(f"column {name!r} has an empty text and a missing value; write .json, not .csv")


def _cell(cell: Any) -> str:
    text = "" if cell is None else str(cell)
    if NEEDS_QUOTES.isdisjoint(text) and text == text.strip():
        return text
    return '"' + text.replace('"', '""') + '"'


def _json(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"

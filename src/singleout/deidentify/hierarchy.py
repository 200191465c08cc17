"""Builds the hierarchy of a column: by what was asked for, or as its values suggest."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any

from singleout.engine.columns import known_columns
from singleout.engine.open_engine import open_engine
from singleout.engine.protocol import Question
from singleout.engine.session import refuse_changes, zone_remarks
from singleout.errors import InputError, OutputError, UsageError
from singleout.files import check_writable, write_text
from singleout.read.hierarchy_file import table_text
from singleout.read.source import CsvFormat, Source, source
from singleout.result_table import Heading, ResultTable, TableResult
from singleout.roles.hierarchies.definition_file import (
    definition_of,
    exact_number,
    prefix_length,
    unit,
    width,
)
from singleout.roles.hierarchies.hierarchy import ENDINGS, Hierarchy, Levels, column_of, levels_over
from singleout.roles.hierarchies.level_rules import (
    EXACT,
    UNITS,
    DateTo,
    Interval,
    LevelRule,
    Prefix,
    RawLevel,
    SuppressAll,
    decimal_text,
)
from singleout.roles.hierarchies.suggestion import suggested_levels


@dataclass(frozen=True)
class BuiltLevel:
    """One level: its rule, its distinct values, the most raw values that become one, and an example."""

    level: int
    rule: str
    values: int
    largest: int
    example: str | None


@dataclass(frozen=True, repr=False)
class BuiltHierarchy(TableResult):
    """What `hierarchy` built: `levels` for people, `hierarchy` to work with, `out` where it was written.

    `to_dict()` has everything, `to_frame()` and `to_arrow()` one row a level.
    """

    source: str
    column: str
    values: int
    levels: tuple[BuiltLevel, ...]
    hierarchy: Hierarchy
    out: str | None
    remarks: tuple[str, ...]

    def __repr__(self) -> str:
        steps = " → ".join(f"{each.values:,}" for each in self.levels)
        return f"<Hierarchy of {self.column} in {self.source}: {steps} values>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `singleout hierarchy --json`."""
        rules = self.hierarchy.rules
        return {
            "source": self.source,
            "column": self.column,
            "values": self.values,
            "levels": [
                {**vars(each), "definition": definition_of(rule)}
                for each, rule in zip(self.levels, rules, strict=True)
            ],
            "out": self.out,
            "remarks": list(self.remarks),
        }

    def table(self) -> ResultTable:
        """One row a level."""
        rows = tuple((each.level, each.rule, each.values, each.largest, each.example) for each in self.levels)
        return ResultTable(f"Levels of {self.column}", HEADINGS, rows, "; ".join(self.remarks))


HEADINGS = (
    Heading("level", "level", "0 is the value as it is"),
    Heading("rule", "rule", "what a value becomes"),
    Heading("values", "values", "distinct values at this level"),
    Heading("largest", "largest", "the most raw values that become the same"),
    Heading("example", "example", "a value at this level"),
)


def hierarchy(
    data: Any,
    column: str,
    *,
    intervals: Sequence[Any] | None = None,
    origin: Any = 0,
    prefixes: Sequence[int] | None = None,
    dates: Sequence[str] | None = None,
    out: str | PathLike[str] | None = None,
    csv: CsvFormat | None = None,
    engine: str | None = None,
) -> BuiltHierarchy:
    """Into which coarser values can a column's values be turned, step by step?

    Give the widths of `intervals` (which start at `origin` plus a multiple of the width), how many characters
    `prefixes` keep, or to which units `dates` are cut (hour, day, month, quarter, year, decade). Without any
    of them the levels are suggested by the values. Level 0 is the value as it is, the last level `*`. Counted
    over the distinct values present; a missing value stays missing, unless all others become one and the
    same. `out` is a CSV file in ARX's layout, one row a value, or a definition file (.json), one rule a
    level. Reference: the generalisation levels of Anon. n.d., algorithm 7.

    >>> import pyarrow
    >>> built = hierarchy(pyarrow.table({"age": ["17", "18", "34"]}), "age", intervals=[5, 10])
    >>> [(each.rule, each.values) for each in built.levels]
    [('as it is', 3), ('intervals of 5', 2), ('intervals of 10', 2), ('suppressed', 1)]
    """
    level_rules = _level_rules(intervals, origin, prefixes, dates)
    data_source = source(data, csv=csv)
    if out is not None:
        _check_target(out, data_source)
    values, names, remarks = _values(data_source, column, engine)
    rules, notes = (
        ((RawLevel(), *level_rules, SuppressAll()), ()) if level_rules else suggested_levels(column, values)
    )
    built = Hierarchy(column, rules)
    levels = levels_over(built, values)
    if out is not None:
        write_text(out, _text(built, levels, Path(out).suffix.lower()))
        notes = (*notes, *_file_name_remarks(Path(out), column, names))
    shown = tuple(_level(levels, level) for level in range(levels.height + 1))
    target = None if out is None else str(out)
    return BuiltHierarchy(data_source.name, column, len(values), shown, built, target, (*remarks, *notes))


def _level_rules(
    intervals: Sequence[Any] | None, origin: Any, prefixes: Sequence[int] | None, dates: Sequence[str] | None
) -> list[LevelRule]:
    """The levels between raw and suppressed; none if they are to be suggested."""
    if sum(each is not None for each in (intervals, prefixes, dates)) > 1:
        raise UsageError("intervals, prefixes and dates are three ways to build a hierarchy; choose one")
    start = _read_settings("origin", exact_number, [origin])[0]
    if start and intervals is None:
        raise UsageError("origin is where intervals start; leave it out, or give --intervals")
    if intervals is not None:
        widths = sorted(set(_read_settings("intervals", width, intervals)))
        _check_multiples(widths)
        return [Interval(each, start) for each in widths]
    if prefixes is not None:
        return [
            Prefix(each)
            for each in sorted(set(_read_settings("prefixes", prefix_length, prefixes)), reverse=True)
        ]
    if dates is not None:
        return [DateTo(each) for each in sorted(set(_read_settings("dates", unit, dates)), key=UNITS.index)]
    return []


def _read_settings(name: str, read: Callable[[Any], Any], given: Any) -> list[Any]:
    """The settings as they are meant; all mistakes are told at once."""
    entries = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else []
    if not entries:
        raise UsageError(f"{name}: {given!r} is no list with one entry or more")
    found, faults = [], []
    for each in entries:
        try:
            found.append(read(each))
        except UsageError as fault:
            faults.append(str(fault))
    if faults:
        raise UsageError(f"{name}: {'; '.join(faults)}")
    return found


def _check_multiples(widths: Sequence[Any]) -> None:
    """An interval that is cut in two by a wider one has no place above it."""
    faults = [
        f"{decimal_text(wider)} is no multiple of {decimal_text(finer)}"
        for finer, wider in pairwise(widths)
        if EXACT.remainder(Decimal(wider), Decimal(finer))
    ]
    if faults:
        raise UsageError(f"intervals: {'; '.join(faults)}; each width must be a multiple of the one before")


def _check_target(out: str | PathLike[str], data_source: Source) -> None:
    if Path(out).suffix.lower() not in ENDINGS:
        raise OutputError(f"{out}: end the name in {' or '.join(ENDINGS)}")
    check_writable(out)
    if data_source.holds(out):
        raise OutputError(f"{out}: belongs to the data that is read; name another file")


def _values(
    data_source: Source, column: str, engine: str | None
) -> tuple[tuple[str | None, ...], tuple[str, ...], tuple[str, ...]]:
    """The column's values, the names of all columns, and what was guessed in reading them."""
    with refuse_changes(data_source), open_engine(data_source, engine) as counter:
        known_columns(counter, [column])
        names = tuple(each.name for each in counter.columns())
        values = counter.values(column, Question((column,)))
        remarks = (*counter.remarks, *zone_remarks(counter, [column]))
    if not values:
        raise InputError(f"{data_source.name}: has column names but no records")
    return values, names, remarks


def _file_name_remarks(out: Path, column: str, names: Sequence[str]) -> list[str]:
    """A CSV file says by its name only of which column it is."""
    if out.suffix.lower() != ".csv" or column_of(out.stem, names) == column:
        return []
    return [f"{out}: call it {column}.csv, for the name says of which column a CSV file is"]


def _text(built: Hierarchy, levels: Levels, ending: str) -> str:
    if ending == ".csv":
        return table_text(levels.labels)
    rules = [definition_of(rule) for rule in built.rules]
    return json.dumps({"attributes": {built.column: {"levels": rules}}}, ensure_ascii=False, indent=2) + "\n"


def _level(levels: Levels, level: int) -> BuiltLevel:
    """The example is the label of most raw values, unless that is a raw value itself."""
    counted = Counter(levels.labels[level])
    label, largest = counted.most_common(1)[0]
    example = label if level and label not in set(levels.labels[0]) else None
    return BuiltLevel(level, levels.rules[level], len(counted), largest, example)

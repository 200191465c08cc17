"""The hierarchy of a column: how its values become coarser, read from files and laid over the values."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.errors import InputError, SingleoutError, UsageError, name_hint
from singleout.read.hierarchy_file import (
    HierarchyTable,
    check,
    is_definition,
    read_definition,
    read_table,
)
from singleout.read.located_rows import short_text
from singleout.roles.hierarchies.definition_file import rules_of
from singleout.roles.hierarchies.level_rules import Label, LevelRule, RawLevel, SuppressAll, TableLevel


def splits(labels: Sequence[Sequence[Label]], values: Sequence[str | None]) -> tuple[list[str], list[str]]:
    """Which levels tell apart what the level before them does not, and of each two values that show it."""
    faults, shown = [], []
    for level in range(1, len(labels)):
        finer, coarser = labels[level - 1], labels[level]
        first: dict[Label, int] = {}
        for index, label in enumerate(finer):
            other = first.setdefault(label, index)
            if coarser[other] != coarser[index]:
                faults.append(
                    f"level {level} is no coarsening of level {level - 1}: two values that are alike at "
                    f"level {level - 1} differ at level {level}; what is alike at one level must stay alike "
                    "at all later ones"
                )
                shown += [values[other] or "", values[index] or ""]
                break
    return faults, shown


def shares(
    table: HierarchyTable | None, labels: Sequence[Sequence[Label]], values: Sequence[str | None]
) -> tuple[tuple[tuple[int, ...], ...], int]:
    """How many raw values become the same as each value, and how many there are."""
    if table is None:
        counted, domain = [Counter(each) for each in labels], len(values)
    else:
        counted, domain = [Counter(table.at(level)) for level in range(len(labels))], len(table.labels)
        if None in values and None not in table.labels:
            domain += 1
            for count, each in zip(counted, labels, strict=True):
                count[each[values.index(None)]] += 1
    found = (tuple(map(count.__getitem__, each)) for count, each in zip(counted, labels, strict=True))
    return tuple(found), domain


ENDINGS = (".csv", ".json")


@dataclass(frozen=True)
class Hierarchy:
    """How a column's values become coarser; `table` is what the CSV file says of each, if it is of one.

    `path` is the file that it was read from.
    """

    column: str
    rules: tuple[LevelRule, ...]
    table: HierarchyTable | None = None
    path: str | None = field(default=None, compare=False)


@dataclass(frozen=True, eq=False)
class Levels:
    """A hierarchy laid over the values of one column, in the order of their codes.

    `labels` are what each value becomes at each level, `shares` how many raw values of the hierarchy become
    the same, of the `domain` raw values that it knows, present or not.
    """

    column: str
    rules: tuple[str, ...]
    labels: tuple[tuple[Label, ...], ...]
    shares: tuple[tuple[int, ...], ...]
    domain: int

    @property
    def height(self) -> int:
        return len(self.labels) - 1

    def codes(self, level: int) -> NDArray[numpy.uint32]:
        """Equal where the labels are equal: 0, 1, … in the order of first appearance."""
        return self._codes[level]

    @cached_property
    def _codes(self) -> tuple[NDArray[numpy.uint32], ...]:
        return tuple(map(_label_codes, self.labels))


def _label_codes(labels: Sequence[Label]) -> NDArray[numpy.uint32]:
    numbers: dict[Label, int] = {}
    return numpy.array([numbers.setdefault(label, len(numbers)) for label in labels], dtype=numpy.uint32)


def without_hierarchy(column: str) -> Hierarchy:
    """As it is, or suppressed."""
    return Hierarchy(column, (RawLevel(), SuppressAll()))


def levels_over(hierarchy: Hierarchy, values: Sequence[str | None]) -> Levels:
    """The hierarchy over these values; that each level is a coarsening of the one before is checked on them.

    A missing value stays missing, but joins the others at a level where they all become one and the same;
    a row of the CSV file with an empty first cell, or the key "" of a map, says otherwise.

    >>> age = Hierarchy("age", rules_of([{"type": "raw"}, {"type": "interval", "width": 5}])[0])
    >>> levels = levels_over(age, ["17", "18", "21", None])
    >>> levels.labels[1], levels.shares[1], levels.codes(1).tolist()
    (('15-19', '15-19', '20-24', None), (2, 2, 1, 1), [0, 0, 1, 2])
    """
    try:
        labels = tuple(tuple(rule.labels(values)) for rule in hierarchy.rules)
    except InputError as fault:
        raise InputError(f"{hierarchy.column}: {fault}", values=fault.values) from fault
    faults, shown = splits(labels, values)
    if faults:
        raise InputError(f"{hierarchy.column}: {'; '.join(faults)}", values=shown)
    words = tuple(rule.words for rule in hierarchy.rules)
    return Levels(hierarchy.column, words, labels, *shares(hierarchy.table, labels, values))


def read_hierarchies(
    hierarchies: str | PathLike[str] | Mapping[str, Any], columns: Iterable[str], data: Iterable[Path] = ()
) -> tuple[dict[str, Hierarchy], tuple[str, ...]]:
    """The hierarchies of a table's columns, and what to remark; all mistakes are told at once.

    `place` is a folder of CSV and JSON files, one such file, or a mapping from columns to a hierarchy, a
    file's name or a list of levels as in JSON. A CSV file belongs to the column that it is named after, as in
    `age.csv`, `adult_hierarchy_age.csv` or `age_hierarchy.csv`; files of the data itself are passed over.
    """
    reader = _HierarchyReader(tuple(columns))
    if not isinstance(hierarchies, (str, PathLike, Mapping)):
        raise UsageError(f"hierarchies: {hierarchies!r} is none; name a folder or a file, or give a mapping")
    if isinstance(hierarchies, Mapping):
        for column, given in hierarchies.items():
            reader.say(column, given)
    elif os.path.isdir(hierarchies):  # noqa: PTH112 - a name that is too long for Path is just no folder
        known = {os.path.realpath(path) for path in data}
        for path in sorted(Path(hierarchies).iterdir()):
            is_data = bool(known) and os.path.realpath(path) in known
            if path.suffix.lower() in ENDINGS and path.name[0] != "." and not is_data:
                reader.meet(path)
    else:
        reader.read(Path(hierarchies))
    return reader.known(hierarchies)


@dataclass
class _HierarchyReader:
    """The hierarchies found so far, where they come from, files of no column, and all mistakes."""

    columns: tuple[str, ...]
    hierarchies: dict[str, Hierarchy] = field(default_factory=dict)
    homes: dict[str, str] = field(default_factory=dict)
    strangers: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def known(self, given: Any) -> tuple[dict[str, Hierarchy], tuple[str, ...]]:
        if self.faults:
            raise InputError("; ".join(self.faults))
        if not self.hierarchies:
            named = "hierarchies" if isinstance(given, Mapping) else given
            raise InputError(
                f"{named}: has no hierarchy of any column; name a CSV file after its column, as in age.csv, "
                "or write a definition file (.json)"
            )
        ordered = {name: self.hierarchies[name] for name in self.columns if name in self.hierarchies}
        return ordered, tuple(self._remarks())

    def read(self, path: Path) -> None:
        """A file whose name or content says which columns it is of."""
        suffix = path.suffix.lower()
        if not os.path.exists(path):  # noqa: PTH110 - as above
            self.faults.append(f"{path}: there is no such file or folder")
        elif suffix == ".json":
            self._put(str(path), lambda: _of_definition(path, self.columns))
        elif suffix != ".csv":
            self.faults.append(f"{path}: hierarchies are a folder, or a file that ends in .csv or .json")
        elif column := column_of(path.stem, self.columns):
            self._put(str(path), lambda: [_of_table(column, path)])
        else:
            self.strangers.append(path.name)

    def meet(self, path: Path) -> None:
        """A file of a folder: JSON of another kind is none of ours, like a CSV file of no column."""
        if path.suffix.lower() == ".json" and not is_definition(path):
            self.strangers.append(path.name)
        else:
            self.read(path)

    def say(self, column: str, given: Any) -> None:
        """What a mapping says of a column."""
        if column not in self.columns:
            self.faults.append(_no_column(column, self.columns))
        else:
            self._put(column, lambda: [_given_hierarchy(column, given)])

    def _put(self, home: str, found: Callable[[], list[Hierarchy]]) -> None:
        try:
            for each in found():
                if each.column in self.homes:
                    both = f"{self.homes[each.column]} and {home}"
                    self.faults.append(f"{both}: both have a hierarchy of {each.column!r}; keep one")
                self.homes[each.column], self.hierarchies[each.column] = home, each
        except SingleoutError as fault:
            self.faults.append(str(fault))

    def _remarks(self) -> list[str]:
        lacking = ", ".join(name for name in self.columns if name not in self.hierarchies) or "none"
        strangers = [
            f"{name} is not read, for it is named after no column; columns without a hierarchy: {lacking}"
            for name in ([", ".join(self.strangers)] if self.strangers else [])
        ]
        headers = [
            f"{self.homes[name]}: the first row says what a value {name!r} becomes; leave out a header"
            for name, each in self.hierarchies.items()
            if each.table and next(iter(each.table.labels)) == name
        ]
        return strangers + headers


def column_of(stem: str, columns: Sequence[str]) -> str | None:
    """The column that a file is named after: exactly, or but for upper and lower case.

    >>> column_of("adult_hierarchy_Age", ["sex", "age"]), column_of("age_hierarchy", ["age"])
    ('age', 'age')
    """
    folded = stem.casefold()
    mark, end = folded.find("hierarchy_"), folded.rfind("_hierarchy")
    stems = [stem, *([stem[mark + 10 :]] if mark >= 0 else []), *([stem[:end]] if end >= 0 else [])]
    by_folded = {name.casefold(): name for name in columns}
    alike = [by_folded[each.casefold()] for each in stems if each.casefold() in by_folded]
    return next((each for each in (*stems, *alike) if each in columns), None)


def _given_hierarchy(column: str, given: Any) -> Hierarchy:
    if isinstance(given, Hierarchy):
        return replace(given, column=column, path=given.path if given.column == column else None)
    if not isinstance(given, (str, PathLike)):
        rules, faults = rules_of(given)
        check(column, faults)
        return Hierarchy(column, rules)
    path = Path(given)
    if path.suffix.lower() == ".csv":
        return _of_table(column, path)
    if path.suffix.lower() != ".json":
        raise UsageError(
            f"{column}: {short_text(given)} is no hierarchy; name a file that ends in .csv or .json"
        )
    for each in _of_definition(path):
        if each.column == column:
            return each
    raise InputError(f"{path}: has no attribute {column!r}; add it")


def _of_table(column: str, path: Path) -> Hierarchy:
    table = read_table(path)
    rules = tuple(TableLevel(table, level) for level in range(table.height + 1))
    return Hierarchy(column, rules, table, str(path))


def _of_definition(path: Path, columns: Sequence[str] | None = None) -> list[Hierarchy]:
    attributes, faults = read_definition(path)
    found = []
    for column, levels in attributes.items():
        if columns is not None and column not in columns:
            faults.append(_no_column(column, columns))
        rules, mistakes = rules_of(levels)
        faults += [f"{column}: {mistake}" for mistake in mistakes]
        found.append(Hierarchy(column, rules, path=str(path)))
    check(path, faults)
    return found


def _no_column(name: Any, columns: Sequence[str]) -> str:
    return f"the table has no column {name!r}; {name_hint(str(name), columns)}"

"""Files that say how values become coarser: rows of CSV, one a raw value, or rules in JSON."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import StringIO
from pathlib import Path
from typing import Any

from singleout.errors import InputError, name_hint
from singleout.read.csv_sniffer import DELIMITERS, row_reader, sniff_delimiter
from singleout.read.located_rows import FilePath, numbered_rows, short_text, text_of

SNIFFED_LINES = 1000
MOST_TABLES, MOST_KEPT = 64, 100_000
MOST_FAULTS = 20
NEEDS_QUOTES = (*DELIMITERS, '"', "\r", "\n", " ", "\ufeff")
QUOTED = re.compile(r'(^|[\r\t;|,] ?)"(?:[^"]|"")*"', re.MULTILINE)
EXAMPLE = '{"attributes": {"age": {"levels": [{"type": "raw"}, {"type": "interval", "width": 10}]}}}'


@dataclass(frozen=True, eq=False)
class HierarchyTable:
    """What each raw value becomes at each level, level 0 being the value itself; None is missing."""

    name: str
    labels: Mapping[str | None, tuple[str | None, ...]]

    @property
    def height(self) -> int:
        return len(next(iter(self.labels.values()))) - 1

    def at(self, level: int) -> list[str | None]:
        """What the raw values become, whether or not a table has them."""
        return [labels[level] for labels in self.labels.values()]


@dataclass(frozen=True)
class Pairs:
    """A JSON object that keeps a name that comes twice."""

    items: tuple[tuple[str, Any], ...]

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name!r}: …" for name, _ in self.items) + "}"


def read_table(path: FilePath) -> HierarchyTable:
    """ARX's layout: no header, first cell the raw value, each further cell its label at the next level.

    The delimiter is found out. An empty cell is the missing value.
    """
    text = text_of(path)
    return (_kept_table if len(text) <= MOST_KEPT else _table)(str(path), text)


def _table(path: str, text: str) -> HierarchyTable:
    found: dict[str | None, tuple[str | None, ...]] = {}
    first_lines: dict[str | None, int] = {}
    faults: list[str] = []
    width = 0
    for line, cells in _rows(path, text):
        width = width or len(cells)
        if len(cells) != width:
            faults.append(f"line {line:,} has {len(cells)} cells where the first row has {width}")
        elif found.setdefault(cells[0], cells) != cells:
            both = f"lines {first_lines[cells[0]]:,} and {line:,}"
            faults.append(
                f"{both} differ in what {'a' if cells[0] else 'the missing'} value becomes; keep one"
            )
        first_lines.setdefault(cells[0], line)
    if not found:
        raise InputError(f"{path}: holds only blank lines; write a row for each raw value")
    check(path, faults)
    return HierarchyTable(Path(path).name, found)


# who searches again reads the same files again: what they say is kept by their text, whenever it was written
_kept_table = lru_cache(MOST_TABLES)(_table)


def read_definition(path: FilePath) -> tuple[dict[str, Any], list[str]]:
    """The levels of each attribute as they are written, numbers as texts, and what is wrong above them."""
    try:
        content = json.loads(
            text_of(path),
            object_pairs_hook=lambda items: Pairs(tuple(items)),
            parse_float=str,
            parse_int=str,
        )
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: is not JSON: {error}") from error
    whole, faults = members(content, ("attributes",), EXAMPLE)
    if faults:
        return {}, faults
    attributes = pairs_of(whole["attributes"])
    if not attributes:
        return {}, [f"attributes: should be an object with one attribute or more, as in {EXAMPLE}"]
    levels: dict[str, Any] = {}
    faults = duplicate_faults([name for name, _ in attributes])
    for name, attribute in attributes:
        inside, mistakes = members(attribute, ("levels",), '{"levels": [{"type": "raw"}, …]}')
        faults += [f"{name}: {mistake}" for mistake in mistakes]
        if not mistakes:
            levels[name] = inside["levels"]
    return levels, faults


def is_definition(path: FilePath) -> bool:
    """Whether a JSON file is meant for us: an object of another kind is not, a broken file may be."""
    try:
        content = json.loads(text_of(path))
    except (ValueError, RecursionError):
        return True
    return isinstance(content, dict) and "attributes" in content


def members(
    content: Any, needed: Sequence[str], example: str, optional: Sequence[str] = ()
) -> tuple[dict[str, Any], list[str]]:
    """What an object holds by name, and what is wrong with its names."""
    pairs = pairs_of(content)
    if pairs is None:
        return {}, [f"should be an object such as {example}, not {short_text(content)}"]
    names, known = [name for name, _ in pairs], (*needed, *optional)
    faults = duplicate_faults(names)
    faults += [f"{name!r} is missing; write it as in {example}" for name in needed if name not in names]
    unknown = [name for name in dict.fromkeys(names) if name not in known]
    faults += [f"{name!r} is unknown here; {name_hint(str(name), known)}" for name in unknown]
    return dict(pairs), faults


def pairs_of(content: Any) -> list[tuple[str, Any]] | None:
    """The names and values of an object from JSON or Python; None of anything else."""
    if isinstance(content, Mapping):
        return list(content.items())
    return list(content.items) if isinstance(content, Pairs) else None


def check(where: FilePath, faults: Sequence[str]) -> None:
    """Tell all that is wrong at once, or at least how much."""
    if faults:
        more = f"; and {len(faults) - MOST_FAULTS} more mistakes" if len(faults) > MOST_FAULTS else ""
        raise InputError(f"{where}: {'; '.join(faults[:MOST_FAULTS])}{more}")


def table_text(columns: Sequence[Sequence[str | None]]) -> str:
    """A hierarchy in ARX's layout, from the labels at each level."""
    rows = zip(*([_cell(label) for label in labels] for labels in columns), strict=True)
    return "".join(";".join(row) + "\n" for row in rows)


def _rows(path: str, text: str) -> Iterator[tuple[int, tuple[str | None, ...]]]:
    """The rows that are not blank, each with its line; an empty cell is the missing value."""
    lines = list(StringIO(text, newline=""))
    reader = row_reader(lines, _delimiter("".join(lines[:SNIFFED_LINES])), '"', strict=True)
    for line, cells in numbered_rows(path, reader):
        yield line, tuple(cell or None for cell in cells)


def _delimiter(start: str) -> str:
    """Found where no quotes are: a mark inside them separates nothing."""
    return sniff_delimiter(list(StringIO(QUOTED.sub(r"\1-", start), newline="")), "")


def _cell(label: str | None) -> str:
    """Quoted if it holds anything that the search for the delimiter could stumble over."""
    text = label or ""
    if any(mark in text for mark in NEEDS_QUOTES):
        return '"' + text.replace('"', '""') + '"'
    return text


def duplicate_faults(names: Sequence[str]) -> list[str]:
    return [f"{name!r} comes twice; keep one" for name, times in Counter(names).items() if times > 1]


def value_text(value: str | None) -> str:
    return "the missing value" if value is None else short_text(value)

"""The lines of a CSV file and the entries of a JSON file, each of which knows where it is written."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from os import PathLike
from pathlib import Path
from typing import Any

from singleout.checks import is_whole
from singleout.errors import InputError, UsageError, name_hint
from singleout.read.csv_sniffer import long_fields
from singleout.read.input_files import input_bytes
from singleout.read.source import check_file

FilePath = str | PathLike[str]

ENDINGS = (".csv", ".json")
MOST = 2**53
WHOLE = re.compile(r"[0-9]{1,400}")


@dataclass(frozen=True)
class Row:
    """A line of CSV, its cells as texts, or an entry of JSON, its cells as they are there."""

    where: str
    cells: tuple[Any, ...]

    def name(self, column: int) -> str:
        cell = self.cells[column]
        if not isinstance(cell, str) or not cell:
            raise InputError(f"{self.where}: {short_text(cell)} is no name of a column; write its name")
        return cell

    def value(self, column: int) -> str | None:
        cell = self.cells[column]
        if cell is not None and not isinstance(cell, str):
            raise InputError(
                f"{self.where}: the value is no text; write it in quotes, or null if it is missing"
            )
        return cell

    def whole(self, column: int) -> int:
        cell = self.cells[column]
        if isinstance(cell, str) and WHOLE.fullmatch(cell.strip()):
            cell = int(cell)
        if not (is_whole(cell) and cell >= 0):
            raise InputError(f"{self.where}: a cell is no frequency; write a whole number, 0 or more")
        if cell > MOST:
            raise InputError(f"{self.where}: a frequency is too much to count with; the most is {MOST:,}")
        return int(cell)

    def confidence(self, column: int) -> float:
        cell = self.cells[column]
        try:
            share = float("nan" if isinstance(cell, bool) else cell)
        except (TypeError, ValueError, OverflowError):
            share = float("nan")
        if not 0 < share <= 1:
            raise InputError(f"{self.where}: a cell is no confidence; write a number above 0, and 1 at most")
        return share


@dataclass(frozen=True)
class Entry:
    """A part of a JSON file, and where in the file it is."""

    path: FilePath
    within: str
    content: Any

    @property
    def where(self) -> str:
        return f"{self.path}: {self.within}" if self.within else str(self.path)

    def fields(self, needed: tuple[str, ...], optional: tuple[str, ...] = ()) -> tuple[Any, ...]:
        """The values under these names, of which none may be missing, and there may be no others."""
        known = (*needed, *optional)
        if not isinstance(self.content, dict):
            raise InputError(f"{self.where}: should be an object with {', '.join(needed)}")
        for name in needed:
            if name not in self.content:
                raise InputError(f"{self.where}: {name!r} is missing; there should be {', '.join(needed)}")
        for name in self.content:
            if name not in known:
                raise InputError(f"{self.where}: {name!r} is unknown here; {name_hint(name, known)}")
        return tuple(self.content.get(name) for name in known)

    def entries(self, name: str) -> Iterator[Entry]:
        items = self.content[name]
        within = f"{self.within}.{name}" if self.within else name
        if not isinstance(items, list):
            raise InputError(f"{self.path}: {within}: should be a list")
        for index, item in enumerate(items):
            yield Entry(self.path, f"{within}[{index}]", item)


def ending(path: FilePath) -> str:
    """How a file of statistics is written, by its name."""
    suffix = Path(path).suffix.lower()
    if suffix not in ENDINGS:
        raise UsageError(f"{path}: a file of statistics is CSV or JSON; let its name end in .csv or .json")
    return suffix


def same_width(header: Row, rows: Iterable[Row]) -> Iterator[Row]:
    for row in rows:
        if len(row.cells) != len(header.cells):
            raise InputError(
                f"{row.where}: has {len(row.cells)} cells where the header has {len(header.cells)}"
            )
        yield row


def lines(path: FilePath) -> Iterator[Row]:
    """The lines that are not blank; a line's number is that of an editor."""
    found = False
    for line, cells in numbered_rows(path, csv.reader(StringIO(text_of(path), newline=""), strict=True)):
        yield Row(f"{path}: line {line:,}", tuple(cells))
        found = True
    if not found:
        raise InputError(f"{path}: holds only blank lines; a header and one line or more are needed")


def numbered_rows(path: FilePath, reader: Any) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row that is not blank, and the line of an editor on which it starts."""
    start = 1
    with long_fields():
        try:
            for cells in reader:
                if cells:
                    yield start, cells
                start = reader.line_num + 1
        except csv.Error as error:
            raise InputError(
                f"{path}: line {start:,}: a quote is not closed, or text follows a closing one; "
                "double a quote inside a quoted cell"
            ) from error


def json_content(path: FilePath) -> Entry:
    try:
        return Entry(path, "", json.loads(text_of(path)))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: is not JSON: {error}") from error


def text_of(path: FilePath, *, secret: bool = False) -> str:
    check_file(Path(path))
    try:
        return input_bytes(path, secret=secret).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}: line {line:,}: is not UTF-8; save the file as UTF-8") from error
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from error


def short_text(cell: Any) -> str:
    text = repr(cell)
    return text if len(text) < 50 else f"{text[:40]}…"

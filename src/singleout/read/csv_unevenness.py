"""Find what a CSV file tells by how it is written, such as quotes around some of several equal values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from singleout.read.csv_fault import text_of
from singleout.read.csv_sniffer import CsvLayout

QUOTES = "quotes around values that stand without them elsewhere"
BLANK_LINES = "blank lines between records"
LINE_ENDS = "line ends of several kinds"


def uneven_parts(path: Path, layout: CsvLayout) -> tuple[str, ...]:
    """In words; a reader of values sees none of it."""
    with text_of(path, layout) as text:
        blank_lines, ends = _lines_of(text)
    words = {
        QUOTES: bool(layout.quote) and _has_uneven_quotes(path, layout),
        # where there is one column, each is a record
        BLANK_LINES: blank_lines and len(layout.names) > 1,
        LINE_ENDS: ends > 1,
    }
    return tuple(name for name, there in words.items() if there)


def _lines_of(text: Iterable[str]) -> tuple[bool, int]:
    """Whether there are blank lines other than at the start and the end, and how many kinds of line ends."""
    ends: set[str] = set()
    begun = blank = between = False
    for line in text:
        ends.add(line[len(line.rstrip("\r\n")) :])
        if line.strip(" \r\n"):
            between = between or (begun and blank)
            begun, blank = True, False
        else:
            blank = True
    return between, len(ends - {""})


def _has_uneven_quotes(path: Path, layout: CsvLayout) -> bool:
    """Also where nobody can tell what is quoted. Quotes that a value needs tell nothing."""
    with text_of(path, layout) as text:
        if not any(layout.quote in line for line in text):
            return False
    quoted: set[int] = set()
    bare: set[int] = set()
    for row in _rows(path, layout):
        if row is None:
            return True
        for place, field in enumerate(row):
            if not field.startswith(layout.quote):
                bare.add(place)
            elif not _needs_quotes(field[1:-1], layout):
                quoted.add(place)
    return any(_stands_both_ways(path, layout, place) for place in quoted & bare)


def _stands_both_ways(path: Path, layout: CsvLayout, place: int) -> bool:
    """Whether a value of the column stands with quotes here and without there."""
    quoted: set[str] = set()
    bare: set[str] = set()
    for row in filter(None, _rows(path, layout)):
        field = row[place]
        if field.startswith(layout.quote):
            quoted.add(field[1:-1])
        else:
            bare.add(field)
    return not quoted.isdisjoint(bare)


def _needs_quotes(value: str, layout: CsvLayout) -> bool:
    return any(mark in value for mark in (layout.delimiter, layout.quote, "\r", "\n"))


def _rows(path: Path, layout: CsvLayout) -> Iterator[list[str] | None]:
    """The fields of each record as they are written, quotes and all; None where that can't be told."""
    pattern, gap = _field(layout), len(layout.delimiter)
    with text_of(path, layout) as text:
        records = (each for each in _records(text, layout.quote) if each.strip(" \r\n"))
        for record in islice(records, int(layout.header), None):
            line = record.rstrip("\r\n")
            if layout.quote not in line:
                yield line.split(layout.delimiter)
                continue
            fields = pattern.findall(line + layout.delimiter)
            whole = sum(map(len, fields)) + gap * (len(fields) - 1) == len(line)
            yield fields if whole else None


def _records(text: Iterable[str], quote: str) -> Iterator[str]:
    """The lines of each record together."""
    parts: list[str] = []
    quotes = 0
    for line in text:
        parts.append(line)
        quotes += line.count(quote)
        if quotes % 2 == 0:
            yield "".join(parts)
            parts, quotes = [], 0
    if parts:
        yield "".join(parts)


def _field(layout: CsvLayout) -> re.Pattern[str]:
    quote, end = re.escape(layout.quote), re.escape(layout.delimiter)
    bare = f"[^{end}{quote}]*" if len(layout.delimiter) == 1 else f"(?:(?!{end})[^{quote}])*"
    return re.compile(f"({quote}(?:[^{quote}]|{quote}{quote})*{quote}|{bare}){end}")

"""Find what a CSV file tells by how it is written, such as quotes around some of several equal values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path

from singleout.read.csv_fault import text_of
from singleout.read.csv_sniffer import CsvLayout

QUOTES = "quotes around values that stand without them elsewhere"
BLANK_LINES = "blank lines between records"
LINE_ENDS = "line ends of several kinds"
EXTRA_FIELDS = "empty fields behind the last column of some records"


def uneven_parts(path: Path, layout: CsvLayout) -> tuple[str, ...]:
    """In words; a reader of values sees none of it."""
    with text_of(path, layout) as text:
        blank_lines, ends, widths = _lines_of(text, layout)
    words = {
        QUOTES: bool(layout.quote) and _has_uneven_quotes(path, layout, widths),
        EXTRA_FIELDS: len(widths) > 1,
        # where there is one column, each is a record
        BLANK_LINES: blank_lines and len(layout.names) > 1,
        LINE_ENDS: ends > 1,
    }
    return tuple(name for name, there in words.items() if there)


def _lines_of(text: Iterable[str], layout: CsvLayout) -> tuple[bool, int, set[int]]:
    """Whether there are blank lines other than at the start and the end, how many kinds of line ends there
    are, and of how many fields records are whose lines have no quotes. What is within quotes is a value.
    """
    ends: set[str] = set()
    widths: set[int] = set()
    begun = blank = between = within_quotes = False
    for line in text:
        quoted = within_quotes
        if layout.quote and layout.quote in line:
            within_quotes ^= line.count(layout.quote) % 2 == 1
            quoted = True
        if not within_quotes:
            ends.add(line[len(line.rstrip("\r\n")) :])
        if quoted or line.strip(" \r\n"):
            between = between or (begun and blank)
            if begun and not quoted:
                widths.add(line.count(layout.delimiter) + 1)
            begun, blank = True, False
        else:
            blank = True
    return between, len(ends - {""}), widths


def _has_uneven_quotes(path: Path, layout: CsvLayout, widths: set[int]) -> bool:
    """Also where nobody can tell what is quoted. Quotes that a value needs tell nothing.

    To `widths` it adds of how many fields other records are.
    """
    with text_of(path, layout) as text:
        if not any(layout.quote in line for line in text):
            return False
    quoted: set[int] = set()
    bare: set[int] = set()
    nothing_new: re.Pattern[str] | None = None
    lines = _lines_of_records(path, layout)
    if any(_fields(line, layout) is None for line in islice(lines, int(layout.header))):
        return True
    for line in lines:
        if nothing_new and nothing_new.fullmatch(line):
            continue
        if (row := _fields(line, layout)) is None:
            return True
        widths.add(len(row))
        known = len(quoted) + len(bare)
        for place, field in enumerate(row):
            if not field.startswith(layout.quote):
                bare.add(place)
            elif not _needs_quotes(field[1:-1], layout):
                quoted.add(place)
        if len(quoted) + len(bare) > known:
            nothing_new = _written_as(quoted, bare, len(row), layout)
    return any(_stands_both_ways(path, layout, place) for place in quoted & bare)


def _written_as(quoted: set[int], bare: set[int], width: int, layout: CsvLayout) -> re.Pattern[str]:
    """Records whose fields have quotes where one had them in vain, or none where one had none."""
    with_quotes, without = _field_forms(layout)
    ways = (
        [with_quotes] * (place in quoted) + [without] * (place in bare) or ["(?!)"] for place in range(width)
    )
    return re.compile(re.escape(layout.delimiter).join(f"(?:{'|'.join(each)})" for each in ways))


def _stands_both_ways(path: Path, layout: CsvLayout, place: int) -> bool:
    """Whether a value of the column stands with quotes here and without there."""
    quoted: set[str] = set()
    bare: set[str] = set()
    lines = islice(_lines_of_records(path, layout), int(layout.header), None)
    rows = (_fields(line, layout) for line in lines)
    for row in filter(None, rows):
        field = row[place]
        if field.startswith(layout.quote):
            quoted.add(field[1:-1])
        else:
            bare.add(field)
    return not quoted.isdisjoint(bare)


def _needs_quotes(value: str, layout: CsvLayout) -> bool:
    return any(mark in value for mark in (layout.delimiter, layout.quote, "\r", "\n"))


def _lines_of_records(path: Path, layout: CsvLayout) -> Iterator[str]:
    with text_of(path, layout) as text:
        for record in _records(text, layout.quote):
            if record.strip(" \r\n"):
                yield record.rstrip("\r\n")


def _fields(line: str, layout: CsvLayout) -> list[str] | None:
    """As they are written, quotes and all; None where that can't be told."""
    if layout.quote not in line:
        return line.split(layout.delimiter)
    fields = _field(layout).findall(line + layout.delimiter)
    whole = sum(map(len, fields)) + len(layout.delimiter) * (len(fields) - 1) == len(line)
    return fields if whole else None


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


@cache
def _field(layout: CsvLayout) -> re.Pattern[str]:
    return re.compile(f"({'|'.join(_field_forms(layout))}){re.escape(layout.delimiter)}")


def _field_forms(layout: CsvLayout) -> tuple[str, str]:
    """A field with quotes, and one without."""
    quote, end = re.escape(layout.quote), re.escape(layout.delimiter)
    bare = f"[^{end}{quote}]*" if len(layout.delimiter) == 1 else f"(?:(?!{end})[^{quote}])*"
    return f"{quote}(?:[^{quote}]|{quote}{quote})*{quote}", bare

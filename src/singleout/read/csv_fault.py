"""Find the line at which a CSV file is broken, as an editor counts lines: engines count records."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from itertools import islice
from pathlib import Path

import pyarrow

from singleout.read.csv_sniffer import LONGEST_FIELD, CsvLayout, long_fields, row_reader

LINE_ENDS = {"\n": "LF", "\r": "CR", "\r\n": "CRLF"}


class _Lines:
    """Hands on the lines and remembers how the latest one ended."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self.end = ""

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.end = line[len(line.rstrip("\r\n")) :]
        return line


def first_fault(path: Path, layout: CsvLayout) -> str | None:
    """The first fault of the file as a sentence; None if this reader finds none."""
    try:
        with text_of(path, layout) as text:
            return _fault(_Lines(text), layout)
    except OSError:
        return "can't be decompressed to its end; is it damaged or cut off? Copy or write it again"
    except UnicodeDecodeError:
        return None


def line_of_record(path: Path, layout: CsvLayout, number: int) -> int:
    """The line on which a record starts; records count from 1, without the header."""
    start, left = layout.blank_lines + 1, number + layout.header
    with text_of(path, layout) as text:
        reader = row_reader(islice(text, layout.blank_lines, None), layout.delimiter, layout.quote)
        for row in reader:
            left -= bool(row) or len(layout.names) == 1  # where there is one column, a blank line is a record
            if not left:
                break
            start = layout.blank_lines + reader.line_num + 1
    return start


@contextmanager
def text_of(path: Path, layout: CsvLayout) -> Iterator[Iterable[str]]:
    """The decompressed file as lines, with their ends."""
    with (
        pyarrow.input_stream(str(path), compression="detect") as stream,
        TextIOWrapper(stream, encoding=layout.encoding, newline="") as text,
        long_fields(),
    ):
        yield text


def _fault(lines: _Lines, layout: CsvLayout) -> str | None:
    reader = row_reader(lines, layout.delimiter, layout.quote, strict=True)
    width, first_end, start = len(layout.names), "", 1
    try:
        for row in reader:
            first_end = first_end or lines.end
            if row and len(row) != width and start > layout.blank_lines:
                return f"line {start:,} has {_fields(len(row))} where the first line has {width}"
            if lines.end and lines.end != first_end:
                return (
                    f"line {reader.line_num:,} ends in {LINE_ENDS[lines.end]} where the first line ends in "
                    f"{LINE_ENDS[first_end]}; let all lines end alike"
                )
            start = reader.line_num + 1
    except csv.Error as error:
        if "limit" in str(error):
            return f"line {start:,} has a field of over {LONGEST_FIELD:,} characters; is a quote not closed?"
        return (
            f"line {start:,} has a quote that is not closed, or text after a closing one; "
            "double a quote inside a quoted field, or say the right --quote ('' for none)"
        )
    return None


def _fields(number: int) -> str:
    return "1 field" if number == 1 else f"{number} fields"

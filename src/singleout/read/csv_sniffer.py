"""Find out how a CSV file is written: encoding, delimiter, quote and header."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pyarrow

from singleout.errors import InputError, UsageError
from singleout.read.encoding import SAMPLE_BYTES, bad_byte, known_encoding, sniff_encoding
from singleout.read.source import CsvFormat

LONGEST_FIELD = 2_000_000
DELIMITERS = ("\t", ";", "|", ",")
NUMBER = re.compile(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?")
DECOMPRESS = "which is not read; decompress it, or compress it by gzip or zstd"
NOT_TEXT = (
    (b"\x1f\x8b", "is compressed by gzip and its name does not say so; add .gz to the name"),
    (b"\x28\xb5\x2f\xfd", "is compressed by zstd and its name does not say so; add .zst to the name"),
    (
        b"\xfd7zXZ\x00",
        f"is compressed by xz, {DECOMPRESS}",
    ),
    (
        b"BZh91AY&SY",
        f"is compressed by bzip2, {DECOMPRESS}",
    ),
    (b"PK\x03\x04", "is a zip archive or a spreadsheet; unpack it, or save it as CSV"),
)
MOSTLY = 0.5
# enough to see whether blanks and quotes are used
MOST_ROWS = 1_000
BLANKS_KEPT = (
    "the blank before each field is taken as a part of it, so that ' NA' is not missing, because some fields "
    "are quoted; say --delimiter '{}' to leave it out"
)
NO_NAMES = (
    "the first line is taken as a record, and the columns are called column1, column2, …; "
    "say --header yes if it holds names"
)
PERHAPS_NAMES = "the first line is taken as the column names; say --header no if it is a record"
# by its bytes, which other encodings have too
GUESSED = ("cp932", "cp1252", "latin-1")
PERHAPS_ENCODING = "the text is taken to be {}; say --encoding if its letters come out wrong"


@dataclass(frozen=True)
class CsvLayout:
    """Everything that is needed to read the file.

    `blank_lines` come before the first line; `remark` tells what was guessed that may be wrong.
    """

    names: tuple[str, ...]
    delimiter: str
    quote: str
    encoding: str
    header: bool
    blank_lines: int
    remark: str = ""


def sniff(path: Path, wish: CsvFormat) -> CsvLayout:
    """What the user said stands; the rest is read off the first megabyte."""
    raw, whole = first_bytes(path)
    encoding = known_encoding(wish.encoding) if wish.encoding else sniff_encoding(raw)
    lines = list(StringIO(_text(path, raw, encoding, final=whole), newline=""))
    blank_lines = next((index for index, line in enumerate(lines) if line.strip(" \r\n")), len(lines))
    lines = lines[blank_lines:] if whole else lines[blank_lines:-1] or lines[blank_lines:]
    if not lines:
        raise InputError(f"{path}: holds only blank lines; a header and at least one record are needed")
    quote = sniff_quote(lines) if wish.quote is None else _known_quote(wish.quote)
    delimiter = (
        sniff_delimiter(lines, quote) if wish.delimiter is None else _known_delimiter(wish.delimiter, quote)
    )
    rows = [row for row in parse(lines, delimiter, quote) if row]
    header, about_header = sniff_header(rows) if wish.header is None else (wish.header, "")
    about_blanks = "" if wish.delimiter else _blank_remark(rows, delimiter)
    guessed = not wish.encoding and encoding in GUESSED
    about_encoding = PERHAPS_ENCODING.format(encoding) if guessed else ""
    remark = "; ".join(filter(None, (about_header, about_blanks, about_encoding)))
    return CsvLayout(_names(rows[0], header), delimiter, quote, encoding, header, blank_lines, remark)


def first_bytes(path: Path) -> tuple[bytes, bool]:
    """The start of the (decompressed) file, and whether that is all of it."""
    try:
        with pyarrow.input_stream(str(path), compression="detect") as stream:
            raw: bytes = stream.read(SAMPLE_BYTES)
            return raw, not stream.read(1)
    except OSError as error:
        raise InputError(f"{path}: can't be decompressed; is it damaged or misnamed?") from error


def sniff_delimiter(lines: Sequence[str], quote: str) -> str:
    """The delimiter under which most lines have as many fields as the first one, and more than one."""
    best, best_share = ",", 0.0
    text = "".join(lines)
    for delimiter in DELIMITERS:
        if delimiter not in text:
            continue
        widths = [len(row) for row in parse(lines, delimiter, quote) if row]
        share = widths.count(widths[0]) / len(widths) if widths and widths[0] > 1 else 0.0
        if share > best_share:
            best, best_share = delimiter, share
    return best + " " if _blank_follows(lines, best, quote) else best


def sniff_quote(lines: Sequence[str]) -> str:
    """A double quote, unless nearly every line has a field wrapped in single ones, and few have the other."""
    single, double = (_quoted_fields(lines, quote) for quote in "'\"")
    return "'" if single >= max(1, len(lines) - 1) and single > double else '"'


def sniff_header(rows: Sequence[Sequence[str]]) -> tuple[bool, str]:
    """Names are not numbers, and a name does not turn up again as a value below it.

    Also what to remark: nothing if numbers stand below a name, else that this is a guess.
    """
    first, rest = rows[0], rows[1:]
    if any(NUMBER.fullmatch(cell.strip()) for cell in first):
        return False, NO_NAMES
    columns = list(zip(*(row for row in rest if len(row) == len(first)), strict=True))
    if any(_holds_numbers(column) for column in columns):
        return True, ""
    if any(cell and cell in column for cell, column in zip(first, columns, strict=False)):
        return False, NO_NAMES
    return True, PERHAPS_NAMES


def parse(lines: Sequence[str], delimiter: str, quote: str) -> list[list[str]]:
    with long_fields():
        return list(row_reader(lines, delimiter, quote))


def row_reader(lines: Iterable[str], delimiter: str, quote: str, *, strict: bool = False) -> Any:
    return csv.reader(
        lines,
        delimiter=delimiter[0],
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        skipinitialspace=delimiter.endswith(" "),
        strict=strict,
    )


@contextmanager
def long_fields() -> Iterator[None]:
    """Python's own limit is 131,072 characters a field; it can only be set for all readers at once."""
    before = csv.field_size_limit(LONGEST_FIELD)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _text(path: Path, raw: bytes, encoding: str, *, final: bool) -> str:
    for start, fault in NOT_TEXT:
        if raw.startswith(start):
            raise InputError(f"{path}: {fault}")
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(raw, final=final)
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: {bad_byte(error, 0, encoding)}") from error
    except UnicodeError as error:
        raise InputError(f"{path}: is not {encoding} ({error}); say the right --encoding") from error
    if "\0" in text:
        raise InputError(
            f"{path}: holds zero bytes, which text never does; "
            "if it is UTF-16 say --encoding utf-16-le, else save it as CSV"
        )
    return text.removeprefix("\ufeff")


def _known_quote(text: str) -> str:
    if len(text) > 1 or text in (" ", "\r", "\n", *DELIMITERS):
        raise UsageError(f"{text!r} can't be the quote; give one mark such as ', or nothing for none")
    return text


def _known_delimiter(text: str, quote: str) -> str:
    one_mark = len(text) == 1 or (len(text) == 2 and text[1] == " ")
    if not one_mark or text[0] in "\r\n" or text[0] == quote:
        raise UsageError(f"{text!r} can't be the delimiter; give one mark such as ; or tab")
    return text


def _blank_follows(lines: Sequence[str], delimiter: str, quote: str) -> bool:
    if any(quote and quote in line for line in lines[:MOST_ROWS]):
        return False
    counts = [(line.count(delimiter), line.count(delimiter + " ")) for line in lines]
    return any(all_ for all_, _ in counts) and all(all_ == blank for all_, blank in counts)


def _blank_remark(rows: Sequence[Sequence[str]], delimiter: str) -> str:
    """Whether a blank stands before nearly every field but the first, and is taken as a part of it."""
    if len(delimiter) > 1 or not rows[0][1:]:
        return ""
    cells = [cell for row in rows[:MOST_ROWS] for cell in row[1:]]
    blank = sum(cell.startswith(" ") for cell in cells)
    return BLANKS_KEPT.format(f"{delimiter} ") if blank >= MOSTLY * len(cells) else ""


def _quoted_fields(lines: Sequence[str], quote: str) -> int:
    """How many fields start and end with the quote."""
    text = "".join(lines)
    if quote not in text:
        return 0
    edge = r"[\t;|,]"
    field = rf"(?:^|{edge}) ?{quote}(?:[^{quote}\n]|{quote}{quote})*{quote}(?={edge}|[\r\n]|\Z)"
    return len(re.findall(field, text, re.MULTILINE))


def _holds_numbers(column: Sequence[str]) -> bool:
    filled = [cell for cell in column if cell]
    return bool(filled) and sum(bool(NUMBER.fullmatch(cell.strip())) for cell in filled) >= 0.9 * len(filled)


def _names(first: Sequence[str], header: bool) -> tuple[str, ...]:
    """The header's names; a column without one is called after its place."""
    return tuple(
        cell if header and cell.strip() else f"column{number}" for number, cell in enumerate(first, start=1)
    )

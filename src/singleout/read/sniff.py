"""Find out how a CSV file is written: encoding, delimiter, quote and header."""

from __future__ import annotations

import codecs
import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pyarrow

from singleout.errors import InputError, UsageError
from singleout.read.source import CsvFormat

SAMPLE_BYTES = 1 << 20
LONGEST_FIELD = 2_000_000
DELIMITERS = ("\t", ";", "|", ",")
NUMBER = re.compile(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?")
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
NOT_TEXT = (
    (b"\x1f\x8b", "is compressed by gzip and its name does not say so; add .gz to the name"),
    (b"\x28\xb5\x2f\xfd", "is compressed by zstd and its name does not say so; add .zst to the name"),
    (b"PK\x03\x04", "is a zip archive or a spreadsheet; unpack it, or save it as CSV"),
)


@dataclass(frozen=True)
class CsvLayout:
    """Everything that is needed to read the file; `blank_lines` come before the first line."""

    names: tuple[str, ...]
    delimiter: str
    quote: str
    encoding: str
    header: bool
    blank_lines: int


def sniff(path: Path, wish: CsvFormat) -> CsvLayout:
    """What the user said stands; the rest is read off the first megabyte."""
    raw, whole = first_bytes(path)
    encoding = _known_encoding(wish.encoding) if wish.encoding else sniff_encoding(raw)
    lines = list(StringIO(_text(path, raw, encoding, final=whole), newline=""))
    blank_lines = next((place for place, line in enumerate(lines) if line.strip(" \r\n")), len(lines))
    lines = lines[blank_lines:] if whole else lines[blank_lines:-1] or lines[blank_lines:]
    if not lines:
        raise InputError(f"{path}: holds only blank lines; a header and at least one record are needed")
    quote = sniff_quote(lines) if wish.quote is None else _known_quote(wish.quote)
    delimiter = (
        sniff_delimiter(lines, quote) if wish.delimiter is None else _known_delimiter(wish.delimiter, quote)
    )
    rows = [row for row in parse(lines, delimiter, quote) if row]
    header = sniff_header(rows) if wish.header is None else wish.header
    return CsvLayout(_names(rows[0], header), delimiter, quote, encoding, header, blank_lines)


def first_bytes(path: Path) -> tuple[bytes, bool]:
    """The start of the (decompressed) file, and whether that is all of it."""
    try:
        with pyarrow.input_stream(str(path), compression="detect") as stream:
            raw: bytes = stream.read(SAMPLE_BYTES)
            return raw, not stream.read(1)
    except OSError as error:
        raise InputError(f"{path}: can't be decompressed; is it damaged or misnamed?") from error


def sniff_encoding(raw: bytes) -> str:
    """UTF-8 if it can be; Shift_JIS if its bytes look Japanese; else Latin-1, which decodes anything."""
    for mark, name in BYTE_ORDER_MARKS:
        if raw.startswith(mark):
            return name
    if _decodes(raw, "utf-8"):
        return "utf-8"
    return "cp932" if _decodes(raw, "cp932") and _looks_japanese(raw) else "latin-1"


def sniff_delimiter(lines: Sequence[str], quote: str) -> str:
    """The delimiter under which most lines have as many fields as the first one, and more than one."""
    best, best_share = ",", 0.0
    for delimiter in DELIMITERS:
        widths = [len(row) for row in parse(lines, delimiter, quote) if row]
        share = widths.count(widths[0]) / len(widths) if widths and widths[0] > 1 else 0.0
        if share > best_share:
            best, best_share = delimiter, share
    return best + " " if _blank_follows(lines, best, quote) else best


def sniff_quote(lines: Sequence[str]) -> str:
    """A double quote, unless nearly every line has a field wrapped in single ones, and few have the other."""
    single, double = (_wrapped(lines, quote) for quote in "'\"")
    return "'" if single >= max(1, len(lines) - 1) and single > double else '"'


def sniff_header(rows: Sequence[Sequence[str]]) -> bool:
    """Names are not numbers, and a name does not turn up again as a value below it."""
    first, rest = rows[0], rows[1:]
    if any(NUMBER.fullmatch(cell.strip()) for cell in first):
        return False
    columns = list(zip(*(row for row in rest if len(row) == len(first)), strict=True))
    if any(_mostly_numbers(column) for column in columns):
        return True
    return not any(cell and cell in column for cell, column in zip(first, columns, strict=False))


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


def undecodable(path: Path, encoding: str) -> str | None:
    """The first byte of the file that the encoding can't read, as a sentence; None if there is none."""
    decoder = codecs.getincrementaldecoder(encoding)()
    read = 0
    with pyarrow.input_stream(str(path), compression="detect") as stream:
        while True:
            chunk = stream.read(SAMPLE_BYTES)
            pending = len(decoder.getstate()[0])
            try:
                decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                return _bad_byte(error, read - pending, encoding)
            if not chunk:
                return None
            read += len(chunk)


def _bad_byte(error: UnicodeDecodeError, before: int, encoding: str) -> str:
    byte = error.object[error.start]
    others = " or ".join(each for each in ("utf-8", "cp932", "latin-1") if each != encoding)
    return (
        f"byte 0x{byte:02X} at offset {before + error.start:,} is not {encoding}; "
        f"say the right --encoding, perhaps {others}"
    )


def _text(path: Path, raw: bytes, encoding: str, *, final: bool) -> str:
    for start, fault in NOT_TEXT:
        if raw.startswith(start):
            raise InputError(f"{path}: {fault}")
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(raw, final=final)
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: {_bad_byte(error, 0, encoding)}") from error
    if "\0" in text:
        raise InputError(
            f"{path}: holds zero bytes, which text never does; "
            "if it is UTF-16 say --encoding utf-16-le, else save it as CSV"
        )
    return text.removeprefix("\ufeff")


def _decodes(raw: bytes, encoding: str) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(raw)
    except UnicodeDecodeError:
        return False
    return True


def _looks_japanese(raw: bytes) -> bool:
    """Kana and the common kanji start with bytes 0x81 to 0x9F, which Latin-1 text does not use."""
    high = Counter(byte for byte in raw if byte >= 0x80)
    lead = sum(count for byte, count in high.items() if 0x81 <= byte <= 0x9F)
    return lead >= 0.25 * high.total()


def _known_encoding(name: str) -> str:
    try:
        codecs.getincrementaldecoder(name)
        b"a".decode(name, "ignore")
    except LookupError as error:
        raise UsageError(
            f"there is no text encoding {name!r}; there are utf-8, cp932, latin-1 and more"
        ) from error
    return name


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
    if any(quote and quote in line for line in lines[:1000]):
        return False
    counts = [(line.count(delimiter), line.count(delimiter + " ")) for line in lines]
    return any(all_ for all_, _ in counts) and all(all_ == blank for all_, blank in counts)


def _wrapped(lines: Sequence[str], quote: str) -> int:
    """How many fields start and end with the quote."""
    edge = r"[\t;|,]"
    field = rf"(?:^|{edge}) ?{quote}(?:[^{quote}\n]|{quote}{quote})*{quote}(?={edge}|[\r\n]|\Z)"
    return len(re.findall(field, "".join(lines), re.MULTILINE))


def _mostly_numbers(column: Sequence[str]) -> bool:
    filled = [cell for cell in column if cell]
    return bool(filled) and sum(bool(NUMBER.fullmatch(cell.strip())) for cell in filled) >= 0.9 * len(filled)


def _names(first: Sequence[str], header: bool) -> tuple[str, ...]:
    """The header's names; a column without one is called after its place."""
    return tuple(
        cell if header and cell.strip() else f"column{place}" for place, cell in enumerate(first, start=1)
    )

"""Find out in which encoding a text is written, and tell of bytes that are not in it."""

from __future__ import annotations

import codecs
import errno
import re
from pathlib import Path

import pyarrow

from singleout.errors import InputError, UsageError, one_line

SAMPLE_BYTES = 1 << 20
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
WINDOWS_BYTE = re.compile(rb"[\x80-\x9f]")  # quotes and dashes of Windows, control characters of Latin-1
NOT_ASCII = re.compile(r"[^\0-\x7f]")
KANA = re.compile(r"[\u3041-\u30fe]")
WIDE = r"\u2460-\u2473\u3000-\u33ff\u4e00-\u9fff\uf900-\ufaff\uff01-\uff5e"
NARROW = r"\uff61-\uff9f"  # half a character wide: these bytes are Latin-1's capitals with accents
WIDE_RUN = re.compile(f"[{WIDE}]{{2,}}")
JAPANESE_RUN = re.compile(f"[{WIDE}{NARROW}]{{2,}}")
# what a disk, a quota and a limit say when they are full
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def sniff_encoding(raw: bytes) -> str:
    """UTF-8 if it can be, Shift_JIS if it reads like Japanese, else what Western Windows or Unix writes."""
    for mark, name in BYTE_ORDER_MARKS:
        if raw.startswith(mark):
            return name
    if _decoded_text(raw, "utf-8") is not None:
        return "utf-8"
    japanese = _decoded_text(raw, "cp932")
    if japanese is not None and _reads_japanese(japanese):
        return "cp932"
    if not WINDOWS_BYTE.search(raw):
        return "latin-1"
    if _decoded_text(raw, "cp1252") is not None:
        return "cp1252"
    # Latin-1 would make control characters of bytes that Windows does not use: a lone kanji is likelier
    return "latin-1" if japanese is None else "cp932"


def known_encoding(name: str) -> str:
    try:
        codecs.getincrementaldecoder(name)
        b"a".decode(name, "ignore")
    except (LookupError, UnicodeError) as error:
        raise UsageError(
            f"there is no text encoding {name!r}; there are utf-8, cp932, latin-1 and more"
        ) from error
    return name


def encoding_fault(path: Path, encoding: str) -> str | None:
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
                return bad_byte(error, read - pending, encoding)
            if not chunk:
                return None
            read += len(chunk)


def bad_byte(error: UnicodeDecodeError, before: int, encoding: str) -> str:
    byte = error.object[error.start]
    others = " or ".join(each for each in ("utf-8", "cp932", "latin-1") if each != encoding)
    return (
        f"byte 0x{byte:02X} at offset {before + error.start:,} is not {encoding}; "
        f"say the right --encoding, perhaps {others}"
    )


def _decoded_text(raw: bytes, encoding: str) -> str | None:
    """The text, of which the last character may be cut off; None if it is not in the encoding."""
    try:
        return codecs.getincrementaldecoder(encoding)().decode(raw)
    except UnicodeDecodeError:
        return None


def _reads_japanese(text: str) -> bool:
    """Western text taken for Shift_JIS makes kanji too, but lone ones: of a mark and the next letter."""
    if KANA.search(text):
        return True
    in_runs = sum(len(run) for run in JAPANESE_RUN.findall(text))
    return bool(WIDE_RUN.search(text)) and 2 * in_runs > len(NOT_ASCII.findall(text))


def utf8_copy(path: Path, encoding: str, folder: Path) -> Path:
    """A UTF-8 copy in the folder, without blank lines at its end.

    Wrong bytes are an error with their offset, never replaced.
    """
    copy = folder / "recoded.csv"
    decoder = codecs.getincrementaldecoder(encoding)()
    ending = ""
    try:
        with pyarrow.input_stream(str(path), compression="detect") as stream, copy.open("wb") as out:
            while chunk := stream.read(SAMPLE_BYTES):
                text = ending + decoder.decode(chunk)
                kept = text.rstrip("\r\n")
                ending = text[len(kept) :]
                out.write(kept.encode())
            if rest := decoder.decode(b"", final=True):
                out.write((ending + rest).encode())
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: {encoding_fault(path, encoding)}") from error
    except OSError as error:
        if error.errno in NO_ROOM:
            raise InputError(
                f"{path}: there is no room for its copy in UTF-8; name a roomier folder by TMPDIR"
            ) from error
        raise InputError(f"{path}: can't be read to its end: {one_line(str(error))}") from error
    return copy

"""What a file is by its first bytes (its signature), for pipes and for files whose names do not tell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

START_BYTES = 512
ARROW_STREAM = b"\xff\xff\xff\xff"
COMPRESSED = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}
CODECS = {".gz": "gzip", ".zst": "zstd"}
# the ending that a file with such a start would have
SIGNATURES = {
    ".parquet": rb"PAR1",
    ".arrow": rb"ARROW1|FEA1",
    ".arrows": re.escape(ARROW_STREAM),
    ".sqlite": rb"SQLite format 3\x00",
    ".duckdb": rb".{8}DUCK",
    ".xlsx": rb"PK\x03\x04",  # or another workbook that is an archive, which its reader tells apart
    ".xls": rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    ".sav": rb"\$FL[23]",
    ".por": rb".{40}ASCII SPSS PORT FILE",
    # older ones begin with their version, the order of their bytes, and what they are
    ".dta": rb"<stata_dta>|[\x66-\x73][\x01\x02]\x01\x00",
    ".sas7bdat": rb"\x00{12}\xc2\xea\x81\x60",
    ".xpt": rb"HEADER RECORD\*{7}",
    ".json": rb"(?:\xef\xbb\xbf)?\s*(?:\{|\[\s*\{|\[\s)",
}


@dataclass(frozen=True)
class FileSignature:
    """The ending that the file would have, and `.gz` or `.zst` where it is compressed; else empty."""

    ending: str = ""
    compression: str = ""


def file_signature(path: Path) -> FileSignature:
    """Of text, and of what can't be read, nothing is known; who reads it says what is wrong."""
    try:
        with path.open("rb") as handle:
            start = handle.read(START_BYTES)
        compression = compression_of(start)
        if compression:
            start = _decompressed_start(path, compression)
    except OSError:
        return FileSignature()
    return FileSignature(_ending(start), compression)


def compression_of(start: bytes) -> str:
    return next((each for each, first in COMPRESSED.items() if start.startswith(first)), "")


def _ending(start: bytes) -> str:
    return next((each for each, begin in SIGNATURES.items() if re.match(begin, start, re.DOTALL)), "")


def _decompressed_start(path: Path, compression: str) -> bytes:
    import pyarrow

    with pyarrow.input_stream(str(path), compression=CODECS[compression]) as stream:
        start: bytes = stream.read(START_BYTES)
    return start

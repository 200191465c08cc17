"""Write a text file anew in UTF-8, so that every later stage meets one encoding only."""

from __future__ import annotations

import codecs
from pathlib import Path

import pyarrow

from singleout.errors import InputError
from singleout.read.sniff import SAMPLE_BYTES, undecodable


def recoded(path: Path, encoding: str, folder: Path) -> Path:
    """A UTF-8 copy in the folder; wrong bytes are an error with their offset, never replaced."""
    copy = folder / "recoded.csv"
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        with pyarrow.input_stream(str(path), compression="detect") as stream, copy.open("wb") as out:
            while chunk := stream.read(SAMPLE_BYTES):
                out.write(decoder.decode(chunk).encode())
            out.write(decoder.decode(b"", final=True).encode())
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: {undecodable(path, encoding)}") from error
    return copy

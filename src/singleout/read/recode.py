"""Write a text file anew in UTF-8, so that every later stage meets one encoding only."""

from __future__ import annotations

import codecs
from pathlib import Path

import pyarrow

from singleout.errors import InputError, one_line
from singleout.read.encoding import SAMPLE_BYTES, undecodable


def recoded(path: Path, encoding: str, folder: Path) -> Path:
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
        raise InputError(f"{path}: {undecodable(path, encoding)}") from error
    except OSError as error:
        raise InputError(f"{path}: can't be read to its end: {one_line(str(error))}") from error
    return copy

"""Read a released file back, as anybody who gets it can: no number of the search is trusted."""

from __future__ import annotations

from pathlib import Path

import numpy

from singleout.engine.codes.dictionary import Codes
from singleout.engine.open_engine import open_engine
from singleout.engine.open_tables import open_apart
from singleout.engine.protocol import Question
from singleout.errors import InputError, OutputError
from singleout.read.source import CsvFormat, Kind, Source

AS_WRITTEN = CsvFormat(delimiter=",", quote='"', encoding="utf-8", header=True, missing_text=("",))


def reread(
    draft: Path, kind: Kind, declared: tuple[str, ...], columns: tuple[str, ...], threads: int = 1
) -> tuple[Codes, ...]:
    """The columns of the file as codes, record by record.

    The file must have the declared columns and no others. A missing value is a value of its own; in a CSV
    file an empty text is one too, and no other than a missing one.
    """
    written = Source(kind, str(draft), csv=AS_WRITTEN if kind == "csv" else CsvFormat())
    try:
        with open_apart(), open_engine(written, "duckdb", threads=threads) as engine:
            _check_names(tuple(column.name for column in engine.columns()), declared)
            found = engine.coded_records(Question(columns))
    except InputError as error:
        fault = str(error).removeprefix(f"{written.name}: ")
        raise OutputError(f"the release can't be read back: {fault}") from error
    return tuple(map(Codes, found.codes, found.values))


def determines(codes: Codes, others: Codes) -> bool:
    """Whether equal codes always stand beside equal others."""
    beside = numpy.zeros(codes.count, dtype=numpy.uint32)
    beside[codes.codes] = others.codes
    return bool((beside[codes.codes] == others.codes).all())


def _check_names(found: tuple[str, ...], declared: tuple[str, ...]) -> None:
    if found != declared:
        listed = [", ".join(map(repr, names)) for names in (found, declared)]
        raise OutputError(f"the release is read back with the columns {listed[0]} and not {listed[1]}")

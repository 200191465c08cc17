"""What the archive of a workbook holds besides its cells, and how far apart these are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import reduce
from pathlib import Path
from typing import IO
from zipfile import BadZipFile, ZipFile

from singleout.errors import InputError
from singleout.read.workbook_markup import SHEET, markup

# by what the name of a part has in it
OTHER_PARTS = {
    "pivotcache": "the records behind pivot tables",
    "comments": "comments",
    "media/": "pictures",
    "embeddings/": "files within it",
    "externallinks/": "values of other workbooks",
    "vbaproject": "macros",
    "charts/": "the values behind charts",
    "customxml/": "data of other programs",
    "docprops/custom": "notes in its properties",
}
UNSEEN_PARTS = "whatever such a workbook has besides its cells (comments, formulas, records behind a table)"
BINARY_SHEET = re.compile(r"xl/worksheets/[^/]+\.bin", re.IGNORECASE)
ROW_RECORD, MOST_ROWS = 0, 1_048_576
# those between the first and the last are all kept in memory, also where nothing is written
MOST_CELLS = 100_000_000
# from the 79th column on: fewer never come to so many
FAR = re.compile(rb"""\sr=["'](?:[C-Z][A-Z]|[A-Z]{3})[0-9]""")
FILLED = re.compile(
    rb"""<(?:\w+:)?c\s[^>]*?\br=["']([A-Z]{1,3})([0-9]{1,7})["'][^>]*(?<!/)>\s*<(?:\w+:)?(?:v|is|f)\b"""
)
PIECE, LONGEST_CELL = 1 << 20, 4_096


def other_parts(path: Path) -> Iterator[str]:
    """In words; of files that are no archives of Excel nobody here can tell."""
    names = [each.lower() for each in _part_names(path)]
    if not any(map(SHEET.fullmatch, names)):
        yield UNSEEN_PARTS
        return
    for mark, words in OTHER_PARTS.items():
        if any(mark in each for each in names):
            yield words
    yield from markup(path)


def _part_names(path: Path) -> list[str]:
    with suppress(BadZipFile, OSError, NotImplementedError), ZipFile(path) as archive:
        return archive.namelist()
    return []


def check_extent(path: Path) -> None:
    """Refuse a sheet with a cell so far off that what lies between would fill the memory."""
    # what can't be read here is told by the reader
    with suppress(BadZipFile, OSError, NotImplementedError, RuntimeError), ZipFile(path) as archive:
        for name in filter(SHEET.fullmatch, archive.namelist()):
            with archive.open(name) as part:
                far = any(FAR.search(piece) for piece in _pieces(part))
            if far:
                with archive.open(name) as part:
                    _check_cells(path, part)
        for name in filter(BINARY_SHEET.fullmatch, archive.namelist()):
            _check_rows(path, archive.read(name))


def _check_rows(path: Path, content: bytes) -> None:
    """Refuse a binary sheet with rows that none has, which its reader would pass over ([MS-XLSB] 2.1.4)."""
    place, end = 0, len(content)
    with suppress(IndexError):  # what is cut off is told by the reader
        while place < end:
            kind, place = _seven_bits(content, place, 2)
            length, place = _seven_bits(content, place, 4)
            if kind == ROW_RECORD and int.from_bytes(content[place : place + 4], "little") >= MOST_ROWS:
                raise InputError(f"{path}: has a row beyond the last that a sheet can have; save it again")
            place += length


def _seven_bits(content: bytes, place: int, most: int) -> tuple[int, int]:
    """A number of at most so many bytes, each of which says whether another one follows; and what is next."""
    number = 0
    for turn in range(most):
        byte = content[place + turn]
        number |= (byte & 127) << 7 * turn
        if byte < 128:
            break
    return number, place + turn + 1


def _check_cells(path: Path, part: IO[bytes]) -> None:
    rows, columns = set[int](), set[int]()
    for piece in _pieces(part):
        cells = FILLED.findall(piece)
        rows |= {int(row) for _, row in cells}
        columns |= {_column_number(letters) for letters in {letters for letters, _ in cells}}
    many = _span(rows) * _span(columns)
    if many > MOST_CELLS:
        raise InputError(
            f"{path}: there are {many:,} cells between the first and the last of a sheet; delete what stands "
            "far from the table"
        )


def _pieces(part: IO[bytes]) -> Iterator[bytes]:
    """They overlap, so that no cell is cut in all of them."""
    before = b""
    while piece := part.read(PIECE):
        yield before + piece
        before = piece[-LONGEST_CELL:]


def _column_number(letters: bytes) -> int:
    return reduce(lambda number, letter: 26 * number + letter - ord("A") + 1, letters, 0)


def _span(numbers: set[int]) -> int:
    return max(numbers) - min(numbers) + 1 if numbers else 0

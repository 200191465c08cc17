"""Workbooks and files of statistics programs: sound ones, and copies in which bytes or parts are damaged."""

from __future__ import annotations

import io
import struct
import tempfile
import zipfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

import polars
import pyreadstat
import xlsxwriter

from tests.fuzz.damage import damaged
from tests.fuzz.table_files import TableFile
from tests.fuzz.tables import arrow_table, ordinary_table

# each is read in a process of its own, which takes as long as hundreds of other files: few originals
ORIGINALS = 5
KINDS = ("xlsx", "xlsb", "ods", "sav", "zsav", "por", "dta", "xpt")
ODS = "application/vnd.oasis.opendocument.spreadsheet"
MANIFEST = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
NAMES = "urn:oasis:names:tc:opendocument:xmlns:"


def office_file(draw: Random) -> TableFile:
    """Damaged as a whole, or a workbook in one of its parts."""
    kind = draw.choice(KINDS)
    data = _sound(kind, draw.randrange(ORIGINALS))
    if kind in ("xlsx", "xlsb", "ods") and draw.random() < 0.8:
        data = _damaged_part(draw, data)
    else:
        data = damaged(draw, data)
    return TableFile(f"t.{kind}", f"t.{kind}", data)


def _damaged_part(draw: Random, data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    largest = sorted(parts, key=lambda name: len(parts[name]))[-2:]
    name = draw.choice((*parts, *largest * 3))
    return _zipped({**parts, name: damaged(draw, parts[name])})


def _zipped(parts: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return content.getvalue()


@lru_cache
def _sound(kind: str, number: int) -> bytes:
    frame = polars.from_arrow(arrow_table(ordinary_table(Random(number))))
    assert isinstance(frame, polars.DataFrame)
    if kind == "ods":
        return _spreadsheet(frame)
    if kind == "xlsb":
        return binary_workbook([frame.columns, *frame.rows()])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"t.{kind}")
        _write(frame, kind, str(path))
        return path.read_bytes()


def _write(frame: polars.DataFrame, kind: str, path: str) -> None:
    labels = {"number": {1: "one", 2: "two"}}
    match kind:
        case "xlsx":
            with xlsxwriter.Workbook(path, {"default_date_format": "yyyy-mm-dd"}) as book:
                sheet = book.add_worksheet("t")
                sheet.write_row(0, 0, frame.columns)
                for place, row in enumerate(frame.rows(), 1):
                    sheet.write_row(place, 0, row)
        case "dta":
            pyreadstat.write_dta(frame, path, variable_value_labels=labels)
        case "xpt":
            pyreadstat.write_xport(frame, path)
        case "por":
            pyreadstat.write_por(frame, path)
        case _:
            pyreadstat.write_sav(frame, path, compress=kind == "zsav", variable_value_labels=labels)


def _spreadsheet(frame: polars.DataFrame) -> bytes:
    rows = "".join(
        f"<table:table-row>{''.join(map(_cell, row))}</table:table-row>"
        for row in (frame.columns, *frame.rows())
    )
    spaces = " ".join(f'xmlns:{each}="{NAMES}{each}:1.0"' for each in ("office", "table", "text"))
    text = (
        f"<office:document-content {spaces}><office:body><office:spreadsheet>"
        f'<table:table table:name="t">{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    parts = {"mimetype": ODS, "META-INF/manifest.xml": MANIFEST, "content.xml": text}
    return _zipped({name: each.encode() for name, each in parts.items()})


def _cell(value: object) -> str:
    if value is None:
        return "<table:table-cell/>"
    kind = f'"float" office:value="{value}"' if isinstance(value, (int, float)) else '"string"'
    return f"<table:table-cell office:value-type={kind}><text:p>{value}</text:p></table:table-cell>"


RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
SHEET = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"


def binary_workbook(rows: Sequence[Sequence[object]]) -> bytes:
    """As Excel writes .xlsb, no library does: records of a number, a length and bytes ([MS-XLSB] 2.1.4)."""
    size = struct.pack("<4I", 0, len(rows) - 1, 0, len(rows[0]) - 1)
    cells = b"".join(_binary_row(number, row) for number, row in enumerate(rows))
    sheet = _record(129) + _record(148, size) + _record(145) + cells + _record(146) + _record(130)
    named = _record(156, struct.pack("<II", 0, 1) + _wide("r1") + _wide("t"))
    book = _record(131) + _record(143) + named + _record(144) + _record(132)
    target = f'<Relationship Id="r1" Type="{SHEET}" Target="worksheets/sheet1.bin"/>'
    relations = f'<Relationships xmlns="{RELATIONS}">{target}</Relationships>'
    return _zipped(
        {
            "xl/workbook.bin": book,
            "xl/_rels/workbook.bin.rels": relations.encode(),
            "xl/worksheets/sheet1.bin": sheet,
        }
    )


def _binary_row(number: int, row: Sequence[object]) -> bytes:
    head = _record(0, struct.pack("<IIHHBI", number, 0, 300, 0, 0, 0))
    return head + b"".join(_binary_cell(index, value) for index, value in enumerate(row))


def _binary_cell(index: int, value: object) -> bytes:
    place = struct.pack("<II", index, 0)
    if value is None:
        return _record(1, place)
    if isinstance(value, (int, float)):
        return _record(5, place + struct.pack("<d", value))
    return _record(6, place + _wide(str(value)))


def _record(number: int, data: bytes = b"") -> bytes:
    return _seven_bits(number) + _seven_bits(len(data)) + data


def _seven_bits(number: int) -> bytes:
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + _seven_bits(number >> 7)


def _wide(words: str) -> bytes:
    data = words.encode("utf-16-le")
    return struct.pack("<I", len(data) // 2) + data

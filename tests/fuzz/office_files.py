"""Workbooks and files of statistics programs: sound ones, and copies in which bytes or parts are damaged."""

from __future__ import annotations

import io
import tempfile
import zipfile
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
KINDS = ("xlsx", "ods", "sav", "zsav", "por", "dta", "xpt")
ODS = "application/vnd.oasis.opendocument.spreadsheet"
MANIFEST = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
NAMES = "urn:oasis:names:tc:opendocument:xmlns:"


def office_file(draw: Random) -> TableFile:
    """Damaged as a whole, or a workbook in one of its parts."""
    kind = draw.choice(KINDS)
    data = _sound(kind, draw.randrange(ORIGINALS))
    if kind in ("xlsx", "ods") and draw.random() < 0.8:
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

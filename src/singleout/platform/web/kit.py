"""The kit of a contest as a zip file: its rules, and its data for those who may have them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping

from singleout.platform.contest import Contest
from singleout.platform.kit import kit_texts
from singleout.platform.store.files import FileShelf
from singleout.platform.store.schema import DataFileRow
from singleout.temporary_files import temporary_folder

# fixed, so that the same kit is the same file
TIMESTAMP = (2026, 1, 1, 0, 0, 0)


def kit(contest: Contest, data: Mapping[str, DataFileRow], shelf: FileShelf, server: str) -> bytes:
    """A zip file; `data` are the files that whoever asks may have, by part."""
    target = io.BytesIO()
    names = {part: f"{part.replace('/', '-')}{_ending(row)}" for part, row in sorted(data.items())}
    with temporary_folder() as folder, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        original = folder / names["original"] if "original" in names else None
        if original is not None:
            shelf.write_to(data["original"].digest, original)
        for name, text in kit_texts(contest, server, names, original):
            add_to_zip(archive, name, [text.encode()])
        for part, name in names.items():
            add_to_zip(archive, name, shelf.pieces(data[part].digest))
    return target.getvalue()


def _ending(row: DataFileRow) -> str:
    return ".parquet" if row.file_name.lower().endswith(".parquet") else ".csv"


def add_to_zip(archive: zipfile.ZipFile, name: str, pieces: Iterable[bytes]) -> None:
    entry = zipfile.ZipInfo(name, TIMESTAMP)
    entry.compress_type = zipfile.ZIP_DEFLATED
    with archive.open(entry, "w", force_zip64=True) as target:
        for piece in pieces:
            target.write(piece)

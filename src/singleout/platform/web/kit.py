"""The kit of a contest: its rules, its data for those who may have them, and the commands that check a release."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping

from singleout.platform.contest import Contest
from singleout.platform.scoring import compare_command
from singleout.platform.store.files import FileShelf
from singleout.platform.store.schema import DataFileRow

README = """{title}

{about}

What is in here
  contest.toml   the rules: metrics, quotas, phases
{files}
Check a release on your own machine; the platform gives the same digits:
  {compare}

Hand it in (a token is on your account's page):
  SINGLEOUT_TOKEN=… singleout submit release.csv --server {server} --contest {name}
"""
# fixed, so that the same kit is the same file
TIMESTAMP = (2026, 1, 1, 0, 0, 0)


def kit(contest: Contest, data: Mapping[str, DataFileRow], shelf: FileShelf, server: str) -> bytes:
    """A zip file; `data` are the files that whoever asks may have, by part."""
    target = io.BytesIO()
    names = {part: f"{part.replace('/', '-')}{_ending(row)}" for part, row in sorted(data.items())}
    original = names.get("original", "original.csv")
    truth = None if contest.truth == "names" else "truth.csv"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        text = README.format(
            title=contest.title, about=contest.about.strip(), name=contest.name, server=server,
            files="".join(f"  {each}\n" for each in names.values()),
            compare=compare_command(contest, original, "release.csv", truth),
        )  # fmt: skip
        add_to_zip(archive, "README.txt", [text.encode()])
        add_to_zip(archive, "contest.toml", [contest.to_toml().encode()])
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

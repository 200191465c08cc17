"""Everything of a contest in one zip file that outlives the server: rules, results, logs and tables."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence
from typing import IO

from sqlalchemy.orm import Session

from singleout.platform.store.contests import announcements_of, current_data
from singleout.platform.store.files import FileShelf
from singleout.platform.store.metrics import versions_of
from singleout.platform.store.publications import publications_of
from singleout.platform.store.results import RESULTS, result_rows
from singleout.platform.store.schema import ContestRow
from singleout.platform.store.submissions import submissions_of_contest
from singleout.platform.uploaded_metric import ENDINGS
from singleout.platform.web.table_export import exported, harmless_cell

# fixed, so that the same archive is the same file
TIMESTAMP = (2026, 1, 1, 0, 0, 0)


def write_archive(target: IO[bytes], session: Session, row: ContestRow, shelf: FileShelf) -> None:
    """Files are named by what they are and by numbers; what their owners called them is in a list."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        add_to_zip(archive, "contest.toml", [row.definition.encode()])
        for table in RESULTS:
            found = result_rows(session, table, row)
            add_to_zip(archive, f"{table}.csv", [exported(found, "csv")])
            add_to_zip(archive, f"{table}.parquet", [exported(found, "parquet")])
        add_to_zip(archive, "submission_logs.csv", [_logs(session, row)])
        texts = [(each.announced_at.isoformat(), each.text) for each in announcements_of(session, row)]
        add_to_zip(archive, "announcements.csv", [_csv(["announced_at", "text"], texts)])
        for part, file in current_data(session, row)[1].items():
            add_to_zip(archive, f"data/{part.replace('/', '-')}", shelf.pieces(file.digest))
        for version in versions_of(session, row):
            add_to_zip(archive, f"metrics/{version.id}{ENDINGS[version.language]}", [version.text.encode()])
        for submission, _ in submissions_of_contest(session, row):
            called = "guesses" if submission.kind == "guesses" else "release"
            files = {
                called: submission.file_digest, "truth": submission.truth_digest,
                "recipe": submission.recipe_digest, "people": submission.people_digest,
            }  # fmt: skip
            for part, digest in files.items():
                if digest is not None:
                    add_to_zip(archive, f"submissions/{submission.id}/{part}", shelf.pieces(digest))
        for publication, _ in publications_of(session, row, every=True):
            if publication.file_digest is not None:
                pieces = shelf.pieces(publication.file_digest)
                add_to_zip(archive, f"published/{publication.submission_id}/release", pieces)


def add_to_zip(archive: zipfile.ZipFile, name: str, pieces: Iterable[bytes]) -> None:
    entry = zipfile.ZipInfo(name, TIMESTAMP)
    entry.compress_type = zipfile.ZIP_DEFLATED
    with archive.open(entry, "w", force_zip64=True) as target:
        for piece in pieces:
            target.write(piece)


def _logs(session: Session, row: ContestRow) -> bytes:
    lines = [
        (each.id, team or "", each.state, each.file_name, each.disqualified or "", each.log)
        for each, team in submissions_of_contest(session, row)
    ]
    return _csv(["submission", "team", "state", "file_name", "disqualified", "log"], lines)


def _csv(head: list[str], lines: Sequence[tuple[object, ...]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([harmless_cell(value) for value in line] for line in lines)
    return text.getvalue().encode("utf-8", "replace")

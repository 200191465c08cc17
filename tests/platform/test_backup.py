"""A platform in a file and back, also from one kind of database to the other."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from singleout.errors import InputError
from singleout.platform.backup import restore_backup, write_backup
from singleout.platform.store.accounts import account_by_password
from singleout.platform.store.database import Database, database_address, open_database
from singleout.platform.store.evaluations import MetricScore, basis_of, board_entries, record_scores
from singleout.platform.store.files import FileShelf, open_shelf
from tests.support.postgres_server import new_schema
from tests.support.small_platform import PASSWORD, SmallPlatform, fill, submit


def filled(database: Database, shelf: FileShelf) -> SmallPlatform:
    with database.writing() as session:
        small = fill(session, shelf)
        row = submit(session, shelf, small)
        row.state = "scored"
        record_scores(
            session, row, basis_of(session, small.contest), [MetricScore("m", "utility", 0.1, None, "1")]
        )
    return small


def test_there_and_back(database: Database, shelf: FileShelf, tmp_path: Path) -> None:
    """From either database to SQLite."""
    small = filled(database, shelf)
    target = tmp_path / "backup.zip"
    written = write_backup(database, shelf, target)
    assert target.stat().st_mode & 0o077 == 0
    other_folder = tmp_path / "other"
    other_folder.mkdir()
    other = open_database(database_address(None, other_folder))
    other_shelf = open_shelf(other_folder)
    assert restore_backup(target, other, other_shelf) == written
    with other.writing() as session, database.reading() as before:
        assert account_by_password(session, "Mia", PASSWORD).name == "Mia"
        assert board_entries(session, small.contest) == board_entries(before, small.contest)
        submit(session, other_shelf, small)  # numbers go on where they ended
    with pytest.raises(InputError, match="already"):
        restore_backup(target, other, other_shelf)
    again = tmp_path / "again.zip"
    write_backup(database, shelf, again)
    assert tables(again) == tables(target)
    other.close()


@pytest.mark.xdist_group("postgres")
def test_into_postgres(postgres_address: str, shelf: FileShelf, tmp_path: Path, database: Database) -> None:
    small = filled(database, shelf)
    write_backup(database, shelf, tmp_path / "b.zip")
    restored = open_database(database_address(new_schema(postgres_address), tmp_path), clock=database.clock)
    restore_backup(tmp_path / "b.zip", restored, shelf)
    with restored.writing() as session:
        assert submit(session, shelf, small).id == 2
    restored.close()


def tables(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rows_of(parts: dict[str, bytes], **values: Any) -> None:
    """Of the first account."""
    first, *others = parts["tables/accounts.jsonl"].splitlines(keepends=True)
    changed = json.dumps({**json.loads(first), **values}).encode() + b"\n"
    parts["tables/accounts.jsonl"] = b"".join([changed, *others])


def manifest_of(parts: dict[str, bytes], **values: Any) -> None:
    parts["manifest.json"] = json.dumps({**json.loads(parts["manifest.json"]), **values}).encode()


def counts_of(parts: dict[str, bytes], **counts: Any) -> None:
    manifest_of(parts, rows={**json.loads(parts["manifest.json"])["rows"], **counts})


def other_rows(parts: dict[str, bytes]) -> None:
    parts["tables/accounts.jsonl"] = b'{"unknown": 1}\n' * parts["tables/accounts.jsonl"].count(b"\n")


# what a part becomes; each once ended in a mistake of ours
ODD_PARTS: dict[str, Callable[[dict[str, bytes]], None]] = {
    "manifest is a list": lambda parts: parts.update({"manifest.json": b"[]"}),
    "manifest is deep": lambda parts: parts.update({"manifest.json": b"[" * 100_000}),
    "manifest is empty": lambda parts: parts.update({"manifest.json": b"{}"}),
    "rows are numbers": lambda parts: parts.update({"tables/accounts.jsonl": b"1\n2\n"}),
    "rows of another table": other_rows,
    "a version steers the terminal": lambda parts: manifest_of(parts, format=2, singleout="\x1b[31m"),
    "a format is no number": lambda parts: manifest_of(parts, format="1"),
    "counted in texts": lambda parts: counts_of(parts, accounts="2"),
    "one more table": lambda parts: counts_of(parts, more=10**30),
    "no number": lambda parts: rows_of(parts, id=None),
    "a number as a name": lambda parts: rows_of(parts, name=5),
    "a text as a number": lambda parts: rows_of(parts, id="1"),
}


@pytest.mark.parametrize("damage", ODD_PARTS)
def test_odd_parts_of_a_backup(tmp_path: Path, shelf: FileShelf, damage: str, database: Database) -> None:
    filled(database, shelf)
    path = tmp_path / "b.zip"
    write_backup(database, shelf, path)
    parts = tables(path)
    ODD_PARTS[damage](parts)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    folder = tmp_path / "new"
    folder.mkdir()
    other = open_database(database_address(None, folder))
    with pytest.raises(InputError, match="is no backup of a platform, or a damaged one"):
        restore_backup(path, other, open_shelf(folder))
    other.close()


REFUSED = {
    "no zip": "is no backup of a platform, or a damaged one",
    "file": "the file .{12}… in it is damaged; take another backup",
    "no file": "is damaged, for 1 of its files are lacking",
    "rows": "accounts has 0 rows and was written with",
    "format": "was written by a newer singleout",
    "revision": "is damaged, or was written by an unreleased singleout",
}


@pytest.mark.parametrize("damage", REFUSED)
def test_a_damaged_backup_is_refused(
    tmp_path: Path, shelf: FileShelf, damage: str, database: Database
) -> None:
    """And no file of it stays, beside others that are nobody's business."""
    filled(database, shelf)
    path = tmp_path / "b.zip"
    write_backup(database, shelf, path)
    parts = tables(path)
    if damage == "no zip":
        path.write_bytes(b"nothing")
    else:
        manifest = json.loads(parts["manifest.json"])
        if damage == "file":
            parts[[name for name in parts if name.startswith("files/")][-1]] = b"other"
        elif damage == "no file":
            del parts[next(name for name in parts if name.startswith("files/"))]
        elif damage == "revision":
            manifest["revision"] = "0"
        elif damage == "rows":
            parts["tables/accounts.jsonl"] = b""
        else:
            manifest["format"] = 99
        parts["manifest.json"] = json.dumps(manifest).encode()
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in parts.items():
                archive.writestr(name, content)
    folder = tmp_path / "new"
    folder.mkdir()
    other = open_database(database_address(None, folder))
    with pytest.raises(InputError, match=REFUSED[damage]):
        restore_backup(path, other, open_shelf(folder))
    assert [each for each in (folder / "files").rglob("*") if each.is_file()] == []
    other.close()


def test_an_archive_that_was_packed_anew_is_a_backup(
    tmp_path: Path, shelf: FileShelf, database: Database
) -> None:
    """Then its folders are in it, too."""
    filled(database, shelf)
    write_backup(database, shelf, tmp_path / "b.zip")
    parts = tables(tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "anew.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {"tables/": b"", "files/": b"", **parts}.items():
            archive.writestr(name, content)
    (tmp_path / "new").mkdir()
    other = open_database(database_address(None, tmp_path / "new"))
    assert restore_backup(tmp_path / "anew.zip", other, open_shelf(tmp_path / "new"))["files"] > 0
    other.close()

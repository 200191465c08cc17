"""A platform in a file and back, also from one kind of database to the other."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

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


def other_rows(parts: dict[str, bytes]) -> None:
    parts["tables/accounts.jsonl"] = b'{"unknown": 1}\n' * parts["tables/accounts.jsonl"].count(b"\n")


# what a part becomes; each once ended in a mistake of ours
ODD_PARTS: dict[str, Callable[[dict[str, bytes]], None]] = {
    "manifest is a list": lambda parts: parts.update({"manifest.json": b"[]"}),
    "manifest is deep": lambda parts: parts.update({"manifest.json": b"[" * 100_000}),
    "manifest is empty": lambda parts: parts.update({"manifest.json": b"{}"}),
    "rows are numbers": lambda parts: parts.update({"tables/accounts.jsonl": b"1\n2\n"}),
    "rows of another table": other_rows,
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


@pytest.mark.parametrize("damage", ["no zip", "file", "rows", "format"])
def test_a_damaged_backup_is_refused(
    tmp_path: Path, shelf: FileShelf, damage: str, database: Database
) -> None:
    filled(database, shelf)
    path = tmp_path / "b.zip"
    write_backup(database, shelf, path)
    parts = tables(path)
    if damage == "no zip":
        path.write_bytes(b"nothing")
    else:
        manifest = json.loads(parts["manifest.json"])
        if damage == "file":
            parts[next(name for name in parts if name.startswith("files/"))] = b"other"
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
    with pytest.raises(InputError):
        restore_backup(path, other, open_shelf(folder))
    other.close()

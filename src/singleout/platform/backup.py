"""Everything of a platform in one file, and a platform from such a file, on either kind of database."""

from __future__ import annotations

import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Table, func, insert, select, text
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.orm import Session

from singleout.errors import InputError, one_line
from singleout.files import check_writable, whole_file
from singleout.platform.store.database import Database
from singleout.platform.store.files import FileShelf, StoredFile, content_digest
from singleout.platform.store.migration import is_empty, migrate, schema_revision
from singleout.platform.store.schema import Base, FileRow, UtcMoment
from singleout.read.input_files import check_ordinary
from singleout.version import VERSION

FORMAT = 1
MANIFEST = "manifest.json"
ROWS_A_PIECE = 1_000
# what an archive, its JSON and rows that do not fit the tables come to
DAMAGE = (
    zipfile.BadZipFile, zlib.error, EOFError, LookupError, ValueError, TypeError, AttributeError,
    ArithmeticError, RuntimeError, SQLAlchemyError,
)  # fmt: skip
# what JSON has of each kind of value; whatever else a column is, it takes any JSON
JSON_KINDS: dict[type, tuple[type, ...]] = {
    int: (int,), float: (int, float), bool: (bool,), str: (str,), datetime: (str,)
}  # fmt: skip


@dataclass(frozen=True)
class Manifest:
    """Of which schema a backup is, who wrote it, and how many rows each table has."""

    format: int
    singleout: str
    revision: str
    rows: dict[str, int]

    @staticmethod
    def read(content: bytes) -> Manifest:
        told = json.loads(content)
        manifest = Manifest(*(told[name] for name in ("format", "singleout", "revision", "rows")))
        counts = [*manifest.rows.values()]
        if {type(each) for each in (manifest.format, *counts)} != {int} or min(
            manifest.format - 1, *counts
        ) < 0:
            raise ValueError("a number is none")
        if not all(re.fullmatch(r"[\w.+-]{1,60}", each) for each in (manifest.singleout, manifest.revision)):
            raise ValueError("a version is none")
        return manifest


def write_backup(database: Database, shelf: FileShelf, target: Path) -> dict[str, int]:
    """Rows as of one moment and all files that they name, for its owner only; returns how many rows."""
    check_writable(target)
    with (
        whole_file(target, private=True) as draft,
        zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive,
        database.reading() as session,
    ):
        if not _is_sqlite(session):
            session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        counts = {each.name: _write_table(archive, session, each) for each in Base.metadata.sorted_tables}
        for digest in session.scalars(select(FileRow.digest).order_by(FileRow.digest)):
            _write_file(archive, shelf, digest)
        manifest = {
            "format": FORMAT, "singleout": VERSION, "revision": schema_revision(database), "rows": counts,
        }  # fmt: skip
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
    return counts


def _write_table(archive: zipfile.ZipFile, session: Session, table: Table) -> int:
    number = 0
    rows = session.execute(
        select(table).order_by(*table.primary_key.columns).execution_options(yield_per=ROWS_A_PIECE)
    )
    with archive.open(f"tables/{table.name}.jsonl", "w", force_zip64=True) as target:
        for row in rows.mappings():
            line = json.dumps(dict(row), default=datetime.isoformat, ensure_ascii=False)
            target.write(line.encode() + b"\n")
            number += 1
    return number


def _write_file(archive: zipfile.ZipFile, shelf: FileShelf, digest: str) -> None:
    with archive.open(f"files/{digest}", "w", force_zip64=True) as target:
        for piece in shelf.pieces(digest):
            target.write(piece)


def restore_backup(source: Path, database: Database, shelf: FileShelf) -> dict[str, int]:
    """Into an empty database and folder only; all rows or none. Returns how many rows each table has."""
    if not is_empty(database) and _has_rows(database):
        raise InputError("there is a platform here already; restore into an empty folder or database")
    try:
        check_ordinary(source)
        with zipfile.ZipFile(source) as archive:
            manifest = Manifest.read(archive.read(MANIFEST))
            if manifest.format > FORMAT:
                raise InputError(f"{source}: was written by a newer singleout ({manifest.singleout})")
            with _restored_files(archive, shelf, source) as files:
                migrate(database)
                if manifest.revision != schema_revision(database):
                    raise InputError(_told_other_schema(source, manifest))
                with database.writing() as session:
                    _restore_tables(archive, session, manifest.rows, source)
                    _check_files(session, files, source)
    except FileNotFoundError as error:
        raise InputError(f"{source}: there is no such file") from error
    except IsADirectoryError as error:
        raise InputError(f"{source}: is a folder; name the file that singleout serve backup wrote") from error
    except OperationalError as error:
        reason = one_line(str(error.orig))
        raise InputError(f"the database can't be written to ({reason}); nothing was restored") from error
    except DAMAGE as error:
        raise InputError(f"{source}: is no backup of a platform, or a damaged one") from error
    return manifest.rows


def _told_other_schema(source: Path, manifest: Manifest) -> str:
    if manifest.singleout == VERSION:
        return (
            f"{source}: is damaged, or was written by an unreleased singleout {VERSION}; take another backup"
        )
    return f"{source}: restore it by singleout {manifest.singleout}, then upgrade"


def _has_rows(database: Database) -> bool:
    """A restoration that failed leaves a schema without rows, and can be tried again."""
    with database.reading() as session:
        return any(session.execute(select(each).limit(1)).first() for each in Base.metadata.sorted_tables)


@contextmanager
def _restored_files(
    archive: zipfile.ZipFile, shelf: FileShelf, source: Path
) -> Iterator[dict[str, StoredFile]]:
    """By their digests; if the block fails, those that were not there are gone again."""
    files: dict[str, StoredFile] = {}
    try:
        _restore_files(archive, shelf, source, files)
        yield files
    except BaseException:
        for each in files.values():
            shelf.take_away(each)
        raise


def _restore_files(
    archive: zipfile.ZipFile, shelf: FileShelf, source: Path, files: dict[str, StoredFile]
) -> None:
    for entry in archive.infolist():
        folder, _, digest = entry.filename.partition("/")
        if folder != "files" or entry.is_dir():
            continue
        with archive.open(entry) as content:
            if content_digest(content)[0] != digest:
                raise InputError(f"{source}: the file {digest[:12]}… in it is damaged; take another backup")
            files[digest] = shelf.put(content, digest)


def _restore_tables(
    archive: zipfile.ZipFile, session: Session, expected: Mapping[str, int], source: Path
) -> None:
    if {*expected} != {each.name for each in Base.metadata.sorted_tables}:
        raise ValueError("other tables")
    for table in Base.metadata.sorted_tables:
        rows = [*_rows(archive, table)]
        if len(rows) != expected[table.name]:
            raise InputError(
                f"{source}: is damaged, for {table.name} has {len(rows):,} rows and was written with "
                f"{expected[table.name]:,}; take another backup"
            )
        for start in range(0, len(rows), ROWS_A_PIECE):
            session.execute(insert(table), rows[start : start + ROWS_A_PIECE])
        if not _is_sqlite(session) and rows and "id" in table.columns:
            highest = session.scalar(select(func.max(table.c.id)))
            sequence = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :highest)")
            session.execute(sequence, {"name": table.name, "highest": highest})


def _check_files(session: Session, files: Mapping[str, StoredFile], source: Path) -> None:
    """Rows that name files which are not there would only be found out by whoever asks for them."""
    named = session.execute(select(FileRow.digest, FileRow.size))
    if lacking := [
        each.digest for each in named if each.digest not in files or files[each.digest].size != each.size
    ]:
        raise InputError(
            f"{source}: is damaged, for {len(lacking):,} of its files are lacking, first {lacking[0][:12]}…; "
            "take another backup"
        )


def _rows(archive: zipfile.ZipFile, table: Table) -> Iterator[dict[str, Any]]:
    moments = {column.name for column in table.columns if isinstance(column.type, UtcMoment)}
    with archive.open(f"tables/{table.name}.jsonl") as lines:
        for line in lines:
            row = json.loads(line)
            if {*row} != {*table.columns.keys()}:
                raise ValueError(table.name)
            if not all(_fits(row[column.name], column) for column in table.columns):
                raise ValueError(table.name)
            yield {
                name: datetime.fromisoformat(value) if name in moments and value is not None else value
                for name, value in row.items()
            }


def _fits(value: Any, column: Column[Any]) -> bool:
    """SQLite would keep a text among numbers, and make up a number where there is none."""
    kinds = JSON_KINDS.get(column.type.python_type)
    return kinds is None or (bool(column.nullable) if value is None else type(value) in kinds)


def _is_sqlite(session: Session) -> bool:
    return session.get_bind().dialect.name == "sqlite"

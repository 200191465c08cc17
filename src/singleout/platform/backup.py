"""Everything of a platform in one file, and a platform from such a file, on either kind of database."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import Table, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from singleout.errors import InputError
from singleout.files import check_writable, whole_file
from singleout.platform.store.database import Database
from singleout.platform.store.files import FileShelf
from singleout.platform.store.migration import is_empty, migrate, schema_revision
from singleout.platform.store.schema import Base, FileRow, UtcMoment
from singleout.version import VERSION

FORMAT = 1
MANIFEST = "manifest.json"
ROWS_A_PIECE = 1_000
# what an archive, its JSON and rows that do not fit the tables come to
DAMAGE = (
    zipfile.BadZipFile, zlib.error, EOFError, LookupError, ValueError, TypeError, AttributeError,
    ArithmeticError, RuntimeError, SQLAlchemyError,
)  # fmt: skip


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
    """Into an empty database and folder only; all rows or none."""
    if not is_empty(database) and _has_rows(database):
        raise InputError("there is a platform here already; restore into an empty folder or database")
    try:
        with zipfile.ZipFile(source) as archive:
            manifest = json.loads(archive.read(MANIFEST))
            if manifest["format"] != FORMAT:
                raise InputError(f"{source}: was written by a newer singleout ({manifest['singleout']})")
            _restore_files(archive, shelf, source)
            migrate(database)
            if manifest["revision"] != schema_revision(database):
                raise InputError(f"{source}: restore it by singleout {manifest['singleout']}, then upgrade")
            with database.writing() as session:
                return _restore_tables(archive, session, manifest["rows"], source)
    except FileNotFoundError as error:
        raise InputError(f"{source}: there is no such file") from error
    except DAMAGE as error:
        raise InputError(f"{source}: is no backup of a platform, or a damaged one") from error


def _has_rows(database: Database) -> bool:
    """A restoration that failed leaves a schema without rows, and can be tried again."""
    with database.reading() as session:
        return any(session.execute(select(each).limit(1)).first() for each in Base.metadata.sorted_tables)


def _restore_files(archive: zipfile.ZipFile, shelf: FileShelf, source: Path) -> None:
    for name in archive.namelist():
        folder, _, digest = name.partition("/")
        if folder != "files":
            continue
        content = archive.read(name)
        if sha256(content).hexdigest() != digest:
            raise InputError(f"{source}: the file {digest[:12]}… in it is damaged")
        shelf.put(io.BytesIO(content), digest)


def _restore_tables(
    archive: zipfile.ZipFile, session: Session, expected: Mapping[str, int], source: Path
) -> dict[str, int]:
    for table in Base.metadata.sorted_tables:
        rows = [*_rows(archive, table)]
        if len(rows) != expected[table.name]:
            raise InputError(f"{source}: {table.name} has fewer rows than it was written with")
        for start in range(0, len(rows), ROWS_A_PIECE):
            session.execute(insert(table), rows[start : start + ROWS_A_PIECE])
        if not _is_sqlite(session) and rows and "id" in table.columns:
            highest = session.scalar(select(func.max(table.c.id)))
            sequence = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :highest)")
            session.execute(sequence, {"name": table.name, "highest": highest})
    return dict(expected)


def _rows(archive: zipfile.ZipFile, table: Table) -> Iterator[dict[str, Any]]:
    moments = {column.name for column in table.columns if isinstance(column.type, UtcMoment)}
    with archive.open(f"tables/{table.name}.jsonl") as lines:
        for line in lines:
            row = json.loads(line)
            if {*row} != {*table.columns.keys()}:
                raise ValueError(table.name)
            yield {
                name: datetime.fromisoformat(value) if name in moments and value is not None else value
                for name, value in row.items()
            }


def _is_sqlite(session: Session) -> bool:
    return session.get_bind().dialect.name == "sqlite"

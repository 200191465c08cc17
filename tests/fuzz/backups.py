"""Backups of a platform: nearly right ones, made from the tables that the code itself knows."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any

from alembic.script import ScriptDirectory
from sqlalchemy import JSON, Boolean, Column, Integer, Numeric

from singleout.platform.backup import FORMAT, MANIFEST
from singleout.platform.store.migration import MIGRATIONS
from singleout.platform.store.schema import ROLES, Base, UtcMoment
from singleout.version import VERSION
from tests.fuzz.damage import damaged

CONTENT = b"customer,goods\np,v1\n"
OF_FILE = {"digest": sha256(CONTENT).hexdigest(), "size": len(CONTENT)}


def backup(draw: Random) -> bytes:
    """Sound, with a damaged part, or damaged as a whole."""
    parts = dict(_parts())
    for name in draw.sample(sorted(parts), draw.choice((0, 1, 1, 2))):
        parts[name] = damaged(draw, parts[name])
    whole = _zipped(parts, draw.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)))
    return damaged(draw, whole) if draw.random() < 0.4 else whole


def sound_backup() -> bytes:
    return _zipped(_parts(), zipfile.ZIP_STORED)


def _zipped(parts: Mapping[str, bytes], how: int) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", how) as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return content.getvalue()


@cache
def _parts() -> dict[str, bytes]:
    """One row in each table that needs no other, none in the rest."""
    rows = {
        each.name: [] if each.foreign_keys else [_row(each.columns)] for each in Base.metadata.sorted_tables
    }
    parts = {f"tables/{name}.jsonl": _lines(each) for name, each in rows.items()}
    revision = ScriptDirectory(str(MIGRATIONS), version_locations=[str(MIGRATIONS)]).get_current_head()
    counts = {name: len(each) for name, each in rows.items()}
    manifest = {"format": FORMAT, "singleout": VERSION, "revision": revision, "rows": counts}
    files = {f"files/{OF_FILE['digest']}": CONTENT}
    return {**parts, **files, MANIFEST: json.dumps(manifest).encode()}


def _row(columns: Any) -> dict[str, Any]:
    return {column.name: _value(column) for column in columns}


def _value(column: Column[Any]) -> Any:
    if column.table.name == "files" and column.name in OF_FILE:
        return OF_FILE[column.name]
    match column.type:
        case UtcMoment():
            return "2026-12-01T09:00:00+00:00"
        case Boolean():
            return True
        case Integer() | Numeric():
            return 1
        case JSON():
            return {}
    return ROLES[0] if column.name == "role" else column.name


def _lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(f"{json.dumps(each)}\n" for each in rows).encode()

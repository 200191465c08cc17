"""Moments with a time zone: DuckDB hands them to Python only where pytz is, which nobody else needs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import duckdb

# to the microsecond, and to the nanosecond
MOMENTS = ("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ_NS")


def fetched_rows(connection: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[Any, ...]]:
    """The answer; its moments are in UTC, and those within lists and structs texts."""
    answer = connection.execute(sql)
    kinds = [str(kind) for _, kind, *_ in answer.description or ()]
    zoned = [kind in MOMENTS for kind in kinds]
    if any(map(_has_zone, kinds)):
        answer = connection.execute(_without_zones(sql, kinds))
    rows: list[tuple[Any, ...]] = answer.fetchall()
    if not any(zoned):
        return rows
    return [tuple(map(_moment, row, zoned)) for row in rows]


def _without_zones(sql: str, kinds: Sequence[str]) -> str:
    names = [f"c{index}" for index in range(len(kinds))]
    values = ", ".join(map(_value, names, kinds))
    return f"SELECT {values} FROM ({sql}) AS answer({', '.join(names)})"


def _value(name: str, kind: str) -> str:
    if kind in MOMENTS:
        return f"{name} AT TIME ZONE 'UTC'"
    return f"CAST({name} AS VARCHAR)" if _has_zone(kind) else name


def _has_zone(kind: str) -> bool:
    return any(each in kind for each in MOMENTS)


def _moment(value: Any, zoned: bool) -> Any:
    return value.replace(tzinfo=UTC) if zoned and isinstance(value, datetime) else value

"""DuckDB with the tables of a metric in it, and no way to anything else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import duckdb

# of the memory of the process, what a query may use
SHARE_OF_MEMORY = 0.6
LOCKS = (
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET allow_community_extensions = false",
    "SET python_enable_replacements = false",
    "SET disabled_filesystems = 'LocalFileSystem'",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)


def locked_duckdb(
    tables: Mapping[str, Any], parameters: Mapping[str, Any], memory_megabytes: int
) -> duckdb.DuckDBPyConnection:
    """One thread, so that sums are the same everywhere; no file, no network, no extension, no setting."""
    memory = f"{int(memory_megabytes * SHARE_OF_MEMORY)}MB"
    settings = {"threads": 1, "memory_limit": memory, "temp_directory": ""}
    connection = duckdb.connect(":memory:", config=settings)
    for name, table in tables.items():
        connection.register(name, table)
    for name, value in parameters.items():
        connection.execute(f'SET VARIABLE "{name}" = ?', [value])
    for each in LOCKS:
        connection.execute(each)
    return connection

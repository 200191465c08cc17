"""Choose the engine for a source, and load its driver only then."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, TypedDict, get_args

from singleout.checks import is_whole
from singleout.engine.databases.sql_engine import SqlEngine
from singleout.engine.open_tables import shared_tables
from singleout.errors import UsageError
from singleout.read.source import Source

EngineName = Literal["duckdb", "postgres", "spark"]
ENGINES: tuple[EngineName, ...] = get_args(EngineName)
MEMORY = re.compile(r"(\d+(?:\.\d+)?)\s*(B|KB|MB|GB|TB|KiB|MiB|GiB|TiB)?", re.IGNORECASE)
POWERS = "bkmgt"
CONTAINER_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
MOST_THREADS = 256
MOST_DIGITS = 18
LEAST_MEMORY = 100_000_000
NOT_LOCAL: tuple[EngineName, ...] = ("postgres", "spark")


class EngineSettings(TypedDict, total=False):
    """What an engine that reads the table here can be told."""

    memory: str | None
    threads: int | None


def open_engine(
    source: Source, engine: str | None = None, *, memory: str | None = None, threads: int | None = None
) -> SqlEngine:
    """The engine that holds the table: the database itself for a database, DuckDB for everything else.

    Where a command shares its open tables, it joins the table that is open already.
    """
    name = _engine_name(source, engine)
    if name != "duckdb" and (memory is not None or threads is not None):
        raise UsageError(f"memory and threads are settings of the duckdb engine; {name} has its own")
    if name == "postgres":
        return _postgres(source)
    if name == "spark":
        return _spark(source)
    settings = memory_bytes(memory), thread_count(threads)
    if (tables := shared_tables()) is not None:
        return tables.engine(source, *settings)
    from singleout.engine.databases.duckdb import DuckDbEngine

    return DuckDbEngine(source, *settings)


def is_local(source: Source, engine: str | None = None) -> bool:
    """Whether DuckDB reads the table here, rather than a database or Spark where it is."""
    return source.kind not in NOT_LOCAL and engine in (None, "duckdb")


def settings_of_each(
    sources: Sequence[Source],
    engine: str | None,
    memory: str | None,
    threads: int | None,
    *,
    at_once: bool = False,
) -> list[EngineSettings]:
    """What to open each of several tables with: those read here `at_once` share the memory.

    Beside a table that stays in its database, the settings are for the other one.
    """
    local = [is_local(source, engine) for source in sources]
    if at_once and all(local):
        memory = f"{max(memory_bytes(memory) // len(sources), LEAST_MEMORY)}B"
    given: EngineSettings = {"memory": memory, "threads": threads}
    return [given if here or not any(local) else {} for here in local]


def memory_bytes(text: str | int | None) -> int:
    """'4GB' as bytes; by default two thirds of what the machine, or the container, has."""
    if text is None:
        return min([os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"), *_limits()]) * 2 // 3
    parts = MEMORY.fullmatch(str(text).strip())
    if not parts:
        raise UsageError(f"memory {text!r} is not a size; write it like 4GB or 500MiB")
    if len(parts[1]) > MOST_DIGITS:
        raise UsageError(f"memory {str(text)[:20]!r}… is more than there is anywhere; write it like 4GB")
    unit = (parts[2] or "B").lower()
    size = int(float(parts[1]) * (1024 if "i" in unit else 1000) ** POWERS.index(unit[0]))
    if size < LEAST_MEMORY:
        raise UsageError(f"memory {text!r} is too little to work with; give at least 100MB")
    return size


def _limits() -> list[int]:
    """What Linux allows this process, if less than the machine has."""
    limits = []
    for path in CONTAINER_LIMITS:
        with suppress(OSError, ValueError):
            limits.append(int(Path(path).read_text()))
    return limits


def _engine_name(source: Source, engine: str | None) -> EngineName:
    home: EngineName = source.kind if source.kind in ("postgres", "spark") else "duckdb"
    if engine is None or engine == home:
        return home
    if engine not in ENGINES:
        raise UsageError(f"there is no engine {engine!r}; there are {', '.join(ENGINES)}")
    if engine == "spark" and source.kind == "parquet":
        return "spark"
    raise UsageError(
        f"{source.name}: the {engine} engine can't read it where it is; leave --engine out to use {home}"
    )


def thread_count(threads: int | None) -> int:
    """As many as asked for, or as there are processors; thousands would only wait for each other."""
    here = os.cpu_count() or 1
    most = max(MOST_THREADS, here)
    if threads is not None and not (is_whole(threads) and 1 <= threads <= most):
        raise UsageError(f"threads must be a whole number from 1 to {most}, not {threads!r}")
    return here if threads is None else int(threads)


def _postgres(source: Source) -> SqlEngine:
    try:
        from singleout.engine.databases.postgres import PostgresEngine
    except ImportError as error:
        raise UsageError("PostgreSQL needs the extra: pip install 'singleout[postgres]'") from error
    return PostgresEngine(source)


def _spark(source: Source) -> SqlEngine:
    try:
        from singleout.engine.databases.spark import SparkEngine
    except ImportError as error:
        raise UsageError("Spark needs the extra: pip install 'singleout[spark]'") from error
    return SparkEngine(source)

"""One opening of a table for a whole command: parts that look at the same table join the first that did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import get_ident
from typing import TYPE_CHECKING

from singleout.errors import InputError
from singleout.read.source import Fingerprint, Source, check_unchanged, fingerprint

if TYPE_CHECKING:
    from singleout.engine.databases.duckdb import DuckDbEngine

# of the memory allowed, what tables may hold that nobody looks at while another one is opened
IDLE_SHARE = 4


@dataclass(eq=False)
class _OpenTable:
    """`engine` is None while the table had to make room for another."""

    source: Source
    fingerprint: Fingerprint
    engine: DuckDbEngine | None = None

    def is_of(self, source: Source) -> bool:
        return source == self.source and source.frame is self.source.frame

    def check(self) -> None:
        check_unchanged(self.source, self.fingerprint)

    def close(self) -> None:
        if self.engine is not None:
            self.engine.close()
            self.engine = None


@dataclass(frozen=True, eq=False)
class OpenTables:
    """The tables that this command has opened, the one asked for last at the end.

    Nobody gets an engine that is kept here: each part gets another of the same open table, with the columns
    of the file and its own added ones. What is open `beyond` is joined there, and stays open.
    """

    thread: int = field(default_factory=get_ident)
    tables: list[_OpenTable] = field(default_factory=list)
    beyond: OpenTables | None = None

    def engine(self, source: Source, memory: int, threads: int) -> DuckDbEngine:
        """Joins the open table, or opens it; a file that is not what it was at first is refused."""
        from singleout.engine.databases.duckdb import DuckDbEngine

        if self.beyond is not None and self.beyond.find(source) is not None:
            return self.beyond.engine(source, memory, threads)
        table = self.find(source)
        if table is None:
            table = _OpenTable(source, fingerprint(source))
        else:
            table.check()
            self.tables.remove(table)
        self.tables.append(table)
        if table.engine is None:
            self._make_room(memory // IDLE_SHARE)
            table.engine = DuckDbEngine(source, memory, threads)
        return table.engine.join(memory, threads)

    def find(self, source: Source) -> _OpenTable | None:
        own = next((each for each in self.tables if each.is_of(source)), None)
        return own if own is not None or self.beyond is None else self.beyond.find(source)

    def check(self) -> None:
        """Whether all files are still what they were when they were opened."""
        for each in self.tables:
            each.check()

    def close(self) -> None:
        with ExitStack() as stack:
            for each in self.tables:
                stack.callback(each.close)

    def _make_room(self, most: int) -> None:
        """Closes tables that nobody looks at, those asked for longest ago first."""
        idle = [each for each in self.tables if each.engine is not None and not each.engine.joined]
        held = [each.engine.held_bytes() for each in idle if each.engine is not None]
        for index, each in enumerate(idle):
            if sum(held[index:]) > most:
                each.close()


_open_tables: ContextVar[OpenTables | None] = ContextVar("open_tables", default=None)


def shared_tables() -> OpenTables | None:
    """The open tables of the command that runs; each thread opens its own."""
    tables = _open_tables.get()
    return tables if tables is not None and tables.thread == get_ident() else None


@contextmanager
def share_open_tables() -> Iterator[None]:
    """What runs in it opens each table once, whatever it asks; within another one it is part of that.

    At the end all are closed, also after an error, and a file that was changed or replaced since it was
    opened is an error itself. Tables of PostgreSQL and Spark stay where they are, and are not shared.
    """
    if shared_tables() is not None:
        yield
        return
    with _shared(OpenTables()):
        yield


@contextmanager
def _shared(tables: OpenTables) -> Iterator[None]:
    token = _open_tables.set(tables)
    try:
        yield
    except InputError:
        tables.check()
        raise
    else:
        tables.check()
    finally:
        _open_tables.reset(token)
        tables.close()


@contextmanager
def open_beside() -> Iterator[None]:
    """What runs in it joins the tables that are open, and closes those that it opens: files that it makes."""
    with _shared(OpenTables(beyond=shared_tables())):
        yield


@contextmanager
def open_apart() -> Iterator[None]:
    """What runs in it opens its tables by itself: files that it makes, and that are gone afterwards."""
    token = _open_tables.set(None)
    try:
        yield
    finally:
        _open_tables.reset(token)

"""The platform's database: how it is opened, and how a transaction reads or writes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DatabaseError
from sqlalchemy.orm import Session

from singleout.errors import InputError, UsageError, one_line
from singleout.read.input_files import check_ordinary
from singleout.read.source import secret_part, without_secrets

Row = TypeVar("Row")
Clock = Callable[[], datetime]
DATABASE_FILE = "platform.sqlite"
SECONDS_TO_WAIT = 30
# a server works in 40 threads at most: none of them waits for a connection
POOL: dict[str, Any] = {"pool_size": 20, "max_overflow": 30}


def now_in_utc() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Database:
    """Opened once for a process; every transaction is a session of SQLAlchemy.

    Rows stay readable after the transaction. The clock can be another one in tests. `boards` are those that
    were drawn of what is committed.
    """

    engine: Engine
    clock: Clock = now_in_utc
    boards: dict[Any, Any] = field(default_factory=dict, compare=False)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """What is changed in the block is not kept."""
        with Session(self.engine, expire_on_commit=False, info=self._info(writing=False)) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """All of the block's changes, or none. On SQLite it waits for other writers before it reads."""
        engine = self.engine.execution_options(singleout_writing=True)
        info = self._info(writing=True)
        with Session(engine, expire_on_commit=False, info=info) as session, session.begin():
            yield session

    def _info(self, *, writing: bool) -> dict[str, Any]:
        return {"clock": self.clock, "boards": self.boards, "writing": writing}

    def close(self) -> None:
        self.engine.dispose()


def row_by_id(session: Session, kind: type[Row], number: int) -> Row | None:
    """None too for numbers that no database would take."""
    return session.get(kind, number) if 0 < number < 2**31 else None


def moment(session: Session) -> datetime:
    """Now, by the clock of the session's database."""
    clock: Clock = session.info["clock"]
    return clock()


def database_address(address: str | None, folder: Path) -> str:
    """What SQLAlchemy calls the database: a file in the folder unless an address is given."""
    if address is None:
        return f"sqlite:///{folder.resolve() / DATABASE_FILE}"
    if address.startswith(("postgresql://", "postgres://")):
        return "postgresql+psycopg://" + address.partition("://")[2]
    is_file = address.startswith("sqlite:///") and not re.fullmatch(r"(:memory:)?|.*\?.*", address[10:])
    if is_file or address.startswith("postgresql+psycopg://"):
        return address
    raise UsageError(
        f"{without_secrets(address)}: is no database of the platform; write postgresql://user@host/name "
        "or sqlite:///file"
    )


def open_database(address: str, *, clock: Clock = now_in_utc) -> Database:
    """Connects once, so that a wrong address is told at once. The schema is `migrate`'s."""
    try:
        url = make_url(address)
        if url.get_backend_name() == "sqlite":
            if url.database and Path(url.database).exists():
                check_ordinary(url.database)
            engine = _sqlite_engine(address)
        else:
            engine = create_engine(url, pool_pre_ping=True, **POOL)
        with engine.connect():
            pass
    except ModuleNotFoundError as error:
        raise UsageError("for PostgreSQL: pip install 'singleout[postgres]'") from error
    except (ArgumentError, DatabaseError, TypeError, ValueError) as error:  # also of parts of an address
        reason = _without_parts(one_line(str(getattr(error, "orig", None) or error)), address)
        raise InputError(f"{without_secrets(address)}: can't be opened ({reason})") from error
    return Database(engine, clock)


def _without_parts(reason: str, address: str) -> str:
    """Of a password with an @ in it a part is taken for the machine, and told."""
    for part in (address, *re.split("[:@]", secret_part(address))):
        reason = reason.replace(part, "…") if part else reason
    return reason


def _sqlite_engine(address: str) -> Engine:
    engine = create_engine(address, connect_args={"timeout": SECONDS_TO_WAIT}, **POOL)
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_on_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    # transactions are begun below, at the moment and in the mode that we choose
    connection.isolation_level = None
    for setting in ("journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL"):
        connection.execute(f"PRAGMA {setting}")


def _begin_on_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get("singleout_writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

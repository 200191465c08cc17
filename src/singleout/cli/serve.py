"""`singleout serve`: the evaluation platform, its backup and its restoration."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from singleout.cli.options import megabytes

if TYPE_CHECKING:
    from pathlib import Path

    from singleout.errors import SingleoutError
    from singleout.platform.server import Doors
    from singleout.platform.settings import Settings

SUMMARY = "the evaluation platform: contests on de-identified data, in the browser"
FOLDER, DEMO_FOLDER = "singleout-platform", "singleout-demo"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", nargs="?", choices=["backup", "restore"], metavar="backup|restore",
        help="write everything to FILE, or fill an empty platform from it",
    )  # fmt: skip
    parser.add_argument("file", nargs="?", metavar="FILE", help="the backup")
    add_place(parser)
    parser.add_argument("--demo", action="store_true", help="with a filled contest to click through")
    parser.add_argument("--host", default="127.0.0.1", metavar="H", help="to listen at (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, default=8000, metavar="P", help="(default: 8000; 0: any)")
    parser.add_argument(
        "--names", type=_host_names, default=[], metavar="A,B",
        help="names by which browsers may ask for it, the first as in its address (default: --host)",
    )  # fmt: skip
    parser.add_argument(
        "--https", action="store_true", help="a proxy in front speaks https: cookies are sent over it only"
    )
    parser.add_argument(
        "--workers", type=int, default=1, metavar="N",
        help="processes that evaluate (default: 1; 0: only those started by singleout worker)",
    )  # fmt: skip
    parser.add_argument("--admin-link", action="store_true", help="print another one-time link for an admin")


def _host_names(text: str) -> list[str]:
    found = [each.strip() for each in text.split(",")]
    if not all(found):
        raise argparse.ArgumentTypeError(f"{text!r} is no list of names; write it like risk.example.org,risk")
    return found


def add_place(parser: argparse.ArgumentParser) -> None:
    """Where the platform is: what `serve` and `worker` share."""
    parser.add_argument("--folder", metavar="DIR", help=f"for its files (default: {FOLDER})")
    parser.add_argument(
        "--database", metavar="URL",
        help="postgresql://user@host/name (default: what SINGLEOUT_DATABASE says, or a file in the folder)",
    )  # fmt: skip
    parser.add_argument(
        "--memory", type=megabytes, default="8GB", metavar="SIZE", help="of one evaluation (default: 8GB)"
    )
    parser.add_argument(
        "--seconds", type=int, default=3_600, metavar="S", help="of one evaluation (default: 3600)"
    )


def run(options: argparse.Namespace) -> int:
    from singleout.files import left_as_before

    _check(options)
    with files_for_owner():
        if options.action is None:
            return _serve(reachable(options, _doors(options)), options)
        with left_as_before(_folder(options), *_database_files(options)):
            settings = settings_of(options)
            act = _backup if options.action == "backup" else _restore
            with left_as_before(*_platform_files(settings)):
                return act(settings, options.file)


def reachable(options: argparse.Namespace, doors: Doors | None = None) -> Settings:
    """Where the database can't be opened, or nobody can listen, no folder is left."""
    from singleout.files import left_as_before

    with left_as_before(_folder(options), *_database_files(options)):
        settings = settings_of(options)
        from singleout.platform.store.database import open_database

        with left_as_before(*_platform_files(settings)):
            open_database(settings.database).close()
            if doors is not None:
                doors.listener().close()
    return settings


@contextmanager
def files_for_owner() -> Iterator[None]:
    """Whatever people upload is read by nobody else on this machine."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def _check(options: argparse.Namespace) -> None:
    from singleout.errors import UsageError

    if (options.action is None) != (options.file is None):
        raise UsageError("write singleout serve backup FILE or singleout serve restore FILE")
    if options.file == "":
        raise UsageError("the name of the backup is empty; write which file is meant")
    if not 0 <= options.port <= 65_535:
        raise UsageError(f"--port {options.port}: a port is a number from 0 to 65535")
    if not 0 <= options.workers <= 64:
        raise UsageError(f"--workers {options.workers}: 0 to 64")


def settings_of(options: argparse.Namespace) -> Settings:
    """The platform's packages are loaded here first: without them one line says how to get them."""
    from dataclasses import replace

    try:
        from singleout.platform.settings import DATABASE_VARIABLE, ProcessLimits, settings_for
    except ModuleNotFoundError as error:
        raise _lacking() from error
    address = options.database or os.environ.get(DATABASE_VARIABLE) or None
    settings = settings_for(_folder(options), address)
    limits = ProcessLimits(scoring_seconds=options.seconds, memory_megabytes=options.memory)
    return replace(settings, limits=limits, https=getattr(options, "https", False))


def _lacking() -> SingleoutError:
    from singleout.errors import UsageError

    return UsageError("the platform needs its packages: pip install 'singleout[platform]'")


def _folder(options: argparse.Namespace) -> Path:
    from pathlib import Path

    return Path(options.folder or (DEMO_FOLDER if getattr(options, "demo", False) else FOLDER))


def _database_files(options: argparse.Namespace) -> list[Path]:
    """Those of a database that is a file of its own."""
    from pathlib import Path

    name = str(options.database or "").removeprefix("sqlite:///")
    return [] if name == (options.database or "") else [Path(f"{name}{end}") for end in ("", "-wal", "-shm")]


def _platform_files(settings: Settings) -> list[Path]:
    """Those that are not there, in a folder that has other files; what is there may be at work."""
    from singleout.platform.store.database import DATABASE_FILE
    from singleout.platform.store.files import FILES_FOLDER

    names = [f"{DATABASE_FILE}{end}" for end in ("", "-wal", "-shm")]
    own = [] if (settings.folder / DATABASE_FILE).exists() else names
    return [path for name in (FILES_FOLDER, *own) if not (path := settings.folder / name).exists()]


def _serve(settings: Settings, options: argparse.Namespace) -> int:
    from singleout.platform.server import serve

    if options.demo:
        _fill_demo(settings)
    try:
        serve(settings, _doors(options), workers=options.workers, tell=_tell, admin_link=options.admin_link)
    except KeyboardInterrupt:
        _tell("stopped")
    return 0


def _doors(options: argparse.Namespace) -> Doors:
    try:
        from singleout.platform.server import Doors
    except ModuleNotFoundError as error:
        raise _lacking() from error
    return Doors(options.host, options.port, tuple(options.names))


def _fill_demo(settings: Settings) -> None:
    from singleout.platform.demo_contest import fill_demo
    from singleout.platform.store.contests import all_contests
    from singleout.platform.store.files import open_shelf
    from singleout.platform.store.migration import open_platform

    database = open_platform(settings.database)
    try:
        with database.reading() as session:
            if all_contests(session):
                return
        _tell("making the contest of the demo")
        fill_demo(database, open_shelf(settings.folder))
    finally:
        database.close()


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _backup(settings: Settings, file: str) -> int:
    from pathlib import Path

    from singleout.errors import InputError, printable_text
    from singleout.platform.backup import write_backup
    from singleout.platform.store.database import open_database
    from singleout.platform.store.files import open_shelf
    from singleout.platform.store.migration import is_empty

    database = open_database(settings.database)
    try:
        if is_empty(database):
            raise InputError(f"{settings.folder}: there is no platform here; name its --folder or --database")
        rows = write_backup(database, open_shelf(settings.folder), Path(file))
    finally:
        database.close()
    _tell(printable_text(f"{file}: {sum(rows.values()):,} rows and {rows['files']:,} files; keep it secret"))
    return 0


def _restore(settings: Settings, file: str) -> int:
    from pathlib import Path

    from singleout.errors import printable_text
    from singleout.platform.backup import restore_backup
    from singleout.platform.store.database import open_database
    from singleout.platform.store.files import open_shelf

    database = open_database(settings.database)
    try:
        rows = restore_backup(Path(file), database, open_shelf(settings.folder))
    finally:
        database.close()
    _tell(printable_text(f"{file}: {sum(rows.values()):,} rows and {rows['files']:,} files are back"))
    return 0

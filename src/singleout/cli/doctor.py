"""`singleout doctor`: what is installed, where files may be written, and what killed runs left behind."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from singleout.cli.options import add_json, print_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from singleout.temporary_files import Leftover

SUMMARY = "what is installed, which folders can be written to, and what killed runs left behind"
NEEDED = ("duckdb", "pyarrow", "numpy", "numba")
# what an extra brings, and what needs it
EXTRAS = {
    "pandas": "pandas",
    "polars": "polars",
    "notebook": "ipywidgets",
    "excel": "python-calamine",
    "stats": "pyreadstat",
    "postgres": "psycopg",
    "spark": "pyspark",
    "platform": "fastapi",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folders", metavar="FOLDER", nargs="*",
        help="where runs wrote files, to look for what they left (default: this folder)",
    )  # fmt: skip
    parser.add_argument(
        "--clean", action="store_true", help="remove what was left by runs of yours that are gone"
    )
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    from pathlib import Path

    from singleout.temporary_files import leftovers, temporary_place

    folders = [Path(each) for each in options.folders or ["."]]
    _check(folders)
    left = leftovers([temporary_place(), *folders])
    gone = [each for each in left if options.clean and each.remove()]
    found = {
        **_versions(),
        "loops": _loops(),
        "folders": [*_folders()],
        "leftovers": [_told(each, gone) for each in left],
    }
    if options.json:
        print_json(found)
    else:
        from singleout.errors import printable_text

        sys.stdout.write("".join(f"{printable_text(each)}\n" for each in _lines(found)))
    return 0


def _check(folders: list[Path]) -> None:
    from singleout.errors import InputError

    if faults := [f"{each}: there is no such folder" for each in folders if not each.is_dir()]:
        raise InputError("; ".join(faults))


def _versions() -> dict[str, Any]:
    import os
    import platform

    from singleout import __version__

    return {
        "version": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}, processors: {os.cpu_count()}",
        "packages": {name: _version(name) for name in NEEDED},
        "extras": {name: _version(package) for name, package in EXTRAS.items()},
    }


def _version(package: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _loops() -> str:
    from singleout.engine.codes.loop_cache import shipped_target

    try:
        target = shipped_target()
    except (OSError, ValueError, TypeError):
        target = "those in the package are damaged"
    if isinstance(target, str):
        return f"compiled on first use: {target}"
    return "came compiled with the package"


def _folders() -> Iterator[dict[str, Any]]:
    from singleout.temporary_files import temporary_place

    for what, path in (("temporary files", temporary_place()), ("compiled loops", _compiled_loops())):
        yield {"what": what, "folder": str(path), "writable": _is_writable(path)}


def _compiled_loops() -> Path:
    """Where numba keeps them: where its setting says, else beside the loops."""
    import os
    from importlib.resources import files
    from pathlib import Path

    said = os.environ.get("NUMBA_CACHE_DIR")
    return Path(said) if said else Path(str(files("singleout.engine.codes"))) / "__pycache__"


def _is_writable(path: Path) -> bool:
    """Of a folder that is still to be made, whether it can be."""
    import os

    there = next(each for each in (path, *path.absolute().parents) if each.exists())
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def _told(leftover: Leftover, gone: list[Leftover]) -> dict[str, Any]:
    return {
        "path": str(leftover.path), "removable": leftover.removable, "removed": leftover in gone,
    }  # fmt: skip


def _lines(found: dict[str, Any]) -> Iterator[str]:
    yield f"singleout {found['version']}"
    yield f"Python {found['python']} on {found['system']}"
    for name, version in found["packages"].items():
        yield f"{name} {version or 'is missing; install singleout again'}"
    for name, version in found["extras"].items():
        lacking = f"not installed; to have it: pip install 'singleout[{name}]'"
        yield f"{name}: {f'{EXTRAS[name]} {version}' if version else lacking}"
    yield f"loops: {found['loops']}"
    for each in found["folders"]:
        state = "can be written to" if each["writable"] else "can't be written to"
        yield f"{each['what']}: {each['folder']} {state}"
    for each in found["leftovers"]:
        yield f"left over: {each['path']}: {_state(each)}"
    if not found["leftovers"]:
        yield "left over: nothing"


def _state(leftover: dict[str, Any]) -> str:
    if leftover["removed"]:
        return "removed"
    if leftover["removable"]:
        return "of a run that is gone; remove it by --clean, or let the next run do so"
    return "of another machine, container or user, where the run may still be at work"

"""Names, texts and paths as DuckDB's SQL writes them, and its messages in one line."""

from __future__ import annotations

import re
from pathlib import Path

from singleout.errors import one_line

GLOB_MARK = re.compile(r"[*?\[]")


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def path_text(path: Path) -> str:
    """A file's name, of which DuckDB would take some for a pattern."""
    return text(GLOB_MARK.sub(r"[\g<0>]", str(path.absolute())))


def text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def first_line(error: object) -> str:
    return one_line(str(error).strip().split("\n")[0])

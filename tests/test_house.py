"""The rules of the house that no other tool checks."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent


def test_no_test_file_imports_another() -> None:
    """What several of them use is in tests/by_hand or tests/support."""
    assert [
        f"{path.relative_to(TESTS)}: {name}"
        for path in sorted(TESTS.rglob("*.py"))
        for name in imported_by(path)
        if is_of_a_test_file(name)
    ] == []


def imported_by(path: Path) -> Iterator[str]:
    """The full name of all that a file imports, anywhere in it; a relative one starts with a dot."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from (f"{module}.{each.name}" for each in node.names)


def is_of_a_test_file(name: str) -> bool:
    first, *others = name.split(".")
    return first in ("tests", "") and any(each == "conftest" or each.startswith("test_") for each in others)

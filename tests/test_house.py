"""The rules of the house that no other tool checks."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
PACKAGE = ROOT / "src" / "singleout"
MODULES = sorted(PACKAGE.rglob("*.py"))
FOLDERS = sorted({path.parent for path in MODULES} - {PACKAGE})
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
# what the project writes: not there in a clean checkout
WRITTEN = "build/"
# words of the field, or plain nouns; in the second line, names that are older than the rule
NOUNS = {
    *("clustering", "encoding", "finding", "numbering", "ranking", "reading", "sampling", "wording"),
    "combined",
}
NO_NAMES = {
    *("utils", "helpers", "common", "misc"),
    *("asked", "found", "kept", "laid", "lost", "made", "beside", "together"),
}


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


def test_what_contributing_names_is_there() -> None:
    assert absent_paths(PAGE) == []


def test_what_other_pages_name_of_the_project_is_there() -> None:
    own = ("src/", "tests/", "docs/", "benchmarks/", "build_backend/")
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    assert [
        f"{page.name}: {path}"
        for page in pages
        for path in absent_paths(page.read_text(encoding="utf-8"))
        if path.startswith(own)
    ] == []


def absent_paths(page: str) -> list[str]:
    """Words in backticks that look like a file or a folder, and are none of the project or the package."""
    words = re.findall(r"`([^`\s<>*]+)`", page)
    paths = [each for each in words if ("/" in each or each.endswith(".py")) and not each.startswith(WRITTEN)]
    return [each for each in paths if not (ROOT / each).exists() and not (PACKAGE / each).exists()]


def test_contributing_tours_every_stage_and_room() -> None:
    assert tour_faults(PAGE) == []


def tour_faults(page: str) -> list[str]:
    """Folders that the drawing or the table lacks, and those that the drawing has and the package lacks."""
    tour = page.partition("## A tour of the house")[2].partition("\n## ")[0]
    drawn = set()
    for stage, rooms in re.findall(r"^[├└]── (\w+/)(.*)$", tour, re.MULTILINE):
        drawn |= {stage, *(f"{stage}{room}" for room in re.findall(r"\w+/", rooms))}
    folders = {f"{folder.relative_to(PACKAGE).as_posix()}/" for folder in FOLDERS}
    return sorted((drawn ^ folders) | {each for each in folders if f"\n| `{each}` | " not in tour})


def test_every_folder_says_in_one_sentence_what_it_is() -> None:
    files = [folder / "__init__.py" for folder in FOLDERS]
    sources = {path: path.read_text(encoding="utf-8") if path.exists() else "" for path in files}
    assert [path for path, source in sources.items() if not is_one_sentence(source)] == []


def is_one_sentence(source: str) -> bool:
    text = ast.get_docstring(ast.parse(source)) or ""
    return text.endswith(".") and "\n" not in text


def test_one_class_name_is_one_thing() -> None:
    assert named_twice((path.stem, path.read_text(encoding="utf-8")) for path in MODULES) == {}


def named_twice(sources: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Classes that several modules, or one, define again."""
    homes = defaultdict(list)
    for module, source in sources:
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(module)
    return {name: modules for name, modules in homes.items() if len(modules) > 1}


def test_modules_are_called_by_nouns() -> None:
    assert no_nouns(path.stem for path in [*MODULES, *FOLDERS]) == []


def no_nouns(names: Iterable[str]) -> list[str]:
    """By their last words, before `_kernels` if there is that: closed_form is a noun, closed is not."""
    last_words = {name: name.removesuffix("_kernels").rpartition("_")[2] for name in names}
    return [
        name
        for name, word in last_words.items()
        if word in NO_NAMES or (word.endswith(("ing", "ed")) and word not in NOUNS)
    ]

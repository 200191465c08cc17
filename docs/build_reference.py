"""Writes the pages of docs/reference from the code; a test fails while they differ from what this makes."""

from __future__ import annotations

from pathlib import Path

from commands_page import commands as commands
from commands_page import commands_page
from measures_page import EVERY_MEASURE as EVERY_MEASURE
from measures_page import measures_page
from options_page import options_page
from policies_page import policies_page
from python_page import python_page
from settings_page import settings_page
from steps_page import steps_page

PLACE = Path(__file__).parent / "reference"
CONTENTS = {
    "commands": "every command, its usage and its options",
    "options": "what an option means wherever it stands, and what options were called before",
    "measures": "every number: its question, formula, unit, range, what it is counted over, its source",
    "steps": "every step of a recipe and its parameters",
    "settings": "roles, missing values, CSV files, study files, costs, hierarchies, recipes, exit codes",
    "policies": "the rules of `singleout check`: their keys, and the attackers they may name",
    "python": "every public function and class",
}


def pages() -> dict[str, str]:
    """The text of each page by its file's name."""
    return {
        "index.md": index_page(),
        "commands.md": commands_page(),
        "options.md": options_page(),
        "measures.md": measures_page(),
        "steps.md": steps_page(),
        "settings.md": settings_page(),
        "policies.md": policies_page(),
        "python.md": python_page(),
    }


def index_page() -> str:
    lines = ["# Reference", "", "Written by `make docs` from the code.", ""]
    lines += [f"- [{name.capitalize()}]({name}.md): {about}" for name, about in CONTENTS.items()]
    return "\n".join([*lines, "", "```{toctree}", ":hidden:", "", *CONTENTS, "```", ""])


def write() -> None:
    PLACE.mkdir(exist_ok=True)
    found = pages()
    for old in PLACE.glob("*.md"):
        if old.name not in found:
            old.unlink()
    for name, text in found.items():
        (PLACE / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()

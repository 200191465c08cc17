"""The documentation is part of the product: its code runs, and it names every command, option and measure."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import build_reference
import pytest

import singleout
from singleout.roles.role import ROLES

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)\)")


def blocks(page: Path, language: str) -> list[str]:
    return [body for kind, body in BLOCK.findall(page.read_text()) if kind == language]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "bash")], ids=lambda page: page.name)
def test_shell_blocks_run(page: Path, tmp_path: Path) -> None:
    """All of a page's commands in one folder, in their order, stopping at the first that fails."""
    script = "set -e\n" + "\n".join(blocks(page, "bash"))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=os.environ | {"PATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name
)
def test_python_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    for body in blocks(page, "python"):
        exec(compile(body, page.name, "exec"), scope)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_code_blocks_name_their_language_and_links_lead_somewhere(page: Path) -> None:
    text = page.read_text()
    assert {kind for kind, _ in BLOCK.findall(text)} <= {"bash", "python", "text", "toml"}
    for target in LINK.findall(text):
        assert (page.parent / target).exists(), target


def test_the_reference_is_up_to_date() -> None:
    assert build_reference.PLACE.read_text() == build_reference.reference(), "run: make docs"


def test_the_reference_names_everything() -> None:
    text = build_reference.PLACE.read_text()
    for name, command in build_reference.commands().items():
        assert f"### singleout {name}" in text
        for action in command._actions:
            assert action.help, f"{name}: {action.dest} has no help"
            assert all(option in text for option in action.option_strings)
    for measure in build_reference.EVERY_MEASURE:
        assert f"### {measure.name}\n" in text
    for role in ROLES:
        assert f"`{role}`" in text
    for public in singleout.__all__:
        assert f"### singleout.{public}\n" in text
        assert getattr(singleout, public).__doc__


def test_a_measure_is_defined_in_full() -> None:
    for measure in build_reference.EVERY_MEASURE:
        assert all([measure.title, measure.question.endswith("?"), measure.formula, measure.unit])
        assert measure.missing
        assert measure.reference
    names = [measure.name for measure in build_reference.EVERY_MEASURE]
    assert len(set(names)) == len(names)


def test_the_readme_shows_what_the_command_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The output in the README is real: every line of it, up to trailing blanks, is printed."""
    monkeypatch.chdir(tmp_path)
    singleout.sample("shop", out="shop.csv")
    shown = next(body for body in blocks(ROOT / "README.md", "text") if body.startswith("$ singleout"))
    command, *lines = shown.splitlines()
    done = subprocess.run(
        [Path(sys.executable).parent / "singleout", *command.split()[2:]],
        cwd=tmp_path, env=os.environ | {"COLUMNS": "80"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    printed = {line.rstrip() for line in done.stdout.splitlines()}
    assert [line for line in lines if line.rstrip() not in printed and line != "…"] == []

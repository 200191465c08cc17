"""The documentation is part of the product: its code runs, its output is real, it names all there is."""

from __future__ import annotations

import argparse
import doctest
import inspect
import json
import pkgutil
import re
import shlex
import subprocess
import tomllib
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Literal, get_origin

import build_pictures
import build_reference
import page_pieces
import pytest

import singleout
from singleout.cli.main import parser
from singleout.measurement import Measure
from singleout.policy.rules import policy
from singleout.policy.rules.attacker_presets import OWN_KEYS, PRESETS
from singleout.policy.rules.measure_paths import measure_paths
from singleout.policy.rules.policy_keys import DATA_KEYS, RULE_KEYS
from singleout.read.source import CsvFormat
from singleout.recipe.recipe import PARTS
from singleout.recipe.steps.catalogue import STEPS
from singleout.roles.role import ROLES
from singleout.roles.study import TABLES
from tests.support.docs_site import ROOT
from tests.support.shown_output import FENCE, blocks_of, not_printed, printed_by

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
# pycon: the examples of docstrings, which the tests run where they are written
# bash is run by these tests; shell is to be typed too, and needs a server, a registry or files of one's own
LANGUAGES = {"bash", "shell", "python", "pycon", "text", "toml", "yaml", "json"}
# what the site's builder is told, where a page needs more than Markdown
DIRECTIVES = {"{toctree}", "{include} ../CONTRIBUTING.md", "{include} ../CHANGELOG.md"}
LINK = re.compile(r"\]\((?!https?:)([^)\s]+)\)")
COMMAND_IN_TEXT = re.compile(r"`(singleout\s[^`]+)`")
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)


def with_blocks(language: str) -> list[Path]:
    return [page for page in PAGES if any(each.language == language for each in blocks_of(page))]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def without_code(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """Of each heading; one that is there again has a number behind it."""
    found: list[str] = []
    for heading in HEADING.findall(without_code(page)):
        plain = page_pieces.anchor(re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading))
        again = found.count(plain)
        found.append(plain)
        found += [f"{plain}-{again}"] if again else []
    return set(found)


def reference(name: str) -> str:
    return (build_reference.PLACE / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", with_blocks("bash"), ids=name_of)
def test_commands_run_and_print_what_is_shown(page: Path, tmp_path: Path) -> None:
    """All of a page's commands in one folder, in their order, stopping at the first that fails."""
    commands = [each for each in blocks_of(page) if each.language == "bash"]
    outputs = printed_by([each.body for each in commands], tmp_path)
    for command, printed in zip(commands, outputs, strict=True):
        if command.shown is not None:
            assert not_printed(command.shown, printed) == [], "\n".join(printed)


@pytest.mark.parametrize("page", with_blocks("python"), ids=name_of)
def test_python_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    for block in blocks_of(page):
        if block.language == "python":
            exec(compile(block.body, page.name, "exec"), scope)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_within_sentences_have_these_options(page: Path) -> None:
    """They may be parts of commands; what they name is there."""
    known = build_reference.commands()
    for words in map(str.split, COMMAND_IN_TEXT.findall(without_code(page))):
        name = next((each for each in (" ".join(words[1:3]), words[1]) if each in known), None)
        named = {each.partition("=")[0] for each in words if each.startswith("--")}
        if name is None:
            assert named <= {"--help", "--version"} or "COMMAND" in words, words
        else:
            assert named <= set(known[name]._option_string_actions), words


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_code_blocks_name_their_language(page: Path) -> None:
    assert {each.language for each in blocks_of(page)} <= LANGUAGES | DIRECTIVES


@pytest.mark.parametrize("page", with_blocks("shell"), ids=name_of)
def test_what_is_to_be_typed_can_be_read(page: Path) -> None:
    """By the shell, and each of our commands with its options by its parser."""
    for block in blocks_of(page):
        if block.language == "shell":
            assert subprocess.run(["bash", "-n", "-c", block.body]).returncode == 0
            for line in block.body.replace("\\\n", " ").splitlines():
                words = shlex.split(line, comments=True)
                if words[:1] == ["singleout"]:
                    assert parser().parse(words[1:]).command == words[1]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_blocks_of_data_can_be_read(page: Path) -> None:
    readers = {"toml": tomllib.loads, "json": json.loads, "yaml": import_module("yaml").safe_load}
    for block in blocks_of(page):
        if block.language in readers:
            assert readers[block.language](block.body)


def test_the_hook_that_is_named_is_there() -> None:
    read = import_module("yaml").safe_load
    hooks = read((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    page = (ROOT / "docs/how-to/pipelines.md").read_text(encoding="utf-8")
    assert all(f"called `{hook['id']}`" in page and f"files: {hook['files']}" in page for hook in hooks)


@pytest.mark.parametrize("section", ["Intervals about a population", "Intervals about known records"])
def test_the_guide_has_the_coverage_that_was_measured(section: str) -> None:
    """Of uniqueness, each population has the cells that the page of measurements has; short ones bold."""
    page = (ROOT / "docs/benchmarks.md").read_text(encoding="utf-8").partition(f"\n## {section}\n")[2]
    measured = cells_of(page.partition("**Unique in the population**")[2].partition("\n**")[0])
    guide = (ROOT / "docs/how-to/population.md").read_text(encoding="utf-8")
    told = cells_of(guide.partition(f"<!-- {section}: ")[2].partition("<!-- end -->")[0])
    assert told.keys() == measured.keys()
    for population, cells in told.items():
        assert cells == [
            each.replace("–", "always refused") for each in measured[population][2 : 2 + len(cells)]
        ]
        for held, of in (
            map(int, each.strip("*").split(",")[0].split(" of ")) for each in cells if " of " in each
        ):
            assert (held / of < 0.87) == (f"**{held} of {of}" in " ".join(cells)), population


def cells_of(text: str) -> dict[str, list[str]]:
    """What is in the rows of a table, by their first cells."""
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return {first: cells for first, *cells in rows[1:]}


def test_what_an_intruder_undoes_is_told_as_it_was_measured() -> None:
    """Row by row from one run; the page's whole percents hold what was measured."""
    heading = "\n## What an intruder undoes of each step\n"
    section = (ROOT / "docs/benchmarks.md").read_text(encoding="utf-8").partition(heading)[2]
    measured = cells_of(section.partition("\n## ")[0])
    page = (ROOT / "docs/how-to/what-an-intruder-can-undo.md").read_text(encoding="utf-8")
    table = page.partition("\n| step |")[2].partition("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    assert len(rows) == len(measured) == 13
    for (step, _, _, blind, informed), (name, (*rates, lost, _, _)) in zip(
        rows, measured.items(), strict=True
    ):
        assert f"`{re.sub('_(price|date|0.[15])$', '', name)}`" in step
        assert ("not" in blind) == bool(lost)
        for told, found in zip((blind, informed), rates, strict=True):
            low, high = ends_of(told)
            assert low <= ends_of(found)[0] and ends_of(found)[1] <= high, name
            assert ends_of(found)[0] - low < 1 and high - ends_of(found)[1] < 1, name


def ends_of(percents: str) -> tuple[float, float]:
    numbers = [float(each) for each in re.findall(r"[0-9.]+", percents.partition(" %")[0])]
    return numbers[0], numbers[-1]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(without_code(page)):
        path, _, heading = link.partition("#")
        target = (page.parent / path) if path else page
        assert target.exists(), link
        assert not heading or heading in anchors(target), link


def test_the_reference_is_up_to_date() -> None:
    written = {each.name: each.read_text(encoding="utf-8") for each in build_reference.PLACE.glob("*.md")}
    assert written == build_reference.pages(), "run: make docs"


def test_the_reference_names_every_command_and_option() -> None:
    for name, command in build_reference.commands().items():
        part = reference("commands.md").partition(f"\n## singleout {name}\n")[2].partition("\n## ")[0]
        assert part, name
        for action in [each for each in command._actions if each.help != argparse.SUPPRESS]:
            assert action.help, f"{name}: {action.dest} has no help"
            assert all(f"`{option}" in part or f", {option}" in part for option in action.option_strings)


def test_the_reference_names_every_measure_step_and_python_name() -> None:
    for measure in build_reference.EVERY_MEASURE:
        assert f"\n### Measure `{measure.name}`\n" in reference("measures.md")
    for step, kind in STEPS.items():
        part = reference("steps.md").partition(f"\n## Step `{step}`\n")[2].partition("\n## ")[0]
        assert all(f"| `{each.name}` |" in part for each in fields(kind)), step  # type: ignore[arg-type]
    for public in singleout.__all__:
        assert f"\n### singleout.{public}\n" in reference("python.md")
        thing = getattr(singleout, public)
        assert get_origin(thing) is Literal or thing.__doc__


def test_the_reference_names_every_setting() -> None:
    text = reference("settings.md")
    named = [*ROLES, *(each.name for each in fields(CsvFormat)), *PARTS]
    assert [each for each in named if f"| `{each}` |" not in text] == []
    assert [each for each in TABLES if f"| `[{each}]` |" not in text] == []


def test_the_reference_names_all_that_a_policy_may_say() -> None:
    text = reference("policies.md")
    named = [*policy.PARTS, *RULE_KEYS, *DATA_KEYS, *OWN_KEYS]
    assert [each for each in named if f"| `{each}` |" not in text] == []
    assert [each for each in PRESETS if f"\n### Attacker `{each}`\n" not in text] == []
    assert [each.words for each in measure_paths() if f"| [`{each.words}`](" not in text] == []


def test_no_measure_is_forgotten() -> None:
    """Whatever module defines a measure, it is in the reference."""
    found: dict[str, str] = {}
    for module in pkgutil.walk_packages(singleout.__path__, "singleout."):
        if not module.name.endswith("__main__"):
            members = vars(import_module(module.name)).values()
            found |= {each.name: module.name for each in members if isinstance(each, Measure)}
    documented = {measure.name for measure in build_reference.EVERY_MEASURE}
    assert {name: place for name, place in found.items() if name not in documented} == {}


def test_a_measure_is_defined_in_full() -> None:
    for measure in build_reference.EVERY_MEASURE:
        assert all([measure.title, measure.question.endswith("?"), measure.formula, measure.unit])
        assert measure.missing
        assert measure.reference
    names = [measure.name for measure in build_reference.EVERY_MEASURE]
    assert len(set(names)) == len(names)


def test_the_readme_shows_what_the_command_prints(tmp_path: Path) -> None:
    """The output at its beginning is real: the first line is the command, the others are what it prints.

    The picture above it shows the report that the same command writes.
    """
    shown = next(each.body for each in blocks_of(ROOT / "README.md") if each.body.startswith("$ singleout"))
    command, _, output = shown.removeprefix("$ ").partition("\n")
    made = ["singleout sample shop --out shop.csv", f"{command} --html report.html"]
    assert not_printed(output, printed_by(made, tmp_path)[1]) == []
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    shown_words = build_pictures.told_words(build_pictures.PICTURE.read_bytes())
    assert shown_words == build_pictures.opening_words(page), "run: python docs/build_pictures.py"


def test_the_first_page_has_every_command_that_answers_a_question() -> None:
    page = (ROOT / "docs" / "index.md").read_text(encoding="utf-8").partition("## What it does")[2]
    asked = {name.split()[0] for name in build_reference.commands()} & set(singleout.__all__)
    asked -= {"sample", "data", "hierarchy"}  # which make what others read
    assert {"assess", "attack", "protect"} <= asked
    assert [name for name in sorted(asked) if f"`{name}" not in page] == []


def test_a_shown_line_that_is_not_printed_is_found() -> None:
    """The check of shown output can fail: by a line too many, in another order, or below an unmarked gap."""
    printed = ["risk  ", "", "0.5", "end"]
    assert not_printed("risk\n\n0.5\nend\n", printed) == []
    assert not_printed("risk\n…\nend\n", printed) == []
    assert not_printed("risk\nend\n", printed) == ["end"]
    assert not_printed("…\nend\n…\nrisk\n", printed) == ["risk"]
    assert not_printed("risk\n\n0.6\n", printed) == ["0.6"]


def test_public_names_say_their_parameters() -> None:
    functions = [name for name in singleout.__all__ if inspect.isfunction(getattr(singleout, name))]
    for name in functions:
        part = reference("python.md").partition(f"\n### singleout.{name}\n")[2].partition("\n### ")[0]
        assert all(each in part for each in inspect.signature(getattr(singleout, name)).parameters)


def test_examples_of_the_builder_run() -> None:
    assert doctest.testmod(page_pieces) == (0, 2)

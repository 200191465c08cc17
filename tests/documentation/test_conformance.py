"""The page beside other tools: its numbers are what singleout gives now, and each difference has a reason."""

from __future__ import annotations

import argparse
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow
import pyarrow.csv
import pytest

from singleout.cli.main import parser
from tests.extracts.build_extracts import ADULT
from tests.support.extracts import ARX_ADULT, class_sizes, incomes_of_classes, table_of_classes

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "conformance.md"
TOOLS = {
    "ARX": True, "sdcMicro": False, "pyCANON": True, "ANJANA": True, "scikit-mobility": False,
    "Anonymeter": False,
}  # fmt: skip
COMMAND = re.compile(r"`((?:assess|attack|combinations|deidentify generalise) [^`]*)`")


@pytest.fixture(scope="module")
def scripts() -> Iterator[Callable[[str], ModuleType]]:
    """The scripts of the benchmarks, which are no package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "benchmarks")
        yield import_module


@pytest.mark.parametrize("tool", TOOLS)
def test_the_numbers_are_what_singleout_gives(
    tool: str, scripts: Callable[[str], ModuleType], request: pytest.FixtureRequest
) -> None:
    section = section_of(scripts, tool)
    assert section.needs_data == TOOLS[tool]
    data = request.getfixturevalue("real_data") if section.needs_data else Path()
    check_section(section, section.answers(data))


def section_of(scripts: Callable[[str], ModuleType], tool: str) -> Any:
    return next(each for each in scripts("conformance").SECTIONS if each.tool == tool)


def check_section(section: Any, rows: list[Any]) -> None:
    assert section.text(rows) in PAGE.read_text(), "run: python benchmarks/conformance.py"
    assert all(row.same or len(row.why) > 10 for row in rows)
    assert any(row.same for row in rows)


@pytest.mark.parametrize("arx_adult", ["extract"], indirect=True)
def test_arx_from_extracts(scripts: Callable[[str], ModuleType], arx_adult: Path, tmp_path: Path) -> None:
    """Class sizes for the risks, and the table whose ages are five years for the generalisations."""
    rows, sizes = scripts("conformance_rows"), class_sizes("arx_adult", ARX_ADULT)
    pyarrow.csv.write_csv(table_of_classes(sizes, ARX_ADULT.split()), tmp_path / "adult.csv")
    generalised = [*rows.arx_generalisations(arx_adult), *rows.arx_by_rank(arx_adult)]
    found = [*rows.arx_risks(tmp_path), *rows.arx_quasi_identifiers(), *generalised]
    check_section(section_of(scripts, "ARX"), found)


@pytest.mark.parametrize("arx_adult", ["extract"], indirect=True)
def test_anjana_from_extracts(scripts: Callable[[str], ModuleType], arx_adult: Path, tmp_path: Path) -> None:
    (tmp_path / "arx_adult").symlink_to(arx_adult)
    section = section_of(scripts, "ANJANA")
    check_section(section, section.answers(tmp_path))


def test_pycanon_from_extracts(scripts: Callable[[str], ModuleType], tmp_path: Path) -> None:
    (tmp_path / "adult").mkdir()
    classes = incomes_of_classes()
    table = pyarrow.table({**dict.fromkeys(ADULT[:-1], classes["class"]), "income": classes["income"]})
    no_header = pyarrow.csv.WriteOptions(include_header=False)
    pyarrow.csv.write_csv(table, tmp_path / "adult" / "adult.data", no_header)
    section = section_of(scripts, "pyCANON")
    check_section(section, section.answers(tmp_path))


def test_the_page_is_whole(scripts: Callable[[str], ModuleType]) -> None:
    text, script = PAGE.read_text(), scripts("conformance")
    assert text.startswith(script.HEAD)
    assert text.endswith(script.TAIL)
    titles = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert titles == [*TOOLS, "Why tools disagree"] == [*(each.tool for each in script.SECTIONS), titles[-1]]


def test_each_command_on_the_page_exists() -> None:
    told = COMMAND.findall(PAGE.read_text())
    assert len(told) > 40
    for command in told:
        words = command.split()
        assert {word for word in words if word.startswith("--")} <= options_of(words), command


def options_of(words: list[str]) -> set[str]:
    at: argparse.ArgumentParser = parser()
    for word in words:
        nested = [action for action in at._actions if isinstance(action, argparse._SubParsersAction)]
        if not nested:
            break
        at = nested[0].choices[word]
    return {option for action in at._actions for option in action.option_strings}


def test_answers_are_alike_by_what_is_written(scripts: Callable[[str], ModuleType]) -> None:
    row = scripts("conformance_rows").Row
    assert row("k", 0.12344, "", 0.12334).same is False
    assert row("k", 0.12341, "", 0.12342).same
    assert row("k", [1, 2.0], "", [1, 2]).same
    assert row("k", None, "", 0).same is False
    assert row("k", 1234, "`assess`", 5, why="so").line() == "| k<br>`assess` | 1,234 | 5 | **no:** so |"


def test_a_tool_that_says_something_else_stops_the_script(
    scripts: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tools = scripts("other_tools")
    told: dict[str, Any] = {"a": [1, 0.5]}
    absent = ("no-such-tool", told, lambda: told)
    monkeypatch.setattr(tools, "ASKED", (absent, ("pytest", told, lambda: {"a": [1, 0.5]})))
    tools.ask_again()
    assert "no-such-tool is not installed here" in capsys.readouterr().out
    for other in ([1, 0.51], [1], [1, 0.5, 2]):
        monkeypatch.setattr(tools, "ASKED", (("pytest", told, lambda other=other: {"a": other}),))
        with pytest.raises(SystemExit, match="not"):
            tools.ask_again()


def people(trips: dict[str, list[str]], cut: int) -> dict[str, list[tuple[str, str]]]:
    """Who was where, and when by so many letters of the time."""
    found: dict[str, list[tuple[str, str]]] = {}
    for who, where, when in zip(*trips.values(), strict=True):
        found.setdefault(who, []).append((where, when[:cut]))
    return found


def risks(histories: dict[str, list[tuple[str, str]]], points: int, twice: bool) -> list[float]:
    """1 ÷ the people who have all points, at the worst choice; a point known twice must be there twice."""

    def fit(known: tuple[tuple[str, str], ...]) -> int:
        wanted = Counter(known) if twice else Counter(set(known))
        return sum(not wanted - Counter(each) for each in histories.values())

    lists = [each if twice else sorted(set(each)) for each in histories.values()]
    return [max(1 / fit(known) for known in combinations(own, min(points, len(own)))) for own in lists]


@pytest.mark.parametrize(
    ("name", "cut", "twice"),
    [
        ("UniqueLocationAttack 1", 0, False),
        ("UniqueLocationAttack 2", 0, False),
        ("UniqueLocationAttack 3", 0, False),
        ("LocationAttack 2", 0, True),
        ("LocationTimeAttack 1 Day", 10, True),
        ("LocationTimeAttack 2 Day", 10, True),
        ("LocationTimeAttack 1 Hour", 10, True),  # the reason on the page: its hours are days
    ],
)
def test_scikit_mobility_by_hand(
    scripts: Callable[[str], ModuleType], name: str, cut: int, twice: bool
) -> None:
    tools = scripts("other_tools")
    found = risks(people(tools.trips(), cut), int(name.split()[1]), twice)
    assert all(map(math.isclose, found, tools.SCIKIT_MOBILITY[name]))
    assert len(found) == 7

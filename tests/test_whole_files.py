"""Where whole public files are not beside the project, the last line says how many tests are left out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.whole_files import ABSENT, left_out

ROOT = Path(__file__).parents[1]
TESTS = """
import pytest
from tests.support import whole_files

@pytest.fixture
def real_data(monkeypatch, tmp_path):
    monkeypatch.setattr(whole_files, "DATA", tmp_path / "nowhere")
    return whole_files.whole_files()

@pytest.mark.parametrize("place", range(3))
def test_of_a_whole_file(real_data, place): ...

def test_of_an_extract(): ...

@pytest.mark.skip("for another reason")
def test_of_something_else(): ...
"""
SAID = (
    "over whole public files, which are not beside the project (docs/data.md says where they are published)"
)


def test_the_last_line_of_several_workers(tmp_path: Path) -> None:
    file = tmp_path / "test_some.py"
    file.write_text(TESTS)
    words = ["-n", "2", "-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *words, str(file)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    *_, counted, last = said.splitlines()
    assert counted.startswith("1 passed, 4 skipped")
    assert last == f"left out: 3 tests {SAID}"
    assert said.count("left out") == 1


@pytest.mark.parametrize(
    ("reasons", "line"),
    [
        ([], None),
        (["no such tool"], None),
        (["no such tool", ABSENT], f"left out: 1 test {SAID}"),
        ([ABSENT, ABSENT], f"left out: 2 tests {SAID}"),
    ],
)
def test_only_tests_without_data_are_told(reasons: list[str], line: str | None) -> None:
    reports = [
        pytest.TestReport("a_test", ("a.py", 1, "a_test"), {}, "skipped", ("a.py", 1, reason), "setup")
        for reason in reasons
    ]
    assert left_out(reports) == line

"""`singleout doctor`: what is installed, which folders can be written to, what killed runs left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from singleout import __version__
from singleout.cli.main import main
from singleout.engine.codes import loop_cache
from tests.support.command_line import complaint

ROOT = Path(__file__).parents[2]
Captured = pytest.CaptureFixture[str]
LEAVE = """
import os
from pathlib import Path
from singleout.temporary_files import draft_path, folder_path
folder_path().mkdir()
draft_path(Path("truth.csv")).write_text("release_user,original_user")
"""


@pytest.fixture
def left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a run left a draft of a truth map, and beside it, among temporary files, a folder."""
    place, work = tmp_path / "temporary", tmp_path / "work"
    for folder in (place, work):
        folder.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setattr("tempfile.tempdir", str(place))
    subprocess.run([sys.executable, "-c", LEAVE], check=True, env={**os.environ, "TMPDIR": str(place)})
    return place


def told(capsys: Captured, *words: str) -> dict[str, Any]:
    assert main(["doctor", *words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_document(left: Path, capsys: Captured) -> None:
    found = told(capsys)
    assert found["version"] == __version__
    assert found["python"] == ".".join(map(str, sys.version_info[:3]))
    published = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert found["extras"].keys() == published["optional-dependencies"].keys() - {"all"}
    assert {"what": "temporary files", "folder": str(left), "writable": True} in found["folders"]
    assert [each["removed"] for each in found["leftovers"]] == [False, False]
    assert [each["removed"] for each in told(capsys, "--clean")["leftovers"]] == [True, True]
    assert told(capsys)["leftovers"] == []
    assert [*left.iterdir(), *Path().iterdir()] == []


def test_the_page(left: Path, capsys: Captured) -> None:
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"singleout {__version__}"
    assert any(each.startswith("duckdb ") for each in lines)
    assert any(each.startswith("loops: ") for each in lines)
    assert f"temporary files: {left} can be written to" in lines
    rest = [each for each in lines if each.startswith("left over: ")]
    assert len(rest) == 2
    assert all("of a run that is gone" in each for each in rest)
    assert main(["doctor", "--clean"]) == 0
    assert capsys.readouterr().out.count(": removed\n") == 2
    assert main(["doctor"]) == 0
    assert capsys.readouterr().out.endswith("left over: nothing\n")


def test_other_folders(left: Path, capsys: Captured) -> None:
    elsewhere = left.parent / "elsewhere"
    elsewhere.mkdir()
    assert len(told(capsys, str(elsewhere))["leftovers"]) == 1
    assert "no/where: there is no such folder" in complaint(["doctor", "no/where"], capsys)


@pytest.mark.usefixtures("left")
def test_folders_that_can_not_be_written_to(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/dev/null/cache")
    assert main(["doctor"]) == 0
    assert "compiled loops: /dev/null/cache can't be written to" in capsys.readouterr().out


@pytest.mark.parametrize("content", [b"", b"garbage", b"{}", b'{"numba": 1}', b"\xff"])
def test_damaged_loops_of_the_package_are_told(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    path = tmp_path / "target.json"
    path.write_bytes(content)
    monkeypatch.setattr(loop_cache, "TARGET", path)
    loop_cache.shipped_target.cache_clear()
    assert main(["doctor"]) == 0
    assert "compiled on first use: those in the package are damaged" in capsys.readouterr().out
    loop_cache.shipped_target.cache_clear()

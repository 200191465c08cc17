"""The kit of a contest: what is in it, and that its checker gives the platform's digits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from singleout.platform.contest import read_contest, template
from singleout.platform.kit import kit_texts
from singleout.platform.scoring import score
from singleout.read.samples import sample

CARD = template("payment-card")


def unpacked(folder: Path) -> Path:
    """The original, and beside it what a kit has."""
    folder.mkdir()
    original = folder / "original.csv"
    sample("card", out=original)
    for name, text in kit_texts(CARD, "http://localhost", {"original": "original.csv"}, original):
        (folder / name).write_text(text, encoding="utf-8")
    return original


def test_the_kits_checker_scores_as_the_platform_does(tmp_path: Path) -> None:
    folder = tmp_path / "kit"
    original = unpacked(folder)
    names = {each.name for each in folder.iterdir()}
    assert names == {"README.txt", "contest.toml", "check.py", "columns.csv", "example.csv", "original.csv"}
    assert read_contest((folder / "contest.toml").read_text(encoding="utf-8")) == CARD
    assert "fare,BIGINT,amount," in (folder / "columns.csv").read_text().replace("VARCHAR", "BIGINT")
    assert len((folder / "example.csv").read_text().splitlines()) == 21
    words = [sys.executable, "check.py", "example.csv"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True, env=dict(os.environ))
    scores = score(CARD, original, folder / "example.csv")
    assert done.stdout.splitlines() == [
        f"{each.family} {each.metric} {each.value} {each.reason or ''}" for each in scores
    ]


def test_whoever_may_not_have_the_data_gets_the_rules() -> None:
    assert [name for name, _ in kit_texts(CARD, "http://localhost", {}, None)] == [
        "README.txt",
        "contest.toml",
    ]


def test_the_kits_checker_tells_what_is_wrong(tmp_path: Path) -> None:
    folder = tmp_path / "kit"
    unpacked(folder)
    (folder / "bad.csv").write_text("user,date\n01,2016/04/18\n")
    words = [sys.executable, "check.py", "bad.csv"]
    done = subprocess.run(
        words, cwd=folder, capture_output=True, text=True, env=dict(os.environ), check=False
    )
    assert done.returncode == 1
    assert "column fare: is missing" in done.stdout

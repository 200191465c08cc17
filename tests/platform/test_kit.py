"""The kit of a contest: what is in it, and that its checker gives the platform's digits."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

from singleout.deidentify.apply.apply import apply
from singleout.platform.contest import ContestMetric, read_contest, template
from singleout.platform.kit import write_kit
from singleout.platform.scorer import HIGHEST, score, validate
from singleout.read.samples import sample

CARD = template("payment-card")


def test_the_kits_checker_scores_as_the_platform_does(tmp_path: Path) -> None:
    original, kit, folder = tmp_path / "upload.csv", tmp_path / "kit.zip", tmp_path / "kit"
    sample("card", out=original)
    write_kit(kit, CARD, original)
    with ZipFile(kit) as packed:
        packed.extractall(folder)
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


def test_the_kits_checker_tells_what_is_wrong(tmp_path: Path) -> None:
    original, kit = tmp_path / "upload.csv", tmp_path / "kit.zip"
    sample("card", out=original)
    write_kit(kit, CARD, original)
    with ZipFile(kit) as packed:
        packed.extractall(tmp_path)
    (tmp_path / "bad.csv").write_text("user,date\n01,2016/04/18\n")
    words = [sys.executable, "check.py", "bad.csv"]
    done = subprocess.run(
        words, cwd=tmp_path, capture_output=True, text=True, env=dict(os.environ), check=False
    )
    assert done.returncode == 1
    assert "column fare: is missing" in done.stdout


def test_the_checker_says_how_it_is_called(tmp_path: Path) -> None:
    original, kit = tmp_path / "upload.csv", tmp_path / "kit.zip"
    sample("card", out=original)
    write_kit(kit, CARD, original)
    with ZipFile(kit) as packed:
        packed.extractall(tmp_path)
    words = [sys.executable, "check.py"]
    done = subprocess.run(
        words, cwd=tmp_path, capture_output=True, text=True, env=dict(os.environ), check=False
    )
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "Checks and scores a submission as the platform does: python check.py release.csv [who.csv]"
    ]


def test_the_kit_tells_what_its_command_does_not_measure(tmp_path: Path) -> None:
    original, kit = tmp_path / "upload.csv", tmp_path / "kit.zip"
    sample("card", out=original)
    uploaded = ContestMetric("fares_right", "utility", digest="0" * 64, better="higher")
    write_kit(kit, replace(CARD, metrics=(*CARD.metrics, uploaded)), original)
    with ZipFile(kit) as packed:
        said = packed.read("README.txt").decode()
    assert "fares_right" in said.partition("--attacks")[2]
    assert "fares_right" not in said.partition("--attacks")[0]
    assert "add: --truth who.csv" in said


def test_records_without_people_are_handed_in_with_the_map_that_apply_writes(tmp_path: Path) -> None:
    """From the kit of a single table to the scores, by the commands alone."""
    original, kit = tmp_path / "upload.csv", tmp_path / "kit.zip"
    ages = [f"{20 + number % 50},{'fm'[number % 2]},{number * 37 % 900}" for number in range(60)]
    original.write_text("\n".join(["age,sex,income", *ages]) + "\n", encoding="utf-8")
    contest = template("single-table")
    write_kit(kit, contest, original)
    with ZipFile(kit) as packed:
        packed.extractall(tmp_path)
    assert "numbers of records" in (tmp_path / "README.txt").read_text(encoding="utf-8")
    paths = tmp_path / "original.csv", tmp_path / "release.csv", tmp_path / "who.csv"
    step = {"step": "round", "columns": ["income"], "to": 10}
    apply(paths[0], {"step": [step]}, out=paths[1], truth=paths[2], order="shuffled", seed=1)
    assert validate(contest, *paths) == []
    rates = {each.metric: each.value for each in score(contest, *paths) if each.family == "privacy"}
    # whoever knows age and sex finds most of them
    assert (rates[HIGHEST] or 0) > 0.5
    paths[2].write_text("\n".join(["release_user,original_user", *(f"{n},{n}" for n in range(1, 61))]))
    wrong = {each.metric: each.value for each in score(contest, *paths) if each.family == "privacy"}
    assert (wrong[HIGHEST] or 0) < (rates[HIGHEST] or 0)

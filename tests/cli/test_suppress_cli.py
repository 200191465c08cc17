"""`singleout deidentify suppress`: its JSON, its page, its release, one-line errors."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.support.command_line import document_of, error_of, page_of

STEPS = ["deidentify", "suppress", "small.csv"]


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = ["a,21,Ulm", "b,22,Ulm", "c,21,Hof", "d,22,Hof", "e,22,Hof"]
    (tmp_path / "small.csv").write_text("\n".join(["who,age,town", *rows, ""]))
    return tmp_path


def test_the_document_and_the_release(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = document_of(
        capsys, [*STEPS, "--user", "who", "--k", "2", "--out", "blank.csv", "--diary", "diary.json"]
    )
    assert {"cells", "cells_by_column", "lower_bound", "k"} <= {*found}
    assert found["cells_by_column"] == {"age": 0, "town": 5} and found["k"] == 2
    with (in_folder / "blank.csv").open(newline="") as file:
        rows = sorted((row["age"], row["town"]) for row in csv.DictReader(file))
    assert rows == [("21", "*")] * 2 + [("22", "*")] * 3
    assert (in_folder / "diary.json").stat().st_mode & 0o077 == 0


def test_the_page_says_what_is_known(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = page_of(monkeypatch, capsys, [*STEPS, "--columns", "age,town", "--k", "2"])
    assert "a blank cell being a value like any other" in page
    assert "Nothing is written" in page
    assert "No choice of cells costs less" in page or "every choice of cells costs at least" in page


def test_one_set_of_some_columns_is_not_all_of_them(
    in_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (in_folder / "sets.txt").write_text("age\n")
    page = page_of(monkeypatch, capsys, [*STEPS, "--columns", "age,town", "--k", "2", "--sets", "sets.txt"])
    assert "all columns together" not in page
    assert "to somebody who knows only age (k-anonymity)" in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--k", "9"], "k: a class of 9 can't be had"),
        (["--k", "2", "--size", "1", "--sets", "none.csv"], "none.csv: no such file"),
        (["--k", "2", "--blank", "Ulm"], "blank: column 'town' holds 'Ulm' as a value"),
    ],
)
def test_mistakes_are_told_in_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert message in error_of(capsys, [*STEPS, *words])

"""`singleout metric run`: the value, the log, and what is wrong in one line."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from singleout.cli.main import main
from tests.support.sandbox_walls import metric_file, wall_or_skip


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("original.csv").write_text("who,age\na,30\nb,40\n")
    Path("release.csv").write_text("who,age\nx,30\n")
    Path("empty.csv").touch()
    os.mkfifo("pipe.sql")
    Path("kept.sql").write_text(
        metric_file("sql", "SELECT (SELECT count(*) FROM release) / count(*) FROM original")
    )
    return tmp_path


def test_the_value_of_a_metric(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wall_or_skip()
    assert main(["metric", "run", "kept.sql", "original.csv", "release.csv"]) == 0
    assert capsys.readouterr().out == "tried = 0.5\n"
    (tables / "told.py").write_text(
        metric_file(
            "python", "def metric(parameters):\n    print('hello')\n    return parameters['user'] == 'who'"
        )
    )
    assert main(["metric", "run", "told.py", "original.csv", "release.csv", "--user", "who", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["value"], said["log"], said["metric"]) == (1, "hello\n", "tried")


def test_who_is_who_is_not_told_by_names(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As on the platform; a map is for a metric that asks for it, which gets the release as it is."""
    wall_or_skip()
    join = "SELECT count(*) / 4 FROM release JOIN original USING (who)"
    (tables / "linked.sql").write_text(metric_file("sql", join))
    words = ["metric", "run", "linked.sql", "original.csv", "original.csv", "--user", "who"]
    assert main(words) == 0
    assert capsys.readouterr().out == "tried = 0.0\n"
    lines = 'name = "tried"', 'family = "utility"', 'better = "higher"', "range = [0, 1]", "secret = true"
    (tables / "linked.sql").write_text(metric_file("sql", join, *lines))
    (tables / "who.csv").write_text("release_user,original_user\na,a\nb,b\n")
    assert main([*words, "--truth", "who.csv"]) == 0
    assert capsys.readouterr().out == "tried = 0.5\n"


def test_an_unknown_value_ends_with_one(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wall_or_skip()
    (tables / "none.sql").write_text(metric_file("sql", "SELECT NULL"))
    assert main(["metric", "run", "none.sql", "original.csv", "release.csv"]) == 1
    assert capsys.readouterr().out == "tried = unknown (the metric gave no value)\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["none.sql", "original.csv", "release.csv"], "can't be read"),
        (["original.csv", "original.csv", "release.csv"], "ends in .sql"),
        (["kept.sql", "nowhere.csv", "release.csv"], "there is no such file"),
        (["kept.sql", "original.csv", "release.csv", "--truth", "original.csv"], "secret = true"),
        (
            ["kept.sql", "original.csv", "release.csv", "--contest-file", "nowhere.toml"],
            "nowhere.toml: there is no",
        ),
        (["kept.sql", "original.csv", "release.csv", "--contest-file", "/dev/zero"], "such as a pipe"),
        (["/dev/zero", "original.csv", "release.csv"], "a pipe or a device"),
        (["pipe.sql", "original.csv", "release.csv"], "a pipe or a device"),
        (["kept.sql", "original.csv", "release.csv", "--seconds", "0"], "at least 1"),
        (["kept.sql", "original.csv", "release.csv", "--user", "hwo"], "did you mean 'who'?"),
        (["kept.sql", "original.csv", "empty.csv"], "empty.csv"),
    ],
)
@pytest.mark.usefixtures("tables")
def test_what_is_wrong_is_told_in_one_line(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["metric", "run", *words]) == 2
    said = capsys.readouterr().err
    assert told in said and said.count("\n") == 1


@pytest.mark.usefixtures("tables")
def test_a_trusted_metric_runs_without_a_sandbox(capsys: pytest.CaptureFixture[str]) -> None:
    wall_or_skip()
    words = ["metric", "run", "kept.sql", "original.csv", "release.csv", "--no-sandbox", "--json"]
    found = main(words)
    said = capsys.readouterr()
    # as nobody, who may not be able to reach the Python of root
    assert "no sandbox" in said.err if found else json.loads(said.out)["sandbox"] == "none"

"""The command: one JSON document and nothing else, quiet where nobody looks, and quick to explain itself."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import singleout
from singleout.cli.main import main
from tests.support.command_line import only_json

HEAVY = {
    "numpy",
    "pyarrow",
    "duckdb",
    "numba",
    "scipy",
    "rich",
    "pandas",
    "polars",
    "psycopg",
    "pyspark",
    "sklearn",
}
MOST_MODULES = 155


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.csv"
    path.write_text("who,âge,日\na,30,x\na,30,y\nb,31,x\n", encoding="utf-8")
    return path


def run(words: list[str], encoding: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", f"import sys\nfrom singleout.cli.main import main\nsys.exit(main({words!r}))"],
        capture_output=True,
        text=True,
        encoding=encoding,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        check=False,
    )


def test_assess_json(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--user", "who", "--together", "âge,日", "--sample-sizes", "1,2"]
    assert main(["assess", str(small), *words, "--json"]) == 0
    out, err = capsys.readouterr()
    found = only_json(out)
    assert err == ""
    assert (found["records"], found["people"], found["user"]) == (3, 2, "who")
    assert [each["name"] for each in found["attributes"]] == ["âge", "日", "âge+日"]
    assert {"riskiest", "classes", "curve", "remarks"} <= found.keys()
    assert {"columns", "classes", "k", "unique", "highest_risk", "average_risk", "entropy"} <= found[
        "classes"
    ].keys()
    together = singleout.assess(small, user="who", together=[["âge", "日"]], sample_sizes=[1, 2])
    assert found == json.loads(json.dumps(together.to_dict()))


@pytest.mark.parametrize(
    "words",
    [
        ["roles", "{file}", "--suggest", "--json"],
        ["roles", "{file}", "--suggest", "--json", "--out", "{folder}/study.toml"],
        ["roles", "{file}", "--check", "{folder}/given.toml", "--json"],
        ["sample", "card", "--out", "{folder}/card.csv", "--json"],
        ["assess", "{file}", "--missing", "wildcard", "--json"],
        ["assess", "{file}", "--study", "{folder}/given.toml", "--json"],
    ],
)
def test_every_command_prints_one_document(
    small: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    (small.parent / "given.toml").write_text('[columns]\nwho = "user"\n')
    assert main([each.format(file=small, folder=small.parent) for each in words]) == 0
    out, err = capsys.readouterr()
    assert isinstance(only_json(out), dict)
    assert err == ""


@pytest.mark.parametrize(
    "command",
    [
        ["assess", "{file}", "--user", "who"],
        ["demo", "--html", "{file}.html"],
        ["roles", "{file}", "--suggest"],
    ],
)
def test_tables_for_people_leave_only_notes_on_stderr(
    small: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    assert main([each.format(file=small) for each in command]) == 0
    out, err = capsys.readouterr()
    assert out.count("\n") > 4
    assert "note: " not in out
    assert not err or err.startswith("note: ")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_terminal_can_show_it(small: Path, encoding: str) -> None:
    """No character that a terminal lacks ends the run; JSON stays JSON."""
    for more in ([], ["--json"]):
        done = run(["assess", str(small), *more], encoding)
        remark = "" if more else "note: no user column: each record is its own person\n"
        assert (done.returncode, done.stderr) == (0, remark)
        if more:
            assert [each["name"] for each in only_json(done.stdout)["attributes"]] == ["who", "âge", "日"]


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_reader_that_has_seen_enough(small: Path, more: list[str]) -> None:
    words = ["assess", str(small), *more]
    code = f"import sys\nfrom singleout.cli.main import main\nsys.exit(main({words!r}))"
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    stderr = process.stderr.read()
    process.stderr.close()
    assert (process.wait(300), stderr) == (0, "")


@pytest.mark.parametrize("words", [["--help"], ["assess", "--help"], ["roles", "--help"], ["--version"]])
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    code = (
        "import sys\nfrom singleout.cli.main import main\n"
        f"try:\n    main({words!r})\nexcept SystemExit as leaving:\n    assert not leaving.code\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stderr.split()
    assert "singleout" in done.stdout
    assert {name.partition(".")[0] for name in loaded} & HEAVY == set()
    assert len(loaded) < MOST_MODULES


def test_every_public_name_loads() -> None:
    assert singleout.__all__ == [name for name in dir(singleout) if hasattr(singleout, name)]
    # types know it is none, too: tests/documentation/test_types.py
    with pytest.raises(AttributeError, match="has no attribute 'asess'; did you mean 'assess'"):
        getattr(singleout, "asess")  # noqa: B009


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (["--delimiter", "tab"], {"名前": 2, "年": 2}),
        (["--delimiter", "\\t"], {"名前": 2, "年": 2}),
        (["--delimiter", ";"], {"名前\t年": 2}),
        (["--header", "no"], {"column1": 3, "column2": 3}),
        (["--header", "yes", "--quote", "", "--encoding", "cp932"], {"名前": 2, "年": 2}),
    ],
)
def test_reading_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], values: dict[str, int]
) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes("名前\t年\n山田\t1\n鈴木\t2\n".encode("cp932"))
    assert main(["assess", str(path), "--json", *words]) == 0
    found = only_json(capsys.readouterr().out)["attributes"]
    assert {each["name"]: each["values"] for each in found} == values


@pytest.mark.parametrize(
    ("words", "values"),
    [([], 3), (["--missing-text", ""], 4), (["--missing-text", "?"], 4), (["--missing-text", ",NA,?"], 2)],
)
def test_missing_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], values: int
) -> None:
    """The column holds x, nothing, NA, ? and nothing in quotes."""
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,x\n2,\n3,NA\n4,?\n5,""\n')
    assert main(["assess", str(path), "--columns", "b", "--json", *words]) == 0
    assert only_json(capsys.readouterr().out)["attributes"][0]["values"] == values


@pytest.mark.parametrize(
    ("types", "values"),
    [("b=number", [3, 1, 2]), ('b=number,"a,=c"=integer', [2, 1, 2]), (" b=text", [3, 3, 2])],
)
def test_types(tmp_path: Path, capsys: pytest.CaptureFixture[str], types: str, values: list[int]) -> None:
    path = tmp_path / "t.csv"
    path.write_text('"a,=c",b,c\n1,1.0,x\n01,1.00,x\n2,1,y\n')
    assert main(["assess", str(path), "--types", types, "--json"]) == 0
    found = only_json(capsys.readouterr().out)["attributes"]
    assert [each["values"] for each in found] == values


def test_a_name_with_a_comma(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.csv"
    path.write_text('"a,b",c,"say ""hi"""\n1,2,3\n')
    columns = '"a,b",c,"say ""hi"""'
    assert main(["assess", str(path), "--columns", columns, "--json"]) == 0
    found = only_json(capsys.readouterr().out)
    assert [each["name"] for each in found["attributes"]] == ["a,b", "c", 'say "hi"']


MISTAKEN = """
import sys
from singleout.cli import assess
from singleout.cli.console import console

class PanicException(BaseException):
    pass

def fail(_):
    raise {fault}("the secret value 4711")

assess.run = fail
sys.exit(console())
"""


@pytest.mark.parametrize("fault", ["OverflowError", "PanicException"])
@pytest.mark.parametrize("shown", [False, True])
def test_a_mistake_of_ours_is_one_line_and_no_verdict(small: Path, fault: str, shown: bool) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", MISTAKEN.replace("{fault}", fault), "assess", str(small)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **({"SINGLEOUT_TRACEBACK": "1"} if shown else {})},
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    *traceback, last = ended.stderr.splitlines()
    assert re.fullmatch(
        rf"error: a mistake of singleout itself, not yours: {fault} in cli/main.py, line \d+ .*", last
    )
    assert ("the secret value 4711" in "".join(traceback)) == shown
    assert bool(traceback) == shown
    assert "4711" not in last

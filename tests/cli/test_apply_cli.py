"""The command `deidentify apply` as a script and a person at a terminal see it."""

from __future__ import annotations

import inspect
import json
import stat
from pathlib import Path

import pytest

from singleout import apply
from singleout.cli.main import main
from tests.support.command_line import Captured, document_of, error_of, page_of

HISTORY = """\
who,receipt,goods,price
ann,r1,tea,1.49
ann,r1,milk,2.05
bob,r2,tea,1.49
cid,r3,gold,900.00
cid,r3,tea,
"""
PEOPLE = "who;sex\nann;f\nbob;m\ncid;m\n"
RECIPE = """\
user = "who"
seed = 3

[[step]]
step = "pseudonymise"
columns = ["who", "receipt"]

[[step]]
step = "remove_people"
fewer_than = 2

[[step]]
step = "round"
columns = ["price"]
to = 0.5
"""
USUAL = ["deidentify", "apply", "history.csv", "--recipe", "recipe.toml"]
ALL = [
    "--people-table", "people.csv", "--people-out", "m.csv", "--out", "o.csv", "--truth", "t.csv",
    "--diary", "d.json",
]  # fmt: skip
FILES = {"history.csv": HISTORY, "people.csv": PEOPLE, "recipe.toml": RECIPE}


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    return tmp_path


def test_the_document(in_folder: Path, capsys: Captured) -> None:
    found = document_of(capsys, [*USUAL, *ALL])
    steps = [(each["step"], each["table"], each["columns"], each["changed"]) for each in found["steps"]]
    assert steps == [
        ("pseudonymise", "history", ["who", "receipt"], 10),
        ("pseudonymise", "people", ["who"], 3),
        ("remove_people", "history", [], 1),
        ("round", "history", ["price"], 2),
    ]
    counts = ("records", "people", "released_records", "released_people", "released_rows", "seed")
    assert [found[name] for name in counts] == [5, 3, 4, 2, 2, 3]
    assert (found["columns"], found["untouched"]) == (["who", "receipt", "goods", "price"], ["goods"])
    assert set(found["definitions"]) == {*counts[:5], "changed"}
    assert stat.S_IMODE((in_folder / "t.csv").stat().st_mode) == 0o600
    assert json.loads((in_folder / "d.json").read_text())["steps"] == found["steps"]
    assert sorted(path.name for path in in_folder.iterdir()) == sorted(
        [*FILES, "o.csv", "m.csv", "t.csv", "d.json"]
    )


def test_the_page(in_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    page = page_of(monkeypatch, capsys, [*USUAL, *ALL])
    assert page.startswith("history.csv: 5 records of 3 people")
    assert "4 of 5 records (80.0%) of 2 of 3 people are left." in page
    assert "The person table has 2 rows; both tables name the same people." in page
    assert "o.csv was read back before it was put in place. It holds who, receipt, goods, price." in page
    assert "t.csv says who is who, and only you can read it: keep it apart." in page
    assert "remove_people history – 1 people people with fewer than 2 records" in page
    assert (in_folder / "o.csv").exists()


def test_the_steps_can_be_tried(in_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    page = page_of(monkeypatch, capsys, USUAL)
    assert "Nothing is written: the steps were only tried. Add --out FILE to make the release." in page
    assert "table" not in page.split("What each step changed")[1].split("how")[0]
    assert sorted(path.name for path in in_folder.iterdir()) == sorted(FILES)


def test_remarks_go_aside(in_folder: Path, capsys: Captured) -> None:
    (in_folder / "goods.toml").write_text('columns = ["who", "goods"]\n')
    assert main([*USUAL[:-1], "goods.toml", "--user", "who"]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "note: not released: receipt, price" in said
    assert "note: 3 people are released by their own name in 'who'" in said
    assert "note: released exactly as they were: goods" in said


def test_the_seed_of_the_command_goes_before_that_of_the_recipe(in_folder: Path, capsys: Captured) -> None:
    written = []
    for words in ([], ["--seed", "3"], ["--seed", "4"], ["--order", "shuffled"], ["--threads", "1"]):
        assert document_of(capsys, [*USUAL, "--out", "o.csv", *words])["out"] == "o.csv"
        written.append((in_folder / "o.csv").read_bytes())
    assert written[0] == written[1] == written[4]
    assert written[0] != written[2]
    assert sorted(written[3].splitlines()) == sorted(written[0].splitlines())


def test_a_study_names_the_user(in_folder: Path, capsys: Captured) -> None:
    (in_folder / "study.toml").write_text('[columns]\nwho = "user"\nsex = "quasi-identifier"\n')
    (in_folder / "plain.toml").write_text('[[step]]\nstep = "pseudonymise"\n')
    words = [*USUAL[:-1], "plain.toml", "--study", "study.toml", "--people-table", "people.csv"]
    found = document_of(capsys, words)
    assert (found["user"], found["people"]) == ("who", 3)


def test_every_parameter_has_its_option() -> None:
    from argparse import ArgumentParser

    from singleout.cli.apply import add_arguments

    parser = ArgumentParser()
    add_arguments(parser)
    options = {action.dest for action in parser._actions}
    assert set(inspect.signature(apply).parameters) - {"data", "csv", "people_csv", "progress"} <= options


WRONG: dict[str, tuple[list[str], str]] = {
    "no recipe": (["--recipe", "no.toml"], "no.toml: no such file or directory"),
    "not TOML": (["--recipe", "people.csv"], "people.csv: is not TOML"),
    "several mistakes": (
        ["--recipe", "bad.toml"],
        "bad.toml: step 1 (round): there is no parameter 'two'; did you mean 'to'?",
    ),
    "no such user": (["--user", "whom"], "history.csv: there is no column 'whom'; did you mean 'who'?"),
    "people without the user": (["--people-table", "other.csv"], "other.csv: there is no column 'who'"),
    "people twice": (["--people-table", "history.csv"], "2 people have more than one row"),
    "people out of nowhere": (["--people-out", "m.csv"], "there is no person table to write"),
    "a folder that is not there": (["--diary", "no/d.json"], "choose a folder that exists"),
    "an ending": (["--truth", "t.txt"], "t.txt: a truth map is a CSV file"),
    "the input": (["--diary", "history.csv"], "history.csv: belongs to the data that is read"),
    "the recipe": (["--diary", "recipe.toml"], "recipe.toml: is read for this; name another file"),
    "the release twice": (["--diary", "o.csv"], "o.csv: out and diary need two files"),
    "columns that are not there": (["--columns", "good"], "has no column 'good'; did you mean 'goods'?"),
    "the user is not released": (
        ["--recipe", "columns.toml", "--user", "who", "--truth", "t.csv"],
        "truth: a truth map is about the user column; release it, or write no truth map",
    ),
    "nothing left": (["--recipe", "nothing.toml"], "history.csv: nothing is left after step 1"),
    "a seed": (["--seed", "-1"], "seed: -1 is none; write a whole number, 0 or more"),
    "half a seed": (["--seed", "1.5"], "'1.5' is no whole number, and not 'secret'"),
    "an order": (["--order", "random"], "invalid choice: 'random'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_one_line_and_no_file(in_folder: Path, capsys: Captured, case: str) -> None:
    (in_folder / "other.csv").write_text("name,sex\nann,f\n")
    (in_folder / "bad.toml").write_text('[[step]]\nstep = "round"\ntwo = 1\n[[step]]\nstep = "nois"\n')
    (in_folder / "columns.toml").write_text('columns = ["goods"]\n')
    (in_folder / "nothing.toml").write_text(
        'user = "who"\n[[step]]\nstep = "remove_people"\nfewer_than = 9\n'
    )
    before = {path.name: path.read_text() for path in in_folder.iterdir()}
    words, said = WRONG[case]
    assert said in error_of(capsys, [*USUAL, "--out", "o.csv", *words])
    assert {path.name: path.read_text() for path in in_folder.iterdir()} == before

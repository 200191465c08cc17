"""`singleout deidentify dummies`: its JSON, its page, one-line errors, files whole or not there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from singleout.deidentify.dummies.dummies import dummies
from tests.support.command_line import document_of, error_of, page_of

CONTRACT = {"people", "records", "dummies", "clusters", "bound", "expected"}
STEPS = ["deidentify", "dummies"]
TABLE = """who,receipt,date,goods,price,n,name
ann,1,2010/12/1,A,5,10,apple
ann,1,2010/12/1,B,10,20,bean
ann,2,2010/12/2,C,100,30,carrot
bob,3,2010/12/1,A,5,5,apple
bob,4,2010/12/5,B,10,15,bean
cid,5,2010/12/3,D,,1,date
dan,6,2010/12/3,D,7,1,date
dan,6,2010/12/3,A,6,2,apple
"""
PEOPLE = "who,sex\nann,f\nbob,m\ncid,m\ndan,m\n"
STUDY = '[columns]\nwho = "user"\ngoods = "item"\ndate = "time"\nprice = "amount"\n'


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "small.csv").write_text(TABLE)
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "study.toml").write_text(STUDY)
    (tmp_path / "one.csv").write_text("who,goods\nann,A\nann,B\n")
    (tmp_path / "free.csv").write_text("who,goods,price\nann,A,\nbob,B,2\ncid,A,\ndan,C,\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    return document_of(capsys, [*STEPS, *words])


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def show(*words: str) -> str:
        return page_of(monkeypatch, capsys, [*STEPS, *words])

    return show


USUAL = ["small.csv", "--user", "who", "--item", "goods"]
FILES = ["--out", "out.csv", "--truth", "truth.csv"]


@pytest.mark.parametrize("method", ["simple", "1", "2", "search"])
def test_the_contract(in_folder: Path, capsys: pytest.CaptureFixture[str], method: str) -> None:
    found = asked(capsys, *USUAL, "--clusters", "2", "--method", method, *FILES)
    assert found.keys() >= CONTRACT
    assert (found["people"], found["records"], found["bound"]) == (4, 8, 0.5)
    assert found["expected"].keys() == {"uniform", "by_popularity"}
    assert sum(each["size"] for each in found["clusters"]) == 4
    assert sum(each["dummies"] for each in found["clusters"]) == found["dummies"]
    sizes = [each["size"] for each in found["clusters"]]
    assert sizes == sorted(sizes, reverse=True)
    lines = (in_folder / "out.csv").read_text().splitlines()
    assert lines[0] == '"who","receipt","date","goods","price","n","name"'
    assert len(lines) == 1 + 8 + found["dummies"] == 1 + found["released_records"]
    assert (in_folder / "truth.csv").read_text().splitlines()[0] == "release_user,original_user"


def test_all_options_are_those_of_the_function(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        *USUAL, "--smallest", "2", "--method", "2", "--time", "date", "--amount", "price",
        "--number", "n", "--with-item", "name", "--with-person", "receipt", "--spread", "--draw-numbers",
        "--out", "out.parquet", "--truth", "truth.csv", "--dummies-out", "secret.parquet", "--people-table",
        "people.csv", "--people-out", "people.parquet", "--diary", "diary.json", "--order", "sorted",
        "--columns", "price,n", "--seed", "3", "--threads", "1", "--memory", "1GB", "--missing-text", "",
    ]  # fmt: skip
    found = asked(capsys, *words)
    same = dummies(
        "small.csv", user="who", item="goods", smallest=2, method="2", time=["date"], amount=["price"],
        number="n", with_item=["name"], with_person=["receipt"], spread=True, draw_numbers=True,
        out="out.parquet", truth="truth.csv", dummies="secret.parquet", people_table="people.csv",
        people_out="people.parquet", diary="diary.json", order="sorted", columns=["price", "n"], seed=3,
        threads=1, memory="1GB",
    )  # fmt: skip
    assert found == json.loads(json.dumps(same.to_dict()))
    assert found["columns"] == {
        "who": "a fresh pseudonym of the person",
        "goods": "what others of the cluster have",
        "price": "a random record of the item",
        "n": "a random record of the item",
    }
    diary = json.loads((in_folder / "diary.json").read_text())
    assert diary["parameters"]["with_item"] == ["name"]
    assert {each["part"] for each in diary["outputs"]} == {"out", "truth", "secret", "people_out"}
    digests = {each.get("part", "in"): each["sha256"] for each in (*diary["inputs"], *diary["outputs"])}
    assert {part: each and len(each) for part, each in digests.items()} == {
        "in": 64, "out": 64, "people_out": 64, "truth": None, "secret": None
    }  # fmt: skip
    assert "ann" not in json.dumps(diary)


@pytest.mark.usefixtures("in_folder")
def test_a_study_names_the_columns(capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(capsys, "small.csv", "--study", "study.toml", "--recognised", "0.5")
    assert (found["user"], found["item"], len(found["clusters"])) == ("who", "goods", 2)
    assert found["columns"]["price"] == "the item's latest record that has a value"
    # every item has one name, and several receipts
    assert found["columns"]["name"] == "the item's latest record that has a value"
    assert found["columns"]["receipt"] == "the person's latest record"
    assert (found["out"], found["written"]) == (None, {})


# The page


def test_page_of_the_purchases(page: Callable[..., str], t1: Path, tmp_path: Path) -> None:
    shown = page(
        str(t1), "--user", "customer", "--item", "goods", "--clusters", "50", "--method", "1",
        "--time", "date,time", "--amount", "price", "--number", "number", "--out", str(tmp_path / "out.csv"),
    )  # fmt: skip
    assert "dummy records beside 38,087 real ones put 400 people into 50 clusters of" in shown
    assert "recognises at most 12.5% of them on average" in shown
    assert "would need 146,378 dummies on average" in shown
    # E(Δm) of Ito et al. 2020 and the best number of clusters (errata.md E-002.18)
    assert "all items equally popular 229,122 0.338 68 0.324" in shown
    assert "How many people hide together" in shown
    assert "price the item's latest record that has a value" in shown
    assert "number always 1" in shown
    assert "It was read back: all people of a cluster have the same items" in shown


@pytest.mark.usefixtures("in_folder")
def test_page_without_a_release(page: Callable[..., str]) -> None:
    shown = page(*USUAL, "--clusters", "4")
    assert "0 dummy records beside 8 real ones put 4 people into 4 clusters of 1" in shown
    assert "4 people are alone in a cluster" in shown
    assert "would need no dummies either" in shown
    assert "Nothing is written: add --out FILE" in shown


@pytest.mark.usefixtures("in_folder")
def test_remarks_tell_what_is_not_protected(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*USUAL, "--clusters", "1", "--number", "n"]
    told = " ".join(asked(capsys, *words)["remarks"])
    assert "released as they are: receipt, date, price, n, name; whoever knows more than item sets" in told
    assert "no time column was named" in told
    assert "--spread puts them at random records" in told
    assert "--draw-numbers gives them numbers" in told
    told = " ".join(asked(capsys, *words, "--spread", "--draw-numbers", "--time", "name")["remarks"])
    assert "--spread" not in told
    assert "--draw-numbers" not in told
    assert "column 'name': not all values are dates, times or numbers" in told


# Bad input


WRONG: dict[str, tuple[list[str], str]] = {
    "clusters and smallest": (
        [*USUAL, "--clusters", "2", "--smallest", "3"],
        "2 clusters of at least 3 people",
    ),
    "more clusters than people": ([*USUAL, "--clusters", "5"], "5 are more than the 4 people"),
    "no clusters": ([*USUAL, "--clusters", "0"], "clusters: 0 must be a whole number, 1 or more"),
    "nothing said": (USUAL, "say how many clusters"),
    "smallest too large": ([*USUAL, "--smallest", "5"], "smallest: 5 are more than the 4 people"),
    "bound of 0": ([*USUAL, "--recognised", "0"], "--recognised: 0.0 must be a share above 0"),
    "bound too low": ([*USUAL, "--recognised", "0.1"], "--recognised: one of 4 people is always found"),
    "one person": (
        ["one.csv", "--user", "who", "--item", "goods", "--clusters", "1"],
        "there is one person only",
    ),
    "no such item": (
        ["small.csv", "--user", "who", "--item", "good", "--clusters", "2"],
        "did you mean 'goods'?",
    ),
    "no item": (["small.csv", "--user", "who", "--clusters", "2"], "name it by --item"),
    "no user": (["small.csv", "--item", "goods", "--clusters", "2"], "name it by --user"),
    "no such user": (
        ["small.csv", "--item", "goods", "--user", "whom", "--clusters", "2"],
        "did you mean 'who'?",
    ),
    "prices missing": (
        ["free.csv", "--user", "who", "--item", "goods", "--amount", "price", "--clusters", "2"],
        "column 'price': 2 of 3 items have no value in any record",
    ),
    "number that is none": (
        [*USUAL, "--clusters", "2", "--number", "name"],
        "column 'name': 4 of its 4 different values are no numbers",
    ),
    "two parts at once": (
        [*USUAL, "--clusters", "2", "--time", "dat", "--amount", "n", "--number", "n"],
        "time: there is no column 'dat'; did you mean 'date'?; 'n' can't be both amount and number",
    ),
    "draws of nothing": ([*USUAL, "--clusters", "2", "--draw-numbers"], "name it by --number"),
    "method": ([*USUAL, "--clusters", "2", "--method", "3"], "invalid choice: '3'"),
    "smallest of method 1": (
        [*USUAL, "--clusters", "2", "--method", "1", "--smallest", "2"],
        "smallest: the method 1 does not keep to it",
    ),
    "out is the input": ([*USUAL, "--clusters", "2", "--out", "small.csv"], "small.csv: belongs to the data"),
    "secret is the truth": (
        [*USUAL, "--clusters", "2", "--truth", "x.csv", "--dummies-out", "x.csv"],
        "x.csv: truth and secret need two files",
    ),
    "people without a file": (
        [*USUAL, "--clusters", "2", "--people-table", "people.csv"],
        "people_table and people_out belong together",
    ),
    "seed": ([*USUAL, "--clusters", "2", "--seed", "-1"], "seed: -1 is none"),
}


@pytest.mark.parametrize("case", WRONG)
def test_one_line_and_no_file(in_folder: Path, capsys: pytest.CaptureFixture[str], case: str) -> None:
    before = {path: path.read_bytes() for path in in_folder.iterdir()}
    words, said = WRONG[case]
    with_out = words if "--out" in words else [*words, "--out", "out.csv"]
    also = with_out if "--truth" in words else [*with_out, "--truth", "truth.csv"]
    assert said in error_of(capsys, [*STEPS, *also, "--diary", "diary.json"])
    assert {path: path.read_bytes() for path in in_folder.iterdir()} == before

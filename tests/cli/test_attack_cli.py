"""`singleout attack`: its JSON, its page, one-line errors, a list of people that is whole or not there."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.csv
import pyarrow.parquet
import pytest

from singleout import CsvFormat, attack
from singleout.cli.main import main
from tests.support.command_line import (
    as_parquet,
    document_of,
    error_of,
    error_without_a_trace,
    folder_with,
    is_what_python_returns,
    named_safely,
    pages,
    same_on_any_threads,
)  # fmt: skip

CONTRACT = {"name", "rate", "identified", "baseline", "low", "high", "knowledge"}
ORIGINAL = """who,goods,day,price,usage
ann,tea,2011-01-30,1.5,bus
ann,milk,2011-01-31,2,bus
bob,tea,2011-01-31,0.1,tram
cid,salt,2011-02-03,0.2,bus
dot,rice,2011-02-03,7,
"""
RELEASE = """who,goods,day,price,usage
p,tea,2011-01-31,0.1,tram
q,tea,2011-01-30,1.5,bus
q,milk,2011-01-31,2,bus
r,salt,2011-02-04,0.2,bus
s,salt,2011-02-04,9,bus
"""
TRUTH = "release_user,original_user\np,bob\nq,ann\nr,cid\ns,\n"
FILES = {"o.csv": ORIGINAL, "r.csv": RELEASE, "truth.csv": TRUTH}
BOTH = ["o.csv", "r.csv"]
TOLD = [*BOTH, "--truth", "truth.csv", "--user", "who"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return folder_with(FILES, tmp_path, monkeypatch)


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    return document_of(capsys, ["attack", *words])


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    return pages(monkeypatch, capsys, "attack")


# The document


def test_json_is_what_python_returns(capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(capsys, *TOLD, "--item", "goods", "--points", "0", "--attacks", "jaccard,records")
    assert [each["name"] for each in found["attacks"]] == ["jaccard", "records", "combined", "best"]
    assert all(each.keys() >= CONTRACT for each in found["attacks"])
    jaccard = found["attacks"][0]
    assert (found["people"], found["original_people"], found["made_up"]) == (4, 4, 1)
    assert (jaccard["rate"], jaccard["identified"], jaccard["certain"]) == (0.75, 3, 3)
    # r and s look alike, and only one of them can be cid
    assert (jaccard["baseline"], jaccard["bound"]) == (3 / 16, 0.75)
    same = attack(
        "o.csv", "r.csv", "truth.csv", user="who", item="goods", attacks=["jaccard", "records"], points=()
    )
    assert is_what_python_returns(found, same)


def test_every_option_reaches_python(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "new.csv").write_text(RELEASE.replace("who,goods", "person,article", 1).replace(",", ";"))
    (folder / "old.csv").write_text(ORIGINAL.replace(",", ";"))
    (folder / "more.csv").write_text(TRUTH + "t,ann\nu,eve\n")
    (folder / "study.toml").write_text('[columns]\nwho = "user"\nusage = "ignore"\n')
    words = [
        "old.csv", "new.csv", "--delimiter", ";", "--header", "yes", "--types", "price=number", "--truth",
        "more.csv", "--without-records", "--user", "who", "--release-user", "person", "--renamed",
        "goods=article", "--study", "study.toml", "--item", "goods", "--place", "goods,usage", "--category",
        "usage", "--time", "day", "--amount", "price", "--together", "goods,day", "--columns",
        "day,goods,price", "--missing", "drop", "--attacks",
        "pairs,jaccard,places,nearest,dates,amount,categories", "--known-shares", "0.5,0.125,1",
        "--one-to-one", "--ties", "first", "--importance", "price=2,goods=0.5", "--points",
        "2,1", "--worst", "--draws", "3", "--narrow", "1,2", "--granularity", "day=exact,month",
        "--granularity", "goods=first 1", "--tolerance", "price=5%", "--seed", "4", "--threads", "1",
        "--memory", "1GB", "--person-risks", "fell.parquet", "--engine", "duckdb",
    ]  # fmt: skip
    found = asked(capsys, *words)
    format_ = CsvFormat(delimiter=";", header=True, types={"price": "number"})
    same = attack(
        "old.csv", "new.csv", "more.csv", csv=format_, release_csv=format_, without_records=True, user="who",
        release_user="person", renamed={"goods": "article"}, study="study.toml", item="goods",
        place=["goods", "usage"], category="usage", time="day", amount="price", pair=["goods", "day"],
        columns=["day", "goods", "price"], missing="drop",
        attacks=["pairs", "jaccard", "places", "nearest", "dates", "amount", "categories"],
        shares=[0.5, 0.125, 1], one_to_one=True, ties="first", weights={"price": 2, "goods": 0.5},
        points=[2, 1], worst=True, draws=3, narrow=[1, 2],
        granularity={"day": ["exact", "month"], "goods": ["first 1"]}, tolerance={"price": "5%"}, seed=4,
        threads=1, memory="1GB", engine="duckdb",
    )  # fmt: skip
    assert is_what_python_returns(found, same)
    # ann has two names, and is one person
    assert (found["people"], found["original_people"], found["seed"], found["missing"]) == (5, 5, 4, "drop")
    names = [each["name"] for each in found["attacks"]]
    assert {"jaccard@12.5%", "places@50%_one_to_one", "worst_points_2", "combined"} <= {*names}
    assert {each["points"] for each in found["unicity"]} == {1, 2}
    assert pyarrow.parquet.read_table("fell.parquet").equals(same.people_table())


def test_the_same_seed_prints_the_same_text(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--item", "goods", "--known-shares", "0.5", "--one-to-one", "--seed", "7"]
    same_on_any_threads(capsys, ["attack", *TOLD, *words])


def test_one_table_in_two_periods(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--periods", "2011-01-31", "--user", "who", "--time", "day", "--item", "goods"]
    found = asked(capsys, "o.csv", *words)
    assert (found["original"], found["release"]) == ("o.csv before 2011-01-31", "o.csv from 2011-01-31 on")
    assert (found["people"], found["original_people"], found["unicity"]) == (1, 1, [])
    assert "dates" not in [each["name"] for each in found["attacks"]]
    assert error_of(capsys, ["attack", *BOTH, *words]).startswith("periods split one table by a date")


def test_page_of_two_periods(page: Callable[..., str], tmp_path: Path) -> None:
    """Nothing was changed, so nobody knows how: the records are others."""
    words = ["--periods", "2011-02-01", "--user", "who", "--time", "day", "--item", "goods"]
    goods = [("ann", "tea", "salt"), ("bob", "milk", "milk"), ("cid", "rice", "tea"), ("eve", "salt", "rice")]
    rows = [
        f"{who},{item},2011-0{month}-01,{month}" for who, *both in goods for month, item in enumerate(both, 1)
    ]
    (tmp_path / "two.csv").write_text("\n".join(["who,goods,day,price", *rows]))
    shown = page("two.csv", *words)
    assert "Both periods hold other records of the same people" in shown
    assert "whoever knows how they were changed" not in shown


def test_known_records_can_be_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert asked(capsys, *TOLD, "--points", "0")["unicity"] == []
    assert {each["points"] for each in asked(capsys, *TOLD)["unicity"]} == {1, 2, 3, 4}


@pytest.mark.parametrize("kinds", [("csv", "parquet"), ("parquet", "csv")])
def test_settings_of_csv_files_are_for_csv_files(
    folder: Path, capsys: pytest.CaptureFixture[str], kinds: tuple[str, str]
) -> None:
    """As the note on columns of two types advises: --types, of the one that is a CSV file."""
    as_parquet(folder, "o", "r")
    tables = [f"{name}.{kind}" for name, kind in zip("or", kinds, strict=True)]
    words = ["--truth", "truth.csv", "--user", "who", "--time", "day", "--types", "day=date,price=number"]
    found = asked(capsys, *tables, *words, "--delimiter", ",", "--points", "0")
    assert not any("holds" in remark for remark in found["remarks"])
    assert found["attacks"] == asked(capsys, *TOLD, "--time", "day", "--points", "0")["attacks"]


# The list of people


def test_people_are_listed_in_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "fell.csv").write_text("an older list")
    asked(
        capsys,
        *TOLD,
        "--item",
        "goods",
        "--points",
        "0",
        "--attacks",
        "jaccard",
        "--person-risks",
        "fell.csv",
    )
    with (folder / "fell.csv").open(newline="") as handle:
        rows = list(csv.reader(handle))
    assert rows[0] == ["release_user", "original_user", "jaccard"]
    assert [row[:2] for row in rows[1:]] == [["p", "bob"], ["q", "ann"], ["r", "cid"], ["s", ""]]
    assert [float(row[2]) for row in rows[1:]] == [1, 1, 1, 0]
    assert {path.name for path in folder.iterdir()} == {*FILES, "fell.csv"}
    assert (folder / "o.csv").read_text() == ORIGINAL


def test_no_list_is_left_half_written(folder: Path) -> None:
    """Interrupted while it works, the command leaves the list that was there."""
    (folder / "fell.csv").write_text("an older list")
    words = ["attack", *TOLD, "--person-risks", "fell.csv", "--json"]
    code = (
        "import os, signal, sys\nfrom singleout import files\nfrom singleout.cli.main import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def meddle(*_):\n    os.kill(os.getpid(), signal.SIGINT)\n"
        f"files._write_draft = meddle\nsys.exit(main({words!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "error: interrupted; no file was left half-written\n"
    assert (folder / "fell.csv").read_text() == "an older list"
    assert {path.name for path in folder.iterdir()} == {*FILES, "fell.csv"}


# The page


def test_page_of_everything(page: Callable[..., str]) -> None:
    shown = page(
        *TOLD, "--item", "goods", "--amount", "price", "--time", "day", "--category", "usage", "--worst"
    )
    assert shown.startswith("r.csv: 4 people of the release, 4 of the original")
    assert (
        "recognises 3 of 4 people (75.0%, 95% interval 30.1% to 95.4%). "
        "Naming people at random recognises 18.8%." in shown
    )
    assert "The attacker knows, of every person, the set of goods." in shown
    assert "With just this knowledge no attack exceeds 75.0% on average" in shown
    assert re.search(r"jaccard 3 75\.0% 30\.1–95\.4% \S+ 75\.0% 75\.0% 75\.0%", shown)
    assert "weighted_jaccard of every person, how many records have each value of goods" in shown
    assert "(unicity), by random known records" in shown
    assert "(unicity), by the most telling known records" in shown
    assert "rate: share of the people of the release whom the attack recognises" in shown
    assert "missing: a missing value is a value of its own" in shown


def test_page_of_shares(page: Callable[..., str]) -> None:
    shown = page(
        *TOLD, "--item", "goods", "--attacks", "jaccard,tfidf", "--known-shares", "0.25,1", "--points", "0"
    )
    assert re.search(r"jaccard @25% 2 50\.0%", shown)
    assert re.search(r"jaccard 3 75\.0%", shown)
    # what is known is told once for all shares
    assert "jaccard of every person, the set of goods" in shown
    assert "jaccard @25% of" not in shown
    assert "@25%: with a random 25% of each person's records known, rounded up" in shown
    alone = page(*TOLD, "--item", "goods", "--attacks", "jaccard", "--known-shares", "0.25", "--points", "0")
    assert "jaccard @25% of a random 25% of every person's records, the set of goods" in alone
    assert "known records" not in shown


def test_page_of_one_to_one(page: Callable[..., str]) -> None:
    words = ["--item", "goods", "--amount", "price", "--time", "day", "--one-to-one", "--points", "0"]
    shown = page(*TOLD, *words, "--known-shares", "0.25,1")
    assert "nobody is named twice" in shown


def test_page_of_granularities(page: Callable[..., str]) -> None:
    shown = page(
        *TOLD, "--columns", "day,goods,price", "--attacks", "records", "--points", "1,2,4", "--granularity",
        "day=day,month,year", "--granularity", "goods=exact,first 2", "--tolerance", "price=5%",
    )  # fmt: skip
    assert "day (to the day), goods, price (± 5%)" in shown
    assert "day (to the year) 0" in shown
    assert "goods (first 2 characters)" in shown


def test_a_name_does_not_steer_the_terminal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named_safely(capsys, folder, ["attack", *TOLD])


def test_a_release_that_is_the_original_is_noted(
    folder: Path, capsys: pytest.CaptureFixture[str], page: Callable[..., str]
) -> None:
    (folder / "same.csv").write_text(ORIGINAL)
    notes = {
        "o.csv": "the release is the original itself (it is the same data)",
        "same.csv": "the release is the original itself (the same records with the same people",
    }
    for release, note in notes.items():
        words = [
            "o.csv",
            release,
            "--user",
            "who",
            "--item",
            "goods",
            "--attacks",
            "jaccard",
            "--points",
            "0",
        ]
        assert main(["attack", *words]) == 0
        out, err = capsys.readouterr()
        assert note in " ".join(err.split())
        assert err.startswith("note: ")
        assert "itself" not in out
        found = asked(capsys, *words)
        assert found["attacks"][0]["rate"] == 1
        assert any(remark.startswith(note) for remark in found["remarks"])
        page(*words)


# Bad input


OTHERS = {
    "unknown.csv": TRUTH + "t,eve\n",
    "twice.csv": TRUTH + "p,ann\n",
    "partly.csv": "release_user,original_user\np,bob\n",
    "made_up.csv": "release_user,original_user\np,\nq,\nr,\ns,\n",
    "headless.csv": "p,bob\nq,ann\n",
    "nobody.csv": "release_user,original_user\n",
    "ragged.csv": TRUTH + "t,ann,x\n",
    "empty.csv": "",
    "names_only.csv": "who,goods\n",
    "other.csv": "who,colour\np,red\n",
    "no_truth.csv": "who,goods\nx,tea\n",
    "nobody_named.csv": "who,goods\n,tea\n",
    "bad.toml": "columns = [",
    "odd.toml": '[columns]\nwho = "user"\ncolor = "item"\n',
}
ITEM = [*TOLD, "--item", "goods"]
NAMED = ["--user", "who", "--item", "goods"]
WRONG: dict[str, tuple[list[str], str]] = {
    "one table": (["o.csv"], "a release is needed to attack; or give periods, a date such as 2011-07-01"),
    "no such option": ([*ITEM, "--nope"], "unrecognized arguments: --nope"),
    "unknown people": (
        [*BOTH, *NAMED, "--truth", "unknown.csv"],
        "unknown.csv: line 6: original_user not in the original o.csv; correct it, or say --without-records "
        "if such people have no records; line 6: release_user not in the release r.csv",
    ),
    "people named twice": (
        [*BOTH, *NAMED, "--truth", "twice.csv"],
        "twice.csv: lines 2 and 6 name the same release_user; keep one",
    ),
    "people not in the map": (
        [*BOTH, *NAMED, "--truth", "partly.csv"],
        "partly.csv: 3 people of the release r.csv not listed; list them too",
    ),
    "all made up": ([*BOTH, *NAMED, "--truth", "made_up.csv"], "made_up.csv: all people are made up"),
    "map without header": ([*BOTH, *NAMED, "--truth", "headless.csv"], "the header should be release_user,"),
    "map of nobody": ([*BOTH, *NAMED, "--truth", "nobody.csv"], "nobody.csv: names nobody"),
    "ragged map": ([*BOTH, *NAMED, "--truth", "ragged.csv"], "line 6 has 3 cells where the header has 2"),
    "no map there": ([*BOTH, *NAMED, "--truth", "no.csv"], "no.csv: there is no such file"),
    "map is a folder": ([*BOTH, *NAMED, "--truth", "."], ".: is a folder, not a file"),
    "other names without a map": (
        ["o.csv", "no_truth.csv", *NAMED],
        "nobody of the release no_truth.csv has a name of the original o.csv; say who they are by --truth",
    ),
    "no common columns": (
        ["o.csv", "other.csv", "--user", "who"],
        "the original o.csv and the release other.csv have no column in common to compare; say what the "
        "release calls a column by --renamed",
    ),
    "unknown attack": (
        [*ITEM, "--attacks", "jaccard,nearst"],
        "there is no attack 'nearst'; did you mean 'nearest'",
    ),
    "attack without its column": (
        [*TOLD, "--attacks", "jaccard,dates"],
        "the attack 'jaccard' needs a column; name it by --item; the attack 'dates' needs a column; name it "
        "by --time",
    ),
    "no attacks": ([*ITEM, "--attacks", ""], "--attacks: '' is no list of"),
    "no original": (["no.csv", "r.csv", *NAMED], "no.csv"),
    "no release": (["o.csv", "no.csv", *NAMED], "no.csv"),
    "empty release": (["o.csv", "empty.csv", *NAMED], "empty.csv"),
    "release without records": (
        ["o.csv", "names_only.csv", *NAMED],
        "names_only.csv: has column names but no",
    ),
    "release of nobody": (
        ["o.csv", "nobody_named.csv", *NAMED],
        "nobody_named.csv: the user column 'who' holds nothing but missing values",
    ),
    "unknown user": (
        [*BOTH, "--user", "whom"],
        "the original o.csv has no user column 'whom'; did you mean 'who'?",
    ),
    "user of the release alone": (
        [*BOTH, "--release-user", "who"],
        "a user column of the release was named and",
    ),
    "unknown item": (
        [*TOLD, "--item", "gods"],
        "the original o.csv has no column 'gods'; did you mean 'goods'?",
    ),
    "the user as an item": ([*TOLD, "--item", "who"], "'who' is the user column"),
    "no names": (
        BOTH,
        "records without a user column have no names; name the column by --user, or say by --truth which "
        "record of the release, by its number, is which of the original",
    ),
    "odd ties": ([*ITEM, "--ties", "last"], "argument --ties: invalid choice: 'last'"),
    "weight of another": (
        [*ITEM, "--importance", "gods=2"],
        "'gods' is weighted but not compared: did you mean",
    ),
    "weight below nothing": (
        [*ITEM, "--importance", "goods=-1"],
        "the weight of 'goods' is -1.0, it must be",
    ),
    "weight that is no number": (
        [*ITEM, "--importance", "goods=nan"],
        "the weight of 'goods' is nan, it must be",
    ),
    "weight in words": ([*ITEM, "--importance", "goods=much"], "write it like age=2,sex=0.5"),
    "no weight left": (
        [*ITEM, "--columns", "goods", "--importance", "goods=0"],
        "no column is compared: name at least one, with a weight above 0",
    ),
    "unknown columns": (
        [*TOLD, "--columns", "gods"],
        "the original o.csv has no column 'gods'; did you mean",
    ),
    "the user as a column": ([*TOLD, "--columns", "who"], "'who' is the user column"),
    "two amounts": ([*TOLD, "--amount", "price,day"], "amount: price, day are several columns; name one"),
    "half a pair": ([*TOLD, "--together", "price"], "--together: 'price' is one column; name at least two"),
    "amount of words": (
        [*TOLD, "--amount", "goods"],
        "column 'goods': 4 of its 4 different values are no numbers",
    ),
    "unknown renamed": (
        [*TOLD, "--renamed", "gods=article"],
        "renamed: the original o.csv has no column 'gods'",
    ),
    "renamed without name": ([*TOLD, "--renamed", "goods"], "write it like goods=article"),
    "renamed twice": ([*TOLD, "--renamed", "goods=day,goods=price"], "has a column twice; keep one"),
    "study that is none": ([*TOLD, "--study", "bad.toml"], "bad.toml: is not TOML"),
    "study of another table": ([*TOLD, "--study", "odd.toml"], "odd.toml: the table has no column 'color'"),
    "no study there": ([*TOLD, "--study", "no.toml"], "no.toml: no such file or directory"),
    "people onto the original": (
        [*ITEM, "--person-risks", "o.csv"],
        "o.csv: belongs to what is read; name another",
    ),
    "people onto the release": (
        [*ITEM, "--person-risks", "./r.csv"],
        "r.csv: belongs to what is read; name another",
    ),
    "people onto the map": (
        [*ITEM, "--person-risks", "truth.csv"],
        "truth.csv: belongs to what is read; name another",
    ),
    "people of another kind": (
        [*ITEM, "--person-risks", "fell.txt"],
        "fell.txt: end the name in .csv or .parquet",
    ),
    "people in no folder": (
        [*ITEM, "--person-risks", "no/fell.csv"],
        "no/fell.csv: no such file or directory",
    ),
    "shares in words": (
        [*ITEM, "--known-shares", "half"],
        "'half' is no list of shares up to 1; write it like 0.25,0.5,1",
    ),
    "share of nothing": (
        [*ITEM, "--known-shares", "0,0.5"],
        "argument --known-shares: '0,0.5' is no list of shares up to 1; write",
    ),
    "more than all": (
        [*ITEM, "--known-shares", "1.5"],
        "argument --known-shares: '1.5' is no list of shares up to 1; write",
    ),
    "share that is no number": (
        [*ITEM, "--known-shares", "nan"],
        "argument --known-shares: 'nan' is no list of shares up to 1; write",
    ),
    "points in words": ([*ITEM, "--points", "two"], "'two' is no list of whole numbers; write it like 1,50"),
    "half a point": ([*ITEM, "--points", "1.5"], "'1.5' is no list of whole numbers"),
    "no points among some": (
        [*ITEM, "--points", "0,1"],
        "points: 0 must be a whole number from 1 to 1,000",
    ),
    "too many points": ([*ITEM, "--points", "1001"], "points: 1001 must be a whole number from 1 to 1,000"),
    "no draws": ([*ITEM, "--draws", "0"], "draws: 0 must be a whole number from 1 to 10,000"),
    "narrowed to nobody": (
        [*ITEM, "--narrow", "0"],
        "narrow: 0 must be a whole number from 1 to 1,000,000,000,000",
    ),
    "no granularity": (
        [*ITEM, "--granularity", "day"],
        "'day' is no granularity; write it like date=day,month",
    ),
    "odd granularity": (
        [*ITEM, "--granularity", "day=moon"],
        "column 'day': 'moon' is no granularity; write",
    ),
    "granularity of another": (
        [*ITEM, "--granularity", "dya=day"],
        "'dya' is no column of a known record; did",
    ),
    "granularity twice": (
        [*ITEM, "--granularity", "day=day", "--granularity", "day=month"],
        "--granularity names a column twice",
    ),
    "months of goods": (
        [*ITEM, "--granularity", "goods=month"],
        "column 'goods': 4 of its 4 different values",
    ),
    "tolerance without name": ([*ITEM, "--tolerance", "5%"], "'5%' is no list of"),
    "odd tolerance": (
        [*ITEM, "--tolerance", "day=a bit"],
        "column 'day': 'a bit' is no tolerance; write '1 day'",
    ),
    "tolerance of another": (
        [*ITEM, "--tolerance", "prize=5%"],
        "'prize' is no column of a known record; did you",
    ),
    "both at odds": (
        [*ITEM, "--granularity", "day=month", "--tolerance", "day=5%"],
        "known at 'month', it has no tolerance of '5%'; take one like '1 day'",
    ),
    "wildcard": ([*ITEM, "--missing", "wildcard"], "invalid choice: 'wildcard'"),
    "no threads": ([*ITEM, "--threads", "0"], "threads must be a whole number from 1 to 256"),
    "no memory": ([*ITEM, "--memory", "much"], "is not a size"),
}


@pytest.mark.parametrize("case", WRONG)
def test_one_line_and_no_file(folder: Path, capsys: pytest.CaptureFixture[str], case: str) -> None:
    for name, text in OTHERS.items():
        (folder / name).write_text(text)
    words, said = WRONG[case]
    words = words if "--person-risks" in words else [*words, "--person-risks", "fell.csv"]
    assert said in error_without_a_trace(capsys, folder, ["attack", *words])


def test_a_file_that_cannot_be_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "broken.parquet").write_bytes(b"PAR1 and nothing else")
    assert "broken.parquet" in error_of(capsys, ["attack", "o.csv", "broken.parquet", *NAMED])
    if os.geteuid():
        (folder / "r.csv").chmod(0)
        assert "r.csv" in error_of(capsys, ["attack", *ITEM])

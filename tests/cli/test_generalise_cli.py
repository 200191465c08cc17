"""`singleout deidentify generalise`: its JSON, its page, one-line errors, files whole or not there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from singleout import generalise
from singleout.cli.main import main
from tests.support.command_line import document_of, error_of, page_of

CONTRACT = {
    "levels", "loss", "k", "classes", "suppressed", "lattice", "evaluated", "optimal", "alternatives"
}  # fmt: skip
TABLE = """who,age,town,illness,note
a,21,Ulm,flu,n1
b,22,Ulm,gout,n2
c,21,Hof,flu,n3
d,22,Hof,gout,n4
e,38,Kiel,flu,n5
f,39,Kiel,gout,n6
"""
AGES = [{"type": "raw"}, {"type": "interval", "width": 10}, {"type": "suppress"}]
STEPS = ["deidentify", "generalise"]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    folder = tmp_path / "levels"
    folder.mkdir()
    (folder / "town.csv").write_text("Ulm;south;*\nHof;south;*\nKiel;north;*\n")
    (folder / "rules.json").write_text(json.dumps({"attributes": {"age": {"levels": AGES}}}))
    path = tmp_path / "small.csv"
    path.write_text(TABLE)
    return path


@pytest.fixture
def in_folder(table: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(table.parent)
    return table.parent


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    return document_of(capsys, [*STEPS, *words])


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def show(*words: str) -> str:
        return page_of(monkeypatch, capsys, [*STEPS, *words])

    return show


# The contract


def test_json_is_what_python_returns(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(capsys, "small.csv", "--hierarchies", "levels", "--k", "2", "--out", "out.csv")
    assert found.keys() >= CONTRACT
    assert (found["levels"], found["k"], found["classes"]) == ({"age": 1, "town": 0}, 2, 3)
    assert (found["suppressed"], found["lattice"], found["optimal"]) == (0, 9, True)
    assert {"levels", "loss", "suppressed"} <= found["alternatives"][0].keys()
    assert found["definitions"].keys() == {"loss", "k", "classes", "highest_risk", "average_risk"}
    same = generalise("small.csv", hierarchies="levels", k=2, out="out.csv")
    assert found == json.loads(json.dumps(same.to_dict()))
    assert (in_folder / "out.csv").read_text() == (
        '"age","town"\n"20-29","Hof"\n"20-29","Hof"\n"20-29","Ulm"\n"20-29","Ulm"\n"30-39","Kiel"\n"30-39","Kiel"\n'
    )
    assert (in_folder / "small.csv").read_text() == TABLE


def test_every_option_reaches_python(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "small.csv", "--hierarchies", "levels/rules.json", "--columns", "town,age", "--user", "who",
        "--k", "2", "--suppress", "0.4", "--average-risk", "0.5", "--l-diversity", "2", "--t-closeness",
        "0.5", "--t-distance", "ordered", "--sensitive", "illness", "--loss", "levels", "--importance",
        "age=2,town=0.5", "--levels", "town=1", "--alternatives", "2", "--minimal", "--nodes", "100",
        "--seconds", "100", "--out", "out.parquet", "--fixed", "note", "--order", "shuffled",
        "--keep-suppressed", "--diary", "diary.json", "--missing", "drop", "--threads", "1", "--seed", "3",
        "--memory", "1GB",
    ]  # fmt: skip
    found = asked(capsys, *words)
    same = generalise(
        "small.csv", hierarchies="levels/rules.json", columns=["town", "age"], user="who", k=2, suppress=0.4,
        average_risk=0.5, diverse=2, close=0.5, closeness="ordered", sensitive=["illness"], loss="levels",
        weights={"age": 2, "town": 0.5}, levels={"town": 1}, alternatives=2, minimal=True, nodes=100,
        seconds=100, out="out.parquet", keep=["note"], order="shuffled", keep_suppressed=True,
        diary="diary.json", missing="drop", threads=1, seed=3, memory="1GB",
    )  # fmt: skip
    assert found == json.loads(json.dumps(same.to_dict()))
    assert (found["levels"]["town"], found["seed"], found["missing"]) == (1, 3, "drop")
    assert found["goals"] == {
        "k": 2, "suppress": 0.4, "average_risk": 0.5, "diverse": 2, "close": 0.5, "closeness": "ordered",
        "entropy_l": None, "recursive_c": None, "recursive_l": 2, "beta_basic": None, "beta_enhanced": None,
        "delta": None, "delta_of_present": None, "alpha": None, "k_map": None, "presence": None,
    }  # fmt: skip
    assert any("town: no hierarchy is given" in remark for remark in found["remarks"])
    assert json.loads((in_folder / "diary.json").read_text())["levels"] == found["levels"]


def test_a_release_beside_the_hierarchies_can_be_made_again(
    in_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (in_folder / "town.csv").write_text("Ulm;*\nHof;*\nKiel;*\n")
    words = ["small.csv", "--hierarchies", ".", "--k", "2", "--out", "release.csv"]
    first = asked(capsys, *words)
    assert asked(capsys, *words)["levels"] == first["levels"] == {"town": 0}


# The page


@pytest.mark.parametrize("share", ["0", "0.04"])
def test_page_of_adult(page: Callable[..., str], arx_adult: Path, tmp_path: Path, share: str) -> None:
    words = [str(arx_adult / "adult.csv"), "--hierarchies", str(arx_adult), "--k", "5", "--suppress", share]
    shown = page(*words, "--out", str(tmp_path / "out.csv"))
    loss, gone, left = {
        "0": ("0.57315", "No record is suppressed", "30,162"),
        "0.04": ("0.26611", "1,178 of 30,162 records (3.9%) are suppressed", "28,984"),
    }[share]
    assert re.search(r"Every released record is one of at least \d+ records alike \(k-anonymity\): ", shown)
    assert f"The loss is {loss}, and no other generalisation that reaches the goals loses less" in shown
    assert "of 12,960 generalisations were counted, the others ruled out" in shown
    assert gone in shown
    assert f"holds {left} records. It was read back and counted again" in shown
    assert "Nearly as good" in shown


@pytest.mark.usefixtures("in_folder")
def test_page_of_people_and_sensitive_values(page: Callable[..., str]) -> None:
    words = ["small.csv", "--hierarchies", "levels", "--user", "who", "--k", "2"]
    shown = page(*words, "--minimal", "--l-diversity", "2", "--t-closeness", "0.5", "--sensitive", "illness")
    assert "small.csv: 6 records of 6 people" in shown
    assert (
        "fits at least 2 people (k-anonymity), among them at least 2 values of illness (l-diversity), with"
        in shown
    )
    assert "Nothing is written: add --out FILE" in shown
    assert "can't be made finer in any attribute (minimal)" in shown
    assert "age 1 of 2 " in shown
    stopped = page(*words, "--nodes", "1")
    assert "the least found before the search was stopped" in stopped
    assert "None of the others can lose less than" in stopped
    alone = page("small.csv", "--hierarchies", "levels", "--user", "who", "--k", "3", "--suppress", "0.4")
    assert "2 of 6 records (33.3%), and with them 2 people, are suppressed" in alone


# Bad input


def failing(capsys: pytest.CaptureFixture[str], code: int, *words: str) -> str:
    return error_of(capsys, [*STEPS, *words], code)


K = ["--k", "2"]
USUAL = ["--hierarchies", "levels", *K]
WRONG: dict[str, tuple[list[str], str]] = {
    "no goal": (["--hierarchies", "levels"], "say what to reach: k"),
    "no hierarchies": (K, "--hierarchies"),
    "no step": (["--hierarchies", "levels", "--k", "2", "--nope"], "unrecognized arguments: --nope"),
    "k of 0": ([*USUAL, "--k", "0"], "k: 0 is no size of a class; write a whole number, 1 or more"),
    "negative k": ([*USUAL, "--k", "-3"], "k: -3 is no size of a class"),
    "half a k": ([*USUAL, "--k", "2.5"], "--k: '2.5' is no whole number; write it in digits"),
    "share above 1": ([*USUAL, "--suppress", "1.5"], "suppress: 1.5 is no share; write a number from 0 to 1"),
    "share that is no number": ([*USUAL, "--suppress", "nan"], "suppress: nan is no share"),
    "negative risk": ([*USUAL, "--average-risk", "-0.1"], "average_risk: -0.1 is no share"),
    "two at once": ([*USUAL, "--k", "0", "--t-closeness", "7"], "close: 7.0 is no share"),
    "larger than the table": (
        [*USUAL, "--k", "7"],
        "k: a class of 7 can't be had, for there are 6 records; ask for less",
    ),
    "larger than all people": (
        [*USUAL, "--k", "7", "--user", "who"],
        "k: a class of 7 can't be had, for there are 6 people; ask for less",
    ),
    "unknown column": ([*USUAL, "--columns", "agee,town"], "there is no column 'agee'; did you mean 'age'?"),
    "unknown sensitive": ([*USUAL, "--sensitive", "ilness"], "there is no column 'ilness'; did you mean"),
    "unknown user": ([*USUAL, "--user", "whom"], "there is no column 'whom'; did you mean 'who'?"),
    "unknown kept": ([*USUAL, "--out", "out.csv", "--fixed", "nota"], "there is no column 'nota'; did"),
    "nothing generalised": (
        [*USUAL, "--sensitive", "age,town"],
        "no column is left to generalise; name some by --columns",
    ),
    "out without ending": ([*USUAL, "--out", "out"], "out: end the name in .csv, .parquet"),
    "out of another kind": ([*USUAL, "--out", "out.pdf"], "out.pdf: end the name in .csv, .parquet"),
    "out is the input": ([*USUAL, "--out", "small.csv"], "small.csv: belongs to the data that is read"),
    "diary is the input": ([*USUAL, "--diary", "small.csv"], "small.csv: belongs to the data that is read"),
    "out in no folder": ([*USUAL, "--out", "no/out.csv"], "no/out.csv: no such file or directory"),
    "diary in no folder": ([*USUAL, "--diary", "no/d.json"], "no/d.json: no such file or directory"),
    "diary is a folder": ([*USUAL, "--diary", "levels"], "levels: is a folder; name a file in it"),
    "diary is out": (
        [*USUAL, "--out", "out.csv", "--diary", "./out.csv"],
        "out.csv: the release and its diary need two files",
    ),
    "keep what is generalised": (
        [*USUAL, "--out", "out.csv", "--fixed", "note,age"],
        "--fixed: 'age' is generalised; it can't be kept as it is too",
    ),
    "keep without out": ([*USUAL, "--fixed", "note"], "are about a release; name its file by --out"),
    "stars without out": ([*USUAL, "--keep-suppressed"], "are about a release; name its file by --out"),
    "sensitive user": (
        [*USUAL, "--user", "who", "--sensitive", "who"],
        "'who' is the user column; it can't be sensitive too",
    ),
    "user among the columns": ([*USUAL, "--user", "who", "--columns", "who,age"], "'who' is the user column"),
    "sensitive and generalised": (
        [*USUAL, "--columns", "age,illness", "--sensitive", "illness"],
        "'illness' is sensitive, and is released as it is; don't generalise it too",
    ),
    "diverse in what": ([*USUAL, "--l-diversity", "2"], "the like are about sensitive columns"),
    "close to what": ([*USUAL, "--t-closeness", "0.2"], "the like are about sensitive columns"),
    "too diverse": (
        [*USUAL, "--l-diversity", "3", "--sensitive", "illness"],
        "--l-diversity: 3 different values can't be had, for 'illness' has 2; ask for less",
    ),
    "no loss": ([*USUAL, "--loss", "los"], "invalid choice: 'los'"),
    "weights of classes": (
        [*USUAL, "--loss", "discernibility", "--importance", "age=2"],
        "--importance: discernibility is counted over classes; only losses of attributes have some",
    ),
    "negative weight": ([*USUAL, "--importance", "age=-1"], "--importance: -1.0 for 'age' is no weight"),
    "weight of another": ([*USUAL, "--importance", "note=1"], "'note' is not generalised; there are"),
    "weight of nothing": ([*USUAL, "--importance", "age"], "write it like age=2,sex=0.5"),
    "no such level": ([*USUAL, "--levels", "age=3"], "levels: 'age' has no level 3; there are 0 to 2"),
    "level of another": ([*USUAL, "--levels", "tow=1"], "levels: 'tow' is not generalised; did you mean"),
    "half a level": ([*USUAL, "--levels", "age=1.5"], "write it like age=2,sex=0"),
    "fewer than none": ([*USUAL, "--alternatives", "-1"], "alternatives: -1 is no such number"),
    "no nodes": ([*USUAL, "--nodes", "0"], "nodes: 0 is no such number; write a whole one"),
    "negative time": ([*USUAL, "--seconds", "-1"], "seconds: -1.0 is no time"),
    "wildcard": ([*USUAL, "--missing", "wildcard"], "invalid choice: 'wildcard'"),
    "no order": ([*USUAL, "--order", "random"], "invalid choice: 'random'"),
    "no threads": ([*USUAL, "--threads", "0"], "threads must be a whole number from 1 to 256"),
    "hierarchies nowhere": (["--hierarchies", "nowhere", *K], "nowhere: there is no such file or folder"),
    "hierarchies in an empty folder": (
        ["--hierarchies", "empty", *K],
        "empty: has no hierarchy of any column; name a CSV file after its column, as in age.csv",
    ),
    "hierarchies of another kind": (["--hierarchies", "a.txt", *K], "a.txt: hierarchies are a folder"),
    "hierarchies that are no JSON": (["--hierarchies", "bad.json", *K], "bad.json: is not JSON"),
    "hierarchies of others": (["--hierarchies", "other.json", *K], "the table has no column 'shoes'"),
    "values unknown to the hierarchies": (
        ["--hierarchies", "gaps", *K],
        "age: 3 values are not in age.csv; add a row for each; "
        "town: 1 value is not in town.csv; add a row for each",
    ),
    "levels that split": (
        ["--hierarchies", "split", *K],
        "town: level 2 is no coarsening of level 1: two values that are alike at level 1 differ at level 2",
    ),
    "rules that do not fit": (["--hierarchies", "unfit.json", *K], "town: 3 values are no numbers; "),
    "twice": (["--hierarchies", "twice", *K], "both have a hierarchy of 'town'; keep one"),
}  # fmt: skip


@pytest.fixture
def odd_places(in_folder: Path) -> Path:
    for name in ("empty", "gaps", "split", "twice"):
        (in_folder / name).mkdir()
    (in_folder / "a.txt").write_text("")
    (in_folder / "bad.json").write_text("{")
    (in_folder / "other.json").write_text(json.dumps({"attributes": {"shoes": {"levels": AGES}}}))
    (in_folder / "unfit.json").write_text(json.dumps({"attributes": {"town": {"levels": AGES}}}))
    (in_folder / "gaps" / "age.csv").write_text("21;*\n")
    (in_folder / "gaps" / "town.csv").write_text("Hof;*\nKiel;*\n")
    (in_folder / "split" / "town.csv").write_text("Hof;south;east;*\nUlm;south;west;*\nKiel;north;west;*\n")
    for name in ("town.csv", "small_hierarchy_town.csv"):
        (in_folder / "twice" / name).write_text("Ulm;*\nHof;*\nKiel;*\n")
    return in_folder


@pytest.mark.parametrize("case", WRONG)
def test_one_line_and_no_file(odd_places: Path, capsys: pytest.CaptureFixture[str], case: str) -> None:
    before = sorted(path.relative_to(odd_places) for path in odd_places.rglob("*"))
    words, said = WRONG[case]
    with_out = (
        words if {"--out", "--fixed", "--keep-suppressed"} & set(words) else [*words, "--out", "out.csv"]
    )
    assert said in failing(capsys, 2, "small.csv", *with_out)
    assert sorted(path.relative_to(odd_places) for path in odd_places.rglob("*")) == before
    assert (odd_places / "small.csv").read_text() == TABLE


NOT_REACHED: dict[str, tuple[list[str], str]] = {
    "a column in the way": (
        ["--hierarchies", "stiff", "--k", "3"],
        "no generalisation reaches this: at the highest levels the smallest class has 2 of 3 records, 6 of 6 "
        "records would have to be suppressed and none may be; 'town' stands in the way: without it the goals "
        "would be reached; give it a coarser level, leave it out, or allow more to be suppressed",
    ),
    "too few may go": (
        ["--hierarchies", "stiff", "--k", "3", "--suppress", "0.5"],
        "6 of 6 records would have to be suppressed and 3 may be; 'town' stands in the way",
    ),
    "levels that were chosen": (
        ["--hierarchies", "levels", *K, "--levels", "age=0,town=0"],
        "at the highest levels that your choice leaves the smallest class has 1 of 2 records, 6 of 6 records "
        "would have to be suppressed and none may be; 'age' stands in the way",
    ),
    "two columns in the way": (
        ["--hierarchies", "levels", "--k", "5", "--levels", "age=1,town=1"],
        "6 of 6 records would have to be suppressed and none may be; no single column stands in the way",
    ),
    "people": (
        ["--hierarchies", "stiff", "--k", "3", "--user", "who"],
        "the smallest class has 2 of 3 people",
    ),
    "an average": (
        ["--hierarchies", "levels", "--average-risk", "0.1"],
        "the average risk is 0.167 where 0.1 is allowed",
    ),
    "sensitive values": (
        ["--hierarchies", "levels", "--l-diversity", "2", "--sensitive", "illness", "--levels", "age=0"],
        "a class has 1 of 2 different sensitive values, 6 of 6 records would have to be suppressed",
    ),
    "far from the table": (
        ["--hierarchies", "levels", "--t-closeness", "0.1", "--sensitive", "illness", "--levels", "age=0"],
        "a class is 0.5 from the table where 0.1 is allowed",
    ),
    "no time": (
        ["--hierarchies", "levels", *K, "--seconds", "0", "--levels", "age=0"],
        "allow more nodes or",
    ),
}


@pytest.mark.parametrize("case", NOT_REACHED)
def test_what_is_not_reached_is_said_with_how_near_it_came(
    in_folder: Path, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    (in_folder / "stiff").mkdir()
    (in_folder / "stiff" / "town.csv").write_text("Ulm\nHof\nKiel\n")
    (in_folder / "stiff" / "age.json").write_text(json.dumps({"attributes": {"age": {"levels": AGES}}}))
    before = sorted(in_folder.rglob("*"))
    words, said = NOT_REACHED[case]
    assert said in failing(capsys, 1, "small.csv", *words, "--out", "out.csv", "--diary", "diary.json")
    assert sorted(in_folder.rglob("*")) == before


@pytest.mark.parametrize(
    ("content", "words", "said"),
    [
        ("age,town\n", [], "tiny.csv: has column names but no records"),
        ("age,town\n,Ulm\n21,\n", ["--missing", "drop"], "tiny.csv: no record has a value in every column"),
        (
            "who,age,town\n,1,Ulm\n",
            ["--user", "who"],
            "the user column 'who' holds nothing but missing values",
        ),
    ],
)
def test_tables_with_nothing_in_them(
    in_folder: Path, capsys: pytest.CaptureFixture[str], content: str, words: list[str], said: str
) -> None:
    (in_folder / "tiny.csv").write_text(content)
    assert said in failing(capsys, 2, "tiny.csv", "--hierarchies", "levels", "--k", "1", *words)


def test_a_step_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["deidentify"], ["deidentify", "generalize"]):
        with pytest.raises(SystemExit) as left:
            main(words)
        assert left.value.code == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert err.startswith("error: ")


@pytest.mark.usefixtures("in_folder")
def test_goals_by_the_names_of_the_field(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["small.csv", "--hierarchies", "levels", "--sensitive", "illness", "--json"]
    ours = asked(capsys, *words, "--l-diversity", "2", "--t-closeness", "0.2")
    assert asked(capsys, *words, "--l-diversity", "2", "--t-closeness", "0.2")["levels"] == ours["levels"]
    assert min(ours["diversity"].values()) >= 2


def test_local_levels_by_command(
    in_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("small.csv", "--hierarchies", "levels", "--k", "2", "--local")
    found = asked(capsys, *words, "--out", "local.csv", "--diary", "local.json")
    assert {"rounds", "loss", "bound", "k", "suppressed", "local"} <= {*found}
    assert sum(each["records"] for each in found["rounds"]) == 6 and found["k"] >= 2
    assert {*found["rounds"][0]} == {"levels", "records", "loss"}
    assert (in_folder / "local.csv").is_file() and "recoded" in json.loads(
        (in_folder / "local.json").read_text()
    )
    page = page_of(monkeypatch, capsys, [*STEPS, *words])
    assert "Different records have different levels (local recoding)" in page
    assert "what lies between is not known" in page


@pytest.mark.usefixtures("in_folder")
def test_local_levels_take_no_options_of_the_search(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*STEPS, "small.csv", "--hierarchies", "levels", "--k", "2", "--local", "--minimal"]
    assert "--local tries no generalisation as a whole" in error_of(capsys, words)
    words = [*words[:-1], "--k-map", "3", "--sampled", "0.1"]
    assert "--local can't estimate how many people are like those of a class" in error_of(capsys, words)


@pytest.mark.usefixtures("in_folder")
def test_local_levels_tell_who_is_hidden_among_everybody(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*STEPS, "small.csv", "--hierarchies", "levels", "--k-map", "2", "--local", "--user", "none"]
    page = page_of(monkeypatch, capsys, [*words, "--reference", "small.csv", "--reference-user", "none"])
    assert "and at least 2 people of the reference (k-map), of whom the table has from 1 to 1" in page

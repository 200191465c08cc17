"""`singleout compare`: its JSON, its pages, the drawing, one-line errors."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from singleout import CsvFormat, compare
from singleout.cli.main import main
from tests.support.command_line import (
    as_parquet,
    document_of,
    error_without_a_trace,
    folder_with,
    is_what_python_returns,
    named_safely,
    pages,
    same_on_any_threads,
)  # fmt: skip

UTILITY = {"name", "value", "better", "range", "of", "reason"}
PRIVACY = {"name", "rate", "identified", "baseline", "low", "high", "bound", "knowledge"}
ORIGINAL = """who,goods,day,price,usage,age
ann,tea,2011-01-30,1.5,bus,31
ann,milk,2011-01-31,2,bus,31
bob,tea,2011-01-31,0.1,tram,35
cid,salt,2011-02-03,0.2,bus,40
dot,rice,2011-02-03,7,,40
"""
RELEASE = """who,goods,day,price,usage,age
p,tea,2011-01-31,0.1,tram,30-39
q,tea,2011-01-30,1.5,bus,30-39
q,milk,2011-01-31,2,bus,30-39
r,salt,2011-02-04,0.2,bus,40-49
s,salt,2011-02-04,9,bus,*
"""
SMALL = "who,goods,day,price\np,tea,2011-01-31,0.1\nq,tea,2011-01-30,1.5\n"
FILES = {
    "o.csv": ORIGINAL,
    "r.csv": RELEASE,
    "small.csv": SMALL,
    "truth.csv": "release_user,original_user\np,bob\nq,ann\nr,cid\ns,\n",
    "small_truth.csv": "release_user,original_user\np,bob\nq,ann\n",
    "levels.json": json.dumps(
        {"attributes": {"age": {"levels": [{"type": "raw"}, {"type": "interval", "width": 10}]}}}
    ),
    "m.csv": "who,sex\nann,f\nbob,m\ncid,m\ndot,f\n",
    "m_new.csv": "who,sex\np,m\nq,f\nr,m\ns,f\n",
}
TOLD = ["o.csv", "r.csv", "--truth", "truth.csv", "--user", "who"]
TWO = ["o.csv", "r.csv", "small.csv", "--truth", "truth.csv", "--truth", "small_truth.csv", "--user", "who"]
# one release lacks the column of the only attack
UNATTACKED = [*TWO, "--category", "usage", "--attacks", "categories"]
PARTS = ["--item", "goods", "--amount", "price", "--time", "day", "--category", "usage"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return folder_with(FILES, tmp_path, monkeypatch)


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    return document_of(capsys, ["compare", *words])


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    return pages(monkeypatch, capsys, "compare")


# The document


def test_json_is_what_python_returns(capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(capsys, *TOLD, *PARTS)
    assert all(each.keys() >= UTILITY for each in found["utility"])
    assert all(each.keys() >= PRIVACY for each in found["privacy"])
    assert all(each["better"] in ("lower", "higher", "neither") for each in found["utility"])
    assert (found["original"], found["release"], found["people"], found["made_up"]) == (
        "o.csv",
        "r.csv",
        4,
        1,
    )
    values = {each["name"]: each["value"] for each in found["utility"]}
    assert (values["people_kept"], values["u4_records_by_person"]) == (0.75, 0.4)
    rates = {each["name"]: each["rate"] for each in found["privacy"]}
    # over the three who are real: the fourth was made up
    assert rates["jaccard"] == rates["best"] == 1.0
    assert {"people_kept", "total_variation", "attack.rate"} <= found["definitions"].keys()
    same = compare(
        "o.csv", "r.csv", truth="truth.csv", user="who", item="goods", amount="price", time="day",
        category="usage",
    )  # fmt: skip
    assert is_what_python_returns(found, same)


def test_json_of_several(capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(capsys, *TWO, *PARTS)
    assert [each["release"] for each in found["releases"]] == ["r.csv", "small.csv"]
    assert all({"utility", "privacy", "people", "remarks"} <= each.keys() for each in found["releases"])
    assert sorted(each["release"] for each in found["ranking"]) == ["r.csv", "small.csv"]
    overall = [each["overall"] for each in found["ranking"]]
    assert overall == sorted(overall)
    for each in found["ranking"]:
        assert each["overall"] == (each["utility_rank"] + each["privacy_rank"]) / 2
        assert each["better_than_original"] == (each["overall"] < found["boundary"])
    assert found["releases"][1]["lacking"] == ["usage", "age"]


def test_every_option_reaches_python(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "old.csv").write_text(ORIGINAL.replace(",", ";"))
    (folder / "new.csv").write_text(RELEASE.replace("who,goods", "person,article", 1).replace(",", ";"))
    (folder / "m_new.csv").write_text(FILES["m_new.csv"].replace("who", "person"))
    (folder / "more.csv").write_text(FILES["truth.csv"] + "t,ann\n")
    (folder / "study.toml").write_text('[columns]\nwho = "user"\nusage = "ignore"\n')
    words = [
        "old.csv", "new.csv", "--header", "yes", "--types", "price=number", "--truth", "more.csv",
        "--without-records", "--user", "who", "--release-user", "person", "--renamed", "goods=article",
        "--study", "study.toml", "--item", "goods", "--time", "day", "--amount", "price", "--number", "price",
        "--receipt", "day", "--category", "usage", "--entry", "usage", "--exit", "goods", "--routes",
        "usage,goods", "--place", "age", "--groups", "sex", "--people-table", "m.csv",
        "--release-people-table", "m_new.csv", "--columns", "day,goods,price", "--missing", "drop",
        "--hierarchies", "levels.json", "--attacks", "places,jaccard,amount", "--points", "1,2",
        "--seed", "4", "--threads", "1", "--memory", "1GB", "--engine", "duckdb",
    ]  # fmt: skip
    found = asked(capsys, *words)
    format_ = CsvFormat(header=True, types={"price": "number"})
    same = compare(
        "old.csv", "new.csv", truth="more.csv", csv=format_, release_csv=format_, without_records=True,
        user="who", release_user="person", renamed={"goods": "article"}, study="study.toml", item="goods",
        time="day", amount="price", number="price", receipt="day", category="usage", entry="usage",
        exit="goods", routes=["usage", "goods"], location="age", groups=["sex"], people_table="m.csv",
        release_people_table="m_new.csv", columns=["day", "goods", "price"], missing="drop",
        hierarchies="levels.json", attacks=["places", "jaccard", "amount"], points=[1, 2], seed=4, threads=1,
        memory="1GB", engine="duckdb",
    )  # fmt: skip
    assert is_what_python_returns(found, same)
    names = {each["name"] for each in found["utility"]}
    assert {"loss", "u1_cmae", "u2_cmae", "u6_records_by_entry", "u8_records_by_route", "u3_rfm"} <= names
    assert {each["name"] for each in found["privacy"]} == {
        "jaccard", "amount", "places", "combined", "points_1", "points_2", "best",
    }  # fmt: skip
    # ann has two names, and is one person
    assert (found["people"], found["original_people"], found["seed"], found["missing"]) == (4, 4, 4, "drop")
    # 30-39 stands for 2 of 3 ages, 40-49 for 1, * for all: (1/2·3 + 0 + 1)/5
    assert next(each for each in found["utility"] if each["name"] == "loss")["value"] == 0.5
    less = asked(capsys, *TOLD, "--metrics", "people_kept,records_true", "--no-privacy")
    assert [each["name"] for each in less["utility"]] == ["people_kept", "records_true"]
    assert less["privacy"] == []


def test_the_same_seed_prints_the_same_text(capsys: pytest.CaptureFixture[str]) -> None:
    same_on_any_threads(capsys, ["compare", *TWO, *PARTS, "--seed", "7"])


def test_settings_of_csv_files_are_for_csv_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    as_parquet(folder, "o")
    words = ["--truth", "truth.csv", "--user", "who", "--types", "day=date,price=number", *PARTS]
    found = asked(capsys, "o.parquet", "r.csv", *words, "--delimiter", ",")
    assert found["utility"] == asked(capsys, *TOLD, *PARTS)["utility"]


def test_the_original_with_itself_has_lost_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(capsys, "o.csv", "o.csv", "--user", "who", *PARTS)
    for each in found["utility"]:
        if each["better"] != "neither":
            assert each["value"] == each["range"][0 if each["better"] == "lower" else 1]
    assert any("the release is the original itself" in remark for remark in found["remarks"])


# The pages


def test_page_of_one(page: Callable[..., str]) -> None:
    shown = page(*TOLD, *PARTS, "--all")
    assert shown.startswith("r.csv beside o.csv: 5 records of 4 people, where there were 5 of 4")
    assert "The best attack, jaccard, recognises 100.0% of 3 people (95% interval 43.9% to 100.0%)" in shown
    assert "people_kept 0.75 1 share" in shown
    assert "u4_records_by_person 0.4 0 records" in shown
    assert re.search(r"jaccard 3 100\.0% 43\.9–100\.0% \S+ 18\.8% 100\.0%", shown)
    assert re.search(r"goods 0\.2 – – – ", shown)
    assert "people_kept: What share of the people is still there?" in shown
    assert "missing: a missing value is a value of its own" in shown


def test_a_page_has_one_line_a_family_of_metrics(
    page: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    """All metrics that can be judged are counted in one of them; what is unknown is told as ever."""
    found = asked(capsys, *TOLD, *PARTS)
    judged = sum(each["better"] != "neither" and each["value"] is not None for each in found["utility"])
    shown = page(*TOLD, *PARTS)
    counted = re.findall(r"(?<= )\d+ of (\d+) (?:–|no range|[0-9.]+%)", shown)
    assert sum(map(int, counted)) == judged
    assert "u4_records_by_person 0.4 0 records" not in shown
    assert "--all tells every metric" in shown
    assert re.search(r"jaccard 3 100\.0%", shown)


def test_page_without_privacy_and_with_unknowns(page: Callable[..., str]) -> None:
    words = ["o.csv", "small.csv", "--truth", "small_truth.csv", "--user", "who", *PARTS, "--no-privacy"]
    shown = page(*words)
    assert "The release lacks usage, age." in shown
    assert "What is unknown" in shown
    assert "u10_records_by_category the release has no column 'usage'" in shown
    assert "rate:" not in shown
    assert "Who is recognised" not in shown


def test_page_of_several(page: Callable[..., str]) -> None:
    shown = page(*TWO, *PARTS)
    assert shown.startswith("2 releases beside o.csv: 5 records of 4 people")
    assert re.search(
        r"[AB], \S+\.csv,? .*mean of the ranks for utility and privacy [0-9.]+, the untouched", shown
    )
    assert re.search(r"● the original, o\.csv 1 \S+ \S+ 100\.0% boundary", shown)
    assert "100% ┤" in shown
    assert re.search(r"jaccard 100\.0% 50\.0% 100\.0%", shown)
    assert re.search(r"people_kept 0\.75 0\.5 1 ", shown)
    assert "B u10_records_by_category" in shown


def test_page_of_the_original_itself_counts_what_can_be_as_before(
    page: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    """How many records are released is neither better nor worse, and not counted."""
    found = asked(capsys, "o.csv", "o.csv", "--user", "who", *PARTS)
    judged = sum(each["better"] != "neither" and each["value"] is not None for each in found["utility"])
    shown = page("o.csv", "o.csv", "--user", "who", *PARTS)
    assert f"Of {judged} metrics of utility {judged} are as in an untouched table." in shown
    assert judged < len(found["utility"])
    only = page("o.csv", "o.csv", "--user", "who", "--metrics", "records_released", "--no-privacy")
    assert "are as in an untouched table" not in only


def test_page_says_what_is_missing_by_the_rule(page: Callable[..., str]) -> None:
    shown = page(*TOLD, *PARTS, "--missing", "drop")
    assert "missing: records without a user are left out, and attacks leave out what is missing in" in shown
    assert "utility is measured on all other records, a missing value being a value of its own" in shown


@pytest.mark.parametrize("tables", [TOLD, TWO], ids=["one", "several"])
def test_definitions_are_a_line_each_and_of_every_metric(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tables: list[str]
) -> None:
    every = ["--receipt", "day", "--entry", "usage", "--exit", "goods", "--routes", "usage,goods"]
    words = [*tables, *PARTS, *every, "--number", "age", "--place", "usage", "--groups", "usage"]
    measures = [*asked(capsys, *words)["definitions"]]
    names = [each for each in measures if not each.startswith(("attack.", "ranking."))]
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["compare", *words, "--all"]) == 0
    text = capsys.readouterr().out
    lines = text[text.index("\npeople_kept: ") + 1 : text.index("\nmissing: ")].splitlines()
    terms = [line.partition(": ")[0] for line in lines]
    assert all(re.fullmatch(r"[a-z0-9_]+(\.[a-z_]+)?: \w.+", line) for line in lines)
    assert [each for each in names if each not in terms and each.partition(".")[0] not in terms] == []
    assert {"item_popularity.top_kept", "item_popularity.rank_correlation", "counts"} <= {*terms}


def test_page_of_one_that_cannot_be_attacked(page: Callable[..., str]) -> None:
    shown = page(*UNATTACKED)
    assert "No release is a better bargain than the untouched original" in shown
    assert "The risk of B (small.csv) is unknown: no attack was made" in shown
    assert re.search(r"B small\.csv \S+ – – – ●", shown)
    field = shown[shown.index("100% ┤") : shown.index("(worst)")]
    assert "A" in field
    assert "B" not in field


def test_page_of_many(folder: Path, page: Callable[..., str]) -> None:
    names = [f"{'long' * 12}_{place}.csv" for place in range(6)]
    for place, name in enumerate(names):
        (folder / name).write_text(RELEASE.replace("1.5", str(place)))
    shown = page(
        "o.csv", *names, "--truth", "truth.csv", "--user", "who", "--item", "goods", "--attacks", "jaccard"
    )
    assert "6 releases beside o.csv" in shown
    assert "F …glonglong" in shown
    only = page("o.csv", *names[:2], "--truth", "truth.csv", "--user", "who", "--no-privacy")
    assert "Which release is the best bargain can't be said: that takes both utility and attacks." in only


def test_a_name_does_not_steer_the_terminal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named_safely(capsys, folder, ["compare", *TOLD, "--all"])


# The drawing


def test_plot_is_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked(capsys, *TWO, *PARTS, "--plot", "ranks.svg")
    said = "".join(xml.etree.ElementTree.parse(folder / "ranks.svg").getroot().itertext())
    assert "r.csv" in said
    assert "small.csv" in said
    assert {path.name for path in folder.iterdir()} == {*FILES, "ranks.svg"}


def test_plot_leaves_out_who_cannot_be_attacked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(capsys, *UNATTACKED, "--plot", "ranks.svg")
    assert [each["privacy_rank"] is None for each in found["ranking"]] == [False, True]
    assert any(each.startswith("small.csv has no privacy rank") for each in found["remarks"])
    said = [*xml.etree.ElementTree.parse(folder / "ranks.svg").getroot().itertext()]
    assert "r.csv" in said
    assert "small.csv" not in said


# Bad input

OTHERS = {
    "empty.csv": "",
    "names_only.csv": "who,goods\n",
    "nobody_named.csv": "who,goods\n,tea\n",
    "other.csv": "who,colour\np,red\n",
    "twice.csv": "who,sex\nann,f\nann,m\n",
    "bad.json": "{",
    "few.json": json.dumps({"attributes": {"agee": {"levels": [{"type": "raw"}]}}}),
}
WRONG: dict[str, tuple[list[str], str]] = {
    "no release": (["o.csv"], "the following arguments are required: RELEASE"),
    "an option that is none": ([*TOLD, "--nope"], "unrecognized arguments: --nope"),
    "a release twice": (["o.csv", "r.csv", "./r.csv", "--user", "who"], "r.csv: is named twice as a release"),
    "too many truths": (
        [*TOLD, "--truth", "truth.csv"],
        "there are 2 truth maps for 1 release; give one for each in their order, or one for all",
    ),
    "too few truths": (
        [
            "o.csv",
            "r.csv",
            "small.csv",
            "o.csv",
            "--truth",
            "truth.csv",
            "--truth",
            "truth.csv",
            "--user",
            "who",
        ],
        "there are 2 truth maps for 3 releases",
    ),
    "a truth that does not fit": (
        ["o.csv", "small.csv", "--truth", "truth.csv", "--user", "who"],
        "release_user not in the release small.csv",
    ),
    "unknown metrics": (
        [*TOLD, "--metrics", "u4_records_by_persons,tottal_variation"],
        "there is no metric 'u4_records_by_persons'; did you mean 'u4_records_by_person'",
    ),
    "an unknown metric among others": (
        [*TOLD, "--metrics", "people_kept,tottal_variation"],
        "there is no metric 'tottal_variation'; did you mean 'total_variation'",
    ),
    "the loss without hierarchies": ([*TOLD, "--metrics", "loss"], "name them by --hierarchies"),
    "an unknown attack": (
        [*TOLD, "--attacks", "nearst"],
        "there is no attack 'nearst'; did you mean 'nearest'",
    ),
    "an attack without its column": (
        [*TOLD, "--attacks", "jaccard"],
        "the attack 'jaccard' needs a column; name it by --item",
    ),
    "attacks without privacy": ([*TOLD, "--no-privacy", "--attacks", "records"], "privacy is not asked for"),
    "an unknown item": ([*TOLD, "--item", "gods"], "has no column 'gods'; did you mean 'goods'?"),
    "unknown columns": (
        [*TOLD, "--columns", "gods,dai"],
        "has no column 'gods'; did you mean 'goods'?; the original o.csv has no column 'dai'",
    ),
    "the user as a category": ([*TOLD, "--category", "who"], "'who' is the user column"),
    "an unknown user": (
        ["o.csv", "r.csv", "--user", "whom"],
        "has no user column 'whom'; did you mean 'who'",
    ),
    "no common columns": (["o.csv", "other.csv", "--user", "who"], "have no column in common to compare"),
    "no original": (["no.csv", "r.csv", "--user", "who"], "no.csv: there is no such file"),
    "a release that is not there": (
        ["o.csv", "r.csv", "no.csv", "--user", "who"],
        "no.csv: there is no such",
    ),
    "an empty release": (["o.csv", "empty.csv", "--user", "who"], "empty.csv: is empty"),
    "a release without records": (
        ["o.csv", "names_only.csv", "--user", "who"],
        "has column names but no records",
    ),
    "a release of nobody": (
        ["o.csv", "nobody_named.csv", "--user", "who"],
        "holds nothing but missing values",
    ),
    "hierarchies that are no JSON": ([*TOLD, "--hierarchies", "bad.json"], "bad.json: is not JSON"),
    "hierarchies of other columns": (
        [*TOLD, "--hierarchies", "few.json"],
        "the table has no column 'agee'; did you mean 'age'",
    ),
    "hierarchies nowhere": ([*TOLD, "--hierarchies", "nowhere"], "nowhere: there is no such file or folder"),
    "people twice": (
        [*TOLD, "--groups", "sex", "--people-table", "twice.csv"],
        "the people table twice.csv: somebody stands in it twice; keep one row for each person",
    ),
    "people without groups": ([*TOLD, "--people-table", "m.csv"], "name its columns by --groups"),
    "people of the release alone": (
        [*TOLD, "--groups", "sex", "--release-people-table", "m_new.csv"],
        "a people table of the release was named and none of the original; name both",
    ),
    "too many people tables": (
        [
            *TOLD,
            "--groups",
            "sex",
            "--people-table",
            "m.csv",
            "--release-people-table",
            "m_new.csv",
            "--release-people-table",
            "m_new.csv",
        ],
        "there are 2 people tables for 1 release",
    ),
    "a plot of one release": ([*TOLD, "--plot", "p.svg"], "--plot draws the ranks of several releases"),
    "a plot without privacy": ([*TWO, "--no-privacy", "--plot", "p.svg"], "in utility and privacy"),
    "a plot of another kind": ([*TWO, "--plot", "p.png"], "p.png: end the name in .svg"),
    "a plot nowhere": ([*TWO, "--plot", "no/p.svg"], "no/p.svg: no such file or directory"),
    "a plot of nothing": (
        [*TWO, "--attacks", "records", "--metrics", "u9_records_by_location", "--plot", "p.svg"],
        "--plot: no release has a rank in both utility and privacy; ask for more metrics or attacks",
    ),
    "a plot of nobody known": (
        ["o.csv", "r.csv", "small.csv", "--user", "who", "--plot", "p.svg"],
        "say who is who by --truth",
    ),
    "odd points": ([*TOLD, "--points", "0"], "points: 0 must be a whole number"),
    "a list of nothing": ([*TOLD, "--metrics", ""], "'' is no list"),
    "too many threads": ([*TOLD, "--threads", "0"], "threads must be a whole number"),
    "settings of CSV files for none": (
        ["o.parquet", "o.parquet", "--user", "who", "--delimiter", ";"],
        "settings of CSV files were given (delimiter)",
    ),
}


@pytest.mark.parametrize("words", WRONG.values(), ids=WRONG.keys())
def test_bad_input_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], words: tuple[list[str], str]
) -> None:
    for name, text in OTHERS.items():
        (folder / name).write_text(text)
    as_parquet(folder, "o")
    assert words[1] in error_without_a_trace(capsys, folder, ["compare", *words[0]])


@pytest.mark.parametrize(
    ("original", "release"),
    [
        ("who,a\nx,1\n", "who,a\nx,1\n"),
        ("who,a\nx,\n", "who,a\nx,\n"),
        ("who,a,b\nx,1,nan\nx,,inf\n", 'who,a,b\nx,-1e300,\nx,2,é"\n'),
        ("who,a\nx,2010/12/1\ny,2010-12-01\n", "who,a\nx,2010-12-01 08:26:00\n"),
        ('who,"a ""b"" ü"\nx,1\ny,2\n', 'who,"a ""b"" ü"\ny,1\n'),
        ("who,a\nx,1\nx,1\n", "who,a\nx,*\n"),
    ],
)
def test_odd_tables_give_numbers(
    folder: Path, capsys: pytest.CaptureFixture[str], original: str, release: str
) -> None:
    (folder / "odd.csv").write_text(original)
    (folder / "odder.csv").write_text(release)
    first = 'a "b" ü' if "ü" in original else "a"
    parts = ["--item", "--time", "--amount", "--category", "--groups"]
    for chosen in (parts, ["--amount"]):
        words = [word for part in chosen for word in (part, first)]
        found = asked(capsys, "odd.csv", "odder.csv", "--user", "who", *words, "--header", "yes")
        assert found["utility"]
        assert all((each["value"] is None) != (each["reason"] is None) for each in found["utility"])

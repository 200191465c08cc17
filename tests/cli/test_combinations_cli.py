"""`singleout combinations`: its JSON, its page, one-line errors, and files that are whole or not there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest
from rich.cells import cell_len

from singleout import combinations
from singleout.cli.main import main
from singleout.engine.column_sets.set_counts import SetCounts
from singleout.engine.databases.duckdb import DuckDbEngine
from singleout.risk.combinations import survey as surveying
from tests.support.command_line import complaint, only_json

TABLE = """who,age,sex,town,day
a,30,f,Zanzibar7,2024-01-01
b,30,f,Nowhere,2024-01-02
c,31,m,Zanzibar7,2024-02-01
c,31,m,Nowhere,2024-02-03
d,32,,Elsewhere,2024-02-03
"""
RAW = ("Zanzibar7", "Nowhere", "Elsewhere", "2024-0")
COSTS = "attribute,granularity,cost\nage,,2\nday,month,1\nday,,2.5\n"
SET_FIELDS = {
    "columns", "smallest_class", "records_at_risk", "people_at_risk", "highest_risk", "average_risk",
}  # fmt: skip
HEADINGS = ["columns", "size", "classes", "smallest_class", "unique", "average_risk", "entropy"]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "costs.csv").write_text(COSTS)
    path = tmp_path / "small.csv"
    path.write_text(TABLE)
    return path


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What a terminal of 80 columns shows; remarks stay apart."""
    monkeypatch.setenv("COLUMNS", "80")

    def show(path: Path, *words: str) -> str:
        assert main(["combinations", str(path), *words]) == 0
        out, err = capsys.readouterr()
        assert re.fullmatch(r"(note: .*\n( .*\n)*)*", err)
        return out

    return show


def asked(path: Path, capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["combinations", str(path), *words, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return only_json(out)


# The contract


def test_allowable_risk(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(table, capsys, "--user", "who", "--allow", "1")
    assert {
        "evaluated",
        "subsets",
        "minimal",
        "safe",
        "not_looked_at",
        "remarks",
        "definitions",
    } <= found.keys()
    assert (found["records"], found["people"], found["subsets"]) == (5, 4, 15)
    for each in (*found["minimal"], *found["safe"]):
        assert each.keys() == SET_FIELDS
    same = combinations(table, user="who", allow=1)
    assert found == json.loads(json.dumps(same.to_dict()))


def test_synergy(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(table, capsys, "--size", "2", "--synergy", "1.5")
    fields = {"columns", "highest_synergy", "mean_synergy", "share", "highest_risk"}
    assert found["combinations"]
    assert all(fields <= each.keys() for each in found["combinations"])
    assert found == json.loads(json.dumps(combinations(table, size=2, synergy=1.5).to_dict()))


def test_price(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--user", "who", "--costs", str(table.parent / "costs.csv"), "--resource", "3.5"]
    found = asked(table, capsys, *words, "--identify", "0.5")
    assert all(each.keys() == {"cost", *SET_FIELDS} for each in found["affordable"])
    fields = {"resource", "columns", "highest_risk", "average_risk"}
    assert all(fields <= each.keys() for each in found["curve"])
    assert found["costs"] == {"age": 2, "sex": 1, "town": 1, "day at month": 1, "day": 2.5}
    assert {"columns", "cost", "share", "reason"} <= found["cheapest"].keys()
    assert any("no cost is given for sex, town" in remark for remark in found["remarks"])
    fewer = asked(table, capsys, *words, "--maximal")
    assert 0 < len(fewer["affordable"]) < len(found["affordable"])
    assert fewer["curve"] == found["curve"]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_every_set(table: Path, capsys: pytest.CaptureFixture[str], ending: str) -> None:
    out = table.parent / f"all.{ending}"
    found = asked(table, capsys, "--user", "who", "--all", "--out", str(out))
    assert found["all"] == {
        "out": str(out), "written": 15, "resumed": 0, "subsets": 15, "not_looked_at": []
    }  # fmt: skip
    read = {"csv": pyarrow.csv.read_csv, "parquet": pyarrow.parquet.read_table}[ending](out)
    assert set(HEADINGS) <= set(read.column_names)
    assert read.num_rows == 15
    assert sorted(path.name for path in table.parent.iterdir()) == sorted(
        [out.name, "costs.csv", "small.csv"]
    )


def test_a_list_can_be_read_back(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`columns` of a line is what `--columns` takes."""
    odd = table.parent / "odd.csv"
    odd.write_text('"a,b","c ""d""", e\n1,1,1\n1,2,2\n2,2,3\n')
    asked(odd, capsys, "--all", "--out", str(table.parent / "all.csv"))
    lines = pyarrow.csv.read_csv(table.parent / "all.csv").to_pylist()
    assert len(lines) == 7
    for line in lines:
        (known,) = asked(odd, capsys, "--known", line["columns"])["known"]
        assert (known["classes"], known["unique"]) == (line["classes"], line["unique"])
        assert len(known["columns"]) == line["size"]


def test_records(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = table.parent / "records.csv"
    found = asked(
        table, capsys, "--columns", "age,town", "--record", "1", "--record", "5", "--record-risks", str(out)
    )
    assert found["singled_out"] == [
        {"record": 1, "minimal": [["age", "town"]], "suda": 1.0},
        {"record": 5, "minimal": [["age"], ["town"]], "suda": 2.0},
    ]
    assert found["contributions"].keys() == {"age", "town"}
    assert len(out.read_text().splitlines()) == 6


def test_costs_in_the_study_file(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = table.parent / "study.toml"
    study.write_text('[columns]\nwho = "user"\n[costs]\nage = 0\ntown = 7\nday = { month = 1, exact = 3 }\n')
    found = asked(table, capsys, "--study", str(study), "--resource", "2")
    assert found["costs"] == {"age": 0, "sex": 1, "town": 7, "day at month": 1, "day": 3}
    assert all("age" in each["columns"] for each in found["affordable"])
    given = asked(table, capsys, "--study", str(study), "--costs", str(table.parent / "costs.csv"))
    assert given["costs"]["age"] == 2


def test_several_questions_at_once(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = "--allow 2 --size 2 --resource 2 --identify 1 --known age --known sex,day --record 3 --seed 5"
    found = asked(table, capsys, *words.split())
    parts = {"minimal", "combinations", "affordable", "cheapest", "known", "singled_out"}
    assert parts <= found.keys()
    assert found["seed"] == 5
    assert [each["columns"] for each in found["known"]] == [["age"], ["sex", "day"]]
    alone = asked(table, capsys, "--known", "age")
    assert not (parts - {"known"}) & alone.keys()


# Bad usage and bad input: one line, exit 2, and no file

BAD: dict[str, tuple[str, str]] = {
    "nothing asked": ("", "say what to look for: allow .*, size and synergy"),
    "N below 1": ("--allow 0", "allow: 0 is no class size; write a whole number, 1 or more"),
    "N is no number": ("--allow few", "argument --allow: 'few' is no whole number"),
    "nothing below 1": ("--allow 1 --strict", "allow: nothing has a class below 1; allow 2 or more"),
    "no such criterion": ("--allow 1 --criterion max", "argument --criterion: invalid choice"),
    "a share of what": ("--allow 1 --share-at-risk 0.1", "--share-at-risk: the criterion worst knows none"),
    "a share of all": ("--allow 1 --criterion share --share-at-risk 1", "1.0 is no share to stay within"),
    "strict about nothing": ("--size 2 --strict", "criterion, share and strict .*; add allow"),
    "largest is none": ("--allow 1 --largest 0", "largest: 0 is no size of a set; write a whole number"),
    "largest of what": ("--size 2 --largest 1", "largest: bounds the sets of allow, record, records and all"),
    "x too large": ("--size 6", "sets of 6: there are only 5 columns; ask for 5 at most"),
    "x below 1": ("--size 0", "size: 0 is no size of a set; write a whole number, 1 or more"),
    "y below 1": ("--size 2 --synergy 0.5", "synergy: 0.5 is always exceeded; write 1 or more"),
    "y is no number": ("--size 2 --synergy inf", "synergy: inf is no number of times; write 1 or more"),
    "y without x": ("--allow 1 --synergy 2", "synergy: is a criterion for .* of one size; add size"),
    "resource is no number": ("--resource abc", "resource: 'abc' is no amount; write a number, 0 or more"),
    "negative resource": ("--resource=-1", "resource: '-1' is no amount; write a number, 0 or more"),
    "maximal of what": ("--allow 1 --maximal", "maximal: is about what a resource buys; add costs or"),
    "identify nobody": ("--identify 0", "identify: 0.0 is no share of people; write a number above 0"),
    "identify too many": ("--identify 1.5", "identify: 1.5 is no share of people; .* and 1 at most"),
    "no such costs file": ("--costs {folder}/none.csv", "none.csv"),
    "costs of another kind": ("--costs {folder}/small.txt", "a file of costs is CSV or JSON"),
    "unknown attribute": (
        "--costs {folder}/unknown.csv",
        "unknown.csv: the table has no column 'agee'; did you mean 'age'",
    ),
    "negative cost": ("--costs {folder}/negative.csv", r"negative.csv: line 2: cost: '-2' is no amount"),
    "all mistakes of the costs": ("--costs {folder}/wrong.csv", "line 2: granularity: .*; line 3: cost: "),
    "a granularity that no day has": ("--costs {folder}/hour.csv", "column 'age' can't be known at 'hour'"),
    "unknown column known": ("--known age,tovn", "there is no column 'tovn'; did you mean 'town'"),
    "the user known": ("--user who --known who", "known: 'who' is the user column"),
    "unknown column": ("--columns age,x --allow 1", "there is no column 'x'"),
    "record 0": ("--record 0", "record 0: there is none; take one from 1 to 5"),
    "record too large": ("--record 2 --record 6", "record 6: there is none; take one from 1 to 5"),
    "record left out": ("--missing drop --record 5", "record 5: there is none with a value in every column"),
    "wildcard": ("--missing wildcard --allow 1", "argument --missing: invalid choice: 'wildcard'"),
    "all to nowhere": ("--all", "all: every set goes into a file; name it by out"),
    "all into the input": ("--all --out {folder}/small.csv", "small.csv: belongs to the data that"),
    "all as text": ("--all --out {folder}/all.txt", "all.txt: end the name in .csv or .parquet"),
    "all into a folder that is not": ("--all --out {folder}/no/all.csv", "no/all.csv: .*choose a folder"),
    "all into the costs": (
        "--all --costs {folder}/costs.csv --out {folder}/costs.csv",
        "costs.csv: is the file of costs that is read; name another file",
    ),
    "both into one": (
        "--all --record-risks {folder}/x.csv --out {folder}/../{name}/x.csv",
        "is the list of records already; name another file",
    ),
    "out of what": ("--allow 1 --out {folder}/all.csv", "out: is for all sets; add all, or name the list"),
    "prune without allow": ("--all --prune --out {folder}/all.csv", "prune: .*; it needs all and allow"),
    "prune without all": ("--allow 1 --prune", "prune: .*; it needs all and allow"),
    "prune by two rules": (
        "--all --prune --allow 1 --resource 2 --out {folder}/all.csv",
        "prune: leaves sets out by their risk, costs and resource by their price; ask for one of them",
    ),
    "nothing to prune": ("--all --prune --allow 9 --out {folder}/a.csv", "prune: the empty set is too risky"),
    "nothing affordable": ("--all --resource 0 --out {folder}/a.csv", "there are no sets of columns"),
    "records into the input": ("--record-risks {folder}/small.csv", "small.csv: belongs to the data that"),
    "records of two kinds": (
        "--allow 1 --size 2 --record-risks {folder}/r.csv",
        "--record-risks: lists minimal sets with allow, synergies with size; ask for one of them",
    ),
    "a sample of none": ("--record-risks {folder}/r.csv --sampled 0", "sampled: 0.0 is no share of the"),
    "a sample of what": ("--allow 1 --sampled 0.5", "sampled: is for the DIS-SUDA scores .*; add records"),
    "bad costs in the study": (
        "--study {folder}/study.toml --resource 1",
        "study.toml: .*'age': cost: -1 is no amount.*'day' at 'week': granularity: there are year",
    ),
    "unknown costs in the study": ("--study {folder}/other.toml --resource 1", "no column 'agee'"),
    "two mistakes": ("--size 0 --maximal", "size: 0 is no size of a set; .*; maximal: is about"),
}  # fmt: skip
BESIDE = {
    "small.txt": "age,cost\n",
    "unknown.csv": "attribute,cost\nagee,1\n",
    "negative.csv": "attribute,cost\nage,-2\n",
    "wrong.csv": "attribute,granularity,cost\nday,week,1\nage,,x\n",
    "hour.csv": "attribute,granularity,cost\nage,hour,1\n",
    "study.toml": "[columns]\n[costs]\nage = -1\nday = { week = 2 }\n",
    "other.toml": "[columns]\n[costs]\nagee = 1\n",
}


@pytest.mark.parametrize("name", BAD)
def test_one_line_that_says_what_would_be_right(
    table: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    for beside, text in BESIDE.items():
        (table.parent / beside).write_text(text)
    words, said = BAD[name]
    filled = words.format(folder=table.parent, name=table.parent.name).split()
    before = contents(table.parent)
    assert re.search(said, complaint(["combinations", str(table), *filled, "--json"], capsys))
    assert contents(table.parent) == before


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("width", "words", "said"),
    [
        (64, "--allow 1", "64 columns are too many for sets of them; name 63 at most"),
        (64, "--resource 1", "64 columns are too many"),
        (21, "--all --out {out}", "2,097,151 sets are too many, for the most is 1,048,576; name fewer"),
        (21, "--record-risks {out}", "21 columns have too many sets; say how large a set may be"),
        (40, "--size 20", "137,846,528,820 sets are too many"),
        (30, "--resource 29", "over 1,048,576 sets are affordable, which is too many"),
    ],
)
def test_too_many_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], width: int, words: str, said: str
) -> None:
    path, out = wide(tmp_path, width), tmp_path / "all.csv"
    told = complaint(["combinations", str(path), *words.format(out=out).split()], capsys)
    assert said in told
    assert contents(tmp_path).keys() == {path.name}


def wide(folder: Path, width: int) -> Path:
    path = folder / "wide.csv"
    rows = [[f"c{place}" for place in range(width)], ["x"] * width, ["y", *["x"] * (width - 1)]]
    path.write_text("".join(",".join(row) + "\n" for row in rows))
    return path


def test_bounds_make_many_columns_possible(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = wide(tmp_path, 63), tmp_path / "all.csv"
    found = asked(path, capsys, "--all", "--largest", "2", "--out", str(out))["all"]
    assert found["written"] == 63 + 63 * 62 // 2
    assert found["not_looked_at"] == [
        {"sets": 2**63 - 1 - 2016, "reason": "they have more than 2 columns", "at_most": False}
    ]
    risky = asked(path, capsys, "--allow", "1", "--largest", "2")
    assert [each["columns"] for each in risky["minimal"]] == [["c0"]]
    (left,) = risky["not_looked_at"]
    assert (left["sets"], left["at_most"]) == (2**62 - 1 - 62 - 62 * 61 // 2, True)
    pruned = asked(path, capsys, "--all", "--prune", "--allow", "1", "--largest", "2", "--out", str(out))
    assert pruned["all"]["written"] == 63 + 62 * 61 // 2
    assert asked(path, capsys, "--record", "2", "--largest", "1")["singled_out"][0]["minimal"] == [["c0"]]


# Interrupted, and going on


@pytest.fixture
def interrupted(table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A run of --all that was ended after eight sets."""
    out = table.parent / "all.csv"
    with monkeypatch.context() as patch:
        patch.setattr(surveying, "FIRST", 4)
        patch.setattr(surveying, "_next_length", lambda last, seconds: 4)  # noqa: ARG005
        count, calls = DuckDbEngine.count_sets, list[int]()

        def give_up(*asked: Any, **more: Any) -> SetCounts:
            calls.append(1)
            if len(calls) > 3:  # the values of each column, then two pieces
                raise KeyboardInterrupt
            return count(*asked, **more)

        patch.setattr(DuckDbEngine, "count_sets", give_up)
        assert main(["combinations", str(table), "--all", "--out", str(out), "--json"]) == 130
    printed, err = capsys.readouterr()
    assert printed == ""
    assert err == (
        f"note: {out}.unfinished keeps what was counted; the same command goes on\n"
        "error: interrupted; no file was left half-written\n"
    )
    assert sorted(contents(table.parent)) == ["all.csv.unfinished", "costs.csv", "small.csv"]
    for value in RAW:
        assert value.encode() not in (table.parent / "all.csv.unfinished").read_bytes()
    return out


def test_the_same_command_goes_on(
    table: Path, interrupted: Path, page: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table.parent)
    assert "whole.csv holds 31 of 31 sets." in flat(page(table, "--all", "--out", "whole.csv"))
    shown = flat(page(table, "--all", "--out", "all.csv"))
    assert "all.csv holds 31 of 31 sets, 8 of them counted by an earlier run." in shown
    assert sorted(contents(table.parent)) == ["all.csv", "costs.csv", "small.csv", "whole.csv"]
    assert interrupted.read_bytes() == Path("whole.csv").read_bytes()
    assert "all.csv holds 31 of 31 sets." in flat(page(table, "--all", "--out", "all.csv"))


def flat(page: str) -> str:
    """Without the breaks of lines."""
    return re.sub(r"\s*\n\s*", " ", page)


def test_changed_data_is_counted_anew(
    table: Path, interrupted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table.write_text(TABLE + "e,30,f,Nowhere,2024-01-01\n")
    found = asked(table, capsys, "--all", "--out", str(interrupted))
    assert found["all"]["resumed"] == 0
    assert "is of other data or another question; it is replaced" in found["remarks"][-1]


@pytest.mark.parametrize("words", [["--record-risks"], ["--all", "--out"]])
def test_data_that_changes_meanwhile_leaves_no_file(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    look = DuckDbEngine.look

    def changing(*asked: Any) -> Any:
        table.write_text(TABLE + "e,1,f,x,2024-01-01\n")
        return look(*asked)

    monkeypatch.setattr(DuckDbEngine, "look", changing)
    out = table.parent / "list.csv"
    told = complaint(["combinations", str(table), *words, str(out)], capsys)
    assert told.endswith("small.csv: changed while it was read; run again on a copy that stands still\n")
    assert not out.exists()


# The page

WORDS = [
    "--allow 1",
    "--user who --allow 2 --criterion share --share-at-risk 0.5",
    "--user who --allow 3 --criterion mean --strict",
    "--allow 1 --largest 1",
    "--user who --allow 9",
    "--size 2",
    "--size 2 --synergy 50",
    "--user who --costs {folder}/costs.csv",
    "--user who --resource 2 --maximal",
    "--user who --identify 0.5",
    "--missing drop --columns sex --identify 1",
    "--user who --known age,sex --known day",
    "--record 1 --record 3 --record-risks {folder}/records.csv",
    "--all --allow 1 --prune --out {folder}/all.csv",
]


@pytest.mark.parametrize("words", WORDS)
def test_a_page_fits_a_terminal_and_shows_no_value(table: Path, page: Callable[..., str], words: str) -> None:
    shown = page(table, *words.format(folder=table.parent).split())
    assert max(map(len, shown.splitlines())) <= 80
    assert "missing values: " in shown
    assert not [value for value in RAW if value in shown]
    assert not set(shown) & {"\x1b", "\t", "\r"}


def test_a_file_of_values_holds_none(table: Path, page: Callable[..., str]) -> None:
    out, listed = table.parent / "all.csv", table.parent / "records.csv"
    page(table, "--all", "--out", str(out), "--record-risks", str(listed))
    for path in (out, listed):
        assert not [value for value in RAW if value in path.read_text()]


def test_what_the_page_says(table: Path, page: Callable[..., str]) -> None:
    shown = flat(page(table, "--user", "who", "--allow", "1", "--columns", "age,town"))
    assert "with any attribute less they are not (minimal unsafe sets). " in shown
    assert "Too risky means that some person has values that no other has (k = 1)." in shown
    assert "Knowledge of age, the riskiest of these 2 smallest sets, puts 50.0% of the people at" in shown
    assert "2 of 3 sets were counted; the others contain one of these and are too risky too." in shown
    shown = flat(page(table, "--user", "who", "--allow", "9", "--columns", "age,town"))
    assert "every set is too risky, even knowing nothing: some class has at most 9 people" in shown
    shown = flat(page(table, "--allow", "1", "--columns", "sex", "--missing", "drop"))
    assert "No set of these attributes is too risky, which would mean that some record has values" in shown
    assert "1 of 1 sets were counted." in shown
    shown = flat(page(table, "--allow", "2", "--strict", "--largest", "1", "--columns", "sex,day"))
    assert "some record has values that no other has (k = 1)" in shown
    shown = flat(page(table, "--columns", "sex", "--missing", "drop", "--identify", "1"))
    assert "No set of attributes puts as many people at risk as was asked: all that is for sale" in shown
    shown = flat(page(table, "--allow", "1", "--columns", "sex,day", "--missing", "drop", "--largest", "1"))
    assert "Not looked at" not in shown
    shown = flat(page(table, "--size", "2", "--synergy", "50"))
    assert "None of the 10 combinations of 2 attributes is more than 50 times as risky as" in shown


def test_long_lists_are_cut_and_say_so(tmp_path: Path, page: Callable[..., str]) -> None:
    path = tmp_path / "many.csv"
    rows = [[str(place == row) for place in range(20)] for row in range(20)]
    path.write_text("\n".join(",".join(row) for row in [[f"c{place}" for place in range(20)], *rows]) + "\n")
    shown = page(path, "--allow", "1", "--record", "3")
    assert "Too risky, but not with any attribute less: 12 of 20 (--json has all)" in shown
    assert len(re.findall(r"^c\d+ +1 ", shown, re.MULTILINE)) == 12
    assert max(map(len, shown.splitlines())) <= 80


ODD = [
    "a\x1b[31mred\x07",
    "[bold]x[/bold]",
    "名前" * 9,
    "line\nbreak",
    "tab\there",
    "[/]",
    "\u202eabc",
    "v" * 200,
]


@pytest.mark.parametrize(
    "words",
    [
        ["--allow", "1"], ["--size", "2"], ["--resource", "3"], ["--identify", "1"], ["--record", "2"],
        ["--record-risks", "{folder}/records.csv"], ["--all", "--out", "{folder}/all.csv"],
        *(["--known", '"' + name + '"'] for name in ODD),
    ],
)  # fmt: skip
def test_hostile_names(tmp_path: Path, page: Callable[..., str], words: list[str]) -> None:
    """Neither control characters nor markup are obeyed, and a long name cuts no number off."""
    path = tmp_path / "odd.parquet"
    columns = {name: [str(place * row % 3) for row in range(6)] for place, name in enumerate(ODD)}
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
    shown = page(path, *(word.format(folder=tmp_path) if "{" in word else word for word in words))
    assert not [each for each in shown if not each.isprintable() and each != "\n"]
    assert "…" not in shown
    if words[0] == "--known":
        name = words[1].strip('"')
        plain = "".join(each if each.isprintable() else repr(each)[1:-1] for each in name)
        assert plain in shown.replace("\n", "")
        assert max(map(cell_len, shown.splitlines())) <= 80
    if words[0] == "--resource":
        assert "[bold]x[/bold] + " in shown

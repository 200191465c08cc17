"""`singleout hierarchy`: what it builds, writes and prints, and one-line errors."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

import singleout
from singleout.cli.main import main
from singleout.deidentify.hierarchy import hierarchy
from singleout.errors import SingleoutError
from singleout.roles.hierarchies.hierarchy import levels_over, read_hierarchies
from tests.support.command_line import complaint, only_json
from tests.support.home import Home

TABLE = """age,zip,day,job
17,89073,2024-01-31,Zanzibarist
18,89077,2024-02-01,cook
34,89500,2024-05-01,nurse
,10115,2025-05-01,
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "small.csv"
    path.write_text(TABLE)
    return path


def test_json_is_what_python_returns(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--column", "age", "--intervals", "10, 5,10", "--origin", "-2.5", "--json"]
    assert main(["hierarchy", str(table), *words]) == 0
    out, err = capsys.readouterr()
    found = only_json(out)
    assert err == ""
    assert found["column"] == "age"
    assert found["levels"][1] == {
        "level": 1, "rule": "intervals of 5 from -2.5", "values": 4, "largest": 1, "example": "[12.5, 17.5)",
        "definition": {"type": "interval", "width": 5, "origin": -2.5},
    }  # fmt: skip
    same = singleout.hierarchy(table, "age", intervals=[5, 10.0], origin=-2.5)
    assert found == json.loads(json.dumps(same.to_dict()))


@pytest.mark.parametrize(
    ("words", "csv", "rules"),
    [
        (
            ["--column", "age", "--intervals", "5,10"],
            "17;15-19;10-19;*\n18;15-19;10-19;*\n34;30-34;30-39;*\n;;;*\n",
            [{"type": "interval", "width": 5, "origin": 0}, {"type": "interval", "width": 10, "origin": 0}],
        ),
        (
            ["--column", "zip", "--prefixes", "1,3"],
            "10115;101*;1*;*\n89073;890*;8*;*\n89077;890*;8*;*\n89500;895*;8*;*\n",
            [{"type": "prefix", "keep": 3}, {"type": "prefix", "keep": 1}],
        ),
        (
            ["--column", "day", "--date-parts", "year,quarter"],
            "2024-01-31;2024-Q1;2024;*\n2024-02-01;2024-Q1;2024;*\n2024-05-01;2024-Q2;2024;*\n"
            "2025-05-01;2025-Q2;2025;*\n",
            [{"type": "date", "to": "quarter"}, {"type": "date", "to": "year"}],
        ),
        (["--column", "job"], "Zanzibarist;*\ncook;*\nnurse;*\n;*\n", []),
    ],
)
def test_what_is_written(
    table: Path, capsys: pytest.CaptureFixture[str], words: list[str], csv: str, rules: list[Any]
) -> None:
    for name in (f"{words[1]}.csv", "levels.json"):
        assert main(["hierarchy", str(table), *words, "--out", str(table.parent / name)]) == 0
    assert (table.parent / f"{words[1]}.csv").read_text() == csv
    assert json.loads((table.parent / "levels.json").read_text()) == {
        "attributes": {words[1]: {"levels": [{"type": "raw"}, *rules, {"type": "suppress"}]}}
    }
    assert "Written to" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["age"], ["job"], ["zip", "--prefixes", "3"], ["day", "--out", "a.csv"]])
def test_the_page_fits_a_terminal_and_shows_no_raw_value(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(table.parent)
    assert main(["hierarchy", "small.csv", "--column", *words]) == 0
    out, err = capsys.readouterr()
    assert out.startswith(f"small.csv: hierarchy of {words[0]}, 4 values\n")
    assert max(map(cell_len, out.splitlines())) <= 80
    assert re.fullmatch(r"(note: .*\n( .*\n)*)*", err)
    for raw in TABLE.replace("\n", ",").split(",")[4:]:
        assert not raw or raw not in out + err


def test_remarks(table: Path) -> None:
    by_hand = hierarchy(table, "job", out=table.parent / "work.csv").remarks
    assert [each.partition(":")[0] for each in by_hand] == [
        "no rule fits its values",
        f"{table.parent}/work.csv",
    ]
    assert hierarchy(table, "day", out=table.parent / "work.json").remarks == ()
    assert "age.csv" in hierarchy(table, "age", out=table.parent / "zip.csv", intervals=[5]).remarks[0]


def test_a_result_is_a_table_and_can_be_used_at_once(table: Path) -> None:
    built = hierarchy(table, "age", intervals=[10])
    assert repr(built) == f"<Hierarchy of age in {table}: 4 → 3 → 1 values>"
    assert built.to_arrow().column("values").to_pylist() == [4, 3, 1]
    assert built.to_frame()["example"].tolist()[1:] == ["10-19", "*"]
    assert "<td>intervals of 10</td>" in built._repr_html_()
    assert read_hierarchies({"age": built.hierarchy}, ["age"])[0] == {"age": built.hierarchy}


BAD = [
    (["--column", "aeg"], "there is no column 'aeg'; did you mean 'age'"),
    ([], "the following arguments are required: --column"),
    (["--column", "age", "--intervals", "5", "--prefixes", "3"], "not allowed with argument"),
    (
        ["--column", "age", "--intervals", "0,x,5"],
        "intervals: '0' is no width; write a number above 0; 'x' is no",
    ),
    (
        ["--column", "age", "--intervals", "5,7.5"],
        "intervals: 7.5 is no multiple of 5; each width must be a mult",
    ),
    (
        ["--column", "age", "--intervals", "5", "--origin", "y"],
        "origin: 'y' is no number; write one like 10 or",
    ),
    (
        ["--column", "zip", "--prefixes", "3", "--origin", "2"],
        "origin is where intervals start; leave it out",
    ),
    (
        ["--column", "zip", "--prefixes", "-3"],
        "prefixes: -3 is no number of characters; write a whole number",
    ),
    (["--column", "zip", "--prefixes", "a"], "'a' is no list of whole numbers"),
    (["--column", "day", "--date-parts", "week,yaer"], "'yaer' is no unit of dates; did you mean 'year'"),
    (
        ["--column", "job", "--intervals", "5"],
        "job: 3 values are no numbers; write all like 35 or 2.5, or use another rule; --show-values names",
    ),
    (
        ["--column", "job", "--intervals", "5", "--show-values"],
        "or use another rule: 'Zanzibarist', 'cook', 'nurse'",
    ),
    (["--column", "age", "--out", "a.txt"], "a.txt: end the name in .csv or .json"),
    (
        ["--column", "age", "--out", "no/where.csv"],
        "no/where.csv: no such file or directory; choose a folder",
    ),
    (["--column", "age", "--out", "small.csv"], "small.csv: belongs to the data that is read; name another"),
]


@pytest.mark.parametrize(("words", "said"), BAD)
def test_bad_usage(
    table: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(table.parent)
    assert said in complaint(["hierarchy", "small.csv", *words], capsys)
    assert [path.name for path in table.parent.iterdir()] == ["small.csv"]
    assert table.read_text() == TABLE


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"intervals": [5], "dates": ["year"]}, "are three ways to build a hierarchy; choose one"),
        ({"intervals": []}, "intervals: [] is no list with one entry or more"),
        ({"intervals": 5}, "intervals: 5 is no list with one entry or more"),
        ({"dates": "year"}, "dates: 'year' is no list with one entry or more"),
        ({"prefixes": [True]}, "prefixes: True is no number of characters"),
    ],
)
def test_bad_usage_in_python(table: Path, asked: dict[str, Any], said: str) -> None:
    with pytest.raises(SingleoutError) as caught:
        hierarchy(table, "age", **asked)
    assert said in str(caught.value)


def test_a_table_without_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.csv"
    path.write_text("a,b\n")
    assert "has column names but no records" in complaint(["hierarchy", str(path), "--column", "a"], capsys)


KINDS: list[tuple[dict[str, Any], Any]] = [
    ({"intervals": ["0.5", 2, 10], "origin": "0.1"}, st.decimals(-99, 99, places=2).map(str)),
    ({"intervals": [Ellipsis]}, st.integers(0, 99).map(str)),
    ({"prefixes": [4, 2, 1]}, st.text(min_size=1, max_size=6)),
    ({"dates": ["month", "decade"]}, st.dates().map(str)),
    ({}, st.text(min_size=1, max_size=3) | st.integers(0, 999).map(str)),
    ({}, st.integers(-999, 999).map(str)),
]


@settings(max_examples=40)
@given(st.data())
def test_what_is_written_is_read_as_the_same_levels(tmp_path: Path, data: st.DataObject) -> None:
    asked, kind = data.draw(st.sampled_from(KINDS))
    values = data.draw(st.lists(kind | st.none(), min_size=1, max_size=20))
    asked = {name: [data.draw(st.integers(1, 20))] if each == [...] else each for name, each in asked.items()}
    table = pyarrow.table({"x": pyarrow.array(values, pyarrow.string())})
    for name in ("x.csv", "x.json"):
        built = hierarchy(table, "x", **asked, out=tmp_path / name)
        read = read_hierarchies(tmp_path / name, ["x"])[0]["x"]
        one, other = (levels_over(each, list(dict.fromkeys(values))) for each in (built.hierarchy, read))
        assert (one.labels, one.shares, one.domain) == (other.labels, other.shares, other.domain)


def test_every_engine_builds_the_same(home: Home) -> None:
    table = pyarrow.table(
        {"age": pyarrow.array([34, 17, None, 18, 17]), "zip": ["b1", "a2", None, "a1", "a1"]}
    )
    place = home.put(table)
    ages = hierarchy(place, "age", intervals=[5, 10]).table().rows
    assert ages == (
        (0, "as it is", 4, 1, None), (1, "intervals of 5", 3, 2, "15-19"),
        (2, "intervals of 10", 3, 2, "10-19"), (3, "suppressed", 1, 4, "*"),
    )  # fmt: skip
    assert [row[2] for row in hierarchy(place, "zip", prefixes=[1]).table().rows] == [4, 3, 1]


@pytest.mark.parametrize("name", ["levels.csv", "levels.json"])
def test_a_hierarchy_that_was_changed_by_hand_is_replaced_by_force_only(
    table: Path, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command itself says that it may be changed."""
    out = tmp_path / name
    words = ["hierarchy", str(table), "--column", "age", "--intervals", "5,10", "--out", str(out)]
    assert main(words) == 0
    built = out.read_bytes()
    out.write_bytes(built + b"\n")
    capsys.readouterr()
    assert "is there already; name another file, or replace it by --force" in complaint(words, capsys)
    assert out.read_bytes() == built + b"\n"
    assert main([*words, "--force"]) == 0
    assert out.read_bytes() == built

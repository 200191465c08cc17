"""What a report advises by a short run of protect: made, judged and told as it was found."""

from __future__ import annotations

import random
import shlex
import subprocess
from pathlib import Path

import pyarrow
import pyarrow.csv
import pytest

from singleout import investigate, report_on
from singleout.cli.main import main
from singleout.investigation import release_ways, short_search
from singleout.investigation.release_ways import MeasuredWay

POLICY = """[[rule]]
measure = "attack.points_2.rate"
at_most = 0.2
when = "original"

[[rule]]
measure = "people.k"
at_least = 3
"""


PLACES = [f"{town}{house}" for town in "abc" for house in "1234"]


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Forty people on some days of a year in one of a few places, and what a release of it must keep."""
    draw = random.Random(4)
    rows = [
        (f"p{person}", f"2024-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}", draw.choice(PLACES))
        for person in range(40)
        for _ in range(draw.randint(2, 5))
    ]
    folder = tmp_path_factory.mktemp("visits")
    columns = dict(zip(("who", "day", "place"), zip(*rows, strict=True), strict=True))
    pyarrow.csv.write_csv(
        pyarrow.table({name: list(each) for name, each in columns.items()}), folder / "v.csv"
    )
    (folder / "p.toml").write_text(POLICY, encoding="utf-8")
    return folder / "v.csv", folder / "p.toml"


def searched(ways: tuple[MeasuredWay, ...]) -> list[MeasuredWay]:
    return [way for way in ways if "short search" in way.words]


def test_what_a_short_search_found_is_judged_and_can_be_repeated(
    visits: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, policy = visits
    found = investigate(table, user="who", policy=policy)
    (way,) = searched(found.ways)
    assert way.reaches and "of the detail of values is lost" in way.price
    assert [*searched(found.ways)] == [*found.ways[-1:]]
    page = report_on(found).to_html()
    assert "that a short search tried (singleout protect:" in page
    (command,) = way.commands
    words = shlex.split(command)[1:]
    words[words.index("--out") + 1], words[words.index("--truth") + 1] = (
        str(tmp_path / "out.csv"), str(tmp_path / "who.csv")
    )  # fmt: skip
    assert main(words) == 0
    assert "REACHED" in capsys.readouterr().out


def test_it_is_not_run_where_another_way_is_enough_or_the_table_is_large(
    visits: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, policy = visits
    monkeypatch.setattr(short_search, "MOST_RECORDS", 10)
    found = investigate(table, user="who", policy=policy)
    assert not searched(found.ways)
    assert any("a short search (singleout protect): not run" in each for each in found.remarks)


def test_what_it_did_not_find_is_told(visits: tuple[Path, Path]) -> None:
    table, _ = visits
    impossible = {"rule": [{"measure": "people.k", "at_least": 41}]}
    found = investigate(table, user="who", policy=impossible)
    assert not searched(found.ways)
    assert any("none of" in each and "keeps the policy" in each for each in found.remarks)


def test_a_table_without_names_is_searched_under_the_policies_that_come_with_singleout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each record is its own person, and of those that look alike anybody is right about one.

    The commands set aside what is not to be released; diagnoses that two people have are left out.
    """
    monkeypatch.setattr(release_ways, "MOST_RECORDS", 10)
    columns = {
        "age": [f"{20 + record * 7 % 60}" for record in range(120)],
        "sex": ["f", "m", "m"] * 40,
        "diagnosis": [f"d{record % 60}" for record in range(120)],
        "ward": [f"{record % 7}" for record in range(120)],
    }
    table = tmp_path / "people.csv"
    pyarrow.csv.write_csv(pyarrow.table(columns), table)
    found = investigate(table, user="none", columns=["age", "sex"], sensitive=["diagnosis"])
    (way,) = searched(found.ways)
    assert way.reaches
    assert "diagnosis left out" in way.words
    write, search = way.commands
    subprocess.run(write, shell=True, cwd=tmp_path, check=True)
    words = shlex.split(search)[1:]
    words[words.index("--out") + 1] = str(tmp_path / "out.csv")
    words[words.index("--study") + 1] = str(tmp_path / "columns.toml")
    assert main(words) == 0
    assert "REACHED" in capsys.readouterr().out
    assert set((tmp_path / "out.csv").read_text().splitlines()[0].replace('"', "").split(",")) <= {
        "age",
        "sex",
    }

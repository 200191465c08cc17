"""A history joined with a table of its people: who is unique only then, by hand and by the commands."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as some

import singleout
from singleout.cli.main import main
from singleout.errors import InputError, UsageError
from tests.support.command_line import Captured

LETTERS = some.sampled_from("abc")


def _alone(rows: Sequence[tuple[str, Any]]) -> set[str]:
    """People with a value that nobody else has."""
    people = Counter(value for _, value in {*rows})
    return {who for who, value in rows if people[value] == 1}


@given(
    some.lists(some.tuples(some.integers(0, 5), LETTERS, LETTERS), min_size=1, max_size=14),
    some.lists(some.tuples(LETTERS, LETTERS), min_size=6, max_size=6),
)
def test_counts_by_hand(trips: list[tuple[int, str, str]], people: list[tuple[str, str]]) -> None:
    history = pyarrow.table(
        {
            "who": [f"p{who}" for who, *_ in trips],
            "to": [one for _, one, _ in trips],
            "at": [b for *_, b in trips],
        }
    )
    table = pyarrow.table(
        {
            "who": [f"p{who}" for who in range(6)],
            "sex": [a for a, _ in people],
            "town": [b for _, b in people],
        }
    )
    found = singleout.join_uniqueness(singleout.join_people(history, table, user="who"))
    own = _alone([(f"p{who}", (one, two)) for who, one, two in trips])
    # only who has records is in the release
    there = {who for who, *_ in trips}
    theirs = _alone([(f"p{who}", people[who]) for who in there])
    both = _alone([(f"p{who}", (one, two, people[who])) for who, one, two in trips])
    assert (found.by_history, found.by_person_table, found.by_both) == (len(own), len(theirs), len(both))
    assert found.only_joined == len(both - own - theirs)


def test_names_are_compared_as_text_and_gaps_are_told() -> None:
    history = pyarrow.table({"who": [1, 2, 2, 9], "to": ["a", "b", "c", "d"]})
    people = pyarrow.table({"who": ["1", "2", "7"], "sex": ["f", "m", "f"]})
    joined = singleout.join_people(history, people, user="who")
    assert joined.source.frame["sex"].to_pylist() == ["f", "m", "m", None]
    assert joined.remarks == (
        "1 person of the history without a row in the person table: missing values there",
        "1 person of the person table without records: left out",
    )


@pytest.mark.parametrize(
    ("people", "error", "words"),
    [
        ({"who": ["1", "1"], "sex": ["f", "m"]}, InputError, "1 person has more than one row"),
        ({"who": ["1"], "to": ["x"]}, UsageError, "'to' is in both tables"),
        ({"who": ["1"]}, InputError, "has no column but 'who'"),
        ({"who": ["x"], "sex": ["f"]}, InputError, "has nobody of the history"),
        ({"name": ["1"], "sex": ["f"]}, UsageError, "who"),
    ],
)
def test_what_cannot_be_joined_says_why(people: dict[str, Any], error: type[Exception], words: str) -> None:
    history = pyarrow.table({"who": ["1", "2"], "to": ["a", "b"]})
    with pytest.raises(error, match=words):
        singleout.join_people(history, pyarrow.table(people), user="who")


def test_commands_know_what_the_person_table_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """assess, combinations and attack take it; risk by both tables is never below that by one."""
    monkeypatch.chdir(tmp_path)
    assert main(["sample", "card", "--out", "card.parquet", "--people-out", "people.parquet"]) == 0
    told = capsys.readouterr().out
    assert "their 31 people" in told
    start = ["--user", "user", "--json"]
    more = ["--people-table", "people.parquet"]
    documents = []
    for extra in ([], more):
        assert main(["assess", "card.parquet", *start, *extra, "--policy", "public"]) == 0
        documents.append(json.loads(capsys.readouterr().out))
    alone, joined = documents
    assert joined["join"]["by_both"] >= joined["join"]["by_history"]
    assert {each["name"] for each in joined["attributes"]} >= {"sex", "range1", "range2"}
    assert joined["classes"]["people_alone"] >= alone["classes"]["people_alone"]
    assert main(["combinations", "card.parquet", *start, *more, "--known", "usage,range1"]) == 0
    assert json.loads(capsys.readouterr().out)["known"][0]["columns"] == ["usage", "range1"]
    # a release under the same names, with its own table of people
    asked = [
        "attack",
        "card.parquet",
        "card.parquet",
        *start,
        *more,
        "--release-people-table",
        "people.parquet",
    ]
    assert main([*asked, "--attacks", "nearest", "--columns", "sex,grade,address", "--points", "0"]) == 0
    assert json.loads(capsys.readouterr().out)["attacks"][0]["rate"] > 0.4
    assert main(["assess", "card.parquet", "--people-table", "people.parquet"]) == 2
    assert "name it by --user" in capsys.readouterr().err
    # the table of people is never written over
    lists = ["--person-risks", "people.parquet"]
    assert main(["assess", "card.parquet", "--user", "user", *more, *lists]) == 2
    assert "belongs to what is read" in capsys.readouterr().err


def test_the_people_of_the_cards_have_tickets_they_use() -> None:
    """Both ends of a season ticket are stations that its person passed; the paper's six attributes."""
    cards, people = (singleout.sample(name, people=60) for name in ("card", "cardholders"))
    assert isinstance(cards, pyarrow.Table)
    assert isinstance(people, pyarrow.Table)
    assert people.column_names == ["user", "sex", "grade", "address", "range1", "range2"]
    passed: dict[str, set[str]] = {}
    for row in cards.to_pylist():
        passed.setdefault(row["user"], set()).update({row["entraining_point"], row["alighting_point"]})
    rows = people.to_pylist()
    assert len(rows) == 60
    assert all({row["range1"], row["range2"]} <= {*passed[row["user"]], None} for row in rows)
    assert 30 < sum(row["range1"] is not None for row in rows) < 55
    assert people.equals(singleout.sample("cardholders", people=60))

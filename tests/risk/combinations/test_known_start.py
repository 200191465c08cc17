"""Sets that begin with what an attacker knows already (Anon. n.d., Algorithm 4): by brute force."""

from __future__ import annotations

import json
from collections import Counter
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout
from singleout.cli.main import main
from singleout.errors import UsageError
from tests.support.command_line import Captured, complaint

NAMES = ("a", "b", "c", "d")
ROWS = st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=12)


def smallest(rows: list[tuple[int, ...]], columns: frozenset[str]) -> int:
    keys = [tuple(row[NAMES.index(name)] for name in NAMES if name in columns) for row in rows]
    return min(Counter(keys).values())


def table_of(rows: list[tuple[int, ...]]) -> pyarrow.Table:
    return pyarrow.table({name: [row[place] for row in rows] for place, name in enumerate(NAMES)})


@given(rows=ROWS, start=st.sets(st.sampled_from(NAMES), max_size=3), allow=st.integers(1, 3))
@settings(max_examples=40, deadline=None)
def test_the_least_to_be_learned_beside_what_is_known(
    rows: list[tuple[int, ...]], start: set[str], allow: int
) -> None:
    others = [name for name in NAMES if name not in start]
    above = [
        frozenset({*start, *more})
        for more in chain.from_iterable(combinations(others, size) for size in range(len(others) + 1))
    ]
    risky = {each for each in above if smallest(rows, each) <= allow}
    minimal = {each for each in risky if not any(other < each for other in risky)}
    safe = {each for each in above if each not in risky}
    maximal = {each for each in safe if not any(other > each for other in safe)}
    found = singleout.combinations(table_of(rows), user="none", allow=allow, start=sorted(start)).allowable
    assert found is not None
    assert {frozenset(each.columns) for each in found.minimal} == minimal
    assert {frozenset(each.columns) for each in found.safe} == maximal
    assert {frozenset(each.columns): each.smallest_class for each in found.minimal} == {
        each: smallest(rows, each) for each in minimal
    }


ROWS_OF_SIX: list[tuple[int, ...]] = [
    (0, 0, 0, 0),
    (0, 0, 1, 0),
    (1, 0, 1, 1),
    (1, 1, 1, 1),
    (1, 1, 0, 0),
    (0, 1, 0, 1),
]


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ({"start": ["e"], "allow": 1}, "start: 'e' is no column looked at"),
        ({"start": ["a"]}, "add allow"),
        ({"start": "a", "allow": 1}, "is no list of names"),
        ({"start": NAMES, "allow": 1}, "all columns are known already"),
        ({"start": ["a", "b"], "allow": 1, "largest": 2}, "counts the 2 columns known"),
    ],
)
def test_what_no_start_is(asked: dict[str, Any], fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        singleout.combinations(table_of(ROWS_OF_SIX), user="none", known=[["a"]], **asked)


def test_the_command(tmp_path: Path, capsys: Captured) -> None:
    place = tmp_path / "t.csv"
    pyarrow.csv.write_csv(table_of(ROWS_OF_SIX), place)
    words = ["combinations", str(place), "--user", "none", "--allow", "1", "--known", "a,b"]

    assert main([*words, "--known-already", "a,b", "--json"]) == 0

    document = json.loads(capsys.readouterr().out)
    assert document["start"] == ["a", "b"]
    assert all({"a", "b"} <= {*each["columns"]} for each in (*document["minimal"], *document["safe"]))
    assert main([*words, "--known-already", "a"]) == 0
    assert "besides a," in " ".join(capsys.readouterr().out.split())
    assert "is no column looked at" in complaint([*words, "--known-already", "x"], capsys)

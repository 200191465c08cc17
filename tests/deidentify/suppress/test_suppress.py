"""Cell suppression: every choice of cells of tiny tables, releases counted by hand, what is refused."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout import assess, attack, suppress
from singleout.deidentify.suppress import wildcard_cells
from singleout.errors import SingleoutError, UsageError
from singleout.recipe.recipe import recipe_of
from singleout.recipe.record_table import RecordTable
from singleout.recipe.replay import replay

Record = tuple[str | None, ...]
NAMES = ("a", "b", "c")


def table_of(records: Sequence[Record]) -> pyarrow.Table:
    columns = zip(*records, strict=True)
    return pyarrow.table(
        {name: pyarrow.array(each, pyarrow.string()) for name, each in zip(NAMES, columns, strict=False)}
    )


def smallest(records: Sequence[Record], sets: Sequence[Sequence[int]]) -> int:
    return min(
        min(Counter(tuple(each[index] for index in some) for each in records).values()) for some in sets
    )


def fewest(records: Sequence[Record], sets: Sequence[Sequence[int]], k: int, costs: Sequence[float]) -> float:
    """By trying every choice of cells."""
    width, best = len(records[0]), float("inf")
    for blanks in product((False, True), repeat=width * len(records)):
        cost = sum(costs[index % width] for index, gone in enumerate(blanks) if gone)
        if cost < best:
            cells = iter(blanks)
            changed = [tuple("*" if next(cells) else value for value in each) for each in records]
            best = cost if smallest(changed, sets) >= k else best
    return best


tiny = st.lists(st.tuples(*[st.sampled_from(["x", "y", "z"])] * 2), min_size=2, max_size=5)


@settings(max_examples=60, deadline=None)
@given(
    records=tiny,
    k=st.integers(1, 2),
    costs=st.tuples(st.sampled_from([1.0, 2.5]), st.sampled_from([1.0, 3.0])),
    alone=st.booleans(),
)
def test_tiny_tables_beside_every_choice_of_cells(
    records: list[Record], k: int, costs: tuple[float, float], alone: bool
) -> None:
    sets = [(0,), (1,)] if alone else [(0, 1)]
    found = suppress(
        table_of(records), k=k, size=1 if alone else None, importance=dict(zip(NAMES, costs, strict=False))
    )
    best = fewest(records, sets, k, costs)
    assert found.lower_bound <= best + 1e-9
    assert best - 1e-9 <= found.cost
    assert not found.optimal or found.cost == pytest.approx(best)


def test_most_tiny_tables_are_solved_exactly() -> None:
    draw, exact, over = numpy.random.default_rng(7), 0, 0.0
    for _ in range(60):
        records = [tuple("xyz"[each] for each in row) for row in draw.integers(0, 3, (5, 2))]
        found, best = suppress(table_of(records), k=2), fewest(records, [(0, 1)], 2, (1, 1))
        exact += found.cost == best
        over += found.cost - best
    assert exact >= 48
    assert over <= 20


@settings(max_examples=25, deadline=None)
@given(
    records=st.lists(st.tuples(*[st.sampled_from(["x", "y", "z", None])] * 3), min_size=4, max_size=40),
    k=st.integers(1, 4),
    size=st.integers(1, 3),
    blank=st.sampled_from(["*", None]),
)
def test_a_release_has_k_of_each_when_counted_by_hand(
    tmp_path_factory: pytest.TempPathFactory, records: list[Record], k: int, size: int, blank: str | None
) -> None:
    out = tmp_path_factory.mktemp("suppress") / "release.parquet"
    table = table_of(records)
    found = suppress(table, k=k, size=size, blank=blank, out=out)
    released = pyarrow.parquet.read_table(out)
    rows = list(zip(*(released[name].to_pylist() for name in NAMES), strict=True))
    sets = list(combinations(range(3), size))
    assert len(rows) == len(records)
    assert smallest(rows, sets) == found.k >= k
    assert found.lower_bound <= found.cost == found.cells == sum(found.cells_by_column.values())
    blanks = sum(each.count(blank) for each in rows) - sum(each.count(blank) for each in records)
    assert found.cells == blanks
    # all else is as it was
    assert not any(
        Counter(row[index] for row in rows)
        - Counter([*(each[index] for each in records), *[blank] * len(rows)])
        for index in range(3)
    )


def test_people_are_counted_where_they_are_named(tmp_path: Path) -> None:
    draw = numpy.random.default_rng(1)
    table = pyarrow.table(
        {
            "who": [f"p{each}" for each in draw.integers(0, 12, 60)],
            "a": [str(each) for each in draw.integers(0, 5, 60)],
            "b": [str(each) for each in draw.integers(0, 3, 60)],
        }
    )
    out = tmp_path / "release.csv"
    found = suppress(table, k=4, user="who", keep=["who"], out=out)
    people = defaultdict(set)
    with out.open(newline="") as file:
        for row in csv.DictReader(file):
            people[row["a"], row["b"]].add(row["who"])
    assert min(map(len, people.values())) == found.k >= 4


@settings(max_examples=40, deadline=None)
@given(
    records=st.lists(st.tuples(*[st.sampled_from(["x", "y", None])] * 3), min_size=2, max_size=8),
    k=st.integers(1, 2),
    size=st.integers(1, 3),
    costs=st.tuples(*[st.sampled_from([1.0, 2.5])] * 3),
)
def test_wildcards_beside_every_choice_of_cells_of_each_record(
    records: list[Record], k: int, size: int, costs: tuple[float, float, float]
) -> None:
    sets = list(combinations(range(3), size))
    importance = dict(zip(NAMES, costs, strict=True))
    found = suppress(table_of(records), k=k, size=size, wildcards=True, importance=importance)
    best = 0.0
    for record in records:
        there = [index for index in range(3) if record[index] is not None]
        choices = [set(gone) for many in range(4) for gone in combinations(there, many)]
        best += min(
            sum(costs[index] for index in gone)
            for gone in choices
            if all(fitting_by_hand(records, record, {*there} - gone, each) >= k for each in sets)
        )
    assert found.cost == found.lower_bound == pytest.approx(best)
    assert found.optimal and found.fitting is not None and found.fitting >= k >= 1


def fitting_by_hand(records: Sequence[Record], record: Record, seen: set[int], known: Sequence[int]) -> int:
    return sum(all(other[index] == record[index] for index in seen & {*known}) for other in records)


def test_wildcards_are_told_to_be_weaker_than_they_look(tmp_path: Path) -> None:
    records: list[Record] = [("x", "p"), ("x", "p"), ("x", "q"), ("y", "p")]
    out, diary = tmp_path / "release.parquet", tmp_path / "diary.json"
    table = table_of(records).append_column("who", pyarrow.array(["1", "2", "3", "4"]))
    found = suppress(table, k=2, user="who", wildcards=True, keep=["who"], out=out, diary=diary)
    rows = pyarrow.parquet.read_table(out)
    assert Counter(zip(rows["a"].to_pylist(), rows["b"].to_pylist(), strict=True)) == {
        ("x", "p"): 2, ("x", None): 1, (None, "p"): 1
    }  # fmt: skip
    assert (found.cells, found.fitting, found.k) == (2, 2, 1)
    by_others = assess(out, user="none", columns=["a", "b"], missing="wildcard").to_dict()
    assert by_others["classes"]["k"] >= 2
    seen = attack(table, out, user="who", recipe=diary, columns=["a", "b"])
    assert seen.best is not None and seen.best.rate == 0.75


def test_wildcards_take_no_text_and_not_too_many_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"blank: wildcards are missing values, and hold no '\?'"):
        suppress(table_of([("x", "p"), ("y", "p")]), k=2, wildcards=True, blank="?")
    monkeypatch.setattr(wildcard_cells, "MOST_WILDCARD_WORK", 7)
    with pytest.raises(UsageError, match="wildcards: every choice of 2 columns is looked at for 2 records"):
        suppress(table_of([("x", "p"), ("y", "p")]), k=2, wildcards=True)


def test_importance_moves_blanks_to_cheaper_columns() -> None:
    records: list[Record] = [("x", "p"), ("x", "q"), ("y", "p"), ("y", "q")]
    assert suppress(table_of(records), k=2, importance={"a": 3}).cells_by_column == {"a": 0, "b": 4}
    assert suppress(table_of(records), k=2, importance={"b": 3}).cells_by_column == {"a": 4, "b": 0}


def test_listed_sets_are_kept_and_others_are_not_asked_about(tmp_path: Path) -> None:
    records: list[Record] = [("x", "p", "1"), ("x", "q", "2"), ("y", "p", "3"), ("y", "q", "4")]
    path = tmp_path / "sets.csv"
    path.write_text("a\nb\n")
    found = suppress(table_of(records), k=2, sets=path)
    assert found.cells == 0 and found.optimal
    assert found.sets == (("a",), ("b",))
    assert any("who knows more columns together" in each for each in found.remarks)
    assert suppress(table_of(records), k=2, sets=[["a", "c"], ["a"]]).sets == (("a", "c"),)


def test_numbers_are_blanked_as_missing_ones() -> None:
    table = pyarrow.table({"age": [30, 31, 40, 40], "town": ["x", "x", "y", "y"]})
    assert suppress(table, k=2).cells_by_column == {"age": 2, "town": 0}


@pytest.mark.parametrize("blank", ["*", "?", None])
def test_the_diary_is_replayed_exactly(tmp_path: Path, blank: str | None) -> None:
    draw = numpy.random.default_rng(2)
    kinds = [("x", "y", "z", None)[each] for each in draw.integers(0, 4, 40)]
    table = pyarrow.table(
        {"a": kinds, "n": draw.integers(0, 9, 40), "row": [str(each) for each in range(40)]}
    )
    out, diary = tmp_path / "release.parquet", tmp_path / "diary.json"
    suppress(table, k=3, columns=["a", "n"], keep=["row"], blank=blank, out=out, diary=diary)
    turned = table.take(draw.permutation(40))
    replayed = replay(recipe_of(diary), RecordTable(turned, numpy.arange(40), 40))
    assert set(replayed.exact) == {"a", "n", "row"}
    released = pyarrow.parquet.read_table(out)
    known = {row: (a, n) for a, n, row in texts(replayed.records.table)}
    assert known == {row: (a, n) for a, n, row in texts(released)}
    assert json.loads(diary.read_text())["command"] == "deidentify suppress"


def texts(table: pyarrow.Table) -> list[tuple[str | None, ...]]:
    return list(
        zip(*(table[name].cast(pyarrow.string()).to_pylist() for name in ("a", "n", "row")), strict=True)
    )


def test_an_attack_with_the_diary_finds_what_classes_allow(tmp_path: Path) -> None:
    draw = numpy.random.default_rng(3)
    table = pyarrow.table(
        {"who": [f"p{each}" for each in range(60)]}
        | {name: [str(each) for each in draw.integers(0, 4, 60)] for name in NAMES}
    )
    out, diary = tmp_path / "release.parquet", tmp_path / "diary.json"
    suppress(table, k=3, user="who", keep=["who"], out=out, diary=diary)
    released = pyarrow.parquet.read_table(out)
    rows = list(zip(*(released[name].to_pylist() for name in NAMES), strict=True))
    seen = attack(table, out, user="who", recipe=diary, columns=list(NAMES))
    assert seen.best is not None and seen.best.rate == pytest.approx(len(set(rows)) / len(rows))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"k": 0}, "k: 0 is no size of a class"),
        ({"k": 9}, "k: a class of 9 can't be had, for there are 3 records"),
        ({"k": 2, "size": 4}, "size: 4 is none; write a whole number from 1 to 2"),
        ({"k": 2, "size": 1, "sets": [["a"]]}, "give one of them"),
        ({"k": 2, "sets": [["d"]]}, "sets: there is no column 'd'"),
        ({"k": 2, "sets": []}, "sets: there is none"),
        ({"k": 2, "importance": {"a": 0}}, "importance: 0 for 'a' is no cost"),
        (
            {"k": 2, "importance": {"a": 1e308}},
            r"importance: 1e\+308 for 'a' is no cost; write a number from",
        ),
        ({"k": 2, "blank": "y"}, "blank: column 'a' holds 'y' as a value"),
        ({"k": 2, "columns": ["e"]}, "columns: there is no column 'e'"),
        ({"k": 2, "sets": 5}, "sets: 5 is no list of sets"),
        ({"k": 2, "columns": ["a"], "keep": ["a"]}, "keep: 'a' is among the columns to blank"),
        ({"k": 1, "user": "a", "keep": ["b"]}, "columns: there is none to blank"),
    ],
)
def test_mistakes_are_told(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        suppress(table_of([("x", "p"), ("y", "p"), ("y", "q")]), **asked)


def test_a_file_of_sets_that_is_not_there() -> None:
    with pytest.raises(SingleoutError, match=r"nowhere\.csv: no such file"):
        suppress(table_of([("x", "p"), ("y", "p")]), k=2, sets="nowhere.csv")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "has no set; write one a line"),
        (b",\n\nx \n", "line 3: not all its names are columns"),
        (b"a,b\n\na,secret\n", "line 3: not all its names are columns; there are 'a', 'b'"),
        (b"secret\nsecret,a\nsecret", "line 1 and 2 more: not all its names are columns"),
        (b"a,\xff\n", "is no list of sets in UTF-8; write one a line"),
        (b"x" * 200_000, "is no list of sets in UTF-8; write one a line"),
    ],
)
def test_a_file_that_holds_no_sets_is_told_by_its_lines(content: bytes, message: str, tmp_path: Path) -> None:
    """Not by its words: another file may have been named by mistake, such as the data."""
    (tmp_path / "sets.txt").write_bytes(content)
    with pytest.raises(SingleoutError) as caught:
        suppress(table_of([("x", "p"), ("y", "p")]), k=2, sets=tmp_path / "sets.txt")
    assert f"sets.txt: {message}" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_column_that_is_released_as_it_is_is_not_blanked() -> None:
    found = suppress(table_of([("x", "p"), ("y", "p")]), k=2, keep=["a"])
    assert (found.cells_by_column, found.columns) == ({"b": 0}, ("a", "b"))

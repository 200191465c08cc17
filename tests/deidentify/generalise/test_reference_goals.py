"""k-map and δ-presence as goals of a generalisation: beside brute force, and what can't be asked."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout import generalise, generalise_locally
from singleout.cli.main import main
from singleout.errors import GoalError, SingleoutError
from tests.support.command_line import Captured

INTERVALS = [{"type": "interval", "width": width} for width in (2, 4)]
TOWNS = [{"type": "raw"}, {"type": "suppress"}]
HIERARCHIES = {"age": [{"type": "raw"}, *INTERVALS, {"type": "suppress"}], "town": TOWNS}
ROWS = st.lists(st.tuples(st.integers(0, 7), st.sampled_from("xyz")), min_size=1, max_size=18)


def table(rows: list[Any]) -> pyarrow.Table:
    ages, towns = zip(*rows, strict=True)
    return pyarrow.table({"age": [str(each) for each in ages], "town": [*towns]})


def label(row: Any, vector: tuple[int, int]) -> tuple[int, str]:
    age, town = row
    return age // (1, 2, 4, 8)[vector[0]], town if vector[1] == 0 else "*"


def failing(sample: Any, everybody: Any, vector: tuple[int, int], k_map: int, presence: Any) -> int:
    """Records of the sample in classes that are not hidden, by the definition."""
    mine = Counter(label(row, vector) for row in sample)
    theirs = Counter(label(row, vector) for row in everybody)
    low, high = presence or (0, 1)
    return sum(
        records
        for key, records in mine.items()
        if theirs[key] < max(1, k_map) or not low <= min(1, records / theirs[key]) <= high
    )


@settings(max_examples=40, deadline=None)
@given(ROWS, ROWS, st.integers(1, 4), st.sampled_from([None, (0.0, 0.5), (0.1, 1.0)]),
       st.sampled_from([0.0, 0.3]))  # fmt: skip
def test_brute_force(sample: Any, more: Any, k_map: int, presence: Any, suppress: float) -> None:
    everybody = [*sample, *more]
    asked: dict[str, Any] = {
        "hierarchies": HIERARCHIES, "k_map": k_map, "presence": presence, "suppress": suppress,
        "reference": table(everybody), "reference_user": "none", "user": "none", "loss": "levels",
    }  # fmt: skip
    vectors = list(product(range(4), range(2)))
    budget = int(suppress * len(sample) + 1e-9)
    fails = {each: failing(sample, everybody, each, k_map, presence) for each in vectors}
    reached = [each for each in vectors if fails[each] <= budget and fails[each] < len(sample)]
    if not reached:
        with pytest.raises(GoalError):
            generalise(table(sample), **asked)
        return
    found = generalise(table(sample), **asked)
    vector = (found.levels["age"], found.levels["town"])
    assert vector in reached
    assert found.suppressed == fails[vector]
    assert found.optimal
    # nothing that reaches the goals loses less: each by itself, with these levels fixed
    for other in reached:
        one = generalise(table(sample), levels={"age": other[0], "town": other[1]}, **asked)
        assert one.loss >= found.loss - 1e-12
    assert found.reference is not None
    assert found.reference["k_map"] >= k_map
    if presence:
        assert presence[0] - 1e-9 <= found.reference["presence_low"]
        assert found.reference["presence_high"] <= presence[1] + 1e-9


def recounted(sample: Any, everybody: Any, released: list[Any]) -> list[tuple[int, int]]:
    """Of each class of the release: its records, and the people of everybody who have the values of one."""
    by_class: dict[Any, list[Any]] = {}
    for label_of, raw in zip(released, sample, strict=True):
        by_class.setdefault(label_of, []).append(raw)
    return [(len(rows), len({who for who, each in everybody if each in rows})) for rows in by_class.values()]


@settings(max_examples=60, deadline=None)
@given(ROWS, st.lists(st.tuples(st.integers(0, 9), st.integers(0, 7), st.sampled_from("xyz")), max_size=18),
       st.integers(1, 3), st.integers(1, 5))  # fmt: skip
def test_local_classes_are_hidden_among_people_of_their_own_values(
    sample: Any, more: Any, k: int, k_map: int
) -> None:
    everybody = [*((f"s{at}", row) for at, row in enumerate(sample)), *((who, row) for who, *row in more)]
    named = [(str(who), tuple(row)) for who, row in everybody]
    reference = table([row for _, row in named]).append_column("who", [[who for who, _ in named]])
    asked: dict[str, Any] = {"hierarchies": HIERARCHIES, "user": "none", "k": k, "k_map": k_map}
    asked |= {"reference": reference, "reference_user": "who", "columns": ["age", "town"]}
    numbered = table(sample).append_column("id", [[str(at) for at in range(len(sample))]])
    people = {who for who, row in named if row in sample}
    if len(sample) < k:
        return
    if len(people) < k_map:
        with pytest.raises(GoalError, match="the values of a record in it"):
            generalise_locally(numbered, keep=["id"], **asked)
        return
    found = generalise_locally(numbered, keep=["id"], **asked)
    rows = sorted(found.release.to_arrow().to_pylist(), key=lambda row: int(row["id"]))
    counted = recounted(sample, named, [(row["age"], row["town"]) for row in rows])
    assert found.reference is not None
    assert min(size for size, _ in counted) == found.k >= k
    assert min(there for _, there in counted) == found.reference["k_map"] >= k_map
    assert found.bound <= found.loss + 1e-9
    assert not found.suppressed


def test_local_classes_may_be_smaller_in_the_table_than_among_everybody() -> None:
    """The one y is like four others there, so that it stays as it is; the x that nobody shares does not."""
    sample, everybody = [(1, "x"), (2, "x"), (5, "y")], [(1, "x"), (2, "x"), *[(5, "y")] * 5]
    asked: dict[str, Any] = {"hierarchies": HIERARCHIES, "user": "none", "reference": table(everybody)}
    found = generalise_locally(table(sample), k_map=2, reference_user="none", **asked)
    assert [(each.levels["town"], each.records) for each in found.rounds] == [(0, 1), (0, 2)]
    assert found.rounds[0].levels["age"] == 0 and found.k == 1
    assert any("who have the very values of a record in it" in each for each in found.remarks)
    few = generalise_locally(table(sample), presence=(0.0, 0.4), suppress=0.7, reference_user="none", **asked)
    assert few.suppressed == 2 and few.reference == {
        "k_map": 5, "presence_low": 0.2, "presence_high": 0.2,
    }  # fmt: skip


def test_a_history_counts_people() -> None:
    sample = pyarrow.table({"who": ["a", "b"], "town": ["x", "y"]})
    everybody = pyarrow.table({"who": ["a", "a", "a", "b", "c", "c"], "town": ["x", "x", "x", "y", "y", "y"]})
    asked: dict[str, Any] = {"hierarchies": {"town": TOWNS}, "reference": everybody, "user": "who"}
    assert generalise(sample, k_map=2, **asked).levels == {"town": 1}
    assert generalise(sample, k_map=1, **asked).levels == {"town": 0}
    assert generalise(sample.slice(1, 1), k_map=2, **asked).levels == {"town": 0}


def test_a_reference_whose_people_nobody_named_is_told() -> None:
    """Records of one person would look like as many people."""
    asked: dict[str, Any] = {"hierarchies": HIERARCHIES, "user": "none", "k_map": 2}
    everybody = table([(1, "x")] * 3)
    unsaid = generalise(table([(1, "x")]), reference=everybody, **asked)
    assert any("no person column of the reference was named" in each for each in unsaid.remarks)
    said = generalise(table([(1, "x")]), reference=everybody, reference_user="none", **asked)
    assert not any("person column of the reference" in each for each in said.remarks)


def test_the_release(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sample.csv").write_text("town\nx\nx\ny\n")
    Path("everybody.csv").write_text("town\n" + "x\n" * 9 + "y\n" * 2)
    Path("town.csv").write_text("x;*\ny;*\n")
    words = ["deidentify", "generalise", "sample.csv", "--user", "none", "--hierarchies", "town.csv"]
    words += ["--reference", "everybody.csv", "--reference-user", "none", "--k-map", "5", "--out", "out.csv"]
    assert main(words) == 0
    assert "at least 11 people of the reference (k-map)" in " ".join(capsys.readouterr().out.split())
    assert Path("out.csv").read_text().replace(chr(34), "").split() == ["town", "*", "*", "*"]
    Path("more.csv").write_text("town\nx\nw\n")
    assert main([*words, "--reference", "more.csv"]) == 2
    assert "error: the reference: " in capsys.readouterr().err
    assert main([*words[:-4], "--presence", "0,0.3", "--suppress", "0.4", "--out", "two.csv"]) == 0
    assert Path("two.csv").read_text().replace(chr(34), "").split() == ["town", "x", "x"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"k_map": 2}, "name it by --reference"),
        ({"k": 2, "reference": table([(1, "x")])}, "ask for one of them"),
        ({"k_map": 0, "reference": table([(1, "x")])}, "k_map: 0 is no size of a class"),
        ({"presence": (0.5, 0.1), "reference": table([(1, "x")])}, "are no two shares"),
        ({"k_map": 2, "reference": pyarrow.table({"age": ["1"]})}, "the reference has no column 'town'"),
        ({"k_map": 2, "sampled": 0.1, "reference_user": "who"}, "there is none; leave it out"),
        ({"k_map": 2, "reference": table([(1, "x")]), "reference_user": "hwo"}, "no column 'hwo'; there are"),
        ({"k_map": 2, "reference": table([(1, "x")]), "missing": "drop"}, "with the missing rule value"),
        ({"k_map": 9, "reference": table([(1, "x")] * 3)}, "a class has 3 people of the reference"),
    ],
)
def test_bad_goals(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(SingleoutError, match=words):
        generalise(table([(1, "x"), (2, "y")]), hierarchies=HIERARCHIES, user="none", **asked)

"""What an intruder who reads the recipe knows of a release: golden cases, and what `apply` releases."""

from __future__ import annotations

import csv
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout import apply
from singleout.errors import InputError, UsageError
from singleout.recipe.recipe import recipe_of
from singleout.recipe.record_table import RecordTable
from singleout.recipe.replay import Replay, contradictions, replay
from singleout.recipe.steps.distinct_values import ComparableColumn, comparable_texts, distinct_values_of
from singleout.recipe.trace import Blanked, Exchanged, Moved, Redrawn, Renamed, Shifted, Trace

ROWS = [
    ("ann", "2010/12/1", "tea", "1.50", "1"),
    ("ann", "2010/12/9", "salt", "0.3", "1"),
    ("bob", "2010/12/5", "tea", "1.50", "7"),
    ("bob", "2010/12/7", "milk", "2", "1"),
    ("cid", "2010/12/3", "gold", "900", "1"),
    ("dan", "2011/1/2", "milk", "2.1", "3"),
    ("dan", "2011/1/3", None, None, "2"),
]
NAMES = ("who", "date", "goods", "price", "number")
TENS = [{"type": "raw"}, {"type": "interval", "width": 10}]
MONTHS = [{"type": "raw"}, {"type": "date", "to": "month"}]
NOISE: dict[str, Any] = {"step": "noise", "columns": ["price"], "amount": 1}
ROUND: dict[str, Any] = {"step": "round", "columns": ["price"], "to": 2}
RARE: dict[str, Any] = {"step": "suppress", "columns": ["goods"], "what": "cells", "rarer_than": 2}
SAMPLE: dict[str, Any] = {"step": "sample", "share": 0.5}
THIN: dict[str, Any] = {"step": "sample", "what": "records", "share": 0.5}
RENAME: dict[str, Any] = {"step": "pseudonymise", "columns": ["goods"]}
PAIRS: dict[str, Any] = {"step": "microaggregate", "columns": ["price", "number"], "k": 2}
LATEST: dict[str, Any] = {"step": "cut", "records": 1, "by": ["date"]}


def records_of(rows: Sequence[Sequence[Any]] = ROWS, names: Sequence[str] = NAMES) -> RecordTable:
    """As the columns of a CSV file: texts."""
    columns = {
        name: pyarrow.array([row[index] for row in rows], pyarrow.large_string())
        for index, name in enumerate(names)
    }
    people = distinct_values_of("who", columns["who"])
    return RecordTable(pyarrow.table(columns), people.codes, len(people.values), "who")


def replayed(*steps: dict[str, Any], records: RecordTable | None = None, **more: Any) -> Replay:
    return replay(recipe_of({"step": list(steps), **more}), records or records_of())


def values(found: Replay, name: str) -> list[Any]:
    listed: list[Any] = found.records.column(name).to_pylist()
    return listed


def test_a_recipe_without_draws_is_replayed_exactly() -> None:
    found = replayed(
        {"step": "pseudonymise"},
        {"step": "generalise", "columns": ["date"], "level": 1, "levels": MONTHS},
        {"step": "suppress", "columns": ["goods"], "what": "records", "rarer_than": 2},
        {"step": "mean", "columns": ["price"]},
        {"step": "suppress", "columns": ["number"]},
    )
    assert found.kept.tolist() == [0, 2, 3, 5, 6]
    assert found.records.person.tolist() == [0, 1, 1, 3, 3]
    assert values(found, "date") == ["2010-12", "2010-12", "2010-12", "2011-01", "2011-01"]
    assert values(found, "price") == ["1.775", "1.775", "1.775", "1.775", None]
    assert found.left_out == ("number",) and not found.thinned and not found.approximate
    assert found.exact == ("date", "goods", "price") and found.traces["who"] == (Renamed(),)


@pytest.mark.parametrize(
    ("step", "column", "trace"),
    [
        (NOISE, "price", Moved("uniform", 1)),
        ({**NOISE, "distribution": "laplace", "per": "person"}, "price", Moved("laplace", 1, per="person")),
        ({"step": "noise", "columns": ["price"], "share": 0.1}, "price", Moved("uniform", 0.1, True)),
        ({"step": "noise", "columns": ["date"], "days": 3}, "date", Moved("days", 3)),
        ({**ROUND, "how": "random"}, "price", Moved("triangular", 2)),
        ({"step": "pram", "columns": ["goods"], "keep": 0.8}, "goods", Redrawn(0.8, "frequency")),
        ({"step": "swap", "columns": ["price"], "within": 0.1}, "price", Exchanged(0.1)),
        ({"step": "shift_dates", "columns": ["date"], "days": 9}, "date", Shifted(9)),
        (RENAME, "goods", Renamed()),
        ({**RENAME, "how": "keyed", "key_file": "no such file"}, "goods", Renamed(keyed=True)),
    ],
)
def test_a_random_step_is_passed_over_and_remembered(step: dict[str, Any], column: str, trace: Trace) -> None:
    found = replayed(step)
    assert found.records.table.equals(records_of().table)
    assert found.traces == {**dict.fromkeys(NAMES, ()), column: (trace,)}
    assert not found.thinned and not found.approximate


def test_traces_stand_in_the_order_of_their_steps() -> None:
    found = replayed(NOISE, {"step": "swap", "columns": ["price"], "within": 0.5})
    assert found.traces["price"] == (Moved("uniform", 1), Exchanged(0.5))


@pytest.mark.parametrize(
    ("steps", "approximate", "thinned"),
    [
        ([NOISE, ROUND], {"price"}, False),
        ([ROUND, NOISE], set(), False),
        (
            [NOISE, {"step": "microaggregate", "columns": ["price", "number"], "k": 2}],
            {"price", "number"},
            False,
        ),
        ([SAMPLE, {"step": "mean", "columns": ["price"]}], {"price"}, True),
        ([SAMPLE, {"step": "top_bottom", "columns": ["price"], "top": 5}], set(), True),
        ([SAMPLE, {"step": "top_bottom", "columns": ["price"], "top_share": 0.1}], {"price"}, True),
        ([ROUND, SAMPLE], set(), True),
        # the names of people change, and with them nothing that a step looks at
        ([{"step": "pseudonymise"}, LATEST, ROUND], set(), False),
    ],
)
def test_what_comes_after_something_unknown_is_approximate(
    steps: list[dict[str, Any]], approximate: set[str], thinned: bool
) -> None:
    found = replayed(*steps)
    assert set(found.approximate) == approximate and found.thinned == thinned


@pytest.mark.parametrize("before", [SAMPLE, THIN, RENAME])
def test_cells_left_out_by_something_unknown_all_stay(before: dict[str, Any]) -> None:
    found = replayed(before, {**RARE, "mark": "?"})
    assert found.traces["goods"][-1] == Blanked("?") and "goods" not in found.exact
    assert values(found, "goods") == [row[2] for row in ROWS]
    assert values(replayed(RARE), "goods") == ["tea", None, "tea", "milk", None, "milk", None]


@pytest.mark.parametrize(
    ("steps", "kept", "thinned"),
    [
        ([LATEST], [1, 3, 4, 6], False),
        ([SAMPLE, LATEST], [1, 3, 4, 6], True),
        ([{"step": "shift_dates", "columns": ["date"], "days": 9}, LATEST], range(7), True),
        ([THIN, LATEST], range(7), True),
        ([RENAME, LATEST], range(7), True),
        ([THIN, {"step": "remove_people", "fewer_than": 2}], range(7), True),
        ([SAMPLE, {"step": "remove_people", "fewer_than": 2}], [0, 1, 2, 3, 5, 6], True),
        ([NOISE, {"step": "cut", "column": "price", "end": 5}], range(7), True),
        ([NOISE, {"step": "cut", "column": "number", "end": 2}], [0, 1, 3, 4, 6], False),
        ([{**SAMPLE, "table": "people"}, LATEST], [1, 3, 4, 6], True),
        ([{"step": "cut", "column": "age", "end": 5, "table": "people"}], range(7), True),
    ],
)
def test_records_left_out_by_something_unknown_all_stay(
    steps: list[dict[str, Any]], kept: Sequence[int], thinned: bool
) -> None:
    found = replayed(*steps)
    assert found.kept.tolist() == list(kept) and found.thinned == thinned
    assert found.records.person.tolist() == records_of().person[list(kept)].tolist()


def test_steps_on_the_person_table_change_nothing_but_names() -> None:
    noise = {**NOISE, "table": "people"}
    found = replayed(noise, {"step": "suppress", "columns": ["price"], "table": "people"})
    assert not any(found.traces.values()) and found.left_out == ()
    assert replayed({"step": "pseudonymise", "table": "people"}).traces["who"] == (Renamed(),)


def test_only_the_columns_of_the_release_are_told() -> None:
    found = replayed(NOISE, columns=["goods", "price"])
    assert found.left_out == ("who", "date", "number")
    assert (found.records.names, found.records.user) == (("goods", "price"), None)
    assert tuple(found.traces) == ("goods", "price")


def test_a_step_that_new_names_do_not_fit_is_approximate() -> None:
    found = replayed({**RENAME, "columns": ["price"]}, {**ROUND, "columns": ["price"]})
    assert found.approximate == {"price"} and found.traces["price"] == (Renamed(),)
    levels = [{"type": "raw"}, {"type": "map", "map": {"k7": "new"}}]
    step = {"step": "generalise", "columns": ["goods"], "level": 1, "levels": levels}
    assert values(replayed(RENAME, step), "goods") == [row[2] for row in ROWS]


def test_columns_that_the_original_lacks() -> None:
    small = records_of([row[:3] for row in ROWS], NAMES[:3])
    found = replayed(ROUND, NOISE, {"step": "suppress", "columns": ["price", "goods"]}, records=small)
    assert found.records.names == ("who", "date") and found.left_out == ("goods",)
    for step in (
        {"step": "cut", "column": "price", "end": 5},
        {"step": "microaggregate", "columns": ["date", "price"], "k": 2},
        {"step": "suppress", "columns": ["price"], "what": "records", "rarer_than": 2},
    ):
        with pytest.raises(UsageError, match=r"step 1 \(\w+\): the original lacks 'price'") as caught:
            replayed(step, records=small)
        assert "\n" not in str(caught.value)


def test_a_step_that_can_not_be_done_is_told_without_values() -> None:
    with pytest.raises(InputError, match=r"recipe: step 1 \(round\): column 'goods'") as caught:
        replayed({**ROUND, "columns": ["goods"]})
    assert "gold" not in str(caught.value) and "\n" not in str(caught.value)


def test_typed_columns_and_no_user() -> None:
    table = pyarrow.table(
        {"price": [11.0, 19.0, None], "number": pyarrow.array([1, 2, 3]).dictionary_encode()}
    )
    found = replayed(
        {**ROUND, "to": 10}, {"step": "shift_dates", "columns": ["day"], "days": 3}, {"step": "pseudonymise"},
        records=RecordTable(table, numpy.arange(3), 3),
    )  # fmt: skip
    assert values(found, "price") == [10.0, 20.0, None] and found.exact == ("price", "number")


def test_contradictions_are_counted_whatever_the_writing() -> None:
    known = pyarrow.chunked_array([["1.50", None], ["tea", "07"]])
    assert contradicted(known, pyarrow.array(["1.5", "7", "tea", None, "*"])) == 0
    assert contradicted(known, pyarrow.array(["Tea", "Tea", "1.51", "7"])) == 3
    assert contradicted(known, pyarrow.array([7.0, 8.0, None])) == 1
    assert contradicted(pyarrow.array([], pyarrow.string()), pyarrow.nulls(2)) == 0
    assert contradicted(known, pyarrow.array(["tea", "cup"]).dictionary_encode()) == 1


def contradicted(known: pyarrow.Array | pyarrow.ChunkedArray, told: pyarrow.Array) -> int:
    return contradictions(ComparableColumn.of(known), ComparableColumn.of(told))


CELLS = {
    "date": st.sampled_from(["2010/12/1", "2010/12/31", "2011/1/2", "2011/02/03", None]),
    "goods": st.sampled_from(["tea", "milk", "salt", None]),
    "price": st.sampled_from(["1.50", "2", "0.3", "12.25", "1e1", "7.0", None]),
    "number": st.sampled_from(["1", "2", "3", "17", None]),
}
RULES = st.sampled_from(
    [
        {"step": "generalise", "columns": ["date"], "level": 1, "levels": MONTHS},
        {"step": "generalise", "columns": ["number"], "level": 1, "levels": TENS},
        ROUND,
        {"step": "top_bottom", "columns": ["price"], "top": 5, "bottom": 1},
        {"step": "top_bottom", "columns": ["price"], "top_share": 0.3, "what": "mean"},
        {"step": "mean", "columns": ["price"]},
        {"step": "mean", "columns": ["price"], "per": "person", "of": "median"},
        RARE,
        {**RARE, "what": "records", "counted": "records"},
        {"step": "remove_people", "fewer_than": 2},
        {"step": "cut", "column": "price", "begin": 1},
        {"step": "cut", "records": 2, "by": ["goods"]},
        {"step": "pseudonymise"},
    ]
)
TABLES = st.lists(st.tuples(st.sampled_from(["ann", "bob", "cid"]), *CELLS.values()), min_size=1, max_size=12)


@settings(max_examples=60, deadline=None)
@given(TABLES, st.lists(RULES, min_size=1, max_size=4, unique_by=str), st.randoms())
def test_a_replay_is_what_is_released(rows: list[Any], steps: list[dict[str, Any]], random: Any) -> None:
    """Records of each person, as multisets, in whatever order the original's rows and columns come."""
    steps = fitting(steps)
    with tempfile.TemporaryDirectory() as folder:
        try:
            records = released(Path(folder), rows, steps)
        except InputError as error:
            assert "nothing is left" in str(error) or "no numbers" in str(error)
            return
    mixed = random.sample(rows, len(rows))
    given_records = records_of(mixed)
    table = given_records.table.select(random.sample(NAMES, len(NAMES)))
    found = replayed(*steps, records=replace(given_records, table=table))
    assert not found.thinned and not found.approximate
    assert [mixed[index][0] for index in found.kept] == [
        sorted({row[0] for row in rows})[person] for person in found.records.person
    ]
    columns = [comparable_texts(found.records.column(name)).to_pylist() for name in NAMES if name != "who"]
    people = [mixed[index][0] for index in found.kept]
    assert Counter(zip(people, *columns, strict=True)) == records


def fitting(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Generalised numbers are none any more: such steps come last."""
    return sorted(steps, key=lambda step: step["step"] == "generalise")


def released(folder: Path, rows: list[Any], steps: list[dict[str, Any]]) -> Counter[Any]:
    """What `apply` writes, under people's own names and with every number in one writing."""
    original, out, truth = folder / "original.csv", folder / "out.csv", folder / "truth.csv"
    with original.open("w", newline="", encoding="utf-8") as handle:
        csv.writer(handle).writerows([NAMES, *rows])
    apply(original, {"user": "who", "step": steps}, out=out, truth=truth)
    who = {row["release_user"]: row["original_user"] for row in read(truth)}
    lines = read(out)
    texts = [
        comparable_texts(pyarrow.array([line[name] or None for line in lines], pyarrow.string())).to_pylist()
        for name in NAMES
        if name != "who"
    ]
    return Counter(zip([who[line["who"]] for line in lines], *texts, strict=True))


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as handle:
        return list(csv.DictReader(handle))


DRAWS = st.sampled_from(
    [
        NOISE,
        SAMPLE,
        THIN,
        RENAME,
        {"step": "pram", "columns": ["goods"], "keep": 0.5},
        {"step": "swap", "columns": ["price"], "within": 0.5},
        {"step": "cut", "records": 1, "keep": "random"},
        {"step": "noise", "columns": ["number"], "chance": 0.5},
        {"step": "shift_dates", "columns": ["date"], "days": 40},
    ]
)


@settings(max_examples=120, deadline=None)
@given(TABLES, st.lists(RULES | DRAWS, min_size=1, max_size=5, unique_by=str), st.integers(0, 9))
def test_what_is_called_exact_is_released_so(rows: list[Any], steps: list[Any], seed: int) -> None:
    """With draws between: exact columns of people's records are all there, or some of them if thinned."""
    steps = fitting([{**step, "seed": seed} for step in steps])
    # a missing value that is generalised joins the others if these are all alike, as they may be in a sample
    rows = [(who, day or "2010/12/1", goods, price, number or "1") for who, day, goods, price, number in rows]
    with tempfile.TemporaryDirectory() as folder:
        try:
            records = released(Path(folder), rows, steps)
        except (InputError, UsageError):
            return
    found = replayed(*steps, records=records_of(rows))
    exact = [index for index, name in enumerate(NAMES) if name == "who" or name in found.exact]
    people = [rows[index][0] for index in found.kept]
    columns = [comparable_texts(found.records.column(NAMES[index])).to_pylist() for index in exact[1:]]
    known = Counter(zip(people, *columns, strict=True))
    shown = Counter(tuple(row[index] for index in exact) for row in records.elements())
    assert shown <= known if found.thinned else shown == known

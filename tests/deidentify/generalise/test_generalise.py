"""The job `generalise`: its release recounted by hand, ARX's numbers, every engine, limits, failures."""

from __future__ import annotations

import csv
import hashlib
import json
import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import singleout
from singleout import generalise
from singleout.deidentify.generalise import generalise as generalising
from singleout.deidentify.generalise import release as releasing
from singleout.deidentify.generalise.judged_classes import judge_vector
from singleout.deidentify.generalise.result import Generalisation, Option
from singleout.deidentify.release_table import released_table
from singleout.engine.codes.dictionary import Codes
from singleout.errors import GoalError, InputError, OutputError, SingleoutError, UsageError
from singleout.roles.study import Study
from tests.by_hand import generalise_oracle as oracle
from tests.by_hand.generalise_by_hand import (
    AGE,
    DATES,
    DAY,
    HEIGHTS,
    INTERVALS,
    STAR,
    TOWN,
    TOWNS,
    Asked,
    cells_of,
    check_found,
    check_release,
    questions,
    random_table,
)
from tests.support.home import Home
from tests.support.postgres_server import POSTGRES_TYPES

ENDINGS = [".csv", ".parquet"]
RAW_OR_STAR = [{"type": "raw"}, STAR]


@pytest.fixture(scope="session")
def hierarchies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A CSV file, which knows a value that no record has and none for what is missing, and rules."""
    path = tmp_path_factory.mktemp("hierarchies") / "town.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";").writerows(TOWNS.values())
    return {TOWN: path, AGE: [*INTERVALS, STAR], DAY: [*DATES, STAR]}


def asked_words(asked: Asked, hierarchies: dict[str, Any]) -> dict[str, Any]:
    chosen = {name: hierarchies[name] for name in asked.columns if name in hierarchies}
    return {**asked.words, "hierarchies": chosen or hierarchies}


@pytest.mark.parametrize("ending", ENDINGS)
def test_whatever_is_asked_is_found_and_released_as_by_hand(
    tmp_path: Path, hierarchies: dict[str, Any], ending: str
) -> None:
    out = tmp_path / f"out{ending}"

    @settings(max_examples=40)
    @given(questions(), st.booleans(), st.sampled_from(["sorted", "shuffled"]), st.sampled_from([1, 2]))
    def check(asked: Asked, star: bool, order: Any, threads: int) -> None:
        keep = [*(["who"] if asked.user else []), *([] if asked.sensitive else ["wage"])]
        words = {
            **asked_words(asked, hierarchies), "out": out, "keep": keep, "order": order,
            "keep_suppressed": star, "threads": threads,
        }  # fmt: skip
        out.unlink(missing_ok=True)
        if asked.best:
            found = generalise(asked.table, **words)
            check_found(found, asked)
            check_release(out, asked, found, keep, star)
            return
        kind: type[SingleoutError] = GoalError
        if not asked.rows:
            kind = InputError
        elif asked.too_much:
            kind = UsageError
        with pytest.raises(kind):
            generalise(asked.table, **words)
        assert not out.exists()

    check()


# Levels chosen, minimal ones, alternatives


def as_judged(option: Option) -> tuple[Any, ...]:
    return tuple(option.levels.values()), option.suppressed, option.classes, option.discernibility


def check_order(options: tuple[Option, ...]) -> None:
    """By loss, then discernibility, then levels; sums in another order may differ in the last digit."""
    for one, other in pairwise(options):
        assert one.loss <= other.loss + 1e-9
        if one.loss == other.loss:
            assert (one.discernibility, *one.levels.values()) < (other.discernibility, *other.levels.values())


def check_options(options: tuple[Option, ...], by_hand: list[oracle.Judged]) -> None:
    check_order(options)
    wanted = {(each.vector, each.suppressed, each.classes, each.discernibility) for each in by_hand}
    assert len(options) == len(by_hand)
    assert set(map(as_judged, options)) == wanted
    assert [each.loss for each in options] == pytest.approx([each.loss for each in by_hand], abs=1e-9)


def minimal_by_hand(reaching: list[oracle.Judged]) -> list[oracle.Judged]:
    def finer(one: oracle.Judged, other: oracle.Judged) -> bool:
        below = zip(one.vector, other.vector, strict=True)
        return one is not other and all(low <= high for low, high in below)

    return [each for each in reaching if not any(finer(other, each) for other in reaching)]


def test_levels_that_are_fixed_and_all_that_are_minimal(hierarchies: dict[str, Any]) -> None:
    @settings(max_examples=40)
    @given(questions(), st.data())
    def check(asked: Asked, data: st.DataObject) -> None:
        if not asked.rows or asked.too_much:
            return
        chosen = data.draw(st.sets(st.sampled_from(asked.columns), max_size=len(asked.columns) - 1))
        fixed = {name: data.draw(st.integers(0, HEIGHTS[name])) for name in sorted(chosen)}
        places = {asked.columns.index(name): level for name, level in fixed.items()}
        reaching = [
            each
            for each in oracle.best_of(asked.judged)
            if all(each.vector[place] == level for place, level in places.items())
        ]
        words = {**asked_words(asked, hierarchies), "levels": fixed, "minimal": True, "alternatives": 1000}
        if not any(each.classes for each in reaching):
            with pytest.raises(GoalError):
                generalise(asked.table, **words)
            return
        found = generalise(asked.table, **words)
        best = Option(found.levels, found.loss, found.suppressed, found.classes, found.discernibility)
        check_options((best, *found.alternatives), reaching)
        assert found.minimal is not None
        check_options(found.minimal, minimal_by_hand(reaching))
        free = [HEIGHTS[name] + 1 for name in asked.columns if name not in fixed]
        assert found.lattice == numpy.prod(free, dtype=int)

    check()


PAPER = pyarrow.table(
    {
        "age": ["21", "22", "21", "22", "38", "39"],
        "zip": ["89073", "89077", "89073", "89077", "89500", "89500"],
    }
)
PAPER_LEVELS = {
    "age": [{"type": "raw"}, {"type": "interval", "width": 10}, STAR],
    "zip": [{"type": "raw"}, {"type": "prefix", "keep": 3}, STAR],
}


def test_algorithm_7_of_paper_1() -> None:
    """Σ level/height, then discernibility, then levels; a smallest class of exactly N is accepted.

    By hand: raw classes are {1, 3}, {2, 4}, {5}, {6}; age by tens joins 5 and 6, and age alone needs no more.
    """
    found = generalise(PAPER, hierarchies=PAPER_LEVELS, k=2, loss="levels", minimal=True)
    assert (found.levels, found.k, found.loss) == ({"age": 1, "zip": 0}, 2, 0.5)
    assert (found.classes, found.discernibility) == (3, 12)
    assert found.minimal == (Option({"age": 1, "zip": 0}, 0.5, 0, 3, 12),)
    larger = generalise(PAPER, hierarchies=PAPER_LEVELS, k=3, suppress=0.34, loss="levels", minimal=True)
    assert (larger.levels, larger.k, larger.suppressed) == ({"age": 1, "zip": 1}, 4, 2)
    whole = generalise(PAPER, hierarchies=PAPER_LEVELS, k=3, loss="levels", minimal=True)
    assert (whole.levels, whole.k) == ({"age": 2, "zip": 2}, 6)


def test_several_minimal_ones_are_ordered() -> None:
    """Either column alone may be suppressed, at the same sum of levels: discernibility decides."""
    table = pyarrow.table({"a": ["x", "x", "y", "y"], "b": ["p", "q", "p", "q"], "c": ["1", "1", "1", "2"]})
    levels = dict.fromkeys("abc", RAW_OR_STAR)
    found = generalise(table, hierarchies=levels, k=2, loss="levels", minimal=True)
    assert found.minimal is not None
    vectors = [tuple(each.levels.values()) for each in found.minimal]
    assert vectors == [(0, 1, 1), (1, 0, 1)]
    assert found.levels == {"a": 0, "b": 1, "c": 1}


def test_alternatives_are_as_many_as_asked_for() -> None:
    for many in (0, 1, 3):
        found = generalise(PAPER, hierarchies=PAPER_LEVELS, k=2, alternatives=many)
        assert len(found.alternatives) == many
        check_order(found.alternatives)
    assert found.minimal is None


def test_a_weight_spares_a_column() -> None:
    table = pyarrow.table({"a": ["x", "x", "y", "y"], "b": ["p", "q", "p", "q"]})
    levels = {"a": RAW_OR_STAR, "b": RAW_OR_STAR}
    for spared, other in (("a", "b"), ("b", "a")):
        found = generalise(table, hierarchies=levels, k=2, weights={spared: 3})
        assert found.levels == {spared: 0, other: 1}
        assert found.to_dict()["weights"] == {spared: 3}


@pytest.mark.parametrize(
    ("levels", "said"),
    [
        ({"age": 3}, "levels: 'age' has no level 3; there are 0 to 2"),
        ({"age": -1, "zop": 1}, "levels: 'age' has no level -1; there are 0 to 2; 'zop' is not generalised"),
        ({"age": 1.5}, "levels: 'age' has no level 1.5"),
        ({"age": "1"}, "levels: 'age' has no level '1'"),
    ],
)
def test_levels_that_there_are_not(levels: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        generalise(PAPER, hierarchies=PAPER_LEVELS, k=2, levels=levels)


def test_nothing_finer_is_taken_than_the_levels_that_are_fixed() -> None:
    found = generalise(PAPER, hierarchies=PAPER_LEVELS, k=2, levels={"zip": 1})
    assert (found.levels, found.lattice, found.optimal) == ({"age": 1, "zip": 1}, 3, True)
    with pytest.raises(GoalError, match=r"'age' stands in the way: without it the goals would be reached"):
        generalise(PAPER, hierarchies=PAPER_LEVELS, k=2, levels={"age": 0})


# Limits


def test_a_search_that_is_stopped_says_so() -> None:
    draw = random.Random(5)
    rows = [[str(draw.randrange(8)) for _ in range(6)] for _ in range(300)]
    table = pyarrow.table({f"c{place}": list(column) for place, column in enumerate(zip(*rows, strict=True))})
    rule = [{"type": "raw"}, {"type": "interval", "width": 2}, {"type": "interval", "width": 4}, STAR]
    words: dict[str, Any] = {"hierarchies": dict.fromkeys(table.column_names, rule), "k": 4, "suppress": 0.1}
    whole = generalise(table, **words)
    assert whole.optimal
    assert whole.bound == whole.loss
    for nodes in (1, 10, 100, 300):
        stopped = [generalise(table, **words, nodes=nodes, threads=threads) for threads in (1, 2)]
        one, two = (each.to_dict() for each in stopped)
        assert one == two
        found = stopped[0]
        assert found.bound <= whole.loss <= found.loss
        assert found.evaluated < nodes + 300
        assert found.optimal == (found.evaluated >= whole.evaluated)
        assert found.optimal or found.bound < found.loss
    assert "at least" in repr(generalise(table, **words, nodes=1))
    no_time = generalise(table, **words, seconds=0)
    assert (no_time.optimal, set(no_time.levels.values())) == (False, {3})
    listed = generalise(table, **words, nodes=10, minimal=True)
    assert listed.minimal is None
    assert any("the minimal generalisations are not told" in remark for remark in listed.remarks)


# ARX's Adult


@pytest.fixture(scope="module")
def adult(arx_adult: Path) -> Path:
    return arx_adult / "adult.csv"


def on_adult(adult: Path, **words: Any) -> Generalisation:
    return generalise(adult, **{"hierarchies": adult.parent, "k": 5, **words})


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("at", ["without_suppression", "with_suppression"])
def test_adult_as_arx_generalises_it(
    adult: Path, golden: dict[str, Any], tmp_path: Path, at: str, ending: str
) -> None:
    arx, out = golden["arx_generalisation"][at], tmp_path / f"out{ending}"
    before = hashlib.sha256(adult.read_bytes()).hexdigest()
    found = on_adult(adult, k=arx["k"], suppress=arx["suppress"], out=out)
    assert list(found.levels.values()) == arx["levels"]
    assert found.loss == pytest.approx(arx["loss"], abs=1e-10)
    assert found.suppressed == arx["suppressed"]
    assert (found.lattice, found.optimal, len(found.alternatives)) == (12960, True, 5)
    assert found.k >= arx["k"]
    check_file_of_adult(out, adult, found)
    assert hashlib.sha256(adult.read_bytes()).hexdigest() == before
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


def check_file_of_adult(out: Path, adult: Path, found: Generalisation) -> None:
    names, rows = cells_of(out)
    assert ";".join(names) == adult.read_text().partition("\n")[0]
    assert rows == sorted(rows)
    assessed = singleout.assess(out, columns=names).to_dict()["classes"]
    assert (assessed["records"], assessed["classes"]) == (found.released, found.classes)
    assert (assessed["k"], assessed["average_risk"]) == (found.k, pytest.approx(found.average_risk))


@pytest.mark.parametrize("arx_adult", ["extract"], indirect=True)
def test_the_order_of_the_data_is_gone(adult: Path, tmp_path: Path) -> None:
    head, *lines = adult.read_text().splitlines()
    random.Random(1).shuffle(lines)
    other = tmp_path / "other.csv"
    other.write_text("\n".join([head, *lines]) + "\n")

    def release(data: Path, **words: Any) -> bytes:
        on_adult(data, hierarchies=adult.parent, suppress=0.04, out=tmp_path / "out.csv", **words)
        return (tmp_path / "out.csv").read_bytes()

    in_order = release(adult)
    assert release(other) == in_order
    shuffled = release(adult, order="shuffled", seed=7)
    assert release(other, order="shuffled", seed=7, threads=1) == shuffled
    assert release(adult, order="shuffled", seed=8) != shuffled
    assert sorted(shuffled.splitlines()) == sorted(in_order.splitlines())
    assert shuffled != in_order


# Every engine, any number of threads


QUESTIONS: dict[str, dict[str, Any]] = {
    "k": {"k": 3, "suppress": 0.2, "keep_suppressed": True},
    "people": {"k": 2, "user": "who", "loss": "non_uniform_entropy", "minimal": True, "keep": ["wage"]},
    "sensitive": {"diverse": 2, "close": 0.4, "closeness": "ordered", "sensitive": ["wage", "illness"]},
    "drop": {
        "average_risk": 0.3,
        "missing": "drop",
        "order": "shuffled",
        "seed": 4,
        "loss": "discernibility",
    },
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_engine_gives_the_same(
    home: Home, tmp_path: Path, hierarchies: dict[str, Any], monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    monkeypatch.setitem(POSTGRES_TYPES, pyarrow.date32(), "date")
    monkeypatch.setitem(POSTGRES_TYPES, pyarrow.decimal128(6, 2), "decimal(6, 2)")
    table, out = random_table(40, 3), tmp_path / "out.csv"
    words = {**QUESTIONS[question], "hierarchies": hierarchies, "out": out}
    found, files, rows = [], [], []
    for data, threads in ((table, 1), (table, 2), (home.put(table), None)):
        document = generalise(data, **words, threads=threads).to_dict()
        found.append(json.loads(json.dumps({**document, "source": "", "engine": ""}, allow_nan=False)))
        files.append(out.read_bytes())
        rows.append(sorted(cells_of(out)[1]))
    assert found[0] == found[1] == found[2]
    assert files[0] == files[1]
    assert rows[0] == rows[2]  # PostgreSQL and Spark hand decimals over as text, which sorts otherwise
    assert found[0]["released"]
    assert any(found[0]["levels"].values())


def test_text_and_typed_columns_become_the_same_texts(tmp_path: Path, hierarchies: dict[str, Any]) -> None:
    """A CSV file of the table has texts only; levels, losses and a CSV release do not depend on it."""
    table, plain = random_table(60, 3), tmp_path / "plain.csv"
    with plain.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([table.column_names, *(row.values() for row in table.to_pylist())])
    both = []
    for data, out in ((table, tmp_path / "typed.csv"), (plain, tmp_path / "texts.csv")):
        found = generalise(data, hierarchies=hierarchies, k=3, suppress=0.3, out=out)
        both.append((found.levels, found.loss, found.classes, sorted(cells_of(out)[1])))
    assert both[0] == both[1]


# People with many records


def test_classes_are_counted_in_people() -> None:
    """Ann's three records look alike, and are one person; Bob and Cid share a town only when it is coarse."""
    table = pyarrow.table(
        {
            "who": ["ann", "ann", "ann", "bob", "cid", "cid", "dan"],
            "town": ["Ulm", "Ulm", "Ulm", "Bonn", "Bonn", "Kiel", "Kiel"],
        }
    )
    levels = {"town": RAW_OR_STAR}
    records = generalise(table, hierarchies=levels, k=2, user="none")
    assert (records.levels, records.k, records.people, records.released_people) == ({"town": 0}, 2, 7, 7)
    people = generalise(table, hierarchies=levels, k=2, user="who", suppress=0.5)
    assert (people.levels, people.k, people.suppressed) == ({"town": 0}, 2, 3)
    assert (people.records, people.people, people.released_people) == (7, 4, 3)
    assert people.average_risk == 0.5
    all_of_them = generalise(table, hierarchies=levels, k=2, user="who")
    assert (all_of_them.levels, all_of_them.k) == ({"town": 1}, 4)
    assert all_of_them.average_risk == 1 / 4
    with pytest.raises(UsageError, match="k: a class of 5 can't be had, for there are 4 people"):
        generalise(table, hierarchies=levels, k=5, user="who")


def test_the_user_is_released_only_when_asked_for(tmp_path: Path) -> None:
    table = pyarrow.table({"who": ["a", "b"], "town": ["Ulm", "Ulm"], "note": ["n", "m"]})
    out = tmp_path / "out.csv"
    words: dict[str, Any] = {"hierarchies": {"town": RAW_OR_STAR}, "k": 2, "user": "who", "out": out}
    found = generalise(table, **words)
    assert cells_of(out) == (["town"], [("Ulm",), ("Ulm",)])
    assert any("not released: who, note" in remark for remark in found.remarks)
    found = generalise(table, **words, keep=["who"])
    assert cells_of(out)[0] == ["who", "town"]
    assert any("'who' is released as it is" in remark for remark in found.remarks)


def test_roles_of_a_study(tmp_path: Path) -> None:
    study = Study({"who": "user", "illness": "sensitive", "note": "ignore"})
    table = pyarrow.table(
        {
            "who": ["a", "b", "c", "d"],
            "town": ["Ulm", "Ulm", "Bonn", "Bonn"],
            "job": ["cook", "nurse", "cook", "nurse"],
            "illness": ["flu", "gout", "flu", "gout"],
            "note": ["1", "2", "3", "4"],
        }
    )
    out = tmp_path / "out.csv"
    found = generalise(table, hierarchies={"town": RAW_OR_STAR}, study=study, diverse=2, out=out)
    assert (found.user, found.levels, found.diversity) == ("who", {"town": 0, "job": 1}, {"illness": 2})
    assert any(remark.startswith("job: no hierarchy is given") for remark in found.remarks)
    assert cells_of(out)[0] == ["town", "job", "illness"]


# Missing values


def test_missing_values(tmp_path: Path) -> None:
    (tmp_path / "town.csv").write_text("Ulm;south;*\nHof;south;*\nKiel;north;*\n")
    table = pyarrow.table({"town": ["Ulm", "Hof", "Kiel", None, "Kiel", None]})
    out = tmp_path / "out.csv"
    found = generalise(table, hierarchies=tmp_path, k=2, out=out)
    # the missing value is a fourth raw value: shares are 2, 1 and 1 of 4
    assert (found.levels, found.classes, found.attributes[0].values_before) == ({"town": 1}, 3, 4)
    assert found.loss == pytest.approx((2 * 2 / 4 + 4 * 1 / 4 - 6 * 1 / 4) / (6 - 6 * 1 / 4))
    assert cells_of(out)[1] == [("north",), ("north",), ("south",), ("south",), ("",), ("",)]
    coarse = generalise(table, hierarchies=tmp_path, k=3)
    assert (coarse.levels, coarse.k, coarse.classes) == ({"town": 2}, 6, 1)
    fewer = generalise(table, hierarchies=tmp_path, k=2, missing="drop")
    assert (fewer.records, fewer.classes, fewer.levels) == (4, 2, {"town": 1})
    assert "2 records with a missing value are left out" in fewer.remarks
    assert (
        fewer.to_dict()["missing_rule"]
        == "records with a missing value in the columns asked about are left out"
    )
    with pytest.raises(UsageError, match="use the rule value or drop"):
        generalise(table, hierarchies=tmp_path, k=2, missing="wildcard")


def test_a_row_of_the_file_says_what_a_missing_value_becomes(tmp_path: Path) -> None:
    (tmp_path / "town.csv").write_text("Ulm;south;*\n;south;*\nKiel;north;*\n")
    table = pyarrow.table({"town": ["Ulm", None, "Kiel", "Kiel"]})
    found = generalise(table, hierarchies=tmp_path, k=2, out=tmp_path / "out.csv")
    assert (found.levels, found.k) == ({"town": 1}, 2)
    assert cells_of(tmp_path / "out.csv")[1] == [("north",), ("north",), ("south",), ("south",)]


# Columns that are no text


def test_a_column_that_stays_as_it_is_keeps_its_type(tmp_path: Path, hierarchies: dict[str, Any]) -> None:
    table, out = random_table(40, 3), tmp_path / "out.parquet"
    pyarrow.parquet.write_table(table, tmp_path / "in.parquet")
    words: dict[str, Any] = {"hierarchies": hierarchies, "k": 1, "out": out, "keep": ["wage"]}
    generalise(tmp_path / "in.parquet", **words)
    raw = pyarrow.parquet.read_table(out)
    assert raw.schema.types == [pyarrow.string(), pyarrow.int64(), pyarrow.date32(), pyarrow.decimal128(6, 2)]
    assert raw[AGE].null_count == table[AGE].null_count > 0
    generalise(tmp_path / "in.parquet", **words, levels={AGE: 1, DAY: 2})
    coarse = pyarrow.parquet.read_table(out)
    assert coarse.schema.types[1:3] == [pyarrow.string(), pyarrow.string()]
    assert coarse[AGE].null_count == table[AGE].null_count
    assert set(coarse[AGE].to_pylist()) == {"10-19", "30-39", "50-59", None}
    assert set(coarse[DAY].to_pylist()) == {"2024", "2025", None}


def test_suppressed_records_may_stay_as_a_class_of_their_own(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    table = pyarrow.table({"age": [1, 1, 1, 2, 3, 4], "wage": [9, 8, 7, 6, 5, 4]})
    words: dict[str, Any] = {
        "hierarchies": {"age": [{"type": "raw"}]}, "k": 3, "suppress": 0.5, "keep": ["wage"],
        "keep_suppressed": True, "out": out,
    }  # fmt: skip
    found = generalise(table, **words)
    assert (found.suppressed, found.released, found.written, found.classes) == (3, 3, 6, 2)
    rows = [("*", 4), ("*", 5), ("*", 6), ("1", 7), ("1", 8), ("1", 9)]
    assert cells_of(out) == (["age", "wage"], rows)
    alone = generalise(table.slice(0, 5), **words)
    assert (alone.suppressed, alone.written) == (2, 3)
    assert any("as a class of their own they fail the goals" in remark for remark in alone.remarks)
    assert cells_of(out)[1] == [(1, 7), (1, 8), (1, 9)]


# A release that fails its own check


def told_apart(*_: Any) -> tuple[Codes, ...]:
    return (Codes(numpy.arange(6, dtype=numpy.uint32), 6),) * 2


def fewer(*_: Any) -> tuple[Codes, ...]:
    return (Codes(numpy.zeros(5, dtype=numpy.uint32), 1),) * 2


def broken(*_: Any) -> tuple[Codes, ...]:
    raise OutputError("the release can't be read back: it is torn")


def interrupted(*_: Any) -> tuple[Codes, ...]:
    raise KeyboardInterrupt


def check_that_nothing_is_written(folder: Path, goals: Any, kind: Any, said: str) -> None:
    out, diary = folder / "out.csv", folder / "diary.json"
    for old in ("", "old"):
        if old:
            out.write_text(old)
            diary.write_text(old)
        with pytest.raises(kind, match=said or None):
            generalise(PAPER, hierarchies=PAPER_LEVELS, **goals, out=out, diary=diary)
        assert [path.read_text() for path in folder.iterdir()] == ([old, old] if old else [])


@pytest.mark.parametrize(
    ("reread", "kind", "said"),
    [
        (told_apart, OutputError, r"out\.csv: column 'age' is read back otherwise than it was written"),
        (fewer, OutputError, "read back with 5 records and not 6; nothing was written"),
        (broken, OutputError, r"out\.csv: the release can't be read back: it is torn"),
        (interrupted, KeyboardInterrupt, ""),
    ],
)
def test_what_is_not_read_back_as_written_is_not_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reread: Any, kind: Any, said: str
) -> None:
    monkeypatch.setattr(releasing, "reread", reread)
    check_that_nothing_is_written(tmp_path, {"k": 2}, kind, said)


@pytest.mark.parametrize(
    ("goals", "harder", "said"),
    [
        ({"k": 2}, {"k": 3}, r"out\.csv: 3 classes of the release fail the goals when read back; nothing"),
        ({"average_risk": 0.5}, {"average_risk": 0.4}, "average risk of the release is too high when read"),
    ],
)
def test_what_fails_the_goals_when_read_back_is_not_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, goals: Any, harder: Any, said: str
) -> None:
    """As if the search had been content with less."""
    check = releasing.Check

    def strict(laid: Any, vector: Any, starred: Any, shown: Any, asked: Any, threads: int) -> Any:
        return check(laid, vector, starred, shown, replace(asked, **harder), threads)

    monkeypatch.setattr(releasing, "Check", strict)
    check_that_nothing_is_written(tmp_path, goals, OutputError, said)


def test_what_the_search_finds_is_counted_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stricter(space: Any, vector: Any, goals: Any, threads: int) -> Any:
        return judge_vector(space, vector, replace(goals, k=3), threads)

    monkeypatch.setattr(generalising, "judge_vector", stricter)
    check_that_nothing_is_written(tmp_path, {"k": 2}, SingleoutError, "disagree; please report this")


# The diary


def test_the_diary_tells_what_was_done_and_no_value_of_who_is_left_out(tmp_path: Path) -> None:
    table = pyarrow.table(
        {
            "town": ["Ulm"] * 4 + ["Zanzibar"],
            "age": [20, 21, 30, 31, 97],
            "illness": ["flu", "gout", "flu", "gout", "secret"],
            "note": list("abcde"),
        }
    )
    levels = {"town": [{"type": "raw"}], "age": [*INTERVALS, STAR]}
    out, diary = tmp_path / "out.parquet", tmp_path / "diary.json"
    found = generalise(
        table, hierarchies=levels, k=2, suppress=0.2, sensitive=["illness"], out=out, diary=diary
    )
    written = json.loads(diary.read_text())
    whole = json.loads(json.dumps(found.to_dict()))
    assert written.pop("suppressed_as") == "records"
    assert written.pop("hierarchies")["town"] == {"levels": levels["town"]}
    assert written == {key: whole[key] for key in whole if key not in ("alternatives", "minimal")}
    assert [(step["step"], step["columns"], step["changed"]) for step in written["diary"]] == [
        ("generalise", ["town"], 0),
        ("generalise", ["age"], 5),
        ("suppress", ["town", "age"], 1),
        ("keep", ["illness"], 0),
        ("leave out", ["note"], 5),
        ("arrange", ["town", "age", "illness"], 4),
    ]
    assert written["diary"][1]["how"] == "intervals of 10"
    for text in (
        diary.read_text(),
        json.dumps(found.to_dict()),
        repr(found),
        out.read_bytes().decode("latin-1"),
    ):
        told = text.replace(str(tmp_path), "")  # a folder may be called by a number
        assert not any(value in told for value in ("Zanzibar", "97", "secret", "90-"))


def test_a_diary_without_a_release() -> None:
    assert generalise(PAPER, hierarchies=PAPER_LEVELS, k=2).diary == ()


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    generalise(PAPER, hierarchies=PAPER_LEVELS, k=2, progress=lambda *each: told.append(each))
    assert told[-1][1:] == (9, 9)
    assert "counted" in told[-1][0]


def test_the_result_as_a_table() -> None:
    found = generalise(PAPER, hierarchies=PAPER_LEVELS, k=2)
    assert [row[:4] for row in found.table().rows] == [
        ("age", 1, 2, "intervals of 10"),
        ("zip", 0, 2, "as it is"),
    ]
    assert repr(found) == (
        f"<Generalisation of Table: k = 2, loss {found.loss:.4g} (proven least), 0 of 6 records suppressed>"
    )


# Mistakes, and what was once wrong


def test_all_may_be_suppressed_but_need_not_be() -> None:
    found = generalise(pyarrow.table({"a": ["x", "y"]}), hierarchies={"a": RAW_OR_STAR}, k=2, suppress=1.0)
    assert (found.levels, found.suppressed) == ({"a": 1}, 0)


# a missing number alone in its row must not become an empty line, which readers pass over
def test_one_column_of_numbers_with_a_missing_one(tmp_path: Path) -> None:
    table = pyarrow.table({"a": pyarrow.array([1, 1, None, None], pyarrow.int64())})
    found = generalise(table, hierarchies={"a": RAW_OR_STAR}, k=2, out=tmp_path / "out.csv")
    assert (found.levels, found.written) == ({"a": 0}, 4)


@pytest.mark.parametrize("as_mapping", [False, True])
def test_a_hierarchy_is_never_overwritten(tmp_path: Path, as_mapping: bool) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x;*\ny;*\n")
    with pytest.raises(OutputError, match="name another file"):
        generalise(
            pyarrow.table({"a": ["x", "y"]}),
            hierarchies={"a": path} if as_mapping else tmp_path,
            k=2,
            out=path,
        )
    assert path.read_text() == "x;*\ny;*\n"


def test_a_diary_does_not_replace_the_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError, match="need two files"):
        generalise(PAPER, hierarchies=PAPER_LEVELS, k=2, out="out.csv", diary=tmp_path / "out.csv")


@pytest.mark.parametrize(
    "words",
    [
        {"alternatives": 1.5},
        {"alternatives": None},
        {"nodes": 1.5},
        {"levels": {"age": True}},
        {"keep": "age"},
        {"sensitive": "age"},
        {"order": "random", "out": "out.csv"},
        {"seed": -1, "order": "shuffled", "out": "out.csv"},
        {"hierarchies": None},
        {"levels": ["age"]},
        {"weights": ["age"]},
        {"suppress": None},
        {"keep": None},
    ],
)
def test_what_can_not_be_meant_is_told_in_words(
    tmp_path: Path, words: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SingleoutError, match=r"; "):
        generalise(PAPER, **{"hierarchies": PAPER_LEVELS, "k": 2, **words})


RAW_OR_NOT = [{"type": "raw"}, {"type": "suppress"}]


def test_values_that_count_as_one_are_written_as_one(tmp_path: Path) -> None:
    table, out = pyarrow.table({"f": [0.0, -0.0, 0.0, -0.0, 1.5, 1.5]}), tmp_path / "out.parquet"
    found = generalise(table, hierarchies={"f": RAW_OR_NOT}, k=3, suppress=0.5, out=out)
    assert (found.k, found.suppressed) == (4, 2)
    assert {str(value) for value in pyarrow.parquet.read_table(out)["f"].to_pylist()} == {"0.0"}


def test_suppressed_records_that_are_written_count_in_k(tmp_path: Path) -> None:
    table = pyarrow.table({"x": ["a"] * 7 + ["b"] * 7 + list("cdefg")})
    words: Any = {"hierarchies": {"x": RAW_OR_NOT}, "k": 5, "suppress": 0.5, "out": tmp_path / "out.csv"}
    assert generalise(table, **words).k == 7
    found = generalise(table, **words, keep_suppressed=True)
    assert (found.k, found.classes, found.written) == (5, 3, 19)
    classes = singleout.assess(tmp_path / "out.csv").classes
    assert classes is not None and classes.by_records.k.value == 5


def test_sensitive_values_beside_the_wrong_records_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each class would have one sensitive value only, though the search saw two."""

    def wrong(*given: Any, **named: Any) -> pyarrow.Table:
        table = released_table(*given, **named)
        values = pyarrow.array(sorted(table["s"].to_pylist()))
        return table.set_column(table.column_names.index("s"), "s", values)

    monkeypatch.setattr(releasing, "released_table", wrong)
    table = pyarrow.table({"x": ["a", "a", "b", "b"], "s": ["p", "q", "p", "q"]})
    with pytest.raises(OutputError, match="column 's' is read back otherwise"):
        generalise(
            table, hierarchies={"x": RAW_OR_NOT}, k=2, diverse=2, sensitive=["s"], out=tmp_path / "out.csv"
        )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "alias", "limit"), [("diverse", "l_diversity", 2), ("close", "t_closeness", 0.2)]
)
def test_goals_have_the_names_of_the_field_too(name: str, alias: str, limit: Any) -> None:
    ages = [{"type": "raw"}, {"type": "interval", "width": 10}, {"type": "suppress"}]
    table = pyarrow.table({"age": ["21", "22", "38", "39"], "ill": ["flu", "gout", "flu", "gout"]})
    asked: dict[str, Any] = {"hierarchies": {"age": ages}, "sensitive": ["ill"]}
    one, other = (generalise(table, **asked, **{each: limit}) for each in (name, alias))
    assert one.goals == other.goals
    assert getattr(one.goals, name) == limit
    assert one.levels == other.levels == {"age": 1}
    with pytest.raises(UsageError, match=f"^{alias} is another name for {name}; give one of them$"):
        generalise(table, **asked, **{name: limit, alias: limit})


def test_numbers_written_as_text_are_ordered_as_numbers(tmp_path: Path) -> None:
    """As text 10 and 30 stand among 2 … 5: the towns would seem alike; by size they are not."""
    data = tmp_path / "pay.csv"
    pays = {"A": (2, 3, 4, 5, 10, 30), "B": (20, 40, 50, 100, 200, 300)}
    data.write_text("town,pay\n" + "".join(f"{town},{pay}\n" for town in pays for pay in pays[town]))
    words: Any = {"hierarchies": {"town": RAW_OR_NOT}, "k": 3, "sensitive": ["pay"], "closeness": "ordered"}
    assert generalise(data, **words, close=0.15).levels == {"town": 1}
    # by hand: |cumulative differences| of the shares of A and all, over 12 values, are 17/6 in all, / 11
    found = generalise(data, **words, close=0.3)
    assert found.levels == {"town": 0}
    assert found.closeness["pay"] == pytest.approx(17 / 6 / 11)

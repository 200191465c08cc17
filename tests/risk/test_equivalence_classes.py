"""Class measures against other tools' numbers and against their definitions, class by class."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout import assess
from singleout.engine.class_sizes import Sizes
from singleout.engine.open_engine import open_engine
from singleout.engine.protocol import Question
from singleout.errors import InputError
from singleout.read.source import source
from singleout.risk.equivalence_classes import Classes, classes, curve
from tests.support.extracts import ARX_ADULT, PYCANON_ADULT, adult_column, class_sizes, table_of_classes


def check_arx_adult(found: Classes | None, want: dict[str, Any]) -> None:
    assert found is not None
    assert found.classes.value == want["classes"]
    assert found.by_records.unique.value == want["unique"]
    assert found.by_records.average_risk.value == want["average_risk"]
    assert found.by_records.unique.known / found.records == want["unique_share"]


def test_arx_adult(real_data: Path, golden: dict[str, Any]) -> None:
    check_arx_adult(assess(real_data / "arx_adult" / "adult.csv").classes, golden["arx_adult"])


def test_arx_adult_from_its_class_sizes(golden: dict[str, Any]) -> None:
    want, sizes = golden["arx_adult"], class_sizes("arx_adult", ARX_ADULT)
    check_arx_adult(classes(tuple(ARX_ADULT.split()), sizes), want)
    check_arx_adult(assess(table_of_classes(sizes, ARX_ADULT.split())).classes, want)
    check_arx_adult_histogram(sizes.histogram(), want)


def check_arx_adult_histogram(sizes: dict[int, int], want: dict[str, Any]) -> None:
    assert [sizes[size] for size in range(1, 7)] == want["sizes"]
    assert max(sizes) == want["largest"]


def test_arx_adult_histogram(real_data: Path, golden: dict[str, Any]) -> None:
    with open_engine(source(real_data / "arx_adult" / "adult.csv")) as engine:
        sizes = engine.sizes(Question(tuple(column.name for column in engine.columns()))).histogram()
    check_arx_adult_histogram(sizes, golden["arx_adult"])


def check_pycanon_adult(found: Classes | None, want: dict[str, Any]) -> None:
    assert found is not None
    assert (found.classes.value, found.by_records.unique.value) == (want["classes"], want["unique"])
    assert found.by_records.k.value == want["k"]


def test_pycanon_adult(real_data: Path, golden: dict[str, Any]) -> None:
    want = golden["pycanon_adult"]
    check_pycanon_adult(assess(real_data / "adult" / "adult.data", columns=want["columns"]).classes, want)


def test_pycanon_adult_from_its_class_sizes(golden: dict[str, Any]) -> None:
    want, sizes = golden["pycanon_adult"], class_sizes("adult", PYCANON_ADULT)
    assert [adult_column(name) for name in PYCANON_ADULT.split()] == want["columns"]
    check_pycanon_adult(classes(tuple(want["columns"]), sizes), want)
    check_pycanon_adult(assess(table_of_classes(sizes, want["columns"])).classes, want)


def test_arx_distinction(golden: dict[str, Any]) -> None:
    want = golden["arx_distinction"]
    table = pyarrow.table({name: want[name] for name in ("age", "sex", "state")})
    names = ("age", "sex", "state")
    tuples = [each for size in (2, 3) for each in combinations(names, size)]
    found = assess(table, together=tuples)
    assert {each.name: each.risk.low_cost.value for each in found.attributes} == want["distinction"]


def test_a_missing_value_is_a_value() -> None:
    """pyCANON reports k = 2 here: a group-by that drops missing values hides the record that has one."""
    table = pyarrow.table({"zip": ["1", "1", None], "age": ["30", "30", "30"]})
    found = assess(table).classes
    assert found is not None
    assert found.by_records.k.value == 1
    dropped = assess(table, missing="drop").classes
    assert dropped is not None
    assert (dropped.by_records.k.value, dropped.records) == (2, 2)


def test_a_person_with_many_equal_records_is_not_a_crowd() -> None:
    table = pyarrow.table({"who": ["a", "a", "a", "b", "c"], "shop": ["x", "x", "x", "y", "y"]})
    found = assess(table, user="who").classes
    assert found is not None
    assert found.by_people is not None
    assert found.people_alone is not None
    assert found.by_records.k.value == 2
    assert found.by_people.k.value == 1
    assert found.people_alone.value == 1
    assert found.by_people.average_risk.value == pytest.approx((3 * 1 + 2 * 0.5) / 5)


def test_no_records_is_an_error_not_a_number() -> None:
    with pytest.raises(InputError, match="no records"):
        classes(("a",), Sizes.of([]))


@given(st.lists(st.integers(1, 40), min_size=1, max_size=60))
def test_measures_by_their_definition(class_sizes: list[int]) -> None:
    counted = Counter(class_sizes)
    found = classes(("x",), Sizes.of((size, size, number) for size, number in counted.items()))
    records = [size for size in class_sizes for _ in range(size)]
    total = len(records)
    assert found.records == total
    assert found.classes.value == len(class_sizes)
    assert found.by_records.k.value == min(class_sizes)
    assert found.by_records.unique.value == records.count(1)
    assert found.by_records.highest_risk.value == 1 / min(class_sizes)
    assert found.by_records.average_risk.value == pytest.approx(sum(1 / size for size in records) / total)
    entropy = -sum(size / total * math.log2(size / total) for size in class_sizes)
    assert found.entropy.value == pytest.approx(entropy, abs=1e-9)
    for point in found.by_records.curve:
        assert point.share == pytest.approx(sum(1 / size <= point.risk for size in records) / total)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=60))
def test_the_curve_rises_to_one(class_sizes: list[int]) -> None:
    points = curve(Sizes.of((size, size, 1) for size in class_sizes))
    assert [point.risk for point in points] == sorted({point.risk for point in points})
    assert [point.share for point in points] == sorted(point.share for point in points)
    assert points[-1].share == 1
    assert points[-1].risk == 1 / min(class_sizes)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), max_size=50))
def test_equal_pairs_are_added_up(pairs: list[tuple[int, int]]) -> None:
    counted = Counter(pairs)
    found = Sizes.of((records, people, 1) for records, people in pairs)
    assert found.rows() == [(*pair, counted[pair]) for pair in sorted(counted)]
    assert found.total_records == sum(records for records, _ in pairs)

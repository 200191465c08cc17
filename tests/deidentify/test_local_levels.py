"""Local recoding in codes: classes by hand, the bound beside all ways to recode, what never changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.deidentify import local_levels
from singleout.deidentify.local_levels import ColumnLevels, Numbers, RecodedRows, lower_bound, recode

LEVELS = 3


def column(fixed: int | None = None, top: bool = True) -> ColumnLevels:
    """Four values: apart, in pairs, and all alike; a pair costs 0.3, all 1."""
    codes = [numpy.arange(4), numpy.arange(4) // 2, *([numpy.zeros(4)] if top else [])]
    costs = [numpy.zeros(4), numpy.full(4, 0.3), *([numpy.ones(4)] if top else [])]
    return ColumnLevels(tuple(each.astype(numpy.uint32) for each in codes), tuple(costs), fixed)


def rows_of(table: list[tuple[int, ...]], columns: list[ColumnLevels]) -> RecodedRows:
    codes = [numpy.array(each, dtype=numpy.uint32) for each in zip(*table, strict=True)]
    return RecodedRows.of(codes, columns)


def released(
    table: list[tuple[int, ...]], levels: Numbers, columns: list[ColumnLevels]
) -> list[tuple[tuple[int, int], ...]]:
    """What each record looks like: the level and the code of each column."""
    return [
        tuple(
            (int(level), int(each.codes[level][value]))
            for value, level, each in zip(record, at, columns, strict=True)
        )
        for record, at in zip(table, levels, strict=True)
    ]


def cost(table: list[tuple[int, ...]], levels: Numbers, columns: list[ColumnLevels]) -> float:
    return sum(
        float(each.costs[level][value])
        for record, at in zip(table, levels, strict=True)
        for value, level, each in zip(record, at, columns, strict=True)
    )


def every_way(table: list[tuple[int, ...]], k: int, columns: list[ColumnLevels]) -> Iterator[float]:
    """The cost of each choice of levels for each record in which every class is large enough."""
    vectors = list(product(*(range(each.top + 1) for each in columns)))
    for levels in product(vectors, repeat=len(table)):
        at = numpy.array(levels)
        if min(Counter(released(table, at, columns)).values()) >= k:
            yield cost(table, at, columns)


tables = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.tuples(*[st.integers(0, 3)] * width), min_size=1, max_size=40)
)


@settings(max_examples=60, deadline=None)
@given(table=tables, k=st.integers(1, 4))
def test_every_class_is_large_enough_and_the_bound_is_kept(table: list[tuple[int, ...]], k: int) -> None:
    columns = [column() for _ in table[0]]
    rows = rows_of(table, columns)
    found = recode(rows, k)
    if len(table) < k:
        assert (found.levels == -1).all()
        return
    assert min(Counter(released(table, found.levels, columns)).values()) >= k
    assert lower_bound(rows, k) <= cost(table, found.levels, columns) + 1e-9


@settings(max_examples=25, deadline=None)
@given(
    table=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=4),
    k=st.integers(1, 2),
)
def test_no_way_to_recode_costs_less_than_the_bound(table: list[tuple[int, ...]], k: int) -> None:
    columns = [column(), column(top=False)]
    ways = list(every_way(table, k, columns))
    rows = rows_of(table, columns)
    found = recode(rows, k)
    if ways:
        assert lower_bound(rows, k) <= min(ways) + 1e-9
    if (found.levels >= 0).all():
        assert cost(table, found.levels, columns) >= min(ways) - 1e-9


def test_the_order_of_records_is_no_matter() -> None:
    draw = numpy.random.default_rng(3)
    table = [tuple(map(int, each)) for each in draw.integers(0, 4, (60, 3))]
    columns = [column(), column(), column()]
    first, second = (recode(rows_of(each, columns), 3).levels for each in (table, table[::-1]))
    assert (first == second[::-1]).all()


def test_alike_records_have_the_same_levels() -> None:
    draw = numpy.random.default_rng(4)
    table = [tuple(map(int, each)) for each in draw.integers(0, 3, (80, 3))]
    levels = recode(rows_of(table, [column()] * 3), 4).levels
    seen: dict[tuple[int, ...], list[int]] = {}
    assert all(
        seen.setdefault(record, list(at)) == list(at) for record, at in zip(table, levels, strict=True)
    )


def test_a_fixed_level_is_kept_and_rows_that_never_meet_are_left_out() -> None:
    table: list[tuple[int, ...]] = [(0, 0), (0, 1), (1, 0), (1, 1), (3, 3)]
    levels = recode(rows_of(table, [column(fixed=1), column(top=False)]), 4).levels
    assert levels.tolist() == [[1, 1]] * 4 + [[-1, -1]]


def test_a_judge_may_refuse_classes_and_they_join_others() -> None:
    table: list[tuple[int, ...]] = [(0,), (0,), (1,), (1,), (2,), (2,)]
    kinds = numpy.array([0, 0, 1, 1, 0, 1])

    def judge(numbers: Numbers) -> numpy.ndarray:
        return numpy.array(
            [len(set(kinds[numbers == each])) != 1 for each in range(int(numbers.max(initial=-1)) + 1)]
        )

    rows = rows_of(table, [column()])
    assert recode(rows, 2).levels.ravel().tolist() == [0] * 6
    assert recode(rows, 2, judge).levels.ravel().tolist() == [1, 1, 1, 1, 0, 0]


def test_a_large_lattice_is_thinned_out_and_stays_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_levels, "MOST_VECTORS", 10)
    draw = numpy.random.default_rng(5)
    table = [tuple(map(int, each)) for each in draw.integers(0, 4, (50, 3))]
    columns = [column()] * 3
    found = recode(rows_of(table, columns), 5)
    assert found.vectors <= 10 < found.lattice == LEVELS**3
    assert min(Counter(released(table, found.levels, columns)).values()) >= 5


def test_groups_of_columns_only_lower_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = numpy.random.default_rng(6)
    table = [tuple(map(int, each)) for each in draw.integers(0, 4, (30, 3))]
    rows = rows_of(table, [column()] * 3)
    whole = lower_bound(rows, 4)
    monkeypatch.setattr(local_levels, "MOST_BOUND_WORK", 1)
    assert 0 <= lower_bound(rows, 4) <= whole

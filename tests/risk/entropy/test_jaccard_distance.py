"""Distances between people's values: every pair by hand, and drawn pairs where there are too many."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.risk.entropy import jaccard_distance
from singleout.risk.entropy.jaccard_distance import likeness
from tests.by_hand.person_value_counts_by_hand import STATIONS, matrices, relabelled, table_of


def by_hand(matrix: Any) -> list[tuple[int, int]]:
    """(values that only one of two has, values that either has), for each pair of people with a value."""
    sets = [set(numpy.flatnonzero(row).tolist()) for row in matrix if row.any()]
    return [(len(one ^ other), len(one | other)) for one, other in combinations(sets, 2)]


@given(matrices(), st.integers(1, 3))
def test_all_pairs_by_hand(matrix: Any, threads: int) -> None:
    pairs = by_hand(matrix)
    found = likeness(table_of(matrix), seed=0, threads=threads)
    if not pairs:
        assert found is None
        return
    assert found is not None
    assert found.exact
    distances = [apart / either for apart, either in pairs]
    assert (found.pairs, found.people * (found.people - 1) // 2) == (len(pairs), len(pairs))
    assert found.mean == found.low == found.high == pytest.approx(numpy.mean(distances))
    assert found.deviation == pytest.approx(numpy.std(distances), abs=1e-7)
    bins = [min(19, 20 * apart // either) for apart, either in pairs]
    assert found.bins == tuple(bins.count(place) for place in range(20))


@given(matrices(), st.integers(0, 99))
def test_numbering_changes_nothing(matrix: Any, seed: int) -> None:
    one, other = (likeness(table_of(each), 0, 1) for each in (matrix, relabelled(matrix, seed)))
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert one.bins == other.bins
        assert one.mean == pytest.approx(other.mean, abs=1e-12)


def test_a_distance_on_an_edge_belongs_to_the_bin_it_starts() -> None:
    """19 of 20 values apart is 0.95, which 1 − 1/20 in binary is not quite."""
    matrix = numpy.zeros((2, 20), dtype=int)
    matrix[0, :10] = matrix[1, 9:] = 1
    found = likeness(table_of(matrix), 0, 1)
    assert found is not None
    assert found.mean == pytest.approx(0.95)
    assert found.bins[19] == 1


def test_table_v_by_hand() -> None:
    # Ito et al. n.d., Table V: the sets {1,2}, {1,3}, {1,2}: distances 2/3, 0, 2/3
    found = likeness(table_of(STATIONS), 0, 1)
    assert found is not None
    assert found.mean == pytest.approx(4 / 9)
    assert (found.bins[0], found.bins[13]) == (1, 2)


def test_drawn_pairs_agree_with_all() -> None:
    random = numpy.random.default_rng(1)
    matrix = random.poisson(random.gamma(0.3, 1.0, (80, 30)))
    exact = likeness(table_of(matrix), seed=0, threads=2)
    drawn = [likeness(table_of(matrix), seed, threads=2, most_pairs=10) for seed in range(6)]
    assert exact is not None
    held = 0
    for each in drawn:
        assert each is not None
        assert (each.exact, each.pairs, each.people) == (False, 1_000_000, exact.people)
        half = (each.high - each.low) / 2
        assert 0 < half < 0.001
        assert each.mean == pytest.approx(exact.mean, abs=2.5 * half)
        assert each.deviation == pytest.approx(exact.deviation, abs=0.005)
        assert [bin_ / each.pairs for bin_ in each.bins] == pytest.approx(
            [bin_ / exact.pairs for bin_ in exact.bins], abs=0.004
        )
        held += each.low <= exact.mean <= each.high
    assert held >= 4


def test_drawn_pairs_depend_on_the_seed_alone() -> None:
    table = table_of(STATIONS)
    one = likeness(table, seed=3, threads=1, most_pairs=0)
    assert one == likeness(table, seed=3, threads=3, most_pairs=0)
    assert one != likeness(table, seed=4, threads=1, most_pairs=0)


def test_a_person_alone_is_like_nobody() -> None:
    assert likeness(table_of([[1, 2], [0, 0]]), 0, 1) is None


@pytest.mark.parametrize("values", [3, 64, 200])
def test_bitmaps_and_lists_of_values_tell_the_same(values: int, monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = numpy.random.default_rng(values).random((40, values)) < 0.6
    by_bitmaps = likeness(table_of(matrix.astype(int)), seed=0, threads=2, most_pairs=0)
    monkeypatch.setattr(jaccard_distance, "_bitmaps", lambda _: None)
    assert likeness(table_of(matrix.astype(int)), seed=0, threads=1, most_pairs=0) == by_bitmaps


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(1, 9)), min_size=1))
def test_sums_of_distances_are_exact(pairs: list[tuple[int, int, int]]) -> None:
    distances = numpy.array([min(apart, either) / either for apart, either, _ in pairs])
    times = numpy.array([often for _, _, often in pairs])
    for numbers in (distances, distances * distances):
        every = [number for number, often in zip(numbers, times, strict=True) for _ in range(often)]
        assert jaccard_distance._exact_sum(numbers, times) == math.fsum(every)

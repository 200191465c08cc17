"""How many dummies a random grouping needs: the exact formulas against every possible grouping."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.attacks.linkage.item_sets import values_as_items
from singleout.deidentify.dummies.expected_dummies import (
    balanced_sizes,
    popularity_balance,
    popularity_dummies,
    uniform_balance,
    uniform_dummies,
)
from singleout.engine.codes.histories import Histories


def groupings(people: tuple[int, ...], sizes: list[int]) -> Iterator[list[tuple[int, ...]]]:
    """Every way to deal people into groups of these sizes."""
    if not sizes:
        yield []
        return
    for group in combinations(people, sizes[0]):
        left = tuple(each for each in people if each not in group)
        for others in groupings(left, sizes[1:]):
            yield [group, *others]


@given(
    st.lists(st.sets(st.integers(0, 5), min_size=1), min_size=2, max_size=6),
    st.integers(1, 6),
)
def test_expectation_by_popularity_is_the_mean_over_all_groupings(
    baskets: list[set[int]], clusters: int
) -> None:
    sizes = balanced_sizes(len(baskets), min(clusters, len(baskets))).tolist()
    found = [
        sum(
            len(set().union(*(baskets[each] for each in group)) - baskets[one])
            for group in groups
            for one in group
        )
        for groups in groupings(tuple(range(len(baskets))), sizes)
    ]
    buyers = numpy.bincount([item for basket in baskets for item in basket])
    expected = popularity_dummies(buyers, numpy.array(sizes))
    assert expected == pytest.approx(sum(found) / len(found), abs=1e-9)


def test_expectation_of_the_paper(golden: dict[str, Any]) -> None:
    """Ito et al. 2020, Sec. 4.2 and 4.3."""
    for case in golden["dummies"]["expected"]:
        found = uniform_dummies(case["people"], case["records"], case["items"], case["clusters"])
        assert round(found) == case["dummies"]
    assert uniform_balance(400, 38_000, 2_700, 50).best_clusters == 69
    assert uniform_balance(400, 38_087, 2_781, 50).best_clusters == 68


def test_the_comprehensive_value_is_smallest_at_its_best() -> None:
    best = uniform_balance(400, 38_000, 2_700, 1).best_clusters
    values = [uniform_balance(400, 38_000, 2_700, clusters).value for clusters in range(1, 401)]
    assert values[0] == pytest.approx(1 + 1 / 400)
    assert values[399] == pytest.approx(1)
    assert min(values) == values[best - 1]


def test_popular_items_make_clusters_cheaper(purchases: Histories) -> None:
    """T1: the paper's formula is far too high, for people buy the same popular goods."""
    items = values_as_items(purchases, ["goods"]).original.items
    buyers = numpy.bincount(items)
    found = popularity_dummies(buyers, balanced_sizes(400, 50))
    assert found < 0.7 * uniform_dummies(400, 38_087, 2_781, 50)
    balance = popularity_balance(buyers, 400, 50)
    whole = popularity_dummies(buyers, balanced_sizes(400, 1))
    assert balance.value == pytest.approx(found / whole + 50 / 400)
    values = [popularity_dummies(buyers, balanced_sizes(400, c)) / whole + c / 400 for c in range(1, 401)]
    assert balance.best_value == pytest.approx(min(values))
    assert balance.best_clusters == values.index(min(values)) + 1


def test_one_item_and_one_person() -> None:
    assert uniform_dummies(10, 30, 1, 2) == 0
    assert popularity_balance(numpy.array([1]), 1, 1).value == 1
    assert popularity_dummies(numpy.array([1]), numpy.array([1])) == 0

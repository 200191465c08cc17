"""Families of attribute sets against itertools."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.engine.column_sets.set_counts import SetCounts
from singleout.errors import UsageError
from singleout.risk.combinations.attribute_sets import (
    MOST_SETS,
    all_sets,
    candidate_sets,
    names_of,
    number_of_size,
    number_up_to,
    sets_of_size,
    sets_up_to,
    sizes_of,
    subsets_without_one,
)
from tests.by_hand.attribute_sets_by_hand import Toy, places_of, uint


def masks_of_size(width: int, size: int) -> list[int]:
    return sorted(sum(1 << place for place in places) for places in combinations(range(width), size))


@pytest.mark.parametrize("width", range(1, 8))
def test_families_against_itertools(width: int) -> None:
    by_size = {size: masks_of_size(width, size) for size in range(1, width + 1)}
    for size, masks in by_size.items():
        found = sets_of_size(width, size)
        assert found.tolist() == masks
        assert found.dtype == "uint64"
        assert number_of_size(width, size) == len(masks)
        assert sizes_of(found).tolist() == [size] * len(masks)
        up_to = sorted(mask for other in range(1, size + 1) for mask in by_size[other])
        assert sets_up_to(width, size).tolist() == up_to
        assert number_up_to(width, size) == len(up_to)
    assert all_sets(width).tolist() == sets_up_to(width, width + 3).tolist() == list(range(1, 2**width))


def test_wide_families() -> None:
    assert len(all_sets(20)) == MOST_SETS - 1
    found = sets_of_size(63, 61)  # the sets in between would be 10^17
    assert len(found) == 1953
    assert found[0] == 2**61 - 1
    assert found[-1] == 2**63 - 4
    assert (numpy.diff(found) > 0).all()
    assert sizes_of(found).tolist() == [61] * 1953
    assert number_up_to(63, 63) == 2**63 - 1
    assert sets_of_size(63, 63).tolist() == [2**63 - 1]


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: all_sets(21), "2,097,151 sets are too many, for the most is 1,048,576; name fewer columns"),
        (lambda: sets_of_size(63, 31), "916,312,070,471,295,267 sets are too many"),
        (lambda: sets_up_to(40, 6), "or bound the sets by size or by budget"),
        (lambda: sets_of_size(3, 4), "sets of 4: there are only 3 columns; ask for 3 at most"),
        (lambda: sets_of_size(3, 0), "sets of 0: a set has at least one column"),
        (lambda: sets_up_to(3, 0), "sets of 0: a set has at least one column"),
        (lambda: all_sets(64), "64 columns are too many for sets of them; name 63 at most"),
        (lambda: all_sets(0), "there is no column to choose sets from"),
    ],
)
def test_families_that_can_not_be(ask: Callable[[], Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        ask()


def test_names() -> None:
    assert names_of(0, ("a", "b")) == ()
    assert names_of(2**62 | 1, [str(place) for place in range(63)]) == ("0", "62")


@given(st.integers(0, 3), st.lists(st.integers(0, 63), max_size=40), st.booleans())
def test_grown_sets_have_all_their_subsets(size: int, drops: list[int], high: bool) -> None:
    """Against all sets of one column more, each looked at subset by subset; also in the highest bits."""
    width, shift = 6, 57 if high else 0
    family = [mask for place, mask in enumerate(masks_of_size(width, size)) if place not in drops]
    if size == 0:
        family = [0]
    wanted = [
        mask
        for mask in masks_of_size(width, size + 1)
        if all(mask & ~(1 << place) in family for place in places_of(mask))
    ]
    if size == 0:
        wanted = [1 << place for place in range(width)]
        shift = 0
    found = candidate_sets(uint([mask << shift for mask in family]), width + shift, 100)
    assert found is not None
    assert found.tolist() == [mask << shift for mask in wanted]
    less = subsets_without_one(uint(wanted))
    assert set(less.tolist()) == {mask & ~(1 << place) for mask in wanted for place in places_of(mask)}


def test_too_many_to_grow() -> None:
    singles = sets_of_size(63, 1)
    found = candidate_sets(singles, 63, 1953)
    assert found is not None
    assert (found == sets_of_size(63, 2)).all()
    assert candidate_sets(singles, 63, 1952) is None
    assert candidate_sets(singles[:0], 63, 10) is not None


def test_pairs_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("singleout.risk.combinations.attribute_sets.PAIRS", 3)
    found = candidate_sets(sets_of_size(9, 3), 9, 1000)
    assert found is not None
    assert (found == sets_of_size(9, 4)).all()


def test_parts_of_counts() -> None:
    toy = Toy((("x", 1), ("x", 2), ("y", 2)))
    counts = toy.counter(1)(uint([0, 1, 2, 3]))
    again = SetCounts.join([counts.at(counts.smallest == 1), counts.at([0])])
    assert again.sets.tolist() == [1, 2, 3, 0]
    assert (again.classes.tolist(), again.records, again.people) == ([2, 2, 3, 1], 3, 3)
    assert again.average_risk.tolist() == [2 / 3, 2 / 3, 1, 1 / 3]


def test_what_is_rounded() -> None:
    """4 records of 3 people: 4/3 can't be written in bits; a record a person always can."""
    rows = ((0,), (0,), (0,), (0,))
    assert not Toy(rows).counter(1)(uint([0, 1])).is_rounded_down.any()
    assert Toy(rows, ("a", "b", "c", "c")).counter(1)(uint([0, 1])).is_rounded_down.all()

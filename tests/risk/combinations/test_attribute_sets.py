"""Families of attribute sets against itertools; and the count by hand that tests of sets share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.engine.class_sizes import Sizes
from singleout.engine.column_sets.set_counts import SetCounts, Sets
from singleout.errors import UsageError
from singleout.risk.combinations.attribute_sets import (
    MOST_SETS,
    all_sets,
    grown,
    names_of,
    number_of_size,
    number_up_to,
    one_less,
    sets_of_size,
    sets_up_to,
    sizes_of,
)


@dataclass(frozen=True)
class Toy:
    """A small table, counted record by record; without people each record is its own person."""

    rows: tuple[tuple[Any, ...], ...]
    people: tuple[str, ...] | None = None

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def persons(self) -> Sequence[Any]:
        return self.people or range(len(self.rows))

    def classes(self, mask: int) -> dict[tuple[Any, ...], list[Any]]:
        """{value tuple: the person of each of its records}."""
        found: dict[tuple[Any, ...], list[Any]] = defaultdict(list)
        for row, person in zip(self.rows, self.persons, strict=True):
            found[tuple(row[place] for place in places_of(mask))].append(person)
        return found

    def sizes(self, mask: int) -> list[int]:
        """n_p of each record, counted in people."""
        classes = self.classes(mask)
        keys = (tuple(row[place] for place in places_of(mask)) for row in self.rows)
        return [len(set(classes[key])) for key in keys]

    def average_risk(self, mask: int) -> Fraction:
        return sum((Fraction(1, size) for size in self.sizes(mask)), Fraction(0)) / len(self.rows)

    def people_at_risk(self, mask: int, allow: int) -> int:
        sizes = self.sizes(mask)
        return len({who for who, size in zip(self.persons, sizes, strict=True) if size <= allow})

    def counter(self, allow: int, told: list[int] | None = None) -> Callable[[Sets], SetCounts]:
        """What an engine would count; `told` is given every set that was asked for."""

        def count(sets: Sets) -> SetCounts:
            masks = sets.tolist()
            assert masks == sorted(set(masks))
            if told is not None:
                told.extend(masks)
            groups = [[(len(who), len(set(who)), 1) for who in self.classes(mask).values()] for mask in masks]
            at_risk = numpy.array([self.people_at_risk(mask, allow) for mask in masks], dtype=numpy.int64)
            return SetCounts.of(
                sets, [Sizes.of(each) for each in groups], at_risk, len(set(self.persons)), allow
            )

        return count


@st.composite
def toys(draw: st.DrawFn, most_columns: int = 5) -> Toy:
    width = draw(st.integers(1, most_columns))
    rows = draw(st.lists(st.tuples(*[st.integers(0, 2)] * width), min_size=1, max_size=9))
    people = draw(st.lists(st.sampled_from("abcde"), min_size=len(rows), max_size=len(rows)))
    return Toy(tuple(rows), tuple(people) if draw(st.booleans()) else None)


def places_of(mask: int) -> list[int]:
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


def masks_of_size(width: int, size: int) -> list[int]:
    return sorted(sum(1 << place for place in places) for places in combinations(range(width), size))


def uint(masks: Sequence[int]) -> Sets:
    return numpy.array(masks, dtype=numpy.uint64)


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
    found = grown(uint([mask << shift for mask in family]), width + shift, 100)
    assert found is not None
    assert found.tolist() == [mask << shift for mask in wanted]
    less = one_less(uint(wanted))
    assert set(less.tolist()) == {mask & ~(1 << place) for mask in wanted for place in places_of(mask)}


def test_too_many_to_grow() -> None:
    singles = sets_of_size(63, 1)
    found = grown(singles, 63, 1953)
    assert found is not None
    assert (found == sets_of_size(63, 2)).all()
    assert grown(singles, 63, 1952) is None
    assert grown(singles[:0], 63, 10) is not None


def test_pairs_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("singleout.risk.combinations.attribute_sets.PAIRS", 3)
    found = grown(sets_of_size(9, 3), 9, 1000)
    assert found is not None
    assert (found == sets_of_size(9, 4)).all()


def test_parts_of_counts() -> None:
    toy = Toy((("x", 1), ("x", 2), ("y", 2)))
    counts = toy.counter(1)(uint([0, 1, 2, 3]))
    again = SetCounts.joined([counts.at(counts.smallest == 1), counts.at([0])])
    assert again.sets.tolist() == [1, 2, 3, 0]
    assert (again.classes.tolist(), again.records, again.people) == ([2, 2, 3, 1], 3, 3)
    assert again.average_risk.tolist() == [2 / 3, 2 / 3, 1, 1 / 3]


def test_what_is_rounded() -> None:
    """4 records of 3 people: 4/3 can't be written in bits; a record a person always can."""
    rows = ((0,), (0,), (0,), (0,))
    assert not Toy(rows).counter(1)(uint([0, 1])).rounded_down.any()
    assert Toy(rows, ("a", "b", "c", "c")).counter(1)(uint([0, 1])).rounded_down.all()

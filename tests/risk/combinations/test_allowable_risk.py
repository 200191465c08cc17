"""Allowable risk against the literal loop of Algorithm 4 and a look at every set."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.engine.column_sets.set_counts import SetCounts, Sets
from singleout.errors import UsageError
from singleout.risk.combinations.allowable_risk import Border, Criterion, minimal_and_maximal_sets
from singleout.risk.combinations.attribute_sets import sets_of_size, sizes_of
from tests.by_hand.attribute_sets_by_hand import Toy, by_definition, criteria, holds, places_of, toys, uint
from tests.extracts.build_extracts import ADULT
from tests.support.extracts import smallest_classes


@given(toys(), criteria())
def test_the_border_is_that_of_all_sets(toy: Toy, criterion: Criterion) -> None:
    risky = {mask: by_definition(toy, mask, criterion) for mask in range(2**toy.width)}
    minimal = {
        mask
        for mask in risky
        if risky[mask] and not any(risky[part] for part in risky if holds(mask, part) and part != mask)
    }
    safe = {
        mask
        for mask in risky
        if not risky[mask] and all(risky[more] for more in risky if holds(more, mask) and more != mask)
    }
    told: list[int] = []
    found = minimal_and_maximal_sets(toy.width, toy.counter(criterion.limit, told), criterion)
    assert set(found.minimal.sets.tolist()) == minimal
    assert set(found.safe.sets.tolist()) == safe
    assert found.not_looked_at == ()
    assert found.subsets == 2**toy.width - 1
    assert found.evaluated == len(set(told)) - 1 == len(told) - 1
    for counts in (found.minimal, found.safe):
        sizes = sizes_of(counts.sets).tolist()
        assert list(zip(sizes, counts.sets.tolist(), strict=True)) == sorted(
            zip(sizes, counts.sets.tolist(), strict=True)
        )
        assert counts.smallest.tolist() == [min(toy.sizes(mask)) for mask in counts.sets.tolist()]


@given(toys(), criteria())
def test_every_criterion_is_monotone_and_as_defined(toy: Toy, criterion: Criterion) -> None:
    counts = toy.counter(criterion.limit)(uint(range(2**toy.width)))
    found = criterion.too_risky(counts).tolist()
    assert found == [by_definition(toy, mask, criterion) for mask in range(2**toy.width)]
    for mask, risky in enumerate(found):
        assert not risky or all(found[more] for more in range(2**toy.width) if holds(more, mask))


def literal_algorithm_4(toy: Toy, allow: int) -> set[int]:
    """While n > N another attribute is added, n being |D| at first; for every order of the attributes."""
    emitted = set()
    for order in permutations(range(toy.width)):
        known, size = 0, len(set(toy.persons))
        for attribute in order:
            if not size > allow:
                break
            known |= 1 << attribute
            size = min(toy.sizes(known))
        if size <= allow:
            emitted.add(known)
    return emitted


@given(toys(4), st.integers(1, 10))
def test_the_published_loop(toy: Toy, allow: int) -> None:
    """It also emits sets of which a part is enough; those without such a part are the minimal ones."""
    emitted = literal_algorithm_4(toy, allow)
    minimal = {mask for mask in emitted if not any(holds(mask, part) and part != mask for part in emitted)}
    criterion = Criterion("worst", allow)
    assert (
        set(minimal_and_maximal_sets(toy.width, toy.counter(allow), criterion).minimal.sets.tolist())
        == minimal
    )


PETS = Toy((("cat", "red", 1), ("cat", "red", 2), ("dog", "red", 1), ("dog", "blue", 2)))


def test_an_example_by_hand() -> None:
    """Blue is seen once; cat and dog twice, 1 and 2 twice; animal and number together make all alone."""
    found = minimal_and_maximal_sets(3, PETS.counter(1), Criterion("worst", 1))
    assert found.minimal.sets.tolist() == [0b010, 0b101]
    assert found.safe.sets.tolist() == [0b001, 0b100]
    assert found.minimal.unique.tolist() == [1, 4]
    assert (found.evaluated, found.subsets) == (4, 7)


def test_the_empty_set_may_be_all_that_is_safe_or_too_risky_itself() -> None:
    found = minimal_and_maximal_sets(3, PETS.counter(2), Criterion("worst", 2))
    assert (found.minimal.sets.tolist(), found.safe.sets.tolist()) == ([1, 2, 4], [0])
    found = minimal_and_maximal_sets(3, PETS.counter(4), Criterion("worst", 4))
    assert (found.minimal.sets.tolist(), found.safe.sets.tolist()) == ([0], [])
    assert (found.evaluated, found.minimal.smallest.tolist()) == (0, [4])
    found = minimal_and_maximal_sets(3, PETS.counter(3), Criterion("worst", 4, strict=True))
    assert (found.minimal.sets.tolist(), found.safe.sets.tolist()) == ([1, 2, 4], [0])
    found = minimal_and_maximal_sets(3, PETS.counter(100), Criterion("worst", 100))
    assert found.minimal.sets.tolist() == [0]


def test_means_that_rounding_hides() -> None:
    """Three people share 4 records twice and another 4 records: (4/3 + 4/3 + 4/3) / 12 is 1/3 exactly."""
    rows = tuple((group,) for group in (0, 1, 2) for _ in range(4))
    toy = Toy(rows, tuple("abca") * 3)
    counts = toy.counter(3)(uint([1]))
    assert counts.average_risk[0] < 1 / 3 or counts.risk_parts[0] * 3 < 12 << (62 - 4)
    assert Criterion("mean", 3).too_risky(counts).tolist() == [True]
    counts = toy.counter(2)(uint([1]))
    assert Criterion("mean", 3, strict=True).too_risky(counts).tolist() == [False]
    assert Criterion("mean", 2).too_risky(counts).tolist() == [False]


def test_a_tenth_is_a_tenth() -> None:
    """3 of 10 records are not more than 0.3 of them, though 0.1 + 0.2 in bits is above 0.3."""
    toy = Toy(tuple((min(place, 3),) for place in range(10)))
    counts = toy.counter(1)(uint([1]))
    assert counts.at_risk.tolist() == [3]
    assert Criterion("share", 1, 0.3).too_risky(counts).tolist() == [False]
    assert Criterion("share", 1, 0.29).too_risky(counts).tolist() == [True]
    assert Criterion("share", 1, Fraction(3, 10)).too_risky(counts).tolist() == [False]


class Threshold:
    """A table of `width` columns in which every set of so many columns is too risky, and no smaller one."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __call__(self, sets: Sets) -> SetCounts:
        smallest = numpy.where(sizes_of(sets) < self.size, 100, 1)
        zeros = numpy.zeros(len(sets), dtype=numpy.int64)
        return SetCounts(sets, 1000, 1000, 5, zeros + 1, smallest, zeros, zeros, zeros, zeros, zeros)


def check_limited(found: Border, width: int, size: int, left: int) -> None:
    (missing,) = found.not_looked_at
    assert missing.at_most
    assert missing.sets == left
    assert (found.safe.sets == sets_of_size(width, size)).all()
    assert len(found.minimal.sets) == 0


def test_sets_that_are_not_asked_for() -> None:
    found = minimal_and_maximal_sets(6, Threshold(4), Criterion("worst", 5), largest=2)
    check_limited(found, 6, 2, 20 + 15 + 6 + 1)
    assert found.not_looked_at[0].reason == "sets of more than 2 columns were not asked for"
    assert found.evaluated == 6 + 15
    found = minimal_and_maximal_sets(6, Threshold(3), Criterion("worst", 5), largest=3)
    assert found.not_looked_at == ()  # all larger sets hold one that is too risky
    assert (found.minimal.sets == sets_of_size(6, 3)).all()
    assert minimal_and_maximal_sets(6, Threshold(4), Criterion("worst", 5), largest=9).not_looked_at == ()


def test_sets_that_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("singleout.risk.combinations.allowable_risk.MOST_SETS", 200)
    found = minimal_and_maximal_sets(63, Threshold(3), Criterion("worst", 5))
    check_limited(found, 63, 1, 2**63 - 1 - 63)
    assert found.not_looked_at[0].reason == "there are more than 200 sets of 2 columns that may be safe"


def test_sixty_three_columns() -> None:
    told: list[tuple[str, int, int]] = []

    def tell(doing: str, done: int, total: int) -> None:
        told.append((doing, done, total))

    found = minimal_and_maximal_sets(63, Threshold(3), Criterion("worst", 5), progress=tell)
    assert len(found.minimal.sets) == 39711
    assert (found.safe.sets == sets_of_size(63, 2)).all()
    assert found.evaluated == 63 + 1953 + 39711
    assert found.subsets == 2**63 - 1
    assert told[-2:] == [("sets of 3", 0, 39711), ("sets of 3", 39711, 39711)]


def listed_counter(columns: list[str], smallest: dict[frozenset[str], int]) -> Any:
    """Smallest classes for `worst` only, from a list of the sets where nobody is alone."""

    def count(sets: Sets) -> SetCounts:
        names = [frozenset(columns[place] for place in places_of(mask)) for mask in sets.tolist()]
        least = numpy.array([smallest.get(each, 1) for each in names])
        zeros = numpy.zeros(len(sets), dtype=numpy.int64)
        records = smallest[frozenset()]
        return SetCounts(sets, records, records, 1, zeros, least, *[zeros] * 5)

    return count


def test_adult() -> None:
    """Thirteen attributes, N = 1: 48 of 8,192 nodes, says the specification (Anon. n.d., complexity)."""
    quasi = [name for name in ADULT if name not in ("fnlwgt", "income")]
    found = minimal_and_maximal_sets(
        13, listed_counter(quasi, dict(smallest_classes())), Criterion("worst", 1)
    )
    assert (found.evaluated, found.subsets) == (48, 8191)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Criterion("worst", 0), "allow: 0 is no class size; write a whole number, 1 or more"),
        (lambda: Criterion("worst", True), "allow: True is no class size"),
        (lambda: Criterion("worst", 2.0), "allow: 2.0 is no class size"),  # type: ignore[arg-type]
        (lambda: Criterion("worst", 1, strict=True), "allow: nothing has a class below 1; allow 2 or more"),
        (lambda: Criterion("share", 1, 1), "share: 1 is no share to stay within"),
        (lambda: Criterion("share", 1, -0.1), "share: -0.1 is no share to stay within"),
        (lambda: Criterion("share", 1, float("nan")), "share: nan is no share to stay within"),
        (lambda: Criterion("mean", 1, 0.5), "share: the criterion mean knows none"),
        (lambda: Criterion("max", 0), "criterion: 'max' is none; there are worst, .*; allow: 0 is"),  # type: ignore[arg-type]
        (
            lambda: minimal_and_maximal_sets(3, PETS.counter(1), Criterion("worst", 1), largest=0),
            "largest: 0 is no size",
        ),
        (
            lambda: minimal_and_maximal_sets(64, PETS.counter(1), Criterion("worst", 1)),
            "64 columns are too many",
        ),
        (
            lambda: minimal_and_maximal_sets(3, PETS.counter(3), Criterion("worst", 2)),
            "were counted for classes of 3; count them for 2",
        ),
    ],
)
def test_questions_that_can_not_be_meant(make: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        make()

"""Multisets of items: whoever has all that was known and lacks what was added, against the definition."""

from __future__ import annotations

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as some

from singleout.attacks.linkage.cosine_kernels import TILE
from singleout.attacks.linkage.item_sets import values_as_items
from singleout.attacks.linkage.multiset_linkage import MultisetLinkage
from singleout.progress import silent
from tests.by_hand.linkage_by_hand import Person, expected, histories, item_set, listed, multiset, scores

ITEMS = some.sampled_from(["a", "b", "c", "d", None])
PEOPLE = some.lists(some.lists(some.tuples(ITEMS), max_size=6), min_size=1, max_size=12)


def linkage_of(original: list[Person], release: list[Person], threads: int = 1) -> MultisetLinkage:
    return MultisetLinkage(values_as_items(histories(original, release, ["item"]), ["item"]), threads)


def check(original: list[Person], release: list[Person], threads: int) -> None:
    linkage = linkage_of(original, release, threads)
    asked, known = numpy.indices((len(release), len(original))).reshape(2, -1)
    own = linkage.score(asked, known).reshape(len(release), -1)
    # rarities are rounded to a millionth
    assert own == pytest.approx(numpy.array(scores(original, release, multiset(original))), abs=1e-5)
    for most in (1, 3, 10):
        assert listed(linkage.best(most, silent)) == expected(own.tolist(), most)


@given(PEOPLE, PEOPLE, some.sampled_from([1, 3]))
def test_scores_by_hand(original: list[Person], release: list[Person], threads: int) -> None:
    check(original, release, threads)


def test_several_tiles() -> None:
    draw = numpy.random.default_rng(5)
    original: list[Person] = [
        [(str(item),) for item in draw.integers(0, 40, draw.integers(0, 7))] for _ in range(TILE + 9)
    ]
    release: list[Person] = [original[3], [*original[TILE + 2], ("0",), ("1",)], []]
    check(original, release, 2)


@given(PEOPLE, some.integers(1, 4))
def test_dummies_leave_the_true_person_without_a_fault(original: list[Person], clusters: int) -> None:
    """Everybody of a cluster has all its items, those that were added once: nobody has fewer faults."""
    cluster = [who % clusters for who in range(len(original))]
    union = [
        set().union(*(item_set(one) for one, number in zip(original, cluster, strict=True) if number == each))
        for each in range(clusters)
    ]
    release = [
        [*one, *((item,) for item in union[number] - item_set(one))]
        for one, number in zip(original, cluster, strict=True)
    ]
    every = numpy.arange(len(original))
    assert (linkage_of(original, release).score(every, every) >= 0).all()


def test_a_repeat_is_real_and_a_single_record_may_be_a_dummy() -> None:
    tea, milk, salt = ("tea",), ("milk",), ("salt",)
    original: list[Person] = [[tea, tea, milk], [tea, milk, milk], [salt]]
    everything: list[Person] = [[tea, tea, milk, salt], [tea, milk, milk, salt], [tea, milk, salt]]
    linkage = linkage_of(original, everything)
    assert linkage.best(1, silent).person.tolist() == [[0], [1], [2]]
    # nobody who is known to have two teas is the third
    impossible, true = linkage.score(numpy.array([2, 2]), numpy.array([0, 2]))
    assert impossible < 0 <= true

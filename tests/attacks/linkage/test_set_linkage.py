"""Item sets: every overlap against its definition, pair by pair, and figures of Ito et al. 2020."""

from __future__ import annotations

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as some

from singleout.attacks.linkage.candidates import Linkage
from singleout.attacks.linkage.item_sets import tuples_as_items, values_as_items
from singleout.attacks.linkage.overlap_kernels import MANY, MOST_AT_ONCE, TILE
from singleout.attacks.linkage.set_linkage import CosineLinkage, IdfJaccardLinkage, Overlap, OverlapLinkage
from singleout.engine.codes.histories import Histories
from singleout.progress import silent
from tests.by_hand.linkage_by_hand import (
    Person,
    containment,
    cosine,
    coverage,
    expected,
    histories,
    idf_jaccard,
    jaccard,
    listed,
    scores,
    tuple_jaccard,
    weighted_jaccard,
)

VALUES = some.sampled_from(["a", "b", "c", "d", None])
PEOPLE = some.lists(some.lists(some.tuples(VALUES, VALUES), max_size=5), min_size=1, max_size=14)
BY_HAND = {"jaccard": jaccard, "containment": containment, "coverage": coverage}
COLUMNS = ("entry", "exit")


def check(linkage: Linkage, original: list[Person], release: list[Person], table: list[list[float]]) -> None:
    """The lists are those of the table, and single pairs have the same scores."""
    for most in (1, 3, 10):
        assert listed(linkage.best(most, silent)) == expected(table, most)
    asked, known = numpy.indices((len(release), len(original))).reshape(2, -1)
    assert linkage.score(asked, known).tolist() == [score for row in table for score in row]


@given(PEOPLE, PEOPLE, some.sampled_from(sorted(BY_HAND)), some.sampled_from([1, 3]))
def test_overlaps_by_hand(original: list[Person], release: list[Person], kind: Overlap, threads: int) -> None:
    sets = values_as_items(histories(original, release, COLUMNS), COLUMNS)
    check(OverlapLinkage(sets, kind, threads), original, release, scores(original, release, BY_HAND[kind]))


@given(PEOPLE, PEOPLE)
def test_multisets_by_hand(original: list[Person], release: list[Person]) -> None:
    both = histories(original, release, COLUMNS)
    linkage = OverlapLinkage(values_as_items(both, COLUMNS).copies(), "jaccard", 2)
    check(linkage, original, release, scores(original, release, weighted_jaccard))
    pairs = OverlapLinkage(tuples_as_items(both, COLUMNS).copies(), "jaccard", 2)
    check(pairs, original, release, scores(original, release, tuple_jaccard))


@given(PEOPLE, PEOPLE, some.sampled_from([1, 3]))
def test_cosine_by_hand(original: list[Person], release: list[Person], threads: int) -> None:
    linkage = CosineLinkage(values_as_items(histories(original, release, COLUMNS), COLUMNS), threads)
    table = scores(original, release, cosine(original))
    found = linkage.best(10, silent)
    for row, (people, best, tied) in enumerate(listed(found)):
        assert best == pytest.approx([table[row][who] for who in people], abs=1e-11)
        assert best == pytest.approx(sorted(table[row], reverse=True)[: len(best)], abs=1e-11)
        assert tied == sum(abs(score - best[-1]) < 1e-11 for score in table[row])
        by_rank = [(-score, who) for score, who in zip(best, people, strict=True)]
        assert by_rank == sorted(by_rank)
    asked, known = numpy.indices((len(release), len(original))).reshape(2, -1)
    assert linkage.score(asked, known) == pytest.approx([score for row in table for score in row], abs=1e-11)


@given(PEOPLE, PEOPLE, some.sampled_from([1, 3]))
def test_idf_jaccard_by_hand(original: list[Person], release: list[Person], threads: int) -> None:
    """Rounded to twelve digits; who has the same set has the same scores to the last digit."""
    linkage = IdfJaccardLinkage(values_as_items(histories(original, release, COLUMNS), COLUMNS), threads)
    table = [[round(each, 12) for each in row] for row in scores(original, release, idf_jaccard(original))]
    asked, known = numpy.indices((len(release), len(original))).reshape(2, -1)
    own = linkage.score(asked, known).reshape(len(release), -1)
    assert own == pytest.approx(numpy.array(table), abs=2e-12)
    assert listed(linkage.best(10, silent)) == expected(own.tolist(), 10)
    swapped = linkage.swap_sides()
    assert swapped.score(known, asked).tolist() == own.reshape(-1).tolist()
    assert listed(swapped.best(3, silent)) == expected(own.T.tolist(), 3)


def test_idf_jaccard_over_several_tiles() -> None:
    original = [*drawn(TILE + 300, 400, 9, 1), *drawn(5, 2000, 900, 2)]
    release = [*original[4:9], *original[-5:], *drawn(4, 400, 9, 3), []]
    linkage = IdfJaccardLinkage(values_as_items(histories(original, release, ["item"]), ["item"]), 2)
    asked, known = numpy.indices((len(release), len(original))).reshape(2, -1)
    own = linkage.score(asked, known).reshape(len(release), -1)
    assert own == pytest.approx(numpy.array(scores(original, release, idf_jaccard(original))), abs=2e-12)
    assert listed(linkage.best(10, silent)) == expected(own.tolist(), 10)


@given(PEOPLE, PEOPLE)
def test_missing_values_can_be_skipped(original: list[Person], release: list[Person]) -> None:
    sets = values_as_items(histories(original, release, COLUMNS), COLUMNS, skip_missing=True)

    def filled(people: list[Person]) -> list[Person]:
        return [[(value,) for record in person for value in record if value is not None] for person in people]

    known, asked = filled(original), filled(release)
    check(OverlapLinkage(sets, "jaccard", 1), known, asked, scores(known, asked, jaccard))


def drawn(people: int, items: int, size: int, seed: int) -> list[Person]:
    """Skewed sets of about so many items."""
    draw = numpy.random.default_rng(seed)
    sizes = draw.integers(0, size, people)
    return [[(str(item),) for item in (draw.random(each) ** 3 * items).astype(int)] for each in sizes]


@pytest.mark.parametrize("kind", sorted(BY_HAND))
def test_several_tiles_bitmaps_and_large_sets(kind: Overlap) -> None:
    """More people than a tile has, items with and without a bitmap, sets larger than a byte."""
    original = [*drawn(TILE + 300, 400, 9, 1), *drawn(5, 2000, 5 * MOST_AT_ONCE, 2)]
    release = [*original[4:9], *original[-5:], *drawn(4, 400, 9, 3), []]
    both = histories(original, release, ["item"])
    sets = values_as_items(both, ["item"])
    having = numpy.bincount(sets.original.items)
    assert (having > MANY).any() and ((having > 0) & (having < MANY)).any()
    assert sets.release.sizes.max() > MOST_AT_ONCE
    table = scores(original, release, BY_HAND[kind])
    assert listed(OverlapLinkage(sets, kind, 2).best(10, silent)) == expected(table, 10)


def test_the_same_set_is_the_same_person() -> None:
    """Order and repetition do not make a set another one, but they make another multiset."""
    release: list[Person] = [[("a",), ("b",)], [("b",), ("a",), ("a",)], [], [("b",)], []]
    sets = values_as_items(histories(release, release, ["item"]), ["item"])
    assert OverlapLinkage(sets, "jaccard", 1).indistinguishable().tolist() == [0, 0, 1, 2, 1]
    assert CosineLinkage(sets, 1).indistinguishable().tolist() == [0, 1, 2, 3, 2]


def test_purchases_of_paper_2(purchases: Histories) -> None:
    """Computed independently; the paper prints b = 65, mean 0.03 and maximum 0.41 (Table 3, Fig. 2)."""
    sets = values_as_items(purchases, ["goods"])
    one, other = numpy.triu_indices(400, 1)
    likeness = OverlapLinkage(sets, "jaccard", 2).score(one, other)
    assert sets.original.sizes.mean() == 65.725
    assert likeness.mean() == pytest.approx(0.030013256, abs=5e-10)
    assert likeness.max() == 0.4
    sizes = sets.original.sizes[one] + sets.original.sizes[other]
    common = likeness * sizes / (1 + likeness)
    assert common.mean() == pytest.approx(4.414498747, abs=5e-10)

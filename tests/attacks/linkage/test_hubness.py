"""Hubness correction: every list against all corrected scores, also where the first list is too short."""

from __future__ import annotations

from collections.abc import Callable

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from singleout.attacks.linkage import hubness
from singleout.attacks.linkage.candidates import TwoWayLinkage
from singleout.attacks.linkage.hubness import HubnessLinkage
from singleout.attacks.linkage.item_sets import SetPair, values_as_items
from singleout.attacks.linkage.set_linkage import CosineLinkage, IdfJaccardLinkage, OverlapLinkage
from singleout.progress import silent
from tests.by_hand.linkage_by_hand import Person, csls, expected, histories, jaccard, listed, scores

LINKAGES: dict[str, Callable[[SetPair], TwoWayLinkage]] = {
    "jaccard": lambda sets: OverlapLinkage(sets, "jaccard", 2),
    "containment": lambda sets: OverlapLinkage(sets, "containment", 1),
    "tfidf": lambda sets: CosineLinkage(sets, 2),
    "idf_jaccard": lambda sets: IdfJaccardLinkage(sets, 2),
}


def drawn(people: int, items: int, size: int, seed: int) -> list[Person]:
    draw = numpy.random.default_rng(seed)
    sizes = draw.integers(0, size, people)
    return [[(str(item),) for item in (draw.random(each) ** 2 * items).astype(int)] for each in sizes]


@settings(max_examples=60)
@given(
    some.sampled_from(sorted(LINKAGES)), some.integers(1, 40), some.integers(1, 40), some.integers(2, 30),
    some.integers(0, 10**6), some.sampled_from([1, 3, 12, 50]),
)  # fmt: skip
def test_lists_are_those_of_all_scores(
    name: str, known: int, asked: int, items: int, seed: int, first: int
) -> None:
    original, release = drawn(known, items, 8, seed), drawn(asked, items, 8, seed + 1)
    sets = values_as_items(histories(original, release, ["item"]), ["item"])
    plain, linkage = LINKAGES[name](sets), HubnessLinkage(LINKAGES[name](sets))
    rows, columns = numpy.indices((asked, known)).reshape(2, -1)
    by_hand = csls(plain.score(rows, columns).reshape(asked, known).tolist())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hubness, "LISTED", max(10, first))
        patch.setattr(hubness, "PAIRS_AT_ONCE", 7)
        own = linkage.score(rows, columns).reshape(asked, known)
        assert own == pytest.approx(numpy.array(by_hand), abs=2e-12)
        for most in (1, 3, 10, 20):
            assert listed(linkage.best(most, silent)) == expected(own.tolist(), most)
    assert linkage.indistinguishable().tolist() == plain.indistinguishable().tolist()


def test_who_is_like_everybody_counts_less() -> None:
    """The hub has all goods; q, whose goods the hub has too, is rather bob, who is like nobody else."""
    original: list[Person] = [[("a",), ("b",), ("c",), ("d",)], [("d",), ("e",)], [("f",)]]
    release: list[Person] = [[("a",), ("b",), ("c",)], [("a",), ("b",), ("d",)], [("c",), ("d",)]]
    sets = values_as_items(histories(original, release, ["item"]), ["item"])
    plain = OverlapLinkage(sets, "jaccard", 1)
    assert plain.best(1, silent).person.tolist() == [[0], [0], [0]]
    corrected = HubnessLinkage(plain).best(1, silent)
    table = csls(scores(original, release, jaccard))
    assert corrected.person[:, 0].tolist() == [row.index(max(row)) for row in table] == [0, 0, 1]

"""Renamed items: roles by their definition, and who is recognised whatever people and items are called."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from numpy.typing import NDArray

from singleout.attacks.attempt import Attempt, run_linkage
from singleout.attacks.linkage.candidates import NOBODY
from singleout.attacks.role_linkage import role_matcher
from singleout.attacks.role_linkage.colour_refinement import Colours, SparseCounts
from singleout.attacks.role_linkage.role_linkage import RoleLinkage
from singleout.attacks.role_linkage.role_linkage_kernels import number_signatures
from singleout.attacks.role_linkage.role_matcher import FLOOR, PARTS, Expectation, Matching
from singleout.engine.codes.histories import Histories, History
from singleout.progress import silent
from tests.by_hand.linkage_by_hand import Person, expected, histories, listed
from tests.by_hand.role_linkage_by_hand import likelihood, partition, stable_colours

ITEMS = some.sampled_from(["a", "b", "c", "d", "e", None])
PEOPLE = some.lists(some.lists(some.tuples(ITEMS), max_size=6), min_size=1, max_size=9)
KEPT = some.floats(0.2, 1)
SEEDS = some.integers(0, 99)
Draw = numpy.random.Generator


def sparse_counts(people: list[Person]) -> SparseCounts:
    baskets = [Counter(record[0] for record in person) for person in people]
    number = {
        item: place for place, item in enumerate(dict.fromkeys(item for one in baskets for item in one))
    }
    cells = [sorted((number[item], count) for item, count in basket.items()) for basket in baskets]
    starts = numpy.cumsum([0, *map(len, cells)])
    flat = numpy.array([cell for row in cells for cell in row], dtype=numpy.uint32).reshape(-1, 2)
    return SparseCounts(starts, flat[:, 0], flat[:, 1], len(number))


def renamed(side: History, draw: Draw, column: str = "item") -> tuple[History, NDArray[numpy.int64]]:
    """Other names for people and items, and another order of the records; the new number of each person."""
    person, order = draw.permutation(side.people), draw.permutation(side.records)
    codes = side.codes[column]
    item = draw.permutation(int(codes.max(initial=0)) + 7)[codes]
    history = History(
        side.people,
        person[side.person][order].astype(numpy.uint32),
        {column: item[order].astype(numpy.uint32)},
    )
    return history, person


def attack(original: History, release: History, truth: NDArray[numpy.int64], threads: int = 1) -> Attempt:
    values = tuple(map(str, range(10_000)))
    column = next(iter(original.codes))
    linkage = RoleLinkage.of(Histories(original, release, {column: values}), [column], threads)
    return run_linkage("roles", "roles", 1.0, linkage, truth, original.people, silent)[0]


def sampled(side: History, kept: float, draw: Draw) -> History:
    return side.only(draw.random(side.records) < kept)


@given(PEOPLE)
def test_colours_by_hand(people: list[Person]) -> None:
    table = sparse_counts(people)
    colours = Colours.of(table, 2, silent)
    by_person, by_item = stable_colours([Counter(record[0] for record in person) for person in people])
    assert partition(colours.person.tolist()) == partition(by_person)
    assert partition(colours.item.tolist()) == partition(list(by_item.values()))
    baskets = [tuple(sorted(Counter(person).values())) for person in people]
    assert partition(colours.basket.tolist()) == partition(baskets)


@given(PEOPLE, SEEDS)
def test_numbers_of_colours_do_not_depend_on_names(people: list[Person], seed: int) -> None:
    draw = numpy.random.default_rng(seed)
    order = draw.permutation(len(people))
    names = dict(zip(["a", "b", "c", "d", "e", None], draw.permutation(6).astype(str).tolist(), strict=True))
    others: list[Person] = [[(names[record[0]],) for record in people[who]] for who in order]
    one, other = (Colours.of(sparse_counts(each), 1, silent) for each in (people, others))
    assert one.person[order].tolist() == other.person.tolist()


@given(some.lists(some.lists(some.integers(0, 2), max_size=3), min_size=1, max_size=12), SEEDS)
def test_equal_hashes_do_not_make_equal_signatures(signatures: list[list[int]], seed: int) -> None:
    """Every hash is the same here: signatures themselves are compared, in an order of their own."""
    starts = numpy.cumsum([0, *map(len, signatures)])
    keys = numpy.array([key for each in signatures for key in each], dtype=numpy.uint64)
    order = numpy.random.default_rng(seed).permutation(len(signatures))
    number, numbers = number_signatures(order, starts, keys, numpy.zeros(len(signatures), numpy.uint64))
    different = sorted({(len(each), each) for each in map(tuple, signatures)})
    assert numbers == len(different)
    assert number.tolist() == [different.index((len(each), tuple(each))) for each in signatures]


@settings(max_examples=40)
@given(PEOPLE, KEPT, KEPT, SEEDS)
def test_names_do_not_matter(people: list[Person], kept: float, known: float, seed: int) -> None:
    """Whatever people and items are called, and in whatever order records stand, credit is the same."""
    draw = numpy.random.default_rng(seed)
    whole = histories(people, people, ["item"]).original
    original, release = sampled(whole, known, draw), sampled(whole, kept, draw)
    first = attack(original, release, numpy.arange(len(people)))
    for threads in (1, 3):
        other, person = renamed(release, draw)
        again = attack(original, other, numpy.argsort(person), threads)
        assert again.credit[person].tolist() == first.credit.tolist()
        assert (again.bound, again.look_alikes) == (first.bound, first.look_alikes)
    other, person = renamed(original, draw)
    assert attack(other, release, person).credit.tolist() == first.credit.tolist()


@given(PEOPLE, PEOPLE, SEEDS)
def test_rate_is_at_most_the_bound(original: list[Person], release: list[Person], seed: int) -> None:
    both = histories(original, release, ["item"])
    truth = numpy.random.default_rng(seed).permutation(max(len(original), len(release)))[: len(release)]
    truth = numpy.where(truth < len(original), truth, -1)
    found = attack(both.original, both.release, truth)
    assert found.bound is not None
    assert found.rate <= found.bound + 1e-12


@given(PEOPLE, SEEDS)
def test_of_an_unchanged_release_everybody_with_a_role_of_their_own_is_recognised(
    people: list[Person], seed: int
) -> None:
    """Whoever is told apart is recognised: people of the same role share the credit."""
    whole = histories(people, people, ["item"]).original
    release, person = renamed(whole, numpy.random.default_rng(seed))
    found = attack(whole, release, numpy.argsort(person))
    roles = Counter(stable_colours([Counter(record[0] for record in each) for each in people])[0])
    assert found.rate == pytest.approx(len(roles) / len(people))


@given(PEOPLE, PEOPLE, some.sampled_from([1, 3]))
def test_lists_and_pairs_have_the_same_scores(
    original: list[Person], release: list[Person], threads: int
) -> None:
    linkage = RoleLinkage.of(histories(original, release, ["item"]), ["item"], threads)
    asked, known = numpy.indices((len(release), len(original))).reshape(2, -1)
    table = linkage.score(asked, known).reshape(len(release), -1).tolist()
    for most in (1, 3, 10):
        assert listed(linkage.best(most, silent)) == expected(table, most)


@given(PEOPLE)
def test_scores_by_hand(people: list[Person]) -> None:
    """In an unchanged release items are known by their colours, and the score is the likelihood."""
    baskets = [Counter(record[0] for record in person) for person in people]
    colours, item_colour = stable_colours(baskets)
    kinds = [
        sum((Counter({item_colour[item]: number}) for item, number in basket.items()), Counter())
        for basket in baskets
    ]
    linkage = RoleLinkage.of(histories(people, people, ["item"]), ["item"])
    one, other = numpy.indices((len(people), len(people))).reshape(2, -1)
    scores = linkage.score(one, other).reshape(len(people), -1)
    for asked, row in enumerate(scores.tolist()):
        others = [known for known in range(len(people)) if colours[known] != colours[asked]]
        by_hand = [likelihood(kinds[asked], kinds[known], FLOOR) for known in others]
        assert [row[known] for known in others] == pytest.approx(by_hand, abs=1e-3)
        assert all(row[asked] > row[known] for known in others)


def test_tuples_are_items() -> None:
    """Neither column tells the two people apart, both together do."""
    people: list[Person] = [
        [("a", "x"), ("b", "y"), ("a", "x")],
        [("a", "y"), ("b", "x"), ("a", "x")],
    ]
    both = histories(people, people, ["item", "place"])
    assert RoleLinkage.of(both, ["item"]).indistinguishable().tolist() == [0, 0]
    assert len({*RoleLinkage.of(both, ["item", "place"]).indistinguishable().tolist()}) == 2


def goods_of(purchases: Histories) -> History:
    return replace(purchases.original, codes={"goods": purchases.original.codes["goods"]})


def t1_rate(original: History, release: History, seed: int) -> float:
    """Of the people who have a record in the release, renamed and renumbered."""
    other, person = renamed(release, numpy.random.default_rng(seed), "goods")
    present = numpy.unique(other.person)
    truth = numpy.argsort(person)[present]
    number = numpy.searchsorted(present, other.person).astype(numpy.uint32)
    return attack(original, replace(other, people=len(present), person=number), truth, 2).rate


@pytest.mark.parametrize("seed", [1, 2])
def test_renamed_goods_of_t1(purchases: Histories, seed: int) -> None:
    """By hand: all 400 customers, by how popular each one's goods are."""
    goods = goods_of(purchases)
    assert t1_rate(goods, goods, seed) == 1.0


@pytest.mark.parametrize(("kept", "least"), [(0.7, 0.99), (0.5, 0.98), (0.3, 0.96), (0.2, 0.9)])
def test_a_sample_of_renamed_goods(purchases: Histories, kept: float, least: float) -> None:
    """The cosine that knows goods by their names recognises 99, 99 and 97 % of samples of 70, 50 and 30 %."""
    goods, draw = goods_of(purchases), numpy.random.default_rng(5)
    assert t1_rate(goods, sampled(goods, kept, draw), 6) > least


def test_names_do_not_matter_in_a_sample(purchases: Histories) -> None:
    goods = goods_of(purchases)
    release = sampled(goods, 0.3, numpy.random.default_rng(3))
    assert t1_rate(goods, release, 4) == t1_rate(goods, release, 5)


def test_what_is_known_may_be_the_sample(purchases: Histories) -> None:
    goods, draw = goods_of(purchases), numpy.random.default_rng(7)
    assert t1_rate(sampled(goods, 0.5, draw), goods, 8) > 0.96


def test_a_fifth_of_the_people(purchases: Histories) -> None:
    """Items are less popular in it, but baskets are whole."""
    goods, draw = goods_of(purchases), numpy.random.default_rng(9)
    assert t1_rate(goods, goods.only((draw.random(400) < 0.2)[goods.person]), 10) > 0.98


def test_one_changed_record_hides_nobody(purchases: Histories) -> None:
    """Nearly every colour is another one then."""
    goods = goods_of(purchases)
    codes = goods.codes["goods"].copy()
    codes[0] = codes[-1]
    assert t1_rate(goods, replace(goods, codes={"goods": codes}), 11) > 0.995


@pytest.mark.parametrize("sampled_people", [False, True])
def test_more_people_than_are_matched_first(
    purchases: Histories, monkeypatch: pytest.MonkeyPatch, sampled_people: bool
) -> None:
    """Those with most records first, as many as can be afforded."""
    monkeypatch.setattr(role_matcher, "MOST_LOOKS", 1)
    goods, draw = goods_of(purchases), numpy.random.default_rng(12)
    kept = (draw.random(400) < 0.7)[goods.person] if sampled_people else draw.random(goods.records) < 0.7
    assert t1_rate(goods, goods.only(kept), 13) > 0.98


@given(PEOPLE, PEOPLE, some.integers(1, 6))
def test_likeliest_rows_by_hand(original: list[Person], release: list[Person], most: int) -> None:
    """Items keep their names here, and half of the records are expected to be left."""
    both = sparse_counts([*original, *release])
    known = both.first_rows(len(original))
    every, ones = numpy.arange(both.width), numpy.ones(both.width, dtype=numpy.int64)
    half = Expectation.of(known, Matching(every, every, numpy.ones(both.width)), (ones, ones), 0.5, 0.1, 2)
    asked = numpy.arange(len(original), both.rows)
    found, scored = half.likeliest(both, asked, most, 2, silent)
    people = [Counter(record[0] for record in person) for person in original]
    for person, rows, scores in zip(release, found.tolist(), scored.tolist(), strict=True):
        basket = Counter(record[0] for record in person)
        by_hand = {
            who: round(PARTS * -0.5 * other.total())
            + sum(
                number * round(PARTS * math.log1p(0.5 * other[item] / 0.1)) for item, number in basket.items()
            )
            for who, other in enumerate(people)
            if basket & other
        }
        best = sorted(by_hand, key=lambda who: (-by_hand[who], who))[:most]
        nobody = [NOBODY] * (min(most, len(original)) - len(best))
        assert rows == [*best, *nobody]
        assert [score for row, score in zip(rows, scores, strict=True) if row >= 0] == [
            by_hand[who] for who in best
        ]

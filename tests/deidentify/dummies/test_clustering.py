"""Clusters that need few dummy records: every method against its definition in plain Python."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from math import log, sqrt
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.attacks.linkage.item_sets import ItemSets, values_as_items
from singleout.deidentify.dummies.cluster_search import fewest_dummies
from singleout.deidentify.dummies.clustering import (
    KEEP_SMALLEST,
    METHODS,
    balance_clusters,
    cluster_goal,
    find_clusters,
)
from singleout.deidentify.dummies.clusters import Clusters, Edit
from singleout.deidentify.dummies.plain_k_means import plain_means
from singleout.deidentify.dummies.spherical_k_means import Means, spherical_means
from singleout.engine.codes.histories import Histories
from singleout.errors import InputError, UsageError

Baskets = list[set[int]]
PEOPLE = st.lists(st.sets(st.integers(0, 7), min_size=1), min_size=2, max_size=9)


def sets_of(baskets: Baskets) -> ItemSets:
    starts = numpy.cumsum([0, *map(len, baskets)])
    items = numpy.array([item for basket in baskets for item in sorted(basket)], numpy.uint32)
    return ItemSets(starts, items, numpy.ones(len(items), numpy.uint32))


def jaccard(one: set[int], other: set[int]) -> float:
    return len(one & other) / len(one | other) if one | other else 1.0


def dummies_by_hand(baskets: Baskets, of: list[int]) -> int:
    total = 0
    for cluster in set(of):
        members = [basket for basket, mine in zip(baskets, of, strict=True) if mine == cluster]
        total += sum(len(set().union(*members) - basket) for basket in members)
    return total


@given(PEOPLE, st.data())
def test_the_dummies_of_clusters_are_what_their_people_lack(baskets: Baskets, data: st.DataObject) -> None:
    drawn = data.draw(st.lists(st.integers(0, 3), min_size=len(baskets), max_size=len(baskets)))
    of = [sorted(set(drawn)).index(each) for each in drawn]
    found = Clusters(numpy.array(of), sets_of(baskets))
    assert found.dummies == dummies_by_hand(baskets, of)
    assert found.sizes.tolist() == [of.count(cluster) for cluster in range(found.count)]
    for cluster in range(found.count):
        union = set().union(*(each for each, mine in zip(baskets, of, strict=True) if mine == cluster))
        begin, end = found.unions.starts[cluster : cluster + 2]
        assert found.unions.items[begin:end].tolist() == sorted(union)


@given(PEOPLE, st.data())
@settings(deadline=None)
def test_plain_k_means_ends_where_nobody_is_nearer_to_another_mean(
    baskets: Baskets, data: st.DataObject
) -> None:
    """Squared Euclidean distances of vectors of 0 and 1, all by exact fractions."""
    clusters = data.draw(st.integers(1, len(baskets)))
    of = plain_means(sets_of(baskets), clusters, data.draw(st.integers(0, 5))).tolist()
    assert {*of} == {*range(clusters)}
    means = []
    for cluster in range(clusters):
        members = [basket for basket, mine in zip(baskets, of, strict=True) if mine == cluster]
        means.append([Fraction(sum(item in each for each in members), len(members)) for item in range(8)])
    for basket, mine in zip(baskets, of, strict=True):
        apart = [sum((int(item in basket) - mean[item]) ** 2 for item in range(8)) for mean in means]
        assert apart[mine] <= min(apart) + Fraction(1, 10**9)


def test_plain_k_means_is_the_same_for_the_same_seed_and_puts_doubles_anywhere() -> None:
    baskets: Baskets = [{1, 2}] * 5
    assert {*plain_means(sets_of(baskets), 3, 1).tolist()} == {0, 1, 2}
    mixed: Baskets = [{1, 2}, {1}, {5, 6}, {5}, {9}, {1, 2, 3}]
    runs = [plain_means(sets_of(mixed), 3, seed).tolist() for seed in (4, 4)]
    assert runs[0] == runs[1]


@given(PEOPLE, st.data())
@settings(deadline=None)
def test_edits_are_the_cheapest_ways_to_equal_sets(baskets: Baskets, data: st.DataObject) -> None:
    """By trying every set that a cluster could have in the release."""
    many = len(baskets)
    drawn = data.draw(st.lists(st.integers(0, 2), min_size=many, max_size=many))
    of = numpy.unique(drawn, return_inverse=True)[1]
    sets = sets_of(baskets)
    records = len(sets.items)
    counts = numpy.array(
        data.draw(st.lists(st.integers(1, 3), min_size=records, max_size=records)), numpy.uint32
    )
    sets = ItemSets(sets.starts, sets.items, counts)
    owned = [
        dict(zip(sets.items[begin:end].tolist(), counts[begin:end].tolist(), strict=True))
        for begin, end in pairwise(sets.starts.tolist())
    ]
    edits: list[Edit] = ["remove", "any"]
    for edit in edits:
        found = Clusters(of, sets, edit)
        for cluster in range(found.count):
            members = [mine for mine, own in zip(owned, of, strict=True) if own == cluster]
            items = sorted({item for mine in members for item in mine})
            begin, end = found.unions.starts[cluster : cluster + 2].tolist()
            released = {*found.unions.items[begin:end].tolist()}
            added = sum(len(released - {*mine}) for mine in members)
            removed = sum(often for mine in members for item, often in mine.items() if item not in released)
            assert found.dummies_of_each[cluster] == added
            assert found.removed_of_each[cluster] == removed
            if edit == "remove":
                assert released == {item for item in items if all(item in mine for mine in members)}
                continue
            cheapest = min(
                sum(len({*kept} - {*mine}) for mine in members)
                + sum(often for mine in members for item, often in mine.items() if item not in kept)
                for size in range(1, len(items) + 1)
                for kept in combinations(items, size)
            )
            assert added + removed == cheapest


def balanced_by_hand(baskets: Baskets, of: list[int], smallest: int) -> list[int]:
    """Ito et al. 2020, Algorithm 4, the largest cluster chosen anew before every move."""
    count = max(of) + 1
    of = list(of)
    for cluster in range(count):
        while of.count(cluster) < smallest:
            sizes = [of.count(each) for each in range(count)]
            largest = sizes.index(max(sizes))
            inside = [person for person, mine in enumerate(of) if mine == cluster]
            movable = [person for person, mine in enumerate(of) if mine == largest]
            likes = [max(jaccard(baskets[each], baskets[other]) for other in inside) for each in movable]
            of[movable[likes.index(max(likes))]] = cluster
    return of


@given(PEOPLE, st.data())
def test_method_2_moves_the_likest_of_the_largest_cluster(baskets: Baskets, data: st.DataObject) -> None:
    drawn = data.draw(st.lists(st.integers(0, 3), min_size=len(baskets), max_size=len(baskets)))
    of = [sorted(set(drawn)).index(each) for each in drawn]
    smallest = data.draw(st.integers(1, len(baskets) // (max(of) + 1)))
    found = balance_clusters(sets_of(baskets), numpy.array(of), smallest).tolist()
    assert found == balanced_by_hand(baskets, of, smallest)
    assert min(found.count(cluster) for cluster in range(max(of) + 1)) >= smallest


def tf_idf(baskets: Baskets) -> list[dict[int, float]]:
    """Algorithm 3 with its TF factor."""
    buyers = {item: sum(item in basket for basket in baskets) for item in set().union(*baskets)}
    return [
        {item: (log(len(baskets) / buyers[item]) + 1) / len(basket) for item in basket} for basket in baskets
    ]


def direction(vectors: list[dict[int, float]]) -> dict[int, float]:
    total: dict[int, float] = {}
    for vector in vectors:
        length = sqrt(sum(each**2 for each in vector.values()))
        for item, weight in vector.items():
            total[item] = total.get(item, 0) + weight / length
    length = sqrt(sum(each**2 for each in total.values()))
    return {item: weight / length for item, weight in total.items()}


def cosine(one: dict[int, float], other: dict[int, float]) -> float:
    return sum(weight * other.get(item, 0) for item, weight in direction([one]).items())


@given(PEOPLE, st.integers(0, 5), st.data())
def test_method_1_puts_everybody_to_the_nearest_centre(
    baskets: Baskets, seed: int, data: st.DataObject
) -> None:
    clusters = data.draw(st.integers(1, len(baskets)))
    means = Means.of(sets_of(baskets), clusters, 1)
    of, vectors = means.find(seed).tolist(), tf_idf(baskets)
    assert sorted(set(of)) == list(range(clusters))
    again = spherical_means(sets_of(baskets), clusters, seed, threads=2)
    assert again.tolist() == spherical_means(sets_of(baskets), clusters, seed, threads=1).tolist()
    if any(of.count(cluster) == 1 for cluster in of):
        return  # somebody may have been put there to fill an empty cluster
    centres = [
        direction([vectors[person] for person in range(len(of)) if of[person] == cluster])
        for cluster in range(clusters)
    ]
    for person, vector in enumerate(vectors):
        highest = max(cosine(vector, centre) for centre in centres)
        assert cosine(vector, centres[of[person]]) == pytest.approx(highest)


def test_four_customers_in_two_clusters_as_in_figure_6() -> None:
    """Ito et al. 2020, Fig. 6: u1 and u2, u3 and u4; its goods are not told, these have the same shape."""
    found = spherical_means(sets_of([{0, 1}, {0, 1, 2}, {3, 4}, {3, 4, 2}]), 2).tolist()
    assert found[0] == found[1] != found[2] == found[3]
    assert tf_idf([{1, 2}, {1}, {1, 3}, {1, 4}])[0][1] == 0.5  # "TF = 1/2 and IDF = 1"


def better_by_one_change(baskets: Baskets, of: list[int], smallest: int) -> int:
    """The fewest dummies that one move or one exchange leads to."""
    count = max(of) + 1
    found = [dummies_by_hand(baskets, of)]
    for person, own in enumerate(of):
        for cluster in range(count):
            if cluster != own and of.count(own) > smallest:
                found.append(dummies_by_hand(baskets, [*of[:person], cluster, *of[person + 1 :]]))
    for one, other in combinations(range(len(of)), 2):
        changed = list(of)
        changed[one], changed[other] = of[other], of[one]
        found.append(dummies_by_hand(baskets, changed))
    return min(found)


@given(PEOPLE, st.integers(0, 3), st.data())
def test_the_search_ends_where_no_move_or_exchange_saves_anything(
    baskets: Baskets, seed: int, data: st.DataObject
) -> None:
    drawn = data.draw(st.lists(st.integers(0, 3), min_size=len(baskets), max_size=len(baskets)))
    of = [sorted(set(drawn)).index(each) for each in drawn]
    smallest = min(of.count(cluster) for cluster in set(of))
    found = fewest_dummies(sets_of(baskets), numpy.array(of), smallest, seed).tolist()
    assert sorted(set(found)) == sorted(set(of))
    assert min(found.count(cluster) for cluster in set(found)) >= smallest
    left = dummies_by_hand(baskets, found)
    assert left <= dummies_by_hand(baskets, of)
    assert left == better_by_one_change(baskets, found, smallest)


@pytest.mark.parametrize("method", METHODS)
def test_nobody_is_lost_and_threads_change_nothing(purchases: Histories, method: str) -> None:
    sets = values_as_items(purchases, ["goods"]).original
    smallest = 8 if method in KEEP_SMALLEST else 1
    found = find_clusters(sets, method, 50, smallest, seed=3, threads=1)
    assert (found.of == find_clusters(sets, method, 50, smallest, seed=3, threads=2).of).all()
    assert len(found.of) == 400 and found.count == 50 and found.sizes.min() >= smallest
    assert found.of[0] == 0  # numbered by their first person


def test_the_methods_on_the_purchases_of_the_paper(purchases: Histories, golden: dict[str, Any]) -> None:
    """Ito et al. 2020, Table 8, means of ten runs: ours are others' random numbers, so within a tenth."""
    sets = values_as_items(purchases, ["goods"]).original
    for published in golden["dummies"]["table8"]:
        clusters, smallest = published["clusters"], published["smallest"]
        runs = [find_clusters(sets, "2", clusters, smallest, seed).dummies for seed in range(3)]
        assert numpy.mean(runs) == pytest.approx(published["dummies"], rel=0.1)
        searched = find_clusters(sets, "search", clusters, smallest, 0).dummies
        assert searched < 0.93 * min(runs)


@pytest.mark.parametrize(
    ("people", "asked", "words"),
    [
        (400, ("2", 50, 9, None), "50 clusters of at least 9 people need 450, there are 400"),
        (400, ("1", 401, None, None), "401 are more than the 400 people"),
        (400, ("2", None, 401, None), "401 are more than the 400 people"),
        (400, ("1", 50, 2, None), "the method 1 does not keep to it"),
        (400, ("2", 50, None, 0.5), "give one of them"),
        (400, ("search", None, None, None), "say how many clusters"),
        (400, ("search", None, None, 0.001), "ask for 0.0025 or more"),
        (400, ("3", 0, True, 2), "'3' is none.*clusters: 0.*smallest: True.*bound: 2"),
        (400, ("search", None, None, float("nan")), "must be a share"),
    ],
)
def test_what_can_not_be_asked_for(people: int, asked: tuple[Any, ...], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        cluster_goal(people, *asked)


def test_one_person_can_not_hide() -> None:
    with pytest.raises(InputError, match="nobody to hide among"):
        cluster_goal(1, "search", 1, None, None)


def test_a_bound_is_kept_and_used_up() -> None:
    assert cluster_goal(100, "search", None, None, 0.07).clusters == 7
    assert cluster_goal(100, "search", None, 20, 0.07).clusters == 5
    assert cluster_goal(100, "1", None, None, 1).clusters == 100

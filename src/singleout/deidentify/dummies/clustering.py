"""Groups people into clusters that need few dummy records, by the methods of Ito et al. 2020 and beyond."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy

from singleout.attacks.linkage.item_sets import ItemSets
from singleout.checks import is_number, is_whole
from singleout.deidentify.dummies.cluster_search import fewest_dummies
from singleout.deidentify.dummies.clusters import Clusters, Edit, Indices
from singleout.deidentify.dummies.plain_k_means import plain_means
from singleout.deidentify.dummies.spherical_k_means import spherical_means
from singleout.engine.codes.parallel import key_of
from singleout.errors import GoalError, InputError, UsageError
from singleout.progress import Progress, silent


def balance_clusters(sets: ItemSets, of: Indices, smallest: int, progress: Progress = silent) -> Indices:
    """The clusters with `smallest` people at least; the clusters times `smallest` must not exceed the people.

    Clusters are filled in their order. The largest cluster, the first of equals, is chosen anew before every
    move, so that it never falls below `smallest` itself; of its people goes the one most like somebody in the
    small cluster by Jaccard (Ito et al. 2020, Algorithm 4).

    >>> sets = ItemSets(numpy.arange(5), numpy.array([0, 0, 1, 1], numpy.uint32), numpy.ones(4))
    >>> balance_clusters(sets, numpy.array([0, 0, 0, 1]), 2).tolist()
    [0, 0, 1, 1]
    """
    from singleout.deidentify.dummies import cluster_kernels

    cluster_of = of.copy()
    sizes = numpy.bincount(cluster_of)
    by_item = cluster_kernels.people_by_item(sets.starts, sets.items, int(sets.items.max(initial=0)) + 1)
    small = numpy.flatnonzero(sizes < smallest)
    for done, cluster in enumerate(small):
        progress("filling small clusters", done, len(small))
        cluster_kernels.fill_cluster(cluster, smallest, cluster_of, sizes, sets.starts, sets.items, *by_item)
    return cluster_of


METHODS = ("simple", "1", "2", "search")
KEEP_SMALLEST = ("2", "search")


@dataclass(frozen=True)
class ClusterGoal:
    """How many clusters, and how many people the smallest must have."""

    clusters: int
    smallest: int


def cluster_goal(
    people: int, method: str, clusters: int | None, smallest: int | None, bound: float | None
) -> ClusterGoal:
    """From a number of clusters, a smallest cluster, or a bound on the share of people recognised.

    Without `smallest` the clusters of the methods 2 and search are as equal as can be: ⌊n/c⌋ at least.

    >>> cluster_goal(400, "2", 50, None, None), cluster_goal(400, "search", None, None, 0.1)
    (ClusterGoal(clusters=50, smallest=8), ClusterGoal(clusters=40, smallest=10))
    """
    check_cluster_goal(method, clusters, smallest, bound)
    if people < 2:
        raise InputError("there is one person only: nobody to hide among")
    count = _count(people, clusters, smallest, bound)
    if count > people:
        raise UsageError(
            f"clusters: {count:,} are more than the {people:,} people; ask for {people:,} at most"
        )
    least = smallest or (people // count if method in KEEP_SMALLEST else 1)
    if count * least > people:
        most = people // least
        raise UsageError(
            f"{count:,} clusters of at least {least:,} people need {count * least:,}, there are {people:,}; "
            + (f"ask for {most:,} clusters at most, or for smaller ones" if most else "ask for smaller ones")
        )
    return ClusterGoal(count, least)


def find_clusters(
    sets: ItemSets,
    method: str,
    clusters: int,
    smallest: int = 1,
    seed: int = 0,
    threads: int = 1,
    progress: Progress = silent,
) -> Clusters:
    """Everybody in one of `clusters` clusters, none of them below `smallest` people by 2 and search.

    `simple` makes plain k-means of vectors of 0 and 1, `1` spherical k-means of TF-IDF weights,
    `2` balances its clusters, and `search` goes on from there to the fewest dummies it can find.
    """
    start = key_of(seed, "clusters")
    if method == "simple":
        return _renumber_clusters(Clusters(plain_means(sets, clusters, start, progress), sets))
    cluster_of = spherical_means(sets, clusters, start, threads, progress)
    if method in KEEP_SMALLEST:
        cluster_of = balance_clusters(sets, cluster_of, smallest, progress)
    if method == "search":
        cluster_of = fewest_dummies(sets, cluster_of, smallest, start, threads, progress)
    return _renumber_clusters(Clusters(cluster_of, sets))


def edited_clusters(clusters: Clusters, edit: Edit) -> Clusters:
    """The same people together, made alike in another way; an error if some would have nothing left."""
    edited = Clusters(clusters.of, clusters.sets, edit)
    if empty := int((edited.unions.sizes == 0).sum()):
        raise GoalError(
            f"in {empty:,} of {edited.count:,} clusters no item is everybody's, so that their people would "
            "be in no release; ask for more clusters, or for the edit any"
        )
    return edited


def _renumber_clusters(clusters: Clusters) -> Clusters:
    """Numbered by their first person: the numbers tell nothing about how they were found."""
    _, first, inverse = numpy.unique(clusters.of, return_index=True, return_inverse=True)
    renumbered: Indices = numpy.argsort(numpy.argsort(first))[inverse]
    return Clusters(renumbered, clusters.sets)


def _count(people: int, clusters: int | None, smallest: int | None, bound: float | None) -> int:
    if clusters is not None:
        return clusters
    if smallest is not None and smallest > people:
        raise UsageError(f"smallest: {smallest:,} are more than the {people:,} people")
    if bound is None:
        return people // (smallest or people)
    # a bound such as 0.07 is no exact number: 7 of 100 people are within it
    within = int(numpy.floor(bound * people * (1 + 1e-12)))
    if not within:
        raise UsageError(
            f"bound: one of {people:,} people is always found by guessing; ask for {1 / people:.2g} or more"
        )
    return min(within, people // smallest) if smallest else within


def check_cluster_goal(method: Any, clusters: Any, smallest: Any, bound: Any) -> None:
    """All that is wrong with what is wanted, whoever the people are."""
    faults = []
    if method not in METHODS:
        faults.append(f"method: {method!r} is none; there are {', '.join(METHODS)}")
    elif smallest is not None and method not in KEEP_SMALLEST:
        faults.append(f"smallest: the method {method} does not keep to it; use {' or '.join(KEEP_SMALLEST)}")
    for name, number in (("clusters", clusters), ("smallest", smallest)):
        if number is not None and not (is_whole(number) and number >= 1):
            faults.append(f"{name}: {number!r} must be a whole number, 1 or more")
    if bound is not None and not (is_number(bound) and 0 < bound <= 1):
        faults.append(f"bound: {bound!r} must be a share above 0, and 1 at most")
    if clusters is None and smallest is None and bound is None:
        faults.append(
            "say how many clusters, how large the smallest, or which bound: clusters=50, smallest=5"
        )
    if clusters is not None and bound is not None:
        faults.append("clusters and bound both say how many clusters there are; give one of them")
    if faults:
        raise UsageError("; ".join(faults))

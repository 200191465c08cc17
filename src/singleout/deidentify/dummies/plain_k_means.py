"""The simple method of Ito et al. 2020: k-means of people's items as vectors of 0 and 1."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.attacks.linkage.item_sets import ItemSets
from singleout.deidentify.dummies.clusters import Indices
from singleout.progress import Progress, silent

MOST_ROUNDS = 100
# people whose distances to all centres are held at once
PEOPLE_AT_ONCE = 1_000

Numbers = NDArray[numpy.float64]


def plain_means(sets: ItemSets, clusters: int, seed: int = 0, progress: Progress = silent) -> Indices:
    """The cluster of each person, by the squared Euclidean distance to the mean of its people (Lloyd).

    Centres are first drawn far apart (k-means++). A person of many items is far from everybody, so that most
    people end up in one cluster and the large ones alone: the monopoly that Ito et al. 2020 complains of. A
    cluster that nobody is left in gets the person farthest from the own centre. Sums are of whole numbers:
    they are the same in any order.

    >>> items = numpy.array([0, 1, 0, 1, 2, 3, 2, 3], numpy.uint32)
    >>> found = plain_means(ItemSets(numpy.array([0, 2, 4, 6, 8]), items, numpy.ones(8)), 2).tolist()
    >>> found[0] == found[1] != found[2] == found[3]
    True
    """
    vectors = _vectors(sets)
    of, distances = _nearest(vectors, vectors[_far_apart(vectors, clusters, seed)], numpy.ones(clusters))
    _fill_empty(of, distances, clusters)
    for done in range(MOST_ROUNDS):
        progress("k-means", done, MOST_ROUNDS)
        centres, sizes = _sums(vectors, of, clusters)
        moved, distances = _nearest(vectors, centres, sizes)
        _fill_empty(moved, distances, clusters)
        if numpy.array_equal(moved, of):
            break
        of = moved
    return of


def _vectors(sets: ItemSets) -> Any:
    """One row a person, 1 for each of their items."""
    from scipy.sparse import csr_array

    shape = (sets.people, int(sets.items.max(initial=0)) + 1)
    ones = numpy.ones(len(sets.items), dtype=numpy.int64)
    return csr_array((ones, sets.items.astype(numpy.int64), sets.starts.astype(numpy.int64)), shape=shape)


def _far_apart(vectors: Any, clusters: int, seed: int) -> list[int]:
    """People drawn one after the other, each by the squared distance to the nearest before."""
    draw = numpy.random.default_rng(seed)
    everybody = vectors.shape[0]
    chosen = [int(draw.integers(everybody))]
    nearest = _distances_to(vectors, chosen[0])
    while len(chosen) < clusters:
        if nearest.sum() > 0:
            along = numpy.searchsorted(nearest.cumsum(), draw.random() * nearest.sum(), side="right")
            person = int(min(along, everybody - 1))
        else:
            # all that are left are somebody's double
            person = next(each for each in range(everybody) if each not in chosen)
        chosen.append(person)
        nearest = numpy.minimum(nearest, _distances_to(vectors, person))
        nearest[chosen] = 0
    return chosen


def _distances_to(vectors: Any, person: int) -> Numbers:
    """|I(u)| + |I(v)| − 2 |I(u) ∩ I(v)| to everybody."""
    sizes = numpy.diff(vectors.indptr)
    shared = (vectors @ vectors[[person]].T).toarray()[:, 0]
    distances: Numbers = (sizes + sizes[person] - 2 * shared).astype(numpy.float64)
    return distances


def _sums(vectors: Any, of: Indices, clusters: int) -> tuple[Any, Numbers]:
    """Of each cluster the sum of its people, and how many they are."""
    from scipy.sparse import csr_array

    everybody = len(of)
    member = csr_array(
        (numpy.ones(everybody, dtype=numpy.int64), (of, numpy.arange(everybody))), shape=(clusters, everybody)
    )
    return (member @ vectors).tocsr(), numpy.bincount(of, minlength=clusters).astype(numpy.float64)


def _nearest(vectors: Any, sums: Any, sizes: Numbers) -> tuple[Indices, Numbers]:
    """The first of the nearest centres of each person, and its squared distance."""
    squares = numpy.asarray(sums.multiply(sums).sum(axis=1)).ravel() / sizes**2
    own = numpy.diff(vectors.indptr)
    of = numpy.empty(vectors.shape[0], dtype=numpy.int64)
    distances = numpy.empty(vectors.shape[0])
    turned = sums.T.tocsr()
    for start in range(0, vectors.shape[0], PEOPLE_AT_ONCE):
        part = slice(start, start + PEOPLE_AT_ONCE)
        apart = squares - 2 * (vectors[part] @ turned).toarray() / sizes
        of[part] = apart.argmin(axis=1)
        distances[part] = own[part] + apart.min(axis=1)
    return of, distances


def _fill_empty(of: Indices, distances: Numbers, clusters: int) -> None:
    """Whoever is farthest from the own centre starts a cluster anew; nobody leaves one empty."""
    sizes = numpy.bincount(of, minlength=clusters)
    for cluster in numpy.flatnonzero(sizes == 0):
        movable = numpy.where(sizes[of] > 1, distances, -1.0)
        person = int(movable.argmax())
        sizes[of[person]] -= 1
        of[person], distances[person] = cluster, 0.0
        sizes[cluster] = 1

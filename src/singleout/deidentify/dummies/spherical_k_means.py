"""Method 1 of Ito et al. 2020: spherical k-means of people's item sets, rare items weighing more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from singleout.attacks.linkage.item_sets import ItemSets
from singleout.deidentify.dummies.clusters import Clusters, Indices
from singleout.engine.codes.parallel import key_of, map_shares
from singleout.progress import Progress, silent

Numbers = NDArray[numpy.float64]
MOST_STARTS = 10
MOST_ROUNDS = 30
# entries of sets times clusters, above which one start has to do
MUCH_WORK = 400_000_000


def spherical_means(
    sets: ItemSets, clusters: int, seed: int = 0, threads: int = 1, progress: Progress = silent
) -> Indices:
    """The cluster of each person, by the cosine of TF-IDF weights (Ito et al. 2020, Algorithm 3).

    An item of d of n people weighs ln(n/d) + 1; the share of a person's items that it is cancels in the
    cosine. Centres are first drawn far apart (k-means++); of several starts the one is kept that needs the
    fewest dummies. A cluster that nobody is left in gets the person farthest from any centre.

    >>> items = numpy.array([0, 1, 0, 1, 2, 2, 3], numpy.uint32)
    >>> sets = ItemSets(numpy.array([0, 2, 4, 5, 7]), items, numpy.ones(7))
    >>> found = spherical_means(sets, 2).tolist()
    >>> found[0] == found[1] != found[2] == found[3]
    True
    """
    work = len(sets.items) * clusters
    starts = int(min(MOST_STARTS, max(1, MUCH_WORK // max(work, 1))))
    means = Means.of(sets, clusters, threads)
    found = []
    for start in range(starts):
        progress("k-means", start, starts)
        found.append(means.find(key_of(seed, start)))
    return min(found, key=lambda of: Clusters(of, sets).dummies)


@dataclass(frozen=True, eq=False)
class Means:
    """The sets as vectors, person by person and item by item."""

    sets: ItemSets
    clusters: int
    threads: int
    items: int
    weights: Numbers
    by_item: tuple[Indices, NDArray[numpy.uint32], Numbers]

    @classmethod
    def of(cls, sets: ItemSets, clusters: int, threads: int) -> Means:
        from singleout.deidentify.dummies import cluster_kernels
        from singleout.deidentify.dummies import spherical_k_means_kernels as sphere_kernels

        items = int(sets.items.max(initial=0)) + 1
        people = numpy.bincount(sets.items, minlength=items)
        weights = sphere_kernels.weights_of(
            sets.starts, sets.items, numpy.log(sets.people / numpy.maximum(people, 1)) + 1
        )
        item_starts, holders = cluster_kernels.people_by_item(sets.starts, sets.items, items)
        turned = weights[numpy.argsort(sets.items, kind="stable")]
        return cls(sets, clusters, threads, items, weights, (item_starts, holders, turned))

    def find(self, seed: int) -> Indices:
        """The clusters from one start."""
        drawn = self._draw_centres(numpy.random.default_rng(seed))
        of = numpy.zeros(self.sets.people, dtype=numpy.int64)
        near = self._assign_to_nearest(numpy.arange(self.clusters + 1), drawn, of)
        for _ in range(MOST_ROUNDS):
            self._fill_empty(of, near)
            before = of.copy()
            near = self._assign_to_nearest(*self._members(of), of)
            if (before == of).all():
                break
        self._fill_empty(of, near)
        return of

    def _draw_centres(self, draw: numpy.random.Generator) -> Indices:
        """k-means++: the next centre is drawn by how far people are from all so far."""
        from singleout.deidentify.dummies import spherical_k_means_kernels as sphere_kernels

        near = numpy.zeros(self.sets.people)
        chosen = numpy.empty(self.clusters, dtype=numpy.int64)
        for index in range(self.clusters):
            total = numpy.cumsum(1 - near)
            if total[-1] > 0:
                at = numpy.searchsorted(total, draw.random() * total[-1], side="right")
                chosen[index] = min(at, self.sets.people - 1)
            else:  # everybody is as one of the centres is: any who is none yet
                others = numpy.setdiff1d(numpy.arange(self.sets.people), chosen[:index])
                chosen[index] = draw.choice(others)
            sphere_kernels.come_nearer(
                chosen[index], self.sets.starts, self.sets.items, self.weights, *self.by_item, near
            )
        return chosen

    def _members(self, of: Indices) -> tuple[Indices, Indices]:
        from singleout.engine.codes import count_kernels as kernels

        starts, members = kernels.order_by(of, self.clusters)
        return starts, members

    def _assign_to_nearest(self, cluster_starts: Indices, members: Indices, of: Indices) -> Numbers:
        """Everybody to the nearest of the clusters' mean directions: changes `of`, returns the cosines."""
        from singleout.deidentify.dummies import spherical_k_means_kernels as sphere_kernels

        sets, near = self.sets, numpy.empty(self.sets.people)
        centres = sphere_kernels.centres(
            cluster_starts, members, sets.starts, sets.items, self.weights, self.items
        )

        def share(first: int, last: int) -> None:
            sphere_kernels.nearest_centre(
                first, last, sets.starts, sets.items, self.weights, *centres, self.clusters, of, near
            )

        map_shares(sets.people, share, self.threads, self.threads)
        return near

    def _fill_empty(self, of: Indices, near: Numbers) -> None:
        sizes = numpy.bincount(of, minlength=self.clusters)
        empty = numpy.flatnonzero(sizes == 0)
        if not len(empty):
            return
        farthest = iter(numpy.argsort(near, kind="stable"))
        for cluster in empty:
            person = next(each for each in farthest if sizes[of[each]] > 1)
            sizes[of[person]] -= 1
            of[person], near[person] = cluster, 1.0

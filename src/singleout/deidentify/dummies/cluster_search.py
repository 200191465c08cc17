"""The fewest dummy records that can be found: people move and change places between clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy

from singleout.attacks.linkage.item_sets import ItemSets
from singleout.deidentify.dummies.clusters import Clusters, Indices
from singleout.engine.codes.parallel import key_of, map_units
from singleout.progress import Progress, silent

MOST_STARTS, FEW_PEOPLE = 8, 1_000
MOST_ROUNDS = 100
# a round that saves less than this share of the dummies is the last one
WORTH_WHILE = 1e-4
PEOPLE_A_PIECE = 2_000
FEWEST_CLUSTERS, MOST_CLUSTERS, ASKED_IN_ALL = 4, 32, 640


def fewest_dummies(
    sets: ItemSets, of: Indices, smallest: int, seed: int = 0, threads: int = 1, progress: Progress = silent
) -> Indices:
    """The clusters after all moves and exchanges that save dummies; never more than the given ones need.

    Person by person, in random order: to the cluster, or in exchange for the person, where Σ |x||I(x)| falls
    the most, no cluster falling below `smallest`. Rounds end when nothing is saved any more. Small tables are
    searched from several orders, and the best result counts. Which clusters are worth a look is decided by
    how many of the person's items are there already; up to 32 are, with some 640 people in all.
    """
    starts = MOST_STARTS if sets.people <= FEW_PEOPLE else 1
    told = progress if starts == 1 else silent
    progress("saving dummies", 0, 1)

    def descent(start: int) -> Indices:
        return Descent.of_clusters(sets, of, smallest, key_of(seed, "search", start), told).descend()

    found = map_units(range(starts), descent, threads)
    return min(found, key=lambda clusters: Clusters(clusters, sets).dummies)


@dataclass(frozen=True, eq=False)
class Descent:
    """Clusters on their way down: `of`, `sizes` and the lists of people change in place."""

    sets: ItemSets
    of: Indices
    sizes: Indices
    people_lists: tuple[Indices, Indices, Indices]
    smallest: int
    draw: numpy.random.Generator
    progress: Progress

    @classmethod
    def of_clusters(
        cls, sets: ItemSets, of: Indices, smallest: int, seed: int, progress: Progress
    ) -> Descent:
        from singleout.deidentify.dummies import cluster_search_kernels as swap_kernels

        clusters, sizes = of.copy(), numpy.bincount(of)
        lists = swap_kernels.linked_lists(clusters, len(sizes))
        return cls(sets, clusters, sizes, lists, smallest, numpy.random.default_rng(seed), progress)

    def descend(self) -> Indices:
        before = Clusters(self.of, self.sets).dummies
        left = before
        for turn in range(MOST_ROUNDS if len(self.sizes) > 1 else 0):
            saved = self._round(turn + 1, before - left)
            left -= saved
            if saved <= WORTH_WHILE * left:
                break
        return self.of

    def _round(self, number: int, saved_before: int) -> int:
        """Everybody once; returns the dummies saved."""
        from singleout.deidentify.dummies import cluster_search_kernels as swap_kernels

        count = int(self.sets.items.max(initial=0)) + 1
        entries, cluster_of, unions = swap_kernels.clusters_by_item(
            self.of, self.sets.starts, self.sets.items, count, len(self.sizes)
        )
        saved, everybody = 0, self.draw.permutation(self.sets.people)
        for first in range(0, len(everybody), PEOPLE_A_PIECE):
            told = f"round {number}, {saved_before + saved:,} dummies saved"
            self.progress(told, first, len(everybody))
            saved += swap_kernels.improve(
                everybody[first : first + PEOPLE_A_PIECE], self.of, self.sizes, unions, self.smallest,
                *self._reach(), self.sets.starts, self.sets.items, entries, cluster_of, *self.people_lists,
            )  # fmt: skip
        return saved

    def _reach(self) -> tuple[int, int]:
        """How many clusters to look into for each person, and how many people there."""
        usual = self.sets.people // len(self.sizes)
        near = min(max(FEWEST_CLUSTERS, ASKED_IN_ALL // usual), MOST_CLUSTERS, len(self.sizes) - 1)
        return near, max(1, ASKED_IN_ALL // near)

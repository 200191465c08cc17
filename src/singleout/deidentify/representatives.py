"""The simple clustering of paper 2: everybody goes to the closest of random representatives."""

from __future__ import annotations

import numpy

from singleout.attacks.item_sets import ItemSets
from singleout.deidentify.clusters import Places
from singleout.progress import Progress, silent


def around_representatives(
    sets: ItemSets, clusters: int, seed: int = 0, progress: Progress = silent
) -> Places:
    """The cluster of each person: c people drawn at random, the others to the closest by Jaccard.

    The first of equally close representatives gets them, so that people who share nothing with any of them
    end up together: the monopoly that paper 2 complains of.

    >>> sets = ItemSets(numpy.array([0, 2, 4]), numpy.array([0, 1, 0, 2], numpy.uint32), numpy.ones(4))
    >>> around_representatives(sets, 1).tolist()
    [0, 0]
    """
    from singleout.deidentify import cluster_kernels

    progress("clustering around representatives", 0, 1)
    draw = numpy.random.default_rng(seed)
    chosen = draw.choice(sets.people, clusters, replace=False)
    by_item = cluster_kernels.people_by_item(sets.starts, sets.items, int(sets.items.max(initial=0)) + 1)
    found: Places = cluster_kernels.closest(chosen, sets.starts, sets.items, *by_item)
    return found

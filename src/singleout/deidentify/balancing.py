"""Method 2 of paper 2: clusters that are too small get people from the largest ones."""

from __future__ import annotations

import numpy

from singleout.attacks.item_sets import ItemSets
from singleout.deidentify.clusters import Places
from singleout.progress import Progress, silent


def balanced(sets: ItemSets, of: Places, smallest: int, progress: Progress = silent) -> Places:
    """The clusters with `smallest` people at least; the clusters times `smallest` must not exceed the people.

    Clusters are filled in their order. The largest cluster, the first of equals, is chosen anew before every
    move, so that it never falls below `smallest` itself; of its people goes the one most like somebody in the
    small cluster by Jaccard (paper 2, Algorithm 4).

    >>> sets = ItemSets(numpy.arange(5), numpy.array([0, 0, 1, 1], numpy.uint32), numpy.ones(4))
    >>> balanced(sets, numpy.array([0, 0, 0, 1]), 2).tolist()
    [0, 0, 1, 1]
    """
    from singleout.deidentify import cluster_kernels

    found = of.copy()
    sizes = numpy.bincount(found)
    by_item = cluster_kernels.people_by_item(sets.starts, sets.items, int(sets.items.max(initial=0)) + 1)
    small = numpy.flatnonzero(sizes < smallest)
    for done, cluster in enumerate(small):
        progress("filling small clusters", done, len(small))
        cluster_kernels.fill_cluster(cluster, smallest, found, sizes, sets.starts, sets.items, *by_item)
    return found

"""People in clusters that are to look alike, and what it costs to make them so."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy
from numpy.typing import NDArray

from singleout.attacks.linkage.item_sets import ItemSets

Indices = NDArray[numpy.int64]


@dataclass(frozen=True, eq=False)
class Clusters:
    """`of` has the cluster of each person, 0 … count−1; every cluster has somebody.

    In a release all people of a cluster x have the items I(x) that any of them has.
    """

    of: Indices
    sets: ItemSets

    @property
    def count(self) -> int:
        return int(self.of.max(initial=-1)) + 1

    @cached_property
    def sizes(self) -> Indices:
        """|x|: the people of each cluster."""
        return numpy.bincount(self.of, minlength=self.count)

    @cached_property
    def unions(self) -> ItemSets:
        """I(x) of each cluster, with how many of its people have each item."""
        width = int(self.sets.items.max(initial=0)) + 1
        keys = numpy.repeat(self.of, self.sets.sizes) * width + self.sets.items
        distinct_keys, people = numpy.unique(keys, return_counts=True)
        starts = numpy.searchsorted(distinct_keys, numpy.arange(self.count + 1) * width)
        return ItemSets(starts, (distinct_keys % width).astype(numpy.uint32), people.astype(numpy.uint32))

    @property
    def dummies_of_each(self) -> Indices:
        """How many dummy records each cluster needs: |x||I(x)| − Σ |I(u)|."""
        there = numpy.bincount(self.of, self.sets.sizes, self.count).astype(numpy.int64)
        return self.sizes * self.unions.sizes - there

    @property
    def dummies(self) -> int:
        """Δm of Ito et al. 2020."""
        return int(self.dummies_of_each.sum())

    @property
    def bound(self) -> float:
        """c/n: the share of people whom an attack by item sets recognises on average, at most."""
        return self.count / len(self.of)

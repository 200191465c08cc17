"""People in clusters that are to look alike, and what it costs to make them so."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy
from numpy.typing import NDArray

from singleout.attacks.linkage.item_sets import ItemSets

Indices = NDArray[numpy.int64]
Edit = Literal["add", "remove", "any"]
EDITS: tuple[Edit, ...] = get_args(Edit)


@dataclass(frozen=True, eq=False)
class Clusters:
    """`of` has the cluster of each person, 0 … count−1; every cluster has somebody.

    In a release all people of a cluster x have the same items I(x): by the edit "add" those that any of them
    has, by "remove" those that all of them have, by "any" whatever takes fewest records added and removed.
    """

    of: Indices
    sets: ItemSets
    edit: Edit = "add"

    @property
    def count(self) -> int:
        return int(self.of.max(initial=-1)) + 1

    @cached_property
    def sizes(self) -> Indices:
        """|x|: the people of each cluster."""
        return numpy.bincount(self.of, minlength=self.count)

    @property
    def width(self) -> int:
        return int(self.sets.items.max(initial=0)) + 1

    @cached_property
    def own_keys(self) -> Indices:
        """For each item of each person, a number of the person's cluster and the item."""
        keys: Indices = numpy.repeat(self.of, self.sets.sizes) * self.width + self.sets.items
        return keys

    @cached_property
    def unions(self) -> ItemSets:
        """I(x) of each cluster, with how many of its people have each item."""
        keys, inverse, people = numpy.unique(self.own_keys, return_inverse=True, return_counts=True)
        if self.edit != "add":
            records = numpy.bincount(inverse, weights=self.sets.counts).astype(numpy.int64)
            kept = self._kept(keys // self.width, people, records)
            keys, people = keys[kept], people[kept]
        starts = numpy.searchsorted(keys, numpy.arange(self.count + 1) * self.width)
        return ItemSets(starts, (keys % self.width).astype(numpy.uint32), people.astype(numpy.uint32))

    def _kept(self, cluster: Indices, people: Indices, records: Indices) -> NDArray[numpy.bool_]:
        """Which items stay: each by itself, since what one costs does not depend on another.

        A cluster that would be left without an item keeps the one that it costs least to keep: who has no
        record is in no release.
        """
        lacked = self.sizes[cluster] - people
        kept: NDArray[numpy.bool_] = lacked <= (0 if self.edit == "remove" else records)
        if self.edit == "remove":
            return kept
        empty = numpy.bincount(cluster, kept, self.count)[cluster] == 0
        order = numpy.lexsort((lacked - records, cluster))
        first = order[numpy.flatnonzero(numpy.diff(cluster[order], prepend=-1))]
        kept[first[empty[first]]] = True
        return kept

    @cached_property
    def kept_entries(self) -> NDArray[numpy.bool_]:
        """Which items of each person are in the release."""
        if self.edit == "add":
            return numpy.ones(len(self.own_keys), dtype=numpy.bool_)
        owner = numpy.repeat(numpy.arange(self.count), self.unions.sizes)
        return numpy.isin(self.own_keys, owner * self.width + self.unions.items)

    @property
    def dummies_of_each(self) -> Indices:
        """How many dummy records each cluster needs: |x||I(x)| − Σ |I(u) ∩ I(x)|."""
        there = numpy.bincount(self.own_keys[self.kept_entries] // self.width, minlength=self.count)
        return self.sizes * self.unions.sizes - there

    @property
    def removed_of_each(self) -> Indices:
        """How many records of each cluster are left out: those of items that are not in I(x)."""
        gone = ~self.kept_entries
        records = numpy.bincount(self.own_keys[gone] // self.width, self.sets.counts[gone], self.count)
        return records.astype(numpy.int64)

    @property
    def removed(self) -> int:
        return int(self.removed_of_each.sum())

    @property
    def dummies(self) -> int:
        """Δm of Ito et al. 2020."""
        return int(self.dummies_of_each.sum())

    @property
    def bound(self) -> float:
        """c/n: the share of people whom an attack by item sets recognises on average, at most."""
        return self.count / len(self.of)

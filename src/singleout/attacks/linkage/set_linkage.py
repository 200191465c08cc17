"""Links people by their item sets: Jaccard, containment, coverage, and with rare items weighing more."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal

import numpy

from singleout.attacks.linkage.candidates import NOBODY, Candidates, Numbers, Scores
from singleout.attacks.linkage.item_sets import ItemSets, SetPair
from singleout.engine.codes.histories import Indices
from singleout.engine.codes.parallel import map_shares
from singleout.progress import Progress

Overlap = Literal["jaccard", "containment", "coverage"]
KINDS: dict[Overlap, int] = {"jaccard": 0, "containment": 1, "coverage": 2}
# between two reports of progress
PAIRS_A_PIECE = 4_000_000_000
# (person, score, filled, tied_last), a row for each asker
Lists = tuple[Numbers, Scores, Indices, Indices]
FillLists = Callable[[int, int, Lists], None]


@dataclass(frozen=True, eq=False)
class OverlapLinkage:
    """Score of a released set A and a known set B, in whole numbers of common items.

    jaccard |A∩B|/|A∪B| (Ito et al. 2020, Algorithm 1); containment |A∩B|/|A|, how much of the released set
    is known of the person; coverage |A∩B|/|B|, how much of what is known the released set has. Two empty
    sets score 1, an empty and another 0.
    """

    sets: SetPair
    kind: Overlap
    threads: int

    def best(self, most: int, progress: Progress) -> Candidates:
        from singleout.attacks.linkage import overlap_kernels

        known, asked = self.sets.original, self._distinct_sets
        order = numpy.argsort(known.sizes, kind="stable").astype(numpy.uint32)
        sizes = known.sizes[order]

        def fill(first: int, last: int, lists: Lists) -> None:
            overlap_kernels.link(
                known.starts, known.items, order, sizes, self.sets.items,
                asked.starts, asked.items, first, last, KINDS[self.kind], lists,
            )  # fmt: skip

        return fill_in_pieces(fill, asked.people, known.people, most, self.threads, progress).at(
            self.indistinguishable()
        )

    def score(self, release: Indices, original: Indices) -> Scores:
        from singleout.attacks.linkage import item_set_kernels as set_kernels
        from singleout.attacks.linkage import overlap_kernels

        asked, known = self.sets.release, self.sets.original
        common = set_kernels.common_items(
            asked.starts, asked.items, known.starts, known.items, release, original
        )
        sizes = asked.sizes[release], known.sizes[original]
        found: Scores = overlap_kernels.likenesses(KINDS[self.kind], common, *sizes)
        return found

    def indistinguishable(self) -> Indices:
        return self._alike_people

    def swap_sides(self) -> OverlapLinkage:
        swapped: dict[Overlap, Overlap] = {"containment": "coverage", "coverage": "containment"}
        return OverlapLinkage(self.sets.swap_sides(), swapped.get(self.kind, self.kind), self.threads)

    @cached_property
    def _alike_people(self) -> Indices:
        return self.sets.release.indistinguishable()

    @property
    def _distinct_sets(self) -> ItemSets:
        """Each released set once: the same set has the same candidates."""
        return self.sets.release.of(first_of_each(self._alike_people))


@dataclass(frozen=True, eq=False)
class CosineLinkage:
    """Score = the cosine of the angle between two people's items, each weighing count · (ln(n/d) + 1).

    `count` is how many of a person's records have the item, d how many of the n people of the original do; an
    item that only the release has can't be common. Two people without items score 1, one without and another
    0. The weights are those of Ito et al. 2020, Method 1, with counts. `counted` are the sets among which n
    and d are counted, where they are not those of the original.
    """

    sets: SetPair
    threads: int
    counted: ItemSets | None = None

    def best(self, most: int, progress: Progress) -> Candidates:
        from singleout.attacks.linkage import cosine_kernels

        known, asked = self.sets.original, self.sets.release.of(first_of_each(self._alike_people))
        weights, asked_weights = self._weights(known), self._weights(asked)

        def fill(first: int, last: int, lists: Lists) -> None:
            cosine_kernels.link(
                known.starts, known.items, weights, self.sets.items,
                asked.starts, asked.items, asked_weights, first, last, lists,
            )  # fmt: skip

        return fill_in_pieces(fill, asked.people, known.people, most, self.threads, progress).at(
            self._alike_people
        )

    def score(self, release: Indices, original: Indices) -> Scores:
        from singleout.attacks.linkage import cosine_kernels
        from singleout.attacks.linkage import item_set_kernels as set_kernels

        asked, known = self.sets.release, self.sets.original
        common = set_kernels.common_weight(
            asked.starts, asked.items, self._weights(asked),
            known.starts, known.items, self._weights(known), release, original,
        )  # fmt: skip
        both_empty = (asked.sizes[release] == 0) & (known.sizes[original] == 0)
        return numpy.where(both_empty, 1.0, cosine_kernels.round_score(common))

    def indistinguishable(self) -> Indices:
        return self._alike_people

    def swap_sides(self) -> CosineLinkage:
        return CosineLinkage(self.sets.swap_sides(), self.threads, self.counted or self.sets.original)

    @cached_property
    def _alike_people(self) -> Indices:
        return self.sets.release.indistinguishable(with_counts=True)

    @cached_property
    def _rarity(self) -> Scores:
        counted = self.counted or self.sets.original
        having = numpy.bincount(counted.items, minlength=self.sets.items)
        rarity: Scores = numpy.log(max(counted.people, 1) / numpy.maximum(having, 1)) + 1
        return rarity

    def _weights(self, sets: ItemSets) -> Scores:
        weights: Scores = sets.counts * self._rarity[sets.items]
        owner = numpy.repeat(numpy.arange(sets.people), sets.sizes)
        length = numpy.sqrt(numpy.bincount(owner, weights**2, sets.people))
        weights /= length[owner]
        return weights


@dataclass(frozen=True, eq=False)
class IdfJaccardLinkage:
    """Score = Σ w over the items of A∩B / Σ w over those of A∪B, an item weighing w = ln((n + 1)/(d + 1)).

    d is how many of the n people of the original have the item, 0 where only the release has it; what all of
    them have weighs nothing. Two sets that weigh nothing score 1, one that does and another 0. Weights are
    whole numbers of tiny parts, so that sums do not depend on their order. A missing value is an item unless
    it is skipped. `counted` are the sets among which n and d are counted, where not those of the original.
    """

    sets: SetPair
    threads: int
    counted: ItemSets | None = None

    def best(self, most: int, progress: Progress) -> Candidates:
        from singleout.attacks.linkage import idf_kernels

        known, asked = self.sets.original, self.sets.release.of(first_of_each(self._alike_people))
        weights, totals, asked_totals = self._weights, self._totals(known), self._totals(asked)

        def fill(first: int, last: int, lists: Lists) -> None:
            idf_kernels.link(
                known.starts, known.items, totals, weights,
                asked.starts, asked.items, asked_totals, first, last, lists,
            )  # fmt: skip

        return fill_in_pieces(fill, asked.people, known.people, most, self.threads, progress).at(
            self._alike_people
        )

    def score(self, release: Indices, original: Indices) -> Scores:
        from singleout.attacks.linkage import idf_kernels

        asked, known = self.sets.release, self.sets.original
        found: Scores = idf_kernels.scores(
            asked.starts, asked.items, self._totals(asked), known.starts, known.items, self._totals(known),
            self._weights, release, original,
        )  # fmt: skip
        return found

    def indistinguishable(self) -> Indices:
        return self._alike_people

    def swap_sides(self) -> IdfJaccardLinkage:
        return IdfJaccardLinkage(self.sets.swap_sides(), self.threads, self.counted or self.sets.original)

    @cached_property
    def _alike_people(self) -> Indices:
        return self.sets.release.indistinguishable()

    @cached_property
    def _weights(self) -> Indices:
        """In parts so small that the weight of any two sets still fits into 62 bits."""
        counted = self.counted or self.sets.original
        having = numpy.bincount(counted.items, minlength=self.sets.items)
        weights = numpy.log((counted.people + 1) / (having + 1))
        largest = 2 * max(each.sizes.max(initial=1) for each in (self.sets.original, self.sets.release))
        parts = min(48, 62 - math.ceil(math.log2(max(1.0, largest * weights.max(initial=1)))))
        return numpy.rint(weights * 2.0**parts).astype(numpy.int64)

    def _totals(self, sets: ItemSets) -> Indices:
        sums = numpy.concatenate(([0], numpy.cumsum(self._weights[sets.items])))
        totals: Indices = sums[sets.starts[1:]] - sums[sets.starts[:-1]]
        return totals


def first_of_each(alike: Indices) -> Indices:
    """The first person of each number; the numbers are 0, 1, … in the order of first appearance."""
    return numpy.unique(alike, return_index=True)[1]


def _fill_from(fill: FillLists, lists: Lists, begin: int, first: int, last: int) -> None:
    fill(begin + first, begin + last, lists)


def fill_in_pieces(
    fill: FillLists, askers: int, people: int, most: int, threads: int, progress: Progress
) -> Candidates:
    """The lists of all askers, piece by piece, each on all threads."""
    most = min(most, people)
    lists: Lists = (
        numpy.full((askers, most), NOBODY, dtype=numpy.int32),
        numpy.zeros((askers, most)),
        numpy.zeros(askers, dtype=numpy.int64),
        numpy.zeros(askers, dtype=numpy.int64),
    )
    step = max(1, PAIRS_A_PIECE // max(people, 1))
    for begin in range(0, askers, step):
        progress("comparing people", begin, askers)
        size = min(step, askers - begin)
        map_shares(size, partial(_fill_from, fill, lists, begin), threads, threads)
    return Candidates(lists[0], lists[1], lists[3])

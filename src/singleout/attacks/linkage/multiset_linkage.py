"""Links people by how often they have each item, whatever dummy records were added (containment)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy

from singleout.attacks.linkage.candidates import Candidates, Scores
from singleout.attacks.linkage.item_sets import SetPair
from singleout.attacks.linkage.set_linkage import Lists, fill_in_pieces, first_of_each
from singleout.engine.codes.histories import Indices
from singleout.progress import Progress

# rarities are whole numbers of such parts, so that sums do not depend on their order
PARTS = 1 << 20


@dataclass(frozen=True, eq=False)
class MultisetLinkage:
    """Score = common/2 − faults, of a released multiset of items A and a known one B.

    Dummies take nothing away, and give a person an item that they lack once: so a fault is each record of B
    that A lacks, Σ max(B − A, 0), and each record of A beyond the first of its item that B lacks,
    Σ max(A − max(B, 1), 0). Of equally many faults, what is common decides, as a share of A's weight: a
    record of an item weighs ln(n/d) + 1, d of the n people of the original having it. That the own records
    are all there is sure for the true person, and luck for others, the more so the rarer their items are.
    Two people without items score 0. A missing value is an item unless it is skipped.
    """

    sets: SetPair
    threads: int

    def best(self, most: int, progress: Progress) -> Candidates:
        from singleout.attacks.linkage import multiset_linkage_kernels as kernels

        known, asked = self.sets.original, self.sets.release.of(first_of_each(self._alike_people))
        owner = numpy.repeat(numpy.arange(known.people), known.sizes)
        records = numpy.bincount(owner, known.counts, known.people).astype(numpy.int64)

        def fill(first: int, last: int, lists: Lists) -> None:
            kernels.link(
                known.starts, known.items, known.counts, records, self._weights,
                asked.starts, asked.items, asked.counts, first, last, lists,
            )  # fmt: skip

        return fill_in_pieces(fill, asked.people, known.people, most, self.threads, progress).at(
            self._alike_people
        )

    def score(self, release: Indices, original: Indices) -> Scores:
        from singleout.attacks.linkage import multiset_linkage_kernels as kernels

        asked, known = self.sets.release, self.sets.original
        found: Scores = kernels.scores(
            asked.starts, asked.items, asked.counts, known.starts, known.items, known.counts, self._weights,
            release, original,
        )  # fmt: skip
        return found

    def indistinguishable(self) -> Indices:
        return self._alike_people

    @cached_property
    def _alike_people(self) -> Indices:
        return self.sets.release.indistinguishable(with_counts=True)

    @cached_property
    def _weights(self) -> Indices:
        known = self.sets.original
        having = numpy.bincount(known.items, minlength=self.sets.items)
        rarity = numpy.log(max(known.people, 1) / numpy.maximum(having, 1)) + 1
        weights: Indices = numpy.rint(rarity * PARTS).astype(numpy.int64)
        return weights

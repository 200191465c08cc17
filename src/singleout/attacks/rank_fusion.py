"""An attack that combines others: each votes for its best candidates, and the votes are added up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy
from numpy.typing import NDArray

from singleout.attacks.attempt import LISTED
from singleout.attacks.linkage.candidates import NOBODY, Candidates, Numbers, Scores
from singleout.engine.codes.histories import Indices
from singleout.progress import Progress

# the least common multiple of 1 … 10: a vote of 1/c is a whole number of such parts
PARTS = 2520


@dataclass(frozen=True, eq=False)
class CombinedLinkage:
    """Score = the sum over attacks of 1/c, c being how many candidates do at least as well in that attack.

    Only candidates among an attack's ten best count; where more people are tied than fit there, they get no
    vote of it. This is reciprocal rank fusion (Cormack, Clarke and Büttcher 2009) with shared ranks.
    """

    members: tuple[Candidates, ...]
    alikes: tuple[Indices, ...]
    people: int

    def best(self, most: int, progress: Progress) -> Candidates:
        from singleout.attacks import rank_fusion_kernels

        progress("combining attacks", 0, 1)
        voted_for, votes = self._votes
        most = min(most, self.people)
        person = numpy.full((len(voted_for), most), NOBODY, dtype=numpy.int32)
        score, tied = numpy.zeros((len(voted_for), most)), numpy.zeros(len(voted_for), dtype=numpy.int64)
        rank_fusion_kernels.combine(voted_for, votes, self.people, person, score, tied)
        return Candidates(person, score / PARTS, tied)

    def score(self, release: Indices, original: Indices) -> Scores:
        voted_for, votes = self._votes
        own = numpy.where(voted_for[release] == original[:, None], votes[release], 0)
        found: Scores = own.sum(axis=1) / PARTS
        return found

    def indistinguishable(self) -> Indices:
        """Equal only for those whom no attack tells apart."""
        return numpy.unique(numpy.stack(self.alikes, axis=1), axis=0, return_inverse=True)[1].reshape(-1)

    @cached_property
    def _votes(self) -> tuple[Numbers, NDArray[numpy.int64]]:
        pairs = [(each.person[:, :LISTED], _votes_of(each)) for each in self.members]
        return numpy.concatenate([one for one, _ in pairs], 1), numpy.concatenate(
            [two for _, two in pairs], 1
        )


def _votes_of(best: Candidates) -> NDArray[numpy.int64]:
    """What each place of a list is worth; nothing where not all who are tied with it are listed."""
    as_good = (best.score[:, None, :] >= best.score[:, :, None]).sum(axis=2)
    listed_last = (best.score == best.score[:, -1:]).sum(axis=1)
    cut = (best.score == best.score[:, -1:]) & (listed_last < best.tied_last)[:, None]
    return numpy.where(cut | (best.person == NOBODY), 0, PARTS // as_good)

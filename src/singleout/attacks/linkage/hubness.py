"""Hubness correction (CSLS): who is like everybody is a worse candidate than who is like few."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy

from singleout.attacks.linkage.candidates import NOBODY, Candidates, Indices, Scores, TwoWayLinkage
from singleout.attacks.linkage.set_linkage import Lists
from singleout.progress import Progress, silent

NEIGHBOURS = 10
LISTED = 50
PAIRS_AT_ONCE = 2_000_000
# as in the cosine: rounding errors must not break ties
DIGITS = 1e12


@dataclass(frozen=True, eq=False)
class HubnessLinkage:
    """Score of x of the release and y of the original: CSLS(x, y) = 2·s(x, y) − r(x) − r(y).

    s is the score of another linkage, r(x) the mean of the ten largest s that x has with people of the
    original, r(y) of those that y has with people of the release; of all where there are fewer than ten.
    Missing values are as in that linkage. Reference: Conneau et al. 2018 (cross-domain similarity local
    scaling).
    """

    linkage: TwoWayLinkage

    def best(self, most: int, progress: Progress) -> Candidates:
        """Exact: who is not on the long list of s has at most its last s, which only a small r(y) helps."""
        from singleout.attacks.linkage.hubness_kernels import offer_listed

        askers, group = self._groups
        near = self._near if most <= LISTED else self.linkage.best(most, progress).at(askers)
        score = self._corrected(
            near.score, self._asker_means[askers][:, None], self._known_means[near.person]
        )
        most = min(most, len(self._known_means))
        lists: Lists = (
            numpy.full((len(askers), most), NOBODY, dtype=numpy.int32),
            numpy.zeros((len(askers), most)),
            numpy.zeros(len(askers), dtype=numpy.int64),
            numpy.zeros(len(askers), dtype=numpy.int64),
        )
        offer_listed(near.person, score, lists)
        self._offer_others(askers, near, lists, progress)
        return Candidates(lists[0], lists[1], lists[3]).at(group)

    def _offer_others(self, askers: Indices, near: Candidates, lists: Lists, progress: Progress) -> None:
        """Who is not listed and has so small an r(y) that 2·(last s listed) − r(x) − r(y) can get a place."""
        from singleout.attacks.linkage.hubness_kernels import offer_pairs

        if near.person.shape[1] == len(self._known_means):
            return
        by_mean = numpy.argsort(self._known_means, kind="stable")
        reach = 2 * near.score[:, -1] - self._asker_means[askers] - lists[1][:, -1]
        counts = numpy.searchsorted(self._known_means[by_mean], reach + 2 / DIGITS, side="right")
        ends = numpy.cumsum(counts)
        begin = 0
        while begin < len(askers):
            progress("correcting for hubs", begin, len(askers))
            done = int(ends[begin - 1]) if begin else 0
            end = max(begin + 1, int(numpy.searchsorted(ends, done + PAIRS_AT_ONCE, side="right")))
            rows = numpy.repeat(numpy.arange(begin, end), counts[begin:end])
            firsts = numpy.repeat(ends[begin:end] - counts[begin:end], counts[begin:end])
            known = by_mean[numpy.arange(done, done + len(rows)) - firsts]
            offer_pairs(rows, known, self.score(askers[rows], known), near.person, lists)
            begin = end

    def score(self, release: Indices, original: Indices) -> Scores:
        means = self._asker_means[release], self._known_means[original]
        return self._corrected(self.linkage.score(release, original), *means)

    def indistinguishable(self) -> Indices:
        return self.linkage.indistinguishable()

    @staticmethod
    def _corrected(score: Scores, asker_mean: Scores, known_mean: Scores) -> Scores:
        corrected: Scores = numpy.rint((2 * score - asker_mean - known_mean) * DIGITS) / DIGITS
        return corrected + 0.0

    @cached_property
    def _groups(self) -> tuple[Indices, Indices]:
        """One asker of each group of people who look alike, and the group of everybody."""
        _, askers, group = numpy.unique(
            self.linkage.indistinguishable(), return_index=True, return_inverse=True
        )
        return askers, group.reshape(-1)

    @cached_property
    def _near(self) -> Candidates:
        return self.linkage.best(LISTED, silent).at(self._groups[0])

    @cached_property
    def _asker_means(self) -> Scores:
        means: Scores = self._near.score[:, :NEIGHBOURS].mean(axis=1)
        return means[self._groups[1]]

    @cached_property
    def _known_means(self) -> Scores:
        means: Scores = self.linkage.swap_sides().best(NEIGHBOURS, silent).score.mean(axis=1)
        return means

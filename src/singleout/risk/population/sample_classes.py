"""The list that population models start from: how many classes of a sample hold one person, two, three …"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy

from singleout.engine.class_sizes import Sizes
from singleout.risk.population.pitman_yor import Floats, log_rising

# classes of fewer people are small, as k-anonymity is mostly asked for
SMALL = 5
# how many standard deviations of a thinned class are looked at; the rest is below the last digit
REACH = 9


@dataclass(frozen=True, eq=False)
class SampleClasses:
    """`counts` classes have each of the `sizes`; counts may be fractions where they are expected ones.

    Where people have several records, classes are `overlapping`: a size is then how many people fit one
    record of somebody, and its count the people so found divided by it, so that all sums stay the same.
    """

    sizes: Floats
    counts: Floats
    overlapping: bool = False

    @classmethod
    def of(cls, sizes: Sizes) -> SampleClasses:
        return cls.of_pairs(sizes.histogram().items())

    @classmethod
    def of_pairs(cls, pairs: Iterable[tuple[int, float]]) -> SampleClasses:
        table = numpy.array(sorted(pairs), dtype=float).reshape(-1, 2)
        return cls(table[:, 0], table[:, 1])

    @classmethod
    def of_candidates(cls, candidates: Iterable[tuple[int, float]]) -> SampleClasses:
        """From how many people (fractions of them) have so many candidates for one known record."""
        found = cls.of_pairs(candidates)
        return cls(found.sizes, found.counts / found.sizes, overlapping=True)

    @property
    def people(self) -> float:
        return float((self.sizes * self.counts).sum())

    @property
    def classes(self) -> float:
        return float(self.counts.sum())

    def number(self, size: int) -> float:
        """How many classes have this size."""
        return float(self.counts[self.sizes == size].sum())

    def over_classes(self, numbers: Floats) -> float:
        """The sum over all classes of a number for each size; a product of matrices would round by chance."""
        return float((self.counts * numbers).sum())

    @property
    def smallest(self) -> int:
        return int(self.sizes[0])

    @property
    def unique_share(self) -> float:
        return self.number(1) / self.people

    def share_below(self, size: int) -> float:
        return self.over_classes(self.sizes * (self.sizes < size)) / self.people

    @property
    def correctness(self) -> float:
        return self.classes / self.people

    def numbers(self) -> dict[str, float]:
        """The sample's own numbers, by the names that models call them."""
        return {
            "unique_share": self.unique_share,
            "small_share": self.share_below(SMALL),
            "marketer": self.correctness,
            "journalist.highest": 1 / self.smallest,
        }

    def thinned(self, share: float) -> SampleClasses:
        """What is expected if each person stays with this probability; no chance is left in it.

        >>> thinned = SampleClasses.of_pairs([(2, 4)]).thinned(0.5)
        >>> thinned.sizes.tolist(), thinned.counts.round(9).tolist()
        ([1.0, 2.0], [2.0, 1.0])
        """
        reach = REACH * numpy.sqrt(self.sizes * share * (1 - share)) + REACH
        low = numpy.maximum(1, numpy.floor(self.sizes * share - reach))
        high = numpy.minimum(self.sizes, numpy.ceil(self.sizes * share + reach))
        widths = (high - low + 1).astype(int)
        sizes, many = numpy.repeat(self.sizes, widths), numpy.repeat(self.counts, widths)
        starts = numpy.repeat(numpy.cumsum(widths) - widths, widths)
        kept = numpy.repeat(low, widths) + numpy.arange(widths.sum()) - starts
        ways = log_rising(kept + 1, sizes - kept) - log_rising(1.0, sizes - kept)
        chance = numpy.exp(ways + kept * math.log(share) + (sizes - kept) * math.log1p(-share))
        expected: Floats = numpy.bincount(kept.astype(int), weights=many * chance).astype(float)
        there = numpy.flatnonzero(expected > 0)
        return SampleClasses(there.astype(float), expected[there], self.overlapping)

    def rarefied(self, people: Floats) -> Floats:
        """The expected correctness of so many of these people, drawn at random: exact, nothing is drawn."""
        whole = self.people
        left = whole - people[:, None] - self.sizes[None, :] + 1
        missed = numpy.exp(
            log_rising(numpy.maximum(left, 1), self.sizes) - log_rising(whole - self.sizes + 1, self.sizes)
        )
        found = 1 - numpy.where(left < 1, 0.0, missed)
        return numpy.asarray((found * self.counts).sum(axis=1) / people)

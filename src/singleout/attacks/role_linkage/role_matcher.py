"""The matcher of roles: people by how popular their items are, then items by their people, in rounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy

from singleout.attacks.linkage.candidates import NOBODY, Numbers, Scores
from singleout.attacks.linkage.nearest_records import run_in_rounds
from singleout.attacks.role_linkage.colour_refinement import GRADES, RoleTable, SparseCounts, ranges
from singleout.engine.codes.histories import Code, Indices
from singleout.engine.codes.parallel import map_shares
from singleout.progress import Progress

# scores are whole numbers of such parts, so that equal ones are equal
PARTS = 1 << 16
# records expected of items that a person is not known to have: not every change of a release is a sample
FLOOR = 0.005
# as FLOOR, where people are compared by grades of popularity only
GRADE_FLOOR = 0.1
# the people with most records are matched first, then so many times as many at a time; at first fewer if
# their baskets are so large that beside each item of them every item must be looked at too often
FIRST_PEOPLE, LEAST_PEOPLE, GROWTH = 1_000, 100, 4
MOST_LOOKS = 4_000_000_000
# candidates that are kept in the first rounds, and later; less likely ones are not
KEPT_AT_FIRST, KEPT, LEAST_SHARE = 64, 8, 0.005
# while few candidates are ruled out, likelihoods promise too much: they are tempered, less so each round
HEAT, COOLING = 4.0, 0.7
ROUNDS, LEAST_GAIN = 30, 0.0005
BALANCES, TINY = 8, 1e-30
# in a sample only a few small baskets look as they did, most of them by chance
MOST_RECORDS = 0.5


@dataclass(frozen=True, eq=False)
class Matching:
    """How likely the role `release[i]` is the role `original[i]`; the others are not likely."""

    release: Indices
    original: Indices
    share: Scores

    @classmethod
    def of_equal(cls, release: Indices, original: Indices, sizes: Indices) -> Matching:
        """By equal colours; where several roles of the original have one, as likely as they are large."""
        order = numpy.argsort(original, kind="stable")
        begins, ends = (numpy.searchsorted(original[order], release, side) for side in ("left", "right"))
        lengths = numpy.where(ends - begins <= 1 / LEAST_SHARE, ends - begins, 0)
        row, known = numpy.repeat(numpy.arange(len(release)), lengths), order[ranges(begins, lengths)]
        share = sizes[known] / numpy.bincount(row, sizes[known], len(release))[row]
        return cls(row, known, share)

    @classmethod
    def of_scores(
        cls, asked: Indices, found: Indices, scored: Indices, sizes: tuple[Indices, Indices], heat: float
    ) -> Matching:
        """Of likelihoods, so balanced that a role of the original is not likelier in all than it is large.

        This is Sinkhorn's iteration, in which those who are not in the release take part without a name.
        """
        members, known = sizes[0][asked][:, None], sizes[1]
        absent = max(0, int(known.sum() - members.sum()))
        behind = numpy.where(found == NOBODY, -numpy.inf, scored - scored[:, :1])
        share = numpy.exp(behind / (PARTS * heat)) + TINY * (found != NOBODY)
        found, slack = numpy.maximum(found, 0), absent / known.sum()
        for _ in range(BALANCES):
            named = numpy.bincount(found.reshape(-1), (share * members).reshape(-1), len(known)) / known
            share /= numpy.maximum(named + slack, TINY)[found]
            share /= numpy.maximum(share.sum(axis=1, keepdims=True), TINY)
            slack *= absent / max((known * slack / (named + max(slack, TINY))).sum(), TINY)
        row, place = numpy.nonzero(share >= LEAST_SHARE)
        return cls(asked[row], found[row, place], share[row, place])

    def invert(self, sizes: Indices) -> Matching:
        """The other way round; `sizes` are those of the roles of the release."""
        share = self.share * sizes[self.release]
        return Matching(
            self.original, self.release, share / numpy.bincount(self.original, share)[self.original]
        )


@dataclass(frozen=True, eq=False)
class Expectation:
    """How many records of each column of the release the rows of the original are expected to have.

    A row of the release with c records of a column where λ are expected has the likelihood of Poisson
    numbers, Σ c·ln(λ + floor) − λ; less what is the same for all rows it is Σ c·weight + least, in parts.
    """

    starts: Indices
    columns: Numbers
    weights: Numbers
    least: Indices
    width: int

    @classmethod
    def of(
        cls,
        original: SparseCounts,
        columns: Matching,
        sizes: tuple[Indices, Indices],
        left: float,
        floor: float,
        threads: int,
    ) -> Expectation:
        """By a matching of columns, of which `left` is how many records are left of one in the original."""
        from singleout.attacks.role_linkage import role_linkage_kernels as kernels

        order = numpy.lexsort((columns.release, columns.original))
        asked, known = columns.release[order], columns.original[order]
        width, shares = len(sizes[0]), left * columns.share[order] * sizes[0][asked] / sizes[1][known]
        links = numpy.searchsorted(known, numpy.arange(original.width + 1)), asked
        lengths = numpy.zeros(original.rows, dtype=numpy.int64)

        def measure(first: int, last: int) -> None:
            kernels.expected_lengths(original.starts, original.columns, *links, width, first, last, lengths)

        map_shares(original.rows, measure, threads, threads)
        starts = numpy.concatenate(([0], numpy.cumsum(lengths)))
        found, counts = numpy.empty(starts[-1], dtype=numpy.int32), numpy.empty(starts[-1])

        def fill(first: int, last: int) -> None:
            kernels.expected_counts(
                original.starts, original.columns, original.counts, *links, shares, width, first, last,
                starts, found, counts,
            )  # fmt: skip

        map_shares(original.rows, fill, threads, threads)
        row = numpy.repeat(numpy.arange(original.rows), lengths)
        least = -numpy.rint(PARTS * numpy.bincount(row, counts, original.rows)).astype(numpy.int64)
        weights = numpy.rint(PARTS * numpy.log1p(counts / floor)).astype(numpy.int32)
        return cls(starts, found, weights, least, width)

    @cached_property
    def lists(self) -> tuple[Indices, Code, Numbers]:
        """For each column, the rows that may have records of it, and their weights."""
        from singleout.engine.codes.count_kernels import order_by

        starts, order = order_by(self.columns, self.width)
        row = numpy.repeat(numpy.arange(len(self.least), dtype=numpy.uint32), numpy.diff(self.starts))
        return starts, row[order], self.weights[order]

    def likeliest(
        self, release: SparseCounts, asked: Indices, most: int, threads: int, progress: Progress
    ) -> tuple[Indices, Indices]:
        """The rows that explain the asked rows of the release best, and how well; NOBODY fills the places."""
        from singleout.attacks.role_linkage import role_linkage_kernels as kernels

        found = numpy.full((len(asked), min(most, len(self.least))), NOBODY, dtype=numpy.int64)
        scored, table = numpy.zeros_like(found), (release.starts, release.columns, release.counts)
        lists = self.lists

        def fill(first: int, last: int) -> None:
            kernels.likeliest(*table, *lists, self.least, asked, first, last, found, scored)

        run_in_rounds(len(asked), fill, threads, "matching roles", progress)
        return found, scored


@dataclass(frozen=True, eq=False)
class ItemMatch:
    """Which items are which, how much of people's records is left, and how well that explains the release."""

    items: Matching
    left: float
    score: int = 0


@dataclass(frozen=True, eq=False)
class RoleMatcher:
    """Matches people by their items, then items by their people, in rounds."""

    release: RoleTable
    original: RoleTable
    threads: int
    progress: Progress

    def match(self) -> ItemMatch:
        """First on the people with most records, for whom popularity says most, then on more and more."""
        table, everybody = self.release.people, self.release.people.rows
        affordable = int(numpy.searchsorted(table.starts, MOST_LOOKS // max(1, table.width)))
        people = min(FIRST_PEOPLE, max(LEAST_PEOPLE, affordable), everybody)
        part = self.first(people)
        starts = (part.by_grades(), *part.by_baskets())
        best = max((part.rounds(start) for start in starts), key=lambda each: each.score)
        while people < everybody:
            people = min(GROWTH * people, everybody)
            part = self.first(people)
            matched, _ = part.people(best.items, best.left, KEPT, 1.0)
            best = ItemMatch(*part.items(matched, KEPT, 1.0))
        return best

    def first(self, people: int) -> RoleMatcher:
        """With the people only who have most records, the same share of both tables' people."""
        known = -(-people * self.original.people.rows // self.release.people.rows)
        known = min(max(known, people), self.original.people.rows)
        return replace(self, release=self.release.first(people), original=self.original.first(known))

    def by_grades(self) -> Matching:
        """People by how many records they have of each grade of popularity."""
        every, ones = numpy.arange(GRADES), numpy.ones(GRADES, dtype=numpy.int64)
        same, known = Matching(every, every, numpy.ones(GRADES)), self.original.grades()
        expected = Expectation.of(known, same, (ones, ones), self._left_on_average, GRADE_FLOOR, self.threads)
        return self._matching(expected, self.release.grades(), self._people_sizes, KEPT_AT_FIRST, HEAT)[0]

    def by_baskets(self) -> Iterator[Matching]:
        """People by equal counts of items, if most of the release has them: then people were left out."""
        same = Matching.of_equal(
            self.release.basket_colour, self.original.basket_colour, self.original.people_sizes
        )
        records = self.release.records
        if records[numpy.unique(same.release)].sum() >= MOST_RECORDS * records.sum():
            yield same

    def rounds(self, people: Matching) -> ItemMatch:
        """The round that explains the release best; after the hot ones they end when little is gained."""
        best = None
        for turn in range(ROUNDS):
            heat = max(1.0, HEAT * COOLING**turn)
            items, left = self.items(people, KEPT_AT_FIRST, heat)
            people, score = self.people(items, left, KEPT_AT_FIRST, heat)
            if heat > 1:
                continue
            if best is not None and score <= best.score + LEAST_GAIN * abs(best.score):
                break
            best = ItemMatch(items, left, score)
        assert best is not None
        return best

    def items(self, people: Matching, kept: int, heat: float) -> tuple[Matching, float]:
        """A matching of items by one of people, and how much of a person's records is left by that one."""
        left = self._left_of(people)
        expected = Expectation.of(self.original.items, people, self._people_sizes, left, FLOOR, self.threads)
        return self._matching(expected, self.release.items, self._item_sizes, kept, heat)[0], left

    def people(self, items: Matching, left: float, kept: int, heat: float) -> tuple[Matching, int]:
        """A matching of people by one of items, and how well that one explains the release."""
        expected = Expectation.of(self.original.people, items, self._item_sizes, left, FLOOR, self.threads)
        return self._matching(expected, self.release.people, self._people_sizes, kept, heat)

    def _matching(
        self,
        expected: Expectation,
        table: SparseCounts,
        sizes: tuple[Indices, Indices],
        kept: int,
        heat: float,
    ) -> tuple[Matching, int]:
        asked = numpy.flatnonzero(table.totals)
        found, scored = expected.likeliest(table, asked, kept, self.threads, self.progress)
        matching = Matching.of_scores(asked, found, scored, sizes, heat)
        return matching, int((scored[:, 0] * sizes[0][asked]).sum())

    def _left_of(self, people: Matching) -> float:
        held = people.share * self.original.people.totals[people.original]
        held *= self.release.people_sizes[people.release]
        return float(self.release.records.sum() / held.sum()) if len(held) else self._left_on_average

    @property
    def _left_on_average(self) -> float:
        return self.release.records_a_person / self.original.records_a_person

    @property
    def _people_sizes(self) -> tuple[Indices, Indices]:
        return self.release.people_sizes, self.original.people_sizes

    @property
    def _item_sizes(self) -> tuple[Indices, Indices]:
        return self.release.item_sizes, self.original.item_sizes


def match_items(
    release: RoleTable, original: RoleTable, unchanged: bool, threads: int, progress: Progress
) -> ItemMatch:
    """By equal colours if the release is `unchanged` but for its names, else as matched in rounds."""
    if unchanged or not original.records.any():
        return ItemMatch(
            Matching.of_equal(release.item_colour, original.item_colour, original.item_sizes), 1.0
        )
    if release.records.sum() <= original.records.sum():
        return RoleMatcher(release, original, threads, progress).match()
    # the table with fewer records is taken for a sample of the other one
    turned = RoleMatcher(original, release, threads, progress).match()
    return ItemMatch(turned.items.invert(original.item_sizes), 1 / turned.left)

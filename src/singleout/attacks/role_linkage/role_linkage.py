"""Links people by the roles that renamed items play: how popular an item is, among whom, and beside what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy

from singleout.attacks.linkage.candidates import NOBODY, Candidates, Scores
from singleout.attacks.linkage.item_sets import ItemSets, tuples_as_items
from singleout.attacks.linkage.nearest_records import run_in_rounds
from singleout.attacks.role_linkage.colour_refinement import RoleTable, both_roles
from singleout.attacks.role_linkage.role_matcher import FLOOR, MOST_RECORDS, PARTS, Expectation, match_items
from singleout.engine.codes.histories import Histories, Indices
from singleout.progress import Progress, silent


@dataclass(frozen=True, eq=False)
class RoleLinkage:
    """Whose records would look like the released ones, if items were called what the release calls them?

    A pair's score is how likely the released records are by the original ones (see `Expectation`). `same` is,
    for each role of a person of the release, that role in the original, which comes before all others;
    `sets` are the released ones.
    """

    release: RoleTable
    original: RoleTable
    expected: Expectation
    same: Indices
    threads: int
    sets: ItemSets

    @classmethod
    def of(
        cls, histories: Histories, columns: Sequence[str], threads: int = 1, progress: Progress = silent
    ) -> RoleLinkage:
        """Whose items play the same roles?

        The values of the columns together are an item; what the release calls it tells nothing. Items and
        people get the colours of a stable refinement, exactly, and who has the same colour comes first. If
        the release is a sample, or changed otherwise, people are matched by how popular their items are, then
        items by their people, and so on; the score of a pair of people is Σ over released items of
        records·ln(1 + λ/0.005), less Σ λ, λ being how many records of the item are expected of the person of
        the original. Missing is an item. Reference: Weisfeiler and Leman (1968) for the colours.

        >>> from numpy import array
        >>> from singleout.engine.codes.histories import History
        >>> person, items = array([0, 0, 1], dtype="uint32"), {"item": array([0, 1, 0], dtype="uint32")}
        >>> renamed = {"item": array([2, 2, 3], dtype="uint32")}
        >>> release = History(2, array([0, 1, 1], dtype="uint32"), renamed)
        >>> both = Histories(History(2, person, items), release, {"item": ("a", "b", "x", "y")})
        >>> RoleLinkage.of(both, ["item"]).best(1, silent).person.tolist()
        [[1], [0]]
        """
        sets = tuples_as_items(histories, columns)
        original, release = both_roles(sets.original, sets.release, threads, progress)
        same = _places(release.person_colour, original.person_colour)
        known = release.records[same >= 0].sum()
        match = match_items(release, original, known == release.records.sum(), threads, progress)
        sizes = release.item_sizes, original.item_sizes
        expected = Expectation.of(original.people, match.items, sizes, match.left, FLOOR, threads)
        if known < MOST_RECORDS * release.records.sum():
            same = numpy.full_like(same, NOBODY)
        return cls(release, original, expected, same, threads, sets.release)

    def best(self, most: int, progress: Progress) -> Candidates:
        from singleout.attacks.role_linkage import role_linkage_kernels as kernels

        asked, role = self.release.people, self.original.role_of_person.astype(numpy.uint32)
        person = numpy.full((asked.rows, min(most, len(role))), NOBODY, dtype=numpy.int32)
        score, tied = numpy.zeros(person.shape, dtype=numpy.int64), numpy.zeros(asked.rows, dtype=numpy.int64)
        table, lists = (asked.starts, asked.columns, asked.counts), self.expected.lists

        def fill(first: int, last: int) -> None:
            kernels.link(
                *table, *lists, self.expected.least, self.same, self._lead, role, first, last,
                person, score, tied,
            )  # fmt: skip

        run_in_rounds(asked.rows, fill, self.threads, "comparing people", progress)
        return Candidates(person, score / PARTS, tied).at(self.release.role_of_person)

    def score(self, release: Indices, original: Indices) -> Scores:
        from singleout.attacks.role_linkage import role_linkage_kernels as kernels

        asked, expected = self.release.people, self.expected
        row, known = self.release.role_of_person[release], self.original.role_of_person[original]
        common = kernels.pair_weights(
            asked.starts, asked.columns, asked.counts, expected.starts, expected.columns, expected.weights,
            row, known,
        )  # fmt: skip
        scores: Scores = (common + expected.least[known] + self._lead * (self.same[row] == known)) / PARTS
        return scores

    def indistinguishable(self) -> Indices:
        """By the released sets: who has the same role is alike to this attack, but not always to others.

        Who looks for rings of six and rings of three tells people apart who all have the same role.
        """
        return self.sets.indistinguishable(with_counts=True)

    @cached_property
    def _lead(self) -> int:
        """More than any two scores of a person can differ by."""
        expected, records = self.expected, int(self.release.people.totals.max(initial=0))
        return records * int(expected.weights.max(initial=0)) - int(expected.least.min(initial=0)) + PARTS


def _places(asked: Indices, known: Indices) -> Indices:
    """Where each of the asked numbers is among the known ones, which are different."""
    order = numpy.argsort(known)
    place = numpy.minimum(numpy.searchsorted(known[order], asked), max(0, len(known) - 1))
    found: Indices = numpy.where(known[order][place] == asked, order[place], NOBODY)
    return found

"""Links people by the roles that renamed items play: how popular an item is, among whom, and beside what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy

from singleout.attacks.linkage.candidates import NOBODY, Candidates, Numbers, Scores
from singleout.attacks.linkage.item_sets import ItemSets, tuples_as_items
from singleout.attacks.linkage.nearest_records import run_in_rounds
from singleout.engine.codes.histories import Code, Histories, Indices
from singleout.engine.codes.parallel import map_shares
from singleout.progress import Progress, silent

# scores are whole numbers of such parts, so that equal ones are equal
PARTS = 1 << 16
# records expected of items that a person is not known to have: not every change of a release is a sample
FLOOR = 0.005
# at first an item is only one of so many grades of popularity
GRADES, GRADE_FLOOR = 6, 0.1
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
class SparseCounts:
    """Row r has `counts[i]` records of column `columns[i]`, for i from starts[r] to starts[r + 1] − 1."""

    starts: Indices
    columns: Code
    counts: Code
    width: int

    @property
    def rows(self) -> int:
        return len(self.starts) - 1

    @property
    def row(self) -> Indices:
        return numpy.repeat(numpy.arange(self.rows), numpy.diff(self.starts))

    @cached_property
    def totals(self) -> Indices:
        """How many records each row has."""
        return _whole_sums(self.row, self.counts, self.rows)

    def transpose(self) -> SparseCounts:
        from singleout.engine.codes.count_kernels import order_by

        starts, order = order_by(self.columns, self.width)
        return SparseCounts(starts, self.row.astype(numpy.uint32)[order], self.counts[order], self.rows)

    def first_rows(self, rows: int) -> SparseCounts:
        end = self.starts[rows]
        return SparseCounts(self.starts[: rows + 1], self.columns[:end], self.counts[:end], self.width)

    def first_columns(self, width: int) -> SparseCounts:
        kept = self.columns < width
        before = numpy.concatenate(([0], numpy.cumsum(kept)))
        return SparseCounts(before[self.starts], self.columns[kept], self.counts[kept], width)

    def merge(self, rows: Indices, column: Indices, width: int) -> SparseCounts:
        """Some of the rows; columns that get the same number become one."""
        lengths = numpy.diff(self.starts)[rows]
        places = _ranges(self.starts[rows], lengths)
        keys = numpy.repeat(numpy.arange(len(rows)), lengths) * width + column[self.columns[places]]
        cells, cell = numpy.unique(keys, return_inverse=True)
        counts = _whole_sums(cell, self.counts[places], len(cells)).astype(numpy.uint32)
        starts = numpy.searchsorted(cells, numpy.arange(len(rows) + 1) * width)
        return SparseCounts(starts, (cells % max(1, width)).astype(numpy.uint32), counts, width)


def _whole_sums(place: Indices, counts: Code, length: int) -> Indices:
    sums = numpy.zeros(length, dtype=numpy.int64)
    numpy.add.at(sums, place, counts)
    return sums


def _ranges(begins: Indices, lengths: Indices) -> Indices:
    """The numbers from each begin on, as many as its length, one after another."""
    return numpy.arange(lengths.sum()) + numpy.repeat(begins - numpy.cumsum(lengths) + lengths, lengths)


@dataclass(frozen=True, eq=False)
class Colours:
    """The stable colours of people and items; `basket` are people's at first, when all items look alike.

    A person's colour is how many records they have of items of each colour, an item's how many it has of
    people of each; they are refined until none is split any more. Numbers are equal exactly where colours
    are, and do not depend on how people and items are numbered.
    """

    person: Code
    item: Code
    basket: Code

    @classmethod
    def of(cls, people: SparseCounts, threads: int, progress: Progress) -> Colours:
        items = people.transpose()
        basket, colours = _refine(people, numpy.zeros(items.rows, dtype=numpy.uint32), threads)
        person, told_apart = basket, 0
        while True:
            item, item_colours = _refine(items, person, threads)
            if colours + item_colours == told_apart:
                return cls(person, item, basket)
            told_apart = colours + item_colours
            progress(f"telling roles apart, so far {told_apart:,}", 0, 1)
            person, colours = _refine(people, item, threads)

    def at(self, people: slice, items: slice) -> Colours:
        return Colours(self.person[people], self.item[items], self.basket[people])


def _refine(table: SparseCounts, colour: Code, threads: int) -> tuple[Code, int]:
    """Colours of the rows by those of the columns, and how many there are."""
    from singleout.attacks.linkage import role_linkage_kernels as kernels

    keys = numpy.empty(len(table.columns), dtype=numpy.uint64)
    mixed = numpy.empty(table.rows, dtype=numpy.uint64)

    def sign(first: int, last: int) -> None:
        kernels.sign(table.starts, table.columns, table.counts, colour, first, last, keys, mixed)

    map_shares(table.rows, sign, threads, threads)
    order = numpy.argsort(mixed, kind="stable")
    number, numbers = kernels.number_signatures(order, table.starts, keys, mixed)
    return number, int(numbers)


@dataclass(frozen=True, eq=False)
class RoleTable:
    """A table that has one person, and one item, of each colour: a role.

    `people` are the records one person of a role has of all items of each role, `items` those one item has of
    all people of each role; the sizes are how many have the role. Those with most records come first, in an
    order that does not depend on how people and items are numbered.
    """

    people: SparseCounts
    items: SparseCounts
    people_sizes: Indices
    item_sizes: Indices
    person_colour: Indices
    item_colour: Indices
    basket_colour: Indices
    role_of_person: Indices

    @classmethod
    def of(cls, people: SparseCounts, colours: Colours) -> RoleTable:
        items = people.transpose()
        person_colour, example, role, people_sizes = _roles(colours.person, people.totals)
        item_colour, item_example, item_role, item_sizes = _roles(colours.item, items.totals)
        return cls(
            people.merge(example, item_role, len(item_colour)),
            items.merge(item_example, role, len(person_colour)),
            people_sizes, item_sizes, person_colour, item_colour,
            colours.basket[example].astype(numpy.int64), role,
        )  # fmt: skip

    @cached_property
    def records(self) -> Indices:
        """How many records the people of each role have in all."""
        return self.people.totals * self.people_sizes

    @property
    def records_a_person(self) -> float:
        """Over those who have any."""
        return float(self.records.sum() / max(1, self.people_sizes[self.records > 0].sum()))

    def first(self, people: int) -> RoleTable:
        """The people with most records, and all items."""
        return replace(
            self, people=self.people.first_rows(people), items=self.items.first_columns(people),
            people_sizes=self.people_sizes[:people], basket_colour=self.basket_colour[:people],
        )  # fmt: skip

    def grades(self) -> SparseCounts:
        """The people's records of each grade of popularity; the grades have about as many records in all."""
        records = self.items.totals * self.item_sizes
        middle = numpy.cumsum(records) - records / 2
        grade = (middle * GRADES / max(1, records.sum())).astype(numpy.int64)
        return self.people.merge(numpy.arange(self.people.rows), grade, GRADES)


def _roles(colour: Code, records: Indices) -> tuple[Indices, Indices, Indices, Indices]:
    """The colours by falling records, a member of each, which of them is whose, and how many have it."""
    colours, example, which, sizes = numpy.unique(
        colour, return_index=True, return_inverse=True, return_counts=True
    )
    order = numpy.lexsort((colours, -records[example]))
    return colours[order].astype(numpy.int64), example[order], numpy.argsort(order)[which], sizes[order]


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
        row, known = numpy.repeat(numpy.arange(len(release)), lengths), order[_ranges(begins, lengths)]
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
        from singleout.attacks.linkage import role_linkage_kernels as kernels

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
        from singleout.attacks.linkage import role_linkage_kernels as kernels

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
        original, release = _both_roles(sets.original, sets.release, threads, progress)
        same = _places(release.person_colour, original.person_colour)
        known = release.records[same >= 0].sum()
        match = _item_match(release, original, known == release.records.sum(), threads, progress)
        sizes = release.item_sizes, original.item_sizes
        expected = Expectation.of(original.people, match.items, sizes, match.left, FLOOR, threads)
        if known < MOST_RECORDS * release.records.sum():
            same = numpy.full_like(same, NOBODY)
        return cls(release, original, expected, same, threads, sets.release)

    def best(self, most: int, progress: Progress) -> Candidates:
        from singleout.attacks.linkage import role_linkage_kernels as kernels

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
        from singleout.attacks.linkage import role_linkage_kernels as kernels

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


def _both_roles(
    original: ItemSets, release: ItemSets, threads: int, progress: Progress
) -> tuple[RoleTable, RoleTable]:
    """Coloured as one table, in which no item of the one is one of the other."""
    first, second = _counts_of(original), _counts_of(release)
    both = SparseCounts(
        numpy.concatenate((first.starts, first.starts[-1] + second.starts[1:])),
        numpy.concatenate((first.columns, second.columns + numpy.uint32(first.width))),
        numpy.concatenate((first.counts, second.counts)),
        first.width + second.width,
    )
    colours = Colours.of(both, threads, progress)
    people, items = first.rows, first.width
    return (
        RoleTable.of(first, colours.at(slice(people), slice(items))),
        RoleTable.of(second, colours.at(slice(people, None), slice(items, None))),
    )


def _counts_of(sets: ItemSets) -> SparseCounts:
    items, columns = numpy.unique(sets.items, return_inverse=True)
    return SparseCounts(sets.starts, columns.astype(numpy.uint32), sets.counts, len(items))


def _places(asked: Indices, known: Indices) -> Indices:
    """Where each of the asked numbers is among the known ones, which are different."""
    order = numpy.argsort(known)
    place = numpy.minimum(numpy.searchsorted(known[order], asked), max(0, len(known) - 1))
    found: Indices = numpy.where(known[order][place] == asked, order[place], NOBODY)
    return found


def _item_match(
    release: RoleTable, original: RoleTable, unchanged: bool, threads: int, progress: Progress
) -> ItemMatch:
    if unchanged or not original.records.any():
        return ItemMatch(
            Matching.of_equal(release.item_colour, original.item_colour, original.item_sizes), 1.0
        )
    if release.records.sum() <= original.records.sum():
        return RoleMatcher(release, original, threads, progress).match()
    # the table with fewer records is taken for a sample of the other one
    turned = RoleMatcher(original, release, threads, progress).match()
    return ItemMatch(turned.items.invert(original.item_sizes), 1 / turned.left)

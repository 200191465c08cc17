"""The graph of people and items and its colour refinement: who, and what, plays the same role."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy

from singleout.attacks.linkage.item_sets import ItemSets
from singleout.engine.codes.histories import Code, Indices
from singleout.engine.codes.parallel import map_shares
from singleout.progress import Progress

# at first an item is only one of so many grades of popularity
GRADES = 6


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
        places = ranges(self.starts[rows], lengths)
        keys = numpy.repeat(numpy.arange(len(rows)), lengths) * width + column[self.columns[places]]
        cells, cell = numpy.unique(keys, return_inverse=True)
        counts = _whole_sums(cell, self.counts[places], len(cells)).astype(numpy.uint32)
        starts = numpy.searchsorted(cells, numpy.arange(len(rows) + 1) * width)
        return SparseCounts(starts, (cells % max(1, width)).astype(numpy.uint32), counts, width)


def _whole_sums(place: Indices, counts: Code, length: int) -> Indices:
    sums = numpy.zeros(length, dtype=numpy.int64)
    numpy.add.at(sums, place, counts)
    return sums


def ranges(begins: Indices, lengths: Indices) -> Indices:
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
    from singleout.attacks.role_linkage import role_linkage_kernels as kernels

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
        return float(self.records.sum() / max(1, int(self.people_sizes[self.records > 0].sum())))

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
        grade = (middle * GRADES / max(1, int(records.sum()))).astype(numpy.int64)
        return self.people.merge(numpy.arange(self.people.rows), grade, GRADES)


def _roles(colour: Code, records: Indices) -> tuple[Indices, Indices, Indices, Indices]:
    """The colours by falling records, a member of each, which of them is whose, and how many have it."""
    colours, example, which, sizes = numpy.unique(
        colour, return_index=True, return_inverse=True, return_counts=True
    )
    order = numpy.lexsort((colours, -records[example]))
    return colours[order].astype(numpy.int64), example[order], numpy.argsort(order)[which], sizes[order]


def both_roles(
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

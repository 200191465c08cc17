"""People's item sets: what each bought, visited or used, in the same numbers for both tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy

from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.histories import Code, Histories, History, Indices, Value
from singleout.engine.codes.numbering import join_codes


@dataclass(frozen=True, eq=False)
class ItemSets:
    """The items of person p are `items[starts[p]:starts[p + 1]]`, sorted; `counts` are their records."""

    starts: Indices
    items: Code
    counts: Code

    @property
    def people(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> Indices:
        return numpy.diff(self.starts)

    def indistinguishable(self, *, with_counts: bool = False) -> Indices:
        """A number for each person, equal where their sets are, in the order of first appearance."""
        whole = numpy.stack([self.items, self.counts], axis=1) if with_counts else self.items
        seen: dict[bytes, int] = {}
        bounds = self.starts.tolist()
        keys = (whole[begin:end].tobytes() for begin, end in pairwise(bounds))
        return numpy.array([seen.setdefault(key, len(seen)) for key in keys], dtype=numpy.int64)

    def of(self, people: Indices) -> ItemSets:
        """The sets of some people, in their order."""
        sizes = self.sizes[people]
        starts = numpy.concatenate(([0], numpy.cumsum(sizes)))
        indices = numpy.arange(starts[-1]) - numpy.repeat(starts[:-1] - self.starts[people], sizes)
        return ItemSets(starts, self.items[indices], self.counts[indices])


@dataclass(frozen=True, eq=False)
class SetPair:
    """The sets of both tables; their items are numbered 0 … items−1 alike."""

    original: ItemSets
    release: ItemSets
    items: int

    def swap_sides(self) -> SetPair:
        return SetPair(self.release, self.original, self.items)

    def copies(self) -> SetPair:
        """Multisets as sets: the sum of minima is then the intersection, the sum of maxima the union."""
        from singleout.attacks.linkage import item_set_kernels as set_kernels

        most = numpy.zeros(self.items, dtype=numpy.int64)
        for each in (self.original, self.release):
            numpy.maximum.at(most, each.items, each.counts)
        first = numpy.concatenate(([0], numpy.cumsum(most)))
        found = []
        for each in (self.original, self.release):
            starts, items = set_kernels.numbered_copies(each.starts, each.items, each.counts, first)
            found.append(ItemSets(starts, items, numpy.ones(len(items), dtype=numpy.uint32)))
        return SetPair(found[0], found[1], int(first[-1]))


def values_as_items(histories: Histories, columns: Sequence[str], *, skip_missing: bool = False) -> SetPair:
    """Each record adds its value of every column: a station is the same item at entry and at exit."""
    seen: dict[Value, int] = {}
    number = {
        name: numpy.array(
            [seen.setdefault(value, len(seen)) for value in histories.values[name]], numpy.uint32
        )
        for name in columns
    }

    def sets(side: History) -> ItemSets:
        item = numpy.concatenate([number[name][side.codes[name]] for name in columns])
        person = numpy.tile(side.person, len(columns))
        if skip_missing and None in seen:
            filled = item != seen[None]
            person, item = person[filled], item[filled]
        return _sets(side.people, person, item)

    return SetPair(sets(histories.original), sets(histories.release), len(seen))


def tuples_as_items(histories: Histories, columns: Sequence[str]) -> SetPair:
    """Each record adds one item: its values of all columns together."""
    original, release = histories.original, histories.release
    coded = (
        Codes(numpy.concatenate((original.codes[name], release.codes[name])), len(histories.values[name]))
        for name in columns
    )
    found = join_codes(coded)
    known, asked = numpy.split(found.codes, [original.records])
    return SetPair(
        _sets(original.people, original.person, known),
        _sets(release.people, release.person, asked),
        found.count,
    )


def _sets(people: int, person: Code, item: Code) -> ItemSets:
    from singleout.attacks.linkage import item_set_kernels as set_kernels
    from singleout.engine.codes import count_kernels as kernels

    return ItemSets(*set_kernels.sets_of(*kernels.order_by(person, people), item))

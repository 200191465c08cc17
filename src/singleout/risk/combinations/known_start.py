"""What an attacker knows already: sets of attributes that begin with it (Anon. n.d., Algorithm 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy

from singleout.engine.column_sets.set_counts import SetCounts, Sets
from singleout.errors import UsageError, name_hint


@dataclass(frozen=True)
class KnownStart:
    """`known` is the mask of the columns that are known, `others` the places of those that are not."""

    known: int
    others: tuple[int, ...]

    @classmethod
    def of(cls, names: Sequence[str], columns: Sequence[str]) -> KnownStart:
        for name in names:
            if name not in columns:
                raise UsageError(f"start: {name!r} is no column looked at; {name_hint(name, columns)}")
        places = {columns.index(name) for name in names}
        others = tuple(place for place in range(len(columns)) if place not in places)
        if not others:
            raise UsageError("start: all columns are known already; leave some out, or ask by known")
        return cls(sum(1 << place for place in places), others)

    def room(self, largest: int | None) -> int | None:
        """How many columns may be learned beside those known."""
        return None if largest is None else largest - self.known.bit_count()

    def masks(self, sets: Sets) -> Sets:
        """Sets of the other columns, each with those that are known.

        >>> start = KnownStart.of(["b"], ["a", "b", "c"])
        >>> start.masks(numpy.array([0, 1, 2, 3], dtype=numpy.uint64)).tolist()
        [2, 3, 6, 7]
        """
        whole = numpy.full(len(sets), self.known, dtype=numpy.uint64)
        for bit, place in enumerate(self.others):
            there = (sets >> numpy.uint64(bit)) & numpy.uint64(1)
            whole |= there << numpy.uint64(place)
        return whole

    def count_beside(self, count: Callable[[Sets], SetCounts]) -> Callable[[Sets], SetCounts]:
        """Counts sets of the other columns as if those known were in each of them."""
        return lambda sets: replace(count(self.masks(sets)), sets=sets)

    def whole(self, counts: SetCounts) -> SetCounts:
        """The same under the masks of all columns."""
        return replace(counts, sets=self.masks(counts.sets))

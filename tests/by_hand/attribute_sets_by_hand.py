"""Sets of attributes of a small table, counted record by record, and which are too risky by definition."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy
from hypothesis import strategies as st

from singleout.engine.class_sizes import Sizes
from singleout.engine.column_sets.set_counts import SetCounts, Sets
from singleout.risk.combinations.allowable_risk import KINDS, Criterion


@dataclass(frozen=True)
class Toy:
    """A small table, counted record by record; without people each record is its own person."""

    rows: tuple[tuple[Any, ...], ...]
    people: tuple[str, ...] | None = None

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def persons(self) -> Sequence[Any]:
        return self.people or range(len(self.rows))

    def classes(self, mask: int) -> dict[tuple[Any, ...], list[Any]]:
        """{value tuple: the person of each of its records}."""
        found: dict[tuple[Any, ...], list[Any]] = defaultdict(list)
        for row, person in zip(self.rows, self.persons, strict=True):
            found[tuple(row[place] for place in places_of(mask))].append(person)
        return found

    def sizes(self, mask: int) -> list[int]:
        """n_p of each record, counted in people."""
        classes = self.classes(mask)
        keys = (tuple(row[place] for place in places_of(mask)) for row in self.rows)
        return [len(set(classes[key])) for key in keys]

    def average_risk(self, mask: int) -> Fraction:
        return sum((Fraction(1, size) for size in self.sizes(mask)), Fraction(0)) / len(self.rows)

    def people_at_risk(self, mask: int, allow: int) -> int:
        sizes = self.sizes(mask)
        return len({who for who, size in zip(self.persons, sizes, strict=True) if size <= allow})

    def counter(self, allow: int, told: list[int] | None = None) -> Callable[[Sets], SetCounts]:
        """What an engine would count; `told` is given every set that was asked for."""

        def count(sets: Sets) -> SetCounts:
            masks = sets.tolist()
            assert masks == sorted(set(masks))
            if told is not None:
                told.extend(masks)
            groups = [[(len(who), len(set(who)), 1) for who in self.classes(mask).values()] for mask in masks]
            at_risk = numpy.array([self.people_at_risk(mask, allow) for mask in masks], dtype=numpy.int64)
            return SetCounts.of(
                sets, [Sizes.of(each) for each in groups], at_risk, len(set(self.persons)), allow
            )

        return count


@st.composite
def toys(draw: st.DrawFn, most_columns: int = 5) -> Toy:
    width = draw(st.integers(1, most_columns))
    rows = draw(st.lists(st.tuples(*[st.integers(0, 2)] * width), min_size=1, max_size=9))
    people = draw(st.lists(st.sampled_from("abcde"), min_size=len(rows), max_size=len(rows)))
    return Toy(tuple(rows), tuple(people) if draw(st.booleans()) else None)


def places_of(mask: int) -> list[int]:
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


def uint(masks: Sequence[int]) -> Sets:
    return numpy.array(masks, dtype=numpy.uint64)


def by_definition(toy: Toy, mask: int, criterion: Criterion) -> bool:
    sizes, allow = toy.sizes(mask), criterion.allow
    at_risk = [size < allow if criterion.strict else size <= allow for size in sizes]
    if criterion.kind == "worst":
        return any(at_risk)
    if criterion.kind == "share":
        return Fraction(sum(at_risk), len(sizes)) > Fraction(str(criterion.share))
    mean = toy.average_risk(mask)
    return mean > Fraction(1, allow) if criterion.strict else mean >= Fraction(1, allow)


@st.composite
def criteria(draw: st.DrawFn) -> Criterion:
    kind, strict = draw(st.sampled_from(KINDS)), draw(st.booleans())
    share = draw(st.sampled_from([0, 0.1, 0.2, 0.25, 0.5, 0.9])) if kind == "share" else 0
    return Criterion(kind, draw(st.integers(1 + strict, 10)), share, strict)


def holds(mask: int, part: int) -> bool:
    return mask & part == part

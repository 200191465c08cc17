"""Minimal sample uniques by trying every set, on small tables that are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy
from hypothesis import strategies as st

from singleout.engine.codes.collapsed_rows import CollapsedRows, collapse
from singleout.engine.codes.dictionary import Codes

Table = Sequence[tuple[int, ...]]


def codes(values: list[int]) -> Codes:
    _, numbers = numpy.unique(numpy.array(values), return_inverse=True)
    return Codes(numbers.astype(numpy.uint32), int(numbers.max()) + 1)


def coded(table: Table, persons: list[int] | None = None) -> CollapsedRows:
    columns = [codes(list(column)) for column in zip(*table, strict=True)]
    return collapse(columns, codes(persons) if persons else None)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Table, list[int] | None]:
    width = draw(st.integers(1, 5))
    values = st.tuples(*[st.integers(0, draw(st.integers(0, 4))) for _ in range(width)])
    table = draw(st.lists(values, min_size=1, max_size=14))
    named = st.lists(st.integers(0, 4), min_size=len(table), max_size=len(table))
    return table, draw(st.none() | named)


def people_like(table: Table, persons: list[int], record: int, columns: tuple[int, ...]) -> int:
    alike = (all(other[c] == table[record][c] for c in columns) for other in table)
    return len({person for person, same in zip(persons, alike, strict=True) if same})


def by_hand(table: Table, persons: list[int] | None, record: int, allow: int, largest: int) -> list[int]:
    """Every set by size: one is minimal if it finds the record and contains none found before."""
    people = persons or list(range(len(table)))
    found: list[tuple[int, ...]] = []
    for size in range(largest + 1):
        for columns in combinations(range(len(table[0])), size):
            smaller = any(set(each) <= set(columns) for each in found)
            if not smaller and people_like(table, people, record, columns) <= allow:
                found.append(columns)
    return [sum(1 << column for column in columns) for columns in found]


def drawn_rows(seed: int, records: int, width: int, named: bool) -> CollapsedRows:
    random = numpy.random.default_rng(seed)
    columns = [random.geometric(1 / (2 + place % 4), records).tolist() for place in range(width)]
    people = random.integers(0, records // 3, records).tolist()
    return coded(list(zip(*columns, strict=True)), people if named else None)

"""The statistics of small tables counted by hand: frequencies (AVFM), pairs of values, frequent tuples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy
from hypothesis import strategies as st

from singleout.risk.predict import frequent_tuples as frequent
from singleout.risk.predict.attribute_dependency import dependencies
from singleout.risk.predict.avfm import Avfm, PairTable
from singleout.risk.predict.frequent_tuples import TupleTable, frequent_tuples


@dataclass(frozen=True, eq=False)
class Coded:
    """A small table with what this package starts from: codes by falling frequency, AVFM and pair tables."""

    codes: list[list[int]]
    avfm: Avfm
    pairs: list[PairTable]


def coded(rows: Sequence[tuple[str, ...]], columns: Sequence[str] | None = None) -> Coded:
    codes, frequencies, labels = [], [], []
    for column in zip(*rows, strict=True):
        counted = sorted(Counter(column).items(), key=lambda each: (-each[1], each[0]))
        code_of = {value: code for code, (value, _) in enumerate(counted)}
        codes.append([code_of[value] for value in column])
        frequencies.append(numpy.array([count for _, count in counted]))
        labels.append(tuple(value for value, _ in counted))
    names = tuple(columns or (f"c{place}" for place in range(len(codes))))
    pairs = [
        pair_of(first, second, codes[first], codes[second])
        for first, second in combinations(range(len(codes)), 2)
    ]
    return Coded(codes, Avfm(names, tuple(frequencies), tuple(labels)), pairs)


def pair_of(first: int, second: int, codes: Sequence[int], others: Sequence[int]) -> PairTable:
    return pair_table(first, second, Counter(zip(codes, others, strict=True)))


def pair_table(first: int, second: int, cells: dict[tuple[int, int], int]) -> PairTable:
    columns = numpy.array(sorted(cells), dtype=numpy.int64).reshape(-1, 2)
    counts = numpy.array([cells[a, b] for a, b in columns.tolist()], dtype=numpy.int64)
    return PairTable(first, second, columns[:, 0], columns[:, 1], counts)


def cells_of(pair: PairTable) -> dict[tuple[int, int], int]:
    columns = (pair.first_codes, pair.second_codes, pair.counts)
    return {(a, b): count for a, b, count in zip(*(each.tolist() for each in columns), strict=True)}


def some_cells(pair: PairTable, kept: Sequence[bool]) -> PairTable:
    cells = zip(cells_of(pair).items(), kept, strict=True)
    return pair_table(pair.first, pair.second, {cell: count for (cell, count), keep in cells if keep})


def tables(
    columns: int, most_rows: int = 20, values: str = "abc"
) -> st.SearchStrategy[list[tuple[str, ...]]]:
    return st.lists(st.tuples(*[st.sampled_from(values)] * columns), min_size=1, max_size=most_rows)


def tuples_of(table: Coded, share: float = frequent.SHARE) -> tuple[TupleTable, ...]:
    return frequent_tuples(table.avfm, table.pairs, dependencies(table.avfm, table.pairs), share)

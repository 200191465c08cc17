"""How often each person has each value: tables of Ito et al. n.d. and random ones, entropy by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy
from hypothesis import strategies as st

from singleout.risk.entropy.person_value_counts import CountTable

# Ito et al. n.d., Tables V and VII
STATIONS = [[2, 1, 0], [4, 0, 4], [4, 4, 0]]
PURCHASES = [[2, 0], [1, 3], [0, 1]]


def table_of(matrix: Any) -> CountTable:
    counts = numpy.array(matrix, dtype=numpy.int64)
    person, value = numpy.nonzero(counts)
    people, values = counts.shape
    return CountTable.of(person, value, counts[person, value], people, values)


@st.composite
def matrices(draw: st.DrawFn, people: int | None = None, most: int = 5) -> Any:
    """Small tables of counts with empty rows and columns, but never empty altogether."""
    rows = people or draw(st.integers(1, 6))
    columns = draw(st.integers(1, 6))
    cells = st.lists(st.integers(0, most), min_size=columns, max_size=columns)
    found = numpy.array(draw(st.lists(cells, min_size=rows, max_size=rows)))
    if not found.any():
        found[draw(st.integers(0, rows - 1)), draw(st.integers(0, columns - 1))] = 1
    return found


def entropy_by_hand(shares: Any) -> float:
    return -math.fsum(p * math.log2(p) for p in numpy.ravel(shares).tolist() if p > 0)


def relabelled(matrix: Any, seed: int) -> Any:
    random = numpy.random.default_rng(seed)
    return matrix[random.permutation(len(matrix))][:, random.permutation(matrix.shape[1])]

"""Rows are the same whether each becomes one number or is sorted column by column."""

from __future__ import annotations

from unittest.mock import patch

import numpy
from hypothesis import given
from hypothesis import strategies as st

from singleout.deidentify.generalise import search_space
from singleout.engine.codes.dictionary import Codes


@st.composite
def coded_columns(draw: st.DrawFn) -> list[Codes]:
    rows = draw(st.integers(1, 30))
    counts = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    return [Codes(numpy.array(draw(codes_below(count, rows)), dtype=numpy.uint32), count) for count in counts]


def codes_below(count: int, rows: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, count - 1), min_size=rows, max_size=rows)


@given(coded_columns(), st.booleans())
def test_numbers_and_columns_make_the_same_rows(columns: list[Codes], long: bool) -> None:
    with patch.object(search_space, "SHORT_KEYS", 1 if long else 1 << 32):
        lines, later, records = search_space._distinct_by_keys(columns)
    others = search_space._distinct_by_columns(columns)
    assert [each.tolist() for each in lines] == [each.tolist() for each in others[0]]
    assert [each.tolist() for each in later] == [each.tolist() for each in others[1]]
    assert records.tolist() == others[2].tolist()


@given(coded_columns())
def test_rows_are_the_records_counted(columns: list[Codes]) -> None:
    lines, later, records = search_space._distinct_by_keys(columns)
    rows = list(zip(*(each.tolist() for each in reversed(lines)), strict=True))
    every = list(zip(*(each.codes.tolist() for each in reversed(columns)), strict=True))
    assert rows == sorted(set(every))
    assert records.tolist() == [every.count(row) for row in rows]
    for index, each in enumerate(later):
        ends = [row[: len(columns) - index - 1] for row in rows]
        assert each.tolist() == [place == 0 or ends[place - 1] != end for place, end in enumerate(ends)]

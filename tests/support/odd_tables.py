"""Small tables with odd names and values, for the laws that hold on every engine."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.engine.missing_values import Missing
from tests.support.home import Home

SCHEMA = pyarrow.schema(
    {
        "who": pyarrow.int64(),
        'a "b".c `d`': pyarrow.string(),
        "select": pyarrow.float64(),
        "k0": pyarrow.bool_(),
        "名前": pyarrow.string(),
    }
)
A, B, C, D = SCHEMA.names[1:]
CELLS = {
    "who": st.one_of(st.none(), st.integers(1, 5), st.sampled_from([2**53, 2**53 + 1])),
    A: st.one_of(st.none(), st.sampled_from(["x", "X", "é", "", " ", "x'y", 'x"y', "x\\y"])),
    B: st.one_of(st.none(), st.sampled_from([0.0, -0.0, float("nan"), 0.1 + 0.2, 0.3])),
    C: st.one_of(st.none(), st.booleans()),
    D: st.sampled_from(["山", "川"]),
}
RULES: list[Missing] = ["value", "drop"]


@st.composite
def tables(draw: st.DrawFn) -> pyarrow.Table:
    rows = draw(st.integers(1, 30))
    columns = {name: draw(st.lists(cell, min_size=rows, max_size=rows)) for name, cell in CELLS.items()}
    return pyarrow.table(columns, schema=SCHEMA)


def for_tables(home: Home, check: Callable[[pyarrow.Table], None], examples: int | None = None) -> None:
    settings(max_examples=examples or home.examples)(given(tables())(check))()

"""Records by hand: which of them count, which values are the same, and the codes that follow."""

from __future__ import annotations

from typing import Any

import numpy
import pyarrow

from singleout.engine.protocol import Question

Row = dict[str, Any]


def comparable(value: Any) -> Any:
    if isinstance(value, float):
        return "nan" if value != value else value + 0.0
    return value


def kept(table: pyarrow.Table, question: Question) -> list[Row]:
    """The records that count, the same for all sets, each with its number and its person."""
    asked = [*question.columns, *([question.person] if question.person else [])]
    rows = [{**row, "record": place} for place, row in enumerate(table.to_pylist(), 1)]
    if question.missing == "drop":
        rows = [row for row in rows if all(row[name] is not None for name in asked)]
    return [{**row, "person": row[question.person] if question.person else row["record"]} for row in rows]


def check_codes(codes: Any, values: int, wanted: list[Any]) -> None:
    order = sorted(
        set(wanted), key=lambda value: (value is None, value == "nan", value if value != "nan" else 0)
    )
    rank = {value: place for place, value in enumerate(order) if value is not None}
    assert codes.dtype == numpy.uint32
    assert codes.tolist() == [rank.get(value, len(rank)) for value in wanted]
    assert values == len(order)

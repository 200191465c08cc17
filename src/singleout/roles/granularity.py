"""Knowing a value coarsely: a date at its month, a time at its hour, a postcode at its first characters.

All of these are the beginning of the text: how much of it is kept, and what must stand where for that to be
right, is found from examples and then verified on every record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from singleout.errors import InputError, UsageError
from singleout.read.costs import FIRST, UNITS

Marks = tuple[tuple[int, str], ...]
DIGITS = "0123456789"


@dataclass(frozen=True)
class Shape:
    """How texts of a kind look, where their parts end, and where marks stand in between."""

    kind: str
    look: re.Pattern[str]
    ends: dict[str, int]
    between: tuple[int, ...]


SHAPES = (
    Shape(
        kind="dates",
        look=re.compile(r"[0-9]{4}([-/.])[0-9]{2}\1[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}.*)?)?"),
        ends=dict(zip(UNITS, (4, 7, 10, 13, 16, 19), strict=True)),
        between=(5, 8, 11, 14, 17),
    ),
    Shape(
        kind="times of day",
        look=re.compile(r"[0-9]{2}:[0-9]{2}(:[0-9]{2}.*)?"),
        ends=dict(zip(UNITS[3:], (2, 5, 8), strict=True)),
        between=(3, 6),
    ),
)


@dataclass(frozen=True)
class Beginning:
    """The first `keep` characters of a text, or all of it if None.

    This is right if all texts have the `marks`: at each place, counted from 1, one of these characters.
    """

    keep: int | None = None
    marks: Marks = ()


def known_prefix(column: str, granularity: str | None, examples: Iterable[str]) -> Beginning:
    """How much of a column's values is known at a granularity, judged by examples.

    >>> known_prefix("date", "month", ["2024-01-31", "2024-02-01"]).keep
    7
    >>> known_prefix("zip", "month", ["89073"])
    Traceback (most recent call last):
    singleout.errors.UsageError: column 'zip' can't be known at 'month': not all its values are dates like \
2024-01-31 or times like 08:45; 'first N' keeps the first N characters
    """
    texts = [text for text in examples if text.strip()]
    if granularity is None or not texts:
        return Beginning()
    if first := FIRST.fullmatch(granularity):
        return Beginning(int(first[1]))
    return _of_shape(column, granularity, texts)


def check_fit(column: str, granularity: str, misfits: int) -> None:
    """Refuse what was right for the examples only."""
    if misfits:
        raise InputError(
            f"{_fault(column, granularity)}: {misfits:,} records are written in another way; "
            "write all alike, or give the exact value's cost"
        )


def _fault(column: str, granularity: str) -> str:
    return f"column {column!r} can't be known at {granularity!r}"


def _of_shape(column: str, granularity: str, texts: list[str]) -> Beginning:
    fault = _fault(column, granularity)
    for shape in SHAPES:
        if all(shape.look.fullmatch(text) for text in texts):
            return _of_parts(fault, granularity, texts, shape)
    raise UsageError(
        f"{fault}: not all its values are dates like 2024-01-31 or times like 08:45; "
        "'first N' keeps the first N characters"
    )


def _of_parts(fault: str, granularity: str, texts: list[str], shape: Shape) -> Beginning:
    """Finer than every example, it keeps all of them, and cuts other records that are finer still."""
    if granularity not in shape.ends:
        raise UsageError(f"{fault}: its values are {shape.kind}; there are {', '.join(shape.ends)}")
    keep, shortest = shape.ends[granularity], min(map(len, texts))
    if shortest < keep < max(map(len, texts)):
        fitting = [unit for unit, end in shape.ends.items() if end <= shortest]
        raise UsageError(f"{fault}: not all its values are that fine; there are {', '.join(fitting)}")
    last = min(keep, shortest) + (keep < shortest and keep + 1 in shape.between)
    marks = _marks(texts, last, shape.between)
    if mixed := [position for position, marked in marks if marked != DIGITS and len(marked) > 1]:
        raise UsageError(f"{fault}: character {mixed[0]} differs between values; write all alike")
    return Beginning(keep, marks)


def _marks(texts: list[str], last: int, between: tuple[int, ...]) -> Marks:
    """A digit at every place but those in between, where the same mark stands as in the examples."""
    seen = {
        position: "".join(sorted({text[position - 1] for text in texts}))
        for position in between
        if position <= last
    }
    return tuple((position, seen.get(position, DIGITS)) for position in range(1, last + 1))

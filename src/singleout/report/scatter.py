"""Releases as letters in a field of characters: what is lost to the right, who is recognised upwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 56, 11
# the original has a sign of its own
ORIGINAL = "●"


@dataclass(frozen=True)
class Dot:
    """`across` and `up` are shares of the field, from 0 at the left and at the bottom to 1."""

    mark: str
    across: float
    up: float


def scattered(dots: Sequence[Dot], left: str, right: str, width: int = WIDTH) -> list[str]:
    """The field line by line, with a scale from 0 to 100% at its side; `left` and `right` stand below it.

    A dot whose place is taken moves to the next free one.

    >>> for line in scattered([Dot("A", 0, 1), Dot("B", 1, 0.5), Dot("C", 0, 1)], "1", "2", width=8):
    ...     print(line)
    100% ┤AC
         │
         │
         │
         │
     50% ┤       B
         │
         │
         │
         │
      0% ┤
         └────────
          1      2
    """
    field = [[" "] * width for _ in range(HEIGHT)]
    for dot in dots:
        row = field[round((1 - dot.up) * (HEIGHT - 1))]
        _put(row, round(dot.across * (width - 1)), dot.mark)
    scale = {0: "100% ┤", HEIGHT // 2: " 50% ┤", HEIGHT - 1: "  0% ┤"}
    lines = [scale.get(place, "     │") + "".join(row) for place, row in enumerate(field)]
    below = f"      {left}{right:>{max(width - len(left), len(right))}}"
    return [line.rstrip() for line in (*lines, f"     └{'─' * width}", below)]


def _put(row: list[str], place: int, mark: str) -> None:
    free = next((each for each in _near(place, len(row)) if row[each] == " "), None)
    if free is not None:
        row[free] = mark


def _near(place: int, width: int) -> Iterator[int]:
    """The places of a row, from this one away, to the right first."""
    return iter(sorted(range(width), key=lambda other: (abs(other - place), other < place)))

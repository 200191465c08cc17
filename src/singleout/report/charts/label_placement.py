"""Words beside the dots of a drawing, put where they cover neither dots nor each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Align = Literal["left", "right", "center"]
LETTER, WIDE_LETTER, LINE, GAP, DOT = 6.9, 12.5, 15.0, 9.0, 9.0
# names in one line need a blank between them to be read as two; letters stand for themselves
APART = 7.0


@dataclass(frozen=True)
class Spot:
    """Where a dot is, from the top left; `words` are what may stand beside it, the best first."""

    x: float
    y: float
    words: tuple[str, ...]


@dataclass(frozen=True)
class Label:
    """`x` is where the text begins, ends or has its middle, as `align` says; `y` is its middle."""

    x: float
    y: float
    text: str
    align: Align


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right
            and self.top < other.bottom and other.top < self.bottom
        )  # fmt: skip


def fit_labels(spots: Sequence[Spot], width: float, height: float) -> list[Label]:
    """One label for each dot that has a free place right, left, above or below of it, for one of its words.

    >>> [(each.text, each.align) for each in fit_labels([Spot(50, 50, ("a.csv", "A"))] * 2, 200, 100)]
    [('a.csv', 'left'), ('a.csv', 'right')]
    """
    taken = [Box(each.x - DOT, each.y - DOT, each.x + DOT, each.y + DOT) for each in spots]
    names: list[Box] = []
    labels = []
    for spot in spots:
        for label in _choices(spot):
            box, is_name = _box(label), len(label.text) > 1
            inside = min(box.left, box.top) >= 0 and box.right <= width and box.bottom <= height
            if inside and not any(box.meets(other) for other in (*taken, *(names if is_name else ()))):
                labels.append(label)
                taken.append(box)
                if is_name:
                    names.append(box._replace(left=box.left - APART, right=box.right + APART))
                break
    return labels


def _choices(spot: Spot) -> Iterator[Label]:
    for text in spot.words:
        yield Label(spot.x + GAP, spot.y, text, "left")
        yield Label(spot.x - GAP, spot.y, text, "right")
        yield Label(spot.x, spot.y - GAP - LINE / 2, text, "center")
        yield Label(spot.x, spot.y + GAP + LINE / 2, text, "center")


def _box(label: Label) -> Box:
    width = sum(LETTER if letter.isascii() else WIDE_LETTER for letter in label.text)
    left = label.x - {"left": 0.0, "center": width / 2, "right": width}[label.align]
    return Box(left, label.y - LINE / 2, left + width, label.y + LINE / 2)

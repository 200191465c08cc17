"""Who a person of the release may be: the best candidates by score, which every linkage attack returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy
from numpy.typing import NDArray

from singleout.progress import Progress

Numbers = NDArray[numpy.int32]
Indices = NDArray[numpy.int64]
Scores = NDArray[numpy.float64]
NOBODY = -1


@dataclass(frozen=True, eq=False)
class Candidates:
    """A row for each person of the release: the best people of the original, a higher score being better.

    Equal scores stand in the order of the people's numbers; where there are fewer people than places, NOBODY
    fills the row. `tied_last` is how many people in all have the score of a row's last place, listed or not.
    """

    person: Numbers
    score: Scores
    tied_last: Indices

    def at(self, rows: Indices) -> Candidates:
        return Candidates(self.person[rows], self.score[rows], self.tied_last[rows])


class Linkage(Protocol):
    """An attack that can compare any person of the release with any of the original."""

    def best(self, most: int, progress: Progress) -> Candidates:
        """The `most` best candidates for each person of the release, as many as there are."""

    def score(self, release: Indices, original: Indices) -> Scores:
        """The scores of pairs of people, exactly as `best` has them."""

    def indistinguishable(self) -> Indices:
        """A number for each person of the release, equal where this attack can't tell people apart."""


class TwoWayLinkage(Linkage, Protocol):
    """A linkage that can be asked from the other side too."""

    def swap_sides(self) -> Linkage:
        """The same scores for the people of the original as askers, those of the release as candidates."""

"""How the values of a column were compared, and how well that went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from singleout.attacks.alignment.reading import NEARLY_ALL, How


@dataclass(frozen=True)
class ColumnComparison:
    """How the values of a column were compared.

    `own` is the share of a person's released values that are among their own, `kept` the share of their own
    that were released, of people who are in both tables; missing and suppressed values aside. Without any
    released value (`empty`) there is nothing to compare.
    """

    column: str
    how: How | Literal["none"]
    words: str
    own: float
    kept: float
    empty: bool = False

    @property
    def exact(self) -> bool:
        """Whether looking for equal values misses nothing that was released."""
        return self.empty or (self.how != "none" and max(self.own, self.kept) >= NEARLY_ALL)

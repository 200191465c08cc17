"""How the values of a column were compared, and how well that went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from singleout.attacks.alignment.reading import How


@dataclass(frozen=True)
class ColumnComparison:
    """How the values of a column were compared.

    `own` is the share of a person's released values that are among their own, `kept` the share of their own
    that were released, of people who are in both tables; missing and suppressed values aside. It is `exact`
    if one of these is all and no detail of both tables was thrown away, or if the recipe says so; with
    `blanks` values are missing that the original has. It is `coarse` if different released values are taken
    for the same: how a value is written may tell what the value does not. Without any released value
    (`empty`) there is nothing to compare; tables that are `apart` have no value in common.
    """

    column: str
    how: How | Literal["none"]
    words: str
    own: float | None = None
    kept: float | None = None
    exact: bool = False
    blanks: bool = False
    coarse: bool = False
    empty: bool = False
    apart: bool = False

"""The rules for missing values: a value of their own, left out, or fitting everything."""

from __future__ import annotations

from typing import Literal, get_args

Missing = Literal["value", "drop", "wildcard"]
MISSING_RULES: tuple[Missing, ...] = get_args(Missing)
MISSING_WORDS: dict[Missing, str] = {
    "value": "a missing value is a value of its own: two missing values match",
    "drop": "records with a missing value in the columns asked about are left out",
    "wildcard": "a missing value matches every value",
}

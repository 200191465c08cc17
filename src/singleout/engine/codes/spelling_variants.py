"""Which values of a column differ in their spelling alone, and so hide nothing from each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import category, normalize

import numpy
from numpy.typing import NDArray

from singleout.roles.hierarchies.level_rules import EXACT, NUMBER

# what every measure of sensitive values says of it
SPELLINGS = (
    "Values that differ only in case, blanks, invisible characters, compatible Unicode forms (NFKC) or how a "
    "number is written are counted apart and as one, and the worse counts"
)


def folded(text: str | None) -> str | None:
    """A value without what does not tell it apart; None where nothing is left.

    >>> folded(" HIV\\u200b  positive"), folded("1.50"), folded("  "), folded(None)
    ('hiv positive', '1.5', None, None)
    """
    if text is None:
        return None
    if not text.isascii():
        text = "".join(each for each in normalize("NFKC", text) if category(each) != "Cf")
        text = normalize("NFKC", text.casefold())
    words = " ".join(text.casefold().split())
    if NUMBER.fullmatch(words):
        number = EXACT.create_decimal(words)
        return str(number.normalize(EXACT)) if number else "0"
    return words or None


@dataclass(frozen=True, eq=False)
class SpellingGroups:
    """Of each value the number of its group, in the order of their first ones; what is blank is the last.

    `blank` is its number, None where there is none.
    """

    of: NDArray[numpy.uint32]
    count: int
    blank: int | None


def spelling_groups(texts: Sequence[str | None]) -> SpellingGroups | None:
    """The values that are one but for their spelling; None where no value has a variant.

    >>> spelling_groups(["HIV", "flu", "hiv ", None]).of.tolist(), spelling_groups(["HIV", "flu", None])
    ([0, 1, 0, 2], None)
    """
    keys = [folded(text) for text in texts]
    number = {key: index for index, key in enumerate(dict.fromkeys(key for key in keys if key is not None))}
    blanks = keys.count(None)
    if len(number) + blanks == len(keys) and blanks == sum(text is None for text in texts):
        return None
    groups = [len(number) if key is None else number[key] for key in keys]
    blank = len(number) if blanks else None
    return SpellingGroups(numpy.array(groups, dtype=numpy.uint32), len(number) + bool(blanks), blank)

"""What releases are called beside a chart: a letter each, and as much of the name as it takes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from string import ascii_letters

LONGEST = 28
MARKS = ascii_letters.upper()[:26] + ascii_letters[:26]
OTHERS = "+"


def mark_of(index: int) -> str:
    """A letter for each release; when there are no more, a sign for all others.

    >>> mark_of(0), mark_of(25), mark_of(26), mark_of(60)
    ('A', 'Z', 'a', '+')
    """
    return MARKS[index] if index < len(MARKS) else OTHERS


def short_names(names: Sequence[str]) -> list[str]:
    """Without folders where that leaves them different, and the end of those that are too long.

    >>> short_names(["out/a.csv", "out/b.csv"]), short_names(["one/a.csv", "two/a.csv"])
    (['a.csv', 'b.csv'], ['one/a.csv', 'two/a.csv'])
    """
    bare = [PurePath(name).name or name for name in names]
    chosen = bare if len({*bare}) == len({*names}) else names
    return [name if len(name) <= LONGEST else f"…{name[1 - LONGEST :]}" for name in chosen]

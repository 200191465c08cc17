"""What kind of data a table is, in plain Python on a list of records."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean
from typing import Any

Record = dict[str, Any]


def sets_of(records: Sequence[Record], user: str, item: str) -> list[set[Any]]:
    """Each person's items; whoever has none is not there."""
    found: defaultdict[Any, set[Any]] = defaultdict(set)
    for each in records:
        if each[user] is not None and each[item] is not None:
            found[each[user]].add(each[item])
    return [*found.values()]


def items_per_person(sets: Sequence[set[Any]]) -> float:
    return fmean(len(each) for each in sets)


def shared_items(sets: Sequence[set[Any]]) -> float:
    return fmean(len(one & two) for one, two in combinations(sets, 2))


def jaccards(sets: Sequence[set[Any]]) -> list[float]:
    return [len(one & two) / len(one | two) for one, two in combinations(sets, 2)]


def sums(records: Sequence[Record], key: str, amount: str) -> dict[Any, float]:
    found: defaultdict[Any, float] = defaultdict(float)
    for each in records:
        if each[key] is not None and each[amount] is not None:
            found[each[key]] += each[amount]
    return dict(found)


def frequencies(records: Sequence[Record], columns: Sequence[str]) -> dict[int, int]:
    """How many values have how many records."""
    values = Counter(each[column] for each in records for column in columns if each[column] is not None)
    return dict(Counter(values.values()))

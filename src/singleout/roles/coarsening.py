"""Whether each level of a hierarchy only joins what the level before tells apart, and how much it joins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from singleout.read.hierarchy_files import HierarchyTable, shown
from singleout.roles.level_rules import Label


def splits(labels: Sequence[Sequence[Label]], values: Sequence[str | None]) -> list[str]:
    """Of each level that tells apart what the level before it does not, two values that show it."""
    faults = []
    for level in range(1, len(labels)):
        finer, coarser = labels[level - 1], labels[level]
        first: dict[Label, int] = {}
        for place, label in enumerate(finer):
            other = first.setdefault(label, place)
            if coarser[other] != coarser[place]:
                faults.append(
                    f"level {level} is no coarsening of level {level - 1}: {shown(values[other])} and "
                    f"{shown(values[place])} are both {shown(label)} at level {level - 1}, but "
                    f"{shown(coarser[other])} and {shown(coarser[place])} at level {level}; "
                    "what is alike at one level must stay alike at all later ones"
                )
                break
    return faults


def shares(
    table: HierarchyTable | None, labels: Sequence[Sequence[Label]], values: Sequence[str | None]
) -> tuple[tuple[tuple[int, ...], ...], int]:
    """How many raw values become the same as each value, and how many there are."""
    if table is None:
        counted, domain = [Counter(each) for each in labels], len(values)
    else:
        counted, domain = [Counter(table.at(level)) for level in range(len(labels))], len(table.labels)
        if None in values and None not in table.labels:
            domain += 1
            for count, each in zip(counted, labels, strict=True):
                count[each[values.index(None)]] += 1
    found = (tuple(map(count.__getitem__, each)) for count, each in zip(counted, labels, strict=True))
    return tuple(found), domain

"""The ways in which a column's values may be compared by the levels of its hierarchy."""

from __future__ import annotations

from collections.abc import Iterator

from singleout.attacks.alignment.form_readings import WrittenValues
from singleout.attacks.alignment.reading import UNREAD_ORIGINAL, UNREAD_RELEASE, Label, Reading
from singleout.errors import SingleoutError
from singleout.roles.hierarchies.hierarchy import Hierarchy, levels_over
from singleout.roles.hierarchies.level_rules import SUPPRESSED


def hierarchy_readings(written: WrittenValues, hierarchy: Hierarchy) -> Iterator[Reading]:
    """One side at each level, the other as it is: whoever knows the hierarchy replays it on what he knows."""
    for fine, coarse in ((written.original, written.release), (written.release, written.original)):
        unread = (
            (UNREAD_ORIGINAL, UNREAD_RELEASE)
            if fine is written.original
            else (UNREAD_RELEASE, UNREAD_ORIGINAL)
        )
        there = {written.values[code] for code in coarse}
        for level, labels in enumerate(_level_labels(written, fine, hierarchy)):
            if level == 0 or not there & ({*labels.values()} - {None}):
                continue
            raised = _by_code(written, fine, labels, unread[0])
            plain = _by_code(written, coarse, {}, unread[1])
            sides = (raised, plain) if fine is written.original else (plain, raised)
            yield Reading("hierarchy", f"at level {level} of the hierarchy", *sides)


def _level_labels(
    written: WrittenValues, side: frozenset[int], hierarchy: Hierarchy
) -> Iterator[dict[str | None, Label]]:
    """What each value becomes at each level; values that the hierarchy lacks are left out."""
    values = [written.values[code] for code in sorted(side)]
    known = values if hierarchy.table is None else [each for each in values if each in hierarchy.table.labels]
    try:
        levels = levels_over(hierarchy, known)
    except SingleoutError:
        return
    for labels in levels.labels:
        yield dict(zip(known, labels, strict=True))


def _by_code(
    written: WrittenValues, side: frozenset[int], labels: dict[str | None, Label], unread: str
) -> tuple[Label, ...]:
    found: list[Label] = [None] * len(written.values)
    for code in side:
        value = written.values[code]
        label = labels.get(value, unread) if labels else value
        found[code] = None if value is None or label == SUPPRESSED else label
    return tuple(found)

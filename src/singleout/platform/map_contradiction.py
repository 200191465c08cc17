"""Whether the data contradicts who is said to be who: people with the records of somebody else.

What attacks recognise is counted by the map that a participant sends, or by the names that people keep.
Whoever gives people each other's names changes nothing for an intruder, and would hide everybody from the
score. Values that were changed column by column may make somebody's records those of one other person too,
the oftener the fewer columns there are; how often is seen by drawing it, and only more than that contradicts
the map. A false map beside much noise can't be told from noise, nor one of a single column from a swap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from math import sqrt

import numpy
from numpy.typing import NDArray

from singleout.attacks.paired_tables import PairedTables
from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.histories import Histories, History
from singleout.engine.codes.numbering import join_codes

Indices = NDArray[numpy.int64]
Mask = NDArray[numpy.bool_]
LEAST_PEOPLE, LEAST_SHARE = 3, 0.05
NOBODY = -1
# what very many people have says nothing about who somebody is
MOST_OWNERS, LOWER_HALF = 20, 0xFFFFFFFF
MOST_ASKED = 2_000
DRAWS = 10
# beyond what chance spreads, which is more where records are swapped in pairs
SPREADS = 5


@dataclass(frozen=True)
class MapContradiction:
    """So many people of those asked about have most records of one other person, and not of their own."""

    people: int
    asked: int
    all_asked: bool

    @property
    def text(self) -> str:
        asked = f"{self.asked:,} people" + ("" if self.all_asked else " that were asked about")
        return (
            f"{self.people:,} of {asked} have records of one other person of the original instead of their "
            "own, and whoever looks finds that person: say so in the map, or change the records"
        )


def map_contradiction(read: PairedTables) -> MapContradiction | None:
    """None if most people who lost their records have nobody else's but by chance, or they are only a few.

    Records are compared in all columns, and in all but one, for a column may be changed throughout.
    """
    if not read.known:
        return None
    both = read.histories
    people = numpy.flatnonzero(both.release.records_of_each())
    asked = _asked(both.release, people)
    for columns in _column_sets(both):
        taken = _taken_people(both, read.truth, asked, columns)
        if taken:
            return MapContradiction(taken, len(asked), len(asked) == len(people))
    return None


def _asked(release: History, people: Indices) -> Indices:
    """Drawn by the release itself: nobody can tell who is asked about before all else is written."""
    if len(people) <= MOST_ASKED:
        return people
    draw = numpy.random.default_rng(_seed(release))
    return numpy.sort(draw.choice(people, MOST_ASKED, replace=False))


def _seed(release: History) -> int:
    digest = sha256(release.person.tobytes())
    for codes in release.codes.values():
        digest.update(codes.tobytes())
    return int.from_bytes(digest.digest())


def _column_sets(both: Histories) -> Iterator[list[str]]:
    columns = [*both.values]
    if columns:
        yield columns
    if len(columns) > 2:
        yield from ([each for each in columns if each != left] for left in columns)


def _taken_people(both: Histories, claimed: Indices, asked: Indices, columns: list[str]) -> int:
    """Of how many people somebody else has the records, 0 if they contradict nothing.

    Who still has their own was not exchanged: a rounded record may well be like that of somebody whose
    value is round.
    """
    lost = _lost(both, claimed, columns)
    theirs = both.release.only(numpy.isin(both.release.person, asked[lost[asked]]))
    kept = claimed[~lost]
    taken, told = _taken_and_told(both, theirs, claimed, kept, columns)
    if _are_few(taken, asked) or 2 * taken <= told:
        return 0
    draw = numpy.random.default_rng(_seed(theirs))
    changed = {name: _changed(both.original, theirs, claimed, name) for name in columns}
    drawn = [
        _taken_and_told(both, _exchanged_values(theirs, changed, draw), claimed, kept, columns)
        for _ in range(DRAWS)
    ]
    chance = sum(each[0] for each in drawn) / max(1, sum(each[1] for each in drawn))
    more, spread = taken - chance * told, sqrt(chance * (1 - chance) * told)
    by_chance = more <= SPREADS * spread or 2 * more <= (1 - chance) * told
    return 0 if by_chance or _are_few(more, asked) else taken


def _are_few(people: float, asked: Indices) -> bool:
    return people < LEAST_PEOPLE or people <= LEAST_SHARE * len(asked)


def _lost(both: Histories, claimed: Indices, columns: list[str]) -> Mask:
    """Who has half of their own records at most."""
    original, release = _record_keys(both, both.release, columns)
    name = both.release.person.astype(numpy.int64)
    own = numpy.isin(
        _pairs(release, claimed[name]), _pairs(original, both.original.person.astype(numpy.int64))
    ) & (claimed[name] != NOBODY)
    mask: Mask = (
        2 * numpy.bincount(name[own], minlength=both.release.people) <= both.release.records_of_each()
    )
    return mask


def _changed(original: History, theirs: History, claimed: Indices, column: str) -> Mask:
    """Which records have a value that the person never had."""
    person = claimed[theirs.person]
    had = _pairs(original.person.astype(numpy.int64), original.codes[column].astype(numpy.int64))
    kept = numpy.isin(_pairs(person, theirs.codes[column].astype(numpy.int64)), had)
    mask: Mask = (person == NOBODY) | ~kept
    return mask


def _exchanged_values(theirs: History, changed: dict[str, Mask], draw: numpy.random.Generator) -> History:
    """The same changes, each column's by itself: what whole records have in common goes."""
    codes = dict(theirs.codes)
    for name, mask in changed.items():
        codes[name] = codes[name].copy()
        codes[name][mask] = draw.permutation(codes[name][mask])
    return replace(theirs, codes=codes)


def _record_keys(both: Histories, release: History, columns: list[str]) -> tuple[Indices, Indices]:
    """Records of both tables by numbers that are equal where they are."""
    joined = join_codes(
        Codes(numpy.concatenate([both.original.codes[name], release.codes[name]]), len(both.values[name]))
        for name in columns
    )
    keys = joined.codes.astype(numpy.int64)
    return keys[: both.original.records], keys[both.original.records :]


def _taken_and_told(
    both: Histories, theirs: History, claimed: Indices, kept: Indices, columns: list[str]
) -> tuple[int, int]:
    """Of how many others somebody has most records, and of how many people that can be told.

    It can't where most records are those of very many, or as many of them one's as another's.
    """
    original, release = _record_keys(both, theirs, columns)
    name = theirs.person.astype(numpy.int64)
    records = theirs.records_of_each()
    owners = _owners(original, both.original.person.astype(numpy.int64), release)
    starts, ends = (numpy.searchsorted(owners[0], release, side=side) for side in ("left", "right"))
    rare = ends - starts <= MOST_OWNERS
    pairs, counts = _shared_records(name[rare], starts[rare], ends[rare], owners[1])
    most = numpy.zeros(len(records), dtype=numpy.int64)
    numpy.maximum.at(most, pairs >> 32, counts)
    best = pairs[counts == most[pairs >> 32]]
    most_of = 2 * most > records
    alone = numpy.bincount(best >> 32, minlength=len(records)) == 1
    best = best[(most_of & alone)[best >> 32]]
    others = best[(best & LOWER_HALF) != claimed[best >> 32]] & LOWER_HALF
    told = 2 * numpy.bincount(name[rare], minlength=len(records)) > records
    return len(numpy.setdiff1d(others, kept)), int((told & (alone | ~most_of)).sum())


def _owners(original: Indices, person: Indices, release: Indices) -> tuple[Indices, Indices]:
    """Each released record's number with each person who has it, once, by the records' numbers."""
    released = numpy.zeros(int(max(original.max(initial=0), release.max(initial=0))) + 1, dtype=bool)
    released[release] = True
    there = released[original]
    pairs = numpy.unique(_pairs(original[there], person[there]))
    return pairs >> 32, pairs & LOWER_HALF


def _pairs(first: Indices, second: Indices) -> Indices:
    """Both are numbers of records or people, which fit into half a word."""
    return (first << 32) | (second & LOWER_HALF)


def _shared_records(name: Indices, starts: Indices, ends: Indices, owner: Indices) -> tuple[Indices, Indices]:
    """Each name with each person whose records it has, and how many."""
    many = ends - starts
    within = numpy.arange(int(many.sum())) - numpy.repeat(numpy.cumsum(many) - many, many)
    who = owner[numpy.repeat(starts, many) + within]
    return numpy.unique(_pairs(numpy.repeat(name, many), who), return_counts=True)

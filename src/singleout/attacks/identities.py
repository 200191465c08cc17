"""Who the people of a release are in the original, by the truth map or by their names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy
import pyarrow
import pyarrow.compute
from numpy.typing import NDArray

from singleout.attacks.linkage.candidates import NOBODY
from singleout.engine.codes.dictionary import Code
from singleout.engine.codes.number_texts import number_texts
from singleout.engine.codes.text_codes import TEXT, common_codes
from singleout.errors import InputError, UsageError
from singleout.read.truth_map import Truth, same_person

Indices = NDArray[numpy.int64]
TOGETHER = (
    "of the original with several names in the release: the records of each such person were put together, "
    "since {}"
)


@dataclass(frozen=True, eq=False)
class People:
    """The people of a table: whose each record is, and the names by number; `called` is the table.

    The names stand in their order, that of an unknown person, None, behind them, and last those of people
    without records. `numbers` is whether the table holds the names as numbers.
    """

    called: str
    person: Code
    names: pyarrow.LargeStringArray
    numbers: bool

    def add_people(self, names: Iterable[str]) -> People:
        """With people of whom the table says nothing."""
        others = pyarrow.array(sorted(dict.fromkeys(names)), TEXT)
        return replace(self, names=pyarrow.concat_arrays([self.names, others]))

    def indices(self, wanted: pyarrow.Array, as_numbers: bool) -> Indices:
        """The number of the person with each name, NOBODY if there is none or no name."""
        found = _index(wanted, self.names)
        if as_numbers:
            other = _index(number_texts(wanted), number_texts(self.names))
            found = numpy.where(found == NOBODY, other, found)
        return found


def people_of(called: str, codes: Code, names: pyarrow.LargeStringArray, numbers: bool) -> People:
    """From the user column: its codes, and what they stand for."""
    (person,), ordered = common_codes([number_texts(names) if numbers else names])
    return People(called, person[codes], ordered, numbers)


def records_as_people(called: str, records: int) -> People:
    """Each record its own person, by its number: 1, 2, …"""
    names = pyarrow.array(numpy.arange(1, records + 1)).cast(TEXT)
    return People(called, numpy.arange(records, dtype=numpy.uint32), names, numbers=True)


@dataclass(frozen=True, eq=False)
class Identities:
    """`truth` has, for each name of the release, the number of the original person; NOBODY if made up.

    If nothing is `known` of who is who, it is NOBODY for all.
    """

    original: People
    release: People
    truth: Indices
    remarks: tuple[str, ...]
    known: bool = True

    def name_person(self) -> Indices:
        """Whose each name of the release is: names with the same original are one person's.

        People are numbered by their first names. Nobody knows that two made-up people are one.
        """
        unlike = len(self.original.names) + numpy.arange(len(self.truth))
        whose = numpy.where(self.truth == NOBODY, unlike, self.truth)
        _, first, same = numpy.unique(whose, return_index=True, return_inverse=True)
        number: Indices = numpy.argsort(numpy.argsort(first))[same]
        return number


def has_common_names(original: People, release: People) -> bool:
    """Whether anybody of the release has a name of the original."""
    return bool((_same_names(original, release) != NOBODY).any())


def _same_names(original: People, release: People) -> Indices:
    found = original.indices(release.names, original.numbers or release.numbers)
    return _with_nameless(found, original, release)


def _with_nameless(found: Indices, original: People, release: People) -> Indices:
    """Records without a name belong to one unknown person, in both tables to the same."""
    nameless = [each.names.is_null().to_numpy(zero_copy_only=False) for each in (original, release)]
    if nameless[0].any():
        found[nameless[1]] = nameless[0].argmax()
    return found


def identities_by_name(original: People, release: People) -> Identities:
    """Everybody keeps the name; who has one that the original lacks is made up."""
    truth = _same_names(original, release)
    strangers = int((truth == NOBODY).sum())
    if strangers == len(truth):
        raise UsageError(
            f"nobody of {release.called} has a name of {original.called}; say who they are by --truth"
        )
    remarks = ["no truth map was given: the people of the release are those of the original of the same name"]
    if strangers:
        remarks.append(f"{_people(strangers)} of the release without a name of the original (made up)")
    if several := _with_several_names(truth):
        remarks.append(f"{_people(several)} {TOGETHER.format('these names are the same number')}")
    return Identities(original, release, truth, tuple(remarks))


def unknown_identities(original: People, release: People) -> Identities:
    """Nobody can say who is who: only what does not depend on people can be compared."""
    remark = "it is not known who is who, by a truth map or by names in common: nobody can be attacked"
    return Identities(original, release, numpy.full(len(release.names), NOBODY), (remark,), known=False)


def identities_by_truth(original: People, release: People, truth: Truth, without_records: bool) -> Identities:
    """As the map says; all that is wrong with it is told at once.

    People whom a table lacks are mistakes, unless people `without_records` are expected.
    """
    if truth.made_up == len(truth.original):
        raise InputError(
            f"{truth.place}: all people are made up, and nobody can be found; name an original_user"
        )
    originals, releases = pyarrow.array(truth.original, TEXT), pyarrow.array(truth.release, TEXT)
    all_people = _with_unknown(original, originals), _with_unknown(release, releases)
    names, faults = all_people[1].indices(releases, release.numbers), []
    if not without_records:
        faults += _unknown_faults(truth, original, originals, "original_user")
        faults += _unknown_faults(truth, release, releases, "release_user")
    if faults := faults + _duplicate_faults(truth, names) + _unlisted_faults(all_people[1], names):
        raise InputError(f"{truth.place}: {'; '.join(faults)}")
    original_person = numpy.full(len(all_people[1].names), NOBODY, dtype=numpy.int64)
    original_person[names] = all_people[0].indices(originals, original.numbers)
    original_person = _with_nameless(original_person, *all_people)
    added = [
        len(each.names) - len(was.names) for each, was in zip(all_people, (original, release), strict=True)
    ]
    return Identities(*all_people, original_person, _remarks(truth, original_person, *added))


def _index(wanted: pyarrow.Array, names: pyarrow.Array) -> Indices:
    matches = pyarrow.compute.index_in(wanted, value_set=names, skip_nulls=True)
    indices: NDArray[numpy.int32] = matches.fill_null(NOBODY).to_numpy(zero_copy_only=False)
    return indices.astype(numpy.int64)


def _unknown_entries(people: People, named: pyarrow.Array) -> Indices:
    """The entries that name somebody whom the table does not have."""
    there = people.indices(named, people.numbers) != NOBODY
    return numpy.flatnonzero(~there & named.is_valid().to_numpy(zero_copy_only=False))


def _unknown_faults(truth: Truth, people: People, named: pyarrow.Array, heading: str) -> list[str]:
    lacking = _unknown_entries(people, named)
    if not len(lacking):
        return []
    return [
        f"{truth.where(lacking.tolist())}: {heading} not in {people.called}; "
        "correct it, or say --without-records if such people have no records"
    ]


def _duplicate_faults(truth: Truth, persons: Indices) -> list[str]:
    """Names that differ as texts and are the same number."""
    order = numpy.argsort(persons, kind="stable")
    same = numpy.flatnonzero(numpy.diff(persons[order]) == 0)
    return [same_person(truth, int(order[index]), int(order[index + 1])) for index in same]


def _unlisted_faults(release: People, listed: Indices) -> list[str]:
    unlisted = release.names.is_valid().to_numpy(zero_copy_only=False).copy()
    unlisted[listed] = False
    if not unlisted.any():
        return []
    return [
        f"{_people(unlisted.sum())} of {release.called} not listed; "
        "list them too, with an empty original_user for a made-up person"
    ]


def _with_unknown(people: People, named: pyarrow.Array) -> People:
    lacking = named.take(pyarrow.array(_unknown_entries(people, named)))
    return people.add_people((number_texts(lacking) if people.numbers else lacking).to_pylist())


def _remarks(truth: Truth, found: Indices, in_original: int, in_release: int) -> tuple[str, ...]:
    told = (
        (truth.made_up, "of the release without an original (made up): every guess at them is wrong"),
        (_with_several_names(found), TOGETHER.format("the truth map tells whose they are")),
        (in_original, "of the truth map without a record in the original"),
        (in_release, "of the truth map without a record in the release"),
    )
    return tuple(f"{_people(number)} {what}" for number, what in told if number)


def _with_several_names(found: Indices) -> int:
    return int((numpy.bincount(found[found != NOBODY]) > 1).sum())


def _people(number: int) -> str:
    return "1 person" if number == 1 else f"{number:,} people"

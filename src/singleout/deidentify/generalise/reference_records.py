"""The records of a reference table in the levels of a sample: how many of its people each class has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.engine.class_sizes import Counts
from singleout.engine.codes.dictionary import Code, Codes
from singleout.engine.codes.numbering import join_codes
from singleout.engine.columns import known_columns
from singleout.engine.open_engine import open_engine
from singleout.engine.privacy_unit import privacy_unit
from singleout.engine.protocol import Question
from singleout.engine.session import refuse_changes
from singleout.errors import InputError
from singleout.read.source import source
from singleout.risk.k_map import EMPTY, check_reference
from singleout.risk.sensitive_values import distinct_counts
from singleout.roles.hierarchies.hierarchy import Hierarchy, Levels, levels_over

NOWHERE = -1


@dataclass(frozen=True, eq=False)
class ReferenceRecords:
    """`at` has for each column and level what the `codes` of the reference become in the sample's codes.

    A label that no value of the sample has there is NOWHERE: such a record is in no class of the sample.
    `raw` has the same of the values as they are.
    """

    name: str
    codes: tuple[Code, ...]
    at: tuple[tuple[NDArray[numpy.int64], ...], ...]
    raw: tuple[NDArray[numpy.int64], ...]
    persons: Codes | None

    def people_of(self, vector: Sequence[int], columns: Sequence[Codes], classes: Codes) -> Counts:
        """Of each class of the sample, whose `columns` are at this vector, the people of the reference."""
        own = [at[level][codes] for at, level, codes in zip(self.at, vector, self.codes, strict=True)]
        there = numpy.all([each != NOWHERE for each in own], axis=0)
        joint = [
            Codes(numpy.concatenate([mine.codes, theirs[there].astype(numpy.uint32)]), mine.count)
            for mine, theirs in zip(columns, own, strict=True)
        ]
        keys = join_codes(joint)
        mine, theirs = numpy.split(keys.codes, [len(classes.codes)])
        found = Codes(theirs, keys.count)
        if self.persons is None:
            people = numpy.bincount(theirs, minlength=keys.count)
        else:
            people = distinct_counts(found, Codes(self.persons.codes[there], self.persons.count))
        by_class = numpy.zeros(classes.count, dtype=numpy.int64)
        by_class[classes.codes] = people[mine]
        return by_class


@dataclass(frozen=True, eq=False)
class ReferenceRows:
    """The people of a reference who have the very values of a record of the sample.

    `own` is the row of values of each record of the sample; each person of the reference is in a `row` once.
    Without `persons` nobody is in several.
    """

    own: Codes
    row: NDArray[numpy.int64]
    persons: Codes | None

    @staticmethod
    def of(reference: ReferenceRecords, codes: Sequence[Code], values: Sequence[int]) -> ReferenceRows:
        """Beside the sample's `codes`, of so many `values` in each column."""
        theirs = [raw[own] for raw, own in zip(reference.raw, reference.codes, strict=True)]
        known = numpy.all([each != NOWHERE for each in theirs], axis=0)
        joint = [
            Codes(numpy.concatenate([mine, each[known].astype(numpy.uint32)]), count)
            for mine, each, count in zip(codes, theirs, values, strict=True)
        ]
        rows = join_codes(joint)
        own, row = numpy.split(rows.codes.astype(numpy.int64), [len(codes[0])])
        alike = numpy.isin(row, own)
        row, persons = row[alike], None
        if reference.persons is not None and len(row):
            whose = reference.persons.codes[known][alike]
            row, who = numpy.unique(numpy.stack([row, whose.astype(numpy.int64)]), axis=1)
            if len(numpy.unique(who)) < len(who):
                persons = Codes(who.astype(numpy.uint32), reference.persons.count)
        return ReferenceRows(Codes(own.astype(numpy.uint32), rows.count), row, persons)

    @cached_property
    def _people(self) -> Counts:
        return numpy.bincount(self.row, minlength=self.own.count)

    def people_of(self, numbers: NDArray[numpy.int64], classes: int) -> Counts:
        """Of each class: `numbers` says in which each record of the sample is, −1 if in none."""
        by_row = numpy.full(self.own.count, -1, dtype=numpy.int64)
        by_row[self.own.codes] = numbers
        if self.persons is None:
            asked = by_row >= 0
            return numpy.bincount(by_row[asked], self._people[asked], classes).astype(numpy.int64)
        theirs = by_row[self.row]
        asked = theirs >= 0
        if not asked.any():
            return numpy.zeros(classes, dtype=numpy.int64)
        found = Codes(theirs[asked].astype(numpy.uint32), classes)
        return distinct_counts(found, Codes(self.persons.codes[asked], self.persons.count))


def reference_records(
    reference: Any,
    person: str | None,
    user: str | None,
    levels: Sequence[Levels],
    laid: Sequence[Hierarchy],
    known: Sequence[Sequence[str | None]],
) -> ReferenceRecords:
    """Read where it is; `user` is the person column of the sample, which the reference may have too.

    `known` are the values of the sample's columns, in the order of their codes.
    """
    origin = source(reference)
    columns = tuple(each.column for each in levels)
    with refuse_changes(origin), open_engine(origin, None) as engine:
        names = tuple(each.name for each in engine.columns())
        check_reference(origin.name, names, columns)
        whose = privacy_unit(engine, person or (user if user in names else None), None, "--reference-user")
        known_columns(engine, [] if whose is None else [whose])
        question = Question(columns, whose)
        coded = engine.coded_records(question)
        if not len(coded.codes[0]):
            raise InputError(EMPTY.format(origin.name))
        values = [engine.values(name, question) for name in columns]
    at = tuple(map(_codes_at, levels, laid, values))
    raw = tuple(map(_codes_in, known, values))
    persons = None if coded.person is None else Codes(coded.person, coded.people)
    return ReferenceRecords(origin.name, coded.codes, at, raw, persons)


def _codes_at(
    mine: Levels, hierarchy: Hierarchy, values: Sequence[str | None]
) -> tuple[NDArray[numpy.int64], ...]:
    """Of each value of the reference, level by level, the sample's code of its label."""
    try:
        theirs = levels_over(hierarchy, values)
    except InputError as fault:
        raise InputError(f"the reference: {fault}", values=fault.values) from fault
    at = []
    for level in range(mine.height + 1):
        codes = dict(zip(mine.labels[level], mine.codes(level).tolist(), strict=True))
        at.append(_places(codes, theirs.labels[level]))
    return tuple(at)


def _codes_in(mine: Sequence[str | None], theirs: Sequence[str | None]) -> NDArray[numpy.int64]:
    return _places({value: code for code, value in enumerate(mine)}, theirs)


def _places(codes: Mapping[str | None, int], names: Sequence[str | None]) -> NDArray[numpy.int64]:
    return numpy.array([codes.get(name, NOWHERE) for name in names], dtype=numpy.int64)

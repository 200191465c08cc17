"""The records of one table for an attack: whose they are, and their values as codes of texts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy

from singleout.attacks.identities import People, people_of, records_as_people
from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.histories import Code, Histories, Indices
from singleout.engine.codes.numbering import join_codes
from singleout.engine.codes.text_codes import Texts
from singleout.engine.columns import kind_of
from singleout.engine.missing_values import Missing
from singleout.engine.protocol import Engine
from singleout.errors import InputError


@dataclass(frozen=True, eq=False)
class AttackRecords:
    """The texts are those of the columns asked for, record by record as `people.person`."""

    people: People
    texts: Texts
    remarks: tuple[str, ...] = ()


def read_records(
    engine: Engine, called: str, columns: tuple[str, ...], user: str | None, missing: Missing
) -> AttackRecords:
    """All columns and the person of every record; without a user each record is a person.

    Records without a person belong to one unknown person, or are left out under the rule `drop`; a missing
    value in another column is never a reason to leave a record out.
    """
    read = engine.texts(columns if user is None else (*columns, user))
    records = len(read.codes[0])
    if not records:
        raise InputError(f"{engine.source_name}: has column names but no records")
    if user is None:
        return AttackRecords(records_as_people(called, records), read)
    kind = next(kind_of(each.type) for each in engine.columns() if each.name == user)
    people = people_of(called, read.codes[-1], read.values[-1], kind == "numbers")
    if people.names.null_count == len(people.names):
        raise InputError(f"{engine.source_name}: the user column {user!r} holds nothing but missing values")
    return _without_unknown(AttackRecords(people, Texts(read.codes[:-1], read.values[:-1])), missing)


def _without_unknown(read: AttackRecords, missing: Missing) -> AttackRecords:
    """What becomes of the unknown person, who is the last."""
    people = read.people
    if not people.names.null_count:
        return read
    kept = people.person < len(people.names) - 1
    lacking = f"{people.called}: {int((~kept).sum()):,} records without a user"
    if missing != "drop":
        return replace(read, remarks=(f"{lacking} count as one unknown person",))
    known = replace(people, person=people.person[kept], names=people.names[:-1])
    codes = tuple(codes[kept] for codes in read.texts.codes)
    return AttackRecords(known, Texts(codes, read.texts.values), (f"{lacking} are left out",))


def have_same_records(histories: Histories, own_number: Indices | None) -> bool:
    """Whether both tables hold the same records equally often.

    `own_number` is, for each person of the release, the number of the same name in the original, or −1 if it
    has none; without it people do not count.
    """
    original, release = histories.original, histories.release
    if original.records != release.records:
        return False
    columns = [(original.codes[name], release.codes[name]) for name in original.codes]
    if own_number is not None:
        persons = own_number[release.person]
        if (persons < 0).any():
            return False
        columns.append((original.person, persons.astype(numpy.uint32)))
    if all(numpy.array_equal(one, other) for one, other in columns):
        return True
    # a changed value nearly always shows here, and rows are numbered only for tables that were shuffled
    return all(_have_same_counts(one, other) for one, other in columns) and _have_same_rows(columns)


def _have_same_counts(one: Code, other: Code) -> bool:
    return numpy.array_equal(numpy.bincount(one), numpy.bincount(other))


def _have_same_rows(columns: list[tuple[Code, Code]]) -> bool:
    both = (Codes(codes, int(codes.max()) + 1) for codes in map(numpy.concatenate, columns))
    rows = join_codes(both).codes
    return _have_same_counts(rows[: len(rows) // 2], rows[len(rows) // 2 :])

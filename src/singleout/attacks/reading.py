"""The records of one table for an attack: whose they are, and their values as codes of texts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from singleout.attacks.identities import People, people_of, records_as_people
from singleout.engine.column_kinds import kind_of
from singleout.engine.protocol import Engine, Missing
from singleout.engine.texts import Texts
from singleout.errors import InputError


@dataclass(frozen=True, eq=False)
class Records:
    """The texts are those of the columns asked for, record by record as `people.person`."""

    people: People
    texts: Texts
    remarks: tuple[str, ...] = ()


def read_records(
    engine: Engine, called: str, columns: tuple[str, ...], user: str | None, missing: Missing
) -> Records:
    """All columns and the person of every record; without a user each record is a person.

    Records without a person belong to one unknown person, or are left out under the rule `drop`; a missing
    value in another column is never a reason to leave a record out.
    """
    read = engine.texts(columns if user is None else (*columns, user))
    records = len(read.codes[0])
    if not records:
        raise InputError(f"{engine.place}: has column names but no records")
    if user is None:
        return Records(records_as_people(called, records), read)
    kind = next(kind_of(each.type) for each in engine.columns() if each.name == user)
    people = people_of(called, read.codes[-1], read.values[-1], kind == "numbers")
    if people.names.null_count == len(people.names):
        raise InputError(f"{engine.place}: the user column {user!r} holds nothing but missing values")
    return _without_unknown(Records(people, Texts(read.codes[:-1], read.values[:-1])), missing)


def _without_unknown(read: Records, missing: Missing) -> Records:
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
    return Records(known, Texts(codes, read.texts.values), (f"{lacking} are left out",))

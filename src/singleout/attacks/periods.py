"""One table as two periods: the same people before a date, and from it on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import numpy
import pyarrow
from numpy.typing import NDArray

from singleout.attacks.attack_records import AttackRecords
from singleout.engine.codes.histories import Histories
from singleout.engine.codes.text_codes import Texts
from singleout.errors import InputError, UsageError
from singleout.roles.dates_and_times import Moment, days_of, moment

NO_RELEASE = "a release is needed to attack; or give periods, a date such as 2011-07-01 that splits one table"
TWO_TABLES = (
    "periods split one table by a date; leave out the release, or the periods: two tables of different "
    "months are an original and a release"
)
NO_DATE = "periods: {!r} is no date that splits a table; give one such as 2011-07-01"
ONE_COLUMN = "periods need one column of dates to split the table by; name it by --time"
NO_PEOPLE = "periods need to know whose records they are; name the user column by --user"
KEEP_NAMES = "in periods of one table people and columns keep their names; leave out {}"
NO_COMMON_DAY = (
    "the attack 'dates' needs days that both periods have; leave it out where a date splits the table"
)
NOT_MADE = (
    "the table is split by {!r}: no record and no day is in both periods, so known records are not looked "
    "for, attacks do not look at {!r}, and the attack 'dates' is not made"
)
LEFT_OUT = "{:,} people have records {} only and are left out: nobody can find them in both periods"
APART = (
    "the tables are of different periods in {!r}: one ends before the other begins. If they hold other "
    "records of the same people, and not the same with changed dates, the attack 'dates' can only guess, and "
    "known records fit by chance"
)
UNDATED = "{:,} records without a date in {!r} are left out: they belong to neither period"


@dataclass(frozen=True)
class Periods:
    """Records whose date in `column` is before `start` are the original, those from it on the release.

    A month is its first day, a day its first second. People with records in one of the periods only are left
    out, as are records without a date.

    >>> Periods("July", "date")
    Traceback (most recent call last):
    singleout.errors.UsageError: periods: 'July' is no date that splits a table; give one such as 2011-07-01
    """

    start: str
    column: str

    def __post_init__(self) -> None:
        if _moment(self.start) is None:
            raise UsageError(NO_DATE.format(self.start))

    @classmethod
    def of(cls, start: Any, time: Sequence[str]) -> Periods:
        """As asked for, where there is one column of dates."""
        if not isinstance(start, (str, date)):
            raise UsageError(NO_DATE.format(start))
        if len(time) != 1:
            raise UsageError(ONE_COLUMN)
        return cls(str(start), time[0])

    @property
    def remark(self) -> str:
        return NOT_MADE.format(self.column, self.column)

    def names(self, table: str) -> tuple[str, str]:
        """What the periods of a table are called."""
        return f"{table} before {self.start}", f"{table} from {self.start} on"

    def split(self, read: AttackRecords, columns: Sequence[str]) -> tuple[AttackRecords, AttackRecords]:
        """The records of both periods, of the people who are in both."""
        index = columns.index(self.column)
        later = self._later(read.texts.values[index].to_pylist())[read.texts.codes[index]]
        people = len(read.people.names)
        there = [numpy.bincount(read.people.person[later == side], minlength=people) > 0 for side in (0, 1)]
        if not (both := there[0] & there[1]).any():
            raise InputError(
                f"{read.people.called}: nobody has records both before {self.start} and from it on; give a "
                f"date that lies between those of {self.column!r}"
            )
        kept = both[read.people.person]
        before, after = (_only(read, kept & (later == side), both) for side in (0, 1))
        remarks = (*read.remarks, *self._remarks(int((later < 0).sum()), there))
        return replace(before, remarks=remarks), replace(after, remarks=())

    def _later(self, texts: Sequence[str | None]) -> NDArray[numpy.int8]:
        """For each value 1 if it is of the later period, 0 if of the earlier, −1 if it is missing."""
        moments = [None if text is None else _moment(text) for text in texts]
        odd = sum(read is None and text is not None for read, text in zip(moments, texts, strict=True))
        if odd:
            raise InputError(
                f"column {self.column!r}: {odd:,} of {len(texts):,} different values are no dates; name a "
                "column by --time whose values all are, like 2011-07-01"
            )
        start = _moment(self.start)
        first = start.seconds if start else 0
        return numpy.array([-1 if each is None else each.seconds >= first for each in moments], numpy.int8)

    def _remarks(self, undated: int, there: Sequence[NDArray[numpy.bool_]]) -> list[str]:
        remarks = [UNDATED.format(undated, self.column)] if undated else []
        for side, words in enumerate((f"before {self.start}", f"from {self.start} on")):
            if alone := int((there[side] & ~there[1 - side]).sum()):
                remarks.append(LEFT_OUT.format(alone, words))
        return remarks


def period_remarks(histories: Histories, columns: Sequence[str]) -> list[str]:
    """The columns of dates in which the tables do not overlap."""
    return [APART.format(name) for name in columns if _are_apart(histories, name)]


def _are_apart(histories: Histories, name: str) -> bool:
    days = days_of(histories.values[name])
    if days is None:
        return False
    sides = (histories.original, histories.release)
    known = [{days[code] for code in numpy.unique(side.codes[name]).tolist()} - {None} for side in sides]
    first, second = ([min(each, key=str), max(each, key=str)] if each else [] for each in known)
    return bool(first and second) and (str(first[1]) < str(second[0]) or str(second[1]) < str(first[0]))


def check_periods(periods: Any, release: Any, named: dict[str, Any]) -> None:
    """That there is one way to get a release; `named` are options that have no meaning beside periods."""
    if periods is None:
        if release is None:
            raise UsageError(NO_RELEASE)
        return
    if release is not None:
        raise UsageError(TWO_TABLES)
    if given := [name for name, value in named.items() if value]:
        raise UsageError(KEEP_NAMES.format(", ".join(given)))


def check_attacks(attacks: Sequence[str] | None) -> None:
    """That nobody asks for what needs a day of both periods."""
    if attacks is not None and "dates" in attacks:
        raise UsageError(NO_COMMON_DAY)


def _moment(text: str) -> Moment | None:
    read = moment(text)
    return None if read is None or read.of_day else read


def _only(read: AttackRecords, kept: NDArray[numpy.bool_], people: NDArray[numpy.bool_]) -> AttackRecords:
    """Some records of some people, who are numbered anew."""
    number = (numpy.cumsum(people) - 1).astype(numpy.uint32)
    named = replace(
        read.people,
        person=number[read.people.person[kept]],
        names=read.people.names.filter(pyarrow.array(people)),
    )
    return AttackRecords(named, Texts(tuple(codes[kept] for codes in read.texts.codes), read.texts.values))

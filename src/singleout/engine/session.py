"""An engine opened on the data, with a question that was checked against it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Unpack

from singleout.engine.columns import known_columns
from singleout.engine.job_options import CountOptions
from singleout.engine.missing_values import Missing
from singleout.engine.open_engine import open_engine
from singleout.engine.privacy_unit import privacy_unit
from singleout.engine.protocol import Engine, Question
from singleout.errors import InputError, UsageError
from singleout.read.source import Source, check_unchanged, fingerprint, source
from singleout.roles.study import Study, study_of

NO_USER = "no user column: each record is its own person"
ZONED = re.compile(r"with time zone|timestamptz", re.IGNORECASE)


@dataclass(frozen=True)
class CheckedQuestion:
    """A checked question: whose records, which columns, what a missing value does."""

    user: str | None
    columns: tuple[str, ...]
    missing: Missing
    records: int
    people: int
    remarks: tuple[str, ...]
    study: Study | None = None

    def question(self, columns: tuple[str, ...]) -> Question:
        return Question(columns, self.user, self.missing)


@contextmanager
def open_session(
    data: Any, *, user_option: str = "--user", **counting: Unpack[CountOptions]
) -> Iterator[tuple[Engine, CheckedQuestion, Source]]:
    """An engine on the data and a checked plan; a file that changes meanwhile is an error, not a number.

    `user_option` is how a caller can say whose records they are, where nobody did.
    """
    if unknown := counting.keys() - CountOptions.__annotations__:
        raise TypeError(
            f"{min(unknown)!r} is no parameter; there are {', '.join(CountOptions.__annotations__)}"
        )
    origin = source(data, csv=counting.get("csv"))
    study = study_of(counting.get("study"))
    memory, threads = counting.get("memory"), counting.get("threads")
    with (
        refuse_changes(origin),
        open_engine(origin, counting.get("engine"), memory=memory, threads=threads) as counter,
    ):
        yield counter, _plan(counter, study, counting, user_option), origin


@contextmanager
def refuse_changes(origin: Source) -> Iterator[None]:
    """Nothing that was read from a changing file counts, and the change explains what failed."""
    before = fingerprint(origin)
    try:
        yield
    except InputError:
        check_unchanged(origin, before)
        raise
    check_unchanged(origin, before)


def _plan(counter: Engine, study: Study | None, counting: CountOptions, user_option: str) -> CheckedQuestion:
    missing = counting.get("missing", "value")
    if study:
        study.check(tuple(column.name for column in counter.columns()))
    user = privacy_unit(counter, counting.get("user"), study, user_option)
    if user is None and study is not None:
        study = study.record_by_record()
    columns = _chosen_columns(counter, user, counting.get("columns"), study)
    records, people, remarks = _population(counter, user, columns[0], missing)
    return CheckedQuestion(user, columns, missing, records, people, (*counter.remarks, *remarks), study)


def _chosen_columns(
    counter: Engine, user: str | None, columns: Sequence[str] | None, study: Study | None
) -> tuple[str, ...]:
    if isinstance(columns, str):
        raise UsageError(f"columns: {columns!r} is one name; give a list of names")
    names = tuple(column.name for column in counter.columns())
    known_columns(counter, [*([] if user is None else [user]), *(columns or ())])
    if columns is None:
        known = study.known_to_attackers(names) if study else names
        columns = [name for name in known if name != user]
    if user in columns:
        raise UsageError(f"{user!r} is the user column; an attacker who knows it needs nothing else")
    if not columns:
        raise UsageError(f"{counter.source_name}: no column is left that an attacker may know; name some")
    return tuple(dict.fromkeys(columns))


def _population(
    counter: Engine, user: str | None, any_column: str, missing: Missing
) -> tuple[int, int, tuple[str, ...]]:
    look = counter.look(user or any_column)
    if not look.records:
        raise InputError(f"{counter.source_name}: has column names but no records")
    if user is None:
        return look.records, look.records, (NO_USER,)
    if look.missing == look.records:
        raise InputError(f"{counter.source_name}: the user column {user!r} holds nothing but missing values")
    people = counter.sizes(Question((user,))).total_groups
    if not look.missing:
        return look.records, people, ()
    if missing == "drop":
        return (
            look.records - look.missing,
            people - 1,
            (f"{look.missing:,} records without a user are left out",),
        )
    return look.records, people, (f"{look.missing:,} records without a user count as one unknown person",)


def zone_remarks(counter: Engine, columns: Sequence[str]) -> list[str]:
    """A time with a zone is told in that of the machine or the session, and is cut to dates there."""
    zoned = [each.name for each in counter.columns() if each.name in columns and ZONED.search(each.type)]
    remark = "times with a zone are taken as this machine's zone tells them; make them text to choose another"
    return [f"{', '.join(zoned)}: {remark}"] if zoned else []


def uuid_columns(counter: Engine) -> tuple[str, ...]:
    """They are read as text, and written as they came where the format has UUIDs."""
    return tuple(each.name for each in counter.columns() if each.type.lower() == "uuid")

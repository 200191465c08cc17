"""Lays hierarchies over the columns of a table: its records as codes, with the levels of each column."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy

from singleout.checks import is_whole
from singleout.deidentify.generalise.goals import Goals
from singleout.deidentify.generalise.judged_classes import JudgedClasses
from singleout.deidentify.generalise.reference_records import reference_records
from singleout.deidentify.generalise.search_space import Space
from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.tuple_codes import CodedRecords
from singleout.engine.columns import known_columns
from singleout.engine.protocol import Engine
from singleout.engine.session import CheckedQuestion, uuid_columns, zone_remarks
from singleout.errors import InputError, UsageError, name_hint
from singleout.read.hierarchy_file import is_definition
from singleout.read.source import Source
from singleout.risk.k_map import EACH_RECORD, WHO_KNOWS
from singleout.risk.value_order import ValueOrder, ValueTree, value_order, value_tree
from singleout.roles.hierarchies.hierarchy import (
    Hierarchy,
    Levels,
    column_of,
    levels_over,
    read_hierarchies,
    without_hierarchy,
)

if TYPE_CHECKING:
    import pyarrow

TEXT = re.compile(r"(var|bp)?char|character|text|string|enum|name", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class PreparedData:
    """The space to search, and what a release of it may hold.

    `sensitive` and `kept` columns are released as they are, as are generalised ones at the raw level that are
    no text: all of these are in `carried`, one row a record. `values` are those of each generalised column in
    the order of their codes, `names` all columns of the table.
    """

    space: Space
    values: tuple[tuple[str | None, ...], ...]
    source: str
    user: str | None
    names: tuple[str, ...]
    sensitive: tuple[str, ...]
    kept: tuple[str, ...]
    carried: pyarrow.Table | None
    remarks: tuple[str, ...]
    hierarchies: tuple[Hierarchy, ...] = ()
    uuids: tuple[str, ...] = ()

    @property
    def people(self) -> int:
        return self.space.persons.count if self.space.persons else self.space.records

    @property
    def release_columns(self) -> tuple[str, ...]:
        """The columns of the release, in the order of the table."""
        shown = {*self.space.columns, *self.sensitive, *self.kept}
        return tuple(name for name in self.names if name in shown)

    def with_reference(self, reference: Any, person: str | None) -> PreparedData:
        """Beside a table of everybody, in the levels of this one."""
        if reference is None:
            return self
        records = reference_records(
            reference, person, self.user, self.space.levels, self.hierarchies, self.values
        )
        unsaid = records.persons is None and person is None
        return replace(
            self,
            space=replace(self.space, reference=records),
            remarks=(*self.remarks, WHO_KNOWS, *([EACH_RECORD] if unsaid else [])),
        )

    def released_people(self, classes: JudgedClasses) -> int:
        persons = self.space.persons
        if persons is None:
            return classes.released
        return len(numpy.unique(persons.codes[classes.kept_records]))

    def fixed_levels(self, levels: Mapping[str, int] | None) -> dict[int, int]:
        """The levels that the user has chosen, by the column's place; all mistakes are told at once."""
        fixed_levels, faults, columns = {}, [], self.space.columns
        if not isinstance(levels or {}, Mapping):
            raise UsageError(f"levels: {levels!r} is no mapping; write it like {{'age': 2}}")
        for name, level in (levels or {}).items():
            if name not in columns:
                faults.append(f"{name!r} is not generalised; {name_hint(str(name), columns)}")
                continue
            index = columns.index(name)
            most = self.space.heights[index]
            if is_whole(level) and 0 <= level <= most:
                fixed_levels[index] = int(level)
            else:
                faults.append(f"{name!r} has no level {level!r}; there are 0 to {most}")
        if faults:
            raise UsageError(f"levels: {'; '.join(faults)}")
        return fixed_levels


def files_read(hierarchies: Any, study: Any, columns: Sequence[str]) -> set[str]:
    """Where the files are that hierarchies and the study were read from: a release must not replace them."""
    given = hierarchies.values() if isinstance(hierarchies, Mapping) else [hierarchies]
    paths = [Path(each) for each in (*given, study) if isinstance(each, (str, PathLike))]
    inside = [each for path in paths if path.is_dir() for each in path.iterdir()]
    used = [each for each in inside if column_of(each.stem, columns) or _is_definition_file(each)]
    return set(map(os.path.realpath, (*paths, *used)))


def _is_definition_file(path: Path) -> bool:
    return path.suffix.lower() == ".json" and path.is_file() and is_definition(path)


def prepared_data(
    counter: Engine,
    plan: CheckedQuestion,
    hierarchies: Any,
    columns: Sequence[str] | None,
    sensitive: Sequence[str] | None,
    goals: Goals,
    keep: tuple[str, ...] | None,
    origin: Source,
) -> PreparedData:
    """Read the hierarchies and the records; without `keep` there is no release, and nothing is carried."""
    names = tuple(column.name for column in counter.columns())
    found, remarks = read_hierarchies(hierarchies, names, origin.files())
    guarded = _sensitive_columns(counter, plan, sensitive, goals)
    chosen, more = _generalised_columns(plan, found, columns, guarded)
    kept = _kept_columns(counter, keep or (), chosen)
    of_goals = guarded if goals.of_sensitive else ()
    question = plan.question((*chosen, *of_goals))
    carry = () if keep is None else (*guarded, *kept, *_non_text_columns(counter, chosen))
    carry = tuple(dict.fromkeys(carry))
    coded, carried = (
        counter.coded_records_and_columns(question, carry)
        if carry
        else (counter.coded_records(question), None)
    )
    if not len(coded.record):
        raise InputError(
            f"{counter.source_name}: no record has a value in every column; use the missing rule value"
        )
    values = tuple(counter.values(name, question) for name in chosen)
    if any(len(known) != many for known, many in zip(values, coded.values, strict=False)):
        raise InputError(f"{counter.source_name}: changed while it was read; run again when it stands still")
    far = goals.closeness if goals.close is not None else "equal"
    texts = {name: counter.values(name, question) for name in (of_goals if far != "equal" else ())}
    orders = {name: value_order(texts[name]) for name in texts if far == "ordered"}
    laid = tuple(found.get(name) or without_hierarchy(name) for name in chosen)
    space = _space(coded, laid, values)
    space = replace(
        space,
        sensitive=_ordered_codes(of_goals, space.sensitive, orders),
        trees=_trees(texts, found) if far == "hierarchical" else (),
    )
    _check_reach(space, goals, of_goals)
    notes = _release_remarks(names, plan.user, (*chosen, *guarded), kept) if keep is not None else []
    notes += [
        f"{name}: not all its values are numbers, so that they are ordered as the database orders them"
        for name, order in orders.items()
        if order is None
    ]
    idle = [name for name in found if name not in (*chosen, *(texts if far == "hierarchical" else ()))]
    if idle:
        notes.append(f"{', '.join(idle)}: not generalised, so that the hierarchy is not used")
    dropped = plan.records - space.records
    if dropped:
        notes.append(f"{dropped:,} records with a missing value are left out")
    told = (*plan.remarks, *remarks, *more, *zone_remarks(counter, chosen), *notes)
    return PreparedData(
        space, values, counter.source_name, plan.user, names, guarded, kept, carried, told, laid,
        uuid_columns(counter),
    )  # fmt: skip


def _sensitive_columns(
    counter: Engine, plan: CheckedQuestion, sensitive: Sequence[str] | None, goals: Goals
) -> tuple[str, ...]:
    if isinstance(sensitive, str):
        raise UsageError(f"sensitive: {sensitive!r} is one name; give a list of names")
    roles = plan.study.roles if plan.study else {}
    given = [name for name, role in roles.items() if role == "sensitive"] if sensitive is None else sensitive
    chosen = known_columns(counter, given)
    if plan.user in chosen:
        raise UsageError(f"{plan.user!r} is the user column; it can't be sensitive too")
    if goals.of_sensitive and not chosen:
        raise UsageError("diverse, close and the like are about sensitive columns; name them by --sensitive")
    return chosen


def _generalised_columns(
    plan: CheckedQuestion,
    hierarchies: Mapping[str, Hierarchy],
    columns: Sequence[str] | None,
    sensitive: tuple[str, ...],
) -> tuple[tuple[str, ...], list[str]]:
    """The columns asked for, by default those with a hierarchy; without one a column is raw or suppressed."""
    if columns is not None and (both := [name for name in plan.columns if name in sensitive]):
        raise UsageError(f"{both[0]!r} is sensitive, and is released as it is; don't generalise it too")
    chosen = [name for name in plan.columns if name not in sensitive]
    if columns is None and not plan.study:
        chosen = [name for name in chosen if name in hierarchies]
    if not chosen:
        raise UsageError("no column is left to generalise; name some by --columns, or give them hierarchies")
    lacking = [name for name in chosen if name not in hierarchies]
    alone = f"{', '.join(lacking)}: no hierarchy is given, so that values stay as they are or become *"
    return tuple(chosen), [alone] if lacking else []


def _kept_columns(counter: Engine, keep: tuple[str, ...], generalised: tuple[str, ...]) -> tuple[str, ...]:
    kept = known_columns(counter, keep)
    if both := [name for name in kept if name in generalised]:
        raise UsageError(f"keep: {both[0]!r} is generalised; it can't be kept as it is too")
    return kept


def _non_text_columns(counter: Engine, columns: tuple[str, ...]) -> list[str]:
    """Columns that a text can't replace: at the raw level they are released as they are."""
    return [each.name for each in counter.columns() if each.name in columns and not TEXT.match(each.type)]


def _space(
    coded: CodedRecords, hierarchies: Sequence[Hierarchy], values: Sequence[Sequence[str | None]]
) -> Space:
    levels: list[Levels] = []
    faults: list[InputError] = []
    for each, known in zip(hierarchies, values, strict=True):
        try:
            levels.append(levels_over(each, known))
        except InputError as fault:
            faults.append(fault)
    if faults:
        unfit = [value for fault in faults for value in fault.values]
        raise InputError("; ".join(map(str, faults)), values=unfit)
    width = len(hierarchies)
    return Space(
        levels=tuple(levels),
        codes=coded.codes[:width],
        persons=None if coded.person is None else Codes(coded.person, coded.people),
        sensitive=tuple(map(Codes, coded.codes[width:], coded.values[width:])),
    )


def _trees(
    texts: Mapping[str, tuple[str | None, ...]], hierarchies: Mapping[str, Hierarchy]
) -> tuple[ValueTree, ...]:
    if lacking := [name for name in texts if name not in hierarchies]:
        raise UsageError(
            f"{lacking[0]!r} has no hierarchy, which tells --t-distance hierarchical how near values are; "
            "give it one, or take equal or ordered"
        )
    return tuple(value_tree(hierarchies[name], values) for name, values in texts.items())


def _ordered_codes(
    names: Sequence[str], columns: Sequence[Codes], orders: Mapping[str, ValueOrder | None]
) -> tuple[Codes, ...]:
    """Codes in the order of numbers where a column's values are numbers, though they be written as text."""
    ordered = []
    for name, each in zip(names, columns, strict=True):
        order = orders.get(name)
        codes = each.codes if order is None else order.ranks.astype(numpy.uint32)[each.codes]
        ordered.append(Codes(codes, each.count))
    return tuple(ordered)


def _check_reach(space: Space, goals: Goals, sensitive: tuple[str, ...]) -> None:
    """What no data of this size can reach."""
    many, of = (space.persons.count, "people") if space.persons else (space.records, "records")
    if goals.k > many:
        raise UsageError(f"k: a class of {goals.k:,} can't be had, for there are {many:,} {of}; ask for less")
    for name, values in zip(sensitive, space.sensitive, strict=True):
        recursive = goals.recursive_l if goals.recursive_c is not None else 0
        asked = {"diverse": goals.diverse or 0, "entropy_l": goals.entropy_l or 0, "recursive_l": recursive}
        for goal, least in asked.items():
            if least > values.count:
                raise UsageError(
                    f"{goal}: {least} different values can't be had, for {name!r} has {values.count}; "
                    "ask for less"
                )


def _release_remarks(
    names: tuple[str, ...], user: str | None, released: tuple[str, ...], kept: tuple[str, ...]
) -> list[str]:
    left = [name for name in names if name not in (*released, *kept)]
    remarks = (
        [f"not released: {', '.join(left)}; name a column by --fixed to release it as it is"] if left else []
    )
    if kept:
        remarks.append(
            f"released as they are, and not counted in any class: {', '.join(kept)}; who knows such a value "
            "may find the record by it"
        )
    if user in kept:
        remarks.append(
            f"{user!r} is released as it is: who knows two records of a person can find them together, and "
            "the goals are about one record at a time"
        )
    return remarks

"""Reads an original and its release side by side: in the same codes, with who is who."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

import numpy
import pyarrow
import pyarrow.compute
from numpy.typing import NDArray

from singleout.attacks.alignment.column_comparison import ColumnComparison
from singleout.attacks.attack_records import AttackRecords, have_same_records, read_records
from singleout.attacks.identities import (
    Identities,
    has_common_names,
    identities_by_name,
    identities_by_truth,
    unknown_identities,
)
from singleout.attacks.name_derivation import (
    name_derivation_clue,
    name_order_clue,
    value_derivation_clue,
)
from singleout.attacks.periods import NO_PEOPLE, Periods
from singleout.attacks.record_order import (
    Clue,
    Unreleased,
    first_lines,
    is_sorted_by_values,
    record_order_clue,
    totals_of_people,
)
from singleout.engine.codes.histories import Code, Histories, History, Indices
from singleout.engine.codes.number_texts import number_texts
from singleout.engine.codes.text_codes import common_codes
from singleout.engine.columns import Kind, kind_of
from singleout.engine.missing_values import Missing
from singleout.engine.open_engine import open_engine, settings_of_each
from singleout.engine.privacy_unit import privacy_unit
from singleout.engine.protocol import Engine, Question
from singleout.engine.session import refuse_changes, zone_remarks
from singleout.errors import UsageError
from singleout.progress import Progress, silent
from singleout.read.source import CsvFormat, Source, source
from singleout.read.truth_map import Truth, read_truth, truth_of
from singleout.recipe.trace import Trace
from singleout.roles.renamed_columns import SharedColumns, Side, renaming_of, shared_columns
from singleout.roles.study import Study, study_of

NO_USER = "no user column: each record is its own person, called by its number in its table"
# a release is sorted or shuffled and lacks records: its third record is not the original's
NO_NAMES = (
    "records without a user column have no names; name the column by --user, or say by --truth which "
    "record of the release, by its number, is which of the original"
)
ITSELF = "the release is the original itself ({}): give the de-identified table as the release"
AS_NUMBERS = "what reads as a number is compared as one, the rest as text"
AS_TEXT = (
    "they are compared as text, in which 2011-01-31 is not 2011-01-31 00:00:00; "
    "give both tables the same type, of a CSV file by --types"
)
NOTHING_AGREES = "column {!r}: no value of the release is one of the original"
# a column with a smaller share of its values in the release is another to who sees that alone
LEAST_RELEASED = 0.5
# beside the columns of a table, which have names of their own
NAME = "\0name"
SAME_RECORDS = "the same records with the same people, in the columns read"


@dataclass(frozen=True, eq=False)
class PairedTables:
    """Two tables in the same codes, and who of the original each person of the release is; −1 if made up.

    `columns` are those of both, by the original's names. As the tables are read, each name of the release is
    a person, as to its readers; `name_person` is whose it is, and attacks see the release `by_person`. With a
    recipe the original is as it is after the steps that need no draws: `traces` are the other steps by
    column, `thinned` says whether these leave out people or records by chance, `approximate` are
    the columns that these make uncertain, `touched` those that any step names,
    `rewritten` those in which the release writes one number in several ways, and `as_read` both tables as
    they were before; `beside` are columns of the original alone that its steps depend on, record by
    record as the tables are read. Once they are aligned for attacks, `comparisons` say how each column is
    compared, `written` has the values as they were; `added` says whether people have records in the
    release that they lack in the original, and `incomplete` whether they lack some that they have there,
    `selected` whether people of the original are not in the release, by a rule that nobody told or that
    could not be replayed; `apart` has each name of the release as a person of its own, where people have
    several; in an `other_period` they have other records. `clues` are what tells who is who beside the
    values, if that was asked for, and `ordered` says whether the release's lines stand in the order of what
    is released.
    The names stand by their numbers and are raw data: for outputs that were asked for, and nowhere else.
    """

    histories: Histories
    user: str | None
    truth: NDArray[numpy.int64]
    original_names: pyarrow.LargeStringArray
    release_names: pyarrow.LargeStringArray
    name_person: NDArray[numpy.int64]
    original: str
    release: str
    engine: str
    columns: tuple[str, ...]
    remarks: tuple[str, ...]
    study: Study | None
    known: bool = True
    written: Histories | None = None
    comparisons: tuple[ColumnComparison, ...] = ()
    traces: Mapping[str, tuple[Trace, ...]] | None = None
    thinned: bool = False
    approximate: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()
    rewritten: frozenset[str] = frozenset()
    as_read: Histories | None = None
    added: bool = False
    incomplete: bool = False
    selected: bool = False
    other_period: bool = False
    apart: Histories | None = None
    beside: Mapping[str, pyarrow.Array] = field(default_factory=dict)
    clues: tuple[Clue, ...] = ()
    ordered: bool = False

    @property
    def release_people(self) -> int:
        """How many people the release is of, whatever number of names they have."""
        return int(self.name_person.max()) + 1

    @property
    def real_people(self) -> NDArray[numpy.bool_]:
        """Of the people of the release, those who have an original and a record: the others hide nobody."""
        return (self.truth >= 0) & (self.histories.release.records_of_each() > 0)

    def by_person(self) -> PairedTables:
        """The same, with the records of all names of one original person as one person's of the release.

        Otherwise a guess that leads to the right person under another name would count as wrong.
        """
        release = self.histories.release
        if release.people == self.release_people:
            return self
        truth = numpy.empty(self.release_people, dtype=numpy.int64)
        truth[self.name_person] = self.truth
        as_read = self.as_read and self._with_people_together(self.as_read)
        return replace(
            self, histories=self._with_people_together(self.histories), as_read=as_read, truth=truth,
            apart=self.seen,
        )  # fmt: skip

    def _with_people_together(self, both: Histories) -> Histories:
        person = self.name_person.astype(numpy.uint32)[both.release.person]
        together = replace(both.release, people=self.release_people, person=person).sort_records()
        return replace(both, release=together)

    @property
    def seen(self) -> Histories:
        """What everybody sees of the release, each value as it is written there."""
        return self.as_read or self.written or self.histories

    @property
    def unmatched(self) -> tuple[str, ...]:
        """Columns in which no value of the release is one of the original."""
        return tuple(each.column for each in self.comparisons if each.apart)


def pair_tables(
    original: Any,
    release: Any,
    truth: Truth | Mapping[Any, Any] | str | PathLike[str] | None = None,
    *,
    user: str | None = None,
    release_user: str | None = None,
    columns: Sequence[str] | None = None,
    also: Sequence[str] = (),
    beside: Sequence[str] | None = (),
    renamed: Mapping[str, str] | None = None,
    study: Study | str | PathLike[str] | None = None,
    missing: Missing = "value",
    without_records: bool = False,
    strangers: bool = False,
    clues: bool = False,
    periods: Periods | None = None,
    engine: str | None = None,
    memory: str | None = None,
    threads: int | None = None,
    csv: CsvFormat | None = None,
    release_csv: CsvFormat | None = None,
    progress: Progress = silent,
) -> PairedTables:
    """Both tables in the same codes, and the truth about the people of the release.

    Values are equal if their texts are, or as numbers where a table holds the column as numbers. A missing
    value is a value; records without a user belong to one unknown person, or are left out under the rule
    `drop`. `columns` are read, or all that an attacker may know, and `also` some; those `beside` are of the
    original alone, if it has them, and None is all of these. Without a truth map people keep their names;
    records that have none need a map, unless the release is the original. `without_records` allows people in
    the map whom a table lacks; `strangers` allows that nobody can say who is who, in which case it is not
    `known`. `renamed` is what columns are called in the release, beside what the study says. With `periods`
    the release is left out: it is the later part of the original. With `clues` it is looked at what tells who
    is who beside the values.

    >>> original = pyarrow.table({"who": ["ann", "bob"], "shop": ["x", "y"]})
    >>> release = pyarrow.table({"who": ["p1", "p2"], "shop": ["y", "x"]})
    >>> pair_tables(original, release, {"p1": "bob", "p2": "ann"}, user="who").truth.tolist()
    [1, 0]
    """
    _check_missing(missing)
    known, given = _truth(truth), study_of(study)
    first = source(original, csv=csv)
    origins = first, first if periods else source(release, csv=release_csv)
    with _open_engines(origins, engine, memory, threads) as engines:
        called = ("the table", "the table") if periods else ("the original", "the release")
        sides = _side(called[0], engines[0]), _side(called[1], engines[1])
        renaming = renaming_of(*sides, renamed, given)
        user = privacy_unit(engines[0], user, given)
        if user is None and given is not None:
            given = given.record_by_record()
        if user is None and periods:
            raise UsageError(NO_PEOPLE)
        asked = shared_columns(
            *sides, renaming, user=user, release_user=release_user, columns=columns, also=also, study=given
        )
        nameless = asked.user is None and known is None and not is_same_table(*origins)
        if nameless and not strangers:
            raise UsageError(NO_NAMES)
        alone = _original_alone(sides[0], asked, beside)
        read: list[AttackRecords] = []
        for step, (side, (names, who)) in enumerate(zip(sides, asked.by_side, strict=True)):
            if periods and step:
                read = [*periods.split(read[0], asked.columns)]
                break
            progress(f"reading {side.called}", step, len(sides))
            names = names if step else (*names, *alone)
            read.append(read_records(engines[step], side.called, names, who, missing))
        remarks = _remarks(engines, sides, asked, read)
        name = " and ".join(dict.fromkeys(each.name for each in engines))
    people = read[0].people, read[1].people
    if known:
        identities = identities_by_truth(*people, known, without_records)
    elif strangers and (nameless or not has_common_names(*people)):
        identities = unknown_identities(*people)
    else:
        identities = identities_by_name(*people)
    histories = _joint_histories(sides, asked, read, identities)
    wanted = clues and not periods and not is_same_table(*origins)
    unreleased = _unreleased(alone, len(histories.values), read[0]) if wanted else {}
    by_map = known is not None and asked.user is not None
    if by_map and wanted:
        unreleased = {**unreleased, str(asked.user): _old_names(identities)}
    told = _clues(histories, identities, by_map, unreleased) if wanted else ()
    sorted_both, others = _sort_records(histories, sides[0], alone, read[0])
    names = periods.names(first.name) if periods else (origins[0].name, origins[1].name)
    same = [] if periods else _same_table_remarks(origins, asked, histories, identities)
    return PairedTables(
        histories=sorted_both,
        user=asked.user,
        truth=identities.truth,
        original_names=identities.original.names,
        release_names=identities.release.names,
        name_person=identities.name_person(),
        original=names[0],
        release=names[1],
        engine=name,
        columns=asked.columns,
        remarks=(
            *dict.fromkeys(remarks),
            *([periods.remark] if periods else identities.remarks),
            *(each for each in _unmatched_remarks(histories) if not periods),
            *same,
        ),
        study=given,
        known=identities.known,
        beside=others,
        clues=told,
        ordered=wanted and _is_ordered(histories, None if asked.user is None else identities),
    )


def _is_ordered(both: Histories, named: Identities | None) -> bool:
    """By names too, where there are any: these are released as well."""
    if named is None:
        return is_sorted_by_values(both.release, both.values)
    codes = {**both.release.codes, NAME: both.release.person}
    values = {**both.values, NAME: tuple(named.release.names.to_pylist())}
    return is_sorted_by_values(replace(both.release, codes=codes), values)


def _unreleased(alone: Sequence[str], shared: int, read: AttackRecords) -> Unreleased:
    """What the original alone has, its values in their order."""
    found = {}
    for index, name in enumerate(alone, shared):
        found[name] = _in_order(read.texts.values[index], read.texts.codes[index])
    return found


def _old_names(identities: Identities) -> tuple[Code, tuple[str | None, ...]]:
    """Whose each record of the original is, by names in their order."""
    return _in_order(identities.original.names, identities.original.person)


def _in_order(values: pyarrow.Array, codes: Code) -> tuple[Code, tuple[str | None, ...]]:
    order = pyarrow.compute.sort_indices(values).to_numpy()
    rank = numpy.empty(len(order), dtype=numpy.uint32)
    rank[order] = numpy.arange(len(order), dtype=numpy.uint32)
    return rank[codes], tuple(values.take(pyarrow.array(order)).to_pylist())


def _clues(both: Histories, identities: Identities, by_map: bool, unreleased: Unreleased) -> tuple[Clue, ...]:
    """What the files' order gives away, and what names do that are others than before."""
    order = record_order_clue(both, identities.truth, unreleased)
    names = _name_clue(both, identities, unreleased) if by_map else None
    found = (("order", order), ("names", names))
    return tuple(Clue(kind, words) for kind, words in found if words)  # type: ignore[arg-type]


def _name_clue(both: Histories, identities: Identities, unreleased: Unreleased) -> str | None:
    """How new names follow from old ones, or from what the original alone has of people.

    Names that were kept are told elsewhere.
    """
    old = ["" if name is None else name for name in identities.original.names.to_pylist()]
    renamed = [
        (name, person)
        for name, person in zip(identities.release.names.to_pylist(), identities.truth.tolist(), strict=False)
        if name is not None and person >= 0 and old[person] not in ("", name)
    ]
    names = [name for name, _ in renamed]
    people = numpy.array([person for _, person in renamed], dtype=numpy.int64)
    lines, hidden = first_lines(both.original), {**unreleased, **_hidden_values(both)}
    return (
        name_derivation_clue(names, people, old, lines)
        or _value_clue(names, lines[people], hidden)
        or name_order_clue(names, {words: own[people] for words, own in _own_totals(both, hidden)})
    )


def _own_totals(both: Histories, hidden: Unreleased) -> Iterator[tuple[str, NDArray[numpy.float64]]]:
    """What somebody may sort people by that is not released: of all their records in the original."""
    original = both.original
    if original.records != both.release.records:
        yield "the number of records in the original", original.records_of_each().astype(numpy.float64)
    for name, (codes, values) in hidden.items():
        for words, own in totals_of_people(original, codes, values):
            yield f"{words} of {name} in the original", own


def _hidden_values(both: Histories) -> Unreleased:
    """Columns of both tables of which the release has only some of the original's values, or none."""
    found = {}
    for name, values in both.values.items():
        old, new = (
            numpy.bincount(side.codes[name], minlength=len(values)) > 0
            for side in (both.original, both.release)
        )
        if (old & new).sum() < old.sum() * LEAST_RELEASED:
            found[name] = both.original.codes[name], values
    return found


def _value_clue(names: Sequence[str], lines: Indices, unreleased: Unreleased) -> str | None:
    """By the first value that each has of a column, in the `lines` given; −1 for none."""
    for column, (codes, values) in unreleased.items():
        there = [
            (name, value)
            for name, line in zip(names, lines.tolist(), strict=True)
            if line >= 0 and (value := values[codes[line]]) is not None
        ]
        clue = value_derivation_clue([name for name, _ in there], [value for _, value in there], column)
        if clue:
            return clue
    return None


def _original_alone(original: Side, asked: SharedColumns, beside: Sequence[str] | None) -> tuple[str, ...]:
    read = (*asked.columns, asked.user)
    wanted = original.types if beside is None else [name for name in beside if name in original.types]
    return tuple(dict.fromkeys(name for name in wanted if name not in read))


def _sort_records(
    both: Histories, side: Side, alone: Sequence[str], read: AttackRecords
) -> tuple[Histories, dict[str, pyarrow.Array]]:
    """In the order of their values, and what the original alone has of these records."""
    first, shared = len(both.values), both.original
    own = dict(zip(alone, read.texts.codes[first : first + len(alone)], strict=True))
    whole = replace(shared, codes={**shared.codes, **own}).sort_records()
    texts = {}
    for index, name in enumerate(alone, first):
        values = read.texts.values[index]
        values = number_texts(values) if kind_of(side.types[name]) == "numbers" else values
        texts[name] = values.take(pyarrow.array(whole.codes[name]))
    original = replace(whole, codes={name: whole.codes[name] for name in shared.codes})
    release = original if not alone and both.are_equal() else both.release.sort_records()
    return replace(both, original=original, release=release), texts


def _check_missing(missing: Missing) -> None:
    if Question((), missing=missing).missing == "wildcard":
        raise UsageError("a missing value that matches all would match everybody; use the rule value or drop")


def _truth(truth: Truth | Mapping[Any, Any] | str | PathLike[str] | None) -> Truth | None:
    if truth is None or isinstance(truth, Truth):
        return truth
    if isinstance(truth, (str, PathLike)):
        return read_truth(truth)
    if isinstance(truth, Mapping):
        return truth_of(truth)
    raise UsageError(
        f"truth: a {type(truth).__name__} is no truth map; give a file's name or a mapping of names"
    )


@contextmanager
def _open_engines(
    origins: tuple[Source, Source], engine: str | None, memory: str | None, threads: int | None
) -> Iterator[tuple[Engine, Engine]]:
    """Both at once, for what is read of one depends on the other; the periods of a table are one engine's."""
    if origins[0] is origins[1]:
        (only,) = settings_of_each(origins[:1], engine, memory, threads)
        with refuse_changes(origins[0]), open_engine(origins[0], engine, **only) as table:
            yield table, table
        return
    first, second = settings_of_each(origins, engine, memory, threads, at_once=True)
    with (
        refuse_changes(origins[0]),
        refuse_changes(origins[1]),
        open_engine(origins[0], engine, **first) as original,
        open_engine(origins[1], engine, **second) as release,
    ):
        yield original, release


def _side(called: str, engine: Engine) -> Side:
    return Side(f"{called} {engine.source_name}", {each.name: each.type for each in engine.columns()})


def _joint_histories(
    sides: tuple[Side, Side], asked: SharedColumns, read: Sequence[AttackRecords], identities: Identities
) -> Histories:
    """The codes of each column mean the same in both tables from here on."""
    original, release, values = {}, {}, {}
    for index, name in enumerate(asked.columns):
        texts = [each.texts.values[index] for each in read]
        if "numbers" in _kinds(sides, asked, index):
            texts = _as_numbers(*texts)
        (first, second), together = common_codes(texts)
        original[name] = first[read[0].texts.codes[index]]
        release[name] = second[read[1].texts.codes[index]]
        values[name] = tuple(together.to_pylist())
    return Histories(
        History(len(identities.original.names), identities.original.person, original),
        History(len(identities.release.names), identities.release.person, release),
        values,
    )


def _as_numbers(original: pyarrow.Array, release: pyarrow.Array) -> list[pyarrow.Array]:
    """Numbers by one text each, unless the release writes one in several ways, which may tell more."""
    numbers = [number_texts(each) for each in (original, release)]
    return numbers if len(numbers[1].unique()) == len(release) else [original, release]


def _kinds(sides: tuple[Side, Side], asked: SharedColumns, index: int) -> tuple[Kind, Kind]:
    """Of which kind a column's values are in each table."""
    names = asked.columns[index], asked.release_columns[index]
    return kind_of(sides[0].types[names[0]]), kind_of(sides[1].types[names[1]])


def _remarks(
    engines: tuple[Engine, Engine],
    sides: tuple[Side, Side],
    asked: SharedColumns,
    read: Sequence[AttackRecords],
) -> list[str]:
    """What was guessed of the tables, whose records they hold, and how their columns are compared."""
    remarks = []
    for engine, side, (columns, _), records in zip(engines, sides, asked.by_side, read, strict=True):
        remarks += [f"{side.called}: {each}" for each in (*engine.remarks, *zone_remarks(engine, columns))]
        remarks += records.remarks
    if asked.user is None:
        remarks.append(NO_USER)
    for index, name in enumerate(asked.columns):
        original, release = _kinds(sides, asked, index)
        if original != release:
            how = AS_NUMBERS if "numbers" in (original, release) else AS_TEXT
            remarks.append(
                f"column {name!r} holds {original} in the original and {release} in the release: {how}"
            )
    return remarks


def _unmatched_remarks(histories: Histories) -> list[str]:
    """A column in which nothing agrees is often written in another way."""
    remarks = []
    for name, values in histories.values.items():
        sides = histories.original.codes[name], histories.release.codes[name]
        original, release = (numpy.bincount(codes, minlength=len(values)) > 0 for codes in sides)
        if not (original & release).any():
            remarks.append(NOTHING_AGREES.format(name))
    return remarks


def _same_table_remarks(
    origins: tuple[Source, Source], asked: SharedColumns, histories: Histories, identities: Identities
) -> list[str]:
    if is_same_table(*origins):
        return [ITSELF.format("it is the same data")]
    names = identities.original.indices(identities.release.names, as_numbers=False) if asked.user else None
    return [ITSELF.format(SAME_RECORDS)] if have_same_records(histories, names) else []


def is_same_table(original: Source, release: Source) -> bool:
    if original.frame is not None or release.frame is not None:
        return original.frame is release.frame
    if original.table != release.table:
        return False
    first, second = ([path.resolve() for path in each.files()] for each in (original, release))
    return first == second if first or second else original.place == release.place

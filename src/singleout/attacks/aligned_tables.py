"""Two tables as an intruder compares them: brought to what they have in common, and what is told of that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy
from numpy.typing import NDArray

from singleout.attacks.alignment.alignment import align
from singleout.attacks.alignment.column_comparison import ColumnComparison
from singleout.attacks.alignment.reading import (
    How,
    PeopleOfBoth,
    agree_together,
    equal_reading,
    is_empty,
    literal_reading,
)
from singleout.attacks.attacker_knowledge import cut_to_days, in_words
from singleout.attacks.column_models import is_shift, trace_model
from singleout.attacks.linkage.item_sets import tuples_as_items
from singleout.attacks.paired_tables import NOTHING_AGREES, PairedTables
from singleout.engine.codes.histories import Histories, History, Indices
from singleout.engine.missing_values import Missing
from singleout.errors import InputError
from singleout.recipe.trace import Added, Blanked, Renamed
from singleout.roles.hierarchies.hierarchy import read_hierarchies
from singleout.roles.hierarchies.level_rules import SUPPRESSED
from singleout.roles.known_column import KnownColumn

Hierarchies = str | PathLike[str] | Mapping[str, Any] | None

COMPARED_AS = "column {!r}: values of the release are compared with the original's, {}"
PARTLY = (
    "column {!r}: of the released values only {:.0%} are the person's own: somebody who knows how they were "
    "changed may recognise more people than attacks that look for equal values"
)
FINER = (
    "column {!r}: the release tells values apart that are the same to these attacks, such as several "
    "writings of one; whoever knows what makes them different may recognise more people"
)
NOT_COMPARED = (
    "column {!r} could not be compared: no way to read its values makes the release agree with the original; "
    "what an intruder does who knows how it was changed is not known"
)


NOT_THEIR_OWN = (
    "the release can't come from this recipe: it leaves {} as they were, and people's released values are "
    "not their own; give the recipe that it was made by, and the right truth map"
)


def align_tables(
    read: PairedTables, hierarchies: Hierarchies = None, missing: Missing = "value"
) -> PairedTables:
    """Both tables aligned, with how each column is compared: by the recipe, or as values show.

    Several names of one person are one person from here on.
    """
    read = read.by_person()
    levels, about = ({}, ()) if hierarchies is None else read_hierarchies(hierarchies, read.columns)
    if read.traces is None:
        both, comparisons = align(read.histories, read.truth, levels, drop=missing == "drop")
    else:
        both, comparisons = read.histories, tuple(_by_recipe(read, name) for name in read.columns)
        odd = _contradicted_columns(
            read, [each.column for each in comparisons if each.exact and not each.empty]
        )
        comparisons = tuple(
            replace(each, exact=each.exact and each.column not in odd) for each in comparisons
        )
    told = [NOTHING_AGREES.format(each.column) for each in comparisons]
    remarks = [*(each for each in read.remarks if each not in told), *about, *_remarks(comparisons)]
    return replace(
        read, histories=both, written=read.histories, comparisons=comparisons, remarks=tuple(remarks),
        added=_has_added_records(read, comparisons),
        incomplete=_lacks_records(read) or _has_blank_records(read, comparisons),
        selected=_lacks_people(read),
    )  # fmt: skip


def _contradicted_columns(read: PairedTables, exact: Sequence[str]) -> list[str]:
    """Columns that the recipe leaves exact, with a few values that are not their person's own.

    Many are an error, whoever people are by the truth map: the release does not come from this recipe.
    """
    people = PeopleOfBoth.of(read.histories, read.truth)
    if not (people.original.records and people.release.records):
        return []
    values, traces = read.histories.values, read.traces or {}
    agreements = {name: people.shares(name, equal_reading(values[name])) for name in exact}
    if odd := [name for name, each in agreements.items() if each.records and not each.fits]:
        raise InputError(NOT_THEIR_OWN.format(in_words(odd)))
    for name in exact:
        # what is missing is told by the recipe, too
        if not any(isinstance(each, Blanked) for each in traces[name]) and not people.is_whole(name):
            agreements[name] = people.shares(name, literal_reading(values[name]))
    return [name for name, each in agreements.items() if each.records and not each.is_exact]


def compare_as_written(read: PairedTables) -> PairedTables:
    """Values as they are, where nothing was changed and both tables hold other records of the same people."""
    plain = tuple(ColumnComparison(name, "equal", "as they are", exact=True) for name in read.columns)
    read = read.by_person()
    return replace(read, written=read.histories, comparisons=plain, other_period=True)


def _by_recipe(read: PairedTables, name: str) -> ColumnComparison:
    """What the recipe says of a column."""
    assert read.traces is not None
    left = [each for each in read.traces[name] if not isinstance(each, Blanked)]
    blanks = len(left) < len(read.traces[name])
    if is_empty(read.histories, name):
        return ColumnComparison(name, "equal", "which are left out", exact=True, empty=True)
    if name in read.approximate:
        return ColumnComparison(name, "none", "a rule of the recipe follows on something drawn")
    if not left:
        how: How = "replayed" if name in read.touched else "equal"
        words = "after the steps of the recipe" if how == "replayed" else "as they are"
        coarse = name in read.rewritten
        return ColumnComparison(name, how, words, exact=True, blanks=blanks, coarse=coarse)
    if len(left) == 1 and is_shift(left[0]):
        return ColumnComparison(name, "gaps", "by the gaps between a person's dates")
    if len(left) == 1 and isinstance(left[0], Added):
        return ColumnComparison(name, "equal", "as they are, dummies being among them", exact=True)
    if len(left) == 1 and isinstance(left[0], Renamed):
        return ColumnComparison(name, "role", "by the roles that values play")
    if trace_model(read, name, left) is not None:
        return ColumnComparison(name, "likelihood", "by how likely the recipe makes each", blanks=blanks)
    return ColumnComparison(name, "none", "the recipe changes them in a way that has no attack here")


def _has_added_records(read: PairedTables, comparisons: Sequence[ColumnComparison]) -> bool:
    """As the recipe says, or where somebody's own values are there, in more records than in the original."""
    if any(isinstance(each, Added) for traces in (read.traces or {}).values() for each in traces):
        return True
    if not any(each.exact for each in comparisons):
        return False
    real = read.truth >= 0
    known, seen = (side.records_of_each() for side in (read.histories.original, read.histories.release))
    return bool((seen[real] > known[read.truth[real]]).any())


def _lacks_records(read: PairedTables) -> bool:
    """Whether records of people who are there were left out, by a rule that nobody told or by chance."""
    real = read.truth >= 0
    known, seen = (side.records_of_each() for side in (read.histories.original, read.histories.release))
    return bool((seen[real] < known[read.truth[real]]).any())


def _has_blank_records(read: PairedTables, comparisons: Sequence[ColumnComparison]) -> bool:
    """Whether records were blanked in every column: how many of them somebody has may tell who it is."""
    if not any(each.blanks for each in comparisons):
        return False
    blank = [_blank_records(read, each.column) for each in comparisons]
    return bool(numpy.logical_and.reduce(blank).any())


def _lacks_people(read: PairedTables) -> bool:
    """Whether people were left out by a rule, or by nothing that the recipe says: who knows it looks for the
    others among fewer."""
    told = read.thinned and not read.selected
    there = read.histories.original.records_of_each() > 0
    there[read.truth[read.truth >= 0]] = False
    return not told and bool(there.any())


def alike_people(read: PairedTables, columns: Sequence[str]) -> Indices:
    """A number for each person of the release, equal where the released records are, each as often.

    Who has several names is seen as several: how the records are divided among them may tell who it is.
    """
    if read.apart is None:
        return tuples_as_items(read.seen, columns).release.indistinguishable(with_counts=True)
    looks = tuples_as_items(read.apart, columns).release.indistinguishable(with_counts=True)
    names = History(
        read.release_people, read.name_person.astype(numpy.uint32), {"name": looks.astype(numpy.uint32)}
    )
    both = Histories(names, names, {"name": tuple(map(str, range(len(looks))))})
    return tuples_as_items(both, ["name"]).release.indistinguishable(with_counts=True)


def uncompared_columns(read: PairedTables, columns: Sequence[str]) -> tuple[str, ...]:
    """Of some columns those of which an intruder may see more than these attacks do."""
    coarse = {each.column for each in read.comparisons if each.coarse}
    changed = changed_columns(read, columns)
    return tuple(name for name in columns if name in coarse or name in changed)


def changed_columns(read: PairedTables, columns: Sequence[str]) -> tuple[str, ...]:
    """Of some columns those whose values can't all be taken for equal or not, all of them if not together.

    Records in which all columns are blank tell as little as records that are left out; where only some are,
    an intruder passes over these, which attacks that look for equal values do not.
    """
    compared = {each.column: each for each in read.comparisons}
    alone = [name for name in columns if not compared[name].exact or _is_partly_blank(read, name)]
    if alone or len(columns) < 2 or agree_together(read.histories, read.truth, columns):
        return tuple(alone)
    return tuple(columns)


def _is_partly_blank(read: PairedTables, name: str) -> bool:
    """Whether it is blank in records that say something elsewhere: by which rule may tell whose they are."""
    if not next(each.blanks for each in read.comparisons if each.column == name):
        return False
    blank = {each.column: _blank_records(read, each.column) for each in read.comparisons}
    whole = numpy.logical_and.reduce([*blank.values()])
    return bool((blank[name] & ~whole).any())


def _blank_records(read: PairedTables, name: str) -> NDArray[numpy.bool_]:
    values = read.histories.values[name]
    blank = numpy.array([value in (None, SUPPRESSED) for value in values], dtype=numpy.bool_)
    return blank[read.histories.release.codes[name]]


def align_days(read: PairedTables, columns: Sequence[str]) -> PairedTables:
    """Dates with a time of day by their days alone, where they do not agree as they are.

    What else the release writes of a day, these do not see.
    """
    for name in columns:
        comparison = next(each for each in read.comparisons if each.column == name)
        if not comparison.exact and read.traces is None and read.written is not None:
            days = cut_to_days(read.written.only_column(name), name)
            both, (by_days,) = align(days, read.truth)
            by_days = replace(by_days, coarse=by_days.coarse or _has_several_a_day(read.written, days, name))
            others = (each for each in read.comparisons if each.column != name)
            read = replace(
                read, histories=read.histories.with_column_of(both, name), comparisons=(*others, by_days)
            )
    return read


def _has_several_a_day(written: Histories, days: Histories, name: str) -> bool:
    """Whether the release tells values apart that are one day: their times may be changed, and tell more."""
    values, cut = (len(numpy.unique(side.release.codes[name])) for side in (written, days))
    return cut < values


def columns_as_known(read: PairedTables, columns: Sequence[KnownColumn]) -> tuple[KnownColumn, ...]:
    """Columns that are compared in another form are known as finely as the release has them.

    That is at least as much as a coarser granularity or a tolerance would tell: it errs on the safe side.
    """
    other = {each.column for each in read.comparisons if each.how in ("form", "hierarchy")}
    return tuple(KnownColumn(each.name) if each.name in other else each for each in columns)


def _remarks(comparisons: Sequence[ColumnComparison]) -> Iterator[str]:
    for each in comparisons:
        if each.how == "none":
            yield NOT_COMPARED.format(each.column)
        elif each.how != "equal":
            yield COMPARED_AS.format(each.column, each.words)
        elif not each.exact and each.own is not None:
            yield PARTLY.format(each.column, each.own)
        if each.coarse:
            yield FINER.format(each.column)

"""Two tables as an intruder compares them: brought to what they have in common, and what is told of that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

from singleout.attacks.alignment.alignment import align
from singleout.attacks.alignment.column_comparison import ColumnComparison
from singleout.attacks.attacker_knowledge import cut_to_days
from singleout.attacks.paired_tables import NOTHING_AGREES, PairedTables
from singleout.engine.missing_values import Missing
from singleout.roles.hierarchies.hierarchy import read_hierarchies
from singleout.roles.known_column import KnownColumn

Hierarchies = str | PathLike[str] | Mapping[str, Any] | None

COMPARED_AS = "column {!r}: values of the release are compared with the original's, {}"
PARTLY = (
    "column {!r}: of the released values only {:.0%} are the person's own: somebody who knows how they were "
    "changed may recognise more people than attacks that look for equal values"
)
NOT_COMPARED = (
    "column {!r} could not be compared: no way to read its values makes the release agree with the original; "
    "what an intruder does who knows how it was changed is not known"
)


def align_tables(
    read: PairedTables, hierarchies: Hierarchies = None, missing: Missing = "value"
) -> PairedTables:
    """Both tables aligned, with how each column is compared; several names of one person are one person."""
    read = read.by_person()
    levels, about = ({}, ()) if hierarchies is None else read_hierarchies(hierarchies, read.columns)
    both, comparisons = align(read.histories, read.truth, levels, drop=missing == "drop")
    told = [NOTHING_AGREES.format(each.column) for each in comparisons]
    remarks = [*(each for each in read.remarks if each not in told), *about, *_remarks(comparisons)]
    return replace(
        read, histories=both, written=read.histories, comparisons=comparisons, remarks=tuple(remarks)
    )


def align_days(read: PairedTables, columns: Sequence[str]) -> PairedTables:
    """Dates with a time of day by their days alone, where they do not agree as they are."""
    for name in columns:
        comparison = next(each for each in read.comparisons if each.column == name)
        if not comparison.exact and read.written is not None:
            days = cut_to_days(read.written.only_column(name), name)
            both, (by_days,) = align(days, read.truth)
            others = (each for each in read.comparisons if each.column != name)
            read = replace(
                read, histories=read.histories.with_column_of(both, name), comparisons=(*others, by_days)
            )
    return read


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
            continue
        if each.how != "equal":
            yield COMPARED_AS.format(each.column, each.words)
        if not each.exact:
            yield PARTLY.format(each.column, each.own)

"""Values of a release that are the beginnings of the original's, and columns in which nothing agrees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy

from singleout.attacks.paired_tables import NOTHING_AGREES, PairedTables
from singleout.engine.codes.histories import Code, Histories, History, Value

# values are taken for beginnings if these records agree when cut, and no more than those before
NEARLY_ALL, HALF = 0.9, 0.5


def cut_to_release(both: Histories) -> tuple[Histories, dict[str, int]]:
    """The original's values cut like the release's, where these are their beginnings; and to which length.

    Somebody who sees 2023-06 in a release knows to look for it in what he knows as 2023-06-13.

    >>> from numpy import array, uint32
    >>> known = History(2, array([0, 1], uint32), {"day": array([0, 1], uint32)})
    >>> seen = History(2, array([0, 1], uint32), {"day": array([2, 3], uint32)})
    >>> days = ("2023-06-13", "2023-07-01", "2023-06", "2023-07")
    >>> found, lengths = cut_to_release(Histories(known, seen, {"day": days}))
    >>> lengths, found.values["day"], found.original.codes["day"].tolist()
    ({'day': 7}, ('2023-06', '2023-07'), [0, 1])
    """
    lengths = {name: length for name in both.values if (length := _prefix_length(both, name))}
    for name, length in lengths.items():
        labels = [None if value is None else value[:length] for value in both.values[name]]
        number = {label: index for index, label in enumerate(dict.fromkeys(labels))}
        code = numpy.array([number[label] for label in labels], dtype=numpy.uint32)
        both = _recode_column(both, name, code, tuple(number))
    return both, lengths


def agreeing_share(both: Histories, name: str) -> float:
    """The share of the release's filled records whose value in a column is one of the original's."""
    known = {both.values[name][code] for code in numpy.unique(both.original.codes[name]).tolist()}
    return _share(_records(both.release.codes[name], both.values[name]), known)


def _prefix_length(both: Histories, name: str) -> int | None:
    """How long they are; None where they are none, or agree as they are."""
    released = _records(both.release.codes[name], both.values[name])
    if not released or agreeing_share(both, name) > HALF:
        return None
    length = max(map(len, released))
    originals = {both.values[name][code] for code in numpy.unique(both.original.codes[name]).tolist()}
    begun = {value[:length] for value in originals if value}
    return length if length and _share(released, begun) >= NEARLY_ALL else None


def _records(codes: Code, values: tuple[Value, ...]) -> dict[str, int]:
    """How many records have each value, of those that have one."""
    counts = numpy.bincount(codes, minlength=len(values)).tolist()
    found = zip(values, counts, strict=True)
    return {value: number for value, number in found if value is not None and number}


def _share(records: Mapping[str, int], known: set[Value] | set[str]) -> float:
    every = sum(records.values())
    return sum(number for value, number in records.items() if value in known) / every if every else 0.0


def _recode_column(both: Histories, name: str, code: Code, values: tuple[Value, ...]) -> Histories:
    def cut(side: History) -> History:
        return replace(side, codes={**side.codes, name: code[side.codes[name]]})

    return Histories(cut(both.original), cut(both.release), {**both.values, name: values})


CUT = "column {!r}: the release has the first {:,} characters of values only; attackers compare these"


def align_tables(read: PairedTables) -> PairedTables:
    """The original cut like the release where that was cut, and the columns in which nothing agrees."""
    both, lengths = cut_to_release(read.histories)
    unmatched = tuple(name for name in both.values if not agreeing_share(both, name))
    mended = [NOTHING_AGREES.format(name) for name in lengths]
    remarks = [each for each in read.remarks if each not in mended]
    remarks += [CUT.format(name, length) for name, length in lengths.items()]
    return replace(read, histories=both, unmatched=unmatched, remarks=tuple(remarks))

"""Whom attacks name: the best candidates for each name of the release, as an attacker hands in guesses."""

from __future__ import annotations

from collections.abc import Iterable

import numpy
import pyarrow

from singleout.attacks.linkage.candidates import NOBODY, Candidates
from singleout.attacks.paired_tables import PairedTables

SCHEMA = pyarrow.schema(
    [
        ("attack", pyarrow.string()),
        ("release_user", pyarrow.large_string()),
        ("original_user", pyarrow.large_string()),
        ("confidence", pyarrow.float64()),
    ]
)


def named_candidates(read: PairedTables, lists: Iterable[tuple[str, Candidates]]) -> pyarrow.Table:
    """One row an attack, name and candidate; those that are equally good share the confidence.

    Of more than are listed of each person, those that are not listed have their share too.
    """
    return pyarrow.concat_tables([SCHEMA.empty_table(), *(_named(read, *each) for each in lists)])


def _named(read: PairedTables, attack: str, best: Candidates) -> pyarrow.Table:
    first = (best.score == best.score[:, :1]) & (best.person != NOBODY)
    all_tied = best.score[:, -1] == best.score[:, 0]
    tied = numpy.where(all_tied, best.tied_last, first.sum(axis=1))
    names, places = numpy.nonzero(first[read.name_person])
    people = read.name_person[names]
    return pyarrow.table(
        [
            pyarrow.array([attack] * len(names), pyarrow.string()),
            read.release_names.take(pyarrow.array(names)),
            read.original_names.take(pyarrow.array(best.person[people, places])),
            1.0 / tied[people],
        ],
        schema=SCHEMA,
    )

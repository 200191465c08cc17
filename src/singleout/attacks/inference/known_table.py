"""A table as somebody knows it who guesses a sensitive column: whose each record is, and ordered codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy
import pyarrow
import pyarrow.compute
from numpy.typing import NDArray

from singleout.attacks.attack_records import AttackRecords
from singleout.engine.codes.column_numbers import Kind, amounts_of, kind_of, seconds_of
from singleout.engine.codes.histories import Code, History
from singleout.engine.codes.spelling_variants import SpellingGroups, spelling_groups

Flags = NDArray[numpy.bool_]
# a column whose first texts are of no kind is a category, whatever follows
FIRST_TEXTS = 100
# more are read at once, as the nearest float64
MANY_TEXTS = 10_000


@dataclass(frozen=True, eq=False)
class OrderedValues:
    """What a column's codes are: `count` values in the order of numbers, times or texts; a missing one last.

    `missing` is its code, or None where no value is missing.
    """

    kind: Kind
    count: int
    missing: int | None

    @property
    def ordered(self) -> bool:
        return self.kind != "category"


@dataclass(frozen=True, eq=False)
class KnownTable:
    """Records person by person in an order that the file's does not change; `sensitive` is guessed.

    `spellings` tells which of its values differ in their spelling alone, None where none does.
    """

    history: History
    values: Mapping[str, OrderedValues]
    sensitive: str
    spellings: SpellingGroups | None = None

    @property
    def known(self) -> tuple[str, ...]:
        return tuple(name for name in self.history.codes if name != self.sensitive)

    @property
    def several(self) -> bool:
        """Whether somebody has several records."""
        return self.history.records > self.history.people

    def only(self, kept: Flags) -> KnownTable:
        """Some of the records, and the people who have any of them."""
        if kept.all():
            return self
        left = self.history.only(kept)
        people, person = numpy.unique(left.person, return_inverse=True)
        history = History(len(people), person.astype(numpy.uint32), left.codes)
        return replace(self, history=history)

    def with_one_spelling(self) -> KnownTable | None:
        """The same, the values to be guessed being one if they differ in their spelling alone."""
        if self.spellings is None:
            return None
        codes, about, groups = self.history.codes, self.values[self.sensitive], self.spellings
        history = replace(self.history, codes={**codes, self.sensitive: groups.of[codes[self.sensitive]]})
        one = OrderedValues(about.kind, groups.count, groups.blank)
        return KnownTable(history, {**self.values, self.sensitive: one}, self.sensitive)

    def filled(self, names: Sequence[str]) -> Flags:
        """Which records have a value in all of these columns."""
        kept = numpy.ones(self.history.records, dtype=numpy.bool_)
        for name in names:
            if (missing := self.values[name].missing) is not None:
                kept &= self.history.codes[name] != missing
        return kept


def known_table(
    read: AttackRecords, columns: Sequence[str], known: Sequence[str], sensitive: str, single: bool
) -> KnownTable:
    """From records as they were read, of which `columns` are all; `single`: each record is a person."""
    codes: dict[str, Code] = {}
    values: dict[str, OrderedValues] = {}
    for name in (*known, sensitive):
        index = columns.index(name)
        rank, values[name] = _ordered_values(name, read.texts.values[index])
        codes[name] = rank[read.texts.codes[index]]
        if name == sensitive:
            spellings = _spellings(rank, read.texts.values[index])
    records = len(codes[sensitive])
    if single:
        # people without a name are told apart by nothing but what they have
        whole = History(1, numpy.zeros(records, dtype=numpy.uint32), codes).sort_records()
        person = numpy.arange(records, dtype=numpy.uint32)
        return KnownTable(History(records, person, whole.codes), values, sensitive, spellings)
    people, whose = numpy.unique(read.people.person, return_inverse=True)
    history = History(len(people), whose.astype(numpy.uint32), codes).sort_records()
    return KnownTable(history, values, sensitive, spellings)


def _spellings(rank: Code, texts: pyarrow.LargeStringArray) -> SpellingGroups | None:
    return spelling_groups(texts.take(pyarrow.array(numpy.argsort(rank))).to_pylist())


def _ordered_values(name: str, texts: pyarrow.LargeStringArray) -> tuple[Code, OrderedValues]:
    """For each code as it was read its place in the order; equal numbers in two writings stay apart."""
    order = pyarrow.compute.sort_indices(texts).to_numpy()
    kind, numbers = _numbers(name, texts.take(pyarrow.array(order)))
    if numbers is not None:
        missing = texts.is_null().to_numpy(zero_copy_only=False)[order]
        order = order[numpy.lexsort((numbers, missing))]
    rank = numpy.empty(len(texts), dtype=numpy.uint32)
    rank[order] = numpy.arange(len(texts), dtype=numpy.uint32)
    missing_code = len(texts) - 1 if texts.null_count else None
    return rank, OrderedValues(kind, len(texts), missing_code)


def _numbers(name: str, texts: pyarrow.LargeStringArray) -> tuple[Kind, NDArray[Any] | None]:
    """The kind of some texts, and what they are as numbers or seconds; None for categories."""
    if kind_of(texts.drop_null()[:FIRST_TEXTS].to_pylist()) == "category":
        return "category", None
    if len(texts) > MANY_TEXTS:
        with suppress(pyarrow.ArrowInvalid):
            return "number", texts.cast(pyarrow.float64()).fill_null(0).to_numpy()
    listed = texts.to_pylist()
    kind = kind_of(listed)
    if kind == "category":
        return kind, None
    read = amounts_of(name, listed) if kind == "number" else seconds_of(name, listed)
    return kind, read.numbers

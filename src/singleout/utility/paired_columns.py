"""What utility is measured on: an original and its release in the same codes, and what their columns mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy
from numpy.typing import NDArray

from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.histories import Code, Histories
from singleout.engine.codes.numbering import distinct_keys, join_codes
from singleout.errors import UsageError, name_hint

# the parts that columns play in a metric, by the names of the fields of Meaning
Part = Literal[
    "item", "time", "amount", "number", "receipt", "category", "entry", "exit", "routes", "location", "groups"
]
PARTS: tuple[Part, ...] = get_args(Part)
NUMBERS: tuple[Part, ...] = ("time", "amount", "number")
NO_ORIGINAL = -1
Counts = NDArray[numpy.int64]


class NoAnswerError(Exception):
    """These two tables leave a metric without an answer; the text is the reason."""


@dataclass(frozen=True)
class Meaning:
    """Which column is what; metrics of columns that are not named are left out.

    `time` are dates with or without times, beside them perhaps times of day; `amount` is a price or a fare,
    `number` how many were bought at that price; `category` is a record's kind, as a card's usage; `groups`
    say something of the person, such as sex and nationality.

    >>> Meaning(amount="fare", routes=("line in", "line out")).of("routes")
    ('line in', 'line out')
    """

    item: str | None = None
    time: tuple[str, ...] = ()
    amount: str | None = None
    number: str | None = None
    receipt: str | None = None
    category: str | None = None
    entry: str | None = None
    exit: str | None = None
    routes: tuple[str, ...] = ()
    location: str | None = None
    groups: tuple[str, ...] = ()

    def of(self, part: Part) -> tuple[str, ...]:
        """The columns that play a part."""
        named: str | tuple[str, ...] | None = getattr(self, part)
        return (named,) if isinstance(named, str) else named or ()

    def names(self) -> frozenset[str]:
        """The columns whose values are names, also where they are written as numbers."""
        return frozenset(column for part in PARTS if part not in NUMBERS for column in self.of(part))


@dataclass(frozen=True, eq=False)
class CodedColumns:
    """Each record of both tables by one number, 0 … count−1, that means the same in both."""

    original: Code
    release: Code
    count: int

    def counts(self) -> tuple[Counts, Counts]:
        """How many records of each table have each number."""
        original = numpy.bincount(self.original, minlength=self.count)
        return original, numpy.bincount(self.release, minlength=self.count)


@dataclass(frozen=True, eq=False)
class PairedColumns:
    """Two tables, for each person of the release the original one's number or −1, and what columns mean.

    `lacking` are columns of the original that the release does not have. If it is not `known` who is who,
    what is asked of people one by one has no answer. The order of records plays no part.
    """

    histories: Histories
    truth: NDArray[numpy.int64]
    meaning: Meaning = Meaning()
    lacking: tuple[str, ...] = ()
    seed: int = 0
    threads: int = 1
    known: bool = True

    def __post_init__(self) -> None:
        known = self.every_column
        named = [column for part in PARTS for column in self.meaning.of(part)]
        faults = [f"no column {each!r}; {name_hint(each, known)}" for each in named if each not in known]
        if faults:
            raise UsageError(f"there is {', and '.join(dict.fromkeys(faults))}")
        if len(self.truth) != self.histories.release.people:
            raise UsageError("the truth has as many entries as the release has people")

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that both tables have."""
        return tuple(self.histories.values)

    @property
    def every_column(self) -> tuple[str, ...]:
        """Those of the original."""
        return (*self.columns, *self.lacking)

    @property
    def records(self) -> int:
        """Those of both tables together."""
        return self.histories.original.records + self.histories.release.records

    def codes(self, column: str) -> CodedColumns:
        both = self.histories
        return CodedColumns(both.original.codes[column], both.release.codes[column], len(both.values[column]))

    def joint(self, columns: Sequence[str], threads: int = 1) -> CodedColumns:
        """Records have the same number if they are alike in all columns."""
        return joint_codes([self.codes(column) for column in columns], threads)

    def slots(self) -> CodedColumns:
        """Each record by its person: the people of the original, and behind them those made up.

        Who has several names in the release is one person.
        """
        if not self.known:
            raise NoAnswerError("it is not known who is who; a truth map says so")
        original, release = self.histories.original, self.histories.release
        made_up = self.truth == NO_ORIGINAL
        index = numpy.where(made_up, original.people - 1 + numpy.cumsum(made_up), self.truth)
        slot = index.astype(numpy.uint32)[release.person]
        return CodedColumns(original.person, slot, original.people + int(made_up.sum()))


def joint_codes(parts: Sequence[CodedColumns], threads: int = 1) -> CodedColumns:
    if len(parts) == 1:
        return parts[0]
    both = (Codes(numpy.concatenate((each.original, each.release)), each.count) for each in parts)
    codes = join_codes(both, threads)
    original, release = numpy.split(codes.codes, [len(parts[0].original)])
    return CodedColumns(original, release, codes.count)


def distinct_pairs(person: Code, value: Code, count: int) -> tuple[Counts, Counts]:
    """Each pair of a person and a value, 0 … count−1, that some record has: once, in their order."""
    pairs = distinct_keys(person.astype(numpy.int64) * count + value)
    people, values = numpy.divmod(pairs, max(1, count))
    return people, values

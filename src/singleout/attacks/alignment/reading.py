"""A way to compare a column's values: what each becomes on either side, and how much that tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy
from numpy.typing import NDArray

from singleout.engine.codes.dictionary import Codes
from singleout.engine.codes.histories import Code, Histories, History, Indices, Value
from singleout.engine.codes.numbering import distinct_keys, join_codes
from singleout.engine.codes.parallel import key_of
from singleout.roles.hierarchies.level_rules import SUPPRESSED

Label = str | None
How = Literal["equal", "form", "hierarchy", "replayed", "likelihood", "gaps", "role"]
# values that a reading does not fit agree with nothing on the other side
UNREAD_ORIGINAL, UNREAD_RELEASE = "\0of the original", "\0of the release"
MISSING = "\0missing"
# a reading is taken if nearly all of a person's released values are own ones, or the other way round
NEARLY_ALL = 0.99
# what a reading must tell of people, in bits a value, to be more than chance; or how alike the shares are
LEAST_BITS, ALIKE = 0.02, 0.95
# how many released records are looked at to choose a reading
MOST_RECORDS = 50_000
# how often a released value is nothing of the person's own, of which the likeliest counts
CHANGED_SHARES = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8)


@dataclass(frozen=True, eq=False)
class Reading:
    """`original` and `release` are what each value becomes in that table, by its code; None is missing.

    A rule that was `guessed` from the values themselves may fit by chance.
    """

    how: How
    words: str
    original: tuple[Label, ...]
    release: tuple[Label, ...]
    guessed: bool = False

    def numbers(self) -> tuple[Indices, Indices, tuple[Label, ...]]:
        """The labels as numbers that mean the same on both sides, those that are missing the last."""
        filled = dict.fromkeys(label for label in (*self.original, *self.release) if label is not None)
        labels: tuple[Label, ...] = (*filled, None)
        number = {label: index for index, label in enumerate(labels)}
        sides = (self.original, self.release)
        original, release = (numpy.array([number[label] for label in side], numpy.int64) for side in sides)
        return original, release, labels


@dataclass(frozen=True)
class Agreement:
    """How well the released values of people agree with their own, missing ones aside.

    `information` is how many bits a released value gives away about its person on average, beyond what a
    stranger's records would, None where that was not asked; `own` the share of released values that are among
    the person's own, as often as there, and `kept` the share of the person's own that are among those
    released; `overlap` is how much of the values' shares both tables have in common. A reading is `lossy`
    where it takes different values for the same in both tables, and `merges` values where it does so in one
    of them; `coarse` if it takes any two released ones for the same. With `blanks` the release lacks values
    that the original has, or has a star where that has none. `records` are the released ones that were looked
    at, and there are `more` of some people than the original has of them.
    """

    information: float | None = 0.0
    own: float = 0.0
    kept: float = 0.0
    overlap: float = 0.0
    lossy: bool = False
    blanks: bool = False
    merges: bool = False
    coarse: bool = False
    records: int = 0
    more: bool = False

    @property
    def fits(self) -> bool:
        """Whether the reading explains the column, but for a few values."""
        return max(self.own, self.kept) >= NEARLY_ALL and not self.lossy

    @property
    def is_exact(self) -> bool:
        """Whether equal values are all that the column tells: not one was changed or cut further.

        The few that were may be those of the very people who stand out. Where nobody has more records than
        before, a value that is not the person's own stands in the place of one, or where none was.
        """
        return (self.own == 1 or (self.kept == 1 and self.more)) and not self.lossy

    @property
    def is_more_than_chance(self) -> bool:
        """Where people have every value, they agree whatever it is called; the values' shares then tell."""
        return self.bits >= LEAST_BITS or (self.fits and self.overlap >= ALIKE)

    @property
    def bits(self) -> float:
        """The information, which somebody asked for."""
        assert self.information is not None
        return self.information


@dataclass(frozen=True, eq=False)
class PeopleOfBoth:
    """Records of people who are in both tables, a person having the same number in both.

    Whoever made the release knows how, and so does the intruder; the truth about people stands in for that
    knowledge where nobody says it, and chooses how columns are read.
    """

    original: History
    release: History
    values: Mapping[str, tuple[Value, ...]]
    counts: dict[str, Indices]
    people: int

    @classmethod
    def of(cls, both: Histories, truth: Indices, most: int | None = None) -> PeopleOfBoth:
        """Everybody, or so many that they have about `most` records."""
        chosen = truth >= 0 if most is None else _some_people(both.release, truth, most)
        number = numpy.full(max(both.original.people, 1), -1, dtype=numpy.int64)
        originals = distinct_keys(truth[chosen])
        number[originals] = numpy.arange(len(originals))
        released = numpy.where(chosen, number[numpy.maximum(truth, 0)], -1)
        counts = {
            name: numpy.bincount(both.original.codes[name], minlength=len(values))
            for name, values in both.values.items()
        }
        sides = _renumber(both.original, number), _renumber(both.release, released)
        return cls(*sides, both.values, counts, len(originals))

    def agreement(self, name: str, reading: Reading) -> Agreement:
        """How well a column agrees under a reading.

        A label of the release is q(label | its person) + chance: with the share ε of values that were
        changed, a record tells log₂(((1 − ε)·q + ε·p)/p) bits, p being how common the label is.
        """
        known, seen = self._labelled(name, reading)
        if not len(seen.label) or not len(known.label):
            return Agreement()
        original, _, labels = reading.numbers()
        common = numpy.bincount(original, weights=self.counts[name], minlength=len(labels))
        chances = common / max(common[:-1].sum(), 1)
        strangers = (seen.person + 1) % self.people
        told = _bits(seen, seen.person, known, chances)
        by_chance = _bits(seen, strangers, known, chances) if self.people > 1 else 0.0
        return replace(self._shares(name, reading, known, seen), information=told - max(by_chance, 0.0))

    def shares(self, name: str, reading: Reading) -> Agreement:
        """The same but for the `information`, which costs most."""
        known, seen = self._labelled(name, reading)
        if not len(seen.label) or not len(known.label):
            return Agreement()
        return replace(self._shares(name, reading, known, seen), information=None)

    def _labelled(self, name: str, reading: Reading) -> tuple[_Labelled, _Labelled]:
        original, release, labels = reading.numbers()
        missing = len(labels) - 1
        known = _Labelled.of(self.original, original[self.original.codes[name]], missing)
        return known, _Labelled.of(self.release, release[self.release.codes[name]], missing)

    def _shares(self, name: str, reading: Reading, known: _Labelled, seen: _Labelled) -> Agreement:
        own, kept = _own_and_kept(known, seen)
        shares = (
            numpy.bincount(each.label, minlength=seen.labels) / len(each.label) for each in (known, seen)
        )
        sides = ((self.original, reading.original), (self.release, reading.release))
        merged = [_merges(table.codes[name], labels) for table, labels in sides]
        return Agreement(
            own=own,
            kept=kept,
            overlap=float(numpy.minimum(*shares).sum()),
            # detail that both tables have is thrown away
            lossy=all(merged),
            blanks=self.lacks_values(name, reading),
            merges=any(merged),
            coarse=_merges(self.release.codes[name], reading.release, 1),
            records=len(seen.label),
            more=self.has_more_records,
        )

    def is_whole(self, name: str) -> bool:
        """Whether no value is missing or starred: then there is one way to read them as they are."""
        gone = numpy.array([value in (None, SUPPRESSED) for value in self.values[name]], dtype=numpy.bool_)
        return not any(gone[side.codes[name]].any() for side in (self.original, self.release))

    @cached_property
    def has_more_records(self) -> bool:
        """Whether the release has more records of somebody than the original."""
        return bool((self.release.records_of_each() > self.original.records_of_each()).any())

    def lacks_values(self, name: str, reading: Reading) -> bool:
        """Whether values are missing that the original has, or more of them starred, though these be missing.

        Where records were left out or added, the shares differ a little by chance.
        """
        sides = (self.original, reading.original), (self.release, reading.release)
        gone = [numpy.array([label is None for label in labels])[side.codes[name]] for side, labels in sides]
        null = numpy.array([value is None for value in self.values[name]])
        known, seen = (float(each.mean()) for each in gone)
        stars = [
            int((each & ~null[side.codes[name]]).sum()) for each, (side, _) in zip(gone, sides, strict=True)
        ]
        same_number = self.original.records == self.release.records
        return seen > known + (0.0 if same_number else 1 - NEARLY_ALL) or stars[1] > stars[0]


@dataclass(frozen=True, eq=False)
class _Labelled:
    """Records with a label: whose each is, and how many each person has of each label.

    The `keys` are both in one number, and rise.
    """

    person: Indices
    label: Indices
    labels: int
    keys: Indices
    people: int

    @classmethod
    def of(cls, table: History, label: Indices, missing: int) -> _Labelled:
        filled = label != missing
        person, label = table.person[filled].astype(numpy.int64), label[filled]
        keys = numpy.sort(person * (missing + 1) + label)
        return cls(person, label, missing + 1, keys, table.people)

    @cached_property
    def records(self) -> Indices:
        """How many each person has."""
        return numpy.bincount(self.person, minlength=self.people)

    @cached_property
    def _heads(self) -> Indices:
        begins = numpy.ones(len(self.keys), dtype=numpy.bool_)
        begins[1:] = self.keys[1:] != self.keys[:-1]
        return numpy.flatnonzero(begins)

    @cached_property
    def pairs(self) -> Indices:
        pairs: Indices = self.keys[self._heads]
        return pairs

    @cached_property
    def times(self) -> Indices:
        return numpy.diff(self._heads, append=len(self.keys))

    def count_of(self, person: Indices, label: Indices) -> Indices:
        """How many records of these people have these labels."""
        keys = person * self.labels + label
        spots = numpy.minimum(numpy.searchsorted(self.pairs, keys), len(self.pairs) - 1)
        counts: Indices = numpy.where(self.pairs[spots] == keys, self.times[spots], 0)
        return counts

    @property
    def is_set(self) -> bool:
        """Whether nobody has a label twice."""
        return int(self.times.max(initial=1)) == 1

    def share_among(self, other: _Labelled, by_sets: bool) -> float:
        """The share of the records that the other table has of the same person too, each as often.

        By sets it is how many labels, for a release that tells none twice says nothing of how often.
        """
        person, label = numpy.divmod(self.pairs, self.labels)
        times, there = self.times, other.count_of(person, label)
        if by_sets:
            times, there = numpy.minimum(times, 1), numpy.minimum(there, 1)
        return float(numpy.minimum(times, there).sum() / times.sum())


def _own_and_kept(known: _Labelled, seen: _Labelled) -> tuple[float, float]:
    """The share of the released records that are the person's own, and the other way round."""
    if numpy.array_equal(known.keys, seen.keys):
        return 1.0, 1.0
    return seen.share_among(known, seen.is_set), known.share_among(seen, seen.is_set)


def _bits(seen: _Labelled, whose: Indices, known: _Labelled, chances: NDArray[numpy.float64]) -> float:
    """What the released labels tell of these people, on average."""
    own = known.count_of(whose, seen.label) / numpy.maximum(known.records[whose], 1)
    chance = chances[seen.label]
    ratio = numpy.divide(own, chance, out=numpy.zeros_like(own), where=chance > 0)
    return max(float(numpy.log2((1 - each) * ratio + each).mean()) for each in CHANGED_SHARES)


def _merges(codes: Code, labels: tuple[Label, ...], least: float = NEARLY_ALL) -> bool:
    """Whether more than a few values of a table become the same, or any if all must stay apart."""
    there = numpy.flatnonzero(numpy.bincount(codes)).tolist()
    filled = [label for code in there if (label := labels[code]) is not None]
    return len(set(filled)) < least * len(filled)


def _some_people(release: History, truth: Indices, most: int) -> NDArray[numpy.bool_]:
    """Everybody who is in both tables, or as many as have so many records, in a fixed random order."""
    real = truth >= 0
    if release.records <= most:
        return real
    order = numpy.random.default_rng(key_of("people of both", 0)).permutation(release.people)
    records = numpy.cumsum(numpy.where(real, release.records_of_each(), 0)[order])
    chosen = numpy.zeros(release.people, dtype=numpy.bool_)
    chosen[order[: 1 + int((records < most).sum())]] = True
    return chosen & real


def _renumber(table: History, number: Indices) -> History:
    person = number[table.person]
    kept = person >= 0
    return History(
        int(number.max(initial=-1)) + 1,
        person[kept].astype(numpy.uint32),
        {name: codes[kept] for name, codes in table.codes.items()},
    )


def equal_reading(values: tuple[Value, ...]) -> Reading:
    """Values as they are written; a star says nothing, as a missing value does."""
    labels = tuple(None if value == SUPPRESSED else value for value in values)
    return Reading("equal", "as they are", labels, labels)


def literal_reading(values: tuple[Value, ...]) -> Reading:
    """Values as they are written, of which missing is one."""
    labels = tuple(MISSING if value is None else value for value in values)
    return Reading("equal", "as they are", labels, labels)


def agree_together(both: Histories, truth: Indices, columns: Sequence[str]) -> bool:
    """Whether people's released records, in some columns at once, are their own, or their own were released.

    Columns that were mixed among the records agree one by one and not together. Where the release lacks
    values, what is missing on either side takes no part. A table agrees with itself.
    """
    if both.are_equal() and numpy.array_equal(truth, numpy.arange(len(truth))):
        return True
    people = PeopleOfBoth.of(both, truth)
    columns = [name for name in columns if not is_empty(both, name)]
    plain = {name: equal_reading(both.values[name]) for name in columns}
    lost = [name for name, reading in plain.items() if people.lacks_values(name, reading)]
    sides = [_whole_records(side, both.values, lost) for side in (people.original, people.release)]
    if not columns or not all(len(each.person) for each in sides):
        return True
    of_both = (numpy.concatenate([each.codes[name] for each in sides]) for name in columns)
    records = join_codes(Codes(codes, int(codes.max()) + 1) for codes in of_both)
    labels = numpy.split(records.codes.astype(numpy.int64), [sides[0].records])
    known, seen = (
        _Labelled.of(each, label, records.count) for each, label in zip(sides, labels, strict=True)
    )
    own, kept = _own_and_kept(known, seen)
    return own == 1 or (kept == 1 and people.has_more_records)


def _whole_records(
    table: History, values: Mapping[str, tuple[Value, ...]], columns: Sequence[str]
) -> History:
    filled = numpy.ones(table.records, dtype=numpy.bool_)
    for name in columns:
        missing = numpy.array([value in (None, SUPPRESSED) for value in values[name]], dtype=numpy.bool_)
        filled &= ~missing[table.codes[name]]
    return table.only(filled)


def is_empty(both: Histories, name: str) -> bool:
    """Whether the release has no value in a column, and says so in one way."""
    codes = numpy.flatnonzero(numpy.bincount(both.release.codes[name]))
    return len(codes) < 2 and all(both.values[name][code] in (None, SUPPRESSED) for code in codes)

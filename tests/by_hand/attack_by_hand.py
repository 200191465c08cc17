"""Whole attacks by their definitions: from two small tables to whom each attack recognises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import permutations
from typing import Any

import pyarrow

from tests.by_hand.linkage_by_hand import (
    Person,
    Score,
    containment,
    cosine,
    coverage,
    credit,
    csls,
    idf_jaccard,
    item_counts,
    item_set,
    jaccard,
    multiset,
    tuple_jaccard,
    weighted_jaccard,
)

COLUMNS = ("goods", "entry", "exit", "day", "price", "usage")
# what `attack` is told of the columns; a pair is by default the category with the amount
PARTS: dict[str, Any] = {
    "item": "goods", "place": ["entry", "exit"], "category": "usage", "time": "day", "amount": "price"
}  # fmt: skip
SETS = ("jaccard", "containment", "coverage", "places", "idf_jaccard", "jaccard_csls", "idf_jaccard_csls")
MULTISETS = ("weighted_jaccard", "tfidf", "dates", "tfidf_csls", "repeats")
LOOKED_AT: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("jaccard", "containment", "coverage", "weighted_jaccard", "tfidf"), ("goods",)),
    **dict.fromkeys(("idf_jaccard", "jaccard_csls", "tfidf_csls", "idf_jaccard_csls"), ("goods",)),
    "records": (),
    "amount": ("price",),
    "categories": ("usage",),
    "places": ("entry", "exit"),
    "dates": ("day",),
    "pairs": ("usage", "price"),
    "histories": COLUMNS,
    "repeats": ("goods",),
    "nearest": COLUMNS,
}
Value = str | None
Row = Sequence[float]
Apart = Callable[[Sequence[Value], Sequence[Value]], Fraction]


@dataclass(frozen=True)
class Case:
    """People by their names with their records; the truth names all of the release.

    Names with the same original are one person's of the release, who has the records of all of them.
    """

    original: dict[str, Person]
    release: dict[str, Person]
    truth: dict[str, str | None]

    @property
    def known(self) -> list[Person]:
        return list(self.original.values())

    @property
    def together(self) -> list[list[str]]:
        """The names of each person of the release."""
        found: dict[tuple[bool, str], list[str]] = {}
        for name, original in self.truth.items():
            key = (False, name) if original is None else (True, original)
            found.setdefault(key, []).append(name)
        return list(found.values())

    @property
    def first_names(self) -> list[str]:
        return [names[0] for names in self.together]

    @property
    def asked(self) -> list[Person]:
        return [[record for name in names for record in self.release[name]] for names in self.together]

    @property
    def true(self) -> list[int | None]:
        """The place of each person's original."""
        places = {name: place for place, name in enumerate(self.original)}
        originals = (self.truth[name] for name in self.first_names)
        return [None if name is None else places[name] for name in originals]

    def tables(self) -> tuple[Any, Any]:
        return table_of(self.original), table_of(self.release)


def table_of(people: Mapping[str, Sequence[Sequence[Value]]], columns: Sequence[str] = COLUMNS) -> Any:
    schema = pyarrow.schema([(name, pyarrow.string()) for name in ("who", *columns)])
    rows = [(name, *record) for name, person in people.items() for record in person]
    return pyarrow.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema)


@dataclass(frozen=True)
class Scored:
    """A row for each person of the release; `look` is equal for those whom the attack can't tell apart."""

    scores: list[Row]
    look: list[Hashable]

    def credits(self, case: Case, places: int = 1) -> list[float]:
        return [float(credit(row, true, places)) for row, true in zip(self.scores, case.true, strict=True)]

    def bound(self, case: Case) -> float:
        """Who looks alike is told as one original person: the one who is most often among them."""
        right: dict[Hashable, Counter[int]] = {}
        for look, true in zip(self.look, case.true, strict=True):
            if true is not None:
                right.setdefault(look, Counter())[true] += 1
        return sum(max(each.values()) for each in right.values()) / len(case.asked)

    def first(self, case: Case, places: int = 1) -> list[float]:
        """1 for who stands among the first places by score, then by number; who has no record comes last."""
        number = sorted(range(len(case.known)), key=lambda who: (not case.known[who], who))
        orders = (sorted(number, key=row.__getitem__, reverse=True) for row in self.scores)
        return [float(true in order[:places]) for order, true in zip(orders, case.true, strict=True)]

    def dealt(self, case: Case, guess: Sequence[int | None]) -> list[float]:
        """Mean credit of one guess each over all ways to deal the guesses to people who look alike."""
        found = []
        for own, true in zip(self.look, case.true, strict=True):
            theirs = [who for look, who in zip(self.look, guess, strict=True) if look == own]
            found.append(theirs.count(true) / len(theirs) if true is not None else 0.0)
        return found


def as_attacked(case: Case) -> Case:
    """The original's values cut like the release's, where most of these are none and nearly all begin one."""
    for place in range(len(COLUMNS)):
        known, released = ({*_column(side, place)} for side in (case.original, case.release))
        longest = max(map(len, released), default=0)
        begun = {value[:longest] for value in known}
        if longest and _agreeing(case, place, known) <= 0.5 and _agreeing(case, place, begun) >= 0.9:
            case = Case(_cut(case.original, place, longest), case.release, case.truth)
    return case


def _column(people: Mapping[str, Person], place: int) -> list[str]:
    rows = [record for person in people.values() for record in person]
    return [value for record in rows if (value := record[place]) is not None]


def _agreeing(case: Case, place: int, known: set[str]) -> float:
    """The share of the filled records of the release that have one of these values."""
    released = _column(case.release, place)
    return sum(value in known for value in released) / len(released) if released else 0.0


def _cut(people: Mapping[str, Person], place: int, longest: int) -> dict[str, Person]:
    def cut(record: Sequence[Value]) -> tuple[Value, ...]:
        return tuple(value and value[:longest] if at == place else value for at, value in enumerate(record))

    return {name: [cut(record) for record in person] for name, person in people.items()}


def linkages(case: Case, *, drop: bool = False) -> dict[str, Scored]:
    """Every attack of the catalogue, and all of them combined."""
    found = {name: linkage(name, case, drop=drop) for name in LOOKED_AT}
    people = range(len(case.known))
    votes: list[Row] = [
        [float(sum(_vote(each.scores[row], place) for each in found.values())) for place in people]
        for row in range(len(case.asked))
    ]
    looks: list[Hashable] = list(zip(*(each.look for each in found.values()), strict=True))
    return {**found, "combined": Scored(votes, looks)}


def _vote(row: Row, place: int) -> Fraction:
    """1/c for who is among the ten best with all who are as good, c doing at least as well."""
    as_good = sum(score >= row[place] for score in row)
    return Fraction(1, as_good) if as_good <= 10 else Fraction(0)


def linkage(name: str, case: Case, *, drop: bool = False) -> Scored:
    case = as_attacked(case)
    if name == "histories":
        case = _without_empty(case)
    known, asked = ([seen(name, person, drop) for person in side] for side in (case.known, case.asked))
    if name == "nearest":
        return nearest(known, asked)
    score = _score(name.removesuffix("_csls"), known)
    scores: list[Row] = [[score(one, other) for other in known] for one in asked]
    if name.endswith("_csls"):
        scores = [[round(each, 9) for each in row] for row in csls(scores)]
    return Scored(scores, [_look(name, one) for one in asked])


def _without_empty(case: Case) -> Case:
    """Columns of which nothing was released are the same in all records."""
    empty = [place for place in range(len(COLUMNS)) if not _column(case.release, place)]
    empty = [] if len(empty) == len(COLUMNS) else empty

    def emptied(people: Mapping[str, Person]) -> dict[str, Person]:
        return {
            name: [tuple("" if place in empty else each for place, each in enumerate(row)) for row in person]
            for name, person in people.items()
        }

    return Case(emptied(case.original), emptied(case.release), case.truth)


def _score(name: str, known: list[Person]) -> Score:
    weighted, by_rarity, whatever_was_added = cosine(known), idf_jaccard(known), multiset(known)
    return {
        "jaccard": jaccard,
        "containment": containment,
        "coverage": coverage,
        "weighted_jaccard": weighted_jaccard,
        # sums in another order differ in their last digits, and such people are tied
        "tfidf": lambda one, other: round(weighted(one, other), 9),
        "idf_jaccard": lambda one, other: round(by_rarity(one, other), 9),
        "repeats": lambda one, other: round(whatever_was_added(one, other), 9),
        "records": lambda one, other: -abs(len(one) - len(other)),
        "amount": lambda one, other: float(-abs(total(one) - total(other))),
        "categories": minus_squares,
        "places": jaccard,
        "dates": weighted_jaccard,
        "pairs": tuple_jaccard,
        "histories": tuple_jaccard,
    }[name]


def _look(name: str, one: Person) -> Hashable:
    if name in SETS:
        return frozenset(item_set(one))
    if name in MULTISETS:
        return frozenset(item_counts(one).items())
    if name in ("records", "amount"):
        return len(one) if name == "records" else total(one)
    return frozenset(Counter(one).items())


def seen(name: str, person: Person, drop: bool) -> Person:
    """What an attack sees of the records; single values are dropped from sets of values, else records."""
    places = [COLUMNS.index(column) for column in LOOKED_AT[name]]
    rows = [tuple(record[place] for place in places) for record in person]
    if name == "dates":
        rows = [(day and day[:10],) for (day,) in rows]
    if not drop:
        return rows
    if name in (*SETS, *MULTISETS):
        return [(value,) for row in rows for value in row if value is not None]
    return [row for row in rows if None not in row]


def total(person: Person) -> Fraction:
    return sum((Fraction(price) for (price,) in person if price is not None), Fraction(0))


def minus_squares(one: Person, other: Person) -> float:
    """Ranks as minus the Euclidean distance does."""
    first, second = Counter(one), Counter(other)
    return -sum((first[each] - second[each]) ** 2 for each in first | second)


# Nearest records


def nearest(known: list[Person], asked: list[Person]) -> Scored:
    """Distances of records where nobody has two, else votes."""
    apart = _gower([record for person in (*known, *asked) for record in person])
    if max(map(len, (*known, *asked))) > 1:
        looks: list[Hashable] = [frozenset(Counter(one).items()) for one in asked]
        return Scored([_votes(one, known, apart) for one in asked], looks)

    def far(one: Person, other: Person) -> float:
        return float(apart(one[0], other[0]) if one and other else one != other)

    return Scored([[-far(one, other) for other in known] for one in asked], [tuple(one) for one in asked])


def _gower(records: Sequence[Sequence[Value]]) -> Apart:
    spans = []
    for place, column in enumerate(COLUMNS):
        numbers = [number for record in records if (number := _number(column, record[place])) is not None]
        spans.append(max(numbers) - min(numbers) if numbers else Fraction(0))

    def apart(one: Sequence[Value], other: Sequence[Value]) -> Fraction:
        each = (_apart(*cells) for cells in zip(COLUMNS, spans, one, other, strict=True))
        return sum(each, Fraction(0)) / len(COLUMNS)

    return apart


def _apart(column: str, span: Fraction, one: Value, other: Value) -> Fraction:
    first, second = _number(column, one), _number(column, other)
    if first is None or second is None:
        return Fraction(one != other)
    return abs(first - second) / span if span else Fraction(0)


def _number(column: str, value: Value) -> Fraction | None:
    if value is None or column not in ("day", "price"):
        return None
    if column == "price":
        return Fraction(value)
    return Fraction((datetime.fromisoformat(value) - datetime(1970, 1, 1)).total_seconds())


def _votes(one: Person, known: list[Person], apart: Apart) -> Row:
    """Of each record one vote, shared by the owners of its nearest records."""
    if not one:
        return [float(not other) for other in known]
    votes = [Fraction(0)] * len(known)
    for record in one:
        far = {who: min(apart(record, own) for own in other) for who, other in enumerate(known) if other}
        owners = [who for who in far if far[who] == min(far.values())]
        for who in owners:
            votes[who] += Fraction(1, len(owners) * len(one))
    return [float(each) for each in votes]


# Known records, and guesses one to one


def all_points(case: Case, *, drop: bool = False, changed: Set[str] = frozenset()) -> list[float] | None:
    """Credit of an attacker who knows every record, by the columns that do best: all that can agree, or one.

    Or all of them that were not `changed`. None where no column can agree.
    """
    case = as_attacked(case)
    every = [place for place in range(len(COLUMNS)) if _can_agree(case, place, drop)]
    kept = [place for place in every if COLUMNS[place] not in changed]
    ways = [[place] for place in every] + [way for way in (every, kept) if len(way) > 1]
    found = [(_points(case, way, drop, repeated), len(way)) for way in ways for repeated in (False, True)]
    return max(found, key=lambda each: (sum(each[0]), each[1]))[0] if found else None


def _can_agree(case: Case, place: int, drop: bool) -> bool:
    """Whether anything was released, and some of it is of the original; a missing value is one."""
    sides = (case.release, case.original)
    released, known = ({row[place] for person in side.values() for row in person} for side in sides)
    return bool(released - {None}) and bool((released & known) - ({None} if drop else set()))


def _points(case: Case, places: Sequence[int], drop: bool, repeated: bool) -> list[float]:
    """Candidates are the people whom most of the records fit, each once or as often as it is there."""

    def known(person: Person) -> Counter[tuple[Value, ...]]:
        rows = [tuple(record[place] for place in places) for record in person]
        counted = Counter(row for row in rows if not drop or None not in row)
        return counted if repeated else Counter(counted.keys())

    released, found = [known(one) for one in case.asked], []
    for place, true in enumerate(case.true):
        points = Counter() if true is None else known(case.known[true])
        fits = [(points & own).total() for own in released]
        candidates = [who for who, fit in enumerate(fits) if fit == max(fits) and (fit or not points)]
        found.append(1 / len(candidates) if true is not None and place in candidates else 0.0)
    return found


def best_assignments(scores: Sequence[Row]) -> list[tuple[int | None, ...]]:
    """All ways to name different people with the greatest total score; nobody only where they run out."""
    people: list[int | None] = [*range(len(scores[0]))]
    nobody: list[int | None] = [None] * (len(scores) - len(people))
    totals = {
        way: sum(Fraction(scores[row][who]) for row, who in enumerate(way) if who is not None)
        for way in permutations([*people, *nobody], len(scores))
    }
    highest = max(totals.values())
    return [way for way, total in totals.items() if highest - total < Fraction(1, 10**9)]

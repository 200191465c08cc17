"""Attacks by their definitions, one pair of people at a time, for tests to compare with."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy

from singleout.attacks.linkage.candidates import Candidates
from singleout.engine.codes.histories import Histories, History

# a history by hand: for each person, their records as tuples of values
Person = list[tuple[str | None, ...]]
Score = Callable[[Person, Person], float]


def histories(original: Sequence[Person], release: Sequence[Person], columns: Sequence[str]) -> Histories:
    """The same in codes; values are numbered by their order of appearance."""
    values: dict[str, dict[str | None, int]] = {name: {} for name in columns}

    def coded(people: Sequence[Person]) -> History:
        rows = [(who, record) for who, person in enumerate(people) for record in person]
        codes = {
            name: numpy.array(
                [values[name].setdefault(row[place], len(values[name])) for _, row in rows], numpy.uint32
            )
            for place, name in enumerate(columns)
        }
        return History(len(people), numpy.array([who for who, _ in rows], numpy.uint32), codes)

    first, second = coded(original), coded(release)
    return Histories(first, second, {name: tuple(found) for name, found in values.items()})


def scores(original: Sequence[Person], release: Sequence[Person], score: Score) -> list[list[float]]:
    """A row for each person of the release."""
    return [[score(asked, known) for known in original] for asked in release]


def expected(table: Sequence[Sequence[float]], most: int) -> list[tuple[list[int], list[float], int]]:
    """People, scores and how many have the last score, for each row."""
    found = []
    for row in table:
        order = sorted(range(len(row)), key=lambda who: (-row[who], who))[:most]
        found.append((order, [row[who] for who in order], row.count(row[order[-1]])))
    return found


def listed(best: Candidates) -> list[tuple[list[int], list[float], int]]:
    return list(zip(best.person.tolist(), best.score.tolist(), best.tied_last.tolist(), strict=True))


def credit(row: Sequence[float], true: int | None, places: int = 1) -> Fraction:
    """How likely the true person is among the first places, ties being broken at random."""
    if true is None:
        return Fraction(0)
    better = sum(score > row[true] for score in row)
    tied = sum(score == row[true] for score in row)
    return min(max(Fraction(places - better, tied), Fraction(0)), Fraction(1))


def item_set(person: Person) -> set[str | None]:
    return {value for record in person for value in record}


def item_counts(person: Person) -> Counter[str | None]:
    return Counter(value for record in person for value in record)


def jaccard(asked: Person, known: Person) -> float:
    one, other = item_set(asked), item_set(known)
    return len(one & other) / len(one | other) if one | other else 1.0


def containment(asked: Person, known: Person) -> float:
    one, other = item_set(asked), item_set(known)
    if not one or not other:
        return float(one == other)
    return len(one & other) / len(one)


def coverage(asked: Person, known: Person) -> float:
    return containment(known, asked)


def weighted_jaccard(asked: Person, known: Person) -> float:
    one, other = item_counts(asked), item_counts(known)
    return (one & other).total() / (one | other).total() if one or other else 1.0


def tuple_jaccard(asked: Person, known: Person) -> float:
    one, other = Counter(asked), Counter(known)
    return (one & other).total() / (one | other).total() if one or other else 1.0


def cosine(people: Sequence[Person]) -> Score:
    """By the weights that items have in the original."""
    having = Counter(item for person in people for item in item_set(person))

    def weights(person: Person) -> dict[str | None, float]:
        rarity = {item: math.log(len(people) / max(having[item], 1)) + 1 for item in item_set(person)}
        return {item: count * rarity[item] for item, count in item_counts(person).items()}

    def score(asked: Person, known: Person) -> float:
        one, other = weights(asked), weights(known)
        if not one or not other:
            return float(one == other)
        common = math.fsum(one[item] * other[item] for item in one.keys() & other.keys())
        lengths = [math.sqrt(math.fsum(each**2 for each in side.values())) for side in (one, other)]
        return common / lengths[0] / lengths[1]

    return score


def idf_jaccard(people: Sequence[Person]) -> Score:
    """By the weights that items have in the original; what all of them have weighs nothing."""
    having = Counter(item for person in people for item in item_set(person))

    def weight(items: set[str | None]) -> float:
        return math.fsum(math.log((len(people) + 1) / (having[item] + 1)) for item in items)

    def score(asked: Person, known: Person) -> float:
        one, other = item_set(asked), item_set(known)
        every = weight(one | other)
        return weight(one & other) / every if every else 1.0

    return score


def multiset(people: Sequence[Person]) -> Score:
    """Minus what dummies, one of each item that a person lacks, do not explain; then by what is common."""
    having = Counter(item for person in people for item in item_set(person))

    def weight(items: Counter[str | None]) -> float:
        rarity = {item: math.log(len(people) / max(having[item], 1)) + 1 for item in items}
        return math.fsum(count * rarity[item] for item, count in items.items())

    def score(asked: Person, known: Person) -> float:
        one, other = item_counts(asked), item_counts(known)
        lacking, repeats = other - one, one - (other | Counter(dict.fromkeys(one, 1)))
        common = weight(one & other) / (2 * weight(one)) if one else 0.0
        return common - lacking.total() - repeats.total()

    return score


def csls(table: Sequence[Sequence[float]]) -> list[list[float]]:
    """Twice each score less both people's mean of their ten largest."""

    def mean(scores: Sequence[float]) -> float:
        largest = sorted(scores, reverse=True)[:10]
        return math.fsum(largest) / len(largest)

    rows = [mean(row) for row in table]
    columns = [mean(column) for column in zip(*table, strict=True)]
    return [[2 * score - rows[x] - columns[y] for y, score in enumerate(row)] for x, row in enumerate(table)]

"""Generalising by the definitions: every vector judged by itself, record by record, in exact fractions."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import product

from tests.by_hand import attribute_disclosure_by_hand
from tests.by_hand.attribute_disclosure_by_hand import Had

Vector = tuple[int, ...]
Labels = tuple[str | None, ...]
Class = list[int]  # the places of its records


@dataclass(frozen=True)
class Column:
    """A raw value's labels at each level; the first `present` raw values are the records' codes 0, 1, …"""

    name: str
    values: tuple[Labels, ...]
    present: int

    @property
    def height(self) -> int:
        return len(self.values[0]) - 1

    def alike(self, value: int, level: int) -> int:
        """How many raw values become the same as this one."""
        return sum(other[level] == self.values[value][level] for other in self.values)


@dataclass(frozen=True)
class Records:
    """Codes of each record by column, its person, and its codes by sensitive column."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[int, ...], ...]
    persons: tuple[int, ...] | None
    sensitive: tuple[tuple[int, ...], ...]
    sensitive_values: tuple[int, ...]

    def vectors(self) -> Iterator[Vector]:
        return product(*(range(column.height + 1) for column in self.columns))

    def released(self, row: tuple[int, ...], vector: Vector) -> Labels:
        cells = zip(self.columns, row, vector, strict=True)
        return tuple(column.values[value][level] for column, value, level in cells)


@dataclass(frozen=True)
class Wish:
    """What is asked of a release, as in `Goals`."""

    k: int
    suppress: float = 0.0
    average_risk: float | None = None
    diverse: int | None = None
    close: float | None = None
    ordered: bool = False
    entropy_l: float | None = None
    recursive_c: float | None = None
    recursive_l: int = 2
    beta_basic: float | None = None
    beta_enhanced: float | None = None
    delta: float | None = None
    delta_of_present: float | None = None
    alpha: float | None = None

    @property
    def of_sensitive(self) -> bool:
        return self.diverse is not None or self.close is not None or self.of_others

    @property
    def of_others(self) -> bool:
        """Whether a goal is about sensitive values other than their number and distance."""
        return any(getattr(self, name) is not None for name in attribute_disclosure_by_hand.LIMITS)


@dataclass(frozen=True)
class Judged:
    """One vector: whether it reaches what is asked, and what it loses."""

    vector: Vector
    reaches: bool
    suppressed: int
    classes: int
    loss: float
    discernibility: int


def judge(records: Records, wish: Wish, loss: str, weights: Mapping[str, float], vector: Vector) -> Judged:
    every = classes(records, vector)
    released = [members for members in every if stays(records, wish, members)]
    suppressed = {place for members in every if members not in released for place in members}
    may_leave = math.floor(Decimal(str(wish.suppress)) * len(records.rows))
    few_leave = len(suppressed) <= may_leave and bool(released)
    reaches = few_leave and is_safe_on_average(records, wish, released)
    pairs = sum(len(members) ** 2 for members in released) + len(suppressed) * len(records.rows)
    lost = {
        "discernibility": lambda: float(pairs),
        "average_class_size": lambda: len(records.rows) / (len(released) + bool(suppressed)),
        "loss": lambda: iyengar(records, vector, suppressed, weights),
        "non_uniform_entropy": lambda: entropy(records, vector, suppressed, weights),
        "levels": lambda: levels(records, vector, suppressed, weights),
    }[loss]()
    return Judged(vector, reaches, len(suppressed), len(released), lost, pairs)


def judge_all(records: Records, wish: Wish, loss: str, weights: Mapping[str, float]) -> dict[Vector, Judged]:
    return {vector: judge(records, wish, loss, weights, vector) for vector in records.vectors()}


def best_of(judged: Mapping[Vector, Judged]) -> list[Judged]:
    """Those that reach what is asked, the least lossy first."""
    reaching = [each for each in judged.values() if each.reaches]
    return sorted(reaching, key=lambda each: (each.loss, each.discernibility, each.vector))


def classes(records: Records, vector: Vector) -> list[Class]:
    found: dict[Labels, Class] = defaultdict(list)
    for place, row in enumerate(records.rows):
        found[records.released(row, vector)].append(place)
    return list(found.values())


def size(records: Records, members: Class) -> int:
    """In people, where records have some."""
    return len({records.persons[place] for place in members}) if records.persons else len(members)


def stays(records: Records, wish: Wish, members: Class) -> bool:
    if size(records, members) < wish.k:
        return False
    for column, many in zip(records.sensitive, records.sensitive_values, strict=True):
        here, table = had(records, column, members), had(records, column, range(len(column)))
        if wish.diverse is not None and here.distinct < wish.diverse:
            return False
        if wish.close is not None:
            away = ordered_distance if wish.ordered else equal_distance
            if away(shares(here.values, many), shares(table.values, many)) > Fraction(str(wish.close)):
                return False
        if not attribute_disclosure_by_hand.keeps(here, table, wish):
            return False
    return True


def had(records: Records, column: Sequence[int], members: Sequence[int]) -> Had:
    """Who of these has which value: each record is its own person where none are named."""
    people = records.persons or range(len(records.rows))
    return Had(frozenset((people[place], column[place]) for place in members))


def shares(values: Sequence[int], many: int) -> list[Fraction]:
    found = Counter(values)
    return [Fraction(found[value], len(values)) for value in range(many)]


def equal_distance(one: list[Fraction], other: list[Fraction]) -> Fraction:
    return sum((abs(a - b) for a, b in zip(one, other, strict=True)), Fraction(0)) / 2


def ordered_distance(one: list[Fraction], other: list[Fraction]) -> Fraction:
    total = Fraction(0)
    for upto in range(1, len(one) + 1):
        total += abs(sum(one[:upto], Fraction(0)) - sum(other[:upto], Fraction(0)))
    return total / max(1, len(one) - 1)


def is_safe_on_average(records: Records, wish: Wish, released: list[Class]) -> bool:
    if wish.average_risk is None or not released:
        return True
    risks = [Fraction(1, size(records, members)) for members in released for _ in members]
    return sum(risks) / len(risks) <= Fraction(str(wish.average_risk))


def iyengar(records: Records, vector: Vector, suppressed: set[int], weights: Mapping[str, float]) -> float:
    """ARX's Loss."""
    factors = []
    for place, column in enumerate(records.columns):
        domain = len(column.values)
        shares_of = [
            Fraction(1) if record in suppressed else Fraction(column.alike(row[place], vector[place]), domain)
            for record, row in enumerate(records.rows)
        ]
        mean = sum(shares_of) / len(shares_of)
        least = Fraction(1, domain)
        lost = (mean - least) / (1 - least) if domain > 1 else Fraction(0)
        factors.append(1 + weights.get(column.name, 1.0) * float(lost))
    return float(math.prod(factors) ** (1 / len(factors)) - 1)


def entropy(records: Records, vector: Vector, suppressed: set[int], weights: Mapping[str, float]) -> float:
    """Bits lost, of those lost if all is suppressed; frequencies are those before suppression."""
    lost, most = [], []
    for place, column in enumerate(records.columns):
        weight, level = weights.get(column.name, 1.0), vector[place]
        raw = Counter(row[place] for row in records.rows)
        coarse = Counter(column.values[row[place]][level] for row in records.rows)
        for record, row in enumerate(records.rows):
            total, own = len(records.rows), raw[row[place]]
            standing = total if record in suppressed else coarse[column.values[row[place]][level]]
            lost.append(weight * math.log2(standing / own))
            most.append(weight * math.log2(total / own))
    return math.fsum(lost) / math.fsum(most) if math.fsum(most) else 0.0


def levels(records: Records, vector: Vector, suppressed: set[int], weights: Mapping[str, float]) -> float:
    found = []
    for column, level in zip(records.columns, vector, strict=True):
        share = Fraction(level, column.height) if column.height else Fraction(0)
        top = Fraction(1 if column.height else 0)
        kept = len(records.rows) - len(suppressed)
        mean = (kept * share + len(suppressed) * top) / len(records.rows)
        found.append(weights.get(column.name, 1.0) * float(mean))
    return math.fsum(found)

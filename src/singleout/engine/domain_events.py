"""Events: who left which value behind in which domain, counted by SQL that returns ranks for raw values."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy
import pyarrow
from numpy.typing import NDArray

NUMBER = re.compile(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?\s*")
Counts = NDArray[numpy.int64]
Numbers = NDArray[numpy.float64]


@dataclass(frozen=True, eq=False)
class Cells:
    """How often (`count`) a person has a value in a domain; people are numbered alike in all domains."""

    domain: Counts
    person: Counts
    value: Counts
    count: Counts

    @classmethod
    def of(cls, batches: Sequence[pyarrow.RecordBatch]) -> Cells:
        table = pyarrow.Table.from_batches(batches)
        return cls(*(table.column(index).to_numpy().astype(numpy.int64) for index in range(4)))

    @property
    def people(self) -> int:
        return int(self.person.max()) + 1 if len(self.person) else 0


@dataclass(frozen=True, eq=False)
class Amounts:
    """How many records each person has in each domain, and their amounts added up; NaN if none is known.

    `parts` are how many amounts other than 0 make up a sum.
    """

    records: tuple[Counts, ...]
    amounts: tuple[Numbers, ...]
    parts: tuple[Counts, ...]

    @classmethod
    def of(cls, batches: Sequence[pyarrow.RecordBatch], domains: int) -> Amounts:
        """From (part, person, number, count): even parts count records, odd ones have the amounts as text."""
        table = pyarrow.Table.from_batches(batches)
        part, person, count = (table.column(index).to_numpy().astype(numpy.int64) for index in (0, 1, 3))
        people = int(person.max()) + 1 if len(person) else 0
        numbers = numpy.array([_number(text) for text in table.column(2).to_pylist()])
        records, amounts, parts = [], [], []
        for domain in range(domains):
            here, there = part == 2 * domain, part == 2 * domain + 1
            records.append(numpy.bincount(person[here], count[here], people).astype(numpy.int64))
            with numpy.errstate(over="raise"):
                amounts.append(_exact_sums(person[there], numbers[there] * count[there], people))
            there &= numbers != 0
            parts.append(numpy.bincount(person[there], count[there], people).astype(numpy.int64))
        return cls(tuple(records), tuple(amounts), tuple(parts))


def _number(text: str) -> float:
    """Python also reads 1_000 and digits of other scripts."""
    number = float(text) if NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(number):
        raise ValueError("an amount must be a finite number")
    return number


def _exact_sums(person: Counts, amounts: Numbers, people: int) -> Numbers:
    """Sums that do not depend on the order in which a database returns the rows."""
    listed: defaultdict[int, list[float]] = defaultdict(list)
    for who, amount in zip(person.tolist(), amounts.tolist(), strict=True):
        listed[who].append(amount)
    return numpy.array([math.fsum(listed[who]) if who in listed else math.nan for who in range(people)])


def values_of(table: str, person: str, values: Sequence[str], where: Sequence[str], drop: bool) -> str:
    """(person, value): a row for each value of each record that passes the filters; names come quoted."""
    kept = " AND ".join([*where, f"{person} IS NOT NULL"] if drop else where)
    passing = f" WHERE {kept}" if kept else ""
    rows = " UNION ALL ".join(
        f"SELECT {person} AS person, {value} AS value FROM {table}{passing}" for value in values
    )
    return f"SELECT * FROM ({rows}) AS listed WHERE value IS NOT NULL" if drop else rows


def event_counts(rows: str, part: int) -> str:
    """(part, person, value, events): how often each person has each value."""
    groups = f"FROM ({rows}) AS source GROUP BY person, value"
    return f"SELECT {part} AS part, person, value, count(*) AS events {groups}"


def ranked_events(rows: Sequence[str], orders: Sequence[str], person_order: str) -> str:
    """(part, person, value, events) with each value and each person as its rank, a missing one included."""
    parts = [
        f"SELECT part, person, dense_rank() OVER (ORDER BY {order}) - 1 AS value, events "
        f"FROM ({event_counts(each, part)}) AS counted"
        for part, (each, order) in enumerate(zip(rows, orders, strict=True))
    ]
    return union_of_parts(parts, person_order)


def events_by_lists(rows: Sequence[str], orders: Sequence[str], person_order: str) -> str:
    """(part, person, value, events) by lists of all values and people: faster, where none is missing.

    The lists are read anew: grouping twice would cost more than looking at the rows twice.
    """
    everybody = " UNION ALL ".join(f"SELECT person FROM ({each}) AS own" for each in rows)
    parts = [
        "SELECT part, people.number AS person, listed.number AS value, events "
        f"FROM ({event_counts(each, part)}) AS counted "
        f"JOIN ({_numbered_values('value', f'SELECT value FROM ({each}) AS own', order)}) AS listed "
        "ON counted.value = listed.value JOIN people ON counted.person = people.person"
        for part, (each, order) in enumerate(zip(rows, orders, strict=True))
    ]
    return (
        f"WITH people AS ({_numbered_values('person', everybody, person_order)}) {' UNION ALL '.join(parts)}"
    )


def _numbered_values(name: str, rows: str, order: str) -> str:
    distinct = f"SELECT DISTINCT {name} FROM ({rows}) AS listed"
    return f"SELECT {name}, row_number() OVER (ORDER BY {order}) - 1 AS number FROM ({distinct}) AS different"


def union_of_parts(parts: Sequence[str], order: str) -> str:
    """All parts, each person as their rank among the people of all parts."""
    rank = f"dense_rank() OVER (ORDER BY {order}) - 1"
    return f"SELECT part, {rank} AS person, value, events FROM ({' UNION ALL '.join(parts)}) AS parts"

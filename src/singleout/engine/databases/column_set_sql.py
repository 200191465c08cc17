"""The SQL of many sets of columns: one statement counts a batch of sets, a part of it each set.

The rows come with safe names, k0, k1, … and `person`; a set is a bit mask of their numbers. A part is its own
GROUP BY. GROUPING SETS would do the same, but took up to four times as long in PostgreSQL, which can't share
that work between processes; on Spark they win where classes are few and lose where they are many.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from singleout.engine.class_sizes import Sizes
from singleout.engine.column_sets.set_counts import SetCounts, Sets
from singleout.engine.databases.count_sql import partition
from singleout.progress import Progress, silent

Rows = Callable[[str], list[tuple[Any, ...]]]
SETS_A_STATEMENT = 16


@dataclass(frozen=True)
class AskedRows:
    """Records under safe names, whether `person` is among them, and what windows are divided by."""

    sql: str
    person: bool
    window_keys: Sequence[str]

    def windows(self, mask: int) -> list[str]:
        return [self.window_keys[bit] for bit in bits_of(mask)]


def count_sets(
    run: Rows, rows: AskedRows, sets: Sets, allow: int, progress: Progress = silent
) -> SetCounts | None:
    """What was counted of each set, in their order; None if there are no records."""
    asked = numpy.unique(numpy.append(sets, numpy.uint64(0)))
    everybody: Sizes | None = None
    pieces: list[SetCounts] = []
    for batch in _batches(asked.tolist()):
        progress("counting sets of columns", len(pieces) * SETS_A_STATEMENT, len(asked))
        found = _sizes(run, rows, batch)
        everybody = everybody or found[0]
        if not everybody.total_records:
            return None
        pieces.append(_set_counts(run, rows, found, everybody, allow))
    return SetCounts.join(pieces).at(numpy.searchsorted(asked, sets))


def _set_counts(
    run: Rows, rows: AskedRows, sizes: dict[int, Sizes], everybody: Sizes, allow: int
) -> SetCounts:
    at_risk = {mask: int(each.own[each.people <= allow].sum()) for mask, each in sizes.items()}
    if rows.person:
        at_risk = _people_at_risk(run, rows, at_risk, everybody, allow)
    sets = numpy.array(list(sizes), dtype=numpy.uint64)
    listed = numpy.array(list(at_risk.values()), dtype=numpy.int64)
    return SetCounts.of(sets, list(sizes.values()), listed, int(everybody.people[0]), allow)


def _sizes(run: Rows, rows: AskedRows, batch: Sequence[int]) -> dict[int, Sizes]:
    """The short list of each set, from one statement."""
    found: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for part, *pair in run(sizes_of_sets(rows.sql, batch, rows.person)):
        found[batch[part]].append((pair[0], pair[1], pair[2]))
    return {mask: Sizes.of(found[mask]) for mask in batch}


def _people_at_risk(
    run: Rows, rows: AskedRows, records_at_risk: dict[int, int], everybody: Sizes, allow: int
) -> dict[int, int]:
    """People are counted only where some records are at risk and others are not: else it is nobody or all."""
    people, records = int(everybody.people[0]), everybody.total_records
    found = {mask: people if at_risk == records else 0 for mask, at_risk in records_at_risk.items()}
    for batch in _batches(mask for mask, at_risk in records_at_risk.items() if 0 < at_risk < records):
        for part, number in run(people_at_risk(rows, batch, allow)):
            found[batch[part]] = int(number)
    return found


def _batches(masks: Iterable[int]) -> list[list[int]]:
    """The empty set goes along with others: it is always asked for."""
    rest = sorted(masks)
    first = SETS_A_STATEMENT + (0 in rest)
    starts = range(first, len(rest), SETS_A_STATEMENT)
    batches = [rest[:first], *(rest[start : start + SETS_A_STATEMENT] for start in starts)]
    return [batch for batch in batches if batch]


def sizes_of_sets(rows: str, masks: Sequence[int], person: bool) -> str:
    """(part, records, people, classes): how many classes of each set have so many records and people."""
    count = _people_in_classes if person else _records_in_classes
    return " UNION ALL ".join(
        f"SELECT {part} AS part, records, people, count(*) AS classes FROM ({count(rows, keys_of(mask))}) "
        "AS grouped WHERE records > 0 GROUP BY records, people"
        for part, mask in enumerate(masks)
    )


def people_at_risk(rows: AskedRows, masks: Sequence[int], allow: int) -> str:
    """(part, people): how many have a record in a class of at most so many people."""
    return " UNION ALL ".join(
        f"SELECT {part} AS part, count(*) AS people FROM (SELECT DISTINCT person FROM "
        f"(SELECT person, count(*) OVER ({partition(rows.windows(mask))}) AS people FROM "
        f"({_pairs(rows.sql, keys_of(mask))}) AS pairs) AS counted WHERE people <= {allow}) AS exposed"
        for part, mask in enumerate(masks)
    )


def parts_of_set(rows: AskedRows, mask: int, person_order: str | None) -> str:
    """(records, people, least, classes): a class beside the least people that a value of its tuple has."""
    classes = (
        _classes_by_records(rows, mask)
        if person_order is None
        else _classes_by_people(rows, mask, person_order)
    )
    return (
        "SELECT records, people, fewest, count(*) AS classes "
        f"FROM ({classes}) AS classes GROUP BY records, people, fewest"
    )


def _classes_by_records(rows: AskedRows, mask: int) -> str:
    totals = [f"sum(records) OVER (PARTITION BY {key})" for key in rows.windows(mask)]
    counted = _records_in_classes(rows.sql, keys_of(mask))
    return f"SELECT records, people, {_least(totals)} AS fewest FROM ({counted}) AS counted"


def _classes_by_people(rows: AskedRows, mask: int, person_order: str) -> str:
    """The last rank among the people with a value is how many they are, an unknown one included."""
    keys = keys_of(mask)
    windows = {key: partition([by]) for key, by in zip(keys, rows.windows(mask), strict=True)}
    ranks = [f"dense_rank() OVER ({by} ORDER BY {person_order}) AS rank_{key}" for key, by in windows.items()]
    totals = [f"max(rank_{key}) OVER ({by}) AS people_{key}" for key, by in windows.items()]
    ranked = f"SELECT *, {', '.join(ranks)} FROM ({_pairs(rows.sql, keys)}) AS pairs"
    valued = f"SELECT *, {', '.join(totals)} FROM ({ranked}) AS ranked"
    fewest = _least([f"max(people_{key})" for key in keys])
    return (
        f"SELECT sum(part) AS records, count(*) AS people, {fewest} AS fewest "
        f"FROM ({valued}) AS valued{_group_by(keys)}"
    )


def coded_records(rows: str, orders: Sequence[str], carried: int = 0) -> str:
    """record, then each value as its rank among the column's values, then the carried columns v0, v1, …"""
    ranks = "".join(f", dense_rank() OVER (ORDER BY {by}) - 1 AS c{index}" for index, by in enumerate(orders))
    carry = "".join(f", v{index}" for index in range(carried))
    return f"SELECT record{ranks}{carry} FROM ({rows}) AS source ORDER BY record"


def bits_of(mask: int) -> list[int]:
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def keys_of(mask: int) -> list[str]:
    return [f"k{bit}" for bit in bits_of(mask)]


def _records_in_classes(rows: str, keys: Sequence[str]) -> str:
    listed = "".join(f"{key}, " for key in keys)
    return f"SELECT {listed}count(*) AS records, count(*) AS people FROM ({rows}) AS source{_group_by(keys)}"


def _people_in_classes(rows: str, keys: Sequence[str]) -> str:
    pairs = _pairs(rows, keys)
    return f"SELECT sum(part) AS records, count(*) AS people FROM ({pairs}) AS pairs{_group_by(keys)}"


def _pairs(rows: str, keys: Sequence[str]) -> str:
    """Who is in which class, with how many records."""
    listed = ", ".join([*keys, "person"])
    return f"SELECT {listed}, count(*) AS part FROM ({rows}) AS source GROUP BY {listed}"


def _least(numbers: Sequence[str]) -> str:
    # Spark knows no least of one
    return f"least({', '.join(numbers)})" if len(numbers) > 1 else numbers[0]


def _group_by(keys: Sequence[str]) -> str:
    return f" GROUP BY {', '.join(keys)}" if keys else ""

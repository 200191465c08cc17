"""Counting where a missing value matches everything: groups overlap, so they are counted pattern by pattern.

A pattern says which of the asked columns are missing. Records of two patterns can only match on the columns
that both have, so each pair of patterns is one join on those columns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from singleout.engine.class_sizes import Sizes
from singleout.engine.databases import count_sql as counts
from singleout.engine.protocol import Question

Rows = Callable[[str], list[tuple[Any, ...]]]
Pattern = tuple[bool, ...]


def sizes(run: Rows, table: str, question: Question, quote: counts.Quote) -> Sizes:
    """For each distinct tuple: its own records, and the records and people compatible with it."""
    rows = counts.renamed_rows(table, Question(question.columns, question.person), quote)
    width, person = len(question.columns), question.person is not None
    patterns = [tuple(map(bool, row)) for row in run(_patterns(rows, width))]
    found: list[tuple[int, int, int]] = []
    for pattern in patterns:
        for own, records, people in run(_compatible_records(rows, pattern, patterns, person)):
            found.append((own, records, people if person else records))
    return Sizes.of_overlapping(found)


def _patterns(rows: str, width: int) -> str:
    missing = ", ".join(f"k{index} IS NULL" for index in range(width)) or "false"
    return f"SELECT DISTINCT {missing} FROM ({rows}) AS source"


def _compatible_records(rows: str, pattern: Pattern, patterns: list[Pattern], person: bool) -> str:
    keys = [f"k{index}" for index in range(len(pattern))]
    group = f" GROUP BY {', '.join(keys)}" if keys else ""
    columns = "".join(f"{key}, " for key in keys)
    mine = (
        f"SELECT {columns}count(*) AS own FROM ({rows}) AS source WHERE {_pattern_condition(pattern)}{group}"
    )
    joins = " UNION ALL ".join(_matches(rows, pattern, other, person) for other in patterns)
    people = "count(DISTINCT person) + max(unknown)" if person else "0"
    return (
        f"WITH mine AS MATERIALIZED (SELECT *, row_number() OVER () AS tuple FROM ({mine})), "
        f"matches AS ({joins}) SELECT any_value(own), sum(records), {people} FROM matches GROUP BY tuple"
    )


def _matches(rows: str, pattern: Pattern, other: Pattern, person: bool) -> str:
    """The records of another pattern that agree with each of mine wherever both have a value."""
    shared = [f"k{index}" for index in range(len(pattern)) if not pattern[index] and not other[index]]
    kept = [*shared, "person"] if person else shared
    columns = "".join(f"{key}, " for key in kept)
    group = f" GROUP BY {', '.join(kept)}" if kept else ""
    source = f"({rows}) AS source WHERE {_pattern_condition(other)}"
    theirs = f"SELECT {columns}count(*) AS records FROM {source}{group}"
    on = " AND ".join(f"mine.{key} = theirs.{key}" for key in shared) or "true"
    who = (
        ", theirs.person AS person, CASE WHEN theirs.person IS NULL THEN 1 ELSE 0 END AS unknown"
        if person
        else ""
    )
    return f"SELECT mine.tuple, mine.own, theirs.records{who} FROM mine JOIN ({theirs}) AS theirs ON {on}"


def _pattern_condition(pattern: Pattern) -> str:
    tests = [f"k{index} IS {'' if gone else 'NOT '}NULL" for index, gone in enumerate(pattern)]
    return " AND ".join(tests) or "true"

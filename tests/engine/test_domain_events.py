"""Events and tuples as codes, on every engine: each equals a count by hand, in the order of the values."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pyarrow
import pytest
from hypothesis import given, settings

from singleout.engine.databases import duckdb
from singleout.engine.databases.sql_engine import SqlEngine
from singleout.engine.missing_values import Missing
from singleout.engine.protocol import Question
from singleout.errors import InputError, UsageError
from singleout.roles.domain import Domain, domain
from tests.by_hand.coded_records_by_hand import comparable
from tests.support.home import Home
from tests.support.odd_tables import RULES, A, B, C, D, tables

DOMAINS = (
    Domain("both", (A, D)),
    Domain("numbers", (B,)),
    Domain("some", (D,), ((A, "x"),)),
    Domain("odd", (C,), ((A, "x'y"), (D, "山"))),
    Domain("backslash", (C,), ((A, "x\\y"),)),
)


def rank_key(value: Any) -> tuple[Any, ...]:
    """Numbers by size with NaN above, text by its bytes, a missing value last."""
    value = comparable(value)
    if value is None:
        return (2,)
    if value == "nan":
        return (1,)
    return (0, value.encode() if isinstance(value, str) else value)


def ranks(values: list[Any]) -> dict[tuple[Any, ...], int]:
    return {key: rank for rank, key in enumerate(sorted({rank_key(value) for value in values}))}


def events_by_hand(table: pyarrow.Table, each: Domain, missing: Missing) -> list[tuple[Any, Any]]:
    found = []
    for row in table.to_pylist():
        if all(row[column] == value for column, value in each.filters):
            found += [(row["who"], row[column]) for column in each.columns]
    return [event for event in found if missing == "value" or None not in event]


def check_events(engine: SqlEngine, table: pyarrow.Table, missing: Missing) -> None:
    by_hand = [events_by_hand(table, each, missing) for each in DOMAINS]
    person = ranks([who for events in by_hand for who, _ in events])
    expected: Counter[tuple[int, ...]] = Counter()
    for place, events in enumerate(by_hand):
        value = ranks([value for _, value in events])
        expected.update((place, person[rank_key(who)], value[rank_key(what)]) for who, what in events)
    cells = engine.events("who", DOMAINS, missing)
    keys = zip(cells.domain.tolist(), cells.person.tolist(), cells.value.tolist(), strict=True)
    assert dict(zip(keys, cells.count.tolist(), strict=True)) == expected
    assert cells.people == len(person)


def test_events_equal_a_count_by_hand(home: Home) -> None:
    def check(table: pyarrow.Table) -> None:
        with home.open(table) as engine:
            for missing in RULES:
                check_events(engine, table, missing)

    settings(max_examples=home.examples)(given(tables())(check))()


def check_tuples(engine: SqlEngine, table: pyarrow.Table, question: Question) -> None:
    rows = [tuple(row[name] for name in question.columns) for row in table.to_pylist()]
    if question.missing == "drop":
        rows = [row for row in rows if None not in row]
    columns = list(zip(*rows, strict=True)) or [()] * len(question.columns)
    rank = [ranks(list(column)) for column in columns]
    expected = Counter(tuple(rank[place][rank_key(value)] for place, value in enumerate(row)) for row in rows)
    found = engine.tuples(question)
    counted: Counter[tuple[int, ...]] = Counter()
    records = [1] * len(found.codes[0]) if found.records is None else found.records.tolist()
    for *codes, number in zip(*(code.tolist() for code in found.codes), records, strict=True):
        counted[tuple(codes)] += number
    assert counted == expected
    assert found.values == tuple(map(len, rank))
    for place, name in enumerate(question.columns):
        assert len(engine.values(name, question)) == found.values[place]


def test_tuples_equal_a_count_by_hand(home: Home) -> None:
    def check(table: pyarrow.Table) -> None:
        with home.open(table) as engine:
            for missing in RULES:
                check_tuples(engine, table, Question((A, B, C, D), missing=missing))

    settings(max_examples=home.examples)(given(tables())(check))()


def test_tuples_by_codes_are_those_by_sql(monkeypatch: pytest.MonkeyPatch) -> None:
    """A large table is read column by column; what comes out must not tell."""
    monkeypatch.setattr(duckdb, "CODES_FROM", 1)

    def check(table: pyarrow.Table) -> None:
        with duckdb_home.open(table) as engine:
            check_tuples(engine, table, Question((A, B, C, D)))

    duckdb_home = Home("duckdb", 60, lambda table: table)
    settings(max_examples=60)(given(tables())(check))()


def test_values_are_in_the_order_of_their_codes(home: Home) -> None:
    table = pyarrow.table({"word": ["b", None, "a", "B", "é", "a"], "n": [10, 9, 2, 2, None, 9]})
    question = Question(("word", "n"))
    with home.open(table) as engine:
        assert engine.values("word", question) == ("B", "a", "b", "é", None)
        assert engine.values("n", question) == ("2", "9", "10", None)
        assert engine.tuples(question).frequencies(0).tolist() == [1, 2, 1, 1, 1]
        assert [part.tolist() for part in engine.tuples(question).pairs(0, 1)] == [
            [0, 1, 1, 2, 3, 4],
            [0, 0, 1, 2, 3, 1],
            [1, 1, 1, 1, 1, 1],
        ]


def test_amounts_of_each_person(home: Home) -> None:
    table = pyarrow.table(
        {
            "who": ["b", "a", "a", "b", None, "a"],
            "use": ["in", "in", "out", "in", "in", "in"],
            "fare": ["0.1", "0.2", "3", "0.2", "9", None],
        }
    )
    domains = (domain("x=fare@use=in"), domain("y=fare@use=out"))
    with home.open(table) as engine:
        found = engine.amounts("who", domains, "fare", "drop")
        assert [each.tolist() for each in found.records] == [[2, 2], [1, 0]]
        assert found.amounts[0].tolist() == [0.2, math.fsum([0.1, 0.2])]
        assert found.amounts[1][0] == 3.0 and math.isnan(found.amounts[1][1])
        with_unknown = engine.amounts("who", domains, "fare", "value")
        assert with_unknown.amounts[0].tolist() == [0.2, math.fsum([0.1, 0.2]), 9.0]
        with pytest.raises(InputError, match="'use' holds something that is no number"):
            engine.amounts("who", domains, "use", "drop")


@pytest.mark.parametrize(
    ("column", "value", "found"),
    [("whole", "1", 2), ("whole", "1.0", 2), ("real", "1", 2), ("real", "1.0", 2), ("real", "0.5", 1),
     ("large", "9007199254740993", 1), ("yes", "true", 2), ("real", "1e0", 0), ("whole", "1 OR 1=1", 0)],
)  # fmt: skip
def test_filters_compare_numbers_as_numbers(home: Home, column: str, value: str, found: int) -> None:
    table = pyarrow.table(
        {
            "who": ["a", "b", "c"],
            "whole": [1, 1, 2],
            "real": [1.0, 1.0, 0.5],
            "large": [2**53, 2**53 + 1, 0],
            "yes": [True, True, False],
        }
    )
    with home.open(table) as engine:
        cells = engine.events("who", (Domain("x", ("who",), ((column, value),)),), "drop")
    assert len(cells.person) == found


def test_columns_of_a_domain_hold_one_kind_of_value(home: Home) -> None:
    table = pyarrow.table({"who": [1], "a": ["x"], "b": [1]})
    with home.open(table) as engine, pytest.raises(UsageError, match="the same kind of value"):
        engine.events("who", (Domain("mixed", ("a", "b")),), "drop")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("S=in+out@use=traffic", Domain("S", ("in", "out"), (("use", "traffic"),))),
        ("B=fare@use=a=b@place=x y", Domain("B", ("fare",), (("use", "a=b"), ("place", "x y")))),
        ('"a=b"="c+d"+e@"f@g"="h@""i"', Domain("a=b", ("c+d", "e"), (("f@g", 'h@"i'),))),
        ("名=駅", Domain("名", ("駅",))),
    ],
)
def test_a_domain_is_read_from_text(text: str, expected: Domain) -> None:
    assert domain(text) == expected


@pytest.mark.parametrize(
    "text", ["", "x", "=a", "x=", "x=a+", "x=a@", "x=a@b", "x=a@b=", "x=a+a", 'x="a', 'x=""']
)
def test_what_is_no_domain(text: str) -> None:
    with pytest.raises(UsageError, match="domain"):
        domain(text)

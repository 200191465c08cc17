"""Sets of columns counted in the databases, on every engine: each answer equals a count by hand."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import product
from typing import Any

import numpy
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.engine.class_sizes import Sizes
from singleout.engine.column_sets.lattice import Lattice
from singleout.engine.column_sets.set_counts import ARRAYS, Scale, SetCounts
from singleout.engine.databases import column_set_sql as set_sql
from singleout.engine.databases.sql_engine import SqlEngine
from singleout.engine.open_engine import open_engine
from singleout.engine.protocol import Column, Question
from singleout.errors import InputError, UsageError
from singleout.read.source import source
from singleout.roles.domain import Domain
from tests.by_hand.coded_records_by_hand import Row, check_codes, comparable, kept
from tests.support.home import Home
from tests.support.odd_tables import RULES, A, B, C, D, for_tables, tables

NAMES = (A, B, C, D)


def classes(rows: Sequence[Row], names: Sequence[str]) -> dict[Any, list[Any]]:
    """{value tuple: the person of each of its records}."""
    found: dict[Any, list[Any]] = defaultdict(list)
    for row in rows:
        found[tuple(comparable(row[name]) for name in names)].append(row["person"])
    return found


def members(columns: Sequence[str], mask: int) -> list[str]:
    return [name for place, name in enumerate(columns) if mask >> place & 1]


def masks(*each: int) -> Any:
    return numpy.array(each, dtype=numpy.uint64)


def check_counts(found: SetCounts, rows: list[Row], question: Question) -> None:
    people = {row["person"] for row in rows}
    assert (found.records, found.people) == (len(rows), len(people))
    for place, mask in enumerate(found.sets.tolist()):
        check_set(found, place, list(classes(rows, members(question.columns, mask)).values()))


def check_set(found: SetCounts, place: int, groups: list[list[Any]]) -> None:
    sizes = [(len(group), len(set(group))) for group in groups]
    few = [group for group in groups if len(set(group)) <= found.allow]
    assert found.classes[place] == len(groups)
    assert found.smallest[place] == min(people for _, people in sizes)
    assert found.unique[place] == sum(records for records, people in sizes if people == 1)
    assert found.at_risk[place] == sum(map(len, few))
    assert found.people_at_risk[place] == len({person for group in few for person in group})
    shares = [records / found.records for records, _ in sizes]
    average = math.fsum(records / people for records, people in sizes) / found.records
    assert found.average_risk[place] == pytest.approx(average, rel=1e-12)
    entropy = -math.fsum(share * math.log2(share) for share in shares)
    assert found.entropy[place] == pytest.approx(entropy, abs=1e-12)
    listed = Sizes.of([(*size, number) for size, number in Counter(sizes).items()])
    scale = Scale(found.records)
    assert found.risk_parts[place] == scale.risk_of(listed)
    assert found.entropy_parts[place] == scale.entropy_of(listed)


def ways(engine: SqlEngine) -> list[Callable[..., SetCounts]]:
    """The engine's own way to count sets, and the shared SQL if that is another one."""
    shared = [] if type(engine).count_sets is SqlEngine.count_sets else [SqlEngine.count_sets.__get__(engine)]
    return [engine.count_sets, *shared]


def test_sets_equal_a_count_by_hand(home: Home) -> None:
    most = 3 if home.name == "spark" else 40
    asked = st.lists(st.integers(0, 15), min_size=1, max_size=most)

    @settings(max_examples=home.examples // 2)
    @given(tables(), asked, st.integers(1, 3), st.sampled_from(RULES), st.sampled_from([None, "who"]))
    def check(table: pyarrow.Table, sets: list[int], allow: int, rule: Any, person: str | None) -> None:
        question = Question(NAMES, person, rule)
        rows = kept(table, question)
        with home.open(table) as engine:
            for count in ways(engine):
                if rows:
                    check_counts(count(question, masks(*sets), allow), rows, question)
                else:
                    with pytest.raises(InputError, match="no record has a value in every column"):
                        count(question, masks(*sets), allow)

    check()


SMALL = pyarrow.table(
    {
        "who": ["ann", "ann", "bob", None, None, "cat"],
        "a": ["x", "x", None, None, "x", "x"],
        "b": [1, 1, 2, 2, None, 1],
    }
)


@pytest.mark.parametrize("rule", RULES)
def test_a_missing_value_is_no_column_left_out(home: Home, rule: Any) -> None:
    """A small history with unknown people and records that are left out; one set is asked for twice."""
    question = Question(("a", "b"), "who", rule)
    with home.open(SMALL) as engine:
        for count in ways(engine):
            check_counts(count(question, masks(3, 1, 1), 1), kept(SMALL, question), question)


def test_as_many_columns_as_a_set_may_have(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """In several statements."""
    monkeypatch.setattr(set_sql, "SETS_A_STATEMENT", 2)
    random = numpy.random.default_rng(0)
    names = tuple(f"c{place}" for place in range(63))
    table = pyarrow.table({name: random.integers(0, 2, 6).astype(str) for name in ("who", *names)})
    sets = masks((1 << 63) - 1, 1 << 62, (1 << 62) + 1, 0)
    with home.open(table) as engine:
        question = Question(names, "who")
        for count in ways(engine):
            check_counts(count(question, sets, 1), kept(table, question), question)


def test_a_mask_of_other_columns_is_refused(home: Home) -> None:
    with home.open(SMALL) as engine:
        for ask in (lambda: engine.count_sets(Question(("a",)), masks(2), 1), lambda: parts(engine, 2)):
            with pytest.raises(UsageError, match="0b10 name more columns than the 1 asked about"):
                ask()
        with pytest.raises(UsageError, match="choose at least one column"):
            parts(engine, 0)


def parts(engine: SqlEngine, chosen: int) -> list[tuple[int, ...]]:
    return engine.parts_of_set(Question(("a",)), chosen).rows()


def test_parts_equal_a_count_by_hand(home: Home) -> None:
    @settings(max_examples=home.examples // 2 + 1)
    @given(tables(), st.integers(1, 15), st.sampled_from(RULES), st.sampled_from([None, "who"]))
    def check(table: pyarrow.Table, chosen: int, rule: Any, person: str | None) -> None:
        question = Question(NAMES, person, rule)
        rows = kept(table, question)
        with home.open(table) as engine:
            if rows:
                by_hand = parts_by_hand(rows, members(NAMES, chosen))
                assert engine.parts_of_set(question, chosen).rows() == by_hand
            else:
                with pytest.raises(InputError, match="no record has a value in every column"):
                    engine.parts_of_set(question, chosen)

    check()


def parts_by_hand(rows: list[Row], names: list[str]) -> list[tuple[int, ...]]:
    alone = [classes(rows, [name]) for name in names]
    found: Counter[tuple[int, ...]] = Counter()
    for key, group in classes(rows, names).items():
        least = min(len(set(of[value,])) for of, value in zip(alone, key, strict=True))
        found[len(group), len(set(group)), least] += 1
    return [(*triple, number) for triple, number in sorted(found.items())]


def test_records_as_codes(home: Home) -> None:
    """The same numbers as labels, and codes that keep apart, and in order, what the values do."""

    def check(table: pyarrow.Table) -> None:
        with home.open(table) as engine:
            for rule, person in product(RULES, (None, "who")):
                check_coded(engine, table, Question(NAMES, person, rule))

    for_tables(home, check, home.examples // 4)


def check_coded(engine: SqlEngine, table: pyarrow.Table, question: Question) -> None:
    found = engine.coded_records(question)
    listed = [number for batch in engine.labels(question) for number in batch[0].to_pylist()]
    assert found.record.tolist() == listed
    by_number = {row["record"]: row for row in kept(table, question)}
    assert sorted(by_number) == listed
    rows = [by_number[number] for number in listed]
    for name, codes, values in zip(NAMES, found.codes, found.values, strict=True):
        check_codes(codes, values, [comparable(row[name]) for row in rows])
    if question.person is None:
        assert (found.person, found.people) == (None, len(rows))
    else:
        check_codes(found.person, found.people, [row["who"] for row in rows])


DATES = pyarrow.table(
    {
        "who": [1, 1, 2, 2, 3],
        'the "day"': ["2024-02-01", "2024-02-17", None, "2024-03-01", "2023-03-01"],
        "text": ["é漢😀x", "é漢😀y", "é", "", "it's"],
    }
)
DAY = 'the "day"'


def shortened(engine: SqlEngine) -> SqlEngine:
    engine.shorten("month `m`", DAY, 7)
    engine.shorten("year", "month `m`", 4)
    engine.shorten("three", "text", 3)
    return engine


MONTHS = ["2024-02", "2024-02", None, "2024-03", "2023-03"]
YEARS = ["2024", "2024", None, "2024", "2023"]


def test_a_shortened_column_is_a_column_like_any_other(home: Home) -> None:
    by_hand = DATES.append_column("month `m`", [MONTHS]).append_column("year", [YEARS])
    with home.open(DATES) as engine:
        before = engine.columns()
        assert shortened(engine).columns()[: len(before)] == before
        kind = next(column.type for column in before if column.name == "text")
        assert engine.columns()[len(before) :] == tuple(
            Column(name, kind) for name in ("month `m`", "year", "three")
        )
        question = Question((DAY, "month `m`", "year"), "who")
        for count in ways(engine):
            check_counts(count(question, masks(1, 6), 2), kept(by_hand, question), question)
        check_other_answers(engine, by_hand)


def check_other_answers(engine: SqlEngine, by_hand: pyarrow.Table) -> None:
    assert engine.look("month `m`").missing == 1
    assert engine.values("year", Question(("year",))) == ("2023", "2024", None)
    assert set(engine.values("three", Question(("three",)))) == {"é漢😀", "é", "", "it'"}
    assert engine.sizes(Question(("year",), "who", "drop")).rows() == [(1, 1, 1), (3, 2, 1)]
    assert engine.people_alone(Question(("year",), "who")) == 2
    assert engine.tuples(Question(("year", "who"))).values == (3, 3)
    assert engine.coded_records(Question(("year",), "year")).codes[0].tolist() == [1, 1, 2, 1, 0]
    labels = [row for batch in engine.labels(Question(("year",)), ("year", DAY)) for row in batch.to_pylist()]
    assert [row["year"] for row in labels] == YEARS
    assert [row[DAY] for row in labels] == by_hand[DAY].to_pylist()
    of_year = Domain("d", ("month `m`",), (("year", "2024"),))
    assert len(engine.events("who", [of_year], "value").count) == 2


def test_a_long_name_of_a_shortened_column(home: Home) -> None:
    """PostgreSQL cuts names after 63 bytes: these two would be one."""
    year, month = ("月" * 30 + each for each in ("year", "month"))
    with home.open(DATES) as engine:
        engine.shorten(year, DAY, 4)
        engine.shorten(month, DAY, 7)
        assert engine.sizes(Question((year,))).total_groups == 3
        assert engine.sizes(Question((month, year))).total_groups == 4


def test_a_shortened_column_that_can_not_be_is_refused(home: Home) -> None:
    with home.open(DATES) as engine:
        with pytest.raises(UsageError, match="there is a column 'text' already; rename it"):
            engine.shorten("TEXT", DAY, 4)
        with pytest.raises(UsageError, match="keep at least 1 character"):
            engine.shorten("none", DAY, 0)
        with pytest.raises(UsageError, match="there is no column 'txt'"):
            engine.shorten("new", "txt", 4)
        assert [column.name for column in engine.columns()] == DATES.column_names


NUMBERS = {
    "0.3": 3, "0.7": 7, "-0.05": -1, "-0.1": -1, "1e1": 100, " 12 ": 120, "+.5": 5, "007": 70, "-0": 0,
    "0.29999999999999999": 3, "0.2999999999": 2, "123456789.87": 1234567898,
}  # fmt: skip
NO_NUMBERS = ["", "x", "1,5", "12\n", "1e400", "١٢", "0x10", "nan", "1_0", "1d", "--1", "5e15", None]


def test_numbers_rounded_down(home: Home) -> None:
    """A number as its whole steps, and any other text, or a number of too many steps, as it is."""
    texts: list[str | None] = [*NUMBERS, *NO_NUMBERS]
    table = pyarrow.table({"who": range(len(texts)), "the 'text'": texts})
    with home.open(table) as engine:
        engine.round_down("in `steps`", "the 'text'", Decimal("0.1"))
        rows = [
            row for batch in engine.labels(Question(()), ("who", "in `steps`")) for row in batch.to_pylist()
        ]
    found = [row["in `steps`"] for row in sorted(rows, key=lambda row: int(row["who"]))]
    assert found == [*map(str, NUMBERS.values()), *NO_NUMBERS]


def test_typed_numbers_rounded_down(home: Home) -> None:
    prices = [0.3, 0.7, -0.05, 1e9, -1.0, None, 49.99, 50.0, math.nan, math.inf]
    table = pyarrow.table({"price": prices, "number": [*range(-5, 4), None]})
    with home.open(table) as engine:
        engine.round_down("tenths", "price", Decimal("0.1"))
        engine.round_down("fifties", "price", Decimal(50))
        engine.round_down("pairs", "number", Decimal(2))
        tenths = engine.values("tenths", Question(("tenths",)))
        assert set(tenths[:-1]) >= {"3", "7", "-1", "10000000000", "-10", "499", "500"}
        assert (len(tenths), tenths[-1]) == (10, None)
        assert set(engine.values("fifties", Question(("fifties",), missing="drop"))) >= {"-1", "0", "1"}
        assert engine.values("pairs", Question(("pairs",))) == ("-1", "-2", "-3", "0", "1", None)
        # every answer knows the new columns: -5 | -4 -3 | -2 -1 | 0 1 | 2 3 | missing
        assert engine.sizes(Question(("pairs",))).rows() == [(1, 1, 2), (2, 2, 4)]
        assert engine.coded_records(Question(("pairs",))).values == (6,)


def test_a_rounded_column_that_can_not_be_is_refused(home: Home) -> None:
    with home.open(DATES) as engine:
        with pytest.raises(UsageError, match="there is a column 'text' already; rename it"):
            engine.round_down("TEXT", "who", Decimal(4))
        with pytest.raises(UsageError, match="steps above 0, not of 0"):
            engine.round_down("none", "who", Decimal(0))
        with pytest.raises(UsageError, match="steps above 0, not of NaN"):
            engine.round_down("none", "who", Decimal("nan"))
        with pytest.raises(UsageError, match="there is no column 'txt'"):
            engine.round_down("new", "txt", Decimal(4))


def test_misfits(home: Home) -> None:
    texts = ["2024-02-01", "2024/02/01", "2024.02-01 12:00", "20240201", "2024-02", "", "it's'it's", None]
    table = pyarrow.table({"a'b": texts, "number": range(len(texts))})
    with home.open(table) as engine:
        assert engine.misfits("a'b", [(5, "-/."), (8, "-/.")]) == 4
        assert engine.misfits("a'b", [(5, "'\\")]) == 6
        assert engine.misfits("a'b", []) == 0
        assert engine.misfits("number", [(1, "01234567")]) == 0
        with pytest.raises(UsageError, match="there is no column"):
            engine.misfits("ab", [(1, "2")])


def test_without_memory_for_codes_the_database_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Codes of all columns do not fit into 100 MB beside the loops: the shared SQL gives the same answer."""
    table = pyarrow.table({"a": ["x", "x", "y"], "b": [1, 2, 2]})
    question, sets = Question(("a", "b")), masks(0, 1, 2, 3)
    with open_engine(source(table)) as engine:
        by_codes = engine.count_sets(question, sets, 1)
    monkeypatch.setattr(Lattice, "count", None)
    with open_engine(source(table), memory="100MB") as engine:
        by_sql = engine.count_sets(question, sets, 1)
        assert engine.parts_of_set(question, 3).rows() == [(1, 1, 1, 2), (1, 1, 2, 1)]
    for name in ARRAYS:
        assert getattr(by_sql, name).tolist() == getattr(by_codes, name).tolist(), name

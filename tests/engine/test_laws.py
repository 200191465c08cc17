"""Laws of counting, on every engine: each answer equals a count by hand, and the counts obey each other."""

from __future__ import annotations

from collections import Counter, defaultdict
from random import Random
from typing import Any

import pyarrow
import pytest

from singleout import Assessment, assess
from singleout.engine.databases.sql_engine import SqlEngine
from singleout.engine.protocol import Question
from singleout.errors import UsageError
from tests.by_hand.coded_records_by_hand import comparable
from tests.support.home import Home
from tests.support.odd_tables import RULES, SCHEMA, A, B, C, D, for_tables

SETS = [(A,), (B,), (C, D), (A, B), (D, C, B, A), ()]


def groups_by_hand(table: pyarrow.Table, question: Question) -> dict[Any, list[Any]]:
    """{value tuple: the person of each of its records}."""
    asked = [*question.columns, *([question.person] if question.person else [])]
    found: dict[Any, list[Any]] = defaultdict(list)
    for place, row in enumerate(table.to_pylist()):
        if question.missing == "drop" and any(row[name] is None for name in asked):
            continue
        key = tuple(comparable(row[name]) for name in question.columns)
        found[key].append(row[question.person] if question.person else place)
    return found


def test_groups_equal_a_count_by_hand(home: Home) -> None:
    def check(table: pyarrow.Table) -> None:
        with home.open(table) as engine:
            for rule in RULES:
                for columns in SETS:
                    for person in (None, "who"):
                        check_question(engine, table, Question(columns, person, rule))

    for_tables(home, check)


def check_question(engine: SqlEngine, table: pyarrow.Table, question: Question) -> None:
    by_hand = groups_by_hand(table, question)
    pairs = Counter((len(members), len(set(members))) for members in by_hand.values())
    assert engine.sizes(question).rows() == [(*pair, pairs[pair]) for pair in sorted(pairs)]
    alone = {members[0] for members in by_hand.values() if len(set(members)) == 1}
    assert engine.people_alone(question) == len(alone)


def test_labels_equal_a_count_by_hand(home: Home) -> None:
    def check(table: pyarrow.Table) -> None:
        with home.open(table) as engine:
            for rule in RULES:
                question = Question((A, B), "who", rule)
                found = [row for batch in engine.labels(question, (A, B, "who")) for row in batch.to_pylist()]
                by_hand = groups_by_hand(table, question)
                assert len(found) == sum(map(len, by_hand.values()))
                keys = [(comparable(row[A]), comparable(row[B])) for row in found]
                for row, key in zip(found, keys, strict=True):
                    members = by_hand[key]
                    assert (row["records"], row["people"]) == (len(members), len(set(members)))
                classes = {(row["class"], key) for row, key in zip(found, keys, strict=True)}
                assert len(classes) == len({row["class"] for row in found}) == len(by_hand)
                assert len({row["record"] for row in found}) == len(found)

    for_tables(home, check)


def test_sizes_add_up_and_a_dropped_column_never_splits_a_class(home: Home) -> None:
    def check(table: pyarrow.Table) -> None:
        with home.open(table) as engine:
            fine, coarse = engine.sizes(Question((A, C, D))), engine.sizes(Question((C, D)))
        assert fine.total_records == coarse.total_records == table.num_rows
        assert coarse.total_groups <= fine.total_groups
        assert coarse.records.min() >= fine.records.min()

    for_tables(home, check)


def test_looks(home: Home) -> None:
    def check(table: pyarrow.Table) -> None:
        with home.open(table) as engine:
            assert [column.name for column in engine.columns()] == SCHEMA.names
            for name in SCHEMA.names:
                look = engine.look(name)
                assert (look.records, look.missing) == (table.num_rows, table.column(name).null_count)
                assert len(look.examples) == table.num_rows - look.missing

    for_tables(home, check)


def test_only_duckdb_lets_missing_values_match_everything(home: Home) -> None:
    table = pyarrow.table({"a": ["x", None]})
    with home.open(table) as engine:
        if home.name == "duckdb":
            assert engine.sizes(Question(("a",), None, "wildcard")).own.sum() == 2
        else:
            with pytest.raises(UsageError, match=f"the {home.name} engine can't let"):
                engine.sizes(Question(("a",), None, "wildcard"))


def test_shuffling_changes_nothing(home: Home) -> None:
    def check(table: pyarrow.Table) -> None:
        order = list(range(table.num_rows))
        Random(0).shuffle(order)
        if table.column("who").null_count == table.num_rows:
            return
        for rule in RULES:
            both = (home.put(each) for each in (table, table.take(order)))
            before, after = (assess(each, user="who", missing=rule).to_dict() for each in both)
            assert {**before, "source": ""} == {**after, "source": ""}

    for_tables(home, check, home.examples // 4)


def test_assessed_numbers_keep_their_order_and_range(home: Home) -> None:
    def check(table: pyarrow.Table) -> None:
        if table.column("who").null_count < table.num_rows:
            for rule in RULES:
                check_order_and_range(assess(home.put(table), user="who", missing=rule))

    for_tables(home, check, home.examples // 4)


def check_order_and_range(found: Assessment) -> None:
    for attribute in found.attributes:
        risk = attribute.risk
        assert risk.alpha.known >= 1 - 1e-12
        models = [risk.low_cost.known, risk.low_cost_floor.known, risk.risk.known, 1]
        assert models == pytest.approx(sorted(models))
    if found.classes is None:
        assert found.missing == "drop"
        return
    records, people = found.classes.by_records, found.classes.by_people
    assert people is not None
    for exposure in (records, people):
        assert exposure.average_risk.known <= exposure.highest_risk.known
    assert people.k.known <= records.k.known
    assert people.average_risk.known >= records.average_risk.known
    if found.missing == "value":
        for attribute in found.attributes:
            assert attribute.risk.risk.known <= people.average_risk.known + 1e-12

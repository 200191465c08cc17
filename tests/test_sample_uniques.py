"""Minimal sample uniques: the walk and the transversals against trying every set by hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from singleout.engine.codes import Codes
from singleout.engine.collapsed import Collapsed, collapsed
from singleout.errors import UsageError
from singleout.risk import transversals
from singleout.risk.sample_uniques import MinimalSets, minimal_sets, minimal_sets_of
from singleout.risk.transversals import in_order, minimal_members, minimal_transversals

Table = Sequence[tuple[int, ...]]


def codes(values: list[int]) -> Codes:
    _, numbers = numpy.unique(numpy.array(values), return_inverse=True)
    return Codes(numbers.astype(numpy.uint32), int(numbers.max()) + 1)


def coded(table: Table, persons: list[int] | None = None) -> Collapsed:
    columns = [codes(list(column)) for column in zip(*table, strict=True)]
    return collapsed(columns, codes(persons) if persons else None)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Table, list[int] | None]:
    width = draw(st.integers(1, 5))
    values = st.tuples(*[st.integers(0, draw(st.integers(0, 4))) for _ in range(width)])
    table = draw(st.lists(values, min_size=1, max_size=14))
    named = st.lists(st.integers(0, 4), min_size=len(table), max_size=len(table))
    return table, draw(st.none() | named)


def people_like(table: Table, persons: list[int], record: int, columns: tuple[int, ...]) -> int:
    alike = (all(other[c] == table[record][c] for c in columns) for other in table)
    return len({person for person, same in zip(persons, alike, strict=True) if same})


def by_hand(table: Table, persons: list[int] | None, record: int, allow: int, largest: int) -> list[int]:
    """Every set by size: one is minimal if it finds the record and contains none found before."""
    people = persons or list(range(len(table)))
    found: list[tuple[int, ...]] = []
    for size in range(largest + 1):
        for columns in combinations(range(len(table[0])), size):
            smaller = any(set(each) <= set(columns) for each in found)
            if not smaller and people_like(table, people, record, columns) <= allow:
                found.append(columns)
    return [sum(1 << column for column in columns) for columns in found]


def arranged(masks: list[int]) -> list[int]:
    return sorted(masks, key=lambda mask: (mask.bit_count(), mask))


def lists(found: MinimalSets) -> list[list[int]]:
    return [found.of(row).tolist() for row in range(found.rows)]


@given(tables(), st.integers(1, 3), st.data())
@example(([(0,)], None), 1, None)
@example(([(0, 0), (0, 1), (1, 0), (1, 1)], [0, 0, 1, 1]), 1, None)
@settings(max_examples=300, deadline=None)
def test_every_set_tried_by_hand(
    drawn: tuple[Table, list[int] | None], allow: int, data: st.DataObject | None
) -> None:
    table, persons = drawn
    largest = data.draw(st.integers(1, len(table[0]))) if data else len(table[0])
    rows = coded(table, persons)
    found = minimal_sets(rows, allow, largest)
    for record in range(len(table)):
        row = int(rows.row[record])
        expected = arranged(by_hand(table, persons, record, allow, largest))
        assert found.of(row).tolist() == expected
        assert minimal_sets_of(rows, row, allow, largest).tolist() == expected


@given(st.integers(0, 2**32), st.integers(1, 3), st.booleans())
@settings(max_examples=25, deadline=None)
def test_the_walk_agrees_with_the_transversals_on_larger_tables(seed: int, allow: int, named: bool) -> None:
    rows = drawn_rows(seed, 120, 9, named)
    found = minimal_sets(rows, allow)
    for row in range(0, len(rows.records), 7):
        assert minimal_sets_of(rows, row, allow).tolist() == found.of(row).tolist()


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("largest", [None, 2, 5])
def test_the_number_of_threads_changes_nothing(named: bool, largest: int | None) -> None:
    rows = drawn_rows(5, 400, 10, named)
    one, *others = (minimal_sets(rows, 1, largest, threads) for threads in (1, 2, 3, 7))
    assert len(one.masks) > 400
    for other in others:
        assert other.starts.tolist() == one.starts.tolist()
        assert other.masks.tolist() == one.masks.tolist()


def drawn_rows(seed: int, records: int, width: int, named: bool) -> Collapsed:
    random = numpy.random.default_rng(seed)
    columns = [random.geometric(1 / (2 + place % 4), records).tolist() for place in range(width)]
    people = random.integers(0, records // 3, records).tolist()
    return coded(list(zip(*columns, strict=True)), people if named else None)


def test_a_bound_leaves_out_the_larger_sets_and_no_other() -> None:
    rows = drawn_rows(3, 200, 8, False)
    all_of_them, bounded = minimal_sets(rows), minimal_sets(rows, largest=3)
    small = [[mask for mask in masks if mask.bit_count() <= 3] for masks in lists(all_of_them)]
    assert lists(bounded) == small
    assert lists(all_of_them) != small
    assert lists(minimal_sets(rows, largest=50)) == lists(all_of_them)


def test_the_list_says_how_many_and_how_small() -> None:
    found = minimal_sets(coded([(2, 0, 0), (1, 3, 6), (1, 0, 0), (9, 9, 9), (9, 9, 9)]))
    assert lists(found) == [[0b001], [0b010, 0b100], [0b011, 0b101], []]
    assert found.number.tolist() == [1, 2, 2, 0]
    assert found.smallest.tolist() == [1, 1, 2, -1]
    assert found.sizes.tolist() == [1, 1, 1, 2, 2]
    assert found.row_of_set.tolist() == [0, 1, 1, 2, 2]


def test_a_person_is_no_look_alike_of_themselves() -> None:
    table = [(0, 0), (0, 1), (1, 1)]
    assert lists(minimal_sets(coded(table, [7, 7, 8]))) == [[0b01, 0b10], [0b01], [0b01]]
    assert lists(minimal_sets(coded(table))) == [[0b10], [0b11], [0b01]]


def test_whoever_is_alone_is_found_by_nothing() -> None:
    assert lists(minimal_sets(coded([(0, 0), (1, 0)], [4, 4]))) == [[0], [0]]
    assert minimal_sets_of(coded([(0, 0), (1, 0)], [4, 4]), 1).tolist() == [0]


def test_many_columns_with_a_bound() -> None:
    rows = drawn_rows(1, 60, 63, False)
    found = minimal_sets(rows, largest=2)
    for row in (0, 17, 42):
        assert found.of(row).tolist() == minimal_sets_of(rows, row, largest=2).tolist()
        assert minimal_sets_of(rows, row, largest=3).tolist()[: found.number[row]] == found.of(row).tolist()


def test_steps_are_told() -> None:
    told: list[tuple[str, int, int]] = []
    minimal_sets(drawn_rows(2, 50, 6, False), progress=lambda *step: told.append(step))
    assert told == [("looking for the smallest sets", step, 8) for step in range(1, 9)]


@pytest.mark.parametrize(
    ("width", "allow", "largest", "says"),
    [
        (2, 0, 0, "allow 1 or more; sets of at most 0 columns"),
        (21, 1, None, "21 columns have too many sets; say how large a set may be"),
        (64, 1, 2, "64 columns are too many; take at most 63"),
    ],
)
def test_an_impossible_question_is_refused(width: int, allow: int, largest: int | None, says: str) -> None:
    rows = coded([tuple(range(width)), tuple(range(1, width + 1))])
    with pytest.raises(UsageError, match=says):
        minimal_sets(rows, allow, largest)


def test_one_record_needs_no_bound_but_must_exist() -> None:
    rows = coded([tuple(range(30)), tuple(range(1, 31))])
    assert minimal_sets_of(rows, 1).tolist() == [1 << place for place in range(30)]
    with pytest.raises(UsageError, match="no row 2; take one from 0 to 1"):
        minimal_sets_of(rows, 2)
    with pytest.raises(UsageError, match="30 columns have too many sets"):
        minimal_sets_of(rows, 1, allow=2)


masks = st.lists(st.integers(1, 63), max_size=12)


@given(masks, st.integers(1, 6))
@settings(deadline=None)
def test_transversals_by_hand(given_sets: list[int], largest: int) -> None:
    meeting = [mask for mask in range(64) if all(mask & each for each in given_sets)]
    minimal = [mask for mask in meeting if not any(less != mask and less & mask == less for less in meeting)]
    sets = numpy.array(given_sets, dtype=numpy.uint64)
    expected = [mask for mask in arranged(minimal) if mask.bit_count() <= largest]
    assert minimal_transversals(sets, largest).tolist() == expected


def test_only_the_minimal_members_count() -> None:
    sets = numpy.array([7, 3, 12, 3, 15], dtype=numpy.uint64)
    assert minimal_members(sets).tolist() == [3, 12]
    assert in_order(sets).tolist() == [3, 3, 12, 7, 15]


def test_too_many_sets_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transversals, "MOST_SETS", 100)
    pairs = numpy.array([3 << 2 * place for place in range(8)], dtype=numpy.uint64)
    with pytest.raises(UsageError, match="more than 100 sets"):
        minimal_transversals(pairs, 8)


def test_shares_of_a_comparison_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = numpy.array([3 << place for place in range(10)], dtype=numpy.uint64)
    at_once = minimal_transversals(pairs, 10).tolist()
    monkeypatch.setattr(transversals, "COMPARED_AT_ONCE", 3)
    assert minimal_transversals(pairs, 10).tolist() == at_once

"""Minimal sample uniques: the walk and the transversals against trying every set by hand."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from importlib import import_module

import numpy
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from singleout.engine.class_sizes import Counts
from singleout.engine.codes.collapsed_rows import CollapsedRows
from singleout.engine.column_sets.set_counts import Sets
from singleout.errors import UsageError
from singleout.progress import silent
from singleout.risk.combinations import minimal_sample_uniques as sample_uniques
from singleout.risk.combinations import msu_pairwise as agreements
from singleout.risk.combinations import msu_transversals as transversals
from singleout.risk.combinations import msu_walk as sample_unique_walk
from singleout.risk.combinations.minimal_sample_uniques import (
    UNBOUNDED,
    MinimalSets,
    differences,
    findable_rows,
    minimal_sets,
    minimal_sets_of,
)
from singleout.risk.combinations.msu_pairwise import sets_by_comparison
from singleout.risk.combinations.msu_transversals import minimal_transversals, smaller_members, sorted_sets
from singleout.risk.combinations.msu_walk import sets_by_walk
from tests.by_hand.minimal_sample_uniques_by_hand import Table, by_hand, coded, drawn_rows, tables


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


def walk_for(rows: CollapsedRows, allow: int, largest: int, threads: int = 1) -> list[list[int]]:
    found = sets_by_walk(rows, findable_rows(rows, allow), allow, largest, threads, silent, UNBOUNDED)
    assert found is not None
    return row_by_row(*found)


def row_by_row(number: Counts, masks: Sets) -> list[list[int]]:
    return [each.tolist() for each in numpy.split(masks, numpy.cumsum(number)[:-1])]


@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(1, 9), st.integers(1, 9), st.booleans())
@settings(max_examples=60, deadline=None)
def test_three_ways_to_one_answer(seed: int, allow: int, width: int, largest: int, named: bool) -> None:
    """The walk, the comparison of all records, and for single records the transversals."""
    rows = drawn_rows(seed, 120, width, named)
    largest = min(largest, width)
    by_walk = walk_for(rows, allow, largest)
    if allow == 1 or not named:
        by_comparing = row_by_row(*sets_by_comparison(rows, findable_rows(rows, allow), allow, largest, 1))
        assert by_comparing == by_walk
    for row in range(0, len(rows.records), 7):
        assert minimal_sets_of(rows, row, allow, largest).tolist() == by_walk[row]
        if allow == 1 and findable_rows(rows, 1)[row]:
            by_transversals = minimal_transversals(differences(rows, row), largest).tolist()
            assert by_transversals == by_walk[row]


@pytest.mark.parametrize("allow", [1, 2])
def test_a_hard_table(allow: int) -> None:
    """Random values of few kinds: many sets a record, none of them small."""
    random = numpy.random.default_rng(8)
    rows = coded([tuple(each) for each in random.integers(0, 3, (300, 13)).tolist()])
    found = minimal_sets(rows, allow, threads=2)
    assert len(found.masks) > 80_000
    assert lists(found) == walk_for(rows, allow, 13, threads=2)
    for row in (0, 7):
        assert minimal_sets_of(rows, row, allow).tolist() == found.of(row).tolist()


def test_a_walk_that_takes_too_long_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = drawn_rows(4, 150, 9, False)
    ways: list[str] = []

    def noted(real: Callable[..., object], *asked: object) -> object:
        ways.append(real.__name__)
        return real(*asked)

    for way in (sets_by_walk, sets_by_comparison):
        monkeypatch.setattr(sample_uniques, way.__name__, partial(noted, way))
    expected = walk_for(rows, 1, 9)
    walked, compared = sets_by_walk.__name__, sets_by_comparison.__name__
    for work, taken in ((0, [compared]), (300_000, [walked, compared]), (UNBOUNDED, [walked])):
        ways.clear()
        monkeypatch.setattr(sample_uniques, "comparison_work", lambda *_, work=work: work)
        assert lists(minimal_sets(rows)) == expected
        assert ways == taken


@pytest.mark.parametrize("work", [0, UNBOUNDED])
@pytest.mark.parametrize("threads", [1, 3])
def test_more_sets_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch, work: int, threads: int) -> None:
    rows = drawn_rows(4, 150, 9, False)
    number = len(minimal_sets(rows).masks)
    monkeypatch.setattr(sample_uniques, "comparison_work", lambda *_: work)
    for most, refused in ((number, False), (number - 1, True), (number // 2, True)):
        for module in (agreements, sample_unique_walk):
            monkeypatch.setattr(module, "MOST_SETS", most)
        if refused:
            with pytest.raises(UsageError, match=r"smallest sets; ask .* at most \d columns? by --largest"):
                minimal_sets(rows, threads=threads)
        else:
            assert len(minimal_sets(rows, threads=threads).masks) == number


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("largest", [None, 2, 5])
def test_the_number_of_threads_changes_nothing(named: bool, largest: int | None) -> None:
    rows = drawn_rows(5, 400, 10, named)
    one, *others = (minimal_sets(rows, 1, largest, threads) for threads in (1, 2, 3, 7))
    assert len(one.masks) > 400
    for other in others:
        assert other.starts.tolist() == one.starts.tolist()
        assert other.masks.tolist() == one.masks.tolist()


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
    rows = drawn_rows(2, 200, 6, False)
    wanted = findable_rows(rows, 3) & (numpy.arange(len(rows.records)) < 150)
    told: list[tuple[str, int, int]] = []
    for ask, steps in ((sets_by_comparison, 3), (partial(sets_by_walk, most_work=UNBOUNDED), 8)):
        told.clear()
        ask(rows, wanted, 3, 6, 1, progress=lambda *step: told.append(step))
        looked = [step for step in told if step[0] != "preparing the compiled loops, once"]
        assert looked == [("looking for the smallest sets", step, steps) for step in range(1, steps + 1)]


@pytest.mark.parametrize(
    ("largest", "kernel"), [(8, "msu_pairwise_kernels.smallest_sets"), (1, "msu_walk_kernels.walk")]
)
def test_the_loops_are_prepared_once(monkeypatch: pytest.MonkeyPatch, largest: int, kernel: str) -> None:
    module, _, name = f"singleout.risk.combinations.{kernel}".rpartition(".")
    loop = getattr(import_module(module), name)
    rows = drawn_rows(2, 60, 8, False)

    class Unused:
        signatures: tuple[object, ...] = ()

        def __call__(self, *given: object) -> object:
            self.signatures = ("used",)
            return loop(*given)

    monkeypatch.setattr(f"{module}.{name}", Unused())
    told: list[tuple[str, int, int]] = []
    for _ in range(2):
        minimal_sets(rows, largest=largest, progress=lambda *step: told.append(step))
    assert told[0] == ("preparing the compiled loops, once", 0, 1)
    assert [step[0] for step in told].count(told[0][0]) == 1


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


def test_only_the_minimal_members_count(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = numpy.array([7, 3, 12, 3, 15, 44], dtype=numpy.uint64)
    assert smaller_members(sets).tolist() == [3, 12]
    assert sorted_sets(sets).tolist() == [3, 3, 12, 7, 44, 15]
    monkeypatch.setattr(transversals, "WORK_OF_REDUCING", 0)
    assert smaller_members(sets).tolist() == [3, 12, 44]
    assert minimal_transversals(sets, 6).tolist() == [5, 6, 9, 10]


def test_what_nothing_meets() -> None:
    for given_sets in ([3, 0], [0]):
        assert minimal_transversals(numpy.array(given_sets, dtype=numpy.uint64), 2).tolist() == []
    assert minimal_transversals(numpy.zeros(0, dtype=numpy.uint64), 2).tolist() == [0]


@pytest.mark.parametrize(("limit", "most"), [("MOST_LISTED", 255), ("MOST_WORK", 1000)])
def test_too_many_sets_are_refused(monkeypatch: pytest.MonkeyPatch, limit: str, most: int) -> None:
    pairs = numpy.array([3 << 2 * place for place in range(8)], dtype=numpy.uint64)
    assert len(minimal_transversals(pairs, 8)) == 256
    monkeypatch.setattr(transversals, limit, most)
    with pytest.raises(UsageError, match=r"too many to list; ask for sets of at most [12] column"):
        minimal_transversals(pairs, 8)


@pytest.mark.parametrize(("allow", "largest"), [(1, 12), (2, 5)])
def test_a_wide_table_gets_an_answer_or_a_size_that_has_one(
    monkeypatch: pytest.MonkeyPatch, allow: int, largest: int
) -> None:
    """Sets of twelve columns are too many to list; those of five find nobody, but are many to try."""
    random = numpy.random.default_rng(3)
    rows = coded([tuple(each) for each in random.integers(0, 2, (500, 40)).tolist()])
    monkeypatch.setattr(transversals, "MOST_WORK", 10**7)
    monkeypatch.setattr(sample_uniques, "MOST_WORK_FOR_ONE", 10**8)
    with pytest.raises(UsageError, match="the record's smallest sets are too many to list") as refused:
        minimal_sets_of(rows, 0, allow, largest)
    size = int(re.findall(r"at most (\d+)", str(refused.value))[0])
    assert size in (2, 3)
    assert minimal_sets_of(rows, 0, allow, size).tolist() == []

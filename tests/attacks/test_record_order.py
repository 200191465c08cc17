"""Whether the order of a release's records tells who is who beyond what its values explain."""

from __future__ import annotations

import random
from itertools import permutations

import numpy
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.attacks.paired_tables import pair_tables
from singleout.attacks.record_order import rank_agreement

Row = tuple[str, ...]


def people(number: int, records: int = 1, seed: int = 0) -> list[Row]:
    """Person, town and day; records of one person lie together."""
    draw = random.Random(seed)
    return [
        (
            f"p{index:03}",
            f"town {draw.randrange(4)}",
            f"2024-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}",
        )
        for index in range(number)
        for _ in range(records)
    ]


def table(rows: list[Row]) -> pyarrow.Table:
    return pyarrow.table(dict(zip(("who", "town", "day"), map(list, zip(*rows, strict=True)), strict=True)))


def clues(original: list[Row], release: list[Row], names: dict[str, str]) -> list[str]:
    renamed = [(names[row[0]], *row[1:]) for row in release]
    truth = {name: who for who, name in names.items()}
    found = pair_tables(
        table(original), table(renamed), truth, user="who", clues=True, without_records=True
    ).clues
    return [each.kind for each in found]


def fresh_names(rows: list[Row], seed: int = 1) -> dict[str, str]:
    draw = random.Random(seed)
    return {row[0]: f"{draw.getrandbits(50):013x}" for row in rows}


def to_month(rows: list[Row]) -> list[Row]:
    return [(who, town, day[:7]) for who, town, day in rows]


def shuffled(rows: list[Row], seed: int = 2) -> list[Row]:
    return random.Random(seed).sample(rows, len(rows))


@pytest.mark.parametrize("records", [1, 5])
def test_the_original_order_is_found(records: int) -> None:
    rows = people(60, records)
    names = fresh_names(rows)
    assert clues(rows, to_month(rows), names) == ["order"]
    assert clues(rows, to_month(rows)[::-1], names) == ["order"]
    assert clues(rows, to_month(rows)[::3], names) == ["order"], "also where records were left out"
    mixed = shuffled(rows)
    assert clues(mixed, to_month(mixed), names) == ["order"]


def test_eight_people_in_a_row_are_no_chance() -> None:
    rows = people(9)
    assert clues(rows, to_month(rows), fresh_names(rows)) == ["order"]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("records", [1, 5])
def test_a_shuffled_release_tells_nothing(seed: int, records: int) -> None:
    """Whoever has many records comes first in both files: that is no order."""
    rows = people(80, records, seed)
    many = [*rows, *(row for row in rows if row[0] < "p010" for _ in range(20))]
    for original in (rows, shuffled(rows, seed), many, shuffled(many, seed)):
        assert clues(original, to_month(shuffled(original, seed + 100)), fresh_names(rows, seed)) == []


@pytest.mark.parametrize("seed", range(6))
def test_what_the_released_values_explain_is_no_clue(seed: int) -> None:
    """Both files are sorted by day, the release by what is left of it."""
    rows = sorted(people(200, 2, seed), key=lambda row: row[2])
    by_month = sorted(shuffled(to_month(rows), seed), key=lambda row: row[2])
    assert clues(rows, by_month, fresh_names(rows)) == []
    by_all = sorted(shuffled(to_month(rows), seed), key=lambda row: (row[2], row[1]))
    assert clues(rows, by_all, fresh_names(rows)) == []


def test_an_order_finer_than_the_values_is_found() -> None:
    """The days are cut to the month, but the records still stand by day; the original may be in any order."""
    rows = shuffled(people(300, 2))
    by_day = sorted(rows, key=lambda row: row[2])
    assert clues(rows, to_month(by_day), fresh_names(rows)) == ["order"]


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_a_column_that_was_left_out_is_found(seed: int) -> None:
    """Sorted by the day, which is not released: a place in the file tells it. Shuffled, it tells none."""
    rows = people(150, seed=seed)
    random.Random(seed).shuffle(rows)
    names = fresh_names(rows)
    truth = {name: who for who, name in names.items()}

    def kinds(released: list[Row]) -> list[str]:
        towns = pyarrow.table(
            {"who": [names[who] for who, _, _ in released], "town": [town for _, town, _ in released]}
        )
        both = pair_tables(table(rows), towns, truth, user="who", clues=True, beside=None)
        return [each.kind for each in both.clues]

    assert kinds(sorted(rows, key=lambda row: row[2])) == ["order"]
    assert kinds(random.Random(seed + 9).sample(rows, len(rows))) == []


def test_lines_are_compared_where_nobody_says_who_is_who() -> None:
    rows = people(60)
    plain = table(rows).drop_columns("who")
    coarse = table(to_month(rows)).drop_columns("who")

    def kinds(release: pyarrow.Table) -> list[str]:
        return [
            each.kind for each in pair_tables(plain, release, user="none", strangers=True, clues=True).clues
        ]

    assert kinds(coarse) == ["order"]
    order = numpy.random.default_rng(0).permutation(60)
    assert kinds(coarse.take(pyarrow.array(order))) == []


@given(st.permutations(range(6)))
@settings(max_examples=50)
def test_rank_agreement_is_spearmans(other: list[int]) -> None:
    line, rank = numpy.arange(6), numpy.array(other)
    found = rank_agreement(numpy.zeros(6, dtype=numpy.int64), line, rank)
    by_hand = 1 - 6 * sum((one - two) ** 2 for one, two in enumerate(other)) / (6 * 35)
    assert found.correlation == pytest.approx(by_hand)
    assert found.errors == pytest.approx(by_hand * 5**0.5)


def test_the_spread_of_rank_agreement_over_runs_and_ties_is_that_of_all_shuffles() -> None:
    """Every order of two runs of 4 and 3 lines, the second with a tie."""
    runs, first, second = numpy.array([0] * 4 + [1] * 3), (1, 2, 3, 4), (1, 1, 2)
    found = [
        rank_agreement(runs, numpy.arange(7), numpy.array([*one, *two]))
        for one in permutations(first)
        for two in permutations(second)
    ]
    assert numpy.mean([each.errors for each in found]) == pytest.approx(0)
    assert numpy.mean([each.errors**2 for each in found]) == pytest.approx(1)

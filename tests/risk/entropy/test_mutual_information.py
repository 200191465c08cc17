"""One domain: the paper's tables as corrected, counts by hand, what chance gives, rare values, amounts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.errors import InputError, UsageError
from singleout.risk.entropy.amount_correlation import correlations
from singleout.risk.entropy.chance_baseline import (
    Chance,
    chance,
    chance_of,
    chance_sentence,
    is_beyond_chance,
)
from singleout.risk.entropy.mutual_information import information
from singleout.risk.entropy.person_value_counts import CountTable
from singleout.risk.entropy.rare_values import rare_values
from tests.by_hand.person_value_counts_by_hand import (
    PURCHASES,
    STATIONS,
    entropy_by_hand,
    matrices,
    relabelled,
    table_of,
)


def table_with_margins(by_person: Sequence[int], by_value: Sequence[int]) -> CountTable:
    """Any table with these margins: the values dealt in order."""
    person = numpy.repeat(numpy.arange(len(by_person)), by_person)
    value = numpy.repeat(numpy.arange(len(by_value)), by_value)
    matrix = numpy.zeros((len(by_person), len(by_value)), dtype=numpy.int64)
    numpy.add.at(matrix, (person, value), 1)
    return table_of(matrix)


def test_table_v() -> None:
    # Ito et al. n.d., Section 3A: printed to two digits; 12/19 is the Bayes success (E-003.24)
    found = information(table_of(STATIONS))
    assert (found.people, found.values, found.events) == (3, 3, 19)
    assert [f"{each:.2f}" for each in (found.h_user, found.h_user_given, found.information)] == [
        "1.47",
        "0.99",
        "0.48",
    ]
    assert [f"{each:.2f}" for each in (found.probability_before, found.probability)] == ["0.36", "0.50"]
    assert found.guess_before == 8 / 19
    assert found.best_guess == 12 / 19


def test_table_vii_as_corrected() -> None:
    # Ito et al. n.d., Table IX, column b: E-003.2 to E-003.5
    found = information(table_of(PURCHASES))
    assert [found.h_user, found.h_user_given, found.information, found.probability] == pytest.approx(
        [1.3788, 0.8571, 0.5216, 0.5520], abs=5e-5
    )
    # E-003.7: the parts with their own priors
    assert found.information + information(table_of(STATIONS)).information == pytest.approx(1.0020, abs=5e-5)


@given(matrices())
def test_information_equals_a_count_by_hand(matrix: Any) -> None:
    found = information(table_of(matrix))
    joint = matrix / matrix.sum()
    h_user = entropy_by_hand(joint.sum(axis=1))
    left = entropy_by_hand(joint) - entropy_by_hand(joint.sum(axis=0))
    assert found.h_user == pytest.approx(h_user, abs=1e-12)
    assert found.h_user_given == pytest.approx(left, abs=1e-12)
    assert found.information == pytest.approx(h_user - left, abs=1e-12)
    assert found.probability == pytest.approx(2**-left)
    assert found.guess_before == pytest.approx(joint.sum(axis=1).max())
    assert found.best_guess == pytest.approx(joint.max(axis=0).sum())
    assert (found.people, found.values) == ((matrix.sum(axis=1) > 0).sum(), (matrix.sum(axis=0) > 0).sum())


@given(matrices(), st.integers(0, 99))
def test_laws_of_information(matrix: Any, seed: int) -> None:
    found = information(table_of(matrix))
    assert 0 <= found.information <= found.h_user
    assert 0 <= found.h_user_given <= found.h_user
    assert found.probability_before <= found.guess_before + 1e-12
    assert found.probability <= found.best_guess + 1e-12
    assert found.guess_before <= found.best_guess <= 1
    assert information(table_of(relabelled(matrix, seed))) == found


def test_a_domain_without_events_is_refused() -> None:
    for ask in (information, rare_values, lambda table: chance(table, 0, 1)):
        with pytest.raises(InputError, match="no events"):
            ask(table_of(numpy.zeros((2, 2))))


def chance_by_hand(matrix: Any) -> tuple[float, float, float]:
    """Mean information, its deviation and the mean best guess over all ways to deal the values."""
    person = numpy.repeat(numpy.arange(len(matrix)), matrix.sum(axis=1))
    values = numpy.repeat(numpy.arange(matrix.shape[1]), matrix.sum(axis=0)).tolist()
    ways = Counter(permutations(values))
    told, right = [], []
    for dealt, times in ways.items():
        counts = numpy.zeros_like(matrix)
        numpy.add.at(counts, (person, list(dealt)), 1)
        found = information(table_of(counts))
        told += [found.information] * times
        right += [found.best_guess] * times
    return float(numpy.mean(told)), float(numpy.std(told)), float(numpy.mean(right))


@pytest.mark.parametrize("matrix", [[[2, 1], [1, 2], [0, 1]], [[1, 1, 1], [0, 2, 2]], [[4, 0], [0, 3]]])
def test_chance_is_the_mean_over_all_permutations(matrix: Any) -> None:
    mean, deviation, right = chance_by_hand(numpy.array(matrix))
    found = chance(table_of(matrix), seed=1, threads=2)
    assert found.permutations == 1000
    assert found.information == pytest.approx(mean, abs=4 * deviation / math.sqrt(1000))
    assert found.best_guess == pytest.approx(right, abs=0.02)
    assert found.low <= found.information <= found.high


@settings(max_examples=20)
@given(matrices(), st.integers(0, 99))
def test_chance_depends_on_the_margins_and_the_seed_alone(matrix: Any, seed: int) -> None:
    found = chance(table_of(matrix), seed, threads=1)
    assert chance(table_of(relabelled(matrix, seed)), seed, threads=3) == found
    assert 0 <= found.low <= found.high <= information(table_of(matrix)).h_user + 1e-9


def test_another_seed_deals_otherwise() -> None:
    table = table_of(STATIONS)
    assert chance(table, 1, 1) != chance(table, 2, 1)


def test_many_events_are_dealt_less_often() -> None:
    found = chance(table_with_margins([50_000] * 4, [20_000] * 10), seed=0, threads=2)
    assert found.permutations == 200
    # with wide margins chance is about (people − 1)·(values − 1) / (2 events ln 2) bits (Miller, Madow)
    assert found.information == pytest.approx(3 * 9 / (2 * 200_000 * math.log(2)), rel=0.2)
    assert found.low < found.information < found.high


def shared_out(total: int, weights: Any, least: int) -> list[int]:
    """Whole numbers from `least` up that add up to the total, about proportional to the weights."""
    ends = numpy.cumsum(weights) / numpy.sum(weights) * (total - least * len(weights))
    return [int(each) + least for each in numpy.diff(numpy.round(ends), prepend=0)]


@pytest.mark.parametrize(
    ("people", "decay", "h_user", "values", "events", "printed", "chance_range"),
    [
        # Ito et al. n.d.: n_x, H(U) and I of Table VI; values seen once, twice and more by Table XI and m_x;
        # range of chance: E-003.21. Unknown is how people (a decay that gives H(U)) and frequent values
        # (1 / rank) share the rest.
        (31, 0.032, 4.900, (35, 43, 60), 727, 3.085, (1.7, 2.2)),
        (25, 0.134, 4.338, (43, 6, 9), 100, 3.389, (3.0, 3.3)),
        (29, 0.077, 4.736, (10, 3, 4), 84, 1.479, (1.57, 1.70)),
    ],
)
def test_most_of_what_the_paper_finds_is_chance(
    people: int,
    decay: float,
    h_user: float,
    values: tuple[int, int, int],
    events: int,
    printed: float,
    chance_range: tuple[float, float],
) -> None:
    once, twice, more = values
    by_person = shared_out(events, numpy.exp(-decay * numpy.arange(people)), 1)
    frequent = shared_out(events - once - 2 * twice, 1 / numpy.arange(1, more + 1), 3)
    table = table_with_margins(by_person, [1] * once + [2] * twice + frequent)
    assert information(table).h_user == pytest.approx(h_user, abs=0.02)
    found = chance(table, seed=0, threads=2)
    assert chance_range[0] <= found.information <= chance_range[1]
    assert found.information > printed / 2


def test_the_range_of_few_permutations_is_that_of_one_more() -> None:
    # Student's t with 3 degrees of freedom, 97.5 %: 3.182446 (any table of t)
    runs = [(1.0, 0.1), (2.0, 0.2), (3.0, 0.3), (4.0, 0.4)]
    found = chance_of(runs, most=10)
    assert chance_of(runs, most=5).high == 5
    half = 3.182446 * math.sqrt(5 / 3) * math.sqrt(1 + 1 / 4)
    assert (found.information, found.best_guess) == pytest.approx((2.5, 0.25))
    assert (found.low, found.high) == pytest.approx((0, 2.5 + half), abs=1e-6)


def test_chance_in_words() -> None:
    by_chance = Chance(1.5, 1.25, 1.75, 0.5, 1000)
    assert chance_sentence("stations", 3.0, by_chance) == (
        "stations tells 1.50 bits more of the person than chance would: 3.00 instead of 1.50"
    )
    assert chance_sentence("deposits", 1.7, by_chance) == (
        "deposits tells no more of the person than chance would: 1.70 bits, where chance alone gives 1.25 to "
        "1.75"
    )
    assert [is_beyond_chance(told, by_chance) for told in (1.75, 1.75 + 1e-12, 1.76)] == [False, False, True]


def test_values_that_occur_once_each_tell_nothing_beyond_chance() -> None:
    """Every way to deal them tells all: the range is one number, which rounding must not exceed."""
    table = table_with_margins([3, 4, 5], [1] * 12)
    assert not is_beyond_chance(information(table).information, chance(table, 0, 1))


@pytest.mark.parametrize(
    ("by_value", "values", "shares"),
    [
        # Ito et al. n.d., Table XI and Section 4A: traffic has 78 rare values; E-003.23
        ([1] * 35 + [2] * 43 + [10] * 54 + [11] * 6, (35, 78), ("4.8%", "16.6%")),
        ([1] * 43 + [2] * 6 + [5] * 9, (43, 49), ("43.0%", "55.0%")),
        ([1] * 10 + [2] * 3 + [17] * 4, (10, 13), ("11.9%", "19.0%")),
    ],
)
def test_table_xi(by_value: list[int], values: tuple[int, ...], shares: tuple[str, ...]) -> None:
    found = rare_values(table_with_margins([sum(by_value)], by_value))
    assert tuple(each.values for each in found) == values
    assert tuple(f"{each.share:.1%}" for each in found) == shares


@given(matrices())
def test_rare_values_by_hand(matrix: Any) -> None:
    seen = [int(each) for each in matrix.sum(axis=0) if each]
    for found in rare_values(table_of(matrix), at_most=(1, 3, 10**6)):
        rare = [each for each in seen if each <= found.at_most]
        assert (found.values, found.events) == (len(rare), sum(rare))
        assert found.share == sum(rare) / sum(seen)


def test_no_value_occurs_less_than_once() -> None:
    with pytest.raises(UsageError, match="take 1 or more"):
        rare_values(table_of(STATIONS), at_most=(1, 0))


def test_correlations_by_hand() -> None:
    random = numpy.random.default_rng(5)
    records = [random.integers(0, 5, 40), random.integers(0, 5, 40), random.integers(1, 5, 40)]
    amounts = [random.normal(2000, 500, 40), None, random.normal(-150, 40, 40) * 1e200]
    found = correlations(["deposit", "traffic", "shop"], records, amounts)
    assert [(each.first, each.second) for each in found] == [
        ("deposit records", "traffic records"),
        ("deposit amount", "traffic records"),
        ("deposit records", "shop records"),
        ("deposit records", "shop amount"),
        ("deposit amount", "shop records"),
        ("deposit amount", "shop amount"),
        ("traffic records", "shop records"),
        ("traffic records", "shop amount"),
    ]
    both = (records[0] > 0) & (records[1] > 0)
    assert found[1].people == both.sum() < 40
    assert amounts[0] is not None
    assert found[1].pearson == pytest.approx(numpy.corrcoef(amounts[0][both], records[1][both])[0, 1])
    assert amounts[2] is not None
    first = records[0] > 0
    assert found[3].pearson == pytest.approx(
        numpy.corrcoef(records[0][first], amounts[2][first] / 1e200)[0, 1]
    )


def test_a_correlation_that_is_not_known_says_why() -> None:
    few = correlations(["a", "b"], [numpy.array([1, 2, 0]), numpy.array([3, 1, 2])], [None, None])
    assert [(each.people, each.pearson, each.reason) for each in few] == [
        (2, None, "fewer than 3 people have both")
    ]
    alike = numpy.array([0.1 + 0.2, 0.3, 0.3])
    constant = correlations(["a", "b"], [numpy.array([1, 2, 3])] * 2, [None, alike])
    assert [each.reason for each in constant] == [None, "b amount: the same for everybody"]
    unknown = correlations(["a", "b"], [numpy.array([1, 2, 3])] * 2, [None, numpy.array([1.0, numpy.nan, 2])])
    assert [each.people for each in unknown] == [3, 2]


def test_a_perfect_correlation_is_not_above_one() -> None:
    x = numpy.arange(1, 50)
    amounts = [numpy.array(x * 0.1, dtype=float), numpy.array(-x / 3, dtype=float)]
    for found in correlations(["a", "b"], [x, x], amounts):
        assert found.pearson is not None
        assert abs(found.pearson) == pytest.approx(1)
        assert abs(found.pearson) <= 1

"""Success after several known records: enumeration by hand, the simulation beside it, and its interval."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from singleout.errors import UsageError
from singleout.risk.entropy.known_records import rule_of_thumb, success_after
from singleout.risk.entropy.mutual_information import information
from tests.by_hand.person_value_counts_by_hand import STATIONS, matrices, table_of

SIMULATE = "singleout.risk.entropy.known_records.MOST_PRODUCTS"


def by_hand(matrix: Any, known: int) -> float:
    """Over all sequences of values: the largest P(u)·Π P(x|u)."""
    matrix = matrix[matrix.any(axis=1)]
    given_person = matrix / matrix.sum(axis=1, keepdims=True)
    prior = matrix.sum(axis=1) / matrix.sum()
    sequences = product(range(matrix.shape[1]), repeat=known)
    return math.fsum(float((prior * given_person[:, list(x)].prod(axis=1)).max()) for x in sequences)


def test_table_v_after_several_records() -> None:
    # E-003.22 by enumeration over all sequences; it prints 0.857 after eight, which is 0.85646
    found = success_after(table_of(STATIONS), (1, 2, 4, 8), seed=0, threads=1)
    assert [f"{each.success:.3f}" for each in found] == ["0.632", "0.737", "0.821", "0.856"]
    assert [each.known for each in found] == [1, 2, 4, 8]
    assert all(each.exact and each.low == each.success == each.high for each in found)


@settings(max_examples=60)
@given(matrices(most=3), st.integers(1, 4))
def test_success_equals_a_sum_by_hand(matrix: Any, known: int) -> None:
    (found,) = success_after(table_of(matrix), (known,), seed=0, threads=1)
    assert found.exact
    assert found.success == pytest.approx(by_hand(matrix, known), abs=1e-12)


@given(matrices())
def test_more_records_never_hurt_the_attacker(matrix: Any) -> None:
    found = [each.success for each in success_after(table_of(matrix), (1, 2, 3, 5), seed=0, threads=1)]
    told = information(table_of(matrix))
    assert found[0] == told.best_guess
    order = [told.guess_before, *found, 1.0]
    assert order == pytest.approx(sorted(order), abs=1e-12)


def test_very_many_records_of_few_values() -> None:
    """Two coins, thrown more often than a number can count the orders; by the binomial distribution."""
    most, more = success_after(table_of([[2, 2], [1, 3]]), (500, 3000), seed=0, threads=1, draws=200)
    heads = numpy.arange(501)
    both = [binom.pmf(heads, 500, 0.5), binom.pmf(heads, 500, 0.25)]
    assert most.exact
    assert most.success == pytest.approx(numpy.maximum(*both).sum() / 2, abs=1e-12)
    assert not more.exact
    assert more.success == pytest.approx(1)


@pytest.fixture(scope="module")
def habits() -> Any:
    random = numpy.random.default_rng(2)
    matrix = random.poisson(random.gamma(0.4, 1.2, (30, 9)))
    matrix[5] = 0
    matrix[7] = matrix[3]
    return matrix


def test_simulation_agrees_with_the_count(habits: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    known = (2, 3, 4)
    exact = success_after(table_of(habits), known, seed=0, threads=1)
    monkeypatch.setattr(SIMULATE, 0)
    for seed in range(5):
        drawn = success_after(table_of(habits), known, seed, threads=2)
        for one, other in zip(exact, drawn, strict=True):
            assert (one.exact, other.exact) == (True, False)
            half = (other.high - other.low) / 2
            assert 0 < half < 0.02
            assert other.success == pytest.approx(one.success, abs=2 * half)


def test_the_interval_holds_the_truth_as_often_as_it_says(
    habits: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = success_after(table_of(habits), (3,), seed=0, threads=1)[0].success
    monkeypatch.setattr(SIMULATE, 0)
    drawn = [success_after(table_of(habits), (3,), seed, 1, draws=400)[0] for seed in range(300)]
    held = numpy.mean([each.low <= truth <= each.high for each in drawn])
    assert 0.91 <= held <= 0.995


def test_lists_that_are_looked_up_and_searched_tell_the_same(
    habits: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SIMULATE, 0)
    table = table_of(habits)
    found = []
    for one_in in (0, 2, 10**6):  # no list is long, some are, all are
        monkeypatch.setattr("singleout.risk.entropy.known_records.LONG_LIST", one_in)
        found.append(success_after(table, (2, 3, 8), seed=1, threads=2, draws=700))
    assert found[0] == found[1] == found[2]


def test_simulation_depends_on_the_seed_alone(habits: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SIMULATE, 0)
    table = table_of(habits)
    found = success_after(table, (2, 6), seed=1, threads=1)
    assert found == success_after(table, (2, 6), seed=1, threads=3)
    for each in found:
        assert success_after(table, (each.known,), seed=1, threads=1) == (each,)
    assert found != success_after(table, (2, 6), seed=2, threads=1)


def test_a_simulation_without_spread_keeps_an_open_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SIMULATE, 0)
    (found,) = success_after(table_of([[3, 0], [0, 3]]), (2,), seed=0, threads=1)
    assert found.success == found.high == 1
    assert 0.999 < found.low < 1


def test_hundreds_of_records_are_no_trouble_for_logarithms(
    habits: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Persons 3 and 7 are alike: whoever is drawn of them is named with probability 1/2, for ever."""
    monkeypatch.setattr(SIMULATE, 0)
    (found,) = success_after(table_of(habits), (700,), seed=0, threads=1)
    alike = 2 * habits[3].sum() / habits.sum()
    assert found.success == pytest.approx(1 - alike / 2, abs=0.02)


def test_the_rule_of_thumb() -> None:
    # Ito et al. n.d., Section 3A: 1.47 < 1.92 = 4·0.48
    assert rule_of_thumb(information(table_of(STATIONS))) == 4
    assert rule_of_thumb(information(table_of([[1, 1], [1, 1]]))) is None
    assert rule_of_thumb(information(table_of(numpy.eye(7, dtype=int) * 3))) == 1


def test_impossible_questions_are_refused() -> None:
    with pytest.raises(UsageError, match="0 known records say nothing"):
        success_after(table_of(STATIONS), (1, 0), seed=0, threads=1)
    with pytest.raises(UsageError, match="take 2 or more"):
        success_after(table_of(STATIONS), (1,), seed=0, threads=1, draws=1)

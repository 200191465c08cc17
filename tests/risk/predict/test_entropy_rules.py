"""The entropies and rules of Yang et al. 2020: examples, counter-examples, and laws on random tables."""

from __future__ import annotations

import math
from itertools import product

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.risk.predict.avfm import Avfm
from singleout.risk.predict.entropy_rules import Entropies, RuleCheck, check_rules, entropies, sparse_warning
from singleout.risk.predict.random_shuffle import random_sampling
from singleout.risk.shannon_entropy import entropy_of
from tests.by_hand.avfm_by_hand import coded, tables

# E-004.3: a 2×2 Latin design
LATIN = [("0", "0"), ("0", "1"), ("1", "0"), ("1", "1")]


def rules(found: Entropies, orr: float | None = None) -> dict[int, list[RuleCheck]]:
    checked = check_rules(found, orr)
    return {rule: [each for each in checked if each.rule == rule] for rule in (1, 2, 3, 4)}


def holds(found: Entropies, orr: float | None = None) -> list[bool | None]:
    return [each.holds for each in check_rules(found, orr)]


def test_the_example_of_rule_2() -> None:
    """1,000 records, four columns of ten even values: ME 9.9658 < EE 13.2877; both meet at 10,000 records."""
    ten = numpy.full(10, 100)
    found = entropies(Avfm(tuple("abcd"), (ten,) * 4), random=9.5)
    assert (found.maximum, found.experience) == pytest.approx((9.9658, 13.2877), abs=5e-5)
    small = rules(found)[2][0]
    assert small.holds is None
    assert "the table is small; with these shares the two meet at 10,000 records" in small.figures
    large = entropies(Avfm(tuple("abcd"), (ten * 100,) * 4), random=13.2)
    assert large.experience == pytest.approx(found.experience)
    assert "not small" in rules(large)[2][0].figures
    assert "2^60 records" in rules(Entropies(10, 60, 9))[2][0].figures


@given(tables(3, most_rows=15))
def test_experience_entropy_is_a_sum_of_columns(rows: list[tuple[str, ...]]) -> None:
    """Definition 6 over the product space, term by term."""
    avfm = coded(rows).avfm
    shares = [(column / avfm.records).tolist() for column in avfm.frequencies]
    by_hand = -sum(math.prod(each) * math.log2(math.prod(each)) for each in product(*shares))
    assert entropies(avfm, random=0).experience == pytest.approx(by_hand, abs=1e-12)


@given(tables(3, most_rows=25), st.integers(0, 5))
def test_the_laws_among_the_rules(rows: list[tuple[str, ...]], seed: int) -> None:
    avfm = coded(rows).avfm
    target = entropy_of(numpy.unique(numpy.array(rows), axis=0, return_counts=True)[1])
    random = random_sampling(avfm, samples=1, capacity=5, seed=seed).entropy
    found = entropies(avfm, random, target)
    orr = len(set(rows)) / len(rows)
    assert random <= min(found.experience, found.maximum) + 1e-12
    assert found.target is not None and found.target <= min(found.experience, found.maximum) + 1e-12
    assert holds(found, orr)[:4] == [True, True, None, True]


def test_rule_4_is_a_tendency() -> None:
    """TDE 2 > RDE 1.67 (E-004.3): of the six arrangements four have 2 bits and two have 1."""
    avfm = coded(LATIN).avfm
    random = random_sampling(avfm, samples=50, capacity=40).entropy
    spread = math.sqrt((4 * 2**2 + 2 * 1**2) / 6 - (5 / 3) ** 2)
    assert random == pytest.approx(5 / 3, abs=4 * spread / math.sqrt(2_000))
    found = entropies(avfm, random, target=2.0)
    assert [each.holds for each in rules(found, 1.0)[4]] == [False]
    assert "not a law" in rules(found)[4][0].statement


def test_full_entropy_and_risk_1_go_together() -> None:
    """Two alike among 10⁹ records are told from rounding; a claim that does not fit is told too."""
    records = 10**9
    full = math.log2(records)
    almost, risk = full - 2 / records, 1 - 1 / records
    for target, orr, fits in (
        (full, 1.0, True),
        (almost, risk, True),
        (full, risk, False),
        (almost, 1.0, False),
        (1.0, 1.0, False),
    ):
        assert rules(Entropies(full, 40, 20, target), orr)[1][0].holds is fits


def test_rules_that_are_broken_are_told() -> None:
    assert holds(Entropies(5, 3, 4, 2), 0.5) == [True, False, None, False, True]
    assert holds(Entropies(5, 3, 2, 4), 0.5) == [True, False, None, True, False]
    assert holds(Entropies(5, 9, 6), None) == [None, True, None, False, None]


def test_what_is_not_known_has_a_reason() -> None:
    found = rules(Entropies(10, 9, 8))
    for rule in (found[1][0], found[4][0]):
        assert rule.holds is None
        assert rule.figures.startswith("records (TDE): not known without the data")
    assert found[1][1].holds is True
    assert rules(Entropies(10, 9, 8, 7))[1][0].holds is None  # the risk is not known


@pytest.mark.parametrize(
    ("columns", "values", "orr", "warned"),
    [(10, 4, 0.99, True), (9, 8, 0.99, False), (10, 2, 0.99, False), (10, 4, 0.94, False)],
)
def test_wide_sparse_tables_are_warned_of(columns: int, values: int, orr: float, warned: bool) -> None:
    """64 records are 6 bits: ten columns of two bits are 14 more, of one bit 4 more."""
    avfm = Avfm(tuple(map(str, range(columns))), (numpy.full(values, 64 // values),) * columns)
    found = sparse_warning(avfm, orr)
    assert (found is not None) is warned
    if found:
        assert found.startswith("10 columns allow 2^14 times more combinations than there are records")
        assert "split the table" in found and "\n" not in found


def test_without_shuffles_the_other_rules_are_still_checked() -> None:
    found = check_rules(Entropies(10.0, 9.0, None, 8.0), orr=0.5)
    assert [each.holds for each in found] == [True, True, None, None, None]
    assert "nothing was shuffled" in found[3].figures

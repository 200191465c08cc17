"""The sampling model: right on average, honest about its spread, the same for the same seed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from singleout.engine.class_sizes import Sizes
from singleout.engine.open_engine import open_engine
from singleout.engine.protocol import Question
from singleout.errors import UsageError
from singleout.read.source import source
from singleout.risk.assess.sampling import (
    SampledRisk,
    interval,
    sample_curve,
    temper,
    tempered_sample,
    uniform_sample,
)
from singleout.risk.attribute_risk import attribute_risk
from tests.support.extracts import value_counts

Sampler = Callable[..., SampledRisk]
SAMPLERS = [uniform_sample, tempered_sample]


@pytest.fixture(scope="module")
def purchase_values(t1: Path) -> dict[str, Sizes]:
    """The five attributes of T1."""
    with open_engine(source(str(t1))) as engine:
        return {
            column: engine.sizes(Question((column,), "customer"))
            for column in ("date", "time", "goods", "price", "number")
        }


def coverage(sampler: Sampler, sizes: Sizes, sample: int, seeds: int) -> tuple[float, float]:
    """The shares of samples whose 90 % interval holds the exact risk, and whose upper end lies below it."""
    exact = attribute_risk(("x",), sizes, people=10**6).risk.known
    samples = [sampler(sizes, sample, 0.9, seed) for seed in range(seeds)]
    held = fmean(each.holds(exact) for each in samples)
    return held, fmean(each.high < exact and not each.holds(exact) for each in samples)


def interval_by_hand(alpha: Sequence[float], quantile: float, left: float) -> tuple[float, float]:
    """Both ends of the mean α: t on the logarithm of the excess over 1, above with one more, unseen value."""
    excess = [each - 1 for each in alpha]
    mean = fmean(excess)
    more = [*excess, mean + 3 * (max(excess) - mean)]
    error = stdev(excess) / math.sqrt(len(excess)) / mean
    error_with_more = stdev(more) / math.sqrt(len(more)) / fmean(more)
    high = fmean(more) * math.exp(quantile * error_with_more)
    return 1 + mean / math.exp(quantile * error * left**0.5), 1 + mean + (high - mean) * left**0.5


@st.composite
def value_sizes(draw: st.DrawFn, least: int = 1) -> list[tuple[int, int]]:
    """Values with at least as many records as people."""
    people = draw(st.lists(st.integers(1, 6), min_size=least, max_size=8))
    return [(count + draw(st.integers(0, 9)), count) for count in people]


def sizes_of(values: list[tuple[int, int]]) -> Sizes:
    return Sizes.of((records, people, 1) for records, people in values)


def skewed(values: int = 300, seed: int = 1) -> Sizes:
    """An attribute like a shop's dates: more records where there are more people, and more each."""
    random = numpy.random.default_rng(seed)
    people = random.geometric(0.15, values)
    records = people * random.geometric(0.05, values)
    return sizes_of(list(zip(records.tolist(), people.tolist(), strict=True)))


@given(value_sizes(), st.integers(1, 12), st.integers(0, 99))
def test_an_estimate_lies_in_its_interval_and_in_range(
    values: list[tuple[int, int]], n: int, seed: int
) -> None:
    sizes = sizes_of(values)
    for sampler in SAMPLERS:
        found = sampler(sizes, n, seed=seed)
        floor = sizes.total_groups / sizes.total_records
        assert floor - 1e-12 <= found.low <= found.risk + 1e-12
        assert found.risk - 1e-12 <= found.high <= 1 + 1e-12
        assert found.read >= 0


@given(value_sizes(), st.integers(0, 99))
def test_sampling_all_values_is_exact(values: list[tuple[int, int]], seed: int) -> None:
    sizes = sizes_of(values)
    exact = attribute_risk(("x",), sizes, people=99).risk.known
    for sampler in SAMPLERS:
        found = sampler(sizes, 100, seed=seed)
        assert (found.low, found.risk, found.high) == pytest.approx((exact, exact, exact))


@given(value_sizes(least=3), st.integers(2, 5))
def test_the_standard_error_is_the_exact_spread_over_all_samples(
    values: list[tuple[int, int]], n: int
) -> None:
    """sqrt(variance/s * (1 - s/N)) averaged over all samples equals the true variance of the mean."""
    assume(n < len(values))
    alpha = [records / people for records, people in values]
    samples = list(combinations(alpha, n))
    true_variance = numpy.var([numpy.mean(sample) for sample in samples])
    estimated = numpy.mean([numpy.var(sample, ddof=1) / n * (1 - n / len(values)) for sample in samples])
    assert estimated == pytest.approx(true_variance, abs=1e-12)
    curve = sample_curve(sizes_of(values), (n,), repetitions=1)
    assert curve[0].deviation_in_theory == pytest.approx(math.sqrt(true_variance), abs=1e-9)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_right_on_average(sampler: Sampler) -> None:
    """2,000 samples: the mean lies within four standard errors of the exact risk."""
    sizes = skewed()
    exact = attribute_risk(("x",), sizes, people=10**6).risk.known
    risks = [sampler(sizes, 30, seed=seed).risk for seed in range(2_000)]
    assert fmean(risks) == pytest.approx(exact, abs=4 * stdev(risks) / math.sqrt(len(risks)))


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("column", ["date", "time", "goods", "price", "number"])
def test_ten_values_of_the_purchases_hold_what_they_promise(
    sampler: Sampler, column: str, purchase_values: dict[str, Sizes]
) -> None:
    held, below = coverage(sampler, purchase_values[column], 10, seeds=1_000)
    assert held >= 0.88
    assert below <= 0.06


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("sample", [3, 20, 50])
@pytest.mark.parametrize("column", ["price", "number"])
def test_so_do_other_samples_of_the_most_skewed(
    sampler: Sampler, sample: int, column: str, purchase_values: dict[str, Sizes]
) -> None:
    held, below = coverage(sampler, purchase_values[column], sample, seeds=300)
    assert held >= 0.88
    assert below <= 0.06


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("sample", [10, 20, 50])
@pytest.mark.parametrize("column", ["diag_1", "diag_2", "time_in_hospital"])
def test_hospital_stays_where_nearly_all_values_have_an_alpha_of_one(
    sampler: Sampler, sample: int, column: str
) -> None:
    """The hardest is diag_1 (skewness 11): few draws meet any of the values that matter."""
    held, below = coverage(sampler, value_counts("diabetes", column), sample, seeds=300)
    assert held >= 0.86
    assert below <= 0.08


def test_tempered_samples_spread_less_where_alpha_grows_with_size() -> None:
    random = numpy.random.default_rng(3)
    people = random.geometric(0.05, 300)
    records = numpy.ceil(people**1.5).astype(int)
    sizes = sizes_of(list(zip(records.tolist(), people.tolist(), strict=True)))
    spread = {
        sampler: numpy.std([sampler(sizes, 20, seed=seed).risk for seed in range(500)])
        for sampler in SAMPLERS
    }
    assert spread[tempered_sample] < 0.8 * spread[uniform_sample]


def test_same_seed_same_sample_other_seed_other_sample() -> None:
    sizes = skewed()
    assert uniform_sample(sizes, seed=7) == uniform_sample(sizes, seed=7)
    assert tempered_sample(sizes, seed=7) == tempered_sample(sizes, seed=7)
    assert uniform_sample(sizes, seed=7) != uniform_sample(sizes, seed=8)


def test_one_value_says_nothing_about_the_spread() -> None:
    found = uniform_sample(skewed(), 1)
    assert (found.low, found.high) == (300 / skewed().total_records, 1.0)
    assert found.theorem_2_as_printed is None


def test_a_heavy_value_is_called_out() -> None:
    sizes = sizes_of([(1, 1), (2, 1), (3, 1)] * 20 + [(1000, 1)] * 2)
    warned = [uniform_sample(sizes, 10, seed=seed) for seed in range(20)]
    assert all((each.risk > 0.5) == (each.warning is not None) for each in warned)
    assert any(each.warning for each in warned)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_a_sample_without_spread_promises_nothing_above(sampler: Sampler) -> None:
    """1,000 values with α = 1 and three with α = 1,000: ten draws rarely see the three that matter."""
    sizes = sizes_of([(2, 2)] * 1000 + [(2000, 2)] * 3)
    exact = attribute_risk(("x",), sizes, people=10**6).risk.known
    found = [sampler(sizes, 10, seed=seed) for seed in range(200)]
    assert numpy.mean([each.low <= exact <= each.high for each in found]) >= 0.9
    assert all(each.warning or each.holds(exact) for each in found)


def test_interval_ends_by_hand(golden: dict[str, Any]) -> None:
    alpha = [1.0, 1.0, 1.1, 1.25, 1.5, 1.5, 2.0, 2.2, 3.0, 7.0]
    excess = numpy.array(alpha) - 1
    for confidence, quantile in ((0.9, "nine_90"), (0.95, "nine_95")):
        for left in (1.0, 0.4):
            low, high = interval(excess, confidence, left)
            by_hand = interval_by_hand(alpha, golden["interval"][quantile], left)
            assert (1 + low, 1 + high) == pytest.approx(by_hand, abs=1e-5)


@given(
    st.lists(st.floats(0, 99), min_size=2, max_size=12),
    st.floats(0.01, 99),
    st.floats(0.5, 0.98),
    st.floats(0, 1),
)
def test_an_interval_has_no_unit_and_grows_with_its_confidence(
    excess: list[float], scale: float, confidence: float, left: float
) -> None:
    assume(stdev(excess) > 1e-6)
    low, high = interval(numpy.array(excess), confidence, left)
    assert 0 <= low <= fmean(excess) * (1 + 1e-9) and fmean(excess) * (1 - 1e-9) <= high
    scaled = interval(numpy.array(excess) * scale, confidence, left)
    assert scaled == pytest.approx((low * scale, high * scale))
    surer = interval(numpy.array(excess), (1 + confidence) / 2, left)
    assert surer[0] <= low and high <= surer[1]


def test_nothing_is_promised_by_one_value_or_by_equal_ones() -> None:
    for excess in ([0.5], [0.5, 0.5], [0.0] * 10):
        assert interval(numpy.array(excess), 0.9) == (0.0, math.inf)
    assert interval(numpy.array([0.1, 0.2]), 1 - 1e-15)[1] > 1e300


def test_five_of_six_values_by_hand(golden: dict[str, Any]) -> None:
    """Whichever value is left out, the interval is that of the other five, corrected for five of six."""
    alpha = [2.0, 2.1, 2.2, 2.3, 2.4, 2.5]
    sizes = sizes_of([(round(10 * each), 10) for each in alpha])
    scale = 6 / sizes.total_records
    by_hand = {
        round(fmean(five), 6): interval_by_hand(five, golden["interval"]["four_90"], 1 - 5 / 6)
        for five in combinations(alpha, 5)
    }
    seen = set()
    for seed in range(40):
        found = uniform_sample(sizes, 5, seed=seed)
        mean = round(found.risk / scale, 6)
        seen.add(mean)
        low, high = by_hand[mean]
        assert (found.low, found.high) == pytest.approx((low * scale, high * scale), abs=1e-6)
    assert seen == set(by_hand)


def test_the_temper_is_the_slope() -> None:
    pilot = numpy.ones(3, dtype=numpy.int64)
    size = numpy.array([4, 16, 64])
    assert temper(size, numpy.array([2, 4, 8]), pilot) == pytest.approx(0.5)
    assert temper(size, numpy.array([2, 8, 32]), pilot) == pytest.approx(0)
    assert temper(size, numpy.array([2, 2, 2]), pilot) == pytest.approx(1)
    assert temper(size, numpy.array([4, 2, 1]), pilot) == 1


def test_more_than_a_billion_values_can_be_sampled() -> None:
    sizes = Sizes.of([(1, 1, 3 * 10**9), (4, 2, 10**9)])
    found = uniform_sample(sizes, 1000)
    assert found.risk == pytest.approx(attribute_risk(("x",), sizes, people=10**9).risk.known, rel=0.1)


def test_values_with_one_record_are_never_drawn() -> None:
    found = tempered_sample(sizes_of([(1, 1)] * 500 + [(4, 2)] * 5), 10)
    assert (found.read, found.low, found.high) == (20, found.risk, found.risk)


@pytest.mark.parametrize(("sample", "confidence"), [(0, 0.9), (-1, 0.9), (10, 0.0), (10, 1.0), (10, 2.0)])
def test_impossible_samples_are_refused(sample: int, confidence: float) -> None:
    for sampler in SAMPLERS:
        with pytest.raises(UsageError):
            sampler(skewed(), sample, confidence)

"""The sampling model: right on average, honest about its spread, the same for the same seed."""

from __future__ import annotations

import math
from itertools import combinations
from statistics import fmean, stdev
from typing import Any

import numpy
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from singleout.engine.class_sizes import Sizes
from singleout.errors import UsageError
from singleout.risk.assess.sampling import interval, sample_curve, temper, tempered_sample, uniform_sample
from singleout.risk.attribute_risk import attribute_risk


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
    for sampler in (uniform_sample, tempered_sample):
        found = sampler(sizes, n, seed=seed)
        floor = sizes.total_groups / sizes.total_records
        assert floor - 1e-12 <= found.low <= found.high <= 1 + 1e-12
        assert floor - 1e-12 <= found.risk <= 1 + 1e-12
        assert found.read >= 0


@given(value_sizes(), st.integers(0, 99))
def test_sampling_all_values_is_exact(values: list[tuple[int, int]], seed: int) -> None:
    sizes = sizes_of(values)
    exact = attribute_risk(("x",), sizes, people=99).risk.known
    for sampler in (uniform_sample, tempered_sample):
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


@pytest.mark.parametrize("sampler", [uniform_sample, tempered_sample])
def test_right_on_average_and_covered_as_promised(sampler: Any) -> None:
    """2,000 samples: mean within four standard errors, the 90 % interval holds the truth in 80 to 96 %."""
    sizes = skewed()
    exact = attribute_risk(("x",), sizes, people=10**6).risk.known
    found = [sampler(sizes, 30, seed=seed) for seed in range(2_000)]
    risks = [each.risk for each in found]
    assert numpy.mean(risks) == pytest.approx(exact, abs=4 * numpy.std(risks) / math.sqrt(len(risks)))
    covered = numpy.mean([each.low <= exact <= each.high for each in found])
    assert 0.80 <= covered <= 0.96


def test_tempered_samples_spread_less_where_alpha_grows_with_size() -> None:
    random = numpy.random.default_rng(3)
    people = random.geometric(0.05, 300)
    records = numpy.ceil(people**1.5).astype(int)
    sizes = sizes_of(list(zip(records.tolist(), people.tolist(), strict=True)))
    spread = {
        sampler: numpy.std([sampler(sizes, 20, seed=seed).risk for seed in range(500)])
        for sampler in (uniform_sample, tempered_sample)
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


@pytest.mark.parametrize("sampler", [uniform_sample, tempered_sample])
def test_a_sample_without_spread_promises_nothing_above(sampler: Any) -> None:
    """1,000 values with α = 1 and three with α = 1,000: ten draws rarely see the three that matter."""
    sizes = sizes_of([(2, 2)] * 1000 + [(2000, 2)] * 3)
    exact = attribute_risk(("x",), sizes, people=10**6).risk.known
    found = [sampler(sizes, 10, seed=seed) for seed in range(200)]
    assert numpy.mean([each.low <= exact <= each.high for each in found]) >= 0.9
    assert all(each.warning for each in found)


def test_interval_ends_by_hand(golden: dict[str, Any]) -> None:
    want = golden["interval"]
    assert interval(0.5, 0.01, 10, 0.9, 0.1) == pytest.approx(
        (0.5 - want["nine_90"] * 0.01, 0.5 + want["nine_90"] * 0.01), abs=1e-7
    )
    assert interval(0.5, 0.01, 10, 0.95, 0.1)[1] == pytest.approx(0.5 + want["nine_95"] * 0.01, abs=1e-7)
    assert interval(0.5, 0.3, 10, 0.9, 0.45) == (0.45, 1.0)


def test_five_of_six_values_by_hand(golden: dict[str, Any]) -> None:
    """Whichever value is left out, the interval is that of the other five, corrected for five of six."""
    alpha = [2.0, 2.1, 2.2, 2.3, 2.4, 2.5]
    sizes = sizes_of([(round(10 * each), 10) for each in alpha])
    records = sizes.total_records
    by_hand = {}
    for five in combinations(alpha, 5):
        half = golden["interval"]["four_90"] * stdev(five) / math.sqrt(5) * math.sqrt(1 - 5 / 6)
        by_hand[round(fmean(five), 6)] = (
            (fmean(five) - half) * 6 / records,
            (fmean(five) + half) * 6 / records,
        )
    seen = set()
    for seed in range(40):
        found = uniform_sample(sizes, 5, seed=seed)
        mean = round(found.risk * records / 6, 6)
        seen.add(mean)
        assert (found.low, found.high) == pytest.approx(by_hand[mean], abs=1e-6)
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
    for sampler in (uniform_sample, tempered_sample):
        with pytest.raises(UsageError):
            sampler(skewed(), sample, confidence)

"""The models of a population: golden numbers, definitions by hand, and what they refuse to say."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

from singleout.risk.population.bootstrap import draw_sample
from singleout.risk.population.models import FittedModel, Model, chosen_model, fit_models, highest_risk
from singleout.risk.population.pitman import (
    ALL_ALIKE,
    ALL_ALONE,
    NoEstimate,
    asymptotic_uniqueness,
    fit_pitman,
)
from singleout.risk.population.pitman_yor import PitmanYor
from singleout.risk.population.sample_classes import SampleClasses
from singleout.risk.population.scaling_law import fit_curve, fit_scaling_law, refit_laws
from singleout.risk.population.slide_negative_binomial import expected_small_classes, fit_snb
from singleout.risk.population.zayatz import zayatz_share
from tests.support.extracts import ARX_ADULT, class_sizes

HISTOGRAMS = st.dictionaries(st.integers(1, 12), st.integers(1, 6), min_size=1, max_size=5)


@pytest.fixture(scope="module")
def adult() -> SampleClasses:
    return SampleClasses.of(class_sizes("arx_adult", ARX_ADULT))


def test_pitman_on_adult(adult: SampleClasses, golden: dict[str, Any]) -> None:
    told = golden["population"]["adult"]
    law = fit_pitman(adult)
    assert law.concentration == pytest.approx(told["theta"], abs=6e-4)
    assert law.discount == pytest.approx(told["alpha"], abs=6e-8)
    for share, number in told["asymptotic"].items():
        assert asymptotic_uniqueness(law, adult.people / float(share)) == pytest.approx(number, abs=6e-8)
    for share, number in told["exact"].items():
        assert law.uniqueness(adult.people / float(share)) == pytest.approx(number, abs=6e-8)
    # at f = 1 the exact form is nearly what the table itself has, and ARX's is not
    assert law.uniqueness(adult.people) == pytest.approx(0.5153, abs=6e-5)
    assert asymptotic_uniqueness(law, adult.people) == pytest.approx(0.5300, abs=6e-5)
    assert adult.unique_share == pytest.approx(0.5143, abs=6e-5)


def test_zayatz_on_adult(adult: SampleClasses, golden: dict[str, Any]) -> None:
    for share, number in golden["population"]["adult"]["zayatz"].items():
        assert zayatz_share(adult, adult.people / float(share)) == pytest.approx(number, abs=6e-11)


def test_snb_on_adult(adult: SampleClasses, golden: dict[str, Any]) -> None:
    for share, (classes, shape, probability, unique) in golden["population"]["adult"]["snb"].items():
        fit = fit_snb(adult, float(share))
        assert fit.classes == pytest.approx(classes, abs=6e-3)
        assert fit.shape == pytest.approx(shape, abs=6e-7)
        assert fit.probability == pytest.approx(probability, abs=6e-7)
        assert fit.alone / adult.people * float(share) == pytest.approx(unique, abs=6e-7)


def test_snb_says_how_many_classes_of_one_and_two_a_sample_has() -> None:
    """Simulated; where the derivation divides by (1 − δ)^(a+2), ARX's code multiplies."""
    random, classes, shape, probability, share = numpy.random.default_rng(7), 1_000_000, 0.6, 0.3, 0.2
    sizes = 1 + random.negative_binomial(shape, probability, classes)
    seen = numpy.bincount(random.binomial(sizes, share))
    told = expected_small_classes(classes, share, shape, probability)
    assert told == pytest.approx(seen[1:3].tolist(), abs=4 * math.sqrt(seen[1]))
    delta = (1 - share) * (1 - probability)
    slipped = told[1] * (1 - delta) ** (2 * shape + 4)
    assert abs(slipped - seen[2]) > 100 * math.sqrt(seen[2])


def test_snb_is_arxs_without_its_slips(adult: SampleClasses, golden: dict[str, Any]) -> None:
    for share, unique in golden["population"]["adult"]["snb_corrected"].items():
        found = fit_snb(adult, float(share)).alone / adult.people * float(share)
        assert found == pytest.approx(unique, abs=6e-7)


def test_the_law_by_its_golden_numbers(golden: dict[str, Any]) -> None:
    told = golden["population"]["law"]
    sizes = numpy.array(told["sizes"], dtype=float)
    law = fit_curve(sizes, numpy.array(told["correctness"]))
    assert law.correctness(told["asked"]).tolist() == pytest.approx(told["correctness_there"], abs=6e-6)

    def uniqueness(law: PitmanYor, people: Any) -> Any:
        return numpy.array([law.uniqueness(each) for each in people])

    law = fit_curve(sizes, numpy.array(told["uniqueness"]), uniqueness)
    assert uniqueness(law, told["asked"]).tolist() == pytest.approx(told["uniqueness_there"], abs=6e-6)


def test_a_law_needs_three_sizes() -> None:
    with pytest.raises(NoEstimate, match="a law needs 3 sizes of the sample, not 2"):
        fit_curve(numpy.array([10.0, 100.0]), numpy.array([0.9, 0.8]))


def test_fits_find_the_law_that_made_the_sample() -> None:
    """The expected sample of a law is fitted by that law, whichever way."""
    law = PitmanYor(0.6, 500.0)
    shares = law.share_by_size(20_000, 400)
    sizes = numpy.arange(1, 401, dtype=float)
    sample = SampleClasses(sizes, shares / sizes * 20_000)
    (again,) = refit_laws([sample], PitmanYor(0.4, 900.0))
    assert again is not None
    for fit in (fit_pitman(sample), fit_scaling_law(sample), again):
        assert fit.discount == pytest.approx(0.6, abs=0.02)
        assert fit.uniqueness(200_000) == pytest.approx(law.uniqueness(200_000), rel=0.03)


@settings(max_examples=30)
@given(HISTOGRAMS)
def test_the_fit_is_the_likeliest_law(histogram: dict[int, int]) -> None:
    sample = SampleClasses.of_pairs(histogram.items())
    try:
        law = fit_pitman(sample)
    except NoEstimate:
        return
    best = likelihood(law, histogram)
    for discount in (0.01, 0.2, 0.5, 0.8, 0.95):
        for concentration in (0.02, 0.3, 1, 5, 30, 300):
            assert likelihood(PitmanYor(discount, concentration - discount / 2), histogram) <= best + 1e-6


def likelihood(law: PitmanYor, histogram: dict[int, int]) -> float:
    """By the products of the definition."""
    d, theta = law.discount, law.concentration
    sizes = [size for size, many in histogram.items() for _ in range(many)]
    opened = sum(math.log(theta + index * d) for index in range(1, len(sizes)))
    came = sum(math.log(theta + person) for person in range(1, sum(sizes)))
    joined = sum(math.log(already - d) for size in sizes for already in range(1, size))
    return opened - came + joined


@given(HISTOGRAMS, st.integers(1, 40))
def test_zayatz_is_bayes_rule(histogram: dict[int, int], more: int) -> None:
    sample = SampleClasses.of_pairs(histogram.items())
    n = round(sample.people)
    if 1 not in histogram:
        with pytest.raises(NoEstimate, match="nobody is alone"):
            zayatz_share(sample, n + more)
        return
    people = n + more
    seen = {size: hypergeom(people, size, n).pmf(1) * many for size, many in histogram.items()}
    truly = seen[1] / sum(seen.values())
    assert zayatz_share(sample, people) == pytest.approx(histogram[1] * truly / n, rel=1e-9)


@given(st.lists(st.integers(1, 4), min_size=2, max_size=4), st.data())
def test_rarefaction_is_the_mean_over_all_parts(sizes: list[int], data: st.DataObject) -> None:
    people = [home for home, size in enumerate(sizes) for _ in range(size)]
    if len(people) < 3:
        return
    part = data.draw(st.integers(1, len(people)))
    parts = list(combinations(people, part))
    by_hand = sum(len({*each}) for each in parts) / len(parts) / part
    sample = SampleClasses.of_pairs([(size, sizes.count(size)) for size in {*sizes}])
    assert sample.rarefied(numpy.array([float(part)]))[0] == pytest.approx(by_hand, rel=1e-9)


@given(HISTOGRAMS, st.floats(0.05, 0.95))
def test_a_thinned_sample_keeps_its_sums(histogram: dict[int, int], share: float) -> None:
    sample = SampleClasses.of_pairs(histogram.items())
    thinned = sample.thinned(share)
    assert thinned.people == pytest.approx(sample.people * share, rel=1e-9)
    classes = sum(many * (1 - (1 - share) ** size) for size, many in histogram.items())
    assert thinned.classes == pytest.approx(classes, rel=1e-9)


def test_candidates_of_people_are_classes_with_fractions() -> None:
    """Three people fit two each, one fits alone: as many as a class and a half of two and one of one."""
    sample = SampleClasses.of_candidates([(2, 3.0), (1, 1.0)])
    assert (sample.people, sample.classes, sample.unique_share) == (4, 2.5, 0.25)
    assert sample.overlapping
    assert sample.thinned(0.5).overlapping


@settings(max_examples=12)
@given(HISTOGRAMS.filter(lambda each: sum(each.values()) > 1), st.integers(1, 1000))
def test_every_number_is_a_probability(histogram: dict[int, int], times: int) -> None:
    sample = SampleClasses.of_pairs(histogram.items())
    fits = fit_models(sample, sample.people * times)
    for fit in fits.values():
        if isinstance(fit, FittedModel):
            assert all(0 <= number <= 1 for number in fit.numbers.values())
        else:
            assert str(fit)


@given(HISTOGRAMS, st.floats(0.05, 0.9), st.floats(0.5, 300), st.integers(1, 500))
def test_the_highest_risk_is_never_above_the_sample_and_never_far_below(
    histogram: dict[int, int], discount: float, concentration: float, more: int
) -> None:
    sample, law = SampleClasses.of_pairs(histogram.items()), PitmanYor(discount, concentration)
    k = min(histogram)
    highest = highest_risk(law, sample, sample.people + more)
    assert 1 / (k + 1) <= highest <= 1 / k
    assert highest_risk(law, sample, sample.people) == pytest.approx(1 / k)


def test_what_does_not_tell_says_so() -> None:
    everybody_alone = fit_models(SampleClasses.of_pairs([(1, 50)]), 500)
    assert str(everybody_alone["pitman"]) == str(everybody_alone["law"]) == ALL_ALONE
    assert str(everybody_alone["pitman_asymptotic"]) == ALL_ALONE
    assert "none of two" in str(everybody_alone["snb"])
    all_alike = fit_models(SampleClasses.of_pairs([(50, 1)]), 500)
    assert str(all_alike["pitman"]) == ALL_ALIKE
    assert "nobody is alone" in str(all_alike["zayatz"])
    history = fit_models(SampleClasses.of_candidates([(2, 30.0), (1, 10.0), (5, 3.0)]), 500)
    assert isinstance(history["law"], FittedModel)
    for name in ("pitman", "zayatz", "snb"):
        assert "several records" in str(history[name])


def test_dankars_choice() -> None:
    fits = fit_models(SampleClasses.of_pairs([(1, 400), (2, 90), (3, 30), (9, 20)]), 8000)
    shares = {name: fit.numbers["unique_share"] for name, fit in fits.items() if isinstance(fit, FittedModel)}
    assert chosen_model(0.1, fits, shares) == "pitman"
    assert chosen_model(0.2, fits, {"zayatz": 0.4, "snb": 0.3}) == "snb"
    assert chosen_model(0.2, fits, {"zayatz": 0.2, "snb": 0.3}) == "zayatz"
    assert chosen_model(0.2, fits, {"zayatz": 0.2}) == "zayatz"


def test_dankars_choice_on_adult(adult: SampleClasses) -> None:
    """Where SNB fails, as in ARX, Zayatz' 0.3577 is chosen at a fifth sampled, and 0.3195 is right."""
    fits = fit_models(adult, adult.people / 0.2)
    shares = {name: fit.numbers["unique_share"] for name, fit in fits.items() if isinstance(fit, FittedModel)}
    assert chosen_model(0.2, fits, shares) == "snb"
    assert shares["snb"] == pytest.approx(0.3195, abs=6e-5)
    without: dict[Model, float] = {name: share for name, share in shares.items() if name != "snb"}
    assert shares[chosen_model(0.2, fits, without)] == pytest.approx(0.3577, abs=6e-5)


def test_the_likeliest_law_is_found_at_the_edge_too() -> None:
    """Samples of a law of Ewens (d = 0), where the likelihood is flat: every one has a fit."""
    law = PitmanYor(0.001, 5_700.0)
    fits = [fit_pitman(draw_sample(law, 2_000, seed), law) for seed in range(60)]
    assert sum(each.discount < 1e-3 for each in fits) > 20
    assert numpy.median([each.uniqueness(2_000) for each in fits]) == pytest.approx(
        law.uniqueness(2_000), rel=0.02
    )

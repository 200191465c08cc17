"""The bound that needs no law: populations that no law describes, whose risk models understate."""

from __future__ import annotations

from collections import Counter

import numpy
import pytest
from scipy.stats import binom

from singleout.progress import silent
from singleout.risk.population import bootstrap
from singleout.risk.population.back_test import misfit
from singleout.risk.population.bootstrap import draw_sample
from singleout.risk.population.measures import POPULATION_MEASURES, POPULATION_UNIQUE, number_of
from singleout.risk.population.nonparametric_bound import lower_bound, upper_bounds
from singleout.risk.population.pitman_yor import PitmanYor
from singleout.risk.population.population import population_view
from singleout.risk.population.sample_classes import SMALL, SampleClasses

EVERYBODY = 20_000


def mixed(alone: float, size: int) -> list[int]:
    """The class sizes of a population of whom a share has no look-alike, and everybody else equally many."""
    ones = round(EVERYBODY * alone)
    return [1] * ones + [size] * ((EVERYBODY - ones) // size)


def truths(sizes: list[int]) -> dict[str, float]:
    people = sum(sizes)
    return {
        "unique_share": sizes.count(1) / people,
        "small_share": sum(each for each in sizes if each < SMALL) / people,
        "marketer": len(sizes) / people,
    }


def drawn(sizes: list[int], share: float, seed: int) -> tuple[SampleClasses, float]:
    """People drawn at random, and the highest risk that one of them has among all."""
    random = numpy.random.default_rng(seed)
    homes = numpy.repeat(numpy.arange(len(sizes)), sizes)
    seen = numpy.bincount(random.choice(homes, round(share * len(homes)), replace=False))
    found = Counter(seen[seen > 0].tolist())
    return SampleClasses.of_pairs(found.items()), 1 / min(numpy.array(sizes)[: len(seen)][seen > 0])


POPULATIONS = [
    *(mixed(alone, size) for alone in (0.0, 0.1, 0.3, 0.6) for size in (2, 3, 4, 10, 30, 100)),
    [1] * EVERYBODY,
    [18_000] + [1] * 2_000,
    [18_000] + [2] * 1_000,
    [1, 2, 3, 4, 5, 6] * 950,
    [round(1.5**each) for each in range(1, 17)] * 7 + [1] * 500,
]


@pytest.mark.parametrize("share", [0.05, 0.1, 0.5])
def test_no_population_is_worse_than_its_bound(share: float) -> None:
    """Each number of 29 populations, four samples of each; 5 % might be missed, and the bound is careful."""
    missed = tried = 0
    for sizes in POPULATIONS:
        truth = truths(sizes)
        for seed in range(4):
            sample, highest = drawn(sizes, share, seed)
            bounds = upper_bounds(sample, sum(sizes))
            whole = {**truth, "journalist.highest": highest}
            missed += sum(bounds[name] < value - 1e-9 for name, value in whole.items())
            tried += len(whole)
    assert tried == 4 * 4 * len(POPULATIONS)
    assert missed == 0


def test_intervals_reach_the_truth_where_the_laws_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three in ten have no look-alike however many people there are, which a law does not foresee."""
    monkeypatch.setattr(bootstrap, "DRAWS", 19)
    sizes = mixed(0.3, 10)
    sample, _ = drawn(sizes, 0.1, 1)
    view = population_view(sample, sum(sizes), 0, silent)
    pitman = view.of("pitman")
    assert pitman.accepted
    assert pitman.numbers["unique_share"] < 0.2
    for name, truth in truths(sizes).items():
        measure = next(each for each in POPULATION_MEASURES if number_of(each) == name)
        high = view.highest_end(measure)
        assert high is None or high >= truth
    assert view.highest_end(POPULATION_UNIQUE) == view.bounds.upper["unique_share"]
    assert view.to_dict()["upper_bounds"]["unique_share"] == view.bounds.upper["unique_share"]


def test_a_law_that_does_not_describe_the_sample_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Classes of thirty show three people each; the law that foretells who is alone has other ones."""
    monkeypatch.setattr(bootstrap, "DRAWS", 19)
    sizes = mixed(0.3, 30)
    sample, _ = drawn(sizes, 0.1, 1)
    view = population_view(sample, sum(sizes), 0, silent)
    assert all(each.passed for each in view.tests if (each.model, each.number) == ("pitman", "unique_share"))
    for name in ("pitman", "pitman_asymptotic", "law"):
        assert not view.of(name).accepted
    assert "its law does not describe the table's own classes" in str(view.of("pitman").reason)
    assert view.chosen is None


def test_a_law_describes_what_was_drawn_from_it() -> None:
    """Chance makes one of twenty look as if it did not."""
    law = PitmanYor(0.6, 200.0)
    assert sum(misfit(law, draw_sample(law, 2_000, seed)) is not None for seed in range(60)) <= 5
    assert misfit(PitmanYor(0.2, 200.0), draw_sample(law, 2_000, 0)) is not None


def test_the_bound_is_reached_by_a_population_that_shows_the_sample() -> None:
    """Where all sizes are told apart it is little above the truth; the slack is that of chance."""
    sizes = mixed(0.3, 100)
    sample, _ = drawn(sizes, 0.1, 0)
    bounds = upper_bounds(sample, sum(sizes))
    assert 0.3 <= bounds["unique_share"] <= 0.37
    assert bounds["unique_share"] <= bounds["small_share"] <= 0.38
    assert bounds["unique_share"] <= bounds["marketer"] <= 0.38


def test_whole_towns_are_no_sample_by_chance() -> None:
    """What the guide warns of: who comes from other towns ends nobody's uniqueness, and no bound sees it."""
    looks = numpy.random.default_rng(1).integers(0, 420, 100 * 200)
    town = numpy.repeat(numpy.arange(100), 200)
    classes = town * 420 + looks
    alone = numpy.bincount(classes) == 1
    drawn = numpy.bincount(numpy.bincount(classes[town < 10]))
    sample = SampleClasses.of_pairs((size, float(many)) for size, many in enumerate(drawn) if size and many)
    bound = upper_bounds(sample, len(classes))["unique_share"]
    assert (alone.sum() / len(classes), bound) == pytest.approx((0.62, 0.39), abs=0.005)


def test_a_larger_sample_leaves_less_possible() -> None:
    """The expected sample of a population, of ever more people: the bound falls towards what is true."""
    grown = []
    for times in (1, 10, 100):
        kept = numpy.arange(1, 31)
        ones = (kept == 1) * 600.0
        counts = (ones + binom(30, 0.1).pmf(kept) * 14_000 / 30) * times
        sample = SampleClasses.of_pairs(zip(kept.tolist(), counts.tolist(), strict=True))
        grown.append(upper_bounds(sample, 20_000 * times)["unique_share"])
    assert grown[0] > grown[1] > grown[2] > 0.3


def test_who_is_all_there_is_the_sample_itself() -> None:
    sample = SampleClasses.of_pairs([(1, 3), (2, 2)])
    assert upper_bounds(sample, 7) == sample.numbers()


def test_what_no_population_shows_leaves_all_possible() -> None:
    """Classes of four and no others, of half the people: so even are no samples by chance."""
    bounds = upper_bounds(SampleClasses.of_pairs([(4, 5_000)]), 40_000)
    assert bounds == {"unique_share": 1, "small_share": 1, "marketer": 1, "journalist.highest": 0.25}


def test_the_highest_risk_falls_where_the_smallest_classes_surely_grew() -> None:
    """No class of a hundred shows all of its people in a sample of a tenth."""
    sample, highest = drawn([100] * 200, 0.1, 3)
    bounds = upper_bounds(sample, EVERYBODY)
    assert highest < bounds["journalist.highest"] == 1 / (sample.smallest + 1)
    history = SampleClasses(sample.sizes, sample.counts, overlapping=True)
    assert upper_bounds(history, EVERYBODY)["journalist.highest"] == 1 / sample.smallest


def test_known_records_say_no_more_than_the_table_itself() -> None:
    """Three people fit others by chance, however many these have in common: all three were drawn.

    Counted as classes, of which a quarter was seen, they would stand for twelve.
    """
    random = numpy.random.default_rng(1)
    sizes = random.geometric(0.4, 3_200)
    group = numpy.repeat(numpy.arange(3_200), sizes)
    fitting = (random.random((len(group), 3)) < [0.6, 0.4, 0.2]).sum(axis=1)
    whole, everybody = sizes[group] + fitting, len(group) + 3
    truth = {"small_share": (whole < 5).mean(), "marketer": (1 / whole).mean()}
    missed = 0
    for _ in range(20):
        chosen = random.random(len(group)) < 0.25
        seen = (numpy.bincount(group, chosen)[group] + fitting)[chosen]
        sample = SampleClasses.of_candidates(Counter(seen.astype(int).tolist()).items())
        bounds = upper_bounds(sample, everybody)
        assert all(bounds[name] >= value for name, value in truth.items())
        assert all(value <= bounds[name] <= value + 0.03 for name, value in sample.numbers().items())
        assert lower_bound(sample, everybody) == 0
        as_classes = upper_bounds(SampleClasses(sample.sizes, sample.counts), everybody)
        missed += any(as_classes[name] < value for name, value in truth.items())
    assert missed >= 10


def test_the_lower_bound_is_the_line_through_one_person_fewer() -> None:
    """By hand: of the people one leaves; 36,000 people are too many for chance to matter much."""
    sample = SampleClasses.of_pairs([(1, 12_000), (2, 12_000)])
    n, ones, twos = 36_000, 12_000, 12_000
    # who leaves was alone, or leaves somebody alone
    without = (ones / n * (ones - 1) + 2 * twos / n * (ones + 1)) / (n - 1)
    line = ones / n - (without - ones / n) * 9_000
    assert lower_bound(sample, n) == ones / n
    assert lower_bound(sample, 45_000) == pytest.approx(line, abs=0.012)
    assert lower_bound(sample, 45_000) < line
    assert lower_bound(sample, 36_001) == pytest.approx(11_999 / 36_001)
    assert lower_bound(sample, 7e9) == 0


def test_the_lower_bound_holds_where_few_are_unique() -> None:
    """Three of 4,000 people are unique: of a quarter of them, some samples show several."""
    sizes = [1] * 3 + [40] * 100
    held = 0
    for seed in range(100):
        sample, _ = drawn(sizes, 0.25, seed)
        held += lower_bound(sample, sum(sizes)) <= 3 / sum(sizes)
    assert held >= 93

"""The Pitman–Yor law beside its own definition, and people drawn from it."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import psi
from scipy.stats import beta, binom

from singleout.engine.codes.parallel import key_of
from singleout.risk.population.bootstrap import draw_sample
from singleout.risk.population.pitman_yor import PitmanYor, log_rising

LAWS = st.builds(
    lambda d, a: PitmanYor(d, a - d), st.floats(0.01, 0.95), st.floats(0.05, 1000).filter(lambda a: a > 0)
)


def classes_by_hand(law: PitmanYor, people: int) -> dict[tuple[int, ...], float]:
    """The probability of each list of class sizes: who comes joins a class by its size, or opens another."""
    lists: dict[tuple[int, ...], float] = {(1,): 1.0}
    for person in range(1, people):
        following: dict[tuple[int, ...], float] = {}
        for sizes, chance in lists.items():
            base = law.concentration + person
            options: list[tuple[tuple[int, ...], float]] = [
                ((*sizes, 1), law.concentration + law.discount * len(sizes))
            ]
            for index, size in enumerate(sizes):
                more = (*sizes[:index], size + 1, *sizes[index + 1 :])
                options.append((more, size - law.discount))
            for each, weight in options:
                key = tuple(sorted(each))
                following[key] = following.get(key, 0.0) + chance * weight / base
        lists = following
    return lists


@pytest.mark.parametrize(
    "law", [PitmanYor(0.6, 3.0), PitmanYor(0.0, 1.5), PitmanYor(0.3, -0.1), PitmanYor(0.5, 0)]
)
@pytest.mark.parametrize("people", [2, 5, 7])
def test_expectations_equal_those_over_all_partitions(law: PitmanYor, people: int) -> None:
    lists = classes_by_hand(law, people)
    assert sum(lists.values()) == pytest.approx(1)
    alone = sum(chance * sizes.count(1) / people for sizes, chance in lists.items())
    classes = sum(chance * len(sizes) / people for sizes, chance in lists.items())
    small = sum(chance * sum(size for size in sizes if size < 3) / people for sizes, chance in lists.items())
    assert law.uniqueness(people) == pytest.approx(alone, rel=1e-12)
    assert float(law.correctness(people)) == pytest.approx(classes, rel=1e-12)
    assert law.share_below(3, people) == pytest.approx(small, rel=1e-12)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_class_stays_as_it_is(size: int) -> None:
    """By the probability that each who comes does not join it."""
    law, sample, people = PitmanYor(0.4, 2.5), 10, 40
    stays = math.prod(
        1 - (size - law.discount) / (law.concentration + person) for person in range(sample, people)
    )
    assert float(law.stays(size, sample, people)) == pytest.approx(stays, rel=1e-12)
    assert float(law.stays(size, sample, sample)) == 1


def test_the_share_in_small_classes_is_the_integral() -> None:
    law, people, k = PitmanYor(0.6, 50.0), 2000, 5

    def inside(level: float) -> float:
        x = math.exp(level)
        return float(binom.cdf(k - 2, people - 1, x) * beta.pdf(x, 1 - 0.6, 50 + 0.6) * x)

    assert law.share_below(k, people) == pytest.approx(quad(inside, -70, 0, limit=500)[0], rel=1e-6)


def test_the_law_by_its_golden_numbers(golden: dict[str, Any]) -> None:
    told = golden["population"]["simulated"]
    law, people = PitmanYor(told["discount"], told["concentration"]), told["people"]
    found = (law.uniqueness(people), float(law.correctness(people)), law.share_below(5, people))
    assert found == pytest.approx((told["unique"], told["correctness"], told["below_5"]), abs=6e-5)


def test_fractions_of_steps_keep_their_digits_far_out() -> None:
    """ln Γ(10⁹ + 0.283) − ln Γ(10⁹), worked out with 40 digits."""
    assert float(log_rising(1e9, 0.283)) == pytest.approx(5.864684231754378857, rel=1e-13)


def test_people_drawn_from_a_law_are_as_it_says() -> None:
    law, people, draws = PitmanYor(0.6, 50.0), 2000, 150
    drawn = [draw_sample(law, people, key_of("law", draw)) for draw in range(draws)]
    for name, told in (("unique_share", law.uniqueness(people)), ("correctness", law.correctness(people))):
        numbers = numpy.array([getattr(each, name) for each in drawn])
        assert abs(numbers.mean() - float(told)) < 4 * numbers.std(ddof=1) / math.sqrt(draws)


def test_the_same_key_draws_the_same_people() -> None:
    one, other = (draw_sample(PitmanYor(0.5, 3.0), 500, 7) for _ in range(2))
    assert one.sizes.tolist() == other.sizes.tolist()
    assert one.counts.tolist() == other.counts.tolist()
    assert draw_sample(PitmanYor(0.5, 3.0), 500, 8).counts.tolist() != one.counts.tolist()


@given(LAWS)
def test_coordinates_lead_back_to_the_law(law: PitmanYor) -> None:
    entropy = float(psi(law.concentration + 1) - psi(1 - law.discount))
    again = PitmanYor.of_entropy(entropy, float(psi(1) - psi(1 - law.discount)) / entropy)
    assert again.discount == pytest.approx(law.discount, abs=1e-6)
    assert again.concentration == pytest.approx(law.concentration, rel=1e-4, abs=1e-4)


@given(LAWS, st.integers(2, 6))
def test_larger_populations_have_fewer_unique_people(law: PitmanYor, power: int) -> None:
    sizes = [10**each for each in range(1, power + 3)]
    for few, many in pairwise(sizes):
        assert law.uniqueness(few) >= law.uniqueness(many)
        assert float(law.correctness(few)) >= float(law.correctness(many))
        assert law.uniqueness(many) <= float(law.correctness(many)) + 1e-12
        assert law.share_below(5, many) >= law.uniqueness(many)


@given(st.floats(1e-3, 1e12), st.integers(0, 20))
def test_differences_of_gammas_keep_their_digits(start: float, steps: int) -> None:
    exact = sum(math.log(start + each) for each in range(steps))
    assert float(log_rising(start, steps)) == pytest.approx(exact, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("discount", "concentration"), [(1.0, 1.0), (-0.1, 1.0), (0.5, -0.5), (0.5, math.inf)]
)
def test_there_are_no_such_laws(discount: float, concentration: float) -> None:
    with pytest.raises(ValueError, match="no Pitman–Yor law"):
        PitmanYor(discount, concentration)

"""The probability of a released value, given the original one: by hand, and summed up to one."""

from __future__ import annotations

import math

import numpy
import pytest

from singleout.recipe.trace import Moved, Redrawn


def moved(trace: Moved, original: float, *released: float, digit: float = 1.0) -> list[float]:
    originals = numpy.full(len(released), original)
    return list(trace.probability(originals, numpy.array(released), digit))


def test_what_noise_makes_of_a_number_by_hand() -> None:
    assert moved(Moved("uniform", 2), 5, 5, 3, 8) == pytest.approx([0.2, 0.2, 0])
    assert moved(Moved("uniform", 0.5, relative=True), 10, 12, 16) == pytest.approx([0.1, 0])
    normal = math.erf(0.5 / 3 / math.sqrt(2))
    assert moved(Moved("normal", 3), 5, 5) == pytest.approx([normal])
    laplace = (math.exp(-1.5 / 2) - math.exp(-2.5 / 2)) / 2
    assert moved(Moved("laplace", 2), 5, 3, 7) == pytest.approx([laplace] * 2)
    assert moved(Moved("days", 3), 100, 97, 100, 104) == pytest.approx([1 / 7, 1 / 7, 0])
    assert moved(Moved("triangular", 10), 13, 10, 20, 30) == pytest.approx([0.7, 0.3, 0])


def test_a_number_of_no_size_does_not_move_by_a_share_of_it() -> None:
    for distribution in ("uniform", "normal", "laplace"):
        assert moved(Moved(distribution, 0.5, relative=True), 0, 0, 1) == [1, 0]


def test_what_would_go_beyond_a_limit_is_at_the_limit() -> None:
    trace = Moved("normal", 3, at_least=0, at_most=6)
    assert sum(moved(trace, 5, *range(7))) == pytest.approx(1)
    assert moved(trace, 5, 0) == pytest.approx([(1 + math.erf(-4.5 / 3 / math.sqrt(2))) / 2])


@pytest.mark.parametrize(
    "trace",
    [
        Moved("uniform", 7.5),
        Moved("normal", 4),
        Moved("laplace", 3),
        Moved("normal", 0.2, relative=True),
        Moved("days", 9),
    ],
)
def test_all_that_can_come_out_is_one(trace: Moved) -> None:
    assert sum(moved(trace, 20, *range(-100, 140))) == pytest.approx(1)


@pytest.mark.parametrize("by", ["frequency", "uniform"])
@pytest.mark.parametrize("another", [True, False])
def test_all_values_that_can_be_drawn_are_one(by: str, another: bool) -> None:
    records = numpy.array([1, 2, 5])
    one, other = (each.ravel() for each in numpy.indices((3, 3)))
    likely = Redrawn(0.6, by, another).probability(one, other, records).reshape(3, 3)
    assert likely.sum(axis=1) == pytest.approx(1)
    weights = records if by == "frequency" else numpy.ones(3)
    drawn = weights[2] / (weights[1:].sum() if another else weights.sum())
    assert likely[0, 2] == pytest.approx(0.4 * drawn)
    # an invariant matrix leaves the frequencies what they are
    assert (by == "uniform" or another) or records @ likely == pytest.approx(records)


def test_a_column_of_one_value_keeps_it() -> None:
    codes = numpy.zeros(3, dtype=numpy.int64)
    assert Redrawn(0.1, "uniform").probability(codes, codes, numpy.array([3])).tolist() == [1, 1, 1]

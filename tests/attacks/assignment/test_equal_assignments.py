"""Credit over equally good one-to-one assignments: by hand, on numbers, and where nothing can be known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy.optimize import linear_sum_assignment

from singleout.attacks.assignment import equal_assignments
from singleout.attacks.assignment.equal_assignments import shared_credit
from singleout.attacks.attempt import rate_bound
from singleout.attacks.linkage.candidates import Candidates, Indices, Linkage, Scores
from singleout.attacks.linkage.number_linkage import NumberLinkage
from singleout.progress import Progress, silent
from tests.by_hand.attack_by_hand import best_assignments


@dataclass(frozen=True)
class Given(Linkage):
    """All scores of all pairs; nobody looks alike but who is said to."""

    scores: Scores

    def best(self, most: int, progress: Progress) -> Candidates:
        order = numpy.argsort(-self.scores, axis=1, kind="stable")[:, :most]
        score = numpy.take_along_axis(self.scores, order, axis=1)
        progress("sorting", 1, 1)
        return Candidates(order.astype(numpy.int32), score, (self.scores == score[:, -1:]).sum(axis=1))

    def score(self, release: Indices, original: Indices) -> Scores:
        return self.scores[release, original]

    def indistinguishable(self) -> Indices:
        return numpy.arange(len(self.scores))


def by_hand(scores: Scores, truth: list[int]) -> list[float]:
    ways = best_assignments(scores.tolist())
    return [sum(way[row] == true for way in ways) / len(ways) for row, true in enumerate(truth)]


TABLES = some.integers(1, 5).flatmap(
    lambda columns: some.lists(
        some.lists(some.integers(0, 2), min_size=columns, max_size=columns), min_size=1, max_size=5
    )
)


@settings(max_examples=200)
@given(TABLES, some.randoms())
def test_the_mean_over_all_best_assignments(table: list[list[int]], random: object) -> None:
    scores = numpy.array(table, dtype=numpy.float64)
    draw = numpy.random.default_rng(random.randrange(10**6))  # type: ignore[attr-defined]
    truth = draw.integers(-1, scores.shape[1], len(scores))
    credit = shared_credit(Given(scores), truth, scores.shape[1], 0, silent)
    assert credit.tolist() == pytest.approx(by_hand(scores, truth.tolist()))
    assert (
        credit.mean() <= rate_bound(numpy.arange(len(scores)), truth) + 1e-12 if (truth >= 0).any() else True
    )


@settings(max_examples=200)
@given(some.lists(some.integers(0, 6), min_size=1, max_size=5), some.data(), some.sampled_from([0, 100]))
def test_numbers_on_a_line(release: list[int], data: some.DataObject, most: int) -> None:
    """By their potential, and by the search for prices."""
    original = data.draw(some.lists(some.integers(0, 6), min_size=len(release), max_size=len(release)))
    linkage = NumberLinkage(numpy.array(original), numpy.array(release))
    truth = numpy.arange(len(release))
    scores = -abs(numpy.subtract.outer(release, original)).astype(numpy.float64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equal_assignments, "MOST_ON_LINE", most)
        credit = shared_credit(linkage, truth, len(original), 0, silent)
    assert credit.tolist() == pytest.approx(by_hand(scores, truth.tolist()))


def test_a_number_between_two_others_may_be_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it is not counted out: one assignment leans down, one up."""
    monkeypatch.setattr(equal_assignments, "MOST_ON_LINE", 0)
    linkage = NumberLinkage(numpy.array([4, 6, 4]), numpy.array([5, 9]))
    for true, expected in ((0, 1 / 2), (1, 0.0), (2, 1 / 2)):
        credit = shared_credit(linkage, numpy.array([true, 1]), 3, 0, silent)
        assert credit[0] == pytest.approx(expected)
    free = NumberLinkage(numpy.array([4, 6]), numpy.array([5]))
    assert [shared_credit(free, numpy.array([true]), 2, 0, silent)[0] for true in (0, 1)] == [0.5, 0.5]


@pytest.mark.parametrize("people", [2, 7, 40])
def test_two_tables_that_say_nothing_of_each_other(people: int) -> None:
    """Any assignment is as good as any other, though nobody looks like anybody else."""
    credit = shared_credit(Given(numpy.zeros((people, people))), numpy.arange(people), people, 0, silent)
    assert credit.tolist() == [1 / people] * people


@pytest.mark.parametrize("shape", [(30, 40), (40, 30)])
def test_many_who_are_left_over(shape: tuple[int, int]) -> None:
    truth = numpy.arange(shape[0]) % shape[1]
    credit = shared_credit(Given(numpy.zeros(shape)), truth, shape[1], 0, silent)
    assert credit.tolist() == pytest.approx([1 / max(shape)] * shape[0])


def test_large_groups_are_balanced() -> None:
    """A ring: everybody may be one of two, and all turn together, so that there are just two assignments."""
    people = 30
    ring = numpy.eye(people) + numpy.roll(numpy.eye(people), 1, axis=1)
    credit = shared_credit(Given(ring), numpy.arange(people), people, 0, silent)
    assert credit.tolist() == pytest.approx([0.5] * people)


@settings(max_examples=50)
@given(some.integers(11, 25), some.integers(11, 25), some.integers(0, 10**6))
def test_balanced_groups_mix_best_assignments(rows: int, columns: int, seed: int) -> None:
    """Everybody has somebody with probability 1, nobody is had more often; the order does not matter."""
    draw = numpy.random.default_rng(seed)
    scores = draw.integers(0, 2, (rows, columns)).astype(numpy.float64)
    shares = numpy.array(
        [shared_credit(Given(scores), numpy.full(rows, who), columns, 0, silent) for who in range(columns)]
    )
    assert shares.sum(axis=0).max() <= 1 + 1e-6 and shares.sum(axis=1).max() <= 1 + 1e-6
    assert shares.sum() == pytest.approx(min(rows, columns), abs=1e-5)
    total = sum(scores[row, linked] for row, linked in zip(*linear_sum_assignment(-scores), strict=True))
    assert (shares.T * scores).sum() == pytest.approx(total, abs=1e-5)
    order, truth = draw.permutation(rows), draw.integers(0, columns, rows)
    credit = shared_credit(Given(scores), truth, columns, 0, silent)
    again = shared_credit(Given(scores[order]), truth[order], columns, 1, silent)
    assert again.tolist() == pytest.approx(credit[order].tolist(), abs=1e-6)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_nobody(shape: tuple[int, int]) -> None:
    truth = numpy.full(shape[0], -1)
    assert shared_credit(Given(numpy.zeros(shape)), truth, shape[1], 0, silent).tolist() == [0.0] * shape[0]

"""The optimal one-to-one assignment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from singleout.attacks.assignment import assignment
from singleout.attacks.assignment.assignment import assign_people
from singleout.attacks.linkage import candidate_lists
from singleout.attacks.linkage.candidates import Candidates, Indices, Linkage, Scores
from singleout.attacks.linkage.number_linkage import NumberLinkage
from singleout.attacks.record_linkage.record_linkage import RecordLinkage
from singleout.engine.codes.histories import Histories, History
from singleout.errors import UsageError
from singleout.progress import Progress, silent

Matrix = NDArray[numpy.float64]


@dataclass(frozen=True)
class Known(Linkage):
    """All scores of all pairs."""

    scores: Matrix

    def best(self, most: int, progress: Progress) -> Candidates:
        order = numpy.argsort(-self.scores, axis=1, kind="stable")[:, :most]
        score = numpy.take_along_axis(self.scores, order, axis=1)
        tied = (self.scores == score[:, -1:]).sum(axis=1)
        progress("sorting", 1, 1)
        return Candidates(order.astype(numpy.int32), score, tied)

    def score(self, release: Indices, original: Indices) -> Scores:
        return self.scores[release, original]

    def indistinguishable(self) -> Indices:
        return numpy.unique(self.scores, axis=0, return_inverse=True)[1].reshape(-1)


def matrix(kind: str, rows: int, columns: int, seed: int) -> Matrix:
    random = numpy.random.default_rng(seed)
    if kind == "any":
        return random.random((rows, columns))
    if kind == "ties":
        return -random.integers(0, 4, (rows, columns)).astype(numpy.float64)
    if kind == "sparse":
        return numpy.where(random.random((rows, columns)) < 0.15, random.random((rows, columns)), 0.0)
    if kind == "alike":
        return random.integers(0, 9, (4, columns))[random.integers(0, 4, rows)].astype(numpy.float64)
    if kind == "contested":
        return random.random((rows, columns)) - 5 * numpy.arange(columns) ** 2
    gaps = random.integers(0, 50, (rows, 1)) - random.integers(0, 60, (1, columns))
    return numpy.asarray(-abs(gaps), dtype=numpy.float64)


KINDS = ["any", "ties", "sparse", "alike", "contested", "line"]


def check(scores: Matrix, guess: Indices) -> None:
    """As many as can be, nobody twice, and as good as the best by another program."""
    rows = numpy.flatnonzero(guess >= 0)
    assert len(guess) == len(scores)
    assert len(rows) == len(set(guess[rows].tolist())) == min(scores.shape)
    assert guess.min() >= -1
    best = linear_sum_assignment(scores, maximize=True)
    assert scores[rows, guess[rows]].sum() == pytest.approx(scores[best].sum(), abs=1e-9)


@pytest.fixture(params=[(10, 8), (1, 2)], ids=["as it is", "short lists"], scope="module")
def lengths(request: pytest.FixtureRequest) -> Iterator[None]:
    """With short lists nearly all of them are too short at first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidate_lists, "LISTED", request.param[0])
        patch.setattr(candidate_lists, "LONGER", request.param[1])
        yield


@settings(max_examples=300)
@given(st.sampled_from(KINDS), st.integers(1, 40), st.integers(1, 40), st.integers(0, 10**6))
def test_no_assignment_is_better(lengths: None, kind: str, rows: int, columns: int, seed: int) -> None:  # noqa: ARG001
    scores = matrix(kind, rows, columns, seed)
    guess = assign_people(Known(scores), rows, columns, seed, silent)
    check(scores, guess)
    assert (guess == assign_people(Known(scores), rows, columns, seed, silent)).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("rows", "columns"), [(250, 250), (150, 300), (300, 150)])
def test_larger_ones(kind: str, rows: int, columns: int) -> None:
    scores = matrix(kind, rows, columns, 5)
    check(scores, assign_people(Known(scores), rows, columns, 1, silent))


@settings(max_examples=200)
@given(
    st.lists(st.integers(0, 20), min_size=1, max_size=12),
    st.lists(st.integers(0, 20), min_size=1, max_size=12),
)
def test_numbers_on_a_line(release: list[int], original: list[int]) -> None:
    linkage = NumberLinkage(numpy.array(original), numpy.array(release))
    guess = assign_people(linkage, len(release), len(original), 3, silent)
    check(-abs(numpy.subtract.outer(release, original)).astype(numpy.float64), guess)


def test_records() -> None:
    """A real attack, whose lists and single scores must agree; some people have no record."""
    random = numpy.random.default_rng(4)
    codes = {name: random.integers(0, 4, 80).astype(numpy.uint32) for name in "abcd"}
    other = {
        name: numpy.where(random.random(80) < 0.3, 0, column).astype(numpy.uint32)
        for name, column in codes.items()
    }
    original = History(90, numpy.arange(80, dtype=numpy.uint32), codes)
    release = History(85, numpy.arange(80, dtype=numpy.uint32), other)
    linkage = RecordLinkage.of(
        Histories(original, release, dict.fromkeys("abcd", ("w", "x", "y", "z"))), "abcd"
    )
    left, right = (each.reshape(-1) for each in numpy.indices((85, 90)))
    guess = assign_people(linkage, 85, 90, 0, silent)
    check(linkage.score(left, right).reshape(85, 90), guess)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_nobody(shape: tuple[int, int]) -> None:
    assert assign_people(Known(numpy.zeros(shape)), *shape, 0, silent).tolist() == [-1] * shape[0]


def hits(linkage: Any, people: int) -> list[int]:
    own = numpy.arange(people)
    return [int((assign_people(linkage, people, people, seed, silent) == own).sum()) for seed in range(300)]


@pytest.mark.parametrize("kind", ["all alike", "alike originals", "alike releases", "numbers"])
def test_the_order_of_people_does_not_help(kind: str) -> None:
    """Where nothing can be known, one person in all is hit on average, as by a random permutation.

    Its variance is 1 too, so the mean of 300 lies within 0.25 of 1 but for one case in 10,000.
    """
    own = numpy.random.default_rng(1).integers(1, 6, 30).astype(numpy.float64)
    linkages: dict[str, Linkage] = {
        "all alike": Known(numpy.zeros((30, 30))),
        "alike originals": Known(numpy.repeat(own[:, None], 30, axis=1)),
        "alike releases": Known(numpy.repeat(own[None], 30, axis=0)),
        "numbers": NumberLinkage(numpy.full(30, 7), numpy.full(30, 5)),
    }
    found = hits(linkages[kind], 30)
    assert abs(sum(found) / 300 - 1) < 0.25
    assert len(set(found)) > 2


def test_twins_are_told_apart_by_chance() -> None:
    """Original 2i and 2i + 1 are alike, their releases are not: either may be either."""
    pairs = 12
    scores = numpy.full((2 * pairs, 2 * pairs), -9.0)
    for pair in range(pairs):
        scores[2 * pair, 2 * pair : 2 * pair + 2] = -1
        scores[2 * pair + 1, 2 * pair : 2 * pair + 2] = -2
    found = hits(Known(scores), 2 * pairs)
    assert abs(sum(found) / 300 - pairs) < 1
    assert all(hit % 2 == 0 for hit in found)


@pytest.mark.parametrize("equal", [5, 30])
def test_of_equally_good_people_each_is_guessed_as_often(equal: int) -> None:
    """Also where there are more of them than are listed at first, and others after them."""
    scores = numpy.zeros((1, 40))
    scores[0, :equal] = 1
    guessed = [int(assign_people(Known(scores), 1, 40, seed, silent)[0]) for seed in range(40 * equal)]
    assert set(guessed) == set(range(equal))
    assert max(map(guessed.count, range(equal))) < 80


def test_of_people_who_look_alike_each_gets_the_only_one_as_often() -> None:
    winners = [
        int(assign_people(Known(numpy.zeros((5, 1))), 5, 1, seed, silent).argmax()) for seed in range(200)
    ]
    assert all(20 < winners.count(row) < 60 for row in range(5))


def test_too_many_people(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="at most 20,000 people, and there are 20,001; attack a part"):
        assign_people(Known(numpy.zeros((1, 1))), 1, 20_001, 0, silent)
    many = NumberLinkage(numpy.arange(20_001), numpy.arange(20_001)[::-1])
    assert (assign_people(many, 20_001, 20_001, 0, silent) == numpy.arange(20_001)[::-1]).all()
    monkeypatch.setattr(assignment, "MOST_LEFT_OUT", 10)
    monkeypatch.setattr(assignment, "MOST_PEOPLE", 8)
    with pytest.raises(UsageError, match="at most 8 people, and there are 9"):
        assign_people(NumberLinkage(numpy.arange(9), numpy.arange(4)), 4, 9, 0, silent)

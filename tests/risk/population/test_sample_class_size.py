"""k-map without a reference: what a sample shows of small classes, by their exact laws."""

from __future__ import annotations

from math import comb
from typing import Any

import pyarrow
import pytest

from singleout import generalise
from singleout.errors import UsageError
from singleout.risk.population.sample_class_size import sample_class_size

AGES = {"age": [{"type": "raw"}, {"type": "interval", "width": 10}, {"type": "suppress"}]}
# 4 people in their twenties, 2 in their thirties
TABLE = pyarrow.table({"age": ["21", "22", "23", "24", "31", "32"]})


def shows(people: int, share: float, at_least: int) -> float:
    """The chance that a class of so many shows as many in a sample, once it shows anybody."""
    chances = [
        comb(people, seen) * share**seen * (1 - share) ** (people - seen) for seen in range(people + 1)
    ]
    return sum(chances[at_least:]) / sum(chances[1:])


@pytest.mark.parametrize("share", [0.001, 0.02, 0.1, 0.3, 0.7, 1.0])
@pytest.mark.parametrize("significance", [0.01, 0.1])
def test_a_smaller_class_hardly_shows_as_many(share: float, significance: float) -> None:
    for k in range(1, 30):
        shown = sample_class_size(k, share, significance)
        assert sample_class_size(k, share, significance, truncated=False) <= shown <= k
        # k people who are seen are k people
        assert all(shows(people, share, shown) <= significance for people in range(shown, k))


def test_by_hand() -> None:
    """λ = 0.5: P(X ≤ 2 | X ≥ 1) = 0.9634 and P(X ≤ 3 | X ≥ 1) = 0.9956 by e^−0.5 = 0.6065."""
    assert sample_class_size(5, 0.1, 0.01) == 4
    assert sample_class_size(5, 0.1, 0.05) == 3
    # P(X ≤ 1) = 0.9098, without the condition
    assert sample_class_size(5, 0.1, 0.1, truncated=False) == 2


def test_as_arx_has_it(golden: dict[str, Any]) -> None:
    """Its D4 in all runs; its D3 asks for one more than its own definition, but for no more than k."""
    for k, significance, share, by_d3, by_d4 in golden["arx_k_map"]["shown"]:
        assert sample_class_size(k, share, significance) == by_d4
        assert min(k, sample_class_size(k, share, significance, truncated=False) + 1) == by_d3


@pytest.mark.parametrize("share", [1e-9, 1e-17, 1e-300, 5e-324])
def test_of_a_tiny_share_two_are_already_too_many(share: float) -> None:
    assert sample_class_size(3, share) == 2


def test_as_a_goal() -> None:
    found = generalise(TABLE, user="none", hierarchies=AGES, k_map=5, sampled=0.1)
    assert found.levels == {"age": 2}
    assert any("once it shows anybody" in each for each in found.remarks)
    some = generalise(TABLE, user="none", hierarchies=AGES, k_map=5, sampled=0.1, suppress=0.4)
    assert (some.levels, some.suppressed) == ({"age": 1}, 2)


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ({"k_map": 5, "sampled": 0}, "0 is no share of a population"),
        ({"k_map": 5, "sampled": 1.5}, "1.5 is no share"),
        ({"k_map": 0, "sampled": 0.1}, "0 is no size of a class"),
        ({"k": 5, "sampled": 0.1}, "for --k-map without --reference"),
        ({"k_map": 5, "sampled": 0.1, "reference": TABLE}, "for --k-map without --reference"),
        ({"k_map": 5, "sampled": 0.1, "k": "x"}, "'x' is no size of a class"),
        ({"k_map": 5}, "--sampled will do"),
    ],
)
def test_what_can_not_be_asked(asked: dict[str, Any], fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        generalise(TABLE, user="none", hierarchies=AGES, **asked)

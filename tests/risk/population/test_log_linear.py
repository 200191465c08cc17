"""The log-linear model: simulated populations of which the truth is known, its forms, and what it refuses."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy
import pyarrow
import pyarrow.csv
import pytest

from singleout import assess
from singleout.engine.codes.dictionary import Codes
from singleout.errors import SingleoutError
from singleout.risk.population.log_linear import expected_counts, log_linear_risk, taus
from singleout.roles.population_size import PopulationSize
from tests.support.home import Home
from tests.support.whole_files import whole_files

WIDTHS = (3, 6, 10, 16, 40)


def everybody(people: int, seed: int) -> Any:
    """Five attributes that do not depend on each other."""
    random = numpy.random.default_rng(seed)
    return [random.choice(width, people, p=random.dirichlet(numpy.ones(width))) for width in WIDTHS]


def truth(columns: Any, chosen: Any) -> tuple[int, float]:
    """Of who is alone in the sample: how many are so among all, and the sum of 1 / look-alikes there."""
    keys = numpy.ravel_multi_index(columns, WIDTHS)
    among_all = numpy.bincount(keys)
    mine = numpy.bincount(keys[chosen], minlength=len(among_all))
    alone = numpy.flatnonzero(mine == 1)
    return int((among_all[alone] == 1).sum()), float((1 / among_all[alone]).sum())


@pytest.mark.parametrize("share", [0.02, 0.1])
def test_simulated_populations(share: float) -> None:
    """As population.md has it: 400,000 people; τ₁ and τ₂ within three standard deviations of the truth."""
    people = 400_000
    columns = everybody(people, 4)
    chosen = numpy.random.default_rng(1).choice(people, round(share * people), replace=False)
    table = pyarrow.table({f"c{index}": each[chosen] for index, each in enumerate(columns)})
    found = log_linear_risk(table, size=PopulationSize(people), user="none")
    ones, guesses = truth(columns, chosen)
    assert found.tau_1.known == pytest.approx(ones, abs=3 * ones**0.5)
    assert found.tau_2.known == pytest.approx(guesses, abs=3 * guesses**0.5)
    weighted = table.append_column("w", pyarrow.array(numpy.full(len(table), 1 / share)))
    by_weight = log_linear_risk(weighted, weight="w", user="none")
    assert by_weight.tau_1.known == pytest.approx(found.tau_1.known, rel=1e-9)
    # with the count expected in the sample where that in the population belongs (docs/conformance.md)
    codes = [
        Codes(each[chosen].astype(numpy.uint32), width) for each, width in zip(columns, WIDTHS, strict=True)
    ]
    keys = numpy.ravel_multi_index([each[chosen] for each in columns], WIDTHS)
    others = (1 - share) * expected_counts(codes, [])[numpy.bincount(keys)[keys] == 1]
    slipped = numpy.exp(-others).sum(), (-numpy.expm1(-others) / others).sum()
    if share == 0.02:
        assert [*map(round, (ones, guesses, found.tau_1.known, found.tau_2.known))] == [313, 886, 342, 896]
        assert [*map(round, slipped)] == [3252, 3696]


def test_columns_that_depend_on_each_other_need_their_pair() -> None:
    random = numpy.random.default_rng(3)
    town = random.integers(0, 20, 6000)
    street = town * 8 + random.integers(0, 8, 6000)
    table = pyarrow.table({"town": town, "street": street, "age": random.integers(0, 150, 6000)})
    alone = log_linear_risk(table, size=PopulationSize(60_000), user="none")
    assert alone.tau_1.value is None
    assert "does not describe the table" in str(alone.tau_1.reason)
    paired = log_linear_risk(table, [("town", "street")], size=PopulationSize(60_000), user="none")
    assert paired.tau_1.value is not None
    assert paired.tau_1.known <= paired.tau_2.known <= paired.unique


def test_real_columns_may_be_told_too_few() -> None:
    """Why it says what it takes for granted: 3,000 of Adult's people, by main effects, not refused."""
    path = whole_files() / "arx_adult" / "adult.csv"
    everybody = pyarrow.csv.read_csv(path, parse_options=pyarrow.csv.ParseOptions(delimiter=";"))
    rows = numpy.random.default_rng(0).choice(len(everybody), 3000, replace=False)
    columns = ["workclass", "education", "occupation"]
    found = log_linear_risk(
        everybody.take(rows), size=PopulationSize(len(everybody)), user="none", columns=columns
    )
    keys = [*zip(*(everybody[name].to_pylist() for name in columns), strict=True)]
    among_all, mine = Counter(keys), Counter(keys[row] for row in rows)
    truly = [among_all[each] for each, many in mine.items() if many == 1]
    assert (found.unique, truly.count(1)) == (115, 16)
    assert found.tau_1.known == pytest.approx(9.0, abs=0.1)
    assert found.tau_2.known == pytest.approx(27.8, abs=0.1)
    assert sum(1 / each for each in truly) == pytest.approx(34.7, abs=0.1)


def test_trees_and_circles_are_the_same_fit() -> None:
    """A circle whose last pair adds nothing has the closed form of the tree; both keep their margins."""
    random = numpy.random.default_rng(8)
    first = random.integers(0, 3, 900)
    columns = [first, (first + random.integers(0, 2, 900)) % 3, random.integers(0, 2, 900)]
    codes = [Codes(each.astype(numpy.uint32), int(each.max()) + 1) for each in columns]
    tree = expected_counts(codes, [(0, 1), (1, 2)])
    circle = expected_counts(codes, [(0, 1), (1, 2), (0, 2)])
    keys = numpy.ravel_multi_index(columns, (3, 3, 2))
    for expected, margins in ((tree, [(0, 1), (1, 2)]), (circle, [(0, 1), (1, 2), (0, 2)])):
        flat = numpy.zeros(18)
        flat[keys] = expected
        cells = flat.reshape(3, 3, 2)
        for one, other in margins:
            rest = ({0, 1, 2} - {one, other}).pop()
            seen = numpy.zeros((3, 3, 2))
            numpy.add.at(seen, tuple(columns), 1)
            assert cells.sum(axis=rest) == pytest.approx(seen.sum(axis=rest), rel=1e-6)
    independent = expected_counts(codes, [])
    by_hand = [900 * numpy.prod([(column == column[row]).mean() for column in columns]) for row in range(20)]
    assert independent[:20].tolist() == pytest.approx(by_hand)


def test_a_class_of_thousands_is_no_person_alone() -> None:
    """And what the model takes for granted is said."""
    table = pyarrow.table({"a": ["x"] * 2000 + ["y", "z"], "b": ["u"] * 2000 + ["v", "u"]})
    found = log_linear_risk(table, size=PopulationSize(20_000), user="none")
    assert found.expected_unique < found.unique + 1
    (said,) = found.remarks
    assert "depend on each other as its pairs say" in said
    assert "does not know who was sampled" in said


def test_taus_by_hand() -> None:
    one, two = taus(numpy.array([0.5, 2.0]), numpy.array([0.5, 0.25]))
    others = [0.5, 6.0]
    assert one == pytest.approx(sum(numpy.exp(-each) for each in others))
    assert two == pytest.approx(sum((1 - numpy.exp(-each)) / each for each in others))


def test_engines_agree(home: Home) -> None:
    columns = everybody(300, 2)
    table = pyarrow.table({f"c{index}": each for index, each in enumerate(columns)})
    found = assess(home.put(table), user="none", population=3000, log_linear=[("c0", "c1")]).log_linear
    mine = log_linear_risk(table, [("c0", "c1")], size=PopulationSize(3000), user="none")
    assert found is not None
    assert found.to_dict() == pytest.approx(mine.to_dict())


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"log_linear": []}, "needs --population, --sampled or --weight"),
        ({"log_linear": [("a", "x")], "population": 10}, "a\\+x is no pair of two known columns"),
        ({"log_linear": [], "population": 10, "user": "b"}, "people with one record each"),
    ],
)
def test_bad_questions(asked: dict[str, Any], words: str) -> None:
    table = pyarrow.table({"a": [1, 2, 3], "b": [1, 1, 2], "c": [5, 6, 7]})
    with pytest.raises(SingleoutError, match=words):
        assess(table, **{"user": "none", **asked})

"""The individual risk by weights: golden numbers, its integral, people with several records, bad weights."""

from __future__ import annotations

import math
from typing import Any

import numpy
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from singleout import assess, check
from singleout.errors import InputError, UsageError
from singleout.risk.population.individual_risk import individual_risk, weighted_risk
from singleout.risk.population.weight_back_test import weight_tests
from singleout.roles.population_size import PopulationSize
from tests.support.home import Home

# sdcMicro's eight rows; the weights of look-alikes add up to 108, 45.5, 17, 100 and 123.5
KEYS = {"a": [2, 3, 2, 2, 3, 3, 1, 2], "b": [3, 3, 3, 3, 3, 3, 4, 3], "c": [1, 3, 1, 2, 1, 1, 1, 1]}
WEIGHTS = [30, 45.5, 38, 17, 60, 40, 123.5, 40]
EXACT = [0.01355297, 0.08579129, 0.01355297, 0.17707583, 0.01877883, 0.01877883, 0.03931625, 0.01355297]
SURVEY = pyarrow.table({**KEYS, "w": WEIGHTS, "home": [1, 1, 2, 3, 3, 3, None, None]})
KNOWN: dict[str, Any] = {"user": "none", "columns": ["a", "b", "c"]}


def test_the_eight_rows(home: Home) -> None:
    found = weighted_risk(home.put(SURVEY.drop_columns(["home"])), "w", **KNOWN)
    assert found.highest.value == pytest.approx(max(EXACT), abs=6e-9)
    assert found.expected.value == pytest.approx(sum(EXACT), abs=5e-8)
    assert found.share.value == pytest.approx(sum(EXACT) / 8, abs=6e-9)
    assert (found.people, found.population) == (8, sum(WEIGHTS))
    assert found.household_highest.value is None


def test_single_risks_of_the_eight_rows() -> None:
    alike = individual_risk([3, 1, 3, 1, 2, 2, 1, 3], [108, 45.5, 108, 17, 100, 100, 123.5, 108])
    assert alike.tolist() == pytest.approx(EXACT, abs=6e-9)


def test_households() -> None:
    """Who has no household lives alone."""
    found = weighted_risk(SURVEY, "w", household="home", **KNOWN)
    homes = [[0, 1], [2], [3, 4, 5], [6], [7]]
    risks = {
        person: 1 - math.prod(1 - EXACT[each] for each in people) for people in homes for person in people
    }
    assert found.household_highest.value == pytest.approx(max(risks.values()), abs=1e-7)
    assert found.household_share.value == pytest.approx(sum(risks.values()) / 8, abs=1e-7)


@given(st.integers(1, 2000), st.floats(1e-6, 1))
def test_the_risk_is_its_integral(people: int, share: float) -> None:
    """p·∫ (1 − t)^(f−1) / (1 − (1 − p)·t) dt from 0 to 1, with t = 1 − exp(−y/f)."""

    def inside(y: float) -> float:
        return math.exp(-y) / (share + (1 - share) * math.exp(-y / people)) / people

    parts = [
        quad(inside, *ends, limit=400, epsrel=1e-11)[0] for ends in ((0, 1), (1, 10), (10, 60), (60, 600))
    ]
    assert float(individual_risk(people, people / share)) == pytest.approx(share * sum(parts), rel=1e-7)


@given(st.floats(1e-6, 0.999))
def test_closed_forms_of_one_and_two(share: float) -> None:
    odds, log = share / (1 - share), -math.log(share)
    assert float(individual_risk(1, 1 / share)) == pytest.approx(odds * log, rel=1e-9)
    # the difference of nearly equal numbers keeps fewer digits
    two = odds - odds**2 * log
    assert float(individual_risk(2, 2 / share)) == pytest.approx(two, rel=1e-9, abs=1e-12 * odds**2)
    assert float(individual_risk(7, 7)) == pytest.approx(1 / 7)


@given(st.integers(1, 500), st.floats(1, 1e7), st.floats(1.01, 100))
def test_more_people_alike_are_safer(people: int, more: float, times: float) -> None:
    weights = people * more
    risk = float(individual_risk(people, weights))
    assert 0 < risk <= 1 / people + 1e-12
    # never below what the sum of the weights itself says
    assert risk >= 1 / weights - 1e-15
    assert float(individual_risk(people, weights * times)) < risk
    assert float(individual_risk(people, people)) == pytest.approx(1 / people)
    assert float(individual_risk(people, people / 2)) == pytest.approx(1 / people)


def test_a_person_counts_once_in_a_class_and_by_the_riskiest_record() -> None:
    table = pyarrow.table(
        {"who": [1, 1, 1, 2, 3], "a": ["x", "x", "y", "x", "z"], "w": [10.0, 10.0, 10.0, 20.0, 5.0]}
    )
    found = weighted_risk(table, "w", user="who", columns=["a"])
    # x: 1 and 2, 30 people; y: 1, 10 people; z: 3, 5 people
    risks = [float(individual_risk(1, 10)), float(individual_risk(2, 30)), float(individual_risk(1, 5))]
    assert found.expected.value == pytest.approx(sum(risks))
    assert (found.people, found.population) == (3, 35)
    assert any("riskiest" in each for each in found.remarks)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1.0, 2.0, -3.0], "is 0, negative or endless in 1 of 3 records"),
        ([1.0, 2.0, 0.0], "is 0, negative or endless in 1 of 3 records"),
        ([1.0, None, None], "is missing in 2 of 3 records"),
        ([1.0, 2.0, numpy.inf], "endless"),
        ([1.0, 2.0, 1e300], "add up to more than 1,000,000,000,000 people"),
        ([6e11, 6e11, 1.0], "add up to more than 1,000,000,000,000 people"),
        (["a", "b", "c"], "holds something that is no number"),
        ([0.5, 0.5, 0.5], "add up to 1.5, fewer than the 3 people of the table"),
    ],
)
def test_bad_weights(weights: list[Any], words: str) -> None:
    table = pyarrow.table({"a": ["x", "y", "y"], "w": weights})
    with pytest.raises(InputError, match=words.replace(".", r"\.")):
        weighted_risk(table, "w", user="none", columns=["a"])


def test_weights_of_fewer_people_than_were_said_are_told() -> None:
    rows = pyarrow.table({"a": ["x", "y"], "w": [2, 3]})
    few = weighted_risk(rows, "w", user="none", columns=["a"], size=PopulationSize(50))
    assert "add up to 5 people, fewer than the 50" in few.remarks[-1]
    fit = weighted_risk(rows, "w", user="none", columns=["a"], size=PopulationSize(5))
    assert not any("fewer than the" in each for each in fit.remarks)
    with pytest.raises(InputError, match="more than the 4 of the population"):
        weighted_risk(rows, "w", user="none", columns=["a"], size=PopulationSize(sampled=0.5))


def test_bad_questions() -> None:
    table = pyarrow.table({"who": [1, 1], "a": ["x", "y"], "w": [2.0, 3.0]})
    with pytest.raises(InputError, match="differs between records of one person"):
        weighted_risk(table, "w", user="who", columns=["a"])
    units: list[dict[str, Any]] = [{"user": "w"}, {"user": "none", "household": "w"}]
    for unit in units:
        with pytest.raises(UsageError, match="'w' is the weight; name another column of persons or househ"):
            weighted_risk(table, "w", columns=["a"], **unit)
    with pytest.raises(UsageError, match="there is no column 'v'"):
        weighted_risk(table, "v", user="none", columns=["a"])
    with pytest.raises(UsageError, match="leave it out of the columns"):
        weighted_risk(table, "w", user="none", columns=["a", "w"])
    with pytest.raises(UsageError, match="with the missing rule value"):
        weighted_risk(table, "w", user="none", columns=["a"], missing="drop")
    with pytest.raises(UsageError, match="name their column by --weight"):
        assess(table, user="none", household="a")
    with pytest.raises(InputError, match="only one column can be the weight, not 'a' and 'w'"):
        assess(table, user="none", study=study({"a": "weight", "w": "weight"}))


def study(roles: dict[str, Any]) -> Any:
    from singleout.roles.study import Study

    return Study(roles)


def test_assess_and_rules() -> None:
    found = assess(SURVEY, user="none", weight="w", household="home")
    assert found.weighted is not None
    assert found.weighted.expected.value == pytest.approx(sum(EXACT), abs=5e-8)
    # neither is what an attacker knows
    assert {each.name for each in found.attributes} == {"a", "b", "c"}
    told = found.to_dict()
    assert told["weighted"]["share"] == found.weighted.share.value
    assert "weighted.share" in told["definitions"]
    by_role = assess(SURVEY.drop_columns(["home"]), user="none", study=study({"w": "weight"}))
    assert by_role.weighted is not None
    assert by_role.weighted.expected == found.weighted.expected
    with pytest.raises(InputError, match="name their column by --weight"):
        check(SURVEY, {"rule": [{"measure": "weighted.highest", "at_most": 0.1}]}, user="none")


RULES = [
    {"measure": "weighted.highest", "at_most": 0.01},
    {"measure": "weighted.share", "at_most": 0.1},
    {"measure": "weighted.household.highest", "at_most": 1},
]


def sample_of(sizes: Any) -> tuple[pyarrow.Table, Any]:
    """A tenth of people in classes of these sizes, each standing for ten, and how many are like each."""
    homes = numpy.repeat(numpy.arange(len(sizes)), sizes)
    home = numpy.random.default_rng(2).choice(homes, len(homes) // 10, replace=False)
    return pyarrow.table({"home": home, "w": numpy.full(len(home), 10.0)}), numpy.asarray(sizes)[home]


def judged(table: pyarrow.Table, rules: Any = RULES) -> Any:
    return check(table, {"rule": rules}, user="none", weight="w", sensitive="none")


def test_rules_break_by_weights_and_pass_by_the_ceiling_only() -> None:
    table, alike = sample_of([100] * 200)
    found = weighted_risk(table, "w", user="none", columns=["home"])
    ceiling, home = found.ceilings["weighted.share"], table["home"].to_numpy()
    assert ceiling == pytest.approx(len(set(home.tolist())) / len(home))
    assert (1 / alike).mean() < found.share.known < 0.05 < ceiling
    limits = (found.share.known * 0.999, 0.05, ceiling)
    share = [{"measure": "weighted.share", "at_most": limit} for limit in limits]
    verdict = judged(table, [*RULES, *share])
    assert [each.passed for each in verdict.rules] == [False, True, False, False, False, True]
    assert [each.breaks for each in verdict.rules] == [True, False, False, True, False, False]
    assert "no household column was named" in str(verdict.rules[2].reason)
    broken, unknown, kept = (each.answer for each in verdict.rules[3:])
    assert (broken.value, unknown.value, kept.value) == (found.share.known, None, ceiling)
    assert "taken at their word" in str(broken.estimated)
    assert f"of {ceiling:.4g} at most; population.marketer has a bound" in str(unknown.reason)
    assert "it is the ceiling, which nobody exceeds whatever the population" in str(kept.reason)
    assert any("nobody can know who is in the data" in each for each in verdict.decision.conditions)


def test_what_weights_say_at_least_is_unknown() -> None:
    """Whatever the table shows, all others may be like those in it."""
    table, _ = sample_of([100] * 200)
    rules = [{"measure": "weighted.share", "at_least": limit} for limit in (0, 0.001, 0.5)]
    answers = [(each.passed, each.answer.value is None) for each in judged(table, rules).rules]
    assert answers == [(True, False), (False, True), (False, False)]


def test_a_few_who_are_rare_among_many_pass_no_rule_where_the_test_sees_nothing() -> None:
    """One in a hundred is alone, all others in classes of a hundred: weights say too little."""
    table, alike = sample_of([1] * 200 + [100] * 198)
    found, truth = weighted_risk(table, "w", user="none", columns=["home"]), (1 / alike).mean()
    assert found.share.known < 0.8 * truth
    limits = (truth * 0.99, found.ceilings["weighted.share"])
    rules = [{"measure": "weighted.share", "at_most": limit} for limit in limits]
    assert [each.passed for each in judged(table, rules).rules] == [False, True]
    assert truth < found.ceilings["weighted.share"]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=12))
def test_no_population_exceeds_the_ceilings(people: list[tuple[int, int, int]]) -> None:
    """Beside the exact risks: of each class so many are not in the sample."""
    classes, others, homes = zip(*people, strict=True)
    table = pyarrow.table({"a": classes, "home": homes, "w": [2.0] * len(people)})
    ceilings = weighted_risk(table, "w", household="home", user="none", columns=["a"]).ceilings
    beyond = dict(zip(classes, others, strict=True))
    risks = [1 / (classes.count(each) + beyond[each]) for each in classes]
    together = {home: 1 - math.prod(1 - risk for risk, own in zip(risks, homes, strict=True) if own == home)
                for home in homes}  # fmt: skip
    true = {
        "highest": max(risks),
        "expected": sum(risks),
        "share": sum(risks) / len(risks),
        "household.highest": max(together.values()),
        "household.share": sum(together[each] for each in homes) / len(homes),
    }
    assert all(value <= ceilings[f"weighted.{name}"] + 1e-12 for name, value in true.items())
    if not any(beyond.values()):
        assert [*true.values()] == pytest.approx([ceilings[f"weighted.{name}"] for name in true])


def test_weights_that_say_too_little_are_refused() -> None:
    """Everybody has one look-alike: by the weights the risk is half of what is true."""
    table, alike = sample_of([2] * 10_000)
    told = float(individual_risk([1], [10])[0])
    assert told < (1 / alike).mean() / 1.9
    found = weighted_risk(table, "w", user="none", columns=["home"])
    assert [each.value for each in found.measurements] == [None] * 5
    assert "weights say too little here" in str(found.share.reason)
    assert found.share.reason in found.remarks
    assert any(not each["passed"] for each in found.to_dict()["back_test"])
    assert [each.passed for each in judged(table).rules] == [False] * 3
    assert "weights say too little here" in str(judged(table).rules[1].reason)


def test_a_history_is_refused_where_single_people_are_at_more_risk() -> None:
    """Each has a day that thousands have, and goods that one other has: the riskiest record is that."""
    table, _ = sample_of([2] * 10_000)
    many = pyarrow.array([-1] * len(table))
    who = pyarrow.array([*range(len(table))] * 2)
    records = pyarrow.table(
        {"who": who, "home": pyarrow.chunked_array([table["home"].combine_chunks(), many]),
         "w": pyarrow.array([10.0] * len(who))}
    )  # fmt: skip
    found = weighted_risk(records, "w", user="who", columns=["home"])
    assert found.share.value is None
    assert "weights say too little here" in str(found.share.reason)


def test_too_few_to_test_is_told_and_passes_no_rule() -> None:
    found = weighted_risk(SURVEY, "w", household="home", **KNOWN)
    assert found.share.value is not None
    assert any("8 people are too few to test" in each for each in found.remarks)
    verdict = check(SURVEY.drop_columns(["home"]), {"rule": RULES}, user="none", weight="w")
    assert [each.passed for each in verdict.rules] == [False] * 3
    assert "too few to test" in str(verdict.rules[1].reason)


def test_the_back_test_is_what_parts_tell_on_average() -> None:
    """Beside 400 parts that were drawn: the mean of what they foretell, and how far it strays."""
    sizes = numpy.repeat([1, 2, 3, 7, 40], [300, 150, 60, 20, 5])
    homes = numpy.repeat(numpy.arange(len(sizes)), sizes)
    random = numpy.random.default_rng(3)
    for test in weight_tests(sizes, 1000, individual_risk):
        told, true = [], []
        for _ in range(400):
            home = homes[random.random(len(homes)) < test.share]
            seen = numpy.bincount(home, minlength=len(sizes))[home]
            asked = seen == 1 if test.whom == "alone" else seen > 0
            told.append(individual_risk(seen[asked], seen[asked] / test.share).mean())
            true.append((1 / sizes[home[asked]]).mean())
        off = numpy.subtract(told, true)
        assert numpy.mean(told) == pytest.approx(test.foretold, abs=4 * numpy.std(told) / 20 + 2e-3)
        assert numpy.mean(true) == pytest.approx(test.truth, abs=4 * numpy.std(true) / 20 + 2e-3)
        # in 95 of 100 parts chance adds no more than that
        assert 1.645 * off.std() == pytest.approx(test.reach, rel=0.25)
    assert weight_tests(sizes, 999, individual_risk) == ()

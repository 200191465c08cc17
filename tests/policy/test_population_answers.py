"""Rules about the population: what is on the safe side, what stays unknown, and what a rule needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow
import pytest

from singleout import check
from singleout.errors import InputError, UsageError
from singleout.policy.result import Verdict
from singleout.risk.population import bootstrap
from singleout.risk.population.bootstrap import draw_sample
from singleout.risk.population.pitman_yor import PitmanYor
from singleout.risk.population.population import population
from singleout.roles.population_size import PopulationSize

SMALL = pyarrow.table({"town": ["x", "x", "y", "z"]})
EVERYBODY = pyarrow.table({"town": ["x"] * 6 + ["y"] * 4 + ["z"] * 2})


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "DRAWS", 19)


@pytest.fixture(scope="module")
def table() -> pyarrow.Table:
    drawn = draw_sample(PitmanYor(0.5, 200.0), 3000, 4)
    rows: list[str] = []
    for size, many in zip(drawn.sizes.astype(int), drawn.counts.astype(int), strict=True):
        for _ in range(many):
            rows += [f"v{len(rows)}"] * size
    return pyarrow.table({"town": rows})


def judged(data: Any, *rules: dict[str, Any], **said: Any) -> Verdict:
    return check(data, {"rule": [*rules]}, user="none", sensitive="none", **said)


def test_the_upper_end_of_all_that_held_is_judged(table: pyarrow.Table) -> None:
    view = population(table, PopulationSize(30_000), user="none")
    high = max(each.intervals["unique_share"][1] for each in view.estimates if each.accepted)
    low = min(each.intervals["unique_share"][0] for each in view.estimates if each.accepted)
    assert view.chosen is not None
    measure = "population.unique_share"
    found = judged(
        table,
        {"measure": measure, "at_most": high},
        {"measure": measure, "at_most": high * 0.999},
        {"measure": measure, "at_least": 0},
        population=30_000,
    )
    assert [each.passed for each in found.rules] == [True, False, True]
    assert [each.answer.value for each in found.rules] == [high, high, low]
    assert "upper end of the 90 % interval" in str(found.rules[0].answer.reason)
    assert "samples drawn from its law" in str(found.rules[0].answer.estimated)
    settings = found.rules[0].answer.settings
    assert (settings["population"], settings["model"]) == (30_000, view.chosen)
    # who knows who was sampled is not looked at, and that is a condition
    assert any("nobody can know who is in the data" in each for each in found.decision.conditions)
    # whole families or one town would look like a sample of large classes
    assert any("drawn by chance from a population of 30,000" in each for each in found.decision.conditions)


def test_what_this_data_does_not_tell_does_not_pass() -> None:
    found = judged(SMALL, {"measure": "population.unique_share", "at_most": 1}, sampled=0.5)
    (rule,) = found.rules
    assert (rule.passed, rule.answer.value) == (False, None)
    assert "too few to test a model" in str(rule.reason)
    assert found.decision.answer == "not_judged"


def test_a_sample_in_which_some_were_likelier_to_be_drawn_does_not_tell(table: pyarrow.Table) -> None:
    """By the weights: where fewer were drawn, more may be unique than models and bounds say."""
    rules = [{"measure": "population.unique_share", "at_most": 1}]
    for weights, known in (([10] * 3000, True), ([5] * 1500 + [15] * 1500, False)):
        rows = table.append_column("w", pyarrow.array(weights))
        (rule,) = judged(rows, *rules, population=30_000, weight="w").rules
        assert (rule.passed, rule.answer.value is not None) == (known, known)
    assert "the weights in 'w' go from 5 to 15" in str(rule.reason)
    history = pyarrow.table({"who": [*range(3000)] * 2, "town": [*table["town"].to_pylist()] * 2})
    history = history.append_column("w", pyarrow.array(weights * 2))
    asked = {**rules[0], "points": 1}
    found = check(history, {"rule": [asked]}, user="who", sensitive="none", population=30_000, weight="w")
    assert "the weights in 'w' go from 5 to 15" in str(found.rules[0].reason)


def test_a_reference_is_counted() -> None:
    found = judged(
        SMALL,
        {"measure": "reference.k_map", "at_least": 2},
        {"measure": "reference.k_map", "at_least": 3},
        {"measure": "reference.journalist.highest", "at_most": 0.5},
        {"measure": "reference.presence.high", "at_most": 0.5},
        {"measure": "reference.classes_not_in_reference", "equals": 0},
        reference=EVERYBODY,
    )
    assert [each.answer.value for each in found.rules] == [2, 2, 0.5, 0.5, 0]
    assert [each.passed for each in found.rules] == [True, False, True, True, True]
    # ten records of one person would look like ten people
    assert any("each record is a person of its own" in each for each in found.decision.conditions)
    said = judged(
        SMALL, {"measure": "reference.k_map", "at_least": 2}, reference=EVERYBODY, reference_user="none"
    )
    assert not any("each record is a person of its own" in each for each in said.decision.conditions)
    assert any("names nobody twice" in each for each in said.decision.conditions)
    lacking = judged(SMALL, {"measure": "reference.k_map", "at_least": 1}, reference=EVERYBODY.slice(0, 10))
    assert (lacking.rules[0].passed, lacking.rules[0].answer.value) == (False, 0)


def test_of_a_history_one_record_is_known_as_a_condition() -> None:
    """Who knows two days of a person finds more than a reference tells of one."""
    history = pyarrow.table({"who": [1, 1, 2, 2], "day": ["a", "b", "a", "c"]})
    everybody = pyarrow.table({"who": [1, 1, 2, 2, 3, 3, 4], "day": ["a", "b", "a", "c", "b", "c", "a"]})
    rule = {"measure": "reference.k_map", "at_least": 2}
    found = check(history, {"rule": [rule]}, user="who", sensitive="none", reference=everybody)
    (said,) = (each for each in found.decision.conditions if "one record" in each)
    assert found.rules[0].passed
    assert "for rules about a reference take that" in said
    alone = judged(SMALL, {"measure": "reference.k_map", "at_least": 2}, reference=EVERYBODY)
    assert not any("one record" in each for each in alone.decision.conditions)
    asked = {"measure": "population.unique_share", "at_most": 1, "points": 2}
    known = check(history, {"rule": [asked]}, user="who", sensitive="none", population=40)
    assert not any("one record" in each for each in known.decision.conditions)


def test_what_is_missing_is_never_dropped() -> None:
    """Whatever the rule for missing values: a record that is dropped would hide that it is rare."""
    rows = pyarrow.table({"town": ["x", "x", None]})
    everybody = pyarrow.table({"town": ["x", "x", "x", None]})
    found = judged(rows, {"measure": "reference.k_map", "at_least": 2}, reference=everybody, missing="drop")
    assert (found.rules[0].answer.value, found.passed) == (1, False)


def test_weights_of_more_people_than_there_are_are_refused() -> None:
    """One huge weight would make everybody who looks alike seem safe."""
    rows = pyarrow.table({"town": ["x", "x", "y"], "w": [5, 5, 1000]})
    rule = {"measure": "weighted.highest", "at_most": 1}
    with pytest.raises(InputError, match="add up to 1,010 people, more than the 30 of the population"):
        judged(rows, rule, weight="w", population=30)
    found = judged(rows, rule, weight="w", population=1000)
    assert "3 people are too few to test" in str(found.rules[0].reason)
    assert any("the weights of look-alikes add up" in each for each in found.decision.conditions)


def test_a_policy_and_a_study_may_say_it(tmp_path: Path) -> None:
    (tmp_path / "everybody.csv").write_text("town\n" + "x\n" * 6 + "y\n" * 4 + "z\n" * 2)
    (tmp_path / "study.toml").write_text('user = "none"\n[population]\nsampled = 0.5\n')
    (tmp_path / "policy.toml").write_text(
        '[data]\nreference = "everybody.csv"\nreference_user = "none"\nstudy = "study.toml"\n'
        '[[rule]]\nmeasure = "reference.k_map"\nat_least = 2\n'
        '[[rule]]\nmeasure = "population.unique_share"\nat_most = 1\n'
    )
    found = check(SMALL, tmp_path / "policy.toml")
    assert [each.passed for each in found.rules] == [True, False]
    assert "it takes 1,000" in str(found.rules[1].reason)
    digest = next(each for each in found.inputs if each.what == "reference")
    assert digest.sha256 is not None


@pytest.mark.parametrize(
    ("measure", "said", "words"),
    [
        ("population.unique_share", {}, "say how many people it has by --population or --sampled"),
        ("reference.k_map", {}, "compares with a table of everybody; name it by --reference"),
        ("population.marketer", {"population": 3}, "3 people are fewer than the 4 of the table"),
        (
            "reference.marketer",
            {"reference": pyarrow.table({"a": [1]})},
            "the reference has no column 'town'",
        ),
        ("reference.k_map", {"reference": "nowhere.csv"}, "reference: nowhere.csv: no such file or folder"),
    ],
)
def test_what_a_rule_needs(measure: str, said: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words.replace(".", r"\.")):
        judged(SMALL, {"measure": measure, "at_most": 1}, **said)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"sampled": 0}, "sampled: 0 is wrong; write a number above 0, and 1 at most"),
        ({"sampled": 1.5}, "sampled: 1.5 is wrong"),
        ({"population": 10, "sampled": 0.5}, "not both"),
        ({"population": -5}, "-5 is no number of people"),
        ({"population": 5, "reference_user": "who"}, "there is none; name it by --reference"),
    ],
)
def test_bad_sizes(said: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words.replace(".", r"\.")):
        judged(SMALL, {"measure": "population.unique_share", "at_most": 1}, **said)

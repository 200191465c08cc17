"""Policies: what may stand in them, what is wrong with others, which measures and attackers they can name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from singleout.attacks.inference.measures import INFERENCE_MEASURES
from singleout.attacks.measures import ATTACK_MEASURES
from singleout.deidentify.dummies.measures import DUMMY_MEASURES
from singleout.errors import InputError, UsageError
from singleout.policy.rules.attacker_presets import PRESETS, own_attacker
from singleout.policy.rules.measure_paths import NOT_FOR_RULES, find_path, measure_paths
from singleout.policy.rules.measures import CHECK_MEASURES
from singleout.policy.rules.policy import Policy, policy_of
from singleout.policy.rules.rule import Rule, measure_faults
from singleout.policy.rules.starter_policy import FIRST_POLICY
from singleout.risk.measures import MEASURES
from singleout.roles.role import ROLES
from singleout.utility.catalogue import UTILITY_MEASURES
from singleout.utility.compare.ranking import OVERALL
from singleout.utility.finding import LOST
from singleout.utility.information_loss import LOSS_MEASURES

K = {"measure": "k", "at_least": 5}


def fault(content: Any) -> str:
    with pytest.raises(InputError) as caught:
        policy_of(content)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def of_rule(**said: Any) -> str:
    return fault({"rule": [said]}).removeprefix("policy: rule 1")


def test_a_rule() -> None:
    said = {**K, "columns": ["age", "zip"], "name": "look-alikes", "reason": "five", "missing": "drop"}
    (rule,) = policy_of({"rule": [said]}).rules
    assert rule == Rule(
        "k", at_least=5, columns=("age", "zip"), name="look-alikes", reason="five", missing="drop"
    )
    assert (rule.called, rule.limit, rule.limit_words) == ("look-alikes", 5, "at least 5")


@pytest.mark.parametrize(
    ("limits", "inside", "outside"),
    [
        ({"at_least": 5}, [5, 6, 5.0], [4, 4.999999999]),
        ({"at_most": 0.05}, [0.05, 0], [0.05000000000000001]),
        ({"equals": 0}, [0, 0.0, -0.0], [5e-324, 1]),
        ({"at_least": 1, "at_most": 2}, [1, 1.5, 2], [0.99, 2.01]),
        ({"at_most": 2**60}, [2**60], [2**60 + 1]),
    ],
)
def test_limits_are_exact(limits: dict[str, Any], inside: list[float], outside: list[float]) -> None:
    rule = Rule("k", **limits)
    assert all(map(rule.allows, inside))
    assert not any(map(rule.allows, outside))


def test_two_limits_are_told_as_a_list() -> None:
    assert Rule("k", at_least=1, at_most=2).limit == [1, 2]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"at_least": 5}, ": has no measure"),
        ({"measure": "k"}, "has no limit; write at_least, at_most or equals"),
        ({**K, "equals": 5}, "has at_least and equals"),
        ({"measure": "k", "at_least": 5, "at_most": 4}, "nothing is at least 5 and at most 4"),
        ({"measure": "k", "at_least": "5"}, "at_least: '5' is no number"),
        ({"measure": "k", "at_least": True}, "at_least: True is no number"),
        ({"measure": "k", "equals": float("nan")}, "equals: nan is no number"),
        ({"measure": "k", "at_most": float("inf")}, "at_most: inf is no number"),
        ({"measure": "k", "at_most": [1]}, "at_most: [1] is no number"),
        ({**K, "at_leest": 3}, "there is no 'at_leest'; did you mean 'at_least'"),
        ({**K, "measure": 3}, "measure: 3 is wrong"),
        ({**K, "measure": ""}, "measure: '' is wrong"),
        ({**K, "measure": "kk"}, "there is no measure 'kk'; did you mean 'k'"),
        ({**K, "columns": "age"}, "columns: 'age' is wrong; write a list"),
        ({**K, "columns": []}, "columns: [] is wrong"),
        ({**K, "columns": ["age", "age"]}, "each once"),
        ({**K, "columns": ["age", 3]}, "is wrong"),
        ({**K, "missing": "dropp"}, "there are value, drop, wildcard"),
        ({**K, "attacker": "nieghbour"}, "there is no attacker 'nieghbour'; did you mean 'neighbour'"),
        ({**K, "points": 3}, "points: k does not take it"),
        ({"measure": "points.unique", "at_most": 1}, "say how many records are known"),
        ({"measure": "points.unique", "at_most": 1, "points": 0}, "points: 0 is wrong"),
        ({"measure": "points.unique", "at_most": 1, "points": True}, "points: True is wrong"),
        ({"measure": "points.unique", "at_most": 1, "points": 2, "worst": 1}, "worst: 1 is wrong"),
        ({"measure": "diversity", "at_least": 2}, "say which column is sensitive"),
        ({"measure": "inference.gain", "at_most": 0.1}, "say which column is sensitive"),
        ({"measure": "inference.low", "at_most": 0.1}, "not for rules: inference.rate takes the end"),
        ({"measure": "attack.jacard.rate", "at_most": 1}, "there is no attack 'jacard'"),
        ({"measure": "attack.jaccard.rat", "at_most": 1}, "did you mean 'attack.jaccard.rate'"),
        ({"measure": "attribute.date.rsk", "at_most": 1}, "did you mean 'attribute.date.risk'"),
        ({"measure": "prediction.forest.orr", "at_most": 1}, "there is no method 'forest'"),
        ({"measure": "total_variation", "at_most": 1}, "write total_variation.price, or total_variation.*"),
        ({"measure": "dummies.bound", "at_most": 1}, "is not for rules"),
        ({"measure": "ranking.overall", "at_most": 1}, "is not for rules"),
    ],
)
def test_wrong_rules(said: dict[str, Any], told: str) -> None:
    assert told in of_rule(**said)


def test_all_mistakes_are_told_at_once_with_their_rules() -> None:
    told = fault({"rules": [], "data": {"usr": "x"}, "rule": [K, {"measure": "kk", "at_most": "1"}, 3]})
    assert "there is no 'rules'; did you mean 'rule'?" in told
    assert "data: there is no 'usr'; did you mean 'user'?" in told
    assert "rule 2 (kk): at_most: '1' is no number" in told
    assert "there is no measure 'kk'" in told
    assert "rule 3: 3 is no rule" in told
    assert "rule 1" not in told


@pytest.mark.parametrize("content", [{}, {"rule": []}])
def test_a_policy_without_rules_is_refused(content: dict[str, Any]) -> None:
    assert "has no rule, and would let everything pass" in fault(content)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({"rule": {"measure": "k"}}, "with two brackets"),
        ({"rule": [K], "data": 3}, "data: write it as a table"),
        ({"rule": [K], "data": {"seed": 1.5}}, "data: seed: 1.5 is wrong; write a whole number"),
        ({"rule": [K], "data": {"columns": "a"}}, "data: columns: 'a' is wrong"),
        ({"rule": [K], "data": {"renamed": {"a": 3}}}, "data: renamed"),
        ({"rule": [K], "attackers": 3}, "attackers: write each as a table"),
        ({"rule": [K], "attackers": {"me": 3}}, "attackers.me: write it as a table"),
        ({"rule": [K], "attackers": {"insider": {"points": 3}}}, "attackers.insider: is a preset"),
    ],
)
def test_wrong_parts(content: dict[str, Any], told: str) -> None:
    assert told in fault(content)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({}, "say what is known"),
        ({"based_on": "nobody"}, "there is no attacker 'nobody'"),
        ({"based_on": 3}, "there is no attacker 3"),
        ({"columns": ["a", "a"]}, "is no list of columns"),
        ({"roles": ["tim"]}, "'tim' is no role to know; did you mean 'time'"),
        ({"roles": ["user"]}, "'user' is no role to know"),
        ({"based_on": "insider", "points": 1001}, "from 1 to 1,000, or 'all'"),
        ({"based_on": "insider", "points": True}, "is no number of records"),
        ({"based_on": "insider", "share": 0}, "share: 0 is no share"),
        ({"based_on": "insider", "share": "1"}, "share: '1' is no share"),
        ({"based_on": "insider", "granularity": "day"}, "granularity: 'day' is no table"),
        ({"based_on": "insider", "granularity": {"date": "weeks"}}, "'weeks' is no granularity"),
        ({"based_on": "insider", "granularity": {"date": 3}}, "3 is no granularity"),
        ({"based_on": "insider", "title": ""}, "title: '' is no text"),
        ({"based_on": "insider", "point": 3}, "there is no 'point'; did you mean 'points'"),
    ],
)
def test_wrong_attackers(said: dict[str, Any], told: str) -> None:
    attacker, faults = own_attacker("me", said)
    assert attacker is None
    assert told in "; ".join(faults)


def test_an_own_attacker_changes_a_preset() -> None:
    said = {"based_on": "neighbour", "points": "all", "share": 0.5, "granularity": {"price": "round 10"}}
    attacker, faults = own_attacker("postman", said)
    assert faults == []
    assert attacker is not None
    assert (attacker.name, attacker.points, attacker.share) == ("postman", None, 0.5)
    assert attacker.roles == PRESETS["neighbour"].roles
    assert attacker.coarseness("date", "time") == "day"
    assert attacker.coarseness("price", "amount") == "round 10"
    assert attacker.coarseness("zip", "quasi-identifier") is None


def test_presets_state_their_knowledge_and_know_ever_more() -> None:
    assert list(PRESETS) == ["neighbour", "employer", "data_broker", "insider", "maximum_knowledge"]
    for each in PRESETS.values():
        assert each.knows
        assert each.reason.endswith(".")
        assert {*each.roles} <= {*ROLES} - {"user"}
        assert each.points is None or each.points >= 1
    shares = [each.share for each in PRESETS.values()]
    assert shares == sorted(shares)
    assert PRESETS["maximum_knowledge"].share == 1
    assert not PRESETS["maximum_knowledge"].granularity


@pytest.mark.parametrize(
    ("text", "words", "name"),
    [
        ("k", "k", ""),
        ("classes.average_risk", "average_risk", ""),
        ("classes", "classes", ""),
        ("attribute.a.b.risk", "attribute.NAME.risk", "a.b"),
        ("attribute.date.sampling.risk", "attribute.NAME.sampling.risk", "date"),
        ("attribute.*.risk", "attribute.NAME.risk", "*"),
        ('attribute."*".risk', "attribute.NAME.risk", '"*"'),
        ("attack.worst_points_4.top_10", "attack.NAME.top_10", "worst_points_4"),
        ("total_variation.a.b", "total_variation.NAME", "a.b"),
        ("domain.goods+price.overlap", "domain.NAME.overlap", "goods+price"),
    ],
)
def test_paths(text: str, words: str, name: str) -> None:
    found = find_path(text)
    assert found is not None
    assert (found.path.words, found.name) == (words, name)


@pytest.mark.parametrize(
    "text", ["attribute..risk", "attribute.risk", "attack.rate", "K", "", "total_variation."]
)
def test_no_paths(text: str) -> None:
    assert find_path(text) is None


def test_every_measure_has_a_path_or_a_reason() -> None:
    every = {
        each.name
        for each in (
            *MEASURES,
            *ATTACK_MEASURES,
            *INFERENCE_MEASURES,
            *LOSS_MEASURES,
            *UTILITY_MEASURES,
            *CHECK_MEASURES,
            LOST,
            OVERALL,
        )
    }
    reached = {path.measure.name for path in measure_paths()}
    assert every - reached == {*NOT_FOR_RULES} - {"dummies"}
    assert not {each.name for each in DUMMY_MEASURES} & reached
    words = [path.words for path in measure_paths()]
    assert len({*words}) == len(words)


def test_the_first_policy_is_one(tmp_path: Path) -> None:
    place = tmp_path / "policy.toml"
    place.write_text(FIRST_POLICY)
    found = policy_of(place)
    assert [each.measure for each in found.rules][:2] == ["k", "unique_share"]
    # what is commented out is right as well
    lines = [line.removeprefix("# ") for line in FIRST_POLICY.splitlines() if _is_toml(line)]
    place.write_text("\n".join(lines))
    found = policy_of(place)
    assert found.attackers["postman"].points == 5
    assert found.data["item"] == "goods"
    assert len(found.rules) == 6


def _is_toml(line: str) -> bool:
    inside = line.removeprefix("# ")
    return inside.startswith("[") or " = " in inside


def test_a_policy_is_read_from_all_that_it_may_be(tmp_path: Path) -> None:
    place = tmp_path / "p.toml"
    place.write_text('[[rule]]\nmeasure = "k"\nat_least = 5\n')
    from_file = policy_of(place)
    assert policy_of(str(place)) == from_file
    assert policy_of(from_file) is from_file
    assert policy_of({"rule": [K]}).rules == from_file.rules
    assert (from_file.place, from_file.folder) == (str(place), tmp_path)


def made_by_hand(make: Callable[[], object]) -> str:
    with pytest.raises(UsageError) as caught:
        make()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"measure": "k"}, "rule k: has no limit; write at_least, at_most or equals"),
        ({"measure": "kk", "at_least": 1}, "rule kk: there is no measure 'kk'; did you mean 'k'"),
        ({"measure": 3, "at_least": 1}, "measure: 3 is wrong"),
        ({"measure": "k", "at_least": "1"}, "at_least: '1' is no number"),
        ({"measure": "k", "at_least": float("nan")}, "at_least: nan is no number"),
        ({"measure": "k", "at_least": 1, "equals": 1}, "has at_least and equals"),
        ({"measure": "k", "at_least": 1, "columns": "age"}, "columns: 'age' is wrong"),
        ({"measure": "k", "at_least": 1, "missing": "x"}, "missing: 'x' is wrong"),
        ({"measure": "k", "at_least": 1, "parameters": 3}, "parameters: 3 is wrong"),
        ({"measure": "k", "at_least": 1, "parameters": {"points": 2}}, "points: k does not take it"),
        ({"measure": "k", "at_least": 1, "parameters": {"x": 2}}, "there is no 'x'"),
        ({"measure": "k", "at_least": 1, "parameters": {"at_least": 9}}, "at_least: is no parameter"),
        ({"measure": "points.unique", "at_most": 1}, "say how many records are known"),
    ],
)
def test_a_rule_made_by_hand_checks_itself(said: dict[str, Any], told: str) -> None:
    assert told in made_by_hand(lambda: Rule(**said))


def test_a_policy_made_by_hand_checks_itself() -> None:
    rule = Rule("k", at_least=1)
    assert "has no rule, and would let everything pass" in made_by_hand(lambda: Policy(()))
    odd: Any = (rule, 3)
    assert "are no rules; give a tuple of Rule" in made_by_hand(lambda: Policy(odd))
    stranger = Rule("k", at_least=1, attacker="me")
    assert "rule 2 (k): there is no attacker 'me'" in made_by_hand(lambda: Policy((rule, stranger)))
    assert "data: there is no 'usr'" in made_by_hand(lambda: Policy((rule,), {"usr": "x"}))
    attackers: Any = {"me": 3}
    assert "attackers: {'me': 3} are none" in made_by_hand(lambda: Policy((rule,), {}, attackers))
    assert "share: 0 is no share" in made_by_hand(lambda: replace(PRESETS["insider"], share=0))
    assert "points: 0 is no number" in made_by_hand(lambda: replace(PRESETS["neighbour"], points=0))
    with pytest.raises(UsageError, match="has no limit"):
        replace(rule, at_least=None)


@pytest.mark.parametrize("digits", [301, 400, 5000])
def test_no_limit_is_beyond_all_that_is_measured(digits: int) -> None:
    limit = 10**digits
    assert "is no number to compare with" in of_rule(measure="k", at_most=limit)
    assert "is no number to compare with" in made_by_hand(lambda: Rule("k", at_least=-limit))


@pytest.mark.parametrize(
    ("measure", "right", "wrong"),
    [
        ("points.narrowed", "narrow", "allow"),
        ("points.unique", "draws", "narrow"),
        ("set.synergy_share", "synergy", "allow"),
        ("set.mean_synergy", "columns", "synergy"),
        ("set.people_at_risk", "allow", "synergy"),
        ("set.average_risk", "missing", "allow"),
        ("record.dis_suda", "sampled", "allow"),
        ("record.minimal_sets", "allow", "sampled"),
        ("attribute.a.suda_contribution", "columns", "sampled"),
        ("domain.a.success_after", "known", "times"),
        ("domain.a.rare_share", "times", "known"),
        ("domain.a.information", "missing", "known"),
        ("attack.jaccard.rate", "share", "points"),
        ("attack.points_2.rate", "columns", "share"),
        ("attack.worst_points_2.rate", "missing", "share"),
    ],
)
def test_a_key_that_a_measure_would_ignore_is_refused(measure: str, right: str, wrong: str) -> None:
    points = ["points"] if measure.startswith("points.") else []
    assert measure_faults(measure, [right, *points]) == []
    (told,) = measure_faults(measure, [wrong, *points])
    assert told.startswith(f"{wrong}: {measure} does not take it; it takes ")
    assert right in told


def test_keys_that_exclude_each_other() -> None:
    points = {"measure": "points.unique", "at_most": 1}
    assert "draws: the most telling records are not drawn" in of_rule(**points, points=2, worst=True, draws=5)
    told = of_rule(**points, attacker="insider", draws=5)
    assert "draws: insider knows a share of the records, and not a number of them" in told
    assert policy_of({"rule": [{**points, "attacker": "insider", "points": 3, "draws": 5}]}).rules
    assert "them; it takes columns, missing, attacker" in of_rule(**K, points=2, draws=3)


@pytest.mark.parametrize("content", [b"[[rule\n", b"\xff", b"a = " + b"[" * 5000])
def test_not_toml(tmp_path: Path, content: bytes) -> None:
    place = tmp_path / "p.toml"
    place.write_bytes(content)
    assert "is not TOML" in fault(place)


def test_no_file(tmp_path: Path) -> None:
    assert fault(tmp_path / "no.toml").endswith("no.toml: no such file or directory")
    assert fault(tmp_path).endswith("is a directory")


@pytest.mark.parametrize("odd", [3, None, ["k"], b"p.toml"])
def test_no_policy_at_all(odd: Any) -> None:
    with pytest.raises(UsageError, match="is no policy; give a file's name or a mapping"):
        policy_of(odd)


def test_every_path_may_be_asked() -> None:
    names = {"attack": "best", "prediction": "tree"}
    keys = {"sensitive": ["sensitive"], "inference": ["sensitive"], "points": ["points"]}
    for path in measure_paths():
        text = path.words.replace("NAME", names.get(path.family, "a"))
        assert measure_faults(text, keys.get(path.family, [])) == []

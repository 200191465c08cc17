"""The answer that somebody can act on: by which policy, why, on what conditions, and what was not tried."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from singleout import suggest_roles
from singleout.errors import InputError
from singleout.policy.check import check
from singleout.policy.release_levels import farthest_release
from singleout.policy.result import Verdict
from singleout.policy.rules.built_in_policies import BUILT_IN, built_in_text
from singleout.policy.rules.measure_paths import find_path
from singleout.policy.rules.policy import Policy, built_in_policy, policy_of
from singleout.policy.verdict.decision import QUESTIONS, Decision
from singleout.roles.study import Study


def alike(group: int, **columns: list[str]) -> pyarrow.Table:
    """Ten kinds of records, each so many times."""
    kinds = [f"kind {index}" for index in range(10) for _ in range(group)]
    return pyarrow.table({"kind": kinds, **columns})


def history(people: int, records: int) -> pyarrow.Table:
    """Everybody buys the same on the same days."""
    who = [f"p{index}" for index in range(people) for _ in range(records)]
    day = [f"2024-01-{each + 1:02}" for _ in range(people) for each in range(records)]
    return pyarrow.table({"who": who, "day": day})


def far(data: Any, **said: Any) -> Decision:
    def judge(policy: Policy) -> Verdict:
        return check(data, policy, **said)

    return farthest_release(judge)


def found(decision: Decision, question: str) -> tuple[str, ...]:
    return next(each.found for each in decision.findings if each.question == question)


def not_tried(decision: Decision, question: str) -> tuple[str, ...]:
    return next(each.not_tried for each in decision.findings if each.question == question)


@pytest.mark.parametrize(
    ("group", "answer", "policy"),
    [
        (1, "do_not_release", "internal sharing"),
        (2, "do_not_release", "internal sharing"),
        (3, "conditions", "internal sharing"),
        (11, "conditions", "internal sharing"),
        (12, "conditions", "public"),
    ],
)
def test_how_far_a_table_may_go(group: int, answer: str, policy: str) -> None:
    """Groups of 5 to 11 pass the group size of a trusted partner, and not the average risk of 0.09."""
    decision = far(alike(group))
    assert (decision.answer, decision.policy) == (answer, policy)


def test_what_is_not_sensitive_must_be_said() -> None:
    decision = far(alike(12))
    assert any("sensitive" in each for each in decision.conditions)
    assert not_tried(decision, "inference")


def test_columns_beside_the_sensitive_one_that_are_called_like_one_are_a_condition() -> None:
    table = alike(12, illness=["flu", "cold", "gout", "mumps"] * 30, salary=["low", "high"] * 60)
    rules = {
        "rule": [
            {"measure": "k", "at_least": 1},
            {"measure": "sensitive.alpha", "sensitive": "*", "at_most": 1},
        ]
    }
    told = "what salary tells may be learned about people, for only other columns were named as sensitive"
    for sensitive, says in ((["illness"], True), (["illness", "salary"], False)):
        conditions = check(table, rules, user="none", sensitive=sensitive).conditions
        assert any(each.startswith(told) for each in conditions) == says


def test_many_columns_that_no_rule_looked_at_are_told_once() -> None:
    others = {f"shade{index}": ["red", "blue"] * 60 for index in range(7)}
    reason = far(alike(12, **others), columns=["kind"]).reasons[0]
    assert reason.startswith("no rule looked at 7 columns of the file; ")
    assert reason.count("shade3") == 1


def test_a_farther_release_says_why_not() -> None:
    decision = far(alike(4))
    assert decision.reasons[0].startswith(
        "not for trusted partner: the smallest group of look-alikes has 4 records"
    )
    assert "colleagues" in decision.conditions[0]


def test_known_records_are_asked_where_counting_passes() -> None:
    """Everybody is alike by every record: twelve people or more withstand all that is tried."""
    decision = far(history(12, 5), user="who")
    assert decision.policy == "public"
    assert any("known records" in each for each in found(decision, "singling out"))
    assert any("pseudonyms" in each for each in decision.conditions)


def test_nothing_else_is_tried_where_counting_decides() -> None:
    decision = far(history(2, 5), user="who")
    assert decision.answer == "do_not_release"
    assert not_tried(decision, "singling out") == ("four known records, for the verdict is clear without",)


def test_columns_of_the_file_that_no_rule_looked_at_are_not_judged() -> None:
    decision = far(alike(12, shade=["red", "blue"] * 60), columns=["kind"])
    assert decision.answer == "not_judged"
    assert decision.reasons[0].startswith("no rule looked at shade of the file")
    empty = alike(12).append_column("shade", pyarrow.nulls(120, pyarrow.string()))
    assert far(empty, columns=["kind"]).answer == "conditions"


def test_unknown_is_not_judged() -> None:
    """A rule that could not be answered neither forbids nor allows."""
    table = pyarrow.table({"a": pyarrow.array([None, None], pyarrow.string())})
    verdict = check(table, {"rule": [{"measure": "k", "at_least": 1, "missing": "drop"}]})
    assert verdict.decision.answer == "not_judged"
    assert verdict.decision.headline.startswith("Not judged: k is unknown: no record has a value")
    assert not verdict.passed


def test_a_broken_rule_goes_before_an_unknown_one() -> None:
    rules = [
        {"measure": "k", "at_least": 2},
        {"measure": "k", "at_least": 1, "missing": "drop", "columns": ["b"]},
    ]
    table = pyarrow.table({"a": ["x", "y"], "b": pyarrow.array([None, None], pyarrow.string())})
    assert check(table, {"rule": rules}).decision.answer == "do_not_release"


def test_a_policy_that_passes_has_no_objection() -> None:
    rules = {"rule": [{"measure": "k", "at_least": 5}]}
    decision = check(alike(5), rules, sensitive="none").decision
    assert (decision.answer, decision.conditions) == ("no_objection", ())
    assert decision.reasons == (
        "the smallest group of look-alikes has 5 records (k-anonymity), and at least 5 is asked for",
    )
    assert check(alike(5), rules).decision.answer == "conditions"


def test_rules_apply_when_they_say_so() -> None:
    rules = [
        {"measure": "k", "at_least": 2, "when": "one record a person"},
        {"measure": "people.k", "at_least": 2, "when": "history"},
        {"measure": "attack.best.rate", "at_most": 0.1, "when": "original"},
    ]
    one = check(alike(2), {"rule": rules})
    many = check(history(3, 2), {"rule": rules}, user="who")
    assert [each.number for each in one.rules] == [1]
    assert [each.number for each in many.rules] == [2]
    assert [(each.number, each.is_a_gap) for each in one.not_asked] == [(2, False), (3, True)]
    assert one.to_dict()["not_asked"][1]["rule"] == "attack.best.rate"


def test_no_rule_applies() -> None:
    rules = [{"measure": "people.k", "at_least": 2, "when": "history"}]
    with pytest.raises(InputError, match="none of its rules is about a table like"):
        check(alike(2), {"rule": rules})


def test_when_is_checked() -> None:
    with pytest.raises(InputError, match="when: 'monday' is wrong; there are history, one record a person"):
        policy_of({"rule": [{"measure": "k", "at_least": 2, "when": "monday"}]})


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_limit_has_a_source_and_a_reason(name: str) -> None:
    policy = built_in_policy(name)
    assert policy.called == name
    assert all(rule.source and rule.reason and rule.name for rule in policy.rules)


def test_a_farther_policy_asks_for_more() -> None:
    """Whatever passes for everybody passes for colleagues."""
    for measure in ("points.rate", "attack.best.rate"):
        limits = [_limit(name, measure) for name in BUILT_IN]
        assert limits == sorted(limits, reverse=True)
        assert find_path(measure)


def _limit(name: str, measure: str) -> float:
    return next(rule.at_most or 0 for rule in built_in_policy(name).rules if rule.measure == measure)


def test_a_built_in_policy_can_be_copied(tmp_path: Path) -> None:
    copy = tmp_path / "mine.toml"
    copy.write_text(built_in_text("public"), encoding="utf-8")
    assert policy_of(copy).rules == policy_of("Public").rules
    with pytest.raises(InputError, match="policies that come with singleout: internal sharing"):
        policy_of("publik")


def test_a_rule_about_something_else_is_no_judgement() -> None:
    """What is counted of classes for its use says nothing of people."""
    decision = check(alike(1), {"rule": [{"measure": "average_class_size", "at_least": 1}]}).decision
    assert decision.answer == "not_judged"


def test_a_column_that_is_called_like_a_sensitive_one_must_be_spoken_of() -> None:
    data = alike(12, diagnosis=["flu"] * 120, salary=["low"] * 120)
    left_open = check(data, {"rule": [{"measure": "k", "at_least": 5}]}, user="none")
    assert not left_open.passed
    assert left_open.decision.answer == "not_judged"
    assert "say --sensitive diagnosis,salary, or --sensitive none" in left_open.decision.reasons[0]
    for said in (
        {"sensitive": "none"},
        {"study": Study(roles={"diagnosis": "quasi-identifier", "salary": "quasi-identifier"})},
    ):
        assert check(data, {"rule": [{"measure": "k", "at_least": 5}]}, user="none", **said).passed
    ignored = Study(roles={"diagnosis": "ignore", "salary": "ignore"})
    verdict = check(data, {"rule": [{"measure": "k", "at_least": 5}]}, user="none", study=ignored)
    assert verdict.decision.answer == "not_judged"


def test_a_sensitive_column_that_no_rule_asks_about_does_not_pass() -> None:
    """Everybody here has the flu, which a rule on k does not see."""
    table = alike(6, illness=["flu"] * 60, wage=["1", "2", "3"] * 20)
    rules = [
        {"measure": "k", "at_least": 5},
        {"measure": "sensitive.distinct_l", "at_least": 2, "sensitive": "wage"},
    ]
    verdict = check(table, {"rule": rules}, sensitive=["illness", "wage"])
    assert (verdict.passed, verdict.decision.answer) == (False, "not_judged")
    assert verdict.decision.reasons[0].startswith("no rule asks what can be learned of illness, which must")
    assert check(table.drop(["illness"]), {"rule": rules}, sensitive=["wage"], columns=["kind"]).passed


@pytest.mark.parametrize("missing", ["drop", "wildcard"])
def test_a_missing_rule_that_hides_people_does_not_pass(missing: str) -> None:
    """Whoever lacks a value stands alone by what else is there."""
    towns: list[str | None] = [*["x"] * 20, *["y"] * 20, None]
    table = pyarrow.table({"town": towns, "age": [*["1"] * 40, "99"]})
    rules = {"rule": [{"measure": "k", "at_least": 5}]}
    verdict = check(table.drop_columns(["age"]), rules, missing=missing, sensitive="none")
    assert not verdict.passed
    assert "what is missing of people tells too" in verdict.rules[0].reason
    filled = check(table.slice(0, 40), rules, missing=missing, sensitive="none")
    assert filled.passed


def test_columns_under_other_names_are_not_passed_over() -> None:
    """Who is recognised by goods is not recognised by what nobody compared."""
    who = [f"p{person}" for person in range(20) for _ in range(3)]
    goods = [f"g{person * 3 + index}" for person in range(20) for index in range(3)]
    original = pyarrow.table({"who": who, "goods": goods, "shop": ["a"] * 60})
    release = original.rename_columns(["who", "article", "shop"])
    rules = {"rule": [{"measure": "attack.best.rate", "at_most": 0.5}]}
    said = {"user": "who", "original": original, "sensitive": "none"}
    hidden = check(release, rules, **said)
    assert not hidden.passed
    assert "say so by --renamed" in hidden.rules[0].reason
    assert check(release, rules, renamed={"goods": "article"}, **said).rules[0].answer.value == 1


def test_names_of_the_original_are_told() -> None:
    table = history(12, 5)
    truth = {f"p{index}": f"p{index}" for index in range(12)}
    rules = {"rule": [{"measure": "people.k", "at_least": 12}]}
    said = {"user": "who", "original": table, "truth": truth, "sensitive": "none"}
    verdict = check(table, rules, **said)
    assert verdict.decision.conditions[0].startswith("12 names in who are replaced by pseudonyms")


def test_a_misspelt_sensitive_column_is_an_error_beside_an_original_too() -> None:
    table = alike(5)
    with pytest.raises(InputError, match="sensitive: there is no column 'knid'; did you mean 'kind'"):
        check(table, "public", original=table, sensitive="knid", user="none")


def test_a_broken_column_goes_before_an_unknown_one() -> None:
    """Of several sensitive columns one can't be guessed at, and of another everybody has the same."""
    table = alike(6, illness=["flu"] * 60, note=[f"n{index}" for index in range(60)])
    rules = [{"measure": "inference.gain", "at_most": 0.1, "sensitive": "*"}]
    shared = pyarrow.table({
        "kind": table["kind"], "note": table["note"], "colour": [f"c{index // 6}" for index in range(60)]
    })  # fmt: skip
    verdict = check(shared, {"rule": rules}, sensitive=["note", "colour"])
    assert verdict.decision.answer == "do_not_release"


def test_three_questions_are_always_answered() -> None:
    decision = far(alike(12), study=Study({"kind": "quasi-identifier"}))
    assert [each["question"] for each in decision.to_dict()["questions"]] == list(QUESTIONS)
    assert all(each.found or each.not_tried for each in decision.findings)


def test_evidence_has_the_built_in_policys_digest() -> None:
    verdict = check(alike(3), "internal sharing")
    policy = next(each for each in verdict.inputs if each.what == "policy")
    assert policy.name == "internal sharing"
    assert len(policy.sha256 or "") == 64


ILLNESSES = ["flu", "cold", "gout", "acne"]


def in_towns(illness: list[str | None], size: int = 12) -> pyarrow.Table:
    return pyarrow.table({"town": [str(index // size) for index in range(len(illness))], "illness": illness})


def broken(data: pyarrow.Table, policy: str, sensitive: list[str]) -> set[str]:
    """The measures of sensitive columns that a policy objects to."""
    verdict = check(data, policy, sensitive=sensitive)
    assert verdict.decision.answer == "do_not_release"
    return {each.rule.measure for each in verdict.decision.rules if not each.passed}


@pytest.mark.parametrize("policy", BUILT_IN)
def test_blanks_and_spellings_hide_no_value(policy: str) -> None:
    one = [ILLNESSES[index // 12 % 4] for index in range(480)]
    blanks = in_towns([None if index % 6 == 5 else each for index, each in enumerate(one)])
    ways = (str.upper, str.lower, str.title, " {} ".format)
    spelled = in_towns([ways[index % 4](each) for index, each in enumerate(one)])
    for table in (blanks, spelled):
        assert {"sensitive.distinct_l", "sensitive.skew"} <= broken(table, policy, ["illness"])


@pytest.mark.parametrize("policy", BUILT_IN)
def test_a_group_that_nearly_all_have_the_same_is_objected_to(policy: str) -> None:
    """Three different values, and hardly a gain on average: 98 of 100 where 98 of 6,000 have it."""
    table = in_towns([*["hiv"] * 98, "flu", "cold", *ILLNESSES * 1475], 100)
    assert broken(table, policy, ["illness"]) == {"sensitive.skew"}


@pytest.mark.parametrize("policy", BUILT_IN)
def test_other_sensitive_columns_and_rare_values_are_known(policy: str) -> None:
    many = 480
    drug = [index * 7 // 3 % 4 for index in range(many)]
    told = {"sex": ["f", "m"] * (many // 2), "drug": [f"d{each}" for each in drug]}
    both = pyarrow.table({**told, "illness": [ILLNESSES[each] for each in drug]})
    assert {"sensitive.distinct_l", "inference.gain"} <= broken(both, policy, ["drug", "illness"])
    salary = pyarrow.table({"sex": told["sex"], "salary": [str(30_000 + 7 * index) for index in range(many)]})
    assert "sensitive.rare_share" in broken(salary, policy, ["salary"])
    reasons = check(salary, policy, sensitive=["salary"]).decision.reasons
    assert any("found by their value of salary alone" in each for each in reasons)


@pytest.mark.parametrize("policy", BUILT_IN)
def test_a_frequent_value_may_be_frequent_everywhere(policy: str) -> None:
    """95 % have no illness: a group in which 98 % have none tells nothing new."""
    rest = ["flu", "cold"]
    group = [*["none"] * 98, *rest], [*["none"] * 92, *rest * 4]
    table = in_towns([each for index in range(20) for each in group[index % 2]], 100)
    assert check(table, policy, sensitive=["illness"]).decision.answer == "no_objection"


def test_other_sensitive_columns_are_not_known_to_a_rule_that_says_what_is() -> None:
    table = pyarrow.table({"sex": ["f"] * 4, "drug": [*"abab"], "illness": [*"xyxy"]})
    rule: dict[str, Any] = {"measure": "diversity", "sensitive": "illness", "at_least": 2}
    for more, value in (({}, 1), ({"columns": ["sex"]}, 2)):
        verdict = check(table, {"rule": [{**rule, **more}]}, sensitive=["drug", "illness"])
        assert verdict.decision.rules[0].answer.value == value


def in_columns(*names: str) -> dict[str, Any]:
    return {"rule": [{"measure": "k", "at_least": 5, "columns": list(names)}]}


def test_a_column_that_no_rule_looked_at_does_not_pass() -> None:
    verdict = check(alike(12, shade=["red", "blue"] * 60), in_columns("kind"), sensitive="none")
    assert all(each.passed for each in verdict.rules)
    assert not verdict.passed
    assert verdict.decision.answer == "not_judged"
    assert "no rule looked at shade" in verdict.decision.headline
    assert check(alike(12), in_columns("kind"), sensitive="none").passed
    assert check(alike(12, shade=["red"] * 120), in_columns("kind", "shade"), sensitive="none").passed


def test_a_rule_about_one_attribute_looks_at_that_alone() -> None:
    rules = {"rule": [{"measure": "attribute.kind.risk", "at_most": 0.5}]}
    assert check(alike(12), rules).passed
    assert not check(alike(12, shade=["red"] * 120), rules).passed


def test_what_is_set_aside_passes_only_where_the_policy_answers_for_it() -> None:
    """Neither its role nor naming other columns takes it out of the file."""
    table = alike(12, shade=["red", "blue"] * 60)
    allowing = {"allow_unjudged": ["shade"], **in_columns("kind")}
    ignored, known = Study({"shade": "ignore"}), Study({"shade": "quasi-identifier"})
    for said in ({"study": ignored}, {"study": known}, {"columns": ["kind"]}, {}):
        unseen = check(table, in_columns("kind"), sensitive="none", **said)
        assert not unseen.passed
        assert unseen.decision.headline == "Not judged: no rule looked at shade of the file"
        assert 'allow_unjudged = ["shade"]' in unseen.decision.further_reasons[0]
        allowed = check(table, allowing, sensitive="none", **said)
        assert allowed.passed
        assert allowed.decision.answer == "conditions"
        assert allowed.conditions[0].startswith("somebody answers for shade, which no rule looked at")
        assert allowed.evidence()["allow_unjudged"] == ["shade"]
    with pytest.raises(InputError, match=r"allow_unjudged: .* there is no column 'shade'"):
        check(alike(12), allowing)


# of one land, so that no list has them
WORDS = ("Abara", "Ekwueme", "Onoh", "Ugwu", "Eneh", "Nwosu", "Ozo", "Agu", "Ani", "Odo", "Nnaji", "Eze")


@pytest.mark.parametrize(
    "write", [str, str.lower, lambda word: word[::-1], lambda word: f"{word[0]}.{word[1]}."]
)
def test_words_that_nobody_explains_may_be_names(write: Callable[[str], str]) -> None:
    """Each of ten people and more, so that counting finds nothing."""
    words = [*map(write, WORDS)] * 12
    decision = far(pyarrow.table({"q7": words}), user="none", sensitive="none")
    assert decision.answer == "not_judged"
    assert "many different words in q7 may be names of people" in decision.headline
    for study in (Study({"q7": "quasi-identifier"}), Study({"q7": "item"})):
        explained = far(pyarrow.table({"q7": words}), user="none", sensitive="none", study=study)
        assert explained.answer == "no_objection"
    assert far(pyarrow.table({"town": words}), user="none", sensitive="none").answer == "no_objection"
    rules = {"allow_identifiers": ["q7"], "rule": [{"measure": "k", "at_least": 5}]}
    assert check(pyarrow.table({"q7": words}), rules, user="none", sensitive="none").passed


def test_sentences_that_many_people_share_are_not_judged() -> None:
    sentences = [
        f"came on {day} and was sent to the {place}" for day in ("May 1", "May 2") for place in WORDS
    ]
    for header in ("q7", "answer", "remark"):
        decision = far(pyarrow.table({header: sentences * 50}), user="none", sensitive="none")
        assert decision.answer == "not_judged"
        assert f"sentences in {header} may tell of people or name them" in decision.headline
    goods = far(pyarrow.table({"goods": sentences * 50}), user="none", sensitive="none")
    assert goods.answer == "no_objection"
    few = ["handed to Maria Lopez again", "seen by nobody at all"] * 500
    assert far(pyarrow.table({"q7": few}), user="none", sensitive="none").answer == "not_judged"


@pytest.mark.parametrize(
    "write",
    [
        lambda word: base64.b64encode(word.encode()).decode(),
        lambda word: word.replace("e", "3").replace("o", "0").replace("u", "_").replace("a", "4") + "7",
        lambda word: f"X7-{word}-3",
        lambda word: f"C{WORDS.index(word):03}",
    ],
)
@pytest.mark.parametrize("header", ["q7", "code", "answer label"])
def test_codes_that_nobody_explains_are_a_condition(write: Callable[[str], str], header: str) -> None:
    """Whatever their role: it does not say for whom they stand."""
    table = pyarrow.table({header: [*map(write, WORDS)] * 50})
    roles = {role.column: role.role for role in suggest_roles(table).columns}
    for study in (None, Study(roles)):
        decision = far(table, user="none", sensitive="none", study=study)
        assert decision.answer == "conditions"
        assert decision.conditions[0].startswith(
            f"the codes or long numbers in {header}, of which nothing says what they are, are"
        )
    rules = {"allow_identifiers": [header], "rule": [{"measure": "k", "at_least": 5}]}
    answered = check(table, rules, user="none", sensitive="none")
    assert answered.passed
    assert not [each for each in answered.conditions if "codes" in each]


@pytest.mark.parametrize("values", [[*WORDS][:9], ["flu", "Ekwueme"], ["1", "2", "eneh"]])
def test_a_few_words_that_nobody_explains_are_a_condition(values: list[str]) -> None:
    """Whatever their role, for it may have been suggested; of fewer than ten no list has all names."""
    table = pyarrow.table({"q7": values * 60})
    roles = {role.column: role.role for role in suggest_roles(table).columns}
    for study in (None, Study(roles)):
        decision = far(table, user="none", sensitive="none", study=study)
        assert decision.answer == "conditions"
        assert decision.conditions[0].startswith("the words in q7, of which nothing says what they are, are")
    assert far(table.rename_columns(["town"]), user="none", sensitive="none").answer == "no_objection"
    rules = {"allow_identifiers": ["q7"], "rule": [{"measure": "k", "at_least": 5}]}
    assert check(table, rules, user="none", sensitive="none").decision.answer == "no_objection"


def test_shared_telephone_numbers_in_plain_digits_are_a_condition() -> None:
    numbers = [1_710_007_919 + 7919 * index for index in range(5)]
    decision = far(pyarrow.table({"v3": numbers * 60}), user="none", sensitive="none")
    assert decision.answer == "conditions"
    assert decision.conditions[0].startswith("the codes or long numbers in v3, of which nothing says")


@pytest.mark.parametrize(
    "values",
    ["{}-{} years", "<={}{}K", "[{}0-{}5)", "{}.{} kg", "{}0 to {}9", "1{}:0{} am"],
)
def test_amounts_with_units_and_ranges_are_no_codes(values: str) -> None:
    texts = [values.format(one, other) for one in range(1, 5) for other in range(1, 4)]
    decision = far(pyarrow.table({"q7": texts * 50}), user="none", sensitive="none")
    assert decision.answer == "no_objection"


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([hashlib.sha256(word.encode()).hexdigest()[:8] for word in WORDS], "codes in q7 may be digests of"),
        (["flu", "cold", "Ann Smith"] * 4, "a value of q7 looks like a person's full name"),
    ],
)
def test_what_may_name_people_and_is_not_explained(values: list[str], told: str) -> None:
    """Shared by a dozen people each, so that counting finds nothing."""
    table = pyarrow.table({"q7": values * 12})
    decision = far(table, user="none", sensitive="none")
    assert decision.answer == "not_judged"
    assert told in decision.headline
    rules = {"allow_identifiers": ["q7"], "rule": [{"measure": "k", "at_least": 5}]}
    assert check(table, rules, user="none", sensitive="none").passed


def test_a_suggested_study_explains_no_words() -> None:
    table = pyarrow.table({"q7": [*WORDS] * 12, "sex": ["f", "m"] * 72})
    suggested = suggest_roles(table)
    assert suggested[0].role == "ignore"
    study = Study({each.column: each.role for each in suggested})
    assert far(table, user="none", sensitive="none", study=study).answer == "not_judged"


def test_what_an_attacker_does_not_know_is_unknown_while_it_is_in_the_file() -> None:
    table = alike(12, price=["1.5", "2.5"] * 60)
    rules = {"rule": [{"measure": "k", "attacker": "neighbour", "at_least": 5}]}
    said = check(table, rules, study=Study({"kind": "quasi-identifier", "price": "amount"}), user="none")
    assert "price" not in said.rules[0].answer.columns
    assert said.decision.answer == "not_judged"
    assert not check(table, {"rule": [{**rules["rule"][0], "columns": ["kind"]}]}, user="none").passed


def test_a_policy_that_asks_nothing_about_people_passes_nothing() -> None:
    rules = {"rule": [{"measure": "discernibility", "at_most": 10**9}]}
    verdict = check(alike(12), rules)
    assert not verdict.passed
    assert verdict.decision.headline.startswith("Not judged: no rule asks whether people are recognised")


def test_a_column_who_that_nobody_named_does_not_pass() -> None:
    """Six records of each: where they are one person's, nobody is hidden among six."""
    table = pyarrow.table({"who": [f"a{index // 6}" for index in range(60)], "kind": ["x"] * 60})
    rules = {"rule": [{"measure": "k", "at_least": 5}]}
    verdict = check(table, rules, sensitive="none")
    assert not verdict.passed
    assert verdict.decision.headline.startswith("Not judged: nobody said whose records they are, and who ")
    said = check(table, rules, sensitive="none", user="none")
    assert said.passed
    told = said.conditions
    assert told == ("each record is its own person, though who looks like the column that names people",)


def test_who_counts_who_fits_is_told_that_the_likeliest_may_be_named() -> None:
    """Nobody is the only candidate here, and that says nothing of guesses."""
    unique: dict[str, Any] = {"measure": "points.unique", "points": 1, "at_most": 0.1}
    rate = {**unique, "measure": "points.rate"}
    gap = "whoever names the likeliest of several who fit the known records (points.rate in a rule)"
    for rules, told in (([unique], True), ([rate], False), ([unique, rate], False)):
        verdict = check(history(12, 2), {"rule": rules}, user="who", sensitive="none")
        assert verdict.passed
        assert (gap in not_tried(verdict.decision, "singling out")) == told

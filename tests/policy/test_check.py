"""`check` on one table: rules against the numbers of the jobs, what is unknown, any name, several engines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import singleout
from singleout import assess, check, combinations, entropy, infer, predict
from singleout.errors import InputError, UsageError
from singleout.policy.rules.measure_paths import measure_paths
from singleout.policy.rules.policy import policy_of
from singleout.result_table import cell_text
from tests.support.check_shop import (
    DOMAINS,
    SHOP,
    STUDY,
    asked,
    fault,
    reason,
    value,
    values,
)
from tests.support.extracts import ARX_ADULT, class_sizes, table_of_classes
from tests.support.home import Home


def test_arx_adult(real_data: Path, golden: dict[str, Any]) -> None:
    check_arx_adult(real_data / "arx_adult" / "adult.csv", golden["arx_adult"])


def test_a_table_with_the_classes_of_arx_adult(golden: dict[str, Any]) -> None:
    columns = ARX_ADULT.split()
    check_arx_adult(table_of_classes(class_sizes("arx_adult", ARX_ADULT), columns), golden["arx_adult"])


def check_arx_adult(table: Any, want: dict[str, Any]) -> None:
    found = asked(
        table,
        {"measure": "k", "equals": 1},
        {"measure": "unique", "equals": want["unique"]},
        {"measure": "classes.average_risk", "equals": want["average_risk"]},
        {"measure": "unique_share", "equals": want["unique"] / 30162},
        {"measure": "classes", "equals": want["classes"]},
        {"measure": "k", "at_least": 5},
    )
    assert [each.passed for each in found.rules] == [True] * 5 + [False]
    assert (found.passed, found.records) == (False, 30162)


def test_paper_0(t1: Path, golden: dict[str, Any]) -> None:
    """The risks of its Table 5, and which of them is the worst."""
    want = {name: each["risk"] for name, each in golden["T1"]["attributes"].items()}
    rules = [{"measure": f"attribute.{name}.risk"} for name in want]
    said = {"user": "customer", "columns": ["date", "time", "goods", "price", "number"]}
    *each, worst = asked(t1, *rules, {"measure": "attribute.*.risk", "at_most": 0.05}, **said).rules
    assert [f"{one.answer.value:.3f}" for one in each] == list(want.values())
    assert worst.answer.of == "time"
    assert worst.reason == "0.3217 (time), but at most 0.05 is asked for"


def test_classes_are_those_of_assess() -> None:
    found = assess(SHOP, user="who").to_dict()["classes"]
    names = ("k", "classes", "unique", "highest_risk", "average_risk", "entropy", "people_alone")
    values(SHOP, {name: found[name] for name in names}, user="who")
    values(SHOP, {f"classes.{name}": found[name] for name in names}, user="who")
    values(SHOP, {f"people.{name}": each for name, each in found["people"].items()}, user="who")
    shares = {
        "unique_share": found["unique"] / 8,
        "people.unique_share": found["people"]["unique"] / 8,
        "people_alone_share": found["people_alone"] / 4,
    }
    values(SHOP, shares, user="who")


def test_attributes_are_those_of_assess() -> None:
    parts = ("risk", "values", "alpha", "low_cost", "low_cost_error", "low_cost_floor")
    wanted: dict[str, Any] = {}
    for each in assess(SHOP, user="who", together=[("date", "goods")]).to_dict()["attributes"]:
        path = f"attribute.{each['name']}"
        wanted |= {f"{path}.{part}": each[part] for part in parts}
        wanted |= {f"{path}.sampling.{part}": each["sampling"][part] for part in ("low", "high")}
        wanted |= {f"{path}.sampling.mean": each["sampling"]["risk"]}
    assert "attribute.date+goods.risk" in wanted
    values(SHOP, wanted, user="who")


def test_a_sampled_risk_is_judged_by_the_safe_end_of_its_interval() -> None:
    many = singleout.sample("shop", people=60)
    sampled = assess(many, user="customer", columns=["time"]).attributes[0].sampling
    assert sampled is not None
    assert sampled.low < sampled.risk < sampled.high
    said = {"user": "customer", "columns": ["time"]}
    rule = {"measure": "attribute.time.sampling.risk", "at_most": sampled.risk}
    (judged,) = asked(many, rule, **said).rules
    assert (judged.answer.value, judged.passed) == (sampled.high, False)
    assert f"the upper end of the 90 % interval, whose mean is {cell_text(sampled.risk)}" in judged.reason
    assert value(many, "attribute.time.sampling.mean", said, at_most=1) == sampled.risk
    assert value(many, "attribute.*.sampling.risk", said, at_most=1) == sampled.high
    assert value(many, "attribute.time.sampling.risk", said, at_least=0) == sampled.low
    assert value(many, "attribute.time.sampling.risk", said, equals=1) == sampled.risk


def test_a_lower_end_is_no_upper_limit() -> None:
    told = fault(SHOP, {"measure": "attribute.goods.sampling.low", "at_most": 1}, user="who")
    assert "at_most: the risk may be above attribute.goods.sampling.low; take" in told
    assert "attribute.goods.sampling.high, or attribute.goods.sampling.mean" in told
    assert value(SHOP, "attribute.goods.sampling.low", {"user": "who"}, at_least=0) is not None


def test_the_worst_attribute_depends_on_the_limit() -> None:
    said = {"user": "who", "columns": ["goods", "age"]}
    low, high = sorted(
        found for name in ("goods", "age") if (found := value(SHOP, f"attribute.{name}.values", said))
    )
    assert value(SHOP, "attribute.*.values", said, at_most=1) == high
    assert value(SHOP, "attribute.*.values", said, at_least=9) == low
    assert value(SHOP, "attribute.*.values", said, equals=high) == low


def test_sets_are_those_of_combinations() -> None:
    columns = ["date", "goods", "age"]
    found = combinations(SHOP, user="who", columns=columns, allow=1, size=2).to_dict()
    said = {"user": "who", "columns": columns}
    smallest = min(len(each["columns"]) for each in found["minimal"])
    values(SHOP, {"combinations.smallest_risky_set": smallest}, **said)
    risks = ("smallest_class", "records_at_risk", "people_at_risk", "highest_risk", "average_risk")
    synergies = {
        "highest_synergy": "highest_synergy",
        "mean_synergy": "mean_synergy",
        "synergy_share": "share",
    }
    for each in found["minimal"]:
        values(SHOP, {f"set.{part}": each[part] for part in risks}, **said | {"columns": each["columns"]})
    for each in found["combinations"]:
        wanted = {f"set.{part}": each[name] for part, name in synergies.items()}
        values(SHOP, wanted, **said | {"columns": each["columns"]})


def test_no_risky_set_takes_one_column_more() -> None:
    alike = pyarrow.table({"a": [1, 1, 1], "b": [2, 2, 2]})
    (found,) = asked(alike, {"measure": "combinations.smallest_risky_set", "allow": 2, "at_least": 3}).rules
    assert (found.answer.value, found.passed) == (3, True)
    assert "no set of the 2 columns is that risky" in found.reason
    assert value(alike, "record.smallest_set") == 3
    assert value(alike, "record.suda") == 0
    assert "nothing contributes" in reason(alike, "attribute.a.suda_contribution")


def test_single_records_are_those_of_combinations(tmp_path: Path) -> None:
    columns, out = ["date", "goods", "age"], tmp_path / "risks.parquet"
    found = combinations(SHOP, columns=columns, allow=1, records=out, sampled=0.1)
    lines = pyarrow.parquet.read_table(out).to_pydict()
    said = {"columns": columns}
    assert value(SHOP, "record.minimal_sets", said) == max(lines["minimal_sets"])
    assert value(SHOP, "record.smallest_set", said) == min(each for each in lines["smallest_set"] if each)
    assert value(SHOP, "record.suda", said) == max(lines["suda"])
    assert value(SHOP, "record.dis_suda", said, sampled=0.1) == max(lines["dis_suda"])
    assert found.contributions is not None
    for name, share in found.contributions.items():
        assert value(SHOP, f"attribute.{name}.suda_contribution", said) == share
    highest = max(share for share in found.contributions.values() if share is not None)
    assert value(SHOP, "attribute.*.suda_contribution", said, at_most=0) == highest


def test_sensitive_values_by_hand() -> None:
    table = pyarrow.table({"town": ["x", "x", "y", "y"], "ill": ["flu", "flu", "flu", "hay"]})
    assert value(table, "diversity", columns=["town"], sensitive="ill") == 1
    # x has 1 of flu where the table has 3/4: half of |1 − 3/4| + |0 − 1/4|
    assert value(table, "closeness", columns=["town"], sensitive="ill") == 0.25
    assert value(table, "diversity", sensitive="ill") == 1  # which it is not itself known by


def test_guessed_values_are_judged_by_the_unsafe_end() -> None:
    table = pyarrow.table({"town": ["x", "y"] * 30, "sex": ["f", "f", "m"] * 20, "ill": ["flu", "hay"] * 30})
    (column,) = infer(table, sensitive="ill").columns
    assert column.best
    one = max(column.attempts, key=lambda each: each.interval[1])
    found = asked(
        table,
        {"measure": "inference.rate", "sensitive": "ill", "at_most": 0.99},
        {"measure": "inference.rate", "sensitive": "ill", "at_least": 0.5},
        {"measure": "inference.gain", "sensitive": "ill", "at_most": 0.4},
        {"measure": "inference.baseline", "sensitive": "ill", "at_most": 0.6},
        {"measure": "inference.rate", "sensitive": "ill", "columns": ["sex"], "at_most": 0.9},
    )
    values = [each.answer.value for each in found.rules]
    assert values[:2] == [one.interval[1], one.interval[0]]
    assert values[2:4] == [column.highest_gain, one.baseline]
    assert [each.passed for each in found.rules] == [False, True, False, True, True]
    rate = found.rules[0]
    assert "it is the upper end of the 95 % interval, whose mean is 1" in rate.reason
    assert "estimated from 5 random folds of 60 people, seed 0" in rate.reason
    assert rate.answer.columns == ("town", "sex")
    json.dumps(found.evidence(), allow_nan=False)


def test_what_can_t_be_guessed_at_is_unknown() -> None:
    ill = ["flu" if index % 2 else None for index in range(40)]
    table = pyarrow.table({"town": ["x", "y"] * 20, "ill": ill, "id": [f"i{index}" for index in range(40)]})
    found = asked(
        table,
        {"measure": "inference.rate", "sensitive": "ill", "missing": "drop", "at_most": 1},
        {"measure": "inference.gain", "sensitive": "id", "at_most": 1},
    )
    assert not found.passed
    dropped, unique = (each.reason for each in found.rules)
    assert dropped.startswith("unknown, which does not pass: no record is left of 20 people")
    assert "40 of 40 people have a value that nobody else has" in unique
    with pytest.raises(InputError, match="wildcard is for classes and attributes"):
        asked(table, {"measure": "inference.rate", "sensitive": "ill", "missing": "wildcard", "at_most": 1})


def test_domains_are_those_of_entropy() -> None:
    found = entropy(SHOP, user="who", domains=DOMAINS, amount="price").to_dict()
    said: dict[str, Any] = {"user": "who", "domains": DOMAINS, "amount": "price"}
    alone = ("h_user", "h_user_given", "information", "chance_information", "probability", "best_guess")
    joint = ("information", "sum_of_parts", "parts", "overlap", "printed_guess")
    wanted = {f"domain.{each['name']}.{part}": each[part] for each in found["domains"] for part in alone}
    for each in found["domains"]:
        wanted[f"domain.{each['name']}.success_after"] = each["known_records"][0]["success"]
        wanted[f"domain.{each['name']}.rare_share"] = each["rare"][0]["share"]
        wanted[f"domain.{each['name']}.jaccard_distance"] = each["jaccard_distance"]["mean"]
    for each in found["pairs"]:
        wanted |= {f"domain.{'+'.join(each['domains'])}.{part}": each[part] for part in joint}
    values(SHOP, wanted, **said)


def test_domains_with_more_to_say() -> None:
    found = entropy(SHOP, user="who", domains=DOMAINS, known=[2], pairs=False).to_dict()["domains"]
    said: dict[str, Any] = {"user": "who", "domains": DOMAINS}
    rules: list[dict[str, Any]] = [
        {"measure": "domain.goods.success_after", "known": 2},
        {"measure": "domain.goods.rare_share", "times": 2},
        {"measure": "domain.*.information", "at_most": 0},
        {"measure": "domain.goods.overlap"},
        {"measure": "domain.goods+price.rare_share"},
        {"measure": "domain.goods.rare_share", "times": 3},
    ]
    told = [each.answer for each in asked(SHOP, *rules, **said).rules]
    assert told[0].value == found[0]["known_records"][0]["success"]
    assert told[1].value == found[0]["rare"][1]["share"]
    strongest = max(found, key=lambda each: float(each["information"]))
    assert (told[2].value, told[2].of) == (strongest["information"], strongest["name"])
    assert [each.value for each in told[3:]] == [None] * 3
    assert "is told of several domains together" in str(told[3].reason)
    assert "is told of one domain" in str(told[4].reason)
    assert "occur once or at most 2 times" in str(told[5].reason)


def test_predictions_are_those_of_predict() -> None:
    columns = ["date", "goods", "age"]
    found = predict(SHOP, columns=columns)
    wanted = {
        f"prediction.{each.method}.{part}": getattr(each, part)
        for each in found.predictions
        for part in ("orr", "low", "high")
    }
    wanted |= {f"prediction.entropies.{name}": bits for name, bits in vars(found.entropies).items()}
    wanted["prediction.gain_ratio"] = max(each.gain_ratio for each in found.dependencies)
    values(SHOP, wanted, columns=columns)


def test_what_is_unknown_fails() -> None:
    told = reason(SHOP, "people.k", at_least=2)
    assert told == "unknown, which does not pass: no user column was named; at least 2 is asked for"
    empty = pyarrow.table({"a": pyarrow.array([None, None], pyarrow.string()), "b": ["x", "y"]})
    assert "no record has a value in all of these columns" in reason(empty, "k", missing="drop")
    assert "no record has a value" in reason(empty, "attribute.a.risk", missing="drop")
    assert "no record has a value" in reason(empty, "people.k", missing="drop")
    assert "a: no record" in reason(empty, "attribute.*.risk", missing="drop")
    assert "overlap" in reason(empty, "entropy", missing="wildcard")


def test_the_missing_rule_is_the_rule_s_then_the_data_s() -> None:
    table = pyarrow.table({"a": ["x", "x", None, None]})
    assert value(table, "classes") == 2
    assert value(table, "classes", missing="drop") == 1
    assert value(table, "classes", {"missing": "drop"}) == 1
    assert value(table, "classes", {"missing": "drop"}, missing="value") == 2
    assert value(table, "classes", {"data": {"missing": "drop"}, "missing": "value"}) == 2
    (found,) = asked(table, {"measure": "k", "missing": "drop"}).rules
    assert "left out" in found.missing_rule


def test_what_the_caller_says_goes_before_the_policy() -> None:
    said = {"data": {"columns": ["goods"], "seed": 3}}
    assert value(SHOP, "classes", said) == 3
    assert value(SHOP, "classes", {**said, "columns": ["age"]}) == 3
    assert value(SHOP, "classes", {**said, "columns": ["age", "goods"]}) == 7
    assert value(SHOP, "classes", said, columns=["price"]) == 4
    assert asked(SHOP, {"measure": "k"}, **said).seed == 3
    assert asked(SHOP, {"measure": "k"}, **said, seed=4).seed == 4


def test_records_are_not_people() -> None:
    told = asked(SHOP, {"measure": "k"}, {"measure": "average_risk"}, user="who").remarks
    assert "k counts records, of which people have several here; people.k counts people" in told
    assert not any("counts records" in each for each in asked(SHOP, {"measure": "k"}).remarks)


@pytest.mark.parametrize(
    ("rules", "passed"),
    [
        ([{"measure": "k", "at_least": 3}], False),
        ([{"measure": "average_risk", "at_most": 0.5}, {"measure": "classes", "at_most": 9}], False),
        ([{"measure": "k", "at_least": 3}, {"measure": "people.k", "at_least": 2}], True),
    ],
)
def test_look_alikes_of_records_may_all_be_one_persons(rules: list[dict[str, Any]], passed: bool) -> None:
    """Two have fifteen records each, all alike; then one has all of them."""
    table = pyarrow.table({"who": [f"p{each % 2}" for each in range(30)], "town": ["x"] * 30})
    verdict = check(table, {"rule": rules}, user="who", sensitive="none")
    assert verdict.passed == passed
    assert any("one person's" in each.words for each in verdict.observations) != passed
    alone = table.set_column(0, "who", pyarrow.array(["p0"] * 30))
    assert not check(alone, {"rule": rules}, user="who", sensitive="none").passed


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ({"measure": "attribute.dat.risk"}, "there is no column 'dat'; did you mean 'date'"),
        ({"measure": "attribute.date+god.risk"}, "there is no column 'god'; did you mean 'goods'"),
        ({"measure": "k", "columns": ["gods"]}, "there is no column 'gods'; did you mean 'goods'"),
        ({"measure": "k", "columns": ["who"]}, "'who' is the user column"),
        ({"measure": "diversity", "sensitive": "ill"}, "there is no column 'ill'"),
        ({"measure": "attack.jaccard.rate"}, "compares with the original; name it by --original"),
        ({"measure": "u3_rfm"}, "compares with the original"),
        ({"measure": "loss"}, "loss needs hierarchies"),
        ({"measure": "domain.goods.information"}, "say what the domains are"),
        ({"measure": "set.highest_risk", "missing": "wildcard"}, "wildcard is for classes and attributes"),
    ],
)
def test_what_does_not_fit_the_table(rule: dict[str, Any], told: str) -> None:
    said = fault(SHOP, {"measure": "k"}, rule, user="who")
    assert said.startswith("policy: rule 2 (")
    assert told in said
    assert "rule 1" not in said


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"user": 3}, "user: 3 is wrong"),
        ({"columns": "goods"}, "columns: 'goods' is wrong"),
        ({"columns": []}, "columns: [] is wrong"),
        ({"missing": "dropp"}, "missing: 'dropp' is wrong; there are value, drop, wildcard"),
        ({"seed": "x"}, "seed: 'x' is wrong"),
        ({"seed": True}, "seed: True is wrong"),
        ({"study": 3}, "a int is no study"),
        ({"original": 3}, "a int is not a table"),
        ({"domains": "a=b"}, "domains: 'a=b' is wrong"),
        ({"threads": 0}, "threads must be"),
        ({"engine": "x"}, "there is no engine 'x'"),
        ({"renamed": ["a"]}, "renamed: ['a'] is wrong"),
        ({"without_records": 1}, "without_records: 1 is wrong"),
        ({"original_csv": singleout.CsvFormat()}, "there is none; leave it out"),
        ({"user": "nobody"}, "there is no column 'nobody'"),
    ],
)
def test_bad_parameters(said: dict[str, Any], told: str) -> None:
    assert told in fault(SHOP, {"measure": "k"}, **said)


def test_a_parameter_that_is_none() -> None:
    unknown: dict[str, Any] = {"usr": "who"}
    with pytest.raises(TypeError, match="'usr' is no parameter; did you mean 'user'"):
        asked(SHOP, {"measure": "k"}, **unknown)
    assert asked(SHOP, {"measure": "k"}, user=None, columns=None, seed=None).user is None


@pytest.mark.parametrize(
    "name", ["a.b", "a,b", "[x]", "<script>", "漢字", '"', "a+b", "risk", "NAME", "x" * 300, "*"]
)
def test_any_name_of_a_column(name: str) -> None:
    table = pyarrow.table({name: ["u", "v", "v"], "other": ["1", "2", "3"]})
    quoted = f'"{name}"' if name in ("*", '"') else name
    found = asked(
        table, {"measure": f"attribute.{quoted}.values", "at_most": 2}, {"measure": "k", "columns": [name]},
        {"measure": f"total_variation.{quoted}"}, {"measure": "k", "attacker": "maximum_knowledge"},
        original=table,
    )  # fmt: skip
    assert [each.answer.value for each in found.rules] == [2, 1, 0, 1]


@pytest.mark.parametrize(
    "table",
    [
        pyarrow.table({"a": [1]}),
        pyarrow.table({"a": ["x"], "b": [None]}),
        pyarrow.table({"a": [10**18, -(10**18)], "b": [1e300, -1e300]}),
        pyarrow.table({"a": pyarrow.array([None, None], pyarrow.string())}),
    ],
)
def test_small_and_odd_tables(table: pyarrow.Table) -> None:
    rules = [
        {"measure": path.words.replace("NAME", {"prediction": "closed_form"}.get(path.family, "a")), **own}
        for path in measure_paths()
        for own in [{"sensitive": "a", "columns": ["a"]} if path.family == "sensitive" else {}]
        if path.family in ("classes", "attribute", "set", "combinations", "record", "prediction")
    ]
    points = {"measure": "points.unique", "points": 2}
    for attacker in (None, "neighbour", "maximum_knowledge"):
        known = {"attacker": attacker} if attacker else {}
        able = [each for each in rules if not (attacker and "prediction" in each["measure"])]
        found = asked(table, *({**each, **known} for each in able), {**points, **known})
        json.dumps(found.to_dict(), allow_nan=False)


def test_no_records() -> None:
    with pytest.raises(InputError, match="has column names but no records"):
        asked(pyarrow.table({"a": pyarrow.array([], pyarrow.string())}), {"measure": "k"})


def test_a_notebook_shows_the_verdict_before_the_rules() -> None:
    """All rules are kept here, and yet it may not be released: no table of kept rules may say otherwise."""
    table = SHOP.append_column("mail", [[f"ann{index}@example.org" for index in range(len(SHOP))]])
    found = asked(table, {"measure": "people.k", "at_least": 1}, user="who")
    page = found._repr_html_()
    assert not found.passed
    assert page.startswith("<p><strong>Do not release as it is</strong>")
    assert page.index("because: column mail leads to people") < page.index("<table>")
    assert "<li>not tried: linkability: " in page
    assert found.conditions
    assert page.count("<li>It is taken for granted that ") == len(found.conditions)


def test_the_verdict_as_a_frame() -> None:
    found = asked(SHOP, {"measure": "k", "at_least": 2, "reason": "two"}, {"measure": "people.k"})
    frame = found.to_frame()
    assert frame["passed"].tolist() == [False, False]
    assert frame["rule"].tolist() == ["k", "people.k"]
    assert frame["value"][0] == 1
    assert repr(found) == "<Verdict on Table by policy: FAILED 2 of 2 rules, whose records they are>"
    assert "<table>" in found._repr_html_()
    assert (
        found.to_dict()["rules"][0] | {"rule": "k", "limit": 2, "value": 1, "passed": False}
        == found.to_dict()["rules"][0]
    )
    assert found.to_dict()["rules"][0]["wanted_because"] == "two"


def test_on_every_engine(home: Home) -> None:
    rules: list[dict[str, Any]] = [
        {"measure": "people.k"}, {"measure": "unique_share"}, {"measure": "people_alone_share"},
        {"measure": "attribute.*.risk", "at_most": 0.1}, {"measure": "set.average_risk"},
        {"measure": "classes", "attacker": "neighbour"}, {"measure": "combinations.smallest_risky_set"},
    ]  # fmt: skip
    said = {"user": "who", "study": STUDY}
    here = asked(SHOP, *rules, **said)
    there = asked(home.put(SHOP), *rules, **said)
    assert [each.answer.value for each in there.rules] == [each.answer.value for each in here.rules]
    if home.name == "postgres":
        assert there.inputs[0].sha256 is None
        assert there.inputs[0].reason == "it is a table in a database, not a file"


def test_a_policy_that_was_read_before() -> None:
    read = policy_of({"rule": [{"measure": "k", "at_least": 1}]})
    assert check(SHOP, read, user="none").passed
    with pytest.raises(UsageError, match="is no policy"):
        check(SHOP, 3)  # type: ignore[arg-type]


def test_numbers_near_the_limit_are_told_in_full() -> None:
    table = pyarrow.table({"a": [*range(2), *[9] * 39998]})
    (found,) = asked(table, {"measure": "unique_share", "at_most": 0.00004999}).rules
    assert found.reason == "0.00005, but at most 0.00004999 is asked for"
    (found,) = asked(table, {"measure": "average_risk", "at_most": 0.00007499999}).rules
    assert found.reason == "0.000075, but at most 0.00007499999 is asked for"
    assert cell_text(7.5e-05) == "0.000075"

"""`check` with attackers: what each is taken to know of a table, and what rules make of it."""

from __future__ import annotations

from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import singleout
from singleout import assess, attack
from singleout.policy.rules.attacker_presets import PRESETS
from tests.support.check_shop import (
    BESIDE,
    RELEASE,
    SHOP,
    STUDY,
    TRUTH,
    asked,
    fault,
    reason,
    value,
)


def knowledge(attacker: str, data: Any = SHOP, **said: Any) -> dict[str, str]:
    (found,) = asked(data, {"measure": "k", "attacker": attacker}, **said).attackers
    return {each.column: each.says for each in found.columns if each.known}


def test_what_presets_know() -> None:
    said = {"study": STUDY}
    day = {"date": "known to the day", "age": "known exactly"}
    assert knowledge("neighbour", **said) == day
    assert knowledge("employer", **said) == day
    assert knowledge("data_broker", **said) == {**day, "goods": "known exactly", "price": "known exactly"}
    every = dict.fromkeys(["date", "time", "goods", "price", "age"], "known exactly")
    assert knowledge("insider", **said) == every
    assert knowledge("maximum_knowledge", **said) == every


def test_classes_to_an_attacker_are_those_of_what_he_knows() -> None:
    times = [
        f"{day} {clock}"
        for day, clock in zip(*(SHOP[name].to_pylist() for name in ("date", "time")), strict=True)
    ]
    table = SHOP.set_column(1, "date", pyarrow.array(times))
    found = assess(SHOP, user="who", columns=["date", "age"]).classes
    assert found is not None
    assert found.by_people is not None
    said = {"study": STUDY}
    assert value(table, "people.k", said, attacker="neighbour") == found.by_people.k.value
    assert value(table, "classes", said, attacker="neighbour") == found.classes.value
    assert value(table, "classes", said, columns=["date"]) == 7
    assert value(table, "classes", said, columns=["date"], attacker="neighbour") == 3
    assert value(table, "set.average_risk", said, attacker="neighbour") == found.by_people.average_risk.value
    assert value(table, "attribute.date.values", said, attacker="neighbour") == 3
    assert "a neighbour does not know goods" in reason(
        table, "attribute.goods.risk", said, attacker="neighbour"
    )
    # his columns and the rule's
    assert value(table, "classes", said, attacker="neighbour", columns=["date", "goods"]) == 3
    assert "knows no column" in reason(table, "k", said, attacker="neighbour", columns=["goods"])


def test_own_attackers() -> None:
    said: dict[str, Any] = {
        "study": STUDY,
        "attackers": {
            "postman": {"columns": ["date", "price"], "granularity": {"time": "month", "price": "round 5"}},
            "friend": {"based_on": "insider", "granularity": {"goods": "first 1"}, "reason": "shops along"},
        },
    }
    assert knowledge("postman", **said) == {"date": "known to the month", "price": "known in steps of 5"}
    assert knowledge("friend", **said)["goods"] == "known first character"
    # months 01 and 02; 1.5 and 2.0 are below 5, 7.0 and 9.0 not
    assert value(SHOP, "classes", said, attacker="postman") == 3
    assert value(SHOP, "points.candidates", said, attacker="postman") is not None
    (found,) = asked(SHOP, {"measure": "k", "attacker": "friend"}, **said).attackers
    assert found.to_dict()["reason"] == "shops along"
    odd = {"x": {"columns": ["dat"], "granularity": {"prise": "round 5"}}}
    told = fault(SHOP, {"measure": "k", "attacker": "x"}, attackers=odd)
    assert "attackers.x: there is no column 'dat'; did you mean 'date'" in told
    assert "there is no column 'prise'; did you mean 'price'" in told


def test_points_of_an_attacker() -> None:
    coarse = {"date": ["day"]}
    columns = ["date", "age"]
    found = attack(
        SHOP, RELEASE, TRUTH, user="who", columns=columns, attacks=[], points=[2], granularity=coarse
    )
    want = next(each for each in found.unicity if len(each.columns) == 2)
    said = {**BESIDE, "study": STUDY}
    assert value(RELEASE, "points.unique.mean", said, attacker="neighbour") == want.unique
    few = attack(
        SHOP, RELEASE, TRUTH, user="who", columns=columns, attacks=[], points=[1], granularity=coarse
    )
    first = next(each for each in few.unicity if len(each.columns) == 2)
    assert value(RELEASE, "points.unique.mean", said, attacker="neighbour", points=1) == first.unique
    # everybody is known by all records, and nobody is like another
    assert value(RELEASE, "points.unique", said, attacker="maximum_knowledge") == 1


def test_attacks_of_an_attacker() -> None:
    said = {**BESIDE, "study": STUDY, "amount": "price"}
    assert "does not know the columns that the attack 'jaccard' looks at" in reason(
        RELEASE, "attack.jaccard.rate", said, attacker="neighbour"
    )
    columns = ["date", "goods", "price", "age"]
    found = attack(
        SHOP, RELEASE, TRUTH, user="who", item="goods", columns=columns, attacks=["jaccard"], shares=[0.25]
    )
    want = found.by_name("jaccard@25%")
    assert want is not None
    assert value(RELEASE, "attack.jaccard.rate", said, attacker="data_broker", equals=1) == want.rate
    whole = attack(
        SHOP, RELEASE, TRUTH, user="who", time="date", columns=["date", "age"], shares=[0.1], points=[2]
    )
    assert whole.best is not None
    assert value(RELEASE, "attack.best.rate", said, attacker="neighbour") == whole.best.rate
    found_remarks = asked(RELEASE, {"measure": "attack.best.rate", "attacker": "neighbour"}, **said).remarks
    assert any("take date exactly, where a neighbour knows less" in each for each in found_remarks)


def test_roles_are_suggested_where_no_study_says_them() -> None:
    mails = [f"{name}{place}@shop.example" for place, name in enumerate(["ann", "bob"] * 12)]
    table = pyarrow.table({"email": mails, "age": [31, 32] * 12})
    found = asked(
        table, {"measure": "k", "attacker": "insider"}, {"measure": "k", "attacker": "maximum_knowledge"}
    )
    assert found.attackers[0].roles_from == "suggested by names and values"
    assert any("suggested by their names" in each for each in found.remarks)
    assert any("column 'email'" in each and "every preset" in each for each in found.remarks)
    assert [each.answer.value for each in found.rules] == [1, 1]


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        (
            ["30.1.2011", "31.1.2011"],
            "known exactly, for it can't be cut to 'day': not all its values are dates",
        ),
        (["2011-01-30", "2011-01-30"], "known to the day"),
        ([None, None], "known to the day"),
    ],
)
def test_times_that_can_t_be_cut_are_known_exactly(texts: list[str | None], says: str) -> None:
    table = pyarrow.table({"date": pyarrow.array(texts, pyarrow.string()), "age": [1, 2]})
    study = singleout.Study({"date": "time", "age": "sensitive"})
    assert knowledge("neighbour", table, study=study)["date"].startswith(says)


def test_no_attacker_knows_a_column_that_does_not_count() -> None:
    table = pyarrow.table({"who": [1, 1, 2, 2], "age": [30, 30, 40, 40], "receipt": [1, 2, 3, 4]})
    rule = {"measure": "people.k", "at_least": 1, "attacker": "maximum_knowledge"}
    for columns, known in ((["age"], ["age"]), (None, ["age", "receipt"])):
        found = singleout.check(table, {"rule": [rule]}, user="who", columns=columns)
        assert [each.column for each in found.attackers[0].columns if each.known] == known


STILL_THERE = "known exactly: it is in the file, though its role says it is to be removed"


@pytest.mark.parametrize("attacker", list(PRESETS))
def test_what_is_to_be_removed_and_still_there_is_known(attacker: str) -> None:
    """A name in the file, which whoever reads the file sees; without it all are alike."""
    table = pyarrow.table({"name": ["a", "b", "c", "d"], "age": [30, 30, 30, 30]})
    study = singleout.Study({"name": "ignore", "age": "quasi-identifier"})
    assert knowledge(attacker, table, study=study)["name"] == STILL_THERE
    (found,) = asked(table, {"measure": "k", "attacker": attacker, "at_least": 4}, study=study).rules
    assert (found.answer.value, found.passed) == (1, False)
    # the columns that count leave it out, or the rule's do
    (found,) = asked(table, {"measure": "k", "attacker": attacker}, study=study, columns=["age"]).rules
    assert found.answer.value == 4
    assert value(table, "k", {"study": study}, attacker=attacker, columns=["age"]) == 4
    # once it is removed, as its role says
    assert value(table.drop_columns(["name"]), "k", {"study": study}, attacker=attacker) == 4


def test_an_own_attacker_and_what_is_to_be_removed() -> None:
    table = pyarrow.table({"name": ["ann", "abe", "bob", "bea"], "age": [30, 30, 30, 30]})
    said: dict[str, Any] = {
        "study": singleout.Study({"name": "ignore", "age": "quasi-identifier"}),
        "attackers": {
            "by_columns": {"columns": ["age"]},
            "by_roles": {"roles": ["time"]},
            "coarse": {"based_on": "insider", "granularity": {"name": "first 1"}},
        },
    }
    names = ("by_columns", "by_roles", "coarse")
    assert [value(table, "k", said, attacker=name) for name in names] == [4, 1, 2]


def test_rules_without_an_attacker_tell_what_they_do_not_look_at() -> None:
    table = pyarrow.table({"name": ["a", "b"], "age": [30, 30]})
    study = singleout.Study({"name": "ignore", "age": "quasi-identifier"})

    def told(rule: dict[str, Any], **said: Any) -> bool:
        return any("column 'name' is in the file" in each for each in asked(table, rule, **said).remarks)

    assert told({"measure": "k"}, study=study)
    assert not told({"measure": "k", "columns": ["age"]}, study=study)
    assert not told({"measure": "k"}, study=study, columns=["age"])
    assert not told({"measure": "k", "attacker": "insider"}, study=study)


BOUGHT = pyarrow.table({"customer": ["p", "p", "q", "q", "r", "r"], "age": [30, 31, 30, 31, 30, 31]})


@pytest.mark.parametrize(
    "rule",
    [
        {"measure": "set.average_risk", "attacker": "neighbour"},
        {"measure": "points.unique", "points": 2},
        {"measure": "people.k"},
        {"measure": "people_alone_share"},
        {"measure": "set.people_at_risk"},
        {"measure": "k"},
        {"measure": "attribute.age.risk"},
    ],
)
def test_who_people_are_is_not_guessed(rule: dict[str, Any]) -> None:
    """Roles that leave the user out say nothing of whose records they are."""
    roles: dict[str, Any] = {"customer": "quasi-identifier", "age": "quasi-identifier"}
    for said in ({}, {"study": singleout.Study(roles)}):
        told = fault(BOUGHT, rule, **said)
        assert "column 'customer' seems to name the person (3 in 6 records)" in told
        assert told.endswith("say --user customer, or --user none if each record is its own person")
    assert asked(BOUGHT, rule, user="customer").rules[0].answer.value is not None
    asked(BOUGHT, rule, study=singleout.Study(roles, each_record=True))
    asked(BOUGHT, rule, user="none")
    asked(BOUGHT.rename_columns(["colour", "age"]), rule)


def test_each_record_may_be_said_to_be_a_person() -> None:
    assert value(BOUGHT, "k", {"user": "none"}) == 1
    assert value(BOUGHT, "attribute.age.risk", {"user": "none"}) == pytest.approx(1 / 3)
    verdict = asked(BOUGHT, {"measure": "k"}, data={"user": "none"})
    assert (verdict.user, verdict.people) == (None, 6)
    assert "no user column: each record is its own person" in verdict.remarks


def test_whom_nobody_looks_for_an_attacker_may_know() -> None:
    verdict = asked(BOUGHT, {"measure": "k", "attacker": "insider"}, user="none")
    assert [each.known for each in verdict.attackers[0].columns if each.column == "customer"] == [True]


def test_how_many_records_are_known_is_told() -> None:
    said = {**BESIDE, "study": STUDY, "amount": "price"}
    rules: list[dict[str, Any]] = [
        {"measure": "people.k", "attacker": "neighbour"},
        {"measure": "attribute.date.risk", "attacker": "neighbour"},
        {"measure": "set.average_risk", "attacker": "neighbour"},
        {"measure": "record.minimal_sets", "attacker": "neighbour"},
        {"measure": "combinations.smallest_risky_set", "attacker": "neighbour"},
        {"measure": "diversity", "sensitive": "goods", "attacker": "neighbour"},
        {"measure": "points.unique", "attacker": "neighbour"},
        {"measure": "points.unique", "attacker": "neighbour", "points": 1},
        {"measure": "points.unique", "attacker": "neighbour", "worst": True},
        {"measure": "points.unique", "attacker": "insider"},
        {"measure": "attack.nearest.rate", "attacker": "neighbour"},
        {"measure": "attack.points_3.rate", "attacker": "neighbour"},
        {"measure": "attack.best.rate", "attacker": "neighbour"},
        {"measure": "people.k"},
    ]
    found = asked(RELEASE, *rules, **said)
    told = [each.to_dict()["assumption"] for each in found.rules]
    one = "one record of each person, whichever it is (how many are known counts in points.* and attack.*)"
    assert told[:6] == [one] * 6
    assert told[6:] == [
        "2 random records of each person",
        "1 random record of each person",
        "the 2 most telling records of each person",
        "a random 50% of the records of each person",
        "a random 10% of the records of each person",
        "3 random records of each person",
        "a random 10% of the records of each person, or 2 random records of each person",
        None,
    ]
    evidence = {each["name"]: each["records"] for each in found.evidence()["attackers"]}
    assert evidence["neighbour"] == (
        "one record of each person; in rules about points.*, 2 random records of each person; "
        "about attack.*, a random 10% of the records of each person"
    )

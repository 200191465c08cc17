"""`compare` in Python: nothing is lost in the original, the rates of `attack`, losses, groups, ranks."""

from __future__ import annotations

import json
import random
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pyarrow.csv
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout import Study, attack, compare, generalise
from singleout.engine.codes.histories import Histories, History
from singleout.errors import InputError, UsageError
from singleout.report.terminal.metric_words import untouched_value
from singleout.roles.hierarchies.hierarchy import read_hierarchies
from singleout.utility.compare.evaluation import columns_of
from singleout.utility.compare.ranking import Contender, rank_releases
from singleout.utility.paired_columns import Meaning
from singleout.utility.release_loss import column_losses

SHOP: dict[str, list[Any]] = {
    "who": ["ann", "ann", "bob", "cid", "cid", "dot"],
    "goods": ["tea", "milk", "tea", "salt", "rice", "rice"],
    "day": ["2011-01-30", "2011-01-31", "2011-01-31", "2011-02-03", "2011-02-04", "2011-02-04"],
    "price": ["1.5", "2", "0.1", "0.2", "7", "7"],
    "many": ["1", "3", "1", "2", "1", "1"],
    "usage": ["bus", "bus", "tram", "bus", None, "tram"],
}
SEX = {"who": ["bob", "ann", "cid", "dot"], "sex": ["m", "f", "m", "f"]}
PARTS: dict[str, Any] = {
    "user": "who", "item": "goods", "time": "day", "amount": "price", "number": "many", "category": "usage",
}  # fmt: skip
NAMES = {"ann": "p", "bob": "q", "cid": "r", "dot": "s"}
TRUTH = {new: old for old, new in NAMES.items()}


def table(columns: dict[str, list[Any]]) -> pyarrow.Table:
    return pyarrow.table({name: pyarrow.array(values, pyarrow.string()) for name, values in columns.items()})


def renamed(columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    return {**columns, "who": [NAMES[name] for name in columns["who"]]}


def without(columns: dict[str, list[Any]], places: set[int]) -> dict[str, list[Any]]:
    return {
        name: [value for place, value in enumerate(values) if place not in places]
        for name, values in columns.items()
    }


ORIGINAL = table(SHOP)
RELEASE = table(renamed(SHOP))
FEWER = table(renamed(without(SHOP, {1, 4})))


# One release


@pytest.mark.parametrize("release", [ORIGINAL, table(SHOP), RELEASE], ids=["itself", "a copy", "renamed"])
def test_nothing_is_lost_in_the_original_itself(release: pyarrow.Table) -> None:
    truth = TRUTH if release is RELEASE else None
    hierarchies = {"price": [{"type": "raw"}, {"type": "interval", "width": 5}]}
    people = table(SEX)
    of_release = table(renamed(SEX)) if release is RELEASE else people
    found = compare(
        ORIGINAL, release, truth=truth, hierarchies=hierarchies, groups=["sex"], people_table=people,
        release_people_table=of_release, **PARTS,
    )  # fmt: skip
    outcome = found.outcomes[0]
    assert len(outcome.utility) > 30
    for each in outcome.utility:
        if each.better != "neither":
            assert each.value == untouched_value(each.measure), each.name
    assert outcome.metric("u1_cmae") is not None
    assert outcome.metric("loss") is not None
    assert outcome.highest_rate == 1
    assert (outcome.people, outcome.records, outcome.made_up, outcome.lacking) == (4, 6, 0, ())
    assert found.ranking is None


def test_rates_are_those_of_attack() -> None:
    found = compare(ORIGINAL, FEWER, truth=TRUTH, entry="usage", exit="goods", points=[1], **PARTS)
    same = attack(
        ORIGINAL, FEWER, TRUTH, user="who", item="goods", time="day", amount="price", category="usage",
        place=["usage", "goods"], points=[1],
    )  # fmt: skip
    tried = {each.name: each.rate for each in found.outcomes[0].privacy}
    assert tried == {each.name: each.rate for each in same.attacks}
    assert "places" in tried
    assert "points_1" in tried


def test_several_names_of_one_person_are_one_to_attacks() -> None:
    """ann's records under two names: whom they were is known, and groups are still told by the names."""
    names = {"p": "ann", "t": "ann", "q": "bob", "r": "cid", "s": "dot"}
    release = table({**renamed(SHOP), "who": ["p", "t", "q", "r", "r", "s"]})
    of_release = table({"who": [*names], "sex": ["f", "f", "m", "m", "f"]})
    asked: dict[str, Any] = {"groups": ["sex"], "people_table": table(SEX), **PARTS}
    (outcome,) = compare(ORIGINAL, release, truth=names, release_people_table=of_release, **asked).outcomes
    (alone,) = compare(
        ORIGINAL, RELEASE, truth=TRUTH, release_people_table=table(renamed(SEX)), **asked
    ).outcomes
    assert (outcome.people, outcome.made_up) == (alone.people, alone.made_up) == (4, 0)
    # how her records are divided may tell somebody more than all attacks together find
    assert {each.name for each in outcome.privacy if each.divided} == {"combined", "best"}
    as_one = {"divided": False, "uncompared": ()}
    assert [vars(each) | {"credit": each.credit.tolist()} | as_one for each in outcome.privacy] == [
        vars(each) | {"credit": each.credit.tolist()} | as_one for each in alone.privacy
    ]
    assert not any("have no row in" in each for each in outcome.remarks)
    assert any("the records of each such person were put together" in each for each in outcome.remarks)
    # a reader of the release takes her for two people, and does not see what the two bought together
    pairs = zip(outcome.utility, alone.utility, strict=True)
    changed = {each.name for each, other in pairs if each.value != other.value}
    assert changed == {"u3_rfm", "co_purchase.rank_correlation"}


def test_without_privacy_nothing_is_attacked() -> None:
    found = compare(ORIGINAL, FEWER, truth=TRUTH, privacy=False, **PARTS)
    assert found.outcomes[0].privacy == ()
    assert found.outcomes[0].highest_rate is None
    assert "attack.rate" not in found.to_dict()["definitions"]


def test_a_lacking_column_is_unknown_with_a_reason() -> None:
    release = RELEASE.drop_columns(["usage", "goods"])
    found = compare(ORIGINAL, release, truth=TRUTH, attacks=["jaccard", "amount"], **PARTS).outcomes[0]
    assert found.lacking == ("goods", "usage")
    unknown = found.metric("u10_records_by_category")
    assert unknown is not None
    assert (unknown.value, unknown.reason) == (None, "the release has no column 'usage'")
    assert [each.name for each in found.privacy] == ["amount", "best"]
    assert "the attack 'jaccard' was left out, for the release lacks its column" in found.remarks


def test_amounts_that_are_no_numbers_any_more() -> None:
    release = RELEASE.set_column(3, "price", pyarrow.array(["low"] * 5 + ["high"]))
    found = compare(ORIGINAL, release, truth=TRUTH, **PARTS).outcomes[0]
    assert found.attack("amount") is None
    assert found.attack("pairs") is not None
    assert any(
        remark.startswith("the attack 'amount' was left out: column 'price'") for remark in found.remarks
    )
    unknown = found.metric("u1_fare_by_person")
    assert unknown is not None
    assert unknown.value is None


def test_some_metrics_by_name() -> None:
    def names(*metrics: str) -> list[str]:
        found = compare(ORIGINAL, FEWER, truth=TRUTH, privacy=False, metrics=metrics, **PARTS)
        return [each.name for each in found.outcomes[0].utility]

    assert names("u4_records_by_person", "people_kept") == ["people_kept", "u4_records_by_person"]
    assert names("total_variation.price") == ["total_variation.price"]
    assert all(name.startswith("counts.") for name in names("counts"))


def test_columns_are_what_is_compared_and_known() -> None:
    found = compare(ORIGINAL, FEWER, truth=TRUTH, user="who", columns=["goods"], attacks=["nearest"])
    assert [each.of for each in found.outcomes[0].utility if each.of] == [("goods",)]
    nearest = found.outcomes[0].attack("nearest")
    assert nearest is not None
    assert "goods" in nearest.knowledge
    assert "price" not in nearest.knowledge


def test_the_study_says_what_columns_mean() -> None:
    study = Study(
        {
            "who": "user",
            "goods": "item",
            "day": "time",
            "price": "amount",
            "usage": "sensitive",
            "many": "ignore",
        }
    )
    found = compare(ORIGINAL, FEWER, truth=TRUTH, study=study).outcomes[0]
    same = compare(
        ORIGINAL.drop_columns(["many"]), FEWER.drop_columns(["many"]), truth=TRUTH, user="who", item="goods",
        time="day", amount="price",
    ).outcomes[0]  # fmt: skip
    assert {each.name: each.value for each in found.utility} == {
        each.name: each.value for each in same.utility
    }
    nearest = found.attack("nearest")
    assert nearest is not None
    assert "usage" not in nearest.knowledge


def test_the_rule_drop_is_for_people_and_attacks_alone() -> None:
    """Of five records one has no usage and one no user: metrics count the first, as the rule says."""
    shop = {**without(SHOP, {5}), "who": ["ann", "ann", "bob", "cid", None]}
    shop["usage"] = ["bus", None, "tram", "bus", "bus"]
    release = {**shop, "usage": ["bus", "bus", "tram", "bus", "bus"]}
    by_rule: dict[Any, Any] = {
        rule: compare(table(shop), table(release), user="who", category="usage", missing=rule)
        for rule in ("value", "drop")
    }
    shares = [each.outcomes[0].metric("total_variation.usage").value for each in by_rule.values()]
    assert shares == [0.2, 0.25]
    rates = [each.outcomes[0].attack("categories").rate for each in by_rule.values()]
    assert rates[0] < rates[1]
    told = {rule: each.to_dict()["missing_rule"] for rule, each in by_rule.items()}
    assert told["value"].startswith("a missing value is a value of its own: two missing values match")
    assert told["drop"].startswith(
        "records without a user are left out, and attacks leave out what is missing"
    )
    assert "utility is measured on all other records, a missing value being a value" in told["drop"]


def test_every_part_of_a_meaning_is_read() -> None:
    columns = {each.name: each.name for each in fields(Meaning)}
    several = {name: (name, "day") for name in ("time", "routes", "groups")}
    assert {*columns_of(Meaning(**{**columns, **several}))} == {*columns, "day"}  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 2])
def test_order_of_rows_and_threads_change_nothing(threads: int) -> None:
    chance = random.Random(5)
    expected = compare(ORIGINAL, FEWER, truth=TRUTH, seed=3, **PARTS).to_dict()
    for _ in range(2):
        tables = []
        for each in (ORIGINAL, FEWER):
            order = list(range(each.num_rows))
            chance.shuffle(order)
            tables.append(each.take(order))
        assert compare(*tables, truth=TRUTH, seed=3, threads=threads, **PARTS).to_dict() == expected


def test_the_document_names_nobody_and_is_json() -> None:
    found = compare(ORIGINAL, FEWER, truth=TRUTH, **PARTS)
    text = json.dumps(found.to_dict(), allow_nan=False)
    assert json.loads(text) == found.to_dict()
    assert not any(f'"{name}"' in text for name in (*NAMES, *TRUTH, "tea", "2011-01-30"))
    rows = found.to_arrow()
    assert rows.num_rows == len(found.outcomes[0].utility) + len(found.outcomes[0].privacy)
    assert {"people_kept", "jaccard"} <= {*rows["name"].to_pylist()}
    assert "highest attack rate" in repr(found)


# Groups of people


def test_groups_of_a_people_table_are_as_if_in_the_history() -> None:
    of = dict(zip(SEX["who"], SEX["sex"], strict=True))
    inside = [{**SHOP, "sex": [of[name] for name in SHOP["who"]]}]
    inside.append(renamed(without(inside[0], {1, 4})))
    expected = compare(
        *map(table, inside),
        truth=TRUTH,
        groups=["sex"],
        metrics=["u1_cmae", "u2_cmae"],
        privacy=False,
        **PARTS,
    )
    found = compare(
        ORIGINAL, FEWER, truth=TRUTH, groups=["sex"], metrics=["u1_cmae", "u2_cmae"], privacy=False,
        people_table=table(SEX), release_people_table=table(renamed(SEX)).take([3, 1, 0, 2]), **PARTS,
    )  # fmt: skip
    values = [each.value for each in found.outcomes[0].utility]
    assert values == [each.value for each in expected.outcomes[0].utility]
    # f: (1.5 + 2 + 7)/3 → (1.5 + 7)/2; m: (0.1 + 0.2 + 7)/3 → (0.1 + 0.2)/2
    assert values[0] == pytest.approx(((4.25 - 3.5) + (7.3 / 3 - 0.15)) / 2)


def test_people_whom_the_table_lacks_have_missing_groups() -> None:
    of_release = table({"who": ["p", "q", "r"], "sex": ["f", "m", "m"]})
    found = compare(
        ORIGINAL, RELEASE, truth=TRUTH, groups="sex", people_table=table(SEX),
        release_people_table=of_release, metrics=["u1_cmae"], privacy=False, **PARTS,
    ).outcomes[0]  # fmt: skip
    assert any("1 people of the release have no row" in remark for remark in found.to_dict()["remarks"])
    # dot's 7 is gone from the women: (1.5 + 2 + 7)/3 → 3.5/2
    assert found.utility[0].value is not None
    assert found.utility[0].value > 0


def test_groups_that_are_not_released_are_unknown() -> None:
    found = compare(
        ORIGINAL, RELEASE, truth=TRUTH, groups=["sex"], people_table=table(SEX), privacy=False,
        metrics=["u1_cmae"], **PARTS,
    )  # fmt: skip
    assert found.outcomes[0].utility[0].reason == "the release has no column 'sex'"


# What generalising loses

# some are twice there, so that even raw values leave classes of two
AGES = ["17", "18", "21", "35", "39", "40", None, "17", "17", "21", None]
TOWNS = ["a1", "a2", "b1", "b1", "a1", "c9", "a2", "b1", "a1", "b1", "a2"]
LEVELS: dict[str, Any] = {
    "age": [{"type": "raw"}, {"type": "interval", "width": 10}, {"type": "suppress"}],
    "town": [{"type": "raw"}, {"type": "prefix", "keep": 1}, {"type": "suppress"}],
}
PEOPLE: dict[str, list[Any]] = {"who": [f"n{place}" for place in range(11)], "age": AGES, "town": TOWNS}


@pytest.mark.parametrize("keep_suppressed", [True, False])
@pytest.mark.parametrize("age", [0, 1, 2])
@pytest.mark.parametrize("town", [0, 1, 2])
def test_the_loss_is_that_of_generalise(tmp_path: Path, age: int, town: int, keep_suppressed: bool) -> None:
    out = tmp_path / "release.csv"
    made = generalise(
        table(PEOPLE), hierarchies=LEVELS, k=2, suppress=1.0, levels={"age": age, "town": town}, out=out,
        keep=["who"], keep_suppressed=keep_suppressed,
    )  # fmt: skip
    assert made.suppressed < made.records
    found = compare(table(PEOPLE), out, user="who", hierarchies=LEVELS, metrics=["loss"], privacy=False)
    loss = found.outcomes[0].utility[0]
    assert loss.value == pytest.approx(made.loss, abs=1e-12)
    columns = loss.detail["columns"]
    assert columns == pytest.approx({each.name: each.loss for each in made.attributes})


def test_loss_by_hand() -> None:
    """Towns: 4 values. a* stands for 2, so 1/3; * and what is gone for all; c7 is strange."""
    release = table({"who": ["n0", "n1", "n2", "n3", "n4"], "town": ["a*", "a*", "b1", "*", "c7"]})
    found = compare(
        table(PEOPLE), release, user="who", hierarchies={"town": LEVELS["town"], "age": LEVELS["age"]},
        metrics=["loss"], privacy=False,
    ).outcomes[0]  # fmt: skip
    town = (1 / 3 + 1 / 3 + 0 + 1 + 1 + 6) / 11
    assert found.utility[0].detail["columns"] == pytest.approx({"age": 1.0, "town": town})
    assert found.utility[0].value == pytest.approx(((1 + town) * 2) ** 0.5 - 1)
    assert any(
        "town: 1 records of the release have a value" in remark for remark in found.to_dict()["remarks"]
    )


VALUES = st.sampled_from(["a1", "a2", "b1", "c9", None])


def history(values: list[str | None], together: list[str | None]) -> History:
    codes = numpy.array([together.index(value) for value in values], dtype=numpy.uint32)
    return History(len(values), numpy.arange(len(values), dtype=numpy.uint32), {"town": codes})


@given(st.lists(st.tuples(VALUES, st.booleans(), st.booleans()), min_size=1, max_size=9), st.booleans())
def test_loss_by_its_definition(records: list[tuple[str | None, bool, bool]], coarse: bool) -> None:
    """Record by record, where labels are of one level; some are suppressed, some left out."""

    def label(value: str | None) -> str | None:
        return f"{value[0]}*" if coarse and value else value

    values = [value for value, _, _ in records]
    shown = ["*" if starred else label(value) for value, starred, kept in records if kept]
    together = [*{*values, *shown}]
    both = Histories(history(values, together), history(shown, together), {"town": tuple(together)})
    hierarchies, _ = read_hierarchies({"town": LEVELS["town"]}, ["town"])
    domain = {*values}
    lost = []
    for value, starred, kept in records if len(domain) > 1 else ():
        alike = sum(label(other) == label(value) for other in domain)
        lost.append((alike - 1) / (len(domain) - 1) if kept and not starred else 1.0)
    assert column_losses(both, hierarchies)[0].loss == pytest.approx(sum(lost) / len(records))


# Several releases

NOISY = table({**renamed(SHOP), "price": ["1", "1", "1", "1", "1", "1"]})


def test_several_are_ranked_beside_the_original() -> None:
    found = compare(ORIGINAL, FEWER, NOISY, truth=TRUTH, **PARTS)
    alone = [compare(ORIGINAL, each, truth=TRUTH, **PARTS).outcomes[0] for each in (FEWER, NOISY)]
    itself = compare(ORIGINAL, ORIGINAL, **PARTS).outcomes[0]
    for one, other in zip(found.outcomes, alone, strict=True):
        assert [(each.name, each.value) for each in one.utility] == [
            (each.name, each.value) for each in other.utility
        ]
        assert [(each.name, each.rate) for each in one.privacy] == [
            (each.name, each.rate) for each in other.privacy
        ]
    contenders = [
        Contender(
            name, {each.name: each.value for each in outcome.utility}, outcome.highest_rate, outcome.compared
        )
        for name, outcome in zip(("Table", "Table 1", "Table 2"), (itself, *alone), strict=True)
    ]
    better = {each.name: each.better for each in itself.utility}
    assert found.ranking == rank_releases(contenders[0], contenders[1:], better)
    document = found.to_dict()
    assert [each["release"] for each in document["releases"]] == ["Table 1", "Table 2"]
    assert {each["release"] for each in document["ranking"]} == {"Table 1", "Table 2"}
    assert document["boundary"] == document["untouched"]["overall"]
    assert document["ranking"][0].keys() >= {
        "release", "utility_rank", "privacy_rank", "overall", "better_than_original",
    }  # fmt: skip
    assert "ranking.overall" in document["definitions"]
    # who has no records left loses people
    assert document["releases"][0]["utility"][0]["name"] == "people_kept"
    json.dumps(document, allow_nan=False)


def test_a_truth_map_for_each_or_one_for_all() -> None:
    other = table({**SHOP, "who": [name.upper() for name in SHOP["who"]]})
    upper = {name.upper(): name for name in NAMES}
    found = compare(ORIGINAL, RELEASE, other, truth=[TRUTH, upper], **PARTS)
    assert [each.highest_rate for each in found.outcomes] == [1.0, 1.0]
    assert compare(ORIGINAL, RELEASE, truth=[TRUTH], **PARTS).outcomes[0].made_up == 0
    with pytest.raises(UsageError, match="there are 3 truth maps for 2 releases; give one for each"):
        compare(ORIGINAL, RELEASE, other, truth=[TRUTH] * 3, **PARTS)


def test_without_privacy_several_are_ranked_by_use() -> None:
    found = compare(ORIGINAL, FEWER, NOISY, truth=TRUTH, privacy=False, **PARTS)
    assert found.ranking is not None
    assert found.ranking.boundary is None
    assert [each.privacy_rank for each in found.ranking.releases] == [None, None]


def test_a_release_that_cannot_be_attacked_leaves_the_others_their_ranks() -> None:
    without_goods = FEWER.drop_columns(["goods"])
    strangers = table({**SHOP, "who": [name.upper() for name in SHOP["who"]]})
    found = compare(
        ORIGINAL, without_goods, NOISY, strangers, truth=[TRUTH, TRUTH, None], attacks=["jaccard"], **PARTS
    )
    ranking = found.ranking
    assert ranking is not None
    assert [each.privacy_rank for each in ranking.releases] == [None, 1.5, None]
    assert (ranking.original.privacy_rank, ranking.boundary) == (1.5, 1.25)
    rows = found.to_dict()["ranking"]
    assert rows[0]["release"] == "Table 2"
    assert [each["overall"] for each in rows[1:]] == [None, None]
    assert [each["better_than_original"] for each in rows] == [False, None, None]
    assert [each for each in found.remarks if "no overall rank" in each] == [
        "Table 1 has no privacy rank and no overall rank: none of the attacks can be made on it",
        "Table 3 has no privacy rank and no overall rank: it is not known who is who",
    ]
    unasked = compare(ORIGINAL, without_goods, NOISY, truth=TRUTH, privacy=False, **PARTS)
    assert not any("no overall rank" in each for each in unasked.remarks)


def test_renamed_columns_in_every_release() -> None:
    tables = [
        each.rename_columns([*each.column_names[:3], "fee", *each.column_names[4:]])
        for each in (FEWER, NOISY)
    ]
    expected = compare(ORIGINAL, FEWER, NOISY, truth=TRUTH, **PARTS)
    found = compare(ORIGINAL, *tables, truth=TRUTH, renamed={"price": "fee"}, **PARTS)
    assert found.ranking == expected.ranking


# Bad input


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown item": ({"item": "gods"}, "the original Table has no column 'gods'; did you mean 'goods'"),
    "all unknown columns at once": (
        {"item": "gods", "location": "nowhere"},
        "has no column 'gods'.*has no column 'nowhere'",
    ),
    "the user as an item": ({"item": "who"}, "'who' is the user column"),
    "several items": ({"item": ["goods", "day"]}, r"item: \['goods', 'day'\] is not one column"),
    "a number for a column": ({"number": 5}, "number: 5 is not one column"),
    "an unknown metric": ({"metrics": ["u3_rmf"]}, "there is no metric 'u3_rmf'; did you mean 'u3_rfm'"),
    "metrics as a text": ({"metrics": "u3_rfm"}, "metrics: 'u3_rfm' is no list of names"),
    "a loss without hierarchies": ({"metrics": ["loss"]}, "the metric 'loss' needs hierarchies"),
    "a metric of no column": ({"metrics": ["total_variation.x"]}, "'total_variation.x' is none"),
    "an unknown attack": ({"attacks": ["jacard"]}, "there is no attack 'jacard'; did you mean 'jaccard'"),
    "attacks that are not asked for": (
        {"attacks": ["jaccard"], "privacy": False},
        "privacy is not asked for",
    ),
    "odd points": ({"points": [0]}, "points: 0 must be a whole number"),
    "an odd seed": ({"seed": 1.5}, "the seed 1.5 must be a whole number"),
    "an odd rule": ({"missing": "wildcard"}, "a missing value that matches all"),
    "columns as a text": ({"columns": "goods"}, "columns: 'goods' is no list of names"),
    "columns that are numbers": ({"columns": [1]}, "columns: a column is named by text"),
    "an unknown column": ({"columns": ["gods"]}, "has no column 'gods'"),
    "people of the release alone": ({"release_people_table": table(SEX), "groups": "sex"}, "name both"),
    "a people table without groups": ({"people_table": table(SEX)}, "name its columns by --groups"),
    "a people table for nothing": (
        {"people_table": table(SEX), "groups": "usage"},
        "all groups are columns of the original itself",
    ),
    "an unknown group": (
        {"people_table": table(SEX), "groups": "sax"},
        "no column 'sax'; did you mean 'sex'",
    ),
    "people without the user": (
        {"people_table": table({"name": ["ann"], "sex": ["f"]}), "groups": "sex"},
        "the people table Table has no user column 'who'",
    ),
    "a truth that is none": ({"truth": 7}, "truth: a int is no truth map"),
    "hierarchies that are none": ({"hierarchies": 7}, "hierarchies: 7 is none"),
}


@pytest.mark.parametrize("changed", WRONG.values(), ids=WRONG.keys())
def test_bad_questions_are_one_line(changed: tuple[dict[str, Any], str]) -> None:
    given_, said = changed
    with pytest.raises(UsageError, match=said):
        compare(ORIGINAL, RELEASE, **{**PARTS, "truth": TRUTH, **given_})


def test_bad_tables_are_one_line() -> None:
    twice = table({"who": ["ann", "ann"], "sex": ["f", "m"]})
    with pytest.raises(InputError, match="the people table Table: somebody stands in it twice"):
        compare(ORIGINAL, RELEASE, truth=TRUTH, people_table=twice, groups="sex", **PARTS)
    with pytest.raises(InputError, match="has column names but no records"):
        compare(ORIGINAL, RELEASE, truth=TRUTH, people_table=twice.slice(0, 0), groups="sex", **PARTS)
    with pytest.raises(UsageError, match="there is no release to compare"):
        compare(ORIGINAL, **PARTS)
    with pytest.raises(UsageError, match="Table: is named twice as a release"):
        compare(ORIGINAL, RELEASE, RELEASE, truth=TRUTH, **PARTS)
    with pytest.raises(UsageError, match="lacks all columns that are to be compared"):
        compare(ORIGINAL, RELEASE.select(["who", "day"]), truth=TRUTH, user="who", columns=["goods"])
    with pytest.raises(UsageError, match="a int is not a table"):
        compare(ORIGINAL, 7, **PARTS)


# The purchases of Ito et al. 2020


def test_purchases_with_dropped_records(t1: Path, tmp_path: Path) -> None:
    """A tenth of T1's 38,087 records is gone, evenly: the people stay, and so does who they are."""
    lines = t1.read_text().splitlines(keepends=True)
    kept = [lines[0], *(line for place, line in enumerate(lines[1:]) if place % 10)]
    release = tmp_path / "dropped.csv"
    release.write_text("".join(kept))
    found = compare(
        t1, release, user="customer", item="goods", time=["date", "time"], amount="price", number="number",
        receipt="receipt",
    )  # fmt: skip
    outcome = found.outcomes[0]
    assert (found.original_records, outcome.records) == (38_087, len(kept) - 1)
    values = {each.name: each.value for each in outcome.utility}
    assert values["records_kept"] == values["records_released"] == pytest.approx((len(kept) - 1) / 38_087)
    assert values["records_true"] == 1
    # 3,809 lines are gone from 400 people
    assert values["u4_records_by_person"] == pytest.approx(3_809 / 400)
    assert 0 < (values["u3_rfm"] or 0) < 0.5
    assert outcome.attack("jaccard") is not None
    expected = attack(t1, release, user="customer", item="goods", attacks=["jaccard"], points=())
    assert outcome.attack("jaccard").rate == expected.attacks[0].rate > 0.99  # type: ignore[union-attr]


def test_what_does_not_need_names_is_told_without_them() -> None:
    """A release of which nobody can say who is who: with other names, or without a user column."""
    nameless = [each.drop_columns(["who"]) for each in (ORIGINAL, FEWER)]
    for found in (compare(ORIGINAL, FEWER, **PARTS), compare(*nameless, item="goods", amount="price")):
        told = {each.name: each for each in found.outcomes[0].utility}
        assert told["records_released"].value == 4 / 6
        assert told["total_variation.goods"].value == pytest.approx(0.25)
        for name in ("people_kept", "records_true", "u1_fare_by_person"):
            assert told[name].value is None and "who is who" in str(told[name].reason)
        assert found.outcomes[0].privacy == () and found.outcomes[0].made_up is None
        assert any("nobody can be attacked" in remark for remark in found.to_dict()["remarks"])
        json.dumps(found.to_dict(), allow_nan=False)
    ranks = compare(ORIGINAL, FEWER, RELEASE, **PARTS).to_dict()["ranking"]
    assert all(each["overall"] is None for each in ranks)


def test_some_names_in_common_say_who_is_who() -> None:
    found = compare(ORIGINAL, ORIGINAL.slice(0, 3), **PARTS).outcomes[0]
    assert {each.name: each.value for each in found.utility}["people_kept"] == 0.5
    assert found.made_up == 0 and found.privacy


def test_records_without_a_user_are_of_the_same_unknown_person() -> None:
    """A table is as itself, whoever is missing in it."""
    users = [None, "ann", None, "bob", "ann", "bob"]
    table = ORIGINAL.set_column(0, "who", pyarrow.array(users, pyarrow.string()))
    found = compare(table, table, **PARTS).outcomes[0]
    for each in found.utility:
        if each.value is not None and each.better != "neither":
            assert each.value == untouched_value(each.measure), each.name
    assert found.made_up == 0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"user": 5}, "user: 5 is no text"),
        ({"release_user": [1]}, r"release_user: \[1\] is no text"),
        ({"renamed": 5}, "renamed: 5 is no mapping"),
        ({"columns": 5}, "columns: 5 is no list"),
        ({"attacks": "jaccard"}, "attacks: 'jaccard' is no list"),
        ({"privacy": "no"}, "privacy are True or False"),
        ({"threads": True}, "threads must be a whole number"),
        ({"csv": 5}, "csv: a int is no CsvFormat"),
    ],
)
def test_values_of_a_wrong_kind(given: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        compare(ORIGINAL, RELEASE, **{"user": "who", "truth": TRUTH, **given})


def test_what_could_not_be_compared_ranks_last_in_privacy() -> None:
    """A low rate found by attacks that could not look is no protection: it comes after the original."""
    found = rank_releases(
        Contender("shop", {"error": 0.0}, 1.0),
        [
            Contender("open", {"error": 1.0}, 0.6),
            Contender("hidden", {"error": 1.0}, 0.1, compared=False),
            Contender("other", {"error": 1.0}, 0.2, compared=False),
        ],
        {"error": "lower"},
    )
    assert [each.privacy_rank for each in found.releases] == [1, 3.5, 3.5]
    assert found.original.privacy_rank == 2
    assert found.best_first[0].name == "open"
    assert [found.better_than_original(each) for each in found.releases[1:]] == [False, False]


def test_made_up_people_hide_nobody() -> None:
    """Two people are recognised by how many records they have, whoever is invented beside them."""
    original = pyarrow.table({"who": ["ann", "bob", "bob"], "goods": ["tea", "tea", "tea"]})
    names = ["p", "q", "q", *(f"m{number}" for number in range(8))]
    release = pyarrow.table({"who": names, "goods": ["tea"] * len(names)})
    truth: dict[str, str | None] = {"p": "ann", "q": "bob"} | dict.fromkeys(names[3:])
    (found,) = compare(original, release, truth=truth, user="who", attacks=["records"], points=()).outcomes
    (records,) = [each for each in found.privacy if each.name == "records"]
    assert (found.people, found.made_up, records.people) == (10, 8, 2)
    assert records.rate == 1.0

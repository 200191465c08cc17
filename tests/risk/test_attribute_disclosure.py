"""What classes give away of sensitive columns: as by hand on every engine, and as pyCANON counts it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout import assess
from singleout.engine.codes.spelling_variants import folded
from singleout.errors import InputError, UsageError
from singleout.report.terminal.assess import show_assessment
from singleout.report.wording import sensitive_sentences
from singleout.risk.attribute_disclosure import SENSITIVE_MEASURES, AttributeDisclosure
from singleout.risk.value_order import value_order, value_tree
from singleout.roles.hierarchies.definition_file import rules_of
from singleout.roles.hierarchies.hierarchy import Hierarchy
from singleout.roles.study import Study
from tests.by_hand.attribute_disclosure_by_hand import Had, earth_movers
from tests.support.extracts import PYCANON_ADULT, adult_column, incomes_of_classes
from tests.support.home import Home

SCHEMA = pyarrow.schema([(name, pyarrow.string()) for name in ("who", "town", "age", "ill", "wage")])
ILLNESSES = ["flu", "gout", "mumps", "acne", None]
TREE: list[dict[str, Any]] = [
    {"type": "raw"},
    {
        "type": "map",
        "map": {"flu": "virus", "mumps": "virus", "gout": "other", "acne": "other", "": "none"},
    },
    {"type": "suppress"},
]
NEAR = 1e-9


def random_table(rows: int, seed: int) -> pyarrow.Table:
    draw = Random(seed)
    listed = [
        {
            "who": draw.choice("12345"), "town": draw.choice(["Ulm", "Kiel", None]), "age": draw.choice("01"),
            "ill": draw.choice(ILLNESSES[: draw.choice([1, 3, 5])]),
            "wage": draw.choice(["9", "10", "11.5", None]),
        }
        for _ in range(rows)
    ]  # fmt: skip
    return pyarrow.Table.from_pylist(listed, schema=SCHEMA)


@dataclass(frozen=True)
class Reading:
    """Each class, the whole table, and the values in their order, the missing one last."""

    classes: dict[Any, Had]
    every: Had
    values: list[Any]


def readings_by_hand(table: pyarrow.Table, column: str, user: str | None, missing: str) -> list[Reading]:
    """With blanks as values, and of those alone who have a value."""
    needed = ("town", "age", column, *([user] if user else []))
    rows = list(enumerate(table.to_pylist()))
    if missing == "drop":
        rows = [each for each in rows if all(each[1][name] is not None for name in needed)]
    filled = [each for each in rows if each[1][column] is not None]
    several = [rows, filled] if 0 < len(filled) < len(rows) else [rows]
    return [reading_by_hand(some, column, user) for some in several]


def reading_by_hand(rows: Sequence[tuple[int, Any]], column: str, user: str | None) -> Reading:
    values = sorted({row[column] for _, row in rows} - {None}, key=float if column == "wage" else str)
    values += [None] if any(row[column] is None for _, row in rows) else []
    pairs: dict[Any, set[tuple[Any, int]]] = {}
    for place, row in rows:
        pair = (row[user] if user else place, values.index(row[column]))
        for key in ((row["town"], row["age"]), "all"):
            pairs.setdefault(key, set()).add(pair)
    every = Had(frozenset(pairs.pop("all", ())))
    return Reading({key: Had(frozenset(some)) for key, some in pairs.items()}, every, values)


def check(table: pyarrow.Table, data: Any, user: str | None, missing: Any) -> None:
    for column, tree in (("ill", {"ill": TREE}), ("wage", None)):
        found = assess(
            data, user=user, columns=["town", "age"], sensitive=[column], missing=missing, hierarchies=tree
        )
        (disclosed,) = found.sensitive
        readings = readings_by_hand(table, column, user, missing)
        if readings[0].classes:
            check_column(disclosed, readings)
        else:
            assert all(each.value is None for each in disclosed.measurements)


def check_column(disclosed: AttributeDisclosure, readings: Sequence[Reading]) -> None:
    whole = readings[0]
    assert (disclosed.values, disclosed.people) == (len(whole.values), whole.every.people)
    of_all = [(had, each.every) for each in readings for had in each.classes.values()]
    classes = [had for had, _ in of_all]
    least = max(2, min(each.distinct for each in classes))
    assert disclosed.distinct_l.value == min(each.distinct for each in classes)
    assert disclosed.entropy_l.known == pytest.approx(min(each.entropy_l for each in classes), abs=NEAR)
    assert disclosed.recursive_l == least
    check_worst(disclosed.recursive_c.value, [each.recursive_c(least) for each in classes])
    check_worst(disclosed.beta_basic.value, [each.beta_basic(every) for each, every in of_all])
    check_worst(disclosed.beta_enhanced.value, [each.beta_enhanced(every) for each, every in of_all])
    check_worst(disclosed.delta.value, [each.delta(every) for each, every in of_all])
    check_worst(
        disclosed.delta_of_present.value, [each.delta(every, of_present=True) for each, every in of_all]
    )
    check_worst(disclosed.alpha.value, [each.alpha for each in classes])
    check_worst(disclosed.skew.value, [each.skew(every) for each, every in of_all])
    check_people(disclosed, readings)
    check_distances(disclosed, readings)


def check_people(disclosed: AttributeDisclosure, readings: Sequence[Reading]) -> None:
    whole = readings[0]
    certain = {(key, had) for each in readings for key, had in each.classes.items() if had.certain}
    people = {person for _, each in certain for person, _ in each.pairs}
    assert disclosed.certain_classes.value == len({key for key, _ in certain})
    assert disclosed.certain_people.value == len(people)
    assert disclosed.certain_share.known == pytest.approx(len(people) / whole.every.people)
    many = whole.every.counts
    rare = {
        person for person, value in whole.every.pairs if many[value] < 3 and whole.values[value] is not None
    }
    assert disclosed.rare_share.known == pytest.approx(len(rare) / whole.every.people)
    fewest = {
        key: min(each.classes[key].distinct for each in readings if key in each.classes)
        for key in whole.classes
    }
    told = {each.distinct: (each.classes, each.people) for each in disclosed.classes}
    by_distinct = {
        many: [whole.classes[key] for key in fewest if fewest[key] == many] for many in {*fewest.values()}
    }
    assert told == {
        many: (len(some), len({person for each in some for person, _ in each.pairs}))
        for many, some in by_distinct.items()
    }
    assert sum(each.records for each in disclosed.classes) == disclosed.records


def check_worst(value: float | None, by_class: Sequence[Any]) -> None:
    """The highest; unknown where one is beyond all numbers."""
    if None in by_class:
        assert value is None
    else:
        assert value == pytest.approx(float(max(by_class)), abs=NEAR)


def check_distances(disclosed: AttributeDisclosure, readings: Sequence[Reading]) -> None:
    equal, ordered, near = [], [], []
    for each in readings:
        many = len(each.values)
        places = numpy.arange(many)
        kinds = [TREE[1]["map"].get(value or "") for value in each.values]
        tree = numpy.array([[0.5 if one == other else 1.0 for one in kinds] for other in kinds])
        numpy.fill_diagonal(tree, 0)
        equal.append(farthest(each, 1.0 - numpy.eye(many)))
        ordered.append(farthest(each, numpy.abs(places[:, None] - places) / max(1, many - 1)))
        near.append(farthest(each, tree))
    assert disclosed.t_equal.known == pytest.approx(max(equal), abs=NEAR)
    if disclosed.column == "wage" or len(readings[0].values) < 3:
        assert disclosed.t_ordered.known == pytest.approx(max(ordered), abs=NEAR)
    else:
        assert disclosed.t_ordered.value is None
    if disclosed.column == "wage":
        assert disclosed.t_hierarchical.value is None
    else:
        assert disclosed.t_hierarchical.known == pytest.approx(max(near), abs=NEAR)


def farthest(reading: Reading, apart: Any) -> float:
    def shares(had: Had) -> list[float]:
        return [had.counts[value] / len(had.pairs) for value in range(len(reading.values))]

    return max(earth_movers(shares(each), shares(reading.every), apart) for each in reading.classes.values())


def test_measures_are_those_by_hand(home: Home) -> None:
    @settings(max_examples=max(2, home.examples // 4))
    @given(st.sampled_from([20, 9, 30, 4, 1]), st.integers(0, 2**32))
    def look(rows: int, seed: int) -> None:
        table = random_table(rows, seed)
        data = home.put(table)
        for user in (None, "who"):
            for missing in ("value", "drop"):
                check(table, data, user, missing)

    look()


def check_pycanon(found: AttributeDisclosure, told: dict[str, Any]) -> None:
    for name in ("distinct_l", "entropy_l", "beta_basic", "delta_of_present", "t_equal"):
        assert getattr(found, name).known == pytest.approx(told[name], abs=5e-11)
    assert found.certain_classes.value == told["certain_classes"]
    assert found.certain_records.value == found.certain_people.value == told["certain_records"]
    assert sum(each.classes for each in found.classes) == told["classes"]
    for name in ("recursive_c", "beta_enhanced", "delta"):
        assert getattr(found, name).value is None
        assert found.to_dict()["unknown"][name].startswith("no ")


def test_pycanon_from_extracts(golden: dict[str, Any]) -> None:
    found = assess(incomes_of_classes(), sensitive=["income"])
    check_pycanon(found.sensitive[0], golden["pycanon_income"])


def test_pycanon(real_data: Any, golden: dict[str, Any]) -> None:
    columns = [adult_column(name) for name in PYCANON_ADULT.split()]
    found = assess(real_data / "adult" / "adult.data", columns=columns, sensitive=[adult_column("income")])
    check_pycanon(found.sensitive[0], golden["pycanon_income"])


SIX_ALIKE = pyarrow.table({"town": ["Ulm"] * 6 + ["Kiel"] * 6, "ill": ["flu"] * 6 + ["gout"] * 6})


def test_one_diagnosis_a_class_is_told_though_nobody_is_alone(capsys: pytest.CaptureFixture[str]) -> None:
    found = assess(SIX_ALIKE, sensitive=["ill"])
    assert found.classes is not None
    assert found.classes.by_records.k.value == 6
    assert [each.name for each in found.attributes] == ["town"]
    assert found.sensitive[0].certain_share.value == 1
    show_assessment(found)
    page = capsys.readouterr().out
    assert "ill is given away for 12 of 12 people (100%)" in " ".join(page.split())
    assert "(l-diversity)" in page


def test_who_has_all_values_of_a_class_is_certain_of_them() -> None:
    """One person with two illnesses: two values, and nothing to doubt."""
    table = pyarrow.table(
        {"who": ["1", "1", "2", "3"], "town": ["a", "a", "b", "b"], "ill": ["x", "y", "x", "y"]}
    )
    (by_people,) = assess(table, user="who", sensitive=["ill"]).sensitive
    (by_records,) = assess(table, columns=["town"], sensitive=["ill"]).sensitive
    assert (by_people.distinct_l.value, by_people.alpha.value, by_people.certain_people.value) == (1, 1, 1)
    assert (by_records.distinct_l.value, by_records.alpha.value) == (2, 0.5)


def test_a_person_counts_once_for_a_value() -> None:
    """Nine records of one person are one person beside another."""
    table = pyarrow.table({"who": ["1"] * 9 + ["2"], "town": ["a"] * 10, "ill": ["x"] * 9 + ["y"]})
    (found,) = assess(table, user="who", sensitive=["ill"]).sensitive
    assert (found.alpha.value, found.entropy_l.value) == (0.5, 2)


def test_a_blank_hides_nothing() -> None:
    """Five of six are known to have it, and so is whoever is known to have a value."""
    ill = [*["hiv"] * 5, None, *["flu"] * 5, None]
    (found,) = assess(pyarrow.table({"town": ["a"] * 6 + ["b"] * 6, "ill": ill}), sensitive=["ill"]).sensitive
    assert (found.distinct_l.value, found.alpha.value) == (1, 1)
    assert (found.certain_classes.value, found.certain_people.value) == (2, 10)
    assert "the worse counts" in found.distinct_l.measure.missing


@pytest.mark.parametrize(
    "spellings",
    [
        ["HIV", "hiv", "Hiv "],
        ["ﬁbrosis", "fibrosis", "FIBROSIS"],
        ["a\u200bb", "ab", "AB"],
        ["1", "1.0", "01"],
    ],
)
def test_spellings_are_no_diversity(spellings: list[str]) -> None:
    table = pyarrow.table({"town": ["a"] * 3 + ["b"] * 3, "ill": [*spellings, "x", "y", "z"]})
    (found,) = assess(table, sensitive=["ill"]).sensitive
    assert (found.distinct_l.value, found.certain_people.value, found.values) == (1, 3, 6)


def test_blank_spellings_are_missing() -> None:
    table = pyarrow.table({"town": ["a"] * 3, "ill": ["hiv", "hiv", " "]})
    (found,) = assess(table, sensitive=["ill"]).sensitive
    assert (found.distinct_l.value, found.certain_people.value, found.rare_share.value) == (1, 2, 2 / 3)


def test_what_a_spelling_is_folded_to() -> None:
    for one, other in (("STRASSE", "straße"), ("1e2", "100"), ("a \t b", "A B"), ("-0", "0.00")):
        assert folded(one) == folded(other)
    for one, other in (("hiv", "hiv+"), ("1.5", "15"), ("resume", "résumé")):
        assert folded(one) != folded(other)


def test_another_sensitive_column_is_known() -> None:
    """A drug that tells the diagnosis tells it, whatever both are called."""
    table = pyarrow.table(
        {"sex": ["f"] * 8, "drug": [*"aabbccdd"], "diagnosis": [*"wwxxyyzz"], "noise": [*"01010101"]}
    )
    by_name = {
        each.column: each.distinct_l.value
        for each in assess(table, columns=["sex"], sensitive=["drug", "diagnosis", "noise"]).sensitive
    }
    assert by_name == {"drug": 1, "diagnosis": 1, "noise": 2}
    (alone,) = assess(table, columns=["sex"], sensitive=["diagnosis"]).sensitive
    assert alone.distinct_l.value == 4


def test_a_few_others_do_not_hide_a_skewed_class() -> None:
    ill = ["hiv"] * 98 + ["flu", "cold"] + ["flu", "cold", "gout", "acne"] * 1475
    table = pyarrow.table({"town": [str(index // 100) for index in range(6000)], "ill": ill})
    (found,) = assess(table, sensitive=["ill"]).sensitive
    assert found.distinct_l.value == 3
    assert found.skew.known == pytest.approx(2 * math.asin(0.98**0.5) - 2 * math.asin((98 / 6000) ** 0.5))


def test_a_sensitive_column_is_not_known() -> None:
    by_name = assess(SIX_ALIKE, sensitive=["ill"])
    by_study = assess(SIX_ALIKE, study=Study({"ill": "sensitive"}))
    assert by_name.to_dict() == by_study.to_dict()
    assert not assess(SIX_ALIKE).sensitive


def test_a_sensitive_column_that_is_known_is_told() -> None:
    found = assess(SIX_ALIKE, study=Study({"ill": "sensitive"}), columns=["town", "ill"])
    assert not found.sensitive
    assert any(
        "ill: sensitive, but among the columns that an attacker knows" in each for each in found.remarks
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"sensitive": "ill"}, "is no list of names"),
        ({"sensitive": ["ill"], "columns": ["town", "ill"]}, "leave it out of the columns"),
        ({"sensitive": ["ill"], "user": "ill"}, "it can't be sensitive too"),
        ({"sensitive": ["town"], "study": Study({"town": "user"})}, "it can't be sensitive too"),
        ({"hierarchies": {"ill": TREE}}, "name them by --sensitive"),
        ({"sensitive": ["ill", "town"]}, "no column is left"),
    ],
)
def test_what_can_not_be_sensitive(words: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        assess(SIX_ALIKE, **words)


def test_an_unknown_column_is_named() -> None:
    with pytest.raises(InputError, match="sensitive: the table has no column 'il'; did you mean 'ill'"):
        assess(SIX_ALIKE, sensitive=["il"])


def test_where_missing_values_match_anything_nothing_is_known() -> None:
    found = assess(SIX_ALIKE, sensitive=["ill"], missing="wildcard")
    assert {each.value for each in found.sensitive[0].measurements} == {None}
    assert "is not known" in sensitive_sentences(found)[0]


def test_every_measure_is_told_with_its_definition() -> None:
    told = assess(SIX_ALIKE, sensitive=["ill"]).to_dict()
    for measure in SENSITIVE_MEASURES:
        assert measure.name in told["definitions"]
        assert measure.name.removeprefix("sensitive.") in told["sensitive"][0]
    assert "sensitive.alpha" not in assess(SIX_ALIKE).to_dict()["definitions"]


def test_which_values_have_an_order() -> None:
    listed: list[tuple[str | None, list[str | None]]] = [
        ("numbers", ["10", "9", None, "1e1"]),
        ("dates", ["2024-02-01", "2023-12-31", None]),
        ("only two values", ["no", "yes"]),
        (None, ["2024-02-01", "2023/12/31", "2024-01-01"]),
        (None, ["low", "middle", "high"]),
    ]
    for by, values in listed:
        order = value_order(values)
        assert (order and order.by) == by
    dates = value_order(listed[1][1])
    assert dates is not None
    assert dates.ranks.tolist() == [1, 0, 2]


@pytest.mark.parametrize(("rules", "levels"), [(TREE, 2), (TREE[:2], 2), (TREE[:1], 1)])
def test_the_top_of_a_hierarchy_is_where_all_are_one(rules: list[Any], levels: int) -> None:
    tree = value_tree(Hierarchy("ill", rules_of(rules)[0]), ["flu", "gout", "mumps"])
    assert len(tree.levels) == levels

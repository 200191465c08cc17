"""How well sensitive values are guessed: against chance, the definition and tables whose answer is known."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import pyarrow
import pytest

import singleout
from singleout.attacks.inference.guess_run import GuessRun
from singleout.attacks.inference.infer import infer
from singleout.attacks.inference.known_table import KnownTable, OrderedValues
from singleout.attacks.inference.people_folds import FOLDS, people_folds
from singleout.attacks.inference.result import InferenceAttempt, InferredColumn
from singleout.attacks.inference.sensitive_values import equal_ranges
from singleout.attacks.wilson_interval import wilson
from singleout.engine.codes.histories import History
from singleout.errors import InputError, UsageError
from singleout.progress import silent
from singleout.roles.study import Study
from tests.by_hand.inference_by_hand import credit_by_hand
from tests.support.home import Home
from tests.support.whole_files import whole_files

PEOPLE = 300


def people(seed: int = 0, many: int = PEOPLE) -> dict[str, list[Any]]:
    draw = random.Random(seed)
    return {
        "age": [draw.randrange(18, 90) for _ in range(many)],
        "town": [draw.choice(["x", "y", "z"]) for _ in range(many)],
        "sex": [draw.choice("fm") for _ in range(many)],
        "noise": [draw.random() for _ in range(many)],
    }


def guessed(table: Mapping[str, Sequence[Any]], sensitive: str = "illness", **said: Any) -> InferredColumn:
    (found,) = infer(pyarrow.table(dict(table)), sensitive=sensitive, **said).columns
    return found


def best(found: InferredColumn) -> InferenceAttempt:
    assert found.best, found.reason
    return found.best


def by_guesser(found: InferredColumn, guesser: str, of: str = "person") -> InferenceAttempt:
    return next(each for each in found.attempts if (each.guesser, each.of) == (guesser, of))


@pytest.mark.parametrize("seed", range(4))
def test_what_has_nothing_to_do_with_the_others_is_guessed_by_chance(seed: int) -> None:
    table = people(seed)
    illness = random.Random(100 + seed).choices(["flu", "cold", "none"], [1, 2, 5], k=PEOPLE)
    found = guessed({**table, "illness": illness}, seed=seed)
    for each in found.attempts:
        assert each.gain_interval[0] <= 0 <= each.gain_interval[1]
        assert each.interval[0] <= each.baseline
    assert best(found).baseline == pytest.approx(max(map(illness.count, illness)) / PEOPLE, abs=0.02)


def test_what_follows_from_another_column_is_guessed() -> None:
    table = people()
    follows = {**table, "illness": [{"x": "flu", "y": "cold", "z": "none"}[town] for town in table["town"]]}
    found = guessed(follows)
    # of nobody a look-alike is there, and the model sees through the noise
    assert by_guesser(found, "look-alikes").gain == 0
    assert by_guesser(found, "boosted").rate >= 0.98
    assert by_guesser(found, "boosted").columns == ("age", "town", "sex", "noise")
    # nor is who ignores the noise
    assert best(found).guesser == "look-alikes in fewer columns"
    assert (best(found).columns, best(found).rate) == (("town",), 1)
    assert best(found).interval[1] == found.highest
    alike = guessed(follows, columns=["town", "sex"])
    assert by_guesser(alike, "look-alikes").rate == 1
    assert by_guesser(alike, "look-alikes").interval == wilson(PEOPLE, PEOPLE)
    assert alike.known == ("town", "sex")


def test_numbers_are_guessed_by_their_range() -> None:
    table = people()
    wage = [age * 1000 + index % 7 for index, age in enumerate(table["age"])]
    found = guessed({**table, "wage": wage}, "wage")
    assert found.counted_as == "the range of the value, one of 10 of about equally many records"
    assert found.values == 10
    assert best(found).rate > 0.85
    assert best(found).baseline < 0.15
    # numbers as texts are numbers too: by their characters 9000 comes after 18000
    assert guessed({**table, "wage": [*map(str, wage)]}, "wage") == found
    few = guessed({**table, "wage": [age // 10 for age in table["age"]]}, "wage")
    assert (few.counted_as, few.values) == ("each value as it is", 8)


def test_a_large_value_fills_a_range_of_its_own() -> None:
    assert equal_ranges(numpy.array([90, 1, 1, 1, 1, 1, 1]), 4).tolist() == [0, 1, 1, 2, 2, 3, 3]
    assert equal_ranges(numpy.array([1, 1]), 10).tolist() == [0, 1]
    assert equal_ranges(numpy.array([1, 1, 50]), 2).tolist() == [0, 0, 0]


def test_one_value_is_known_of_everybody() -> None:
    found = guessed({**people(), "illness": ["flu"] * PEOPLE})
    assert {(each.rate, each.baseline, each.gain) for each in found.attempts} == {(1.0, 1.0, 0.0)}
    assert found.highest == 1
    assert found.highest_gain == pytest.approx(wilson(0, PEOPLE)[1])


def test_rare_values_are_left_out_and_unique_ones_unknown() -> None:
    table = people()
    illness = [f"of {index} alone" if index < 100 else "flu" for index in range(PEOPLE)]
    found = infer(pyarrow.table({**table, "illness": illness}), sensitive="illness")
    (column,) = found.columns
    assert (column.people, column.alone) == (PEOPLE, 100)
    assert {each.attempts for each in column.attempts} == {200}
    assert "illness: 100 people are left out, whose value nobody else has to learn it from" in found.remarks
    unique = guessed({**table, "illness": [f"of {index} alone" for index in range(PEOPLE)]})
    assert unique.best is None
    assert unique.reason
    assert unique.reason.startswith("300 of 300 people have a value that nobody else has")
    assert "alone" not in unique.reason
    assert unique.to_dict()["rate"] is unique.to_dict()["high"] is None


@pytest.mark.parametrize(
    ("illness", "reason"),
    [
        (["flu", "flu", "cold", "cold"], "4 people are too few to learn from some"),
        ([None] * 8, "nobody has a value there"),
        (["flu"] * 3 + [None] * 20, "3 people are too few"),
    ],
)
def test_what_can_t_be_looked_at_is_unknown(illness: list[Any], reason: str) -> None:
    found = guessed({"town": ["x"] * len(illness), "illness": pyarrow.array(illness, pyarrow.string())})
    assert found.reason
    assert reason in found.reason
    assert found.attempts == ()


def test_missing_values_hide_nothing() -> None:
    """Nine of ten have no value, so that none is the best guess; of those who have one it is certain."""
    table = people(many=1000)
    rare = random.Random(3)
    illness = [{"x": "flu", "y": "cold", "z": "none"}[town] if rare.random() < 0.1 else None
               for town in table["town"]]  # fmt: skip
    found = guessed({**table, "illness": illness}, columns=["town"])
    both = {each.missing_guessed: each for each in found.attempts if each.guesser == "look-alikes"}
    assert both[True].gain == 0
    assert both[True].baseline > 0.85
    assert both[False].rate == 1
    assert both[False].attempts == sum(each is not None for each in illness)
    assert best(found).rate == 1
    dropped = infer(pyarrow.table({**table, "illness": illness}), sensitive="illness", columns=["town"],
                    missing="drop")  # fmt: skip
    (column,) = dropped.columns
    assert column.dropped == illness.count(None)
    assert any("no record is left of" in remark for remark in dropped.remarks)
    assert best(column).rate == 1


def test_a_missing_value_tells_too() -> None:
    table = people()
    town = [None if index % 3 == 0 else "x" for index in range(PEOPLE)]
    found = guessed({**table, "town": town, "illness": ["flu" if each is None else "none" for each in town]})
    assert best(found).rate >= 0.98


def history(seed: int = 0, persons: int = 60, constant: bool = True) -> dict[str, list[Any]]:
    """Each person's illness shows in one record of several, or goes with the goods of each record."""
    draw = random.Random(seed)
    rows = []
    for person in range(persons):
        ill = draw.choice(["flu", "cold"])
        for record in range(draw.randrange(2, 6)):
            goods = draw.choice(["bread", "milk"])
            if constant and not record:
                goods = {"flu": "pills", "cold": "tea"}[ill]
            said = ill if constant else {"bread": "flu", "milk": "cold"}[goods]
            rows.append((f"p{person}", goods, draw.randrange(10), said))
    draw.shuffle(rows)
    return dict(zip(("who", "goods", "day", "illness"), map(list, zip(*rows, strict=True)), strict=True))


def test_all_records_of_a_person_are_looked_at_together() -> None:
    found = guessed(history(), user="who", columns=["goods"])
    assert {each.of for each in found.attempts} == {"person"}
    assert best(found).attempts == 60
    assert by_guesser(found, "boosted").rate >= 0.95


def test_what_changes_from_record_to_record_is_guessed_of_each() -> None:
    table = history(constant=False)
    found = guessed(table, user="who", columns=["goods"])
    assert {each.of for each in found.attempts} == {"person", "record"}
    assert by_guesser(found, "look-alikes", "record").rate == 1
    assert by_guesser(found, "boosted", "record").rate == 1
    assert best(found).attempts == 60


@pytest.mark.parametrize("seed", range(3))
def test_look_alikes_of_a_history_by_hand(seed: int) -> None:
    table = history(seed, 25, constant=False)
    draw = random.Random(seed)
    table["illness"] = [draw.choice(["a", "b", "b", "c"]) for _ in table["who"]]
    found = guessed(table, user="who", columns=["goods", "day"])
    rows = [
        (int(who[1:]), (goods, day), "abc".index(illness))
        for who, goods, day, illness in zip(*table.values(), strict=True)
    ]
    persons, records = credit_by_hand(rows)
    assert by_guesser(found, "look-alikes").successes == pytest.approx(sum(persons.values()))
    assert by_guesser(found, "look-alikes", "record").successes == pytest.approx(sum(records.values()))


def test_a_person_is_in_one_fold_and_folds_are_even() -> None:
    """If records of one person were learned from to guess another of the same person, ids would tell all."""
    draw = random.Random(5)
    rows = [(f"p{person}", f"id{person}", draw.choice("ab")) for person in range(60) for _ in range(4)]
    ill = {f"p{person}": draw.choice(["flu", "none"]) for person in range(60)}
    who, device, goods = zip(*rows, strict=True)
    table = {"who": who, "device": device, "goods": goods, "illness": [ill[each] for each in who]}
    found = guessed(table, user="who")
    assert all(each.gain_interval[0] <= 0 for each in found.attempts)
    folds = people_folds(numpy.repeat(numpy.arange(4), 25), seed=3)
    for value in range(4):
        assert numpy.bincount(folds[25 * value : 25 * value + 25]).tolist() == [5] * FOLDS


def test_threads_and_the_order_of_rows_change_nothing() -> None:
    table = {**people(many=400), "illness": random.Random(9).choices(["flu", "none", "cold"], k=400)}
    several = {**history(constant=False)}
    for columns, user in ((table, None), (several, "who")):
        whole = pyarrow.table(columns)
        order = list(range(whole.num_rows))
        random.Random(1).shuffle(order)
        one = infer(whole, sensitive="illness", seed=4, threads=1, user=user)
        two = infer(whole.take(order), sensitive="illness", seed=4, threads=2, user=user)
        assert one.columns == two.columns
        assert one.to_dict() == two.to_dict()
    other = infer(pyarrow.table(table), sensitive="illness", seed=5)
    assert other.columns != infer(pyarrow.table(table), sensitive="illness", seed=4).columns


def test_a_sample_says_so_and_look_alikes_are_all_asked() -> None:
    many = 2_000
    draw = numpy.random.default_rng(0)
    town, sex = draw.integers(0, 20, many), draw.integers(0, 2, many)
    illness = numpy.where(draw.random(many) < 0.7, sex, 1 - sex)
    codes = {name: each.astype(numpy.uint32) for name, each in
             (("town", town), ("sex", sex), ("illness", illness))}  # fmt: skip
    values = {name: OrderedValues("category", int(each.max()) + 1, None) for name, each in codes.items()}
    table = KnownTable(History(many, numpy.arange(many, dtype=numpy.uint32), codes), values, "illness")
    found = GuessRun(table, 0, 1, silent, rows=500).result(0)
    asked = {each.guesser: each for each in found.attempts}
    assert asked["look-alikes"].attempts == many
    assert asked["boosted"].attempts == 500
    assert asked["boosted"].estimated == (
        "500 of 2,000 people drawn at random, seed 0; who learns from more may guess better"
    )
    for each in asked.values():
        assert each.interval[0] < 0.7 < each.interval[1]


def test_the_interval_of_the_gain() -> None:
    one = InferenceAttempt("boosted", ("age",), "person", False, 100, 60, 50, 15, 5)
    assert (one.rate, one.baseline, one.gain) == (0.6, 0.5, 0.1)
    assert one.interval == wilson(60, 100)
    assert one.gain_interval == (
        wilson(15, 100)[0] - wilson(5, 100)[1],
        wilson(15, 100)[1] - wilson(5, 100)[0],
    )
    same = InferenceAttempt("boosted", ("age",), "person", False, 10, 5, 5, 0, 0)
    # ten people who are guessed alike prove little
    assert same.gain_interval[1] > 0.2


def test_spellings_do_not_hide_what_is_guessed() -> None:
    """Each town has one illness, spelled three ways that nothing tells."""
    spelled = [["flu", "FLU", "Flu "][index // 2 % 3] for index in range(PEOPLE)]
    none = [["none", "NONE", "None "][index // 2 % 3] for index in range(PEOPLE)]
    illness = [(spelled, none)[index % 2][index] for index in range(PEOPLE)]
    found = guessed({"town": ["x", "y"] * (PEOPLE // 2), "illness": illness})
    assert best(found).rate == 1
    assert 0.3 < best(found).baseline < 0.6
    assert min(each.rate for each in found.attempts) < 0.5


def test_other_sensitive_columns_are_known() -> None:
    drug = [index * 7 // 3 % 4 for index in range(PEOPLE)]
    table = {
        "sex": ["f", "m"] * (PEOPLE // 2),
        "drug": [f"drug {each}" for each in drug],
        "illness": [f"illness {each}" for each in drug],
    }
    found = infer(pyarrow.table(table), sensitive=["drug", "illness"])
    assert [best(each).rate for each in found.columns] == [1, 1]
    assert best(guessed(table, "illness", columns=["sex"])).rate < 0.5


def test_the_study_says_what_is_sensitive() -> None:
    table = {**people(), "illness": ["flu", "none"] * 150, "name": [f"n{each}" for each in range(PEOPLE)]}
    study = Study({"illness": "sensitive", "name": "ignore", "noise": "sensitive"})
    found = infer(pyarrow.table(table), study=study)
    assert [each.column for each in found.columns] == ["illness", "noise"]
    assert [each.known for each in found.columns] == [
        ("age", "town", "sex", "noise"),
        ("age", "town", "sex", "illness"),
    ]
    assert found.columns[0].knowledge == (
        "somebody who knows age, town, sex, noise of the person, and of other people also illness"
    )
    assert found.by_name("noise") == found.columns[1]
    assert found.by_name("town") is None
    named = infer(pyarrow.table(table), study=study, sensitive=["illness", "noise"], columns=["noise", "sex"])
    assert [each.known for each in named.columns] == [("noise", "sex"), ("sex",)]


def test_the_result_in_every_form() -> None:
    table = {**people(), "illness": ["flu", "none"] * 150, "id": [f"i{each}" for each in range(PEOPLE)]}
    found = singleout.infer(pyarrow.table(table), sensitive=["illness", "id"], columns=["town", "sex"])
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    first, second = document["sensitive"]
    assert first["rate"] == best(found.columns[0]).rate
    assert first["low"] <= first["rate"] <= first["high"] <= first["highest"]
    assert first["gain_low"] <= first["gain"] <= first["gain_high"] <= first["highest_gain"]
    assert [each["guesser"] for each in first["guessers"]] == [
        "look-alikes",
        "look-alikes in fewer columns",
        "boosted",
    ]
    assert second["rate"] is None
    assert "nobody else has" in second["reason"]
    assert set(document["definitions"]) == {
        "inference.rate", "inference.baseline", "inference.gain", "inference.low",
    }  # fmt: skip
    assert found.to_arrow().num_rows == 4
    assert found.to_frame()["note"].tolist()[-1] == second["reason"]
    assert "<table>" in found._repr_html_()
    assert repr(found).endswith("id unknown>")


@pytest.mark.parametrize(
    ("said", "error", "words"),
    [
        ({}, UsageError, 'no column is sensitive; name one, or give it the role "sensitive"'),
        ({"sensitive": "ilness"}, UsageError, "there is no column 'ilness'; did you mean 'illness'"),
        ({"sensitive": "illness", "columns": ["illness"]}, UsageError, "no column is known beside 'illness'"),
        ({"sensitive": "illness", "missing": "wildcard"}, UsageError, "rule value or drop, not wildcard"),
        ({"sensitive": "sex", "user": "sex"}, UsageError, "'sex' is the user column"),
        ({"sensitive": "illness", "seed": 1.5}, UsageError, "the seed must be a whole number, not 1.5"),
        ({"sensitive": 3}, UsageError, "sensitive: 3 is no column"),
    ],
)
def test_bad_questions(said: dict[str, Any], error: type[Exception], words: str) -> None:
    table = pyarrow.table({"sex": ["f", "m"] * 5, "illness": ["flu", "none"] * 5})
    with pytest.raises(error) as caught:
        infer(table, **said)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_records() -> None:
    with pytest.raises(InputError, match="has column names but no records"):
        infer(pyarrow.table({"a": pyarrow.array([], pyarrow.string()), "b": []}), sensitive="a")


def test_on_every_engine(home: Home) -> None:
    table = pyarrow.table({**history(constant=False)})
    here = infer(table, sensitive="illness", user="who", columns=["goods", "day"])
    there = infer(home.put(table), sensitive="illness", user="who", columns=["goods", "day"])
    assert there.columns == here.columns


def test_adult() -> None:
    """Figures of this version on the 30,162 people of ARX's Adult; scikit-learn may move the last digits."""
    found = infer(str(whole_files() / "arx_adult" / "adult.csv"), sensitive="salary-class")
    (column,) = found.columns
    look, learned = (by_guesser(column, each) for each in ("look-alikes", "boosted"))
    assert learned.baseline == pytest.approx(22_654 / 30_162, abs=1e-9)
    assert look.rate == pytest.approx(0.7894, abs=0.0005)
    assert learned.rate == pytest.approx(0.836, abs=0.004)
    assert learned.interval[1] - learned.interval[0] < 0.01

"""Releases that tell who is who by what is no value, and rules that look past it: none of them passes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any

import pyarrow
import pytest

from singleout import attack, check
from singleout.errors import InputError

PEOPLE, GROUPS = 24, 4
OLD = [f"n{number:02}" for number in range(PEOPLE)]
NEW = [f"p{number}" for number in random.Random(9).sample(range(100, 999), PEOPLE)]
TRUTH = dict(zip(NEW, OLD, strict=True))
ORDERS = [*permutations(range(4))]
NAMES = ("who", "goods", "number")
Records = Sequence[tuple[str | None, ...]]
RENAMED = {"step": [{"step": "pseudonymise"}]}


def table(names: Sequence[str], records: Callable[[int], Records]) -> pyarrow.Table:
    """In an order that says nothing."""
    rows = [(name, *record) for person, name in enumerate(names) for record in records(person)]
    random.Random(names[0]).shuffle(rows)
    columns = NAMES if len(rows[0]) == 3 else (*NAMES, "note")
    return pyarrow.table(
        {
            name: pyarrow.array([row[index] for row in rows], pyarrow.string())
            for index, name in enumerate(columns)
        }
    )


def group(person: int) -> int:
    return person % GROUPS


def six_alike(person: int) -> Records:
    """Four groups of six people who have the same records; the number of some is missing."""
    own = group(person)
    missing: Records = [(f"g{own}{index}", None) for index in range(5)]
    return [*missing, (f"h{own}", str(own)), (f"h{own}", str(own)), ("z", str(own + 1))]


def repeats_replaced(person: int) -> Records:
    *others, _, last = six_alike(person)
    return [*others, (f"h{person}x", f"{group(person)}"), last]


def blanks_filled_in(person: int) -> Records:
    first, *others = six_alike(person)
    return [(first[0], str(100 + person)), *others]


def blanks_in_two_ways(person: int) -> Records:
    bits = [None if person >> index & 1 else "*" for index in range(5)]
    records = six_alike(person)
    return [*zip((goods for goods, _ in records[:5]), bits, strict=True), *records[5:]]


DISGUISES = {each.__name__: each for each in (repeats_replaced, blanks_filled_in, blanks_in_two_ways)}


def judged(release: pyarrow.Table, at_most: float = 0.5, original: Any = None, **said: Any) -> Any:
    """By a rule on the best attack; everybody is found by the telling releases."""
    rule = {"measure": "attack.best.rate", "at_most": at_most, **said.pop("rule", {})}
    old = table(OLD, six_alike) if original is None else original
    return check(release, {"rule": [rule]}, original=old, truth=said.pop("truth", TRUTH), user="who", **said)


def bound(release: pyarrow.Table, original: pyarrow.Table) -> float:
    best = attack(original, release, TRUTH, user="who", points=()).best
    assert best is not None and best.bound is not None
    return best.bound


@pytest.mark.parametrize("recipe", [None, RENAMED], ids=["blind", "informed"])
def test_a_release_that_hides_nothing_passes_by_its_groups(recipe: Any) -> None:
    verdict = judged(table(NEW, six_alike), recipe=recipe)
    assert verdict.passed
    assert verdict.rules[0].answer.value == pytest.approx(GROUPS / PEOPLE)


@pytest.mark.parametrize("recipe", [None, RENAMED], ids=["blind", "informed"])
@pytest.mark.parametrize("name", DISGUISES)
def test_what_stands_where_a_repeated_or_missing_value_was_is_no_detail(name: str, recipe: Any) -> None:
    """All that people have is there; what is there besides tells everybody apart."""
    release = table(NEW, DISGUISES[name])
    assert bound(release, table(OLD, six_alike)) == 1
    try:
        assert not judged(release, recipe=recipe).passed
    except InputError as error:
        assert recipe is not None and "can't come from this recipe" in str(error)


def test_how_many_values_of_the_only_column_are_blank_may_tell() -> None:
    def alike(person: int) -> Records:
        return [(f"g{group(person)}", "1")] * 7

    def counted(person: int) -> Records:
        blank = person // GROUPS
        return [*[("*", "*")] * blank, *alike(person)[blank:]]

    original, release = table(OLD, alike), table(NEW, counted)
    assert bound(release, original) == 1
    verdict = judged(release, original=original)
    assert not verdict.passed and "lack records" in verdict.rules[0].reason


def test_values_mixed_among_records_that_lack_another_are_not_their_own() -> None:
    def apart(_person: int) -> Records:
        return [*[(f"g{index}", str(index), None) for index in range(4)], ("z", "9", "x")]

    def mixed(person: int) -> Records:
        return [*[(f"g{index}", str(ORDERS[person][index]), None) for index in range(4)], ("z", "9", "x")]

    original, release = table(OLD, apart), table(NEW, mixed)
    assert bound(release, original) == 1
    assert not judged(release, original=original).passed


def test_a_column_left_out_in_two_ways_is_not_left_out() -> None:
    def numbered(person: int) -> Records:
        return [(f"g{group(person)}{index}", str(index)) for index in range(5)]

    def left_out(person: int) -> Records:
        return [
            (goods, None if person >> index & 1 else "*") for index, (goods, _) in enumerate(numbered(person))
        ]

    original, release = table(OLD, numbered), table(NEW, left_out)
    assert bound(release, original) == 1
    assert not judged(release, original=original).passed
    honest = table(NEW, lambda person: [(goods, "*") for goods, _ in numbered(person)])
    assert judged(honest, original=original).passed


def test_records_sorted_by_the_names_that_people_had_are_stopped() -> None:
    rows = sorted(table(NEW, six_alike).to_pylist(), key=lambda row: TRUTH[row["who"]])
    verdict = judged(pyarrow.Table.from_pylist(rows))
    assert not verdict.passed
    assert [each.topic for each in verdict.observations] == ["order of the records"]


def test_people_left_out_by_nothing_that_the_recipe_says_are_unknown() -> None:
    """Who knows which eight are there finds one of each two alike; a few known records tell less."""

    def counted(person: int) -> Records:
        return [("a", "1")] * (4 + group(person)) + [("b", "1")] * (9 - group(person))

    some, old = NEW[:8], table(OLD, counted)
    release = table(some, counted)
    said: dict[str, Any] = {
        "original": old, "truth": {name: TRUTH[name] for name in some}, "without_records": True
    }  # fmt: skip
    for recipe in (None, RENAMED):
        verdict = judged(release, 0.49, recipe=recipe, **said)
        assert "looks for the others among fewer" in verdict.rules[0].reason
        assert judged(release, recipe=recipe, **said).rules[0].answer.value == pytest.approx(0.5)
    sampled = {"step": [{"step": "sample", "share": 0.3}, *RENAMED["step"]]}
    assert judged(release, 0.49, recipe=sampled, **said).passed


def test_rules_that_look_at_columns_apart_do_not_pass_what_is_told_together() -> None:
    def unique(person: int) -> Records:
        return [(f"g{person % 6}", str(person // 6))]

    old, release = table(OLD, unique), table(NEW, unique)
    said: dict[str, Any] = {"original": old, "truth": TRUTH, "user": "who"}
    goods, number = ({"measure": "attack.best.rate", "at_most": 0.5, "columns": [name]} for name in NAMES[1:])
    apart = check(release, {"rule": [goods, number]}, **said)
    assert [each.passed for each in apart.rules] == [True, True] and not apart.passed
    assert "no rule looked at goods and number all together" in apart.observations[0].words
    alone = {"measure": "attribute.*.risk", "at_most": 0.5}
    assert not check(release, {"rule": [alone]}, **said).passed
    both = {"measure": "attack.best.rate", "at_most": 1.0, "columns": ["goods", "number"]}
    assert check(release, {"rule": [goods, number, both]}, **said).passed


def test_a_table_of_people_beside_the_release_is_no_part_of_what_was_judged() -> None:
    people = pyarrow.table({"who": NEW, "sex": [str(number) for number in range(PEOPLE)]})
    first = people.set_column(0, "who", pyarrow.array(OLD))
    verdict = judged(table(NEW, six_alike), people_table=first, release_people_table=people, groups=["sex"])
    assert any("the table of people beside it" in each for each in verdict.conditions)

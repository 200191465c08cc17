"""Classes counted from codes, beside those of the release that is made."""

import random
from collections import defaultdict
from typing import Any

import pyarrow
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout import apply, protect
from singleout.deidentify.input_tables import subject_of
from singleout.investigation.protect.class_screen import ClassScreen, class_screen
from singleout.investigation.protect.recipe_space import CandidateRecipe
from singleout.investigation.protect.request import SearchBounds
from singleout.investigation.protect.subject_space import space_of
from singleout.policy.rules.rule import Rule

VALUES = st.none() | st.integers(0, 40).map(str)


def screen_of(table: pyarrow.Table, *rules: Rule) -> ClassScreen | None:
    subject = subject_of(table, user="who")
    space = space_of(subject, None, SearchBounds(), rules, {}, {})
    return class_screen(space, subject.history, rules, subject.columns)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 5), VALUES, VALUES), min_size=1, max_size=40), st.data())
def test_classes_are_those_of_the_release(rows: list[Any], data: st.DataObject) -> None:
    who, first, second = zip(*rows, strict=True)
    texts = pyarrow.schema([(name, pyarrow.string()) for name in ("who", "x", "y")])
    table = pyarrow.table({"who": [f"p{each}" for each in who], "x": [*first], "y": [*second]}, texts)
    records, people = Rule("k", at_least=2), Rule("people.k", at_least=2)
    screen = screen_of(table, records, people)
    assert screen is not None
    candidate = CandidateRecipe(tuple(data.draw(st.integers(0, each.top)) for each in screen.space.ladders))
    if not screen.space.is_release(candidate):
        return
    release = apply(table, screen.space.content(candidate)).release.to_arrow()
    classes: dict[tuple[Any, ...], list[str]] = defaultdict(list)
    for row in release.to_pylist():
        classes[tuple(row[name] for name in release.column_names if name != "who")].append(row["who"])
    assert screen.smallest_class(candidate, records) == min(map(len, classes.values()))
    assert screen.smallest_class(candidate, people) == min(len({*each}) for each in classes.values())
    assert screen.breaks(candidate) == (min(len({*each}) for each in classes.values()) < 2)


def test_rules_that_are_not_counted_so_are_left_to_the_gate() -> None:
    table = pyarrow.table({"who": ["a", "b"], "x": ["1", "2"], "y": ["1", "1"]})
    for rule in (
        Rule("k", at_most=9),
        Rule("k", at_least=2, missing="drop"),
        Rule("k", at_least=2, attacker="colleague"),
        Rule("k", at_least=2, when="one record a person"),
        Rule("average_risk", at_most=0.5),
    ):
        assert screen_of(table, rule) is None
    screen = screen_of(
        table, Rule("k", at_least=2, columns=("y",)), Rule("people.k", at_least=2, when="history")
    )
    assert screen is not None
    assert [screen.smallest_class(screen.space.original, rule) for rule in screen.rules] == [2, 1]
    assert screen.breaks(screen.space.original)
    assert not screen.breaks(CandidateRecipe(screen.space.original.levels, change=1))


def test_a_search_makes_no_release_whose_classes_are_too_small() -> None:
    """Of all that were tried only the original breaks the rule, and what tells what a change is for."""
    draw = random.Random(5)
    columns = {name: [str(draw.randrange(top)) for _ in range(300)] for name, top in (("x", 60), ("y", 30))}
    found = protect(
        pyarrow.table(columns), {"rule": [{"measure": "k", "at_least": 4}]}, user="none", forbid=["local"]
    )
    assert found.reached
    assert sum(each.breaks for each in found.trials) == 1 + len(found.reasons)
    assert found.proof.unknown == 0
    assert found.proof.broken


def test_what_can_not_be_kept_is_told_by_the_nearest() -> None:
    table = pyarrow.table({"x": [str(each) for each in range(20)]})
    found = protect(table, {"rule": [{"measure": "k", "at_least": 30}]}, user="none")
    assert not found.reached
    assert found.chosen is not None
    assert found.chosen.rules[0].answer.value is not None
    assert found.chosen.rules[0].answer.value > 1

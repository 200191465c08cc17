"""Classes judged by the goals equal counts by hand, and so do distances of values from the table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from singleout.deidentify.generalise.chosen_levels import minimal_vectors
from singleout.deidentify.generalise.goals import Closeness, Goals
from singleout.deidentify.generalise.judged_classes import JudgedClasses, judge_classes
from singleout.deidentify.generalise.search_space import GuardedColumn
from singleout.engine.codes.dictionary import Codes
from singleout.risk import t_closeness
from singleout.risk.sensitive_values import TableValues, sensitive_counts, table_values
from tests.by_hand.attribute_disclosure_by_hand import Had, keeps
from tests.by_hand.generalise_by_hand import MODELS

Rows = list[tuple[int, int, int, int]]  # class, person and two sensitive values of each record
MANY = (5, 6, 4, 3)


def rows() -> st.SearchStrategy[Rows]:
    return st.lists(st.tuples(*(st.integers(0, many - 1) for many in MANY)), min_size=1, max_size=40)


@st.composite
def goals(draw: st.DrawFn) -> Goals:
    shares = st.sampled_from([None, 0.0, 0.1, 0.2, 0.25, 0.5, 1.0])
    closeness: tuple[Closeness, ...] = ("equal", "ordered")
    wanted = st.builds(
        Goals,
        k=st.integers(1, 6),
        suppress=st.sampled_from([0.0, 0.1, 0.29, 1.0]),
        average_risk=shares,
        diverse=st.sampled_from([None, 1, 2, 3]),
        close=shares,
        closeness=st.sampled_from(closeness),
    )
    return replace(draw(wanted), **draw(st.sampled_from([{}, *MODELS])))


def numbered(numbers: Iterable[int]) -> Codes:
    """Whole numbers without gaps, as codes are."""
    listed = list(numbers)
    place = {number: code for code, number in enumerate(sorted(set(listed)))}
    return Codes(numpy.array([place[number] for number in listed], dtype=numpy.uint32), len(place))


def columns(rows: Rows) -> list[Codes]:
    return [numbered(row[place] for row in rows) for place in range(4)]


def judge(rows: Rows, goals: Goals, by_people: bool, threads: int = 1) -> JudgedClasses:
    classes, persons, *sensitive = columns(rows)
    named = persons if by_people else None
    guarded = [GuardedColumn(each, table_values(each, named)) for each in sensitive]
    return judge_classes(classes, named, guarded, goals, threads)


def far_by_hand(inside: Sequence[int], everywhere: Sequence[int], closeness: Closeness) -> Fraction:
    here, there, values = Counter(inside), Counter(everywhere), sorted(set(everywhere))
    unlike = [
        Fraction(here[value], len(inside)) - Fraction(there[value], len(everywhere)) for value in values
    ]
    if closeness == "equal":
        return sum(map(abs, unlike), Fraction(0)) / 2
    running = [sum(unlike[: upto + 1], Fraction(0)) for upto in range(len(unlike))]
    return sum(map(abs, running), Fraction(0)) / max(1, len(values) - 1)


def stays_by_hand(size: int, far: list[Fraction], here: list[Had], there: list[Had], goals: Goals) -> bool:
    if size < goals.k:
        return False
    if goals.diverse is not None and min(each.distinct for each in here) < goals.diverse:
        return False
    if goals.close is not None and max(far) > Fraction(str(goals.close)):
        return False
    return all(keeps(one, table, goals) for one, table in zip(here, there, strict=True))


def had_by_hand(members: Rows, at: int, by_people: bool) -> Had:
    """Each record is its own person where these do not count."""
    return Had(frozenset((row[1] if by_people else place, row[at]) for place, row in enumerate(members)))


@given(rows(), goals(), st.booleans(), st.sampled_from([1, 2]))
@example([(0, 0, 0, 0)] * 3 + [(1, 1, 1, 0)], Goals(2, close=0.25), False, 1)
def test_classes_are_judged_as_by_hand(rows: Rows, goals: Goals, by_people: bool, threads: int) -> None:
    found = judge(rows, goals, by_people, threads)
    numbers = sorted({row[0] for row in rows})
    kept, released, risks = [], 0, []
    for place, number in enumerate(numbers):
        members = [row for row in rows if row[0] == number]
        size = len({row[1] for row in members}) if by_people else len(members)
        here, there = ([had_by_hand(some, at, by_people) for at in (2, 3)] for some in (members, rows))
        kinds = [each.distinct for each in here]
        far = [
            far_by_hand(one.values, table.values, goals.closeness)
            for one, table in zip(here, there, strict=True)
        ]
        assert (found.records[place], found.people[place]) == (len(members), size)
        assert [each[place] for each in found.diversities] == kinds
        wanted = [] if goals.close is None else list(map(float, far))
        assert [each[place] for each in found.distances] == pytest.approx(wanted, abs=1e-12)
        assert found.kept[place] == stays_by_hand(size, far, here, there, goals)
        if found.kept[place]:
            kept.append(len(members))
            released += len(members)
            risks += [Fraction(1, size)] * len(members)
    assert (found.released, found.suppressed) == (released, len(rows) - released)
    assert found.kept_records.tolist() == [bool(found.kept[numbers.index(row[0])]) for row in rows]
    assert found.average_risk == pytest.approx(float(sum(risks) / released) if released else 0.0)
    assert found.discernibility == sum(size**2 for size in kept) + len(rows) * (len(rows) - released)
    assert found.sizes.total_records == released
    assert found.sizes.total_groups == len(kept)
    safe = goals.average_risk is None or sum(risks) <= Fraction(str(goals.average_risk)) * released
    budget = math.floor(Fraction(str(goals.suppress)) * len(rows))
    assert found.reaches(goals) == (len(rows) - released <= budget and safe)


@settings(max_examples=30)
@given(rows(), st.integers(1, 7))
def test_classes_that_do_not_fit_at_once_are_measured_in_turn(rows: Rows, fits: int) -> None:
    classes, _, values, _ = columns(rows)
    counts = sensitive_counts(classes, values)
    whole = t_closeness.ordered_distances(counts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(t_closeness, "CELLS_AT_ONCE", fits)
        assert t_closeness.ordered_distances(counts).tolist() == whole.tolist()


@pytest.mark.parametrize(
    ("inside", "equal", "ordered"),
    [
        # Li, Li and Venkatasubramanian 2007, example 3 (salaries 3k … 11k, each once in the table): the
        # classes {3k, 4k, 5k} and {6k, 8k, 11k} are 0.375 and 0.167 away in order; equal by hand, 6/9
        ([3, 4, 5], 2 / 3, 0.375),
        ([6, 8, 11], 2 / 3, 1 / 6),
        (list(range(3, 12)), 0, 0),
    ],
)
def test_distances_that_the_authors_worked_out(inside: list[int], equal: float, ordered: float) -> None:
    salaries = list(range(3, 12))
    table = TableValues(numpy.ones(len(salaries), dtype=numpy.int64), len(salaries))
    # the rest of the table is a class of its own
    values = numpy.array([salaries.index(each) for each in [*inside, *salaries]], dtype=numpy.uint32)
    classes = Codes(numpy.array([0] * len(inside) + [1] * len(salaries), dtype=numpy.uint32), 2)
    counts = sensitive_counts(classes, Codes(values, 9), totals=table)
    assert t_closeness.equal_distances(counts).tolist() == pytest.approx([equal, 0])
    assert t_closeness.ordered_distances(counts).tolist() == pytest.approx([ordered, 0])


def test_one_value_is_as_far_as_no_other() -> None:
    one = numbered([0, 0, 0])
    assert t_closeness.ordered_distances(sensitive_counts(one, one)).tolist() == [0]


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=4).flatmap(
        lambda shape: st.lists(st.booleans(), min_size=math.prod(shape), max_size=math.prod(shape)).map(
            lambda flags: numpy.array(flags).reshape(shape)
        )
    )
)
def test_minimal_is_what_has_nothing_finer(reaching: Any) -> None:
    """Also where something coarser does not reach the goals, as with closeness and suppression."""
    every = [vector for vector in product(*map(range, reaching.shape)) if reaching[vector]]
    by_hand = [
        vector
        for vector in every
        if not any(
            other != vector and all(low <= high for low, high in zip(other, vector, strict=True))
            for other in every
        )
    ]
    assert list(minimal_vectors(reaching)) == by_hand

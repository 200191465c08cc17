"""The guess by look-alikes equals its definition, and nobody votes about themselves."""

from __future__ import annotations

import numpy
from hypothesis import given
from hypothesis import strategies as st

from singleout.attacks.inference.class_majority import class_majority
from singleout.attacks.inference.guess_target import person_target, record_target
from tests.by_hand.inference_by_hand import majority_by_hand

RECORDS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 2), st.integers(0, 1), st.integers(0, 3)),
    min_size=1,
    max_size=25,
)


@given(RECORDS)
def test_the_majority_is_that_of_other_people(records: list[tuple[int, int, int, int]]) -> None:
    names = sorted({who for who, *_ in records})
    rows = sorted((names.index(who), *others) for who, *others in records)
    person, first, second, value = (numpy.array(each) for each in zip(*rows, strict=True))
    columns = [first.astype(numpy.uint32), second.astype(numpy.uint32)]
    guess, of_all = class_majority(person, columns, value)
    wanted, wanted_of_all = majority_by_hand([(who, (one, two), what) for who, one, two, what in rows])
    assert guess.tolist() == wanted
    assert of_all.tolist() == [wanted_of_all[who] for who in range(len(names))]


def test_a_record_does_not_vote_for_itself() -> None:
    """Alone in the class its value would be certain, which is being recognised and not being guessed."""
    person, value = numpy.arange(4), numpy.array([0, 1, 1, 1])
    guess, of_all = class_majority(person, [numpy.arange(4, dtype=numpy.uint32)], value)
    assert guess.tolist() == [-1] * 4
    assert of_all.tolist() == [1, 1, 1, 1]


def test_many_records_of_one_person_are_one_vote() -> None:
    person, value = numpy.array([0, 0, 0, 1, 2, 3]), numpy.array([1, 1, 1, 0, 0, 1])
    guess, _ = class_majority(person, [numpy.zeros(6, dtype=numpy.uint32)], value)
    assert guess.tolist() == [0, 0, 0, 1, 1, 0]


def test_any_of_the_most_frequent_values_is_right() -> None:
    person, value = numpy.array([0, 0, 0, 1, 2, 2]), numpy.array([2, 2, 0, 1, 0, 1])
    target = person_target(person, value, 3)
    assert target.value.tolist() == [2, 1, 0]
    assert [target.credit(numpy.full(3, each)).tolist() for each in range(3)] == [
        [0, 0, 1],
        [0, 1, 1],
        [1, 0, 0],
    ]
    records = record_target(person, value, 3)
    assert records.credit(numpy.array([2, 0, 0, 1, 0, 0])).tolist() == [2 / 3, 1, 0.5]
    assert records.weight.tolist() == [1 / 3, 1 / 3, 1 / 3, 1, 0.5, 0.5]


def test_what_nobody_else_has_is_left_out() -> None:
    person, value = numpy.array([0, 0, 1, 2]), numpy.array([0, 0, 1, 1])
    assert person_target(person, value, 2).shared().people.tolist() == [1, 2]
    assert record_target(person, value, 2).shared().row.tolist() == [2, 3]

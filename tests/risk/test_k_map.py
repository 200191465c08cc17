"""A sample against a reference: by hand on random tables, in any pair of engines, and what does not fit."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.engine.pair_sizes import PairSizes, pair_sizes
from singleout.engine.protocol import Question
from singleout.errors import InputError, UsageError
from singleout.risk.k_map import WHO_KNOWS, k_map, reference_risk
from tests.support.home import Home

CELLS = st.lists(
    st.tuples(st.integers(1, 4), st.sampled_from(["x", "y", "", None]), st.sampled_from([1, 2, None])),
    min_size=1, max_size=25,
)  # fmt: skip


def table(rows: list[tuple[Any, ...]], numbers: Any = None) -> pyarrow.Table:
    who, a, b = zip(*rows, strict=True)
    return pyarrow.table(
        {
            "who": pyarrow.array(who, pyarrow.int64()),
            "a": pyarrow.array(a, pyarrow.string()),
            "b": pyarrow.array(b, numbers or pyarrow.int64()),
        }
    )


def classes_by_hand(rows: list[tuple[Any, ...]], person: bool) -> dict[Any, tuple[int, int]]:
    people: dict[Any, list[Any]] = defaultdict(list)
    for place, (who, *key) in enumerate(rows):
        people[tuple(key)].append(who if person else place)
    return {key: (len(each), len({*each})) for key, each in people.items()}


def check_by_hand(found: PairSizes, sample: Any, reference: Any, person: bool) -> None:
    mine, others = classes_by_hand(sample, person), classes_by_hand(reference, person)
    by_hand = sorted((*sizes, others.get(key, (0, 0))[1]) for key, sizes in mine.items())
    columns = (found.records.tolist(), found.people.tolist(), found.reference.tolist())
    assert sorted(zip(*columns, strict=True)) == by_hand


def test_pairs_equal_a_count_by_hand(home: Home) -> None:
    @settings(max_examples=max(3, home.examples // 3))
    @given(CELLS, CELLS, st.booleans())
    def check(sample: list[Any], reference: list[Any], person: bool) -> None:
        question = Question(("a", "b"), "who" if person else None)
        with home.open(table(sample)) as one, home.open(table(reference)) as other:
            check_by_hand(pair_sizes((one, question), (other, question)), sample, reference, person)

    check()


def test_the_reference_may_be_in_another_engine_and_of_another_type(home: Home) -> None:
    from singleout.engine.open_engine import open_engine
    from singleout.read.source import source

    sample = [(1, "x", 1), (2, "x", 1), (3, "", None), (4, "y", 2)]
    reference = [*sample, (5, "x", 1), (6, "", None), (7, "x", 2)]
    question = Question(("a", "b"), "who")
    with (
        open_engine(source(table(sample, pyarrow.float64()))) as one,
        home.open(table(reference)) as other,
    ):
        check_by_hand(pair_sizes((one, question), (other, question)), sample, reference, True)


@settings(max_examples=40)
@given(CELLS, CELLS, st.booleans())
def test_measures_equal_their_definitions(sample: list[Any], reference: list[Any], person: bool) -> None:
    user = "who" if person else "none"
    found = k_map(table(sample), table(reference), user=user, columns=["a", "b"], reference_user=user)
    mine, others = classes_by_hand(sample, person), classes_by_hand(reference, person)
    there = {key: others.get(key, (0, 0))[1] for key in mine}
    assert found.k_map.value == min(there.values())
    assert found.classes_not_in_reference.value == sum(people == 0 for people in there.values())
    risks = {key: 1 / people if people else 1.0 for key, people in there.items()}
    assert found.journalist_highest.value == max(risks.values())
    mean = sum(risks[key] * records for key, (records, _) in mine.items()) / len(sample)
    assert found.marketer.value == pytest.approx(mean)
    ratios = [min(1, mine[key][1] / people) for key, people in there.items() if people]
    whole = len(ratios) == len(mine)
    sure = whole and all(people >= mine[key][1] for key, people in there.items())
    assert found.presence_low.value == (pytest.approx(min(ratios)) if sure else None)
    assert found.presence_high.value == (pytest.approx(max(ratios)) if whole else 1)


@settings(max_examples=25)
@given(CELLS, st.integers(0, 24))
def test_a_part_of_the_reference_is_no_riskier_in_it(everybody: list[Any], cut: int) -> None:
    """Who hides among all hides no worse than in the sample alone."""
    sample = everybody[: cut % len(everybody) + 1]
    said: dict[str, Any] = {"user": "none", "columns": ["a", "b"]}
    inside = k_map(table(sample), table(everybody), reference_user="none", **said)
    itself = k_map(table(sample), table(sample), reference_user="none", **said)
    assert inside.classes_not_in_reference.value == 0
    assert inside.marketer.known <= itself.marketer.known
    assert inside.k_map.known >= itself.k_map.known
    assert itself.presence_low.value == itself.presence_high.value == 1
    assert inside.remarks == (WHO_KNOWS,)
    _, unsaid = k_map(table(sample), table(everybody), **said).remarks
    assert "no person column of the reference was named" in unsaid


def test_classes_that_the_reference_lacks_are_never_safe() -> None:
    found = reference_risk(PairSizes(*numpy.array([[5, 1], [5, 1], [100, 0]])))
    assert (found.k_map.value, found.journalist_highest.value, found.presence_high.value) == (0, 1, 1)
    assert found.marketer.value == pytest.approx((5 / 100 + 1) / 6)
    assert "1 of 2 classes have nobody in the reference" in found.remarks[0]
    assert found.presence_low.value is None
    assert "the reference lacks classes of the sample" in str(found.presence_low.reason)


def test_a_reference_that_lacks_people_is_told() -> None:
    found = reference_risk(PairSizes(*numpy.array([[5], [5], [2]])))
    assert (found.k_map.value, found.presence_high.value) == (2, 1)
    assert "fewer people in the reference than in the sample" in found.remarks[0]
    # 5 of 2 hides that they may be 5 of many
    assert found.presence_low.value is None
    assert "does not hold everybody" in str(found.presence_low.reason)


@pytest.mark.parametrize(
    ("writings", "people"),
    [
        (["01", "1", "001"], [0, 0, 9]),
        (["1E3", "x"], [0, 9]),
        (["01", "2"], [0, 9]),
        (["nan", "NaN"], [0, 0]),
    ],
)
def test_texts_that_a_reference_of_numbers_can_not_tell_apart(
    home: Home, writings: list[str], people: list[int]
) -> None:
    """Nine people of 1 there may be three of each; only who writes as the reference does is found there."""
    sample = [(1, each, 0) for each in writings]
    numbers = table([(1, "", 1)] * 9 + [(1, "", 1000)] * 9).select(["b"]).rename_columns(["a"])
    one, other = Question(("a",)), Question(("a",))
    with home.open(table(sample)) as mine, home.open(numbers) as theirs:
        found = pair_sizes((mine, one), (theirs, other))
    assert len(found.records) == len(writings)
    assert sorted(found.reference.tolist()) == people


def test_the_document() -> None:
    rows = [(1, "x", 1), (2, "y", 2)]
    found = k_map(table(rows), table(rows * 2), user="none", columns=["a"], reference_user="none")
    told = found.to_dict()
    counts = [told[name] for name in ("people", "classes", "k_map", "journalist_highest", "marketer")]
    assert counts == [4, 2, 2, 0.5, 0.5]
    assert (told["presence_low"], told["presence_high"], told["classes_not_in_reference"]) == (0.5, 0.5, 0)
    (for_whom,) = told["remarks"]
    assert "for somebody who does not know who was sampled" in for_whom


def test_bad_references() -> None:
    rows = table([(1, "x", 1), (2, "y", 2)])
    with pytest.raises(InputError, match="the reference has no column 'b'; "):
        k_map(rows, rows.select(["who", "a"]), user="none", columns=["a", "b"])
    with pytest.raises(InputError, match=r"no column 'who' nor 'b'; there are 'a'$"):
        k_map(rows, rows.select(["a"]), user="none", columns=["who", "a", "b"])
    with pytest.raises(InputError, match=r"no column 'who' nor 2 others; there are 'c'$"):
        k_map(rows, rows.select(["a"]).rename_columns(["c"]), user="none", columns=["who", "a", "b"])
    with pytest.raises(InputError, match="the reference has no records; name a table of everybody"):
        k_map(rows, rows.slice(0, 0), user="none", columns=["a"], reference_user="none")
    with pytest.raises(UsageError, match="there is no column 'nobody'"):
        k_map(rows, rows, user="none", columns=["a"], reference_user="nobody")
    with pytest.raises(UsageError, match="with the missing rule value"):
        k_map(rows, rows, user="none", missing="drop")


def test_a_history_as_a_reference_must_say_whose_records_they_are() -> None:
    """Else ten records of one person would hide somebody among ten."""
    people = [f"c{number}" for number in range(40) for _ in range(5)]
    history = pyarrow.table({"customer_id": people, "a": ["x", "y", "z", "x", "w"] * 40})
    sample = pyarrow.table({"a": ["x", "y", "w"]})
    with pytest.raises(UsageError, match="--reference-user customer_id"):
        k_map(sample, history, user="none", columns=["a"])
    found = k_map(sample, history, user="none", columns=["a"], reference_user="customer_id")
    assert found.k_map.value == 40

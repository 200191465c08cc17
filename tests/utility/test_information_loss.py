"""What generalising loses: worked examples, every loss against its definition, and what a loss refuses."""

from __future__ import annotations

import math
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.errors import UsageError
from singleout.roles.hierarchies.hierarchy import Levels
from singleout.utility.information_loss import (
    BY_CLASSES,
    LOSS_MEASURES,
    LOSS_NAMES,
    ColumnCosts,
    Loss,
    LossName,
    column_costs,
    combined_loss,
    weights_of,
)
from tests.by_hand import generalise_oracle as oracle
from tests.by_hand.generalise_oracle import Records

# four raw values, the last one not in the data: as they are, in pairs, all as one
PAIRS = Levels(
    column="a",
    rules=("as it is", "pairs", "suppressed"),
    labels=(("0", "1", "2"), ("01", "01", "23"), ("*", "*", "*")),
    shares=((1, 1, 1), (2, 2, 2), (4, 4, 4)),
    domain=4,
)
RECORDS = numpy.array([4, 2, 2])


def loss_at(costs: ColumnCosts, level: int, records: Any = RECORDS) -> float:
    return float(((costs.at[level] * records).sum() - costs.low) / costs.span)


def suppressed(costs: ColumnCosts, records: Any = RECORDS) -> float:
    return float((costs.full * records.sum() - costs.low) / costs.span)


@pytest.mark.parametrize(
    ("name", "by_level"),
    [
        ("loss", [0, (1 / 2 - 1 / 4) / (1 - 1 / 4), 1]),
        ("levels", [0, 1 / 2, 1]),
        # 4 of 6 and 2 of 6 can't be told apart in the pair 01; as they are there are 4, 2 and 2 of 8
        (
            "non_uniform_entropy",
            [
                0,
                (4 * math.log2(6 / 4) + 2 * math.log2(6 / 2)) / (4 * math.log2(8 / 4) + 4 * math.log2(8 / 2)),
                1,
            ],
        ),
    ],
)
def test_the_losses_of_a_column_worked_by_hand(name: LossName, by_level: list[float]) -> None:
    costs = column_costs(Loss(name), PAIRS, RECORDS)
    assert [loss_at(costs, level) for level in range(3)] == pytest.approx(by_level)
    assert suppressed(costs) == pytest.approx(1)


def test_losses_of_columns_are_put_together() -> None:
    assert combined_loss(Loss("loss"), [1, 1], [0.5, 0.125]) == pytest.approx(math.sqrt(1.5 * 1.125) - 1)
    assert combined_loss(Loss("loss"), [1, 0], [0.5, 0.125]) == pytest.approx(math.sqrt(1.5) - 1)
    assert combined_loss(Loss("levels"), [2, 1], [0.5, 0.125]) == pytest.approx(1.125)
    assert combined_loss(Loss("loss"), [1, 1, 1], [1, 1, 1]) == pytest.approx(1)


def test_bits_of_columns_weigh_as_many_as_they_are() -> None:
    costs = [column_costs(Loss("non_uniform_entropy"), PAIRS, each) for each in (RECORDS, RECORDS[[1, 2, 0]])]
    assert weights_of(Loss("non_uniform_entropy"), ["a", "b"], costs) == pytest.approx([0.5, 0.5])
    thrice = Loss("non_uniform_entropy", {"b": 3})
    assert weights_of(thrice, ["a", "b"], costs) == pytest.approx([0.25, 0.75])
    nothing = Loss("non_uniform_entropy", {"a": 0, "b": 0})
    assert weights_of(nothing, ["a", "b"], costs).tolist() == [0, 0]
    assert weights_of(Loss("loss", {"b": 3}), ["a", "b"], costs).tolist() == [1, 3]


@st.composite
def tables(draw: st.DrawFn) -> tuple[oracle.Column, list[int]]:
    many = draw(st.integers(1, 6))
    height = draw(st.integers(0, 2))
    values = []
    for value in range(many):
        coarse = draw(st.integers(0, 1))
        values.append((str(value), f"1/{coarse}", "*")[: height + 1])
    present = draw(st.integers(1, many))
    rows = draw(st.lists(st.integers(0, present - 1), min_size=1, max_size=15))
    return oracle.Column("a", tuple(values), present), rows


@settings(max_examples=100)
@given(table=tables(), name=st.sampled_from(["loss", "non_uniform_entropy", "levels"]))
def test_costs_are_the_definition(table: tuple[oracle.Column, list[int]], name: LossName) -> None:
    column, rows = table
    records = numpy.bincount(rows, minlength=column.present)
    present, height = range(column.present), range(column.height + 1)
    levels = Levels(
        column="a",
        rules=tuple(map(str, height)),
        labels=tuple(tuple(column.values[value][level] for value in present) for level in height),
        shares=tuple(tuple(column.alike(value, level) for value in present) for level in height),
        domain=len(column.values),
    )
    costs = column_costs(Loss(name), levels, records)
    by_hand = {"loss": oracle.iyengar, "non_uniform_entropy": oracle.entropy, "levels": oracle.levels}[name]
    asked = Records((column,), tuple((value,) for value in rows), None, (), ())
    for level in height:
        expected = by_hand(asked, (level,), set(), {})
        assert (loss_at(costs, level, records) if costs.span else 0.0) == pytest.approx(expected, abs=1e-9)
    if costs.span:
        assert suppressed(costs, records) == pytest.approx(1)
    assert all((costs.least() <= at).all() and (at <= costs.full).all() for at in costs.at)


@pytest.mark.parametrize("times", [1, 10**3, 10**6, 10**9, 10**12])
def test_bits_of_a_billion_records_neither_overflow_nor_blur(times: int) -> None:
    """As many more of each value lose the same share."""
    few = column_costs(Loss("non_uniform_entropy"), PAIRS, RECORDS)
    many = column_costs(Loss("non_uniform_entropy"), PAIRS, RECORDS * times)
    assert 0 < many.span < 2**63
    for level in range(3):
        assert loss_at(many, level, RECORDS * times) == pytest.approx(loss_at(few, level), rel=1e-3)
    if times <= 10**6:
        assert loss_at(many, 1, RECORDS * times) == pytest.approx(loss_at(few, 1), rel=1e-9)


def test_a_column_of_one_value_loses_nothing() -> None:
    one = Levels("a", ("as it is",), (("0",),), ((1,),), 1)
    for name in LOSS_NAMES:
        assert column_costs(Loss(name), one, numpy.array([5])).span == 0


def test_a_value_that_no_record_has_costs_no_bits() -> None:
    costs = column_costs(Loss("non_uniform_entropy"), PAIRS, numpy.array([4, 0, 4]))
    two_bits = costs.at[0][0]
    assert two_bits == costs.full * 2 // 3
    assert costs.at[0].tolist() == [two_bits, 0, two_bits]
    assert costs.low == 8 * two_bits


def test_every_loss_is_a_measure() -> None:
    assert [each.name for each in LOSS_MEASURES] == list(LOSS_NAMES)
    for name in LOSS_NAMES:
        assert Loss(name).measure.name == name
        assert Loss(name).measure.better == "lower"


@pytest.mark.parametrize("weight", [-1, float("inf"), float("nan"), True, "1", None])
def test_a_weight_is_a_number(weight: Any) -> None:
    with pytest.raises(UsageError, match="for 'a' is no weight; write a number from 0 to 1,000,000"):
        Loss("loss", {"a": weight})


def test_what_a_loss_refuses() -> None:
    with pytest.raises(UsageError, match="did you mean 'discernibility'"):
        Loss("discernability")  # type: ignore[arg-type]
    for name in BY_CLASSES:
        with pytest.raises(UsageError, match="is counted over classes"):
            Loss(name, {"a": 1})
    with pytest.raises(UsageError, match="'agee' is not generalised; did you mean 'age'"):
        Loss("loss", {"agee": 2}).check(["sex", "age"])
    Loss("loss", {"age": 2}).check(["sex", "age"])
    assert (Loss("loss", {"age": 2}).weight("age"), Loss().weight("sex")) == (2, 1)

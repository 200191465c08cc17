"""Linkage by one number a person, and texts as exact numbers."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.attacks.linkage.number_linkage import NumberLinkage
from singleout.engine.codes.column_numbers import amounts_of, kind_of, seconds_of
from singleout.engine.codes.histories import Histories, History
from singleout.errors import InputError
from singleout.progress import silent
from tests.by_hand.nearest_by_hand import Row, Table, check, coded, tables

AMOUNTS = st.sampled_from(["0", "0.1", "0.2", "0.3", ".5", "-1.25", "+7", " 10 ", "1e1", "1E-2", None])


def total(table: Table, person: int) -> Fraction:
    return sum((Fraction((row["fare"] or "0").strip()) for row in table.of(person)), Fraction(0))


def check_numbers(linkage: NumberLinkage, original: list[Fraction], release: list[Fraction]) -> None:
    check(linkage, [[-abs(one - other) for other in original] for one in release], len(original))
    alike = linkage.indistinguishable().tolist()
    same = [[one == other for other in release] for one in release]
    assert [[one == other for other in alike] for one in alike] == same


@settings(max_examples=60)
@given(tables({"fare": AMOUNTS}), tables({"fare": AMOUNTS}))
def test_numbers_of_records_and_sums_equal_the_definition(original: Table, release: Table) -> None:
    both = coded(original, release, ["fare"])
    counts = [[Fraction(len(table.of(who))) for who in range(table.people)] for table in (original, release)]
    check_numbers(NumberLinkage.of_records(both), *counts)
    sums = [[total(table, who) for who in range(table.people)] for table in (original, release)]
    check_numbers(NumberLinkage.of_amount(both, "fare"), *sums)


@settings(max_examples=40)
@given(st.lists(st.integers(0, 12), max_size=40), st.lists(st.integers(-2, 14), max_size=8))
def test_many_equal_numbers(original: list[int], release: list[int]) -> None:
    linkage = NumberLinkage(numpy.array(original, dtype=numpy.int64), numpy.array(release, dtype=numpy.int64))
    check(linkage, [[Fraction(-abs(one - other)) for other in original] for one in release], len(original))


def test_several_numbers_on_both_sides_may_be_equally_far_after_rounding() -> None:
    original = numpy.array([3e-20, 2.0, 1e-20, 2.0, -1e-20])
    best = NumberLinkage(original, numpy.array([1.0])).best(4, silent)
    assert best.person.tolist() == [[0, 1, 2, 3]]
    assert best.score.tolist() == [[-1.0] * 4]
    assert best.tied_last.tolist() == [5]


def test_decimals_are_exact() -> None:
    """0.1 + 0.2 is 0.3 here, and so are equal distances to both sides."""
    original = Table(
        3, ((0, {"fare": "0.1"}), (0, {"fare": "0.2"}), (1, {"fare": "0.3"}), (2, {"fare": "0.5"}))
    )
    release = Table(1, ((0, {"fare": "0.4"}),))
    best = NumberLinkage.of_amount(coded(original, release, ["fare"]), "fare").best(3, silent)
    assert best.score.tolist() == [[-0.1, -0.1, -0.1]]
    assert best.tied_last.tolist() == [3]


@pytest.mark.parametrize(
    ("amounts", "sums"),
    [
        (["9223372036854775807", "1"], [9223372036854775807 + 1.0, 1.0]),
        (["9007199254740993", "0.5"], [9007199254740993.0, 0.5]),
        (["1e30", "1e-30"], [1e30, 1e-30]),
    ],
)
def test_sums_that_do_not_fit_are_nearest(amounts: list[str], sums: list[float]) -> None:
    table = Table(2, ((0, {"fare": amounts[0]}), (1, {"fare": amounts[1]})))
    linkage = NumberLinkage.of_amount(coded(table, table, ["fare"]), "fare")
    assert linkage.score(numpy.array([0, 1, 0]), numpy.array([0, 1, 1])).tolist() == pytest.approx(
        [0.0, 0.0, sums[1] - sums[0]]
    )


def test_the_order_of_the_records_does_not_change_an_inexact_sum() -> None:
    amounts = ["1e20", "1e-9", "-1e20", "3.3", "1e-9"]
    rows: list[Row] = [(0, {"fare": amount}) for amount in amounts]
    table, turned = Table(1, tuple(rows)), Table(1, tuple(rows[::-1]))
    linkage = NumberLinkage.of_amount(coded(table, turned, ["fare"]), "fare")
    assert linkage.score(numpy.array([0]), numpy.array([0])).tolist() == [0.0]


def test_amounts_that_are_no_numbers_are_counted_but_not_shown() -> None:
    with pytest.raises(InputError) as caught:
        amounts_of("fare", ["1_000", "inf", "nan", "1,5", "", "٣", "0x10", "1e999", "secret", "2", None])
    text = str(caught.value)
    assert text.startswith(
        "column 'fare': 9 of its 10 different values are no numbers; write all like 35 or 2.5"
    )
    assert "secret" not in text


def test_sums_beyond_all_numbers() -> None:
    table = Table(1, ((0, {"fare": "1e308"}), (0, {"fare": "1e308"})))
    with pytest.raises(InputError, match="too large to add up"):
        NumberLinkage.of_amount(coded(table, table, ["fare"]), "fare")


def test_amounts() -> None:
    found = amounts_of("fare", ["1.50", None, "-2", "0.125"])
    assert found.exact
    assert found.numbers.tolist() == [1500, 0, -2000, 125]
    assert found.missing.tolist() == [False, True, False, False]
    assert found.decimals == 3
    far = amounts_of("fare", ["1e300", "1e-300", None])
    assert not far.exact
    assert far.numbers.tolist() == [1e300, 1e-300, 0.0]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "-2.5", None, "1e3"], "number"),
        (
            ["2011-01-31", "2011/1/5", "2011.01.31 08:26", "2011-01-31T08:26:00", "2011-01-31 08:26:00.000"],
            "time",
        ),
        (["2011-01-31 8:26", "2011-01-31T08:26:00+01:00", "2011-01-31 08:26:00.25Z", "2011-01"], "time"),
        (["08:26:00.5", "8:26"], "time"),
        (["2011-01-31 08:60"], "category"),
        (["2011-01-31 08:26:001"], "category"),
        (["08:26", "8:26:30", None], "time"),
        (["2011-01-31", "08:26"], "category"),
        (["2011-02-30"], "category"),
        (["2011-01/31"], "category"),
        (["24:00"], "category"),
        (["1", "x"], "category"),
        (["."], "category"),
        (["e5"], "category"),
        ([""], "category"),
        ([None], "category"),
        ([], "category"),
    ],
)
def test_kinds(values: list[str | None], kind: str) -> None:
    assert kind_of(values) == kind


def test_seconds() -> None:
    day = seconds_of("when", ["2011-01-31", "2011/01/31 08:26", "2011-01-31T08:26:10", None, "1969-12-31"])
    assert (day.numbers - day.numbers[0]).tolist()[1:3] == [8 * 3600 + 26 * 60, 8 * 3600 + 26 * 60 + 10]
    assert int(day.numbers[0] - day.numbers[4]) == (date(2011, 1, 31) - date(1969, 12, 31)).days * 86400
    assert day.missing.tolist() == [False, False, False, True, False]
    with pytest.raises(InputError, match="column 'when': 1 of its 2 different values are no times"):
        seconds_of("when", ["2011-01-31", "soon"])


def test_seconds_since_the_first_day_of_all() -> None:
    """The first of January of the year 1 is day 1; what is written counts, without fractions and offsets."""
    first = ["0001-01-01", "0001/1/1 0:01", "0001-01-01 00:00:10.75", "0001-01-01T01:00:00+05:00", None]
    read = seconds_of("when", first)
    assert read.numbers.tolist() == [86400, 86460, 86410, 90000, 0]
    assert read.exact
    assert read.missing.tolist() == [False] * 4 + [True]
    assert seconds_of("at", ["8:26", "08:26:30.9", "00:00"]).numbers.tolist() == [30360, 30390, 0]


def test_one_amount_of_many_decimals_breaks_no_tie() -> None:
    """Sums that are equal to the cent stay so beside an amount such as pandas writes."""
    prices = ("0.10", "0.20", "0.30", "0.45999999999999996", "0.46")
    person = numpy.array([0, 0, 1, 2, 3], numpy.uint32)
    table = History(4, person, {"price": numpy.array([0, 1, 2, 3, 4], numpy.uint32)})
    linkage = NumberLinkage.of_amount(Histories(table, table, {"price": prices}), "price")
    assert linkage.indistinguishable().tolist() == [0, 0, 1, 1]
    assert linkage.score(numpy.array([0, 0]), numpy.array([1, 2])).tolist() == [0.0, -0.16]

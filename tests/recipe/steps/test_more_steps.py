"""Generalising, microaggregation, swapping, post-randomisation, shifting of dates; columns as numbers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy
import pyarrow
import pyarrow.csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from singleout.errors import InputError, SingleoutError, UsageError
from singleout.recipe.record_table import RecordTable
from singleout.recipe.steps import mdav_kernels as nearest_group_kernels
from singleout.recipe.steps import microaggregate
from singleout.recipe.steps.generalise import Generalise
from singleout.recipe.steps.mdav_kernels import part_into_groups
from singleout.recipe.steps.microaggregate import Microaggregate, near_groups
from singleout.recipe.steps.number_columns import numbers_of, round_to
from singleout.recipe.steps.pram import Pram
from singleout.recipe.steps.shift_dates import ShiftDates
from singleout.recipe.steps.step import Change, Step
from singleout.recipe.steps.swap import Swap

TENS = [{"type": "raw"}, {"type": "interval", "width": 10}, {"type": "suppress"}]
EACH: list[Callable[[], Step]] = [
    lambda: Generalise(("number",), level=1, levels=TENS),  # type: ignore[arg-type]
    lambda: Microaggregate(("number", "price"), k=2),
    lambda: Microaggregate(("number", "price"), k=2, by="person", of="median"),
    lambda: Swap(("number", "town"), within=0.5),
    lambda: Swap(("number", "town"), how="record", share=0.6, same=("date",)),
    lambda: Pram(("town", "date"), keep=0.3),
    lambda: Pram(("town",), keep=0.3, invariant=True),
    lambda: ShiftDates(("date",), days=20),
]
NAMES = ("generalise", "mean", "median", "rank", "record", "pram", "invariant", "shift")


def records_of(columns: dict[str, Any], person: Sequence[int] | None = None) -> RecordTable:
    table = pyarrow.table(columns)
    who = numpy.arange(len(table)) if person is None else numpy.array(person, dtype=numpy.int64)
    user = None if person is None else "name"
    return RecordTable(table, who, int(who.max(initial=-1)) + 1, user)


def applied(step: Step, records: RecordTable, seed: int = 0) -> Change:
    return step.apply(records, numpy.random.default_rng(seed))


def column_of(change: Change, name: str) -> list[Any]:
    found: list[Any] = change.records.column(name).to_pylist()
    return found


def shop(rows: int = 12) -> RecordTable:
    """Texts as of a CSV file, a missing value in each column, three people."""
    draw = numpy.random.default_rng(5)
    return records_of(
        {
            "number": [None if row == 3 else str(draw.integers(0, 60)) for row in range(rows)],
            "price": [None if row == 4 else f"{draw.integers(0, 999) / 100:.2f}" for row in range(rows)],
            "town": [None if row == 5 else 'a"é,Ü'[draw.integers(0, 5)] for row in range(rows)],
            "date": [None if row == 6 else f"2011/{draw.integers(1, 4)}/7" for row in range(rows)],
        },
        [row % 3 for row in range(rows)],
    )


def typed(records: RecordTable) -> RecordTable:
    """The same as of a typed source."""

    def day(text: str | None) -> date | None:
        return None if text is None else datetime.strptime(text, "%Y/%m/%d").date()

    columns = records.table.to_pydict()
    made = {
        "number": pyarrow.array([None if each is None else int(each) for each in columns["number"]]),
        "price": pyarrow.array(
            [None if each is None else Decimal(each) for each in columns["price"]], pyarrow.decimal128(9, 2)
        ),
        "town": pyarrow.array(columns["town"]).dictionary_encode(),
        "date": pyarrow.array([day(each) for each in columns["date"]], pyarrow.date32()),
    }
    return RecordTable(pyarrow.table(made), records.person, records.people, records.user)


@pytest.mark.parametrize("make", EACH, ids=NAMES)
@pytest.mark.parametrize("kind", ["text", "typed"])
def test_every_step_is_honest(make: Callable[[], Step], kind: str) -> None:
    """It touches its columns only, counts what differs, leaves its input, and the seed decides alone."""
    records = shop() if kind == "text" else typed(shop())
    before = records.table.to_pydict()
    step = make()
    change = applied(step, records)
    after = change.records.table.to_pydict()
    assert records.table.to_pydict() == before
    assert {name for name in before if before[name] != after[name]} <= set(step.columns)
    differing = sum(
        str(old) != str(new) for name in before for old, new in zip(before[name], after[name], strict=True)
    )
    assert (change.changed, change.unit) == (differing, "values")
    assert change.changed > 0
    assert applied(make(), records).records.table.equals(change.records.table)
    assert change.records.person.tolist() == records.person.tolist()
    missing = [[each is None for each in values] for values in before.values()]
    if not isinstance(step, Swap):
        assert [[each is None for each in values] for values in after.values()] == missing


@pytest.mark.parametrize("make", EACH, ids=NAMES)
def test_texts_and_types_give_the_same(make: Callable[[], Step]) -> None:
    texts, types = (applied(make(), records) for records in (shop(), typed(shop())))

    def plain(value: Any) -> str:
        return "" if value is None else str(value).replace("-0", "/").replace("-", "/")

    for name in texts.records.names:
        assert list(map(plain, column_of(texts, name))) == list(map(plain, column_of(types, name)))
    assert texts.changed == types.changed


@pytest.mark.parametrize("make", EACH, ids=NAMES)
@pytest.mark.parametrize("kind", ["text", "null"])
@pytest.mark.parametrize("rows", [0, 1, 3])
def test_nothing_but_missing_values(make: Callable[[], Step], kind: str, rows: int) -> None:
    values = pyarrow.nulls(rows, pyarrow.string() if kind == "text" else pyarrow.null())
    records = records_of(dict.fromkeys(("number", "price", "town", "date"), values))
    change = applied(make(), records)
    if not isinstance(make(), Generalise):
        assert change.records.table.to_pydict() == records.table.to_pydict()
        assert change.changed == 0


@pytest.mark.parametrize("make", EACH, ids=NAMES)
def test_a_column_that_is_not_there(make: Callable[[], Step]) -> None:
    with pytest.raises(UsageError, match="there is no column"):
        applied(make(), records_of({"other": ["1", "2"]}))


MISTAKES: list[tuple[Callable[[], Step], tuple[str, ...]]] = [
    (
        lambda: Generalise(("a", "b"), level=-1, seed=-1),
        ("one column", "hierarchy, levels", "level: -1", "seed: -1"),
    ),
    (lambda: Generalise(("a",), level=3, levels=TENS), ("beyond the last of the levels; it is 2",)),  # type: ignore[arg-type]
    (lambda: Generalise(("a",), level=True, levels=[{"type": "intervl"}]), ("interval", "level: True")),  # type: ignore[arg-type]
    (lambda: Generalise(("a",), level=0, hierarchy=7), ("hierarchy: is no file",)),  # type: ignore[arg-type]
    (lambda: Generalise(("a",), level=0, levels=()), ("should be a list",)),
    (lambda: Generalise(None, level=0, levels="x"), ("columns", "should be a list")),  # type: ignore[arg-type]
    (lambda: Microaggregate((), k=1, by="recrd", of="mode"), ("columns", "k: 1", "'record'", "'mean'")),
    (lambda: Microaggregate("age", k=2.5), ("columns: 'age'", "k: 2.5")),  # type: ignore[arg-type]
    (lambda: Microaggregate(("a", "a"), k=True), ("names 'a' twice", "k: True")),
    (lambda: Swap(("a",)), ("within: is missing",)),
    (lambda: Swap(("a",), within=0), ("within: 0",)),
    (lambda: Swap(("a",), within="much", same=("b",)), ("within: 'much'", "same: is only for")),  # type: ignore[arg-type]
    (lambda: Swap(("a",), how="record", within=0.1, same=("a",)), ("share", "within: is only", "'a' is one")),
    (lambda: Swap(("a",), how="rows", share=2.0, same=3), ("how: 'rows'", "share: 2.0", "same: 3")),  # type: ignore[arg-type]
    (lambda: Pram(("a",), keep=1, by="chance", invariant=1), ("keep: 1", "by: 'chance'", "invariant: 1")),  # type: ignore[arg-type]
    (lambda: Pram(("a",), keep=float("nan"), by="uniform", invariant=True), ("keep: nan", "by frequency")),
    (lambda: Pram(("a",), keep=None), ("keep",)),  # type: ignore[arg-type]
    (lambda: ShiftDates(("a",), days=0, never_zero="yes"), ("days: 0", "never_zero: 'yes'")),  # type: ignore[arg-type]
    (lambda: ShiftDates(("a",), days=10**30), ("3,652,058",)),
    (lambda: ShiftDates(("a",), days=None), ("days: is missing",)),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("make", "parts"), MISTAKES)
def test_all_mistakes_at_once(make: Callable[[], Step], parts: tuple[str, ...]) -> None:
    with pytest.raises(UsageError) as caught:
        make()
    assert all(part in str(caught.value) for part in parts), str(caught.value)
    assert "\n" not in str(caught.value)


def test_lists_are_taken() -> None:
    assert Pram(["town"], keep=0.5).columns == ("town",)  # type: ignore[arg-type]
    assert Swap(["a"], how="record", share=1, same=["b"]).same == ("b",)  # type: ignore[arg-type]


def test_numbers_of_other_kinds_are_numbers_too() -> None:
    records = records_of({"x": [str(each) for each in range(40)], "day": ["2010-12-01"] * 40})
    fifth: Any = numpy.float32(0.2)
    assert applied(Swap(("x",), within=fifth), records).how == "values exchanged within 0.2 of all ranks"
    assert applied(Pram(("x",), keep=fifth), records).changed > 20
    days: Any = numpy.uint8(100)
    assert applied(ShiftDates(("day",), days=days), records).changed > 30


def test_booleans_and_not_a_number_are_categories() -> None:
    records = records_of({"yes": [True, False, None, True], "x": [float("nan"), 1.0, 2.0, None]})
    for step in (Pram(("yes", "x"), keep=0), Swap(("yes", "x"), within=1)):
        change = applied(step, records)
        assert change.changed >= 4
        assert change.records.table.schema == records.table.schema


# --- numbers of columns ---


@settings(max_examples=150)
@given(st.lists(st.decimals(-999, 999, places=3) | st.none(), max_size=8), st.integers(0, 3))
def test_rounding_equals_that_of_decimals(values: list[Decimal | None], places: int) -> None:
    """To the nearest, a half away from zero: what the decimal module calls ROUND_HALF_UP."""
    column = pyarrow.array([None if each is None else f"{each:f}" for each in values], pyarrow.string())
    zeros = pyarrow.array([None if each is None else "0.001" for each in values], pyarrow.string())
    numbers = numbers_of("x", zeros)
    written = numbers.as_column(numbers_of("x", column).values, places).to_pylist()
    for value, text in zip(values, written, strict=True):
        if value is not None and value != Decimal("0.001"):
            assert Decimal(text) == value.quantize(Decimal(1).scaleb(-places), "ROUND_HALF_UP")
        assert (text is None) == (value is None)


@pytest.mark.parametrize(
    ("column", "new", "decimals", "written"),
    [
        (
            pyarrow.array(["2.50", None, " +10 ", "1e-3"]),
            [2.5, 1, 11, 0.0015],
            None,
            ["2.5", None, "11", "0.002"],
        ),
        (pyarrow.array(["1.50", "2"]), [1.504, 2.4], None, ["1.5", "2.4"]),
        (pyarrow.array(["10.0", "2.55"]), [11, 2.55], None, ["11.0", "2.55"]),
        (pyarrow.array(["10.0", "2.55"]), [10, 3], None, ["10.0", "3.0"]),
        (
            pyarrow.array(["+5", "1e1", "007", " 8", "-0.0", "9."]),
            [5, 10, 7, 8, 0, 1],
            None,
            ["5", "10", "7", "8", "0", "1"],
        ),
        (
            pyarrow.array(["1e23", "2"], pyarrow.large_string()),
            [1e23, 3e22],
            None,
            ["1" + "0" * 23, "3" + "0" * 22],
        ),
        (pyarrow.array(["1e-13", "2"]), [1e-13, 3e-20], None, ["0." + "0" * 12 + "1", "0." + "0" * 19 + "3"]),
        (pyarrow.array(["1.50", "2.00"]), [1.504, 2.4], None, ["1.50", "2.40"]),
        (pyarrow.array(["1.5", "2.25"]), [1.504, 2.26], None, ["1.5", "2.26"]),
        (pyarrow.array(["1.256", "2"]), [1.256, 2.34], 1, ["1.256", "2.3"]),
        (pyarrow.array(["-3", "4"]), [-2.5, -0.4], None, ["-3", "0"]),
        (pyarrow.array(["3", "4"]), [3.25, 4], 1, ["3.3", "4"]),
        (pyarrow.array(["0.1234567890123"]), [0.1 + 0.2], None, ["0.30000000000000004"]),
        (pyarrow.array([1, None, 2**62 + 1]), [2.5, 3, 2.0**62], None, [3, None, 2**62 + 1]),
        (pyarrow.array([1, 2]), [-1e30, 1e30], None, [-(2**63), 2**63 - 1]),
        (pyarrow.array([1, 250], pyarrow.uint8()), [-2.5, 1e30], None, [0, 255]),
        (pyarrow.array([1, 250], pyarrow.uint8()), [1.256, 250], 2, [1.26, 250.0]),
        (
            pyarrow.array([1.25, None, 3]),
            [1.2546, 3, float("inf")],
            None,
            [1.25, None, 1.7976931348623157e308],
        ),
        (pyarrow.array([1.25, 3e-20]), [1.2546, 7e-20], None, [1.2546, 7e-20]),
        (pyarrow.array([1.5], pyarrow.float32()), [1e300], None, [3.4028234663852886e38]),
        (
            pyarrow.array([Decimal("1.25"), None, Decimal("9.99")]),
            [1.2549, 3, 1e30],
            None,
            [Decimal("1.25"), None, Decimal("9.99")],
        ),
        (pyarrow.array([Decimal("1.25")]), [1.2546], 3, [Decimal("1.255")]),
        (pyarrow.array([Decimal("1.25")]), [1.2546], 1, [Decimal("1.30")]),
        (pyarrow.nulls(2), [1, 2], None, [None, None]),
    ],
)
def test_numbers_are_written_as_the_column_has_them(
    column: pyarrow.Array, new: list[float], decimals: int | None, written: list[Any]
) -> None:
    found = numbers_of("x", column).as_column(numpy.array(new, dtype=numpy.float64), decimals)
    assert found.to_pylist() == written
    if decimals is None:
        assert found.type == column.type


WRITINGS: list[Callable[[Decimal], str]] = [
    str,
    lambda number: f"+{abs(number)}",
    lambda number: f"{number}00" if "." in str(number) else f"{number}.00",
    lambda number: f" {number}\t",
    lambda number: f"00{abs(number)}",
    lambda number: f"{number.scaleb(-2)}e2",
]


def in_one_form(number: Fraction, fewest: int) -> str:
    """All digits before the point, after it as many as are needed, or the fewest."""
    places = next(each for each in range(fewest, 40) if (number * 10**each).denominator == 1)
    digits = str(abs(int(number * 10**places))).rjust(places + 1, "0")
    whole, fraction = digits[: len(digits) - places], digits[len(digits) - places :]
    return ("-" if number < 0 else "") + whole + ("." + fraction if fraction else "")


@settings(max_examples=200)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 3).flatmap(lambda places: st.decimals(-99, 99, places=places)),
            st.sampled_from(WRITINGS),
            st.booleans(),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_the_writing_of_a_number_does_not_tell_if_it_changed(
    rows: list[tuple[Decimal, Callable[[Decimal], str], bool]],
) -> None:
    texts = [write(number) for number, write, _ in rows]
    numbers = numbers_of("x", pyarrow.array(texts))
    moves = numpy.array([moved for *_, moved in rows])
    written = numbers.as_column(numbers.values + moves).to_pylist()
    if not moves.any():
        assert written == texts
        return
    fewest = min(len(text.strip().partition("e")[0].partition(".")[2]) - 2 * ("e" in text) for text in texts)
    new = [Fraction(text.strip()) + moved for text, (*_, moved) in zip(texts, rows, strict=True)]
    assert written == [in_one_form(each, max(fewest, 0)) for each in new]


def test_a_number_that_stays_keeps_all_its_digits() -> None:
    long = ["0.1234567890123456789012345", "12345678901234567890", "+9007199254740993.10", None, "1"]
    numbers = numbers_of("x", pyarrow.array(long))
    new = numbers.values + numpy.array([0, 0, 0, 0, 1])
    assert numbers.as_column(new).to_pylist() == [*long[:2], "9007199254740993.1", None, "2"]
    assert numbers.as_column(numbers.values).equals(numbers.column)


@pytest.mark.parametrize("scale", [0, 1, 10, 37, 38])
@pytest.mark.parametrize(("make", "precision"), [(pyarrow.decimal128, 38), (pyarrow.decimal256, 76)])
def test_decimals_end_where_their_type_does(
    make: Callable[[int, int], pyarrow.DataType], precision: int, scale: int
) -> None:
    most = Decimal("9" * precision + f"e-{scale}")
    column = pyarrow.array([Decimal(0), Decimal(0), most, None], make(precision, scale))
    numbers = numbers_of("x", column)
    beyond = numpy.append(numpy.array([1e300, -1e300]), numbers.values[2:])
    found = numbers.as_column(beyond)
    assert found.type == column.type
    assert found.to_pylist() == [most, most.copy_negate(), most, None]
    # 76 digits have no room for one more
    assert precision == 38 or numbers.as_column(beyond, scale + 1).equals(found)
    near = numpy.append(numpy.nextafter(float(most), 0), numbers.values[1:])
    assert abs(numbers.as_column(near).to_pylist()[0] - most) < most / 10**14


@pytest.mark.parametrize(
    ("column", "why"),
    [
        (pyarrow.array(["1", "", "secret", "nan", "1e999", "1,5", "1_0"]), "6 of its 7 different values"),
        (pyarrow.array([True, None]), "no numbers but bool"),
        (pyarrow.array([date(2011, 1, 1)]), "no numbers but date32"),
        (pyarrow.array([1.0, float("inf"), float("nan")]), "2 of its 3 values are infinite"),
    ],
)
def test_values_that_are_no_numbers(column: pyarrow.Array, why: str) -> None:
    with pytest.raises(InputError, match=f"column 'fare': .*{why}") as caught:
        numbers_of("fare", column)
    assert "secret" not in str(caught.value)


def test_decimals_of_columns() -> None:
    columns = (["1", "2"], ["1.50"], ["15e-4"], ["1.5e1"], ["1e5"], ["1e-30"], [None])
    assert [numbers_of("x", pyarrow.array(each, pyarrow.string())).decimals for each in columns] == [
        *(0, 2, 4, 0, 0, 12, 0)
    ]
    assert numbers_of("x", pyarrow.array([1.25, 3.0, 1e22])).decimals == 2
    assert numbers_of("x", pyarrow.array([1.1], pyarrow.float32())).decimals == 1


def test_halves_that_binary_digits_miss_are_halves() -> None:
    """1.005 is a little less than that as a float64, but was meant to be it."""
    halves = [Decimal(each).scaleb(-3) for each in range(5, 20_000, 10)]
    found = round_to(numpy.array(halves, dtype=numpy.float64), 2).tolist()
    assert found == [float(each.quantize(Decimal("0.01"), "ROUND_HALF_UP")) for each in halves]


def test_rounding_of_large_numbers_and_to_tens() -> None:
    large = numpy.array([2.0**52 + 1, 1e300, -(2.0**60), 2.0**46 + 0.5])
    assert round_to(large, 0).tolist() == [2.0**52 + 1, 1e300, -(2.0**60), 2.0**46 + 1]
    assert round_to(numpy.array([15.0, -25, 4]), -1).tolist() == [20, -30, 0]


# --- generalise ---


def test_generalise_from_a_file(tmp_path: Path) -> None:
    table = tmp_path / "any.csv"
    table.write_text("17;young;*\n18;grown;*\n40;grown;*\n")
    definition = tmp_path / "levels.json"
    definition.write_text(json.dumps({"attributes": {"age": {"levels": TENS}}}))
    records = records_of({"age": [17, 40, None, 18]})
    change = applied(Generalise(("age",), level=1, hierarchy=str(table)), records)
    assert column_of(change, "age") == ["young", "grown", None, "grown"]
    assert (change.changed, change.how) == (3, "level 1 of age: level 1 of any.csv")
    by_definition = applied(Generalise(("age",), level=1, hierarchy=definition), records)
    assert column_of(by_definition, "age") == ["10-19", "40-49", None, "10-19"]
    suppressed = applied(Generalise(("age",), level=2, hierarchy=definition), records)
    assert column_of(suppressed, "age") == ["*"] * 4
    assert suppressed.changed == 4
    with pytest.raises(UsageError, match="level: 3 is beyond the last of age; it is 2"):
        applied(Generalise(("age",), level=3, hierarchy=table), records)
    with pytest.raises(InputError, match=r"not in any\.csv"):
        applied(Generalise(("age",), level=1, hierarchy=table), records_of({"age": ["99"]}))
    with pytest.raises(SingleoutError, match=r"none\.csv"):
        applied(Generalise(("age",), level=1, hierarchy=tmp_path / "none.csv"), records)


def test_level_0_leaves_a_typed_column_as_it_is() -> None:
    records = records_of({"age": pyarrow.array([Decimal("35.00"), None])})
    change = applied(Generalise(("age",), level=0, levels=TENS), records)  # type: ignore[arg-type]
    assert change.changed == 0
    assert change.records.table.equals(records.table)


def test_typed_values_are_generalised_as_texts() -> None:
    levels = ({"type": "date", "to": "month"},)
    days = pyarrow.array([datetime(2010, 12, 1, 8, 26), None, datetime(2011, 1, 9)], pyarrow.timestamp("us"))
    change = applied(Generalise(("at",), level=0, levels=levels), records_of({"at": days}))
    assert column_of(change, "at") == ["2010-12", None, "2011-01"]
    some = ({"type": "map", "map": {"35": "mid", "40": "40"}},)
    fares = pyarrow.array([Decimal("35.00"), Decimal("40.00")])
    change = applied(Generalise(("fare",), level=0, levels=some), records_of({"fare": fares}))
    assert (column_of(change, "fare"), change.changed) == (["mid", "40"], 1)


# --- microaggregate ---

Point = tuple[float, ...]


def squared(one: Point, other: Point) -> float:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def mdav(points: list[Point], k: int) -> list[list[int]]:
    """The definition on points in their order: the first of equals is taken."""
    left, groups = list(range(len(points))), []

    def around(centre: int) -> None:
        near = sorted(
            (each for each in left if each != centre), key=lambda each: squared(points[each], points[centre])
        )
        groups.append(sorted([centre, *near[: k - 1]]))
        left[:] = [each for each in left if each not in groups[-1]]

    while len(left) >= 2 * k:
        two = len(left) >= 3 * k
        total = tuple(map(sum, zip(*(points[each] for each in left), strict=True)))
        from_mean = [squared(tuple(len(left) * x for x in points[each]), total) for each in left]
        first = left[from_mean.index(max(from_mean))]
        around(first)
        if two:
            around(max(left, key=lambda each: squared(points[each], points[first])))
    return [*groups, left]


@settings(max_examples=200)
@given(
    st.integers(1, 3).flatmap(
        lambda width: st.lists(st.tuples(*[st.integers(0, 6)] * width), min_size=5, max_size=40)
    ),
    st.integers(2, 12),
    st.sampled_from([1, 100, 10**8]),
)
def test_groups_equal_the_definition(points: list[Point], k: int, at_once: int) -> None:
    """Also in small pieces."""
    group = numpy.full(len(points), -1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearest_group_kernels, "AT_ONCE", at_once)
        count = part_into_groups(numpy.array(points, dtype=numpy.float64), k, group)
    found = [numpy.flatnonzero(group == number).tolist() for number in range(count)]
    assert found == mdav(points, k)


@settings(max_examples=100)
@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(-9, 9)), min_size=4, max_size=40),
    st.integers(2, 4),
    st.randoms(use_true_random=False),
)
def test_laws_of_microaggregation(rows: list[tuple[int, int]], k: int, mixer: Any) -> None:
    """Groups of k to 2k−1, no matter in which order the records come; sums are kept up to rounding."""
    points = numpy.array(rows, dtype=numpy.float64)
    group = near_groups(points, k)
    assert all(k <= size < 2 * k for size in Counter(group.tolist()).values())
    mixed = rows.copy()
    mixer.shuffle(mixed)
    one, other = (
        applied(
            Microaggregate(("a", "b"), k=k),
            records_of({"a": [f"{a}.0" for a, _ in each], "b": [float(b) for _, b in each]}),
        )
        for each in (rows, mixed)
    )
    both = [list(zip(column_of(each, "a"), column_of(each, "b"), strict=True)) for each in (one, other)]
    assert Counter(both[0]) == Counter(both[1])
    assert min(Counter(both[0]).values()) >= k
    assert sum(float(a) for a, _ in both[0]) == pytest.approx(
        sum(a for a, _ in rows), abs=0.05 * len(rows) + 1e-9
    )


def test_microaggregation_by_hand() -> None:
    """k = 2 on 1, 2, 3, 10, 11, 30, 50: far 50 with 30; far from 50: 1 with 2; then 3, 10, 11 are left."""
    values = ["10", "1", None, "50", "2", "30", "3", "11"]
    change = applied(Microaggregate(("x",), k=2), records_of({"x": values}))
    assert column_of(change, "x") == ["8", "2", None, "40", "2", "40", "8", "8"]
    assert change.changed == 6
    assert change.how == "the mean of 3 groups of 2 records or more"
    assert change.remarks == ("records with a missing value in one of the columns stay as they are: 1",)
    middle = applied(Microaggregate(("x",), k=2, of="median"), records_of({"x": values}))
    assert column_of(middle, "x") == ["10", "2", None, "40", "2", "40", "10", "10"]


def test_columns_count_alike_whatever_their_unit() -> None:
    """In thousands or not: the groups are the same; a constant column says nothing."""
    draw = numpy.random.default_rng(3)
    points = draw.integers(0, 1000, size=(40, 2)).astype(numpy.float64)
    wide = numpy.column_stack([points[:, 0] * 1024, points[:, 1], numpy.full(40, 0.1)])
    assert near_groups(points, 3).tolist() == near_groups(wide, 3).tolist()
    assert near_groups(points, 3).tolist() != near_groups(points * [1, 0], 3).tolist()
    assert near_groups(points, 3).tolist() == near_groups(points * [0.01, 1] + [1000, 0], 3).tolist()


def test_records_that_are_alike_go_by_their_people() -> None:
    """5 and 5, 0 and 0; the third with 0 goes with 1, and that is the last of those people."""
    rows = [(0, 0), (1, 0), (2, 0), (3, 1), (4, 5), (5, 5)]
    for turn in range(len(rows)):
        turned = rows[turn:] + rows[:turn]
        records = records_of({"x": [float(x) / 2 for _, x in turned]}, [who for who, _ in turned])
        change = applied(Microaggregate(("x",), k=2), records)
        of_person = dict(zip((who for who, _ in turned), column_of(change, "x"), strict=True))
        assert of_person == {0: 0, 1: 0, 2: 0.3, 3: 0.3, 4: 2.5, 5: 2.5}


@pytest.mark.parametrize(("of", "middle"), [("mean", mean), ("median", median)])
def test_people_are_grouped_by_their_means(of: str, middle: Callable[[list[float]], float]) -> None:
    fares: dict[int, list[float]] = {0: [1, 3], 1: [2.5], 2: [90, 110, 100], 3: [95], 4: [105.5, 90.5]}
    person = [who for who, each in fares.items() for _ in each]
    records = records_of({"fare": [fare for each in fares.values() for fare in each]}, person)
    change = applied(Microaggregate(("fare",), k=2, by="person", of=of), records)
    low, high = fares[0] + fares[1], fares[2] + fares[3] + fares[4]
    expected = [middle(low if who < 2 else high) for who in person]
    assert column_of(change, "fare") == pytest.approx(expected, abs=0.051)
    assert change.how == f"the {of} of 2 groups of 2 people or more"
    with pytest.raises(UsageError, match=r"only 5 people .* too few for a group of 6"):
        applied(Microaggregate(("fare",), k=6, by="person"), records)


def test_huge_numbers_have_a_mean() -> None:
    huge = [1.7e308, 1.6e308, -1.7e308, -1.6e308]
    change = applied(Microaggregate(("x",), k=2), records_of({"x": huge}))
    assert column_of(change, "x") == pytest.approx([1.65e308, 1.65e308, -1.65e308, -1.65e308])
    alike = applied(Microaggregate(("x",), k=3), records_of({"x": [0.1] * 3 + [1e-15]}))
    assert alike.changed == 4


def test_a_group_of_equal_values_does_not_change() -> None:
    """Though the sum of n times 0.1, by n, is not always 0.1."""
    for value in numpy.random.default_rng(0).random(50).tolist():
        for k in (3, 6, 7):
            same = applied(Microaggregate(("x",), k=k), records_of({"x": [value] * k}))
            assert same.changed == 0


def test_what_would_take_hours_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    many = records_of({"x": numpy.arange(600_000)})
    with pytest.raises(
        UsageError, match=r'^k: groups of 3 of 600,000 records .* take by = "person", or choose'
    ):
        applied(Microaggregate(("x",), k=3), many)
    with pytest.raises(
        UsageError, match=r"of 600,000 people .* others; choose a larger k, .* or sample first$"
    ):
        applied(Microaggregate(("x",), k=3, by="person"), many)
    some = records_of({"x": list(range(20))})
    monkeypatch.setattr(microaggregate, "MOST_WORK", 100)
    assert applied(Microaggregate(("x",), k=4), some).changed > 0
    with pytest.raises(UsageError, match="would take too long"):
        applied(Microaggregate(("x",), k=3), some)


def test_too_few_records_and_no_numbers() -> None:
    with pytest.raises(
        UsageError, match="only 2 records without a missing value in x, too few for a group of 3"
    ):
        applied(Microaggregate(("x",), k=3), records_of({"x": [1, 2, None]}))
    with pytest.raises(InputError, match="column 'x'"):
        applied(Microaggregate(("x",), k=2), records_of({"x": ["a", "b"]}))


# --- swap ---

VALUES = st.lists(st.one_of(st.none(), st.integers(-3, 12)), max_size=30)


@settings(max_examples=150)
@given(VALUES, st.sampled_from([0.05, 0.2, 0.29, 0.5, 1]), st.integers(0, 5))
def test_rank_swapping_keeps_values_and_goes_no_further(
    values: list[int | None], within: float, seed: int
) -> None:
    """Ranks told apart by the record: a column of different numbers that are ranked as the values are."""
    filled = sorted((each, row) for row, each in enumerate(values) if each is not None)
    rank = {row: place for place, (_, row) in enumerate(filled)}
    column = pyarrow.array([rank.get(row) for row in range(len(values))], pyarrow.int64())
    change = applied(Swap(("x",), within=within), records_of({"x": column}), seed)
    new = column_of(change, "x")
    assert Counter(new) == Counter(column.to_pylist())
    most = int(Decimal(str(within)) * len(filled))
    for row, other in enumerate(new):
        assert (other is None) == (row not in rank)
        if other is not None:
            assert abs(other - rank[row]) <= most
            assert new[filled[other][1]] == rank[row]


def test_rank_swapping_exchanges_nearly_all() -> None:
    change = applied(Swap(("x",), within=0.1), records_of({"x": list(range(1000))}))
    gaps = numpy.abs(numpy.array(column_of(change, "x")) - numpy.arange(1000))
    assert change.changed >= 980
    assert gaps.max() <= 100
    assert 40 < gaps[gaps > 0].mean() < 60


def test_ranks_of_texts_are_those_of_numbers_and_dates() -> None:
    numbers = [str(each) for each in range(1, 101)]
    change = applied(Swap(("x",), within=0.02), records_of({"x": numbers}))
    moved = [abs(int(new) - int(old)) for new, old in zip(column_of(change, "x"), numbers, strict=True)]
    assert set(moved) <= {0, 1, 2}
    first = date(2010, 12, 1)
    days = [first + timedelta(each) for each in range(60)]
    texts = [f"{day.year}/{day.month}/{day.day}" for day in days]
    change = applied(Swap(("x",), within=0.05), records_of({"x": texts}))
    at = {text: place for place, text in enumerate(texts)}
    assert all(abs(at[new] - place) <= 3 for place, new in enumerate(column_of(change, "x")))
    assert change.changed > 50


def test_too_few_ranks_are_remarked() -> None:
    change = applied(Swap(("x",), within=0.05), records_of({"x": ["1", "2"]}))
    assert change.changed == 0
    assert change.remarks == ("x: 2 values are too few to exchange within 0.05",)


@settings(max_examples=150)
@given(
    st.lists(st.tuples(st.sampled_from(["u", "v", None]), st.sampled_from([1, 2, None])), max_size=30),
    st.sampled_from([0.1, 0.5, 1]),
    st.integers(0, 5),
)
def test_record_swapping_keeps_tables(rows: list[tuple[Any, Any]], share: float, seed: int) -> None:
    columns = {
        "town": pyarrow.array([town for town, _ in rows], pyarrow.string()),
        "size": pyarrow.array([size for _, size in rows], pyarrow.int64()),
        "one": pyarrow.array(range(len(rows)), pyarrow.int64()),
        "other": pyarrow.array([str(row) for row in range(len(rows))], pyarrow.string()),
    }
    step = Swap(("one", "other"), how="record", share=share, same=("town", "size"))
    change = applied(step, records_of(columns), seed)
    new = column_of(change, "one")
    assert [str(each) for each in new] == column_of(change, "other")
    assert all(rows[row] == rows[other] and new[other] == row for row, other in enumerate(new))
    pairs = sum(count // 2 for count in Counter(rows).values())
    wanted = int(Decimal(str(share)) * len(rows)) // 2
    assert change.changed == 2 * 2 * min(pairs, wanted)
    assert bool(change.remarks) == (pairs < wanted)


# --- pram ---


def shares(values: list[Any]) -> dict[Any, float]:
    return {each: count / len(values) for each, count in Counter(values).items()}


COLOURS = ["r"] * 6000 + ["g"] * 3000 + ["b"] * 1000


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        # P(r → r) = ½; else g or b as 3 : 1, and so on: 0.3 + 0.15 · 6/7 + 0.05 · 6/9 for r
        (
            {},
            {
                "r": 0.3 + 0.15 * 6 / 7 + 0.05 * 6 / 9,
                "g": 0.15 + 0.3 * 3 / 4 + 0.05 * 3 / 9,
                "b": 0.05 + 0.3 / 4 + 0.15 / 7,
            },
        ),
        ({"by": "uniform"}, {"r": 0.3 + 0.2 / 2, "g": 0.15 + 0.35 / 2, "b": 0.05 + 0.45 / 2}),
        ({"invariant": True}, {"r": 0.6, "g": 0.3, "b": 0.1}),
    ],
)
def test_frequencies_after_randomisation(more: dict[str, Any], expected: dict[str, float]) -> None:
    change = applied(Pram(("x",), keep=0.5, **more), records_of({"x": COLOURS}), seed=7)
    assert shares(column_of(change, "x")) == pytest.approx(expected, abs=0.015)
    kept = 0.5 + (0.5 * (0.36 + 0.09 + 0.01) if more.get("invariant") else 0)
    assert 1 - change.changed / len(COLOURS) == pytest.approx(kept, abs=0.015)


def test_what_is_drawn_never_depends_on_what_the_record_was() -> None:
    """From r to g and b as 3 : 1, from b to r and g as 6 : 3."""
    new = column_of(applied(Pram(("x",), keep=0), records_of({"x": COLOURS}), seed=1), "x")
    assert shares(new[:6000]) == pytest.approx({"g": 3 / 4, "b": 1 / 4}, abs=0.02)
    assert shares(new[6000:9000]) == pytest.approx({"r": 6 / 7, "b": 1 / 7}, abs=0.02)
    assert shares(new[9000:]) == pytest.approx({"r": 6 / 9, "g": 3 / 9}, abs=0.04)


@settings(max_examples=60)
@given(st.lists(st.sampled_from(["a", "b", "c", None]), max_size=20), st.booleans(), st.integers(0, 9))
def test_every_value_changes_where_none_is_kept(values: list[str | None], uniform: bool, seed: int) -> None:
    step = Pram(("x",), keep=0, by="uniform" if uniform else "frequency")
    change = applied(step, records_of({"x": pyarrow.array(values, pyarrow.string())}), seed)
    known = {each for each in values if each is not None}
    filled = [(old, new) for old, new in zip(values, column_of(change, "x"), strict=True) if old is not None]
    assert {new for _, new in filled} <= known
    assert change.changed == (len(filled) if len(known) > 1 else 0)
    assert bool(change.remarks) == (len(known) == 1)


# --- shift dates ---


@settings(max_examples=100)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 900), st.integers(0, 900)), max_size=25),
    st.integers(1, 40),
    st.booleans(),
    st.integers(0, 5),
)
def test_intervals_of_a_person_are_kept(
    rows: list[tuple[int, int, int]], days: int, never_zero: bool, seed: int
) -> None:
    first = datetime(2010, 11, 30, 8, 26)
    come, go = ([first + timedelta(row[place]) for row in rows] for place in (1, 2))
    columns = {
        "come": pyarrow.array([f"{each:%Y-%m-%d %H:%M:%S}" for each in come], pyarrow.string()),
        "go": pyarrow.array(go, pyarrow.timestamp("us")),
    }
    records = records_of(columns, [who for who, _, _ in rows])
    change = applied(ShiftDates(("come", "go"), days=days, never_zero=never_zero), records, seed)
    new_come = [datetime.fromisoformat(each) for each in column_of(change, "come")]
    shifts: dict[int, set[timedelta]] = {}
    for row, (who, _, _) in enumerate(rows):
        shifts.setdefault(who, set()).update(
            {new_come[row] - come[row], column_of(change, "go")[row] - go[row]}
        )
    assert all(len(each) == 1 for each in shifts.values())
    moved = {who: each.pop() for who, each in shifts.items()}
    assert all(abs(each.days) <= days and each == timedelta(each.days) for each in moved.values())
    assert not never_zero or all(moved.values())
    assert change.changed == sum(2 for who, _, _ in rows if moved[who])


def test_all_shifts_are_equally_likely() -> None:
    records = records_of({"day": ["2010-12-01"] * 7000})
    for never_zero, found in ((False, {-2, -1, 0, 1, 2}), (True, {-2, -1, 1, 2})):
        change = applied(ShiftDates(("day",), days=2, never_zero=never_zero), records)
        moved = [(date.fromisoformat(each) - date(2010, 12, 1)).days for each in column_of(change, "day")]
        assert shares(moved) == pytest.approx(dict.fromkeys(found, 1 / len(found)), abs=0.02)
        assert change.remarks == ("there is no user column: each record is moved by itself",)


@pytest.mark.parametrize(
    "column",
    [
        ["0001-01-01", "9999-12-31"] * 20,
        pyarrow.array([date(1, 1, 1), date(9999, 12, 31)] * 20),
        pyarrow.array([datetime(2262, 4, 10)] * 40, pyarrow.timestamp("ns")),
    ],
)
def test_dates_beyond_the_calendar(column: Any) -> None:
    with pytest.raises(InputError, match=r"column 'day': .* of its dates would be moved beyond") as caught:
        applied(ShiftDates(("day",), days=30), records_of({"day": column}))
    assert "9999" not in str(caught.value)


def test_values_that_have_no_day() -> None:
    with pytest.raises(InputError, match="column 'day'"):
        applied(ShiftDates(("day",), days=3), records_of({"day": ["2010-12-01", "soon"]}))
    with pytest.raises(InputError, match="column 'day'"):
        applied(ShiftDates(("day",), days=3), records_of({"day": [1, 2]}))


# --- the purchases of Ito et al. 2020 ---


def test_on_the_purchases_of_paper_2(t1: Path) -> None:
    texts = pyarrow.csv.ConvertOptions(
        column_types=dict.fromkeys(
            ("customer", "receipt", "date", "time", "goods", "price", "number"), "string"
        )
    )
    table = pyarrow.csv.read_csv(t1, convert_options=texts)
    names, person = numpy.unique(table["customer"].to_numpy(), return_inverse=True)
    records = RecordTable(table, person, len(names), "customer")
    swapped = applied(Swap(("price", "number"), within=0.05), records)
    for name in ("price", "number"):
        assert Counter(column_of(swapped, name)) == Counter(table[name].to_pylist())
    near = applied(Microaggregate(("price", "number"), k=5, by="person"), records)
    of_value: dict[Any, set[int]] = {}
    for who, *pair in zip(person.tolist(), column_of(near, "price"), column_of(near, "number"), strict=True):
        of_value.setdefault(tuple(pair), set()).add(who)
    assert min(map(len, of_value.values())) >= 5
    shifted = applied(ShiftDates(("date",), days=14, never_zero=True), records)
    assert shifted.changed == len(records)
    drawn = applied(Pram(("goods",), keep=0.8, invariant=True), records)
    assert set(column_of(drawn, "goods")) <= set(table["goods"].to_pylist())
    assert 0.19 < drawn.changed / len(records) <= 0.21

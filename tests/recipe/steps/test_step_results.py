"""What each step makes of values: against plain Python, by the definitions, and the golden numbers."""

from __future__ import annotations

import hashlib
import hmac
import math
from collections import Counter, defaultdict
from datetime import UTC, date, datetime, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

import numpy
import pyarrow
import pyarrow.csv
import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.errors import InputError, UsageError
from singleout.recipe.record_table import RecordTable
from singleout.recipe.steps.cut import Cut
from singleout.recipe.steps.day_columns import days_of
from singleout.recipe.steps.mean import Mean
from singleout.recipe.steps.noise import Noise
from singleout.recipe.steps.pseudonymise import Pseudonymise
from singleout.recipe.steps.remove_people import RemovePeople
from singleout.recipe.steps.round import Round
from singleout.recipe.steps.sample import Sample
from singleout.recipe.steps.step import Step
from singleout.recipe.steps.suppress import Suppress
from singleout.recipe.steps.top_bottom import TopBottom
from singleout.recipe.steps.value_order import ranks_of

PEOPLE = st.integers(0, 3)
DECIMALS = st.decimals(-50, 50, places=2)
DAYS = st.dates(date(1, 1, 1), date(9999, 12, 31))


def records(columns: dict[str, Any], person: list[int] | None = None) -> RecordTable:
    """Records of people with these numbers, else of one each; `who` names them if it is a column."""
    table = pyarrow.table(columns)
    whose = numpy.arange(table.num_rows) if person is None else numpy.array(person, dtype=numpy.int64)
    return RecordTable(table, whose, int(whose.max(initial=-1)) + 1, "who" if "who" in columns else None)


def values(step: Step, column: Any, person: list[int] | None = None, seed: int = 1) -> list[Any]:
    """What a step makes of a column `x`."""
    found = step.apply(records({"x": column}, person), numpy.random.default_rng(seed)).records
    return list(found.column("x").to_pylist())


def strings(given: list[Any]) -> pyarrow.Array:
    return pyarrow.array([None if each is None else str(each) for each in given], pyarrow.string())


# days


FORMS = [
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M:%S",
    "%Y/%m/%d %H:%M:%S.5+02:00",
]


def formed(at: datetime, form: str) -> str:
    return at.strftime(form.replace("%Y", f"{at.year:04}"))


@given(st.lists(st.tuples(st.datetimes(), st.integers(-400, 400))), st.sampled_from(FORMS))
def test_texts_on_other_days_are_written_as_before(moves: list[tuple[datetime, int]], form: str) -> None:
    moves = [each for each in moves if 1 <= each[0].toordinal() + each[1] <= date.max.toordinal()]
    days = days_of("x", pyarrow.array([formed(at, form) for at, _ in moves], pyarrow.string()))
    assert days.values.tolist() == [at.toordinal() for at, _ in moves]
    shifts = numpy.array([shift for _, shift in moves], dtype=numpy.int64)
    expected = [formed(at + timedelta(days=shift), form) for at, shift in moves]
    assert days.as_column(days.values + shifts).to_pylist() == expected


@given(st.lists(st.tuples(DAYS, DAYS)))
def test_months_and_days_of_one_digit_stay_so(moves: list[tuple[date, date]]) -> None:
    moves = [*moves, (date(2010, 1, 2), date(2010, 1, 2))]  # one that tells how the column is written
    old, new = ([f"{day.year:04}/{day.month}/{day.day}" for day in days] for days in zip(*moves, strict=True))
    days = days_of("x", pyarrow.array(old))
    assert days.as_column(numpy.array([day.toordinal() for _, day in moves])).to_pylist() == new


def test_each_text_keeps_its_own_form_where_it_tells_it() -> None:
    column = pyarrow.array([" 2010-1-05", "2010/01/5 08h", None, "2010.10.10", "2010-02-03T04:05Z "])
    days = days_of("x", column)
    assert days.as_column(days.values).to_pylist() == column.to_pylist()
    moved = [" 2010-2-06", "2010/02/6 08h", None, "2010.11.11", "2010-03-07T04:05Z "]
    assert days.as_column(days.values + 32).to_pylist() == moved


@given(
    st.lists(st.none() | st.datetimes(datetime(1700, 1, 1), datetime(2200, 1, 1))),
    st.sampled_from(["s", "ms", "us", "ns"]),
    st.sampled_from([None, "UTC", "Asia/Tokyo"]),
    st.integers(-500, 500),
)
def test_typed_times_move_by_whole_days(
    times: list[datetime | None], unit: str, zone: str | None, shift: int
) -> None:
    whole = [each and each.replace(microsecond=0) for each in times]
    column = pyarrow.array(whole, pyarrow.timestamp(unit, zone))
    days = days_of("x", column)
    assert days.values.tolist() == [each.toordinal() if each else 0 for each in whole]
    new = days.as_column(days.values + shift)
    moved = pyarrow.array([each and each + timedelta(days=shift) for each in whole], column.type)
    assert new.equals(moved)


@pytest.mark.parametrize("kind", [pyarrow.date32(), pyarrow.date64()])
def test_typed_dates(kind: pyarrow.DataType) -> None:
    days = days_of("x", pyarrow.array([date(1969, 12, 31), None, date(2010, 12, 1)], kind))
    assert days.values.tolist() == [date(1969, 12, 31).toordinal(), 0, date(2010, 12, 1).toordinal()]
    new = days.as_column(days.values + 1)
    assert new.type == kind and new.to_pylist() == [date(1970, 1, 1), None, date(2010, 12, 2)]


def test_days_end_where_the_calendar_does() -> None:
    first_and_last = ["0001-01-01", "9999-12-31"]
    for column in (pyarrow.array(first_and_last), pyarrow.array([date.min, date.max])):
        days = days_of("x", column)
        assert [
            str(each) for each in days.as_column(days.values + numpy.array([-5, 5])).to_pylist()
        ] == first_and_last
    edge = pyarrow.array([2**63 - 1, -(2**63) + 1]).view(pyarrow.timestamp("ns"))
    days = days_of("x", edge)
    moved = days_of("x", days.as_column(days.values + numpy.array([9, -9]))).values
    assert (abs(moved - days.values) <= 2).all() and days.as_column(days.values).equals(edge)


# pseudonymise


def test_people_get_the_same_random_names_in_two_tables() -> None:
    history = records({"who": ["a", "b", None, "a", "c"], "x": ["1"] * 5}, [0, 1, 3, 0, 2])
    people = records({"who": ["c", "a", "b", None], "x": ["1"] * 4}, [2, 0, 1, 3])
    found = [
        Pseudonymise().apply(each, numpy.random.default_rng(4)).records.column("who").to_pylist()
        for each in (history, people)
    ]
    (a, b, missing, again, c), other = found
    assert (a, missing, other) == (again, None, [c, a, b, None])
    assert len({a, b, c}) == 3 and not {a, b, c} & {"a", "b", "c"}


def test_names_belong_to_values_and_nothing_is_left_of_their_order() -> None:
    old = [f"v{number % 50:02}" for number in range(200)]
    new = values(Pseudonymise(("x",)), old)
    assert len(set(zip(old, new, strict=True))) == 50 == len(set(new))
    in_order = [name for _, name in sorted(set(zip(old, new, strict=True)))]
    assert in_order != sorted(in_order)
    assert values(Pseudonymise(("x",)), old, seed=2) != new


def test_keyed_names_are_the_same_everywhere(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_bytes(bytes(range(32)))
    step = Pseudonymise(("x",), how="keyed", key_file=str(key))
    # the definition, by the standard library
    expected = {name: hmac.new(bytes(range(32)), name.encode(), hashlib.sha256).hexdigest() for name in "123"}
    found = values(step, ["2", "1", None, "2"])
    assert found == [expected["2"][:20], expected["1"][:20], None, expected["2"][:20]]
    assert values(step, pyarrow.array([1, 2, 3], pyarrow.int32()), seed=9) == [
        expected[name][:20] for name in "123"
    ]
    assert "key" not in step.apply(records({"x": ["1"]}), numpy.random.default_rng()).how.replace("keyed", "")


def test_keys_that_can_not_be_used(tmp_path: Path) -> None:
    short = tmp_path / "short"
    short.write_bytes(b"secret")
    for path, told in ((short, "has 6 bytes; a key has 16 or more"), (tmp_path / "none", "no such file")):
        with pytest.raises(InputError, match=told) as caught:
            values(Pseudonymise(("x",), how="keyed", key_file=str(path)), ["1"])
        assert "secret" not in str(caught.value)
    with pytest.raises(UsageError, match="there is no user column"):
        values(Pseudonymise(), ["1"])


# suppress


@given(st.lists(st.tuples(PEOPLE, st.none() | st.sampled_from("abcd"))), st.integers(2, 4), st.booleans())
def test_rare_values_are_those_of_few_people(
    rows: list[tuple[int, str | None]], least: int, people: bool
) -> None:
    whose, column = [each for each, _ in rows], [each for _, each in rows]
    holders = {value: [person for person, each in rows if each == value] for value in column}
    rare = {value for value, has in holders.items() if len(set(has) if people else has) < least} - {None}
    given: Any = {"rarer_than": least, "counted": "people" if people else "records"}
    cells = values(Suppress(("x",), what="cells", **given), strings(column), whose)
    assert cells == [None if each in rare else each for each in column]
    marked = values(Suppress(("x",), what="cells", mark="*", **given), strings(column), whose)
    assert marked == ["*" if each in rare else each for each in column]
    kept = values(Suppress(("x",), what="records", **given), strings(column), whose)
    assert kept == [each for each in column if each not in rare]


def test_any_condition_in_any_column_leaves_a_record_out() -> None:
    table = records({"x": ["a", "b", "c", None], "y": ["1", None, "2", "3"], "z": ["r", "s", "t", "u"]})
    step = Suppress(("x", "y"), what="records", values=["c", 1], missing=True)  # type: ignore[arg-type]
    change = step.apply(table, numpy.random.default_rng())
    assert change.records.column("z").to_pylist() == [] and change.changed == 4
    only_missing = Suppress(("y",), what="records", missing=True).apply(table, numpy.random.default_rng())
    assert only_missing.records.column("z").to_pylist() == ["r", "t", "u"]


@pytest.mark.parametrize(
    ("column", "listed", "left"),
    [
        (pyarrow.array([1, 2, 3]), (2, "3.0"), [1, None, None]),
        (pyarrow.array([1.0, 2.5, 3.0]), (1, 2.5), [None, None, 3.0]),
        (pyarrow.array([Decimal("1.50"), Decimal("2.00")]), (1.5,), [None, Decimal("2.00")]),
        (pyarrow.array([True, False]), (True,), [None, False]),
        (pyarrow.array([date(2010, 1, 2), date(2010, 1, 3)]), (date(2010, 1, 2),), [None, date(2010, 1, 3)]),
        (pyarrow.array(["1.0", "1"]), (1,), ["1.0", None]),
        (pyarrow.array([datetime(2010, 1, 2, 8)]), ("2010-01-02 08:00:00",), [None]),
        (pyarrow.array([datetime(2010, 1, 2, 8)]), (datetime(2010, 1, 2, 8),), [None]),
        (pyarrow.array([datetime(2010, 1, 2, 8, microsecond=5)]), ("2010-01-02 08:00:00.000005",), [None]),
        (pyarrow.array(["a", "b"]), ("?",), ["a", "b"]),
    ],
)
def test_listed_values_of_typed_columns(
    column: pyarrow.Array, listed: tuple[Any, ...], left: list[Any]
) -> None:
    assert values(Suppress(("x",), what="cells", values=listed), column) == left


def test_values_that_are_no_texts_are_told() -> None:
    for step in (Pseudonymise(("x",)), Suppress(("x",), what="cells", values=("a",))):
        with pytest.raises(InputError, match="values of type binary are no texts"):
            values(step, pyarrow.array([b"\xff"]))


def test_a_mark_is_a_text() -> None:
    with pytest.raises(UsageError, match="not texts; leave `mark` out"):
        values(Suppress(("x",), what="cells", values=(1,), mark="?"), pyarrow.array([1]))


# round


def rounded(value: Decimal, to: Decimal, how: str) -> Decimal:
    times = value / to
    if how == "nearest":
        return times.quantize(Decimal(1), ROUND_HALF_UP) * to  # half up is away from zero in decimal
    return (math.floor if how == "down" else math.ceil)(times) * to


@given(
    st.lists(st.none() | DECIMALS),
    st.sampled_from(["0.1", "0.25", "0.3", "1", "5", "10", "2.5"]),
    st.sampled_from(["nearest", "down", "up"]),
)
def test_rounding_is_exact_in_decimals(column: list[Decimal | None], to: str, how: str) -> None:
    found = values(Round(("x",), to=float(to), how=how), strings(column))
    expected = [None if each is None else rounded(each, Decimal(to), how) for each in column]
    assert [None if each is None else Decimal(each) for each in found] == expected
    of_floats = values(
        Round(("x",), to=float(to), how=how),
        [None if each is None else float(each) for each in column]
        if column
        else pyarrow.array([], pyarrow.float64()),
    )
    assert of_floats == [None if each is None else float(each) for each in expected]


def test_rounding_leaves_no_tail_of_digits() -> None:
    assert values(Round(("x",), to=0.1), [0.26, 0.31, 0.15, -0.25]) == [0.3, 0.3, 0.2, -0.3]
    assert values(Round(("x",), to=0.1), ["0.26", "7"]) == ["0.3", "7"]
    assert values(Round(("x",), to=10), pyarrow.array([14, 15, -15, None], pyarrow.int8())) == [
        10,
        20,
        -20,
        None,
    ]
    assert values(Round(("x",), to=10), ["1e3", "14.99"]) == ["1000", "10"]
    assert values(Round(("x",), to=1e-7, how="down"), ["0.00000019"]) == ["0.00000010"]


def test_rounding_by_chance_keeps_the_mean() -> None:
    found = numpy.array(values(Round(("x",), to=10, how="random"), numpy.full(20_000, 13)))
    assert set(found.tolist()) == {10, 20}
    # 3 in 10 go up: 6000 of 20000, standard deviation 65
    assert abs(int((found == 20).sum()) - 6000) < 5 * 65
    assert values(Round(("x",), to=10, how="random"), [10, 20, -30]) == [10, 20, -30]


def test_whole_numbers_are_rounded_to_whole_ones() -> None:
    with pytest.raises(UsageError, match=r"holds whole numbers; round it to a whole one, not to 2.5"):
        values(Round(("x",), to=2.5), [1, 2])
    assert values(Round(("x",), to=2.0), [3]) == [4]


# top_bottom


@given(st.lists(st.none() | DECIMALS), DECIMALS, DECIMALS)
def test_numbers_beyond_become_the_limit(column: list[Decimal | None], one: Decimal, other: Decimal) -> None:
    low, high = sorted((one, other))
    found = values(TopBottom(("x",), top=float(high), bottom=float(low)), strings(column))
    expected = [None if each is None else min(max(each, low), high) for each in column]
    assert [None if each is None else Decimal(each) for each in found] == expected
    gone = values(TopBottom(("x",), top=float(high), what="missing"), strings(column))
    assert gone == [None if each is None or each > high else str(each) for each in column]


@given(st.lists(st.integers(-20, 20), min_size=1), st.sampled_from([0.05, 0.1, 0.29, 0.5, 0.9]))
def test_no_more_than_a_share_is_beyond(column: list[int], share: float) -> None:
    most = Fraction(str(share)) * len(column)
    high = min(each for each in column if sum(other > each for other in column) <= most)
    low = max(each for each in column if sum(other < each for other in column) <= most)
    assert values(TopBottom(("x",), top_share=share), column) == [min(each, high) for each in column]
    assert values(TopBottom(("x",), bottom_share=share), column) == [max(each, low) for each in column]
    beyond = [each for each in column if each > high]
    middle = Fraction(sum(beyond), max(len(beyond), 1))
    near = math.floor(abs(middle) + Fraction(1, 2)) * (1 if middle > 0 else -1)
    averaged = values(TopBottom(("x",), top_share=share, what="mean"), column)
    assert averaged == [near if each > high else each for each in column]


def test_limits_of_whole_numbers_are_whole() -> None:
    assert values(TopBottom(("x",), top=10.5, bottom=2.5), [1, 10, 11]) == [3, 10, 10]
    assert values(TopBottom(("x",), top=10.5), ["1", "10", "11"]) == ["1", "10", "10.5"]


# noise


def test_noise_is_uniform_on_the_steps_of_the_column() -> None:
    whole = numpy.array(values(Noise(("x",), amount=2), numpy.full(10_000, 7)))
    spread = Counter(whole.tolist())
    assert set(spread) == {5, 6, 7, 8, 9}
    # 2000 each, standard deviation 40
    assert all(abs(count - 2000) < 5 * 40 for count in spread.values())
    tenths = Counter(values(Noise(("x",), amount=0.25), ["1.0"] * 5000))
    assert set(tenths) == {"0.8", "0.9", "1.0", "1.1", "1.2"}
    # 1000 each, standard deviation 28
    assert all(abs(count - 1000) < 5 * 28 for count in tenths.values())


@pytest.mark.parametrize(
    ("distribution", "deviation"), [("uniform", 3**-0.5), ("normal", 1.0), ("laplace", 2**0.5)]
)
def test_noise_has_the_width_that_was_asked_for(distribution: str, deviation: float) -> None:
    size, scale = 40_000, 8.0
    numbers = numpy.random.default_rng(0).random(size)
    for step, unit in (
        (Noise(("x",), amount=scale, distribution=distribution), numpy.ones(size)),
        (Noise(("x",), share=scale, distribution=distribution), numbers),
    ):
        moved = (numpy.array(values(step, numbers)) - numbers) / unit / scale
        assert abs(moved.mean()) < 5 * deviation / size**0.5
        # a sample's deviation is off by less than 2 percent here, also for the long tails of laplace
        assert abs(moved.std() / deviation - 1) < 0.03
        if distribution == "uniform":
            assert 0.99 < abs(moved).max() <= 1 + 1e-9


def test_noise_stays_within_its_limits_as_they_are_written() -> None:
    step = Noise(("x",), amount=50, at_least=0.5, at_most=9.5)
    assert set(values(step, numpy.full(2000, 5))) == set(range(1, 10))
    assert {float(each) for each in values(step, ["5.0"] * 9000)} == {each / 10 for each in range(5, 96)}


@given(
    st.decimals(-20, 0, places=3),
    st.decimals("0.001", 20, places=3),
    st.integers(0, 3),
    st.sampled_from([0, 40]),
)
def test_limits_of_noise_are_exact(low: Decimal, high: Decimal, places: int, above: int) -> None:
    """The first and last of the column's steps within the limits: 1.1 · 100 is 110, and 0.29 · 100 is 29."""
    low, high, step = low + above, high + above, Decimal(1).scaleb(-places)
    noise = Noise(("x",), amount=10**6, at_least=float(low), at_most=float(high))
    lowest, highest = low.quantize(step, ROUND_CEILING), high.quantize(step, ROUND_FLOOR)
    if lowest > highest:
        with pytest.raises(UsageError, match=f"column 'x': no number of {places} decimals"):
            values(noise, [f"{above:.{places}f}"] * 60)
        return
    found = values(noise, [f"{above:.{places}f}"] * 60)
    # more than nine in ten are drawn beyond one of the limits
    assert {min(map(Decimal, found)), max(map(Decimal, found))} == {lowest, highest}


def test_limits_of_noise_as_they_are_written() -> None:
    assert min(values(Noise(("x",), amount=50, at_least=1.1), ["1.20"] * 50)) == "1.10"
    assert max(values(Noise(("x",), amount=50, at_most=0.29), ["0.20"] * 50), key=float) == "0.29"
    with pytest.raises(UsageError, match=r"no number of 0 decimals, as it has, is from 0\.5 to 0\.9; set"):
        values(Noise(("x",), amount=50, at_least=0.5, at_most=0.9), [1, 2])


def test_a_number_that_is_only_written_otherwise_is_not_changed() -> None:
    table = records({"x": ["2.50", "10", "+5.0", " 4", None]})
    change = TopBottom(("x",), top=5).apply(table, numpy.random.default_rng())
    assert change.records.column("x").to_pylist() == ["2.5", "5", "5", "4", None]
    assert change.changed == 1
    assert (
        TopBottom(("x",), top=99).apply(table, numpy.random.default_rng()).records.table.equals(table.table)
    )


def test_noise_of_days_and_per_person() -> None:
    days = Counter(values(Noise(("x",), days=1), ["2010/12/31 08:26"] * 3000))
    assert set(days) == {"2010/12/30 08:26", "2010/12/31 08:26", "2011/01/01 08:26"}
    # 1000 each, standard deviation 26
    assert all(abs(count - 1000) < 5 * 26 for count in days.values())
    whose = [each % 40 for each in range(400)]
    for step, column in (
        (Noise(("x",), amount=100, per="person"), pyarrow.array(numpy.zeros(400, dtype=numpy.int64))),
        (Noise(("x",), days=100, per="person"), pyarrow.array(["2010-12-31"] * 400)),
        (Noise(("x",), chance=1, per="person"), pyarrow.array([f"{each:03}" for each in range(400)])),
    ):
        found = values(step, column, whose)
        assert len(set(zip(whose, found, strict=True))) == 40 and len(set(found)) > 20


def test_noise_of_categories_draws_any_of_them() -> None:
    column = ["a"] * 6000 + ["b"] * 500 + ["c"] * 500 + [None] * 50
    found = values(Noise(("x",), chance=0.5), column)
    assert found[-50:] == [None] * 50
    # of 6000, 3000 are drawn anew and a third of those are a again
    spread = Counter(found[:6000])
    assert set(spread) == {"a", "b", "c"}
    assert abs(spread["b"] - 1000) < 5 * 29 and abs(spread["c"] - 1000) < 5 * 29


def test_noise_that_is_too_small_says_so() -> None:
    change = Noise(("x",), amount=0.5).apply(records({"x": ["1", "2"]}), numpy.random.default_rng())
    assert change.changed == 0 and "below its last digit" in change.remarks[0]
    assert values(Noise(("x",), amount=1e300), [1e308, -1e308]) != [1e308, -1e308]
    assert all(map(math.isfinite, values(Noise(("x",), share=1e308, distribution="normal"), [1e308, 1.0])))


# mean


def test_the_fares_of_table_iv_become_their_mean() -> None:
    # Ito et al. n.d., section V.B: -194, -194, 2000, -150 become 365.5
    assert values(Mean(("x",)), ["-194", "-194", "2000", "-150"]) == ["365.5"] * 4
    assert values(Mean(("x",)), [-194, -194, 2000, -150]) == [365.5] * 4
    change = Mean(("x",)).apply(records({"x": [-194, -194, 2000, -150]}), numpy.random.default_rng())
    assert change.records.column("x").type == pyarrow.float64() and change.changed == 4


def written_as(found: list[Any]) -> list[Fraction | None]:
    return [None if each is None else Fraction(each) for each in found]


@given(st.lists(st.tuples(PEOPLE, st.none() | DECIMALS)), st.sampled_from(["mean", "median"]), st.booleans())
def test_means_and_medians_of_all_or_each(
    rows: list[tuple[int, Decimal | None]], of: str, each: bool
) -> None:
    groups: dict[int, list[Fraction]] = defaultdict(list)
    for person, value in rows:
        groups[person if each else 0] += [] if value is None else [Fraction(value)]
    centre = {
        key: Fraction(median(some) if of == "median" else sum(some) / len(some))
        for key, some in groups.items()
        if some
    }
    step = Mean(("x",), per="person" if each else "all", of=of)
    whose, column = [person for person, _ in rows], [value for _, value in rows]
    found = written_as(values(step, strings(column), whose))
    for new, (person, old) in zip(found, rows, strict=True):
        if old is None:
            assert new is None
        else:
            assert new is not None and abs(new - centre[person if each else 0]) <= Fraction(5, 10**5)
    floats = values(
        step, pyarrow.array([None if one is None else float(one) for one in column], pyarrow.float64()), whose
    )
    exact = [None if old is None else float(centre[person if each else 0]) for person, old in rows]
    # a half of each is rounded at its own size, which may be far above that of their sum
    largest = max((abs(float(one)) for one in column if one is not None), default=0.0)
    assert floats == pytest.approx(exact, rel=1e-15, abs=1e-15 * (1 + largest))


def test_means_keep_the_type_if_they_can() -> None:
    whole = Mean(("x",)).apply(
        records({"x": pyarrow.array([1, None, 3], pyarrow.int8())}), numpy.random.default_rng()
    )
    assert whole.records.column("x").type == pyarrow.int8()
    assert whole.records.column("x").to_pylist() == [2, None, 2] and whole.changed == 2
    money = pyarrow.array([Decimal("1.00"), Decimal("1.00"), Decimal("2.00")], pyarrow.decimal128(5, 2))
    assert values(Mean(("x",)), money) == [Decimal("1.3333")] * 3
    assert values(Mean(("x",)), [1.7e308, 1.7e308]) == [1.7e308] * 2
    assert values(Mean(("x",)), ["0.1"] * 10 + ["0.2"] * 10) == ["0.15"] * 20


# sample and remove_people


def test_a_sample_of_people_has_all_their_records() -> None:
    whose = [each % 30 for each in range(300)]
    for step, size in ((Sample(share=0.5), 15), (Sample(number=7), 7), (Sample(share=0.05), 2)):
        found = step.apply(records({"x": list(range(300))}, whose), numpy.random.default_rng(2))
        kept = set(found.records.person.tolist())
        assert len(kept) == size and found.changed == 30 - size and found.unit == "people"
        assert found.records.column("x").to_pylist() == [each for each in range(300) if each % 30 in kept]


def test_everyone_is_equally_likely_in_a_sample() -> None:
    counted: Counter[int] = Counter()
    for seed in range(2000):
        counted.update(values(Sample(what="records", number=2), list(range(5)), seed=seed))
    # 2 in 5 of 2000, standard deviation 22
    assert all(abs(counted[each] - 800) < 5 * 22 for each in range(5)) and counted.total() == 4000


def test_people_who_are_gone_already_are_not_drawn() -> None:
    gone = RecordTable(pyarrow.table({"x": ["a", "b"]}), numpy.array([3, 8]), 10)
    assert len(Sample(number=2).apply(gone, numpy.random.default_rng()).records) == 2
    with pytest.raises(UsageError, match="there are only 2 people to draw 3 from"):
        Sample(number=3).apply(gone, numpy.random.default_rng())
    assert RemovePeople(fewer_than=2).apply(gone, numpy.random.default_rng()).changed == 2


@given(st.lists(PEOPLE), st.none() | st.integers(2, 5), st.none() | st.integers(1, 6))
def test_people_with_few_or_many_records_go(whose: list[int], fewer: int | None, more: int | None) -> None:
    if (fewer is None and more is None) or (fewer and more and more < fewer):
        with pytest.raises(UsageError):
            RemovePeople(fewer, more)
        return
    each = Counter(whose)
    gone = {who for who, size in each.items() if (fewer and size < fewer) or (more and size > more)}
    change = RemovePeople(fewer, more).apply(
        records({"x": strings(whose)}, whose), numpy.random.default_rng()
    )
    assert change.records.person.tolist() == [who for who in whose if who not in gone]
    assert change.changed == len(gone)


# cut


@given(st.lists(st.none() | st.datetimes(datetime(2010, 11, 1), datetime(2011, 3, 1))), st.booleans())
def test_a_window_is_as_fine_as_it_is_written(times: list[datetime | None], is_typed: bool) -> None:
    texts = strings([each and each.strftime("%Y-%m-%d %H:%M:%S") for each in times])
    column = pyarrow.array(times, pyarrow.timestamp("us")) if is_typed else texts
    windows: list[tuple[dict[str, Any], datetime, datetime]] = [
        ({"begin": "2010-12"}, datetime(2010, 12, 1), datetime.max),
        ({"end": "2010/12"}, datetime.min, datetime(2011, 1, 1)),
        ({"begin": date(2010, 12, 24), "end": "2011-1-5"}, datetime(2010, 12, 24), datetime(2011, 1, 6)),
        ({"begin": "2010-12-24 08:26", "end": "2011"}, datetime(2010, 12, 24, 8, 26), datetime(2012, 1, 1)),
        ({"end": datetime(2011, 1, 1, 0, 0, 1)}, datetime.min, datetime(2011, 1, 1, 0, 0, 2)),
    ]
    for window, low, high in windows:
        kept = values(Cut(column="x", **window), column)
        inside = [each for each in times if each is not None and low <= each < high]
        assert kept == (inside if is_typed else [each.strftime("%Y-%m-%d %H:%M:%S") for each in inside])


@given(st.lists(st.none() | DECIMALS))
def test_a_window_of_numbers(column: list[Decimal | None]) -> None:
    for begin, end in (("-5", 10.5), (None, "0"), (3, None), ("1e1", 49)):
        kept = values(Cut(column="x", begin=begin, end=end), strings(column))
        low, high = (default if each is None else float(each) for each, default in ((begin, -99), (end, 99)))
        assert kept == [str(each) for each in column if each is not None and low <= float(each) <= high]


def test_windows_of_times_of_day_and_of_years() -> None:
    assert values(Cut(column="x", begin="08:30", end="09:00"), ["08:29:59", "8:30", "09:00:59", "09:01"]) == [
        "8:30",
        "09:00:59",
    ]
    assert values(Cut(column="x", begin="2010", end=2011), ["2009", "2010", "2012"]) == ["2010"]
    assert values(Cut(column="x", end="2010"), ["2009-12-31", "2010-12-31", "2011"]) == [
        "2009-12-31",
        "2010-12-31",
    ]


@pytest.mark.parametrize(
    ("window", "told"),
    [
        ({"begin": "soon"}, "begin: 'soon' is neither a number nor a date or time"),
        ({"begin": "08:26", "end": "2010-12"}, "are not of one kind"),
        ({"begin": "2011-02", "end": "2011-01-31"}, "begin: '2011-02' is after the end"),
        ({"begin": 3, "end": 2}, "begin: 3 is after the end"),
        ({"begin": True}, "begin: True is neither"),
        ({}, "give one or more of begin, end"),
    ],
)
def test_windows_that_can_not_be_meant(window: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError) as caught:
        Cut(column="x", **window)
    assert told in str(caught.value)


@given(
    st.lists(
        st.tuples(PEOPLE, st.none() | st.dates(date(2010, 1, 1), date(2010, 1, 12)), st.integers(8, 11))
    ),
    st.integers(1, 3),
)
def test_the_latest_and_first_records_of_each(rows: list[tuple[int, date | None, int]], most: int) -> None:
    whose = [person for person, _, _ in rows]
    dates = [day and f"{day.year}/{day.month}/{day.day}" for _, day, _ in rows]
    table = records({"date": strings(dates), "number": strings([each for *_, each in rows])}, whose)
    order = sorted(rows, key=lambda row: (row[1] or date.min, row[2]))
    for keep in ("latest", "first"):
        found = (
            Cut(records=most, keep=keep, by=("date", "number"))
            .apply(table, numpy.random.default_rng())
            .records
        )
        expected: list[tuple[int, Any, str]] = []
        for person in set(whose):
            own = [row for row in order if row[0] == person]
            chosen = own[-most:] if keep == "latest" else own[:most]
            expected += [
                (who, day and f"{day.year}/{day.month}/{day.day}", str(each)) for who, day, each in chosen
            ]
        columns = (found.column(name).to_pylist() for name in ("date", "number"))
        assert Counter(zip(found.person.tolist(), *columns, strict=True)) == Counter(expected)


def test_random_records_of_each_person_are_all_equally_likely() -> None:
    counted: Counter[int] = Counter()
    for seed in range(1500):
        counted.update(values(Cut(records=1, keep="random"), list(range(4)), [0, 0, 0, 1], seed))
    # one in three of 1500, standard deviation 18
    assert counted[3] == 1500 and all(abs(counted[each] - 500) < 5 * 18 for each in range(3))


def test_ranks_go_by_what_values_are() -> None:
    assert ranks_of("x", pyarrow.array(["b", None, "a"])).tolist() == [1, -1, 0]
    assert ranks_of("x", pyarrow.array([10, 9, None])).tolist() == [1, 0, -1]
    assert ranks_of("x", pyarrow.array(["10:00", "9:59"])).tolist() == [1, 0]
    assert ranks_of("x", pyarrow.array([datetime(2010, 1, 2, tzinfo=UTC), None])).tolist() == [0, -1]
    assert ranks_of("x", pyarrow.nulls(2)).tolist() == [-1, -1]


# on the purchases of Ito et al. 2019 and 2020


def test_the_purchases_of_paper_2(t1: Path) -> None:
    options = pyarrow.csv.ConvertOptions(
        column_types=dict.fromkeys(["customer", "price", "number"], pyarrow.string())
    )
    table = pyarrow.csv.read_csv(t1, convert_options=options)
    person = table["customer"].combine_chunks().dictionary_encode().indices.to_numpy()
    purchases = RecordTable(table, person.astype(numpy.int64), 400, "customer")
    draw = numpy.random.default_rng(0)
    latest = Cut(records=5, by=("date", "time")).apply(purchases, draw).records
    assert latest.records_of_each().tolist() == numpy.minimum(purchases.records_of_each(), 5).tolist()
    noisy = Noise(("price",), amount=0.5).apply(purchases, draw).records.column("price").to_pylist()
    old = table["price"].to_pylist()
    assert all(
        abs(Decimal(new) - Decimal(each)) <= Decimal("0.5") for new, each in zip(noisy, old, strict=True)
    )
    named = Pseudonymise().apply(purchases, draw)
    assert named.changed == len(purchases) and len(named.records.column("customer").unique()) == 400


@pytest.mark.parametrize(
    ("texts", "moved"),
    [
        (["2010/12/01", "2010/1/5"], ["2011/01/02", "2010/2/6"]),
        (["2010/12/11", "2010/1/5"], ["2011/1/12", "2010/2/6"]),
        (["2010-12-11", "2010-11-05"], ["2011-01-12", "2010-12-07"]),
        (["2010/12/31 8:00", "2010/1/25"], ["2011/2/1 8:00", "2010/2/26"]),
    ],
)
def test_a_date_that_moved_is_written_as_others_are(texts: list[str], moved: list[str]) -> None:
    """By the form of a date nobody may tell that it was changed."""
    days = days_of("date", pyarrow.array(texts))
    assert days.as_column(days.values + 32).to_pylist() == moved

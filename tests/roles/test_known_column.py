"""What fits a known value: granularities and tolerances against plain arithmetic, and what can't be meant."""

from __future__ import annotations

from datetime import datetime, timedelta
from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from singleout.attacks.unicity.matching_values import fitting_values
from singleout.errors import InputError, UsageError
from singleout.roles.dates_and_times import moment
from singleout.roles.known_column import KnownColumn

PRICES = st.decimals(-30, 30, places=2).map(str)
TIMES = st.datetimes(datetime(2010, 12, 30), datetime(2011, 1, 3)).map(lambda at: at.replace(microsecond=0))
UNITS = ["year", "month", "day", "hour", "minute", "second"]


def pairs(column: KnownColumn, values: list[str | None]) -> list[list[bool]]:
    """A row for each known value: which of the values fit it."""
    found = fitting_values(column, values)
    stretches = zip(found.low.tolist(), found.high.tolist(), strict=True)
    return [[low <= rank < high for rank in found.rank.tolist()] for low, high in stretches]


def cut(at: datetime, unit: str) -> datetime:
    kept = [at.year, at.month, at.day, at.hour, at.minute, at.second][: UNITS.index(unit) + 1]
    return datetime(*[*kept, 1, 1][: max(3, len(kept))])  # type: ignore[arg-type]


@given(st.lists(st.none() | PRICES), st.sampled_from(["0", "0.05", "2", "10.5", ".25"]))
def test_numbers_within_a_number(values: list[str | None], tolerance: str) -> None:
    def fits(known: str | None, other: str | None) -> bool:
        if known is None or other is None:
            return known is other
        return abs(Fraction(known) - Fraction(other)) <= Fraction(tolerance)

    found = pairs(KnownColumn("price", tolerance=tolerance), values)
    assert found == [[fits(known, other) for other in values] for known in values]


@given(st.lists(PRICES), st.sampled_from(["5%", "12.5 %", "0%", "100%"]))
def test_numbers_within_a_share_of_the_known_one(values: list[str], tolerance: str) -> None:
    share = Fraction(tolerance.rstrip("% ")) / 100

    def fits(known: str, other: str) -> bool:
        return abs(Fraction(known) - Fraction(other)) <= share * abs(Fraction(known))

    found = pairs(KnownColumn("price", tolerance=tolerance), list(values))
    assert found == [[fits(known, other) for other in values] for known in values]


@given(st.lists(PRICES), st.sampled_from(["10", "0.5", "0.3"]), st.sampled_from([None, "1", "20%"]))
def test_numbers_rounded_down(values: list[str], step: str, tolerance: str | None) -> None:
    down = [floor(Fraction(value) / Fraction(step)) * Fraction(step) for value in values]

    def reach(known: Fraction) -> Fraction:
        return {None: Fraction(0), "1": Fraction(1), "20%": abs(known) / 5}[tolerance]

    found = pairs(KnownColumn("price", f"round {step}", tolerance), list(values))
    assert found == [[abs(known - other) <= reach(known) for other in down] for known in down]


@given(st.lists(TIMES), st.sampled_from(UNITS), st.sampled_from([None, "1 day", "2 hours", "30 minutes"]))
def test_times(values: list[datetime], unit: str, tolerance: str | None) -> None:
    width = {
        None: timedelta(0),
        "1 day": timedelta(days=1),
        "2 hours": timedelta(hours=2),
        "30 minutes": timedelta(minutes=30),
    }[tolerance]
    known = [cut(each, unit) for each in values]
    found = pairs(KnownColumn("at", unit, tolerance), [str(each) for each in values])
    assert found == [[abs(one - other) <= width for other in known] for one in known]


@given(st.lists(st.none() | st.text("ab1", max_size=4)), st.integers(1, 4))
def test_first_characters(values: list[str | None], first: int) -> None:
    cut = [None if value is None else value[:first] for value in values]
    found = pairs(KnownColumn("goods", f"first {first}"), values)
    assert found == [[one == other for other in cut] for one in cut]


def test_decimals_have_no_noise() -> None:
    """1.10 − 1.05 is more than 0.05 in binary."""
    assert all(map(all, pairs(KnownColumn("price", tolerance="0.05"), ["1.10", "1.05"])))


def test_numbers_beyond_64_bits() -> None:
    values: list[str | None] = ["1e30", "1000000000000000000000000000001", "1e-30", "-1e30"]
    found = pairs(KnownColumn("price", tolerance="1"), values)
    assert found == [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]


def test_a_percentage_is_of_the_known_value() -> None:
    """100 is within 5 % of 105, and 105 of 100; 95 is within 5 % of 100, but 100 not of 95."""
    assert pairs(KnownColumn("price", tolerance="5%"), ["100", "95"]) == [[True, True], [False, True]]


def test_a_day_around_the_clock() -> None:
    values: list[str | None] = ["2011-01-31 23:59", "2011-02-01 00:01", "2011-02-02 00:02"]
    assert pairs(KnownColumn("at", tolerance="1 day"), values)[0] == [True, True, False]
    assert pairs(KnownColumn("at", "day", "1 day"), values)[1] == [True, True, True]


def test_the_same_time_written_in_other_ways() -> None:
    values: list[str | None] = ["2011/01/31 08:26", "2011-01-31T08:26:59.123+01", "2011.1.31 08h"]
    assert all(map(all, pairs(KnownColumn("at", "hour"), values)))
    assert all(map(all, pairs(KnownColumn("at", "month"), [*values, "2011-01"])))


def test_times_of_day_have_hours_at_most() -> None:
    assert pairs(KnownColumn("at", "hour"), ["08:26", "08:59:30", "09:00"])[0] == [True, True, False]
    with pytest.raises(UsageError, match=r"'at': its values are times of day; .* hour, minute$"):
        fitting_values(KnownColumn("at", "day"), ["08:26", None])


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        (KnownColumn("at", "hour"), ["2011-01-31", "2011-01-31 08:26"], "that fine; .* year, month, day$"),
        (KnownColumn("at", None, "1 day"), ["2011-01", "2011-01-31"], "that fine; .* year, month$"),
    ],
)
def test_all_times_must_be_as_fine(column: KnownColumn, values: list[str | None], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        fitting_values(column, values)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (KnownColumn("x", "month"), r"column 'x': 3 of its 4 different values can't be read as times; write"),
        (KnownColumn("x", None, "5%"), r"column 'x': 4 of its 4 different values can't be read as numbers"),
        (KnownColumn("x", "round 10"), r"column 'x': 4 of its 4 different values can't be read as numbers"),
    ],
)
def test_unreadable_values_are_counted_and_not_told(column: KnownColumn, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        fitting_values(column, ["2011-01-31", "2011-02-30", "2011-01-31 25:00", "secret", None])
    assert "secret" not in str(caught.value)


def test_dates_and_times_of_day_do_not_mix() -> None:
    with pytest.raises(InputError, match="1 of its 3 different values are times of day"):
        fitting_values(KnownColumn("at", "hour"), ["08:26", "2011-01-31 08:26", "2011-02-01 08:26"])


@pytest.mark.parametrize(
    "granularity", ["week", "first 0", "first", "round 0", "round -1", "round", "Month", ""]
)
def test_bad_granularities(granularity: str) -> None:
    with pytest.raises(UsageError, match=r"column 'x': .* is no granularity; write 'year'"):
        KnownColumn("x", granularity)


@pytest.mark.parametrize("tolerance", ["1 month", "-1", "5 percent", "day", "1.5 days", "", "nan"])
def test_bad_tolerances(tolerance: str) -> None:
    with pytest.raises(UsageError, match=r"column 'x': .* is no tolerance; write '1 day'"):
        KnownColumn("x", None, tolerance)


@pytest.mark.parametrize(
    ("granularity", "tolerance", "right"),
    [
        ("month", "5%", "take one like '1 day'"),
        ("round 10", "1 day", "take one like '5%'"),
        ("first 3", "0.5", "leave one of them out"),
    ],
)
def test_what_does_not_go_together(granularity: str, tolerance: str, right: str) -> None:
    with pytest.raises(UsageError, match=f"column 'x': known at '{granularity}', it has no .*; {right}"):
        KnownColumn("x", granularity, tolerance)


def test_both_mistakes_at_once() -> None:
    with pytest.raises(UsageError, match=r"'week' is no granularity.*'soon' is no tolerance"):
        KnownColumn("x", "week", "soon")


def test_words() -> None:
    columns = [
        KnownColumn("goods"),
        KnownColumn("goods", "first 1"),
        KnownColumn("goods", "first 3"),
        KnownColumn("price", "round 0.5", "1"),
        KnownColumn("date", "day", "1 day"),
    ]
    assert [column.words for column in columns] == [
        "goods",
        "goods (first character)",
        "goods (first 3 characters)",
        "price (in steps of 0.5, ± 1)",
        "date (to the day, ± 1 day)",
    ]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2011-01-31 08:26:10.5", 10),
        ("2011-01-31 08:26:10+01", 10),
        ("2011-01-31 08:26+01:00", 0),
        ("2011-01-31T08:26:10Z", 10),
    ],
)
def test_fractions_and_offsets_are_passed_over(text: str, seconds: int) -> None:
    found, minute = moment(text), moment("2011-01-31 08:26")
    assert found and minute
    assert found.seconds - minute.seconds == seconds


@pytest.mark.parametrize("text", ["2011-01-31 08:26:10 and more", "08:26:100", "08:26+1", "2011-01-31 Z"])
def test_what_follows_a_time_makes_it_none(text: str) -> None:
    assert moment(text) is None
